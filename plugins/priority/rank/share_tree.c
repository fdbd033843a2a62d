/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rank the associations: copy them under assoc_mgr's read lock, rank the copy
 * without a lock, and write the results back under the write lock, in slices,
 * as long as the list is the same.
 *
 * The copy is built again only when members, parents or shares change;
 * otherwise only the usage is copied. The tree is built without the lock,
 * because with a million associations that takes longer than everything else.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "slurm/log.h"
#include "slurm/compat.h"
#include "rank/share_tree.h"
#include "trace.h"

/* The tree node of a position in the list. eqt_tree_new() expects the root as
 * node 0. The other associations follow in the order of the list. */
static uint32_t share_tree_node(const struct eqt_share_tree *copy,
				uint32_t position)
{
	if (position == copy->root)
		return 0;
	return position < copy->root ? position + 1 : position;
}

/* The state of one walk over the associations. */
struct share_tree_walk {
	struct eqt_share_tree *copy;
	uint32_t position; /* The position in the list. */
	uint32_t roots;
	/* The number of associations without a parent, except the root. */
	uint32_t orphans;
	uint32_t orphan_id; /* The id of the first such association. */
	/* Also copy the normalised shares that Slurm stores in an
	   association. */
	bool norms;
	/* The factor by which usage has decayed since the last copy. */
	long double decay;
	bool changed; /* Something other than the decay has changed. */
	long double root_usage;
	bool traced; /* Log the Level FS of each association. */
	/* The input of the tree, owned. At first it is in the order of the list
	   and has the ids of parents; 0 means no parent. */
	struct eqt_tree_input *nodes;
	uint32_t *ids; /* The ids of the associations, owned. */
};

static void share_tree_copy_assoc(const struct eqt_assoc_at *at, void *arg)
{
	struct share_tree_walk *walk = arg;
	struct eqt_share_tree *copy = walk->copy;
	uint32_t node = share_tree_node(copy, walk->position++);
	long double before = eqt_tree_usage(copy->tree, node);

	/* Usage that is 0 now was reset, because decay alone never makes it
	   0. */
	if (at->usage->usage_raw != eqt_usage_scaled(before, walk->decay) ||
	    (before > 0 && !(at->usage->usage_raw > 0)))
		walk->changed = true;
	eqt_tree_usage_set(copy->tree, node, at->usage->usage_raw);
	if (walk->norms)
		eqt_tree_norm_set(copy->tree, node, at->usage->shares_norm);
}

/* The node of an association, or EQT_TREE_NONE if it is not in the copy. */
static uint32_t share_tree_find(const struct eqt_share_tree *copy, uint32_t id)
{
	const time_t *found = eqt_job_table_get(&copy->positions, id);

	return found ? share_tree_node(copy, (uint32_t) *found) : EQT_TREE_NONE;
}

/* Read one association. An association without a parent becomes a child of the
 * root with no shares, so that it takes nothing from the others. */
static void share_tree_read_assoc(const struct eqt_assoc_at *at, void *arg)
{
	struct share_tree_walk *walk = arg;
	struct eqt_share_tree *copy = walk->copy;
	const slurmdb_assoc_rec_t *parent = at->usage->fs_assoc_ptr;
	uint32_t shares = at->assoc->shares_raw;
	uint32_t i = walk->position++;

	if (at->assoc == assoc_mgr_root_assoc) {
		copy->root = i;
		walk->roots++;
	} else if (!parent) {
		if (!walk->orphans++)
			walk->orphan_id = at->id;
		parent = assoc_mgr_root_assoc;
		shares = 0;
	}
	walk->ids[i] = at->id;
	walk->nodes[i] = (struct eqt_tree_input){
		.parent = parent ? parent->id : 0,
		.shares = shares,
		.user = at->user,
		.parent_shares = shares == SLURMDB_FS_USE_PARENT,
	};
}

/* Log associations without a parent. They are logged again only after all
 * associations had a parent. */
static void share_tree_log_orphans(const struct share_tree_walk *walk)
{
	if (walk->orphans && !walk->copy->orphans)
		eqt_log_error("%u associations have no parent, the first is "
			      "%u: they are ranked as if they had no "
			      "shares; see sacctmgr show assoc",
			      walk->orphans, walk->orphan_id);
	walk->copy->orphans = walk->orphans;
}

/* Read the associations. assoc_mgr's assoc lock is held for reading. */
static int share_tree_read(struct share_tree_walk *walk, struct eqt_error *err)
{
	struct eqt_share_tree *copy = walk->copy;

	copy->count = (uint32_t) list_count(assoc_mgr_assoc_list);
	walk->ids = calloc(copy->count, sizeof(*walk->ids));
	walk->nodes = calloc(copy->count, sizeof(*walk->nodes));
	if (!walk->ids || !walk->nodes)
		return eqt_error_set(err, "out of memory");
	eqt_walk_assocs(copy->walk, EQT_ASSOC_RANK, share_tree_read_assoc,
			walk);
	return 0;
}

