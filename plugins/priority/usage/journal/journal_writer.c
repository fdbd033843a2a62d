/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "slurm/log.h"
#include "slurm/moment.h"
#include "usage/journal/journal_writer.h"

#define SYNC_AFTER_MS 250 /* many ends of jobs share one fdatasync() */
#define RETRY_AFTER_MS 1000
#define GATHER_MS 20 /* many ends of jobs share one write() */
#define QUIET_AFTER_MS 2000
#define HANGS_AFTER_S 10

/* Log the first failure only: the next attempts come every second and fail alike. */
static void writer_log_failure(struct eqt_journal_writer *writer, int error)
{
	writer->failures++;
	pthread_cond_broadcast(&writer->done);
	if (!writer->complained)
		eqt_log_error("cannot write " EQT_JOURNAL " in "
			      "StateSaveLocation: %s; if slurmctld is killed "
			      "before a snapshot can be written, ends of jobs "
			      "may be lost",
			      strerror(error));
	writer->complained = true;
}

static void writer_log_success(struct eqt_journal_writer *writer)
{
	if (writer->dropped)
		eqt_log_error("%u lines of " EQT_JOURNAL " were dropped; the "
			      "next snapshot has what they charge",
			      writer->dropped);
	else if (writer->complained || writer->hang_complained)
		eqt_log_info(EQT_JOURNAL " can be written again");
	writer->complained = writer->hang_complained = false;
	writer->dropped = 0;
}

static void writer_log_drop(struct eqt_journal_writer *writer)
{
	if (!writer->dropped++)
		eqt_log_error("too many lines wait for " EQT_JOURNAL
			      ": those that come now are dropped; if slurmctld "
			      "is killed before the next snapshot, ends of "
			      "jobs may be lost");
}

/* Make the line of the oldest charge. The lock is held. */
static void writer_make_line(struct eqt_journal_writer *writer)
{
	const struct eqt_journal_record *charge =
		&writer->charges[writer->first_charge];
	char line[EQT_JOURNAL_RECORD_TEXT];
	int length = eqt_journal_record_text(line, sizeof(line), charge);

	writer->first_charge =
		(writer->first_charge + 1) % EQT_JOURNAL_WRITER_CHARGES;
	writer->charge_count--;
	if (length < 0)
		eqt_log_error("cannot write the charge of job %u to the "
			      "journal: a number is not finite",
			      charge->job_id);
	else if (eqt_line_queue_put(&writer->queue, line, (size_t) length) < 0)
		writer_log_drop(writer);
}

static void writer_make_lines(struct eqt_journal_writer *writer)
{
	while (writer->charge_count)
		writer_make_line(writer);
}

/* The same for the thread: whoever queues a line waits for one to be made at most. */
static void writer_make_lines_apart(struct eqt_journal_writer *writer)
{
	while (writer->charge_count) {
		writer_make_line(writer);
		pthread_mutex_unlock(&writer->lock);
		pthread_mutex_lock(&writer->lock);
	}
}

/* Write the next piece. The lock is held, and released during the write: a disk that hangs
 * must not block the threads that queue lines. */
static int writer_write_piece(struct eqt_journal_writer *writer,
			      const struct eqt_line_piece *piece)
{
	ssize_t put;
	int error;

	pthread_mutex_unlock(&writer->lock);
	put = eqt_journal_file_append(&writer->file, piece->text,
				      piece->length);
	error = errno;
	pthread_mutex_lock(&writer->lock);
	if (put > 0)
		eqt_line_queue_take(&writer->queue, (size_t) put);
	else
		writer_log_failure(writer, put < 0 ? error : ENOSPC);
	return put > 0 ? 0 : -1;
}

static void writer_write_rotation(struct eqt_journal_writer *writer)
{
	pthread_mutex_unlock(&writer->lock);
	eqt_journal_file_rotate(&writer->file);
	pthread_mutex_lock(&writer->lock);
	eqt_line_queue_take_rotation(&writer->queue);
}

