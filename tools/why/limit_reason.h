/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limit_reason: the limits of a job, and the one behind a reason such as
 * QOSMaxCpuPerUserLimit: its number, the amount that counts toward it, and the amount
 * of the job.
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

/* A plain value. */
struct eqt_why_limit {
	char owner[192]; /* "QOS normal", "account physics" */
	char what[64]; /* "CPUs" */
	char user[64]; /* whose use it is, if per user or per account */
	enum eqt_why_per per;
	bool minimum; /* the job must have at least limit */
	bool minutes; /* amounts are over time */
	bool running_only; /* of running jobs, rather than of all time */
	bool counts_jobs;
	bool known; /* Slurm shows the number */
	bool qos; /* of a QOS, not of an association */
	uint32_t source; /* 0: of the QOS that Slurm asks first, and so on */
	const char *key; /* as Slurm names it, "GrpTRES"; NULL: not known */
	char tres[64]; /* "" where the limit counts none */
	uint64_t limit, used, wants;
	uint64_t reserved; /* by running jobs up to their ends, beside used */
};

struct limit_name;

/* A function that sees limits, one at a time. */
typedef void eqt_why_limit_visit(const struct eqt_why_limit *limit,
				 const struct limit_name *name, void *with);

/* Visit each limit that is set for a job: of its partition's QOS, of its own, and of its
 * associations. What a QOS limits, associations do not: source tells them apart. */
void eqt_limit_reason_each(const struct eqt_live_cluster *cluster,
			   const struct eqt_live_job *job,
			   eqt_why_limit_visit *visit, void *with);

/* Does the job exceed the limit? safe: AccountingStorageEnforce has that word, so minutes
 * that running jobs reserve and those of the job count as well. */
bool eqt_limit_reason_exceeded(const struct eqt_why_limit *limit, bool safe);

/* The limit that the job's reason names. False: the reason names none. */
bool eqt_limit_reason_find(struct eqt_why_limit *out,
			   const struct eqt_live_cluster *cluster,
			   const struct eqt_live_job *job);

/* "QOS normal allows 40 CPUs a user; ada has 32, this job wants 16". */
void eqt_limit_reason_words(char *buf, size_t size,
			    const struct eqt_why_limit *limit);

/* Advice for the user. */
void eqt_limit_reason_advice(char *buf, size_t size,
			     const struct eqt_why_limit *limit);

#endif
