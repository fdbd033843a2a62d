/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operations on all usage. Each visits every association once while assoc_mgr's
 * lock is held. So unused associations, which are most of a large tree, are
 * skipped early.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "slurm/log.h"
#include "slurm/compat.h"
#include "walk/job_links.h"
#include "usage/amounts/post.h"
#include "usage/amounts/usage.h"

/*
 * The own usage of an association. Slurm keeps two usages: `usage` is the
 * association's own and that of all associations below it, and leaf_usage is
 * its own only. For a user both are one struct. An account has a leaf_usage
 * only after users below it were removed.
 */
static slurmdb_assoc_usage_t *assoc_leaf_usage(const struct eqt_assoc_at *at)
{
	return at->user ? at->usage : at->assoc->leaf_usage;
}

/* Scale wall seconds. A factor that fits a double, as in Slurm's own plugin, is
 * multiplied as a double, which decides the last bit. */
static double usage_scaled_wall(double wall, long double factor)
{
	double plain = (double) factor;

	if (plain > 0 && (long double) plain == factor)
		return wall * plain;
	return (double) eqt_usage_scaled(wall, factor);
}

/* Does the owner have no usage, so that decay changes nothing? This is true for
 * most associations of a large tree. */
static bool usage_is_unused(const struct eqt_post_target *usage)
{
	return *usage->raw == 0 && *usage->wall == 0;
}

static bool usage_has_tres(const struct eqt_post_target *usage)
{
	int i = 0;

	while (i < slurmctld_tres_cnt && usage->tres[i] == 0)
		i++;
	return i < slurmctld_tres_cnt;
}

static void usage_scale(struct eqt_post_target target, struct eqt_usage *usage)
{
	long double factor = usage->factor;

	if (factor > 0 && usage_is_unused(&target)) {
		if (usage->no_tres_residue || !usage_has_tres(&target))
			return;
		usage->residue = true;
	}
	*target.raw = eqt_usage_scaled(*target.raw, factor);
	*target.wall = usage_scaled_wall(*target.wall, factor);
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		target.tres[i] = eqt_usage_scaled(target.tres[i], factor);
}

static void assoc_decay_usage(const struct eqt_assoc_at *at, void *arg)
{
	struct eqt_usage *usage = arg;
	slurmdb_assoc_usage_t *leaf = assoc_leaf_usage(at);

	usage_scale(eqt_post_target_of(at->usage), usage);
	if (!leaf || leaf == at->usage)
		return;
	if (usage->factor > 0) {
		usage_scale(eqt_post_target_of(leaf), usage);
		return;
	}
	slurmdb_destroy_assoc_usage(leaf);
	at->assoc->leaf_usage = NULL;
}

static int qos_decay_usage(void *item, void *arg)
{
	slurmdb_qos_rec_t *qos = item;
	struct eqt_usage *usage = arg;

	if (qos->usage &&
	    (usage->factor <= 0 || !(qos->flags & QOS_FLAG_NO_DECAY)))
		usage_scale(eqt_post_target_of_qos(qos->usage), usage);
	return 0;
}

bool eqt_usage_decayed(struct eqt_usage *usage, long double *factor)
{
	unsigned int decays = usage->decays;

	*factor = decays ? usage->factor : 1.0L;
	usage->decays = 0;
	return decays < 2;
}

static void usage_decay_qos(struct eqt_usage *usage, long double factor)
{
	usage->decays++;
	usage->factor = factor;
	usage->residue = false;
	if (assoc_mgr_qos_list)
		list_for_each(assoc_mgr_qos_list, qos_decay_usage, usage);
}

void eqt_usage_decay(struct eqt_usage *usage, long double factor)
{
	if (factor == 1.0L)
		return;
	usage_decay_qos(usage, factor);
	eqt_walk_assocs(usage->walk, EQT_ASSOC_USED, assoc_decay_usage, usage);
	usage->no_tres_residue = !usage->residue;
}

/* ---- A decay in slices ---------------------------------------------------------- */

/*
 * The strongest decay that is made in slices.
 *
 * The usage of an account is the sum of the usage below it. When associations
 * are changed, slurmctld computes that sum again. When the usage of an
 * association is set to 0, slurmctld subtracts it from the accounts above.
 * Between two slices, some associations have decayed and others have not. If a
 * user is removed at that moment, the usage that he leaves is wrong by this
 * factor, and the error cannot be found afterwards. So a stronger decay, for
 * example after some hours, is not made in slices.
 */
#define SLICES_LEAST_FACTOR 0.99L

