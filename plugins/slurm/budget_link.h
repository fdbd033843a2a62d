/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget_link: the calls that priority/equitree offers to job_submit/equitree in the
 * same slurmctld. job_submit finds the symbol eqt_budget_link at run time; neither
 * plugin includes the other's folder.
 */
#ifndef EQT_BUDGET_LINK_H
#define EQT_BUDGET_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "budget/book_plan.h"

#define EQT_BUDGET_LINK_VERSION 8
#define EQT_BUDGET_LINK_SYMBOL "eqt_budget_link"

/* A submission whose comment begins with this text is a request to the budgets,
 * not a job. */
#define EQT_BUDGET_COMMENT "equitree budget: "

/* The setting under which a job may run beyond its time limit for ever, so that
 * no commitment can cover its charge. */
#define EQT_BUDGET_ENDLESS "OverTimeLimit=UNLIMITED"

/* The user that makes a request. */
struct eqt_budget_caller {
	uid_t uid;
	/* May the user change budgets? Slurm walks over all users to find out, so this is not
	   called for a list. */
	bool (*operates)(uid_t uid);
	/* Of the given budgets, set the member seen of each that the caller may
	   see as a user of its account. Returns how many budgets were looked
	   at, at least one; the rest is left to another request. Takes
	   assoc_mgr's lock of associations. */
	size_t (*sees)(const struct eqt_budget_caller *caller,
		       const struct eqt_budget *budgets, size_t count,
		       bool *seen);
};

/* A submission, with the most that each of its tasks may be charged. */
struct eqt_budget_applicant {
	uint32_t uid;
	const char *account;
	const char *partition; /* NULL if the partition is not known. */
	const char *qos;
	uint32_t job; /* The job that is changed; 0 for a submission. */
	uint64_t need_u; /* UINT64_MAX if the job has no time limit. */
	/* The partition of the job that has EQT_BUDGET_ENDLESS, or NULL if none
	   has. */
	const char *endless;
	/* The need under --time-min; without that option it equals need_u. */
	uint64_t least_u;
	uint64_t tasks; /* The number of tasks of an array; 1 for other jobs. */
	bool gpus;
};

/* The answer for the first task of a submission. Later tasks may wait for
 * money. */
struct eqt_budget_verdict {
	enum eqt_book_answer answer;
	enum eqt_budget_way way; /* Why the task does not fit. */
	char bonus[EQT_BUDGET_NAME];
	/* The message to the user; an empty string if there is none. */
	struct eqt_error text;
};

struct eqt_budget_link {
	uint32_t version;
	/* Has the site defined any budget? */
	bool (*active)(void);
	/* Announce how many tasks the submission has that this thread is
	   handling. */
	void (*announce)(uint64_t tasks);
	/* Report that a job is about to be changed. The job lock is held until
	   the change is made. */
	void (*changed)(uint32_t job);
	/* Report that an operator or the job's user is about to hold a job. The
	   job lock is held until the job is held. */
	void (*held)(uint32_t job, bool by_user);
	/* Decide whether a submission fits into the budgets. The function takes
	   locks of assoc_mgr for a short time. */
	void (*judge)(struct eqt_budget_verdict *verdict,
		      const struct eqt_budget_applicant *applicant);
	/* Carry out a request, or start to. `text` is the comment without its
	   prefix. Returns the answer, which the caller frees with free(), or
	   NULL if memory is short. */
	char *(*request)(const char *text,
			 const struct eqt_budget_caller *caller);
};

#endif
