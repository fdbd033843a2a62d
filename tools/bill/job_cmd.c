/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree bill --job and --user: the costs of jobs. squeue lists jobs that run or wait,
 * and sacct jobs that have ended. Slurm itself decides which jobs a user may see. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "bill/job_cmd.h"
#include "bill/job_costs.h"
#include "bill/recorded_runs.h"
#include "cli/alloc.h"
#include "cli/names.h"
#include "cli/options.h"
#include "cli/print.h"
#include "slurm/charges.h"
#include "slurm/conf/site_conf.h"
#include "slurm/live_jobs.h"
#include "slurm/text/timestamp.h"

/* ---- The subcommand -------------------------------------------------------------- */

/* A shell takes words of up to 128 KiB. This limit is enough for some ten thousand
 * ids. */
#define LIST_MOST 100000

/* sacct has had these columns since 17.02. */
#define FORMAT                                                                \
	"JobIDRaw,JobID,Account,User,Partition,QOS,State,Submit,Start,End,"   \
	"ElapsedRaw,Suspended,TimelimitRaw,AllocTRES,NodeList,MaxRSS,NTasks," \
	"TotalCPU"

struct job_options {
	const char *jobs; /* ids given with --job */
	const char *user;
	int64_t since_s;
	const char *from; /* a saved list of sacct */
	const char *queue; /* a saved list of squeue */
	const char *nodes, *conf;
	bool reprice;
	const char *charges; /* the folder of the record of charges */
	struct eqt_output_options common;
};

/* Check that a text has only allowed characters, because a shell reads it. Returns 0, or
 * -1 with err filled. */
static int words_check(const char *what, const char *text, const char *allowed,
		       struct eqt_error *err)
{
	if (strlen(text) > LIST_MOST)
		return eqt_error_set(
			err, "\"%.32s...\": expected %s, %d letters at most",
			text, what, LIST_MOST);
	if (text[0] != '\0' && text[strspn(text, allowed)] == '\0')
		return 0;
	return eqt_error_set(err, "\"%.64s\": expected %s", text, what);
}

/* "9" means a whole array, "9_3" one of its tasks, and "9+1" a component of a
 * heterogeneous job. */
static int take_jobs(void *into, const char *arg, struct eqt_error *err)
{
	((struct job_options *) into)->jobs = arg;
	return words_check("numbers of jobs with commas between", arg,
			   "0123456789_+,", err);
}

/* The name of a user may have a dot, an @ or a dash, but not at its beginning. */
static int take_user(void *into, const char *arg, struct eqt_error *err)
{
	((struct job_options *) into)->user = arg;
	if (arg[0] == '-')
		return eqt_error_set(err, "\"%.64s\": expected a user", arg);
	return words_check(
		"a user", arg,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789_.@-",
		err);
}

/* sacct takes no period for single jobs. It finds them whenever they ran. */
static int options_check(void *into, struct eqt_error *err)
{
	const struct job_options *options = into;

	if (options->jobs && (options->user || options->since_s))
		return eqt_error_set(err, "--job excludes --user and --since");
	if (options->since_s && !options->user)
		return eqt_error_set(err, "--since needs --user");
	if (!options->jobs && !options->user)
		return eqt_error_set(err, "expected --job or --user");
	return 0;
}

static const struct eqt_option options_table[] = {
	{ "job", 0, "ID[,ID]", "what these jobs cost", 0,
	  EQT_TAKEN_BY(take_jobs) },
	{ "user", 0, "NAME", "a table of the jobs of a user", 0,
	  EQT_TAKEN_BY(take_user) },
	{ "since", 0, "TIME",
	  "jobs that ran since then, such as 2026-11-21; default: today's", 0,
	  EQT_TIME_AT(struct job_options, since_s) },
	{ "jobs", 0, "FILE",
	  "read what \"sacct -P --noconvert\" printed (-: stdin)", 0,
	  EQT_TEXT_AT(struct job_options, from) },
	{ "queue", 0, "FILE",
	  "read the jobs of squeue, as \"why --save\" keeps them", 0,
	  EQT_TEXT_AT(struct job_options, queue) },
	{ "nodes", 0, "FILE",
	  "the nodes of the jobs: what \"scontrol -o show node\" printed", 0,
	  EQT_TEXT_AT(struct job_options, nodes) },
	{ "charges", 0, "DIR", "the folder of the record of charges", 0,
	  EQT_TEXT_AT(struct job_options, charges) },
	{ "reprice", 0, NULL,
	  "price what was allocated by the present equitree.conf, whatever was "
	  "charged",
	  0, EQT_FLAG_AT(struct job_options, reprice) },
	EQT_SITE_CONF_OPTION(struct job_options, conf, 0),
	{ 0 }
};