/* There is a bit for each id. With more ids than this, a decay is made at
 * once. */
#define SLICES_MOST_IDS (UINT32_C(1) << 26)

/* Record that an association is decayed now. Returns false if it was decayed
 * already, or if it was added since the decay began and had no usage then. */
static bool slices_take(struct eqt_usage_slices *slices, uint32_t id)
{
	const uint8_t bit = (uint8_t) (1u << id % 8);

	if (id >= slices->ids || slices->decayed[id / 8] & bit)
		return false;
	slices->decayed[id / 8] |= bit;
	return true;
}

static void assoc_decay_slice(const struct eqt_assoc_at *at, void *arg)
{
	struct eqt_usage *usage = arg;

	if (slices_take(&usage->slices, at->id))
		assoc_decay_usage(at, usage);
}

/* Record the usage of the root, because every change of usage by another thread
 * changes it. */
static void slices_leave(struct eqt_usage_slices *slices)
{
	const slurmdb_assoc_usage_t *root = assoc_mgr_root_assoc->usage;

	slices->root_raw = root->usage_raw;
	slices->root_wall = root->grp_used_wall;
}

/* Are the associations and the usage of the root as we left them? */
static bool slices_fit(const struct eqt_usage *usage)
{
	const struct eqt_usage_slices *slices = &usage->slices;
	const slurmdb_assoc_usage_t *root = assoc_mgr_root_assoc->usage;

	return !slices->moved && eqt_walk_assocs_are_known(usage->walk) &&
	       slices->root_raw == root->usage_raw &&
	       slices->root_wall == root->grp_used_wall;
}

void eqt_usage_decay_owner(struct eqt_usage *usage, slurmdb_assoc_rec_t *assoc)
{
	if (!usage->slices.on)
		return;
	/* The check comes before the charge, because after the charge the next
	   slice could not see a change. */
	usage->slices.moved = !slices_fit(usage);
	for (; assoc; assoc = assoc->usage->parent_assoc_ptr) {
		const struct eqt_assoc_at at = eqt_assoc_at_of(assoc);

		assoc_decay_slice(&at, usage);
	}
	slices_leave(&usage->slices);
}

void eqt_usage_decay_charged(struct eqt_usage *usage)
{
	if (usage->slices.on)
		slices_leave(&usage->slices);
}

void eqt_usage_decay_prepare(struct eqt_usage *usage)
{
	struct eqt_usage_slices *slices = &usage->slices;
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	size_t ids = 0;

	assoc_mgr_lock(&locks);
	if (eqt_walk_assocs_prepare(usage->walk))
		ids = (size_t) eqt_walk_assocs_most_id(usage->walk) + 1;
	assoc_mgr_unlock(&locks);
	slices->ids = 0;
	if (ids > SLICES_MOST_IDS ||
	    EQT_ARRAY_RESERVE(slices->decayed, slices->space, ids / 8 + 1) < 0)
		return;
	memset(slices->decayed, 0, ids / 8 + 1);
	slices->ids = ids;
}

void eqt_usage_decay_begin(struct eqt_usage *usage, long double factor)
{
	struct eqt_usage_slices *slices = &usage->slices;

	if (factor == 1.0L)
		return;
	if (factor < SLICES_LEAST_FACTOR || !slices->ids ||
	    !eqt_walk_assocs_are_known(usage->walk)) {
		eqt_usage_decay(usage, factor);
		return;
	}
	usage_decay_qos(usage, factor);
	slices->on = true;
	slices->moved = false;
	slices->next = 0;
	slices_leave(slices);
}

static void usage_add(struct eqt_post_target to, struct eqt_post_target from)
{
	*to.raw += *from.raw;
	*to.wall += *from.wall;
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		to.tres[i] += from.tres[i];
}

static void account_clear_usage(const struct eqt_assoc_at *at, void *arg)
{
	struct eqt_post_target target = eqt_post_target_of(at->usage);

	(void) arg;
	if (at->user)
		return;
	*target.raw = 0;
	*target.wall = 0;
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		target.tres[i] = 0;
}

/* Add the own usage of an association to all associations above it. An
 * account's own usage is added to the account as well. */
static void accounts_add_usage(const struct eqt_assoc_at *at, void *arg)
{
	slurmdb_assoc_usage_t *leaf = assoc_leaf_usage(at);
	const slurmdb_assoc_rec_t *assoc = at->assoc;

	(void) arg;
	if (leaf == at->usage)
		assoc = assoc->usage->parent_assoc_ptr;
	for (; leaf && assoc; assoc = assoc->usage->parent_assoc_ptr)
		usage_add(eqt_post_target_of(assoc->usage),
			  eqt_post_target_of(leaf));
}

