/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/text.h"
#include "qos.h"

void eqt_qos_name(struct eqt_qos *out, const char *name)
{
	*out = (struct eqt_qos){ .usage_factor = 1.0 };
	if (name)
		(void) eqt_text_lower(out->name, sizeof(out->name), name);
}

bool eqt_qos_list_is(const char *list)
{
	return list && strchr(list, ',');
}

size_t eqt_qos_list_count(const char *list)
{
	char name[EQT_QOS_SIZE];
	size_t count = 0;

	while (eqt_text_next_name(name, sizeof(name), &list))
		count++;
	return count;
}
