/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_ids: jobs that a pass comes back to. It notes their ids while it holds
 * the locks for something else, and looks each one up again when it has time:
 * a job may be gone by then.
 */
#ifndef EQT_JOB_IDS_H
#define EQT_JOB_IDS_H

#include <stddef.h>
#include <stdint.h>

/* {0} is empty; eqt_job_ids_free() frees what it holds. Its space is kept when
 * count is set to 0: a pass allocates only when there are more than ever. */
struct eqt_job_ids {
	uint32_t *ids;
	size_t count;
	size_t space;
};

/* 0, or -1 when memory is short: the job is not noted. */
int eqt_job_ids_add(struct eqt_job_ids *ids, uint32_t job_id);

void eqt_job_ids_free(struct eqt_job_ids *ids);

#endif
