/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record_cost: what runs cost by the record of charges. */
#ifndef EQT_BILL_RECORD_COST_H
#define EQT_BILL_RECORD_COST_H

#include "bill/job_costs.h"

/*
 * Give each run that the record has what it was charged there: nodes that it held after its
 * end, each price while it was in force, refunds, and the money of that day. The price is
 * the mean over the charged seconds. Costs point to themselves afterwards and must not be
 * moved. 0, or -1 with err filled: the folder cannot be read, out of memory.
 */
int eqt_record_costs_take(struct eqt_job_costs *costs, const char *folder,
			  struct eqt_error *err);

#endif
