/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Readers for the kinds of values in equitree.conf. The table in keys.c names the
 * reader and the bounds of each key. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/amount.h"
#include "conf/source.h"
#include "conf/value.h"

/* Return the index of a text of `length` bytes among words that end with NULL, or
 * -1. */
static int value_index(const char *const *words, const char *text,
		       size_t length)
{
	for (int i = 0; words[i]; i++) {
		if (strlen(words[i]) == length &&
		    memcmp(words[i], text, length) == 0)
			return i;
	}
	return -1;
}

/* All enums of the configuration are read through this type. */
_Static_assert(sizeof(enum eqt_message) == sizeof(unsigned int) &&
		       sizeof(enum eqt_order) == sizeof(unsigned int),
	       "an enum is as large as an unsigned int");

int eqt_value_word(const struct eqt_value *value, void *at)
{
	int found = value_index(value->words, value->text, strlen(value->text));

	if (found < 0)
		return -1;
	*(unsigned int *) at = (unsigned int) found;
	return 0;
}

int eqt_value_yes(const struct eqt_value *value, void *at)
{
	static const char *const words[] = { "no", "yes", NULL };
	int found = value_index(words, value->text, strlen(value->text));

	if (found < 0)
		return -1;
	*(bool *) at = found == 1;
	return 0;
}

/* Store a number if it is within the bounds of its key. */
static int amount_store(const struct eqt_value *value, void *at,
			uint64_t amount)
{
	if (amount < value->min || amount > value->max)
		return -1;
	*(uint64_t *) at = amount;
	return 0;
}

int eqt_value_number(const struct eqt_value *value, void *at)
{
	uint64_t value_u;

	if (eqt_frac_micro_parse(&value_u, value->text) < 0)
		return -1;
	return amount_store(value, at, value_u);
}

/* A whole number is read as a number without a point, in millionths, because that
 * function also checks the digits and the size. */
int eqt_value_integer(const struct eqt_value *value, void *at)
{
	uint64_t value_u;

	if (strchr(value->text, '.') ||
	    eqt_frac_micro_parse(&value_u, value->text) < 0)
		return -1;
	return amount_store(value, at, value_u / EQT_MICRO);
}

/* Read `length` bytes, such as "0.5", as a fraction. */
static int number_make(struct eqt_frac *out, const char *text, size_t length)
{
	char number[32] = "";
	uint64_t value_u;

	if (length >= sizeof(number))
		return -1;
	memcpy(number, text, length);
	return eqt_frac_micro_parse(&value_u, number) < 0
		       ? -1
		       : eqt_frac_make(out, value_u, EQT_MICRO);
}

/* Read an amount of memory in MiB. The suffixes K, M, G and T are powers of 1024, and
 * KB, MB, GB and TB are powers of 1000. Without a suffix the amount is in MiB. A suffix
 * alone means 1 of its unit. "MiB" and the like are not allowed. Return 1 for powers of
 * 1000, 0 for powers of 1024, or -1. */
static int memory_amount(struct eqt_frac *mib, const char *text)
{
	static const char suffixes[] = "KMGTkmgt";
	size_t length = strcspn(text, suffixes);
	const char *suffix = text[length] != '\0' ? text + length : "M";
	const uint64_t decimal = suffix[1] == 'B' || suffix[1] == 'b';
	/* The array has K, M, G and T twice, in upper and lower case, hence % 4. */
	const uint64_t power =
		(uint64_t) (strchr(suffixes, *suffix) - suffixes) % 4;
	struct eqt_frac unit = { 1, 1024 };

	if (suffix[1 + decimal] != '\0')
		return -1;
	if (decimal)
		unit = (struct eqt_frac){ 1000, 1024 * 1024 };
	for (uint64_t i = 0; i < power; i++)
		unit.num *= decimal ? 1000 : 1024;
	*mib = EQT_FRAC_ONE;
	if ((length > 0 || text[0] == '\0') &&
	    number_make(mib, text, length) < 0)
		return -1;
	if (eqt_frac_make(&unit, unit.num, unit.den) < 0 ||
	    eqt_frac_mul(mib, *mib, unit) < 0)
		return -1;
	return (int) decimal;
}

static int cores_amount(struct eqt_frac *cores, const char *text)
{
	*cores = EQT_FRAC_ONE;
	return strcmp(text, "core") == 0
		       ? 0
		       : number_make(cores, text, strlen(text));
}

/* Read a count of a GRES. A suffix alone means 1 of its unit. */
static int disk_amount(struct eqt_frac *count, const char *text)
{
	char one[16];

	if (text[0] != '\0' && strlen(text) < 3 && strchr("KMGTkmgt", text[0]))
		(void) snprintf(one, sizeof(one), "1%s", text);
	else
		(void) snprintf(one, sizeof(one), "%.15s", text);
	count->den = 1;
	return strlen(text) < sizeof(one)
		       ? eqt_amount_count(&count->num, one, strlen(one))
		       : -1;
}

/* Read an amount such as "4000M", which costs as much as the weight, or a cost by
 * amount such as "0.1 per G". The bounds apply to the amount in parts of 1 / scale. A
 * cost must be above 0 and at most 1000000. */
