/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * entry: a line of the journal of budgets. Each change of a budget is an entry. The
 * first lines of a file are the balances with which it begins.
 *
 * A line ends with a checksum of its text and of the previous line, so that a line that
 * is missing, repeated or changed is detected.
 */
#ifndef EQT_ENTRY_H
#define EQT_ENTRY_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "budget/budget.h"

/* The largest number of budgets on which one job can draw. */
#define EQT_ENTRY_PARTS 12
#define EQT_ENTRY_WHO 64
#define EQT_ENTRY_WHY 256
#define EQT_ENTRY_TEXT 4096 /* bytes for a line, its newline and a NUL */

enum eqt_entry_kind {
	/* The first line of a file. budget has the number of EQT_ENTRY_BUDGET lines,
	 * and job has the number of EQT_ENTRY_JOB lines. */
	EQT_ENTRY_BASE,
	/* The balance of a budget at the beginning of a file. */
	EQT_ENTRY_BUDGET,
	/* The transfers between a budget and another cluster at the beginning of a
	 * file. */
	EQT_ENTRY_PEER,
	EQT_ENTRY_JOB, /* the commitment of a job at the beginning of a file */
	EQT_ENTRY_GRANT,
	/* Move amount_u from budget to other. 0 means an account outside of the
	 * book. */
	EQT_ENTRY_TRANSFER,
	EQT_ENTRY_REFUND, /* a refund: give spent_u of the parts back */
	/* Close a budget, so that the rest lapses. amount_u is 1 if its owner needs no
	 * budget after that. */
	EQT_ENTRY_CLOSE,
	EQT_ENTRY_REFILL, /* a refill: add amount_u and remove lapse_u */
	/* Note that people were notified of amount_u percent. */
	EQT_ENTRY_NOTIFY,
	/* A transfer to another cluster: send amount_u of a budget to the other part of
	 * its grant. */
	EQT_ENTRY_SEND,
	/* A transfer from another cluster: receive amount_u. */
	EQT_ENTRY_RECEIVE,
	/* A confirmation that what was sent to another cluster has arrived. */
	EQT_ENTRY_ARRIVED,
	EQT_ENTRY_COMMIT, /* a commitment: commit taken_u of the parts */
	/* An array that starts: make a task of the array `other` the job `job`. */
	EQT_ENTRY_SPLIT,
	/* Reduce the commitment by taken_u of the parts, and add spent_u to what is
	 * spent. */
	EQT_ENTRY_SETTLE,
	EQT_ENTRY_KINDS
};

/* What an entry does to one budget. */
struct eqt_entry_part {
	uint64_t budget;
	/* Amount to commit or, at a settlement, amount that was committed. */
	uint64_t taken_u;
	uint64_t spent_u;
	/* Period of the budget when the amount was committed. */
	uint64_t period;
};

/* One entry. A plain value. Each kind uses only some members (entry.c); all other
 * members are 0. */
struct eqt_entry {
	enum eqt_entry_kind kind;
	/* Number of the entry, which is one more than that of the previous line. The
	 * first four kinds have the number of the last entry before the file. */
	uint64_t seq;
	uint64_t when;
	/* Id of an operator's request, so that no request counts twice. */
	uint64_t request;
	uint64_t budget;
	uint64_t other;
	uint64_t job;
	/* Number of waiting tasks of an array; 1 for another job. */
	uint64_t tasks;
	uint64_t until; /* time up to which the job is charged */
	/* Start of the job's run in slurmctld; 0 if it is not known. */
	uint64_t run;
	/* The part of the cost of this run that is settled. In a commitment, the cost
	 * of the run before it. */
	uint64_t settled_u;
	uint64_t amount_u;
	uint64_t lapse_u;
	uint64_t next;
	uint64_t overrun_u;
	uint64_t number; /* number of a transfer between clusters */
	/* The transfers of EQT_ENTRY_PEER. The steps of a transfer use only its
	 * cluster. */
	struct eqt_budget_peer peer;
	/* The balance of EQT_ENTRY_BUDGET. For a grant, this has the terms of
	 * the grant and, if the grant is joint, the first amount of this
	 * cluster's part. */
	struct eqt_budget state;
	struct eqt_entry_part part[EQT_ENTRY_PARTS];
	uint64_t parts;
	char who[EQT_ENTRY_WHO];
	char why[EQT_ENTRY_WHY];
};

/*
 * Write a line in two steps, because its number and its checksum are only known when it
 * is appended to the file. Both functions return the length of the text, or -1 if it
 * does not fit. EQT_ENTRY_TEXT bytes are always enough.
 *
 * eqt_entry_body() writes the text without a newline, and eqt_entry_seal() completes
 * the line. *crc is the checksum of the previous line, or 0 for the first line, and
 * becomes that of this line.
 */
int eqt_entry_body(const struct eqt_entry *entry, char *text, size_t space);
int eqt_entry_seal(uint64_t seq, uint32_t *crc, char *text, size_t length,
		   size_t space);

/*
 * Read a line, whose newline may be missing. *crc is the checksum of the previous line
 * and becomes that of this line. Return 0, or -1 with err filled and *crc unchanged.
 */
int eqt_entry_parse(struct eqt_entry *entry, uint32_t *crc, const char *line,
		    struct eqt_error *err);

/* Return the word for a kind, such as "grant" or "settle". */
const char *eqt_entry_word(enum eqt_entry_kind kind);

#endif