/* Decay the remaining associations at once. This counts as a second decay, so
 * that eqt_usage_decayed() returns false: the sums of accounts are not the old
 * sums times a factor. */
static void usage_decay_rest(struct eqt_usage *usage)
{
	usage->decays++;
	eqt_walk_assocs(usage->walk, EQT_ASSOC_USED, assoc_decay_slice, usage);
	eqt_walk_assocs(usage->walk, EQT_ASSOC_USED, account_clear_usage, NULL);
	eqt_walk_assocs(usage->walk, EQT_ASSOC_USED, accounts_add_usage, NULL);
}

bool eqt_usage_decay_some(struct eqt_usage *usage)
{
	struct eqt_usage_slices *slices = &usage->slices;

	if (!slices->on)
		return false;
	if (!slices_fit(usage)) {
		usage_decay_rest(usage);
		slices->on = false;
	} else {
		slices->on = eqt_walk_assocs_some(usage->walk, EQT_ASSOC_USED,
						  &slices->next,
						  assoc_decay_slice, usage);
		slices_leave(slices);
	}
	if (!slices->on)
		usage->no_tres_residue = !usage->residue;
	return slices->on;
}

void eqt_usage_clear(struct eqt_usage *usage)
{
	free(usage->slices.decayed);
	*usage = (struct eqt_usage){ .walk = usage->walk };
}

/* A conversion of all usage. */
struct usage_conversion {
	const struct eqt_usage_scale *from, *to;
};

static void usage_convert(struct eqt_post_target usage,
			  const struct usage_conversion *conversion)
{
	long double *billing = &usage.tres[TRES_ARRAY_BILLING];

	*usage.raw = *usage.raw * conversion->to->raw / conversion->from->raw;
	*billing =
		*billing * conversion->to->billing / conversion->from->billing;
}

static void assoc_convert_usage(const struct eqt_assoc_at *at, void *arg)
{
	slurmdb_assoc_usage_t *leaf = assoc_leaf_usage(at);

	usage_convert(eqt_post_target_of(at->usage), arg);
	if (leaf && leaf != at->usage)
		usage_convert(eqt_post_target_of(leaf), arg);
}

static int qos_convert_usage(void *item, void *arg)
{
	slurmdb_qos_rec_t *qos = item;

	if (qos->usage)
		usage_convert(eqt_post_target_of_qos(qos->usage), arg);
	return 0;
}

void eqt_usage_convert(struct eqt_usage *usage,
		       const struct eqt_usage_scale *from,
		       const struct eqt_usage_scale *to)
{
	struct usage_conversion conversion = { from, to };

	/* The conversion counts as two decays, so that eqt_usage_decayed()
	   returns false: the new usage is not the old usage times a factor. */
	usage->decays += 2;
	eqt_walk_assocs(usage->walk, EQT_ASSOC_USED, assoc_convert_usage,
			&conversion);
	if (assoc_mgr_qos_list)
		list_for_each(assoc_mgr_qos_list, qos_convert_usage,
			      &conversion);
}

void eqt_usage_reset(struct eqt_usage *usage)
{
	eqt_usage_decay(usage, 0);
}

/* The state of one walk over associations and QOS. */
struct usage_saving {
	struct eqt_snapshot *snapshot;
	bool failed;
};

/* Are all numbers of the row finite? A single NaN or infinity would make the
 * whole snapshot unreadable. */
static bool usage_row_is_sane(const struct eqt_snapshot_row *row,
			      const long double *tres)
{
	bool ok = row->raw >= 0 && isfinite(row->raw) && row->wall >= 0 &&
		  isfinite(row->wall);

	for (uint32_t i = 0; ok && i < g_tres_count; i++)
		ok = tres[i] >= 0 && isfinite(tres[i]);
	if (!ok)
		eqt_log_error("usage of %s %u is not a number: not saved",
			      row->owner == EQT_SNAPSHOT_QOS ? "QOS"
							     : "association",
			      row->id);
	return ok;
}

static void usage_save_row(struct usage_saving *saving,
			   enum eqt_snapshot_owner owner, uint32_t id,
			   const struct eqt_post_target *usage)
{
	const struct eqt_snapshot_row row = {
		.owner = owner,
		.id = id,
		.raw = *usage->raw,
		.wall = *usage->wall,
	};

	/* The snapshot checks the numbers as well. */
	if (eqt_snapshot_add(saving->snapshot, &row, usage->tres) < 0 &&
	    usage_row_is_sane(&row, usage->tres))
		saving->failed = true;
}

