/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The classic fair-share formula for assoc_mgr's associations, parents before
 * children. The functions change the records themselves under the write lock.
 * Fair Tree works on a copy instead, because it sorts; here each association
 * needs only its parent and its level.
 */
#include "rank/classic.h"
#include "tree/classic.h"

static int level_add_usage_norm(void *item, void *arg)
{
	const slurmdb_assoc_rec_t *sibling = item;

	if (sibling->shares_raw != SLURMDB_FS_USE_PARENT)
		*(long double *) arg += sibling->usage->usage_norm;
	return 0;
}

/* The level that was last summed up. Siblings usually follow each other in the
 * list, so a level is summed once and not for each of its members. */
struct level {
	slurmdb_assoc_rec_t *parent;
	long double usage_norm;
};

static long double level_usage_norm(struct level *level,
				    slurmdb_assoc_rec_t *parent)
{
	if (level->parent == parent)
		return level->usage_norm;
	*level = (struct level){ .parent = parent };
	if (parent->usage->children_list)
		list_for_each_ro(parent->usage->children_list,
				 level_add_usage_norm, &level->usage_norm);
	return level->usage_norm;
}

static long double classic_oblivious_usage(slurmdb_assoc_rec_t *assoc,
					   slurmdb_assoc_rec_t *parent,
					   struct level *level)
{
	struct eqt_oblivious node = {
		.usage_norm = assoc->usage->usage_norm,
		.shares_norm = assoc->usage->shares_norm,
		.parent_efctv = parent->usage->usage_efctv,
		.parent_shares_norm = parent->usage->shares_norm,
		.siblings_norm = level_usage_norm(level, parent),
	};

	return eqt_classic_oblivious(&node);
}

static void assoc_set_usage_norm(slurmdb_assoc_rec_t *assoc)
{
	long double all = assoc_mgr_root_assoc->usage->usage_raw;
	long double part = all > 0 ? assoc->usage->usage_raw / all : 0;

	/* After a change of the half-life, an association can have more usage
	   than the root. */
	assoc->usage->usage_norm = part > 1.0L ? 1.0L : part;
}

static long double classic_effective_usage(const struct eqt_config *config,
					   slurmdb_assoc_rec_t *assoc,
					   struct level *level)
{
	slurmdb_assoc_rec_t *parent = assoc->usage->fs_assoc_ptr;

	if (parent == assoc_mgr_root_assoc)
		return assoc->usage->usage_norm;
	if (assoc->shares_raw == SLURMDB_FS_USE_PARENT)
		return parent->usage->usage_efctv;
	if (config->flags & PRIORITY_FLAGS_DEPTH_OBLIVIOUS)
		return classic_oblivious_usage(assoc, parent, level);
	return eqt_classic_usage(assoc->usage->usage_norm,
				 parent->usage->usage_efctv, assoc->shares_raw,
				 assoc->usage->level_shares);
}

/* The association whose usage and shares determine this factor. */
static slurmdb_assoc_rec_t *classic_factor_owner(slurmdb_assoc_rec_t *assoc)
{
	slurmdb_assoc_rec_t *parent = assoc->usage->fs_assoc_ptr;

	return assoc->shares_raw == SLURMDB_FS_USE_PARENT && parent ? parent
								    : assoc;
}

static double classic_factor(const struct eqt_config *config,
			     slurmdb_assoc_rec_t *assoc)
{
	const slurmdb_assoc_usage_t *usage = classic_factor_owner(assoc)->usage;

	return eqt_classic_factor(usage->usage_efctv, usage->shares_norm,
				  config->dampening);
}

static void assoc_set_classic(const struct eqt_config *config,
			      slurmdb_assoc_rec_t *assoc, struct level *level)
{
	/* The root has no parent, and its effective usage is always 1. */
	if (!assoc->usage->fs_assoc_ptr)
		return;
	assoc_set_usage_norm(assoc);
	assoc->usage->usage_efctv =
		classic_effective_usage(config, assoc, level);
	assoc->usage->fs_factor = classic_factor(config, assoc);
}

void eqt_rank_classic_set(const struct eqt_config *config,
			  slurmdb_assoc_rec_t *assoc)
{
	struct level level = { 0 };

	assoc_set_classic(config, assoc, &level);
}

/* Set usage_norm of all associations first, because the depth-oblivious rule
 * needs that of a whole level. */
static int assoc_norm_visit(void *item, void *arg)
{
	(void) arg;
	/* The root has no normalised usage, and clients print none. */
	if (item != assoc_mgr_root_assoc)
		assoc_set_usage_norm(item);
	return 0;
}

/* The state of one walk over the associations. */
struct classic_walk {
	const struct eqt_config *config;
	struct level level;
};

/* Set the values of one association. assoc_mgr's list has parents before their
 * children. */
static int assoc_set_visit(void *item, void *arg)
{
	struct classic_walk *walk = arg;

	assoc_set_classic(walk->config, item, &walk->level);
	return 0;
}

int eqt_rank_classic_update(const struct eqt_config *config)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };
	struct classic_walk walk = { .config = config };
	int users;

	assoc_mgr_lock(&locks);
	assoc_mgr_root_assoc->usage->usage_efctv = 1.0L;
	list_for_each(assoc_mgr_assoc_list, assoc_norm_visit, NULL);
	list_for_each(assoc_mgr_assoc_list, assoc_set_visit, &walk);
	users = (int) g_user_assoc_count;
	assoc_mgr_unlock(&locks);
	return users;
}

static int assoc_renormalise(void *item, void *arg)
{
	slurmdb_assoc_rec_t *assoc = item;

	(void) arg;
	if (assoc != assoc_mgr_root_assoc)
		assoc_mgr_normalize_assoc_shares(assoc);
	return 0;
}

void eqt_rank_classic_renormalise(void)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };

	assoc_mgr_lock(&locks);
	if (assoc_mgr_assoc_list)
		list_for_each(assoc_mgr_assoc_list, assoc_renormalise, NULL);
	assoc_mgr_unlock(&locks);
}