static int part_read(const struct eqt_value *value, struct eqt_conf_part *at,
		     uint64_t scale,
		     int (*amount)(struct eqt_frac *out, const char *text))
{
	static const char word[] = " per ";
	const char *per = strstr(value->text, word);
	struct eqt_conf_part part = { .term = 0 };
	eqt_u128 scaled;
	int rc = amount(&part.amount,
			per ? per + sizeof(word) - 1 : value->text);

	/* A unit alone is allowed only in a cost by amount. */
	if (rc < 0 || (!per && strchr(".0123456789", value->text[0]) == NULL))
		return -1;
	part.decimal = rc > 0;
	if (per && (number_make(&part.cost, value->text,
				(size_t) (per - value->text)) < 0 ||
		    part.cost.num == 0 || part.amount.num == 0 ||
		    part.cost.num / part.cost.den > 1000000))
		return -1;
	scaled = (eqt_u128) part.amount.num * scale / part.amount.den;
	if (scaled < value->min || scaled > value->max)
		return -1;
	/* memory = 0 means that memory is not counted, as without the key. */
	if (part.amount.num == 0)
		part.amount.den = 0;
	*at = part;
	return 0;
}

int eqt_value_memory(const struct eqt_value *value, void *at)
{
	return part_read(value, at, EQT_MICRO, memory_amount);
}

int eqt_value_cores(const struct eqt_value *value, void *at)
{
	return part_read(value, at, EQT_MICRO, cores_amount);
}

int eqt_value_disk(const struct eqt_value *value, void *at)
{
	return part_read(value, at, 1, disk_amount);
}

int eqt_value_cost(const struct eqt_value *value, void *at)
{
	struct eqt_conf_part part = { .amount = EQT_FRAC_ONE };
	uint64_t cost_u;

	if (eqt_value_number(value, &cost_u) < 0 ||
	    eqt_frac_make(&part.cost, cost_u, EQT_MICRO) < 0)
		return -1;
	*(struct eqt_conf_part *) at = part;
	return 0;
}

/* Check the form of a list of nodes: names, each of which may have ranges in brackets.
 * Slurm decides later whether the nodes exist. Here the brackets only have to match,
 * without nesting. */
int eqt_value_nodes(const struct eqt_value *value, void *at)
{
	size_t length = strlen(value->text), i;
	bool open = false;

	if (length == 0 || length >= EQT_NODES_SIZE)
		return -1;
	for (i = 0; i < length; i++) {
		char c = value->text[i];

		if (c == (open ? '[' : ']') || c == ':')
			return -1;
		if (c == '[' || c == ']')
			open = !open;
	}
	if (open)
		return -1;
	(void) snprintf(at, EQT_NODES_SIZE, "%s", value->text);
	return 0;
}

/* Copy a text that consists of these characters and fits EQT_NAME_SIZE. */
static int value_name_copy(const struct eqt_value *value, void *at,
			   const char *characters)
{
	size_t length = strlen(value->text);

	if (length == 0 || length >= EQT_NAME_SIZE ||
	    strspn(value->text, characters) != length)
		return -1;
	(void) snprintf(at, EQT_NAME_SIZE, "%s", value->text);
	return 0;
}

int eqt_value_name(const struct eqt_value *value, void *at)
{
	return value_name_copy(value, at, EQT_SOURCE_NAME_CHARACTERS);
}

/* A label is printed on the terminals of users. It has no control characters, because
 * the reader of the file refuses them everywhere. */
int eqt_value_label(const struct eqt_value *value, void *at)
{
	const size_t length = strlen(value->text);

	if (length == 0 || length >= EQT_UNIT_SIZE)
		return -1;
	(void) snprintf(at, EQT_UNIT_SIZE, "%s", value->text);
	return 0;
}

/* Slurm stores the names of QOS in lower case, so that a name with a capital letter
 * would never match. */
int eqt_value_qos(const struct eqt_value *value, void *at)
{
	return value_name_copy(value, at,
			       "abcdefghijklmnopqrstuvwxyz0123456789_.-");
}

/* Cut the next word off a comma-separated list. Return false if there is none. */
static bool list_cut(const char **text, const char **word, size_t *length)
{
	if (!*text)
		return false;
	*word = *text;
	*length = strcspn(*text, ",");
	*text = (*text)[*length] == ',' ? *text + *length + 1 : NULL;
	return true;
}

int eqt_value_features(const struct eqt_value *value, void *at)
{
	const char *text = value->text, *word;
	size_t length;

	if (strlen(text) >= EQT_NODES_SIZE)
		return -1;
	while (list_cut(&text, &word, &length)) {
		if (length == 0 ||
		    strspn(word, EQT_SOURCE_NAME_CHARACTERS) < length)
			return -1;
	}
	(void) snprintf(at, EQT_NODES_SIZE, "%s", value->text);
	return 0;
}

