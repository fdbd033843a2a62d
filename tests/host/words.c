/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "words.h"

void words_cut(struct words *words, char *line)
{
	char *last = NULL;
	char *word = strtok_r(line, " \t\r\n", &last);

	words->count = 0;
	for (; word && *word != '#'; word = strtok_r(NULL, " \t\r\n", &last)) {
		if (words->count == WORDS_MAX)
			fail("more than %d words", WORDS_MAX);
		words->word[words->count++] = word;
	}
}

void words_shift(struct words *words)
{
	words->count--;
	memmove(words->word, words->word + 1,
		(size_t) words->count * sizeof(*words->word));
}

const char *words_at(const struct words *words, int i, const char *what)
{
	if (i >= words->count)
		fail("%s: %s is missing", words->word[0], what);
	return words->word[i];
}

const char *words_text(const struct words *words, const char *key,
		       const char *otherwise)
{
	size_t length = strlen(key);

	for (int i = 1; i < words->count; i++)
		if (!strncmp(words->word[i], key, length) &&
		    words->word[i][length] == '=')
			return words->word[i] + length + 1;
	return otherwise;
}

static int64_t parse_int(const char *text)
{
	char *end;
	long long value;

	errno = 0;
	value = strtoll(text, &end, 10);
	if (errno || end == text || *end)
		fail("\"%s\" is no whole number", text);
	return value;
}

int64_t words_int(const struct words *words, const char *key,
		  int64_t otherwise)
{
	const char *text = words_text(words, key, NULL);

	return text ? parse_int(text) : otherwise;
}

long double words_real(const struct words *words, const char *key,
		       long double otherwise)
{
	const char *text = words_text(words, key, NULL);
	char *end;
	long double value;

	if (!text)
		return otherwise;
	value = strtold(text, &end);
	if (end == text || *end)
		fail("\"%s\" is no number", text);
	return value;
}

int64_t words_int_at(const struct words *words, int i, const char *what)
{
	return parse_int(words_at(words, i, what));
}
