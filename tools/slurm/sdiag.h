/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sdiag: what slurmctld says of itself. */
#ifndef EQT_SLURM_SDIAG_H
#define EQT_SLURM_SDIAG_H

#include <stdint.h>

#include "base/error.h"

/* The number of records that slurmctld has not sent to slurmdbd yet. 0, or -1 with err
 * filled: sdiag fails, or does not print it. */
int eqt_sdiag_unsent_records(uint64_t *out, struct eqt_error *err);

#endif
