/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of the record of charges: a letter, numbers, names and a checksum. The numbers
 * are written and read by forms, as those of the journal. Times are written as
 * differences, because most lines begin with their run and few runs are long.
 */
#include <math.h>
#include <string.h>

#include "ledger/charge_record.h"
#include "ledger/form.h"

#define VERSION "1"
#define KINDS "erpshfloz"
#define DECIDED "cmudnls"
#define POOLS "cg"

/* The times of a line as differences. */
struct charge_times {
	int64_t from_s;
	uint64_t length_s;
};

#define FIELD(name, kind, member)                                      \
	{                                                              \
		name, kind, offsetof(struct eqt_charge_record, member) \
	}

/* The numbers of a line in their order, without the times. */
static const struct eqt_field job_fields[] = {
	FIELD("JOB", EQT_FIELD_U32, job_id),
	FIELD("ARRAY", EQT_FIELD_U32, array_job_id),
	FIELD("TASK", EQT_FIELD_U32, array_task_id),
	FIELD("HET", EQT_FIELD_U32, het_job_id),
	FIELD("RESTARTS", EQT_FIELD_U32, restarts),
	FIELD("START", EQT_FIELD_I64, start),
};
static const struct eqt_form job_form = EQT_FORM(' ', job_fields);

static const struct eqt_field time_fields[] = {
	{ "FROM", EQT_FIELD_I64, offsetof(struct charge_times, from_s) },
	{ "LENGTH", EQT_FIELD_U64, offsetof(struct charge_times, length_s) },
};
static const struct eqt_form time_form = EQT_FORM(' ', time_fields);

static const struct eqt_field price_fields[] = {
	FIELD("IDLE", EQT_FIELD_U64, idle_s),
	FIELD("RATE", EQT_FIELD_DOUBLE, rate),
	FIELD("FACTOR", EQT_FIELD_SIGNED, factor),
	FIELD("UNIT", EQT_FIELD_U64, unit),
	FIELD("SCALE", EQT_FIELD_U64, scale),
	FIELD("BILLING", EQT_FIELD_U64, billing),
	FIELD("ASSOC", EQT_FIELD_U32, assoc_id),
	FIELD("QOS", EQT_FIELD_U32, qos_id),
	FIELD("PART_QOS", EQT_FIELD_U32, part_qos_id),
};
static const struct eqt_form price_form = EQT_FORM(' ', price_fields);

/* The fields after the letters of the price: money and budgets. */
static const struct eqt_field paid_fields[] = {
	FIELD("MONEY", EQT_FIELD_U64, money_u),
	FIELD("PAID", EQT_FIELD_U64, paid_u),
	FIELD("ENTRY", EQT_FIELD_U64, entry),
};
static const struct eqt_form paid_form = EQT_FORM(' ', paid_fields);

static const struct eqt_field number_fields[] = {
	FIELD("NUMBER", EQT_FIELD_U64, number),
};
static const struct eqt_form number_form = EQT_FORM(' ', number_fields);

/* A name of a line or of the first line. */
struct charge_name {
	const char *name; /* the name of the field in error texts */
	size_t at;
};

static const struct charge_name record_names[EQT_CHARGE_NAMES] = {
	[EQT_CHARGE_ACCOUNT] = { "ACCOUNT",
				 offsetof(struct eqt_charge_record, account) },
	[EQT_CHARGE_USER] = { "USER",
			      offsetof(struct eqt_charge_record, user) },
	[EQT_CHARGE_PARTITION] = { "PARTITION",
				   offsetof(struct eqt_charge_record,
					    partition) },
	[EQT_CHARGE_QOS] = { "QOS_NAME",
			     offsetof(struct eqt_charge_record, qos) },
	[EQT_CHARGE_CURRENCY] = { "CURRENCY", offsetof(struct eqt_charge_record,
						       currency) },
	[EQT_CHARGE_REASON] = { "REASON",
				offsetof(struct eqt_charge_record, reason) },
};

static const struct charge_name head_names[] = {
	{ "CLUSTER", offsetof(struct eqt_charge_head, cluster) },
	{ "DAY", offsetof(struct eqt_charge_head, day) },
};

/* Append a name and a space. A long name is cut. */
static void name_put(struct eqt_text *text, const char *name)
{
	char cut[EQT_CHARGE_NAME] = "";

	if (name)
		memcpy(cut, name, strnlen(name, sizeof(cut) - 1));
	eqt_text_escape(text, cut);
	eqt_text_put(text, " ");
}

/* Read names up to the end of the line. */
static int names_read(struct eqt_slice *line, const struct charge_name *names,
		      size_t count, void *out, struct eqt_error *err)
{
	struct eqt_slice piece;

	for (size_t i = 0; i < count; i++) {
		if (!eqt_form_cut(line, ' ', &piece))
			return eqt_error_set(err, "%s: missing", names[i].name);
		if (eqt_text_unescape((char *) out + names[i].at,
				      EQT_CHARGE_NAME, piece.at, piece.end) < 0)
			return eqt_error_set(err, "%s: not a name",
					     names[i].name);
	}
	return line->at ? eqt_error_set(err, "too many fields") : 0;
}

/* Is a character one of these letters? A NUL is not. */
static bool letter_is_of(char letter, const char *letters)
{
	return letter && strchr(letters, letter);
}

/* Check the values on which readers rely. The times may span the whole range of 64
 * bits, so the length is unsigned. */
