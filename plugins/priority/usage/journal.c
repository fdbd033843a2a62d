/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "slurm/log.h"
#include "usage/journal.h"
#include "usage/state_file.h"

#define JOURNAL "equitree_journal"
/* slurmctld writes its jobs down within five seconds, if the disk is quick. */
#define KEPT_S 60

static struct {
	pthread_mutex_t lock; /* covers all below; innermost of all locks */
	int fd; /* open for appending; -1: not */
	uint64_t sequence; /* of the last line */
	uint64_t mark; /* of the last snapshot that was copied */
	bool marked; /* it has all that is charged by passes */
	struct timespec begun; /* when this file began, or we did */
	bool torn; /* the file may end with a piece of a line */
	bool complained; /* that it cannot be written */
} journal = { .lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1 };

static void open_journal(void)
{
	char path[PATH_MAX];

	if (journal.fd >= 0)
		close(journal.fd);
	journal.fd = open(eqt_state_file_path(path, sizeof(path), JOURNAL),
			  O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int write_whole(const char *text, size_t length)
{
	while (length) {
		ssize_t put = write(journal.fd, text, length);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return -1;
		/* Whatever comes of the rest, something is there. */
		journal.torn = true;
		text += put;
		length -= (size_t) put;
	}
	journal.torn = false;
	return 0;
}

/* One line; after a torn one it begins with the newline that is missing. */
static int append(const char *line, size_t length)
{
	if (journal.fd < 0)
		open_journal();
	if (journal.fd < 0)
		return -1;
	if (journal.torn && write_whole("\n", 1) < 0)
		return -1;
	return write_whole(line, length);
}

/* The journal is locked; the charge has its sequence. */
static void write_line(const struct eqt_journal_record *charge)
{
	char line[EQT_JOURNAL_RECORD_TEXT];
	int length;

	length = eqt_journal_record_text(line, sizeof(line), charge);
	if (length < 0) {
		eqt_log_error("the charge of job %u is no number that the "
			      "journal takes",
			      charge->job_id);
	} else if (append(line, (size_t) length) < 0) {
		if (!journal.complained)
			eqt_log_error("cannot write " JOURNAL " in "
				      "StateSaveLocation: %s; if slurmctld is "
				      "killed before a snapshot can be "
				      "written, ends of jobs are lost",
				      strerror(errno));
		journal.complained = true;
	} else if (journal.complained) {
		eqt_log_info(JOURNAL " can be written again");
		journal.complained = false;
	}
}

static void write_charge(struct eqt_journal_record *charge)
{
	pthread_mutex_lock(&journal.lock);
	charge->sequence = ++journal.sequence;
	write_line(charge);
	pthread_mutex_unlock(&journal.lock);
}

void eqt_journal_end(const struct eqt_journal_record *charge)
{
	struct eqt_journal_record line = *charge;

	write_charge(&line);
}

void eqt_journal_part(const struct eqt_journal_record *charge)
{
	struct eqt_journal_record line = *charge;

	line.job_id = 0;
	if (line.from < line.to)
		write_charge(&line);
	eqt_journal_until(charge->job_id, charge->to);
}

void eqt_journal_until(uint32_t job_id, int64_t until)
{
	struct eqt_journal_record line = {
		.job_id = job_id,
		.from = until,
		.to = until,
	};

	write_charge(&line);
}

void eqt_journal_passing(void)
{
	pthread_mutex_lock(&journal.lock);
	journal.marked = false;
	pthread_mutex_unlock(&journal.lock);
}

/* Not after the snapshot's own sequence, so that it does not count again when
 * that snapshot is read; after that of the one before. */
void eqt_journal_unsaved(const struct eqt_journal_record *charge)
{
	struct eqt_journal_record line = *charge;

	line.job_id = 0;
	pthread_mutex_lock(&journal.lock);
	line.sequence = journal.marked ? journal.mark : ++journal.sequence;
	write_line(&line);
	pthread_mutex_unlock(&journal.lock);
}

/* The first call only starts the clock. */
static bool is_old(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!journal.begun.tv_sec)
		journal.begun = now;
	return now.tv_sec - journal.begun.tv_sec >= KEPT_S;
}

uint64_t eqt_journal_mark(bool saved)
{
	char path[PATH_MAX], old[PATH_MAX];
	uint64_t sequence;

	pthread_mutex_lock(&journal.lock);
	sequence = journal.mark = ++journal.sequence;
	journal.marked = true;
	if (saved && is_old()) {
		eqt_state_file_path(path, sizeof(path), JOURNAL);
		eqt_state_file_path(old, sizeof(old), JOURNAL ".old");
		(void) rename(path, old);
		open_journal();
		journal.torn = false;
		clock_gettime(CLOCK_MONOTONIC, &journal.begun);
	}
	pthread_mutex_unlock(&journal.lock);
	return sequence;
}

/* One walk over the lines of a file. */
struct reading {
	eqt_journal_reader reader;
	void *arg;
	unsigned int bad; /* lines that could not be read */
	unsigned int first_bad; /* the number of the first of them */
	struct eqt_error why; /* of the first of them */
};

static void read_line(struct reading *reading, const char *line, size_t length,
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
	if (charge.sequence > journal.sequence)
		journal.sequence = charge.sequence;
	reading->reader(&charge, reading->arg);
}

static void tell_bad_lines(const struct reading *reading, const char *name)
{
	if (reading->bad)
		eqt_log_error("%s: %u of its lines cannot be read, the first "
			      "is line %u: %s; what they charged is lost",
			      name, reading->bad, reading->first_bad,
			      reading->why.text);
}

static void read_file(const char *name, eqt_journal_reader reader, void *arg)
{
	struct reading reading = { .reader = reader, .arg = arg };
	struct eqt_error err;
	unsigned int number = 0;
	size_t length;
	char *text = eqt_state_file_read(name, &length, &err);
	char *line = text, *end;

	if (!text && errno != ENOENT)
		eqt_log_error("%s", err.text);
	while (line &&
	       (end = memchr(line, '\n', length - (size_t) (line - text)))) {
		number++;
		if (end > line)
			read_line(&reading, line, (size_t) (end - line),
				  number);
		line = end + 1;
	}
	tell_bad_lines(&reading, name);
	/* Whoever was killed as it wrote could not save the job's end. */
	if (line && line < text + length)
		eqt_log_info("%s ends with a piece of a line", name);
	free(text);
}

void eqt_journal_read(uint64_t sequence, eqt_journal_reader reader, void *arg)
{
	pthread_mutex_lock(&journal.lock);
	journal.sequence = sequence;
	read_file(JOURNAL ".old", reader, arg);
	read_file(JOURNAL, reader, arg);
	/* What we add begins a line of its own. */
	journal.torn = true;
	pthread_mutex_unlock(&journal.lock);
}

void eqt_journal_drop(void)
{
	char path[PATH_MAX];

	(void) unlink(eqt_state_file_path(path, sizeof(path), JOURNAL));
	(void) unlink(eqt_state_file_path(path, sizeof(path), JOURNAL ".old"));
}

void eqt_journal_close(void)
{
	pthread_mutex_lock(&journal.lock);
	if (journal.fd >= 0)
		close(journal.fd);
	journal.fd = -1;
	journal.begun = (struct timespec){ 0 };
	journal.torn = journal.complained = false;
	pthread_mutex_unlock(&journal.lock);
}
