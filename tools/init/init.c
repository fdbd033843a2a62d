/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bundle is a node divided by its number of GPUs, or by its number of cores if it has
 * no GPUs. A whole node therefore costs as many units as it has GPUs or cores. Amounts
 * are rounded up, so that all memory of a node never costs more than all its cores.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "init/init.h"
#include "cli/alloc.h"
#include "cli/json.h"
#include "price/gres.h"
#include "base/text.h"
#include "base/whole.h"

/* Nodes share a bundle if their amounts differ by at most this factor. */
#define ALIKE 1.25

/* Amounts of memory are multiples of this many MiB. */
#define MEMORY_STEP 50

/* The largest number of GPU models in one node. */
#define NODE_MODELS_MAX 16

/* The resources of a node that jobs can get. */
struct hardware {
	uint64_t cores, memory_mib;
	/* types of GPUs; "": no type */
	char model[NODE_MODELS_MAX][EQT_NAME_SIZE];
	size_t models;
	uint64_t gpus; /* GPUs of all models, which share the node evenly */
};

/* An amount minus a reserve. A reserve that is not below the amount is ignored. */
static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : a;
}

/* Read a node without its system reserves (CoreSpecCount, MemSpecLimit). */
static int hardware_read(struct hardware *out,
			 const struct eqt_cluster *cluster,
			 const struct eqt_cluster_node *node,
			 struct eqt_error *err)
{
	const char *list = eqt_cluster_conf_node_get(cluster, node, "Gres");
	struct eqt_gres gres;
	int rc = 0;

	*out = (struct hardware){
		.cores = less(eqt_cluster_conf_node_cores(cluster, node),
			      eqt_cluster_conf_node_number(cluster, node,
							   "CoreSpecCount", 0)),
		.memory_mib = less(eqt_cluster_conf_node_number(
					   cluster, node, "RealMemory", 1),
				   eqt_cluster_conf_node_number(
					   cluster, node, "MemSpecLimit", 0)),
	};
	while (list && (rc = eqt_gres_next(&gres, &list, err)) > 0) {
		if (strcmp(gres.name, "gpu") != 0 || gres.count == 0 ||
		    out->models == NODE_MODELS_MAX)
			continue;
		(void) snprintf(out->model[out->models++], EQT_NAME_SIZE, "%s",
				gres.type);
		out->gpus += gres.count;
	}
	return rc;
}

/* The memory that belongs to one of "count" units of a node. 0 if slurm.conf has no
 * amount. */
static uint64_t memory_share(uint64_t memory_mib, uint64_t count)
{
	uint64_t share = eqt_whole_divide_up(memory_mib, count);

	if (memory_mib <= 1)
		return 0;
	/* Do not round a small share, because rounding would add more than 5 % to it. */
	return share < MEMORY_STEP * 20
		       ? share
		       : eqt_whole_divide_up(share, MEMORY_STEP) * MEMORY_STEP;
}

/* The bundle for a GPU model on the node. For the model NULL, the bundle for its
 * cores. */
static struct eqt_init_bundle bundle_make(const struct hardware *hardware,
					  const struct eqt_cluster_node *node,
					  const char *model, bool memory)
{
	uint64_t units = model ? hardware->gpus : hardware->cores;
	struct eqt_init_bundle bundle = {
		.cores_u =
			eqt_whole_divide_up(hardware->cores * EQT_MICRO, units),
		.memory_mib = memory ? memory_share(hardware->memory_mib, units)
				     : 0,
		.node_count = 1,
		.node_cores = hardware->cores,
		.node_memory_mib = hardware->memory_mib,
		.node_gpus = hardware->gpus,
	};

	(void) snprintf(bundle.like, sizeof(bundle.like), "%s", node->name);
	if (model)
		(void) snprintf(bundle.name, sizeof(bundle.name),
				"gpu%.1s%.58s", model[0] ? ":" : "", model);
	else
		(void) snprintf(bundle.name, sizeof(bundle.name), "cores");
	return bundle;
}

static bool amounts_are_alike(uint64_t a, uint64_t b)
{
	double x = (double) a, y = (double) b;

	return (a == 0) == (b == 0) && x <= y * ALIKE && y <= x * ALIKE;
}

