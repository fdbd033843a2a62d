/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libconfuse parses, the schema says what it may find; eqt_conf_text.c has
 * looked over the text before.
 */
#include <confuse.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "conf/conf.h"
#include "conf/conf_impl.h"

/* The option that leads libconfuse's callbacks to their reader; no file can
 * set it, because '!' is no word character. */
#define READER_KEY "!reader"

/* Where keys may be: at the top, or in a section. */
enum place { TOP, BUNDLE, PARTITION, QOS, POOL, GRANT, PRIORITY, PLACES };

/* The sections: their names, and what closes one. */
static const struct {
	const char *name;
	int (*close)(struct eqt_conf_section *section, const char *name);
} sections[PLACES] = {
	[BUNDLE] = { "bundle", eqt_conf_bundle_add },
	[PARTITION] = { "partition", eqt_conf_partition_add },
	[QOS] = { "qos", eqt_conf_qos_add },
	[POOL] = { "pool", eqt_conf_pool_add },
	[GRANT] = { "grant", eqt_conf_grant_add },
	[PRIORITY] = { "priority", eqt_conf_priority_set },
};

#define IN(place) (1U << (place))

/* One key: how it is read, where it goes, what it may be. */
struct row {
	const char *key;
	int (*kind)(const struct eqt_conf_value *value, void *at);
	unsigned int places;
	size_t at; /* in what the reader has for the place */
	const char *without; /* the value without a line; NULL: zero */
	uint64_t min, max; /* words have none */
	const char *wanted; /* for the operator; says min and max too */
};

#define TOP_AT(member) offsetof(struct eqt_conf, member)
#define AT(member) offsetof(struct eqt_conf_section, member)
#define MILLION UINT64_C(1000000)
#define MEMORY_MAX ((UINT64_C(1) << 30) * EQT_MICRO)
#define NUMBER_WANTED \
	"a number above 0, up to 1000000, with at most six decimals"
#define NUMBER_OR_0_WANTED \
	"a number from 0 to 1000000, with at most six decimals"

#define MEMORY_WANTED "an amount such as 4000M or 62.5G, up to 1024T"
/* Slurm's priorities have 32 bits, their site factor 31 and a sign. */
#define WEIGHT_MAX UINT64_C(1000000000)
#define WEIGHT_WANTED "points from 0 (off) to 1000000000"

#define WAY_WANTED "ignore, refuse, warn or bonus"