/* Build the tree of the associations that were read. Takes no lock. */
static int share_tree_build(struct share_tree_walk *walk, struct eqt_error *err)
{
	struct eqt_share_tree *copy = walk->copy;
	struct eqt_tree_input *nodes = walk->nodes, root;

	if (walk->roots != 1)
		return eqt_error_set(err, "the associations have no root");
	share_tree_log_orphans(walk);
	if (eqt_job_table_begin(&copy->positions, copy->count) < copy->count)
		return eqt_error_set(err, "out of memory");
	for (uint32_t i = 0; i < copy->count; i++)
		eqt_job_table_set(&copy->positions, walk->ids[i], i);
	root = nodes[copy->root];
	memmove(nodes + 1, nodes, copy->root * sizeof(*nodes));
	nodes[0] = root;
	for (uint32_t i = 0; i < copy->count; i++)
		nodes[i].parent =
			nodes[i].parent ? share_tree_find(copy, nodes[i].parent)
					: EQT_TREE_NONE;
	copy->tree = eqt_tree_new(nodes, copy->count, err);
	if (copy->tree && walk->norms)
		return eqt_tree_norms_make(copy->tree, err);
	return copy->tree ? 0 : -1;
}

/*
 * Copy the shape and the usage of all associations. If `norms` is set, also
 * copy the normalised shares that Slurm stores.
 *
 * Returns 1 if something other than the decay of all usage has changed since
 * the last copy, 0 if not, and -1 with err filled after an error. *again is set
 * if the associations changed meanwhile. The function takes assoc_mgr's assoc
 * lock for reading.
 */
static int share_tree_copy(struct eqt_share_tree *copy, bool norms, bool *again,
			   struct eqt_error *err)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	struct share_tree_walk walk = { .copy = copy, .norms = norms };
	struct eqt_assoc_state state;
	bool is_new;
	int rc;

	assoc_mgr_lock(&locks);
	state = eqt_walk_assocs_state(copy->walk);
	is_new = !copy->tree || state.shape != copy->state.shape ||
		 norms != copy->norms;
	if (is_new) {
		/* With the mark, the list is not read again for each walk. */
		eqt_walk_assocs_keep(copy->walk);
		copy->state = state;
		copy->norms = norms;
		rc = share_tree_read(&walk, err);
		assoc_mgr_unlock(&locks);
		eqt_tree_free(copy->tree);
		copy->tree = NULL;
		if (rc == 0)
			rc = share_tree_build(&walk, err);
		free(walk.nodes);
		free(walk.ids);
		if (rc < 0) {
			copy->state.shape = 0;
			return -1;
		}
		walk.position = 0;
		assoc_mgr_lock(&locks);
		state = eqt_walk_assocs_state(copy->walk);
	}
	*again = state.order != copy->state.order;
	if (!*again) {
		walk.changed = !eqt_usage_decayed(copy->usage, &walk.decay) ||
			       is_new;
		eqt_walk_assocs(copy->walk,
				norms ? EQT_ASSOC_RANK : EQT_ASSOC_RAW,
				share_tree_copy_assoc, &walk);
	}
	assoc_mgr_unlock(&locks);
	return walk.changed;
}

/* Write the results of one association into its record. */
static void share_tree_write_assoc(const struct eqt_assoc_at *at, void *arg)
{
	slurmdb_assoc_usage_t *usage = at->usage;
	struct share_tree_walk *walk = arg;
	struct eqt_share_tree *copy = walk->copy;
	uint32_t node = share_tree_node(copy, walk->position++);
	struct eqt_tree_result out = eqt_tree_node(copy->tree, node);

	if (!node) {
		/* The root of the tree has no level, and clients expect these
		   two values. */
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
	if (walk->traced)
		eqt_trace_level(at->assoc);
}

/* Write results back from *next on, until the lock must be released. Returns
 * whether associations are left. */
static bool share_tree_write_some(struct share_tree_walk *walk, uint32_t *next)
{
	struct eqt_share_tree *copy = walk->copy;
	bool more;

	if (!*next)
		walk->root_usage = assoc_mgr_root_assoc->usage->usage_raw;
	more = eqt_walk_assocs_some(copy->walk, EQT_ASSOC_RANK, next,
				    share_tree_write_assoc, walk);
	/* The root, which is the first association, has our mark now. */
	eqt_walk_assocs_keep(copy->walk);
	return more;
}

/* Write the results back in slices. Returns -1 if the associations have changed
 * since the copy. */
static int share_tree_write(struct eqt_share_tree *copy,
			    const struct eqt_config *config)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };
	struct share_tree_walk walk = {
		.copy = copy,
		.traced = eqt_trace_is_on(config),
	};
	uint32_t next = 0;
	bool is_same, more;

	do {
		assoc_mgr_lock(&locks);
		is_same = eqt_walk_assocs_state(copy->walk).order ==
			  copy->state.order;
		more = is_same && share_tree_write_some(&walk, &next);
		assoc_mgr_unlock(&locks);
	} while (more);
	return is_same ? 0 : -1;
}

