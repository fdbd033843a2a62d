/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read PriorityParameters. People write it, so case and blanks do not matter, and a
 * misspelled word must not be ignored. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/spelling.h"
#include "prio/params.h"

#define PERIOD "period="
#define PLAIN_WALK "plain_walk"
#define STOCK "stock_"
#define COMPAT STOCK "compat"
#define STOCK_WORDS                                                \
	"stock_compat, stock_billing, stock_ties, stock_decay or " \
	"stock_recovery"
#define PERIOD_MAX_S 86400

#define SWITCH(word, name)                                    \
	{                                                     \
		STOCK #word, offsetof(struct eqt_stock, name) \
	}

/* The words and the members that they set. A word may set several members. The members
 * that are not in this table are set by stock_compat only. */
static const struct {
	const char *word;
	size_t offset;
} switches[] = {
	SWITCH(billing, billing),   SWITCH(billing, requeue),
	SWITCH(ties, ties),	    SWITCH(decay, decay),
	SWITCH(recovery, recovery), SWITCH(recovery, reset),
};

#define SWITCHES (sizeof(switches) / sizeof(*switches))

/* One word of PriorityParameters. The text does not end with a NUL. */
struct word {
	const char *text;
	size_t length;
};

/* Does a word begin with a text, ignoring case? */
static bool word_begins(const struct word *word, const char *with)
{
	size_t length = strlen(with);

	return word->length >= length &&
	       strncasecmp(word->text, with, length) == 0;
}

static bool word_is(const struct word *word, const char *text)
{
	return word->length == strlen(text) && word_begins(word, text);
}

/* All members of struct eqt_stock are bool. */
static void stock_set_all(struct eqt_stock *stock)
{
	bool *member = (bool *) stock;

	for (size_t i = 0; i < sizeof(*stock) / sizeof(*member); i++)
		member[i] = true;
}

/* Set the members that a word stands for. Return false for an unknown word. */
static bool stock_set(struct eqt_stock *stock, const struct word *word)
{
	bool known = word_is(word, COMPAT);

	if (known)
		stock_set_all(stock);
	for (size_t i = 0; i < SWITCHES; i++) {
		if (!word_is(word, switches[i].word))
			continue;
		*(bool *) ((char *) stock + switches[i].offset) = true;
		known = true;
	}
	return known;
}

/* Report a word that looks misspelled. Without this, an operator who misspells
 * stock_compat would get the opposite without a message. */
static int word_check(const struct word *word, struct eqt_error *err)
{
	const char *equal = memchr(word->text, '=', word->length);
	struct eqt_spelling spelling = { .word = word->text,
					 .length = word->length };

	eqt_spelling_try(&spelling, PLAIN_WALK);
	eqt_spelling_try(&spelling, COMPAT);
	for (size_t i = 0; i < SWITCHES; i++)
		eqt_spelling_try(&spelling, switches[i].word);
	/* Only the key of KEY=VALUE may be misspelled. */
	if (equal)
		spelling.length = (size_t) (equal + 1 - word->text);
	eqt_spelling_try(&spelling, PERIOD);
	if (spelling.nearest)
		return eqt_error_set(err,
				     "PriorityParameters: unknown word "
				     "\"%.*s\", did you mean \"%s\"?",
				     (int) word->length, word->text,
				     spelling.nearest);
	if (word_begins(word, STOCK))
		return eqt_error_set(err,
				     "PriorityParameters: unknown word "
				     "\"%.*s\": expected " STOCK_WORDS,
				     (int) word->length, word->text);
	return 0;
}

/* Read period=SECONDS. The number has digits only: no sign, blank or unit. */
static int period_read(struct eqt_params *params, const struct word *word,
		       struct eqt_error *err)
{
	const char *number = word->text + strlen(PERIOD);
	unsigned long period;
	char *end;

	errno = 0;
	period = strtoul(number, &end, 10);
	if (errno || *number < '0' || *number > '9' ||
	    end != word->text + word->length || !period ||
	    period > PERIOD_MAX_S)
		return eqt_error_set(err,
				     "PriorityParameters: %.*s: expected a "
				     "number of seconds from 1 to %d",
				     (int) word->length, word->text,
				     PERIOD_MAX_S);
	params->period_s = (uint32_t) period;
	return 0;
}

/* If period= is given twice, the last one counts. Words that begin with stock_ are
 * combined. */
static int word_read(struct eqt_params *params, const struct word *word,
		     struct eqt_error *err)
{
	if (word_begins(word, PERIOD))
		return period_read(params, word, err);
	if (word_is(word, PLAIN_WALK)) {
		params->plain_walk = true;
		return 0;
	}
	if (stock_set(&params->stock, word))
		return 0;
	return word_check(word, err);
}

/* Return the word without the blanks around it. */
static struct word word_trim(const char *text, size_t length)
{
	while (length && strchr(" \t", *text)) {
		text++;
		length--;
	}
	while (length && strchr(" \t", text[length - 1]))
		length--;
	return (struct word){ text, length };
}

int eqt_params_parse(struct eqt_params *out, const char *text,
		     struct eqt_error *err)
{
	struct eqt_params params = { 0 };

	while (text && *text) {
		size_t length = strcspn(text, ",");
		struct word word = word_trim(text, length);

		if (word_read(&params, &word, err) < 0)
			return -1;
		text += length;
		text += *text == ',';
	}
	*out = params;
	return 0;
}
