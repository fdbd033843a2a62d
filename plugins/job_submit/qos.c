/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <string.h>

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

bool eqt_qos_list_next(char *name, const char **list)
{
	const char *from = *list + strspn(*list, ",");
	const size_t length = strcspn(from, ",");

	*list = from + length;
	if (length == 0)
		return false;
	name[0] = '\0';
	if (length < EQT_QOS_SIZE) {
		memcpy(name, from, length);
		name[length] = '\0';
	}
	return true;
}

size_t eqt_qos_list_count(const char *list)
{
	char name[EQT_QOS_SIZE];
	size_t count = 0;

	while (eqt_qos_list_next(name, &list))
		count++;
	return count;
}
