/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "eqt_ledger_impl.h"

#define MAGIC "equitree-usage"
#define VERSION "1"
#define LINE_TEXT (8 * EQT_FIELD_TEXT) /* a line without its TRES */

static const struct eqt_field head_fields[] = {
	{ "LAST_RAN", EQT_FIELD_I64, offsetof(struct eqt_snapshot, last_ran) },
	{ "LAST_RESET", EQT_FIELD_I64,
	  offsetof(struct eqt_snapshot, last_reset) },
	{ "SEQUENCE", EQT_FIELD_U64, offsetof(struct eqt_snapshot, sequence) },
};
static const struct eqt_form head_form = EQT_FORM(' ', head_fields);

static const struct eqt_field id_fields[] = {
	{ "TRES_ID", EQT_FIELD_U32, 0 },
};
static const struct eqt_form id_form = EQT_FORM(' ', id_fields);

static const struct eqt_field row_fields[] = {
	{ "ID", EQT_FIELD_U32, offsetof(struct eqt_usage_row, id) },
	{ "RAW", EQT_FIELD_LONG_DOUBLE, offsetof(struct eqt_usage_row, raw) },
	{ "WALL", EQT_FIELD_DOUBLE, offsetof(struct eqt_usage_row, wall) },
};
static const struct eqt_form row_form = EQT_FORM(' ', row_fields);

static const struct eqt_field tres_fields[] = {
	{ "TRES", EQT_FIELD_LONG_DOUBLE, 0 },
};
static const struct eqt_form tres_form = EQT_FORM(' ', tres_fields);

static const struct eqt_field end_fields[] = {
	{ "ROWS", EQT_FIELD_U32, 0 },
};
static const struct eqt_form end_form = EQT_FORM(' ', end_fields);

/* a * b * size bytes, but never none, in place of old; NULL, old being as it
 * was, when memory is short. */
static void *array_resize(void *old, size_t a, size_t b, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(a, b, &bytes) ||
	    __builtin_mul_overflow(bytes, size, &bytes))
		return NULL;
	return realloc(old, bytes ? bytes : 1);
}

static int rows_resize(struct eqt_snapshot *snapshot, uint32_t space)
{
	struct eqt_usage_row *rows;
	long double *tres;

	rows = array_resize(snapshot->rows, space, 1, sizeof(*rows));
	if (!rows)
		return -1;
	snapshot->rows = rows;
	tres = array_resize(snapshot->tres, space, snapshot->tres_count,
			    sizeof(*tres));
	if (!tres)
		return -1;
	snapshot->tres = tres;
	snapshot->row_space = space;
	return 0;
}

struct eqt_snapshot *eqt_snapshot_new(const uint32_t *tres_ids,
				      uint32_t tres_count, uint32_t rows,
				      struct eqt_error *err)
{
	struct eqt_snapshot *snapshot = calloc(1, sizeof(*snapshot));

	if (!snapshot) {
		eqt_error_set(err, "out of memory");
		return NULL;
	}
	snapshot->tres_count = tres_count;
	snapshot->tres_ids =
		array_resize(NULL, tres_count, 1, sizeof(*tres_ids));
	if (!snapshot->tres_ids || rows_resize(snapshot, rows) < 0) {
		eqt_error_set(err, "out of memory");
		eqt_snapshot_free(snapshot);
		return NULL;
	}
	if (tres_count > 0)
		memcpy(snapshot->tres_ids, tres_ids,
		       tres_count * sizeof(*tres_ids));
	return snapshot;
}

void eqt_snapshot_free(struct eqt_snapshot *snapshot)
{
	if (!snapshot)
		return;
	free(snapshot->tres);
	free(snapshot->rows);
	free(snapshot->tres_ids);
	free(snapshot);
}

/* Twice the room, beginning with one row: what a hostile header may cost is
 * bounded by the rows that are really there. */
static int rows_grow(struct eqt_snapshot *snapshot)
{
	uint32_t space = snapshot->row_space;

	if (space == UINT32_MAX)
		return -1;
	if (space > UINT32_MAX / 2)
		return rows_resize(snapshot, UINT32_MAX);
	return rows_resize(snapshot, space ? space * 2 : 1);
}

static bool row_valid(const struct eqt_snapshot *snapshot,
		      const struct eqt_usage_row *row, const long double *tres)
{
	uint32_t i;

	if (row->owner != EQT_USAGE_ASSOC && row->owner != EQT_USAGE_QOS)
		return false;
	for (i = 0; i < snapshot->tres_count; i++) {
		if (!eqt_number_valid(tres[i]))
			return false;
	}
	return eqt_number_valid(row->raw) && eqt_number_valid(row->wall);
}

