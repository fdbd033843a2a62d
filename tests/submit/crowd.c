/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "../compat/stand_in.h"
#include "../host/assocs.h"
#include "../host/cluster.h"
#include "../host/fail.h"
#include "crowd.h"

#define RULES 120 /* partitions that equitree.conf names */
/* With the seven of write_conf() EQT_MODELS_MAX bundles. */
#define MODELS 13
#define VARIANTS 12
#define PER_FLUSH 20000
#define FIRST_UID 1000000
#define ACCOUNTS 1000

static void event(void (*act)(const struct words *words), const char *line)
{
	char copy[128];
	struct words words;

	(void) snprintf(copy, sizeof(copy), "%s", line);
	words_cut(&words, copy);
	act(&words);
}

/* ---- equitree.conf --------------------------------------------------------- */

/* Models with a bundle by features, by names of nodes, and of their own: as many
 * as a file may have. */
static void write_conf(void)
{
	char path[4096];
	FILE *file;

	(void) snprintf(path, sizeof(path), "%s/equitree.conf",
			cluster_folder_name());
	file = fopen(path, "w");
	if (!file)
		fail("%s cannot be written", path);
	fputs("message = brief  bundle cores { cores = 1  memory = 4000M }\n"
	      "bundle \"gpu:p100\" { cores = 6  memory = 32000M }\n"
	      "bundle \"gpu:v100\" { cores = 3.5  memory = 22500M  weight = 4 }\n"
	      "bundle \"gpu:v100\" { cores = 8  features = big,new }\n"
	      "bundle \"gpu:v100\" { cores = 9  nodes = n[1000-3000] }\n"
	      "bundle \"gpu:a100\" { cores = 12  memory = 96000M  weight = 9 }\n"
	      "bundle \"gpu:a100\" { cores = 14  nodes = n[10-4000] }\n"
	      "bundle \"gpu\" { cores = 4  memory = 10000M }\n"
	      "grant \"def-*\" { spent = bonus  scarce = bonus  bonus = half }\n"
	      "qos \"half\" { factor = 0.5 }\n"
	      "pool \"gpu\" { suffix = _gpu }\n"
	      "pool \"cpu\" { suffix = _cpu }\n",
	      file);
	for (int i = 0; i < MODELS; i++)
		fprintf(file, "bundle \"gpu:t%d\" { cores = %d }\n", i, i + 1);
	for (int i = 0; i < VARIANTS; i++)
		fprintf(file,
			"bundle \"gpu:a100\" { cores = %d  nodes = n[%d-%d] }\n",
			i + 15, 100 * i, 100 * i + 50);
	for (int i = 0; i < RULES; i++)
		fprintf(file,
			"partition \"p%d\" { factor = 1.%03d  max = 900000 }\n",
			CROWD_PARTITIONS - 1 - i, i);
	if (fclose(file) != 0)
		fail("%s cannot be written", path);
}

/* ---- Nodes and partitions -------------------------------------------------- */

static char *text_of(const char *text)
{
	return (char *) (uintptr_t) text;
}

/* Each node has features beside those of its kind, like racks and switches;
 * neighbours are of different kinds. */
static void node_fill(node_record_t *node, int number, int kind)
{
	static const char *const gres[] = { NULL, "gpu:p100:4",
					    "gpu:v100:4(S:0-1)", "gpu:a100:8",
					    "gpu:v100:2,gpu:p100:2" };
	char features[128];

	(void) snprintf(features, sizeof(features),
			"kind%d,rack%d,%s,switch%d,n%d", kind, number / 40,
			kind % 3 ? "new" : "big,new", number / 20, number);
	node->features = xstrdup(features);
	node->gres = xstrdup(gres[kind % 5]);
	node->cpus_efctv = (uint16_t) (32 + 4 * (kind % 4));
	node->real_memory = 128000 + 1000 * (uint64_t) kind;
}

void crowd_nodes(int count, int lines, bool in_turn,
		 void (*fill)(node_record_t *node, int number, int line))
{
	config_record_t *config[CROWD_LINES_MAX];

	xfree(node_record_table_ptr);
	eqt_slurm_node_count_set(0);
	init_node_conf(); /* makes another table */
	for (int i = 0; i < lines; i++) {
		config[i] = create_config_record();
		FREE_NULL_BITMAP(config[i]->node_bitmap);
		config[i]->node_bitmap = bit_alloc(count);
	}
	xfree(node_record_table_ptr);
	node_record_table_ptr = xcalloc((size_t) count,
					sizeof(*node_record_table_ptr));
	/* By hand: create_node_record() of later releases calls the select plugin. */
	for (int i = 0; i < count; i++) {
		const int line = in_turn ? i % lines : i * lines / count;
		node_record_t *node = xcalloc(1, sizeof(*node));
		char name[16];

		(void) snprintf(name, sizeof(name), "n%d", i);
		node->name = xstrdup(name);
		node->config_ptr = config[line];
		node->tpc = 1;
		fill(node, i, line);
		node_record_table_ptr[i] = node;
		bit_set(config[line]->node_bitmap, i);
	}
	eqt_slurm_node_count_set(count);
	rehash_node(); /* for who looks them up by their names */
}

list_t *active_feature_list; /* slurmctld's */

