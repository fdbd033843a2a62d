/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request: the original request in a job record. A part of compat.h, which
 * includes this file. */
#ifndef EQT_COMPAT_REQUEST_H
#define EQT_COMPAT_REQUEST_H

/* The largest number of nodes that the job asked for, or 0 if it gave none. If
 * it gave none, 26.05 stores the number of tasks and sets a flag. */
static inline uint32_t eqt_job_max_nodes(const job_record_t *job)
{
#if EQT_HAVE_IMPLICIT_MAX_NODES
	if (job->bit_flags & JOB_IMPLICIT_MAX_NODES)
		return 0;
#endif
	return job->details->max_nodes;
}

#endif
