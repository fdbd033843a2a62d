/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A snapshot in memory, and its text. Rows and their TRES are in two arrays that grow
 * together. The TRES of row i begin at index i * tres_count.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ledger/form.h"

#define SNAPSHOT_MAGIC "equitree-usage"
#define SNAPSHOT_VERSION "1"
#define LINE_TEXT (8 * EQT_FIELD_TEXT) /* bytes of a line without its TRES */
#define NO_TRES 0

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
	{ "ID", EQT_FIELD_U32, offsetof(struct eqt_snapshot_row, id) },
	{ "RAW", EQT_FIELD_LONG_DOUBLE,
	  offsetof(struct eqt_snapshot_row, raw) },
	{ "WALL", EQT_FIELD_DOUBLE, offsetof(struct eqt_snapshot_row, wall) },
};
static const struct eqt_form row_form = EQT_FORM(' ', row_fields);

static const struct eqt_field parent_fields[] = {
	{ "ID", EQT_FIELD_U32, offsetof(struct eqt_snapshot_parent, id) },
	{ "PARENT", EQT_FIELD_U32,
	  offsetof(struct eqt_snapshot_parent, parent_id) },
};
static const struct eqt_form parent_form = EQT_FORM(' ', parent_fields);

static const struct eqt_field unit_fields[] = {
	{ "SCALE", EQT_FIELD_U64, offsetof(struct eqt_ledger_unit, scale) },
	{ "SINCE", EQT_FIELD_I64, offsetof(struct eqt_ledger_unit, since) },
};
static const struct eqt_form unit_form = EQT_FORM(' ', unit_fields);

/* The last numbers that were written to other files, each in a line of its own. */
static const struct eqt_field last_fields[] = {
	{ "ENTRY", EQT_FIELD_U64, offsetof(struct eqt_snapshot, budget_entry) },
	{ "NUMBER", EQT_FIELD_U64,
	  offsetof(struct eqt_snapshot, charge_number) },
};
static const struct last {
	const char *word;
	struct eqt_form form;
} lasts[] = {
	{ "b", { ' ', 1, &last_fields[0] } },
	{ "c", { ' ', 1, &last_fields[1] } },
};
#define LASTS (sizeof(lasts) / sizeof(*lasts))

static const uint64_t *last_of(const struct eqt_snapshot *snapshot,
			       const struct last *last)
{
	return (const void *) ((const char *) snapshot + last->form.fields->at);
}

static const struct eqt_field tres_fields[] = {
	{ "TRES", EQT_FIELD_LONG_DOUBLE, 0 },
};
static const struct eqt_form tres_form = EQT_FORM(' ', tres_fields);

static const struct eqt_field end_fields[] = {
	{ "ROWS", EQT_FIELD_U32, 0 },
};
static const struct eqt_form end_form = EQT_FORM(' ', end_fields);

/* Reallocate a block to a * b * size bytes, and at least 1 byte. Return NULL with the
 * block unchanged if there is no memory or the product overflows. */
static void *snapshot_resize(void *old, size_t a, size_t b, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(a, b, &bytes) ||
	    __builtin_mul_overflow(bytes, size, &bytes))
		return NULL;
	return realloc(old, bytes ? bytes : 1);
}

/* Resize both arrays. If the second realloc() fails, row_space keeps its old value, for
 * which both arrays are large enough. */
