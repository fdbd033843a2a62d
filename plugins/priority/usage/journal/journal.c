/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal: it numbers its lines, decides which lines are needed, and reads
 * them back. The writer's lock determines the order of the lines.
 * journal_writer.c writes them without that lock.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "slurm/log.h"
#include "slurm/compat.h"
#include "usage/journal/journal.h"

static void journal_lock(struct eqt_journal *journal)
{
	pthread_mutex_lock(&journal->writer.lock);
}

static void journal_unlock(struct eqt_journal *journal)
{
	pthread_mutex_unlock(&journal->writer.lock);
}

/* Number a line and queue it. is_urgent means that a restart without the line
 * would not know what was charged. */
static void journal_put(struct eqt_journal *journal,
			struct eqt_journal_record *charge, bool is_urgent)
{
	if (!journal->on)
		return;
	journal_lock(journal);
	charge->sequence = ++journal->sequence;
	eqt_journal_writer_put(&journal->writer, charge);
	if (is_urgent)
		eqt_journal_writer_hurry(&journal->writer);
	journal_unlock(journal);
}

void eqt_journal_end(struct eqt_journal *journal,
		     struct eqt_journal_record *charge, bool for_good)
{
	journal_put(journal, charge, !for_good);
}

void eqt_journal_part(struct eqt_journal *journal,
		      const struct eqt_journal_record *charge)
{
	struct eqt_journal_record line = *charge;

	line.job_id = 0;
	/* The line of a part and the line with its time belong together:
	   without the time, the part would be charged again. */
	eqt_journal_group(journal, true);
	if (line.from < line.to)
		journal_put(journal, &line, false);
	eqt_journal_until(journal, charge->job_id, charge->to);
	eqt_journal_group(journal, false);
}

void eqt_journal_until(struct eqt_journal *journal, uint32_t job_id,
		       int64_t until)
{
	eqt_journal_freed(journal, job_id, 0, until);
}

void eqt_journal_freed(struct eqt_journal *journal, uint32_t job_id,
		       uint32_t assoc_id, int64_t until)
{
	struct eqt_journal_record line = {
		.job_id = job_id,
		.assoc_id = assoc_id,
		.from = until,
		.to = until,
	};

	journal_put(journal, &line, true);
}

bool eqt_journal_is_freed(const struct eqt_journal_record *line)
{
	return line->job_id && line->assoc_id && line->from == line->to &&
	       line->tres_count == 0;
}

void eqt_journal_charge(struct eqt_journal *journal,
			struct eqt_charge_record *record,
			const char *const *names)
{
	journal_lock(journal);
	record->number = ++journal->number;
	eqt_journal_writer_put_record(&journal->writer, record, names);
	journal_unlock(journal);
}

uint64_t eqt_journal_last_charge(struct eqt_journal *journal)
{
	uint64_t number;

	journal_lock(journal);
	number = journal->number;
	journal_unlock(journal);
	return number;
}

/* The line has two TRES, neither job nor association, and an older version of
 * the plugin skips it. The line of a conversion has only one TRES, and a charge
 * has a job or an association. */
void eqt_journal_clock(struct eqt_journal *journal, uint64_t boot,
		       int64_t offset_ns)
{
	struct eqt_journal_record line = {
		.tres_count = 2,
		.tres = { { 1, boot }, { 2, (uint64_t) offset_ns } },
	};

	if (boot)
		journal_put(journal, &line, false);
}

bool eqt_journal_is_clock(const struct eqt_journal_record *line, uint64_t *boot,
			  int64_t *offset_ns)
{
	if (line->job_id || line->assoc_id || line->tres_count != 2)
		return false;
	*boot = line->tres[0].count;
	*offset_ns = (int64_t) line->tres[1].count;
	return true;
}

void eqt_journal_unit(struct eqt_journal *journal, uint64_t scale,
		      double weights_scale)
{
	struct eqt_journal_record line = {
		.rate = weights_scale,
		.factor = 1,
		.tres_count = 1,
		.tres = { { TRES_BILLING, scale } },
	};

	journal_put(journal, &line, true);
}

void eqt_journal_passing(struct eqt_journal *journal)
{
	journal_lock(journal);
	journal->marked = false;
	journal_unlock(journal);
}

