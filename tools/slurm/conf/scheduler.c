/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words that are not simulated are passed over. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "slurm/conf/scheduler.h"

/* 1: taken; 0: another word; -1: not a number, or too small a one. */
static int scheduler_take_number(uint32_t *out, const char *at,
				 const char *name, unsigned int least)
{
	const size_t length = strlen(name);
	unsigned int value;

	if (strncasecmp(at, name, length) != 0 || at[length] != '=')
		return 0;
	if (sscanf(at + length + 1, "%9u", &value) != 1 || value < least)
		return -1;
	*out = value;
	return 1;
}

/* sched/builtin has no backfill. */
const char *eqt_scheduler_read(struct eqt_simulation_policy *policy,
			       const char *type, const char *list)
{
	uint32_t window_min = 1440;
	const struct {
		const char *name;
		uint32_t *out;
		unsigned int least;
	} words[] = {
		{ "bf_interval", &policy->backfill_s, 1 },
		{ "bf_max_job_test", &policy->backfill_depth, 1 },
		{ "bf_job_part_count_reserve", &policy->backfill_reserve, 0 },
		{ "bf_window", &window_min, 1 },
	};
	const char *at, *wrong = NULL;
	size_t i;

	policy->backfill_s = 30;
	policy->backfill_depth = 500;
	policy->backfill_reserve = 0;
	for (at = list; at && *at != '\0';
	     at += strcspn(at, ","), at += *at == ',')
		for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (scheduler_take_number(words[i].out, at,
						  words[i].name,
						  words[i].least) < 0 &&
			    !wrong)
				wrong = at;
	policy->backfill_window_s =
		window_min < UINT32_MAX / 60 ? window_min * 60 : UINT32_MAX;
	if (type && strcasecmp(type, "sched/builtin") == 0)
		policy->backfill_s = 0;
	return wrong;
}
