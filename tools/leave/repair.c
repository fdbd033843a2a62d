/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm can set RawUsage to 0 and to no other value. But equitree reads usage from its
 * own snapshot when it starts, and the record of charges has each second since the record
 * was begun. The repair therefore replaces the sums in the snapshot by the sums of the
 * record as of the pass of the snapshot. The journal has the usage after that pass, and
 * the start reads it as always.
 *
 * Usage of QOS is left alone, because the snapshot does not tell which QOS do not decay.
 * Usage of TRES other than billing is left alone too, because the record does not have
 * it.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/alloc.h"
#include "cli/atomic_file.h"
#include "slurm/conf/site_conf.h"
#include "leave/repair.h"
#include "ledger/ledger.h"
#include "proof/proof.h"
#include "slurm/conf/cluster.h"
#include "slurm/conf/slurm_conf.h"
#include "slurm/text/listing.h"
#include "slurm/text/timestamp.h"

#define PATH 1024
/* id of the billing TRES, which is the same in all databases */
#define BILLING_ID 5
/* relative error of a sum that is added in another order */
#define ROUNDING 1e-6L
#define DEPTH_MOST 256

/* An association of the snapshot. */
struct repair_assoc {
	const char *name; /* its id */
	uint32_t row; /* 1 plus the index of its row; 0: it has none */
	uint32_t parent; /* id of its parent; 0: it has none */
	/* sums of the record, including associations below it */
	long double raw, billing;
};

struct repair {
	const struct eqt_repair_options *options;
	char state[PATH], charges[PATH];
	uint32_t half_life_s;
	struct eqt_snapshot *snapshot;
	struct eqt_names assocs;
	struct eqt_proof_usages usages;
	size_t changed, gone;
	/* index of the billing TRES; the number of TRES if there is none */
	uint32_t billing;
};

/* ---- Reading -------------------------------------------------------------------- */

/* slurmctld does not run, so read slurm.conf itself. */
static int repair_slurm_conf(struct repair *repair, struct eqt_error *err)
{
	const char *value;
	struct eqt_slurmconf conf;
	int rc;

	if (eqt_slurm_conf_read(&conf, eqt_site_conf_slurm(), err) < 0)
		return -1;
	value = eqt_slurm_conf_get(&conf, "PriorityDecayHalfLife", NULL);
	rc = eqt_cluster_half_life_parse(&repair->half_life_s,
					 value ? value : "7-0", err);
	value = eqt_slurm_conf_get(&conf, "StateSaveLocation", NULL);
	(void) snprintf(repair->state, PATH, "%s",
			repair->options->state ? repair->options->state
			: value		       ? value
					       : "/var/spool");
	value = eqt_slurm_conf_get(&conf, "PriorityType", NULL);
	if (rc == 0 && (!value || strcmp(value, "priority/equitree") != 0))
		rc = eqt_error_set(err, "expected PriorityType="
					"priority/equitree in slurm.conf: only "
					"equitree reads what is repaired");
	eqt_slurm_conf_free(&conf);
	return rc;
}

/* Find the folder of the record. eqt_charges_folder() would not find it, because scontrol
 * does not answer. */
static int repair_folders(struct repair *repair, struct eqt_error *err)
{
	const struct eqt_conf *conf;

	if (repair_slurm_conf(repair, err) < 0)
		return -1;
	if (eqt_site_conf_try(&conf) < 0)
		return eqt_error_set(err, "equitree.conf cannot be read");
	if (repair->options->charges)
		(void) snprintf(repair->charges, PATH, "%s",
				repair->options->charges);
	else if (conf && conf->charges.folder[0])
		(void) snprintf(repair->charges, PATH, "%s",
				conf->charges.folder);
	else
		(void) snprintf(repair->charges, PATH,
				"%.900s/equitree_charges", repair->state);
	eqt_conf_free(conf);
	return 0;
}

/* The path of a file in StateSaveLocation. */
static void repair_path(const struct repair *repair, char path[PATH],
			const char *name)
{
	(void) snprintf(path, PATH, "%.900s/%s", repair->state, name);
}

/* Check that slurmctld has ended, because at its end it writes "released" to
 * equitree_owner. */
