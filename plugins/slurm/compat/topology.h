/* SPDX-License-Identifier: GPL-2.0-or-later */
/* topology: jobs that keep other jobs off their block of a topology. A part of
 * compat.h, which includes this file. */
#ifndef EQT_COMPAT_TOPOLOGY_H
#define EQT_COMPAT_TOPOLOGY_H

/* Does this value of "shared" in a job description mean --exclusive=topo? The
 * option came with 24.05. */
static inline bool eqt_slurm_is_topo(uint16_t shared)
{
#ifdef JOB_SHARED_TOPO
	return shared == JOB_SHARED_TOPO;
#else
	(void) shared;
	return false;
#endif
}

/* The bit of conf_flags for AllowSpecResourcesUsage, without which a job cannot
 * use --core-spec. */
#ifdef CTL_CONF_ASRU
#define EQT_CONF_SPEC_ALLOWED CTL_CONF_ASRU
#else
#define EQT_CONF_SPEC_ALLOWED CONF_FLAG_ASRU
#endif

#ifdef EQT_HAVE_INTERNAL

/*
 * The value of "shared" that the job's description had, if the job keeps other
 * jobs off its nodes; otherwise NO_VAL16.
 *
 * "scontrol update OverSubscribe=NO" sets only share_res. Such a job is
 * allocated what it requested, and no other job gets the rest of its nodes, as
 * with --exclusive=user.
 */
static inline uint16_t eqt_slurm_shared(const job_details_t *details)
{
	if (details->whole_node == WHOLE_NODE_REQUIRED)
		return 0;
	if (details->whole_node == WHOLE_NODE_USER)
		return JOB_SHARED_USER;
	if (details->whole_node == WHOLE_NODE_MCS)
		return JOB_SHARED_MCS;
#if EQT_HAVE_EXCLUSIVE_TOPO
	if (details->whole_node & WHOLE_TOPO)
		return JOB_SHARED_TOPO;
#endif
	if (details->share_res == 0)
		return JOB_SHARED_USER;
	return NO_VAL16;
}

/* Has the partition ExclusiveTopo=YES? */
static inline bool eqt_slurm_part_is_topo(const part_record_t *part)
{
#if EQT_HAVE_EXCLUSIVE_TOPO
	return part->flags & PART_FLAG_EXCLUSIVE_TOPO;
#else
	(void) part;
	return false;
#endif
}

#endif

#endif
