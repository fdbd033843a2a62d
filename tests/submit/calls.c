/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "../compat/stand_in.h"
#include "../host/cluster.h"
#include "../host/fail.h"
#include "calls.h"
#include "crowd.h"

#define NODES_MAX 50000
#define PARTITIONS 22

/* The cluster on which a kind of request is submitted, by what stands behind its "-". */
static const struct cluster {
	const char *name;
	int nodes, lines;
	bool apart; /* each partition lacks some nodes of its own */
	bool sizes; /* they have few nodes, or many */
} clusters[] = {
	{ "", 1000, 4, false, false },
	{ "lines", 1000, 50, false, false },
	{ "huge", NODES_MAX, 50, false, false },
	{ "apart", 1000, 20, true, false },
	{ "sizes", 1000, 20, false, true },
};

struct call {
	const char *kind;
	const char *partition; /* NULL: the first one */
	const char *tres_per_node;
	const char *features;
	const char *nodes, *exclude;
	const char *array;
	const char *bill; /* NULL: as the site says */
};

static const struct call calls[] = {
	{ .kind = "plain" },
	{ .kind = "silent", .bill = "_SLURM_SPANK_OPTION_equitree_bill=off" },
	{ .kind = "gpu", .tres_per_node = "gres:gpu:p100:2" },
	{ .kind = "any", .tres_per_node = "gres:gpu:2" },
	{ .kind = "feature", .features = "big" },
	{ .kind = "nodes", .nodes = "n10,n20" },
	{ .kind = "exclude", .exclude = "n[100-119]" },
	{ .kind = "array", .array = "1-500:2,501-1000" },
	{ .kind = "parts",
	  .partition = "p0,p1,p2,p3,p4,p5,p6,p7,p8,p9,p10,p11,p12,p13,p14,p15,"
		       "p16,p17,p18,p19" },
	{ .kind = "all",
	  .partition = "p0,p1,p2,p3,p4,p5,p6,p7,p8,p9,p10,p11,p12,p13,p14,p15,"
		       "p16,p17,p18,p19,p20,p21" },
};

/* Nodes of a line of slurm.conf are alike; every second line has GPUs. */
static void node_fill(node_record_t *node, int number, int kind)
{
	static const char *const gres[] = { NULL, "gpu:p100:4", NULL,
					    "gpu:v100:4" };

	(void) number;
	node->features = xstrdup(kind % 2 ? "big,new" : "new");
	node->gres = xstrdup(gres[kind % 4]);
	node->cpus_efctv = (uint16_t) (32 + 4 * (kind % 3));
	node->real_memory = 128000 + 1000 * (uint64_t) kind;
}

/* Partitions from one node of each line on to nearly all nodes. */
static void take_some(bitstr_t *nodes, int number)
{
	for (bitoff_t i = 0; i < bit_size(nodes); i++) {
		if ((i * 7 + number * 11) % 50 >= 1 + number * number / 8)
			bit_clear(nodes, i);
	}
}

static void add_partitions(const struct cluster *cluster)
{
	for (int i = 0; i < PARTITIONS; i++) {
		char text[32], name[16];
		struct words words;
		part_record_t *part;

		(void) snprintf(name, sizeof(name), "p%d", i);
		(void) snprintf(text, sizeof(text), "partition %s", name);
		words_cut(&words, text);
		cluster_partition(&words);
		part = find_part_record(name);
		part->node_bitmap = bit_alloc(cluster->nodes);
		bit_set_all(part->node_bitmap);
		if (cluster->apart)
			bit_clear(part->node_bitmap, 7 * i);
		if (cluster->sizes)
			take_some(part->node_bitmap, i);
		part->total_nodes = part->max_nodes =
			(uint32_t) bit_set_count(part->node_bitmap);
		part->max_share = 1;
		part->def_mem_per_cpu = 4000 | MEM_PER_CPU;
	}
}

static void write_conf(void)
{
	char path[4096];
	FILE *file;

	(void) snprintf(path, sizeof(path), "%s/equitree.conf",
			cluster_folder_name());
	file = fopen(path, "w");
	if (!file ||
	    fputs("message = brief  bundle cores { cores = 1  memory = 4000M "
		  "}\n"
		  "bundle \"gpu:p100\" { cores = 6  memory = 32000M }\n"
		  "bundle \"gpu:v100\" { cores = 3.5  memory = 22500M  weight "
		  "= 4 }\n",
		  file) < 0 ||
	    fclose(file) != 0)
		fail("%s cannot be written", path);
	slurm_conf.last_update = 1; /* long ago: the file is read once */
}

