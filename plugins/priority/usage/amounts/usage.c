/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operations on all usage. Each visits every association once under assoc_mgr's lock, so
 * unused associations, which are most of a large tree, are skipped early.
 */
#include <math.h>
#include <stdlib.h>

#include "slurm/log.h"
#include "slurm/compat.h"
#include "rate/job_qos.h"
#include "usage/amounts/assoc_index.h"
#include "usage/amounts/post.h"
#include "usage/amounts/usage.h"

/*
 * Slurm keeps two usages in an association: usage is its own and that of all below it,
 * leaf_usage is only its own. For a user both are one struct; an account has a leaf_usage
 * only after users below it were removed.
 */
static slurmdb_assoc_usage_t *assoc_leaf_usage(const struct eqt_assoc_at *at)
{
	return at->user ? at->usage : at->assoc->leaf_usage;
}

long double eqt_usage_scaled(long double usage, long double factor)
{
	return factor > 0 ? usage * factor : 0;
}

/* A factor that fits a double, as stock's does, is multiplied as a double: that fixes the
 * last bit. */
static double usage_scaled_wall(double wall, long double factor)
{
	double plain = (double) factor;

	if (plain > 0 && (long double) plain == factor)
		return wall * plain;
	return (double) eqt_usage_scaled(wall, factor);
}

static void usage_scale_tres(long double *tres, long double factor)
{
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		tres[i] = eqt_usage_scaled(tres[i], factor);
}

/* One decay of everything. */
struct usage_decay {
	long double factor;
	bool no_residue; /* known: without usage there is no TRES usage */
	bool residue; /* found TRES usage without usage */
};

/* True for most associations of a large tree: decay does not change them. */
static bool usage_is_unused(const slurmdb_assoc_usage_t *usage)
{
	return usage->usage_raw == 0 && usage->grp_used_wall == 0;
}

static bool usage_has_tres(const slurmdb_assoc_usage_t *usage)
{
	int i = 0;

	while (i < slurmctld_tres_cnt && usage->usage_tres_raw[i] == 0)
		i++;
	return i < slurmctld_tres_cnt;
}

static void usage_scale(slurmdb_assoc_usage_t *usage, struct usage_decay *decay)
{
	long double factor = decay->factor;

	if (factor > 0 && usage_is_unused(usage)) {
		if (decay->no_residue || !usage_has_tres(usage))
			return;
		decay->residue = true;
	}
	usage->usage_raw = eqt_usage_scaled(usage->usage_raw, factor);
	usage->grp_used_wall = usage_scaled_wall(usage->grp_used_wall, factor);
	usage_scale_tres(usage->usage_tres_raw, factor);
}

static void assoc_decay_usage(const struct eqt_assoc_at *at, void *arg)
{
	struct usage_decay *decay = arg;
	slurmdb_assoc_usage_t *leaf = assoc_leaf_usage(at);

	usage_scale(at->usage, decay);
	if (!leaf || leaf == at->usage)
		return;
	if (decay->factor > 0) {
		usage_scale(leaf, decay);
		return;
	}
	slurmdb_destroy_assoc_usage(leaf);
	at->assoc->leaf_usage = NULL;
}

static int qos_decay_usage(void *item, void *arg)
{
	slurmdb_qos_rec_t *qos = item;
	long double factor = ((const struct usage_decay *) arg)->factor;

	if (!qos->usage || (factor > 0 && (qos->flags & QOS_FLAG_NO_DECAY)))
		return 0;
	qos->usage->usage_raw = eqt_usage_scaled(qos->usage->usage_raw, factor);
	qos->usage->grp_used_wall =
		usage_scaled_wall(qos->usage->grp_used_wall, factor);
	usage_scale_tres(qos->usage->usage_tres_raw, factor);
	return 0;
}

bool eqt_usage_decayed(struct eqt_usage *usage, long double *factor)
{
	unsigned int decays = usage->decays;

	*factor = decays ? usage->factor : 1.0L;
	usage->decays = 0;
	return decays < 2;
}

