/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libconfuse parses, the schema says what it may find; eqt_conf_text.c has
 * looked over the text before.
 */
#include <confuse.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "eqt_conf.h"
#include "eqt_conf_impl.h"

/* The option that leads libconfuse's callbacks to their reader; no file can
 * set it, because '!' is no word character. */
#define READER_KEY "!reader"

#define IN(place) (1U << (place))
#define OPTIONS (EQT_CONF_ROWS_MAX + PLACES + 2)

/* A file that is being read. */
struct reader {
	struct eqt_conf_place place;
	struct eqt_conf *conf;
	/* of the section that is open, or of the next of its kind */
	struct eqt_conf_bundle bundle;
	struct eqt_rule rule;
	struct eqt_conf_suffix suffix;
	const char *title; /* of the section that is open, once it has a key */
	bool seen[EQT_CONF_ROWS_MAX];
	bool has_priority;
};

/* What the keys of a place fill. */
static void *place_base(struct reader *reader, enum eqt_conf_where place)
{
	void *const bases[PLACES] = {
		[TOP] = reader->conf,
		[BUNDLE] = &reader->bundle,
		[PARTITION] = &reader->rule,
		[QOS] = &reader->rule,
		[POOL] = &reader->suffix,
		[PRIORITY] = &reader->conf->priority,
	};

	return bases[place];
}

static int row_read(struct reader *reader, enum eqt_conf_where place,
		    const struct eqt_conf_row *row, const char *text)
{
	const struct eqt_conf_value value = { text, row->min, row->max,
					      &reader->conf->prices };

	return row->kind(&value, (char *) place_base(reader, place) + row->at);
}

/* Begin the file or the next section: no key seen, all as without a line. */
static void place_begin(struct reader *reader, enum eqt_conf_where place)
{
	size_t i;

	if (place == BUNDLE)
		memset(&reader->bundle, 0, sizeof(reader->bundle));
	else if (place == PARTITION || place == QOS)
		reader->rule = (struct eqt_rule){ 0 };
	else if (place == POOL)
		reader->suffix = (struct eqt_conf_suffix){ "" };
	for (i = 0; i < eqt_conf_rows; i++) {
		if (!(eqt_conf_schema[i].places & IN(place)))
			continue;
		reader->seen[i] = false;
		if (eqt_conf_schema[i].without)
			row_read(reader, place, &eqt_conf_schema[i],
				 eqt_conf_schema[i].without);
	}
}

static const struct eqt_conf_row *row_find(const char *key,
					   enum eqt_conf_where place)
{
	size_t i;

	for (i = 0; i < eqt_conf_rows; i++) {
		if ((eqt_conf_schema[i].places & IN(place)) &&
		    strcmp(eqt_conf_schema[i].key, key) == 0)
			return &eqt_conf_schema[i];
	}
	return NULL;
}

/* The section of that name; TOP for libconfuse's own name of the file. */
static enum eqt_conf_where place_of(const char *name)
{
	int i;

