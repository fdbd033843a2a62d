/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tune: the parts of equitree tune. A point is a setting of all parameters; a run
 * simulates the jobs of the past with it, and measures the aims. The runs are kept in
 * an archive, by their points, so that none is done twice.
 */
#ifndef EQT_TUNE_TUNE_H
#define EQT_TUNE_TUNE_H

#include "cli/names.h"
#include "simulate/simulate.h"
#include "tune/aims.h"

#define EQT_TUNE_PARAMS_MAX 48
#define EQT_TUNE_KEY 1024
#define EQT_TUNE_PARTS 10 /* of the time, to see how a gain varies */

/* How values of a parameter lie between its bounds. */
enum eqt_tune_scale {
	EQT_TUNE_WEIGHT, /* by its logarithm, and 0 */
	EQT_TUNE_TIME, /* by its logarithm, in seconds */
	EQT_TUNE_COUNT, /* by its logarithm */
	EQT_TUNE_SWITCH, /* 0 or 1 */
};

/* Where its line is. */
enum eqt_tune_place {
	EQT_TUNE_KEY_LINE, /* a key of slurm.conf */
	EQT_TUNE_FLAG, /* a word of PriorityFlags */
	EQT_TUNE_SCHED, /* a word of SchedulerParameters */
	EQT_TUNE_PARTITION, /* PriorityJobFactor */
	EQT_TUNE_QOS, /* sacctmgr */
	EQT_TUNE_CONF, /* the section priority of equitree.conf */
};

/* A parameter; one of the pointers leads to what the simulation reads. */
struct eqt_tune_param {
	char name[96]; /* "PriorityWeightAge", "PriorityJobFactor of gpu" */
	const char *of; /* the partition or QOS, or NULL */
	enum eqt_tune_scale scale;
	enum eqt_tune_place place;
	uint32_t *to32;
	uint64_t *to64;
	bool *to_flag;
	double low, high, now;
	uint32_t unit; /* values are multiples of it where they are times */
};

/* A setting of all parameters. A plain value. */
struct eqt_tune_point {
	double value[EQT_TUNE_PARAMS_MAX];
};

/* The measures of a point; a thing of names.h. */
struct eqt_tune_run {
	const char *key;
	double measure[EQT_TUNE_AIMS_MAX];
};

/* The times over which jobs are simulated and measured. */
struct eqt_tune_span {
	int64_t from, to; /* measured: jobs that come in [from, to) */
	size_t jobs; /* simulated: the first ones */
};

enum { EQT_TUNE_FIT, EQT_TUNE_HELD, EQT_TUNE_SPANS };

struct eqt_tune {
	const struct eqt_simulate_options *input;
	struct eqt_scene sim;
	struct eqt_scene_policy policy; /* changes with each run */
	struct eqt_tune_aims aims;
	struct eqt_tune_param param[EQT_TUNE_PARAMS_MAX];
	int params;
	struct eqt_tune_param fixed[EQT_TUNE_PARAMS_MAX]; /* kept by options */
	int fixed_count;
	struct eqt_tune_span span[EQT_TUNE_SPANS];
	float *rates; /* equivalents of each job in the last run */
	struct eqt_names archive; /* struct eqt_tune_run */
	uint64_t seed, evaluations;
	uint64_t processes; /* at most EQT_TUNE_PROCESSES_MAX */
	const char *state_path;
};

#define EQT_TUNE_PROCESSES_MAX 256

/* ---- Aims and measures --------------------------------------------------------- */

/* Find the accounts, users and partitions that aims name. Returns 0, or -1 with err
 * filled. */
int eqt_tune_aims_resolve(struct eqt_tune *tune, struct eqt_error *err);

/* Simulate a point over a span, and measure all aims; NAN: no job to measure. Returns 0,
 * or -1 with err filled. */
int eqt_tune_measure(struct eqt_tune *tune, double *measure,
		     const struct eqt_tune_point *point, int span,
		     struct eqt_error *err);

