/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Series are limited by usage, not by name, so that a limit hides the series that
 * matter least. Accounts of one name in several places differ by the path of
 * their parent.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/metrics.h"

/* The values of an association. */
enum value {
	RAW_SHARES,
	NORM_SHARES,
	RAW_USAGE,
	EFFECTIVE_USAGE,
	LEVEL_FS,
	FAIR_SHARE,
	RANK
};

static const struct {
	enum value value;
	bool user;
	const char *name;
	const char *help;
} families[] = {
	{ RAW_SHARES, false, "equitree_account_raw_shares",
	  "Shares of an account; none with Fairshare=parent" },
	{ NORM_SHARES, false, "equitree_account_norm_shares",
	  "An account's part of the shares of its level" },
	{ RAW_USAGE, false, "equitree_account_raw_usage",
	  "Decayed usage of an account and all below it, as in sshare" },
	{ EFFECTIVE_USAGE, false, "equitree_account_effective_usage",
	  "An account's part of the usage of its level" },
	{ LEVEL_FS, false, "equitree_account_level_fs",
	  "Shares over usage at the account's level; infinite without usage" },
	{ RAW_SHARES, true, "equitree_user_raw_shares",
	  "Shares of a user in an account; none with Fairshare=parent" },
	{ RAW_USAGE, true, "equitree_user_raw_usage",
	  "Decayed usage of a user in an account, as in sshare" },
	{ LEVEL_FS, true, "equitree_user_level_fs",
	  "Shares over usage in the account; infinite without usage" },
	{ FAIR_SHARE, true, "equitree_user_fair_share",
	  "Fair share factor of a user in an account: the relative "
	  "rank" },
	{ RANK, true, "equitree_user_rank",
	  "Rank of a user in an account: the highest goes first" },
};

#define FAMILIES (sizeof(families) / sizeof(families[0]))

/* An association that is shown. */
struct shown {
	const struct eqt_sshare *shares;
	uint32_t i;
	uint32_t times; /* number among equal accounts and users: 1, 2, .. */
};

/* NAN means that the association has no such value, and gets no sample. */
static long double shown_value(const struct shown *shown, enum value value)
{
	const struct eqt_sshare_assoc *assoc = &shown->shares->assocs[shown->i];
	struct eqt_tree_result node =
		eqt_tree_node(shown->shares->tree, shown->i);

	if (shown->i == 0 && value != RAW_USAGE)
		return NAN; /* the root has no siblings */
	switch (value) {
	case RAW_SHARES:
		return assoc->parent_shares ? (long double) NAN
					    : (long double) assoc->shares;
	case NORM_SHARES:
		return assoc->parent_shares ? NAN : node.shares_norm;
	case RAW_USAGE:
		return (long double) assoc->usage;
	case EFFECTIVE_USAGE:
		return node.usage_efctv;
	case LEVEL_FS:
		return assoc->parent_shares ? NAN : node.level_fs;
	case FAIR_SHARE:
		return node.fs_factor;
	case RANK:
		break;
	}
	return node.rank;
}

/* The path above an account, e.g. "root/physics"; in buf. A long path keeps its
 * end. */
static char *assoc_parent_path(const struct eqt_sshare *shares, uint32_t i,
			       char buf[PATH_MAX])
{
	size_t at = PATH_MAX - 1, length;

	buf[at] = '\0';
	for (i = shares->assocs[i].parent; i != EQT_TREE_NONE;
	     i = shares->assocs[i].parent) {
		length = strlen(shares->assocs[i].account);
		if (length + 1 > at)
			break;
		if (buf[at] != '\0')
			buf[--at] = '/';
		at -= length;
		memcpy(buf + at, shares->assocs[i].account, length);
	}
	return buf + at;
}

/*
 * One sample of an association. The path of accounts makes it unique; equal
 * paths get a number.
 */