static void share_tree_rank(struct eqt_share_tree *copy,
			    const struct eqt_config *config,
			    struct eqt_job_copies *jobs)
{
	for (size_t i = 0; i < jobs->count; i++)
		jobs->jobs[i].node =
			share_tree_find(copy, jobs->jobs[i].assoc_id);
	eqt_job_order_rank(
		jobs->jobs, jobs->count, copy->tree, &config->priority,
		config->stock.ties ? EQT_TREE_STOCK : EQT_TREE_DOCUMENTED);
}

static void share_tree_place_jobs(struct eqt_share_tree *copy,
				  const struct eqt_config *config,
				  struct eqt_job_copies *jobs)
{
	if (!eqt_config_place_jobs(config))
		return;
	for (size_t i = 0; i < jobs->ended.count; i++)
		eqt_job_order_end(copy->tree,
				  share_tree_find(copy,
						  jobs->ended.jobs[i].assoc_id),
				  jobs->ended.jobs[i].equivalents);
	/* If memory is short, the jobs get no places until the next pass. */
	(void) eqt_job_order_place(&jobs->order, copy->tree,
				   eqt_job_order_horizon_s(&config->priority));
}

/* Do the ranks depend on the usage and the shares of associations only? */
static bool config_ranks_by_usage(const struct eqt_config *config)
{
	const struct eqt_conf_priority *conf = &config->priority;

	return conf->idle_shares && !conf->allocated_now &&
	       conf->rank_by != EQT_RANK_BY_ALLOCATED &&
	       !eqt_config_place_jobs(config) && !config->stock.ties;
}

/*
 * Can the previous ranks be kept? Decay multiplies all usage by one factor,
 * which changes no quotient, and therefore no order and no tie. But the
 * multiplication rounds, so an exact comparison could see a difference. The
 * previous ranks come from numbers that were rounded less often, so they are
 * kept.
 */
static bool share_tree_ranks_stand(const struct eqt_share_tree *copy,
				   const struct eqt_config *config,
				   bool changed)
{
	return !changed && copy->serial == config->serial &&
	       config_ranks_by_usage(config) && !eqt_trace_is_on(config);
}

/* Copy, rank and write back once. Returns the number of users, 0 if the
 * previous ranks are kept, or -1 after logging an error. *again is set if the
 * associations changed meanwhile and nothing was written. */
static int share_tree_rank_once(struct eqt_share_tree *copy,
				const struct eqt_config *config,
				struct eqt_job_copies *jobs, bool *again)
{
	struct eqt_error err;
	int changed;

	*again = false;
	changed = share_tree_copy(copy, config->stock.ties, again, &err);
	if (changed < 0) {
		eqt_log_error("cannot rank the share tree: %s", err.text);
		return -1;
	}
	if (*again)
		return -1;
	if (share_tree_ranks_stand(copy, config, changed))
		return 0;
	copy->serial = 0;
	share_tree_rank(copy, config, jobs);
	if (share_tree_write(copy, config) < 0)
		*again = true;
	else
		copy->serial = config->serial;
	return (int) eqt_tree_users(copy->tree);
}

int eqt_share_tree_update(struct eqt_share_tree *tree,
			  const struct eqt_config *config,
			  struct eqt_job_copies *jobs)
{
	bool again;
	int ranked = share_tree_rank_once(tree, config, jobs, &again);

	/* Rank a second time. If the associations change again, the next pass
	   ranks. */
	if (again)
		ranked = share_tree_rank_once(tree, config, jobs, &again);
	if (ranked >= 0)
		share_tree_place_jobs(tree, config, jobs);
	return ranked;
}

void eqt_share_tree_clear(struct eqt_share_tree *tree)
{
	struct eqt_walk *walk = tree->walk;
	struct eqt_usage *usage = tree->usage;

	eqt_tree_free(tree->tree);
	eqt_job_table_free(&tree->positions);
	*tree = (struct eqt_share_tree){ .walk = walk, .usage = usage };
}