/* Queue the part of a charge that lies within [from, to], if there is any. */
static void journal_put_part(struct eqt_journal *journal,
			     const struct eqt_journal_record *charge,
			     int64_t from, int64_t to, uint64_t sequence)
{
	struct eqt_journal_record line;

	memcpy(&line, charge, eqt_journal_record_size(charge));
	if (line.from < from)
		line.from = from;
	if (line.to > to)
		line.to = to;
	line.sequence = sequence;
	if (line.from < line.to)
		eqt_journal_writer_put(&journal->writer, &line);
}

/* Queue the parts of a charge that each of the two snapshots may lack. A line
 * with the sequence of a snapshot is contained in that snapshot, so it is
 * charged again only if the older snapshot is read. The lock is held. */
static void journal_put_passed(struct eqt_journal *journal,
			       const struct eqt_journal_record *charge)
{
	const struct eqt_journal_saved *saved = &journal->saved,
				       *before = &journal->before;

	if (before->until)
		journal_put_part(journal, charge, before->until, saved->until,
				 saved->mark);
	if (saved->until && saved->until < charge->to)
		journal_put_part(journal, charge, saved->until, charge->to,
				 journal->marked ? journal->mark
						 : ++journal->sequence);
}

/* Queue these parts separately for each part of the charge that has one factor
 * of the time of the week. */
static void journal_put_passed_by_week(struct eqt_journal *journal,
				       const struct eqt_journal_record *charge,
				       const struct eqt_week *week)
{
	const time_t to = (time_t) charge->to;
	struct eqt_journal_record line = *charge;
	struct eqt_week_piece piece;
	time_t from = journal->before.until ? journal->before.until
					    : journal->saved.until;

	if (from < (time_t) charge->from)
		from = (time_t) charge->from;
	piece = eqt_week_first(week, from, to);
	do {
		line.from = piece.from;
		line.to = piece.to;
		line.factor = charge->factor * eqt_week_factor(piece.factor_u);
		journal_put_passed(journal, &line);
	} while (eqt_week_next(week, &piece, to));
}

void eqt_journal_passed(struct eqt_journal *journal,
			const struct eqt_journal_record *charge,
			const struct eqt_week *week)
{
	if (!journal->on)
		return;
	journal_lock(journal);
	/* Most sites have no factors of the time of the week. */
	if (week->count == 0)
		journal_put_passed(journal, charge);
	else
		journal_put_passed_by_week(journal, charge, week);
	journal_unlock(journal);
}

/* Has the file been used for EQT_JOURNAL_KEPT_S seconds? The first call only
 * starts the clock. */
static bool journal_file_is_old(struct eqt_journal *journal)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!journal->begun.tv_sec)
		journal->begun = now;
	return now.tv_sec - journal->begun.tv_sec >= EQT_JOURNAL_KEPT_S;
}

uint64_t eqt_journal_mark(struct eqt_journal *journal)
{
	uint64_t sequence;

	journal_lock(journal);
	sequence = journal->mark = ++journal->sequence;
	journal->marked = true;
	/* .old may be replaced only if both snapshots on the disk contain the
	   charges of its lines. */
	if (journal_file_is_old(journal) &&
	    journal->rotated <= journal->before.mark &&
	    eqt_journal_writer_rotate(&journal->writer) == 0) {
		journal->rotated = sequence;
		clock_gettime(CLOCK_MONOTONIC, &journal->begun);
	}
	journal_unlock(journal);
	return sequence;
}

void eqt_journal_saved(struct eqt_journal *journal, time_t until)
{
	journal_lock(journal);
	journal->before = journal->saved;
	journal->saved = (struct eqt_journal_saved){ journal->mark, until };
	journal_unlock(journal);
}

void eqt_journal_group(struct eqt_journal *journal, bool begins)
{
	eqt_journal_writer_group(&journal->writer, begins);
}

void eqt_journal_flush(struct eqt_journal *journal)
{
	eqt_journal_writer_flush(&journal->writer);
}

static int journal_load_file(const struct eqt_state_folder *folder,
			     const char *name, char **text, size_t *length,
			     struct eqt_error *err)
{
	*text = eqt_state_file_read(folder, name, length, err);
	return *text || errno == ENOENT ? 0 : -1;
}

int eqt_journal_load(const struct eqt_state_folder *folder,
		     struct eqt_journal_text *text, struct eqt_error *err)
{
	const struct eqt_append_file file = { .folder = folder,
					      .name = EQT_JOURNAL };
	struct eqt_error why;

