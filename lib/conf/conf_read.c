/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read equitree.conf in one pass, token by token. keys.c lists all keys. Each value is
 * stored as soon as it is read, at the offset in the row of its key. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf/conf.h"
#include "base/spelling.h"
#include "base/text.h"
#include "conf/conf_lines.h"
#include "conf/keys.h"
#include "conf/section.h"
#include "conf/source.h"

/* ---- Local disk ---------------------------------------------------------------------
 * The local disk of bundles, and of partitions that have a bundle of their own. A site
 * counts local disk in bytes ("Gres=jobfs:400G") or in a unit of its own
 * ("Gres=jobfs:400"). Bytes are converted to MiB, so that the numbers in fractions stay
 * small. */

#define MIB_SHIFT 20

/* Find the local disk of the i-th bundle or partition: its amount, and its rate if it
 * has terms. Return false after the last one. */
static bool disk_at(struct eqt_conf *conf, uint32_t i, uint64_t **amount,
		    struct eqt_frac **rate)
{
	const uint32_t bundles = conf->prices.gpu_count;

	if (i == 0) {
		*amount = &conf->prices.cores.disk;
		*rate = &conf->cores_terms.rate[EQT_DISK];
	} else if (i <= bundles) {
		*amount = &conf->gpu[i - 1].disk;
		*rate = &conf->gpu_terms[i - 1].rate[EQT_DISK];
	} else if (i - bundles <= conf->partitions.count) {
		i -= bundles + 1;
		*amount = &conf->partitions.rule[i].disk;
		*rate = &conf->partition_terms[i].rate[EQT_DISK];
	} else {
		return false;
	}
	return true;
}

/* Convert counts of bytes to MiB. Amounts without a rate are rounded up. */
static void disk_shift(struct eqt_conf *conf)
{
	struct eqt_frac *rate;
	uint64_t *amount;

	for (uint32_t i = 0; disk_at(conf, i, &amount, &rate); i++) {
		*amount = eqt_bundle_table_disk(*amount, MIB_SHIFT);
		/* No bit is lost, because the caller has checked that the rates are in
		 * whole MiB. */
		if (rate->den > 0)
			rate->den >>= MIB_SHIFT;
	}
}

/*
 * At the end of the file, check that local_disk names the GRES if a bundle counts disk.
 * Also convert Slurm's counts to those of the bundle table. Return 0, or -1 with the
 * source's error set.
 */
static int local_disk_close(struct eqt_conf *conf, struct eqt_source *source)
{
	struct eqt_bundle_table *prices = &conf->prices;
	const uint64_t mib = UINT64_C(1) << MIB_SHIFT;
	uint64_t rest = 0, most = 0, *amount;
	struct eqt_frac *rate;

	for (uint32_t i = 0; disk_at(conf, i, &amount, &rate); i++) {
		/* An amount that follows from a rate may be rounded. */
		rest |= (rate->den > 0 ? rate->den : *amount) % mib;
		most = *amount > most ? *amount : most;
	}
	if ((most > 0) != (conf->local_disk[0] != '\0'))
		return eqt_source_refuse(source, "missing key \"%s\"",
					 most > 0 ? "local_disk" : "disk");
	if (most == 0)
		return 0;
	prices->disk_gres = conf->local_disk;
	prices->disk_shift = rest == 0 ? MIB_SHIFT : 0;
	if (most >> prices->disk_shift > EQT_DISK_MAX)
		return eqt_source_refuse(
			source, "disk: expected whole MiB, or counts up to 8T");
	if (prices->disk_shift > 0)
		disk_shift(conf);
	return 0;
}

/* ---- The file ------------------------------------------------------------- */