static const struct row schema[] = {
	{ "cores", eqt_conf_number, IN(BUNDLE), AT(bundle.cores_u), NULL, 1,
	  MILLION *EQT_MICRO, NUMBER_WANTED },
	{ "memory", eqt_conf_memory, IN(BUNDLE), AT(bundle.mem_mib_u), NULL, 0,
	  MEMORY_MAX, MEMORY_WANTED },
	{ "cores", eqt_conf_number, IN(PARTITION), AT(rule.cores_u), NULL, 1,
	  MILLION *EQT_MICRO, NUMBER_WANTED },
	{ "memory", eqt_conf_memory, IN(PARTITION), AT(rule.mem_mib_u), NULL, 0,
	  MEMORY_MAX, MEMORY_WANTED },
	{ "weight", eqt_conf_number, IN(BUNDLE), AT(bundle.weight_u), "1", 1,
	  MILLION *EQT_MICRO, NUMBER_WANTED },
	{ "nodes", eqt_conf_nodes, IN(BUNDLE), AT(nodes), NULL, 0, 0,
	  "a list of nodes such as gra[1-10],gra20, of at most 255 "
	  "characters" },
	{ "features", eqt_conf_features, IN(BUNDLE), AT(features), NULL, 0, 0,
	  "names of features with commas between, of at most 255 "
	  "characters" },
	{ "factor", eqt_conf_number, IN(PARTITION) | IN(QOS), AT(rule.factor_u),
	  "1", 0, MILLION *EQT_MICRO, NUMBER_OR_0_WANTED },
	{ "bundles", eqt_conf_bundles, IN(PARTITION), AT(rule), NULL, 0, 0,
	  "names of bundles that are above, with commas between" },
	{ "require", eqt_conf_wants, IN(PARTITION), AT(rule.wants), NULL, 0, 0,
	  "any of time, memory and cores, with commas between" },
	{ "max", eqt_conf_number, IN(PARTITION), AT(rule.max_u), NULL, 1,
	  MILLION *EQT_MICRO, NUMBER_WANTED },
	{ "suffix", eqt_conf_suffix, IN(POOL), AT(suffix), NULL, 0, 0,
	  "the end of account names, such as _gpu, of at most 63 characters" },
	{ "spent", eqt_conf_way, IN(GRANT), AT(grant.spent), "refuse", 0, 0,
	  WAY_WANTED },
	{ "scarce", eqt_conf_way, IN(GRANT), AT(grant.scarce), "warn", 0, 0,
	  WAY_WANTED },
	{ "bonus", eqt_conf_qos, IN(GRANT), AT(grant.bonus), NULL, 0, 0,
	  "the name of a QOS, in lower case, of at most 63 characters" },
	{ "minimum", eqt_conf_number, IN(TOP), TOP_AT(prices.minimum_u), NULL,
	  0, MILLION *EQT_MICRO, NUMBER_OR_0_WANTED },
	{ "round_unit", eqt_conf_integer, IN(TOP), TOP_AT(prices.round_unit),
	  NULL, 0, MILLION, "a whole number from 0 (exact) to 1000000" },
	{ "charge_suspended", eqt_conf_yes, IN(TOP), TOP_AT(charge_suspended),
	  "yes", 0, 0, "yes or no" },
	{ "message", eqt_conf_message, IN(TOP), TOP_AT(message), "brief", 0, 0,
	  "off, brief or full" },
	{ "billing_scale", eqt_conf_integer, IN(TOP), TOP_AT(billing_scale),
	  "1", 1, MILLION, "a whole number from 1 to 1000000" },
	{ "billing_round", eqt_conf_rounding, IN(TOP), TOP_AT(billing_round),
	  "ceil", 0, 0, "floor, nearest or ceil" },
	{ "rank_by", eqt_conf_rank_by, IN(PRIORITY), AT(priority.rank_by),
	  "usage", 0, 0, "usage or allocated" },
	{ "allocated_now", eqt_conf_integer, IN(PRIORITY),
	  AT(priority.allocated_now), NULL, 0, UINT64_C(31536000),
	  "seconds from 0 (off) to 31536000" },
	{ "order", eqt_conf_order, IN(PRIORITY), AT(priority.order), "users", 0,
	  0, "users or jobs" },
	{ "rank_every", eqt_conf_integer, IN(PRIORITY),
	  AT(priority.rank_every_ms), NULL, 0, MILLION,
	  "milliseconds from 0 (each period only) to 1000000" },
	{ "tasks_ahead", eqt_conf_integer, IN(PRIORITY),
	  AT(priority.tasks_ahead), NULL, 0, 10000,
	  "a whole number from 0 (arrays stay whole) to 10000" },
	{ "idle_shares", eqt_conf_yes, IN(PRIORITY), AT(priority.idle_shares),
	  "yes", 0, 0, "yes or no" },
	{ "access_weight", eqt_conf_integer, IN(PRIORITY),
	  AT(priority.access_weight), NULL, 0, WEIGHT_MAX, WEIGHT_WANTED },
	{ "access_scope", eqt_conf_scope, IN(PRIORITY),
	  AT(priority.access_scope), "user", 0, 0, "user or account" },
	{ "expansion_weight", eqt_conf_integer, IN(PRIORITY),
	  AT(priority.expansion_weight), NULL, 0, WEIGHT_MAX, WEIGHT_WANTED },
	{ "expansion_full", eqt_conf_number, IN(PRIORITY),
	  AT(priority.expansion_full_u), "10", EQT_MICRO + EQT_MICRO / 10,
	  MILLION *EQT_MICRO,
	  "a number from 1.1 to 1000000, with at most six decimals" },
	{ "size_by", eqt_conf_size_by, IN(PRIORITY), AT(priority.size_by),
	  "resources", 0, 0, "resources or equivalents" },
};

#define ROWS (sizeof(schema) / sizeof(schema[0]))
#define OPTIONS (ROWS + PLACES + 2)