/* Is this word the option, with or without its value? */
static bool word_is(const char *word, const char *name)
{
	const size_t length = strlen(name);

	return strncmp(word, name, length) == 0 &&
	       (word[length] == '\0' || word[length] == '=');
}

/* The options are searched before they are parsed, to choose between the two forms of the
 * command. A word that is not an option is either the value of the option before it, or a
 * batch script, whose own words follow. */
bool eqt_job_cmd_is_meant(int argc, char **argv)
{
	bool value = false;

	for (int i = 1; i < argc; i++) {
		if (word_is(argv[i], "--job") || word_is(argv[i], "--user") ||
		    word_is(argv[i], "--since"))
			return true;
		if (argv[i][0] != '-' && !value)
			return false;
		value = argv[i][0] == '-' && !strchr(argv[i], '=');
	}
	return false;
}

/* ---- Jobs of squeue ----------------------------------------------------------------
 * squeue lists a job as soon as it is submitted, and needs no slurmdbd. A waiting job is
 * priced by its request, which may be less than its later allocation, for example because
 * the job gets whole nodes. */

#define PARTITION_SIZE 256

/* ---- Which jobs an id means ------------------------------------------------------ */

/* The jobs with a name. A name is the id of a job, the number of an array such as "9", or
 * "9_[" for the tasks that wait together. */
struct live_name {
	const char *name;
	size_t first; /* index of the first job, from 1; 0: none */
};

/* The jobs by name. {0} is empty. */
struct live_index {
	struct eqt_names own, shared;
	/* for each job, the next one with the same name, from 1; 0: none */
	size_t *next;
	bool *is_taken;
};

static void index_add(struct eqt_names *names, const char *name, size_t at)
{
	struct live_name *known =
		eqt_names_get(names, name, sizeof(*known), NULL);

	if (!known->first)
		known->first = at;
}

static void index_make(struct live_index *out, const struct eqt_live_jobs *jobs)
{
	*out = (struct live_index){
		.next = eqt_alloc(jobs->count + 1, sizeof(*out->next)),
		.is_taken = eqt_alloc(jobs->count + 1, sizeof(*out->is_taken)),
	};
	/* Go from the last job to the first, so that each list has the order of the
	 * jobs. */
	for (size_t i = jobs->count; i > 0; i--) {
		const struct eqt_live_job *job = &jobs->jobs[i - 1];
		/* The length of the number of an array or a heterogeneous job, such as
		 * "9" in "9_3". */
		const size_t length = strcspn(job->name, "_+");
		struct live_name *shared;
		char *name;

		index_add(&out->own, job->name, i);
		index_add(&out->own, job->id, i);
		if (job->name[length] == '\0')
			continue;
		name = eqt_alloc_part(job->name, length + 2);
		if (strcmp(name + length, "_[") == 0)
			index_add(&out->own, name, i);
		name[length] = '\0';
		shared = eqt_names_get(&out->shared, name, sizeof(*shared),
				       NULL);
		out->next[i] = shared->first;
		shared->first = i;
		free(name);
	}
}

static void index_free(struct live_index *index)
{
	eqt_names_free(&index->own);
	eqt_names_free(&index->shared);
	free(index->next);
	free(index->is_taken);
}

/* The job with this id, or the record of waiting tasks that includes it. Counted from 1;
 * 0 if there is none. */
static size_t index_find(const struct live_index *index, const char *id)
{
	const struct live_name *known = eqt_names_find(&index->own, id);
	const size_t length = strcspn(id, "_"), size = length + sizeof("_[");
	char *name;

	if (!known && id[length] != '\0') {
		name = eqt_alloc(size, 1);
		(void) snprintf(name, size, "%.*s_[", (int) length, id);
		known = eqt_names_find(&index->own, name);
		free(name);
	}
	return known ? known->first : 0;
}

/* Can the cost come from squeue? Ended jobs are left to sacct, even while they still hold
 * nodes. */
static bool live_has_cost(const struct eqt_live_job *job)
{
	return job->pending || job->running ||
	       strcmp(job->state, "SUSPENDED") == 0;
}

/* ---- What they cost --------------------------------------------------------- */

/* A job in sacct's terms, which the pricer reads. A job that waits for several partitions
 * is priced in the first. */
