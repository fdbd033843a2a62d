/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../common/log.h"
#include "../../common/slurm_compat.h"
#include "assoc_walk.h"
#include "eqt_tree.h"
#include "queue.h"
#include "ranks.h"
#include "../trace.h"

/* How one association hangs in the tree, to see when the tree has changed. */
struct shape {
	uint32_t id;
	uint32_t parent_id; /* of the fair-share parent; 0: root */
	uint32_t shares;
	bool user;
};

/* Where in the copy an association is. */
struct id_at {
	uint32_t id;
	uint32_t position;
};

/* The copy, in the order of assoc_mgr's list. Only the pass thread is here. */
static struct {
	struct eqt_tree *tree;
	struct shape *shapes;
	uint32_t *node; /* the tree's node of a position */
	struct id_at *ids; /* sorted by id */
	uint32_t count;
	uint32_t space;
} copy;

static struct shape shape_of(const slurmdb_assoc_rec_t *assoc)
{
	const slurmdb_assoc_rec_t *parent = assoc->usage->fs_assoc_ptr;

	return (struct shape){
		.id = assoc->id,
		.parent_id = parent ? parent->id : 0,
		.shares = assoc->shares_raw,
		.user = assoc->user != NULL,
	};
}

static bool same_shape(const struct shape *a, const struct shape *b)
{
	return a->id == b->id && a->parent_id == b->parent_id &&
	       a->shares == b->shares && a->user == b->user;
}

/* One walk over the list; position counts along. */
struct walk {
	uint32_t position;
	bool changed;
	long double root_usage;
};

/* Copy one association's usage; notes when the shape is another. */
static void copy_one(slurmdb_assoc_rec_t *assoc, void *arg)
{
	struct walk *walk = arg;
	struct shape shape = shape_of(assoc);
	uint32_t i = walk->position++;

	if (!walk->changed &&
	    (i >= copy.count || !same_shape(&shape, &copy.shapes[i])))
		walk->changed = true;
	if (walk->changed)
		return;
	eqt_tree_usage_set(copy.tree, copy.node[i], assoc->usage->usage_raw);
	eqt_tree_norm_set(copy.tree, copy.node[i], assoc->usage->shares_norm);
}

static void collect_shape(slurmdb_assoc_rec_t *assoc, void *arg)
{
	struct walk *walk = arg;

	if (walk->position < copy.space)
		copy.shapes[walk->position++] = shape_of(assoc);
}

static int compare_ids(const void *x, const void *y)
{
	const struct id_at *a = x, *b = y;

	return a->id < b->id ? -1 : a->id > b->id;
}

/* Node numbers: the root is 0, the others follow in the list's order. */
static int number_nodes(void)
{
	uint32_t next = 1, roots = 0;

	for (uint32_t i = 0; i < copy.count; i++) {
		bool root = !copy.shapes[i].parent_id;

		roots += root;
		copy.node[i] = root ? 0 : next++;
	}
	return roots == 1 ? 0 : -1;
}

/* The node of an association; EQT_NODE_NONE when it is not in the copy. */
static uint32_t node_of(uint32_t id)
{
	struct id_at key = { .id = id };
	const struct id_at *found = bsearch(&key, copy.ids, copy.count,
					    sizeof(*copy.ids), compare_ids);

	return found ? copy.node[found->position] : EQT_NODE_NONE;
}

static void fill_ids(void)
{
	for (uint32_t i = 0; i < copy.count; i++)
		copy.ids[i] = (struct id_at){ copy.shapes[i].id, i };
	qsort(copy.ids, copy.count, sizeof(*copy.ids), compare_ids);
}

static void fill_nodes(struct eqt_node_in *nodes)
{
	for (uint32_t i = 0; i < copy.count; i++) {
		const struct shape *shape = &copy.shapes[i];

		nodes[copy.node[i]] = (struct eqt_node_in){
			.parent = shape->parent_id ? node_of(shape->parent_id)
						   : EQT_NODE_NONE,
			.shares = shape->shares,
			.user = shape->user,
			.parent_shares = shape->shares == SLURMDB_FS_USE_PARENT,
		};
	}
}

/* Make the tree of copy.shapes. */
static int build_tree(struct eqt_error *err)
{
	struct eqt_node_in *nodes = calloc(copy.count, sizeof(*nodes));

	eqt_tree_free(copy.tree);
	copy.tree = NULL;
	if (!nodes) {
		eqt_error_set(err, "out of memory");
	} else if (number_nodes() < 0) {
		eqt_error_set(err, "the associations have no single root");
	} else {
		fill_ids();
		fill_nodes(nodes);
		copy.tree = eqt_tree_new(nodes, copy.count, err);
	}
	free(nodes);
	return copy.tree ? 0 : -1;
}

