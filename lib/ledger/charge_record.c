/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of the record of charges: a letter, numbers, names, a checksum. The numbers are
 * written and read by forms, as those of the journal; times go as differences, because
 * most lines begin with their run and few runs last for long.
 */
#include <math.h>
#include <string.h>

#include "ledger/charge_record.h"
#include "ledger/form.h"

#define VERSION "1"
#define KINDS "erpshfloz"
#define DECIDED "cmudnls"
#define POOLS "cg"

/* The numbers of a line in their order, with times as differences. */
struct charge_numbers {
	uint64_t from_s, length_s;
	struct eqt_charge_record record;
};

#define FIELD(name, kind, member)                                   \
	{                                                           \
		name, kind, offsetof(struct charge_numbers, member) \
	}

static const struct eqt_field job_fields[] = {
	FIELD("JOB", EQT_FIELD_U32, record.job_id),
	FIELD("ARRAY", EQT_FIELD_U32, record.array_job_id),
	FIELD("TASK", EQT_FIELD_U32, record.array_task_id),
	FIELD("HET", EQT_FIELD_U32, record.het_job_id),
	FIELD("RESTARTS", EQT_FIELD_U32, record.restarts),
	FIELD("START", EQT_FIELD_I64, record.start),
	FIELD("FROM", EQT_FIELD_U64, from_s),
	FIELD("LENGTH", EQT_FIELD_U64, length_s),
	FIELD("IDLE", EQT_FIELD_U64, record.idle_s),
	FIELD("RATE", EQT_FIELD_DOUBLE, record.rate),
	FIELD("FACTOR", EQT_FIELD_SIGNED, record.factor),
	FIELD("UNIT", EQT_FIELD_U64, record.unit),
	FIELD("SCALE", EQT_FIELD_U64, record.scale),
	FIELD("BILLING", EQT_FIELD_U64, record.billing),
	FIELD("ASSOC", EQT_FIELD_U32, record.assoc_id),
	FIELD("QOS", EQT_FIELD_U32, record.qos_id),
	FIELD("PART_QOS", EQT_FIELD_U32, record.part_qos_id),
};
static const struct eqt_form job_form = EQT_FORM(' ', job_fields);

/* Money and budgets come after the letters of the price. */
static const struct eqt_field paid_fields[] = {
	FIELD("MONEY", EQT_FIELD_U64, record.money_u),
	FIELD("PAID", EQT_FIELD_U64, record.paid_u),
	FIELD("ENTRY", EQT_FIELD_U64, record.entry),
};
static const struct eqt_form paid_form = EQT_FORM(' ', paid_fields);

static const struct eqt_field number_fields[] = {
	FIELD("NUMBER", EQT_FIELD_U64, record.number),
};
static const struct eqt_form number_form = EQT_FORM(' ', number_fields);

/* The names of a line, and of a head. */
struct charge_name {
	const char *name; /* for the operator */
	size_t at;
};

static const struct charge_name record_names[] = {
	{ "ACCOUNT", offsetof(struct eqt_charge_record, account) },
	{ "USER", offsetof(struct eqt_charge_record, user) },
	{ "PARTITION", offsetof(struct eqt_charge_record, partition) },
	{ "QOS_NAME", offsetof(struct eqt_charge_record, qos) },
	{ "CURRENCY", offsetof(struct eqt_charge_record, currency) },
	{ "REASON", offsetof(struct eqt_charge_record, reason) },
};

static const struct charge_name head_names[] = {
	{ "CLUSTER", offsetof(struct eqt_charge_head, cluster) },
	{ "DAY", offsetof(struct eqt_charge_head, day) },
};

static bool byte_is_escaped(char byte)
{
	return (unsigned char) byte <= ' ' || byte == '%' || byte == 0x7f;
}

/* Append a name; no text is "-", so a name that is "-" is escaped whole. */
static void name_put(struct eqt_text *text, const char *name)
{
	static const char digits[] = "0123456789abcdef";
	const bool dash = strcmp(name, "-") == 0;

	if (!*name)
		eqt_text_put(text, "-");
	for (; *name; name++) {
		const unsigned char byte = (unsigned char) *name;
		const char escaped[] = { '%', digits[byte >> 4],
					 digits[byte & 15] };

		if (dash || byte_is_escaped(*name))
			eqt_text_bytes(text, escaped, sizeof(escaped));
		else
			eqt_text_bytes(text, name, 1);
	}
}

