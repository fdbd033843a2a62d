/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "slurm/log.h"
#include "usage/journal.h"
#include "usage/journal_file.h"
#include "usage/journal_writer.h"
#include "usage/line_set.h"
#include "usage/state_file.h"

/* slurmctld writes its jobs down within five seconds, if the disk is quick. */
#define KEPT_S 60

/* A snapshot that is on the disk; {0}: none that is known. */
struct saved {
	uint64_t mark;
	time_t until; /* the pass that it is of */
};

static struct {
	pthread_mutex_t lock; /* covers all below; innermost but the writer's */
	uint64_t sequence; /* of the last line */
	uint64_t mark; /* of the last snapshot that was copied */
	bool marked; /* it has all that is charged by passes */
	struct saved saved, before; /* before: that of .old */
	uint64_t rotated; /* .old has no line above this sequence */
	struct timespec begun; /* when this file began, or we did */
} journal = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The journal is locked; the charge has its sequence. */
static void line_put(const struct eqt_journal_record *charge)
{
	char line[EQT_JOURNAL_RECORD_TEXT];
	int length;

	length = eqt_journal_record_text(line, sizeof(line), charge);
	if (length < 0)
		eqt_log_error("the charge of job %u is no number that the "
			      "journal takes",
			      charge->job_id);
	else
		(void) eqt_journal_writer_put(line, (size_t) length);
}

static void charge_put(struct eqt_journal_record *charge)
{
	pthread_mutex_lock(&journal.lock);
	charge->sequence = ++journal.sequence;
	line_put(charge);
	pthread_mutex_unlock(&journal.lock);
}

void eqt_journal_end(const struct eqt_journal_record *charge)
{
	struct eqt_journal_record line = *charge;

	charge_put(&line);
}

void eqt_journal_part(const struct eqt_journal_record *charge)
{
	struct eqt_journal_record line = *charge;

	line.job_id = 0;
	if (line.from < line.to)
		charge_put(&line);
	eqt_journal_until(charge->job_id, charge->to);
}

void eqt_journal_until(uint32_t job_id, int64_t until)
{
	struct eqt_journal_record line = {
		.job_id = job_id,
		.from = until,
		.to = until,
	};

	charge_put(&line);
}

void eqt_journal_passing(void)
{
	pthread_mutex_lock(&journal.lock);
	journal.marked = false;
	pthread_mutex_unlock(&journal.lock);
}

/* The part of a charge that is within [from, to]. */
static void part_put(const struct eqt_journal_record *charge, int64_t from,
		     int64_t to, uint64_t sequence)
{
	struct eqt_journal_record line = *charge;

	if (line.from < from)
		line.from = from;
	if (line.to > to)
		line.to = to;
	line.sequence = sequence;
	if (line.from < line.to)
		line_put(&line);
}

/* A line with the sequence of a snapshot does not count when that one is read, only
 * when the one before is. */
void eqt_journal_passed(const struct eqt_journal_record *charge)
{
	const struct saved *saved = &journal.saved, *before = &journal.before;

	pthread_mutex_lock(&journal.lock);
	if (before->until)
		part_put(charge, before->until, saved->until, saved->mark);
	if (saved->until && saved->until < charge->to)
		part_put(charge, saved->until, charge->to,
			 journal.marked ? journal.mark : ++journal.sequence);
	pthread_mutex_unlock(&journal.lock);
}

/* The first call only starts the clock. */
static bool file_is_old(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!journal.begun.tv_sec)
		journal.begun = now;
	return now.tv_sec - journal.begun.tv_sec >= KEPT_S;
}

uint64_t eqt_journal_mark(void)
{
	uint64_t sequence;

	pthread_mutex_lock(&journal.lock);
	sequence = journal.mark = ++journal.sequence;
	journal.marked = true;
	/* What .old has is in both snapshots that are on the disk. */
	if (file_is_old() && journal.rotated <= journal.before.mark &&
	    eqt_journal_writer_rotate() == 0) {
		journal.rotated = sequence;
		clock_gettime(CLOCK_MONOTONIC, &journal.begun);
	}
	pthread_mutex_unlock(&journal.lock);
	return sequence;
}