static void assoc_save_usage(const struct eqt_assoc_at *at, void *arg)
{
	struct usage_saving *saving = arg;
	const slurmdb_assoc_rec_t *parent = at->usage->parent_assoc_ptr;
	slurmdb_assoc_usage_t *leaf = assoc_leaf_usage(at);
	struct eqt_post_target usage;

	if (parent &&
	    eqt_snapshot_add_parent(saving->snapshot, at->id, parent->id) < 0)
		saving->failed = true;
	if (!leaf)
		return;
	usage = eqt_post_target_of(leaf);
	if (!usage_is_unused(&usage))
		usage_save_row(saving, EQT_SNAPSHOT_ASSOC, at->id, &usage);
}

static int qos_save_usage(void *item, void *arg)
{
	slurmdb_qos_rec_t *qos = item;
	struct eqt_post_target usage;

	if (!qos->usage)
		return 0;
	usage = eqt_post_target_of_qos(qos->usage);
	usage_save_row(arg, EQT_SNAPSHOT_QOS, qos->id, &usage);
	return 0;
}

/* The rows for which a new snapshot has room. It grows to those that have
 * usage, and keeps its memory. */
#define ROWS_FIRST 1024

/* A snapshot of slurmctld's present TRES: the given snapshot, emptied, or a new one if
 * none is given or if it has another number of TRES. Returns NULL with err filled if
 * there is no memory. */
static struct eqt_snapshot *usage_snapshot(struct eqt_snapshot *last,
					   struct eqt_error *err)
{
	uint32_t *ids = xcalloc(g_tres_count, sizeof(*ids));

	for (uint32_t i = 0; i < g_tres_count; i++)
		ids[i] = assoc_mgr_tres_array[i]->id;
	if (last && last->tres_count == g_tres_count) {
		eqt_snapshot_restart(last, ids);
	} else {
		eqt_snapshot_free(last);
		last = eqt_snapshot_new(ids, g_tres_count, ROWS_FIRST, err);
	}
	xfree(ids);
	return last;
}

int eqt_usage_save(struct eqt_usage *usage, struct eqt_snapshot **snapshot,
		   struct eqt_error *err)
{
	struct usage_saving saving = { 0 };

	saving.snapshot = *snapshot = usage_snapshot(*snapshot, err);
	if (!saving.snapshot)
		return -1;
	eqt_walk_assocs(usage->walk, EQT_ASSOC_SAVED, assoc_save_usage,
			&saving);
	if (assoc_mgr_qos_list)
		list_for_each_ro(assoc_mgr_qos_list, qos_save_usage, &saving);
	return saving.failed ? eqt_error_set(err, "out of memory") : 0;
}

/* The position in slurmctld's arrays of each TRES of a snapshot, or -1 if the
 * TRES was removed. */
static int *snapshot_map_columns(const struct eqt_snapshot *snapshot)
{
	int *column = xcalloc(snapshot->tres_count + 1, sizeof(*column));

	for (uint32_t i = 0; i < snapshot->tres_count; i++) {
		column[i] = -1;
		for (uint32_t j = 0; j < g_tres_count; j++)
			if (assoc_mgr_tres_array[j]->id ==
			    snapshot->tres_ids[i])
				column[i] = (int) j;
	}
	return column;
}

/* Log TRES that were removed from AccountingStorageTRES. Their ids are logged,
 * because only slurmdbd knows their names. */
static void snapshot_log_gone_tres(const struct eqt_snapshot *snapshot,
				   const int *column)
{
	for (uint32_t i = 0; i < snapshot->tres_count; i++) {
		bool used = false;

		for (uint32_t row = 0; row < snapshot->row_count; row++)
			used = used ||
			       snapshot->tres[row * (size_t) snapshot
							      ->tres_count +
					      i] > 0;
		if (used && column[i] < 0)
			eqt_log_info("usage of TRES %u is dropped: it is not "
				     "in AccountingStorageTRES any more",
				     snapshot->tres_ids[i]);
	}
}

static void usage_add_row(struct eqt_post_target usage,
			  const struct eqt_snapshot *snapshot, uint32_t row,
			  const int *column)
{
	const long double *tres =
		snapshot->tres + (size_t) row * snapshot->tres_count;

	*usage.raw += snapshot->rows[row].raw;
	*usage.wall += snapshot->rows[row].wall;
	for (uint32_t i = 0; i < snapshot->tres_count; i++)
		if (column[i] >= 0)
			usage.tres[column[i]] += tres[i];
}

