/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget_link: what priority/equitree offers job_submit/equitree in the same
 * slurmctld. The symbol eqt_budget_link of the one is found by the other at run time;
 * no plugin includes the other's folder.
 */
#ifndef EQT_BUDGET_LINK_H
#define EQT_BUDGET_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "budget/book.h"

#define EQT_BUDGET_LINK_VERSION 2
#define EQT_BUDGET_LINK_SYMBOL "eqt_budget_link"

/* The begin of the comment of a submission that is a request. */
#define EQT_BUDGET_COMMENT "equitree budget: "

/* Who asks. */
struct eqt_budget_caller {
	uid_t uid;
	bool operator; /* may change budgets, and sees all */
	/* May the caller see the budgets of that account and user? */
	bool (*sees)(const struct eqt_budget_caller *caller,
		     const struct eqt_budget_terms *terms);
};

/* A submission: what each of its tasks may be charged at most. */
struct eqt_budget_applicant {
	uint32_t uid;
	const char *account;
	const char *partition; /* NULL: not known */
	const char *qos;
	uint64_t need_u; /* UINT64_MAX: it has no time limit */
	uint64_t tasks; /* of an array; else 1 */
	bool gpus;
};

/* How a submission stands: its first task, since the others may wait. */
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
	/* The submission of this thread has so many tasks. */
	void (*announce)(uint64_t tasks);
	/* Does it fit? Takes locks of assoc_mgr for a moment. */
	void (*judge)(struct eqt_budget_verdict *verdict,
		      const struct eqt_budget_applicant *applicant);
	/* Carry out a request, or begin to: the comment's text behind its begin.
	   Returns the answer, for free(); NULL: out of memory. */
	char *(*request)(const char *text,
			 const struct eqt_budget_caller *caller);
};

#endif
