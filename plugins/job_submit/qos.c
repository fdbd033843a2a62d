/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "qos.h"

void eqt_qos_name(struct eqt_qos *out, const char *name)
{
	size_t length = name ? strlen(name) : 0, i;

	*out = (struct eqt_qos){ .usage_factor = 1.0 };
	if (length >= EQT_QOS_SIZE)
		return;
	for (i = 0; i < length; i++)
		out->name[i] = (char) tolower((unsigned char) name[i]);
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