static void live_to_sacct(struct eqt_sacct_job *out,
			  const struct eqt_live_job *job,
			  char partition[PARTITION_SIZE])
{
	for (size_t i = 0; i < EQT_SACCT_COLUMNS; i++)
		out->text[i] = "";
	(void) snprintf(partition, PARTITION_SIZE, "%.*s",
			(int) strcspn(job->partition, ","), job->partition);
	out->text[EQT_SACCT_PARTITION] = partition;
	out->text[EQT_SACCT_QOS] = job->qos;
	out->text[EQT_SACCT_TRES] = job->tres_text;
	out->text[EQT_SACCT_NODES] = job->pending ? "" : job->nodelist;
}

/* The seconds of the run that are charged. Suspended time is left out if it is free. */
static uint64_t live_seconds(const struct eqt_live_job *job,
			     const struct eqt_conf *conf, int64_t now_s)
{
	if (job->pending)
		return 0;
	if (!conf->charge_suspended || job->start_s <= 0 ||
	    now_s < job->start_s)
		return job->used_s;
	return (uint64_t) (now_s - job->start_s);
}

static int live_cost_make(struct eqt_job_cost *out,
			  const struct eqt_live_job *job,
			  const struct eqt_job_pricer *pricer, int64_t now_s,
			  struct eqt_error *err)
{
	char partition[PARTITION_SIZE];
	struct eqt_cost charge;
	struct eqt_sacct_job sacct;
	int rc;

	*out = (struct eqt_job_cost){
		.job = job->id,
		.id = job->name,
		.user = job->user,
		.account = job->account,
		.partition = job->partition,
		.state = job->state,
		.start_s = job->pending ? 0 : job->start_s,
		.started = true,
		.running = !job->pending,
		.waits = job->pending,
		.least = job->pending && job->whole_nodes,
		.limit_s = job->limit_s,
		.seconds = live_seconds(job, pricer->conf, now_s),
	};
	live_to_sacct(&sacct, job, partition);
	/* A waiting job is priced by its request, because its billing may be that of
	 * another of its partitions. No span of billing contains this end, so the billing
	 * is not used. */
	sacct.end_s = job->pending ? INT64_MIN : now_s;
	rc = eqt_cost_make(&charge, pricer, &sacct, &out->why);
	if (rc < 0)
		return eqt_error_set(err, "job %s: %s", job->name,
				     out->why.text);
	eqt_job_costs_take(out, &charge, rc > 0);
	return 0;
}

/* The next id of a comma-separated list, which the caller frees with free(). NULL at the
 * end. */
static char *list_next_id(const char **list)
{
	size_t length;
	char *id;

	*list += strspn(*list, ",");
	length = strcspn(*list, ",");
	if (!length)
		return NULL;
	id = eqt_alloc_part(*list, length);
	*list += length;
	return id;
}

/* The state of reading a list of ids. */
struct live_reading {
	struct eqt_job_costs *costs;
	const struct eqt_live_jobs *jobs;
	struct live_index index;
	const struct eqt_job_pricer *pricer;
	int64_t now_s;
};

/* Add the job with this index, which counts from 1, unless it was added before. Index 0
 * means no job. */
static int reading_add_job(struct live_reading *reading, size_t at,
			   struct eqt_error *err)
{
	if (!at || reading->index.is_taken[at] ||
	    !live_has_cost(&reading->jobs->jobs[at - 1]))
		return 0;
	reading->index.is_taken[at] = true;
	return live_cost_make(&reading->costs->cost[reading->costs->count++],
			      &reading->jobs->jobs[at - 1], reading->pricer,
			      reading->now_s, err);
}

/* Add the jobs that an id stands for. */
static int reading_add(struct live_reading *reading, const char *id,
		       struct eqt_error *err)
{
	const struct live_name *shared =
		eqt_names_find(&reading->index.shared, id);

	if (reading_add_job(reading, index_find(&reading->index, id), err) < 0)
		return -1;
	for (size_t at = shared ? shared->first : 0; at;
	     at = reading->index.next[at])
		if (reading_add_job(reading, at, err) < 0)
			return -1;
	return 0;
}

/* Does squeue list everything that an id stands for, so that sacct is not needed? Other
 * tasks of an array may have ended. */
static bool reading_has_all(const struct live_reading *reading, const char *id)
{
	const size_t at = index_find(&reading->index, id);
	const struct eqt_live_job *job = at ? &reading->jobs->jobs[at - 1]
					    : NULL;

	return job && live_has_cost(job) &&
	       (strchr(id, '_') || !strchr(job->name, '_'));
}

/*
 * Price the jobs of a list of ids, such as "7", "9_3", or "9" for all tasks of an array.
 * now_s is in seconds since the epoch. Strings are borrowed from jobs. *has_all tells
 * whether squeue lists all of them, so that sacct is not needed. Returns 0, or -1 with
 * err filled and *out empty if resources cannot be read.
 */
