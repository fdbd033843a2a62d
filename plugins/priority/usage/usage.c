/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "slurm/log.h"
#include "slurm/compat.h"
#include "usage/assoc_index.h"
#include "walk/assoc_walk.h"
#include "usage/usage.h"

/*
 * Slurm keeps two usages in an association: usage counts it and all below it;
 * leaf_usage is what is its own. They are one struct for a user; an account
 * has a leaf_usage only after users below it were removed.
 */
static slurmdb_assoc_usage_t *leaf_of(const struct eqt_assoc_walk_at *at)
{
	return at->user ? at->usage : at->assoc->leaf_usage;
}

long double eqt_usage_scaled(long double usage, long double factor)
{
	return factor > 0 ? usage * factor : 0;
}

/* A factor that is a double, as stock's are, is multiplied as one: that fixes
 * the last bit. */
static double scaled_wall(double wall, long double factor)
{
	double plain = (double) factor;

	if (plain > 0 && (long double) plain == factor)
		return wall * plain;
	return (double) eqt_usage_scaled(wall, factor);
}

static void scale_tres(long double *tres, long double factor)
{
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		tres[i] = eqt_usage_scaled(tres[i], factor);
}

/* One decay of everything. */
struct decay {
	long double factor;
	bool rests; /* TRES of who has no usage */
};

/* Is it known that who has no usage has no TRES either? slurmctld's own files
 * round each number by itself, so after a start there can be a millionth of one
 * left. */
static bool no_rests;

/* Who has used nothing stays so; that is most of a large tree. */
static bool is_unused(const slurmdb_assoc_usage_t *usage)
{
	return usage->usage_raw == 0 && usage->grp_used_wall == 0;
}

static bool has_tres(const slurmdb_assoc_usage_t *usage)
{
	int i = 0;

	while (i < slurmctld_tres_cnt && usage->usage_tres_raw[i] == 0)
		i++;
	return i < slurmctld_tres_cnt;
}

static void scale_usage(slurmdb_assoc_usage_t *usage, struct decay *decay)
{
	long double factor = decay->factor;

	if (factor > 0 && is_unused(usage)) {
		if (no_rests || !has_tres(usage))
			return;
		decay->rests = true;
	}
	usage->usage_raw = eqt_usage_scaled(usage->usage_raw, factor);
	usage->grp_used_wall = scaled_wall(usage->grp_used_wall, factor);
	scale_tres(usage->usage_tres_raw, factor);
}

static void decay_assoc(const struct eqt_assoc_walk_at *at, void *arg)
{
	struct decay *decay = arg;
	slurmdb_assoc_usage_t *leaf = leaf_of(at);

	scale_usage(at->usage, decay);
	if (!leaf || leaf == at->usage)
		return;
	if (decay->factor > 0) {
		scale_usage(leaf, decay);
		return;
	}
	slurmdb_destroy_assoc_usage(leaf);
	at->assoc->leaf_usage = NULL;
}

static int decay_qos(void *item, void *arg)
{
	slurmdb_qos_rec_t *qos = item;
	long double factor = ((const struct decay *) arg)->factor;

	if (!qos->usage || (factor > 0 && (qos->flags & QOS_FLAG_NO_DECAY)))
		return 0;
	qos->usage->usage_raw = eqt_usage_scaled(qos->usage->usage_raw, factor);
	qos->usage->grp_used_wall =
		scaled_wall(qos->usage->grp_used_wall, factor);
	scale_tres(qos->usage->usage_tres_raw, factor);
	return 0;
}

/* Decays since somebody asked; the pass thread's. */
static struct {
	unsigned int count;
	long double factor; /* of the last one */
} decays;

bool eqt_usage_decayed(long double *factor)
{
	unsigned int count = decays.count;

	*factor = count ? decays.factor : 1.0L;
	decays.count = 0;
	return count < 2;
}

void eqt_usage_decay(long double factor)
{
	struct decay decay = { .factor = factor };

	if (factor == 1.0L)
		return;
	decays.count++;
	decays.factor = factor;
	eqt_assoc_walk_each(EQT_ASSOC_USED, decay_assoc, &decay);
	no_rests = !decay.rests;
	if (assoc_mgr_qos_list)
		list_for_each(assoc_mgr_qos_list, decay_qos, &decay);
}

void eqt_usage_clear(void)
{
	no_rests = false;
}

void eqt_usage_reset(void)
{
	eqt_usage_decay(0);
}

/* What one walk over the lists needs. */
struct saving {
	struct eqt_snapshot *snapshot;
	bool failed;
};

/* A number that is none would make the whole snapshot unreadable. */
static bool sane(const struct eqt_snapshot_row *row, const long double *tres)
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

static void save_row(struct saving *saving, const struct eqt_snapshot_row *row,
		     const long double *tres)
{
	if (sane(row, tres) &&
	    eqt_snapshot_add(saving->snapshot, row, tres) < 0)
		saving->failed = true;
}

static void save_assoc(const struct eqt_assoc_walk_at *at, void *arg)
{
	struct saving *saving = arg;
	const slurmdb_assoc_rec_t *parent = at->usage->parent_assoc_ptr;
	const slurmdb_assoc_usage_t *leaf = leaf_of(at);
	struct eqt_snapshot_row row = {
		.owner = EQT_SNAPSHOT_ASSOC,
		.id = at->id,
	};

	if (parent &&
	    eqt_snapshot_add_parent(saving->snapshot, at->id, parent->id) < 0)
		saving->failed = true;
	if (!leaf || is_unused(leaf))
		return;
	row.raw = leaf->usage_raw;
	row.wall = leaf->grp_used_wall;
	save_row(saving, &row, leaf->usage_tres_raw);
}

