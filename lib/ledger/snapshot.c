/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A snapshot in memory, and writing it as text. Rows and their TRES are two arrays
 * that grow together; the TRES of row i begin at i * tres_count.
 */
#include <stdlib.h>
#include <string.h>

#include "ledger/snapshot_impl.h"

#define LINE_TEXT (8 * EQT_FIELD_TEXT) /* a line without its TRES */
#define NO_TRES 0

static const struct eqt_field head_fields[] = {
	{ "LAST_RAN", EQT_FIELD_I64, offsetof(struct eqt_snapshot, last_ran) },
	{ "LAST_RESET", EQT_FIELD_I64,
	  offsetof(struct eqt_snapshot, last_reset) },
	{ "SEQUENCE", EQT_FIELD_U64, offsetof(struct eqt_snapshot, sequence) },
};
const struct eqt_form eqt_snapshot_head_form = EQT_FORM(' ', head_fields);

static const struct eqt_field id_fields[] = {
	{ "TRES_ID", EQT_FIELD_U32, 0 },
};
const struct eqt_form eqt_snapshot_id_form = EQT_FORM(' ', id_fields);

static const struct eqt_field row_fields[] = {
	{ "ID", EQT_FIELD_U32, offsetof(struct eqt_snapshot_row, id) },
	{ "RAW", EQT_FIELD_LONG_DOUBLE,
	  offsetof(struct eqt_snapshot_row, raw) },
	{ "WALL", EQT_FIELD_DOUBLE, offsetof(struct eqt_snapshot_row, wall) },
};
const struct eqt_form eqt_snapshot_row_form = EQT_FORM(' ', row_fields);

static const struct eqt_field parent_fields[] = {
	{ "ID", EQT_FIELD_U32, offsetof(struct eqt_snapshot_parent, id) },
	{ "PARENT", EQT_FIELD_U32,
	  offsetof(struct eqt_snapshot_parent, parent_id) },
};
const struct eqt_form eqt_snapshot_parent_form = EQT_FORM(' ', parent_fields);

static const struct eqt_field unit_fields[] = {
	{ "SCALE", EQT_FIELD_U64, offsetof(struct eqt_ledger_unit, scale) },
	{ "SINCE", EQT_FIELD_I64, offsetof(struct eqt_ledger_unit, since) },
};
const struct eqt_form eqt_snapshot_unit_form = EQT_FORM(' ', unit_fields);

static const struct eqt_field tres_fields[] = {
	{ "TRES", EQT_FIELD_LONG_DOUBLE, 0 },
};
const struct eqt_form eqt_snapshot_tres_form = EQT_FORM(' ', tres_fields);

static const struct eqt_field end_fields[] = {
	{ "ROWS", EQT_FIELD_U32, 0 },
};
const struct eqt_form eqt_snapshot_end_form = EQT_FORM(' ', end_fields);

void *eqt_snapshot_resize(void *old, size_t a, size_t b, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(a, b, &bytes) ||
	    __builtin_mul_overflow(bytes, size, &bytes))
		return NULL;
	return realloc(old, bytes ? bytes : 1);
}

/* Grow both arrays. If the second realloc() fails, row_space keeps its old value, for
 * which both arrays are large enough. */
