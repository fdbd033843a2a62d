/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stock_run: one of Slurm's commands with words that no shell gets to see. */
#ifndef EQT_SLURM_COMMAND_H
#define EQT_SLURM_COMMAND_H

#include "slurm/source.h"

/*
 * Run the command of these words (NULL after the last) and wait for it. What it
 * prints goes to *out, named name (borrowed); its stderr is ours. It inherits
 * what files are open: a lock that is held stays held until the command is
 * over, even if we die. 0, or -1 with err filled: it cannot be run, it fails.
 */
int eqt_command_run(struct eqt_source *out, const char *name,
		    const char *const *words, struct eqt_error *err);

/* The same for a command that may well fail: it has no stderr. */
int eqt_command_try(struct eqt_source *out, const char *name,
		    const char *const *words);

#endif
