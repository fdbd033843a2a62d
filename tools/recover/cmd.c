/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree recover: when a Level FS will be 1 again. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/alloc.h"
#include "cli/cmd.h"
#include "slurm/conf/site_conf.h"
#include "tree/recovery.h"
#include "cli/options.h"
#include "slurm/conf/cluster.h"
#include "cli/table.h"
#include "cli/json.h"
#include "cli/colour.h"
#include "cli/print.h"
#include "slurm/sshare.h"
#include "slurm/live_jobs.h"

struct recover_options {
	struct eqt_sshare_options shares;
	const char *config;
	const char *half_life;
	const char *jobs;
	const char *conf;
	/* ACCOUNT, USER (all associations of that user) or ACCOUNT/USER */
	const char *name;
	struct eqt_output_options common;
};

/* The assumptions about the usage of others, in the order of their columns. */
enum { SOONEST, OTHERS_AS_NOW, JOBS_GO_ON, TIMES };

/* The data from which all times are computed. */
struct basis {
	const struct eqt_sshare *shares;
	struct eqt_cluster_decay decay;
	long double *rates; /* owned; NULL: running jobs are not known */
	size_t strays; /* number of jobs without an association */
};

/* Refuse a command line without a name. */
static int recover_check_name(void *into, struct eqt_error *err)
{
	const struct recover_options *options = into;

	return options->name
		       ? 0
		       : eqt_error_set(err, "expected a user or an account");
}

static const struct eqt_option options_table[] = {
	{ "shares", 0, "FILE", "read what \"sshare -alP\" printed (-: stdin)",
	  0, EQT_TEXT_AT(struct recover_options, shares.path) },
	{ "half-life", 0, "TIME",
	  "the half-life of usage, in the form of PriorityDecayHalfLife (7-0: "
	  "seven days), instead of the site's",
	  0, EQT_TEXT_AT(struct recover_options, half_life) },
	{ "config", 0, "FILE",
	  "read it from what \"scontrol show config\" printed", 0,
	  EQT_TEXT_AT(struct recover_options, config) },
	{ "jobs", 0, "FILE",
	  "assume that running jobs continue: what squeue printed in the "
	  "format of equitree-recover(1); run by default, unless shares are "
	  "read from a file",
	  0, EQT_TEXT_AT(struct recover_options, jobs) },
	{ "file", 'f', "FILE",
	  "the equitree.conf with the billing_scale of those jobs, instead of "
	  "the one beside slurm.conf",
	  0, EQT_TEXT_AT(struct recover_options, conf) },
	{ 0 }
};

/* Write a duration in two units, such as "3 d 4 h", rounded up to the smaller unit. Above
 * 30,000 years it is "never". */
static char *recovery_text(long double seconds, char buf[EQT_TABLE_CELL])
{
	unsigned long long minutes, hours;

	if (isnan(seconds)) {
		(void) snprintf(buf, EQT_TABLE_CELL, "-");
	} else if (!(seconds > 0)) {
		(void) snprintf(buf, EQT_TABLE_CELL, "now");
	} else if (!(seconds < 1e12L)) {
		(void) snprintf(buf, EQT_TABLE_CELL, "never");
	} else {
		minutes = (unsigned long long) ceill(seconds / 60);
		hours = (unsigned long long) ceill(seconds / 3600);
		if (minutes < 24 * 60)
			(void) snprintf(buf, EQT_TABLE_CELL, "%llu h %llu min",
					minutes / 60, minutes % 60);
		else
			(void) snprintf(buf, EQT_TABLE_CELL, "%llu d %llu h",
					hours / 24, hours % 24);
	}
	return buf;
}

/* "never" has the colour of a bad value. A time that is not known has no colour. */
static enum eqt_colour recovery_colour(long double seconds)
{
	if (seconds <= 0)
		return EQT_COLOUR_GOOD;
	return seconds < 1e12L || isnan(seconds) ? EQT_COLOUR_NONE
						 : EQT_COLOUR_BAD;
}

/* Compute all times of a node, in seconds from now. Infinity means never. NAN means that
 * the node has no Level FS, or that the time is not known. */