void eqt_usage_decay(struct eqt_usage *usage, long double factor)
{
	struct usage_decay decay = {
		.factor = factor,
		.no_residue = usage->no_tres_residue,
	};

	if (factor == 1.0L)
		return;
	usage->decays++;
	usage->factor = factor;
	eqt_walk_assocs(usage->walk, EQT_ASSOC_USED, assoc_decay_usage, &decay);
	usage->no_tres_residue = !decay.residue;
	if (assoc_mgr_qos_list)
		list_for_each(assoc_mgr_qos_list, qos_decay_usage, &decay);
}

/* One conversion of everything. */
struct usage_conversion {
	const struct eqt_usage_ratio *raw;
	const struct eqt_usage_ratio *billing;
};

static void usage_convert(long double *raw, long double *tres,
			  const struct usage_conversion *conversion)
{
	*raw = *raw * conversion->raw->to / conversion->raw->from;
	tres[TRES_ARRAY_BILLING] = tres[TRES_ARRAY_BILLING] *
				   conversion->billing->to /
				   conversion->billing->from;
}

static void assoc_convert_usage(const struct eqt_assoc_at *at, void *arg)
{
	slurmdb_assoc_usage_t *leaf = assoc_leaf_usage(at);

	usage_convert(&at->usage->usage_raw, at->usage->usage_tres_raw, arg);
	if (leaf && leaf != at->usage)
		usage_convert(&leaf->usage_raw, leaf->usage_tres_raw, arg);
}

static int qos_convert_usage(void *item, void *arg)
{
	slurmdb_qos_rec_t *qos = item;

	if (qos->usage)
		usage_convert(&qos->usage->usage_raw,
			      qos->usage->usage_tres_raw, arg);
	return 0;
}

void eqt_usage_convert(struct eqt_usage *usage,
		       const struct eqt_usage_ratio *raw,
		       const struct eqt_usage_ratio *billing)
{
	struct usage_conversion conversion = { raw, billing };

	/* Counts as two decays, so that eqt_usage_decayed() returns false: the
	 * new usage is not the old one times a factor. */
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

/* One walk over associations and QOS. */
struct usage_saving {
	struct eqt_snapshot *snapshot;
	bool failed;
};

/* One NaN or infinity would make the whole snapshot unreadable. */
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
			   const struct eqt_snapshot_row *row,
			   const long double *tres)
{
	if (usage_row_is_sane(row, tres) &&
	    eqt_snapshot_add(saving->snapshot, row, tres) < 0)
		saving->failed = true;
}

static void assoc_save_usage(const struct eqt_assoc_at *at, void *arg)
{
	struct usage_saving *saving = arg;
	const slurmdb_assoc_rec_t *parent = at->usage->parent_assoc_ptr;
	const slurmdb_assoc_usage_t *leaf = assoc_leaf_usage(at);
	struct eqt_snapshot_row row = {
		.owner = EQT_SNAPSHOT_ASSOC,
		.id = at->id,
	};

	if (parent &&
	    eqt_snapshot_add_parent(saving->snapshot, at->id, parent->id) < 0)
		saving->failed = true;
	if (!leaf || usage_is_unused(leaf))
		return;
	row.raw = leaf->usage_raw;
	row.wall = leaf->grp_used_wall;
	usage_save_row(saving, &row, leaf->usage_tres_raw);
}

static int qos_save_usage(void *item, void *arg)
{
	slurmdb_qos_rec_t *qos = item;
	struct usage_saving *saving = arg;
	struct eqt_snapshot_row row = { .owner = EQT_SNAPSHOT_QOS,
					.id = qos->id };

	if (!qos->usage)
		return 0;
	row.raw = qos->usage->usage_raw;
	row.wall = qos->usage->grp_used_wall;
	usage_save_row(saving, &row, qos->usage->usage_tres_raw);
	return 0;
}

