/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lsf_pbs: options of LSF and PBS in a batch script, which sbatch translates.
 */
#ifndef EQT_SBATCH_LSF_PBS_H
#define EQT_SBATCH_LSF_PBS_H

#include "sbatch/script.h"

/*
 * Translate script->lsf or, if that is empty, script->pbs. The result, script->foreign,
 * has options of sbatch with the same effect, as far as they change a price. The script
 * owns these words, even after an error. Returns 0, or -1 with err filled ("FILE:LINE:
 * why") if sbatch does not know an option or if an option lacks its value.
 */
int eqt_lsf_pbs_translate(struct eqt_script *script, struct eqt_error *err);

#endif