void eqt_journal_saved(time_t until)
{
	pthread_mutex_lock(&journal.lock);
	journal.before = journal.saved;
	journal.saved = (struct saved){ journal.mark, until };
	pthread_mutex_unlock(&journal.lock);
}

void eqt_journal_flush(void)
{
	eqt_journal_writer_flush();
}

static int file_load(const char *name, char **text, size_t *length,
		     struct eqt_error *err)
{
	*text = eqt_state_file_read(name, length, err);
	return *text || errno == ENOENT ? 0 : -1;
}

int eqt_journal_load(struct eqt_journal_text *text, struct eqt_error *err)
{
	*text = (struct eqt_journal_text){ 0 };
	if (file_load(EQT_JOURNAL ".old", &text->old, &text->old_length, err) <
	    0)
		return -1;
	if (file_load(EQT_JOURNAL, &text->now, &text->now_length, err) < 0) {
		eqt_journal_text_free(text);
		return -1;
	}
	return 0;
}

void eqt_journal_text_free(struct eqt_journal_text *text)
{
	free(text->old);
	free(text->now);
	*text = (struct eqt_journal_text){ 0 };
}

/* One walk over the lines of a file. */
struct reading {
	eqt_journal_reader reader;
	void *arg;
	struct eqt_line_set seen; /* of both files */
	unsigned int bad; /* lines that could not be read */
	unsigned int first_bad; /* the number of the first of them */
	struct eqt_error why; /* of the first of them */
};

static void line_read(struct reading *reading, const char *line, size_t length,
		      unsigned int number)
{
	struct eqt_journal_record charge;
	struct eqt_error err;

	if (eqt_journal_record_parse(&charge, line, length, &err) < 0) {
		if (!reading->bad++) {
			reading->first_bad = number;
			reading->why = err;
		}
		return;
	}
	if (!eqt_line_set_add(&reading->seen, line, length))
		return;
	if (charge.sequence > journal.sequence)
		journal.sequence = charge.sequence;
	reading->reader(&charge, reading->arg);
}

static void bad_lines_log(struct reading *reading, const char *name)
{
	if (reading->bad)
		eqt_log_error("%s: %u of its lines cannot be read, the first "
			      "is line %u: %s; what they charged may be lost",
			      name, reading->bad, reading->first_bad,
			      reading->why.text);
	reading->bad = 0;
}

static void text_read(struct reading *reading, const char *name,
		      const char *text, size_t length)
{
	const char *line = text, *end;
	unsigned int number = 0;

	while (line &&
	       (end = memchr(line, '\n', length - (size_t) (line - text)))) {
		number++;
		if (end > line)
			line_read(reading, line, (size_t) (end - line), number);
		line = end + 1;
	}
	bad_lines_log(reading, name);
	/* Whoever was killed as it wrote could not save the job's end. */
	if (line && line < text + length)
		eqt_log_info("%s ends with a piece of a line", name);
}

void eqt_journal_replay(const struct eqt_journal_text *text, uint64_t sequence,
			time_t until, eqt_journal_reader reader, void *arg)
{
	struct reading reading = { .reader = reader, .arg = arg };

	pthread_mutex_lock(&journal.lock);
	journal.sequence = sequence;
	text_read(&reading, EQT_JOURNAL ".old", text->old, text->old_length);
	journal.rotated = text->old ? journal.sequence : 0;
	text_read(&reading, EQT_JOURNAL, text->now, text->now_length);
	/* Of .old it is not known what it is of. */
	journal.saved = (struct saved){ sequence, until };
	journal.before = (struct saved){ 0 };
	pthread_mutex_unlock(&journal.lock);
	eqt_line_set_clear(&reading.seen);
}

int eqt_journal_start(void)
{
	return eqt_journal_writer_start();
}

void eqt_journal_close(void)
{
	eqt_journal_writer_stop();
	pthread_mutex_lock(&journal.lock);
	journal.sequence = journal.mark = journal.rotated = 0;
	journal.marked = false;
	journal.saved = journal.before = (struct saved){ 0 };
	journal.begun = (struct timespec){ 0 };
	pthread_mutex_unlock(&journal.lock);
}