	*text = (struct eqt_journal_text){ 0 };
	if (eqt_append_file_ends(&file, text->end, &text->ends, &why) < 0)
		eqt_log_error("%s: " EQT_JOURNAL " may have less than was "
			      "written to it",
			      why.text);
	if (journal_load_file(folder, EQT_JOURNAL ".old", &text->old,
			      &text->old_length, err) < 0)
		return -1;
	if (journal_load_file(folder, EQT_JOURNAL, &text->now,
			      &text->now_length, err) < 0) {
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

/* The state of one walk over the lines of a file. */
struct journal_reading {
	struct eqt_journal *journal;
	const struct eqt_journal_reader *reader;
	/* The lines of both journal files that were read. A line that is in
	   both files counts once. */
	struct eqt_hash_set seen;
	uint64_t last; /* The highest sequence number that was read. */
	/* The last sequence that .old should have, or 0 if that sequence is not
	   known. */
	uint64_t old_last;
	unsigned int bad; /* The number of lines that cannot be read. */
	/* The number of the first line that cannot be read. */
	unsigned int first_bad;
	struct eqt_error why; /* Why line `first_bad` cannot be read. */
};

/* Count a line that cannot be read, and remember the first one. */
static void journal_note_bad(struct journal_reading *reading,
			     unsigned int number, const struct eqt_error *err)
{
	if (!reading->bad++) {
		reading->first_bad = number;
		reading->why = *err;
	}
}

/* Read a line of the record of charges. */
static int journal_read_record(struct journal_reading *reading,
			       const char *line, size_t length,
			       struct eqt_error *err)
{
	struct eqt_charge_record record;

	if (eqt_charge_record_parse(&record, line, length, err) < 0)
		return -1;
	if (record.number > reading->journal->number)
		reading->journal->number = record.number;
	if (reading->reader->record)
		reading->reader->record(&record, line, length,
					reading->reader->arg);
	return 0;
}

/* Is this the first line after a rotation? */
static bool journal_is_begin(const struct eqt_journal_record *line)
{
	return !line->job_id && !line->assoc_id && !line->tres_count &&
	       line->rate == 0;
}

static void journal_read_line(struct journal_reading *reading, const char *line,
			      size_t length, unsigned int number)
{
	struct eqt_journal *journal = reading->journal;
	struct eqt_journal_record charge;
	struct eqt_error err;

	if (*line == EQT_CHARGE_MARK) {
		if (journal_read_record(reading, line, length, &err) < 0)
			journal_note_bad(reading, number, &err);
		return;
	}
	if (eqt_journal_record_parse(&charge, line, length, &err) < 0) {
		journal_note_bad(reading, number, &err);
		return;
	}
	/* If memory is short, each line counts as new. */
	if (eqt_hash_set_add(&reading->seen,
			     eqt_hash_bytes(EQT_HASH_START, line, length)) == 0)
		return;
	if (journal_is_begin(&charge)) {
		reading->old_last = charge.sequence;
		return;
	}
	if (charge.sequence > reading->last)
		reading->last = charge.sequence;
	if (charge.sequence > journal->sequence)
		journal->sequence = charge.sequence;
	reading->reader->charge(&charge, reading->reader->arg);
}

static void journal_log_bad_lines(struct journal_reading *reading,
				  const char *name)
{
	if (reading->bad)
		eqt_log_error("%s: %u of its lines cannot be read, the first "
			      "is line %u: %s; their charges may be lost",
			      name, reading->bad, reading->first_bad,
			      reading->why.text);
	reading->bad = 0;
}

/* A position in a text. */
struct journal_place {
	const char *text;
	size_t at; /* The offset of the next line. */
	unsigned int number; /* The number of lines before the next line. */
};

/* Read the lines up to an offset, or skip them. */
static void journal_read_lines(struct journal_reading *reading,
			       struct journal_place *place, size_t end,
			       bool skip)
{
	const char *newline;
	size_t length;

	while (place->at < end && (newline = memchr(place->text + place->at,
						    '\n', end - place->at))) {
		length = (size_t) (newline - place->text) - place->at;
		place->number++;
		if (length && !skip)
			journal_read_line(reading, place->text + place->at,
					  length, place->number);
		place->at += length + 1;
	}
}

/* Does a group end at this line? A line that a kill has cut ends no group. */
static bool journal_line_ends_group(const char *line, const char *end)
{
	return *line == EQT_JOURNAL_GROUP_MARK && end[-1] != EQT_APPEND_CUT;
}

/* Read up to the line at offset `end`, which ends a group. Lines before a
 * complete group are the rest of another group that a kill or a power failure
 * has cut, so they are skipped. If the group or its last line was altered, each
 * line that can be read counts. */
static void journal_read_group(struct journal_reading *reading,
			       struct journal_place *place, size_t end,
			       size_t length)
{
	size_t begin;

	if (eqt_journal_record_group_is_whole(place->text, end, length,
					      &begin) &&
	    begin >= place->at)
		journal_read_lines(reading, place, begin, true);
	journal_read_lines(reading, place, end, false);
	place->at = end + length + 1;
	place->number++;
}

static void journal_read_text(struct journal_reading *reading, const char *name,
			      const char *text, size_t length)
{
	struct journal_place place = { .text = text };
	const char *line = text, *end;

	while (line &&
	       (end = memchr(line, '\n', length - (size_t) (line - text)))) {
		if (journal_line_ends_group(line, end))
			journal_read_group(reading, &place,
					   (size_t) (line - text),
					   (size_t) (end - line));
		line = end + 1;
	}
	/* slurmctld was killed or the power failed while the remaining lines
	   were written. So slurmctld cannot have saved the ends that these
	   lines describe. */
	if (place.at < length)
		eqt_log_info("%s ends with an incomplete group of lines", name);
	journal_log_bad_lines(reading, name);
}

/* Log that a file has fewer lines than were written to it. The first pass
 * charges the jobs that slurmctld still knows. */
static void journal_log_cut(const char *name, bool is_there, uint64_t last,
			    uint64_t written)
{
	eqt_log_error("%s is %s: lines up to %llu were written, and %llu is "
		      "the last one of them; requeues, resizes and forgotten "
		      "ends since the last pass may be lost. equitree usage "
		      "--verify finds them",
		      name, is_there ? "cut, or an older copy" : "missing",
		      (unsigned long long) written, (unsigned long long) last);
}

/* Log an error if the file lacks lines that were synced. During a rotation
 * there are two ends, and the file may have either one. New sequences begin
 * after the last one that was written. */
static void journal_check_end(struct journal_reading *reading,
			      const struct eqt_journal_text *text)
{
	struct eqt_journal *journal = reading->journal;
	uint64_t written = 0;
	bool whole = !text->ends;

	for (size_t i = 0; i < text->ends; i++) {
		const struct eqt_append_end *end = &text->end[i];

		whole |= text->now && reading->last >= end->seq &&
			 text->now_length >= end->size;
		if (end->seq > written)
			written = end->seq;
	}
	if (!whole)
		journal_log_cut(EQT_JOURNAL, text->now, reading->last, written);
	if (written > journal->sequence)
		journal->sequence = written;
	journal->writer.sequence = reading->last;
}

void eqt_journal_replay(struct eqt_journal *journal,
			const struct eqt_journal_text *text, uint64_t sequence,
			time_t until, const struct eqt_journal_reader *reader)
{
	struct journal_reading reading = {
		.journal = journal,
		.reader = reader,
	};
	uint64_t old_last;

	journal->sequence = sequence;
	journal_read_text(&reading, EQT_JOURNAL ".old", text->old,
			  text->old_length);
	journal->rotated = text->old ? journal->sequence : 0;
	reading.old_last = 0;
	old_last = reading.last;
	journal_read_text(&reading, EQT_JOURNAL, text->now, text->now_length);
	if (old_last < reading.old_last)
		journal_log_cut(EQT_JOURNAL ".old", text->old, old_last,
				reading.old_last);
	if (reading.last < reading.old_last)
		reading.last = reading.old_last;
	journal_check_end(&reading, text);
	/* The time of the snapshot .old is not known. */
	journal->saved = (struct eqt_journal_saved){ sequence, until };
	journal->before = (struct eqt_journal_saved){ 0 };
	eqt_hash_set_free(&reading.seen);
}

int eqt_journal_start(struct eqt_journal *journal)
{
	return eqt_journal_writer_start(&journal->writer);
}

void eqt_journal_close(struct eqt_journal *journal)
{
	eqt_journal_writer_stop(&journal->writer);
	journal_lock(journal);
	journal->sequence = journal->mark = journal->rotated = 0;
	journal->writer.sequence = 0;
	journal->marked = false;
	journal->saved = journal->before = (struct eqt_journal_saved){ 0 };
	journal->begun = (struct timespec){ 0 };
	journal_unlock(journal);
}
