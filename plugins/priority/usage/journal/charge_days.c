/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thread that writes the record of charges. charge_files.c handles the
 * files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "slurm/compat.h"
#include "slurm/log.h"
#include "slurm/thread.h"
#include "slurm/moment.h"
#include "usage/journal/charge_days.h"
#include "usage/journal/charge_files.h"

#define GATHER_MS 250 /* Lines that come within this time share one write(). */
#define RETRY_AFTER_MS 5000
#define SYNC_AFTER_S 5
/* A cluster is expected to write a line at least once in this many days. */
#define IDLE_DAYS 31

/* Wake the thread. The lock is held. Before the thread starts, the condition
 * does not exist. */
static void days_wake(struct eqt_charge_days *days)
{
	if (days->running)
		pthread_cond_signal(&days->wake);
}

void eqt_charge_days_configure(struct eqt_charge_days *days,
			       const struct eqt_config *config)
{
	const struct eqt_conf_charges *charges = &config->conf->charges;
	struct eqt_charge_files_place place = {
		.on = charges->record && config->fairshare &&
		      !config->stock.recovery,
		.keep_days = charges->keep_days,
	};

	if (charges->folder[0])
		(void) snprintf(place.folder, sizeof(place.folder), "%s",
				charges->folder);
	else
		(void) snprintf(place.folder, sizeof(place.folder),
				"%.*s/" EQT_CONF_CHARGES_FOLDER,
				(int) (sizeof(place.folder) -
				       sizeof(EQT_CONF_CHARGES_FOLDER) - 1),
				days->state->path);
	(void) snprintf(place.group, sizeof(place.group), "%s", charges->group);
	(void) snprintf(place.cluster, sizeof(place.cluster), "%s",
			slurm_conf.cluster_name ? slurm_conf.cluster_name : "");
	pthread_mutex_lock(&days->lock);
	days->place = place;
	days->serial++;
	days_wake(days);
	pthread_mutex_unlock(&days->lock);
}

uint64_t eqt_charge_days_read(struct eqt_charge_days *days,
			      struct eqt_charge_files_reader *reader)
{
	int rc = 0;

	if (days->place.on)
		rc = eqt_charge_files_read(days->place.folder, reader);
	/* Only init() uses this number before the thread starts. */
	days->last = reader->last;
	if (reader->damaged)
		eqt_log_error("the record of charges in %s: %u lines of %s "
			      "cannot be read; bills and reports lack them",
			      days->place.folder, reader->damaged,
			      reader->file);
	if (rc < 0) {
		eqt_log_error("cannot read the record of charges in %s: %s; "
			      "its numbers go on from one above all others",
			      days->place.folder, strerror(errno));
		days->last = (uint64_t) time(NULL) << 16;
	}
	return days->last;
}

void eqt_charge_days_put(void *arg, const char *lines, size_t length)
{
	struct eqt_charge_days *days = arg;

	pthread_mutex_lock(&days->lock);
	if (days->place.on &&
	    eqt_line_queue_put(&days->queue, lines, length) < 0) {
		if (!days->dropped)
			eqt_log_error("too many lines wait for the record of "
				      "charges in %s: those that come now are "
				      "missing in it",
				      days->place.folder);
		for (size_t i = 0; i < length; i++)
			days->dropped += lines[i] == '\n';
	}
	days_wake(days);
	pthread_mutex_unlock(&days->lock);
}

/* On an idle cluster, all files may have been removed because they are kept for
 * some days only. That is not an error. */
void eqt_charge_days_check(const struct eqt_charge_days *days, uint64_t next)
{
	const uint64_t kept = days->place.keep_days;

	if (next > days->last + 1 && days->place.on &&
	    (days->last || !kept || kept > IDLE_DAYS))
		eqt_log_error(
			"the record of charges in %s: lines %llu to %llu "
			"are missing: a file was removed, cut, or "
			"replaced by an older copy, or they come from a time "
			"with record = no. Bills and reports lack them "
			"until it is put back",
			days->place.folder, (unsigned long long) days->last + 1,
			(unsigned long long) next - 1);
}

