/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks the files that load the plugins, and the keys that the plugins need. */
#define _GNU_SOURCE /* for strcasestr() */
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/text.h"
#include "base/whole.h"
#include "check/check.h"
#include "base/amount.h"
#include "slurm/conf/site_conf.h"

/* ---- Unmodelled ---------------------------------------------------------------------
 * No price counts GRES without a bundle, nor some options of slurm.conf that change
 * allocations. */

#define NAMES_MAX 16 /* further names are not reported */

/* The names of GRES that were reported. */
struct reported {
	char names[NAMES_MAX][EQT_NAME_SIZE];
	size_t count;
};

/* Was the GRES reported before? If not, remember it, so that each GRES is reported
 * once. */
static bool reported_before(struct reported *reported, const char *name)
{
	for (size_t i = 0; i < reported->count; i++) {
		if (strcmp(reported->names[i], name) == 0)
			return true;
	}
	if (reported->count == NAMES_MAX)
		return true;
	(void) snprintf(reported->names[reported->count++], EQT_NAME_SIZE, "%s",
			name);
	return false;
}

/* The GPUs of a node, and its shares of GPUs such as gres/mps. */
struct shared_gpus {
	uint64_t gpus, shares;
	const struct eqt_bundle *bundle; /* bundle of the GPUs; NULL: none */
};

/* Count the GPUs of a node's Gres= and their shares. The bundle is that of the last
 * model. */
static struct shared_gpus unmodelled_shares(const struct eqt_check *check,
					    const char *list, const char *share)
{
	const struct eqt_bundle_table *prices = &check->conf->prices;
	struct shared_gpus out = { .gpus = 0 };
	struct eqt_gres gres;

	while (eqt_gres_next(&gres, &list, NULL) > 0) {
		const int model =
			eqt_bundle_table_find(prices, gres.name, gres.type);

		if (strcmp(gres.name, share) == 0)
			out.shares = gres.count;
		if (strcmp(gres.name, "gpu") != 0 || model < 0)
			continue;
		out.gpus += gres.count;
		out.bundle = &prices->gpu[model];
	}
	return out;
}

/* Write a bundle for a share, which the site can copy. It is the share's part of the
 * bundle of the whole GPU. */
static void unmodelled_share_text(char *text, size_t size,
				  const struct shared_gpus *shared,
				  const char *share)
{
	const struct eqt_bundle *gpu = shared->bundle;
	const double part = shared->shares ? (double) shared->gpus /
						     (double) shared->shares /
						     (double) EQT_MICRO
					   : 0;
	char memory[48] = "";

	text[0] = '\0';
	if (!gpu || part == 0)
		return;
	if (gpu->mem_mib_u > 0)
		(void) snprintf(memory, sizeof(memory), "  memory = %.0fM",
				part * (double) gpu->mem_mib_u);
	(void) snprintf(
		text, size,
		"; its part is bundle \"%s\" { cores = %.6g%s  weight = %.6g }",
		share, part * (double) gpu->cores_u, memory,
		part * (double) gpu->weight_u);
}

static void unmodelled_find_gres(struct eqt_check *check,
				 const struct eqt_slurmconf_line *line,
				 const char *list, const char *name)
{
	const struct shared_gpus shared = unmodelled_shares(check, list, name);
	char text[EQT_NAME_SIZE + 128];

	unmodelled_share_text(text, sizeof(text), &shared, name);
	if (eqt_gres_is_share(name))
		eqt_check_warn_line(check, line,
				    "no bundle prices %s: a job with a part of "
				    "a GPU keeps the GPU from others for the "
				    "price of its cores and memory%s",
				    name, text);
	else
		eqt_check_warn_line(
			check, line,
			"no bundle prices %s: jobs have it for nothing", name);
}

/* Check a line's GRES except GPUs, which have a check of their own. */
static void unmodelled_check_gres(struct eqt_check *check,
				  const struct eqt_slurmconf_line *line,
				  struct reported *reported)
{
	const char *const all = eqt_slurm_conf_line_get(line, "Gres");
	const char *list = all;
	struct eqt_gres gres;

