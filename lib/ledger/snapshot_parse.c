/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the text of a snapshot. It may be cut, altered or hostile: first the version
 * is checked, then the checksum, then each field. Memory grows with the rows that are
 * really there, never with a number that the header claims.
 */
#include <stdlib.h>

#include "ledger/snapshot_impl.h"

/* A text that is being read. */
struct reader {
	struct eqt_slice rest; /* the lines to come */
	size_t line; /* the one in hand, from 1 */
	bool ended; /* the end line has been read */
	struct eqt_snapshot *snapshot;
	long double *tres; /* of the row in hand */
};

/* Check magic and version. This comes before the checksum, since another version may
 * have another kind of checksum. */
static int version_check(struct eqt_slice text, struct eqt_error *err)
{
	struct eqt_slice word;

	if (!eqt_slice_cut(&text, ' ', &word) ||
	    !eqt_slice_is(word, EQT_SNAPSHOT_MAGIC))
		return eqt_error_set(err, "line 1: no " EQT_SNAPSHOT_MAGIC);
	if (!eqt_slice_cut(&text, ' ', &word) ||
	    !eqt_slice_is(word, EQT_SNAPSHOT_VERSION))
		return eqt_error_set(err,
				     "line 1: not version " EQT_SNAPSHOT_VERSION
				     " of " EQT_SNAPSHOT_MAGIC);
	return 0;
}

/* Cut newline and checksum off the end of the whole text. version_check() has shown
 * that it is not empty. */
static int text_unseal(struct eqt_slice *text, struct eqt_error *err)
{
	if (text->end[-1] != '\n')
		return eqt_error_set(err, "cut short: no newline at the end");
	text->end--;
	return eqt_form_unseal(text, err);
}

/* Make room for one TRES id per field that is left of the line. */
static int ids_resize(struct eqt_snapshot *snapshot, struct eqt_slice line)
{
	size_t count = 1;
	uint32_t *ids;
	const char *p;

	for (p = line.at; p && p < line.end; p++)
		count += *p == ' ';
	if (count > UINT32_MAX)
		return -1;
	ids = eqt_snapshot_resize(snapshot->tres_ids, count, 1, sizeof(*ids));
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
		if (eqt_form_read(line, &eqt_snapshot_id_form,
				  &snapshot->tres_ids[snapshot->tres_count],
				  err) < 0)
			return -1;
		snapshot->tres_count++;
	}
	reader->tres = eqt_snapshot_resize(NULL, snapshot->tres_count, 1,
					   sizeof(*reader->tres));
	if (!reader->tres)
		return eqt_error_set(err, "out of memory");
	return 0;
}

/* The first line. */
static int head_read(struct reader *reader, struct eqt_slice *line,
		     struct eqt_error *err)
{
	struct eqt_slice word;

	/* Magic and version; version_check() has checked them. */
	eqt_slice_cut(line, ' ', &word);
	eqt_slice_cut(line, ' ', &word);
	if (eqt_form_read(line, &eqt_snapshot_head_form, reader->snapshot,
			  err) < 0)
		return -1;
	return ids_read(reader, line, err);
}

/* Read a row; it must have as many TRES as the first line has ids. */
static int row_read(struct reader *reader, enum eqt_snapshot_owner owner,
		    struct eqt_slice *line, struct eqt_error *err)
{
	struct eqt_snapshot_row row = { .owner = owner };
	uint32_t i;

	if (eqt_form_read(line, &eqt_snapshot_row_form, &row, err) < 0)
		return -1;
	for (i = 0; i < reader->snapshot->tres_count; i++) {
		if (eqt_form_read(line, &eqt_snapshot_tres_form,
				  &reader->tres[i], err) < 0)
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

	if (eqt_form_read(line, &eqt_snapshot_parent_form, &parent, err) < 0)
		return -1;
	if (line->at)
		return eqt_error_set(err, "more than ID and PARENT");
	if (eqt_snapshot_add_parent(reader->snapshot, parent.id,
				    parent.parent_id) < 0)
		return eqt_error_set(err, "out of memory");
	return 0;
}

/* Read the unit of usage; at most one line has it. */
static int unit_read(struct reader *reader, struct eqt_slice *line,
		     struct eqt_error *err)
{
	struct eqt_ledger_unit unit = { .known = true };

	if (reader->snapshot->unit.known)
		return eqt_error_set(err, "a second unit");
	if (eqt_form_read(line, &eqt_snapshot_unit_form, &unit, err) < 0)
		return -1;
	if (line->at)
		return eqt_error_set(err, "more than SCALE and SINCE");
	reader->snapshot->unit = unit;
	return 0;
}

/* Read the end line. A text with lines behind it, or with another number of rows, was
 * not written by us, even if the checksum is right. */
static int end_read(struct reader *reader, struct eqt_slice *line,
		    struct eqt_error *err)
{
	uint32_t rows;

	if (eqt_form_read(line, &eqt_snapshot_end_form, &rows, err) < 0)
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
	eqt_slice_cut(&line, ' ', &word);
	if (eqt_slice_is(word, "a"))
		return row_read(reader, EQT_SNAPSHOT_ASSOC, &line, err);
	if (eqt_slice_is(word, "q"))
		return row_read(reader, EQT_SNAPSHOT_QOS, &line, err);
	if (eqt_slice_is(word, "p"))
		return parent_read(reader, &line, err);
	if (eqt_slice_is(word, "u"))
		return unit_read(reader, &line, err);
	if (eqt_slice_is(word, "end"))
		return end_read(reader, &line, err);
	return eqt_error_set(err, "does not begin with a, q, p, u or end");
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
		if (!eqt_slice_cut(&reader->rest, '\n', &line))
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