static int repair_stopped(const struct repair *repair, struct eqt_error *err)
{
	char path[PATH], text[16] = "";
	FILE *file;

	repair_path(repair, path, "equitree_owner");
	file = fopen(path, "r");
	if (!file)
		return errno == ENOENT ? 0
				       : eqt_error_set(err, "%s: %s", path,
						       strerror(errno));
	if (!fgets(text, sizeof(text), file))
		text[0] = '\0';
	(void) fclose(file);
	return strcmp(text, "released\n") == 0
		       ? 0
		       : eqt_error_set(
				 err,
				 "slurmctld runs, or was killed: start it if "
				 "need be, and stop it in an orderly way");
}

/* Check that Slurm's own plugin has not run since then. If it has, its file is newer. */
static int repair_is_latest(const struct repair *repair, struct eqt_error *err)
{
	unsigned char byte[8];
	char path[PATH];
	uint64_t at = 0;
	FILE *file;
	size_t got;

	repair_path(repair, path, "priority_last_decay_ran");
	file = fopen(path, "r");
	if (!file)
		return errno == ENOENT ? 0
				       : eqt_error_set(err, "%s: %s", path,
						       strerror(errno));
	got = fread(byte, 1, sizeof(byte), file);
	(void) fclose(file);
	for (size_t i = 0; got == sizeof(byte) && i < sizeof(byte); i++)
		at = at << 8 | byte[i];
	return (int64_t) at <= repair->snapshot->last_ran
		       ? 0
		       : eqt_error_set(
				 err, "Slurm's own plugin has run since: start "
				      "slurmctld with priority/equitree, and "
				      "stop it after its first pass");
}

/* The record is read last, because a year of it takes half a minute. */
static int repair_read(struct repair *repair, struct eqt_error *err)
{
	struct eqt_listing text;
	char path[PATH];

	if (repair_folders(repair, err) < 0 || repair_stopped(repair, err) < 0)
		return -1;
	repair_path(repair, path, "equitree_usage");
	if (eqt_listing_read(&text, path, NULL, err) < 0)
		return -1;
	repair->snapshot = eqt_snapshot_parse(text.text, text.length, err);
	eqt_listing_free(&text);
	if (!repair->snapshot || repair_is_latest(repair, err) < 0)
		return -1;
	return eqt_proof_usage_read(&repair->usages, repair->charges,
				    repair->half_life_s,
				    repair->snapshot->last_ran, err);
}

/* ---- The sums ------------------------------------------------------------------- */

/* The association with this id. It is added if needed, because a child may come before
 * its parent. */
static struct repair_assoc *assoc_get(struct repair *repair, uint32_t id)
{
	char name[16];

	(void) snprintf(name, sizeof(name), "%" PRIu32, id);
	return eqt_names_get(&repair->assocs, name, sizeof(struct repair_assoc),
			     NULL);
}

/* Find the row and the parent of each association, and the billing TRES. */
static void repair_index(struct repair *repair)
{
	const struct eqt_snapshot *snapshot = repair->snapshot;
	struct repair_assoc *assoc;

	for (uint32_t i = 0; i < snapshot->row_count; i++) {
		if (snapshot->rows[i].owner != EQT_SNAPSHOT_ASSOC)
			continue;
		assoc = assoc_get(repair, snapshot->rows[i].id);
		assoc->row = i + 1;
	}
	for (uint32_t i = 0; i < snapshot->parent_count; i++) {
		assoc = assoc_get(repair, snapshot->parents[i].id);
		assoc->parent = snapshot->parents[i].parent_id;
	}
	while (repair->billing < snapshot->tres_count &&
	       snapshot->tres_ids[repair->billing] != BILLING_ID)
		repair->billing++;
}

/* Add a usage to its association and to all above it. The usage of a removed association
 * counts as gone, because the snapshot does not have its parent. */
static void repair_add(struct repair *repair,
		       const struct eqt_proof_usage *usage)
{
	struct repair_assoc *assoc =
		eqt_names_find(&repair->assocs, usage->name);
	char name[16];

	if (!assoc && usage->raw > 0)
		repair->gone++;
	for (int depth = 0; assoc && depth < DEPTH_MOST; depth++) {
		assoc->raw += usage->raw;
		assoc->billing += usage->billing;
		(void) snprintf(name, sizeof(name), "%" PRIu32, assoc->parent);
		assoc = assoc->parent ? eqt_names_find(&repair->assocs, name)
				      : NULL;
	}
}

