/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command: runs one of Slurm's commands without a shell. */
#ifndef EQT_SLURM_COMMAND_H
#define EQT_SLURM_COMMAND_H

#include "slurm/text/listing.h"
#include "base/error.h"

/*
 * Run a command and wait for its end; NULL follows the last word. The command's stdout
 * goes to *out, whose name is "name" (borrowed). stderr is that of the caller. The
 * command inherits open files, so a lock of the caller is held until the command ends,
 * even if the caller dies. Returns 0, or -1 with err filled if the command cannot be run
 * or failed.
 */
int eqt_command_run(struct eqt_listing *out, const char *name,
		    const char *const *words, struct eqt_error *err);

/* Like eqt_command_run(), for a command whose failure is no error. Its stderr is
 * discarded. Returns 0, or -1 if it failed. */
int eqt_command_try(struct eqt_listing *out, const char *name,
		    const char *const *words);

/* Like eqt_command_run(), for a command whose stdout and stderr together are the answer,
 * even if it fails. Returns 0, or -1 with err filled if the command cannot be run. */
int eqt_command_answer(struct eqt_listing *out, const char *name,
		       const char *const *words, struct eqt_error *err);

/* Ask slurmctld with a test submission that has this comment and makes no job. Returns
 * the answer of the plugin, or of sbatch if slurmctld has no plugin; the caller frees it
 * with free(). Returns NULL with err filled if sbatch cannot be run. */
char *eqt_command_ask(const char *comment, struct eqt_error *err);

#endif
