/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads equitree.conf in one pass, token by token. The schema table lists all keys;
 * each value is stored as soon as it is read, at the offset that its row gives.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/spelling.h"
#include "conf/conf.h"
#include "conf/local_disk.h"
#include "conf/section.h"
#include "conf/source.h"
#include "conf/value.h"
#include "conf/words.h"

/* Where keys may be: at the top, or in a section. */
enum place {
	TOP,
	BUNDLE,
	PARTITION,
	QOS,
	POOL,
	GRANT,
	PRIORITY,
	BUDGET,
	PLACES
};

/* The sections: their names, and the function that adds a closed one. */
static const struct {
	const char *name;
	int (*add)(struct eqt_section *section, const char *name);
} sections[PLACES] = {
	[BUNDLE] = { "bundle", eqt_section_add_bundle },
	[PARTITION] = { "partition", eqt_section_add_partition },
	[QOS] = { "qos", eqt_section_add_qos },
	[POOL] = { "pool", eqt_section_add_pool },
	[GRANT] = { "grant", eqt_section_add_grant },
	[PRIORITY] = { "priority", eqt_section_add_priority },
	[BUDGET] = { "budget", eqt_section_add_budget },
};

#define IN(place) (1U << (place))

/* One key: its reader, its destination, its bounds. */
struct row {
	const char *key;
	int (*kind)(const struct eqt_value *value, void *at);
	unsigned int places;
	size_t at; /* offset in struct eqt_conf or struct eqt_section */
	const char *without; /* the default; NULL: zero */
	uint64_t min, max; /* words have none */
	const char *wanted; /* "expected ..."; says min and max too */
	const char *const *words; /* of a word, in the order of its enum */
};

#define TOP_AT(member) offsetof(struct eqt_conf, member)
#define AT(member) offsetof(struct eqt_section, member)
#define MILLION UINT64_C(1000000)
#define MEMORY_MAX ((UINT64_C(1) << 30) * EQT_MICRO)
#define NUMBER_WANTED \
	"a number above 0, up to 1000000, with at most six decimals"
#define NUMBER_OR_0_WANTED \
	"a number from 0 to 1000000, with at most six decimals"

#define DISK_MAX (UINT64_C(1) << 50)
#define DISK_WANTED "a count of the GRES such as 25G, from 1 to 1024T"
#define MEMORY_WANTED "an amount such as 4000M or 62.5G, up to 1024T"
/* Slurm's priorities have 32 bits, their site factor 31 and a sign. */
#define WEIGHT_MAX UINT64_C(1000000000)
#define WEIGHT_WANTED "points from 0 (off) to 1000000000"

#define LABEL_WANTED "a name of at most 31 characters, such as RGU or EUR"

#define WAY_WANTED "ignore, refuse, warn or bonus"

#define REFUND_WANTED                                                      \
	"none, or any of node_fail, boot_fail and preempted, with commas " \
	"between"

/* Rows: a number within bounds, words of a list, another text. */
#define NUMBER(key, kind, places, at, without, min, max, wanted)       \
	{                                                              \
		key, kind, places, at, without, min, max, wanted, NULL \
	}
#define WORDS(key, kind, places, at, without, words, wanted)        \
	{                                                           \
		key, kind, places, at, without, 0, 0, wanted, words \
	}
#define TEXT(key, kind, places, at, without, wanted)               \
	{                                                          \
		key, kind, places, at, without, 0, 0, wanted, NULL \
	}

