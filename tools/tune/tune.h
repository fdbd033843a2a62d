/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tune: the parts of equitree tune. A point is a setting of all parameters. A run
 * simulates the jobs of the past with a point, and measures the aims. An archive keeps
 * the runs by their points, so that none is done twice.
 */
#ifndef EQT_TUNE_TUNE_H
#define EQT_TUNE_TUNE_H

#include "cli/names.h"
#include "simulate/simulate.h"
#include "tune/aims.h"

#define EQT_TUNE_PARAMS_MAX 48
#define EQT_TUNE_KEY 1024
#define EQT_TUNE_PARTS 10 /* parts of the time, to see how a gain varies */

/* How values of a parameter are spread between its bounds. */
enum eqt_tune_scale {
	EQT_TUNE_WEIGHT, /* logarithmic, or 0 */
	EQT_TUNE_TIME, /* logarithmic, in seconds */
	EQT_TUNE_COUNT, /* logarithmic */
	EQT_TUNE_SWITCH, /* 0 or 1 */
};

/* Where the line that sets the parameter belongs. */
enum eqt_tune_place {
	EQT_TUNE_KEY_LINE, /* a key of slurm.conf */
	EQT_TUNE_FLAG, /* a word of PriorityFlags */
	EQT_TUNE_SCHED, /* a word of SchedulerParameters */
	EQT_TUNE_PARTITION, /* PriorityJobFactor of a partition */
	EQT_TUNE_QOS, /* set with sacctmgr */
	EQT_TUNE_CONF, /* the section "priority" of equitree.conf */
};

/* A parameter. One of the pointers leads to the variable that the simulation reads. */
struct eqt_tune_param {
	/* such as "PriorityWeightAge", "PriorityJobFactor of gpu" */
	char name[96];
	const char *of; /* the partition or QOS, or NULL */
	enum eqt_tune_scale scale;
	enum eqt_tune_place place;
	uint32_t *to32;
	uint64_t *to64;
	bool *to_flag;
	double low, high, now;
	uint32_t unit; /* values that are times are multiples of this */
};

/* A setting of all parameters. A plain value. */
struct eqt_tune_point {
	double value[EQT_TUNE_PARAMS_MAX];
};

/* The measures of a point. An entry of names.h. */
struct eqt_tune_run {
	const char *key;
	double measure[EQT_TUNE_AIMS_MAX];
};

/* The times over which jobs are simulated and measured. */
struct eqt_tune_span {
	int64_t from, to; /* jobs that come in [from, to) are measured */
	size_t jobs; /* number of jobs, from the first, that are simulated */
};

enum { EQT_TUNE_FIT, EQT_TUNE_HELD, EQT_TUNE_SPANS };

struct eqt_tune {
	const struct eqt_simulate_options *input;
	struct eqt_scene sim;
	struct eqt_scene_policy policy; /* changes with each run */
	struct eqt_tune_aims aims;
	struct eqt_tune_param param[EQT_TUNE_PARAMS_MAX];
	int params;
	/* parameters that options keep */
	struct eqt_tune_param fixed[EQT_TUNE_PARAMS_MAX];
	int fixed_count;
	struct eqt_tune_span span[EQT_TUNE_SPANS];
	float *rates; /* equivalents of each job in the last run */
	struct eqt_names archive; /* entries are struct eqt_tune_run */
	uint64_t seed, evaluations;
	uint64_t processes; /* at most EQT_TUNE_PROCESSES_MAX */
	const char *state_path;
};

#define EQT_TUNE_PROCESSES_MAX 256

/* ---- Aims and measures --------------------------------------------------------- */

/* Find the accounts, users and partitions that aims name. Returns 0, or -1 with err
 * filled. */
int eqt_tune_aims_resolve(struct eqt_tune *tune, struct eqt_error *err);

/* Simulate a point over a span, and measure all aims. The measure of an aim without any
 * job is NAN. Returns 0, or -1 with err filled. */
int eqt_tune_measure(struct eqt_tune *tune, double *measure,
		     const struct eqt_tune_point *point, int span,
		     struct eqt_error *err);