/* Set a value, unless the difference is too small for sshare to show. Returns whether it
 * changed. */
static bool value_set(long double *value, long double want)
{
	const long double difference = fabsl(*value - want);

	if (want < 0)
		want = 0;
	if (difference <= 1 || difference <= ROUNDING * want)
		return false;
	*value = want;
	return true;
}

/* Set the rows of all associations, and count the changes. */
static void repair_rows(struct repair *repair)
{
	struct eqt_snapshot *snapshot = repair->snapshot;
	struct repair_assoc **assoc = (void *) repair->assocs.list;

	for (size_t i = 0; i < repair->assocs.count; i++) {
		const uint32_t row = assoc[i]->row - 1;
		bool changes;

		if (!assoc[i]->row)
			continue;
		changes = value_set(&snapshot->rows[row].raw, assoc[i]->raw);
		/* If limits are not enforced, Slurm counts no billing, so it stays 0. */
		if (repair->billing < snapshot->tres_count) {
			long double *billing =
				&snapshot->tres[(size_t) row *
							snapshot->tres_count +
						repair->billing];

			if (*billing > 0 || assoc[i]->billing > 0)
				changes |=
					value_set(billing, assoc[i]->billing);
		}
		repair->changed += changes;
	}
}

/* ---- Writing ------------------------------------------------------------------- */

/* Replace the snapshot. The new file has the owner and mode of the old one, which is kept
 * beside it. */
static int repair_write(const struct repair *repair, struct eqt_error *err)
{
	char path[PATH], before[PATH];
	struct stat there;
	size_t length;
	char *text;
	int rc;

	repair_path(repair, path, "equitree_usage");
	repair_path(repair, before, "equitree_usage.before");
	if (stat(path, &there) < 0)
		return eqt_error_set(err, "%s: %s", path, strerror(errno));
	text = eqt_snapshot_text(repair->snapshot, &length);
	if (!text)
		eqt_alloc_failed();
	(void) unlink(before);
	rc = link(path, before) < 0
		     ? eqt_error_set(err, "%s: %s", before, strerror(errno))
		     : eqt_atomic_file_write(path, text, length, err);
	free(text);
	if (rc == 0 && (chown(path, there.st_uid, there.st_gid) < 0 ||
			chmod(path, there.st_mode & 07777) < 0))
		rc = eqt_error_set(err, "%s: %s", path, strerror(errno));
	return rc;
}

static void repair_print(const struct repair *repair)
{
	const int64_t begin = repair->usages.begin_s;
	char day[32] = "now";

	if (begin)
		(void) eqt_timestamp_text(day, sizeof(day), "%Y-%m-%d", begin);
	printf("Usage of %zu of %zu associations differs from the record of "
	       "charges, which\nbegins on %s: what was used before has no part "
	       "in it.\n",
	       repair->changed, repair->assocs.count, day);
	if (repair->gone)
		printf("%zu associations of the record are gone, and their "
		       "usage with them.\n",
		       repair->gone);
}

int eqt_leave_repair(const struct eqt_repair_options *options,
		     struct eqt_error *err)
{
	struct repair repair = { .options = options };
	struct eqt_proof_usage **usage;
	int rc = repair_read(&repair, err);

	if (rc == 0)
		repair_index(&repair);
	usage = (void *) repair.usages.assocs.list;
	for (size_t i = 0; rc == 0 && i < repair.usages.assocs.count; i++)
		repair_add(&repair, usage[i]);
	if (rc == 0) {
		repair_rows(&repair);
		repair_print(&repair);
	}
	if (rc == 0 && repair.changed && !options->check) {
		rc = repair_write(&repair, err);
		if (rc == 0)
			printf("It is what the record says now. Start "
			       "slurmctld.\n");
	}
	if (rc == 0 && repair.changed && options->check)
		rc = 1;
	eqt_snapshot_free(repair.snapshot);
	eqt_names_free(&repair.assocs);
	eqt_names_free(&repair.usages.assocs);
	return rc;
}
