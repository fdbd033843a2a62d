/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libconfuse parses, the schema says what it may find; eqt_conf_text.c has
 * looked over the text before.
 */
#include <confuse.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eqt_conf.h"
#include "eqt_conf_impl.h"

/* The option that leads libconfuse's callbacks to their reader; no file can
 * set it, because '!' is no word character. */
#define READER_KEY "!reader"
#define BUNDLE_KEY "bundle"

/* One key: how it is read, where it goes, what it may be. */
struct row {
	const char *key;
	/* Reads text into *at, whose type it knows, within the row's bounds;
	 * returns 0, or -1 (*at untouched). */
	int (*kind)(const struct row *row, void *at, const char *text);
	bool in_bundle; /* at is in struct eqt_bundle, else _conf */
	size_t at;
	const char *without; /* the value without a line; NULL: none */
	uint64_t min, max; /* words have none */
	const char *wanted; /* for the operator; says min and max too */
};

/* The index of text among three words, or -1. */
static int word_find(const char *const words[3], const char *text)
{
	int i;

	for (i = 0; i < 3; i++) {
		if (strcmp(words[i], text) == 0)
			return i;
	}
	return -1;
}

int eqt_message_parse(enum eqt_message *out, const char *word)
{
	static const char *const words[] = {
		[EQT_MESSAGE_OFF] = "off",
		[EQT_MESSAGE_BRIEF] = "brief",
		[EQT_MESSAGE_FULL] = "full",
	};
	int found = word_find(words, word);

	if (found < 0)
		return -1;
	*out = (enum eqt_message) found;
	return 0;
}

static int message_read(const struct row *row, void *at, const char *text)
{
	(void) row;
	return eqt_message_parse(at, text);
}

static int rounding_read(const struct row *row, void *at, const char *text)
{
	static const char *const words[] = {
		[EQT_ROUND_FLOOR] = "floor",
		[EQT_ROUND_NEAREST] = "nearest",
		[EQT_ROUND_CEIL] = "ceil",
	};
	int found = word_find(words, text);

	(void) row;
	if (found < 0)
		return -1;
	*(enum eqt_rounding *) at = (enum eqt_rounding) found;
	return 0;
}

static int amount_store(const struct row *row, void *at, uint64_t amount)
{
	if (amount < row->min || amount > row->max)
		return -1;
	*(uint64_t *) at = amount;
	return 0;
}

static int number_read(const struct row *row, void *at, const char *text)
{
	uint64_t value_u;

	if (eqt_micro_parse(&value_u, text) < 0)
		return -1;
	return amount_store(row, at, value_u);
}

static int integer_read(const struct row *row, void *at, const char *text)
{
	uint64_t value_u;

	if (strchr(text, '.') || eqt_micro_parse(&value_u, text) < 0)
		return -1;
	return amount_store(row, at, value_u / EQT_MICRO);
}

static int memory_read(const struct row *row, void *at, const char *text)
{
	static const char suffixes[] = "KMGTkmgt";
	size_t length = strcspn(text, suffixes);
	const char *suffix = text[length] != '\0' ? text + length : "M";
	struct eqt_frac mib = EQT_FRAC_ONE;
	char number[32];
	uint64_t value_u;

	if (length >= sizeof(number) || suffix[1] != '\0')
		return -1;
	memcpy(number, text, length);
	number[length] = '\0';
	if (eqt_micro_parse(&value_u, number) < 0)
		return -1;
	mib.num <<= 10 * ((strchr(suffixes, *suffix) - suffixes) % 4);
	if (eqt_frac_make(&mib, mib.num, 1024) < 0 ||
	    eqt_frac_mul(&mib, mib, (struct eqt_frac){ value_u, 1 }) < 0)
		return -1;
	/* A millionth of a MiB is about a byte: only amounts in K round. */
	return amount_store(row, at, eqt_frac_round(mib, 1, EQT_ROUND_NEAREST));
}

#define AT(type, member) offsetof(struct type, member)
#define MILLION UINT64_C(1000000)
#define MEMORY_MAX ((UINT64_C(1) << 30) * EQT_MICRO)
#define NUMBER_WANTED \
	"a number above 0, up to 1000000, with at most six decimals"

static const struct row schema[] = {
	{ "cores", number_read, true, AT(eqt_bundle, cores_u), NULL, 1,
	  MILLION *EQT_MICRO, NUMBER_WANTED },
	{ "memory", memory_read, true, AT(eqt_bundle, mem_mib_u), "0", 0,
	  MEMORY_MAX, "an amount such as 4000M or 62.5G, up to 1024T" },
	{ "weight", number_read, true, AT(eqt_bundle, weight_u), "1", 1,
	  MILLION *EQT_MICRO, NUMBER_WANTED },
	{ "message", message_read, false, AT(eqt_conf, message), "brief", 0, 0,
	  "off, brief or full" },
	{ "billing_scale", integer_read, false, AT(eqt_conf, billing_scale),
	  "1", 1, MILLION, "a whole number from 1 to 1000000" },
	{ "billing_round", rounding_read, false, AT(eqt_conf, billing_round),
	  "ceil", 0, 0, "floor, nearest or ceil" },
};