static void times_fill(const struct basis *basis, uint32_t i,
		       long double times[TIMES])
{
	const struct eqt_sshare *shares = basis->shares;
	struct eqt_tree_result node = eqt_tree_node(shares->tree, i);
	uint32_t half_life_s = basis->decay.half_life_s;
	uint32_t above = eqt_sshare_above(shares, i);
	struct eqt_recovery_level level;

	times[SOONEST] = times[OTHERS_AS_NOW] = times[JOBS_GO_ON] = NAN;
	/* The root has no siblings, and a node with Fairshare=parent has no shares of its
	 * own. */
	if (i == 0 || shares->assocs[i].parent_shares)
		return;
	times[SOONEST] = eqt_recovery_taken(half_life_s, node.shares_norm,
					    node.usage_efctv);
	times[OTHERS_AS_NOW] = eqt_recovery_steady(
		half_life_s, node.shares_norm, node.usage_efctv);
	if (!basis->rates)
		return;
	level = (struct eqt_recovery_level){
		.shares_norm = node.shares_norm,
		.usage = (long double) shares->assocs[i].usage,
		.level_usage = (long double) shares->assocs[above].usage,
		.rate = basis->rates[i],
		.level_rate = basis->rates[above],
	};
	times[JOBS_GO_ON] = eqt_recovery_running(half_life_s, &level);
}

/* Add a row for node i, below the row of the node above it. */
static struct libscols_line *times_add_row(struct libscols_table *table,
					   const struct basis *basis,
					   uint32_t i)
{
	const struct eqt_sshare *shares = basis->shares;
	uint32_t above = eqt_sshare_above(shares, i);
	struct eqt_tree_result node = eqt_tree_node(shares->tree, i);
	long double times[TIMES];
	char text[EQT_TABLE_CELL];
	struct libscols_line *line = eqt_table_line(
		table, above == EQT_TREE_NONE
			       ? NULL
			       : times_add_row(table, basis, above));

	eqt_table_cell(line, 0,
		       shares->assocs[i].user ? shares->assocs[i].user
					      : shares->assocs[i].account);
	if (i == 0)
		return line;
	times_fill(basis, i, times);
	eqt_table_cell_print(line, 1, "%.4f", node.shares_norm);
	eqt_table_cell_print(line, 2, "%.4Lf", node.usage_efctv);
	eqt_table_cell_set(line, 3, eqt_table_level_text(node.level_fs, text),
			   eqt_colour_level(node.level_fs));
	for (int time = 0; time < (basis->rates ? TIMES : JOBS_GO_ON); time++)
		eqt_table_cell_set(line, (size_t) time + 4,
				   recovery_text(times[time], text),
				   recovery_colour(times[time]));
	return line;
}

/* Print the table for one association. Rates are left out if they are not known. */
static void times_print(const struct basis *basis, uint32_t i, bool headings)
{
	struct libscols_table *table = eqt_table_new(
		"+NAME|>S|>U|>LEVEL FS|>SOONEST|>OTHERS AS NOW", headings);

	if (basis->rates)
		eqt_table_column(table, "JOBS GO ON", SCOLS_FL_RIGHT);
	(void) times_add_row(table, basis, i);
	eqt_table_print(table);
}

/* The times of one association as JSON. A time that is not known is null. */
static json_object *times_json(const struct basis *basis, uint32_t i)
{
	const struct eqt_sshare *shares = basis->shares;
	const struct eqt_sshare_assoc *assoc = &shares->assocs[i];
	json_object *object = json_object_new_object();
	long double times[TIMES];

	times_fill(basis, i, times);
	eqt_json_add(object, "account", assoc->account);
	eqt_json_add(object, "user", assoc->user ? assoc->user : NULL);
	eqt_json_add(object, "level_fs",
		     eqt_tree_node(shares->tree, i).level_fs);
	eqt_json_add(object, "half_life_s", basis->decay.half_life_s);
	eqt_json_add(object, "soonest_s", times[SOONEST]);
	eqt_json_add(object, "others_as_now_s", times[OTHERS_AS_NOW]);
	eqt_json_add(object, "jobs_go_on_s", times[JOBS_GO_ON]);
	return object;
}

/* Explain the columns below the tables. The formulas ignore the resets of
 * PriorityUsageResetPeriod. */
static void recovery_print_words(const struct basis *basis)
{
	const struct eqt_cluster_decay *config = &basis->decay;
	char text[EQT_TABLE_CELL];

	printf("\nWhen Level FS is 1 again if nothing below the name runs; the "
	       "half-life is\n%s. SOONEST: others use what it leaves; OTHERS "
	       "AS NOW: they continue\nas now. If nobody runs anything, no "
	       "Level FS changes.\n",
	       config->half_life_s ? recovery_text(config->half_life_s, text)
				   : "none (usage does not decay)");
	if (basis->rates)
		printf("JOBS GO ON: running jobs continue, and no others "
		       "start.\n");
	if (basis->strays)
		printf("%zu running jobs belong to no listed association.\n",
		       basis->strays);
	if (config->reset[0] != '\0' && strcmp(config->reset, "NONE") != 0)
		printf("PriorityUsageResetPeriod=%s also resets all usage to "
		       "0.\n",
		       config->reset);
}

/* Print each association with the given name in a table of its own. There is at least
 * one. */
