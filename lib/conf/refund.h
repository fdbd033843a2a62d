/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refund: the ends of jobs through no fault of their user. The sections "budget"
 * and "priority" of equitree.conf each list those that are not charged.
 */
#ifndef EQT_CONF_REFUND_H
#define EQT_CONF_REFUND_H

/* Bits, in the order of the words. */
enum {
	EQT_REFUND_NONE = 1,
	EQT_REFUND_NODE_FAIL = 2,
	EQT_REFUND_BOOT_FAIL = 4,
	EQT_REFUND_PREEMPTED = 8
};

#endif
