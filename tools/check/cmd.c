/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree check: reads equitree.conf together with Slurm's files. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/check.h"
#include "cli/remote.h"
#include "cli/cmd.h"
#include "cli/options.h"
#include "cli/json.h"
#include "cli/print.h"
#include "cli/colour.h"
#include "slurm/conf/cluster.h"
#include "slurm/conf/site_conf.h"

struct check_options {
	const char *conf, *slurm, *gres, *assocs, *budgets;
	bool show, before, selftest;
	struct eqt_output_options common;
};

/* The text of --show has no JSON form. --selftest checks the files of the running
 * cluster, so it takes no files. */
static int check_validate_options(void *into, struct eqt_error *err)
{
	const struct check_options *options = into;

	if (options->show && options->common.json)
		return eqt_error_set(err, "--show prints no JSON");
	if (options->selftest && (options->show || options->before ||
				  options->conf || options->slurm))
		return eqt_error_set(err, "--selftest excludes --show, "
					  "--before, --file and --slurm-conf");
	return 0;
}

static const struct eqt_option options_table[] = {
	EQT_SITE_CONF_OPTION(struct check_options, conf, 0),
	{ "slurm-conf", 0, "FILE",
	  "the slurm.conf to read, instead of $SLURM_CONF "
	  "or " EQT_SLURM_CONF,
	  0, EQT_TEXT_AT(struct check_options, slurm) },
	{ "gres-conf", 0, "FILE",
	  "the gres.conf to read, instead of the one beside slurm.conf", 0,
	  EQT_TEXT_AT(struct check_options, gres) },
	{ "assocs", 0, "FILE",
	  "check accounts and QOS, too: what \"sacctmgr -P show assoc\" or "
	  "\"sshare -alP\" printed",
	  0, EQT_TEXT_AT(struct check_options, assocs) },
	{ "budgets", 0, "FILE",
	  "the journal of budgets to read, instead of equitree_budgets in "
	  "StateSaveLocation",
	  0, EQT_TEXT_AT(struct check_options, budgets) },
	{ "show", 0, NULL,
	  "print the meaning of equitree.conf, and the matching "
	  "TRESBillingWeights",
	  0, EQT_FLAG_AT(struct check_options, show) },
	{ "before", 0, NULL,
	  "check for a cluster that still has Slurm's own priority plugin", 0,
	  EQT_FLAG_AT(struct check_options, before) },
	{ "selftest", 0, NULL,
	  "after an installation: check rights of files, versions of plugins, "
	  "a test of a job in each partition, and the proof of usage, too",
	  0, EQT_FLAG_AT(struct check_options, selftest) },
	{ 0 }
};

static const struct eqt_check_row *const tables[] = {
	eqt_checks_setup,   eqt_checks_priority,  eqt_checks_gres,
	eqt_checks_billing, eqt_checks_names,	  eqt_checks_nodes,
	eqt_checks_grants,  eqt_checks_migration, eqt_checks_unmodelled,
	eqt_checks_budgets, eqt_checks_selftest,
};

#define TABLES (sizeof(tables) / sizeof(tables[0]))

/* A check does not run if one of its files could not be read, because the error in that
 * file is a finding already. */
static void check_run_tables(struct eqt_check *check)
{
	for (size_t i = 0; i < TABLES; i++) {
		for (const struct eqt_check_row *row = tables[i]; row->name;
		     row++) {
			check->running = row->name;
			if ((row->needs & check->have) == row->needs)
				row->run(check);
		}
	}
}

/* ---- Findings ------------------------------------------------------------- */

static const struct {
	const char *name;
	enum eqt_colour colour;
} levels[EQT_CHECK_LEVELS] = {
	[EQT_CHECK_ERROR] = { "error", EQT_COLOUR_BAD },
	[EQT_CHECK_WARNING] = { "warning", EQT_COLOUR_DOUBTFUL },
	[EQT_CHECK_NOTE] = { "note", EQT_COLOUR_BOLD },
};

/* The place is FILE:LINE, in the form that compilers use, so that editors can jump to
 * it. */
static void finding_print(const struct eqt_check_finding *finding)
{
	const char *none = eqt_colour(EQT_COLOUR_NONE);
	char number[16] = "";

	if (finding->where.line)
		(void) snprintf(number, sizeof(number), ":%u",
				finding->where.line);
	eqt_print_line("%s%s%s:%s %s%s:%s %s [%s]", eqt_colour(EQT_COLOUR_BOLD),
		       finding->where.file, number, none,
		       eqt_colour(levels[finding->level].colour),
		       levels[finding->level].name, none, finding->text,
		       finding->check);
}

