/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The spellings are those of sbatch(1). Everything is checked for overflow: the
 * texts come from users, before Slurm has looked at them.
 */
#include <stdbool.h>
#include <string.h>

#include "base/amount.h"

/* ASCII only: a locale of the daemon must not decide what a user meant. */
static char letter_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c;
}

static bool letters_are(const char *text, size_t length, const char *word)
{
	size_t i;

	if (strlen(word) != length)
		return false;
	for (i = 0; i < length; i++) {
		if (letter_lower(text[i]) != word[i])
			return false;
	}
	return true;
}

/* Digits from *at up to end into *value; -1 without a digit or when too
 * large. */
static int amount_digits_read(uint64_t *value, const char **at, const char *end)
{
	const char *first = *at;

	*value = 0;
	for (; *at < end && **at >= '0' && **at <= '9'; (*at)++) {
		uint64_t digit = (uint64_t) (**at - '0');

		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, digit, value))
			return -1;
	}
	return *at == first ? -1 : 0;
}

/* Returns the power of a suffix ("k" 1, "p" 5; no suffix 0) and sets its base, 1024
 * or 1000. -1 for another word. */
static int suffix_power(uint64_t *factor, const char *text, size_t length)
{
	static const char letters[] = "kmgtp";
	const char *letter;

	*factor = 1024;
	if (length == 0)
		return 0;
	letter = memchr(letters, letter_lower(text[0]), sizeof(letters) - 1);
	if (!letter)
		return -1;
	if (letters_are(text + 1, length - 1, "b"))
		*factor = 1000;
	else if (length > 1 && !letters_are(text + 1, length - 1, "ib"))
		return -1;
	return (int) (letter - letters) + 1;
}

/* Multiply by factor^power; -1 on overflow. */
static int amount_scale(uint64_t *value, uint64_t factor, int power)
{
	for (; power > 0; power--) {
		if (__builtin_mul_overflow(*value, factor, value))
			return -1;
	}
	return 0;
}

int eqt_amount_count(uint64_t *out, const char *text, size_t length)
{
	const char *at = text, *end = text + length;
	uint64_t value, factor;
	int power;

	if (amount_digits_read(&value, &at, end) < 0)
		return -1;
	power = suffix_power(&factor, at, (size_t) (end - at));
	if (power < 0 || amount_scale(&value, factor, power) < 0)
		return -1;
	*out = value;
	return 0;
}

int eqt_amount_memory(uint64_t *mib, const char *text)
{
	const char *at = text, *end = text + strlen(text);
	const char *letter = "m";
	uint64_t value;

	if (amount_digits_read(&value, &at, end) < 0)
		return -1;
	if (at < end)
		letter = at++;
	if (at < end && letter_lower(*at) == 'b')
		at++;
	if (at < end)
		return -1;
	if (letter_lower(*letter) == 'k')
		value = value / 1024 + (value % 1024 != 0);
	else if (letter_lower(*letter) == 'g' &&
		 amount_scale(&value, 1024, 1) < 0)
		return -1;
	else if (letter_lower(*letter) == 't' &&
		 amount_scale(&value, 1024, 2) < 0)
		return -1;
	else if (!memchr("kmgt", letter_lower(*letter), 4))
		return -1;
	*mib = value;
	return 0;
}

/* The parts of D-H:M:S and its shorter forms. */
struct clock_text {
	uint64_t part[3]; /* between the colons */
	uint64_t days;
	int parts;
	bool has_days;
};

/* Read the whole of text, which may have days and up to two colons. */
static int clock_text_read(struct clock_text *clock, const char *text)
{
	const char *at = text, *end = text + strlen(text);

	*clock = (struct clock_text){ .parts = 1 };
	if (amount_digits_read(&clock->part[0], &at, end) < 0)
		return -1;
	if (*at == '-') {
		clock->has_days = true;
		clock->days = clock->part[0];
		at++;
		if (amount_digits_read(&clock->part[0], &at, end) < 0)
			return -1;
	}
	while (*at == ':' && clock->parts < 3) {
		at++;
		if (amount_digits_read(&clock->part[clock->parts++], &at, end) <
		    0)
			return -1;
	}
	return at == end ? 0 : -1;
}

/* *sum += count * seconds; -1 when that does not fit. */
static int seconds_add(uint64_t *sum, uint64_t count, uint64_t seconds)
{
	if (__builtin_mul_overflow(count, seconds, &count) ||
	    __builtin_add_overflow(*sum, count, sum))
		return -1;
	return 0;
}

int eqt_amount_minutes(uint64_t *minutes, const char *text)
{
	/* Seconds in an hour, a minute, a second. */
	static const uint64_t units[] = { 3600, 60, 1 };
	struct clock_text clock;
	uint64_t seconds = 0;
	int first, i;

	if (letters_are(text, strlen(text), "unlimited") ||
	    letters_are(text, strlen(text), "infinite")) {
		*minutes = EQT_AMOUNT_UNLIMITED;
		return 0;
	}
	if (clock_text_read(&clock, text) < 0 ||
	    seconds_add(&seconds, clock.days, 86400) < 0)
		return -1;
	/* As in sbatch: D-H begins with hours, M and M:S begin with minutes. */
	first = clock.has_days || clock.parts == 3 ? 0 : 1;
	for (i = 0; i < clock.parts; i++) {
		if (seconds_add(&seconds, clock.part[i], units[first + i]) < 0)
			return -1;
	}
	*minutes = seconds ? seconds / 60 + (seconds % 60 != 0)
			   : EQT_AMOUNT_UNLIMITED;
	return 0;
}
