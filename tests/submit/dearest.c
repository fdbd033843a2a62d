/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../host/fail.h"
#include "crowd.h"
#include "dearest.h"
#include "desc.h"
#include "stage.h"

#define ALONE 12 /* partitions that each description is told alone */
#define ROUNDING 0.01 /* of the numbers in a message */

static uint64_t below(uint64_t *seed, uint64_t limit)
{
	return (random_next(seed) >> 11) % limit;
}

/* A job for one hour that most partitions could run, of an account of no pool. */
static void desc_fill(job_desc_msg_t *desc, uint64_t *seed)
{
	static const char *const gres[] = { NULL,	  NULL,
					    NULL,	  "gres:gpu:1",
					    "gres:gpu:2", "gres:gpu:v100:1",
					    "gres:gpu:a100:2" };

	slurm_init_job_desc_msg(desc);
	desc->user_id = stage_uid(STAGE_HAL);
	desc->account = xstrdup("staff");
	desc->time_limit = 60;
	desc->num_tasks = 1 + (uint32_t) below(seed, 16);
	desc->cpus_per_task = (uint16_t) (1 + below(seed, 8));
	desc->min_cpus = desc->num_tasks * desc->cpus_per_task;
	desc->tres_per_node = xstrdup(gres[below(seed, 7)]);
	if (below(seed, 3) == 0)
		desc->shared = 0;
	if (below(seed, 3) == 0) {
		desc->min_nodes = 1 + (uint32_t) below(seed, 4);
		desc->max_nodes = desc->min_nodes + (uint32_t) below(seed, 4);
	}
	switch (below(seed, 4)) {
	case 0:
		desc->pn_min_memory = below(seed, 60000);
		break;
	case 1:
		desc->pn_min_memory = below(seed, 9000) | MEM_PER_CPU;
		break;
	case 2:
		desc->pn_min_memory = 0;
		break;
	default: /* the partition's */
		break;
	}
}

/* The most hours that a message tells: "..., 2 to 3.5 h for 1:00:00"; -1: none, or no node
 * is known that can run the job ("cost at least"). */
static double hours_of(const char *message)
{
	double most = -1;

	if (strstr(message, "cost at least "))
		return -1;

	for (const char *at = strstr(message, " h"); at;
	     at = strstr(at + 1, " h")) {
		const char *from = at;

		while (from > message &&
		       strchr("0123456789.", from[-1]) != NULL)
			from--;
		if (from < at && strtod(from, NULL) > most)
			most = strtod(from, NULL);
	}
	return most;
}

/* What it is told in partitions; -1: it is refused, or has no price. */
static double desc_hours(between_submit_t *submit, const job_desc_msg_t *desc,
			 const char *partitions)
{
	job_desc_msg_t copy = *desc;
	char *message = NULL;
	double hours = -1;

	copy.account = xstrdup(desc->account);
	copy.tres_per_node = xstrdup(desc->tres_per_node);
	copy.partition = xstrdup(partitions);
	if (submit(&copy, copy.user_id, &message) == SLURM_SUCCESS && message)
		hours = hours_of(message);
	xfree(message);
	desc_free(&copy);
	return hours;
}

static void all_partitions(char *text, size_t size)
{
	size_t length = 0;

	for (int i = 0; i < CROWD_PARTITIONS && length < size; i++)
		length += (size_t) snprintf(text + length, size - length,
					    "p%d,", i);
}

unsigned long dearest_check(between_submit_t *submit, long count, uint64_t seed)
{
	char all[8 * CROWD_PARTITIONS], one[16];
	unsigned long compared = 0;

	all_partitions(all, sizeof(all));
	for (long i = 0; i < count; i++) {
		job_desc_msg_t desc;
		double most;

		desc_fill(&desc, &seed);
		most = desc_hours(submit, &desc, all);
		for (int j = 0; most >= 0 && j < ALONE; j++) {
			double hours;

			(void) snprintf(one, sizeof(one), "p%d",
					(int) below(&seed, CROWD_PARTITIONS));
			hours = desc_hours(submit, &desc, one);
			if (hours > most * (1 + ROUNDING))
				fail("job %ld: %g h in %s, at most %g h in all",
				     i, hours, one, most);
			compared += hours >= 0;
		}
		desc_free(&desc);
	}
	return compared;
}
