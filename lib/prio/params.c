/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "prio/params.h"

#define PERIOD "period="
#define STOCK "stock_"
#define PERIOD_MAX_S 86400

#define SWITCH(name)                                          \
	{                                                     \
		STOCK #name, offsetof(struct eqt_stock, name) \
	}

static const struct {
	const char *word;
	size_t offset;
} switches[] = {
	SWITCH(ties),	     SWITCH(decay),  SWITCH(billing),
	SWITCH(requeue),     SWITCH(resize), SWITCH(tail),
	SWITCH(phantom),     SWITCH(extras), SWITCH(new_users),
	SWITCH(reconfigure), SWITCH(shares), SWITCH(recovery),
	SWITCH(clock),	     SWITCH(limits), SWITCH(ended),
	SWITCH(reset),	     SWITCH(sprio),  SWITCH(qos),
};

#define SWITCHES (sizeof(switches) / sizeof(*switches))

_Static_assert(SWITCHES == sizeof(struct eqt_stock) / sizeof(bool),
	       "each member of struct eqt_stock has its word");

const char *eqt_params_stock_word(size_t i)
{
	return i < SWITCHES ? switches[i].word : NULL;
}

/* One word of the list, not ended by a NUL. */
struct word {
	const char *text;
	size_t length;
};

static bool begins(const struct word *word, const char *with)
{
	size_t length = strlen(with);

	return word->length >= length &&
	       strncasecmp(word->text, with, length) == 0;
}

static bool is(const struct word *word, const char *text)
{
	return word->length == strlen(text) && begins(word, text);
}

static void set_switch(struct eqt_params *params, size_t i)
{
	*(bool *) ((char *) &params->stock + switches[i].offset) = true;
}

static void take_stock(struct eqt_params *params, const struct word *word)
{
	bool all = is(word, STOCK "compat"), known = all;

	for (size_t i = 0; i < SWITCHES; i++) {
		if (!all && !is(word, switches[i].word))
			continue;
		set_switch(params, i);
		known = true;
	}
	if (!known && !params->unknown[0])
		(void) snprintf(params->unknown, sizeof(params->unknown),
				"%.*s", (int) word->length, word->text);
}

static int take_period(struct eqt_params *params, const struct word *word,
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
				     "PriorityParameters: %.*s: the period "
				     "must be 1 to %d seconds",
				     (int) word->length, word->text,
				     PERIOD_MAX_S);
	params->period_s = (uint32_t) period;
	return 0;
}

static int take_word(struct eqt_params *params, const struct word *word,
		     struct eqt_error *err)
{
	if (begins(word, PERIOD))
		return take_period(params, word, err);
	if (begins(word, STOCK))
		take_stock(params, word);
	return 0;
}

/* Without the blanks around it. */
static struct word trimmed(const char *text, size_t length)
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
		struct word word = trimmed(text, length);

		if (take_word(&params, &word, err) < 0)
			return -1;
		text += length;
		text += *text == ',';
	}
	*out = params;
	return 0;
}