/* The same for each of so many equal parts of the whole time, from one simulation. */
int eqt_tune_measure_parts(struct eqt_tune *tune,
			   double measure[EQT_TUNE_PARTS][EQT_TUNE_AIMS_MAX],
			   const struct eqt_tune_point *point,
			   struct eqt_error *err);

/* Measures for the jobs that no aim names: waits of all jobs, of partitions and of the
 * accounts below the root, as far as there is room. Targets are of no meaning. */
struct eqt_tune_aims eqt_tune_others(const struct eqt_tune *tune);

/* The same as eqt_tune_measure(), for other aims than those of the search. */
int eqt_tune_measure_others(struct eqt_tune *tune,
			    const struct eqt_tune_aims *others, double *measure,
			    const struct eqt_tune_point *point,
			    struct eqt_error *err);

/* ---- Parameters ---------------------------------------------------------------- */

/* Make the list of parameters; those that match a pattern of keep, or none of only, are
 * fixed. NULL: no such list. Returns 0, or -1 with err filled if nothing is left. */
int eqt_tune_params_make(struct eqt_tune *tune, const char *only,
			 const char *keep, struct eqt_error *err);

/* The present setting. */
struct eqt_tune_point eqt_tune_point_now(const struct eqt_tune *tune);

/* A setting from places between 0 and 1, one for each of its parts. */
struct eqt_tune_point eqt_tune_point_at(const struct eqt_tune *tune,
					const double *x);

/* The places of a setting; x has room for one of each part. */
void eqt_tune_point_places(const struct eqt_tune *tune, double *x,
			   const struct eqt_tune_point *point);

/* Let the simulation read this setting. */
void eqt_tune_point_apply(struct eqt_tune *tune,
			  const struct eqt_tune_point *point);

/* A value as its file has it: "7-00:00:00", "YES". Returns buf. */
char *eqt_tune_param_text(const struct eqt_tune_param *param, double value,
			  char buf[EQT_TABLE_CELL]);

/* Print the lines that make the setting of a point, one each. Returns 0, or -1 with err
 * filled. */
int eqt_tune_lines_print(const struct eqt_tune *tune,
			 const struct eqt_tune_point *point,
			 const char *slurm_conf, const char *before,
			 struct eqt_error *err);

/* ---- The archive --------------------------------------------------------------- */

/* The key of a point over a span. Returns buf. */
char *eqt_archive_key(const struct eqt_tune *tune, char buf[EQT_TUNE_KEY],
		      const struct eqt_tune_point *point, int span);
struct eqt_tune_point eqt_archive_key_point(const char *key);

/* The run of a key, or NULL. Add one; */
struct eqt_tune_run *eqt_archive_find(const struct eqt_tune *tune,
				      const char *key);
struct eqt_tune_run *eqt_archive_add(struct eqt_tune *tune, const char *key,
				     const double *measure);

/* One line of the state file and of a process, without its end: the key and the
 * measures. Reading: 0, or -1: not such a line. */
int eqt_archive_text(const struct eqt_tune *tune, char *buf, size_t size,
		     const char *key, const double *measure);
int eqt_archive_read(struct eqt_tune *tune, const char *line);

/* Read the state file if it is there, and open it for more runs. NULL with err filled, or
 * where none is wanted: *out is NULL then. Returns 0, or -1. */
int eqt_archive_open(struct eqt_tune *tune, void **out, struct eqt_error *err);

/* How many settings were simulated over the fitted span. */
size_t eqt_archive_settings(const struct eqt_tune *tune);

/* How far a run is from the aims of a mask; smaller is better. */
double eqt_archive_score(const struct eqt_tune *tune, const double *measure,
			 uint32_t mask);
/* Are all aims of the mask met? */
bool eqt_archive_meets(const struct eqt_tune *tune, const double *measure,
		       uint32_t mask);
