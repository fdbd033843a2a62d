/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * records: the output of "scontrol show", with or without -o: records of KEY=VALUE. A
 * record has one line or several; all lines except the first are indented.
 */
#ifndef EQT_SLURM_RECORDS_H
#define EQT_SLURM_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "slurm/text/listing.h"

/* Words KEY=VALUE, each with a NUL behind it, so that values are strings. Borrowed. */
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
 * first; "No jobs in the system" has none. 0, or -1 with err filled: an error of
 * eqt_listing_read(), a record that begins otherwise.
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

/* The same; "" without a value or for a NULL record. */
const char *eqt_record_text(const struct eqt_scontrol_record *record,
			    const char *key);

/* The same; NULL also for an empty value and for "(null)". */
const char *eqt_record_known(const struct eqt_scontrol_record *record,
			     const char *key);

/* Has the key that value? */
bool eqt_record_is(const struct eqt_scontrol_record *record, const char *key,
		   const char *value);

/* The value as a count. 0, or -1 with err filled: no such key, not a number. */
int eqt_record_number(uint64_t *out, const struct eqt_scontrol_record *record,
		      const char *key, struct eqt_error *err);

/* The value as a time in seconds since the epoch, read in the local zone as Slurm's commands
 * print it; 0: no time. */
int64_t eqt_record_time(const struct eqt_scontrol_record *record,
			const char *key);

/* Read StartTime and EndTime of a reservation, in seconds since the epoch. A missing start
 * is 0, and a missing end is far in the future. */
void eqt_record_reservation_times(int64_t *from, int64_t *to,
				  const struct eqt_scontrol_record *record);

/* The nodes of the reservations that a job names ("a,b"; NULL: none), if it gets no other
 * nodes: a list for free(). NULL: it may get other nodes. */
char *eqt_record_reservation_nodes(
	const struct eqt_scontrol_records *reservations, const char *names);

/* The partition of a job that names a reservation and no partition, borrowed; NULL: the
 * default one. */
const char *eqt_record_reservation_partition(
	const struct eqt_scontrol_records *reservations, const char *name);

#endif
