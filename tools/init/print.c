/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file has comments that say where each number is from: a site edits it. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/json.h"
#include "init/print.h"

/* Millionths with no more digits than needed. In buf: "3.5", "6". */
static const char *cores_text(uint64_t cores_u, char *buf, size_t size)
{
	size_t used = (size_t) snprintf(buf, size, "%" PRIu64 ".%06" PRIu64,
					cores_u / EQT_MICRO,
					cores_u % EQT_MICRO);

	while (used > 0 && buf[used - 1] == '0')
		buf[--used] = '\0';
	if (used > 0 && buf[used - 1] == '.')
		buf[used - 1] = '\0';
	return buf;
}

/* A comment in the file: a node that the bundle was computed from, with what it has. */
static void print_origin(FILE *to, const struct eqt_init_bundle *bundle)
{
	fprintf(to, "# %" PRIu64 " %s like %s: %" PRIu64 " cores",
		bundle->node_count, bundle->node_count == 1 ? "node" : "nodes",
		bundle->like, bundle->node_cores);
	if (bundle->node_memory_mib > 1)
		fprintf(to, ", %" PRIu64 "M", bundle->node_memory_mib);
	if (bundle->node_gpus)
		fprintf(to, ", %" PRIu64 " GPUs", bundle->node_gpus);
	fputs(".\n", to);
}

/* A bundle of cores counts one core; one of GPUs has the cores that belong to one GPU. */
static void print_bundle(FILE *to, const struct eqt_init_bundle *bundle)
{
	char cores[48];

	print_origin(to, bundle);
	/* The last '#' makes a comment of the bundle that follows. */
	if (bundle->too_long)
		fputs("# Their names are too long for nodes: give them a "
		      "feature, and write\n# features = NAME instead.\n#",
		      to);
	fprintf(to, "bundle \"%s\" { cores = %s", bundle->name,
		cores_text(bundle->cores_u, cores, sizeof(cores)));
	if (bundle->memory_mib)
		fprintf(to, "  memory = %" PRIu64 "M", bundle->memory_mib);
	if (bundle->nodes[0])
		fprintf(to, "  nodes = %s", bundle->nodes);
	fputs(" }\n", to);
}

/* Without a rule such nodes would be priced by the memory of the others. */
static void print_partitions(FILE *to, const struct eqt_init_plan *plan)
{
	if (plan->partition_count == 0)
		return;
	fputs("\n# Nodes of these partitions have another amount of memory "
	      "for each core.\n",
	      to);
	for (size_t i = 0; i < plan->partition_count; i++)
		fprintf(to,
			"partition \"%s\" { cores = 1  memory = %" PRIu64
			"M }\n",
			plan->partitions[i].name,
			plan->partitions[i].memory_mib);
}

/* Pools that would reject jobs are printed as comments. Suffixes were found in names of
 * accounts that come in pairs. */
static void print_pools(FILE *to, const struct eqt_init_plan *plan)
{
	const char *out = "";

	putc('\n', to);
	if (!plan->accounts)
		fputs("# Pools: \"equitree init --assocs FILE\" finds pairs of "
		      "accounts, for cores and\n# for GPUs.\n",
		      to);
	else if (!plan->suffix[EQT_POOL_CPU][0])
		fputs("# No accounts are in pairs for cores and for GPUs.\n",
		      to);
	if (!plan->suffix[EQT_POOL_CPU][0]) {
		fputs("#pool \"cpu\" { suffix = _cpu }\n"
		      "#pool \"gpu\" { suffix = _gpu }\n",
		      to);
		return;
	}
	fputs("# Accounts for cores and for GPUs: a job goes to the one of its "
	      "pool.\n",
	      to);
	if (plan->lonely[0]) {
		fprintf(to,
			"# Account %s has no counterpart: its jobs of the "
			"other pool would be\n# rejected. Add it, then remove "
			"the comment signs.\n",
			plan->lonely);
		out = "#";
	}
	fprintf(to,
		"%spool \"cpu\" { suffix = %s }\n"
		"%spool \"gpu\" { suffix = %s }\n",
		out, plan->suffix[EQT_POOL_CPU], out,
		plan->suffix[EQT_POOL_GPU]);
}

void eqt_init_print(FILE *to, const struct eqt_init_plan *plan,
		    const char *slurm)
{
	fprintf(to,
		"# equitree.conf, made by \"equitree init\" from %s (%zu "
		"nodes).\n# Put it beside slurm.conf, readable for all users. "
		"equitree.conf(5) has all keys,\n# and \"equitree check\" "
		"finds what does not fit.\n\n",
		slurm, plan->nodes);
	fputs("# One core-equivalent, and one GPU of each model with the cores "
	      "and the memory that\n# belong to it: all of a node costs as "
	      "many "
	      "units as it has. If a GPU of one model\n# is worth more than "
	      "one "
	      "of another model, add weight = 2.2 and the like.\n",
	      to);
	if (!plan->memory)
		fputs("# SelectTypeParameters has no memory: Slurm allocates "
		      "none, so none is priced.\n",
		      to);
	for (size_t i = 0; i < plan->count; i++)
		print_bundle(to, &plan->bundles[i]);
	print_partitions(to, plan);
	print_pools(to, plan);
	fputs("\n# Slurm's billing TRES is an integer: here it counts "
	      "thousandths of an equivalent.\nbilling_scale = 1000\n\n# Units "
	      "of Slurm's own billing of one equivalent, for usage from before "
	      "the\n# migration. \"equitree check --before\" says what "
	      "TRESBillingWeights make of it.\n#weights_scale = 1\n",
	      to);
}

static json_object *bundle_json(const struct eqt_init_bundle *bundle)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "name", json_object_new_string(bundle->name));
	eqt_json_add(
		object, "cores",
		eqt_json_number((long double) bundle->cores_u / EQT_MICRO));
	eqt_json_add(object, "memory_mib",
		     bundle->memory_mib
			     ? json_object_new_uint64(bundle->memory_mib)
			     : NULL);
	eqt_json_add(object, "nodes",
		     bundle->nodes[0] ? json_object_new_string(bundle->nodes)
				      : NULL);
	eqt_json_add(object, "node_count",
		     json_object_new_uint64(bundle->node_count));
	eqt_json_add(object, "like", json_object_new_string(bundle->like));
	return object;
}

void eqt_init_print_json(const struct eqt_init_plan *plan)
{
	json_object *object = json_object_new_object();
	json_object *bundles = json_object_new_array();
	json_object *partitions = json_object_new_array();
	bool pools = plan->suffix[EQT_POOL_CPU][0] && !plan->lonely[0];

	for (size_t i = 0; i < plan->count; i++)
		(void) json_object_array_add(bundles,
					     bundle_json(&plan->bundles[i]));
	for (size_t i = 0; i < plan->partition_count; i++) {
		json_object *one = json_object_new_object();

		eqt_json_add(one, "name",
			     json_object_new_string(plan->partitions[i].name));
		eqt_json_add(
			one, "memory_mib",
			json_object_new_uint64(plan->partitions[i].memory_mib));
		(void) json_object_array_add(partitions, one);
	}
	eqt_json_add(object, "bundles", bundles);
	eqt_json_add(object, "partitions", partitions);
	eqt_json_add(object, "pool_cpu",
		     pools ? json_object_new_string(plan->suffix[EQT_POOL_CPU])
			   : NULL);
	eqt_json_add(object, "pool_gpu",
		     pools ? json_object_new_string(plan->suffix[EQT_POOL_GPU])
			   : NULL);
	eqt_json_print(object);
}
