/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservation_times: when a reservation begins and ends. */
#ifndef EQT_SLURM_RESERVATION_TIMES_H
#define EQT_SLURM_RESERVATION_TIMES_H

#include "slurm/scontrol/records.h"

#define EQT_RESERVATION_FAR (INT64_MAX / 2) /* of one without an end */

/* StartTime and EndTime of what "scontrol -o show reservation" printed, in seconds
 * since the epoch. A start that is missing is 0. */
void eqt_reservation_times(int64_t *from, int64_t *to,
			   const struct eqt_scontrol_record *record);

#endif
