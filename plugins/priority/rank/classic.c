/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rank/classic.h"
#include "tree/classic.h"

bool eqt_rank_classic_is_on(const struct eqt_config *config)
{
	return !(config->flags & PRIORITY_FLAGS_FAIR_TREE);
}

static int add_usage_norm(void *item, void *arg)
{
	const slurmdb_assoc_rec_t *sibling = item;

	if (sibling->shares_raw != SLURMDB_FS_USE_PARENT)
		*(long double *) arg += sibling->usage->usage_norm;
	return 0;
}

/* The last level that was summed up: siblings follow each other, so that a
 * level is summed up once and not for each of its nodes. */
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
		list_for_each_ro(parent->usage->children_list, add_usage_norm,
				 &level->usage_norm);
	return level->usage_norm;
}

static long double oblivious(slurmdb_assoc_rec_t *assoc,
			     slurmdb_assoc_rec_t *parent, struct level *level)
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

static void set_usage_norm(slurmdb_assoc_rec_t *assoc)
{
	long double all = assoc_mgr_root_assoc->usage->usage_raw;
	long double part = all > 0 ? assoc->usage->usage_raw / all : 0;

	/* A half-life that was changed can leave more below than above. */
	assoc->usage->usage_norm = part > 1.0L ? 1.0L : part;
}

static long double effective(const struct eqt_config *config,
			     slurmdb_assoc_rec_t *assoc, struct level *level)
{
	slurmdb_assoc_rec_t *parent = assoc->usage->fs_assoc_ptr;

	if (parent == assoc_mgr_root_assoc)
		return assoc->usage->usage_norm;
	if (assoc->shares_raw == SLURMDB_FS_USE_PARENT)
		return parent->usage->usage_efctv;
	if (config->flags & PRIORITY_FLAGS_DEPTH_OBLIVIOUS)
		return oblivious(assoc, parent, level);
	return eqt_classic_usage(assoc->usage->usage_norm,
				 parent->usage->usage_efctv, assoc->shares_raw,
				 assoc->usage->level_shares);
}

static void set_usage(const struct eqt_config *config,
		      slurmdb_assoc_rec_t *assoc, struct level *level)
{
	if (!assoc->usage->fs_assoc_ptr)
		return; /* the root; its effective usage is always 1 */
	set_usage_norm(assoc);
	assoc->usage->usage_efctv = effective(config, assoc, level);
}

/* Whose usage and shares an association's factor is of. */
static slurmdb_assoc_rec_t *factor_owner(slurmdb_assoc_rec_t *assoc)
{
	slurmdb_assoc_rec_t *parent = assoc->usage->fs_assoc_ptr;

	return assoc->shares_raw == SLURMDB_FS_USE_PARENT && parent ? parent
								    : assoc;
}

static double factor_of(const struct eqt_config *config,
			slurmdb_assoc_rec_t *assoc)
{
	const slurmdb_assoc_usage_t *usage = factor_owner(assoc)->usage;

	return eqt_classic_factor(usage->usage_efctv, usage->shares_norm,
				  config->dampening);
}

/* Fairshare=parent uses its parent's, so the parent must be set first. */
static void set_assoc(const struct eqt_config *config,
		      slurmdb_assoc_rec_t *assoc, struct level *level)
{
	if (!assoc->usage->fs_assoc_ptr)
		return;
	set_usage(config, assoc, level);
	assoc->usage->fs_factor = factor_of(config, assoc);
}

void eqt_rank_classic_set(const struct eqt_config *config,
			  slurmdb_assoc_rec_t *assoc)
{
	struct level level = { 0 };

	set_assoc(config, assoc, &level);
}

/* The depth-oblivious rule needs the whole level's usage_norm first. */
static int norm_one(void *item, void *arg)
{
	(void) arg;
	/* The root has none; clients show that as nothing. */
	if (item != assoc_mgr_root_assoc)
		set_usage_norm(item);
	return 0;
}

/* One walk over the associations. */
struct walk {
	const struct eqt_config *config;
	struct level level;
};

/* assoc_mgr keeps parents before their children in its list. */
static int set_one(void *item, void *arg)
{
	struct walk *walk = arg;

	set_assoc(walk->config, item, &walk->level);
	return 0;
}

int eqt_rank_classic_update(const struct eqt_config *config,
			    struct eqt_ordered_job *jobs, size_t count)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };
	struct walk walk = { .config = config };
	int users;

	/* Classic factors are those of associations, not of jobs. */
	(void) jobs;
	(void) count;
	assoc_mgr_lock(&locks);
	assoc_mgr_root_assoc->usage->usage_efctv = 1.0L;
	list_for_each(assoc_mgr_assoc_list, norm_one, NULL);
	list_for_each(assoc_mgr_assoc_list, set_one, &walk);
	users = (int) g_user_assoc_count;
	assoc_mgr_unlock(&locks);
	return users;
}

static int normalise_one(void *item, void *arg)
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
		list_for_each(assoc_mgr_assoc_list, normalise_one, NULL);
	assoc_mgr_unlock(&locks);
}
