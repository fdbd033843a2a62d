/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reservation: the partition and the nodes of jobs with --reservation.
 * slurmctld creates and changes reservations while it holds its node lock for
 * writing. Callers hold that lock for reading until they have finished with the
 * result. Needs Slurm's internal headers.
 */
#ifndef EQT_RESERVATION_H
#define EQT_RESERVATION_H

#include "slurm/compat.h"

/* The partition of a job that names a reservation but no partition. Returns
 * NULL if the job gets the default partition; name may be NULL. */
const part_record_t *eqt_reservation_partition(const char *name);

/*
 * The nodes to which a job with these reservations ("a,b") is restricted, in a
 * bitmap that the caller frees. Returns NULL if the job may get any node: a
 * FLEX reservation allows nodes outside it, and Slurm may replace the nodes of
 * a reservation that was created without a list of nodes. *work grows by the
 * number of reservations that were compared.
 */
bitstr_t *eqt_reservation_nodes(const char *names, uint32_t *work);

/* Remove from a bitmap the nodes of other reservations that begin within
 * `minutes` minutes. `names` are the job's own reservations. */
void eqt_reservation_remove(bitstr_t *nodes, const char *names,
			    uint64_t minutes);

#endif
