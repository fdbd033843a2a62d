/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "../host/fail.h"
#include "crowd.h"
#include "desc.h"
#include "nodes.h"
#include "stage.h"

#define P100 "gpu:p100:4"
#define V100 "gpu:v100:4(S:0-1)"
#define NODES 2 /* of partition gpu, after the first of the cluster */

/*
 * The rows of the nodes of the partition, and which of them are in it; then the
 * price of one V100 with seven CPUs. The cores of the second node have two
 * threads: seven CPUs are four cores there.
 */
static const struct {
	const char *name;
	struct {
		const char *gres, *features, *active;
		bool out;
	} node[NODES];
	const char *price;
} rows[] = {
	{ "one of two nodes has the model",
	  { { P100, NULL, NULL, false }, { V100, NULL, NULL, false } },
	  "cost 4.5714 GPU-equivalents (cores decide)" },
	{ "its features are those of the other bundle",
	  { { P100, NULL, NULL, false }, { V100, "new,big", NULL, false } },
	  "cost 1 GPU-equivalent (GPUs decide)" },
	{ "but they are not those that are active",
	  { { P100, NULL, NULL, false }, { V100, "new,big", "new", false } },
	  "cost 4.5714 GPU-equivalents (cores decide)" },
	{ "which they become",
	  { { P100, NULL, NULL, false }, { V100, "new", "big,new", false } },
	  "cost 1 GPU-equivalent (GPUs decide)" },
	{ "a node gets GPUs of the model",
	  { { V100, NULL, NULL, false }, { V100, "new", "big,new", false } },
	  "cost 1 to 8 GPU-equivalents (the nodes decide)" },
	{ "and the features",
	  { { V100, "big,new", NULL, false }, { V100, NULL, "big,new", false } },
	  "cost 1 GPU-equivalent (GPUs decide)" },
	{ "only one of them",
	  { { V100, "big", NULL, false }, { V100, NULL, "big,new", false } },
	  "cost 1 to 8 GPU-equivalents (the nodes decide)" },
	{ "the one with the features leaves",
	  { { V100, "big", NULL, false }, { V100, NULL, "big,new", true } },
	  "cost 8 GPU-equivalents (cores decide)" },
	{ "and the other instead",
	  { { V100, "big", NULL, true }, { V100, NULL, "big,new", false } },
	  "cost 1 GPU-equivalent (GPUs decide)" },
	{ "nobody has the model",
	  { { P100, NULL, NULL, false }, { NULL, "big,new", NULL, false } },
	  "no node here has what the request wants of one" },
	{ "as at first",
	  { { P100, NULL, NULL, false }, { V100, NULL, NULL, false } },
	  "cost 4.5714 GPU-equivalents (cores decide)" },
};

static char *text_of(const char *text)
{
	return (char *) (uintptr_t) text;
}

static void set_nodes(size_t row)
{
	part_record_t *part = find_part_record(text_of("gpu"));

	for (int i = 0; i < NODES; i++) {
		node_record_t *node = node_record_table_ptr[1 + i];

		node->gres = text_of(rows[row].node[i].gres);
		node->features = text_of(rows[row].node[i].features);
		node->features_act = text_of(rows[row].node[i].active);
		if (rows[row].node[i].out)
			bit_clear(part->node_bitmap, 1 + i);
		else
			bit_set(part->node_bitmap, 1 + i);
	}
}

static void check_row(size_t row, between_submit_t *submit)
{
	const size_t length = strlen("equitree: ");
	char *message = NULL;
	job_desc_msg_t desc;

	set_nodes(row);
	desc_plain(&desc);
	desc.user_id = stage_uid(STAGE_FAY);
	desc.num_tasks = 1;
	desc.cpus_per_task = 7;
	desc.min_cpus = 7;
	desc.pn_min_memory = 1000;
	desc.partition = xstrdup("gpu");
	desc.tres_per_node = xstrdup("gres:gpu:v100:1");
	if (submit(&desc, desc.user_id, &message) != SLURM_SUCCESS ||
	    !message ||
	    strncmp(message + length, rows[row].price, strlen(rows[row].price)))
		fail("%s: told is %s instead of %s", rows[row].name, message,
		     rows[row].price);
	xfree(message);
	desc_free(&desc);
}

