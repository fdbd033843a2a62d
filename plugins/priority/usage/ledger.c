/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "slurm/log.h"
#include "slurm/compat.h"
#include "usage/assoc_index.h"
#include "usage/job_charge.h"
#include "usage/charged_until.h"
#include "usage/journal.h"
#include "usage/ledger.h"
#include "usage/state_file.h"
#include "usage/usage.h"

#define SNAPSHOT "equitree_usage"
#define STOCK "priority_last_decay_ran"

/* The pass thread's own, and init's and fini's while that does not run. */
static struct {
	bool saved; /* the last snapshot reached the disk */
	bool complained; /* that it did not */
	/* Usage as of then is on the disk; 0: none. Others read it. */
	_Atomic time_t saved_until;
} ledger;

/* Copy the usage and, in the same moment, the journal's position. */
static struct eqt_snapshot *copy_usage(struct eqt_error *err)
{
	assoc_mgr_lock_t locks = {
		.assoc = READ_LOCK,
		.qos = READ_LOCK,
		.tres = READ_LOCK,
	};
	struct eqt_snapshot *snapshot;

	assoc_mgr_lock(&locks);
	snapshot = eqt_usage_save(err);
	if (snapshot) {
		/* Charges need the write lock, so none comes in between. */
		snapshot->sequence = eqt_journal_mark(ledger.saved);
		ledger.saved = false;
	}
	assoc_mgr_unlock(&locks);
	return snapshot;
}

/* Stock's file: two times as Slurm packs them. */
static int save_stock(time_t last_ran, time_t last_reset, struct eqt_error *err)
{
	buf_t *buffer = init_buf(BUF_SIZE);
	int rc;

	pack_time(last_ran, buffer);
	pack_time(last_reset, buffer);
	rc = eqt_state_file_replace(STOCK, get_buf_data(buffer),
				    get_buf_offset(buffer), err);
	free_buf(buffer);
	return rc;
}

static int save_snapshot(struct eqt_snapshot *snapshot, struct eqt_error *err)
{
	size_t length;
	char *text = eqt_snapshot_text(snapshot, &length);
	int rc;

	if (!text)
		return eqt_error_set(err, "out of memory");
	rc = eqt_state_file_replace(SNAPSHOT, text, length, err);
	free(text);
	return rc;
}

/* Say once that usage cannot be saved, and once that it can be again. */
static void tell_outage(bool failed, const char *why)
{
	if (failed && !ledger.complained)
		eqt_log_error("usage is not saved: %s; it is tried again at "
			      "each pass",
			      why);
	if (!failed && ledger.complained)
		eqt_log_info("usage is saved again");
	ledger.complained = failed;
}

void eqt_ledger_save(const struct eqt_config *config, time_t last_ran,
		     time_t last_reset)
{
	struct eqt_error err;
	bool none = config->stock.recovery;
	struct eqt_snapshot *snapshot = none ? NULL : copy_usage(&err);
	int rc = -1;

	if (none)
		rc = save_stock(last_ran, last_reset, &err);
	if (snapshot) {
		snapshot->last_ran = last_ran;
		snapshot->last_reset = last_reset;
		rc = save_snapshot(snapshot, &err);
		if (rc == 0)
			ledger.saved_until = last_ran;
		eqt_snapshot_free(snapshot);
	}
	if (rc == 0 && !none) {
		ledger.saved = true;
		rc = save_stock(last_ran, last_reset, &err);
	}
	tell_outage(rc < 0, err.text);
}

time_t eqt_ledger_saved_until(void)
{
	return ledger.saved_until;
}

static int keep_one(const struct eqt_job_time *job, void *last_ran)
{
	if (job->value > *(time_t *) last_ran)
		eqt_journal_until(job->job_id, job->value);
	return 0;
}

void eqt_ledger_keep_charged_until(time_t last_ran)
{
	eqt_charged_until_each(keep_one, &last_ran);
}

static int read_stock(const char *name, struct eqt_ledger_state *state)
{
	struct eqt_error err;
	size_t length;
	char *data = eqt_state_file_read(name, &length, &err);
	buf_t *buffer;

	if (!data)
		return -1;
	/* create_buf takes xmalloc'd memory over. */
	buffer = init_buf((uint32_t) length + 1);
	memcpy(get_buf_data(buffer), data, length);
	buffer->size = (uint32_t) length;
	free(data);
	safe_unpack_time(&state->last_ran, buffer);
	safe_unpack_time(&state->last_reset, buffer);
	free_buf(buffer);
	return 0;
unpack_error:
	eqt_log_error(STOCK " in StateSaveLocation is cut short: ignored");
	free_buf(buffer);
	return -1;
}