/* The best run over the fitted span by that mask. */
const struct eqt_tune_run *eqt_archive_best(const struct eqt_tune *tune,
					    uint32_t mask);

/* The best run for one aim, however much better than wanted. */
const struct eqt_tune_run *eqt_archive_best_alone(const struct eqt_tune *tune,
						  int aim);

/* ---- Searches ------------------------------------------------------------------- */

/* What one process does: a search from a point, or the run of that point. */
struct eqt_tune_task {
	uint32_t mask; /* of aims; 0: one run over the span */
	int span;
	uint64_t seed;
	uint32_t runs; /* at most */
	struct eqt_tune_point from;
};

/* Told of each run; returns 0, or -1 to stop. again: it was known. */
struct eqt_tune_sink {
	void *with;
	int (*take)(void *with, const char *key, const double *measure,
		    bool again);
};

/* Can this build search? */
bool eqt_tune_can_search(void);

/* The run of a point over a span, from the archive or simulated. NULL with err
 * filled. */
const struct eqt_tune_run *eqt_tune_run_get(struct eqt_tune *tune,
					    const struct eqt_tune_point *point,
					    int span,
					    const struct eqt_tune_sink *sink,
					    struct eqt_error *err);

/* Do tasks, as many at a time as there are processes; their runs come into the archive
 * and the state file. Returns 0, or -1 with err filled. */
int eqt_tune_pool_run(struct eqt_tune *tune, const struct eqt_tune_task *tasks,
		      size_t count, void *state, const char *what,
		      struct eqt_error *err);

/* ---- Results -------------------------------------------------------------------- */

/* Undone alone, a change makes this of the aims. */
struct eqt_tune_change {
	int param;
	const struct eqt_tune_run *without;
};

struct eqt_tune_result {
	const struct eqt_tune_run *now, *best; /* over the fitted span */
	const struct eqt_tune_run *now_held,
		*best_held; /* NULL: nothing held */
	struct eqt_tune_point point;
	struct eqt_tune_change change[EQT_TUNE_PARAMS_MAX];
	int changes;
	struct eqt_tune_point
		few; /* the fewest changes with most of the gain */
	const struct eqt_tune_run *few_run;
	int few_changes; /* as many as changes: there are no fewer */
	double parts_now[EQT_TUNE_PARTS][EQT_TUNE_AIMS_MAX]; /* if changes */
	double parts_best[EQT_TUNE_PARTS][EQT_TUNE_AIMS_MAX];
	struct eqt_tune_aims others;
	double others_now[EQT_TUNE_AIMS_MAX], others_best[EQT_TUNE_AIMS_MAX];
	const struct eqt_tune_run *of_aim[EQT_TUNE_AIMS_MAX]; /* best for it */
	bool met; /* all aims */
	const char *slurm_conf;
};

/* Search, undo what buys nothing, and see what each change buys. Returns 0, or -1 with
 * err filled. */
int eqt_tune_advise(struct eqt_tune *tune, struct eqt_tune_result *out,
		    void *state, struct eqt_error *err);

/* Print it. Returns 0, or -1 with err filled. */
int eqt_tune_show(const struct eqt_tune *tune,
		  const struct eqt_tune_result *result, bool headings,
		  struct eqt_error *err);
void eqt_tune_json(const struct eqt_tune *tune,
		   const struct eqt_tune_result *result);

/* Draw the trade-offs of the first six pairs of aims. Returns 0, or -1 with err filled.
 * Possible errors: a single aim, no gnuplot. */
int eqt_tune_plot(const struct eqt_tune *tune,
		  const struct eqt_tune_result *result, const char *path,
		  struct eqt_error *err);

/* The pairs of aims that each can be met, but not together, by all runs that were
 * done. Returns how many; pairs[] has room for all. */
int eqt_tune_conflicts(const struct eqt_tune *tune, uint32_t *pairs);

#endif
