/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree bill --job, --user: what jobs cost that run, or ran. A job that runs or
 * waits is asked of squeue, one that has ended of sacct. Users may ask for their own
 * jobs, and operators for all: Slurm itself decides what it prints. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bill/job_cmd.h"
#include "bill/job_costs.h"
#include "bill/live_cost.h"
#include "bill/record_cost.h"
#include "cli/cmd.h"
#include "cli/failure.h"
#include "cli/options.h"
#include "slurm/conf/site_conf.h"
#include "slurm/charges_folder.h"
#include "slurm/text/timestamp.h"

#define COMMAND_SIZE 4096

/* sacct has these since 17.02. */
#define FORMAT                                                                \
	"JobIDRaw,JobID,Account,User,Partition,QOS,State,Start,End,"          \
	"ElapsedRaw,Suspended,TimelimitRaw,AllocTRES,NodeList,MaxRSS,NTasks," \
	"TotalCPU"

struct job_options {
	const char *jobs; /* --job */
	const char *user;
	int64_t since_s;
	const char *from; /* a saved list */
	const char *queue; /* and one of squeue */
	const char *nodes, *conf;
	bool reprice;
	const char *charges; /* the folder of the record */
	struct eqt_output_options common;
};

/* The words of a shell's command are checked: no other character is let through. 0, or
 * -1 with err filled. The texts become words of a command line that a shell reads. */
static int words_check(const char *what, const char *text, const char *allowed,
		       struct eqt_error *err)
{
	if (text[0] != '\0' && strlen(text) <= COMMAND_SIZE / 2 &&
	    text[strspn(text, allowed)] == '\0')
		return 0;
	return eqt_error_set(err, "\"%.64s\": expected %s", text, what);
}

/* "9" is an array as a whole, "9_3" one of its tasks, "9+1" a component. */
static int take_jobs(void *into, const char *arg, struct eqt_error *err)
{
	((struct job_options *) into)->jobs = arg;
	return words_check("numbers of jobs with commas between", arg,
			   "0123456789_+,", err);
}

/* Names of users may have a dot, an @ or a dash, but not at the beginning. */
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

/* Local time. Without it the jobs of today are listed. */
static int take_since(void *into, const char *arg, struct eqt_error *err)
{
	return eqt_timestamp_option(&((struct job_options *) into)->since_s,
				    arg, err);
}

/* sacct takes no time for single jobs: it finds them whenever they ran. */
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
	  EQT_TAKEN_BY(take_since) },
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
	{ "file", 'f', "FILE",
	  "the equitree.conf to read, instead of the one beside slurm.conf", 0,
	  EQT_TEXT_AT(struct job_options, conf) },
	{ 0 }
};

/* Is a word the option, with or without its value? Options are looked at before they
 * are parsed, to choose between the two commands. */
static bool word_is(const char *word, const char *name)
{
	const size_t length = strlen(name);

	return strncmp(word, name, length) == 0 &&
	       (word[length] == '\0' || word[length] == '=');
}

/* A word that is no option is the value of the one before it, or a batch script,
 * whose own words are behind it. */
bool eqt_job_cmd_is_meant(int argc, char **argv)
{
	bool value = false;
	int i;

	for (i = 1; i < argc; i++) {
		if (word_is(argv[i], "--job") || word_is(argv[i], "--user") ||
		    word_is(argv[i], "--since"))
			return true;
		if (argv[i][0] != '-' && !value)
			return false;
		value = argv[i][0] == '-' && !strchr(argv[i], '=');
	}
	return false;
}

/* Steps are listed as well: they have the memory that was used. -D lists all runs of a
 * requeued job; -a lets an operator see
 * the jobs of others; --noconvert prints exact memory. */
static void command_write(char command[COMMAND_SIZE],
			  const struct job_options *options)
{
	if (options->jobs)
		(void) snprintf(command, COMMAND_SIZE,
				"SLURM_TIME_FORMAT=%%s sacct -aDP --noconvert "
				"-j %s -o " FORMAT,
				options->jobs);
	else
		(void) snprintf(command, COMMAND_SIZE,
				"SLURM_TIME_FORMAT=%%s sacct -aDP --noconvert "
				"-u %s -s R,S -S uts%" PRId64 " -E uts%" PRId64
				" -o " FORMAT,
				options->user, options->since_s,
				(int64_t) time(NULL));
}