/* Restore one row, which has an association's own usage. It is added to the
 * association and all its ancestors, and to the leaf_usage of an account. */
static void assoc_restore_usage(slurmdb_assoc_rec_t *assoc,
				const struct eqt_snapshot *snapshot,
				uint32_t row, const int *column)
{
	slurmdb_assoc_usage_t *leaf = assoc ? eqt_post_own_leaf(assoc) : NULL;

	if (leaf)
		usage_add_row(eqt_post_target_of(leaf), snapshot, row, column);
	for (; assoc; assoc = assoc->usage->parent_assoc_ptr)
		usage_add_row(eqt_post_target_of(assoc->usage), snapshot, row,
			      column);
}

/* The number of steps is limited by the number of parents, because the parents
 * of a damaged snapshot may form a ring. */
slurmdb_assoc_rec_t *eqt_usage_owner(const struct eqt_snapshot *snapshot,
				     uint32_t id)
{
	slurmdb_assoc_rec_t *owner = eqt_job_links_assoc(id);

	for (uint32_t i = 0; id && !owner && i < snapshot->parent_count; i++) {
		id = eqt_snapshot_parent_of(snapshot, id);
		owner = eqt_job_links_assoc(id);
	}
	return owner;
}

void eqt_usage_restore(struct eqt_usage *usage,
		       const struct eqt_snapshot *snapshot)
{
	int *column = snapshot_map_columns(snapshot);

	snapshot_log_gone_tres(snapshot, column);
	eqt_usage_reset(usage);
	for (uint32_t row = 0; row < snapshot->row_count; row++) {
		const struct eqt_snapshot_row *of = &snapshot->rows[row];
		slurmdb_qos_rec_t *qos;

		if (of->owner == EQT_SNAPSHOT_ASSOC) {
			assoc_restore_usage(eqt_usage_owner(snapshot, of->id),
					    snapshot, row, column);
			continue;
		}
		qos = eqt_job_links_qos_of_id(of->id);
		if (qos && qos->usage)
			usage_add_row(eqt_post_target_of_qos(qos->usage),
				      snapshot, row, column);
	}
	xfree(column);
}

/* ---- PriorityUsageResetPeriod --------------------------------------------------- */

/* Periods begin at midnight in local time. mktime() accepts days and months
 * that are out of range, so it handles the lengths of months and days on which
 * the clock changes. */

#define DAY_S 86400

/* Set *day to the beginning of the day of a moment. Returns false if local time
 * is not known. */
static bool day_begin(struct tm *day, time_t moment)
{
	if (!localtime_r(&moment, day))
		return false;
	day->tm_sec = day->tm_min = day->tm_hour = 0;
	/* mktime() decides whether daylight saving time is in effect. */
	day->tm_isdst = -1;
	return true;
}

time_t eqt_usage_next_reset(uint16_t period, time_t last)
{
	struct tm day;

	if (!day_begin(&day, last))
		return 0;
	switch (period) {
	case PRIORITY_RESET_DAILY:
		day.tm_mday++;
		break;
	case PRIORITY_RESET_WEEKLY:
		day.tm_mday += 7 - day.tm_wday;
		break;
	case PRIORITY_RESET_MONTHLY:
		day.tm_mday = 1;
		day.tm_mon++;
		break;
	case PRIORITY_RESET_QUARTERLY:
		day.tm_mday = 1;
		day.tm_mon += 3 - day.tm_mon % 3;
		break;
	case PRIORITY_RESET_YEARLY:
		day.tm_mday = 1;
		day.tm_mon = 0;
		day.tm_year++;
		break;
	default:
		return 0;
	}
	return mktime(&day);
}

time_t eqt_usage_next_reset_stock(uint16_t period, time_t last, time_t now)
{
	time_t length = period == PRIORITY_RESET_DAILY ? DAY_S : 7 * DAY_S;
	time_t next;
	struct tm day;

	if (period != PRIORITY_RESET_DAILY && period != PRIORITY_RESET_WEEKLY)
		return eqt_usage_next_reset(period, last);
	if (!day_begin(&day, last))
		return 0;
	next = mktime(&day) + length;
	if (period == PRIORITY_RESET_WEEKLY)
		next -= day.tm_wday * DAY_S;
	if (now - next > length)
		next += (now - next - 1) / length * length;
	return next;
}
