/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree init: writes a first equitree.conf from slurm.conf. No running Slurm is asked,
 * so a site may use it before the plugins are installed. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/alloc.h"
#include "cli/atomic_file.h"
#include "cli/cmd.h"
#include "cli/print.h"
#include "cli/remote.h"
#include "cli/options.h"
#include "init/init.h"
#include "slurm/conf/site_conf.h"

struct init_options {
	const char *slurm, *assocs, *output;
	bool weights;
	struct eqt_output_options common;
};

static const struct eqt_option options_table[] = {
	{ "slurm-conf", 0, "FILE",
	  "the slurm.conf to read, instead of $SLURM_CONF "
	  "or " EQT_SLURM_CONF,
	  0, EQT_TEXT_AT(struct init_options, slurm) },
	{ "assocs", 0, "FILE",
	  "find pools of accounts, too: what \"sacctmgr -P show assoc\" or "
	  "\"sshare -alP\" printed (-: stdin)",
	  0, EQT_TEXT_AT(struct init_options, assocs) },
	{ "weights", 0, NULL,
	  "prices as TRESBillingWeights of slurm.conf make them", 0,
	  EQT_FLAG_AT(struct init_options, weights) },
	{ "output", 'o', "FILE",
	  "write to this file, which must not exist, instead of stdout", 0,
	  EQT_TEXT_AT(struct init_options, output) },
	{ 0 }
};

/* --json excludes a file name, because the shell can redirect stdout to a file. */
static int init_check_options(void *with, struct eqt_error *err)
{
	const struct init_options *options = with;

	if (options->output && options->common.json)
		return eqt_error_set(err, "--output writes no JSON");
	if (eqt_remote_chosen() && !options->slurm)
		return eqt_error_set(err, "--clusters needs --slurm-conf, the "
					  "file of that cluster");
	return 0;
}

static int init_read_accounts(struct eqt_columns *accounts, const char *path,
			      struct eqt_error *err)
{
	if (eqt_columns_read(accounts, EQT_COLUMNS_BARS, path, "", err) < 0 ||
	    eqt_columns_find(accounts, "Account", err) == EQT_COLUMNS_NONE)
		return -1;
	return 0;
}

/* Write the file, unless it exists, because the site may have edited an existing
 * equitree.conf. */
static int init_write(const struct eqt_init_plan *plan, const char *slurm,
		      const char *path, struct eqt_error *err)
{
	char *text = NULL;
	size_t length;
	FILE *to;
	int rc;

	if (access(path, F_OK) == 0)
		return eqt_error_set(err, "%s exists", path);
	to = eqt_alloc_stream(&text, &length);
	eqt_init_print(to, plan, slurm);
	eqt_alloc_stream_close(to);
	rc = eqt_atomic_file_write(path, text, length, err);
	free(text);
	return rc;
}

static int init_output(const struct init_options *options, const char *slurm,
		       const struct eqt_init_plan *plan, struct eqt_error *err)
{
	if (options->output)
		return init_write(plan, slurm, options->output, err);
	if (options->common.json)
		eqt_init_print_json(plan);
	else
		eqt_init_print(stdout, plan, slurm);
	return 0;
}

static int init_run(const struct init_options *options, const char *path,
		    struct eqt_error *err)
{
	struct eqt_columns accounts = { .columns = 0 };
	struct eqt_slurmconf slurm = { .count = 0 };
	struct eqt_cluster cluster = { .count = 0 };
	struct eqt_init_plan plan = { .count = 0 };
	int rc = eqt_slurm_conf_read(&slurm, path, err);

	if (rc == 0)
		rc = eqt_cluster_conf_read(&cluster, &slurm, err);
	if (rc == 0 && options->assocs)
		rc = init_read_accounts(&accounts, options->assocs, err);
	if (rc == 0)
		rc = eqt_init_plan_make(&plan, &cluster,
					options->assocs ? &accounts : NULL,
					err);
	if (rc == 0 && options->weights)
		rc = eqt_init_weights_plan(&plan, &cluster, err);
	if (rc == 0)
		rc = init_output(options, path, &plan, err);
	eqt_init_plan_free(&plan);
	eqt_columns_free(&accounts);
	eqt_cluster_conf_free(&cluster);
	eqt_slurm_conf_free(&slurm);
	return rc;
}

int cmd_init(int argc, char **argv)
{
	static const struct eqt_options_spec line = {
		.table = options_table,
		.common_at = offsetof(struct init_options, common),
		.doc = "Write a first equitree.conf: bundles from the nodes of "
		       "slurm.conf, rules for partitions with other nodes, "
		       "pools from the names of accounts.",
		.check = init_check_options,
	};
	struct init_options options = { .slurm = NULL };
	struct eqt_error err;

	eqt_options_parse(&line, argc, argv, &options);
	if (!options.slurm || !options.slurm[0])
		options.slurm = eqt_site_conf_slurm();
	return eqt_print_status("init", init_run(&options, options.slurm, &err),
				&err);
}