/* A file that is being read. */
struct reader {
	struct eqt_conf_place place;
	struct eqt_conf *conf;
	/* that is open, or the next; the keys of all kinds of them */
	struct eqt_conf_section section;
	const char *title; /* of the section that is open, once it has a key */
	bool seen[ROWS];
};

static int row_read(struct reader *reader, const struct row *row,
		    const char *text)
{
	const struct eqt_conf_value value = { text, row->min, row->max,
					      &reader->conf->prices };

	void *base = row->places & IN(TOP) ? (void *) reader->conf
					   : &reader->section;

	return row->kind(&value, (char *) base + row->at);
}

/* Begin the file, or the next section of whatever kind: no key seen, all as
 * without a line. */
static void places_begin(struct reader *reader, bool top)
{
	size_t i;

	if (!top)
		reader->section = (struct eqt_conf_section){
			.place = &reader->place,
			.conf = reader->conf,
		};
	for (i = 0; i < ROWS; i++) {
		if (((schema[i].places & IN(TOP)) != 0) != top)
			continue;
		reader->seen[i] = false;
		if (schema[i].without)
			row_read(reader, &schema[i], schema[i].without);
	}
}

static const struct row *row_find(const char *key, enum place place)
{
	size_t i;

	for (i = 0; i < ROWS; i++) {
		if ((schema[i].places & IN(place)) &&
		    strcmp(schema[i].key, key) == 0)
			return &schema[i];
	}
	return NULL;
}

/* The section of that name; TOP for libconfuse's own name of the file. */
static enum place place_of(const char *name)
{
	int i;

	for (i = TOP + 1; i < PLACES; i++) {
		if (strcmp(sections[i].name, name) == 0)
			return (enum place) i;
	}
	return TOP;
}

/* The reader, in whose line the callbacks then are. */
static struct reader *reader_at(cfg_t *cfg)
{
	struct reader *reader =
		(void *) cfg_getopt(cfg, READER_KEY)->simple_value.ptr;

	reader->place.line = cfg->line;
	return reader;
}

static void on_error(cfg_t *cfg, const char *format, va_list args)
{
	eqt_conf_refuse_v(&reader_at(cfg)->place, format, args);
}

/* A key has its value: take it. */
static int on_value(cfg_t *cfg, cfg_opt_t *opt)
{
	struct reader *reader = reader_at(cfg);
	enum place place = place_of(cfg_name(cfg));
	const struct row *row = row_find(cfg_opt_name(opt), place);
	char *text = cfg_opt_getnstr(opt, 0);

	eqt_conf_commas(text);
	if (place != TOP)
		reader->title = cfg_title(cfg);
	if (reader->seen[row - schema])
		return eqt_conf_refuse(&reader->place, "%s is there twice",
				       row->key);
	if (row_read(reader, row, text) < 0)
		return eqt_conf_refuse(&reader->place,
				       "%s = \"%s\": wanted is %s", row->key,
				       text, row->wanted);
	reader->seen[row - schema] = true;
	return 0;
}

/* A section is closed: what it says is complete, or an error. */
static int on_section(cfg_t *cfg, cfg_opt_t *opt)
{
	struct reader *reader = reader_at(cfg);
	enum place place = place_of(cfg_opt_name(opt));
	unsigned int last = cfg_opt_size(opt) - 1;
	const char *name = reader->title;
	int rc;

	/* Of a section without a key: the newest one is the last. */
	if (!name && place != PRIORITY)
		name = cfg_title(cfg_opt_getnsec(opt, last));
	rc = sections[place].close(&reader->section, name);
	if (rc == 0)
		places_begin(reader, false);
	reader->title = NULL;
	return rc;
}

/* Give opts[], of OPTIONS entries, the schema's rows of one place and the way
 * to the reader; returns where more may follow. */
static cfg_opt_t *options_fill(cfg_opt_t *opts, struct reader *reader,
			       enum place place)
{
	size_t i;

	memset(opts, 0, OPTIONS * sizeof(*opts));
	for (i = 0; i < ROWS; i++) {
		if (!(schema[i].places & IN(place)))
			continue;
		*opts++ = (cfg_opt_t){ .name = schema[i].key,
				       .type = CFGT_STR,
				       .flags = CFGF_NODEFAULT,
				       .validcb = on_value };
	}
	*opts++ = (cfg_opt_t){ .name = READER_KEY,
			       .type = CFGT_PTR,
			       .flags = CFGF_NODEFAULT,
			       .simple_value.ptr = (void **) reader };
	return opts;
}

