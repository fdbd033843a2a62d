/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/whole.h"
#include "job/job_totals.h"
#include "job/node_class.h"

/* The characters between the names of features. Slurm reads a comma as &. */
#define FEATURE_ENDS "&,|[]()*"

/* Add the GPUs and shares of GPUs in a list. Return false if there are too many,
 * because nodes must not be chosen by only some of them. */
static bool add_gpus(struct eqt_node_requirement *wish, const char *list)
{
	struct eqt_gres gres;

	while (list && eqt_gres_next(&gres, &list, NULL) > 0) {
		if ((strcmp(gres.name, "gpu") != 0 &&
		     !eqt_gres_is_share(gres.name)) ||
		    gres.count == 0)
			continue;
		if (wish->gpu_count == EQT_NODE_REQUIREMENT_GPUS)
			return false;
		wish->gpus[wish->gpu_count++] = gres;
	}
	return true;
}

/* Return the hash of a name. It takes eight bytes at a time, because each feature of
 * each node is looked up. */
static uint64_t name_hash(const char *at, size_t length)
{
	uint64_t hash = length, part;

	for (; length > 0; at += sizeof(part)) {
		const size_t bytes = length < sizeof(part) ? length
							   : sizeof(part);

		part = 0;
		memcpy(&part, at, bytes);
		hash = (hash ^ part) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
		length -= bytes;
	}
	return hash;
}

/* Return the slot of a name, or the empty slot in which it would be stored. Return -1
 * if too many other names are in the way. */
static int names_slot(const struct eqt_node_requirement_names *names,
		      const char *at, size_t length)
{
	const uint64_t hash = name_hash(at, length);

	for (uint32_t i = 0; i < EQT_NODE_REQUIREMENT_PROBES; i++) {
		const uint32_t slot =
			(uint32_t) (hash + i) % EQT_NODE_REQUIREMENT_SLOTS;
		const uint32_t index = names->slot[slot];

		if (index == 0 ||
		    (names->name[index - 1].length == length &&
		     memcmp(names->name[index - 1].at, at, length) == 0))
			return (int) slot;
	}
	return -1;
}

/* Store each name of an expression once. The expression has at most
 * EQT_NODE_REQUIREMENT_FEATURES bytes. Return false if many names have the same slot,
 * because a user has chosen them so, and each feature of a node would be compared with
 * all of them. */
static bool names_read(struct eqt_node_requirement_names *names, const char *at)
{
	names->count = 0;
	memset(names->slot, 0, sizeof(names->slot));
	while (*(at += strspn(at, FEATURE_ENDS)) != '\0') {
		size_t length = strcspn(at, FEATURE_ENDS);
		const int slot = names_slot(names, at, length);

		if (slot < 0)
			return false;
		if (names->slot[slot] == 0) {
			names->name[names->count].at = at;
			names->name[names->count].length = length;
			names->slot[slot] = (uint16_t) ++names->count;
		}
		at += length;
	}
	return true;
}

bool eqt_node_requirement_has_feature(const struct eqt_node_requirement *wish,
				      const char *name)
{
	const int slot = names_slot(&wish->names, name, strlen(name));

	return slot >= 0 && wish->names.slot[slot] > 0;
}

bool eqt_node_requirement_lists_others(const struct eqt_job_spec *spec)
{
	return spec->nodelist && spec->nodelist[0] != '\0' &&
	       spec->counted_nodes > 0 && spec->constraint &&
	       strchr(spec->constraint, '*');
}

/* May the job have nodes beyond those that its features count? Slurm takes any nodes
 * for these. If the counts are in brackets, it does so only if the request wants more
 * nodes. */
static bool has_uncounted(const struct eqt_job_spec *spec)
{
	uint64_t most = spec->tres_per_job ? UINT64_MAX : spec->tasks;

	if (!spec->counted_nodes || !strchr(spec->constraint, '*'))
		return false;
	if (strchr(spec->constraint, '['))
		most = spec->min_nodes;
	else if (spec->max_nodes)
		most = spec->max_nodes;
	return eqt_node_requirement_lists_others(spec) ||
	       spec->counted_nodes < most;
}

/* Does the request have --prefer? Slurm tries its features in place of those of
 * --constraint. */
static bool has_prefer(const struct eqt_job_spec *spec)
{
	return spec->prefer && spec->prefer[0] != '\0';
}

