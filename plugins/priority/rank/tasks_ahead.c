/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Split tasks off arrays that have a place near the front (tasks_ahead). */
#include "slurm/log.h"
#include "slurm/compat.h"
#include "rank/tasks_ahead.h"
#include "walk/job_links.h"
#include "walk/walk.h"

/* The number of tasks that are split off before the lock is released. slurmctld
 * copies a record for each task, which takes some tens of microseconds. */
#define AT_ONCE 32

/* Split up to AT_ONCE tasks off an array. Returns how many were split off. The
 * remaining array keeps its id, so it is found again by that id. */
static uint32_t array_take_some(struct eqt_guard *guard, uint32_t array_id,
				uint32_t wanted)
{
	slurmctld_lock_t locks = EQT_WALK_JOB_LOCKS;
	uint32_t taken = 0;
	job_record_t *array;

	lock_slurmctld(locks);
	array = find_job_record(array_id);
	if (array && !eqt_guard_ok(guard, array))
		array = NULL;
	while (array && taken < wanted && taken < AT_ONCE &&
	       eqt_split_is_possible(array)) {
		array = eqt_split_take(array);
		taken += array != NULL;
	}
	unlock_slurmctld(locks);
	return taken;
}

void eqt_tasks_ahead_take(struct eqt_guard *guard,
			  const struct eqt_config *config,
			  struct eqt_ordered_job *jobs, size_t count)
{
	uint32_t taken, all = 0;

	if (!eqt_job_order_tasks_ahead(jobs, count,
				       (size_t) config->priority.tasks_ahead))
		return;
	for (size_t i = 0; i < count; i++) {
		uint32_t wanted = jobs[i].taken_out;

		for (; wanted; wanted -= taken) {
			taken = array_take_some(guard, jobs[i].job_id, wanted);
			if (!taken)
				break;
			all += taken;
		}
	}
	eqt_log_debug("split %u tasks off their arrays", all);
}