/* Write all queued lines. 0, or -1 if some could not be written. */
static int writer_write_queue(struct eqt_journal_writer *writer)
{
	struct eqt_line_piece piece;

	for (;;) {
		writer_make_lines_apart(writer);
		piece = eqt_line_queue_next(&writer->queue);
		if (!piece.length && !piece.rotate)
			return 0;
		if (piece.length == 0)
			writer_write_rotation(writer);
		else if (writer_write_piece(writer, &piece) < 0)
			return -1;
	}
}

static void writer_sync(struct eqt_journal_writer *writer)
{
	uint64_t written = writer->queue.taken;
	int rc, error;

	pthread_mutex_unlock(&writer->lock);
	rc = eqt_journal_file_sync(&writer->file);
	error = errno;
	pthread_mutex_lock(&writer->lock);
	writer->synced = written;
	if (rc < 0) {
		/* After a failed fsync the kernel may drop the data and report
		 * success the next time, so it is not repeated. */
		writer_log_failure(writer, error);
		return;
	}
	writer->since =
		writer->queue.put == written ? 0 : eqt_moment_in_ms(0).tv_sec;
	writer_log_success(writer);
	pthread_cond_broadcast(&writer->done);
}

static bool moment_is_past(const struct timespec *moment)
{
	const struct timespec now = eqt_moment_in_ms(0);

	return !eqt_moment_is_before(&now, moment);
}

/* When the thread has something to do by itself. */
struct writer_times {
	struct timespec sync; /* of what is written */
	struct timespec quiet; /* no line has come for long */
};

/* Write, and sync from time to time. Returns true if there may be more to do at *again,
 * even if nobody wakes the thread. */
static bool writer_turn(struct eqt_journal_writer *writer,
			struct writer_times *times, struct timespec *again)
{
	const bool synced = writer->synced == writer->queue.taken;
	const uint64_t taken = writer->queue.taken;

	if (writer_write_queue(writer) < 0) {
		*again = eqt_moment_in_ms(RETRY_AFTER_MS);
		return true;
	}
	*again = eqt_moment_in_ms(GATHER_MS);
	if (taken != writer->queue.taken)
		times->quiet = eqt_moment_in_ms(QUIET_AFTER_MS);
	if (writer->synced == writer->queue.taken)
		return !moment_is_past(&times->quiet);
	if (synced)
		times->sync = eqt_moment_in_ms(SYNC_AFTER_MS);
	if (writer->flushing || writer->stop || moment_is_past(&times->sync))
		writer_sync(writer);
	return true;
}

/* Sleep until *again (NULL: until somebody wakes the thread). Waking it costs the thread
 * that queues a line more than the charge of the job, and that one holds slurmctld's job
 * lock. So while lines come, the thread looks for them by itself. */
static void writer_sleep(struct eqt_journal_writer *writer,
			 const struct timespec *again)
{
	writer->gathers = again != NULL;
	if (again)
		(void) pthread_cond_timedwait(&writer->wake, &writer->lock,
					      again);
	else
		pthread_cond_wait(&writer->wake, &writer->lock);
	writer->gathers = false;
}

static void *writer_thread(void *arg)
{
	struct eqt_journal_writer *writer = arg;
	struct writer_times times = { 0 };
	struct timespec again;
	bool stop, more;

	(void) prctl(PR_SET_NAME, "eqt_journal", 0L, 0L, 0L);
	/* Create the file now, so that a later start can tell that it is
	 * missing. If this fails, the first line will report it. */
	(void) eqt_journal_file_open(&writer->file);
	pthread_mutex_lock(&writer->lock);
	do {
		stop = writer->stop;
		more = writer_turn(writer, &times, &again);
		if (!stop && !writer->stop)
			writer_sleep(writer, more ? &again : NULL);
	} while (!stop);
	pthread_mutex_unlock(&writer->lock);
	return NULL;
}

int eqt_journal_writer_start(struct eqt_journal_writer *writer)
{
	int rc;

	pthread_mutex_lock(&writer->lock);
	eqt_moment_cond_init(&writer->wake);
	eqt_moment_cond_init(&writer->done);
	writer->stop = false;
	eqt_line_queue_prepare(&writer->queue);
	rc = pthread_create(&writer->thread, NULL, writer_thread, writer);
	writer->running = rc == 0;
	pthread_mutex_unlock(&writer->lock);
	if (rc == 0)
		return 0;
	eqt_log_error("cannot start the thread that writes " EQT_JOURNAL ": %s",
		      strerror(rc));
	return -1;
}

