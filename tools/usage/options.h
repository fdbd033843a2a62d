/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options: the command line of equitree usage. */
#ifndef EQT_USAGE_OPTIONS_H
#define EQT_USAGE_OPTIONS_H

#include "cli/options.h"
#include "usage/sum.h"

#define EQT_YEAR_FILES_MAX 64

struct eqt_year_options {
	const char *jobs[EQT_YEAR_FILES_MAX];
	size_t job_files;
	const char *conf;
	const char *year_start;
	int64_t year_end_s; /* the midnight of the last day; 0: a whole year */
	int64_t now_s;
	bool shares;
	bool verify; /* compare the record with fair share and accounting */
	uint64_t verify_days; /* of accounting */
	const char
		*charges; /* the folder of the record; NULL: of the cluster */
	const char *config, *state; /* for verify; NULL: ask */
	bool reprice; /* by the present prices, whatever was charged */
	const char *unit; /* hours or years; NULL: what suits the numbers */
	bool raw; /* print allocated cores and GPUs as well */
	const char *assocs; /* NULL: run sshare */
	const char *targets;
	const char *titles;
	const char *nodes;
	const char *plot;
	uint64_t year, cores, gpus, threads, share_years;
	enum eqt_year_key keys[EQT_YEAR_KEYS_MAX];
	size_t key_count;
	eqt_year_each *each; /* for other reports; NULL: none */
	void *with;
	struct eqt_output_options common;
};

/* Rows for struct eqt_year_options. */
extern const struct eqt_option eqt_year_options_table[];

/* Refuse options that contradict each other, after all have been read. 0, or -1 with err
 * filled. */
int eqt_year_options_check(void *options, struct eqt_error *err);

#endif