int eqt_snapshot_add(struct eqt_snapshot *snapshot,
		     const struct eqt_usage_row *row, const long double *tres)
{
	size_t count = snapshot->tres_count;

	if (!row_valid(snapshot, row, tres))
		return -1;
	if (snapshot->row_count == snapshot->row_space &&
	    rows_grow(snapshot) < 0)
		return -1;
	snapshot->rows[snapshot->row_count] = *row;
	if (count > 0)
		memcpy(snapshot->tres + snapshot->row_count * count, tres,
		       count * sizeof(*tres));
	snapshot->row_count++;
	return 0;
}

/* Make room for one more line with all its TRES. */
static int text_reserve(struct eqt_text *text, uint32_t tres_count)
{
	size_t line = LINE_TEXT + (size_t) tres_count * EQT_FIELD_TEXT;
	size_t space;
	char *data;

	if (text->space - text->length >= line)
		return 0;
	if (__builtin_add_overflow(text->space, text->space, &space) ||
	    __builtin_add_overflow(space, line, &space))
		return -1;
	data = realloc(text->data, space);
	if (!data)
		return -1;
	text->data = data;
	text->space = space;
	return 0;
}

static int head_put(struct eqt_text *text, const struct eqt_snapshot *snapshot)
{
	uint32_t i;

	if (text_reserve(text, snapshot->tres_count) < 0)
		return -1;
	eqt_text_put(text, MAGIC " " VERSION " ");
	eqt_text_form(text, &head_form, snapshot);
	for (i = 0; i < snapshot->tres_count; i++) {
		eqt_text_put(text, " ");
		eqt_text_form(text, &id_form, &snapshot->tres_ids[i]);
	}
	eqt_text_put(text, "\n");
	return 0;
}

static int row_put(struct eqt_text *text, const struct eqt_snapshot *snapshot,
		   uint32_t row)
{
	size_t count = snapshot->tres_count;
	const long double *tres = snapshot->tres + row * count;
	size_t i;

	if (text_reserve(text, snapshot->tres_count) < 0)
		return -1;
	eqt_text_put(text, "%c ", (char) snapshot->rows[row].owner);
	eqt_text_form(text, &row_form, &snapshot->rows[row]);
	for (i = 0; i < count; i++) {
		eqt_text_put(text, " ");
		eqt_text_form(text, &tres_form, &tres[i]);
	}
	eqt_text_put(text, "\n");
	return 0;
}

static int snapshot_put(struct eqt_text *text,
			const struct eqt_snapshot *snapshot)
{
	uint32_t i;

	if (head_put(text, snapshot) < 0)
		return -1;
	for (i = 0; i < snapshot->row_count; i++) {
		if (row_put(text, snapshot, i) < 0)
			return -1;
	}
	if (text_reserve(text, 0) < 0)
		return -1;
	eqt_text_put(text, "end ");
	eqt_text_form(text, &end_form, &snapshot->row_count);
	eqt_text_put(text, " ");
	eqt_text_seal(text);
	return text->full ? -1 : 0;
}

char *eqt_snapshot_text(const struct eqt_snapshot *snapshot, size_t *length)
{
	struct eqt_text text = { NULL, 0, 0, false };
	struct eqt_numeric numeric;
	int rc;

	if (eqt_numeric_begin(&numeric) < 0)
		return NULL;
	rc = snapshot_put(&text, snapshot);
	eqt_numeric_restore(&numeric);
	if (rc < 0) {
		free(text.data);
		return NULL;
	}
	*length = text.length;
	return text.data;
}

/* A text that is being read. */
struct reader {
	struct eqt_span rest; /* the lines to come */
	size_t line; /* the one in hand, from 1 */
	bool ended; /* the end line has been read */
	struct eqt_snapshot *snapshot;
	long double *tres; /* of the row in hand */
};

/* Before the checksum: another version may have another one. */
static int version_check(struct eqt_span text, struct eqt_error *err)
{
	struct eqt_span word;

	if (!eqt_span_cut(&text, ' ', &word) || !eqt_span_is(word, MAGIC))
		return eqt_error_set(err, "line 1: no " MAGIC);
	if (!eqt_span_cut(&text, ' ', &word) || !eqt_span_is(word, VERSION))
		return eqt_error_set(err, "line 1: not version " VERSION
					  " of " MAGIC);
	return 0;
}

/* Cut newline and checksum off the end of a whole text, which has a version
 * and thus is not empty. */
static int text_unseal(struct eqt_span *text, struct eqt_error *err)
{
	if (text->end[-1] != '\n')
		return eqt_error_set(err, "cut short: no newline at the end");
	text->end--;
	return eqt_span_unseal(text, err);
}

