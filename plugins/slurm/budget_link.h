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

#include "budget/book.h"

#define EQT_BUDGET_LINK_VERSION 8
#define EQT_BUDGET_LINK_SYMBOL "eqt_budget_link"

/* A submission is a request to budgets if its comment begins like this. */
#define EQT_BUDGET_COMMENT "equitree budget: "

/* The setting with which no commitment covers a job. */
#define EQT_BUDGET_ENDLESS "OverTimeLimit=UNLIMITED"

/* The user that makes a request. */
struct eqt_budget_caller {
	uid_t uid;
	/* May the user change budgets? Slurm walks over all users to find out, so this is not
	   called for a list. */
	bool (*operates)(uid_t uid);
	/* Set seen of each of so many budgets that the caller may see as a user of its account.
	   Returns how many were looked at, at least one: the rest is left to another request.
	   Takes assoc_mgr's lock of associations. */
	size_t (*sees)(const struct eqt_budget_caller *caller,
		       const struct eqt_budget *budgets, size_t count,
		       bool *seen);
};

/* A submission, with the most that each of its tasks may be charged. */
struct eqt_budget_applicant {
	uint32_t uid;
	const char *account;
	const char *partition; /* NULL: not known */
	const char *qos;
	uint32_t job; /* the job that is changed; 0: a submission */
	uint64_t need_u; /* UINT64_MAX: it has no end */
	/* Its partition with EQT_BUDGET_ENDLESS; or NULL */
	const char *endless;
	uint64_t least_u; /* the need for --time-min; without it need_u */
	uint64_t tasks; /* of an array; else 1 */
	bool gpus;
};

/* The answer for the first task of a submission; the others may wait. */
struct eqt_budget_verdict {
	enum eqt_book_answer answer;
	enum eqt_budget_way way; /* when it does not fit */
	char bonus[EQT_BUDGET_NAME];
	struct eqt_error text; /* to the user; "": nothing */
};

struct eqt_budget_link {
	uint32_t version;
	/* Is there any budget? */
	bool (*active)(void);
	/* Set the number of tasks of the submission that this thread handles. */
	void (*announce)(uint64_t tasks);
	/* A job is about to be changed; its record is locked until it is. */
	void (*changed)(uint32_t job);
	/* A job is about to be held, by an operator or by its user; its record is
	   locked until it is. */
	void (*held)(uint32_t job, bool by_user);
	/* Does a submission fit? Takes locks of assoc_mgr for a short time. */
	void (*judge)(struct eqt_budget_verdict *verdict,
		      const struct eqt_budget_applicant *applicant);
	/* Carry out a request, or begin to; text is the comment without its
	   prefix. Returns the answer, to be freed with free(); NULL: out of
	   memory. */
	char *(*request)(const char *text,
			 const struct eqt_budget_caller *caller);
};

#endif
