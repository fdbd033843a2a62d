/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/log.h"
#include "../common/slurm_compat.h"
#include "charge.h"
#include "charged_until.h"
#include "ledger.h"
#include "state_file.h"
#include "usage.h"

#define SNAPSHOT "equitree_usage"
#define JOURNAL "equitree_journal"
#define STOCK "priority_last_decay_ran"

static struct {
	pthread_mutex_t lock; /* covers all below; innermost of all locks */
	int fd; /* the journal, open for appending; -1: not */
	uint64_t sequence; /* of the last line written */
	bool saved; /* the last snapshot reached the disk */
	bool complained; /* about a journal that cannot be written */
} ledger = { .lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1 };

static void open_journal(int flags)
{
	char path[PATH_MAX];

	if (ledger.fd >= 0)
		close(ledger.fd);
	ledger.fd = open(eqt_state_path(path, sizeof(path), JOURNAL),
			 O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | flags,
			 0600);
}

/* Say once, not for each job, that the journal cannot be written. */
static void journal_failed(void)
{
	if (!ledger.complained)
		eqt_log_error("cannot write " JOURNAL " in "
			      "StateSaveLocation: %s; usage of jobs that end "
			      "before the next pass is lost if slurmctld is "
			      "killed",
			      strerror(errno));
	ledger.complained = true;
}

void eqt_ledger_journal(struct eqt_charge *charge)
{
	char line[EQT_CHARGE_TEXT];
	int length;

	pthread_mutex_lock(&ledger.lock);
	charge->sequence = ++ledger.sequence;
	length = eqt_charge_text(line, sizeof(line), charge);
	if (ledger.fd < 0)
		open_journal(0);
	/* One write a line: a kill leaves whole lines, or none. */
	if (length > 0 && write(ledger.fd, line, (size_t) length) == length)
		ledger.complained = false;
	else
		journal_failed();
	pthread_mutex_unlock(&ledger.lock);
}

/* Begin a new journal file, if what the old one holds is safe elsewhere. */
static void rotate_journal(void)
{
	char path[PATH_MAX], old[PATH_MAX];

	if (!ledger.saved)
		return;
	eqt_state_path(path, sizeof(path), JOURNAL);
	eqt_state_path(old, sizeof(old), JOURNAL ".old");
	(void) rename(path, old);
	open_journal(0);
	ledger.saved = false;
}

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
		pthread_mutex_lock(&ledger.lock);
		snapshot->sequence = ledger.sequence;
		rotate_journal();
		pthread_mutex_unlock(&ledger.lock);
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
	rc = eqt_state_replace(STOCK, get_buf_data(buffer),
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
	rc = eqt_state_replace(SNAPSHOT, text, length, err);
	free(text);
	return rc;
}

void eqt_ledger_save(const struct eqt_settings *settings, time_t last_ran,
		     time_t last_reset)
{
	struct eqt_error err;
	bool none = settings->stock.recovery;
	struct eqt_snapshot *snapshot = none ? NULL : copy_usage(&err);
	int rc = -1;

	if (none)
		rc = save_stock(last_ran, last_reset, &err);
	if (snapshot) {
		snapshot->last_ran = last_ran;
		snapshot->last_reset = last_reset;
		rc = save_snapshot(snapshot, &err);
		eqt_snapshot_free(snapshot);
	}
	if (rc == 0 && !none) {
		pthread_mutex_lock(&ledger.lock);
		ledger.saved = true;
		pthread_mutex_unlock(&ledger.lock);
		rc = save_stock(last_ran, last_reset, &err);
	}
	if (rc < 0)
		eqt_log_error("usage is not saved: %s", err.text);
}