static void call_once(int (*submit)(job_desc_msg_t *, uint32_t, char **),
		      const struct call *call)
{
	job_desc_msg_t desc;
	char *message = NULL;

	desc_plain(&desc);
	desc.time_limit = 60;
	desc.partition = xstrdup(call->partition ? call->partition : "p0");
	desc.tres_per_node = xstrdup(call->tres_per_node);
	desc.features = xstrdup(call->features);
	desc.req_nodes = xstrdup(call->nodes);
	desc.exc_nodes = xstrdup(call->exclude);
	desc.array_inx = xstrdup(call->array);
	if (call->bill) {
		desc.spank_job_env = xcalloc(1, sizeof(char *));
		desc.spank_job_env[desc.spank_job_env_size++] = xstrdup(call->bill);
	}
	if (submit(&desc, desc.user_id, &message) != SLURM_SUCCESS ||
	    (call->bill ? message != NULL
			: !message || !strstr(message, "cost ")))
		fail("%s: %s", call->kind, message);
	xfree(message);
	desc_free(&desc);
}

static const struct cluster *cluster_of(const char *suffix)
{
	const char *name = suffix[0] ? suffix + 1 : suffix;

	for (size_t i = 0; i < sizeof(clusters) / sizeof(*clusters); i++) {
		if (strcmp(clusters[i].name, name) == 0)
			return &clusters[i];
	}
	fail("there is no cluster %s", name);
}

void calls_run(int (*submit)(job_desc_msg_t *, uint32_t, char **),
	       const char *kind, long count)
{
	const size_t length = strcspn(kind, "-");
	const struct cluster *cluster = cluster_of(kind + length);

	crowd_nodes(cluster->nodes, cluster->lines, false, node_fill);
	crowd_features(true);
	add_partitions(cluster);
	write_conf();
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		if (strlen(calls[i].kind) != length ||
		    strncmp(calls[i].kind, kind, length) != 0)
			continue;
		while (count-- > 0)
			call_once(submit, &calls[i]);
		return;
	}
	fail("there is no kind %s", kind);
}

void calls_tell(int (*submit)(job_desc_msg_t *, uint32_t, char **), long count,
		uint64_t seed)
{
	for (long i = 0; i < count; i++) {
		job_desc_msg_t desc;
		char *message = NULL;
		int rc;

		desc_random(&desc, &seed);
		rc = submit(&desc, desc.user_id, &message);
		printf("%ld: %d %s %s %s\n", i, rc,
		       desc.account ? desc.account : "",
		       desc.qos ? desc.qos : "", message ? message : "");
		xfree(message);
		desc_free(&desc);
	}
}

/* A request of a few tasks on the cluster of partitions of all sizes. */
static void desc_small(job_desc_msg_t *desc, uint64_t *seed)
{
	static const uint32_t tasks[] = { 1, 2, 8, 30, 90, 400 };

	desc_plain(desc);
	desc->time_limit = 60;
	desc->num_tasks = tasks[random_next(seed) % 6];
	desc->cpus_per_task = (uint16_t) (1 + random_next(seed) % 5);
	desc->min_cpus = desc->num_tasks * desc->cpus_per_task;
	desc->pn_min_cpus = desc->cpus_per_task;
	if (random_next(seed) % 3 == 0)
		desc->pn_min_memory = MEM_PER_CPU | random_next(seed) % 40000;
	else
		desc->pn_min_memory = random_next(seed) % 140000;
	if (random_next(seed) % 3 == 0)
		desc->min_nodes =
			1 + (uint32_t) random_next(seed) % desc->num_tasks;
	if (desc->min_nodes != NO_VAL && random_next(seed) % 2 == 0)
		desc->max_nodes =
			desc->min_nodes + (uint32_t) random_next(seed) % 4;
	if (random_next(seed) % 4 == 0)
		desc->tres_per_node = xstrdup("gres:gpu:2");
	if (random_next(seed) % 8 == 0)
		desc->features = xstrdup("big");
}

void calls_turned(int (*submit)(job_desc_msg_t *, uint32_t, char **),
		  long count, uint64_t seed)
{
	const struct cluster *cluster = cluster_of("-sizes");

	crowd_nodes(cluster->nodes, cluster->lines, false, node_fill);
	crowd_features(true);
	add_partitions(cluster);
	write_conf();
	for (long i = 0; i < count; i++) {
		const uint64_t request = random_next(&seed);
		int of[3];
		char *first = NULL;

		for (int k = 0; k < 3; k++)
			of[k] = (int) (random_next(&seed) % PARTITIONS);
		for (int turn = 0; turn < 3; turn++) {
			uint64_t same = request;
			job_desc_msg_t desc;
			char *message = NULL;

			desc_small(&desc, &same);
			xstrfmtcat(desc.partition, "p%d,p%d,p%d", of[turn],
				   of[(turn + 1) % 3], of[(turn + 2) % 3]);
			(void) submit(&desc, desc.user_id, &message);
			printf("%ld: %s\n", i, message ? message : "");
			/* The words are those of the first one. */
			if (message && strstr(message, " ("))
				*strstr(message, " (") = '\0';
			if (turn > 0 && xstrcmp(first, message) != 0)
				fail("%ld, %s: %s, and turned %s", i,
				     desc.partition, first, message);
			if (turn == 0)
				first = xstrdup(message);
			xfree(message);
			desc_free(&desc);
		}
		xfree(first);
	}
}