/* "line" is null for a finding about a whole file. */
static json_object *finding_json(const struct eqt_check_finding *finding)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "file", finding->where.file);
	eqt_json_add(object, "line",
		     finding->where.line
			     ? json_object_new_int64(finding->where.line)
			     : NULL);
	eqt_json_add(object, "level", levels[finding->level].name);
	eqt_json_add(object, "check", finding->check);
	eqt_json_add(object, "text", finding->text);
	return object;
}

/* Print all findings. Returns the exit status, which is 1 if there are any. */
static int findings_print(const struct eqt_check *check, bool json)
{
	json_object *array = json ? json_object_new_array() : NULL;

	for (size_t i = 0; i < check->count; i++) {
		if (json)
			eqt_json_append(array,
					finding_json(&check->findings[i]));
		else
			finding_print(&check->findings[i]);
	}
	if (json)
		eqt_json_print(array);
	return check->count ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* ---- Reading -------------------------------------------------------------- */

/* Turn an error of a reader, "FILE[:LINE]: why", into a finding. FILE is the file at
 * path, or a file that it includes. */
static void check_add_read_error(struct eqt_check *check, const char *name,
				 const char *path, const char *text)
{
	struct eqt_check_where where = { path, 0 };
	size_t length = strlen(path);
	const char *rest = strstr(text, ": ");

	check->running = name;
	if (strncmp(text, path, length) != 0 &&
	    sscanf(text, "%4095[^:]:%u: ", check->included, &where.line) == 2) {
		where.file = check->included;
		text = rest + 2;
	} else if (strncmp(text, path, length) == 0) {
		(void) sscanf(text + length, ":%u: ", &where.line);
		rest = strstr(text + length, ": ");
		text = rest ? rest + 2 : text;
	}
	eqt_check_find(check, EQT_CHECK_ERROR, where, "%s", text);
}

/* Read equitree.conf from the file. If no file is named and this host has none, ask
 * slurmctld for it. slurmctld's answer has no places. */
static void check_read_conf(struct eqt_check *check, bool named)
{
	struct eqt_error err;

	if (!named && eqt_site_conf_is_away()) {
		check->conf = eqt_site_conf_ask(&err);
		if (check->conf) {
			check->conf_path = "equitree.conf of slurmctld";
			fputs("equitree check: there is no equitree.conf here: "
			      "this is slurmctld's\n",
			      stderr);
			return;
		}
	}
	check->conf = eqt_conf_read(check->conf_path, &err);
	if (check->conf)
		eqt_places_read(&check->places, check->conf_path);
	else
		check_add_read_error(check, "equitree.conf", check->conf_path,
				     err.text);
}

/* A host without slurmctld may have no slurm.conf, but a file that is named must
 * exist. */
static void check_read_slurm(struct eqt_check *check, bool named)
{
	struct eqt_error err;

	if (!named && eqt_remote_chosen()) {
		fprintf(stderr,
			"equitree check: no slurm.conf of %s: checking "
			"equitree.conf alone\n",
			eqt_remote_chosen());
		return;
	}
	if (!named && access(check->slurm_path, F_OK) != 0) {
		fprintf(stderr,
			"equitree check: no %s: checking equitree.conf alone\n",
			check->slurm_path);
		return;
	}
	if (eqt_slurm_conf_read(&check->slurm, check->slurm_path, &err) < 0 ||
	    eqt_cluster_conf_read(&check->cluster, &check->slurm, &err) < 0)
		check_add_read_error(check, "slurm.conf", check->slurm_path,
				     err.text);
	else
		check->have |= EQT_NEEDS_SLURM;
}

/* Invalid parameters are reported by a check of their own. Here they count as none. */
static void check_read_params(struct eqt_check *check)
{
	struct eqt_params params;

	if (eqt_params_parse(&params,
			     eqt_check_value(check, "PriorityParameters", ""),
			     NULL) == 0)
		check->params = params;
}

/* Read gres.conf from the folder of slurm.conf, unless another file is named. */
static void check_read_gres(struct eqt_check *check, bool named)
{
	struct eqt_error err;

	/* A site without GPUs has no gres.conf. */
	if (!named &&
	    (eqt_remote_chosen() || access(check->gres_path, F_OK) != 0))
		return;
	if (eqt_slurm_conf_read(&check->gres, check->gres_path, &err) < 0)
		check_add_read_error(check, "gres.conf", check->gres_path,
				     err.text);
	else
		check->have |= EQT_NEEDS_GRES;
}

/* sacctmgr and sshare print these two columns in a different order. */
static int check_read_assocs(struct eqt_check *check, struct eqt_error *err)
{
	if (eqt_columns_read(&check->assocs, EQT_COLUMNS_BARS,
			     check->assocs_path, "", err) < 0 ||
	    eqt_columns_find(&check->assocs, "Account", err) ==
		    EQT_COLUMNS_NONE ||
	    eqt_columns_find(&check->assocs, "User", err) == EQT_COLUMNS_NONE)
		return -1;
	check->have |= EQT_NEEDS_ASSOCS;
	return 0;
}

/* A site without budgets has no journal of budgets, and only SlurmUser may read
 * StateSaveLocation. A missing journal is therefore an error only if a file was named. */
static int check_read_budgets(struct eqt_check *check, const char *named,
			      struct eqt_error *err)
{
	check->budgets_path = named;
	if (!named) {
		(void) snprintf(check->state_path, sizeof(check->state_path),
				"%s/equitree_budgets",
				eqt_check_value(check, "StateSaveLocation",
						"/var/spool"));
		if (access(check->state_path, R_OK) != 0)
			return 0;
		check->budgets_path = check->state_path;
	}
	if (eqt_balances_read_journal(&check->budgets, check->budgets_path,
				      err) < 0)
		return -1;
	check->have |= EQT_NEEDS_BUDGETS;
	return 0;
}

/* Without slurmctld there is no cluster to test. */
static int check_read_live(struct eqt_check *check, struct eqt_error *err)
{
	if (eqt_cluster_config_read(&check->live, NULL, err) < 0)
		return -1;
	check->have |= EQT_NEEDS_LIVE;
	return 0;
}

/* Names are borrowed from the options and from the environment, so they are not freed. */
static void check_free(struct eqt_check *check)
{
	eqt_slurm_conf_free(&check->live);
	for (size_t i = 0; i < check->count; i++)
		free(check->findings[i].text);
	free(check->findings);
	eqt_balances_free(&check->budgets);
	eqt_columns_free(&check->assocs);
	eqt_cluster_conf_free(&check->cluster);
	eqt_slurm_conf_free(&check->gres);
	eqt_slurm_conf_free(&check->slurm);
	eqt_places_free(&check->places);
	eqt_conf_free(check->conf);
}

/* If a named file of accounts or budgets cannot be read, the command fails. That is no
 * finding. */
static int check_run(struct eqt_check *check,
		     const struct check_options *options)
{
	struct eqt_error err;

	check_read_conf(check, options->conf || options->slurm);
	check_read_slurm(check, options->slurm != NULL);
	if (!options->before)
		check_read_params(check);
	check_read_gres(check, options->gres != NULL);
	if ((check->assocs_path && check_read_assocs(check, &err) < 0) ||
	    (!options->before &&
	     check_read_budgets(check, options->budgets, &err) < 0) ||
	    (options->selftest && check_read_live(check, &err) < 0))
		return eqt_print_failure("check", &err);
	if (check->conf)
		check_run_tables(check);
	if (options->show && check->conf)
		eqt_check_show(check, !options->common.no_headings);
	if (options->show && check->conf && check->count)
		putchar('\n');
	if (options->selftest && !options->common.json && !check->count)
		puts("nothing found: files, rights, versions, a job in each "
		     "partition, the proof of usage");
	return findings_print(check, options->common.json);
}

int cmd_check(int argc, char **argv)
{
	static const struct eqt_options_spec line = {
		.table = options_table,
		.common_at = offsetof(struct check_options, common),
		.doc = "Read equitree.conf and Slurm's own files together, and "
		       "report what is wrong or unwise in them.\vPrints "
		       "nothing if nothing is found. The exit status is then "
		       "0; it is 1 if something is found, and 2 for invalid "
		       "options.",
		.check = check_validate_options,
	};
	struct check_options options = { .conf = NULL };
	char conf_path[PATH_MAX], gres_path[PATH_MAX];
	struct eqt_check check = { .count = 0 };
	const char *slurm = getenv("SLURM_CONF");
	int status;

	eqt_options_parse(&line, argc, argv, &options);
	if (options.slurm)
		slurm = options.slurm;
	check.slurm_path = slurm && slurm[0] ? slurm : eqt_site_conf_slurm();
	check.conf_path = options.conf ? options.conf
				       : eqt_site_conf_beside(conf_path,
							      check.slurm_path,
							      "equitree.conf");
	check.gres_path = options.gres ? options.gres
				       : eqt_site_conf_beside(gres_path,
							      check.slurm_path,
							      "gres.conf");
	check.assocs_path = options.assocs;
	check.before = options.before;
	check.here = !slurm || !slurm[0];
	status = check_run(&check, &options);
	check_free(&check);
	return status;
}