	while (list && eqt_gres_next(&gres, &list, NULL) > 0) {
		if (strcmp(gres.name, "gpu") != 0 &&
		    !eqt_check_has_gres(check, gres.name) &&
		    !eqt_bundle_table_is_disk(&check->conf->prices,
					      gres.name) &&
		    !reported_before(reported, gres.name))
			unmodelled_find_gres(check, line, all, gres.name);
	}
}

/* GRES are read from NodeName lines, because a GRES that is only in GresTypes is on no
 * node. */
static void check_gres_unpriced(struct eqt_check *check)
{
	struct reported reported = { .count = 0 };

	for (size_t i = 0; i < check->slurm.count; i++) {
		const struct eqt_slurmconf_line *line = &check->slurm.lines[i];

		if (eqt_slurm_conf_line_is(line, "NodeName"))
			unmodelled_check_gres(check, line, &reported);
	}
}

/* An option of slurm.conf: a key, and the beginning of a word in the key's value. */
struct unmodelled {
	const char *key, *word;
	const char *why; /* the option's effect on jobs and prices */
};

/* Does a list separated by commas, semicolons or pluses have a word that begins with this
 * word? A number may follow. */
static bool value_has_word(const char *value, const char *word)
{
	const size_t length = strlen(word);

	for (; *value != '\0';
	     value += strcspn(value, ",;+"), value += *value != '\0') {
		if (strncasecmp(value, word, length) == 0)
			return true;
	}
	return false;
}

static void unmodelled_check_option(struct eqt_check *check,
				    const struct eqt_slurmconf_line *line,
				    const struct unmodelled *option)
{
	const char *value = eqt_slurm_conf_line_get(line, option->key);

	if (value && value_has_word(value, option->word))
		eqt_check_warn_line(check, line, "%s=%s: %s", option->key,
				    value, option->why);
}

/* A site may use these options, but prices do not include their effect. */
static void check_option_unmodelled(struct eqt_check *check)
{
	static const struct unmodelled options[] = {
		{ "SelectTypeParameters", "CR_Board",
		  "jobs get whole boards and are charged for them, but the "
		  "price at submission is that of their cores" },
		{ "PreemptMode", "GANG",
		  "jobs take turns on a core, and each is charged for it" },
		{ "OverSubscribe", "FORCE",
		  "jobs share a core, and each is charged for it" },
		{ "OverSubscribe", "YES",
		  "jobs that ask for it share a core, and each is charged for "
		  "it" },
		{ "ExclusiveUser", "YES",
		  "jobs keep other users off their nodes, and no price counts "
		  "that" },
		{ "MCSParameters", "enforced",
		  "jobs keep others off their nodes, and no price counts "
		  "that" },
	};

	for (size_t i = 0; i < check->slurm.count; i++) {
		for (size_t k = 0; k < sizeof(options) / sizeof(options[0]);
		     k++)
			unmodelled_check_option(check, &check->slurm.lines[i],
						&options[k]);
	}
}

/* The largest number of CPUs per core on any node. */
static uint64_t unmodelled_threads(const struct eqt_check *check)
{
	const struct eqt_cluster *cluster = &check->cluster;
	uint64_t most = 1;

	for (size_t i = 0; i < cluster->count; i++)
		most = eqt_whole_max(most,
				     eqt_cluster_conf_node_threads(
					     cluster, &cluster->nodes[i]));
	return most;
}

/* If MaxMemPerCPU is below the memory of the bundle of cores, Slurm adds CPUs to a job,
 * and these cost more than the job's memory. */