static void shown_add_sample(struct eqt_openmetrics *out,
			     const struct shown *shown, enum value value)
{
	const struct eqt_sshare_assoc *assoc = &shown->shares->assocs[shown->i];
	long double number = shown_value(shown, value);
	/* A user gets its account's path, so that the series can be joined. */
	uint32_t account = assoc->user ? assoc->parent : shown->i;
	char path[PATH_MAX], times[16];
	struct eqt_openmetrics_label labels[EQT_OPENMETRICS_LABELS] = {
		{ "account", assoc->account },
		{ "parent", assoc_parent_path(shown->shares, account, path) },
		{ "user", assoc->user },
		{ "association", shown->times > 1 ? times : NULL },
	};

	if (isnan(number))
		return; /* no value */
	if (labels[1].value[0] == '\0')
		labels[1].value = NULL;
	(void) snprintf(times, sizeof(times), "%u", shown->times);
	eqt_openmetrics_sample(out, labels, number);
}

/* ---- Selection ------------------------------------------------------------ */

/* Most usage first: with a limit on series the largest ones stay. */
static int shown_compare_usage(const void *a, const void *b)
{
	const struct shown *left = a, *right = b;
	uint64_t l = left->shares->assocs[left->i].usage;
	uint64_t r = right->shares->assocs[right->i].usage;

	if (l != r)
		return l < r ? 1 : -1;
	return left->i < right->i ? -1 : left->i > right->i;
}

/* By account and user, so that equal names are neighbours. */
static int shown_compare_names(const void *a, const void *b)
{
	const struct shown *left = a, *right = b;
	const struct eqt_sshare_assoc *l = &left->shares->assocs[left->i];
	const struct eqt_sshare_assoc *r = &right->shares->assocs[right->i];
	int order = strcmp(l->account, r->account);

	if (order == 0 && l->user && r->user)
		order = strcmp(l->user, r->user);
	if (order == 0)
		order = left->i < right->i ? -1 : left->i > right->i;
	return order;
}

/* Number associations of one name, which differ by partition. */
static void shown_count_times(struct shown *list, uint32_t count)
{
	const struct eqt_sshare_assoc *assocs = list->shares->assocs;
	uint32_t n;

	for (n = 1; n < count; n++) {
		const struct eqt_sshare_assoc *before = &assocs[list[n - 1].i];
		const struct eqt_sshare_assoc *now = &assocs[list[n].i];

		if (strcmp(before->account, now->account) == 0 &&
		    (!now->user || strcmp(before->user, now->user) == 0))
			list[n].times = list[n - 1].times + 1;
	}
}

/* All accounts or all users, sorted by name; *count of them. NULL: out of
 * memory. */
static struct shown *shown_list(const struct eqt_sshare *shares, bool users,
				uint32_t *count)
{
	struct shown *list = calloc(shares->count + 1, sizeof(*list));
	uint32_t i;

	*count = 0;
	for (i = 0; list && i < shares->count; i++) {
		if ((shares->assocs[i].user != NULL) == users)
			list[(*count)++] = (struct shown){ shares, i, 1 };
	}
	if (list && *count > 0) {
		qsort(list, *count, sizeof(*list), shown_compare_names);
		shown_count_times(list, *count);
	}
	return list;
}

/*
 * Add the families of accounts or users. Returns how many were left out, or -1.
 */
static long families_add(struct eqt_openmetrics *out,
			 const struct eqt_sshare *shares, bool users,
			 uint64_t limit)
{
	uint32_t count, shown, i;
	struct shown *list = shown_list(shares, users, &count);
	size_t f;

	if (!list)
		return -1;
	shown = count < limit ? count : (uint32_t) limit;
	if (shown < count)
		qsort(list, count, sizeof(*list), shown_compare_usage);
	for (f = 0; f < FAMILIES && shown > 0; f++) {
		if (families[f].user != users)
			continue;
		eqt_openmetrics_family(out, families[f].name, families[f].help);
		for (i = 0; i < shown; i++)
			shown_add_sample(out, &list[i], families[f].value);
	}
	free(list);
	return (long) (count - shown);
}

