/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EQT_SBATCH_IGNORED_H
#define EQT_SBATCH_IGNORED_H

#include <argp.h>

/* Options of sbatch (22.05 to 24.11) and of the SPANK plugin that do not change
 * a price: accepted and ignored. */
extern const struct argp eqt_sbatch_ignored;

#endif