/* Called when a line is queued: a write to a disk that hangs does not return, so the
 * writer's thread cannot report it. */
static void writer_log_hang(struct eqt_journal_writer *writer)
{
	time_t now = eqt_moment_in_ms(0).tv_sec;

	if (!writer->since)
		writer->since = now;
	if (now - writer->since < HANGS_AFTER_S || writer->hang_complained ||
	    writer->complained)
		return;
	eqt_log_error("StateSaveLocation hangs: " EQT_JOURNAL
		      " could not be written for %ld s; if slurmctld is killed "
		      "now, requeues and resizes of that time may be lost",
		      (long) (now - writer->since));
	writer->hang_complained = true;
}

static void writer_wake(struct eqt_journal_writer *writer)
{
	if (writer->running)
		pthread_cond_signal(&writer->wake);
}

/* Only the part of a charge that is in use is copied: all of it is a kilobyte. */
void eqt_journal_writer_put(struct eqt_journal_writer *writer,
			    const struct eqt_journal_record *charge)
{
	const size_t size = offsetof(struct eqt_journal_record, tres) +
			    charge->tres_count * sizeof(charge->tres[0]);
	uint32_t last;

	pthread_mutex_lock(&writer->lock);
	writer_log_hang(writer);
	if (writer->charge_count == EQT_JOURNAL_WRITER_CHARGES)
		writer_make_lines(writer);
	last = (writer->first_charge + writer->charge_count++) %
	       EQT_JOURNAL_WRITER_CHARGES;
	memcpy(&writer->charges[last], charge, size);
	if (!writer->gathers)
		writer_wake(writer);
	pthread_mutex_unlock(&writer->lock);
}

void eqt_journal_writer_hurry(struct eqt_journal_writer *writer)
{
	pthread_mutex_lock(&writer->lock);
	writer_wake(writer);
	pthread_mutex_unlock(&writer->lock);
}

int eqt_journal_writer_rotate(struct eqt_journal_writer *writer)
{
	int rc;

	pthread_mutex_lock(&writer->lock);
	writer_make_lines(writer);
	rc = eqt_line_queue_put_rotation(&writer->queue);
	writer_wake(writer);
	pthread_mutex_unlock(&writer->lock);
	return rc;
}

/* Without the thread (not started, or it could not be), the caller writes. */
static void writer_flush_here(struct eqt_journal_writer *writer)
{
	if (writer_write_queue(writer) == 0)
		writer_sync(writer);
}

void eqt_journal_writer_flush(struct eqt_journal_writer *writer)
{
	uint64_t target;
	unsigned int failures;

	pthread_mutex_lock(&writer->lock);
	writer_make_lines(writer);
	target = writer->queue.put;
	failures = writer->failures;
	if (!writer->running) {
		writer_flush_here(writer);
	} else {
		writer->flushing++;
		pthread_cond_signal(&writer->wake);
		while (writer->synced < target && writer->failures == failures)
			pthread_cond_wait(&writer->done, &writer->lock);
		writer->flushing--;
	}
	pthread_mutex_unlock(&writer->lock);
}

static void writer_stop_thread(struct eqt_journal_writer *writer)
{
	pthread_mutex_lock(&writer->lock);
	writer->stop = true;
	pthread_cond_signal(&writer->wake);
	pthread_mutex_unlock(&writer->lock);
	pthread_join(writer->thread, NULL);
	pthread_cond_destroy(&writer->wake);
	pthread_cond_destroy(&writer->done);
}

void eqt_journal_writer_stop(struct eqt_journal_writer *writer)
{
	if (writer->running)
		writer_stop_thread(writer);
	pthread_mutex_lock(&writer->lock);
	writer->running = false;
	writer_flush_here(writer);
	eqt_journal_file_close(&writer->file);
	eqt_line_queue_clear(&writer->queue);
	writer->synced = 0;
	writer->since = 0;
	writer->dropped = 0;
	writer->complained = writer->hang_complained = false;
	pthread_mutex_unlock(&writer->lock);
}
