/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record: the output of "scontrol show", with or without -o, as records of KEY=VALUE. A
 * record has one or more lines. All lines except the first are indented.
 */
#ifndef EQT_SLURM_RECORD_H
#define EQT_SLURM_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "slurm/text/listing.h"

/* Words KEY=VALUE. A NUL follows each word, so that values are strings. Borrowed. */
struct eqt_scontrol_record {
	char *text; /* NULL: the record has no words */
	const char *end; /* behind the last word */
	size_t number; /* line number at which it begins, for messages */
};

/* Owns its memory; {0} is empty. */
struct eqt_scontrol_records {
	struct eqt_listing text;
	size_t count;
	struct eqt_scontrol_record *records;
};

/*
 * Read a file, or the output of the command if path is NULL. Each record begins with the
 * key "first". The text "No jobs in the system" has no records. Returns 0, or -1 with err
 * filled for an error of eqt_listing_read(), or if a record begins with another key.
 */
int eqt_records_read(struct eqt_scontrol_records *out, const char *path,
		     const char *command, const char *first,
		     struct eqt_error *err);

/* Free what *records owns. *records is empty afterwards. */
void eqt_records_free(struct eqt_scontrol_records *records);

/* Cut the text of a record into words, up to "end". */
void eqt_record_cut(struct eqt_scontrol_record *record, const char *end);

/* The value of a key, up to the next blank, or NULL if there is none; borrowed. A value
 * with free text, such as a reason or a comment, follows all keys that are read here. */
const char *eqt_record_get(const struct eqt_scontrol_record *record,
			   const char *key);

/* Like eqt_record_get(), but "" if there is no value or if record is NULL. */
const char *eqt_record_text(const struct eqt_scontrol_record *record,
			    const char *key);

/* Like eqt_record_get(), but NULL also for an empty value and for "(null)". */
const char *eqt_record_known(const struct eqt_scontrol_record *record,
			     const char *key);

/* Does the key have this value? */
bool eqt_record_is(const struct eqt_scontrol_record *record, const char *key,
		   const char *value);

/* The value of a key as a count. Returns 0, or -1 with err filled if the key is missing
 * or the value is not a number. */
int eqt_record_number(uint64_t *out, const struct eqt_scontrol_record *record,
		      const char *key, struct eqt_error *err);

/* The value of a key as seconds since the epoch. Slurm's commands print local times. 0 if
 * the value is not a time. */
int64_t eqt_record_time(const struct eqt_scontrol_record *record,
			const char *key);

/* Read StartTime and EndTime of a reservation, in seconds since the epoch. A missing
 * start is 0. A missing end is a time in the far future. */
void eqt_record_reservation_times(int64_t *from, int64_t *to,
				  const struct eqt_scontrol_record *record);

/* The nodes of the reservations that a job names ("a,b"; NULL: none), as a list that the
 * caller frees with free(). NULL if the job may get other nodes. */
char *eqt_record_reservation_nodes(
	const struct eqt_scontrol_records *reservations, const char *names);

/* The partition of a job that names a reservation but no partition, borrowed. NULL means
 * the default partition. */
const char *eqt_record_reservation_partition(
	const struct eqt_scontrol_records *reservations, const char *name);

#endif
