/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget_section: the section "budget" of equitree.conf, what holds for all
 * budgets. A plain value.
 *
 *	budget {
 *		warn = 50,75,90		# percent; or off
 *		refund = node_fail,boot_fail,preempted	# or none
 *		when_spent = hold	# or refuse, bonus: if a grant does not say
 *		bonus = free		# the QOS of when_spent = bonus
 *		from_limits = no	# or yes: GrpTRESMins=billing are budgets
 *		when_damaged = stop	# or hold: the start without all entries
 *	}
 */
#ifndef EQT_CONF_BUDGET_H
#define EQT_CONF_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "budget/budget.h"
#include "budget/thresholds.h"
#include "price/bundle_table.h"

/* A start that does not find all entries of budgets. */
enum eqt_when_damaged {
	EQT_DAMAGED_STOP, /* slurmctld does not start */
	EQT_DAMAGED_HOLD /* jobs of accounts that had budgets are held */
};

/* The ends of jobs through no fault of their user: bits, in the order of the words. The
 * sections "budget" and "priority" each list those that are not charged. */
enum {
	EQT_REFUND_NONE = 1,
	EQT_REFUND_NODE_FAIL = 2,
	EQT_REFUND_BOOT_FAIL = 4,
	EQT_REFUND_PREEMPTED = 8
};

struct eqt_conf_budget {
	bool there; /* the file has the section */
	struct eqt_thresholds warn;
	uint32_t refund; /* bits EQT_REFUND_...: not charged to a budget */
	enum eqt_budget_way when_spent; /* of a grant that does not say */
	char bonus[EQT_NAME_SIZE]; /* QOS; "": none */
	bool from_limits; /* limits of accounts are budgets */
	enum eqt_when_damaged when_damaged;
};

#endif