static void times_print_all(const struct basis *basis,
			    const struct recover_options *options)
{
	const struct eqt_sshare *shares = basis->shares;
	bool json = options->common.json;
	bool headings = !options->common.no_headings;
	json_object *array = json ? json_object_new_array() : NULL;
	size_t length = strlen(options->name);
	uint32_t i = eqt_sshare_find(shares, options->name, length, 0);

	while (i != EQT_TREE_NONE) {
		if (json)
			eqt_json_append(array, times_json(basis, i));
		else
			times_print(basis, i, headings);
		i = eqt_sshare_find(shares, options->name, length, i + 1);
		headings = headings && !eqt_output_csv();
		if (i != EQT_TREE_NONE && !json && !eqt_output_csv())
			putchar('\n');
	}
	if (json)
		eqt_json_print(array);
	else if (!eqt_output_csv())
		recovery_print_words(basis);
}

/*
 * Equivalents that run now at and below each association, in the order of shares. The
 * equivalents of a job are its billing divided by billing_scale. Like usage, the rate of
 * a job counts for its user's association and all associations above it. *strays is set
 * to the number of running jobs without an association in the share tree. The caller
 * frees the result with free().
 */
static long double *rates_of(const struct eqt_sshare *shares,
			     const struct eqt_live_jobs *jobs,
			     uint64_t billing_scale, size_t *strays)
{
	long double *rates = eqt_alloc(shares->count, sizeof(*rates)), rate;
	struct eqt_sshare_index index;
	uint32_t at;

	eqt_sshare_index_make(&index, shares);
	*strays = 0;
	for (size_t i = 0; i < jobs->count; i++) {
		const struct eqt_live_job *job = &jobs->jobs[i];

		if (!job->running)
			continue;
		rate = (long double) job->tres.billing /
		       (long double) billing_scale;
		at = eqt_sshare_index_find(&index, job->user, job->account);
		*strays += at == EQT_TREE_NONE;
		for (; at != EQT_TREE_NONE; at = shares->assocs[at].parent)
			rates[at] += rate;
	}
	eqt_sshare_index_free(&index);
	return rates;
}

/* Read the rates of running jobs. They are not read for saved shares, which may be of
 * another moment than live jobs. */
static int recover_read_rates(struct basis *basis,
			      const struct recover_options *options,
			      struct eqt_error *err)
{
	const struct eqt_conf *conf;
	struct eqt_live_jobs jobs;

	if (!options->jobs && options->shares.path)
		return 0;
	conf = eqt_site_conf_open(options->conf);
	if (!conf)
		return eqt_error_set(err, "the usage of running jobs is "
					  "unknown without billing_scale");
	if (eqt_live_jobs_read_few(&jobs, options->jobs, err) < 0) {
		eqt_conf_free(conf);
		return -1;
	}
	basis->rates = rates_of(basis->shares, &jobs, conf->billing_scale,
				&basis->strays);
	eqt_live_jobs_free(&jobs);
	eqt_conf_free(conf);
	return 0;
}

/* The half-life comes from the option, or else from a saved configuration, or else from
 * scontrol. */
static int recover_run(const struct recover_options *options,
		       struct eqt_error *err)
{
	struct eqt_sshare shares;
	struct basis basis = { .shares = &shares };
	int rc = options->half_life
			 ? eqt_cluster_half_life_parse(&basis.decay.half_life_s,
						       options->half_life, err)
			 : eqt_cluster_decay_read(&basis.decay, options->config,
						  err);

	if (rc < 0 || eqt_sshare_read(&shares, &options->shares, err) < 0)
		return -1;
	if (eqt_sshare_find(&shares, options->name, strlen(options->name), 0) ==
	    EQT_TREE_NONE)
		rc = eqt_error_set(err, "%s: no \"%s\"", shares.table.text.name,
				   options->name);
	else
		rc = recover_read_rates(&basis, options, err);
	if (rc == 0)
		times_print_all(&basis, options);
	free(basis.rates);
	eqt_sshare_free(&shares);
	return rc;
}

int cmd_recover(int argc, char **argv)
{
	static const struct eqt_options_spec line = {
		.table = options_table,
		.common_at = offsetof(struct recover_options, common),
		.csv = true,
		.words = "USER|ACCOUNT",
		.doc = "Print when a user or account that runs nothing has a "
		       "Level FS of 1 again, having used exactly its share.",
		.word_at = offsetof(struct recover_options, name),
		.check = recover_check_name,
	};
	struct recover_options options = { .name = NULL };
	struct eqt_error err;

	eqt_options_parse(&line, argc, argv, &options);
	return eqt_print_status("recover", recover_run(&options, &err), &err);
}
