/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submission: one batch job after the other for a real slurmctld, of the users u1,
 * u2, ... in the accounts a1, a2, ..., as bench/site.sh makes them.
 */
#ifndef EQT_BENCH_SUBMISSION_H
#define EQT_BENCH_SUBMISSION_H

#include <stdbool.h>
#include <stdint.h>

struct submission_crowd {
	uint32_t users, accounts;
};

/* What slurmctld answered. */
struct submission_answer {
	uint32_t job_id;
	bool has_message; /* for the user, from a submission plugin */
};

/*
 * Submit the turn-th job through libslurm, as root in the name of its user, and
 * wait for the answer. False, and errno says why, if there was none. Many threads
 * may submit.
 */
bool submission_send(const struct submission_crowd *crowd, unsigned int turn,
		     struct submission_answer *out);

/*
 * The same by a process of its own, sbatch, run as the user with its output thrown
 * away. False if that did not end well.
 */
bool submission_sbatch(const struct submission_crowd *crowd, unsigned int turn);

#endif
