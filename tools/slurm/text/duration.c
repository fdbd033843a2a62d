/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "slurm/text/duration.h"

/* Numbers have at most seven digits. That is enough for days, and nothing can
 * overflow. */
int eqt_duration_parse(uint64_t *out, const char *text)
{
	uint64_t part[3] = { 0 }, days = 0;
	const char *at = text, *end;
	size_t parts = 0;

	for (;; at = end + 1) {
		if (!isdigit((unsigned char) *at) || parts == 3)
			return -1;
		for (end = at; isdigit((unsigned char) *end) && end - at <= 7;
		     end++)
			part[parts] =
				part[parts] * 10 + (uint64_t) (*end - '0');
		parts++;
		if (end - at > 7)
			return -1;
		if (*end == '-' && parts == 1 && at == text) {
			days = part[--parts];
			part[parts] = 0;
			continue;
		}
		if (*end != ':')
			break;
	}
	if (*end == '.')
		end += 1 + strspn(end + 1, "0123456789");
	if (*end != '\0' || parts < 2)
		return -1;
	*out = days * 86400 + (parts == 3 ? part[0] * 3600 : 0) +
	       part[parts - 2] * 60 + part[parts - 1];
	return 0;
}

uint64_t eqt_duration_unit(const char *word)
{
	static const struct {
		const char *name;
		uint64_t seconds;
	} units[] = {
		{ "second", 1 },	 { "minute", 60 },
		{ "hour", 3600 },	 { "day", 86400 },
		{ "week", 7 * 86400 },	 { "month", 30 * 86400 },
		{ "year", 365 * 86400 },
	};
	size_t length = strlen(word);

	if (length > 1 && tolower((unsigned char) word[length - 1]) == 's')
		length--;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strlen(units[i].name) == length &&
		    strncasecmp(units[i].name, word, length) == 0)
			return units[i].seconds;
	return 0;
}

char *eqt_duration_text(char buf[EQT_DURATION_TEXT], uint64_t seconds)
{
	const unsigned int hours = (unsigned int) (seconds / 3600 % 24);
	const unsigned int minutes = (unsigned int) (seconds / 60 % 60);
	const unsigned int rest = (unsigned int) (seconds % 60);

	if (seconds >= 86400)
		(void) snprintf(buf, EQT_DURATION_TEXT,
				"%" PRIu64 "-%02u:%02u:%02u", seconds / 86400,
				hours, minutes, rest);
	else
		(void) snprintf(buf, EQT_DURATION_TEXT, "%u:%02u:%02u", hours,
				minutes, rest);
	return buf;
}

char *eqt_duration_words(char buf[EQT_DURATION_WORDS], int64_t seconds)
{
	const int64_t s = seconds < 0 ? 0 : seconds;

	if (s < 60)
		(void) snprintf(buf, EQT_DURATION_WORDS, "%" PRId64 " s", s);
	else if (s < 3600)
		(void) snprintf(buf, EQT_DURATION_WORDS, "%" PRId64 " min",
				s / 60);
	else if (s < 86400)
		(void) snprintf(buf, EQT_DURATION_WORDS,
				"%" PRId64 " h %" PRId64 " min", s / 3600,
				s % 3600 / 60);
	else
		(void) snprintf(buf, EQT_DURATION_WORDS,
				"%" PRId64 " d %" PRId64 " h", s / 86400,
				s % 86400 / 3600);
	return buf;
}
