/* SPDX-License-Identifier: GPL-2.0-or-later */
/* handover: what changes in job records when slurmctld may next load
 * priority/multifactor. */
#ifndef EQT_HANDOVER_H
#define EQT_HANDOVER_H

#include "state.h"

/*
 * Prepare the job records for priority/multifactor, which slurmctld may load at
 * its next start.
 *
 * slurmctld saves the records after fini(). So this function clears the preset
 * billing of waiting jobs, and sets the billing of running jobs to their price
 * in equivalents. It logs what priority/multifactor will do differently. Under
 * stock_billing it does nothing. Call it after the pass thread has ended.
 */
void eqt_handover_prepare(struct eqt_state *state,
			  const struct eqt_config *config);

#endif