static const struct row schema[] = {
	NUMBER("cores", eqt_value_number, IN(BUNDLE), AT(bundle.cores_u), NULL,
	       1, MILLION *EQT_MICRO, NUMBER_WANTED),
	NUMBER("memory", eqt_value_memory, IN(BUNDLE), AT(bundle.mem_mib_u),
	       NULL, 0, MEMORY_MAX, MEMORY_WANTED),
	NUMBER("cores", eqt_value_number, IN(PARTITION), AT(rule.cores_u), NULL,
	       1, MILLION *EQT_MICRO, NUMBER_WANTED),
	NUMBER("memory", eqt_value_memory, IN(PARTITION), AT(rule.mem_mib_u),
	       NULL, 0, MEMORY_MAX, MEMORY_WANTED),
	NUMBER("disk", eqt_value_count, IN(BUNDLE), AT(bundle.disk), NULL, 1,
	       DISK_MAX, DISK_WANTED),
	NUMBER("disk", eqt_value_count, IN(PARTITION), AT(rule.disk), NULL, 1,
	       DISK_MAX, DISK_WANTED),
	TEXT("local_disk", eqt_value_name, IN(TOP), TOP_AT(local_disk), NULL,
	     "the name of a GRES, such as jobfs, of at most 63 characters"),
	NUMBER("weight", eqt_value_number, IN(BUNDLE), AT(bundle.weight_u), "1",
	       1, MILLION *EQT_MICRO, NUMBER_WANTED),
	TEXT("nodes", eqt_value_nodes, IN(BUNDLE), AT(nodes), NULL,
	     "a list of nodes such as gra[1-10],gra20, of at most 255 "
	     "characters"),
	TEXT("features", eqt_value_features, IN(BUNDLE), AT(features), NULL,
	     "names of features with commas between, of at most 255 "
	     "characters"),
	NUMBER("factor", eqt_value_number, IN(PARTITION) | IN(QOS),
	       AT(rule.factor_u), "1", 0, MILLION *EQT_MICRO,
	       NUMBER_OR_0_WANTED),
	TEXT("bundles", eqt_value_bundles, IN(PARTITION), AT(rule), NULL,
	     "names of bundles that are above, with commas between"),
	WORDS("require", eqt_value_bits, IN(PARTITION), AT(rule.wants), NULL,
	      require_words,
	      "any of time, memory and cores, with commas between"),
	TEXT("require_gres", eqt_value_name, IN(PARTITION),
	     AT(rule.require_gres), NULL,
	     "the name of a GRES, such as jobfs, of at most 63 characters"),
	NUMBER("max", eqt_value_number, IN(PARTITION), AT(rule.max_u), NULL, 1,
	       MILLION *EQT_MICRO, NUMBER_WANTED),
	TEXT("suffix", eqt_value_name, IN(POOL), AT(suffix), NULL,
	     "the end of account names, such as _gpu, of at most 63 "
	     "characters"),
	TEXT("unit", eqt_value_label, IN(BUNDLE) | IN(POOL), AT(unit.one), NULL,
	     LABEL_WANTED),
	TEXT("units", eqt_value_label, IN(BUNDLE) | IN(POOL), AT(unit.many),
	     NULL, LABEL_WANTED),
	NUMBER("rate", eqt_value_number, IN(BUNDLE) | IN(POOL), AT(unit.rate_u),
	       NULL, 1, MILLION *EQT_MICRO, NUMBER_WANTED),
	TEXT("currency", eqt_value_label, IN(BUNDLE) | IN(POOL),
	     AT(unit.currency), NULL, LABEL_WANTED),
	WORDS("spent", eqt_value_word, IN(GRANT), AT(grant.spent), "refuse",
	      grant_words, WAY_WANTED),
	WORDS("scarce", eqt_value_word, IN(GRANT), AT(grant.scarce), "warn",
	      grant_words, WAY_WANTED),
	TEXT("bonus", eqt_value_qos, IN(GRANT), AT(grant.bonus), NULL,
	     "the name of a QOS, in lower case, of at most 63 characters"),
	NUMBER("minimum", eqt_value_number, IN(TOP), TOP_AT(prices.minimum_u),
	       NULL, 0, MILLION *EQT_MICRO, NUMBER_OR_0_WANTED),
	NUMBER("round_unit", eqt_value_integer, IN(TOP),
	       TOP_AT(prices.round_unit), NULL, 0, MILLION,
	       "a whole number from 0 (exact) to 1000000"),
	TEXT("charge_suspended", eqt_value_yes, IN(TOP),
	     TOP_AT(charge_suspended), "yes", "yes or no"),
	TEXT("charge_completing", eqt_value_yes, IN(TOP),
	     TOP_AT(charge_completing), "yes", "yes or no"),
	WORDS("message", eqt_value_word, IN(TOP), TOP_AT(message), "auto",
	      message_words, "auto, off, brief or full"),
	WORDS("message_without_spank", eqt_value_word, IN(TOP),
	      TOP_AT(message_without_spank), "off", known_message_words,
	      "off, brief or full"),
	NUMBER("billing_scale", eqt_value_integer, IN(TOP),
	       TOP_AT(billing_scale), "1", 1, MILLION,
	       "a whole number from 1 to 1000000"),
	NUMBER("weights_scale", eqt_value_integer, IN(TOP),
	       TOP_AT(weights_scale), "1", 1, MILLION,
	       "a whole number from 1 to 1000000"),
	WORDS("billing_round", eqt_value_word, IN(TOP), TOP_AT(billing_round),
	      "ceil", rounding_words, "floor, nearest or ceil"),
	WORDS("rank_by", eqt_value_word, IN(PRIORITY), AT(priority.rank_by),
	      "usage", rank_by_words, "usage or allocated"),
	NUMBER("allocated_now", eqt_value_integer, IN(PRIORITY),
	       AT(priority.allocated_now), NULL, 0, UINT64_C(31536000),
	       "seconds from 0 (off) to 31536000"),
	WORDS("order", eqt_value_word, IN(PRIORITY), AT(priority.order),
	      "users", order_words, "users or jobs"),
	NUMBER("rank_every", eqt_value_integer, IN(PRIORITY),
	       AT(priority.rank_every_ms), NULL, 0, MILLION,
	       "milliseconds from 0 (each period only) to 1000000"),
	NUMBER("tasks_ahead", eqt_value_integer, IN(PRIORITY),
	       AT(priority.tasks_ahead), NULL, 0, 10000,
	       "a whole number from 0 (arrays stay whole) to 10000"),
	TEXT("idle_shares", eqt_value_yes, IN(PRIORITY),
	     AT(priority.idle_shares), "yes", "yes or no"),
	NUMBER("access_weight", eqt_value_integer, IN(PRIORITY),
	       AT(priority.access_weight), NULL, 0, WEIGHT_MAX, WEIGHT_WANTED),
	WORDS("access_scope", eqt_value_word, IN(PRIORITY),
	      AT(priority.access_scope), "user", scope_words,
	      "user or account"),
	NUMBER("expansion_weight", eqt_value_integer, IN(PRIORITY),
	       AT(priority.expansion_weight), NULL, 0, WEIGHT_MAX,
	       WEIGHT_WANTED),
	NUMBER("expansion_full", eqt_value_number, IN(PRIORITY),
	       AT(priority.expansion_full_u), "10", EQT_MICRO + EQT_MICRO / 10,
	       MILLION *EQT_MICRO,
	       "a number from 1.1 to 1000000, with at most six decimals"),
	WORDS("size_by", eqt_value_word, IN(PRIORITY), AT(priority.size_by),
	      "resources", size_by_words, "resources or equivalents"),
	WORDS("refund", eqt_value_bits, IN(PRIORITY), AT(priority.refund),
	      "none", refund_words, REFUND_WANTED),
	TEXT("warn", eqt_value_thresholds, IN(BUDGET), AT(budget.warn),
	     "50,75,90",
	     "up to eight ascending percentages with commas between, or off"),
	WORDS("refund", eqt_value_bits, IN(BUDGET), AT(budget.refund),
	      "node_fail,boot_fail,preempted", refund_words, REFUND_WANTED),
	WORDS("when_spent", eqt_value_word, IN(BUDGET), AT(budget.when_spent),
	      "hold", when_spent_words, "hold, refuse or bonus"),
	TEXT("bonus", eqt_value_qos, IN(BUDGET), AT(budget.bonus), NULL,
	     "the name of a QOS, in lower case, of at most 63 characters"),
};