static void check_memory_adds_cores(struct eqt_check *check)
{
	const struct eqt_bundle *cores = &check->conf->prices.cores;
	const uint64_t threads = unmodelled_threads(check);
	const double each = (double) cores->mem_mib_u / (double) cores->cores_u;
	uint64_t limit;

	/* Cores and memory are not compared if they have separate terms, or if cores have
	 * no price. */
	if (cores->cores_u == 0 ||
	    (cores->terms &&
	     (cores->terms->apart & EQT_APART(EQT_CORES, EQT_MEMORY))))
		return;
	for (size_t i = 0; i < check->slurm.count; i++) {
		const struct eqt_slurmconf_line *line = &check->slurm.lines[i];
		const char *value =
			eqt_slurm_conf_line_get(line, "MaxMemPerCPU");

		if (!value ||
		    eqt_amount_count(&limit, value, strlen(value)) < 0 ||
		    limit == 0 || (double) (limit * threads) >= each)
			continue;
		eqt_check_warn_line(check, line,
				    "MaxMemPerCPU=%s: Slurm adds CPUs to jobs "
				    "with more memory, so %.6gM cost %.6g "
				    "times what the bundle of cores says; from "
				    "MaxMemPerCPU=%.0f on they cost the same",
				    value, each,
				    each / (double) (limit * threads),
				    each / (double) threads + 0.499999);
	}
}

const struct eqt_check_row eqt_checks_unmodelled[] = {
	{ "gres-unpriced", EQT_NEEDS_SLURM, check_gres_unpriced },
	{ "option-unmodelled", EQT_NEEDS_SLURM, check_option_unmodelled },
	{ "memory-adds-cores", EQT_NEEDS_SLURM, check_memory_adds_cores },
	{ NULL, 0, NULL }
};

/* ---- Setup ---------------------------------------------------------------- */

/* sshare runs with the rights of its caller. If it cannot read the file, it prints no
 * shares. */
static void check_mode(struct eqt_check *check)
{
	struct stat status;

	if (stat(check->conf_path, &status) == 0 && !(status.st_mode & S_IROTH))
		eqt_check_warn_conf(
			check, NULL, NULL, NULL,
			"not readable for all, but sshare loads the priority "
			"plugin, which reads it for every user");
}

static void check_priority_type(struct eqt_check *check)
{
	const char *value = eqt_check_value(check, "PriorityType", "");
	bool ours = strcasecmp(value, "priority/equitree") == 0;

	if (!ours && !check->before)
		eqt_check_fail_key(
			check, "PriorityType",
			"PriorityType is not priority/equitree: nothing is "
			"charged or ranked by equitree.conf (--before checks "
			"for a cluster that is not migrated yet)");
	if (ours && check->before)
		eqt_check_warn_key(check, "PriorityType",
				   "PriorityType is priority/equitree already: "
				   "check without --before");
}

/* The price at submission is right only if jobs are charged by bundles. */
static void check_job_submit(struct eqt_check *check)
{
	const char *value = eqt_check_value(check, "JobSubmitPlugins", "");
	bool has = eqt_text_list_has(value, "equitree") ||
		   eqt_text_list_has(value, "job_submit/equitree");
	bool charged = !check->before && !check->params.stock.billing;

	if (charged && !has)
		eqt_check_fail_key(check, "JobSubmitPlugins",
				   "JobSubmitPlugins has no equitree: users "
				   "see no price, and no rule is enforced");
	if (!charged && has)
		eqt_check_warn_key(check, "JobSubmitPlugins",
				   "JobSubmitPlugins has equitree, but jobs "
				   "are charged Slurm's own billing%s: users "
				   "see a price that they do not pay",
				   check->before ? "" : " (stock_billing)");
}

/* The largest depth of files that include each other. */
#define INCLUDES_MAX 8

static bool plugstack_loads(const char *path, unsigned int depth);

/* Read "include PATTERN", which is relative to the folder of the file that has it. */
static bool plugstack_include(const char *path, const char *pattern,
			      unsigned int depth)
{
	char full[PATH_MAX];
	bool loads = false;
	glob_t files;

	if (*pattern != '/')
		pattern = eqt_site_conf_beside(full, path, pattern);
	if (glob(pattern, 0, NULL, &files) != 0)
		return false;
	for (size_t i = 0; i < files.gl_pathc && !loads; i++)
		loads = plugstack_loads(files.gl_pathv[i], depth + 1);
	globfree(&files);
	return loads;
}