	for (i = TOP + 1; i < PLACES; i++) {
		if (strcmp(eqt_conf_names[i], name) == 0)
			return (enum eqt_conf_where) i;
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
	enum eqt_conf_where place = place_of(cfg_name(cfg));
	const struct eqt_conf_row *row = row_find(cfg_opt_name(opt), place);
	char *text = cfg_opt_getnstr(opt, 0);

	eqt_conf_commas(text);
	if (place != TOP)
		reader->title = cfg_title(cfg);
	if (reader->seen[row - eqt_conf_schema])
		return eqt_conf_refuse(&reader->place, "%s is there twice",
				       row->key);
	if (row_read(reader, place, row, text) < 0)
		return eqt_conf_refuse(&reader->place,
				       "%s = \"%s\": wanted is %s", row->key,
				       text, row->wanted);
	reader->seen[row - eqt_conf_schema] = true;
	return 0;
}

/* "gpu", "gpu:p100" */
static bool is_gres_name(const char *name)
{
	size_t length = strspn(name, EQT_CONF_NAME_CHARACTERS);
	const char *type = name + length;

	if (length == 0 || strlen(name) >= EQT_NAME_SIZE)
		return false;
	if (*type == '\0')
		return true;
	length = strspn(type + 1, EQT_CONF_NAME_CHARACTERS);
	return *type == ':' && length > 0 && type[1 + length] == '\0';
}

/* Whether a bundle of that name is there for the same nodes. */
static bool is_twice(const struct reader *reader, const char *name)
{
	const struct eqt_prices *prices = &reader->conf->prices;
	uint32_t i;

	if (strcmp(name, "cores") == 0)
		return prices->cores.cores_u > 0;
	for (i = 0; i < prices->gpu_count; i++) {
		if (strcmp(prices->gpu[i].name, name) == 0 &&
		    strcmp(reader->conf->nodes[i], reader->bundle.nodes) == 0)
			return true;
	}
	return false;
}

/* What is wrong with a bundle that has a good name. */
static int bundle_check(struct reader *reader, const char *name)
{
	const struct eqt_conf_bundle *bundle = &reader->bundle;
	bool cores = strcmp(name, "cores") == 0;

	if (bundle->bundle.cores_u == 0)
		return eqt_conf_refuse(&reader->place,
				       "bundle \"%s\" has no cores", name);
	if (is_twice(reader, name))
		return eqt_conf_refuse(&reader->place,
				       "found duplicate title '%s'", name);
	if (cores && bundle->bundle.weight_u != EQT_MICRO)
		return eqt_conf_refuse(
			&reader->place,
			"the weight of bundle \"cores\" is always 1");
	if (cores && bundle->nodes[0] != '\0')
		return eqt_conf_refuse(&reader->place,
				       "bundle \"cores\" is that of all nodes");
	if (!cores && reader->conf->prices.gpu_count == EQT_MODELS_MAX)
		return eqt_conf_refuse(
			&reader->place,
			"bundle \"%s\" is one too many: at most %d for GPUs",
			name, EQT_MODELS_MAX);
	return 0;
}

static int bundle_add(struct reader *reader, const char *name)
{
	struct eqt_conf *conf = reader->conf;
	struct eqt_bundle *place = &conf->prices.cores;

	if (!is_gres_name(name))
		return eqt_conf_refuse(
			&reader->place,
			"bundle \"%s\": wanted is cores or a "
			"GRES name such as gpu or gpu:p100, of at most "
			"%d characters",
			name, EQT_NAME_SIZE - 1);
	if (bundle_check(reader, name) < 0)
		return -1;
	if (strcmp(name, "cores") != 0) {
		uint32_t at = conf->prices.gpu_count++;

		place = &conf->prices.gpu[at];
		memcpy(conf->nodes[at], reader->bundle.nodes, EQT_NODES_SIZE);
		if (conf->nodes[at][0] != '\0')
			reader->bundle.bundle.nodes = conf->nodes[at];
	}
	*place = reader->bundle.bundle;
	memcpy(place->name, name, strlen(name) + 1);
	return 0;
}

/* A partition or a QOS. */
static int rule_add(struct reader *reader, enum eqt_conf_where place,
		    const char *name)
{
	struct eqt_rule_list *list = place == QOS ? &reader->conf->qos
						  : &reader->conf->partitions;
	size_t length = strlen(name);

	if (length == 0 || length >= EQT_NAME_SIZE ||
	    strspn(name, EQT_CONF_NAME_CHARACTERS) != length)
		return eqt_conf_refuse(&reader->place,
				       "%s \"%s\": wanted is a name of at "
				       "most %d letters, digits, _, . and -",
				       eqt_conf_names[place], name,
				       EQT_NAME_SIZE - 1);
	if (list->count == EQT_RULES_MAX)
		return eqt_conf_refuse(&reader->place,
				       "%s \"%s\" is one too many: at most %d",
				       eqt_conf_names[place], name,
				       EQT_RULES_MAX);
	memcpy(reader->rule.name, name, length + 1);
	list->rule[list->count++] = reader->rule;
	return 0;
}

static int pool_add(struct reader *reader, const char *name)
{
	struct eqt_pools *pools = &reader->conf->pools;
	enum eqt_pool pool = strcmp(name, "gpu") == 0 ? EQT_POOL_GPU
						      : EQT_POOL_CPU;

	if (pool == EQT_POOL_CPU && strcmp(name, "cpu") != 0)
		return eqt_conf_refuse(&reader->place,
				       "pool \"%s\": wanted is cpu or gpu",
				       name);
	if (reader->suffix.text[0] == '\0')
		return eqt_conf_refuse(&reader->place,
				       "pool \"%s\" has no suffix", name);
	memcpy(pools->suffix[pool], reader->suffix.text, EQT_NAME_SIZE);
	if (strcmp(pools->suffix[EQT_POOL_CPU], pools->suffix[EQT_POOL_GPU]) ==
	    0)
		return eqt_conf_refuse(&reader->place,
				       "both pools have the suffix %s",
				       reader->suffix.text);
	return 0;
}

/* The only section without a name: there is one of it. */
static int priority_end(struct reader *reader)
{
	const struct eqt_conf_priority *priority = &reader->conf->priority;

	if (reader->has_priority)
		return eqt_conf_refuse(&reader->place,
				       "the section priority is there twice");
	/* Else a job that starts would count as nothing. */
	if (priority->order == EQT_ORDER_JOBS && !priority->allocated_now &&
	    priority->rank_by != EQT_RANK_BY_ALLOCATED)
		return eqt_conf_refuse(&reader->place,
				       "order = jobs needs allocated_now, or "
				       "rank_by = allocated");
	reader->has_priority = true;
	return 0;
}

/* A section is closed: what it says is complete, or an error. */
static int on_section(cfg_t *cfg, cfg_opt_t *opt)
{
	struct reader *reader = reader_at(cfg);
	enum eqt_conf_where place = place_of(cfg_opt_name(opt));
	unsigned int last = cfg_opt_size(opt) - 1;
	const char *name = reader->title;
	int rc;

	/* Of a section without a key: the newest one is the last. */
	if (!name && place != PRIORITY)
		name = cfg_title(cfg_opt_getnsec(opt, last));
	if (place == BUNDLE)
		rc = bundle_add(reader, name);
	else if (place == POOL)
		rc = pool_add(reader, name);
	else if (place == PRIORITY)
		rc = priority_end(reader);
	else
		rc = rule_add(reader, place, name);
	if (rc == 0 && place != PRIORITY)
		place_begin(reader, place);
	reader->title = NULL;
	return rc;
}

/* Give opts[], of OPTIONS entries, the schema's rows of one place and the way
 * to the reader; returns where more may follow. */
static cfg_opt_t *options_fill(cfg_opt_t *opts, struct reader *reader,
			       enum eqt_conf_where place)
{
	size_t i;