static int save_qos(void *item, void *arg)
{
	slurmdb_qos_rec_t *qos = item;
	struct saving *saving = arg;
	struct eqt_snapshot_row row = { .owner = EQT_SNAPSHOT_QOS,
					.id = qos->id };

	if (!qos->usage)
		return 0;
	row.raw = qos->usage->usage_raw;
	row.wall = qos->usage->grp_used_wall;
	save_row(saving, &row, qos->usage->usage_tres_raw);
	return 0;
}

struct eqt_snapshot *eqt_usage_save(struct eqt_error *err)
{
	uint32_t rows = (uint32_t) list_count(assoc_mgr_assoc_list);
	uint32_t *ids = xcalloc(g_tres_count, sizeof(*ids));
	struct saving saving = { 0 };

	for (uint32_t i = 0; i < g_tres_count; i++)
		ids[i] = assoc_mgr_tres_array[i]->id;
	saving.snapshot = eqt_snapshot_new(ids, g_tres_count, rows, err);
	xfree(ids);
	if (!saving.snapshot)
		return NULL;
	eqt_assoc_walk_each(EQT_ASSOC_USED, save_assoc, &saving);
	if (assoc_mgr_qos_list)
		list_for_each_ro(assoc_mgr_qos_list, save_qos, &saving);
	if (saving.failed) {
		eqt_error_set(err, "out of memory");
		eqt_snapshot_free(saving.snapshot);
		return NULL;
	}
	return saving.snapshot;
}

/* Position in slurmctld's arrays of each TRES of a snapshot; -1: gone. */
static int *map_columns(const struct eqt_snapshot *snapshot)
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

/* A TRES may have been taken out of AccountingStorageTRES. Only slurmdbd knows
 * its name then. */
static void tell_gone(const struct eqt_snapshot *snapshot, const int *column)
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

static void add_tres(long double *to, const struct eqt_snapshot *snapshot,
		     uint32_t row, const int *column)
{
	const long double *tres =
		snapshot->tres + (size_t) row * snapshot->tres_count;

	for (uint32_t i = 0; i < snapshot->tres_count; i++)
		if (column[i] >= 0)
			to[column[i]] += tres[i];
}

static void add_usage(slurmdb_assoc_usage_t *usage,
		      const struct eqt_snapshot *snapshot, uint32_t row,
		      const int *column)
{
	usage->usage_raw += snapshot->rows[row].raw;
	usage->grp_used_wall += snapshot->rows[row].wall;
	add_tres(usage->usage_tres_raw, snapshot, row, column);
}

slurmdb_assoc_usage_t *eqt_usage_own_leaf(slurmdb_assoc_rec_t *assoc)
{
	if (!assoc->leaf_usage)
		assoc->leaf_usage =
			slurmdb_create_assoc_usage(slurmctld_tres_cnt);
	return assoc->leaf_usage == assoc->usage ? NULL : assoc->leaf_usage;
}

/* A user's row counts for the user and all above; an account's leaf row is its
 * own and counts for it and all above. */
static void restore_assoc(slurmdb_assoc_rec_t *assoc,
			  const struct eqt_snapshot *snapshot, uint32_t row,
			  const int *column)
{
	slurmdb_assoc_usage_t *leaf = eqt_usage_own_leaf(assoc);

	if (leaf)
		add_usage(leaf, snapshot, row, column);
	for (; assoc; assoc = assoc->usage->parent_assoc_ptr)
		add_usage(assoc->usage, snapshot, row, column);
}

static int qos_has_id(void *qos, void *id)
{
	return ((slurmdb_qos_rec_t *) qos)->id == *(uint32_t *) id;
}

slurmdb_qos_rec_t *eqt_usage_qos(uint32_t id)
{
	if (!id || !assoc_mgr_qos_list)
		return NULL;
	return list_find_first(assoc_mgr_qos_list, qos_has_id, &id);
}

static void restore_qos(const struct eqt_snapshot *snapshot, uint32_t row,
			const int *column)
{
	slurmdb_qos_rec_t *qos = eqt_usage_qos(snapshot->rows[row].id);

	if (!qos || !qos->usage)
		return;
	qos->usage->usage_raw += snapshot->rows[row].raw;
	qos->usage->grp_used_wall += snapshot->rows[row].wall;
	add_tres(qos->usage->usage_tres_raw, snapshot, row, column);
}

void eqt_usage_restore(const struct eqt_snapshot *snapshot,
		       const struct eqt_assoc_index *index)
{
	int *column = map_columns(snapshot);

	tell_gone(snapshot, column);
	eqt_usage_reset();
	for (uint32_t row = 0; row < snapshot->row_count; row++) {
		slurmdb_assoc_rec_t *assoc;

		if (snapshot->rows[row].owner == EQT_SNAPSHOT_QOS) {
			restore_qos(snapshot, row, column);
			continue;
		}
		assoc = eqt_assoc_index_find(index, snapshot->rows[row].id);
		if (assoc)
			restore_assoc(assoc, snapshot, row, column);
	}
	xfree(column);
}
