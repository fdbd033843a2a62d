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

/* Where in the copy an association is. */
struct id_at {
	uint32_t id;
	uint32_t position;
};

/* The copy, in the order of assoc_mgr's list. Only the pass thread is here. */
static struct {
	struct eqt_tree *tree;
	struct id_at *ids; /* sorted by id; NULL: nobody has asked yet */
	uint32_t count;
	uint32_t root; /* position of the root */
	struct eqt_assoc_states states; /* that it is of */
} copy;

/* The tree's node of a position: the root is 0, the others follow in the list's
 * order. */
static uint32_t node_at(uint32_t position)
{
	if (position == copy.root)
		return 0;
	return position < copy.root ? position + 1 : position;
}

/* One walk over the associations; position counts along. */
struct walk {
	uint32_t position;
	uint32_t roots;
	bool norms; /* S as Slurm keeps it counts */
	long double root_usage;
	struct eqt_node_in *nodes; /* of the tree that is made */
};

static void copy_one(const struct eqt_assoc_at *at, void *arg)
{
	struct walk *walk = arg;
	uint32_t node = node_at(walk->position++);

	eqt_tree_usage_set(copy.tree, node, at->usage->usage_raw);
	if (walk->norms)
		eqt_tree_norm_set(copy.tree, node, at->usage->shares_norm);
}

static int compare_ids(const void *x, const void *y)
{
	const struct id_at *a = x, *b = y;

	return a->id < b->id ? -1 : a->id > b->id;
}

/* The node of an association; EQT_NODE_NONE when it is not in the copy. */
static uint32_t node_of(uint32_t id)
{
	struct id_at key = { .id = id };
	const struct id_at *found = bsearch(&key, copy.ids, copy.count,
					    sizeof(*copy.ids), compare_ids);

	return found ? node_at(found->position) : EQT_NODE_NONE;
}

static void note_id(const struct eqt_assoc_at *at, void *arg)
{
	struct walk *walk = arg;
	uint32_t i = walk->position++;

	if (!at->usage->fs_assoc_ptr) {
		copy.root = i;
		walk->roots++;
	}
	copy.ids[i] = (struct id_at){ at->id, i };
}

static int find_ids(struct walk *walk, struct eqt_error *err)
{
	free(copy.ids);
	copy.ids = calloc(copy.count, sizeof(*copy.ids));
	if (!copy.ids)
		return eqt_error_set(err, "out of memory");
	walk->position = 0;
	eqt_assocs_each(EQT_ASSOC_RANK, note_id, walk);
	qsort(copy.ids, copy.count, sizeof(*copy.ids), compare_ids);
	return 0;
}

static void fill_node(const struct eqt_assoc_at *at, void *arg)
{
	struct walk *walk = arg;
	const slurmdb_assoc_rec_t *parent = at->usage->fs_assoc_ptr;
	uint32_t shares = at->assoc->shares_raw;

	walk->nodes[node_at(walk->position++)] = (struct eqt_node_in){
		.parent = parent ? node_of(parent->id) : EQT_NODE_NONE,
		.shares = shares,
		.user = at->user,
		.parent_shares = shares == SLURMDB_FS_USE_PARENT,
	};
}

/* Make the tree of the associations as they are. */
static int build_tree(bool norms, struct eqt_error *err)
{
	struct walk walk = { .norms = norms };

	eqt_tree_free(copy.tree);
	copy.tree = NULL;
	copy.count = (uint32_t) list_count(assoc_mgr_assoc_list);
	if (find_ids(&walk, err) < 0)
		return -1;
	if (walk.roots != 1)
		return eqt_error_set(err,
				     "the associations have no single root");
	walk.nodes = calloc(copy.count, sizeof(*walk.nodes));
	if (!walk.nodes)
		return eqt_error_set(err, "out of memory");
	walk.position = 0;
	eqt_assocs_each(EQT_ASSOC_RANK, fill_node, &walk);
	copy.tree = eqt_tree_new(walk.nodes, copy.count, err);
	free(walk.nodes);
	return copy.tree ? 0 : -1;
}

/* Copy shape and usage of all associations, which are locked for reading. */
static int copy_all(bool norms, bool by_id, struct eqt_error *err)
{
	struct eqt_assoc_states states = eqt_assocs_states();
	struct walk walk = { .norms = norms };

	if (!copy.tree || states.shape != copy.states.shape) {
		if (build_tree(norms, err) < 0)
			return -1;
		copy.states = states;
		eqt_assocs_each(EQT_ASSOC_RANK, copy_one, &walk);
		return 0;
	}
	if (by_id && !copy.ids && find_ids(&walk, err) < 0)
		return -1;
	if (!by_id) {
		free(copy.ids);
		copy.ids = NULL;
	}
	walk.position = 0;
	eqt_assocs_each(EQT_ASSOC_RANK, copy_one, &walk);
	return 0;
}

/* Write one association's numbers. */
static void write_one(const struct eqt_assoc_at *at, void *arg)
{
	slurmdb_assoc_usage_t *usage = at->usage;
	struct walk *walk = arg;
	uint32_t node = node_at(walk->position++);
	struct eqt_node_out out = eqt_tree_node(copy.tree, node);

	if (!node) {
		/* The root has no level; clients expect these values. */
		usage->usage_efctv = 1.0L;
		usage->level_fs = NO_VAL;
		return;
	}
	usage->usage_efctv = out.usage_efctv;
	usage->level_fs = isnan(out.level_fs) ? (long double) NO_VAL
					      : out.level_fs;
	if (at->user)
		usage->fs_factor = out.fs_factor;
	usage->usage_norm =
		walk->root_usage > 0 ? usage->usage_raw / walk->root_usage : 0;
	if (usage->usage_norm > 1.0L)
		usage->usage_norm = 1.0L;
	eqt_trace_level(at->assoc);
}

/* Write back what was ranked; -1 when the associations are others meanwhile. */
static int write_all(void)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };
	struct walk walk = { 0 };
	int rc = -1;

	assoc_mgr_lock(&locks);
	if (eqt_assocs_states().order == copy.states.order) {
		walk.root_usage = assoc_mgr_root_assoc->usage->usage_raw;
		eqt_assocs_each(EQT_ASSOC_RANK, write_one, &walk);
		eqt_assocs_keep();
		rc = 0;
	}
	assoc_mgr_unlock(&locks);
	return rc;
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

/* Copy, rank and write back once; 1 when the associations changed meanwhile, so
 * that nothing was written. */
static int rank_once(const struct eqt_settings *settings,
		     struct eqt_queued *jobs, size_t count)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	bool by_id = count || eqt_settings_place_jobs(settings);
	struct eqt_error err;
	int rc;

	assoc_mgr_lock(&locks);
	rc = copy_all(settings->stock.ties, by_id, &err);
	assoc_mgr_unlock(&locks);
	if (rc < 0) {
		eqt_log_error("cannot rank the share tree: %s", err.text);
		return -1;
	}
	rank_copy(settings, jobs, count);
	return write_all() < 0 ? 1 : 0;
}

int eqt_ranks_update(const struct eqt_settings *settings,
		     struct eqt_queued *jobs, size_t count)
{
	int rc = rank_once(settings, jobs, count);

	/* Once more; then it is left to the next pass. */
	if (rc > 0)
		rc = rank_once(settings, jobs, count);
	if (rc < 0)
		return -1;
	place_jobs(settings, jobs, count);
	return (int) eqt_tree_users(copy.tree);
}

void eqt_ranks_clear(void)
{
	eqt_tree_free(copy.tree);
	free(copy.ids);
	memset(&copy, 0, sizeof(copy));
}
