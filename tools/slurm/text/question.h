/* SPDX-License-Identifier: GPL-2.0-or-later */
/* question: asks equitree's plugins in slurmctld, by a submission that they refuse. */
#ifndef EQT_SLURM_QUESTION_H
#define EQT_SLURM_QUESTION_H

#include "base/error.h"

/* Submit a job with this comment, which becomes no job. Returns the lines of the answer
 * without sbatch's prefix, for free(), whoever gave it; NULL with err filled. */
char *eqt_question_ask(const char *comment, struct eqt_error *err);

#endif
