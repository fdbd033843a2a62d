/* SPDX-License-Identifier: GPL-2.0-or-later */
/* topology: jobs that keep others off their block of a topology. A part of
 * compat.h, which includes it. */
#ifndef EQT_COMPAT_TOPOLOGY_H
#define EQT_COMPAT_TOPOLOGY_H

/* Is this value of "shared" in a job description --exclusive=topo? It came with
 * 24.05. */
static inline bool eqt_slurm_is_topo(uint16_t shared)
{
#ifdef JOB_SHARED_TOPO
	return shared == JOB_SHARED_TOPO;
#else
	(void) shared;
	return false;
#endif
}

/* AllowSpecResourcesUsage in conf_flags: a job may have --core-spec. */
#ifdef CTL_CONF_ASRU
#define EQT_CONF_SPEC_ALLOWED CTL_CONF_ASRU
#else
#define EQT_CONF_SPEC_ALLOWED CONF_FLAG_ASRU
#endif

#ifdef EQT_HAVE_INTERNAL

/* The value of "shared" in the job's description, if it keeps others off whole nodes;
 * else NO_VAL16. scontrol update OverSubscribe=NO sets share_res alone: the job gets what
 * it requested, and nobody else gets anything on its nodes, as with --exclusive=user. */
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