static int live_costs_make(struct eqt_job_costs *out,
			   const struct eqt_live_jobs *jobs, const char *list,
			   const struct eqt_job_pricer *pricer, int64_t now_s,
			   bool *has_all, struct eqt_error *err)
{
	struct live_reading reading = {
		.costs = out,
		.jobs = jobs,
		.pricer = pricer,
		.now_s = now_s,
	};
	char *id;
	int rc = 0;

	*out = (struct eqt_job_costs){
		.cost = eqt_alloc(jobs->count + 1, sizeof(*out->cost)),
	};
	*has_all = true;
	index_make(&reading.index, jobs);
	while (rc == 0 && (id = list_next_id(&list))) {
		*has_all = *has_all && reading_has_all(&reading, id);
		rc = reading_add(&reading, id, err);
		free(id);
	}
	index_free(&reading.index);
	if (rc < 0)
		eqt_job_costs_free(out);
	return rc;
}

/* Steps are listed as well, because only they have the memory that was used. -D lists all
 * runs of a requeued job, -a the jobs of other users for an operator, and --noconvert
 * prints exact amounts of memory. */
static char *command_text(const struct job_options *options)
{
	char *text;
	size_t length;
	FILE *to = eqt_alloc_stream(&text, &length);

	(void) fputs("SLURM_TIME_FORMAT=%s sacct -aDP --noconvert ", to);
	if (options->jobs)
		(void) fprintf(to, "-j %s", options->jobs);
	else
		(void) fprintf(to,
			       "-u %s -s R,S -S uts%" PRId64 " -E uts%" PRId64,
			       options->user, options->since_s,
			       (int64_t) time(NULL));
	(void) fputs(" -o " FORMAT, to);
	eqt_alloc_stream_close(to);
	return text;
}

/* With --job, print sentences; with --user, a table. */
static void costs_show(const struct eqt_job_costs *costs,
		       const struct job_options *options)
{
	if (options->common.json)
		eqt_job_costs_json(costs);
	else if (!options->user)
		eqt_job_costs_print(costs);
	else
		eqt_job_costs_table(costs, !options->common.no_headings);
}

/* Add the ids of a list. */
static void ids_take(struct eqt_names *ids, const char *list)
{
	char *copy = eqt_alloc_text(list), *rest = NULL;

	for (char *id = strtok_r(copy, ",", &rest); id;
	     id = strtok_r(NULL, ",", &rest))
		(void) eqt_names_text(ids, id);
	free(copy);
}

/* Is an id such as "7" or "9_3" in the list? "9" in the list means the whole array. */
static bool id_is_listed(const struct eqt_names *ids, const char *id)
{
	char *whole = eqt_alloc_part(id, strcspn(id, "_+"));
	const bool is_listed = eqt_names_find(ids, id) ||
			       eqt_names_find(ids, whole);

	free(whole);
	return is_listed;
}

/* Remove the jobs of a saved list that were not asked for. sacct itself selects the
 * jobs. */
static void costs_select(struct eqt_job_costs *costs,
			 const struct job_options *options)
{
	struct eqt_names ids = { .count = 0 };
	size_t i, kept = 0;

	if (options->jobs)
		ids_take(&ids, options->jobs);
	for (i = 0; i < costs->count; i++) {
		const struct eqt_job_cost *cost = &costs->cost[i];

		if (options->jobs ? id_is_listed(&ids, cost->id)
				  : strcmp(options->user, cost->user) == 0)
			costs->cost[kept++] = *cost;
	}
	costs->count = kept;
	eqt_names_free(&ids);
}

/* Read the jobs of sacct that *costs does not have yet. */
static int sacct_add(struct eqt_job_costs *costs, struct eqt_sacct *sacct,
		     const struct job_options *options,
		     const struct eqt_job_pricer *pricer, struct eqt_error *err)
{
	char *command = command_text(options);
	struct eqt_job_costs past;
	struct eqt_energy energy;
	struct eqt_error why;
	int rc;

	rc = eqt_sacct_read(sacct, options->from, command, err);
	free(command);
	if (rc < 0)
		return -1;
	/* A bill is printed even if the carbon intensity is not known. */
	if (eqt_energy_open(&energy, pricer->conf, &why) < 0)
		(void) fprintf(stderr, "equitree bill: %s\n", why.text);
	rc = eqt_job_costs_make(&past, sacct, pricer, &energy, err);
	eqt_energy_free(&energy);
	if (rc < 0)
		return -1;
	if (options->from)
		costs_select(&past, options);
	eqt_job_costs_join(costs, &past);
	eqt_job_costs_free(&past);
	return 0;
}