static int rows_resize(struct eqt_snapshot *snapshot, uint32_t space)
{
	struct eqt_snapshot_row *rows;
	long double *tres;

	rows = eqt_snapshot_resize(snapshot->rows, space, 1, sizeof(*rows));
	if (!rows)
		return -1;
	snapshot->rows = rows;
	tres = eqt_snapshot_resize(snapshot->tres, space, snapshot->tres_count,
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
		eqt_snapshot_resize(NULL, tres_count, 1, sizeof(*tres_ids));
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
	free(snapshot->parents);
	free(snapshot->tres);
	free(snapshot->rows);
	free(snapshot->tres_ids);
	free(snapshot);
}

/* Double the room, beginning with one row. Memory is bounded by the rows that are
 * really there, not by the number that a hostile header claims. */
static int rows_grow(struct eqt_snapshot *snapshot)
{
	uint32_t space = snapshot->row_space;

	if (space == UINT32_MAX)
		return -1;
	if (space > UINT32_MAX / 2)
		return rows_resize(snapshot, UINT32_MAX);
	return rows_resize(snapshot, space ? space * 2 : 1);
}

/* Refuse a row that could be written but not read back. */
static bool row_valid(const struct eqt_snapshot *snapshot,
		      const struct eqt_snapshot_row *row,
		      const long double *tres)
{
	uint32_t i;

	if (row->owner != EQT_SNAPSHOT_ASSOC && row->owner != EQT_SNAPSHOT_QOS)
		return false;
	for (i = 0; i < snapshot->tres_count; i++) {
		if (!eqt_number_valid(tres[i]))
			return false;
	}
	return eqt_number_valid(row->raw) && eqt_number_valid(row->wall);
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

/* The array of parents doubles like the rows. */
int eqt_snapshot_add_parent(struct eqt_snapshot *snapshot, uint32_t id,
			    uint32_t parent_id)
{
	uint32_t space = snapshot->parent_space;
	struct eqt_snapshot_parent *parents;

	if (snapshot->parent_count == space) {
		if (space > UINT32_MAX / 2)
			return -1;
		space = space ? space * 2 : 1;
		parents = eqt_snapshot_resize(snapshot->parents, space, 1,
					      sizeof(*parents));
		if (!parents)
			return -1;
		snapshot->parents = parents;
		snapshot->parent_space = space;
	}
	snapshot->parents[snapshot->parent_count++] =
		(struct eqt_snapshot_parent){ id, parent_id };
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

/* The first line: magic, version, times, the ids of all TRES. */
static int head_put(struct eqt_text *text, const struct eqt_snapshot *snapshot)
{
	uint32_t i;

	if (text_reserve(text, snapshot->tres_count) < 0)
		return -1;
	eqt_text_put(text, EQT_SNAPSHOT_MAGIC " " EQT_SNAPSHOT_VERSION " ");
	eqt_form_write(text, &eqt_snapshot_head_form, snapshot);
	for (i = 0; i < snapshot->tres_count; i++) {
		eqt_text_put(text, " ");
		eqt_form_write(text, &eqt_snapshot_id_form,
			       &snapshot->tres_ids[i]);
	}
	eqt_text_put(text, "\n");
	return 0;
}

/* An association ("a") or QOS ("q") and its TRES, in the order of the first line. */
static int row_put(struct eqt_text *text, const struct eqt_snapshot *snapshot,
		   uint32_t row)
{
	size_t count = snapshot->tres_count;
	const long double *tres = snapshot->tres + row * count;
	size_t i;

	if (text_reserve(text, snapshot->tres_count) < 0)
		return -1;
	eqt_text_put(text, snapshot->rows[row].owner == EQT_SNAPSHOT_QOS
				   ? "q "
				   : "a ");
	eqt_form_write(text, &eqt_snapshot_row_form, &snapshot->rows[row]);
	for (i = 0; i < count; i++) {
		eqt_text_put(text, " ");
		eqt_form_write(text, &eqt_snapshot_tres_form, &tres[i]);
	}
	eqt_text_put(text, "\n");
	return 0;
}

/* An association and its parent, to which its usage goes when it is removed. */
static int parent_put(struct eqt_text *text,
		      const struct eqt_snapshot_parent *parent)
{
	if (text_reserve(text, NO_TRES) < 0)
		return -1;
	eqt_text_put(text, "p ");
	eqt_form_write(text, &eqt_snapshot_parent_form, parent);
	eqt_text_put(text, "\n");
	return 0;
}

/* An unknown unit has no line. */
static int unit_put(struct eqt_text *text, const struct eqt_ledger_unit *unit)
{
	if (!unit->known)
		return 0;
	if (text_reserve(text, NO_TRES) < 0)
		return -1;
	eqt_text_put(text, "u ");
	eqt_form_write(text, &eqt_snapshot_unit_form, unit);
	eqt_text_put(text, "\n");
	return 0;
}

/* The whole text. Parents come before rows, so that a reader knows them in time. The
 * end line has the number of rows and the checksum of everything before it. */
static int snapshot_put(struct eqt_text *text,
			const struct eqt_snapshot *snapshot)
{
	uint32_t i;

	if (head_put(text, snapshot) < 0 || unit_put(text, &snapshot->unit) < 0)
		return -1;
	for (i = 0; i < snapshot->parent_count; i++) {
		if (parent_put(text, &snapshot->parents[i]) < 0)
			return -1;
	}
	for (i = 0; i < snapshot->row_count; i++) {
		if (row_put(text, snapshot, i) < 0)
			return -1;
	}
	if (text_reserve(text, NO_TRES) < 0)
		return -1;
	eqt_text_put(text, "end ");
	eqt_form_write(text, &eqt_snapshot_end_form, &snapshot->row_count);
	eqt_text_put(text, " ");
	eqt_form_seal(text);
	return text->full ? -1 : 0;
}

char *eqt_snapshot_text(const struct eqt_snapshot *snapshot, size_t *length)
{
	struct eqt_text text = { .data = NULL };

	if (snapshot_put(&text, snapshot) < 0) {
		free(text.data);
		return NULL;
	}
	*length = text.length;
	return text.data;
}