static void names_put(struct eqt_text *text, const struct charge_name *names,
		      size_t count, const void *in)
{
	for (size_t i = 0; i < count; i++) {
		name_put(text, (const char *) in + names[i].at);
		eqt_text_put(text, " ");
	}
}

/* Read a byte, which may be escaped; NUL: it is not one that name_put() writes. */
static char name_byte(const char **at, const char *end)
{
	const char *p = *at;
	int high, low;

	*at += *p == '%' ? 3 : 1;
	if (*p != '%')
		return byte_is_escaped(*p) ? '\0' : *p;
	if (end - p < 3)
		return '\0';
	high = eqt_form_hex_digit(p[1]);
	low = eqt_form_hex_digit(p[2]);
	return high < 0 || low < 0 ? '\0' : (char) (high << 4 | low);
}

/* Read what name_put() writes; -1: it is another text, or too long. */
static int name_read(char out[EQT_CHARGE_NAME], struct eqt_slice piece)
{
	const bool escaped_dash = piece.end - piece.at == 3 &&
				  memcmp(piece.at, "%2d", 3) == 0;
	size_t length = 0;

	if (eqt_form_is(piece, "-")) {
		out[0] = '\0';
		return 0;
	}
	for (const char *p = piece.at; p < piece.end; length++) {
		const bool escaped = *p == '%';

		if (length == EQT_CHARGE_NAME - 1)
			return -1;
		out[length] = name_byte(&p, piece.end);
		/* Each name has exactly one text. */
		if (!out[length] ||
		    (escaped && !escaped_dash && !byte_is_escaped(out[length])))
			return -1;
	}
	out[length] = '\0';
	return length ? 0 : -1;
}

/* Read names up to the end of the line. */
static int names_read(struct eqt_slice *line, const struct charge_name *names,
		      size_t count, void *out, struct eqt_error *err)
{
	struct eqt_slice piece;

	for (size_t i = 0; i < count; i++) {
		if (!eqt_form_cut(line, ' ', &piece))
			return eqt_error_set(err, "%s: missing", names[i].name);
		if (name_read((char *) out + names[i].at, piece) < 0)
			return eqt_error_set(err, "%s: not a name",
					     names[i].name);
	}
	return line->at ? eqt_error_set(err, "too many fields") : 0;
}

/* Is it one of the letters? NUL is none. */
static bool letter_is_of(char letter, const char *letters)
{
	return letter && strchr(letters, letter);
}

/* What a reader may rely on, whoever wrote the line. The times may be the whole range of
 * 64 bits, so their differences are unsigned. */
static bool record_valid(const struct eqt_charge_record *record)
{
	return letter_is_of((char) record->kind, KINDS) &&
	       letter_is_of(record->decided, DECIDED) &&
	       letter_is_of(record->pool, POOLS) && record->unit > 0 &&
	       eqt_form_is_number(record->rate) && isfinite(record->factor) &&
	       record->start <= record->from && record->from <= record->to &&
	       record->idle_s <=
		       (uint64_t) record->to - (uint64_t) record->from;
}

/* Append the line, with its checksum and newline. */
static void record_put(struct eqt_text *text,
		       const struct eqt_charge_record *record)
{
	const struct charge_numbers numbers = {
		.from_s = (uint64_t) record->from - (uint64_t) record->start,
		.length_s = (uint64_t) record->to - (uint64_t) record->from,
		.record = *record,
	};
	const char kind = (char) record->kind;

	eqt_text_put(text, "c ");
	eqt_form_write(text, &number_form, &numbers);
	eqt_text_put(text, " ");
	eqt_text_bytes(text, &kind, 1);
	eqt_text_put(text, " ");
	eqt_form_write(text, &job_form, &numbers);
	eqt_text_put(text, " ");
	eqt_text_bytes(text, &record->decided, 1);
	eqt_text_bytes(text, &record->pool, 1);
	eqt_text_put(text, " ");
	eqt_form_write(text, &paid_form, &numbers);
	eqt_text_put(text, " ");
	names_put(text, record_names,
		  sizeof(record_names) / sizeof(record_names[0]), record);
	eqt_form_seal(text);
}

/* Copy a line that is complete to its place. */
static int line_copy(char *buf, size_t size, const struct eqt_text *text)
{
	if (text->full || text->length >= size)
		return -1;
	memcpy(buf, text->data, text->length + 1);
	return (int) text->length;
}

