/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refund: a job that ended through no fault of its user need not be charged
 * (refund in equitree.conf). Passes have charged it meanwhile, so its end takes
 * that back: a charge of the whole run with a negative factor.
 */
#ifndef EQT_REFUND_H
#define EQT_REFUND_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "slurm/compat.h"
#include "configuration.h"
#include "ledger/ledger.h"
#include "usage/charge/job_charge.h"
#include "usage/amounts/post.h"

/* Why a job that ends now is not charged, if its end is one of these bits
 * EQT_REFUND_...; NULL: it is charged. slurmctld's job lock is held. */
const char *eqt_refund_reason(uint32_t refund, const job_record_t *job);

/*
 * Fill *refund with the line that takes back the charge of a job which ends, and
 * end->record is the last part of it: from the start of the job, its last resize, an
 * earlier refund, or the time since which usage counts (of a reset) on. No more is taken
 * back than the association has. Returns false if the job is charged. Locks:
 * EQT_CHARGE_ASSOC_LOCKS, and slurmctld's jobs for writing.
 */
bool eqt_refund_of_end(const struct eqt_config *config,
		       const struct eqt_job_charge *charge,
		       const job_record_t *job,
		       const struct eqt_charge_span *span, time_t since,
		       const struct eqt_job_end *end,
		       struct eqt_journal_record *refund);

#endif
