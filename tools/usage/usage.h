/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage: what accounts used in an allocation year, next to their allocations. */
#ifndef EQT_USAGE_USAGE_H
#define EQT_USAGE_USAGE_H

#include "usage/lines.h"
#include "usage/year_price.h"
#include "cli/options.h"
#include "slurm/conf/site_conf.h"
#include "slurm/text/timestamp.h"
#include "usage/sum.h"

#define EQT_YEAR_FILES_MAX 64

struct eqt_year_options {
	const char *jobs[EQT_YEAR_FILES_MAX];
	size_t job_files;
	const char *conf;
	const char *year_start;
	int64_t year_end_s; /* midnight of the last day; 0: a whole year */
	int64_t now_s;
	bool shares;
	bool verify; /* compare the record with fair share and accounting */
	uint64_t verify_days; /* days of accounting to compare */
	const char
		*charges; /* folder of the record; NULL: that of the cluster */
	const char *config, *state; /* files for --verify; NULL: ask Slurm */
	bool reprice; /* price jobs by present prices, whatever was charged */
	const char *unit; /* "hours" or "years"; NULL: depends on the numbers */
	bool raw; /* also print allocated cores and GPUs */
	bool energy; /* also print kWh and CO2e */
	bool focus; /* print single charges, by eqt_focus_part() */
	const char *assocs; /* NULL: run sshare */
	const char *targets;
	const char *titles;
	const char *nodes;
	const char *plot;
	uint64_t year, cores, gpus, threads, share_years;
	enum eqt_year_key keys[EQT_YEAR_KEYS_MAX];
	size_t key_count;
	eqt_year_each *each; /* callback of other reports; NULL: none */
	void *with;
	struct eqt_output_options common;
};

/* clang-format off */
/* The rows of these options in a table. "in" is the prefix of the members, such as
 * "year.". */
#define EQT_YEAR_OPTIONS(type, in) \
	{ "year", 0, "YEAR", \
	  "the allocation year that began then, instead of the current one", \
	  0, EQT_NUMBER_AT(type, in year, 2200) }, \
	{ "year-start", 0, "MM-DD", \
	  "the first day of allocation years; default 04-01", 0, \
	  EQT_TEXT_AT(type, in year_start) }, \
	{ "year-end", 0, "YYYY-MM-DD", \
	  "the last day of the year, if it was extended or shortened", 0, \
	  EQT_TIME_AT(type, in year_end_s) }, \
	{ "now", 0, "TIME", \
	  "the present time: 2026-11-21 or 2026-11-21T12:00:00", 0, \
	  EQT_TIME_AT(type, in now_s) }, \
	EQT_SITE_CONF_OPTION(type, in conf, 0)
/* clang-format on */

/* A report of a year. Owns its memory; {0} is empty. */
struct eqt_year {
	const struct eqt_conf *conf;
	struct eqt_scontrol_nodes nodes; /* {0}: not known */
	struct eqt_year_period period;
	struct eqt_energy energy; /* {0}: not requested */
	struct eqt_year_sum sum; /* borrows energy */
	struct eqt_year_lines lines; /* borrow from targets and shares */
	struct eqt_year_targets targets;
	struct eqt_year_titles titles; /* {0}: none were given */
	struct eqt_sshare shares;
	bool allocations; /* targets or shares were given */
	bool hours; /* tables show hours instead of years */
	bool raw; /* also show allocated cores and GPUs */
	bool weights; /* some model has a weight other than 1 */
	struct eqt_year_unit_names names;
};

/* Read everything that the options name, and compute the report. Returns 0, or -1 with
 * err filled. In both cases the caller must free *usage. */
int eqt_year_make(struct eqt_year *usage,
		  const struct eqt_year_options *options,
		  struct eqt_error *err);

/* Check that two clusters have the same units and currency, because otherwise they have
 * no sum. b is that of the cluster that is asked. Returns 0, or -1 with err filled if
 * they differ. */
int eqt_year_same_units(const struct eqt_year_unit_names *a,
			const struct eqt_year_unit_names *b,
			struct eqt_error *err);

/* Free what *usage owns. *usage is empty afterwards. */
void eqt_year_free(struct eqt_year *usage);

/* Print a table with a summary, or JSON. */
void eqt_year_show(const struct eqt_year *usage, bool headings);
void eqt_year_show_json(const struct eqt_year *usage);

/* Draw usage by day or by month into a file (.svg, .png). Returns 0, or -1 with err
 * filled if there is nothing to draw, or like eqt_plot_open() and eqt_plot_close(). */
int eqt_year_show_plot(const struct eqt_year *usage, const char *path,
		       struct eqt_error *err);

/* A callback that prints each charge in the columns of FOCUS, as CSV. "with" points to a
 * struct eqt_year_focus, whose "usage" is the report being made. */
struct eqt_year_focus {
	const struct eqt_year *usage;
	bool headings;
};
void eqt_focus_part(void *with, const struct eqt_year_part *part);

#endif