int eqt_metrics_shares(struct eqt_openmetrics *out,
		       const struct eqt_sshare *shares,
		       const struct eqt_metrics_limits *limits,
		       struct eqt_error *err)
{
	long accounts = families_add(out, shares, false, limits->accounts);
	long users = families_add(out, shares, true, limits->users);
	struct eqt_openmetrics_label kind[EQT_OPENMETRICS_LABELS] = {
		{ "kind", "account" }
	};

	if (accounts < 0 || users < 0)
		return eqt_error_set(err, "out of memory");
	eqt_openmetrics_family(
		out, "equitree_associations_left_out",
		"Accounts and users beyond the limits, which have the "
		"least usage");
	eqt_openmetrics_sample(out, kind, accounts);
	kind[0].value = "user";
	eqt_openmetrics_sample(out, kind, users);
	return 0;
}

/* ---- Pools ---------------------------------------------------------------- */

static enum eqt_pool assoc_pool(const struct eqt_pools *pools,
				const struct eqt_sshare_assoc *assoc)
{
	size_t length;

	return eqt_pools_of(pools, assoc->account, &length);
}

/* Is an account of the same pool above it, whose usage includes this one's? */
static bool assoc_is_below_pool(const struct eqt_sshare *shares,
				const struct eqt_pools *pools, uint32_t i)
{
	enum eqt_pool pool = assoc_pool(pools, &shares->assocs[i]);

	for (i = shares->assocs[i].parent; i != EQT_TREE_NONE;
	     i = shares->assocs[i].parent) {
		if (assoc_pool(pools, &shares->assocs[i]) == pool)
			return true;
	}
	return false;
}

/* An account's part of the shares of the whole tree. */
static long double assoc_tree_shares(const struct eqt_sshare *shares,
				     uint32_t i)
{
	long double part = 1;

	for (; i != EQT_TREE_NONE && i != 0; i = eqt_sshare_above(shares, i))
		part *= eqt_tree_node(shares->tree, i).shares_norm;
	return part;
}

void eqt_metrics_pools(struct eqt_openmetrics *out,
		       const struct eqt_sshare *shares,
		       const struct eqt_pools *pools)
{
	static const char *const names[EQT_POOLS] = {
		[EQT_POOL_CPU] = "cpu", [EQT_POOL_GPU] = "gpu"
	};
	long double usage[EQT_POOLS] = { 0 }, accounts[EQT_POOLS] = { 0 };
	long double norms[EQT_POOLS] = { 0 };
	struct eqt_openmetrics_label label[EQT_OPENMETRICS_LABELS] = {
		{ "pool", NULL }
	};
	uint32_t i, pool;

	for (i = 0; i < shares->count; i++) {
		pool = (uint32_t) assoc_pool(pools, &shares->assocs[i]);
		if (shares->assocs[i].user || pool == EQT_POOLS)
			continue;
		accounts[pool]++;
		/* An account's usage includes that of all accounts below it. */
		if (assoc_is_below_pool(shares, pools, i))
			continue;
		usage[pool] += (long double) shares->assocs[i].usage;
		if (!shares->assocs[i].parent_shares)
			norms[pool] += assoc_tree_shares(shares, i);
	}
	eqt_openmetrics_family(out, "equitree_pool_accounts",
			       "Accounts of a pool, by their names");
	for (pool = 0; pool < EQT_POOLS; pool++) {
		label[0].value = names[pool];
		eqt_openmetrics_sample(out, label, accounts[pool]);
	}
	eqt_openmetrics_family(out, "equitree_pool_raw_usage",
			       "Decayed usage of a pool's accounts");
	for (pool = 0; pool < EQT_POOLS; pool++) {
		label[0].value = names[pool];
		eqt_openmetrics_sample(out, label, usage[pool]);
	}
	eqt_openmetrics_family(out, "equitree_pool_norm_shares",
			       "Part of the whole tree's shares that a pool's "
			       "accounts have");
	for (pool = 0; pool < EQT_POOLS; pool++) {
		label[0].value = names[pool];
		eqt_openmetrics_sample(out, label, norms[pool]);
	}
}
