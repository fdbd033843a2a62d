/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request: the original request in a job record. A part of compat.h, which includes
 * it. */
#ifndef EQT_COMPAT_REQUEST_H
#define EQT_COMPAT_REQUEST_H

/* The most nodes that a job asked for; 0: not given. In that case 26.05 stores the
 * number of tasks and sets a flag. */
static inline uint32_t eqt_job_max_nodes(const job_record_t *job)
{
#if EQT_HAVE_IMPLICIT_MAX_NODES
	if (job->bit_flags & JOB_IMPLICIT_MAX_NODES)
		return 0;
#endif
	return job->details->max_nodes;
}

#endif
