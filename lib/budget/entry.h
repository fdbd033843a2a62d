/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * entry: a line of the journal of budgets. Every change of a budget is one; the
 * first lines of a file are the balances that it begins with.
 *
 * A line ends with a checksum of its text and of the line before it, so that a
 * line that is missing, repeated or changed is found.
 */
#ifndef EQT_ENTRY_H
#define EQT_ENTRY_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "budget/budget.h"

#define EQT_ENTRY_PARTS 12 /* budgets that one job can draw on */
#define EQT_ENTRY_WHO 64
#define EQT_ENTRY_WHY 256
#define EQT_ENTRY_TEXT 4096 /* a line, newline and NUL included */

enum eqt_entry_kind {
	EQT_ENTRY_BASE, /* first line of a file: budget has the number of
			   EQT_ENTRY_BUDGET lines, job that of EQT_ENTRY_JOB */
	EQT_ENTRY_BUDGET, /* a balance at the beginning of a file */
	EQT_ENTRY_PEER, /* transfers to and from another cluster, of a budget at
			   the beginning of a file */
	EQT_ENTRY_JOB, /* a job at the beginning of a file */
	EQT_ENTRY_GRANT,
	EQT_ENTRY_TRANSFER, /* amount_u from budget to other; 0: from or to
			       outside */
	EQT_ENTRY_REFUND, /* spent_u of the parts is given back */
	EQT_ENTRY_CLOSE, /* what is left lapses; amount_u 1: lifted */
	EQT_ENTRY_REFILL, /* amount_u is added, lapse_u is taken away */
	EQT_ENTRY_NOTIFY, /* amount_u percent were notified */
	EQT_ENTRY_SEND, /* amount_u of a budget goes to the part of its grant on
			   the peer's cluster */
	EQT_ENTRY_RECEIVE, /* amount_u comes from there */
	EQT_ENTRY_ARRIVED, /* what was sent there is known to be received */
	EQT_ENTRY_COMMIT, /* the parts' taken_u is committed */
	EQT_ENTRY_SPLIT, /* a task of the array other becomes job */
	EQT_ENTRY_SETTLE, /* taken_u is no longer committed; spent_u is spent */
	EQT_ENTRY_KINDS
};

/* What an entry does to one budget. */
struct eqt_entry_part {
	uint64_t budget;
	uint64_t taken_u; /* committed or, at a settlement, committed before */
	uint64_t spent_u;
	uint64_t period; /* of the budget when it was committed */
};

/* A plain value. A kind uses only some members (entry.c); the rest is 0. */
struct eqt_entry {
	enum eqt_entry_kind kind;
	uint64_t seq; /* one more than the line before; the first four kinds
			 have the number of the last entry before the file */
	uint64_t when;
	uint64_t request; /* id of an operator's request, so that none counts
			     twice */
	uint64_t budget;
	uint64_t other;
	uint64_t job;
	uint64_t tasks; /* of an array that wait; 1 for a job */
	uint64_t until; /* the job is charged up to this time */
	uint64_t
		run; /* the start of its run, as slurmctld has it; 0: not known */
	uint64_t settled_u; /* the settled part of the cost of that run; in a
			      commitment the cost of the run before its grant */
	uint64_t amount_u;
	uint64_t lapse_u;
	uint64_t next;
	uint64_t overrun_u;
	uint64_t number; /* of a transfer between clusters */
	struct eqt_budget_peer peer; /* of EQT_ENTRY_PEER; the steps of a
					transfer use its cluster */
	struct eqt_budget
		state; /* of EQT_ENTRY_BUDGET; of a grant its terms, and
				    the amount that a joint one begins with */
	struct eqt_entry_part part[EQT_ENTRY_PARTS];
	uint64_t parts;
	char who[EQT_ENTRY_WHO];
	char why[EQT_ENTRY_WHY];
};

/*
 * A line is written in two steps, since its number and its checksum are known only
 * when it goes to the file. Both functions return the length of the text, or -1 if
 * the space is too small; EQT_ENTRY_TEXT is always enough.
 *
 * The body has no newline; eqt_entry_seal() adds one. *crc is the checksum of the
 * previous line (0: none), and becomes that of this line.
 */
int eqt_entry_body(const struct eqt_entry *entry, char *text, size_t space);
int eqt_entry_seal(uint64_t seq, uint32_t *crc, char *text, size_t length,
		   size_t space);

/*
 * Read a line, whose newline may be missing. *crc as above; unchanged on failure.
 * Returns 0, or -1 with err filled.
 */
int eqt_entry_parse(struct eqt_entry *entry, uint32_t *crc, const char *line,
		    struct eqt_error *err);

/* "grant", "settle". */
const char *eqt_entry_word(enum eqt_entry_kind kind);

#endif