#define ROWS (sizeof(schema) / sizeof(schema[0]))

/* A file that is being read. */
struct reader {
	struct eqt_conf_place place;
	struct eqt_conf *conf;
	struct eqt_bundle bundle; /* of the section that is open */
	bool seen[ROWS];
};

static int row_read(struct reader *reader, const struct row *row,
		    const char *text)
{
	void *base = row->in_bundle ? (void *) &reader->bundle : reader->conf;

	return row->kind(row, (char *) base + row->at, text);
}

/* Begin the file or the next bundle: no key seen, all as without a line. */
static void place_begin(struct reader *reader, bool in_bundle)
{
	size_t i;

	if (in_bundle)
		reader->bundle = (struct eqt_bundle){ 0 };
	for (i = 0; i < ROWS; i++) {
		if (schema[i].in_bundle != in_bundle)
			continue;
		reader->seen[i] = false;
		if (schema[i].without)
			row_read(reader, &schema[i], schema[i].without);
	}
}

static const struct row *row_find(const char *key, bool in_bundle)
{
	size_t i;

	for (i = 0; i < ROWS; i++) {
		if (schema[i].in_bundle == in_bundle &&
		    strcmp(schema[i].key, key) == 0)
			return &schema[i];
	}
	return NULL;
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
	bool in_bundle = strcmp(cfg_name(cfg), BUNDLE_KEY) == 0;
	const struct row *row = row_find(cfg_opt_name(opt), in_bundle);
	const char *text = cfg_opt_getnstr(opt, 0);

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

/* Where a bundle goes in the price table, or NULL when it may not. */
static struct eqt_bundle *place_find(struct reader *reader, const char *name)
{
	struct eqt_prices *prices = &reader->conf->prices;

	if (strcmp(name, "cores") == 0) {
		if (reader->bundle.weight_u == EQT_MICRO)
			return &prices->cores;
		eqt_conf_refuse(&reader->place,
				"the weight of bundle \"cores\" is always 1");
		return NULL;
	}
	if (prices->gpu_count < EQT_MODELS_MAX)
		return &prices->gpu[prices->gpu_count++];
	eqt_conf_refuse(&reader->place,
			"bundle \"%s\" is one too many: at most %d for GPUs",
			name, EQT_MODELS_MAX);
	return NULL;
}

/* A section is closed: its bundle is complete, or an error. */
static int on_bundle(cfg_t *cfg, cfg_opt_t *opt)
{
	struct reader *reader = reader_at(cfg);
	/* CFGF_NO_TITLE_DUPES has it that the newest one is the last. */
	unsigned int last = cfg_opt_size(opt) - 1;
	const char *name = cfg_title(cfg_opt_getnsec(opt, last));
	struct eqt_bundle *place;

	if (!is_gres_name(name))
		return eqt_conf_refuse(
			&reader->place,
			"bundle \"%s\": wanted is cores or a "
			"GRES name such as gpu or gpu:p100, of at most "
			"%d characters",
			name, EQT_NAME_SIZE - 1);
	if (reader->bundle.cores_u == 0)
		return eqt_conf_refuse(&reader->place,
				       "bundle \"%s\" has no cores", name);
	place = place_find(reader, name);
	if (!place)
		return -1;
	*place = reader->bundle;
	memcpy(place->name, name, strlen(name) + 1);
	place_begin(reader, true);
	return 0;
}

/* Give opts[], of ROWS + 3 entries, the schema's rows of one place, the way to
 * the reader and, at the top, the section's options. */
static void options_fill(cfg_opt_t *opts, struct reader *reader,
			 cfg_opt_t *section)
{
	size_t i;

	memset(opts, 0, (ROWS + 3) * sizeof(*opts));
	for (i = 0; i < ROWS; i++) {
		if (schema[i].in_bundle != !section)
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
	if (section)
		*opts = (cfg_opt_t){ .name = BUNDLE_KEY,
				     .type = CFGT_SEC,
				     .flags = CFGF_MULTI | CFGF_TITLE |
					      CFGF_NO_TITLE_DUPES,
				     .subopts = section,
				     .validcb = on_bundle };
}

/* Parse the text into reader->conf. */
static int text_parse(struct reader *reader, const char *text)
{
	cfg_opt_t section[ROWS + 3], top[ROWS + 3];
	cfg_t *cfg;
	int rc;

	options_fill(section, reader, NULL);
	options_fill(top, reader, section);
	cfg = cfg_init(top, CFGF_NONE);
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
	place_begin(&reader, true);
	place_begin(&reader, false);
	if (file_read(&reader) < 0) {
		eqt_error_set(err, "%s", reader.place.error.text);
		free(reader.conf);
		return NULL;
	}
	return reader.conf;
}

void eqt_conf_free(const struct eqt_conf *conf)
{
	free((void *) (uintptr_t) conf);
}