void eqt_node_requirement_make(struct eqt_node_requirement *out,
			       const struct eqt_job_spec *spec)
{
	const char *constraint = spec->constraint;

	out->features = NULL;
	out->any_feature = false;
	out->gpu_count = 0;
	if (!add_gpus(out, spec->tres_per_job) ||
	    !add_gpus(out, spec->tres_per_node) ||
	    !add_gpus(out, spec->tres_per_socket) ||
	    !add_gpus(out, spec->tres_per_task))
		out->gpu_count = 0;
	if (constraint && constraint[0] != '\0' && !has_prefer(spec) &&
	    !has_uncounted(spec) &&
	    strnlen(constraint, EQT_NODE_REQUIREMENT_FEATURES + 1) <=
		    EQT_NODE_REQUIREMENT_FEATURES &&
	    names_read(&out->names, constraint)) {
		out->features = constraint;
		out->any_feature = strpbrk(constraint, "|[]()*") != NULL;
	}
}

/* The longest expression that slurmctld accepts at a submission, in bytes. */
#define FEATURES_LENGTH 1024

/* The numbers of nodes in a feature expression. */
struct feature_counts {
	uint64_t all; /* the sum of all numbers in the expression */
	uint64_t largest;
	/* The sum of the numbers in brackets, which Slurm counts on different nodes. */
	uint64_t apart;
};

static void feature_count_add(struct feature_counts *counts, uint64_t count,
			      bool apart)
{
	counts->all += count;
	eqt_whole_raise(&counts->largest, count);
	if (apart)
		counts->apart += count;
}

/* Read the number after a "*". Slurm stores it in 32 bits. */
static uint64_t feature_count_read(const char *at)
{
	uint64_t count = 0;

	for (; *at >= '0' && *at <= '9' && count < UINT32_MAX; at++)
		count = count * 10 + (uint64_t) (*at - '0');
	return eqt_whole_min(count, UINT32_MAX);
}

static void feature_counts_read(struct feature_counts *counts, const char *at)
{
	const char *const bar = strchr(at, '|');
	const char *const open = strchr(at, '[');
	const char *const close = open ? strchr(open, ']') : NULL;

	*counts = (struct feature_counts){ .all = 0 };
	while ((at = strchr(at, '*')) != NULL) {
		const bool apart = open && at > open && close && at < close &&
				   !bar;

		feature_count_add(counts, feature_count_read(++at), apart);
	}
}

/* Return the largest number of nodes for which an expression may stand. */
static uint64_t features_most(struct feature_counts *counts, const char *text)
{
	*counts = (struct feature_counts){ .all = 0 };
	if (!text || text[0] == '\0')
		return 0;
	if (strnlen(text, FEATURES_LENGTH + 1) > FEATURES_LENGTH)
		return UINT32_MAX;
	feature_counts_read(counts, text);
	return counts->all;
}

void eqt_node_requirement_raise_nodes(struct eqt_job_spec *spec)
{
	struct feature_counts counts;

	eqt_whole_raise(&spec->counted_nodes,
			features_most(&counts, spec->prefer));
	eqt_whole_raise(&spec->counted_nodes,
			features_most(&counts, spec->constraint));
	if (!has_prefer(spec))
		eqt_job_spec_raise_nodes(spec, eqt_whole_max(counts.apart,
							     counts.largest));
}

bool eqt_node_requirement_chooses(const struct eqt_job_spec *spec,
				  uint64_t listed)
{
	return spec->list_chooses && listed > spec->min_nodes;
}

void eqt_node_requirement_add_listed(struct eqt_job_spec *spec, uint64_t listed)
{
	if (eqt_node_requirement_chooses(spec, listed))
		return;
	eqt_job_spec_raise_nodes(spec, listed);
	if (spec->counted_nodes > 0 &&
	    __builtin_add_overflow(spec->counted_nodes, listed,
				   &spec->counted_nodes))
		spec->counted_nodes = UINT64_MAX;
}

static bool has_feature(const struct eqt_node_class *kind, const char *name,
			size_t length)
{
	const char *at = kind->features, *end;
	size_t rest = at ? kind->features_length : 0;

	for (; rest > 0; rest -= (size_t) (end - at) + 1, at = end + 1) {
		end = memchr(at, ',', rest);
		if ((size_t) ((end ? end : at + rest) - at) == length &&
		    memcmp(at, name, length) == 0)
			return true;
		if (!end)
			return false;
	}
	return false;
}

/* Does the node have all features in a bundle's list? */
static bool has_features(const struct eqt_node_class *kind, const char *list)
{
	const char *at = list;

	while (*(at += strspn(at, FEATURE_ENDS)) != '\0') {
		size_t length = strcspn(at, FEATURE_ENDS);

		if (!has_feature(kind, at, length))
			return false;
		at += length;
	}
	return true;
}

/*
 * Does a node have all names as features, or any of them? A name with a count ("a*4")
 * is a feature that no node has.
 */
