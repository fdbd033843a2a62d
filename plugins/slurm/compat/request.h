/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request: what a job record keeps of what was asked. A part of compat.h,
 * which includes it. */
#ifndef EQT_COMPAT_REQUEST_H
#define EQT_COMPAT_REQUEST_H

/* The most nodes that a job asked for; 0: it did not say. 26.05 then notes one
 * for each task, and that it did so. */
static inline uint32_t eqt_job_max_nodes(const job_record_t *job)
{
#if EQT_HAVE_IMPLICIT_MAX_NODES
	if (job->bit_flags & JOB_IMPLICIT_MAX_NODES)
		return 0;
#endif
	return job->details->max_nodes;
}

#endif
