/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * squeue: running and pending jobs, from what EQT_SQUEUE_COMMAND prints.
 *
 * Only the reason may hold text from a user, and the job's id is on both sides
 * of it: a '|' in it is harmless, and a line end cannot start the line of
 * another job. Output of "scontrol show job" cannot be read safely: a job may
 * be named "x\nJobId=1 ...".
 */
#ifndef EQT_SLURM_SQUEUE_H
#define EQT_SLURM_SQUEUE_H

#include <stdbool.h>

#include "price/canonical_unit.h"
#include "slurm/scontrol/records.h"

/* A width of 0 prints the whole value; '|' follows it. */
#define EQT_SQUEUE_FORMAT                                              \
	"JobID:|,UserName:|,Account:|,Partition:|,State:|,NumNodes:|," \
	"PriorityLong:|,tres-alloc:|,Reason:|,JobID:0"
#define EQT_SQUEUE_COMMAND \
	"squeue -a --local -t PD,R --noconvert -O '" EQT_SQUEUE_FORMAT "'"

/* A job; strings are borrowed from the text. */
struct eqt_squeue_job {
	const char *id, *user, *account;
	struct eqt_scontrol_value partition; /* "a,b" while it is pending */
	bool running;
	bool pending; /* could start: not held, not dependent, ... */
	bool waits_else; /* pending for a reason other than resources */
	uint64_t priority;
	uint64_t nodes; /* at least 1 */
	uint64_t billing;
	struct eqt_unit_amounts total; /* over all its nodes */
	struct eqt_scontrol_value model; /* "p100"; no text: any GPU */
};

/* Owned; {0} is empty. */
struct eqt_squeue {
	struct eqt_listing text;
	size_t count;
	struct eqt_squeue_job *jobs; /* only running and pending jobs */
	const char
		*disk; /* borrowed; the TRES that local disk is; NULL: none */
};

/*
 * Read a file (NULL: run squeue). disk: the TRES that local disk is, "gres/jobfs", borrowed;
 * NULL: none. 0, or -1 with err filled ("FILE: line N:
 * why"): what eqt_listing_read() refuses, other columns, a line whose two ids
 * differ, two lines with one id, an invalid amount.
 */
int eqt_squeue_read(struct eqt_squeue *out, const char *path, const char *disk,
		    struct eqt_error *err);

/* Free what *queue owns; it is empty then. */
void eqt_squeue_free(struct eqt_squeue *queue);

#endif
