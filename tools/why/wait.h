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

/* ---- Obstacles: tested against numbers, whatever reason Slurm gives ---------- */

#define EQT_OBSTACLES_MAX 24
#define EQT_OBSTACLE_WORDS 400

/* When an obstacle ends. Of two obstacles, the one that ends later has the larger
 * value. */
enum eqt_why_end {
	EQT_END_QUEUE, /* when jobs before this one have started */
	EQT_END_KNOWN, /* at a known time, at the latest */
	EQT_END_OPEN, /* at a time that is not known */
	EQT_END_ACT, /* when a user or an operator changes something */
	EQT_END_NEVER /* never, with this request */
};

/* One obstacle. A plain value. */
struct eqt_why_obstacle {
	/* the word for the obstacle in JSON, such as "limit" */
	const char *kind;
	char words[EQT_OBSTACLE_WORDS];
	/* advice about a limit; "": no advice of its own */
	char advice[EQT_OBSTACLE_WORDS];
	enum eqt_why_end end;
	int64_t at_s; /* the time of EQT_END_KNOWN */
	bool exact; /* ends exactly at at_s, rather than at the latest */
};

/* Obstacles, sorted so that the one that ends last comes first. A plain value. */
struct eqt_why_obstacles {
	size_t count;
	struct eqt_why_obstacle at[EQT_OBSTACLES_MAX];
};

/* ---- The job --------------------------------------------------------------- */

/* Jobs in the same partitions that have a higher priority. */
struct eqt_why_ahead {
	size_t jobs, pending;
	/* equivalent-hours of these jobs, up to their time limits */
	double hours;
	/* jobs without a time limit, which "hours" leaves out */
	size_t unlimited;
};

/* What a job waits for. A plain value; pointers are borrowed. */
struct eqt_why_wait {
	const struct eqt_live_cluster *cluster;
	const struct eqt_live_job *job;
	const struct eqt_scontrol_record
		*partition; /* first partition of the job, or NULL */
	struct eqt_why_nodes nodes;
	struct eqt_why_limit limit;
	bool limited; /* the reason is a limit */
	struct eqt_why_ahead ahead;
	/* AccountingStorageEnforce has "limits", "safe" */
	bool limits_enforced, safe;
	/* present obstacles; {0} in reports about many jobs */
	struct eqt_why_obstacles obstacles;
	char words[EQT_WAIT_WORDS]; /* the reason in words */
	char advice[EQT_WAIT_WORDS]; /* what the user can do */
	/* dependencies in words; "": there are none */
	char depends[EQT_WAIT_WORDS];
	/* the reservation that blocks the job, or "" */
	char reserved[EQT_WAIT_WORDS];
};

/* Fill *out for a job. "enforce" is AccountingStorageEnforce, or "" if it is not known.
 * "exclude" is --exclude of the job, or NULL. "scale" is the number of billing units per
 * equivalent. */
void eqt_why_wait_make(struct eqt_why_wait *out,
		       const struct eqt_live_cluster *cluster,
		       const struct eqt_live_job *job, const char *enforce,
		       const char *exclude, uint64_t scale);

/* Fill the members of *out that follow ahead. The caller has filled cluster, job, nodes
 * and ahead, because it counts nodes and jobs for many jobs at a time. */
void eqt_why_wait_words(struct eqt_why_wait *out);

/* Could a job start if only its priority mattered? Not if it is held, or waits for
 * another job or for a time. */
bool eqt_why_wait_is_eligible(const struct eqt_live_job *job, int64_t now_s);

/* The time limit of a job in words, such as "1 h 0 min", or "no limit". squeue does not
 * print limits above a year. */
const char *eqt_obstacles_limit_time(char buf[EQT_WAIT_TIME],
				     const struct eqt_live_job *job);

/* Write a time as "15:54", or as "2026-11-23 15:54" on another day, and how far away it
 * is. Returns buf. */
char *eqt_obstacles_time_words(char buf[EQT_WAIT_TIME], int64_t at_s,
			       int64_t now_s);

/* Find the obstacles of a job from its nodes, its place in the queue and its limits. */
void eqt_obstacles_find(struct eqt_why_obstacles *out,
			const struct eqt_why_wait *wait);

/* Write an obstacle and its end, such as "WORDS; until 15:14 (in 28 min) at the latest".
 * Returns buf. */
#define EQT_OBSTACLE_TEXT (EQT_OBSTACLE_WORDS + 160)
char *eqt_obstacles_text(char buf[EQT_OBSTACLE_TEXT],
			 const struct eqt_why_obstacle *obstacle,
			 int64_t now_s);

/* The word for an end in JSON, as static text. */
const char *eqt_obstacles_end_word(enum eqt_why_end end);

/* Does a partition exclude the job's account? The second function writes that in words.
 * Since 23.02 Slurm has no reason for this case, and squeue prints None. */
bool eqt_obstacles_account_is_kept_out(const struct eqt_why_wait *wait);
void eqt_obstacles_account_words(char *buf, size_t size,
				 const struct eqt_why_wait *wait);

#endif