/* The names of the sections, and the functions that add a closed section. */
static const struct {
	const char *name;
	int (*add)(struct eqt_section *section, const char *name);
} sections[EQT_CONF_PLACES] = {
	[EQT_CONF_BUNDLE] = { "bundle", eqt_section_add_bundle },
	[EQT_CONF_PARTITION] = { "partition", eqt_section_add_partition },
	[EQT_CONF_QOS] = { "qos", eqt_section_add_qos },
	[EQT_CONF_POOL] = { "pool", eqt_section_add_pool },
	[EQT_CONF_GRANT] = { "grant", eqt_section_add_grant },
	[EQT_CONF_RESERVATION] = { "reservation", eqt_section_add_reservation },
	[EQT_CONF_TERM] = { "term", NULL },
	[EQT_CONF_PRIORITY] = { "priority", eqt_section_add_priority },
	[EQT_CONF_BUDGET] = { "budget", eqt_section_add_budget },
	[EQT_CONF_CHARGES] = { "charges", eqt_section_add_charges },
};

/* The longest value of several words, in bytes, with a NUL. */
#define JOINED 256

/* The state of reading a file. */
struct reader {
	struct eqt_source source;
	struct eqt_conf *conf;
	/* The section that is open or comes next. It has the keys of all kinds of
	 * sections. */
	struct eqt_section section;
	bool seen[EQT_CONF_KEYS_MAX];
	/* A function that is called for each section and key, or NULL. */
	eqt_conf_visitor *visitor;
	void *with;
	const char *open[2]; /* the kind and the name of the open section */
};

static void reader_visit(const struct reader *reader, const char *key)
{
	if (reader->visitor)
		reader->visitor(reader->with, reader->open[0], reader->open[1],
				key, reader->source.line);
}

/* Store a value at the offset of its row, in the configuration or in the section. */
static int key_row_read(struct reader *reader, const struct eqt_conf_key *row,
			const char *text)
{
	const struct eqt_value value = { text, row->min, row->max, row->words,
					 &reader->conf->prices };
	void *base = row->places & EQT_CONF_IN(EQT_CONF_TOP)
			     ? (void *) reader->conf
			     : &reader->section;

	return row->kind(&value, (char *) base + row->at);
}

/* Begin the file (if top is true) or the next section, whose kind is not yet known:
 * mark its keys as not seen, and set their defaults. */
static void places_begin(struct reader *reader, bool top)
{
	if (!top)
		reader->section = (struct eqt_section){
			.source = &reader->source,
			.conf = reader->conf,
		};
	for (size_t i = 0; i < eqt_conf_key_count; i++) {
		if (((eqt_conf_keys[i].places & EQT_CONF_IN(EQT_CONF_TOP)) !=
		     0) != top)
			continue;
		reader->seen[i] = false;
		if (eqt_conf_keys[i].without)
			(void) key_row_read(reader, &eqt_conf_keys[i],
					    eqt_conf_keys[i].without);
	}
}

/* Return the row of a key at a place. A key such as "cores" has one row for bundles and
 * another for partitions. */
static const struct eqt_conf_key *key_row_find(const char *key,
					       enum eqt_conf_place place)
{
	for (size_t i = 0; i < eqt_conf_key_count; i++) {
		if ((eqt_conf_keys[i].places & EQT_CONF_IN(place)) &&
		    strcmp(eqt_conf_keys[i].key, key) == 0)
			return &eqt_conf_keys[i];
	}
	return NULL;
}

/* Return the kind of the section with this name, or EQT_CONF_TOP if there is none. */
static enum eqt_conf_place place_find(const char *name)
{
	for (int i = EQT_CONF_TOP + 1; i < EQT_CONF_PLACES; i++) {
		if (sections[i].add && strcmp(sections[i].name, name) == 0)
			return (enum eqt_conf_place) i;
	}
	return EQT_CONF_TOP;
}

/* Return the key or section with the most similar name that is allowed at this place,
 * or NULL. */