static int make_space(uint32_t count, struct eqt_error *err)
{
	struct shape *shapes;
	struct id_at *ids;
	uint32_t *node;

	if (count <= copy.space)
		return 0;
	shapes = realloc(copy.shapes, count * sizeof(*shapes));
	if (shapes)
		copy.shapes = shapes;
	node = realloc(copy.node, count * sizeof(*node));
	if (node)
		copy.node = node;
	ids = realloc(copy.ids, count * sizeof(*ids));
	if (ids)
		copy.ids = ids;
	if (!shapes || !node || !ids)
		return eqt_error_set(err, "out of memory");
	copy.space = count;
	return 0;
}

/* Copy shape and usage of all associations, which are locked for reading. */
static int copy_all(struct eqt_error *err)
{
	struct walk walk = { .changed = !copy.tree };
	uint32_t count = (uint32_t) list_count(assoc_mgr_assoc_list);

	if (!walk.changed)
		eqt_assocs_each(copy_one, &walk);
	if (!walk.changed && walk.position == copy.count)
		return 0;
	if (make_space(count, err) < 0)
		return -1;
	walk = (struct walk){ 0 };
	eqt_assocs_each(collect_shape, &walk);
	copy.count = walk.position;
	if (build_tree(err) < 0)
		return -1;
	walk = (struct walk){ 0 };
	eqt_assocs_each(copy_one, &walk);
	return 0;
}

/* Write one association's numbers, if it is still the one that was copied. */
static void write_one(slurmdb_assoc_rec_t *assoc, void *arg)
{
	slurmdb_assoc_usage_t *usage = assoc->usage;
	struct walk *walk = arg;
	uint32_t i = walk->position++;
	struct eqt_node_out out;

	if (i >= copy.count || copy.shapes[i].id != assoc->id)
		return;
	out = eqt_tree_node(copy.tree, copy.node[i]);
	if (!copy.node[i]) {
		/* The root has no level; clients expect these values. */
		usage->usage_efctv = 1.0L;
		usage->level_fs = NO_VAL;
	} else {
		usage->usage_efctv = out.usage_efctv;
		usage->level_fs = isnan(out.level_fs) ? (long double) NO_VAL
						      : out.level_fs;
	}
	if (assoc->user)
		usage->fs_factor = out.fs_factor;
	/* The root has none; clients show that as nothing. */
	if (!copy.node[i])
		return;
	usage->usage_norm =
		walk->root_usage > 0 ? usage->usage_raw / walk->root_usage : 0;
	if (usage->usage_norm > 1.0L)
		usage->usage_norm = 1.0L;
	eqt_trace_level(assoc);
}

static void find_job_nodes(struct eqt_queued *jobs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		jobs[i].node = node_of(jobs[i].assoc_id);
}

static void rank_copy(const struct eqt_settings *settings,
		      struct eqt_queued *jobs, size_t count)
{
	const struct eqt_conf_priority *conf = &settings->priority;

	find_job_nodes(jobs, count);
	eqt_queue_rank(jobs, count, copy.tree, conf,
		       settings->stock.ties ? EQT_TREE_STOCK
					    : EQT_TREE_DOCUMENTED);
}

static void place_jobs(const struct eqt_settings *settings,
		       struct eqt_queued *jobs, size_t count)
{
	size_t ended_count;
	const struct eqt_queued *ended = eqt_queue_ended(&ended_count);

	if (!eqt_settings_place_jobs(settings))
		return;
	for (size_t i = 0; i < ended_count; i++)
		eqt_queue_end(copy.tree, node_of(ended[i].assoc_id),
			      ended[i].equivalents);
	eqt_queue_place(jobs, count, copy.tree,
			eqt_queue_horizon_s(&settings->priority));
}

int eqt_ranks_update(const struct eqt_settings *settings,
		     struct eqt_queued *jobs, size_t count)
{
	assoc_mgr_lock_t read_lock = { .assoc = READ_LOCK };
	assoc_mgr_lock_t write_lock = { .assoc = WRITE_LOCK };
	struct eqt_error err;
	struct walk walk = { 0 };
	int rc;

	assoc_mgr_lock(&read_lock);
	rc = copy_all(&err);
	assoc_mgr_unlock(&read_lock);
	if (rc < 0) {
		eqt_log_error("cannot rank the share tree: %s", err.text);
		return -1;
	}
	rank_copy(settings, jobs, count);
	assoc_mgr_lock(&write_lock);
	walk.root_usage = assoc_mgr_root_assoc->usage->usage_raw;
	eqt_assocs_each(write_one, &walk);
	assoc_mgr_unlock(&write_lock);
	place_jobs(settings, jobs, count);
	return (int) eqt_tree_users(copy.tree);
}

void eqt_ranks_clear(void)
{
	eqt_tree_free(copy.tree);
	free(copy.shapes);
	free(copy.node);
	free(copy.ids);
	memset(&copy, 0, sizeof(copy));
}
