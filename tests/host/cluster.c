/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../compat/stand_in.h"
#include "assocs.h"
#include "cluster.h"
#include "fail.h"
#include "touch.h"

#define LINES_MAX 128
#define PARTITIONS_MAX 256
#define FIRST_OWN_TRES 1001

/* The variables that slurmctld defines and a plugin reads. */
void *acct_db_conn;
uint32_t slurm_daemon = EQT_IS_SLURMCTLD;
uint32_t cluster_cpus = 1;
list_t *job_list;
list_t *part_list;
time_t last_job_update;
time_t last_part_update;
int slurmctld_tres_cnt;
uint16_t accounting_enforce;
slurmdb_federation_rec_t *fed_mgr_fed_rec;
slurmctld_config_t slurmctld_config;
uint16_t running_cache = RUNNING_CACHE_STATE_RUNNING;

/* This slurmctld saves its jobs when a history says so. */
void schedule_job_save(void)
{
}

/* Its scheduler runs when a history says so, too. */
void queue_job_scheduler(void)
{
}

static struct {
	const char *folder;
	char *conf[LINES_MAX]; /* KEY=VALUE each */
	int conf_count;
	char *prices; /* equitree.conf */
	char *tres[LINES_MAX];
	uint32_t tres_id[LINES_MAX];
	int tres_count;
	uint64_t *totals;
	part_record_t *partition[PARTITIONS_MAX];
	int partition_count;
	bool ready;
} cluster;

void cluster_folder(const char *folder)
{
	cluster.folder = folder;
}

const char *cluster_folder_name(void)
{
	return cluster.folder;
}

/* ---- Files ---------------------------------------------------------------- */

void cluster_conf(const char *line)
{
	size_t key = strcspn(line, "=") + 1;
	int i = 0;

	if (line[key - 1] != '=')
		fail("\"%s\" is not KEY=VALUE", line);
	while (i < cluster.conf_count &&
	       strncasecmp(cluster.conf[i], line, key) != 0)
		i++;
	if (i == LINES_MAX)
		fail("more than %d lines of slurm.conf", LINES_MAX);
	if (i == cluster.conf_count)
		cluster.conf_count++;
	xfree(cluster.conf[i]);
	cluster.conf[i] = xstrdup(line);
}

void cluster_price(const char *line)
{
	xstrfmtcat(cluster.prices, "%s\n", line);
}

/*
 * Settings that any value is right for, so that a history need not have them.
 */
static const char *const standard[] = {
	"ClusterName=host",
	"SlurmctldHost=localhost",
	/* At some calls 23.02 asks munge, which does not run here. */
	"AuthType=auth/none",
	"AccountingStorageType=accounting_storage/slurmdbd",
	"AccountingStorageEnforce=associations,limits,qos",
	"PriorityType=priority/multifactor",
	"PriorityDecayHalfLife=7-0",
	"PriorityCalcPeriod=5",
	"PriorityMaxAge=7-0",
};

static FILE *create(const char *name)
{
	char path[PATH_MAX];
	FILE *file;

	(void) snprintf(path, sizeof(path), "%s/%s", cluster.folder, name);
	file = fopen(path, "w");
	if (!file)
		fail("%s cannot be written", path);
	return file;
}

/* EQUITREE_WALK=plain in the environment adds the word that asks our plugin for
 * the plain walk; Slurm's own plugin ignores it. */
static void write_parameters(FILE *file)
{
	static const char key[] = "PriorityParameters=";
	const char *walk = getenv("EQUITREE_WALK"), *words = "";

	if (!walk || strcmp(walk, "plain") != 0)
		return;
	for (int i = 0; i < cluster.conf_count; i++)
		if (strncasecmp(cluster.conf[i], key, sizeof(key) - 1) == 0)
			words = cluster.conf[i] + sizeof(key) - 1;
	/* Slurm takes the last of two lines. */
	fprintf(file, "%s%s%splain_walk\n", key, words, *words ? "," : "");
}

void cluster_write(void)
{
	FILE *file = create("slurm.conf");

	fprintf(file, "StateSaveLocation=%s/state\n", cluster.folder);
	for (int i = 0; i < cluster.conf_count; i++)
		fprintf(file, "%s\n", cluster.conf[i]);
	write_parameters(file);
	fclose(file);
	file = create("equitree.conf");
	fputs(cluster.prices ? cluster.prices : "bundle \"cores\" {\n"
						"\tcores = 1\n}\n",
	      file);
	fclose(file);
}

