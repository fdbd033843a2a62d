/* SPDX-License-Identifier: GPL-2.0-or-later */
/* print: a plan as equitree.conf, or as JSON. */
#ifndef EQT_INIT_PRINT_H
#define EQT_INIT_PRINT_H

#include <stdio.h>

#include "init/plan.h"

/* Write the file, with comments; slurm is the path of the slurm.conf. */
void eqt_init_print(FILE *to, const struct eqt_init_plan *plan,
		    const char *slurm);

/* Print the same for programs on stdout. */
void eqt_init_print_json(const struct eqt_init_plan *plan);

#endif
