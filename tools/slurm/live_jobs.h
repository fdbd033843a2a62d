/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_jobs: the jobs that run or wait, from the output of EQT_LIVE_JOBS_COMMAND with all
 * that decides when one starts, or from EQT_LIVE_JOBS_FEW_COMMAND with less.
 *
 * Only the reason may hold text from a user, and the job's id is on both sides of it: a
 * '|' in it is harmless, and a line end cannot start the line of another job. Output of
 * "scontrol show job" cannot be read safely: a job may be named "x\nJobId=1 ...".
 */
#ifndef EQT_SLURM_LIVE_JOBS_H
#define EQT_SLURM_LIVE_JOBS_H

#include <stdbool.h>

#include "slurm/text/listing.h"
#include "slurm/text/tres_list.h"

/* "FIELD:|" prints the whole value and a '|' behind it; "FIELD:0" prints the value alone. */
#define EQT_LIVE_JOBS_FEW_COMMAND                            \
	"squeue -a --local -t PD,R --noconvert -O "          \
	"'JobID:|,UserName:|,Account:|,Partition:|,State:|," \
	"NumNodes:|,PriorityLong:|,tres-alloc:|,Reason:|,JobID:0'"

/* From 26.05 on squeue prints in the column Exclusive whether a job shares its nodes. */
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

/* squeue prints a longer time as INVALID. */
#define EQT_LIVE_YEAR_S (UINT64_C(365) * 86400 + 1)

/* A job; strings are borrowed from the text, "" for none. */
struct eqt_live_job {
	const char *id;
	const char *name; /* as users write it: 12_3, or 12_[4-9%2] */
	const char *user, *account, *partition, *qos, *state;
	const char *dependency, *licenses, *reservation, *nodelist;
	const char *features, *reason;
	const char *req_nodes; /* --nodelist */
	uint64_t priority;
	uint64_t nodes; /* at least 1; the fewest while it waits */
	struct eqt_treslist tres; /* requested while it waits */
	char model[64]; /* of its GPUs; "": any */
	const char *tres_text;
	uint64_t
		limit_s; /* 0: none, or not known; EQT_LIVE_YEAR_S: a longer one */
	uint64_t restarts; /* how often it was requeued; 0 also if not known */
	uint64_t used_s;
	int64_t submit_s, eligible_s; /* since the epoch; 0: not known */
	int64_t start_s, end_s; /* expected by Slurm while it waits */
	bool whole_nodes;
	bool pending, running;
};

/* Owned; {0} is empty. */
struct eqt_live_jobs {
	struct eqt_listing text;
	size_t count;
	struct eqt_live_job *jobs; /* sorted by id as text */
};

/* Read a file (NULL: run squeue). 0, or -1 with err filled ("FILE: line N: why"):
 * an error of eqt_listing_read(), other columns, two lines with one id. */
int eqt_live_jobs_read(struct eqt_live_jobs *out, const char *path,
		       struct eqt_error *err);

/* The same with less: jobs have TRES, but no name, QOS, times or other needs, and squeue is
 * asked for running and pending jobs alone. A file with all columns is accepted, too. */
int eqt_live_jobs_read_few(struct eqt_live_jobs *out, const char *path,
			   struct eqt_error *err);

/* Does a waiting job wait for something other than resources or priority? */
bool eqt_live_job_waits_else(const struct eqt_live_job *job);

/* Free what *jobs owns; it is empty then. */
void eqt_live_jobs_free(struct eqt_live_jobs *jobs);

/* The job of an id as squeue prints it or as users write it. "12_4" finds the record of
 * that task, or else the record of waiting tasks if it is one of them; "12" finds that
 * record, or else the first task. NULL: there is none. */
const struct eqt_live_job *eqt_live_jobs_find(const struct eqt_live_jobs *jobs,
					      const char *name);

/* Is a word the name of a job as squeue prints it: "12", "12_4", "12_[3-5,9%2]", "12+1"? */
bool eqt_live_jobs_name_is(const char *name);

/* The number of tasks in a record such as "12_[3-5,9%2]"; 1 for any other job. */
uint64_t eqt_live_job_tasks(const struct eqt_live_job *job);

/* One of the dependencies of a job; borrowed. */
struct eqt_live_dependency {
	const char *text; /* "afterok:1(unfulfilled)" */
	size_t length;
	char id[32]; /* "1", of "5_*" "5"; "": it names no job */
};

/* Read the next dependency of a list with commas or question marks, and move *list behind
 * it. False: there is none. */
bool eqt_live_dependency_next(struct eqt_live_dependency *out,
			      const char **list);

#endif