void cluster_break_prices(void)
{
	FILE *file = create("equitree.conf");

	fputs("bundle \"cores\" {\n", file);
	fclose(file);
}

/* Settings of the history, before those that it leaves open. */
static void add_standard(void)
{
	for (size_t i = 0; i < sizeof(standard) / sizeof(*standard); i++) {
		size_t key = strcspn(standard[i], "=") + 1;
		int j = 0;

		while (j < cluster.conf_count &&
		       strncasecmp(cluster.conf[j], standard[i], key) != 0)
			j++;
		if (j == cluster.conf_count)
			cluster_conf(standard[i]);
	}
}

static void take_over_conf(void)
{
	accounting_enforce = slurm_conf.accounting_storage_enforce;
}

static const char *conf_path(char *path)
{
	(void) snprintf(path, PATH_MAX, "%s/slurm.conf", cluster.folder);
	return path;
}

void cluster_reread(void)
{
	char path[PATH_MAX];

	cluster_write();
	if (slurm_conf_reinit(conf_path(path)) != SLURM_SUCCESS)
		fail("slurm.conf cannot be read again");
	touch(&slurm_conf, sizeof(slurm_conf));
	take_over_conf();
}

/* ---- TRES ----------------------------------------------------------------- */

void cluster_tres_add(const char *line)
{
	const char *id = strstr(line, " id=");
	int i = cluster.tres_count;

	if (cluster.ready)
		fail("a TRES is declared before accounts, QOS and partitions");
	if (i == LINES_MAX)
		fail("more than %d TRES", LINES_MAX);
	cluster.tres[i] = xstrndup(line, id ? (size_t) (id - line)
					    : strlen(line));
	cluster.tres_id[i] = id ? (uint32_t) atoi(id + strlen(" id="))
				: (uint32_t) (FIRST_OWN_TRES + i);
	cluster.tres_count++;
}

static void append_tres(list_t *list, uint32_t id, const char *name)
{
	slurmdb_tres_rec_t *tres = xmalloc(sizeof(*tres));
	const char *slash = strchr(name, '/');

	tres->id = id;
	tres->type = slash ? xstrndup(name, (size_t) (slash - name))
			   : xstrdup(name);
	tres->name = slash ? xstrdup(slash + 1) : NULL;
	list_append(list, tres);
}

static void make_tres(void)
{
	static const char *const always[] = {
		"cpu",	   "mem",     "energy", "node",
		"billing", "fs/disk", "vmem",	"pages",
	};
	slurmdb_update_object_t update = {
		.type = SLURMDB_ADD_TRES,
		.objects = list_create(slurmdb_destroy_tres_rec),
	};

	for (uint32_t i = 0; i < sizeof(always) / sizeof(*always); i++)
		append_tres(update.objects, i + 1, always[i]);
	for (int i = 0; i < cluster.tres_count; i++)
		append_tres(update.objects, cluster.tres_id[i],
			    cluster.tres[i]);
	if (assoc_mgr_update_tres(&update, false) != SLURM_SUCCESS)
		fail("the TRES are refused");
	FREE_NULL_LIST(update.objects);
	slurmctld_tres_cnt = (int) g_tres_count;
	cluster.totals = xcalloc(g_tres_count, sizeof(uint64_t));
}

void cluster_ready(void)
{
	char path[PATH_MAX];

	if (cluster.ready)
		return;
	add_standard();
	cluster_write();
	if (slurm_conf_init(conf_path(path)) != SLURM_SUCCESS)
		fail("slurm.conf cannot be read");
	take_over_conf();
	cluster.ready = true;
	part_list = list_create(NULL);
	assocs_begin();
	make_tres();
	assocs_add_root();
}

void cluster_counts(const struct words *words, uint64_t *counts)
{
	for (int i = 0; i < slurmctld_tres_cnt; i++) {
		int64_t count =
			words_int(words, assoc_mgr_tres_name_array[i], -1);

		if (count >= 0)
			counts[i] = (uint64_t) count;
	}
}

void cluster_totals(const struct words *words)
{
	cluster_counts(words, cluster.totals);
	cluster_cpus = (uint32_t) cluster.totals[TRES_ARRAY_CPU];
	eqt_slurm_nodes_number((int) cluster.totals[TRES_ARRAY_NODE]);
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		assoc_mgr_tres_array[i]->count = cluster.totals[i];
}