/* Like eqt_tune_measure(), but from one simulation for each of EQT_TUNE_PARTS equal parts
 * of the whole time. */
int eqt_tune_measure_parts(struct eqt_tune *tune,
			   double measure[EQT_TUNE_PARTS][EQT_TUNE_AIMS_MAX],
			   const struct eqt_tune_point *point,
			   struct eqt_error *err);

/* Aims that measure jobs which no aim names: waits of all jobs, of partitions and of the
 * accounts below the root, as many as there is room for. Their targets mean nothing. */
struct eqt_tune_aims eqt_tune_others(const struct eqt_tune *tune);

/* Like eqt_tune_measure(), for aims other than those of the search. */
int eqt_tune_measure_others(struct eqt_tune *tune,
			    const struct eqt_tune_aims *others, double *measure,
			    const struct eqt_tune_point *point,
			    struct eqt_error *err);

/* ---- Parameters ---------------------------------------------------------------- */

/* Make the list of parameters. Those that match a pattern of "keep", or no pattern of
 * "only", are fixed. NULL means that there are no such patterns. Returns 0, or -1 with
 * err filled if no parameter is left. */
int eqt_tune_params_make(struct eqt_tune *tune, const char *only,
			 const char *keep, struct eqt_error *err);

/* The present setting. */
struct eqt_tune_point eqt_tune_point_now(const struct eqt_tune *tune);

/* The setting at places between 0 and 1, one place per parameter. */
struct eqt_tune_point eqt_tune_point_at(const struct eqt_tune *tune,
					const double *x);

/* The places of a setting. x has room for one per parameter. */
void eqt_tune_point_places(const struct eqt_tune *tune, double *x,
			   const struct eqt_tune_point *point);

/* Make the simulation use this setting. */
void eqt_tune_point_apply(struct eqt_tune *tune,
			  const struct eqt_tune_point *point);

/* Write a value in the form of its file, such as "7-00:00:00" or "YES". Returns buf. */
char *eqt_tune_param_text(const struct eqt_tune_param *param, double value,
			  char buf[EQT_TABLE_CELL]);

/* Print the lines that make the setting of a point, one per change. Returns 0, or -1 with
 * err filled. */
int eqt_tune_lines_print(const struct eqt_tune *tune,
			 const struct eqt_tune_point *point,
			 const char *slurm_conf, struct eqt_error *err);

/* ---- The archive --------------------------------------------------------------- */

/* Write the key of a point over a span. Returns buf. */
char *eqt_archive_key(const struct eqt_tune *tune, char buf[EQT_TUNE_KEY],
		      const struct eqt_tune_point *point, int span);
struct eqt_tune_point eqt_archive_key_point(const char *key);

/* Find the run with a key, or NULL; and add a run. */
struct eqt_tune_run *eqt_archive_find(const struct eqt_tune *tune,
				      const char *key);
struct eqt_tune_run *eqt_archive_add(struct eqt_tune *tune, const char *key,
				     const double *measure);

/* Write and read a line of the state file, which processes print as well, without its
 * line end: the key and the measures. The reader returns 0, or -1 if the text is not such
 * a line. */
int eqt_archive_text(const struct eqt_tune *tune, char *buf, size_t size,
		     const char *key, const double *measure);
int eqt_archive_read(struct eqt_tune *tune, const char *line);

/* Read the state file if it exists, and open it for more runs. *out is NULL if no state
 * file is wanted. Returns 0, or -1 with err filled. */
int eqt_archive_open(struct eqt_tune *tune, void **out, struct eqt_error *err);

/* How many settings were simulated over the fitted span. */
size_t eqt_archive_settings(const struct eqt_tune *tune);

/* How far a run is from the aims of a mask. Smaller is better. */
double eqt_archive_score(const struct eqt_tune *tune, const double *measure,
			 uint32_t mask);
/* Are all aims of the mask met? */
bool eqt_archive_meets(const struct eqt_tune *tune, const double *measure,
		       uint32_t mask);
