/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command: runs one of Slurm's commands without a shell. */
#ifndef EQT_SLURM_COMMAND_H
#define EQT_SLURM_COMMAND_H

#include "slurm/text/listing.h"
#include "base/error.h"

/*
 * Run a command (NULL after the last word) and wait for it. Its output goes to
 * *out, which is called name (borrowed); it shares stderr. It inherits open
 * files, so a lock is held until the command ends, even if this process dies.
 * 0, or -1 with err filled: it cannot be run, or it failed.
 */
int eqt_command_run(struct eqt_listing *out, const char *name,
		    const char *const *words, struct eqt_error *err);

/* The same for a command whose failure is no error: without its stderr. 0, or -1. */
int eqt_command_try(struct eqt_listing *out, const char *name,
		    const char *const *words);

/* The same for a command whose stdout and stderr together are the answer, whether it fails
 * or not. 0, or -1 with err filled: it cannot be run. */
int eqt_command_answer(struct eqt_listing *out, const char *name,
		       const char *const *words, struct eqt_error *err);

/* Ask slurmctld by a test submission with this comment, which makes no job. Returns the
 * answer of the plugin, or of sbatch without the plugin, for free(); NULL with err filled:
 * sbatch cannot be run. */
char *eqt_command_ask(const char *comment, struct eqt_error *err);

#endif