static struct eqt_snapshot *read_snapshot(const char *name)
{
	struct eqt_snapshot *snapshot;
	struct eqt_error err;
	size_t length;
	char *text;

	errno = 0;
	text = eqt_state_file_read(name, &length, &err);
	if (!text) {
		if (errno != ENOENT)
			eqt_log_error("%s", err.text);
		return NULL;
	}
	snapshot = eqt_snapshot_parse(text, length, &err);
	free(text);
	if (!snapshot)
		eqt_log_error("%s is damaged, %s", name, err.text);
	return snapshot;
}

/* One walk over the journal. */
struct replay {
	const struct eqt_config *config;
	const struct eqt_snapshot *snapshot;
	const struct eqt_assoc_index *index;
	unsigned int charged; /* lines that were charged again */
};

/*
 * How far a job is charged, if that is not up to the last pass. slurmctld may
 * have forgotten that it ended, and no pass has charged it since; this holds
 * whether the snapshot has the charge or not.
 */
static void note_until(const struct eqt_journal_record *charge, time_t last_ran)
{
	bool ended = charge->assoc_id;

	if (!charge->job_id)
		return;
	if (ended || charge->to > last_ran)
		eqt_charged_until_set(charge->job_id, (time_t) charge->to);
	else
		eqt_charged_until_forget(charge->job_id);
}

/* One journal line; charged again unless the snapshot has it. */
static void replay_line(const struct eqt_journal_record *charge, void *arg)
{
	struct replay *replay = arg;
	time_t last_ran = (time_t) replay->snapshot->last_ran;

	note_until(charge, last_ran);
	if (charge->sequence <= replay->snapshot->sequence ||
	    charge->from == charge->to)
		return;
	eqt_job_charge_replay(replay->config, charge,
			      eqt_assoc_index_find(replay->index,
						   charge->assoc_id),
			      last_ran);
	replay->charged++;
}

/* Put the snapshot's usage in place and charge what the journals add. */
static unsigned int restore(const struct eqt_config *config,
			    const struct eqt_snapshot *snapshot)
{
	assoc_mgr_lock_t locks = EQT_CHARGE_ASSOC_LOCKS;
	struct replay replay = { .config = config, .snapshot = snapshot };
	struct eqt_assoc_index *index;

	assoc_mgr_lock(&locks);
	replay.index = index = eqt_assoc_index_new(snapshot);
	eqt_usage_restore(snapshot, index);
	eqt_journal_read(snapshot->sequence, replay_line, &replay);
	eqt_assoc_index_free(index);
	assoc_mgr_unlock(&locks);
	return replay.charged;
}

struct eqt_ledger_state eqt_ledger_recover(const struct eqt_config *config)
{
	struct eqt_ledger_state state = { 0 };
	struct eqt_snapshot *snapshot;
	const char *name = SNAPSHOT;

	(void) read_stock(STOCK, &state);
	snapshot = config->stock.recovery ? NULL : read_snapshot(name);
	if (!snapshot && !config->stock.recovery) {
		struct eqt_ledger_state old = { 0 };

		name = SNAPSHOT ".old";
		snapshot = read_snapshot(name);
		/* Stock's file is of the snapshot that is damaged; the one
		 * before it says whether stock has run since. */
		if (snapshot && read_stock(STOCK ".old", &old) == 0 &&
		    snapshot->last_ran >= old.last_ran) {
			state = old;
			/* In this order a kill in between does no harm. */
			eqt_state_file_put_back(STOCK);
			eqt_state_file_put_back(SNAPSHOT);
		}
	}
	if (snapshot && snapshot->last_ran >= state.last_ran) {
		unsigned int replayed = restore(config, snapshot);

		state.last_ran = (time_t) snapshot->last_ran;
		ledger.saved_until = state.last_ran;
		state.last_reset = (time_t) snapshot->last_reset;
		eqt_log_info("usage of %u associations and QOS recovered from "
			     "%s, %u ends of jobs from the journal",
			     snapshot->row_count, name, replayed);
	} else {
		eqt_journal_drop();
		if (state.last_ran)
			eqt_log_info("usage taken over from slurmctld's own "
				     "files");
	}
	eqt_snapshot_free(snapshot);
	return state;
}

void eqt_ledger_close(void)
{
	eqt_journal_close();
	ledger.saved = ledger.complained = false;
	ledger.saved_until = 0;
}
