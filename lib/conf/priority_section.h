/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * priority_section: the section "priority" of equitree.conf, which extends
 * Slurm's own priority keys. A plain value; a member that is 0, or the first
 * word of its enum, means Slurm's behaviour.
 *
 *	priority {
 *		rank_by = usage		# or allocated: what runs now alone
 *		allocated_now = 0	# s of running jobs added to usage
 *		order = users		# or jobs: a place for each waiting job
 *		rank_every = 0		# ms between rankings; 0: a period
 *		rank_cpu = 10		# % of a core that these may take
 *		tasks_ahead = 0		# places that no whole array may have
 *		idle_shares = yes	# no: only users with usage or jobs count
 *		access_weight = 0	# points for equal access
 *		access_scope = user	# or account
 *		expansion_weight = 0	# points for a long wait of short jobs
 *		expansion_full = 10	# (limit + wait) / limit that has all
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
	bool there; /* the file has the section */
	enum eqt_rank_by rank_by;
	uint64_t allocated_now; /* s; 0: running jobs count only as charged */
	enum eqt_order order;
	uint64_t rank_every_ms; /* 0: once a period */
	uint64_t rank_cpu; /* % of a core for rankings between passes */
	uint64_t tasks_ahead; /* places; 0: arrays stay whole */
	bool idle_shares;
	uint64_t access_weight; /* points; 0: off */
	enum eqt_scope access_scope;
	uint64_t expansion_weight; /* points; 0: off */
	uint64_t expansion_full_u; /* millionths, above 1 */
	enum eqt_size_by size_by;
	uint32_t refund; /* bits EQT_REFUND_...: not charged to fair share */
};

#endif