static bool bundles_are_alike(const struct eqt_init_bundle *a,
			      const struct eqt_init_bundle *b)
{
	return strcmp(a->name, b->name) == 0 &&
	       amounts_are_alike(a->memory_mib, b->memory_mib) &&
	       amounts_are_alike(a->cores_u, b->cores_u);
}

/* Add the NodeName of a line to a bundle's nodes, unless it was added before. */
static void bundle_add_line(struct eqt_init_bundle *bundle, const char *names,
			    size_t line, size_t *last_line)
{
	size_t used = strlen(bundle->nodes);
	int added;

	if (*last_line == line + 1)
		return;
	*last_line = line + 1;
	added = snprintf(bundle->nodes + used, sizeof(bundle->nodes) - used,
			 "%s%s", used ? "," : "", names);
	if ((size_t) added < sizeof(bundle->nodes) - used)
		return;
	/* Remove a name that does not fit completely. */
	bundle->nodes[used] = '\0';
	bundle->too_long = true;
}

/* The bundles while nodes are read. last[i] is 1 plus the index of the last line whose
 * nodes were added to bundle i, or 0. */
struct gathering {
	struct eqt_init_bundle *bundles;
	size_t *last;
	size_t count;
};

/* Is there no room for the bundle? A table has EQT_MODELS_MAX bundles for GPUs and one
 * for cores. */
static bool gathering_is_full(const struct gathering *gathering,
			      const struct eqt_init_bundle *bundle)
{
	size_t gpus = 0;

	for (size_t i = 0; i < gathering->count; i++)
		gpus += gathering->bundles[i].node_gpus > 0;
	return gathering->count > EQT_MODELS_MAX ||
	       (bundle->node_gpus && gpus == EQT_MODELS_MAX);
}

static int gathering_add(struct gathering *gathering,
			 const struct eqt_cluster *cluster,
			 const struct eqt_cluster_node *node,
			 const struct eqt_init_bundle *bundle,
			 struct eqt_error *err)
{
	const char *names = cluster->conf->lines[node->line].pairs[0].value;
	size_t i;

	for (i = 0; i < gathering->count; i++) {
		if (bundles_are_alike(&gathering->bundles[i], bundle))
			break;
	}
	if (i == gathering->count && gathering_is_full(gathering, bundle))
		return eqt_error_set(err,
				     "more than %d kinds of nodes: write the "
				     "bundles by hand",
				     EQT_MODELS_MAX);
	if (i == gathering->count) {
		gathering->bundles[i] = *bundle;
		gathering->count++;
	} else {
		gathering->bundles[i].node_count++;
	}
	bundle_add_line(&gathering->bundles[i], names, node->line,
			&gathering->last[i]);
	return 0;
}

/* The number of units that all nodes of a bundle have. */
static uint64_t bundle_weight(const struct eqt_init_bundle *bundle)
{
	return bundle->node_count *
	       (bundle->node_gpus ? bundle->node_gpus : bundle->node_cores);
}

/* Sort cores first, and then models by name. Of bundles with the same name, the bundle
 * with most units comes first. */
static int bundle_compare(const void *left, const void *right)
{
	const struct eqt_init_bundle *a = left, *b = right;
	int order = (a->node_gpus > 0) - (b->node_gpus > 0);

	if (order == 0)
		order = strcmp(a->name, b->name);
	if (order == 0 && bundle_weight(a) != bundle_weight(b))
		return bundle_weight(a) > bundle_weight(b) ? -1 : 1;
	return order ? order : strcmp(a->like, b->like);
}

/* If all nodes have GPUs, compute the bundle of cores from one of them. */
static void bundles_add_cores(struct gathering *gathering)
{
	struct eqt_init_bundle cores = gathering->bundles[0];

	if (cores.node_gpus == 0)
		return;
	(void) snprintf(cores.name, sizeof(cores.name), "cores");
	cores.memory_mib =
		cores.memory_mib
			? memory_share(cores.node_memory_mib, cores.node_cores)
			: 0;
	cores.cores_u = EQT_MICRO;
	memmove(&gathering->bundles[1], &gathering->bundles[0],
		gathering->count * sizeof(cores));
	gathering->bundles[0] = cores;
	gathering->count++;
}

