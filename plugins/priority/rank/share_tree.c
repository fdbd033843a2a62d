/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "slurm/log.h"
#include "slurm/compat.h"
#include "usage/usage.h"
#include "walk/assoc_walk.h"
#include "tree/tree.h"
#include "rank/job_copies.h"
#include "rank/share_tree.h"
#include "trace.h"

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
	bool norms; /* the tree has S as Slurm keeps it */
	uint32_t orphans; /* associations that have no parent */
	struct eqt_assoc_walk_state states; /* that it is of */
	uint32_t serial; /* of the settings that its ranks are of; 0: it has
			    none that stand in assoc_mgr's records */
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
	uint32_t orphans; /* associations without a parent, but the root */
	uint32_t orphan_id; /* the first of them */
	bool norms; /* S as Slurm keeps it counts */
	long double decay; /* of usage since the last copy */
	bool changed; /* and something else */
	long double root_usage;
	bool traced; /* the record itself is looked at, too */
	struct eqt_tree_input *nodes; /* of the tree that is made */
};

static void copy_one(const struct eqt_assoc_walk_at *at, void *arg)
{
	struct walk *walk = arg;
	uint32_t node = node_at(walk->position++);
	long double before = eqt_tree_usage(copy.tree, node);

	/* A reset clears what a decay only makes smaller. */
	if (at->usage->usage_raw != eqt_usage_scaled(before, walk->decay) ||
	    (before > 0 && !(at->usage->usage_raw > 0)))
		walk->changed = true;
	eqt_tree_usage_set(copy.tree, node, at->usage->usage_raw);
	if (walk->norms)
		eqt_tree_norm_set(copy.tree, node, at->usage->shares_norm);
}

static int compare_ids(const void *x, const void *y)
{
	const struct id_at *a = x, *b = y;

	return a->id < b->id ? -1 : a->id > b->id;
}

/* The node of an association; EQT_TREE_NONE when it is not in the copy. */
static uint32_t node_of(uint32_t id)
{
	struct id_at key = { .id = id };
	const struct id_at *found = bsearch(&key, copy.ids, copy.count,
					    sizeof(*copy.ids), compare_ids);

	return found ? node_at(found->position) : EQT_TREE_NONE;
}

static void note_id(const struct eqt_assoc_walk_at *at, void *arg)
{
	struct walk *walk = arg;
	uint32_t i = walk->position++;

	if (at->assoc == assoc_mgr_root_assoc) {
		copy.root = i;
		walk->roots++;
	} else if (!at->usage->fs_assoc_ptr && !walk->orphans++) {
		walk->orphan_id = at->id;
	}
	copy.ids[i] = (struct id_at){ at->id, i };
}

/* Once, until all have a parent again. */
static void orphans_log(const struct walk *walk)
{
	if (walk->orphans && !copy.orphans)
		eqt_log_error("%u associations have no parent, the first is "
			      "%u: they are ranked as if they had no "
			      "shares; see sacctmgr show assoc",
			      walk->orphans, walk->orphan_id);
	copy.orphans = walk->orphans;
}

static int find_ids(struct walk *walk, struct eqt_error *err)
{
	free(copy.ids);
	copy.ids = calloc(copy.count, sizeof(*copy.ids));
	if (!copy.ids)
		return eqt_error_set(err, "out of memory");
	walk->position = 0;
	eqt_assoc_walk_each(EQT_ASSOC_RANK, note_id, walk);
	qsort(copy.ids, copy.count, sizeof(*copy.ids), compare_ids);
	return 0;
}

/* An association without a parent gets the root's, and no shares: it takes
 * nothing from the others. */
