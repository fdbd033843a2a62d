/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/alloc.h"
#include "job/rules.h"
#include "metrics/metrics.h"

/* The last pass in slurmctld's log, which the priority plugin writes at the level
 * "debug". */
struct metrics_pass {
	bool there; /* a pass was found */
	/* the last line about equitree_journal reports a failure */
	bool journal_fails;
	unsigned int jobs, users, priorities;
	long charge_ms, rank_ms, save_ms;
};

/* Add a gauge with one sample. */
static void metrics_gauge(struct eqt_openmetrics *out, const char *name,
			  const char *help, long double value)
{
	eqt_openmetrics_family(out, name, help);
	eqt_openmetrics_sample(out, NULL, value);
}

/* Add a sample with one label. */
static void metrics_labelled(struct eqt_openmetrics *out, const char *label,
			     const char *text, long double value)
{
	const struct eqt_openmetrics_label labels[EQT_OPENMETRICS_LABELS] = {
		{ label, text },
	};

	eqt_openmetrics_sample(out, labels, value);
}

/* ---- Nodes --------------------------------------------------------------------------
 * Each bin is twice as large as the one before. A histogram of nodes therefore has at
 * most a dozen series, whatever the size of the cluster. All bins up to the largest node
 * are always written, because a series that vanishes looks like a failure of the
 * exporter. */

/* The bin of the largest node when it is empty, whatever runs on it now. */
static int nodes_last_bin(const struct eqt_capacity_cluster *cluster,
			  const struct eqt_unit_amounts *unit)
{
	int last = 0, bin;

	for (size_t i = 0; i < cluster->nodes.count; i++) {
		bin = eqt_capacity_bin(eqt_canonical_unit_count(
			unit, &cluster->nodes.nodes[i].total));
		if (bin > last)
			last = bin;
	}
	return last;
}

/* Add the number of nodes in each bin, as equitree overhead prints it. */
static void overhead_add_bins(struct eqt_openmetrics *out,
			      const struct eqt_capacity_cluster *cluster,
			      const struct eqt_capacity_units *units,
			      const struct eqt_capacity_sum *sums)
{
	char range[EQT_CAPACITY_BIN_NAME];

	eqt_openmetrics_family(out, "equitree_overhead_nodes",
			       "Nodes by how many units they have free");
	for (int unit = 0; unit < units->count; unit++) {
		int last = nodes_last_bin(cluster, &units->unit[unit]);

		for (int bin = 0; bin <= last; bin++) {
			const struct eqt_openmetrics_label
				labels[EQT_OPENMETRICS_LABELS] = {
					{ "unit", units->text[unit] },
					{ "units_free",
					  eqt_capacity_bin_name(range, bin) },
				};

			eqt_openmetrics_sample(
				out, labels,
				(long double) sums[unit].bins[bin]);
		}
	}
}

void eqt_metrics_overhead(struct eqt_openmetrics *out,
			  const struct eqt_capacity_cluster *cluster,
			  const struct eqt_capacity_units *units)
{
	struct eqt_capacity_sum *sums =
		eqt_alloc((size_t) units->count, sizeof(*sums));

	for (int unit = 0; unit < units->count; unit++)
		eqt_capacity_sum(&sums[unit], cluster, &units->unit[unit],
				 eqt_capacity_unit_partition(units, unit,
							     NULL));
	eqt_openmetrics_family(
		out, "equitree_overhead_units",
		"True overhead: whole units that nodes have free");
	for (int unit = 0; unit < units->count; unit++)
		metrics_labelled(out, "unit", units->text[unit],
				 (long double) sums[unit].overhead);
	eqt_openmetrics_family(out, "equitree_overhead_capacity_units",
			       "Whole units that nodes have in all");
	for (int unit = 0; unit < units->count; unit++)
		metrics_labelled(out, "unit", units->text[unit],
				 (long double) sums[unit].capacity);
	overhead_add_bins(out, cluster, units, sums);
	free(sums);
}

/* ---- Passes --------------------------------------------------------------- */

/* Add samples of the last pass, or only samples saying that none was found. */
static void metrics_pass(struct eqt_openmetrics *out,
			 const struct metrics_pass *line)
{
	const struct {
		const char *part;
		long ms;
	} parts[] = { { "charge", line->charge_ms },
		      { "rank", line->rank_ms },
		      { "save", line->save_ms } };

	metrics_gauge(out, "equitree_pass_known",
		      "1 if the log has a pass, which it has at debug",
		      line->there);
	metrics_gauge(
		out, "equitree_journal_written",
		"0 if the log says that equitree_journal cannot be written",
		!line->journal_fails);
	if (!line->there)
		return;
	eqt_openmetrics_family(out, "equitree_pass_seconds",
			       "Durations of the parts of the last pass");
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		metrics_labelled(out, "part", parts[i].part,
				 (long double) parts[i].ms / 1000);
	metrics_gauge(out, "equitree_pass_jobs_charged",
		      "Jobs that the last pass charged", line->jobs);
	metrics_gauge(out, "equitree_pass_users_ranked",
		      "Users that the last pass ranked", line->users);
	metrics_gauge(out, "equitree_pass_priorities",
		      "Jobs that the last pass gave a priority",
		      line->priorities);
}