/* Single jobs are told in sentences, those of a user as a table. */
static int costs_show(const struct eqt_job_costs *costs,
		      const struct job_options *options, struct eqt_error *err)
{
	if (options->common.json)
		eqt_job_costs_json(costs);
	else if (!options->user)
		eqt_job_costs_print(costs);
	else if (eqt_job_costs_table(costs, !options->common.no_headings) < 0)
		return eqt_error_set(err, "out of memory");
	return 0;
}

/* Is an id, "7" or "9_3", in a list? "9" is the whole array. The list is that of the
 * option. */
static bool id_is_listed(const char *list, const char *id)
{
	size_t length;

	for (; *list != '\0'; list += length + (list[length] == ',')) {
		length = strcspn(list, ",");
		if (length > 0 && strncmp(list, id, length) == 0 &&
		    strchr("_+", id[length]))
			return true;
	}
	return false;
}

/* Keep the jobs of a saved list that are asked for. sacct selects them itself. */
static void costs_select(struct eqt_job_costs *costs,
			 const struct job_options *options)
{
	size_t i, kept = 0;

	for (i = 0; i < costs->count; i++) {
		const struct eqt_job_cost *cost = &costs->cost[i];

		if (options->jobs ? id_is_listed(options->jobs, cost->id)
				  : strcmp(options->user, cost->user) == 0)
			costs->cost[kept++] = *cost;
	}
	costs->count = kept;
}

/* The jobs of sacct that *costs does not have. */
static int sacct_add(struct eqt_job_costs *costs, struct eqt_sacct *sacct,
		     const struct job_options *options,
		     const struct eqt_job_pricer *pricer, struct eqt_error *err)
{
	char command[COMMAND_SIZE];
	struct eqt_job_costs past;
	int rc;

	command_write(command, options);
	if (eqt_sacct_read(sacct, options->from, command, EQT_SACCT_RUNS, err) <
		    0 ||
	    eqt_job_costs_make(&past, sacct, pricer, err) < 0)
		return -1;
	if (options->from)
		costs_select(&past, options);
	rc = eqt_job_costs_join(costs, &past, err);
	eqt_job_costs_free(&past);
	return rc;
}

/* The jobs of squeue, and of sacct: it has those that ended, and earlier runs of the
 * others. Without it a job that squeue has is billed all the same. */
static int costs_read(struct eqt_job_costs *costs, struct eqt_sacct *sacct,
		      const struct eqt_live_jobs *live,
		      const struct job_options *options,
		      const struct eqt_job_pricer *pricer,
		      struct eqt_error *err)
{
	if (options->jobs &&
	    eqt_job_costs_of_queue(costs, live, options->jobs, pricer,
				   (int64_t) time(NULL), err) < 0)
		return -1;
	if (options->queue && !options->from)
		return 0;
	if (sacct_add(costs, sacct, options, pricer, err) == 0)
		return 0;
	if (options->from || !options->jobs ||
	    !eqt_job_costs_queue_has_all(live, options->jobs))
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
	struct eqt_sacct sacct = { .rows = 0 };
	char folder[EQT_CHARGES_FOLDER];
	int rc;

	rc = costs_read(&costs, &sacct, live, options, pricer, err);
	eqt_job_costs_order(&costs);
	eqt_charges_folder(folder, options->charges,
			   options->from || options->queue ? NULL
							   : pricer->conf);
	if (rc == 0 && folder[0] != '\0' && !options->reprice)
		rc = eqt_record_costs_take(&costs, folder, err);
	if (rc == 0 && costs.count == 0 && options->jobs)
		rc = eqt_error_set(
			err, "job %.64s: %s knows no such job", options->jobs,
			options->queue && !options->from ? "squeue" : "sacct");
	else if (rc == 0)
		rc = costs_show(&costs, options, err);
	eqt_job_costs_free(&costs);
	eqt_sacct_free(&sacct);
	return rc;
}

/* Without nodes a model with several bundles has the highest of their prices. */
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
	/* Saved jobs and live nodes may belong to two clusters. */
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

	if (eqt_options_parse(&line, argc, argv, &options) != 0)
		return EXIT_MISUSE;
	if (!options.since_s && localtime_r(&now, &today))
		options.since_s = eqt_timestamp_midnight(
			today.tm_year + 1900, today.tm_mon + 1, today.tm_mday);
	if (job_run(&options, &err) == 0)
		return EXIT_SUCCESS;
	return eqt_failure_print("bill", &err);
}
