/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wait: everything that keeps a job from starting, in numbers and in words. */
#ifndef EQT_WHY_WAIT_H
#define EQT_WHY_WAIT_H

#include "slurm/text/duration.h"
#include "slurm/live_cluster.h"
#include "why/limit_reason.h"
#include "why/node_fit.h"

#define EQT_WAIT_WORDS 768
#define EQT_WAIT_TIME EQT_DURATION_WORDS

/* Jobs of the same partitions with a higher priority. */
struct eqt_why_ahead {
	size_t jobs, pending;
	double hours; /* equivalent-hours of those ahead, to their time limits */
	size_t unlimited; /* ahead, without a time limit: not in hours */
};

/* A plain value; it borrows what it points to. */
struct eqt_why_wait {
	const struct eqt_live_cluster *cluster;
	const struct eqt_live_job *job;
	const struct eqt_scontrol_record
		*partition; /* the first of it, or NULL */
	struct eqt_why_nodes nodes;
	struct eqt_why_limit limit;
	bool limited; /* the reason is a limit */
	struct eqt_why_ahead ahead;
	char words[EQT_WAIT_WORDS]; /* the reason */
	char advice[EQT_WAIT_WORDS]; /* what the user can do */
	char depends[EQT_WAIT_WORDS]; /* "": on nothing */
	char reserved[EQT_WAIT_WORDS]; /* reservation in its way, or "" */
};

/* Fill it. exclude is --exclude, or NULL; scale the billing units of one
 * equivalent. 0, or -1: out of memory. */
int eqt_why_wait_make(struct eqt_why_wait *out,
		      const struct eqt_live_cluster *cluster,
		      const struct eqt_live_job *job, const char *exclude,
		      uint64_t scale);

/* Fill it from the job on, where cluster, job, nodes and ahead are filled: for
 * callers that count nodes and jobs ahead for many jobs at a time. */
void eqt_why_wait_words(struct eqt_why_wait *out);

/* Could a job start if only its priority decided? Not if it is held, or waits for
 * another job or a time. */
bool eqt_why_wait_is_eligible(const struct eqt_live_job *job, int64_t now_s);

/* Do two lists of partitions have one in common? */
bool eqt_why_wait_meet(const char *a, const char *b);

/* The words and the advice of Slurm's reason; eqt_why_wait_make() calls it last. */
void eqt_why_reason_make(struct eqt_why_wait *wait);

/* "15:54", or "2026-11-23 15:54" on another day, and how far away it is. */
char *eqt_why_time_words(char buf[EQT_WAIT_TIME], int64_t at_s, int64_t now_s);

#endif
