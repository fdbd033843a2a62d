/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * records: what "scontrol show" prints, with or without -o: records of
 * KEY=VALUE, each on one line or on several of which all but the first are
 * indented.
 */
#ifndef EQT_SLURM_RECORDS_H
#define EQT_SLURM_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "slurm/text/listing.h"

/* Words, each with a NUL behind it: KEY=VALUE, so that values are strings. Borrowed. */
struct eqt_scontrol_record {
	char *text; /* NULL: it has no words */
	const char *end; /* behind the last one */
	size_t number; /* the line number of its beginning, for messages */
};

/* Owned; {0} is empty. */
struct eqt_scontrol_records {
	struct eqt_listing text;
	size_t count;
	struct eqt_scontrol_record *records;
};

/*
 * Read a file (NULL: the command's output) of records that begin with the key
 * first; "No jobs in the system" has none. 0, or -1 with err filled: what
 * eqt_listing_read() refuses, a record that begins otherwise.
 */
int eqt_records_read(struct eqt_scontrol_records *out, const char *path,
		     const char *command, const char *first,
		     struct eqt_error *err);

/* Free what *records owns; it is empty then. */
void eqt_records_free(struct eqt_scontrol_records *records);

/* Cut a record's text up to end into words. */
void eqt_record_cut(struct eqt_scontrol_record *record, const char *end);

/* The value of a key, up to a blank, or NULL; borrowed. Values with free text (a reason,
 * a comment) come after all keys that are read here. */
const char *eqt_record_get(const struct eqt_scontrol_record *record,
			   const char *key);

/* The same; "" without a value, or without a record. */
const char *eqt_record_text(const struct eqt_scontrol_record *record,
			    const char *key);

/* The same; NULL for what scontrol prints instead of no value, too. */
const char *eqt_record_known(const struct eqt_scontrol_record *record,
			     const char *key);

/* Has the key that value? */
bool eqt_record_is(const struct eqt_scontrol_record *record, const char *key,
		   const char *value);

/* The value as a count. 0, or -1 with err filled: no such key, not a number. */
int eqt_record_number(uint64_t *out, const struct eqt_scontrol_record *record,
		      const char *key, struct eqt_error *err);

/* The value as a time, in seconds since the epoch, in the local zone, as Slurm's commands
 * have it; 0: none. */
int64_t eqt_record_time(const struct eqt_scontrol_record *record,
			const char *key);

/* StartTime and EndTime of what "scontrol -o show reservation" printed, in seconds
 * since the epoch. A start that is missing is 0. */
void eqt_record_reservation_times(int64_t *from, int64_t *to,
				  const struct eqt_scontrol_record *record);

/* The nodes of the reservations that a job names ("a,b"; NULL: none), where it gets no
 * others: a list that the caller frees. NULL: it may get others. */
char *eqt_record_reservation_nodes(
	const struct eqt_scontrol_records *reservations, const char *names);

/* The partition of a job that names a reservation and no partition, borrowed; NULL: the
 * default one. */
const char *eqt_record_reservation_partition(
	const struct eqt_scontrol_records *reservations, const char *name);

#endif
