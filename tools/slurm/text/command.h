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

/* The same for a command that is expected to fail at times: without stderr. */
int eqt_command_try(struct eqt_listing *out, const char *name,
		    const char *const *words);

/* The same for a command whose answer is what it prints, errors as well, whether it
 * fails or not. 0, or -1 with err filled: it cannot be run. */
int eqt_command_answer(struct eqt_listing *out, const char *name,
		       const char *const *words, struct eqt_error *err);

/* Submit a job with this comment, which becomes no job. Returns the lines of the answer
 * without sbatch's prefix, for free(), whoever gave it; NULL with err filled. */
char *eqt_command_ask(const char *comment, struct eqt_error *err);

#endif