static int rows_resize(struct eqt_snapshot *snapshot, uint32_t space)
{
	struct eqt_snapshot_row *rows;
	long double *tres;

	rows = snapshot_resize(snapshot->rows, space, 1, sizeof(*rows));
	if (!rows)
		return -1;
	snapshot->rows = rows;
	tres = snapshot_resize(snapshot->tres, space, snapshot->tres_count,
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
		snapshot_resize(NULL, tres_count, 1, sizeof(*tres_ids));
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

void eqt_snapshot_restart(struct eqt_snapshot *snapshot,
			  const uint32_t *tres_ids)
{
	memcpy(snapshot->tres_ids, tres_ids,
	       snapshot->tres_count * sizeof(*tres_ids));
	snapshot->row_count = 0;
	snapshot->parent_count = 0;
}

void eqt_snapshot_free(struct eqt_snapshot *snapshot)
{
	if (!snapshot)
		return;
	free(snapshot->parents_text.data);
	free(snapshot->parents);
	free(snapshot->tres);
	free(snapshot->rows);
	free(snapshot->tres_ids);
	free(snapshot);
}

/* Double the room, beginning with one row. So the memory is bounded by the rows that
 * are in the text, not by the number that a malicious header claims. */
static int rows_grow(struct eqt_snapshot *snapshot)
{
	uint32_t space = snapshot->row_space;

	if (space == UINT32_MAX)
		return -1;
	if (space > UINT32_MAX / 2)
		return rows_resize(snapshot, UINT32_MAX);
	return rows_resize(snapshot, space ? space * 2 : 1);
}

/* Could a row be read again after writing? */
static bool row_valid(const struct eqt_snapshot *snapshot,
		      const struct eqt_snapshot_row *row,
		      const long double *tres)
{
	if (row->owner != EQT_SNAPSHOT_ASSOC && row->owner != EQT_SNAPSHOT_QOS)
		return false;
	for (uint32_t i = 0; i < snapshot->tres_count; i++) {
		if (!eqt_form_is_number(tres[i]))
			return false;
	}
	return eqt_form_is_number(row->raw) && eqt_form_is_number(row->wall);
}

int eqt_snapshot_add(struct eqt_snapshot *snapshot,
		     const struct eqt_snapshot_row *row,
		     const long double *tres)
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

/* Is this the next parent in the lines that were written? */
static bool parent_is_written(const struct eqt_snapshot *snapshot, uint32_t id,
			      uint32_t parent_id)
{
	const struct eqt_snapshot_parent *next;

	if (snapshot->parent_count >= snapshot->parents_written)
		return false;
	next = &snapshot->parents[snapshot->parent_count];
	return next->id == id && next->parent_id == parent_id;
}

int eqt_snapshot_add_parent(struct eqt_snapshot *snapshot, uint32_t id,
			    uint32_t parent_id)
{
	if (parent_is_written(snapshot, id, parent_id)) {
		snapshot->parent_count++;
		return 0;
	}
	snapshot->parents_written = 0;
	if (snapshot->parent_count == UINT32_MAX ||
	    EQT_ARRAY_ROOM(snapshot->parents, snapshot->parent_count) < 0)
		return -1;
	snapshot->parents[snapshot->parent_count++] =
		(struct eqt_snapshot_parent){ id, parent_id };
	return 0;
}

static int parent_compare(const void *x, const void *y)
{
	const struct eqt_snapshot_parent *a = x, *b = y;

	return a->id < b->id ? -1 : a->id > b->id;
}

uint32_t eqt_snapshot_parent_of(const struct eqt_snapshot *snapshot,
				uint32_t id)
{
	const struct eqt_snapshot_parent key = { .id = id };
	const struct eqt_snapshot_parent *found =
		snapshot->parent_count ? bsearch(&key, snapshot->parents,
						 snapshot->parent_count,
						 sizeof(key), parent_compare)
				       : NULL;

	return found ? found->parent_id : 0;
}

/* Make room for one more line with all its TRES. */
static int text_reserve(struct eqt_text *text, uint32_t tres_count)
{
	size_t line = LINE_TEXT + (size_t) tres_count * EQT_FIELD_TEXT;

	return EQT_ARRAY_RESERVE(text->data, text->space, text->length + line);
}

/* Append the first line: magic, version, times and the ids of all TRES. */
static int head_put(struct eqt_text *text, const struct eqt_snapshot *snapshot)
{
	if (text_reserve(text, snapshot->tres_count) < 0)
		return -1;
	eqt_text_put(text, SNAPSHOT_MAGIC " " SNAPSHOT_VERSION " ");
	eqt_form_write(text, &head_form, snapshot);
	for (uint32_t i = 0; i < snapshot->tres_count; i++) {
		eqt_text_put(text, " ");
		eqt_form_write(text, &id_form, &snapshot->tres_ids[i]);
	}
	eqt_text_put(text, "\n");
	return 0;
}

/* Append the line of an association ("a") or a QOS ("q") with its TRES in the order of
 * the first line. */
static int row_put(struct eqt_text *text, const struct eqt_snapshot *snapshot,
		   uint32_t row)
{
	size_t count = snapshot->tres_count;
	const long double *tres = snapshot->tres + row * count;

	if (text_reserve(text, snapshot->tres_count) < 0)
		return -1;
	eqt_text_put(text, snapshot->rows[row].owner == EQT_SNAPSHOT_QOS
				   ? "q "
				   : "a ");
	eqt_form_write(text, &row_form, &snapshot->rows[row]);
	eqt_form_write_numbers(text, ' ', tres, count);
	eqt_text_put(text, "\n");
	return 0;
}

/* Append a line without TRES: a word and the fields of a form. */
static int line_put(struct eqt_text *text, const char *word,
		    const struct eqt_form *form, const void *in)
{
	if (text_reserve(text, NO_TRES) < 0)
		return -1;
	eqt_text_put(text, word);
	eqt_text_put(text, " ");
	eqt_form_write(text, form, in);
	eqt_text_put(text, "\n");
	return 0;
}

/* A number that is 0 has no line. */
static int lasts_put(struct eqt_text *text, const struct eqt_snapshot *snapshot)
{
	for (const struct last *last = lasts; last < lasts + LASTS; last++) {
		if (*last_of(snapshot, last) &&
		    line_put(text, last->word, &last->form, snapshot) < 0)
			return -1;
	}
	return 0;
}

/* Write the lines of parents, unless they are those of the last text. */
static int parents_write_lines(struct eqt_snapshot *snapshot)
{
	struct eqt_text *lines = &snapshot->parents_text;

	if (snapshot->parents_written == snapshot->parent_count)
		return 0;
	snapshot->parents_written = 0;
	lines->length = 0;
	for (uint32_t i = 0; i < snapshot->parent_count; i++)
		if (line_put(lines, "p", &parent_form, &snapshot->parents[i]) <
		    0)
			return -1;
	snapshot->parents_written = snapshot->parent_count;
	return 0;
}

static int parents_put(struct eqt_text *text, struct eqt_snapshot *snapshot)
{
	const struct eqt_text *lines = &snapshot->parents_text;

	if (!snapshot->parent_count)
		return 0;
	if (parents_write_lines(snapshot) < 0 ||
	    EQT_ARRAY_RESERVE(text->data, text->space,
			      text->length + lines->length + 1) < 0)
		return -1;
	eqt_text_bytes(text, lines->data, lines->length);
	return 0;
}

/* Append the whole text. Parents come before rows, so that a reader knows them in time.
 * The last line has the number of rows and the checksum of everything before it. */
static int snapshot_put(struct eqt_text *text, struct eqt_snapshot *snapshot)
{
	/* An unknown unit has no line. */
	if (head_put(text, snapshot) < 0 ||
	    (snapshot->unit.known &&
	     line_put(text, "u", &unit_form, &snapshot->unit) < 0) ||
	    lasts_put(text, snapshot) < 0 || parents_put(text, snapshot) < 0)
		return -1;
	for (uint32_t i = 0; i < snapshot->row_count; i++) {
		if (row_put(text, snapshot, i) < 0)
			return -1;
	}
	if (text_reserve(text, NO_TRES) < 0)
		return -1;
	eqt_text_put(text, "end ");
	eqt_form_write(text, &end_form, &snapshot->row_count);
	eqt_text_put(text, " ");
	eqt_form_seal(text);
	return text->full ? -1 : 0;
}

char *eqt_snapshot_text(struct eqt_snapshot *snapshot, size_t *length)
{
	struct eqt_text text = { .data = NULL };

	if (snapshot_put(&text, snapshot) < 0) {
		free(text.data);
		return NULL;
	}
	*length = text.length;
	return text.data;
}

/* ---- Reading ------------------------------------------------------------------------
 * The text of a snapshot may be cut, altered or malicious. The version is checked
 * first, then the checksum, then each field. Memory grows with the rows that are in the
 * text, not with a number that the header claims. */

/* A text that is being read. */
struct reader {
	struct eqt_slice rest; /* the lines that are still to be read */
	size_t line; /* number of the current line, from 1 on */
	bool ended; /* whether the last line of the text was read */
	struct eqt_snapshot *snapshot;
	long double *tres; /* TRES of the current row */
};

/* Check magic and version before the checksum, because another version may have another
 * kind of checksum. */
static int version_check(struct eqt_slice text, struct eqt_error *err)
{
	struct eqt_slice word;

	if (!eqt_form_cut(&text, ' ', &word) ||
	    !eqt_form_is(word, SNAPSHOT_MAGIC))
		return eqt_error_set(err, "line 1: no " SNAPSHOT_MAGIC);
	if (!eqt_form_cut(&text, ' ', &word) ||
	    !eqt_form_is(word, SNAPSHOT_VERSION))
		return eqt_error_set(err,
				     "line 1: not version " SNAPSHOT_VERSION
				     " of " SNAPSHOT_MAGIC);
	return 0;
}

/* Cut newline and checksum off the end of the whole text. version_check() has made sure
 * that the text is not empty. */
static int text_unseal(struct eqt_slice *text, struct eqt_error *err)
{
	if (text->end[-1] != '\n')
		return eqt_error_set(err, "cut short: no newline at the end");
	text->end--;
	return eqt_form_unseal(text, err);
}

/* Make room for a TRES id for each field that is left of the line. */
static int ids_resize(struct eqt_snapshot *snapshot, struct eqt_slice line)
{
	size_t count = 1;
	uint32_t *ids;

	for (const char *p = line.at; p && p < line.end; p++)
		count += *p == ' ';
	if (count > UINT32_MAX)
		return -1;
	ids = snapshot_resize(snapshot->tres_ids, count, 1, sizeof(*ids));
	if (!ids)
		return -1;
	snapshot->tres_ids = ids;
	return 0;
}

/* Read the TRES ids at the end of the first line, and make room for one row. */
static int ids_read(struct reader *reader, struct eqt_slice *line,
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
	reader->tres = snapshot_resize(NULL, snapshot->tres_count, 1,
				       sizeof(*reader->tres));
	if (!reader->tres)
		return eqt_error_set(err, "out of memory");
	return 0;
}

/* Read the first line. */
static int head_read(struct reader *reader, struct eqt_slice *line,
		     struct eqt_error *err)
{
	struct eqt_slice word;

	/* Skip magic and version, which version_check() has checked. */
	eqt_form_cut(line, ' ', &word);
	eqt_form_cut(line, ' ', &word);
	if (eqt_form_read(line, &head_form, reader->snapshot, err) < 0)
		return -1;
	return ids_read(reader, line, err);
}

/* Read a row. It must have as many TRES as the first line has ids. */
static int row_read(struct reader *reader, enum eqt_snapshot_owner owner,
		    struct eqt_slice *line, struct eqt_error *err)
{
	struct eqt_snapshot_row row = { .owner = owner };

	if (eqt_form_read(line, &row_form, &row, err) < 0)
		return -1;
	for (uint32_t i = 0; i < reader->snapshot->tres_count; i++) {
		if (eqt_form_read(line, &tres_form, &reader->tres[i], err) < 0)
			return -1;
	}
	if (line->at)
		return eqt_error_set(err, "more TRES than in line 1");
	if (eqt_snapshot_add(reader->snapshot, &row, reader->tres) < 0)
		return eqt_error_set(err, "out of memory");
	return 0;
}

/* Read an association and its parent. */
static int parent_read(struct reader *reader, struct eqt_slice *line,
		       struct eqt_error *err)
{
	struct eqt_snapshot_parent parent;

	if (eqt_form_read(line, &parent_form, &parent, err) < 0)
		return -1;
	if (line->at)
		return eqt_error_set(err, "more than ID and PARENT");
	if (eqt_snapshot_add_parent(reader->snapshot, parent.id,
				    parent.parent_id) < 0)
		return eqt_error_set(err, "out of memory");
	return 0;
}

/* Read the unit of usage, which at most one line may have. */
static int unit_read(struct reader *reader, struct eqt_slice *line,
		     struct eqt_error *err)
{
	struct eqt_ledger_unit unit = { .known = true };

	if (reader->snapshot->unit.known)
		return eqt_error_set(err, "a second unit");
	if (eqt_form_read(line, &unit_form, &unit, err) < 0)
		return -1;
	if (line->at)
		return eqt_error_set(err, "more than SCALE and SINCE");
	reader->snapshot->unit = unit;
	return 0;
}

/* Read the last number that was written to another file, which at most one line may
 * have. */
static int last_read(struct reader *reader, const struct last *last,
		     struct eqt_slice *line, struct eqt_error *err)
{
	const char *name = last->form.fields->name;

	if (*last_of(reader->snapshot, last))
		return eqt_error_set(err, "a second %s", name);
	if (eqt_form_read(line, &last->form, reader->snapshot, err) < 0)
		return -1;
	return line->at ? eqt_error_set(err, "more than %s", name) : 0;
}

/* Read the last line. A text with further lines, or with another number of rows, is an
 * error even if the checksum is right. */
static int end_read(struct reader *reader, struct eqt_slice *line,
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

static int line_read(struct reader *reader, struct eqt_slice line,
		     struct eqt_error *err)
{
	struct eqt_slice word;

	if (reader->line == 1)
		return head_read(reader, &line, err);
	eqt_form_cut(&line, ' ', &word);
	if (eqt_form_is(word, "a"))
		return row_read(reader, EQT_SNAPSHOT_ASSOC, &line, err);
	if (eqt_form_is(word, "q"))
		return row_read(reader, EQT_SNAPSHOT_QOS, &line, err);
	if (eqt_form_is(word, "p"))
		return parent_read(reader, &line, err);
	if (eqt_form_is(word, "u"))
		return unit_read(reader, &line, err);
	for (const struct last *last = lasts; last < lasts + LASTS; last++) {
		if (eqt_form_is(word, last->word))
			return last_read(reader, last, &line, err);
	}
	if (eqt_form_is(word, "end"))
		return end_read(reader, &line, err);
	return eqt_error_set(err,
			     "does not begin with a, q, p, u, b, c or end");
}

static int text_read(struct reader *reader, struct eqt_error *err)
{
	struct eqt_error why = { "" };
	struct eqt_slice line;

	if (version_check(reader->rest, err) < 0 ||
	    text_unseal(&reader->rest, err) < 0)
		return -1;
	while (!reader->ended) {
		reader->line++;
		if (!eqt_form_cut(&reader->rest, '\n', &line))
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
	int rc;

	reader.snapshot = eqt_snapshot_new(NULL, 0, 0, err);
	if (!reader.snapshot)
		return NULL;
	rc = text_read(&reader, err);
	free(reader.tres);
	if (rc < 0) {
		eqt_snapshot_free(reader.snapshot);
		return NULL;
	}
	if (reader.snapshot->parent_count)
		qsort(reader.snapshot->parents, reader.snapshot->parent_count,
		      sizeof(*reader.snapshot->parents), parent_compare);
	return reader.snapshot;
}
