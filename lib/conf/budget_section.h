/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget_section: the section "budget" of equitree.conf, which applies to all budgets.
 * A plain value.
 *
 *	budget {
 *		warn = 50,75,90		# percent; or off
 *		refund = node_fail,boot_fail,preempted	# or none
 *		when_spent = hold	# or refuse, bonus; a grant may differ
 *		bonus = free		# the QOS of when_spent = bonus
 *		from_limits = no	# or yes: GrpTRESMins=billing are budgets
 *		when_damaged = stop	# or hold
 *	}
 */
#ifndef EQT_CONF_BUDGET_H
#define EQT_CONF_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "budget/budget.h"
#include "budget/thresholds.h"
#include "price/bundle_table.h"

/* What slurmctld does at a start if entries of budgets are missing. */
enum eqt_when_damaged {
	EQT_DAMAGED_STOP, /* slurmctld does not start */
	/* Jobs of accounts that had budgets are held after the start. */
	EQT_DAMAGED_HOLD
};

/* The ends of jobs that are not the fault of their users, a bit each, in the order of
 * the words. The sections "budget" and "priority" each list the ends that are not
 * charged. */
enum {
	EQT_REFUND_NONE = 1,
	EQT_REFUND_NODE_FAIL = 2,
	EQT_REFUND_BOOT_FAIL = 4,
	EQT_REFUND_PREEMPTED = 8
};

struct eqt_conf_budget {
	bool there; /* whether the file has the section */
	struct eqt_thresholds warn;
	/* Bits EQT_REFUND_... of the ends that are not charged to a budget. */
	uint32_t refund;
	/* What to do when a budget is spent, for grants that do not set this
	 * themselves. */
	enum eqt_budget_way when_spent;
	/* The QOS for when_spent = bonus; "" if there is none. */
	char bonus[EQT_NAME_SIZE];
	bool from_limits; /* whether the limits of accounts are budgets */
	enum eqt_when_damaged when_damaged;
};

#endif