/* ---- Partitions ----------------------------------------------------------- */

part_record_t *find_part_record(char *name)
{
	for (int i = 0; i < cluster.partition_count; i++)
		if (!strcmp(cluster.partition[i]->name, name))
			return cluster.partition[i];
	return NULL;
}

/* Names with commas; the caller frees. Later releases keep them with a job's
 * priorities. */
char *part_list_to_xstr(list_t *list);

static int append_name(void *item, void *names)
{
	const part_record_t *part = item;
	char **text = names;

	xstrfmtcat(*text, "%s%s", *text ? "," : "", part->name);
	return 0;
}

char *part_list_to_xstr(list_t *list)
{
	char *names = NULL;

	list_for_each_ro(list, append_name, &names);
	return names;
}

static part_record_t *new_partition(const char *name)
{
	part_record_t *part;

	if (cluster.partition_count == PARTITIONS_MAX)
		fail("more than %d partitions", PARTITIONS_MAX);
	part = xmalloc(sizeof(*part));
	part->magic = PART_MAGIC;
	part->name = xstrdup(name);
	part->max_time = INFINITE;
	part->default_time = NO_VAL;
	part->over_time_limit = NO_VAL16;
	part->priority_job_factor = 1;
	part->priority_tier = 1;
	part->tres_cnt = xcalloc(g_tres_count, sizeof(uint64_t));
	memcpy(part->tres_cnt, cluster.totals, g_tres_count * sizeof(uint64_t));
	cluster.partition[cluster.partition_count++] = part;
	list_append(part_list, part);
	return part;
}

/* slurmctld's norm_priority: a part of the highest PriorityJobFactor. */
static void normalize_partitions(void)
{
	uint16_t highest = 1;

	for (int i = 0; i < cluster.partition_count; i++)
		if (cluster.partition[i]->priority_job_factor > highest)
			highest = cluster.partition[i]->priority_job_factor;
	for (int i = 0; i < cluster.partition_count; i++)
		cluster.partition[i]->norm_priority =
			cluster.partition[i]->priority_job_factor /
			(double) highest;
}

static void set_weights(part_record_t *part, const char *weights)
{
	xfree(part->billing_weights_str);
	xfree(part->billing_weights);
	part->billing_weights_str = xstrdup(weights);
	part->billing_weights = slurm_get_tres_weight_array(
		part->billing_weights_str, slurmctld_tres_cnt, true);
	if (!part->billing_weights)
		fail("TRESBillingWeights \"%s\" cannot be read", weights);
}

void cluster_partition(const struct words *words)
{
	char *name = (char *) words_at(words, 1, "the name");
	part_record_t *part = find_part_record(name);
	const char *weights = words_text(words, "weights", NULL);
	const char *qos = words_text(words, "qos", NULL);

	if (!part)
		part = new_partition(name);
	part->priority_job_factor = (uint16_t) words_int(
		words, "factor", part->priority_job_factor);
	part->priority_tier =
		(uint16_t) words_int(words, "tier", part->priority_tier);
	part->max_time =
		(uint32_t) words_int(words, "max_time", part->max_time);
	part->over_time_limit = (uint16_t) words_int(words, "over",
						      part->over_time_limit);
	cluster_counts(words, part->tres_cnt);
	part->total_cpus = (uint32_t) part->tres_cnt[TRES_ARRAY_CPU];
	if (weights)
		set_weights(part, weights);
	if (qos)
		part->qos_ptr = assocs_qos(qos);
	normalize_partitions();
}

/* ---- The end -------------------------------------------------------------- */

static void free_partition(part_record_t *part)
{
	xfree(part->billing_weights);
	xfree(part->billing_weights_str);
	xfree(part->name);
	xfree(part->tres_cnt);
	xfree(part);
}

void cluster_free(void)
{
	FREE_NULL_LIST(part_list);
	for (int i = 0; i < cluster.partition_count; i++)
		free_partition(cluster.partition[i]);
	for (int i = 0; i < cluster.conf_count; i++)
		xfree(cluster.conf[i]);
	for (int i = 0; i < cluster.tres_count; i++)
		xfree(cluster.tres[i]);
	xfree(cluster.prices);
	xfree(cluster.totals);
	slurm_conf_destroy();
}