/* What is said of a request without memory, in a list of partitions. */
static char *message_in(const char *partitions, between_submit_t *submit)
{
	char *message = NULL;
	job_desc_msg_t desc;

	desc_plain(&desc);
	desc.user_id = stage_uid(STAGE_FAY);
	desc.pn_min_memory = NO_VAL64;
	desc.partition = xstrdup(partitions);
	desc.tres_per_node = xstrdup("gres:gpu:p100:1");
	if (submit(&desc, desc.user_id, &message) != SLURM_SUCCESS || !message)
		fail("%s: %s", partitions, message);
	desc_free(&desc);
	return message;
}

static void check_twins(bool alike, between_submit_t *submit)
{
	static const char *const lists[] = { "gpu,whole", "whole,gpu" };
	char *one = message_in("gpu", submit);

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		char *both = message_in(lists[i], submit);

		if ((strcmp(one, both) == 0) != alike)
			fail("%s: told is %s, in gpu alone %s", lists[i], both,
			     one);
		xfree(both);
	}
	xfree(one);
}

/* Partitions with the same nodes have one price, unless a setting of one differs. */
static void check_same_partitions(between_submit_t *submit)
{
	const part_record_t *gpu = find_part_record(text_of("gpu"));
	part_record_t *twin = find_part_record(text_of("whole"));

	bit_copybits(twin->node_bitmap, gpu->node_bitmap);
	twin->max_share = gpu->max_share;
	twin->total_nodes = gpu->total_nodes;
	twin->max_nodes = gpu->max_nodes;
	check_twins(true, submit);
	twin->def_mem_per_cpu = UINT64_C(40000) | MEM_PER_CPU;
	check_twins(false, submit);
	twin->def_mem_per_cpu = gpu->def_mem_per_cpu;
	check_twins(true, submit);
}

/* Seven cores of the first node of partition gpu, four of the second, by the features
 * that each has. */
static const struct {
	const char *first, *active, *second; /* features of the nodes */
	const char *exclude, *constraint;
	const char *price;
} features[] = {
	{ "a,b", NULL, "b", NULL, "a", "cost 7 " },
	{ "a,b", NULL, "b", NULL, "a&b", "cost 7 " },
	{ "a,b", NULL, "b", NULL, "b", "cost 4 to 7 " },
	{ "a,b", NULL, "b", NULL, "a|b", "cost 4 to 7 " },
	{ "a,b", NULL, "b", NULL, "c|[a*1]", "cost 7 " },
	{ "a,b", NULL, "b", "n1", "b", "cost 4 " },
	{ "a,b", "b", "a", NULL, "a", "cost 4 " },
	{ "a", NULL, "b", NULL, "a&b", "no node here " },
	{ "a", NULL, NULL, NULL, "a&c", "no node here " },
};

static void check_features(size_t row, bool listed, between_submit_t *submit)
{
	node_record_t *const *node = node_record_table_ptr;
	char *message = NULL;
	job_desc_msg_t desc;

	node[1]->features = text_of(features[row].first);
	node[1]->features_act = text_of(features[row].active);
	node[2]->features = text_of(features[row].second);
	node[2]->features_act = NULL;
	crowd_features(listed);
	desc_plain(&desc);
	desc.user_id = stage_uid(STAGE_FAY);
	desc.num_tasks = 1;
	desc.cpus_per_task = 7;
	desc.min_cpus = 7;
	desc.pn_min_memory = 1000;
	desc.partition = xstrdup("gpu");
	desc.features = xstrdup(features[row].constraint);
	desc.exc_nodes = xstrdup(features[row].exclude);
	if (submit(&desc, desc.user_id, &message) != SLURM_SUCCESS ||
	    !message || !strstr(message, features[row].price))
		fail("-C %s, %s: told is %s instead of %s",
		     features[row].constraint,
		     listed ? "by the list" : "node by node", message,
		     features[row].price);
	xfree(message);
	desc_free(&desc);
}

size_t nodes_check(between_submit_t *submit)
{
	static const char *const names[NODES + 1] = { "n0", "n1", "n2" };
	const size_t count = sizeof(rows) / sizeof(*rows);

	for (size_t i = 0; i < count; i++)
		check_row(i, submit);
	for (int i = 0; i <= NODES; i++)
		node_record_table_ptr[i]->name = text_of(names[i]);
	rehash_node();
	for (size_t i = 0; i < 2 * sizeof(features) / sizeof(*features); i++)
		check_features(i / 2, i % 2, submit);
	crowd_features(false);
	check_same_partitions(submit);
	return count;
}