void eqt_charge_days_complete(struct eqt_charge_days *days, uint64_t number,
			      const char *line, size_t length)
{
	if (number <= days->last)
		return;
	eqt_charge_days_check(days, number);
	days->last = number;
	eqt_charge_days_put(days, line, length);
}

void eqt_charge_days_put_open(struct eqt_charge_days *days, char *text,
			      size_t length)
{
	pthread_mutex_lock(&days->lock);
	free(days->open);
	days->open = text;
	days->open_length = length;
	days_wake(days);
	pthread_mutex_unlock(&days->lock);
}

/* Log a failure, but only the first one. */
static void days_log_failure(struct eqt_charge_days *days, int error)
{
	if (!days->complained)
		eqt_log_error("cannot write the record of charges in %s: %s; "
			      "usage is charged as before, and lines wait",
			      days->at.folder, strerror(error));
	days->complained = true;
}

/* Log that all waiting lines are written, if a failure was logged before. */
static void days_log_success(struct eqt_charge_days *days)
{
	uint64_t dropped;

	pthread_mutex_lock(&days->lock);
	dropped = days->dropped;
	days->dropped = 0;
	pthread_mutex_unlock(&days->lock);
	if (dropped)
		eqt_log_error("the record of charges can be written again; "
			      "%llu lines are missing in it",
			      (unsigned long long) dropped);
	else if (days->complained)
		eqt_log_info("the record of charges can be written again");
	days->complained = false;
}

/* Sync and close the file of the day. */
static void days_close(struct eqt_charge_days *days)
{
	if (days->fd < 0)
		return;
	(void) fdatasync(days->fd);
	(void) close(days->fd);
	days->fd = -1;
	days->dirty = false;
}

/* If the folder or the day has changed, close the file, and compress or remove
 * the files of past days. Returns 0, or -1 with errno set. */
static int days_turn_page(struct eqt_charge_days *days)
{
	char today[sizeof(days->day)];
	bool moved;

	pthread_mutex_lock(&days->lock);
	moved = days->at_serial != days->serial;
	if (moved)
		days->at = days->place;
	days->at_serial = days->serial;
	pthread_mutex_unlock(&days->lock);
	eqt_charge_files_day(today, sizeof(today), time(NULL));
	if (!moved && strcmp(today, days->day) == 0)
		return 0;
	days_close(days);
	memcpy(days->day, today, sizeof(today));
	return days->at.on ? eqt_charge_files_tidy(&days->at, today) : 0;
}

/* Sync the file every few seconds. A power failure loses no line, because the
 * journal keeps the lines for a minute. */
static void days_sync(struct eqt_charge_days *days)
{
	const time_t now = eqt_moment_in_ms(0).tv_sec;

	if (!days->dirty || now - days->synced < SYNC_AFTER_S)
		return;
	(void) fdatasync(days->fd);
	days->synced = now;
	days->dirty = false;
}

/* Append the next piece of the queue. Returns 1, 0 if there is none, or -1 with
 * errno set. */
static int days_append_some(struct eqt_charge_days *days)
{
	struct eqt_line_piece piece;

	pthread_mutex_lock(&days->lock);
	piece = eqt_line_queue_next(&days->queue);
	pthread_mutex_unlock(&days->lock);
	if (!piece.length)
		return 0;
	eqt_journal_writer_flush(days->journal);
	if (days->fd < 0)
		days->fd = eqt_charge_files_open(&days->at, days->day);
	if (days->fd < 0 ||
	    eqt_charge_files_append(days->fd, piece.text, piece.length) < 0)
		return -1;
	days->dirty = true;
	pthread_mutex_lock(&days->lock);
	eqt_line_queue_take(&days->queue, piece.length);
	pthread_mutex_unlock(&days->lock);
	return 1;
}

