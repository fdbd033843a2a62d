/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/amount.h"
#include "slurm/records.h"

static size_t count_lines(const char *text)
{
	size_t lines = 0;

	for (; (text = strchr(text, '\n')); text++)
		lines++;
	return lines;
}

static int begins(const char *line, const char *first)
{
	size_t length = strlen(first);

	return strncmp(line, first, length) == 0 && line[length] == '=' &&
	       !strchr(" \r\n", line[length + 1]);
}

/* Make one line of each record, and remember where they begin. */
static int join(struct eqt_stock_records *out, const char *first,
		struct eqt_error *err)
{
	char *line = out->text.text, *next;
	size_t number;

	/* "No jobs in the system" */
	if (strncmp(line, "No ", 3) == 0)
		return 0;
	for (number = 1; *line != '\0'; line = next, number++) {
		next = line + strcspn(line, "\n") + 1;
		if (strchr("\r\n", *line))
			continue;
		/* Indented, and the line before is not empty. */
		if (*line == ' ' && line - out->text.text > 1 &&
		    !strchr("\r\n", line[-2])) {
			line[-1] = ' ';
			continue;
		}
		if (!begins(line, first))
			return eqt_error_set(
				err,
				"%s: line %zu: not what \"scontrol show\" "
				"prints: no %s=",
				out->text.name, number, first);
		out->records[out->count++] =
			(struct eqt_record){ line, number };
	}
	return 0;
}

int eqt_stock_records_read(struct eqt_stock_records *out, const char *path,
			   const char *command, const char *first,
			   struct eqt_error *err)
{
	int rc;

	*out = (struct eqt_stock_records){ .count = 0 };
	if (eqt_stock_text_read(&out->text, path, command, err) < 0)
		return -1;
	out->records =
		calloc(count_lines(out->text.text), sizeof(*out->records));
	rc = out->records ? join(out, first, err)
			  : eqt_error_set(err, "out of memory");
	if (rc < 0)
		eqt_stock_records_free(out);
	return rc;
}

void eqt_stock_records_free(struct eqt_stock_records *records)
{
	free(records->records);
	eqt_stock_text_free(&records->text);
	*records = (struct eqt_stock_records){ .count = 0 };
}

struct eqt_value eqt_record_get(const struct eqt_record *record,
				const char *key)
{
	const char *at = record->text, *end = at + strcspn(at, "\n");
	size_t length = strlen(key);

	while (at < end) {
		if (strncmp(at, key, length) == 0 && at[length] == '=') {
			at += length + 1;
			return (struct eqt_value){ at, strcspn(at, " \r\n") };
		}
		at += strcspn(at, " \r\n");
		while (at < end && strchr(" \r", *at))
			at++;
	}
	return (struct eqt_value){ NULL, 0 };
}

struct eqt_value eqt_record_sole(const struct eqt_record *record,
				 const char *key)
{
	struct eqt_value first = eqt_record_get(record, key);
	struct eqt_record rest = { first.text, record->number };

	if (first.text && eqt_record_get(&rest, key).text)
		first = (struct eqt_value){ NULL, 0 };
	return first;
}

/* The token at a key that is wanted: note its value. seen[] counts them. */
static void take_token(const char *at, size_t key, size_t length,
		       const struct eqt_wanted *wanted, size_t count,
		       unsigned char *seen)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (wanted[i].key[0] != at[0] ||
		    strncmp(wanted[i].key, at, key) != 0 ||
		    wanted[i].key[key] != '\0')
			continue;
		if (!seen[i])
			*wanted[i].value =
				(struct eqt_value){ at + key + 1,
						    length - key - 1 };
		else if (wanted[i].sole)
			*wanted[i].value = (struct eqt_value){ NULL, 0 };
		seen[i] = 1;
	}
}

void eqt_record_pick(const struct eqt_record *record,
		     const struct eqt_wanted *wanted, size_t count)
{
	unsigned char seen[EQT_WANTED_MAX] = { 0 };
	const char *at = record->text;
	size_t i, key, length;

	for (i = 0; i < count; i++)
		*wanted[i].value = (struct eqt_value){ NULL, 0 };
	for (; *at != '\n' && *at != '\0'; at += length) {
		if (*at == ' ' || *at == '\r') {
			length = 1;
			continue;
		}
		for (key = 0; !strchr("= \r\n", at[key]); key++)
			;
		length = key + strcspn(at + key, " \r\n");
		if (at[key] == '=')
			take_token(at, key, length, wanted, count, seen);
	}
}

int eqt_record_number(uint64_t *out, const struct eqt_record *record,
		      const char *key, struct eqt_error *err)
{
	struct eqt_value value = eqt_record_get(record, key);

	if (!value.text)
		return eqt_error_set(err, "no %s=", key);
	if (eqt_count_parse(out, value.text, value.length) < 0)
		return eqt_error_set(err, "%s: \"%.*s\" is no number", key,
				     (int) value.length, value.text);
	return 0;
}

int eqt_value_is(struct eqt_value value, const char *text)
{
	return value.text && strlen(text) == value.length &&
	       strncmp(value.text, text, value.length) == 0;
}
