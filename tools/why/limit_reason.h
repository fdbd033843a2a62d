/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limit_reason: the limits of a job, and the limit behind a reason such as
 * QOSMaxCpuPerUserLimit: its number, the amount in use, and the amount that the job
 * requests.
 */
#ifndef EQT_WHY_LIMIT_REASON_H
#define EQT_WHY_LIMIT_REASON_H

#include "slurm/live_cluster.h"

enum eqt_why_per {
	EQT_PER_ALL,
	EQT_PER_USER,
	EQT_PER_ACCOUNT,
	EQT_PER_JOB,
	EQT_PER_NODE
};

/* A limit and the amounts that count against it. A plain value. */
struct eqt_why_limit {
	char owner[192]; /* such as "QOS normal", "account physics" */
	char what[64]; /* such as "CPUs" */
	/* whose use is counted, if the limit is per user or account */
	char user[64];
	enum eqt_why_per per;
	bool minimum; /* the job must have at least "limit" */
	bool minutes; /* amounts are multiplied by time */
	/* counts running jobs only, rather than all past usage */
	bool running_only;
	bool counts_jobs;
	bool known; /* the user may see the number */
	bool qos; /* a limit of a QOS, not of an association */
	/* position of the limit's owner in Slurm's order of checks, from 0 */
	uint32_t source;
	/* Slurm's name for it, such as "GrpTRES"; NULL: not known */
	const char *key;
	char tres[64]; /* the limited TRES; "": the limit is not about a TRES */
	uint64_t limit, used, wants;
	/* minutes that running jobs may still use, not part of "used" */
	uint64_t reserved;
};

struct limit_name;

/* Called once for each limit. */
typedef void eqt_why_limit_visit(const struct eqt_why_limit *limit,
				 const struct limit_name *name, void *with);

/* Visit each limit that is set for a job: those of its partition's QOS, of its own QOS,
 * and of its associations. A limit that a QOS sets overrides the same limit of an
 * association; "source" tells the order. */
void eqt_limit_reason_each(const struct eqt_live_cluster *cluster,
			   const struct eqt_live_job *job,
			   eqt_why_limit_visit *visit, void *with);

/* Does the job exceed the limit? "safe" tells whether AccountingStorageEnforce has that
 * word. The minutes that running jobs reserve, and the minutes of the job itself, then
 * count as well. */
bool eqt_limit_reason_exceeded(const struct eqt_why_limit *limit, bool safe);

/* Find the limit that the job's reason names. Returns false if the reason names none. */
bool eqt_limit_reason_find(struct eqt_why_limit *out,
			   const struct eqt_live_cluster *cluster,
			   const struct eqt_live_job *job);

/* Write a text such as "QOS normal allows 40 CPUs a user; ada has 32, this job wants
 * 16". */
void eqt_limit_reason_words(char *buf, size_t size,
			    const struct eqt_why_limit *limit);

/* Write advice for the user. */
void eqt_limit_reason_advice(char *buf, size_t size,
			     const struct eqt_why_limit *limit);

#endif