static void feature_free(void *item)
{
	node_feature_t *feature = item;

	xfree(feature->name);
	FREE_NULL_BITMAP(feature->node_bitmap);
	xfree(feature);
}

static int feature_is(void *item, void *name)
{
	return strcmp(((node_feature_t *) item)->name, name) == 0;
}

static void feature_add(char *name, int node)
{
	node_feature_t *feature =
		list_find_first(active_feature_list, feature_is, name);

	if (!feature) {
		feature = xcalloc(1, sizeof(*feature));
		feature->name = xstrdup(name);
		feature->node_bitmap = bit_alloc(eqt_slurm_node_slots());
		list_append(active_feature_list, feature);
	}
	bit_set(feature->node_bitmap, node);
}

void crowd_features(bool listed)
{
	FREE_NULL_LIST(active_feature_list);
	if (!listed)
		return;
	active_feature_list = list_create(feature_free);
	for (int i = 0; i < eqt_slurm_node_slots(); i++) {
		const node_record_t *node = node_record_table_ptr[i];
		char *text = xstrdup(node->features_act ? node->features_act
							: node->features);
		char *rest = text, *name;

		while (text && (name = strsep(&rest, ",")))
			feature_add(name, i);
		xfree(text);
	}
}

/* The first partitions have all nodes, others every second or third of them and
 * so on, the last ones a range each. */
static bool has_node(int partition, int node)
{
	if (partition < 20)
		return true;
	if (partition < 120)
		return node % (partition - 18) == 0;
	return node / 63 == partition - 120;
}

static void add_partition(int number)
{
	char line[64], name[16];
	part_record_t *part;

	(void) snprintf(name, sizeof(name), "p%d", number);
	(void) snprintf(line, sizeof(line), "partition %s", name);
	event(cluster_partition, line);
	part = find_part_record(name);
	part->node_bitmap = bit_alloc(CROWD_NODES);
	for (int i = 0; i < CROWD_NODES; i++) {
		if (has_node(number, i))
			bit_set(part->node_bitmap, i);
	}
	part->total_nodes = (uint32_t) bit_set_count(part->node_bitmap);
	part->max_nodes = part->total_nodes;
	part->max_share = number % 7 ? 1 : 0;
	part->def_mem_per_cpu = (uint64_t) (3000 + 20 * number) | MEM_PER_CPU;
}

/* The partitions of the small stage have bitmaps of three nodes. */
static void grow_partitions(void)
{
	static const char *const names[] = { "cpu", "gpu", "strict", "whole" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		part_record_t *part = find_part_record(text_of(names[i]));

		FREE_NULL_BITMAP(part->node_bitmap);
		part->node_bitmap = bit_alloc(CROWD_NODES);
		bit_set_all(part->node_bitmap);
	}
	for (int i = 0; i < CROWD_PARTITIONS; i++)
		add_partition(i);
}

/* ---- Associations ----------------------------------------------------------- */

/* The default account of a user by number, which is of the first association. */
static void default_account(char *account, size_t size, int user)
{
	(void) snprintf(account, size, "def-a%d_cpu", user % (ACCOUNTS / 2));
}

static void add_associations(void)
{
	char line[128], name[32], account[32];

	for (int i = 0; i < ACCOUNTS; i++) {
		(void) snprintf(line, sizeof(line), "account def-a%d_%s", i / 2,
				i % 2 ? "gpu" : "cpu");
		event(assocs_add_account, line);
	}
	assocs_flush();
	for (int i = 0; i < CROWD_ASSOCIATIONS - ACCOUNTS; i++) {
		const int user = i % CROWD_USERS;

		(void) snprintf(name, sizeof(name), "u%d", user);
		(void) snprintf(account, sizeof(account), "def-a%d_%s",
				user % (ACCOUNTS / 2),
				i < CROWD_USERS ? "cpu" : "gpu");
		(void) snprintf(line, sizeof(line), "user %s account=%s", name,
				account);
		event(assocs_add_user, line);
		if (i % PER_FLUSH == PER_FLUSH - 1)
			assocs_flush();
	}
	assocs_flush();
}

uint32_t crowd_uid(void)
{
	return assocs_uid("u49999");
}

/* The users have records since they have associations. */
static int user_set_default(void *item, void *arg)
{
	slurmdb_user_rec_t *user = item;
	char account[32];
	int number;

	(void) arg;
	if (sscanf(user->name, "u%d", &number) != 1)
		return 0;
	default_account(account, sizeof(account), number);
	user->default_acct = xstrdup(account);
	return 0;
}

/* The association also says which account is the default. */
static void mark_defaults(void)
{
	list_itr_t *iterator = list_iterator_create(assoc_mgr_assoc_list);
	slurmdb_assoc_rec_t *assoc;

	while ((assoc = list_next(iterator))) {
		if (assoc->user && strstr(assoc->acct, "_cpu"))
			assoc->is_def = 1;
	}
	list_iterator_destroy(iterator);
	(void) list_for_each(assoc_mgr_user_list, user_set_default, NULL);
}

void crowd_set(void)
{
	crowd_nodes(CROWD_NODES, CROWD_KINDS, true, node_fill);
	grow_partitions();
	add_associations();
	mark_defaults();
	write_conf();
	slurm_conf.max_array_sz = 4000001;
	slurm_conf.last_update++;
}