/* Does the file, or a file that it includes, load the plugin? Comments do not count. */
static bool plugstack_loads(const char *path, unsigned int depth)
{
	FILE *stream = depth < INCLUDES_MAX ? fopen(path, "r") : NULL;
	char *line = NULL, *saved, *word;
	bool loads = false;
	size_t size = 0;

	if (!stream)
		return false;
	while (!loads && getline(&line, &size, stream) >= 0) {
		line[strcspn(line, "#")] = '\0';
		loads = strstr(line, "spank_equitree") != NULL;
		word = strtok_r(line, " \t\n", &saved);
		if (!loads && word && strcmp(word, "include") == 0) {
			word = strtok_r(NULL, " \t\n", &saved);
			loads = word && plugstack_include(path, word, depth);
		}
	}
	free(line);
	(void) fclose(stream);
	return loads;
}

/* Without the key PlugStackConfig Slurm reads plugstack.conf in the folder of
 * slurm.conf. */
static void check_plugstack(struct eqt_check *check)
{
	const char *path = eqt_check_value(check, "PlugStackConfig", NULL);
	char beside[PATH_MAX];
	struct eqt_check_where where =
		eqt_check_where_key(check, "PlugStackConfig");

	/* In these cases jobs are not charged a price of equitree. */
	if (check->before || check->params.stock.billing)
		return;
	if (!path)
		path = eqt_site_conf_beside(beside, check->slurm_path,
					    "plugstack.conf");
	if (!plugstack_loads(path, 0))
		eqt_check_find(
			check, EQT_CHECK_WARNING, where,
			"plugstack.conf does not load spank_equitree.so: jobs "
			"have no option --bill and no EQUITREE_PRICE, and with "
			"message = auto users see no price");
}

/* Slurm accepts the value with or without "accounting_storage/". */
static void check_storage(struct eqt_check *check)
{
	const char *value =
		eqt_check_value(check, "AccountingStorageType", "none");

	if (!strstr(value, "slurmdbd"))
		eqt_check_fail_key(
			check, "AccountingStorageType",
			"without accounting_storage/slurmdbd there are no "
			"associations, hence no shares and no usage");
}

/* The value is a list of words, each of which implies associations. In old files it is a
 * number whose bits mean the words. */
static void check_enforce(struct eqt_check *check)
{
	static const char *const enough[] = { "associations", "limits", "qos",
					      "safe",	      "wckeys", "all" };
	const char *key = "AccountingStorageEnforce";
	const char *value = eqt_check_value(check, key, "");
	/* as in slurm.h, 1 means associations and 2 means limits */
	uint64_t number = strtoull(value, NULL, 10);

	for (size_t i = 0; i < sizeof(enough) / sizeof(enough[0]); i++) {
		if (eqt_text_list_has(value, enough[i]))
			number = 1;
	}
	if (number == 0)
		eqt_check_warn_key(
			check, key,
			"%s has no associations: jobs of unknown accounts run, "
			"and nobody is charged for them",
			key);
	else if (!eqt_text_list_has(value, "limits") &&
		 !eqt_text_list_has(value, "safe") &&
		 !eqt_text_list_has(value, "all") && !(number & 2))
		eqt_check_warn_key(
			check, key,
			"%s has no limits: GrpTRESMins=billing and all other "
			"limits are counted but not enforced, and of a job "
			"that begins and is requeued within five seconds "
			"nothing is charged",
			key);
}