static const char *nearest_key(const char *key, enum eqt_conf_place place)
{
	struct eqt_spelling spelling = { .word = key, .length = strlen(key) };

	for (size_t i = 0; i < eqt_conf_key_count; i++) {
		if (eqt_conf_keys[i].places & EQT_CONF_IN(place))
			eqt_spelling_try(&spelling, eqt_conf_keys[i].key);
	}
	for (size_t i = EQT_CONF_TOP + 1;
	     place == EQT_CONF_TOP && i < EQT_CONF_PLACES; i++) {
		if (sections[i].add)
			eqt_spelling_try(&spelling, sections[i].name);
	}
	return spelling.nearest;
}

static int key_refuse(struct reader *reader, enum eqt_conf_place place,
		      const char *key)
{
	const char *nearest = nearest_key(key, place);

	/* A section inside of a section means that a brace is missing. */
	if (place != EQT_CONF_TOP && place_find(key) != EQT_CONF_TOP)
		return eqt_source_refuse(&reader->source,
					 "missing \"}\" before section \"%s\"",
					 key);
	return eqt_source_refuse(
		&reader->source, "unknown key \"%s\"%s%s%s%s%s", key,
		place == EQT_CONF_TOP ? "" : " in section ",
		place == EQT_CONF_TOP ? "" : sections[place].name,
		nearest ? ", did you mean \"" : "", nearest ? nearest : "",
		nearest ? "\"?" : "");
}

/* Read the next token, which must be `token`. `after` is the word before the token, for
 * the error text. */
static int token_expect(struct reader *reader, int token, const char *wanted,
			const char *after)
{
	int found = eqt_source_next(&reader->source);

	if (found == token)
		return 0;
	/* If eqt_source_next() has set an error, that error remains. */
	return eqt_source_refuse(&reader->source, "expected %s after \"%s\"",
				 wanted, after);
}

/* Join a value of three words, such as "0.1 per G" or "0.6 from 1024". Other values
 * leave `joined` empty. */
static int value_join(struct reader *reader, const char *value,
		      const char *between, char joined[JOINED])
{
	struct eqt_source *source = &reader->source;
	const int line = source->line, token = eqt_source_next(source);

	joined[0] = '\0';
	if (token != EQT_TOKEN_WORD || strcmp(source->word, between) != 0) {
		eqt_source_unread(source, token, line);
		return token == EQT_TOKEN_BAD ? -1 : 0;
	}
	if (token_expect(reader, EQT_TOKEN_WORD, "an amount", between) < 0)
		return -1;
	(void) snprintf(joined, JOINED, "%.64s %s %.24s", value, between,
			source->word);
	return 0;
}

/* Join a value of all words up to the end of the line. */
static int value_join_line(struct reader *reader, const char *value,
			   char joined[JOINED])
{
	struct eqt_source *source = &reader->source;
	struct eqt_text text = { .data = joined, .space = JOINED };
	const int line = source->line;
	int token;

	eqt_text_put(&text, value);
	while ((token = eqt_source_next(source)) == EQT_TOKEN_WORD &&
	       source->line == line) {
		eqt_text_put(&text, " ");
		eqt_text_put(&text, source->word);
	}
	if (token == EQT_TOKEN_BAD)
		return -1;
	eqt_source_unread(source, token, line);
	return text.full ? eqt_source_refuse(source, "the value is too long")
			 : 0;
}

