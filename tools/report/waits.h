/* SPDX-License-Identifier: GPL-2.0-or-later */
/* waits: what happened to the jobs of some days. That is how long they waited after they
 * were eligible, what they were allocated, what they used of it, and how they ended. */
#ifndef EQT_REPORT_WAITS_H
#define EQT_REPORT_WAITS_H

#include "cli/names.h"
#include "base/error.h"

/* How jobs are grouped. */
enum eqt_waits_by {
	EQT_WAITS_ALL,
	EQT_WAITS_PARTITION,
	EQT_WAITS_SIZE,
	EQT_WAITS_DAY,
	EQT_WAITS_ACCOUNT, /* without the accounts below it */
	EQT_WAITS_BY
};

/* How a job ended. */
enum eqt_waits_end {
	EQT_WAITS_END_WELL, /* or was preempted or requeued */
	EQT_WAITS_END_FAILED,
	EQT_WAITS_END_MEMORY,
	EQT_WAITS_END_TIME, /* reached its time limit or a deadline */
	EQT_WAITS_END_NODE,
	EQT_WAITS_END_CANCELLED,
	EQT_WAITS_ENDS
};

/* The jobs of a group. "In the span" means within the days of the span. For a group of
 * one day it means that day. */
struct eqt_waits_group {
	const char *name;
	/* waits of jobs that started in the span, in ascending order */
	uint32_t *wait_s;
	size_t count; /* number of elements of wait_s */
	uint64_t jobs; /* jobs that ran in the span */
	/* seconds of CPUs and GPUs allocated in the span */
	double cpu_s, gpu_s;
	double asked_s, busy_s; /* CPU time of ended jobs: allocated and used */
	uint64_t ends[EQT_WAITS_ENDS]; /* jobs that ended in the span */
};

/* Owns its memory; {0} is empty. Each group takes four bytes per job. */
struct eqt_waits {
	/* entries are struct eqt_waits_group */
	struct eqt_names group[EQT_WAITS_BY];
	int64_t from_s, until_s; /* both are the same if nothing was read */
};

/* The days that count. A plain value. */
struct eqt_waits_span {
	/* days before the end, used if start_s is 0; 0: no days */
	uint64_t days;
	int64_t start_s, end_s; /* 0: not given; the end is then the present */
};

/*
 * Read the jobs that ran in these days from a list of jobs or, if path is NULL, from
 * sacct. If a list has no column Eligible or Submit, nothing is read. Without CPU times
 * busy_s stays 0. In both cases the caller must free *waits. Returns 0, or -1 with err
 * filled if the start is after the end, or for an error of eqt_sacct_reader_open() or
 * eqt_sacct_reader_next().
 */
int eqt_waits_read(struct eqt_waits *waits, const char *path,
		   const struct eqt_waits_span *span, int64_t now_s,
		   struct eqt_error *err);

/* Free what *waits owns. *waits is empty afterwards. */
void eqt_waits_free(struct eqt_waits *waits);

/* The wait, in seconds, that a part of the group did not exceed. "part" is above 0 and at
 * most 1. The group must have a wait. */
uint32_t eqt_waits_quantile(const struct eqt_waits_group *group, double part);

#endif
