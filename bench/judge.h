/* SPDX-License-Identifier: GPL-2.0-or-later */
/* judge: what a submission costs more because there are budgets. */
#ifndef EQT_BENCH_JUDGE_H
#define EQT_BENCH_JUDGE_H

#include "crowd.h"

/* Medians, in nanoseconds of a call's processor time, of users at random. */
struct judge_times {
	double call; /* of the hook, as job_submit calls it */
	double first; /* of the same, the first one of an account in two seconds */
	double lookup; /* of an association, by Slurm */
};

/* Judge submissions of that crowd; our plugin is loaded and has budgets. */
struct judge_times judge_measure(const struct crowd *crowd);

#endif
