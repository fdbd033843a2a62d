/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * priority_section: the section "priority" of equitree.conf, which extends Slurm's own
 * priority keys. A plain value. A member that is 0, or the first word of its enum,
 * means that Slurm's behaviour is not changed.
 *
 *	priority {
 *		rank_by = usage		# or allocated: only running jobs count
 *		allocated_now = 0	# s of running jobs, added to the usage
 *		order = users		# or jobs: a rank for each waiting job
 *		rank_every = 0		# ms between rankings; 0: a period
 *		rank_cpu = 10		# % of a core for these rankings
 *		tasks_ahead = 0		# ranks for single tasks of arrays
 *		idle_shares = yes	# no: count only users with usage or jobs
 *		access_weight = 0	# points for equal access
 *		access_scope = user	# or account
 *		expansion_weight = 0	# points for a long wait of short jobs
 *		expansion_full = 10	# (limit + wait) / limit for all points
 *		size_by = resources	# or equivalents
 *		refund = none		# ends of jobs that are not charged
 *	}
 */
#ifndef EQT_CONF_PRIORITY_H
#define EQT_CONF_PRIORITY_H

#include <stdbool.h>
#include <stdint.h>

enum eqt_rank_by { EQT_RANK_BY_USAGE, EQT_RANK_BY_ALLOCATED };
enum eqt_order { EQT_ORDER_USERS, EQT_ORDER_JOBS };
enum eqt_scope { EQT_SCOPE_USER, EQT_SCOPE_ACCOUNT };
enum eqt_size_by { EQT_SIZE_BY_RESOURCES, EQT_SIZE_BY_EQUIVALENTS };

struct eqt_conf_priority {
	bool there; /* whether the file has the section */
	enum eqt_rank_by rank_by;
	/* Seconds of running jobs that are added to the usage; 0 adds nothing. */
	uint64_t allocated_now;
	enum eqt_order order;
	/* Milliseconds between rankings; 0 means once in a PriorityCalcPeriod. */
	uint64_t rank_every_ms;
	/* Percent of a core that rankings between passes may take. */
	uint64_t rank_cpu;
	/* Number of ranks in which arrays are split into tasks; 0 for none. */
	uint64_t tasks_ahead;
	bool idle_shares;
	/* The weight of equal access in points; 0 means off. */
	uint64_t access_weight;
	enum eqt_scope access_scope;
	/* The weight of the expansion factor in points; 0 means off. */
	uint64_t expansion_weight;
	uint64_t expansion_full_u; /* a factor in millionths, above 1 */
	enum eqt_size_by size_by;
	/* Bits EQT_REFUND_... of the ends that are not charged to fair share. */
	uint32_t refund;
};

#endif