static int read_stock(const char *name, struct eqt_ledger_state *state)
{
	struct eqt_error err;
	size_t length;
	char *data = eqt_state_read(name, &length, &err);
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
	text = eqt_state_read(name, &length, &err);
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

/* One journal line; charged again unless the snapshot has it. */
static bool replay_line(const struct eqt_settings *settings, const char *line,
			size_t length, const struct eqt_snapshot *snapshot)
{
	struct eqt_charge charge;
	struct eqt_error err;

	if (eqt_charge_parse(&charge, line, length, &err) < 0) {
		/* The last line of a killed daemon, or damage: either way
		 * this charge cannot be known. */
		eqt_log_error("a line of the journal is unreadable: %s",
			      err.text);
		return false;
	}
	if (charge.sequence <= ledger.sequence)
		return false;
	ledger.sequence = charge.sequence;
	eqt_charge_replay(settings, &charge, (time_t) snapshot->last_ran);
	eqt_charged_until_add(charge.job_id, (time_t) charge.to);
	return true;
}

static unsigned int replay(const struct eqt_settings *settings,
			   const char *name,
			   const struct eqt_snapshot *snapshot)
{
	struct eqt_error err;
	size_t length;
	unsigned int replayed = 0;
	char *text = eqt_state_read(name, &length, &err);
	char *line = text, *end;

	while (line &&
	       (end = memchr(line, '\n', length - (size_t) (line - text)))) {
		if (end > line)
			replayed += replay_line(settings, line,
						(size_t) (end - line),
						snapshot);
		line = end + 1;
	}
	free(text);
	return replayed;
}

/* A killed daemon may have left half a line: what we add is one of its own. */
static void end_last_line(void)
{
	open_journal(0);
	if (ledger.fd >= 0 && write(ledger.fd, "\n", 1) != 1)
		journal_failed();
}

/* Lines of another time would be charged by the next restart. */
static void drop_journals(void)
{
	char path[PATH_MAX];

	(void) unlink(eqt_state_path(path, sizeof(path), JOURNAL));
	(void) unlink(eqt_state_path(path, sizeof(path), JOURNAL ".old"));
}

/* Put the snapshot's usage in place and charge what the journals add. */
static unsigned int restore(const struct eqt_settings *settings,
			    const struct eqt_snapshot *snapshot)
{
	assoc_mgr_lock_t locks = EQT_CHARGE_ASSOC_LOCKS;
	unsigned int replayed;

	assoc_mgr_lock(&locks);
	eqt_usage_restore(snapshot);
	ledger.sequence = snapshot->sequence;
	replayed = replay(settings, JOURNAL ".old", snapshot);
	replayed += replay(settings, JOURNAL, snapshot);
	assoc_mgr_unlock(&locks);
	end_last_line();
	return replayed;
}

struct eqt_ledger_state eqt_ledger_recover(const struct eqt_settings *settings)
{
	struct eqt_ledger_state state = { 0 };
	struct eqt_snapshot *snapshot;
	const char *name = SNAPSHOT;

	(void) read_stock(STOCK, &state);
	snapshot = settings->stock.recovery ? NULL : read_snapshot(name);
	if (!snapshot && !settings->stock.recovery) {
		struct eqt_ledger_state old = { 0 };

		name = SNAPSHOT ".old";
		snapshot = read_snapshot(name);
		/* Stock's file is of the snapshot that is damaged; the one
		 * before it says whether stock has run since. */
		if (snapshot && read_stock(STOCK ".old", &old) == 0 &&
		    snapshot->last_ran >= old.last_ran)
			state = old;
	}
	if (snapshot && snapshot->last_ran >= state.last_ran) {
		unsigned int replayed = restore(settings, snapshot);

		state.last_ran = (time_t) snapshot->last_ran;
		state.last_reset = (time_t) snapshot->last_reset;
		eqt_log_info("usage of %u associations and QOS recovered from "
			     "%s, %u ends of jobs from the journal",
			     snapshot->row_count, name, replayed);
	} else {
		drop_journals();
		if (state.last_ran)
			eqt_log_info("usage taken over from slurmctld's own "
				     "files");
	}
	eqt_snapshot_free(snapshot);
	return state;
}

void eqt_ledger_close(void)
{
	pthread_mutex_lock(&ledger.lock);
	if (ledger.fd >= 0)
		close(ledger.fd);
	ledger.fd = -1;
	ledger.saved = false;
	pthread_mutex_unlock(&ledger.lock);
}
