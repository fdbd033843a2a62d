/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "../common/ask_partition.h"
#include "../common/slurm_compat.h"
#include "../common/reach.h"
#include "partition_defaults.h"

/* As long as Slurm lets the text of --partition be. */
#define NAME_MAX_BYTES 1024

static const part_record_t *find_partition(const char *names)
{
	char name[NAME_MAX_BYTES + 1];
	size_t length;

	if (!names || names[0] == '\0')
		return default_part_loc;
	length = strcspn(names, ",");
	if (length >= sizeof(name))
		return NULL;
	memcpy(name, names, length);
	name[length] = '\0';
	return find_part_record(name);
}

const char *eqt_partition_default(void)
{
	return default_part_loc ? default_part_loc->name : NULL;
}

void eqt_ask_add_partition(struct eqt_ask *ask, const char *names)
{
	const part_record_t *part = find_partition(names);

	if (part)
		eqt_ask_add_part(ask, part);
}

void eqt_prices_add_partition(struct eqt_prices *prices,
			      const struct eqt_ask *ask, const char *names)
{
	const part_record_t *part = find_partition(names);

	if (part)
		eqt_reach_apply(prices, ask, part);
}