/* The best run over the fitted span for the aims of the mask. */
const struct eqt_tune_run *eqt_archive_best(const struct eqt_tune *tune,
					    uint32_t mask);

/* The best run for a single aim, even if it is better than wanted. */
const struct eqt_tune_run *eqt_archive_best_alone(const struct eqt_tune *tune,
						  int aim);

/* ---- Searches ------------------------------------------------------------------- */

/* What one process does: a search from a point, or the run of that point. */
struct eqt_tune_task {
	uint32_t mask; /* mask of the aims; 0: a single run over the span */
	int span;
	uint64_t seed;
	uint32_t runs; /* largest number of runs */
	struct eqt_tune_point from;
};

/* Receives each run. Returns 0, or -1 to stop. "again" tells that the run was known
 * before. */
struct eqt_tune_sink {
	void *with;
	int (*take)(void *with, const char *key, const double *measure,
		    bool again);
};

/* Was this program built with a library for searches? */
bool eqt_tune_can_search(void);

/* The run of a point over a span, from the archive or from a simulation. Returns NULL
 * with err filled on error. */
const struct eqt_tune_run *eqt_tune_run_get(struct eqt_tune *tune,
					    const struct eqt_tune_point *point,
					    int span,
					    const struct eqt_tune_sink *sink,
					    struct eqt_error *err);

/* Do tasks, as many at a time as there are processes. Their runs go into the archive and
 * the state file. Returns 0, or -1 with err filled. */
int eqt_tune_pool_run(struct eqt_tune *tune, const struct eqt_tune_task *tasks,
		      size_t count, void *state, const char *what,
		      struct eqt_error *err);

/* ---- Results -------------------------------------------------------------------- */

/* The measures of the aims if one change is undone. */
struct eqt_tune_change {
	int param;
	const struct eqt_tune_run *without;
};

struct eqt_tune_result {
	const struct eqt_tune_run *now, *best; /* over the fitted span */
	const struct eqt_tune_run *now_held,
		*best_held; /* NULL: nothing was held out */
	struct eqt_tune_point point;
	struct eqt_tune_change change[EQT_TUNE_PARAMS_MAX];
	int changes;
	struct eqt_tune_point
		few; /* the fewest changes with most of the gain */
	const struct eqt_tune_run *few_run;
	int few_changes; /* equals "changes" if no fewer changes are enough */
	/* filled if there are changes */
	double parts_now[EQT_TUNE_PARTS][EQT_TUNE_AIMS_MAX];
	double parts_best[EQT_TUNE_PARTS][EQT_TUNE_AIMS_MAX];
	struct eqt_tune_aims others;
	double others_now[EQT_TUNE_AIMS_MAX], others_best[EQT_TUNE_AIMS_MAX];
	/* the best run for each aim */
	const struct eqt_tune_run *of_aim[EQT_TUNE_AIMS_MAX];
	bool met; /* all aims are met */
	const char *slurm_conf;
};

/* Search, undo useless changes, and find out what each change achieves. Returns 0, or -1
 * with err filled. */
int eqt_tune_advise(struct eqt_tune *tune, struct eqt_tune_result *out,
		    void *state, struct eqt_error *err);

/* Print the result. Returns 0, or -1 with err filled. */
int eqt_tune_show(const struct eqt_tune *tune,
		  const struct eqt_tune_result *result, bool headings,
		  struct eqt_error *err);
void eqt_tune_json(const struct eqt_tune *tune,
		   const struct eqt_tune_result *result);

/* Draw the trade-offs of the first six pairs of aims. Returns 0, or -1 with err filled if
 * there is only one aim or if gnuplot is missing. */
int eqt_tune_plot(const struct eqt_tune *tune,
		  const struct eqt_tune_result *result, const char *path,
		  struct eqt_error *err);

/* Find the pairs of aims that, according to all runs, can each be met alone but not
 * together. pairs[] has room for all. Returns how many there are. */
int eqt_tune_conflicts(const struct eqt_tune *tune, uint32_t *pairs);

#endif
