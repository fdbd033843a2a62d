/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/text.h"
#include "budget/entry.h"

/* A member of struct eqt_entry that a line contains. It is a number if size is 0, and
 * otherwise a text. */
struct entry_field {
	size_t at;
	size_t size;
};

#define NUMBER(member)                                 \
	{                                              \
		offsetof(struct eqt_entry, member), 0, \
	}
#define TEXT(member)                                              \
	{                                                         \
		offsetof(struct eqt_entry, member),               \
			sizeof(((struct eqt_entry *) 0)->member), \
	}

#define TERMS                                                            \
	TEXT(state.terms.account), TEXT(state.terms.user),               \
		NUMBER(state.terms.pool), NUMBER(state.terms.way),       \
		TEXT(state.terms.bonus), NUMBER(state.terms.amount_u),   \
		NUMBER(state.terms.start), NUMBER(state.terms.end),      \
		NUMBER(state.terms.every), NUMBER(state.terms.refill_u), \
		NUMBER(state.terms.carry), TEXT(state.terms.dates),      \
		NUMBER(state.next)

static const struct entry_field fields_base[] = { NUMBER(budget), NUMBER(job) };
static const struct entry_field fields_budget[] = {
	NUMBER(state.id),	    TERMS,
	NUMBER(state.committed_u),  NUMBER(state.amount_u),
	NUMBER(state.spent_u),	    NUMBER(state.refunded_u),
	NUMBER(state.overrun_u),    NUMBER(state.granted),
	NUMBER(state.period),	    NUMBER(state.notified),
	NUMBER(state.closed),	    NUMBER(state.lifted),
	TEXT(state.terms.clusters), NUMBER(state.terms.joint),
};
static const struct entry_field fields_job[] = { NUMBER(job), NUMBER(tasks),
						 NUMBER(until), NUMBER(run),
						 NUMBER(settled_u) };
static const struct entry_field fields_grant[] = { NUMBER(request),
						   NUMBER(budget),
						   TERMS,
						   TEXT(who),
						   TEXT(why),
						   TEXT(state.terms.clusters),
						   NUMBER(state.terms.joint),
						   NUMBER(state.amount_u) };
static const struct entry_field fields_transfer[] = {
	NUMBER(request),  NUMBER(budget), NUMBER(other),
	NUMBER(amount_u), TEXT(who),	  TEXT(why)
};
static const struct entry_field fields_refund[] = { NUMBER(request),
						    NUMBER(job), TEXT(who),
						    TEXT(why) };
static const struct entry_field fields_close[] = {
	NUMBER(request), NUMBER(budget), NUMBER(amount_u), TEXT(who), TEXT(why)
};
static const struct entry_field fields_refill[] = {
	NUMBER(budget), NUMBER(amount_u), NUMBER(lapse_u), NUMBER(next)
};
static const struct entry_field fields_notify[] = { NUMBER(request),
						    NUMBER(budget),
						    NUMBER(amount_u) };
static const struct entry_field fields_peer[] = {
	NUMBER(peer.budget),	TEXT(peer.cluster), NUMBER(peer.sent),
	NUMBER(peer.transit_u), NUMBER(peer.next),  NUMBER(peer.received),
	NUMBER(peer.received_u)
};
/* The three steps of a transfer between clusters have the same fields. */
static const struct entry_field fields_send[] = {
	NUMBER(request),  NUMBER(budget), TEXT(peer.cluster), NUMBER(number),
	NUMBER(amount_u), NUMBER(next),	  TEXT(who),	      TEXT(why)
};
static const struct entry_field fields_split[] = { NUMBER(job), NUMBER(other) };
static const struct entry_field fields_settle[] = {
	NUMBER(job), NUMBER(tasks), NUMBER(until),     NUMBER(overrun_u),
	TEXT(why),   NUMBER(run),   NUMBER(settled_u),
};

/* `late` is the number of fields at the end that the last release does not write. If
 * `joint` is true, these fields are written only for a joint grant, so that the last
 * release can read all other lines. */
#define KIND_OF(word, fields, late, joint)                                  \
	{                                                                   \
		word, fields, sizeof(fields) / sizeof(*fields), late, joint \
	}
