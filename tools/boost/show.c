/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Overdue and unfinished leases are coloured, since they need --expire. Lines
 * of the audit that were cut off by a crash are reported and skipped.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "boost/show.h"
#include "cli/table.h"
#include "cli/json.h"
#include "cli/colour.h"
#include "cli/output_options.h"

/* Local time, to the minute. */
const char *eqt_boost_time(int64_t at_s, char buf[EQT_BOOST_TEXT])
{
	time_t at = (time_t) at_s;
	struct tm tm = { .tm_year = 0 };

	(void) localtime_r(&at, &tm);
	(void) strftime(buf, EQT_BOOST_TEXT, "%Y-%m-%d %H:%M", &tm);
	return buf;
}

/* ---- Leases --------------------------------------------------------------- */

/* Write the lease's state into a cell. Overdue: nobody has run --expire since its end. */
static void lease_set_state_cell(struct libscols_line *line, size_t column,
				 const struct eqt_lease *lease, int64_t now_s)
{
	if (lease->state != EQT_BOOST_GRANTED)
		eqt_table_cell_set(line, column, "unfinished",
				   EQT_COLOUR_DOUBTFUL);
	else if (lease->until_s <= now_s)
		eqt_table_cell_set(line, column, "overdue", EQT_COLOUR_BAD);
	else
		eqt_table_cell_set(line, column, "granted", EQT_COLOUR_GOOD);
}

/* One row of the list. */
static void lease_add_row(struct libscols_table *table,
			  const struct eqt_lease *lease, int64_t now_s)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	char text[2 * EQT_BOOST_NAME], until[EQT_BOOST_TEXT];

	if (!line)
		return;
	(void) scols_line_set_data(line, 0, eqt_lease_name(lease, text));
	(void) scols_line_set_data(line, 1, lease->boosted);
	(void) scols_line_set_data(line, 2, lease->before);
	(void) scols_line_set_data(line, 3,
				   eqt_boost_time(lease->until_s, until));
	lease_set_state_cell(line, 4, lease, now_s);
	(void) scols_line_set_data(line, 5, lease->by);
	(void) scols_line_set_data(line, 6, lease->reason);
}

/* 0, or -1: out of memory. */
int eqt_boost_list(const struct eqt_leases *leases,
		   const struct eqt_output_options *common, int64_t now_s)
{
	static const struct eqt_table_column columns[] = {
		{ "NAME", 0 },
		{ "SHARES", SCOLS_FL_RIGHT },
		{ "BEFORE", SCOLS_FL_RIGHT },
		{ "UNTIL", 0 },
		{ "STATE", 0 },
		{ "BY", 0 },
		{ "REASON", SCOLS_FL_WRAP },
		{ NULL, 0 },
	};
	struct libscols_table *table;
	json_object *array;
	size_t i;

	if (common->json) {
		array = json_object_new_array();
		for (i = 0; i < leases->count; i++)
			(void) json_object_array_add(
				array, eqt_lease_json(&leases->lease[i]));
		eqt_json_print(array);
		return 0;
	}
	if (leases->count == 0 && !eqt_output_csv()) {
		puts("No boosts.");
		return 0;
	}
	table = eqt_table_new(columns, !common->no_headings);
	if (!table)
		return -1;
	for (i = 0; i < leases->count; i++)
		lease_add_row(table, &leases->lease[i], now_s);
	(void) eqt_table_print(table);
	scols_unref_table(table);
	return 0;
}

/* ---- The audit ------------------------------------------------------------ */

/* A text of an event; "" where it is missing. */
static const char *event_text(json_object *object, const char *key)
{
	json_object *value = NULL;
	const char *text = NULL;

	if (json_object_object_get_ex(object, key, &value) && value)
		text = json_object_get_string(value);
	return text ? text : "";
}

/* One row of --audit. Names of accounts come as they were at that time. */
static void event_add_row(struct libscols_table *table, json_object *object)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	char text[EQT_BOOST_TEXT * 3];
	json_object *at = NULL;

	if (!line)
		return;
	(void) json_object_object_get_ex(object, "at_s", &at);
	(void) scols_line_set_data(
		line, 0, eqt_boost_time(json_object_get_int64(at), text));
	(void) snprintf(text, sizeof(text), "%s%s%s",
			event_text(object, "account"),
			event_text(object, "user")[0] ? "/" : "",
			event_text(object, "user"));
	(void) scols_line_set_data(line, 1, text);
	(void) scols_line_set_data(line, 2, event_text(object, "event"));
	(void) snprintf(text, sizeof(text), "%s > %s",
			event_text(object, "shares_before"),
			event_text(object, "shares"));
	(void) scols_line_set_data(line, 3, text);
	(void) scols_line_set_data(line, 4, event_text(object, "actor"));
	(void) scols_line_set_data(line, 5, event_text(object, "reason"));
}

/* All complete lines of the audit as an array, or NULL. A folder without an audit has
 * had no boost. */
static json_object *audit_read(const char *path, struct eqt_error *err)
{
	FILE *stream = fopen(path, "r");
	json_object *array = json_object_new_array(), *object;
	char *line = NULL;
	size_t size = 0, number = 0;

	if (!stream && errno != ENOENT) {
		(void) eqt_error_set(err, "%s: %s", path, strerror(errno));
		json_object_put(array);
		return NULL;
	}
	while (stream && getline(&line, &size, stream) > 0) {
		number++;
		object = json_tokener_parse(line);
		if (object && json_object_is_type(object, json_type_object)) {
			(void) json_object_array_add(array, object);
			continue;
		}
		json_object_put(object);
		fprintf(stderr,
			"equitree boost: %s: line %zu: not an event; cut off "
			"when "
			"the command died?\n",
			path, number);
	}
	free(line);
	if (stream)
		(void) fclose(stream);
	return array;
}

/* 0, or -1 with err filled. The oldest event comes first. */
int eqt_boost_show_audit(const char *folder,
			 const struct eqt_output_options *common,
			 struct eqt_error *err)
{
	static const struct eqt_table_column columns[] = {
		{ "TIME", 0 },	 { "NAME", 0 },	 { "EVENT", 0 },
		{ "SHARES", 0 }, { "ACTOR", 0 }, { "REASON", SCOLS_FL_WRAP },
		{ NULL, 0 },
	};
	struct libscols_table *table;
	char path[PATH_MAX];
	json_object *array;
	size_t i;

	(void) snprintf(path, sizeof(path), "%s/audit.log", folder);
	array = audit_read(path, err);
	if (!array)
		return -1;
	if (common->json) {
		eqt_json_print(array);
		return 0;
	}
	table = eqt_table_new(columns, !common->no_headings);
	for (i = 0; table && i < json_object_array_length(array); i++)
		event_add_row(table, json_object_array_get_idx(array, i));
	if (table)
		(void) eqt_table_print(table);
	scols_unref_table(table);
	json_object_put(array);
	return 0;
}