#define ROWS (sizeof(schema) / sizeof(schema[0]))

/* A file that is being read. */
struct reader {
	struct eqt_source source;
	struct eqt_conf *conf;
	/* the open section, or the next one; has the keys of all kinds */
	struct eqt_section section;
	bool seen[ROWS];
};

/* Store a value where its row says: in the configuration, or in the section. */
static int key_row_read(struct reader *reader, const struct row *row,
			const char *text)
{
	const struct eqt_value value = { text, row->min, row->max, row->words,
					 &reader->conf->prices };
	void *base = row->places & IN(TOP) ? (void *) reader->conf
					   : &reader->section;

	return row->kind(&value, (char *) base + row->at);
}

/* Begin the file (top) or the next section, whose kind is not yet known: mark all
 * its keys as not seen and set their defaults. */
static void places_begin(struct reader *reader, bool top)
{
	size_t i;

	if (!top)
		reader->section = (struct eqt_section){
			.source = &reader->source,
			.conf = reader->conf,
		};
	for (i = 0; i < ROWS; i++) {
		if (((schema[i].places & IN(TOP)) != 0) != top)
			continue;
		reader->seen[i] = false;
		if (schema[i].without)
			(void) key_row_read(reader, &schema[i],
					    schema[i].without);
	}
}