static void fill_node(const struct eqt_assoc_walk_at *at, void *arg)
{
	struct walk *walk = arg;
	const slurmdb_assoc_rec_t *parent = at->usage->fs_assoc_ptr;
	uint32_t shares = at->assoc->shares_raw;

	if (!parent && at->assoc != assoc_mgr_root_assoc) {
		parent = assoc_mgr_root_assoc;
		shares = 0;
	}
	walk->nodes[node_at(walk->position++)] = (struct eqt_tree_input){
		.parent = parent ? node_of(parent->id) : EQT_TREE_NONE,
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
		return eqt_error_set(err, "the associations have no root");
	orphans_log(&walk);
	walk.nodes = calloc(copy.count, sizeof(*walk.nodes));
	if (!walk.nodes)
		return eqt_error_set(err, "out of memory");
	walk.position = 0;
	eqt_assoc_walk_each(EQT_ASSOC_RANK, fill_node, &walk);
	copy.tree = eqt_tree_new(walk.nodes, copy.count, err);
	free(walk.nodes);
	if (copy.tree && norms)
		return eqt_tree_norms_make(copy.tree, err);
	return copy.tree ? 0 : -1;
}

/* What the copy is to have. */
struct needs {
	bool norms; /* S as Slurm keeps it */
	bool ids; /* associations are looked for by id */
};

/* Copy shape and usage of all associations, which are locked for reading.
 * Returns whether anything but a decay of all usage has changed since the last
 * time, -1 with err filled on failure. */
static int copy_all(const struct needs *needs, struct eqt_error *err)
{
	struct eqt_assoc_walk_state states = eqt_assoc_walk_states();
	struct walk walk = { .norms = needs->norms };

	walk.changed = !eqt_usage_decayed(&walk.decay);
	if (!copy.tree || states.shape != copy.states.shape ||
	    needs->norms != copy.norms) {
		walk.changed = true;
		copy.states.shape = 0;
		if (build_tree(needs->norms, err) < 0)
			return -1;
		copy.states = states;
		copy.norms = needs->norms;
	} else if (needs->ids && !copy.ids) {
		if (find_ids(&walk, err) < 0)
			return -1;
	} else if (!needs->ids) {
		free(copy.ids);
		copy.ids = NULL;
	}
	walk.position = 0;
	eqt_assoc_walk_each(needs->norms ? EQT_ASSOC_RANK : EQT_ASSOC_RAW,
			    copy_one, &walk);
	return walk.changed;
}

/* Write one association's numbers. */
static void write_one(const struct eqt_assoc_walk_at *at, void *arg)
{
	slurmdb_assoc_usage_t *usage = at->usage;
	struct walk *walk = arg;
	uint32_t node = node_at(walk->position++);
	struct eqt_tree_result out = eqt_tree_node(copy.tree, node);

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
	if (walk->traced)
		eqt_trace_level(at->assoc);
}

/* Write back what was ranked; -1 when the associations are others meanwhile. */
static int write_all(void)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };
	struct walk walk = { .traced = eqt_trace_is_on() };
	int rc = -1;

	assoc_mgr_lock(&locks);
	if (eqt_assoc_walk_states().order == copy.states.order) {
		walk.root_usage = assoc_mgr_root_assoc->usage->usage_raw;
		eqt_assoc_walk_each(EQT_ASSOC_RANK, write_one, &walk);
		eqt_assoc_walk_keep();
		rc = 0;
	}
	assoc_mgr_unlock(&locks);
	return rc;
}

static void find_job_nodes(struct eqt_ordered_job *jobs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		jobs[i].node = node_of(jobs[i].assoc_id);
}

static void rank_copy(const struct eqt_config *config,
		      struct eqt_ordered_job *jobs, size_t count)
{
	const struct eqt_conf_priority *conf = &config->priority;

	find_job_nodes(jobs, count);
	eqt_job_order_rank(jobs, count, copy.tree, conf,
			   config->stock.ties ? EQT_TREE_STOCK
					      : EQT_TREE_DOCUMENTED);
}

static void place_jobs(const struct eqt_config *config,
		       struct eqt_ordered_job *jobs, size_t count)
{
	size_t ended_count;
	const struct eqt_ordered_job *ended =
		eqt_job_copies_ended(&ended_count);

	if (!eqt_config_place_jobs(config))
		return;
	for (size_t i = 0; i < ended_count; i++)
		eqt_job_order_end(copy.tree, node_of(ended[i].assoc_id),
				  ended[i].equivalents);
	eqt_job_order_place(jobs, count, copy.tree,
			    eqt_job_order_horizon_s(&config->priority));
}

/* Do the ranks depend on the associations' usage and shares alone? */
static bool is_plain(const struct eqt_config *config)
{
	const struct eqt_conf_priority *conf = &config->priority;

	return conf->idle_shares && !conf->allocated_now &&
	       conf->rank_by != EQT_RANK_BY_ALLOCATED &&
	       !eqt_config_place_jobs(config) && !config->stock.ties;
}

/*
 * A decay multiplies all usage by one factor, which changes no quotient, so no
 * order and no tie. It rounds, and so could seem to: the ranks of before, of
 * numbers that were rounded less often, are the truer ones, and stay.
 */
static bool ranks_stand(const struct eqt_config *config, bool changed)
{
	return !changed && copy.serial == config->serial && is_plain(config) &&
	       !eqt_trace_is_on();
}

/* Copy, rank and write back once: the number of users, or 0 where the ranks of
 * before stand. *again: the associations changed meanwhile, nothing was written. */
static int rank_once(const struct eqt_config *config,
		     struct eqt_ordered_job *jobs, size_t count, bool *again)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	const struct needs needs = {
		.norms = config->stock.ties,
		.ids = count || eqt_config_place_jobs(config),
	};
	struct eqt_error err;
	int changed;

	*again = false;
	assoc_mgr_lock(&locks);
	changed = copy_all(&needs, &err);
	assoc_mgr_unlock(&locks);
	if (changed < 0) {
		eqt_log_error("cannot rank the share tree: %s", err.text);
		return -1;
	}
	if (ranks_stand(config, changed))
		return 0;
	copy.serial = 0;
	rank_copy(config, jobs, count);
	if (write_all() < 0)
		*again = true;
	else
		copy.serial = config->serial;
	return (int) eqt_tree_users(copy.tree);
}

int eqt_share_tree_update(const struct eqt_config *config,
			  struct eqt_ordered_job *jobs, size_t count)
{
	bool again;
	int ranked = rank_once(config, jobs, count, &again);

	/* Once more; then it is left to the next pass. */
	if (again)
		ranked = rank_once(config, jobs, count, &again);
	if (ranked >= 0)
		place_jobs(config, jobs, count);
	return ranked;
}

void eqt_share_tree_clear(void)
{
	eqt_tree_free(copy.tree);
	free(copy.ids);
	memset(&copy, 0, sizeof(copy));
}