/*
 * Keep only the most frequent bundle of cores, because partitions with other nodes get
 * rules. The first bundle of a GPU model is for all nodes that no other bundle names.
 */
static void bundles_reduce(struct gathering *gathering)
{
	size_t kept = 1;

	for (size_t i = 0; i < gathering->count; i++) {
		struct eqt_init_bundle *bundle = &gathering->bundles[i];
		bool first = i == 0 ||
			     strcmp(bundle[-1].name, bundle->name) != 0;

		if (i > 0 && strcmp(bundle->name, "cores") == 0)
			continue;
		if (first)
			bundle->nodes[0] = '\0';
		if (i > 0)
			gathering->bundles[kept++] = *bundle;
	}
	gathering->count = kept;
}

/* Add the bundles of a node. */
static int gather_node(struct gathering *gathering, bool memory,
		       const struct eqt_cluster *cluster,
		       const struct eqt_cluster_node *node,
		       struct eqt_error *err)
{
	struct eqt_init_bundle bundle;
	struct hardware hardware;

	if (hardware_read(&hardware, cluster, node, err) < 0)
		return -1;
	if (hardware.cores == 0)
		return 0;
	bundle = bundle_make(&hardware, node, NULL, memory);
	if (hardware.models == 0)
		return gathering_add(gathering, cluster, node, &bundle, err);
	for (size_t i = 0; i < hardware.models; i++) {
		bundle =
			bundle_make(&hardware, node, hardware.model[i], memory);
		if (gathering_add(gathering, cluster, node, &bundle, err) < 0)
			return -1;
	}
	return 0;
}

static int gather(struct gathering *gathering, struct eqt_init_plan *plan,
		  const struct eqt_cluster *cluster, struct eqt_error *err)
{
	for (size_t i = 0; i < cluster->count; i++) {
		if (gather_node(gathering, plan->memory, cluster,
				&cluster->nodes[i], err) < 0)
			return -1;
	}
	if (gathering->count == 0)
		return eqt_error_set(err, "slurm.conf has no nodes");
	qsort(gathering->bundles, gathering->count, sizeof(*gathering->bundles),
	      bundle_compare);
	bundles_add_cores(gathering);
	bundles_reduce(gathering);
	return 0;
}

static int plan_bundles(struct eqt_init_plan *plan,
			const struct eqt_cluster *cluster,
			struct eqt_error *err)
{
	/* room for all bundles that fit, one more to detect too many, and one for
	 * cores */
	struct gathering gathering = {
		.bundles = eqt_alloc(EQT_MODELS_MAX + 2,
				     sizeof(*gathering.bundles)),
		.last = eqt_alloc(EQT_MODELS_MAX + 2, sizeof(*gathering.last)),
	};
	int rc;

	plan->bundles = gathering.bundles;
	rc = gather(&gathering, plan, cluster, err);
	plan->count = gathering.count;
	free(gathering.last);
	return rc;
}

/* The smallest memory per core in a partition. 0 if the partition has nodes with GPUs, or
 * no nodes. */
static uint64_t partition_memory(const struct eqt_cluster *cluster, size_t line,
				 bool *in)
{
	struct hardware hardware;
	uint64_t least = 0, share;

	if (eqt_cluster_conf_partition_nodes(cluster, line, in) < 0)
		return 0;
	for (size_t i = 0; i < cluster->count; i++) {
		if (!in[i])
			continue;
		if (hardware_read(&hardware, cluster, &cluster->nodes[i],
				  NULL) < 0 ||
		    hardware.gpus > 0 || hardware.cores == 0)
			return 0;
		share = memory_share(hardware.memory_mib, hardware.cores);
		if (least == 0 || share < least)
			least = share;
	}
	return least;
}

