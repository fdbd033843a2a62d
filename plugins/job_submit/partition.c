/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "partition.h"

const part_record_t *eqt_partition_find(const char *name)
{
	if (default_part_loc && strcmp(default_part_loc->name, name) == 0)
		return default_part_loc;
	return find_part_record((char *) (uintptr_t) name);
}

const char *eqt_partition_default(void)
{
	return default_part_loc ? default_part_loc->name : NULL;
}