struct eqt_snapshot *eqt_usage_save(struct eqt_usage *usage,
				    struct eqt_error *err)
{
	uint32_t rows = (uint32_t) list_count(assoc_mgr_assoc_list);
	uint32_t *ids = xcalloc(g_tres_count, sizeof(*ids));
	struct usage_saving saving = { 0 };

	for (uint32_t i = 0; i < g_tres_count; i++)
		ids[i] = assoc_mgr_tres_array[i]->id;
	saving.snapshot = eqt_snapshot_new(ids, g_tres_count, rows, err);
	xfree(ids);
	if (!saving.snapshot)
		return NULL;
	eqt_walk_assocs(usage->walk, EQT_ASSOC_USED, assoc_save_usage, &saving);
	if (assoc_mgr_qos_list)
		list_for_each_ro(assoc_mgr_qos_list, qos_save_usage, &saving);
	if (saving.failed) {
		eqt_error_set(err, "out of memory");
		eqt_snapshot_free(saving.snapshot);
		return NULL;
	}
	return saving.snapshot;
}

/* The position in slurmctld's arrays of each TRES of a snapshot; -1 if it is gone. */
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

/* Log TRES that were removed from AccountingStorageTRES; only slurmdbd knows their names, so
 * the ids are logged. */
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

static void usage_add_tres(long double *to, const struct eqt_snapshot *snapshot,
			   uint32_t row, const int *column)
{
	const long double *tres =
		snapshot->tres + (size_t) row * snapshot->tres_count;

	for (uint32_t i = 0; i < snapshot->tres_count; i++)
		if (column[i] >= 0)
			to[column[i]] += tres[i];
}

static void usage_add_row(slurmdb_assoc_usage_t *usage,
			  const struct eqt_snapshot *snapshot, uint32_t row,
			  const int *column)
{
	usage->usage_raw += snapshot->rows[row].raw;
	usage->grp_used_wall += snapshot->rows[row].wall;
	usage_add_tres(usage->usage_tres_raw, snapshot, row, column);
}

/* A row has an association's own usage. It is added to the association and to all its
 * ancestors, and to the leaf_usage of an account. */
static void assoc_restore_usage(slurmdb_assoc_rec_t *assoc,
				const struct eqt_snapshot *snapshot,
				uint32_t row, const int *column)
{
	slurmdb_assoc_usage_t *leaf = eqt_post_own_leaf(assoc);

	if (leaf)
		usage_add_row(leaf, snapshot, row, column);
	for (; assoc; assoc = assoc->usage->parent_assoc_ptr)
		usage_add_row(assoc->usage, snapshot, row, column);
}

static void qos_restore_usage(const struct eqt_snapshot *snapshot, uint32_t row,
			      const int *column)
{
	slurmdb_qos_rec_t *qos = eqt_job_qos_of_id(snapshot->rows[row].id);

	if (!qos || !qos->usage)
		return;
	qos->usage->usage_raw += snapshot->rows[row].raw;
	qos->usage->grp_used_wall += snapshot->rows[row].wall;
	usage_add_tres(qos->usage->usage_tres_raw, snapshot, row, column);
}

void eqt_usage_restore(struct eqt_usage *usage,
		       const struct eqt_snapshot *snapshot,
		       const struct eqt_assoc_index *index)
{
	int *column = snapshot_map_columns(snapshot);

	snapshot_log_gone_tres(snapshot, column);
	eqt_usage_reset(usage);
	for (uint32_t row = 0; row < snapshot->row_count; row++) {
		slurmdb_assoc_rec_t *assoc;

		if (snapshot->rows[row].owner == EQT_SNAPSHOT_QOS) {
			qos_restore_usage(snapshot, row, column);
			continue;
		}
		assoc = eqt_assoc_index_find(index, snapshot->rows[row].id);
		if (assoc)
			assoc_restore_usage(assoc, snapshot, row, column);
	}
	xfree(column);
}