/* Plan a rule for each partition whose memory per core differs. */
static void plan_partitions(struct eqt_init_plan *plan,
			    const struct eqt_cluster *cluster)
{
	const struct eqt_slurmconf *slurm = cluster->conf;
	bool *in = eqt_alloc(cluster->count + 1, sizeof(*in));

	plan->partitions =
		eqt_alloc(slurm->count + 1, sizeof(*plan->partitions));

	for (size_t i = 0; plan->memory && i < slurm->count; i++) {
		uint64_t memory;

		if (!eqt_cluster_conf_is_partition(slurm, i) ||
		    plan->partition_count == EQT_RULES_MAX)
			continue;
		memory = partition_memory(cluster, i, in);
		if (memory == 0 || plan->bundles[0].memory_mib == 0 ||
		    amounts_are_alike(memory, plan->bundles[0].memory_mib))
			continue;
		plan->partitions[plan->partition_count++] =
			(struct eqt_init_partition){
				.name = slurm->lines[i].pairs[0].value,
				.memory_mib = memory,
			};
	}
	free(in);
}

/* Does Slurm allocate memory (CR_..._Memory)? If not, memory must have no price. */
static bool memory_is_allocated(const struct eqt_slurmconf *slurm)
{
	const char *text =
		eqt_slurm_conf_get(slurm, "SelectTypeParameters", NULL);

	return !text || strstr(text, "Memory") || strstr(text, "MEMORY") ||
	       strstr(text, "memory");
}

/* ---- Pools: accounts in pairs, such as def-x_cpu and def-x_gpu -------------- */

/* The suffix of an account that ends in a separator and the word. NULL if it does not. */
static const char *account_suffix(const char *account, const char *word)
{
	size_t length = strlen(account), size = strlen(word);
	const char *at = account + length - size;

	if (length < size + 2 || strcmp(at, word) != 0 ||
	    !strchr("_-.", at[-1]))
		return NULL;
	return at - 1;
}

/* The account that ends in the other word instead. buf has 256 bytes. */
static const char *account_counterpart(const char *account, const char *word,
				       char *buf)
{
	/* Both words have three letters. */
	(void) snprintf(buf, 256, "%.*s%s", (int) strlen(account) - 3, account,
			word);
	return buf;
}

/* Remember the suffixes if an account has a counterpart, or the account if it has none.
 * The first ones found are kept. */
static void pools_take_account(struct eqt_init_plan *plan,
			       const struct eqt_columns *accounts, size_t row,
			       size_t column, bool gpu)
{
	const char *account = eqt_columns_name(accounts, row, column);
	const char *suffix = account_suffix(account, gpu ? "gpu" : "cpu");
	char other[256];

	if (!suffix || strlen(account) >= sizeof(other))
		return;
	(void) account_counterpart(account, gpu ? "cpu" : "gpu", other);
	if (!eqt_columns_have(accounts, column, other)) {
		if (!plan->lonely[0])
			(void) snprintf(plan->lonely, sizeof(plan->lonely),
					"%s", account);
		return;
	}
	/* A pair is found at each of its accounts, so take it only at the account for
	 * cores. */
	if (gpu || plan->suffix[EQT_POOL_CPU][0])
		return;
	(void) snprintf(plan->suffix[EQT_POOL_CPU], EQT_NAME_SIZE, "%.1scpu",
			suffix);
	(void) snprintf(plan->suffix[EQT_POOL_GPU], EQT_NAME_SIZE, "%.1sgpu",
			suffix);
}

static void pools_find(struct eqt_init_plan *plan,
		       const struct eqt_columns *accounts)
{
	size_t column = eqt_columns_find(accounts, "Account", NULL);

	for (size_t row = 0; row < accounts->rows; row++) {
		pools_take_account(plan, accounts, row, column, false);
		pools_take_account(plan, accounts, row, column, true);
	}
}

int eqt_init_plan_make(struct eqt_init_plan *out,
		       const struct eqt_cluster *cluster,
		       const struct eqt_columns *accounts,
		       struct eqt_error *err)
{
	*out = (struct eqt_init_plan){
		.memory = memory_is_allocated(cluster->conf),
		.accounts = accounts != NULL,
		.nodes = cluster->count,
	};
	if (plan_bundles(out, cluster, err) < 0) {
		eqt_init_plan_free(out);
		return -1;
	}
	plan_partitions(out, cluster);
	if (accounts)
		pools_find(out, accounts);
	return 0;
}

