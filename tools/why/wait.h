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

/* When an obstacle ends; what ends later is greater. */
enum eqt_why_end {
	EQT_END_QUEUE, /* when jobs before it have started */
	EQT_END_KNOWN, /* at a time, at the latest */
	EQT_END_OPEN, /* at a time that nobody knows */
	EQT_END_ACT, /* when a user or an operator changes something */
	EQT_END_NEVER /* not for this request */
};

/* A plain value. */
struct eqt_why_obstacle {
	const char *kind; /* "limit": the word in JSON */
	char words[EQT_OBSTACLE_WORDS];
	char advice[EQT_OBSTACLE_WORDS]; /* of a limit; "": none of its own */
	enum eqt_why_end end;
	int64_t at_s; /* of EQT_END_KNOWN */
	bool exact; /* it ends then, not at the latest then */
};

/* Sorted: the one that ends last is first. A plain value. */
struct eqt_why_obstacles {
	size_t count;
	struct eqt_why_obstacle at[EQT_OBSTACLES_MAX];
};

/* ---- The job --------------------------------------------------------------- */

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
	bool limits_enforced, safe; /* AccountingStorageEnforce has the word */
	struct eqt_why_obstacles
		obstacles; /* present ones; {0} in reports of many jobs */
	char words[EQT_WAIT_WORDS]; /* the reason */
	char advice[EQT_WAIT_WORDS]; /* what the user can do */
	char depends[EQT_WAIT_WORDS]; /* "": on nothing */
	char reserved[EQT_WAIT_WORDS]; /* reservation in its way, or "" */
};

/* Fill it. enforce is AccountingStorageEnforce, "" if it is not known; exclude is
 * --exclude, or NULL; scale the billing units of one equivalent. */
void eqt_why_wait_make(struct eqt_why_wait *out,
		       const struct eqt_live_cluster *cluster,
		       const struct eqt_live_job *job, const char *enforce,
		       const char *exclude, uint64_t scale);

/* Fill it from the job on, where cluster, job, nodes and ahead are filled: for
 * callers that count nodes and jobs ahead for many jobs at a time. */
void eqt_why_wait_words(struct eqt_why_wait *out);

/* Could a job start if only its priority decided? Not if it is held, or waits for
 * another job or a time. */
bool eqt_why_wait_is_eligible(const struct eqt_live_job *job, int64_t now_s);

/* "1 h 0 min", the time limit of a job. squeue does not print limits above a year. */
const char *eqt_obstacles_limit_time(char buf[EQT_WAIT_TIME],
				     const struct eqt_live_job *job);

/* "15:54", or "2026-11-23 15:54" on another day, and how far away it is. */
char *eqt_obstacles_time_words(char buf[EQT_WAIT_TIME], int64_t at_s,
			       int64_t now_s);

/* Find the obstacles of a job from its nodes, its place and the limits. */
void eqt_obstacles_find(struct eqt_why_obstacles *out,
			const struct eqt_why_wait *wait);

/* An obstacle and its end: "WORDS; until 15:14 (in 28 min) at the latest". Returns buf. */
#define EQT_OBSTACLE_TEXT (EQT_OBSTACLE_WORDS + 160)
char *eqt_obstacles_text(char buf[EQT_OBSTACLE_TEXT],
			 const struct eqt_why_obstacle *obstacle,
			 int64_t now_s);

/* The word of an end in JSON; never freed. */
const char *eqt_obstacles_end_word(enum eqt_why_end end);

/* Does a partition keep the job's account out? And the words for it: from 23.02 on Slurm
 * has no reason for that, and squeue prints None. */
bool eqt_obstacles_account_is_kept_out(const struct eqt_why_wait *wait);
void eqt_obstacles_account_words(char *buf, size_t size,
				 const struct eqt_why_wait *wait);

#endif
