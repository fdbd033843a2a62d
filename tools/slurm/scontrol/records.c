/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The blocks of "scontrol show" without -o are joined into single lines in
 * place. Keys are searched as whole words at the beginning of a token, so that
 * "State" does not find "NodeState".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/amount.h"
#include "cli/alloc.h"
#include "base/text.h"
#include "slurm/scontrol/records.h"
#include "slurm/text/timestamp.h"

#define EQT_RESERVATION_FAR (INT64_MAX / 2) /* of one without an end */

static int line_begins_record(const char *line, const char *first)
{
	size_t length = strlen(first);

	return strncmp(line, first, length) == 0 && line[length] == '=' &&
	       !strchr(" \r\n", line[length + 1]);
}

/* Join the lines of each record, and note where each begins. */
static int records_join(struct eqt_scontrol_records *out, const char *first,
			struct eqt_error *err)
{
	char *line = out->text.text, *next;

	/* "No jobs in the system" */
	if (strncmp(line, "No ", 3) == 0)
		return 0;
	for (size_t number = 1; *line != '\0'; line = next, number++) {
		next = line + strcspn(line, "\n") + 1;
		if (strchr("\r\n", *line))
			continue;
		/* An indented line continues the line before, unless that is
		 * empty. */
		if (*line == ' ' && line - out->text.text > 1 &&
		    !strchr("\r\n", line[-2])) {
			line[-1] = ' ';
			continue;
		}
		if (!line_begins_record(line, first))
			return eqt_error_set(err,
					     "%s: line %zu: expected %s=..., "
					     "as \"scontrol show\" prints it",
					     out->text.name, number, first);
		out->records[out->count++] =
			(struct eqt_scontrol_record){ line, number };
	}
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

struct eqt_scontrol_value eqt_record_get(
	const struct eqt_scontrol_record *record, const char *key)
{
	const char *at = record->text, *end = at + strcspn(at, "\n");
	size_t length = strlen(key);

	while (at < end) {
		if (strncmp(at, key, length) == 0 && at[length] == '=') {
			at += length + 1;
			return (struct eqt_scontrol_value){
				at, strcspn(at, " \r\n")
			};
		}
		at += strcspn(at, " \r\n");
		while (at < end && strchr(" \r", *at))
			at++;
	}
	return (struct eqt_scontrol_value){ NULL, 0 };
}

int eqt_record_number(uint64_t *out, const struct eqt_scontrol_record *record,
		      const char *key, struct eqt_error *err)
{
	struct eqt_scontrol_value value = eqt_record_get(record, key);

	if (!value.text)
		return eqt_error_set(err, "no %s=", key);
	if (eqt_amount_count(out, value.text, value.length) < 0)
		return eqt_error_set(err, "%s: \"%.*s\": expected a number",
				     key, (int) value.length, value.text);
	return 0;
}

struct eqt_scontrol_value eqt_record_value_of(const char *text)
{
	return (struct eqt_scontrol_value){ text, strlen(text) };
}

int eqt_record_value_is(struct eqt_scontrol_value value, const char *text)
{
	return value.text && strlen(text) == value.length &&
	       strncmp(value.text, text, value.length) == 0;
}

char *eqt_record_text(char *buf, size_t size,
		      const struct eqt_scontrol_record *record, const char *key)
{
	struct eqt_scontrol_value value = { NULL, 0 };

	if (record)
		value = eqt_record_get(record, key);
	(void) snprintf(buf, size, "%.*s", (int) value.length,
			value.text ? value.text : "");
	return buf;
}

int64_t eqt_record_time(const struct eqt_scontrol_record *record,
			const char *key)
{
	char text[64];
	int64_t at;

	(void) eqt_record_text(text, sizeof(text), record, key);
	return eqt_timestamp_parse(&at, text) > 0 ? at : 0;
}

/* Do its jobs have its nodes and no others, now and later? As in the submission plugin
 * (plugins/slurm/reservation.c). */
static bool record_binds_jobs(const struct eqt_scontrol_record *record)
{
	char flags[512];

	(void) eqt_record_text(flags, sizeof(flags), record, "Flags");
	return (eqt_text_list_has(flags, "SPEC_NODES") ||
		eqt_text_list_has(flags, "STATIC")) &&
	       !eqt_text_list_has(flags, "FLEX") &&
	       !eqt_text_list_has(flags, "ANY_NODES");
}

/* Print the nodes of the reservations that are named, each with a comma; false: one binds
 * no job to them. */
static bool reservations_print(FILE *to,
			       const struct eqt_scontrol_records *reservations,
			       const char *names)
{
	char name[256];

	for (size_t i = 0; i < reservations->count; i++) {
		const struct eqt_scontrol_record *record =
			&reservations->records[i];
		const struct eqt_scontrol_value nodes =
			eqt_record_get(record, "Nodes");

		(void) eqt_record_text(name, sizeof(name), record,
				       "ReservationName");
		if (!eqt_text_list_has(names, name))
			continue;
		if (!nodes.text || !record_binds_jobs(record))
			return false;
		(void) fprintf(to, "%.*s,", (int) nodes.length, nodes.text);
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
	char *buf, size_t size, const struct eqt_scontrol_records *reservations,
	const char *name)
{
	for (size_t i = 0; name && i < reservations->count; i++) {
		const struct eqt_scontrol_record *record =
			&reservations->records[i];

		(void) eqt_record_text(buf, size, record, "ReservationName");
		if (strcmp(buf, name) != 0)
			continue;
		(void) eqt_record_text(buf, size, record, "PartitionName");
		return buf[0] == '\0' || strcmp(buf, "(null)") == 0 ? NULL
								    : buf;
	}
	return NULL;
}

void eqt_record_reservation_times(int64_t *from, int64_t *to,
				  const struct eqt_scontrol_record *record)
{
	*from = eqt_record_time(record, "StartTime");
	*to = eqt_record_time(record, "EndTime");
	if (!*to)
		*to = EQT_RESERVATION_FAR;
}
