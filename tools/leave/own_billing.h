/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * own_billing: the billing that slurmctld itself gives a job, from what it holds and
 * from TRESBillingWeights, both as scontrol prints them.
 */
#ifndef EQT_OWN_BILLING_H
#define EQT_OWN_BILLING_H

#include <stddef.h>

/* How the products are combined, by PriorityFlags. */
enum eqt_own_billing_sum {
	EQT_OWN_BILLING_SUM, /* all are added */
	EQT_OWN_BILLING_MAX_TRES, /* the largest of CPUs, memory, nodes, GRES */
	EQT_OWN_BILLING_MAX_TRES_GRES, /* that of CPUs, memory, nodes; GRES added */
};

/* The range of billing that a list of TRES may have: scontrol rounds memory. */
struct eqt_own_billing {
	double least, most;
};

/* Read PriorityFlags. */
enum eqt_own_billing_sum eqt_own_billing_flags(const char *flags);

/*
 * The billing of a list ("cpu=2,mem=4G,node=1,billing=2", length bytes) by weights
 * ("CPU=1,Mem=0.25G"; NULL: none, then it is the number of CPUs). 0, or -1: one of
 * the two is not such a list.
 */
int eqt_own_billing(struct eqt_own_billing *out, const char *tres,
		    size_t length, const char *weights,
		    enum eqt_own_billing_sum sum);

#endif