#define KIND_LATE(word, fields, late) KIND_OF(word, fields, late, false)
#define KIND(word, fields) KIND_LATE(word, fields, 0)

static const struct entry_kind {
	const char *word;
	const struct entry_field *field;
	size_t count;
	size_t late;
	bool joint;
} kinds[EQT_ENTRY_KINDS] = {
	[EQT_ENTRY_BASE] = KIND("base", fields_base),
	[EQT_ENTRY_BUDGET] = KIND_OF("budget", fields_budget, 2, true),
	[EQT_ENTRY_PEER] = KIND("peer", fields_peer),
	[EQT_ENTRY_JOB] = KIND_LATE("job", fields_job, 2),
	[EQT_ENTRY_GRANT] = KIND_OF("grant", fields_grant, 3, true),
	[EQT_ENTRY_TRANSFER] = KIND("transfer", fields_transfer),
	[EQT_ENTRY_REFUND] = KIND("refund", fields_refund),
	[EQT_ENTRY_CLOSE] = KIND("close", fields_close),
	[EQT_ENTRY_REFILL] = KIND("refill", fields_refill),
	[EQT_ENTRY_NOTIFY] = KIND("notify", fields_notify),
	[EQT_ENTRY_SEND] = KIND("send", fields_send),
	[EQT_ENTRY_RECEIVE] = KIND("receive", fields_send),
	[EQT_ENTRY_ARRIVED] = KIND("arrived", fields_send),
	[EQT_ENTRY_COMMIT] = KIND_LATE("commit", fields_job, 2),
	[EQT_ENTRY_SPLIT] = KIND("split", fields_split),
	[EQT_ENTRY_SETTLE] = KIND_LATE("settle", fields_settle, 2),
};

const char *eqt_entry_word(enum eqt_entry_kind kind)
{
	return kinds[kind].word;
}

static void line_put_number(struct eqt_text *line, const char *before,
			    uint64_t number)
{
	eqt_text_put(line, before);
	eqt_text_whole(line, number);
}

static void line_put_parts(struct eqt_text *line, const struct eqt_entry *entry)
{
	for (uint64_t i = 0; i < entry->parts; i++) {
		const struct eqt_entry_part *part = &entry->part[i];

		line_put_number(line, " ", part->budget);
		line_put_number(line, ":", part->taken_u);
		line_put_number(line, ":", part->spent_u);
		line_put_number(line, ":", part->period);
	}
}

/* The checksum continues that of the previous line, so that a missing line is
 * detected. */
static uint32_t entry_crc(uint32_t crc, const char *text, size_t length)
{
	return (uint32_t) crc32(crc, (const Bytef *) text, (uInt) length);
}

/* The table of a kind lists its members in the order in which a line has them. */
int eqt_entry_body(const struct eqt_entry *entry, char *text, size_t space)
{
	const struct entry_kind *kind = &kinds[entry->kind];
	const size_t count = kind->joint && !entry->state.terms.joint
				     ? kind->count - kind->late
				     : kind->count;
	struct eqt_text line = { .data = text, .space = space };

	eqt_text_put(&line, kind->word);
	line_put_number(&line, " ", entry->when);
	for (size_t i = 0; i < count; i++) {
		const char *at = (const char *) entry + kind->field[i].at;

		eqt_text_put(&line, " ");
		if (kind->field[i].size)
			eqt_text_escape(&line, at);
		else
			eqt_text_whole(&line,
				       *(const uint64_t *) (const void *) at);
	}
	line_put_parts(&line, entry);
	return line.full ? -1 : (int) line.length;
}

int eqt_entry_seal(uint64_t seq, uint32_t *crc, char *text, size_t length,
		   size_t space)
{
	struct eqt_text line = { .data = text,
				 .space = space,
				 .length = length };
	uint32_t sum;
	char tail[16];

	line_put_number(&line, " ", seq);
	sum = entry_crc(*crc, text, line.length);
	(void) snprintf(tail, sizeof(tail), " %08" PRIx32 "\n", sum);
	eqt_text_put(&line, tail);
	if (line.full)
		return -1;
	*crc = sum;
	return (int) line.length;
}