/* The row of a key at that place: "cores" has one row for a bundle and another for
 * a partition. */
static const struct row *key_row_find(const char *key, enum place place)
{
	size_t i;

	for (i = 0; i < ROWS; i++) {
		if ((schema[i].places & IN(place)) &&
		    strcmp(schema[i].key, key) == 0)
			return &schema[i];
	}
	return NULL;
}

/* The section of that name, or TOP. */
static enum place place_find(const char *name)
{
	int i;

	for (i = TOP + 1; i < PLACES; i++) {
		if (strcmp(sections[i].name, name) == 0)
			return (enum place) i;
	}
	return TOP;
}

/* The key or section that may stand there and is spelled almost so, or NULL. */
static const char *nearest_key(const char *key, enum place place)
{
	struct eqt_spelling spelling = { .word = key, .length = strlen(key) };
	size_t i;

	for (i = 0; i < ROWS; i++) {
		if (schema[i].places & IN(place))
			eqt_spelling_try(&spelling, schema[i].key);
	}
	for (i = TOP + 1; place == TOP && i < PLACES; i++)
		eqt_spelling_try(&spelling, sections[i].name);
	return spelling.nearest;
}

static int key_refuse(struct reader *reader, enum place place, const char *key)
{
	const char *nearest = nearest_key(key, place);

	/* A section inside a section: the real error is a missing brace. */
	if (place != TOP && place_find(key) != TOP)
		return eqt_source_refuse(&reader->source,
					 "missing \"}\" before section \"%s\"",
					 key);
	return eqt_source_refuse(&reader->source,
				 "unknown key \"%s\"%s%s%s%s%s", key,
				 place == TOP ? "" : " in section ",
				 place == TOP ? "" : sections[place].name,
				 nearest ? ", did you mean \"" : "",
				 nearest ? nearest : "", nearest ? "\"?" : "");
}

/* Read the next token and refuse any but this one; after is the word before it, for
 * the error. */
static int token_expect(struct reader *reader, int token, const char *wanted,
			const char *after)
{
	int found = eqt_source_next(&reader->source);

	if (found == token)
		return 0;
	/* No effect if eqt_source_next() has set an error: the first is kept. */
	return eqt_source_refuse(&reader->source, "expected %s after \"%s\"",
				 wanted, after);
}