static bool record_valid(const struct eqt_charge_record *record)
{
	int64_t from_s;

	return letter_is_of((char) record->kind, KINDS) &&
	       letter_is_of(record->decided, DECIDED) &&
	       letter_is_of(record->pool, POOLS) && record->unit > 0 &&
	       eqt_form_is_number(record->rate) && isfinite(record->factor) &&
	       !__builtin_sub_overflow(record->from, record->start, &from_s) &&
	       record->from <= record->to &&
	       record->idle_s <=
		       (uint64_t) record->to - (uint64_t) record->from;
}

bool eqt_charge_record_put(struct eqt_text *text,
			   const struct eqt_charge_record *record,
			   const char *const name[EQT_CHARGE_NAMES])
{
	const struct charge_times times = {
		.from_s = (int64_t) ((uint64_t) record->from -
				     (uint64_t) record->start),
		.length_s = (uint64_t) record->to - (uint64_t) record->from,
	};
	const char kind[] = { ' ', (char) record->kind, ' ' };
	const char priced[] = { ' ', record->decided, record->pool, ' ' };
	/* Begin a text of the line alone, because the checksum begins with the line. */
	struct eqt_text line = { .data = text->data + text->length,
				 .space = text->space - text->length };

	if (!record_valid(record))
		return false;
	eqt_text_put(&line, "c ");
	eqt_form_write(&line, &number_form, record);
	eqt_text_bytes(&line, kind, sizeof(kind));
	eqt_form_write(&line, &job_form, record);
	eqt_text_put(&line, " ");
	eqt_form_write(&line, &time_form, &times);
	eqt_text_put(&line, " ");
	eqt_form_write(&line, &price_form, record);
	eqt_text_bytes(&line, priced, sizeof(priced));
	eqt_form_write(&line, &paid_form, record);
	eqt_text_put(&line, " ");
	for (int i = 0; i < EQT_CHARGE_NAMES; i++)
		name_put(&line, name[i]);
	eqt_form_seal(&line);
	if (!line.full)
		text->length += line.length;
	return !line.full;
}

bool eqt_charge_file_is_of_day(const char *name)
{
	const char *day = name + sizeof(EQT_CHARGE_FILE) - 1;

	return strncmp(name, EQT_CHARGE_FILE, sizeof(EQT_CHARGE_FILE) - 1) ==
		       0 &&
	       strspn(day, "0123456789-") == EQT_CHARGE_FILE_DAY &&
	       (day[EQT_CHARGE_FILE_DAY] == '\0' ||
		strcmp(day + EQT_CHARGE_FILE_DAY, EQT_CHARGE_FILE_ENDING) == 0);
}

/* Cut a field of one letter off the line, or of two letters if second is not NULL. */
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

/* Compute the times of a line from the differences. Return -1 if they do not fit 64
 * bits. */
static int times_set(struct eqt_charge_record *record,
		     const struct charge_times *in)
{
	if (__builtin_add_overflow(record->start, in->from_s, &record->from) ||
	    __builtin_add_overflow(record->from, in->length_s, &record->to))
		return -1;
	return record_valid(record) ? 0 : -1;
}

/* Read the fields in their order, and check their combination. */
static int record_read(struct eqt_charge_record *record, struct eqt_slice line,
		       struct eqt_error *err)
{
	struct charge_times times;
	char kind, mark;

	if (eqt_form_unseal(&line, err) < 0)
		return -1;
	if (letters_read(&line, &mark, "c", NULL, NULL) < 0)
		return eqt_error_set(err, "expected a line that begins with c");
	if (eqt_form_read(&line, &number_form, record, err) < 0)
		return -1;
	if (letters_read(&line, &kind, KINDS, NULL, NULL) < 0)
		return eqt_error_set(err, "KIND: expected one of %s", KINDS);
	record->kind = (enum eqt_charge_kind) kind;
	if (eqt_form_read(&line, &job_form, record, err) < 0 ||
	    eqt_form_read(&line, &time_form, &times, err) < 0 ||
	    eqt_form_read(&line, &price_form, record, err) < 0)
		return -1;
	if (letters_read(&line, &record->decided, DECIDED, &record->pool,
			 POOLS) < 0)
		return eqt_error_set(err, "PRICED: expected two letters");
	if (eqt_form_read(&line, &paid_form, record, err) < 0 ||
	    names_read(&line, record_names, EQT_CHARGE_NAMES, record, err) < 0)
		return -1;
	return times_set(record, &times) < 0
		       ? eqt_error_set(err, "its times or its unit are wrong")
		       : 0;
}

int eqt_charge_record_parse(struct eqt_charge_record *out, const char *line,
			    size_t length, struct eqt_error *err)
{
	struct eqt_charge_record in = { 0 };

	if (record_read(&in, (struct eqt_slice){ line, line + length }, err) <
	    0)
		return -1;
	*out = in;
	return 0;
}

int eqt_charge_head_text(char *buf, size_t size,
			 const struct eqt_charge_head *head)
{
	struct eqt_text text = { .data = buf, .space = size };

	eqt_text_put(&text, EQT_CHARGE_MAGIC " " VERSION " ");
	name_put(&text, head->cluster);
	name_put(&text, head->day);
	eqt_form_seal(&text);
	return text.full ? -1 : (int) text.length;
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

bool eqt_charge_record_is_unread(const struct eqt_charge_record *record)
{
	return !record->entry && strcmp(record->reason, EQT_CHARGE_UNREAD) == 0;
}
