/* SPDX-License-Identifier: GPL-2.0-or-later */
/* waits: the jobs of some days: how long they waited from the time at which they were
 * eligible to their start, what they were allocated and what they used of it, and how they
 * ended. */
#ifndef EQT_REPORT_WAITS_H
#define EQT_REPORT_WAITS_H

#include "cli/names.h"
#include "base/error.h"

/* The kinds of groups of jobs. */
enum eqt_waits_by {
	EQT_WAITS_ALL,
	EQT_WAITS_PARTITION,
	EQT_WAITS_SIZE,
	EQT_WAITS_DAY,
	EQT_WAITS_ACCOUNT, /* without accounts below */
	EQT_WAITS_BY
};

/* How a job ended. */
enum eqt_waits_end {
	EQT_WAITS_END_WELL, /* also preempted or requeued */
	EQT_WAITS_END_FAILED,
	EQT_WAITS_END_MEMORY,
	EQT_WAITS_END_TIME, /* its limit, or a deadline */
	EQT_WAITS_END_NODE,
	EQT_WAITS_END_CANCELLED,
	EQT_WAITS_ENDS
};

/* The jobs of a group. "In the days" means the days of the span or, for a group of a day,
 * that day. */
struct eqt_waits_group {
	const char *name;
	uint32_t *wait_s; /* of jobs that started in the days, ascending */
	size_t count; /* of wait_s */
	uint64_t jobs; /* that ran in the days */
	double cpu_s, gpu_s; /* allocated in the days */
	double asked_s, busy_s; /* CPU time of ended jobs: allocated, used */
	uint64_t ends[EQT_WAITS_ENDS]; /* jobs that ended in the days */
};

/* Owns its memory; {0} is empty. Each group takes four bytes for each of its jobs. */
struct eqt_waits {
	struct eqt_names group[EQT_WAITS_BY]; /* struct eqt_waits_group */
	int64_t from_s, until_s; /* equal: nothing was read */
};

/* Which days count; a plain value. */
struct eqt_waits_span {
	uint64_t days; /* before the end, if start_s is 0; 0: none */
	int64_t start_s, end_s; /* 0: not given; the end is now then */
};

/*
 * Read the jobs that ran in these days from a list of jobs or, if path is NULL, from
 * sacct. From a list without a column Eligible or Submit nothing is read; without CPU
 * times busy_s stays 0. Returns 0, or -1 with err filled. Possible errors: a start behind
 * the end, an error of eqt_sacct_reader_open() or eqt_sacct_reader_next(). Free *waits in
 * both cases.
 */
int eqt_waits_read(struct eqt_waits *waits, const char *path,
		   const struct eqt_waits_span *span, int64_t now_s,
		   struct eqt_error *err);

/* Free what *waits owns. *waits is empty afterwards. */
void eqt_waits_free(struct eqt_waits *waits);

/* The wait that a part (above 0, at most 1) of the group did not exceed, in seconds; the
 * group has a wait. */
uint32_t eqt_waits_quantile(const struct eqt_waits_group *group, double part);

#endif
