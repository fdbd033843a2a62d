/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reservation: the partition and the nodes of jobs with --reservation. slurmctld
 * creates and changes reservations with its node lock held for writing; here it is held
 * for reading, until the last use of what is returned. Needs Slurm's internal headers.
 */
#ifndef EQT_RESERVATION_H
#define EQT_RESERVATION_H

#include "slurm/compat.h"

/* The partition of a job that names a reservation (NULL: none) and no partition; NULL:
 * the default one. */
const part_record_t *eqt_reservation_partition(const char *name);

/*
 * The only nodes that a job with these reservations ("a,b") may have, in a bitmap that the
 * caller frees; NULL: any. Jobs may use other nodes than those of a FLEX reservation, and
 * Slurm may choose other nodes for a reservation that does not name its nodes. *work grows
 * by the number of reservations that were compared.
 */
bitstr_t *eqt_reservation_nodes(const char *names, uint32_t *work);

/* Remove the nodes of other reservations that begin within so many minutes from a bitmap. */
void eqt_reservation_remove(bitstr_t *nodes, const char *names,
			    uint64_t minutes);

#endif
