/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lsf_pbs: options of LSF and PBS in a batch script, which sbatch translates.
 */
#ifndef EQT_SBATCH_LSF_PBS_H
#define EQT_SBATCH_LSF_PBS_H

#include "sbatch/script.h"

/*
 * Translate script->lsf or, if that is empty, script->pbs into script->foreign:
 * options of sbatch with the same effect, as far as they change a price. 0, or
 * -1 with err filled ("FILE:LINE: why"): an option that sbatch does not know,
 * or without its value. The script owns the words in both cases.
 */
int eqt_lsf_pbs_translate(struct eqt_script *script, struct eqt_error *err);

#endif
