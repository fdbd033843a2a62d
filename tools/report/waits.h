/* SPDX-License-Identifier: GPL-2.0-or-later */
/* waits: how long jobs waited that started in the last days, from the moment at which
 * they could run (eligible) to their start. */
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

/* The waits of a group, ascending once they are read. */
struct eqt_waits_group {
	const char *name;
	uint32_t *wait_s;
	size_t count;
};

/* Owned; {0} is empty. Four bytes for each job and enum eqt_waits_by. */
struct eqt_waits {
	struct eqt_names group[EQT_WAITS_BY]; /* struct eqt_waits_group */
	uint64_t days; /* that were read; 0: none */
};

/*
 * Read the starts of the days before a time from a list of jobs or, if path is NULL,
 * from sacct. A list without a column of when jobs could run has none. 0, or -1 with err
 * filled: as eqt_sacct_reader_open() and eqt_sacct_reader_next(), out of memory. Free it
 * in both cases.
 */
int eqt_waits_read(struct eqt_waits *waits, const char *path, int64_t now_s,
		   uint64_t days, struct eqt_error *err);

/* Free what *waits owns; it is empty then. */
void eqt_waits_free(struct eqt_waits *waits);

/* The wait that a part (above 0, at most 1) of the group did not exceed, in seconds; the
 * group has a job. */
uint32_t eqt_waits_quantile(const struct eqt_waits_group *group, double part);

#endif