/* Room for each field that is left of a line. */
static int ids_resize(struct eqt_snapshot *snapshot, struct eqt_span line)
{
	size_t count = 1;
	uint32_t *ids;
	const char *p;

	for (p = line.at; p && p < line.end; p++)
		count += *p == ' ';
	if (count > UINT32_MAX)
		return -1;
	ids = array_resize(snapshot->tres_ids, count, 1, sizeof(*ids));
	if (!ids)
		return -1;
	snapshot->tres_ids = ids;
	return 0;
}

static int ids_read(struct reader *reader, struct eqt_span *line,
		    struct eqt_error *err)
{
	struct eqt_snapshot *snapshot = reader->snapshot;

	if (ids_resize(snapshot, *line) < 0)
		return eqt_error_set(err, "out of memory");
	while (line->at) {
		if (eqt_form_read(line, &id_form,
				  &snapshot->tres_ids[snapshot->tres_count],
				  err) < 0)
			return -1;
		snapshot->tres_count++;
	}
	reader->tres = array_resize(NULL, snapshot->tres_count, 1,
				    sizeof(*reader->tres));
	if (!reader->tres)
		return eqt_error_set(err, "out of memory");
	return 0;
}

static int head_read(struct reader *reader, struct eqt_span *line,
		     struct eqt_error *err)
{
	struct eqt_span word;

	/* version_check() has seen these two. */
	eqt_span_cut(line, ' ', &word);
	eqt_span_cut(line, ' ', &word);
	if (eqt_form_read(line, &head_form, reader->snapshot, err) < 0)
		return -1;
	return ids_read(reader, line, err);
}

static int row_read(struct reader *reader, enum eqt_usage_owner owner,
		    struct eqt_span *line, struct eqt_error *err)
{
	struct eqt_usage_row row = { .owner = owner };
	uint32_t i;

	if (eqt_form_read(line, &row_form, &row, err) < 0)
		return -1;
	for (i = 0; i < reader->snapshot->tres_count; i++) {
		if (eqt_form_read(line, &tres_form, &reader->tres[i], err) < 0)
			return -1;
	}
	if (line->at)
		return eqt_error_set(err, "more TRES than in line 1");
	if (eqt_snapshot_add(reader->snapshot, &row, reader->tres) < 0)
		return eqt_error_set(err, "out of memory");
	return 0;
}

static int end_read(struct reader *reader, struct eqt_span *line,
		    struct eqt_error *err)
{
	uint32_t rows;

	if (eqt_form_read(line, &end_form, &rows, err) < 0)
		return -1;
	if (line->at)
		return eqt_error_set(err, "more than ROWS and CRC");
	if (reader->rest.at)
		return eqt_error_set(err, "more lines after the end");
	if (rows != reader->snapshot->row_count)
		return eqt_error_set(
			err, "ROWS: %lu, but there are %lu",
			(unsigned long) rows,
			(unsigned long) reader->snapshot->row_count);
	reader->ended = true;
	return 0;
}

static int line_read(struct reader *reader, struct eqt_span line,
		     struct eqt_error *err)
{
	struct eqt_span word;

	if (reader->line == 1)
		return head_read(reader, &line, err);
	eqt_span_cut(&line, ' ', &word);
	if (eqt_span_is(word, "a"))
		return row_read(reader, EQT_USAGE_ASSOC, &line, err);
	if (eqt_span_is(word, "q"))
		return row_read(reader, EQT_USAGE_QOS, &line, err);
	if (eqt_span_is(word, "end"))
		return end_read(reader, &line, err);
	return eqt_error_set(err, "does not begin with a, q or end");
}

static int text_read(struct reader *reader, struct eqt_error *err)
{
	struct eqt_error why = { "" };
	struct eqt_span line;

	if (version_check(reader->rest, err) < 0 ||
	    text_unseal(&reader->rest, err) < 0)
		return -1;
	while (!reader->ended) {
		reader->line++;
		if (!eqt_span_cut(&reader->rest, '\n', &line))
			return eqt_error_set(err, "line %zu: no end line",
					     reader->line);
		if (line_read(reader, line, &why) < 0)
			return eqt_error_set(err, "line %zu: %s", reader->line,
					     why.text);
	}
	return 0;
}

struct eqt_snapshot *eqt_snapshot_parse(const char *text, size_t length,
					struct eqt_error *err)
{
	struct reader reader = { .rest = { text, text + length } };
	struct eqt_numeric numeric;
	int rc;

	reader.snapshot = eqt_snapshot_new(NULL, 0, 0, err);
	if (!reader.snapshot)
		return NULL;
	if (eqt_numeric_begin(&numeric) < 0) {
		eqt_error_set(err, "out of memory");
		eqt_snapshot_free(reader.snapshot);
		return NULL;
	}
	rc = text_read(&reader, err);
	eqt_numeric_restore(&numeric);
	free(reader.tres);
	if (rc < 0) {
		eqt_snapshot_free(reader.snapshot);
		return NULL;
	}
	return reader.snapshot;
}