/* The options of the file and, in those, of each section. */
static void schema_fill(cfg_opt_t opts[PLACES][OPTIONS], struct reader *reader)
{
	const cfg_flag_t titled = CFGF_MULTI | CFGF_TITLE;
	/* Bundles of one name may be for different nodes. */
	const cfg_flag_t flags[PLACES] = {
		[BUNDLE] = titled,
		[PARTITION] = titled | CFGF_NO_TITLE_DUPES,
		[QOS] = titled | CFGF_NO_TITLE_DUPES,
		[POOL] = titled | CFGF_NO_TITLE_DUPES,
		[GRANT] = titled | CFGF_NO_TITLE_DUPES,
		[PRIORITY] = CFGF_NONE,
	};
	cfg_opt_t *end = options_fill(opts[TOP], reader, TOP);
	int i;

	for (i = TOP + 1; i < PLACES; i++) {
		(void) options_fill(opts[i], reader, (enum place) i);
		*end++ = (cfg_opt_t){ .name = sections[i].name,
				      .type = CFGT_SEC,
				      .flags = flags[i],
				      .subopts = opts[i],
				      .validcb = on_section };
	}
}

/* Parse the text into reader->conf. */
static int text_parse(struct reader *reader, const char *text)
{
	cfg_opt_t opts[PLACES][OPTIONS];
	cfg_t *cfg;
	int rc;

	schema_fill(opts, reader);
	cfg = cfg_init(opts[TOP], CFGF_NONE);
	if (!cfg)
		return eqt_conf_refuse(&reader->place, "out of memory");
	cfg_set_error_function(cfg, on_error);
	rc = cfg_parse_buf(cfg, text);
	/* libconfuse has no words for an empty key, or for no memory */
	if (rc != CFG_SUCCESS)
		cfg_error(cfg, "this cannot be read");
	cfg_free(cfg);
	return rc == CFG_SUCCESS ? 0 : -1;
}

static int file_read(struct reader *reader)
{
	char *text = malloc(EQT_CONF_FILE_MAX + 1);
	int rc;

	if (!text)
		return eqt_conf_refuse(&reader->place, "out of memory");
	rc = eqt_conf_text_load(&reader->place, text);
	if (rc == 0)
		rc = eqt_conf_text_check(&reader->place, text);
	if (rc == 0)
		rc = text_parse(reader, text);
	free(text);
	reader->place.line = 0;
	if (rc == 0 && reader->conf->prices.cores.cores_u == 0)
		return eqt_conf_refuse(&reader->place,
				       "there is no bundle \"cores\"");
	return rc;
}

const struct eqt_conf *eqt_conf_read(const char *path, struct eqt_error *err)
{
	struct reader reader = { .place.path = path };

	reader.conf = calloc(1, sizeof(*reader.conf));
	if (!reader.conf) {
		eqt_error_set(err, "%s: out of memory", path);
		return NULL;
	}
	places_begin(&reader, true);
	places_begin(&reader, false);
	reader.conf->priority = reader.section.priority;
	if (file_read(&reader) < 0) {
		eqt_error_set(err, "%s", reader.place.error.text);
		free(reader.conf);
		return NULL;
	}
	return reader.conf;
}

/* Of the table of GPUs what is in use: the rest is kilobytes. */
static void copy_prices(struct eqt_bundle_table *out,
			const struct eqt_bundle_table *from)
{
	memcpy(out, from, offsetof(struct eqt_bundle_table, gpu));
	memcpy(out->gpu, from->gpu, from->gpu_count * sizeof(from->gpu[0]));
	memcpy(&out->gpu_count, &from->gpu_count,
	       sizeof(*out) - offsetof(struct eqt_bundle_table, gpu_count));
}

void eqt_conf_prices(struct eqt_bundle_table *out, const struct eqt_conf *conf,
		     const char *partition, const char *qos)
{
	copy_prices(out, &conf->prices);
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

void eqt_conf_free(const struct eqt_conf *conf)
{
	free((void *) (uintptr_t) conf);
}
