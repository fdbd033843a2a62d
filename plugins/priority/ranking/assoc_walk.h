/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assoc_walk: all associations, in the order of assoc_mgr's list, with their
 * memory asked for ahead of the visit. assoc_mgr's association lock is held.
 */
#ifndef EQT_ASSOC_WALK_H
#define EQT_ASSOC_WALK_H

#include "../../common/slurm_compat.h"

typedef void eqt_assoc_visit(slurmdb_assoc_rec_t *assoc, void *arg);

/* Visit all; of each the record and its usage are at hand. */
void eqt_assocs_each(eqt_assoc_visit *visit, void *arg);

/* The same where the visit needs usage_tres_raw too. */
void eqt_assocs_each_tres(eqt_assoc_visit *visit, void *arg);

#endif