/* ---- Shares -------------------------------------------------------------------------
 * If the number of series is limited, those with the most usage are kept, because they
 * matter most. Accounts with the same name in several places differ by the path of their
 * parent. */

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
	  "Fair share factor of a user in an account: the relative rank" },
	{ RANK, true, "equitree_user_rank",
	  "Rank of a user in an account: the highest goes first" },
};

#define FAMILIES (sizeof(families) / sizeof(families[0]))

/* An association that gets samples. */
struct shown {
	const struct eqt_sshare *shares;
	uint32_t i;
	/* which one of several with the same account and user, from 1 */
	uint32_t times;
};

/* A value of an association. NAN means that there is no value, and no sample. */
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

/* The path above an account, such as "root/physics". The result points into buf, which
 * keeps the end of a long path. */
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

/* Add a sample of an association. The path of accounts makes it unique. If several have
 * the same path, they get a number. */
static void shown_add_sample(struct eqt_openmetrics *out,
			     const struct shown *shown, enum value value)
{
	const struct eqt_sshare_assoc *assoc = &shown->shares->assocs[shown->i];
	long double number = shown_value(shown, value);
	/* A user gets the path of the account, so that the series can be joined. */
	uint32_t account = assoc->user ? assoc->parent : shown->i;
	char path[PATH_MAX], times[16];
	struct eqt_openmetrics_label labels[EQT_OPENMETRICS_LABELS] = {
		{ "account", assoc->account },
		{ "parent", assoc_parent_path(shown->shares, account, path) },
		{ "user", assoc->user },
		{ "association", shown->times > 1 ? times : NULL },
	};

	if (isnan(number))
		return;
	if (labels[1].value[0] == '\0')
		labels[1].value = NULL;
	(void) snprintf(times, sizeof(times), "%u", shown->times);
	eqt_openmetrics_sample(out, labels, number);
}

/* ---- Selection ------------------------------------------------------------ */

/* The association with the most usage comes first. */
static int shown_compare_usage(const void *a, const void *b)
{
	const struct shown *left = a, *right = b;
	uint64_t l = left->shares->assocs[left->i].usage;
	uint64_t r = right->shares->assocs[right->i].usage;

	if (l != r)
		return l < r ? 1 : -1;
	return left->i < right->i ? -1 : left->i > right->i;
}

/* Sort by account and user, so that equal names are neighbours. */
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

/* Number associations with the same name, which differ by partition. */
static void shown_count_times(struct shown *list, uint32_t count)
{
	const struct eqt_sshare_assoc *assocs = list->shares->assocs;

	for (uint32_t n = 1; n < count; n++) {
		const struct eqt_sshare_assoc *before = &assocs[list[n - 1].i];
		const struct eqt_sshare_assoc *now = &assocs[list[n].i];

		if (strcmp(before->account, now->account) == 0 &&
		    (!now->user || strcmp(before->user, now->user) == 0))
			list[n].times = list[n - 1].times + 1;
	}
}

/* All accounts or all users, sorted by name. *count is set to their number. The caller
 * frees the list with free(). */
static struct shown *shown_list(const struct eqt_sshare *shares, bool users,
				uint32_t *count)
{
	struct shown *list = eqt_alloc(shares->count + 1, sizeof(*list));

	*count = 0;
	for (uint32_t i = 0; i < shares->count; i++) {
		if ((shares->assocs[i].user != NULL) == users)
			list[(*count)++] = (struct shown){ shares, i, 1 };
	}
	if (*count > 0) {
		qsort(list, *count, sizeof(*list), shown_compare_names);
		shown_count_times(list, *count);
	}
	return list;
}

/* Add the families of accounts or users. Returns how many associations were left out. */
static long families_add(struct eqt_openmetrics *out,
			 const struct eqt_sshare *shares, bool users,
			 uint64_t limit)
{
	uint32_t count, shown, i;
	struct shown *list = shown_list(shares, users, &count);

	shown = count < limit ? count : (uint32_t) limit;
	if (shown < count)
		qsort(list, count, sizeof(*list), shown_compare_usage);
	for (size_t f = 0; f < FAMILIES && shown > 0; f++) {
		if (families[f].user != users)
			continue;
		eqt_openmetrics_family(out, families[f].name, families[f].help);
		for (i = 0; i < shown; i++)
			shown_add_sample(out, &list[i], families[f].value);
	}
	free(list);
	return (long) (count - shown);
}

