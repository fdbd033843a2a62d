/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * het_sum: what the components of a heterogeneous job cost together.
 *
 * slurmctld hands the components to job_submit() one after another, in one thread,
 * without their number. So each but the first has the sum up to it, and the sum of the
 * last is that of the job. No lock is needed.
 */
#ifndef EQT_JOB_SUBMIT_HET_SUM_H
#define EQT_JOB_SUBMIT_HET_SUM_H

#include <stdbool.h>
#include <stddef.h>

#include "quote/quote.h"
#include "slurm/compat.h"

/* Add a component that is taken, of a job that begins anew with its first; quote NULL:
 * it has no price. A job without components is passed over. */
void eqt_het_sum_add(const job_desc_msg_t *desc, const struct eqt_quote *quote);

/* "components 0 to 2 together: cost 7 core-equivalents", cut to size. False, and
 * nothing, if the component that was added last is the first, if one of them has no
 * price, or if they have different units. */
bool eqt_het_sum_text(char *buf, size_t size);

#endif
