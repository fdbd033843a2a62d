/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Readers for the kinds of values in equitree.conf; the schema in conf_read.c names
 * the reader and the bounds of each key. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "conf/source.h"
#include "conf/value.h"

int eqt_value_index(const char *const *words, const char *text, size_t length)
{
	int i;

	for (i = 0; words[i]; i++) {
		if (strlen(words[i]) == length &&
		    memcmp(words[i], text, length) == 0)
			return i;
	}
	return -1;
}

/* Every enum of the configuration is read through this type. */
_Static_assert(sizeof(enum eqt_message) == sizeof(unsigned int) &&
		       sizeof(enum eqt_order) == sizeof(unsigned int),
	       "an enum is as large as an unsigned int");

int eqt_value_word(const struct eqt_value *value, void *at)
{
	int found =
		eqt_value_index(value->words, value->text, strlen(value->text));

	if (found < 0)
		return -1;
	*(unsigned int *) at = (unsigned int) found;
	return 0;
}

int eqt_value_yes(const struct eqt_value *value, void *at)
{
	static const char *const words[] = { "no", "yes", NULL };
	int found = eqt_value_index(words, value->text, strlen(value->text));

	if (found < 0)
		return -1;
	*(bool *) at = found == 1;
	return 0;
}

/* Store a number that is within the bounds of its key. */
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

/* A number without a point. The reader of numbers checks digits and size, and
 * counts millionths. */
int eqt_value_integer(const struct eqt_value *value, void *at)
{
	uint64_t value_u;

	if (strchr(value->text, '.') ||
	    eqt_frac_micro_parse(&value_u, value->text) < 0)
		return -1;
	return amount_store(value, at, value_u / EQT_MICRO);
}

int eqt_value_count(const struct eqt_value *value, void *at)
{
	uint64_t count;

	if (eqt_amount_count(&count, value->text, strlen(value->text)) < 0)
		return -1;
	return amount_store(value, at, count);
}

int eqt_value_memory(const struct eqt_value *value, void *at)
{
	static const char suffixes[] = "KMGTkmgt";
	const char *text = value->text;
	size_t length = strcspn(text, suffixes);
	const char *suffix = text[length] != '\0' ? text + length : "M";
	struct eqt_frac mib = EQT_FRAC_ONE;
	char number[32] = "";
	uint64_t value_u;

	/* "MiB" and the like are no suffixes here: one letter, as in Slurm. */
	if (length >= sizeof(number) || suffix[1] != '\0')
		return -1;
	memcpy(number, text, length);
	if (eqt_frac_micro_parse(&value_u, number) < 0)
		return -1;
	/* K, M, G, T stand twice in suffixes, in either case, hence % 4. */
	mib.num <<= 10 * ((strchr(suffixes, *suffix) - suffixes) % 4);
	if (eqt_frac_make(&mib, mib.num, 1024) < 0 ||
	    eqt_frac_mul(&mib, mib, (struct eqt_frac){ value_u, 1 }) < 0)
		return -1;
	/* A millionth of a MiB is about a byte: only amounts in K round. */
	return amount_store(value, at,
			    eqt_frac_round(mib, 1, EQT_ROUND_NEAREST));
}

/* Names, each with ranges in brackets. Slurm decides later whether it is a list
 * of nodes; here brackets only have to match, one deep. */
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

/* A label is printed on users' terminals. The reader of the file has refused control
 * characters, wherever they are. */
int eqt_value_label(const struct eqt_value *value, void *at)
{
	const size_t length = strlen(value->text);

	if (length == 0 || length >= EQT_UNIT_SIZE)
		return -1;
	(void) snprintf(at, EQT_UNIT_SIZE, "%s", value->text);
	return 0;
}

/* Slurm stores QOS names in lower case; a capital letter would never match. */
int eqt_value_qos(const struct eqt_value *value, void *at)
{
	return value_name_copy(value, at,
			       "abcdefghijklmnopqrstuvwxyz0123456789_.-");
}

/* Cut the next word off a list with commas; false when there is none. */
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

/* Bit i for the i-th word; a word that is named twice counts once. */
int eqt_value_bits(const struct eqt_value *value, void *at)
{
	const char *text = value->text, *word;
	uint32_t bits = 0;
	size_t length;

	while (list_cut(&text, &word, &length)) {
		int found = eqt_value_index(value->words, word, length);

		if (found < 0)
			return -1;
		bits |= UINT32_C(1) << found;
	}
	*(uint32_t *) at = bits;
	return 0;
}

/* A bit for each bundle of that name: several may exist, for different nodes. */
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

/* The list names the bundles that apply in the partition. The rule stores the
 * opposite, a bit for each bundle that is off, so that a zeroed rule allows all. */
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

int eqt_value_thresholds(const struct eqt_value *value, void *at)
{
	return eqt_thresholds_parse(at, value->text);
}