int eqt_charge_record_text(char *buf, size_t size,
			   const struct eqt_charge_record *record)
{
	/* Into a buffer of our own first: a failed call leaves buf alone. */
	char line[EQT_CHARGE_TEXT];
	struct eqt_text text = { .data = line, .space = sizeof(line) };

	if (!record_valid(record))
		return -1;
	record_put(&text, record);
	return line_copy(buf, size, &text);
}

/* Cut letters off the line: the first of one, the second of another set, if any. */
static int letters_read(struct eqt_slice *line, char *first, const char *of,
			char *second, const char *of_second)
{
	struct eqt_slice piece;

	if (!eqt_form_cut(line, ' ', &piece) ||
	    piece.end - piece.at != (second ? 2 : 1) ||
	    !letter_is_of(piece.at[0], of))
		return -1;
	*first = piece.at[0];
	if (!second)
		return 0;
	if (!letter_is_of(piece.at[1], of_second))
		return -1;
	*second = piece.at[1];
	return 0;
}

/* The times of a line, from the differences; -1: they do not fit. */
static int times_read(struct charge_numbers *in)
{
	struct eqt_charge_record *record = &in->record;

	if (__builtin_add_overflow(record->start, in->from_s, &record->from) ||
	    __builtin_add_overflow(record->from, in->length_s, &record->to))
		return -1;
	return record_valid(record) ? 0 : -1;
}

/* Read the fields in their order, and check what they say together. */
static int record_read(struct charge_numbers *in, struct eqt_slice line,
		       struct eqt_error *err)
{
	struct eqt_charge_record *record = &in->record;
	char kind, mark;

	if (eqt_form_unseal(&line, err) < 0)
		return -1;
	if (letters_read(&line, &mark, "c", NULL, NULL) < 0)
		return eqt_error_set(err, "expected a line that begins with c");
	if (eqt_form_read(&line, &number_form, in, err) < 0)
		return -1;
	if (letters_read(&line, &kind, KINDS, NULL, NULL) < 0)
		return eqt_error_set(err, "KIND: expected one of %s", KINDS);
	record->kind = (enum eqt_charge_kind) kind;
	if (eqt_form_read(&line, &job_form, in, err) < 0)
		return -1;
	if (letters_read(&line, &record->decided, DECIDED, &record->pool,
			 POOLS) < 0)
		return eqt_error_set(err, "PRICED: expected two letters");
	if (eqt_form_read(&line, &paid_form, in, err) < 0 ||
	    names_read(&line, record_names,
		       sizeof(record_names) / sizeof(record_names[0]), record,
		       err) < 0)
		return -1;
	return times_read(in) < 0
		       ? eqt_error_set(err, "its times or its unit are wrong")
		       : 0;
}

int eqt_charge_record_parse(struct eqt_charge_record *out, const char *line,
			    size_t length, struct eqt_error *err)
{
	struct charge_numbers in = { 0 };

	if (record_read(&in, (struct eqt_slice){ line, line + length }, err) <
	    0)
		return -1;
	*out = in.record;
	return 0;
}

int eqt_charge_head_text(char *buf, size_t size,
			 const struct eqt_charge_head *head)
{
	char line[EQT_CHARGE_TEXT];
	struct eqt_text text = { .data = line, .space = sizeof(line) };

	eqt_text_put(&text, EQT_CHARGE_MAGIC " " VERSION " ");
	names_put(&text, head_names, sizeof(head_names) / sizeof(head_names[0]),
		  head);
	eqt_form_seal(&text);
	return line_copy(buf, size, &text);
}

int eqt_charge_head_parse(struct eqt_charge_head *out, const char *line,
			  size_t length, struct eqt_error *err)
{
	struct eqt_slice span = { line, line + length }, piece;
	struct eqt_charge_head head = { .cluster = "" };

	if (eqt_form_unseal(&span, err) < 0)
		return -1;
	if (!eqt_form_cut(&span, ' ', &piece) ||
	    !eqt_form_is(piece, EQT_CHARGE_MAGIC))
		return eqt_error_set(err, "expected " EQT_CHARGE_MAGIC);
	if (!eqt_form_cut(&span, ' ', &piece) || !eqt_form_is(piece, VERSION))
		return eqt_error_set(err, "expected version " VERSION);
	if (names_read(&span, head_names,
		       sizeof(head_names) / sizeof(head_names[0]), &head,
		       err) < 0)
		return -1;
	*out = head;
	return 0;
}

double eqt_charge_record_amount(const struct eqt_charge_record *record)
{
	const double seconds =
		(double) (record->to - record->from - (int64_t) record->idle_s);

	return record->rate / (double) record->unit * record->factor * seconds;
}