/* Memory that Slurm does not allocate cannot be charged. */
static void check_select(struct eqt_check *check)
{
	const char *parameters =
		eqt_check_value(check, "SelectTypeParameters", NULL);
	const struct eqt_bundle_table *prices = &check->conf->prices;
	bool memory = prices->cores.mem_mib_u > 0;

	for (uint32_t i = 0; i < prices->gpu_count; i++)
		memory = memory || prices->gpu[i].mem_mib_u > 0;
	/* Without these keys the default depends on the release. */
	if (memory && parameters && !strcasestr(parameters, "memory"))
		eqt_check_warn_key(
			check, "SelectTypeParameters",
			"memory is priced, but without CR_Core_Memory or the "
			"like Slurm allocates none: jobs cost what their cores "
			"cost, whatever --mem says");
	if (prices->gpu_count > 0 &&
	    !strstr(eqt_check_value(check, "SelectType", "cons_tres"),
		    "cons_tres"))
		eqt_check_warn_key(check, "SelectType",
				   "GPUs are priced, but only select/cons_tres "
				   "accepts --gpus and the like");
}

/* slurmctld adds up the joules of steps. Only the extern step includes the batch script,
 * and these words make Slurm create an extern step. */
static void check_energy(struct eqt_check *check)
{
	static const char *const contain[] = { "contain", "x11", "runinjob" };
	const char *type = eqt_check_value(check, "AcctGatherEnergyType", "");
	const char *flags = eqt_check_value(check, "PrologFlags", "");
	bool has = false;

	if (check->conf->carbon_intensity_u == 0 &&
	    check->conf->carbon_intensity_file[0] == '\0')
		return;
	for (size_t i = 0; i < sizeof(contain) / sizeof(contain[0]); i++)
		has = has || eqt_text_list_has(flags, contain[i]);
	if (type[0] == '\0' || strcasestr(type, "none"))
		eqt_check_warn_key(
			check, "AcctGatherEnergyType",
			"equitree.conf has a carbon intensity, but without "
			"AcctGatherEnergyType Slurm records no energy");
	else if (!has)
		eqt_check_warn_key(check, "PrologFlags",
				   "without PrologFlags=Contain the energy of "
				   "a job lacks what its batch script used");
}

/* If a key occurs twice, the last line counts. A reader sees the first, and Slurm does
 * not warn. */
static void check_twice(struct eqt_check *check)
{
	static const char *const keys[] = {
		"PriorityType",
		"PriorityFlags",
		"PriorityParameters",
		"PriorityDecayHalfLife",
		"PriorityUsageResetPeriod",
		"PriorityWeightAge",
		"PriorityWeightFairShare",
		"PriorityWeightQOS",
		"PriorityWeightPartition",
		"PriorityWeightJobSize",
		"PriorityWeightTRES",
		"PriorityWeightAssoc",
		"JobSubmitPlugins",
		"AccountingStorageTRES",
		"AccountingStorageEnforce",
		"SelectTypeParameters",
		"PriorityCalcPeriod",
		"GresTypes",
	};
	const struct eqt_slurmconf_line *line;

	for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
		(void) eqt_slurm_conf_get(&check->slurm, keys[k], &line);
		for (size_t i = 0; line && &check->slurm.lines[i] != line;
		     i++) {
			if (strcasecmp(check->slurm.lines[i].pairs[0].key,
				       keys[k]) == 0)
				eqt_check_warn_line(
					check, &check->slurm.lines[i],
					"duplicate key %s: %s:%u is in force",
					keys[k], line->file, line->number);
		}
	}
}

const struct eqt_check_row eqt_checks_setup[] = {
	{ "conf-mode", 0, check_mode },
	{ "priority-type", EQT_NEEDS_SLURM, check_priority_type },
	{ "job-submit", EQT_NEEDS_SLURM, check_job_submit },
	{ "plugstack", EQT_NEEDS_SLURM, check_plugstack },
	{ "storage", EQT_NEEDS_SLURM, check_storage },
	{ "enforce", EQT_NEEDS_SLURM, check_enforce },
	{ "select", EQT_NEEDS_SLURM, check_select },
	{ "energy", EQT_NEEDS_SLURM, check_energy },
	{ "key-twice", EQT_NEEDS_SLURM, check_twice },
	{ NULL, 0, NULL }
};
