/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the day files of the record of charges. zlib reads compressed and plain files
 * alike. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "slurm/charges.h"
#include "cli/alloc.h"
#include "cli/names.h"
#include "cli/remote.h"
#include "slurm/conf/cluster.h"
#include "conf/conf.h"

/* ---- The folder ---------------------------------------------------------------------
 * Only SlurmUser may enter StateSaveLocation. A site that lets other users read the
 * record therefore names a folder outside of StateSaveLocation. */

/* The folder that slurmctld uses if equitree.conf names none. Unchanged if scontrol does
 * not answer. */
static void folder_of_state(char folder[EQT_CHARGES_FOLDER])
{
	struct eqt_slurmconf slurm;
	struct eqt_error err;

	if (eqt_cluster_config_read(&slurm, NULL, &err) < 0)
		return;
	(void) snprintf(folder, EQT_CHARGES_FOLDER, "%s/equitree_charges",
			eqt_cluster_config_get(&slurm, "StateSaveLocation"));
	eqt_slurm_conf_free(&slurm);
}

void eqt_charges_folder(char folder[EQT_CHARGES_FOLDER], const char *named,
			const struct eqt_conf *conf)
{
	folder[0] = '\0';
	if (named) {
		(void) snprintf(folder, EQT_CHARGES_FOLDER, "%s", named);
		return;
	}
	/* equitree.conf of another cluster may name a path that on this host holds the
	 * record of this host's cluster, so do not use it. */
	if (!conf || !conf->charges.record || eqt_remote_chosen())
		return;
	if (conf->charges.folder[0] != '\0')
		(void) snprintf(folder, EQT_CHARGES_FOLDER, "%s",
				conf->charges.folder);
	else
		folder_of_state(folder);
	if (folder[0] != '\0' && access(folder, R_OK | X_OK) < 0)
		folder[0] = '\0';
}

/* ---- Charges -------------------------------------------------------------- */

#define OPEN_NAME "open"
#define READ_AHEAD (1 << 17)

/* A range of numbers of lines that were read. The ranges ascend, and nearly every line
 * extends the last range. */
struct charges_range {
	uint64_t first, last;
};

struct charges_reading {
	struct eqt_charges_read *read;
	const char *path; /* path of the current file */
	uint64_t line;
	struct charges_range *range; /* owned */
	size_t ranges;
	eqt_charges_visitor visitor;
	void *arg;
};

/* Describe a damaged line and its place, if it is among the first EQT_CHARGES_NOTES. */
static void charges_note(struct charges_reading *reading, const char *why)
{
	struct eqt_charges_read *read = reading->read;

	if (read->notes < EQT_CHARGES_NOTES)
		eqt_error_set(&read->note[read->notes++], "%s:%llu: %s",
			      reading->path, (unsigned long long) reading->line,
			      why);
}