/* Read "key = value". */
static int key_read(struct reader *reader, enum eqt_conf_place place,
		    const char *key)
{
	const struct eqt_conf_key *row = key_row_find(key, place);
	char joined[JOINED];
	const char *text, *between = NULL;

	if (!row)
		return key_refuse(reader, place, key);
	if (reader->seen[row - eqt_conf_keys])
		return eqt_source_refuse(&reader->source,
					 "duplicate key \"%s\"", key);
	reader->seen[row - eqt_conf_keys] = true;
	reader_visit(reader, key);
	if (token_expect(reader, '=', "\"=\"", key) < 0 ||
	    token_expect(reader, EQT_TOKEN_WORD, "a value", "=") < 0)
		return -1;
	text = reader->source.word;
	joined[0] = '\0';
	/* The word before the second part of a value, for keys whose values have two
	 * parts. */
	if (row->kind == eqt_value_big || row->kind == eqt_value_then)
		between = "from";
	else if (row->places & EQT_CONF_IN(EQT_CONF_TERM))
		between = "per";
	if (row->kind == eqt_value_week
		    ? value_join_line(reader, text, joined) < 0
		    : between && value_join(reader, text, between, joined) < 0)
		return -1;
	if (joined[0] != '\0')
		text = joined;
	if (key_row_read(reader, row, text) < 0)
		return eqt_source_refuse(&reader->source,
					 "%s = \"%s\": expected %s", key, text,
					 row->wanted);
	return 0;
}

static int keys_read(struct reader *reader, enum eqt_conf_place place);

/* Read "term { keys }". */
static int term_read(struct reader *reader)
{
	const int opened = reader->source.line;
	int token;

	if (eqt_section_open_term(&reader->section) < 0 ||
	    token_expect(reader, '{', "\"{\"", "term") < 0)
		return -1;
	token = keys_read(reader, EQT_CONF_TERM);
	if (token == EQT_TOKEN_END) {
		reader->source.line = opened;
		return eqt_source_refuse(&reader->source,
					 "section \"term\" is not closed");
	}
	if (token != '}')
		return eqt_source_refuse(&reader->source, "unexpected \"%c\"",
					 token);
	return eqt_section_close_term(&reader->section);
}

/* Read keys. Return the token after the last one, or EQT_TOKEN_BAD for an error. */
static int keys_read(struct reader *reader, enum eqt_conf_place place)
{
	int token;

	while ((token = eqt_source_next(&reader->source)) == EQT_TOKEN_WORD) {
		const bool priced = place == EQT_CONF_BUNDLE ||
				    place == EQT_CONF_PARTITION;

		if (priced && strcmp(reader->source.word, "term") == 0
			    ? term_read(reader) < 0
			    : key_read(reader, place, reader->source.word) < 0)
			return -1;
	}
	return token;
}

/* Read a section: its kind, its name and "{ keys }". */
static int section_read(struct reader *reader, enum eqt_conf_place place)
{
	const char *kind = sections[place].name, *name = kind;
	int opened = reader->source.line, token;

	reader->open[0] = kind;
	if (place < EQT_CONF_PRIORITY) {
		if (token_expect(reader, EQT_TOKEN_WORD, "a name", kind) < 0)
			return -1;
		name = reader->open[1] = reader->source.word;
	}
	if (token_expect(reader, '{', "\"{\"", name) < 0)
		return -1;
	reader_visit(reader, "");
	token = keys_read(reader, place);
	if (token == EQT_TOKEN_END) {
		/* The error names the line where the section begins, because the end of
		 * the file would not help. */
		reader->source.line = opened;
		return eqt_source_refuse(&reader->source,
					 "section \"%s\" is not closed", kind);
	}
	if (token != '}')
		return eqt_source_refuse(&reader->source, "unexpected \"%c\"",
					 token);
	if (sections[place].add(&reader->section, name) < 0)
		return -1;
	places_begin(reader, false);
	reader->open[0] = reader->open[1] = "";
	return 0;
}

/* Read keys and sections up to the end of the file. */
static int items_read(struct reader *reader)
{
	int token;

	while ((token = eqt_source_next(&reader->source)) == EQT_TOKEN_WORD) {
		const char *word = reader->source.word;
		enum eqt_conf_place place = place_find(word);

		if (place == EQT_CONF_TOP
			    ? key_read(reader, EQT_CONF_TOP, word) < 0
			    : section_read(reader, place) < 0)
			return -1;
	}
	if (token != EQT_TOKEN_END)
		return eqt_source_refuse(&reader->source, "unexpected \"%c\"",
					 token);
	/* The errors from here on belong to no line. */
	reader->source.line = 0;
	if (reader->conf->prices.cores.name[0] == '\0')
		return eqt_source_refuse(&reader->source,
					 "missing bundle \"cores\"");
	if (local_disk_close(reader->conf, &reader->source) < 0)
		return -1;
	if (reader->conf->week.count > 0)
		reader->conf->prices.week = &reader->conf->week;
	eqt_bundle_table_link(reader->conf->gpu,
			      reader->conf->prices.gpu_count);
	return 0;
}

