/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <zlib.h>

#include "slurm/log.h"
#include "slurm/thread.h"
#include "slurm/moment.h"
#include "usage/journal/journal_writer.h"

#define SYNC_AFTER_MS 250 /* The ends of many jobs share one fdatasync(). */
#define RETRY_AFTER_MS 1000
#define GATHER_MS 20 /* The ends of many jobs share one write(). */
#define QUIET_AFTER_MS 2000
#define HANGS_AFTER_S 10

/* Log a failure, but only the first one: the next attempts come every second
 * and fail in the same way. */
static void writer_log_failure(struct eqt_journal_writer *writer,
			       const struct eqt_error *err)
{
	writer->failures++;
	pthread_cond_broadcast(&writer->done);
	if (!writer->complained)
		eqt_log_error("cannot write " EQT_JOURNAL " in "
			      "StateSaveLocation: %s; if slurmctld is killed "
			      "before a snapshot can be written, ends of jobs "
			      "may be lost",
			      err->text);
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

/* The header of an entry in the queue. */
enum queued_kind { QUEUED_CHARGE, QUEUED_RECORD };
struct queued {
	/* The number of bytes of data that follow the header. */
	uint32_t length;
	uint32_t kind;
};

#define RECORD_HEAD offsetof(struct eqt_charge_record, account)

/* Format a queued charge as a line. Returns the length of the line, or -1. */
static int queued_charge_text(char *buf, size_t size, const char *data,
			      size_t length, uint64_t *sequence)
{
	struct eqt_journal_record charge;

	memcpy(&charge, data, length);
	if (charge.sequence > *sequence)
		*sequence = charge.sequence;
	return eqt_journal_record_text(buf, size, &charge);
}

/* Format a queued line of the record of charges. Its names follow the record
 * one by one. Returns the length of the line, or -1. */
static int queued_record_text(char *buf, size_t size, const char *data)
{
	struct eqt_text text = { .data = buf, .space = size };
	struct eqt_charge_record record;
	const char *name[EQT_CHARGE_NAMES];

	memcpy(&record, data, RECORD_HEAD);
	name[0] = data + RECORD_HEAD;
	for (int i = 1; i < EQT_CHARGE_NAMES; i++)
		name[i] = name[i - 1] + strlen(name[i - 1]) + 1;
	return eqt_charge_record_put(&text, &record, name) ? (int) text.length
							   : -1;
}

/* Append the line of a queue entry. Returns false if there is no room. */
static bool text_add(struct eqt_journal_writer_text *made,
		     const struct queued *queued, const char *data)
{
	const bool record = queued->kind == QUEUED_RECORD;
	const size_t room = sizeof(made->text) - made->length;
	int length;

	if (room <= EQT_JOURNAL_RECORD_TEXT)
		return false;
	length = record ? queued_record_text(made->text + made->length, room,
					     data)
			: queued_charge_text(made->text + made->length, room,
					     data, queued->length,
					     &made->sequence);
	if (length < 0) {
		eqt_log_error("cannot write a charge to the journal: it ends "
			      "before it begins, or a number is not finite");
		return true;
	}
	if (record) {
		memcpy(made->record + made->records, made->text + made->length,
		       (size_t) length);
		made->records += (size_t) length;
	}
	made->length += (size_t) length;
	return true;
}

/* Format entries of the piece as lines, as many as fit. No lock is held,
 * because a piece does not move. */
static void text_make(struct eqt_journal_writer_text *made,
		      const struct eqt_line_piece *piece)
{
	struct queued queued;

	made->length = made->made_of = made->records = made->sequence = 0;
	while (made->made_of < piece->length) {
		const char *at = piece->text + made->made_of;

		memcpy(&queued, at, sizeof(queued));
		if (!text_add(made, &queued, at + sizeof(queued)))
			break;
		made->made_of += sizeof(queued) + queued.length;
	}
}

/* Write the text, and pass the lines of the record of charges to the sink.
 * Returns 0, or -1 with err filled. No lock is held. */
static int text_write(struct eqt_journal_writer *writer, struct eqt_error *err)
{
	struct eqt_journal_writer_text *made = writer->made;

	if (eqt_append_file_put(&writer->file, made->text, made->length, err) <
	    0)
		return -1;
	made->group_crc = (uint32_t) crc32_z(
		made->group_crc, (const Bytef *) made->text, made->length);
	made->group += made->length;
	if (made->sequence > writer->sequence)
		writer->sequence = made->sequence;
	if (made->records && writer->sink.put)
		writer->sink.put(writer->sink.arg, made->record, made->records);
	made->records = 0;
	return 0;
}

/* Write the next piece, or try a failed write again. The lock is held, but is
 * released during the write, because a disk that hangs must not block the
 * threads that queue lines. */
static int writer_write_piece(struct eqt_journal_writer *writer,
			      const struct eqt_line_piece *piece)
{
	struct eqt_journal_writer_text *made = writer->made;
	struct eqt_error err;
	int rc;

	pthread_mutex_unlock(&writer->lock);
	if (!made->made_of)
		text_make(made, piece);
	rc = text_write(writer, &err);
	pthread_mutex_lock(&writer->lock);
	if (rc < 0) {
		writer_log_failure(writer, &err);
		return -1;
	}
	eqt_line_queue_take(&writer->queue, made->made_of);
	made->made_of = 0;
	return 0;
}

/* Write the line that ends a group, because readers ignore lines without it.
 * The lock is held, but is released during the write. Returns 0 or -1. */
static int writer_end_group(struct eqt_journal_writer *writer)
{
	struct eqt_journal_writer_text *made = writer->made;
	char text[EQT_JOURNAL_GROUP_TEXT];
	struct eqt_error err;
	int rc;

	if (!made->group)
		return 0;
	pthread_mutex_unlock(&writer->lock);
	rc = eqt_journal_record_group_text(text, made->group, made->group_crc);
	rc = eqt_append_file_put(&writer->file, text, (size_t) rc, &err);
	pthread_mutex_lock(&writer->lock);
	if (rc < 0) {
		writer_log_failure(writer, &err);
		return -1;
	}
	made->group = made->group_crc = 0;
	return 0;
}

/* Rename the file to .old and begin a new one, whose first line has the number
 * of the last line of .old. If that fails, the present file stays in use. A
 * kill in between leaves one file with both names, but journal.c makes sure
 * that its lines are read once. */
static void writer_rotate(struct eqt_journal_writer *writer)
{
	const struct eqt_journal_record line = { .sequence = writer->sequence };
	struct eqt_append_end end = { .seq = writer->sequence };
	struct eqt_append_file *file = &writer->file;
	char text[EQT_JOURNAL_RECORD_TEXT + EQT_JOURNAL_GROUP_TEXT];
	int length = eqt_journal_record_text(text, sizeof(text), &line);
	struct eqt_error err;

	length += eqt_journal_record_group_text(
		text + length, (size_t) length,
		(uint32_t) crc32_z(0, (const Bytef *) text, (size_t) length));
	end.size = (uint64_t) length;
	if (eqt_append_file_open(file, &err) == 0 &&
	    eqt_append_file_sync(file, end.seq, 0, &err) == 0 &&
	    eqt_state_file_keep_old(file->folder, file->name) == 0)
		(void) eqt_append_file_begin(file, text, (size_t) length, &end,
					     &err);
}

static void writer_write_rotation(struct eqt_journal_writer *writer)
{
	pthread_mutex_unlock(&writer->lock);
	writer_rotate(writer);
	pthread_mutex_lock(&writer->lock);
	eqt_line_queue_take_rotation(&writer->queue);
}

/* Write all queued lines, up to the last complete group. Returns 0, or -1 if
 * some could not be written. */
static int writer_write_queue(struct eqt_journal_writer *writer)
{
	struct eqt_line_piece piece;

	if (!writer->made)
		writer->made = calloc(1, sizeof(*writer->made));
	if (!writer->made) {
		writer_log_failure(writer,
				   &(struct eqt_error){ "out of memory" });
		return -1;
	}
	for (;;) {
		while (writer->grouping) {
			writer->wanted = true;
			pthread_cond_wait(&writer->wake, &writer->lock);
		}
		piece = eqt_line_queue_next(&writer->queue);
		if (piece.length) {
			if (writer_write_piece(writer, &piece) < 0)
				return -1;
		} else if (writer->made->group) {
			if (writer_end_group(writer) < 0)
				return -1;
		} else if (piece.rotate) {
			writer_write_rotation(writer);
		} else {
			return 0;
		}
	}
}

static void writer_sync(struct eqt_journal_writer *writer)
{
	uint64_t written = writer->queue.taken;
	struct eqt_error err;
	int rc = 0;

	pthread_mutex_unlock(&writer->lock);
	if (writer->file.fd >= 0)
		rc = eqt_append_file_sync(&writer->file, writer->sequence, 0,
					  &err);
	pthread_mutex_lock(&writer->lock);
	writer->synced = written;
	if (rc < 0) {
		/* A failed fsync() is not repeated: the kernel may have dropped
		   the data and would report success the next time. */
		writer_log_failure(writer, &err);
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

/* The moments at which the thread acts without being woken. */
struct writer_times {
	struct timespec sync; /* Written lines are synced. */
	struct timespec quiet; /* The thread stops checking for lines. */
};

/* Write, and sync from time to time. Returns true if the thread must run again
 * at *again, even if it is not woken. */
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

/* Sleep until *again or, if it is NULL, until the thread is woken. Waking the
 * thread takes longer than charging a job, and the waking thread holds
 * slurmctld's job lock meanwhile. So while lines keep coming, this thread
 * checks for them by itself. */
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
	struct eqt_error err;
	bool stop, more;

	(void) prctl(PR_SET_NAME, "eqt_journal", 0L, 0L, 0L);
	/* Create the file now, so that a later start can tell whether it is
	   missing. If this fails, the first line will report the error. */
	(void) eqt_append_file_open(&writer->file, &err);
	pthread_mutex_lock(&writer->lock);
	do {
		stop = writer->stop;
		writer->hurried = false;
		more = writer_turn(writer, &times, &again);
		/* A flush that came while the thread was writing or syncing
		   woke nobody. */
		if (!stop && !writer->stop && !writer->hurried)
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
	writer->file.end.seq = writer->sequence;
	eqt_line_queue_prepare(&writer->queue);
	rc = eqt_thread_start(&writer->thread, writer_thread, writer);
	writer->running = rc == 0;
	pthread_mutex_unlock(&writer->lock);
	if (rc == 0)
		return 0;
	eqt_log_error("cannot start the thread that writes " EQT_JOURNAL ": %s",
		      strerror(rc));
	return -1;
}

/* Log that the disk hangs. A thread that queues a line calls this, because a
 * write to such a disk does not return, so that the writer's thread cannot
 * report it. */
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

void eqt_journal_writer_hurry(struct eqt_journal_writer *writer)
{
	if (writer->grouping)
		writer->wanted = true;
	else if (writer->running)
		pthread_cond_signal(&writer->wake);
}

/* The writer waits for the end of a group, because it must not take only a part
 * of it. A group has the lines of one end of a job, and nothing in it waits for
 * a disk. */
void eqt_journal_writer_group(struct eqt_journal_writer *writer, bool begins)
{
	/* A group within a group is part of the outer group. No other thread
	   can begin a group meanwhile. */
	if (begins ? writer->groups++ : --writer->groups)
		return;
	pthread_mutex_lock(&writer->lock);
	writer->grouping = begins;
	if (!begins && writer->wanted) {
		writer->wanted = false;
		eqt_journal_writer_hurry(writer);
		pthread_cond_broadcast(&writer->done);
	}
	pthread_mutex_unlock(&writer->lock);
}

/* Queue an entry. Returns the place of its data, or NULL. The lock is held. */
static char *writer_queue(struct eqt_journal_writer *writer,
			  const struct queued *queued)
{
	char *entry;

	entry = eqt_line_queue_add(&writer->queue,
				   sizeof(*queued) + queued->length);
	/* A thread that waits for more lines is not in a write that could
	   hang. */
	if (!writer->gathers) {
		writer_log_hang(writer);
		eqt_journal_writer_hurry(writer);
	}
	if (!entry) {
		writer_log_drop(writer);
		return NULL;
	}
	memcpy(entry, queued, sizeof(*queued));
	return entry + sizeof(*queued);
}

void eqt_journal_writer_put(struct eqt_journal_writer *writer,
			    const struct eqt_journal_record *charge)
{
	const struct queued queued = {
		.length = (uint32_t) eqt_journal_record_size(charge),
		.kind = QUEUED_CHARGE,
	};
	char *data = writer_queue(writer, &queued);

	if (data)
		memcpy(data, charge, queued.length);
}

void eqt_journal_writer_put_record(struct eqt_journal_writer *writer,
				   const struct eqt_charge_record *record,
				   const char *const *names)
{
	struct queued queued = { .length = RECORD_HEAD, .kind = QUEUED_RECORD };
	size_t size[EQT_CHARGE_NAMES];
	char *data;

	for (size_t i = 0; i < EQT_CHARGE_NAMES; i++) {
		size[i] = names[i] ? strnlen(names[i], EQT_CHARGE_NAME - 1) : 0;
		queued.length += (uint32_t) size[i] + 1;
	}
	data = writer_queue(writer, &queued);
	if (!data)
		return;
	memcpy(data, record, RECORD_HEAD);
	data += RECORD_HEAD;
	for (size_t i = 0; i < EQT_CHARGE_NAMES; i++) {
		if (size[i] > 0)
			memcpy(data, names[i], size[i]);
		data[size[i]] = '\0';
		data += size[i] + 1;
	}
}

int eqt_journal_writer_rotate(struct eqt_journal_writer *writer)
{
	const int rc = eqt_line_queue_put_rotation(&writer->queue);

	eqt_journal_writer_hurry(writer);
	return rc;
}

/* Write in the calling thread, if the writer's thread was not started or could
 * not be started. */
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
	while (writer->running && writer->grouping) {
		writer->wanted = true;
		pthread_cond_wait(&writer->done, &writer->lock);
	}
	target = writer->queue.put;
	failures = writer->failures;
	if (writer->synced == target) {
		/* No line waits. */
	} else if (!writer->running) {
		writer_flush_here(writer);
	} else {
		writer->flushing++;
		writer->hurried = true;
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
	eqt_append_file_close(&writer->file);
	eqt_line_queue_clear(&writer->queue);
	free(writer->made);
	writer->made = NULL;
	writer->synced = 0;
	writer->since = 0;
	writer->dropped = 0;
	writer->complained = writer->hang_complained = false;
	pthread_mutex_unlock(&writer->lock);
}