/* The index of the first range that does not end before the number. */
static size_t range_place(const struct charges_reading *reading,
			  uint64_t number)
{
	size_t low = 0, high = reading->ranges;

	if (high && number > reading->range[high - 1].last)
		return high;
	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (reading->range[middle].last < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Insert a range for a number that continues no other range. */
static void range_insert(struct charges_reading *reading, size_t place,
			 uint64_t number)
{
	struct charges_range *range;

	EQT_ALLOC_ROOM(reading->range, reading->ranges);
	range = reading->range;
	memmove(&range[place + 1], &range[place],
		(reading->ranges - place) * sizeof(*range));
	range[place] = (struct charges_range){ number, number };
	reading->ranges++;
}

/* Add the number of a line to the ranges. Returns 1, or 0 if an earlier line had this
 * number. */
static int range_add(struct charges_reading *reading, uint64_t number)
{
	const size_t place = range_place(reading, number);
	struct charges_range *range = reading->range;

	if (place < reading->ranges && range[place].first <= number)
		return 0;
	if (place > 0 && range[place - 1].last == number - 1) {
		range[place - 1].last = number;
		if (place < reading->ranges &&
		    range[place].first == number + 1) {
			range[place - 1].last = range[place].last;
			memmove(&range[place], &range[place + 1],
				(--reading->ranges - place) * sizeof(*range));
		}
		return 1;
	}
	if (place < reading->ranges && range[place].first == number + 1) {
		range[place].first = number;
		return 1;
	}
	range_insert(reading, place, number);
	return 1;
}

static void charges_damaged(struct charges_reading *reading, const char *why)
{
	reading->read->damaged++;
	charges_note(reading, why);
}

/* Read one line, without its newline. Returns the visitor's result, or 0 if the visitor
 * is not called. */
static int charges_line(struct charges_reading *reading, const char *line,
			size_t length)
{
	struct eqt_charge_record record;
	struct eqt_charge_head head;
	struct eqt_error why;

	/* All files of a folder belong to one cluster, so the last heading is enough. */
	if (strncmp(line, EQT_CHARGE_MAGIC " ", sizeof(EQT_CHARGE_MAGIC)) ==
	    0) {
		if (eqt_charge_head_parse(&head, line, length, &why) < 0)
			charges_damaged(reading, why.text);
		else
			memcpy(reading->read->cluster, head.cluster,
			       sizeof(head.cluster));
		return 0;
	}
	if (eqt_charge_record_parse(&record, line, length, &why) < 0) {
		charges_damaged(reading, why.text);
		return 0;
	}
	/* Open stretches have no numbers. */
	if (record.kind != EQT_CHARGE_OPEN &&
	    !range_add(reading, record.number))
		return 0;
	reading->read->lines++;
	return reading->visitor(&record, reading->arg);
}

/* Read all lines of an open file. A line that is too long is read in pieces, and each
 * piece counts as a damaged line. */
static int charges_lines(struct charges_reading *reading, gzFile file,
			 struct eqt_error *err)
{
	char line[EQT_CHARGE_TEXT];
	const char *why;
	int error, rc = 0;

	while (rc == 0 && gzgets(file, line, sizeof(line))) {
		size_t length = strlen(line);

		reading->line++;
		/* slurmctld has not finished this line yet. */
		if (gzeof(file) && length && line[length - 1] != '\n')
			break;
		if (length && line[length - 1] == '\n')
			line[--length] = '\0';
		rc = charges_line(reading, line, length);
	}
	why = gzerror(file, &error);
	if (rc == 0 && error == Z_ERRNO)
		return eqt_error_set(err, "cannot read %s: %s", reading->path,
				     strerror(errno));
	if (rc == 0 && error != Z_OK && error != Z_STREAM_END)
		charges_damaged(reading, why);
	return rc;
}

/* Read one file, compressed or not. */
static int charges_file(struct charges_reading *reading, const char *folder,
			const char *name, struct eqt_error *err)
{
	char path[4096];
	gzFile file;
	int rc;

	(void) snprintf(path, sizeof(path), "%s/%s", folder, name);
	reading->path = path;
	reading->line = 0;
	errno = 0;
	file = gzopen(path, "re");
	/* The file was compressed or removed since the folder was listed. */
	if (!file && errno == ENOENT)
		return 0;
	if (!file)
		return eqt_error_set(err, "cannot open %s: %s", path,
				     errno ? strerror(errno) : "no memory");
	(void) gzbuffer(file, READ_AHEAD);
	reading->read->files++;
	rc = charges_lines(reading, file, err);
	(void) gzclose(file);
	return rc;
}

/* Line numbers go up by one. A gap between two ranges therefore means that lines are
 * lost, or that they are in a file outside the period. */
static void charges_count_missing(struct charges_reading *reading)
{
	struct eqt_charges_read *read = reading->read;

	for (size_t i = 1; i < reading->ranges; i++) {
		const uint64_t first = reading->range[i - 1].last + 1,
			       last = reading->range[i].first - 1;

		read->missing += last - first + 1;
		if (read->notes < EQT_CHARGES_NOTES)
			eqt_error_set(&read->note[read->notes++],
				      "lines %llu to %llu are missing",
				      (unsigned long long) first,
				      (unsigned long long) last);
	}
}

/* A filter for scandir(): is it a day file? */
static int charges_name_is(const struct dirent *entry)
{
	return eqt_charge_file_is_of_day(entry->d_name);
}

static int charges_day(struct charges_reading *reading, const char *folder,
		       const char *name, const char *first,
		       struct eqt_error *err)
{
	struct eqt_charges_read *read = reading->read;
	char day[EQT_CHARGE_FILE_DAY + 1];

	memcpy(day, name + sizeof(EQT_CHARGE_FILE) - 1, EQT_CHARGE_FILE_DAY);
	day[EQT_CHARGE_FILE_DAY] = '\0';
	if (first && strcmp(day, first) < 0)
		return 0;
	if (!read->first_day[0])
		memcpy(read->first_day, day, sizeof(day));
	memcpy(read->last_day, day, sizeof(day));
	return charges_file(reading, folder, name, err);
}

int eqt_charges_read_folder(struct eqt_charges_read *read, const char *folder,
			    const char *first, eqt_charges_visitor visitor,
			    void *arg, struct eqt_error *err)
{
	struct charges_reading reading = {
		.read = read,
		.visitor = visitor,
		.arg = arg,
	};
	struct dirent **names;
	const int count = scandir(folder, &names, charges_name_is, alphasort);
	int rc = 0;

	*read = (struct eqt_charges_read){ 0 };
	if (count < 0)
		return eqt_error_set(err, "cannot read the folder %s: %s",
				     folder, strerror(errno));
	for (int i = 0; i < count; i++) {
		if (rc == 0)
			rc = charges_day(&reading, folder, names[i]->d_name,
					 first, err);
		free(names[i]);
	}
	free(names);
	charges_count_missing(&reading);
	free(reading.range);
	return rc;
}

int eqt_charges_read_open(struct eqt_charges_read *read, const char *folder,
			  eqt_charges_visitor visitor, void *arg,
			  struct eqt_error *err)
{
	struct charges_reading reading = {
		.read = read,
		.visitor = visitor,
		.arg = arg,
	};

	*read = (struct eqt_charges_read){ 0 };
	return charges_file(&reading, folder, OPEN_NAME, err);
}

/* ---- Runs ------------------------------------------------------------------ */

/* A run that had not finished when the file "open" was read. */
struct open_run {
	const char *name; /* the job and its start */
	/* end of the run's last line in the day files; 0: it has no line */
	int64_t to_s;
};

struct runs_reading {
	struct eqt_names runs; /* entries are struct open_run */
	struct eqt_charge_record *open; /* owned */
	size_t opens;
	eqt_charges_visitor visitor;
	void *arg;
};

#define RUN_NAME 48

static char *run_name(char buf[RUN_NAME],
		      const struct eqt_charge_record *record)
{
	(void) snprintf(buf, RUN_NAME, "%lu %lld",
			(unsigned long) record->job_id,
			(long long) record->start);
	return buf;
}

/* A visitor of the file "open". */
static int runs_take_open(const struct eqt_charge_record *record, void *arg)
{
	struct runs_reading *reading = arg;
	char name[RUN_NAME];

	EQT_ALLOC_ROOM(reading->open, reading->opens);
	reading->open[reading->opens++] = *record;
	(void) eqt_names_get(&reading->runs, run_name(name, record),
			     sizeof(struct open_run), NULL);
	return 0;
}

/* A visitor of the day files. */
static int runs_take(const struct eqt_charge_record *record, void *arg)
{
	struct runs_reading *reading = arg;
	struct open_run *run;
	char name[RUN_NAME];

	if (record->kind == EQT_CHARGE_RESET)
		return 0;
	run = eqt_names_find(&reading->runs, run_name(name, record));
	if (run && record->to > run->to_s)
		run->to_s = record->to;
	return reading->visitor(record, reading->arg);
}

/* "open" is read before the day files. If a run ends in between, its lines in a day file
 * replace its stretch from "open". */
int eqt_charges_read_runs(struct eqt_charges_read *read, const char *folder,
			  const char *first, eqt_charges_visitor visitor,
			  void *arg, struct eqt_error *err)
{
	struct runs_reading reading = { .visitor = visitor, .arg = arg };
	struct eqt_charges_read open;
	char name[RUN_NAME];
	int rc = eqt_charges_read_open(&open, folder, runs_take_open, &reading,
				       err);

	if (rc == 0)
		rc = eqt_charges_read_folder(read, folder, first, runs_take,
					     &reading, err);
	for (size_t i = 0; i < reading.opens && rc == 0; i++) {
		const struct eqt_charge_record *one = &reading.open[i];
		const struct open_run *run =
			eqt_names_find(&reading.runs, run_name(name, one));

		if (run->to_s <= one->from)
			rc = visitor(one, arg);
	}
	eqt_names_free(&reading.runs);
	free(reading.open);
	return rc;
}