/* key = value */
static int key_read(struct reader *reader, enum place place, const char *key)
{
	const struct row *row = key_row_find(key, place);
	const char *text;

	if (!row)
		return key_refuse(reader, place, key);
	if (reader->seen[row - schema])
		return eqt_source_refuse(&reader->source,
					 "duplicate key \"%s\"", key);
	reader->seen[row - schema] = true;
	if (token_expect(reader, '=', "\"=\"", key) < 0 ||
	    token_expect(reader, EQT_TOKEN_WORD, "a value", "=") < 0)
		return -1;
	text = reader->source.word;
	if (key_row_read(reader, row, text) < 0)
		return eqt_source_refuse(&reader->source,
					 "%s = \"%s\": expected %s", key, text,
					 row->wanted);
	return 0;
}

/* Read keys. Returns the token that ended them; EQT_TOKEN_BAD for an error. */
static int keys_read(struct reader *reader, enum place place)
{
	int token;

	while ((token = eqt_source_next(&reader->source)) == EQT_TOKEN_WORD) {
		if (key_read(reader, place, reader->source.word) < 0)
			return -1;
	}
	return token;
}

/* section "name" { keys } */
static int section_read(struct reader *reader, enum place place)
{
	const char *kind = sections[place].name, *name = kind;
	int opened = reader->source.line, token;

	if (place != PRIORITY && place != BUDGET) {
		if (token_expect(reader, EQT_TOKEN_WORD, "a name", kind) < 0)
			return -1;
		name = reader->source.word;
	}
	if (token_expect(reader, '{', "\"{\"", name) < 0)
		return -1;
	token = keys_read(reader, place);
	if (token == EQT_TOKEN_END) {
		/* The end of the file says nothing; the opening line does. */
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
	return 0;
}

/* Keys and sections, up to the end. */
static int items_read(struct reader *reader)
{
	int token;

	while ((token = eqt_source_next(&reader->source)) == EQT_TOKEN_WORD) {
		const char *word = reader->source.word;
		enum place place = place_find(word);

		if (place == TOP ? key_read(reader, TOP, word) < 0
				 : section_read(reader, place) < 0)
			return -1;
	}
	if (token != EQT_TOKEN_END)
		return eqt_source_refuse(&reader->source, "unexpected \"%c\"",
					 token);
	/* The only error that belongs to no line. */
	reader->source.line = 0;
	if (reader->conf->prices.cores.cores_u == 0)
		return eqt_source_refuse(&reader->source,
					 "missing bundle \"cores\"");
	if (eqt_local_disk_close(reader->conf, &reader->source) < 0)
		return -1;
	eqt_bundle_table_link(reader->conf->gpu,
			      reader->conf->prices.gpu_count);
	return 0;
}

const struct eqt_conf *eqt_conf_read(const char *path, struct eqt_error *err)
{
	struct reader reader = { .source.path = path };
	char *text = eqt_source_load(&reader.source);
	int rc = -1;

	reader.conf = calloc(1, sizeof(*reader.conf));
	if (text && reader.conf) {
		reader.conf->prices.gpu = reader.conf->gpu;
		places_begin(&reader, true);
		places_begin(&reader, false);
		/* The defaults of a file without a section priority. */
		reader.conf->priority = reader.section.priority;
		reader.conf->budget = reader.section.budget;
		rc = items_read(&reader);
	}
	free(text);
	if (rc == 0)
		return reader.conf;
	/* No effect if another error was set: the first is kept. */
	(void) eqt_source_refuse(&reader.source, "out of memory");
	(void) eqt_error_set(err, "%s", reader.source.error.text);
	free(reader.conf);
	return NULL;
}

int eqt_message_parse(enum eqt_message *out, const char *word)
{
	const struct eqt_value value = { .text = word, .words = message_words };

	return eqt_value_word(&value, out);
}