void eqt_init_plan_free(struct eqt_init_plan *plan)
{
	free(plan->weights);
	free(plan->bundles);
	free(plan->partitions);
	*plan = (struct eqt_init_plan){ .count = 0 };
}

/* ---- Output -----------------------------------------------------------------------
 * A site edits the file, so comments tell where each number comes from. */

/* Write millionths with no more digits than needed, such as "3.5" or "6". Returns buf. */
static const char *cores_text(uint64_t cores_u, char *buf, size_t size)
{
	(void) snprintf(buf, size, "%" PRIu64 ".%06" PRIu64,
			cores_u / EQT_MICRO, cores_u % EQT_MICRO);
	return eqt_text_cut_zeros(buf);
}

/* Print a comment that names a node from which the bundle was computed. */
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

static void print_bundle(FILE *to, const struct eqt_init_bundle *bundle)
{
	char cores[48];

	print_origin(to, bundle);
	/* The '#' at the end turns the following bundle into a comment. */
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

/* Without these rules the nodes would be priced by the memory of other nodes. */
static void print_partitions(FILE *to, const struct eqt_init_plan *plan)
{
	if (plan->partition_count == 0)
		return;
	fputs("\n# Nodes of these partitions have another amount of memory for "
	      "each core.\n",
	      to);
	for (size_t i = 0; i < plan->partition_count; i++)
		fprintf(to,
			"partition \"%s\" { cores = 1  memory = %" PRIu64
			"M }\n",
			plan->partitions[i].name,
			plan->partitions[i].memory_mib);
}

/* Print the pools. If they would reject jobs, print them as comments. */
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
	      "many units as it has. If a GPU of one model\n# is worth more "
	      "than one of another model, add weight = 2.2 and the like.\n",
	      to);
	if (!plan->memory)
		fputs("# SelectTypeParameters has no memory: Slurm allocates "
		      "none, so none is priced.\n",
		      to);
	for (size_t i = 0; i < plan->count; i++)
		print_bundle(to, &plan->bundles[i]);
	if (plan->weights)
		eqt_init_weights_print(to, plan);
	else
		print_partitions(to, plan);
	print_pools(to, plan);
	if (plan->weights)
		return;
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

	eqt_json_add(object, "name", bundle->name);
	eqt_json_add(object, "cores",
		     (long double) bundle->cores_u / EQT_MICRO);
	eqt_json_add(object, "memory_mib",
		     bundle->memory_mib
			     ? json_object_new_uint64(bundle->memory_mib)
			     : NULL);
	eqt_json_add(object, "nodes", bundle->nodes[0] ? bundle->nodes : NULL);
	eqt_json_add(object, "node_count", bundle->node_count);
	eqt_json_add(object, "like", bundle->like);
	return object;
}

void eqt_init_print_json(const struct eqt_init_plan *plan)
{
	json_object *object = json_object_new_object();
	json_object *bundles = json_object_new_array();
	json_object *partitions = json_object_new_array();
	bool pools = plan->suffix[EQT_POOL_CPU][0] && !plan->lonely[0];

	for (size_t i = 0; i < plan->count; i++)
		eqt_json_append(bundles, bundle_json(&plan->bundles[i]));
	for (size_t i = 0; i < plan->partition_count; i++) {
		json_object *one = json_object_new_object();

		eqt_json_add(one, "name", plan->partitions[i].name);
		eqt_json_add(one, "memory_mib", plan->partitions[i].memory_mib);
		eqt_json_append(partitions, one);
	}
	eqt_json_add(object, "bundles", bundles);
	eqt_json_add(object, "partitions", partitions);
	eqt_json_add(object, "pool_cpu",
		     pools ? plan->suffix[EQT_POOL_CPU] : NULL);
	eqt_json_add(object, "pool_gpu",
		     pools ? plan->suffix[EQT_POOL_GPU] : NULL);
	eqt_json_print(object);
}
