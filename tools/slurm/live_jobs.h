/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_jobs: the jobs that run or wait. They come from the output of
 * EQT_LIVE_JOBS_COMMAND, which has everything that decides when a job starts, or from the
 * smaller output of EQT_LIVE_JOBS_FEW_COMMAND.
 *
 * Only the reason may hold text of a user, and the job's id stands on both sides of the
 * reason. A '|' in the reason is therefore harmless, and a line end in it cannot start
 * the line of another job. The output of "scontrol show job" cannot be read safely,
 * because a job may be named "x\nJobId=1 ...".
 */
#ifndef EQT_SLURM_LIVE_JOBS_H
#define EQT_SLURM_LIVE_JOBS_H

#include <stdbool.h>

#include "slurm/text/listing.h"
#include "slurm/text/tres_list.h"

/* squeue prints "FIELD:|" as the whole value and a '|', and "FIELD:0" as the value
 * alone. */
#define EQT_LIVE_JOBS_FEW_COMMAND                            \
	"squeue -a --local -t PD,R --noconvert -O "          \
	"'JobID:|,UserName:|,Account:|,Partition:|,State:|," \
	"NumNodes:|,PriorityLong:|,tres-alloc:|,Reason:|,JobID:0'"

/* Since 26.05 the column Exclusive tells whether a job shares its nodes. */
#define EQT_LIVE_JOBS_FORMAT                                                  \
	"JobID:|,JobArrayID:|,UserName:|,Account:|,Partition:|,QOS:|,State:|" \
	",PriorityLong:|,NumNodes:|,NumCPUs:|,tres-alloc:|,TimeLimit:|,"      \
	"TimeUsed:|,SubmitTime:|,EligibleTime:|,StartTime:|,EndTime:|,"       \
	"RestartCnt:|,Dependency:|,Licenses:|,Reservation:|,ReqNodes:|,"      \
	"'$how':|,NodeList:|,Feature: ,Reason:|,JobID:0"
#define EQT_LIVE_JOBS_COMMAND                                   \
	"how=OverSubscribe; squeue --helpFormat 2>/dev/null | " \
	"grep -qw Exclusive && how=Exclusive; "                 \
	"SLURM_TIME_FORMAT=%s SLURM_BITSTR_LEN=0 "              \
	"squeue -a --local -t PD,R,S,CG,CF,SO,RQ "              \
	"--noconvert -O '" EQT_LIVE_JOBS_FORMAT "'"

/* A year and a second. squeue prints longer times as INVALID. */
#define EQT_LIVE_YEAR_S (UINT64_C(365) * 86400 + 1)

/* A job. Strings are borrowed from the text; "" means none. */
struct eqt_live_job {
	const char *id;
	const char *name; /* as users write it: 12_3, or 12_[4-9%2] */
	const char *user, *account, *partition, *qos, *state;
	const char *dependency, *licenses, *reservation, *nodelist;
	const char *features, *reason;
	const char *req_nodes; /* the nodes given with --nodelist */
	uint64_t priority;
	uint64_t nodes; /* at least 1; the smallest number for a waiting job */
	/* allocated, or requested for a waiting job */
	struct eqt_treslist tres;
	char model[64]; /* model of the GPUs; "": any model */
	const char *tres_text;
	/* 0: no limit, or not known; EQT_LIVE_YEAR_S: more than a year */
	uint64_t limit_s;
	/* how often the job was requeued; 0: never, or not known */
	uint64_t restarts;
	uint64_t used_s;
	/* in seconds since the epoch; 0: not known */
	int64_t submit_s, eligible_s;
	/* start and end; for a waiting job, as Slurm expects them */
	int64_t start_s, end_s;
	bool whole_nodes;
	bool pending, running;
};

/* Owns its memory; {0} is empty. */
struct eqt_live_jobs {
	struct eqt_listing text;
	size_t count;
	struct eqt_live_job *jobs; /* sorted by id as text */
};

/* Read a file, or run squeue if path is NULL. Returns 0, or -1 with err filled ("FILE:
 * line N: why"). Possible errors: an error of eqt_listing_read(), other columns, two
 * lines with the same id. */
int eqt_live_jobs_read(struct eqt_live_jobs *out, const char *path,
		       struct eqt_error *err);

/* Like eqt_live_jobs_read(), but with fewer columns: jobs have TRES, but neither name,
 * QOS, times nor other requirements. squeue lists only running and pending jobs. A file
 * with all columns is accepted, too. */
int eqt_live_jobs_read_few(struct eqt_live_jobs *out, const char *path,
			   struct eqt_error *err);

/* Does a waiting job wait for anything other than resources or priority? */
bool eqt_live_job_waits_else(const struct eqt_live_job *job);

/* Free what *jobs owns. *jobs is empty afterwards. */
void eqt_live_jobs_free(struct eqt_live_jobs *jobs);

/* The job with an id as squeue prints it or as users type it. "12_4" finds the record of
 * that task, or else the record of waiting tasks that includes it. "12" finds the record
 * of waiting tasks, or else the first task. NULL if there is no such job. */
const struct eqt_live_job *eqt_live_jobs_find(const struct eqt_live_jobs *jobs,
					      const char *name);

/* Does a word look like a job's id as squeue prints it: "12", "12_4", "12_[3-5,9%2]",
 * "12+1"? */
bool eqt_live_jobs_name_is(const char *name);

/* How the reason of a job begins while a budget holds it. The plugin writes this text to the
 * job's description, which squeue prints as the reason. */
#define EQT_LIVE_BUDGET "Budget "

/* Is the reason of a job that of a budget? */
bool eqt_live_job_names_budget(const struct eqt_live_job *job);

/* The number of the budget that has too little left for a job; 0: none, or the reason says
 * something else about it. */
uint64_t eqt_live_job_budget(const struct eqt_live_job *job);

/* The number of tasks in a record such as "12_[3-5,9%2]"; 1 for any other job. */
uint64_t eqt_live_job_tasks(const struct eqt_live_job *job);

/* One of the dependencies of a job. Strings are borrowed. */
struct eqt_live_dependency {
	const char *text; /* such as "afterok:1(unfulfilled)" */
	size_t length;
	char id[32]; /* "5" for "5_*"; "": the dependency names no job */
};

/* Read the next dependency of a list separated by commas or question marks, and move
 * *list behind it. Returns false if there is none. */
bool eqt_live_dependency_next(struct eqt_live_dependency *out,
			      const char **list);

#endif