/* Replace the file "open" if there is a new text for it. Returns 0, or -1 with
 * errno set. */
static int days_write_open(struct eqt_charge_days *days)
{
	size_t length;
	char *text;
	int rc;

	pthread_mutex_lock(&days->lock);
	text = days->open;
	length = days->open_length;
	days->open = NULL;
	pthread_mutex_unlock(&days->lock);
	if (!text)
		return 0;
	rc = eqt_charge_files_replace(&days->at, "open", text, length);
	free(text);
	return rc;
}

/* Write all waiting lines. Returns 0, or -1 after logging the error. */
static int days_write(struct eqt_charge_days *days)
{
	int rc = days_turn_page(days);

	if (rc == 0 && !days->at.on)
		return 0;
	while (rc >= 0 && (rc = days_append_some(days)) > 0)
		;
	if (rc == 0)
		rc = days_write_open(days);
	if (rc < 0) {
		days_log_failure(days, errno);
		days_close(days);
		/* The folder may exist at the next attempt. */
		days->day[0] = '\0';
		return -1;
	}
	days_log_success(days);
	days_sync(days);
	return 0;
}

/* Do lines wait, or has the place changed? The lock is held. */
static bool days_have_work(const struct eqt_charge_days *days)
{
	return days->at_serial != days->serial ||
	       (days->place.on &&
		(days->open || days->queue.put != days->queue.taken));
}

/* Wait for lines, or until it is time to try again or to sync. Then wait a
 * little for more lines, which share a write. Returns whether the thread is to
 * end. */
static bool days_sleep(struct eqt_charge_days *days)
{
	const struct timespec later = eqt_moment_in_ms(
		days->complained ? RETRY_AFTER_MS : SYNC_AFTER_S * 1000);
	struct timespec gathered;
	int rc = 0;
	bool stop;

	pthread_mutex_lock(&days->lock);
	while (!days->stop && rc == 0 &&
	       (days->complained || !days_have_work(days)))
		rc = days->complained || days->dirty
			     ? pthread_cond_timedwait(&days->wake, &days->lock,
						      &later)
			     : pthread_cond_wait(&days->wake, &days->lock);
	gathered = eqt_moment_in_ms(GATHER_MS);
	while (!days->stop && rc == 0)
		rc = pthread_cond_timedwait(&days->wake, &days->lock,
					    &gathered);
	stop = days->stop;
	pthread_mutex_unlock(&days->lock);
	return stop;
}

/* The thread writes once more after it was asked to stop, so that no line is
 * left. */
static void *days_thread(void *arg)
{
	struct eqt_charge_days *days = arg;
	bool stop;

	(void) prctl(PR_SET_NAME, "eqt_charges", 0L, 0L, 0L);
	do {
		stop = days_sleep(days);
		(void) days_write(days);
	} while (!stop);
	return NULL;
}

int eqt_charge_days_start(struct eqt_charge_days *days)
{
	int rc;

	eqt_moment_cond_init(&days->wake);
	pthread_mutex_lock(&days->lock);
	days->stop = false;
	rc = eqt_thread_start(&days->thread, days_thread, days);
	days->running = rc == 0;
	pthread_mutex_unlock(&days->lock);
	if (rc == 0)
		return 0;
	eqt_log_error("cannot start the thread that writes the record of "
		      "charges: %s",
		      strerror(rc));
	return -1;
}

void eqt_charge_days_stop(struct eqt_charge_days *days)
{
	if (days->running) {
		pthread_mutex_lock(&days->lock);
		days->stop = true;
		pthread_cond_signal(&days->wake);
		pthread_mutex_unlock(&days->lock);
		pthread_join(days->thread, NULL);
		pthread_cond_destroy(&days->wake);
	}
	days->running = false;
	days_close(days);
	eqt_line_queue_clear(&days->queue);
	free(days->open);
	days->open = NULL;
	days->dropped = 0;
	days->day[0] = '\0';
	days->complained = false;
}