/* The state of reading a line. */
struct entry_words {
	const char *at;
	/* The blank before the checksum, which ends the last word. */
	const char *end;
};

/* Read a separator and the number after it. */
static int words_number(struct entry_words *words, char before, uint64_t *out)
{
	if (words->at >= words->end || *words->at != before)
		return -1;
	words->at++;
	return eqt_digits_read(out, &words->at, words->end);
}

static int words_text(struct entry_words *words, char *out, size_t size)
{
	const char *word;

	if (words->at >= words->end || *words->at != ' ')
		return -1;
	word = ++words->at;
	words->at += strcspn(word, " ");
	return eqt_text_unescape(out, size, word, words->at);
}

/* Read the parts, which have a number and ':', and then the number of the entry. */
static int words_parts(struct entry_words *words, struct eqt_entry *entry)
{
	for (;;) {
		struct eqt_entry_part *part;
		uint64_t number;

		if (words_number(words, ' ', &number) < 0)
			return -1;
		if (words->at == words->end) {
			entry->seq = number;
			return 0;
		}
		if (entry->parts == EQT_ENTRY_PARTS)
			return -1;
		part = &entry->part[entry->parts++];
		part->budget = number;
		if (words_number(words, ':', &part->taken_u) < 0 ||
		    words_number(words, ':', &part->spent_u) < 0 ||
		    words_number(words, ':', &part->period) < 0)
			return -1;
	}
}

/* The parts and the number of the entry follow the fields, so that reading fails if a
 * line was written with fewer fields. */
static int entry_read_fields(struct eqt_entry *entry, struct entry_words *words,
			     size_t count)
{
	const struct entry_kind *kind = &kinds[entry->kind];

	if (words_number(words, ' ', &entry->when) < 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		char *at = (char *) entry + kind->field[i].at;
		int rc = kind->field[i].size
				 ? words_text(words, at, kind->field[i].size)
				 : words_number(words, ' ',
						(uint64_t *) (void *) at);

		if (rc < 0)
			return -1;
	}
	return words_parts(words, entry);
}

static int entry_read(struct eqt_entry *entry, struct entry_words *words)
{
	const struct entry_kind *kind = &kinds[entry->kind];
	const struct eqt_entry empty = { .kind = entry->kind };
	const struct entry_words before = *words;

	if (entry_read_fields(entry, words, kind->count) == 0)
		return 0;
	*entry = empty;
	*words = before;
	return kind->late ? entry_read_fields(entry, words,
					      kind->count - kind->late)
			  : -1;
}

static int entry_read_kind(struct eqt_entry *entry, struct entry_words *words)
{
	size_t length = strcspn(words->at, " ");

	for (int i = 0; i < EQT_ENTRY_KINDS; i++) {
		if (strlen(kinds[i].word) == length &&
		    strncmp(kinds[i].word, words->at, length) == 0) {
			entry->kind = (enum eqt_entry_kind) i;
			words->at += length;
			return 0;
		}
	}
	return -1;
}

/* The checksum is checked first, so that only a text of eqt_entry_seal() is parsed. */
int eqt_entry_parse(struct eqt_entry *entry, uint32_t *crc, const char *line,
		    struct eqt_error *err)
{
	size_t length = strcspn(line, "\n");
	struct entry_words words = { line, line };
	uint32_t sum, told;
	char *end;

	memset(entry, 0, sizeof(*entry));
	if (length < 10 || length >= EQT_ENTRY_TEXT || line[length - 9] != ' ')
		return eqt_error_set(err, "the line is cut");
	told = (uint32_t) strtoul(line + length - 8, &end, 16);
	sum = entry_crc(*crc, line, length - 9);
	if (end != line + length || told != sum)
		return eqt_error_set(err, "the checksum differs");
	words.end = line + length - 9;
	if (entry_read_kind(entry, &words) < 0)
		return eqt_error_set(err, "unknown kind of entry");
	if (entry_read(entry, &words) < 0)
		return eqt_error_set(err, "malformed entry");
	*crc = sum;
	return 0;
}