static bool has_names(const struct eqt_node_class *kind,
		      const struct eqt_node_requirement_names *names, bool any)
{
	const char *at = kind->features, *end;
	size_t rest = at ? kind->features_length : 0;
	bool seen[EQT_NODE_REQUIREMENT_NAMES];
	uint32_t count = 0;

	memset(seen, 0, names->count * sizeof(*seen));
	for (; rest > 0; rest -= (size_t) (end - at) + 1, at = end + 1) {
		uint32_t index;
		int slot;

		end = memchr(at, ',', rest);
		slot = names_slot(names, at,
				  (size_t) ((end ? end : at + rest) - at));
		index = slot < 0 ? 0 : names->slot[slot];
		if (index > 0 && any)
			return true;
		if (index > 0 && !seen[index - 1]) {
			seen[index - 1] = true;
			count++;
		}
		if (!end)
			break;
	}
	return !any && count == names->count;
}

bool eqt_node_class_fits_features(const struct eqt_node_class *kind,
				  const struct eqt_node_requirement *wish)
{
	return !wish->features ||
	       has_names(kind, &wish->names, wish->any_feature);
}

bool eqt_node_class_fits_gpus(const struct eqt_node_class *kind,
			      const struct eqt_node_requirement *wish)
{
	for (uint32_t i = 0; i < wish->gpu_count; i++) {
		if (eqt_gres_list_count(kind->gres, wish->gpus[i].name,
					wish->gpus[i].type) > 0)
			return true;
	}
	return wish->gpu_count == 0;
}

bool eqt_node_class_fits(const struct eqt_node_class *kind,
			 const struct eqt_node_requirement *wish)
{
	return eqt_node_class_fits_features(kind, wish) &&
	       eqt_node_class_fits_gpus(kind, wish);
}

static bool holds_here(const struct eqt_node_class *kind,
		       const struct eqt_bundle_table *prices, uint32_t bundle)
{
	const char *features = prices->gpu[bundle].features;

	return (!prices->gpu[bundle].nodes || (kind->named >> bundle & 1)) &&
	       (!features || has_features(kind, features));
}

/* Return the bundle that is in force for a model. `named` has a bit for each bundle of
 * the model's name. */
static uint32_t bundle_of(const struct eqt_node_class *kind,
			  const struct eqt_bundle_table *prices, uint32_t model,
			  uint32_t named)
{
	uint32_t other = model, i;

	for (i = model; named >> i != 0; i++) {
		const struct eqt_bundle *bundle = &prices->gpu[i];

		if (!(named >> i & 1))
			continue;
		if (!bundle->nodes && !bundle->features)
			other = i;
		else if (holds_here(kind, prices, i))
			return i;
		if (i == EQT_MODELS_MAX - 1)
			break;
	}
	return other;
}

uint32_t eqt_node_class_bundle(const struct eqt_node_class *kind,
			       const struct eqt_bundle_table *prices,
			       uint32_t model)
{
	return bundle_of(kind, prices, model,
			 eqt_bundle_table_named(prices, model));
}

void eqt_node_class_names(uint32_t named[EQT_MODELS_MAX],
			  const struct eqt_bundle_table *prices)
{
	for (uint32_t i = 0; i < prices->gpu_count; i++)
		named[i] = eqt_bundle_table_named(prices, i);
}

/* Find the bundle of the next GPU in a node's list. Return false at the end of the
 * list. */
static bool next_model(uint32_t *model, const char **list,
		       const struct eqt_bundle_table *prices)
{
	struct eqt_gres gres;
	int found;

	while (*list && eqt_gres_next(&gres, list, NULL) > 0) {
		found = eqt_bundle_table_find(prices, gres.name, gres.type);
		if (found >= 0) {
			*model = (uint32_t) found;
			return true;
		}
	}
	return false;
}

uint32_t eqt_node_class_models(const struct eqt_node_class *kind,
			       const struct eqt_bundle_table *prices)
{
	const char *list = kind->gres;
	uint32_t models = 0, model;

	while (next_model(&model, &list, prices))
		models |= UINT32_C(1) << model;
	return models;
}

uint32_t eqt_node_class_bundles(const struct eqt_node_class *kind,
				const struct eqt_bundle_table *prices,
				const uint32_t named[EQT_MODELS_MAX],
				uint32_t models)
{
	uint32_t bundles = 0, i;

	for (i = 0; i < prices->gpu_count; i++) {
		if (models >> i & 1)
			bundles |= UINT32_C(1)
				   << bundle_of(kind, prices, i, named[i]);
	}
	return bundles;
}

uint32_t eqt_node_class_by_name(const struct eqt_bundle_table *prices,
				uint32_t models)
{
	uint32_t bundles = 0, i;

	for (i = 0; i < prices->gpu_count; i++) {
		if (models >> i & 1)
			bundles |= eqt_bundle_table_named(prices, i);
	}
	for (i = 0; i < prices->gpu_count; i++) {
		if (!prices->gpu[i].nodes)
			bundles &= ~(UINT32_C(1) << i);
	}
	return bundles;
}