/* Bit i stands for the i-th word. A word that is named twice counts once. */
int eqt_value_bits(const struct eqt_value *value, void *at)
{
	const char *text = value->text, *word;
	uint32_t bits = 0;
	size_t length;

	while (list_cut(&text, &word, &length)) {
		int found = value_index(value->words, word, length);

		if (found < 0)
			return -1;
		bits |= UINT32_C(1) << found;
	}
	*(uint32_t *) at = bits;
	return 0;
}

/* Return a bit for each bundle of a name. Several bundles of one name are for different
 * nodes. */
static uint32_t bundles_named(const struct eqt_bundle_table *prices,
			      const char *name, size_t length)
{
	uint32_t i, found = 0;

	for (i = 0; i < prices->gpu_count; i++) {
		if (strncmp(prices->gpu[i].name, name, length) == 0 &&
		    prices->gpu[i].name[length] == '\0')
			found |= UINT32_C(1) << i;
	}
	return found;
}

/* The list names the bundles that are in force in the partition. The rule stores a bit
 * for each other bundle, so that a rule of zeros allows all bundles. */
int eqt_value_bundles(const struct eqt_value *value, void *at)
{
	const char *text = value->text, *word;
	uint32_t models = 0;
	bool cores = false;
	struct eqt_rule *rule = at;
	size_t length;

	while (list_cut(&text, &word, &length)) {
		uint32_t found = bundles_named(value->prices, word, length);

		if (length == strlen("cores") && !strncmp(word, "cores", 5))
			cores = true;
		else if (found)
			models |= found;
		else
			return -1;
	}
	rule->cores_off = !cores;
	rule->models_off = ~models;
	return 0;
}

static const char from_word[] = " from ";

int eqt_value_then(const struct eqt_value *value, void *at)
{
	const char *from = strstr(value->text, from_word);
	char name[EQT_NAME_SIZE];
	const struct eqt_value qos = { .text = name };
	struct eqt_rule_then *then = at;
	uint64_t percent;

	if (!from || (size_t) (from - value->text) >= sizeof(name))
		return -1;
	memcpy(name, value->text, (size_t) (from - value->text));
	name[from - value->text] = '\0';
	from += sizeof(from_word) - 1;
	if (eqt_amount_count(&percent, from, strlen(from)) < 0 || percent < 1 ||
	    percent > 100 || eqt_value_qos(&qos, then->qos) < 0)
		return -1;
	then->percent = percent;
	return 0;
}

/* Both numbers are stored together, because a factor without a number of nodes would
 * apply to all jobs. */
int eqt_value_big(const struct eqt_value *value, void *at)
{
	const char *from = strstr(value->text, from_word);
	struct eqt_frac factor;
	uint64_t nodes;

	if (!from ||
	    number_make(&factor, value->text, (size_t) (from - value->text)) <
		    0 ||
	    factor.num / factor.den > 1000000 ||
	    eqt_amount_count(&nodes, from + sizeof(from_word) - 1,
			     strlen(from + sizeof(from_word) - 1)) < 0 ||
	    nodes < 2)
		return -1;
	((uint64_t *) at)[0] = nodes;
	((uint64_t *) at)[1] =
		eqt_frac_round(factor, EQT_MICRO, EQT_ROUND_NEAREST);
	return 0;
}

int eqt_value_week(const struct eqt_value *value, void *at)
{
	return eqt_week_parse(at, value->text);
}

int eqt_value_thresholds(const struct eqt_value *value, void *at)
{
	return eqt_thresholds_parse(at, value->text);
}

/* Does a text have the form "2026-04-01", with or without "T12:00:00"? Callers check
 * whether the day exists. */
static bool time_has_form(const char *text, size_t length)
{
	static const char form[] = "dddd-dd-ddTdd:dd:dd";

	for (size_t i = 0; i < length && i < sizeof(form) - 1; i++) {
		if (form[i] == 'd' ? text[i] < '0' || text[i] > '9'
				   : text[i] != form[i])
			return false;
	}
	return length == 10 || length == sizeof(form) - 1;
}

/* Texts of this form sort in the order of their times. */
int eqt_value_billed(const struct eqt_value *value, void *at)
{
	struct eqt_conf_billed list[EQT_BILLED_MAX] = { 0 };
	const char *text = value->text, *word;
	size_t count = 0, length, since;
	uint64_t scale;

	for (; list_cut(&text, &word, &length); count++) {
		since = strcspn(word, "x,");
		if (count == EQT_BILLED_MAX || !time_has_form(word, since))
			return -1;
		(void) snprintf(list[count].since, sizeof(list[count].since),
				"%.*s", (int) since, word);
		if (count > 0 &&
		    strcmp(list[count - 1].since, list[count].since) >= 0)
			return -1;
		if (since == length)
			continue;
		if (eqt_amount_count(&scale, word + since + 1,
				     length - since - 1) < 0 ||
		    scale < 1 || scale > 1000000)
			return -1;
		list[count].scale = scale;
	}
	memcpy(at, list, sizeof(list));
	return 0;
}

int eqt_value_path(const struct eqt_value *value, void *at)
{
	const size_t length = strlen(value->text);

	if (value->text[0] != '/' || length >= EQT_CONF_PATH)
		return -1;
	memcpy(at, value->text, length + 1);
	return 0;
}