	memset(opts, 0, OPTIONS * sizeof(*opts));
	for (i = 0; i < eqt_conf_rows; i++) {
		if (!(eqt_conf_schema[i].places & IN(place)))
			continue;
		*opts++ = (cfg_opt_t){ .name = eqt_conf_schema[i].key,
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
	/* Bundles of one name may be for different nodes. */
	const cfg_flag_t titled = CFGF_MULTI | CFGF_TITLE;
	const cfg_flag_t flags[PLACES] = {
		[BUNDLE] = titled,
		[PARTITION] = titled | CFGF_NO_TITLE_DUPES,
		[QOS] = titled | CFGF_NO_TITLE_DUPES,
		[POOL] = titled | CFGF_NO_TITLE_DUPES,
		[PRIORITY] = CFGF_NONE,
	};
	cfg_opt_t *end = options_fill(opts[TOP], reader, TOP);
	int i;

	for (i = TOP + 1; i < PLACES; i++) {
		(void) options_fill(opts[i], reader, (enum eqt_conf_where) i);
		*end++ = (cfg_opt_t){ .name = eqt_conf_names[i],
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
	int i;

	reader.conf = calloc(1, sizeof(*reader.conf));
	if (!reader.conf) {
		eqt_error_set(err, "%s: out of memory", path);
		return NULL;
	}
	for (i = TOP; i < PLACES; i++)
		place_begin(&reader, (enum eqt_conf_where) i);
	if (file_read(&reader) < 0) {
		eqt_error_set(err, "%s", reader.place.error.text);
		free(reader.conf);
		return NULL;
	}
	return reader.conf;
}

void eqt_conf_prices(struct eqt_prices *out, const struct eqt_conf *conf,
		     const char *partition, const char *qos)
{
	*out = conf->prices;
	if (partition)
		eqt_rule_apply(out,
			       eqt_rules_find(&conf->partitions, partition,
					      strlen(partition)),
			       EQT_PARTITION);
	if (qos)
		eqt_rule_apply(out,
			       eqt_rules_find(&conf->qos, qos, strlen(qos)),
			       EQT_QOS);
}

void eqt_conf_free(const struct eqt_conf *conf)
{
	free((void *) (uintptr_t) conf);
}
