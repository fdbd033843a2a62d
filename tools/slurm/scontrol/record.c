/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records are cut into words in place. A key is compared with the beginning of a word, so
 * that "State" does not find "NodeState". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/amount.h"
#include "cli/alloc.h"
#include "base/text.h"
#include "slurm/scontrol/record.h"
#include "slurm/text/timestamp.h"

/* the end of a reservation that has no end */
#define RESERVATION_FAR (INT64_MAX / 2)

static int line_begins_record(const char *line, const char *first)
{
	size_t length = strlen(first);

	return strncmp(line, first, length) == 0 && line[length] == '=' &&
	       !strchr(" \r\n", line[length + 1]);
}

void eqt_record_cut(struct eqt_scontrol_record *record, const char *end)
{
	record->end = end;
	for (char *at = record->text; at < end; at++) {
		if (strchr(" \r\n", *at))
			*at = '\0';
	}
}

/* End the last record, if there is one. */
static void records_end_last(struct eqt_scontrol_records *out, const char *end)
{
	if (out->count > 0)
		eqt_record_cut(&out->records[out->count - 1], end);
}

/* A record ends where the next one begins. */
static int records_join(struct eqt_scontrol_records *out, const char *first,
			struct eqt_error *err)
{
	char *line = out->text.text, *next;

	/* such as "No jobs in the system" */
	if (strncmp(line, "No ", 3) == 0)
		return 0;
	for (size_t number = 1; *line != '\0'; line = next, number++) {
		next = line + strcspn(line, "\n") + 1;
		if (strchr("\r\n", *line))
			continue;
		/* An indented line continues a record, unless an empty line precedes
		 * it. */
		if (*line == ' ' && line - out->text.text > 1 &&
		    !strchr("\r\n", line[-2]))
			continue;
		if (!line_begins_record(line, first))
			return eqt_error_set(err,
					     "%s: line %zu: expected %s=..., "
					     "as \"scontrol show\" prints it",
					     out->text.name, number, first);
		records_end_last(out, line);
		out->records[out->count++] =
			(struct eqt_scontrol_record){ .text = line,
						      .number = number };
	}
	records_end_last(out, line);
	return 0;
}

int eqt_records_read(struct eqt_scontrol_records *out, const char *path,
		     const char *command, const char *first,
		     struct eqt_error *err)
{
	int rc;

	*out = (struct eqt_scontrol_records){ .count = 0 };
	if (eqt_listing_read(&out->text, path, command, err) < 0)
		return -1;
	out->records =
		eqt_alloc(eqt_listing_count(&out->text), sizeof(*out->records));
	rc = records_join(out, first, err);
	if (rc < 0)
		eqt_records_free(out);
	return rc;
}

void eqt_records_free(struct eqt_scontrol_records *records)
{
	free(records->records);
	eqt_listing_free(&records->text);
	*records = (struct eqt_scontrol_records){ .count = 0 };
}

const char *eqt_record_get(const struct eqt_scontrol_record *record,
			   const char *key)
{
	const size_t length = strlen(key);

	for (const char *at = record->text; at < record->end;
	     at += strlen(at) + 1) {
		if (strncmp(at, key, length) == 0 && at[length] == '=')
			return at + length + 1;
	}
	return NULL;
}

const char *eqt_record_text(const struct eqt_scontrol_record *record,
			    const char *key)
{
	const char *value = record ? eqt_record_get(record, key) : NULL;

	return value ? value : "";
}

const char *eqt_record_known(const struct eqt_scontrol_record *record,
			     const char *key)
{
	const char *value = eqt_record_text(record, key);

	return value[0] == '\0' || strcmp(value, "(null)") == 0 ? NULL : value;
}

bool eqt_record_is(const struct eqt_scontrol_record *record, const char *key,
		   const char *value)
{
	return strcmp(eqt_record_text(record, key), value) == 0;
}

int eqt_record_number(uint64_t *out, const struct eqt_scontrol_record *record,
		      const char *key, struct eqt_error *err)
{
	const char *value = eqt_record_get(record, key);

	if (!value)
		return eqt_error_set(err, "no %s=", key);
	if (eqt_amount_count(out, value, strlen(value)) < 0)
		return eqt_error_set(err, "%s: \"%s\": expected a number", key,
				     value);
	return 0;
}

int64_t eqt_record_time(const struct eqt_scontrol_record *record,
			const char *key)
{
	int64_t at;

	return eqt_timestamp_parse(&at, eqt_record_text(record, key)) > 0 ? at
									  : 0;
}

/* Do the jobs of the reservation get its nodes and no others, now and later? The
 * submission plugin decides in the same way (plugins/slurm/reservation.c). */
static bool record_binds_jobs(const struct eqt_scontrol_record *record)
{
	const char *flags = eqt_record_text(record, "Flags");

	return (eqt_text_list_has(flags, "SPEC_NODES") ||
		eqt_text_list_has(flags, "STATIC")) &&
	       !eqt_text_list_has(flags, "FLEX") &&
	       !eqt_text_list_has(flags, "ANY_NODES");
}

/* Print the nodes of the named reservations, each list with a comma after it. Returns
 * false if one of the reservations lets its jobs have other nodes. */
static bool reservations_print(FILE *to,
			       const struct eqt_scontrol_records *reservations,
			       const char *names)
{
	for (size_t i = 0; i < reservations->count; i++) {
		const struct eqt_scontrol_record *record =
			&reservations->records[i];
		const char *nodes = eqt_record_get(record, "Nodes");

		if (!eqt_text_list_has(
			    names, eqt_record_text(record, "ReservationName")))
			continue;
		if (!nodes || !record_binds_jobs(record))
			return false;
		(void) fprintf(to, "%s,", nodes);
	}
	return true;
}

char *eqt_record_reservation_nodes(
	const struct eqt_scontrol_records *reservations, const char *names)
{
	char *text = NULL;
	size_t size;
	FILE *to = names ? eqt_alloc_stream(&text, &size) : NULL;
	bool bound;

	if (!to)
		return NULL;
	bound = reservations_print(to, reservations, names);
	if (fclose(to) == 0 && bound && text[0] != '\0')
		return text;
	free(text);
	return NULL;
}

const char *eqt_record_reservation_partition(
	const struct eqt_scontrol_records *reservations, const char *name)
{
	for (size_t i = 0; name && i < reservations->count; i++) {
		if (eqt_record_is(&reservations->records[i], "ReservationName",
				  name))
			return eqt_record_known(&reservations->records[i],
						"PartitionName");
	}
	return NULL;
}

void eqt_record_reservation_times(int64_t *from, int64_t *to,
				  const struct eqt_scontrol_record *record)
{
	*from = eqt_record_time(record, "StartTime");
	*to = eqt_record_time(record, "EndTime");
	if (!*to)
		*to = RESERVATION_FAR;
}