static const struct eqt_conf *conf_parse(const char *name, char *text,
					 eqt_conf_visitor *visitor, void *with,
					 struct eqt_error *err)
{
	struct reader reader = { .source.path = name,
				 .visitor = visitor,
				 .with = with,
				 .open = { "", "" } };
	int rc = -1;

	reader.conf = calloc(1, sizeof(*reader.conf));
	if (reader.conf) {
		eqt_source_begin(&reader.source, text);
		reader.conf->prices.gpu = reader.conf->gpu;
		places_begin(&reader, true);
		places_begin(&reader, false);
		/* The defaults of the sections priority, budget and charges, for a file
		 * without them. */
		reader.conf->priority = reader.section.priority;
		reader.conf->budget = reader.section.budget;
		reader.conf->charges = reader.section.charges;
		rc = items_read(&reader);
	}
	if (rc == 0)
		return reader.conf;
	/* If another error was set, that error remains. */
	(void) eqt_source_refuse(&reader.source, "out of memory");
	(void) eqt_error_set(err, "%s", reader.source.error.text);
	free(reader.conf);
	return NULL;
}

const struct eqt_conf *eqt_conf_parse(const char *name, char *text,
				      struct eqt_error *err)
{
	return conf_parse(name, text, NULL, NULL, err);
}

void eqt_conf_visit(const char *path, eqt_conf_visitor *visitor, void *with)
{
	struct eqt_error err;
	char *text = eqt_conf_text(path, &err);

	if (text)
		eqt_conf_free(conf_parse(path, text, visitor, with, &err));
	free(text);
}

char *eqt_conf_text(const char *path, struct eqt_error *err)
{
	struct eqt_source source = { .path = path };
	char *text = eqt_source_load(&source);

	if (!text)
		(void) eqt_error_set(err, "%s", source.error.text);
	return text;
}

void eqt_conf_text_strip(char *text)
{
	eqt_source_strip(text);
}

const struct eqt_conf *eqt_conf_read(const char *path, struct eqt_error *err)
{
	char *text = eqt_conf_text(path, err);
	const struct eqt_conf *conf = NULL;

	if (text)
		conf = eqt_conf_parse(path, text, err);
	free(text);
	return conf;
}

/* ---- The prices for one job, from what was read
 * ------------------------------------ */

const struct eqt_conf_reservation *eqt_conf_reservation_find(
	const struct eqt_conf *conf, const char *name)
{
	for (uint32_t i = 0; i < conf->reservations; i++) {
		if (eqt_grant_pattern_fits(conf->reservation[i].name, name))
			return &conf->reservation[i];
	}
	return NULL;
}

void eqt_conf_prices(struct eqt_bundle_table *out, const struct eqt_conf *conf,
		     const char *partition, const char *qos)
{
	*out = conf->prices;
	if (partition)
		eqt_rule_apply(out,
			       eqt_rules_find(&conf->partitions, partition,
					      strlen(partition)),
			       EQT_CHARGE_FACTOR_PARTITION);
	if (qos)
		eqt_rule_apply(out,
			       eqt_rules_find(&conf->qos, qos, strlen(qos)),
			       EQT_CHARGE_FACTOR_QOS);
}

/* The struct is one block. The cast removes the const that is meant for all other
 * users. */
void eqt_conf_free(const struct eqt_conf *conf)
{
	free((void *) (uintptr_t) conf);
}
