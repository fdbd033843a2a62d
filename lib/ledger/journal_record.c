/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line of the journal: the fields of one charge, its TRES and a checksum. Each line
 * has its own checksum, so that a line which was altered does not affect the others.
 * Lines that a crash has cut belong to a group without an end.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "ledger/form.h"

static const struct eqt_field charge_fields[] = {
	{ "SEQUENCE", EQT_FIELD_U64,
	  offsetof(struct eqt_journal_record, sequence) },
	{ "JOB", EQT_FIELD_U32, offsetof(struct eqt_journal_record, job_id) },
	{ "ASSOC", EQT_FIELD_U32,
	  offsetof(struct eqt_journal_record, assoc_id) },
	{ "QOS", EQT_FIELD_U32, offsetof(struct eqt_journal_record, qos_id) },
	{ "PART_QOS", EQT_FIELD_U32,
	  offsetof(struct eqt_journal_record, part_qos_id) },
	{ "FROM", EQT_FIELD_I64, offsetof(struct eqt_journal_record, from) },
	{ "TO", EQT_FIELD_I64, offsetof(struct eqt_journal_record, to) },
	{ "RATE", EQT_FIELD_DOUBLE, offsetof(struct eqt_journal_record, rate) },
	{ "FACTOR", EQT_FIELD_SIGNED,
	  offsetof(struct eqt_journal_record, factor) },
};
static const struct eqt_form charge_form = EQT_FORM(' ', charge_fields);

static const struct eqt_field tres_fields[] = {
	{ "ID", EQT_FIELD_U32, offsetof(struct eqt_journal_record_tres, id) },
	{ "COUNT", EQT_FIELD_U64,
	  offsetof(struct eqt_journal_record_tres, count) },
};
static const struct eqt_form tres_form = EQT_FORM('=', tres_fields);

/* Append a line with its checksum and newline. */
static void charge_put(struct eqt_text *text,
		       const struct eqt_journal_record *charge)
{
	eqt_form_write(text, &charge_form, charge);
	for (uint32_t i = 0; i < charge->tres_count; i++) {
		eqt_text_put(text, " ");
		eqt_form_write(text, &tres_form, &charge->tres[i]);
	}
	eqt_text_put(text, " ");
	eqt_form_seal(text);
}

int eqt_journal_record_text(char *buf, size_t size,
			    const struct eqt_journal_record *charge)
{
	/* The line is first written to a buffer of this function, so that a failed call
	 * does not change buf. */
	char line[EQT_JOURNAL_RECORD_TEXT];
	struct eqt_text text = { .data = line, .space = sizeof(line) };

	if (!eqt_form_is_number(charge->rate) || !isfinite(charge->factor) ||
	    charge->from > charge->to ||
	    charge->tres_count > EQT_JOURNAL_RECORD_TRES_MAX)
		return -1;
	charge_put(&text, charge);
	if (text.full || text.length >= size)
		return -1;
	memcpy(buf, line, text.length + 1);
	return (int) text.length;
}

/* Read the ID=COUNT pairs up to the end of the line. */
static int tres_read(struct eqt_journal_record *charge, struct eqt_slice *line,
		     struct eqt_error *err)
{
	struct eqt_slice pair;

	while (eqt_form_cut(line, ' ', &pair)) {
		if (charge->tres_count == EQT_JOURNAL_RECORD_TRES_MAX)
			return eqt_error_set(err, "more than %d ID=COUNT",
					     EQT_JOURNAL_RECORD_TRES_MAX);
		if (eqt_form_read(&pair, &tres_form,
				  &charge->tres[charge->tres_count], err) < 0)
			return -1;
		if (pair.at)
			return eqt_error_set(err, "COUNT: a second one");
		charge->tres_count++;
	}
	return 0;
}

static int charge_read(struct eqt_journal_record *charge, struct eqt_slice line,
		       struct eqt_error *err)
{
	if (eqt_form_unseal(&line, err) < 0 ||
	    eqt_form_read(&line, &charge_form, charge, err) < 0)
		return -1;
	if (charge->from > charge->to)
		return eqt_error_set(err, "FROM: later than TO");
	return tres_read(charge, &line, err);
}

int eqt_journal_record_parse(struct eqt_journal_record *out, const char *line,
			     size_t length, struct eqt_error *err)
{
	struct eqt_slice span = { line, line + length };
	struct eqt_journal_record charge = { 0 };

	if (charge_read(&charge, span, err) < 0)
		return -1;
	*out = charge;
	return 0;
}

int eqt_journal_record_group_text(char buf[EQT_JOURNAL_GROUP_TEXT],
				  size_t length, uint32_t crc)
{
	return snprintf(buf, EQT_JOURNAL_GROUP_TEXT,
			"%c %08" PRIx32 " %08" PRIx32 "\n",
			EQT_JOURNAL_GROUP_MARK, (uint32_t) length, crc);
}

bool eqt_journal_record_group_is_whole(const char *text, size_t at,
				       size_t length, size_t *begin)
{
	char line[EQT_JOURNAL_GROUP_TEXT] = "", again[EQT_JOURNAL_GROUP_TEXT];
	uint32_t size, crc;

	if (length + 2 > sizeof(line))
		return false;
	memcpy(line, text + at, length);
	line[length] = '\n';
	if (sscanf(line, "= %8" SCNx32 " %8" SCNx32, &size, &crc) != 2 ||
	    size > at)
		return false;
	(void) eqt_journal_record_group_text(again, size, crc);
	*begin = at - size;
	return strcmp(line, again) == 0 &&
	       crc32_z(0, (const Bytef *) text + *begin, size) == crc;
}
