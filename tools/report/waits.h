/* SPDX-License-Identifier: GPL-2.0-or-later */
/* waits: how long jobs waited that started in some days, from the moment at which they
 * could run (eligible) to their start; what all jobs used in these days, beside what they
 * asked for; and how those ended that ended then. */
#ifndef EQT_REPORT_WAITS_H
#define EQT_REPORT_WAITS_H

#include "cli/names.h"
#include "base/error.h"

/* What the waits are grouped by. */
enum eqt_waits_by {
	EQT_WAITS_ALL,
	EQT_WAITS_PARTITION,
	EQT_WAITS_SIZE,
	EQT_WAITS_DAY,
	EQT_WAITS_ACCOUNT, /* not that of accounts below */
	EQT_WAITS_BY
};

/* How a job ended. */
enum eqt_waits_end {
	EQT_WAITS_END_WELL, /* or preempted, requeued */
	EQT_WAITS_END_FAILED,
	EQT_WAITS_END_MEMORY,
	EQT_WAITS_END_TIME, /* its limit, or a deadline */
	EQT_WAITS_END_NODE,
	EQT_WAITS_END_CANCELLED,
	EQT_WAITS_ENDS
};

/* The jobs of a group: their waits, ascending once they are read, and what they used. */
struct eqt_waits_group {
	const char *name;
	uint32_t *wait_s;
	size_t count; /* of the waits */
	uint64_t jobs; /* that ran */
	double cpu_s, gpu_s; /* allocated, in the days, on that day */
	double asked_s,
		busy_s; /* CPU time of jobs that ended: allocated, used */
	uint64_t ends[EQT_WAITS_ENDS]; /* jobs, in the days, on that day */
};

/* Owned; {0} is empty. Four bytes for each job and enum eqt_waits_by. */
struct eqt_waits {
	struct eqt_names group[EQT_WAITS_BY]; /* struct eqt_waits_group */
	int64_t from_s, until_s; /* equal: nothing was read */
};

/* Which days count; a plain value. */
struct eqt_waits_span {
	uint64_t
		days; /* so many before the end, unless there is a start; 0: none */
	int64_t start_s, end_s; /* 0: not given; the end is now then */
};

/*
 * Read the jobs that ran in these days from a list of jobs or, if path is NULL, from sacct.
 * A list without a column of when jobs could run has none, one without CPU times no
 * busy_s. 0, or -1 with err filled: a start behind the end, as eqt_sacct_reader_open() and
 * eqt_sacct_reader_next(). Free it in both cases.
 */
int eqt_waits_read(struct eqt_waits *waits, const char *path,
		   const struct eqt_waits_span *span, int64_t now_s,
		   struct eqt_error *err);

/* Free what *waits owns; it is empty then. */
void eqt_waits_free(struct eqt_waits *waits);

/* The wait that a part (above 0, at most 1) of the group did not exceed, in seconds; the
 * group has a wait. */
uint32_t eqt_waits_quantile(const struct eqt_waits_group *group, double part);

#endif