/* Read the jobs from squeue, and from sacct the ended jobs and earlier runs. If sacct
 * fails, the jobs that squeue lists are still billed. */
static int costs_read(struct eqt_job_costs *costs, struct eqt_sacct *sacct,
		      const struct eqt_live_jobs *live,
		      const struct job_options *options,
		      const struct eqt_job_pricer *pricer,
		      struct eqt_error *err)
{
	bool has_all = false;

	if (options->jobs &&
	    live_costs_make(costs, live, options->jobs, pricer,
			    (int64_t) time(NULL), &has_all, err) < 0)
		return -1;
	if (options->queue && !options->from)
		return 0;
	if (sacct_add(costs, sacct, options, pricer, err) == 0)
		return 0;
	if (options->from || !has_all)
		return -1;
	(void) fputs("equitree bill: sacct does not answer: earlier runs of "
		     "the job are missing\n",
		     stderr);
	return 0;
}

/* Print the jobs of squeue and of sacct. */
static int costs_collect(const struct eqt_live_jobs *live,
			 const struct job_options *options,
			 const struct eqt_job_pricer *pricer,
			 struct eqt_error *err)
{
	struct eqt_job_costs costs = { .count = 0 };
	struct eqt_recorded_runs recorded = {
		.user = options->user,
		.since_s = options->user ? options->since_s : INT64_MIN,
	};
	struct eqt_sacct sacct = { .rows = 0 };
	char folder[EQT_CHARGES_FOLDER];
	int rc = costs_read(&costs, &sacct, live, options, pricer, err);

	eqt_charges_folder(folder, options->charges,
			   options->from || options->queue ? NULL
							   : pricer->conf);
	if (rc == 0 && folder[0] != '\0' && !options->reprice)
		rc = eqt_recorded_runs_take(&recorded, &costs, folder, err);
	else
		eqt_job_costs_order(&costs);
	if (rc == 0 && costs.count == 0 && options->jobs)
		rc = eqt_error_set(
			err, "job %.64s: %s knows no such job", options->jobs,
			options->queue && !options->from ? "squeue" : "sacct");
	else if (rc == 0)
		costs_show(&costs, options);
	eqt_job_costs_free(&costs);
	eqt_recorded_runs_free(&recorded);
	eqt_sacct_free(&sacct);
	return rc;
}

/* Without nodes, a GPU model with several bundles gets the highest of their prices. */
static int job_run(const struct job_options *options, struct eqt_error *err)
{
	const bool saved = options->from || options->queue;
	struct eqt_scontrol_nodes nodes = { .count = 0 };
	struct eqt_job_pricer pricer = { .threads = 0 };
	struct eqt_live_jobs live = { .count = 0 };
	int rc = 0;

	pricer.conf = eqt_site_conf_open(options->conf);
	if (!pricer.conf)
		return eqt_error_set(
			err, "there are no prices without equitree.conf");
	/* Saved jobs and live nodes may belong to different clusters. */
	if (options->nodes || !saved) {
		rc = eqt_scontrol_nodes_read(&nodes, options->nodes, err);
		pricer.nodes = &nodes;
	}
	if (rc == 0 && (options->queue || (options->jobs && !saved)))
		rc = eqt_live_jobs_read(&live, options->queue, err);
	if (rc == 0 && !options->reprice)
		rc = eqt_pricer_billed(&pricer, !saved, err);
	if (rc == 0)
		rc = costs_collect(&live, options, &pricer, err);
	eqt_live_jobs_free(&live);
	eqt_scontrol_nodes_free(&nodes);
	eqt_conf_free(pricer.conf);
	return rc;
}

int eqt_job_cmd_run(int argc, char **argv)
{
	static const struct eqt_options_spec line = {
		.table = options_table,
		.common_at = offsetof(struct job_options, common),
		.csv = true,
		.doc = "Print what jobs cost that wait, run or ran.\vA job "
		       "that waits has the price of its request. One that "
		       "began has what it is billed in accounting, and "
		       "otherwise the price of what it was allocated. Jobs "
		       "that have ended need slurmdbd.",
		.check = options_check,
	};
	struct job_options options = { .jobs = NULL };
	const time_t now = time(NULL);
	struct eqt_error err;
	struct tm today;

	eqt_options_parse(&line, argc, argv, &options);
	if (!options.since_s && localtime_r(&now, &today))
		options.since_s = eqt_timestamp_midnight(
			today.tm_year + 1900, today.tm_mon + 1, today.tm_mday);
	return eqt_print_status("bill", job_run(&options, &err), &err);
}