void eqt_metrics_shares(struct eqt_openmetrics *out,
			const struct eqt_sshare *shares,
			const struct eqt_metrics_limits *limits)
{
	long accounts = families_add(out, shares, false, limits->accounts);
	long users = families_add(out, shares, true, limits->users);

	eqt_openmetrics_family(out, "equitree_associations_left_out",
			       "Accounts and users beyond the limits, which "
			       "have the least usage");
	metrics_labelled(out, "kind", "account", accounts);
	metrics_labelled(out, "kind", "user", users);
}

/* ---- Pools ---------------------------------------------------------------- */

static enum eqt_pool assoc_pool(const struct eqt_pools *pools,
				const struct eqt_sshare_assoc *assoc)
{
	size_t length;

	return eqt_pools_of(pools, assoc->account, &length);
}

/* Is there an account of the same pool above it, whose usage includes this account's
 * usage? */
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

/* The part of the cluster that the shares of an account give it: its normalised shares
 * times those of each account above it. */
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
	const struct {
		const char *name, *help;
		const long double *of;
	} gauges[] = {
		{ "equitree_pool_accounts",
		  "Accounts of a pool, by their names", accounts },
		{ "equitree_pool_raw_usage",
		  "Decayed usage of a pool's accounts", usage },
		{ "equitree_pool_norm_shares",
		  "Part of the whole tree's shares that a pool's accounts have",
		  norms },
	};
	uint32_t i, pool;

	for (i = 0; i < shares->count; i++) {
		pool = (uint32_t) assoc_pool(pools, &shares->assocs[i]);
		if (shares->assocs[i].user || pool == EQT_POOLS)
			continue;
		accounts[pool]++;
		/* An account's usage includes that of all accounts below it, so count
		 * only the topmost. */
		if (assoc_is_below_pool(shares, pools, i))
			continue;
		usage[pool] += (long double) shares->assocs[i].usage;
		if (!shares->assocs[i].parent_shares)
			norms[pool] += assoc_tree_shares(shares, i);
	}
	for (i = 0; i < sizeof(gauges) / sizeof(gauges[0]); i++) {
		eqt_openmetrics_family(out, gauges[i].name, gauges[i].help);
		for (pool = 0; pool < EQT_POOLS; pool++)
			metrics_labelled(out, "pool", names[pool],
					 gauges[i].of[pool]);
	}
}

/* ---- The last pass ------------------------------------------------------------------
 * Only the last MiB of the log is read, because the log of a busy slurmctld has
 * gigabytes. Lines are recognized by the plugin's own text, because slurmctld's prefix
 * depends on its configuration. */

#define TAIL ((long) 1 << 20)

static const char mark[] = "priority/equitree: pass: ";

/* Read the summary of a pass. A line that differs in any way is ignored, so that the last
 * complete one counts. */
static void pass_log_take_line(struct metrics_pass *out, const char *line)
{
	const char *at = strstr(line, mark);
	struct metrics_pass got = { .there = true,
				    .journal_fails = out->journal_fails };
	int end = -1;

	if (!at)
		return;
	(void) sscanf(
		at + sizeof(mark) - 1,
		"%9u jobs charged, %*9u with another billing, in %9ld ms; %9u "
		"users ranked, %9u priorities in %9ld ms; saved in %9ld ms%n",
		&got.jobs, &got.charge_ms, &got.users, &got.priorities,
		&got.rank_ms, &got.save_ms, &end);
	if (end > 0 && strchr("\r\n", at[sizeof(mark) - 1 + (size_t) end]))
		*out = got;
}

/* The plugin logs a failure once, and the end of the failure once. */
static void pass_log_take_journal(struct metrics_pass *out, const char *line)
{
	const char *at = strstr(line, "priority/equitree: ");

	if (!at)
		return;
	if (strstr(at, "cannot write equitree_journal") ||
	    strstr(at, "StateSaveLocation hangs: equitree_journal"))
		out->journal_fails = true;
	else if (strstr(at, "equitree_journal can be written again") ||
		 strstr(at, "lines of equitree_journal were dropped"))
		out->journal_fails = false;
}

int eqt_metrics_log(struct eqt_openmetrics *out, const char *path,
		    struct eqt_error *err)
{
	struct metrics_pass pass = { .there = false };
	FILE *stream = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;
	int rc = 0;

	if (!stream)
		return eqt_error_set(err, "%s: %s", path, strerror(errno));
	/* For a shorter log the seek fails, and the whole log is read. */
	(void) fseek(stream, -TAIL, SEEK_END);
	while (getline(&line, &size, stream) > 0) {
		pass_log_take_line(&pass, line);
		pass_log_take_journal(&pass, line);
	}
	if (ferror(stream))
		rc = eqt_error_set(err, "%s: %s", path, strerror(errno));
	else
		metrics_pass(out, &pass);
	free(line);
	(void) fclose(stream);
	return rc;
}
