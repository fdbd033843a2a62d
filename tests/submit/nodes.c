/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "../host/fail.h"
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

size_t nodes_check(between_submit_t *submit)
{
	const size_t count = sizeof(rows) / sizeof(*rows);

	for (size_t i = 0; i < count; i++)
		check_row(i, submit);
	return count;
}
