/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libconfuse does not report the lines of keys, so the file is scanned a
 * second time, for messages only: sections, names, keys and their lines. The
 * scanner never decides what a file means.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/places.h"

/* The words of a statement so far: a key, or a section and its name. */
struct scanner {
	struct eqt_places *places;
	struct eqt_place spot; /* the open section */
	char words[2][64];
	unsigned int lines[2];
	int count; /* number of words */
	bool value; /* after a '=': the next word is a value */
};

/* Out of memory only costs line numbers in messages. */
static void places_add(struct scanner *scanner, const char *key,
		       unsigned int line)
{
	struct eqt_places *places = scanner->places;
	size_t count = places->count;
	struct eqt_place *spots = places->spots;

	if ((count & (count - 1)) == 0) {
		spots = realloc(spots,
				(count ? count * 2 : 1) * sizeof(*spots));
		if (!spots)
			return;
		places->spots = spots;
	}
	spots[count] = scanner->spot;
	spots[count].line = line;
	(void) snprintf(spots[count].key, sizeof(spots[count].key), "%.31s",
			key);
	places->count++;
}

/* '=' ends a key, '{' ends the head of a section, '}' closes the section. */
static void places_take_mark(struct scanner *scanner, char mark)
{
	struct eqt_place *spot = &scanner->spot;

	if (mark == '=') {
		places_add(scanner, scanner->words[0], scanner->lines[0]);
		scanner->value = true;
	} else if (mark == '{') {
		(void) snprintf(spot->section, sizeof(spot->section), "%.15s",
				scanner->words[0]);
		(void) snprintf(spot->name, sizeof(spot->name), "%.63s",
				scanner->count > 1 ? scanner->words[1] : "");
		places_add(scanner, "", scanner->lines[0]);
	} else {
		*spot = (struct eqt_place){ .line = 0 };
	}
	scanner->count = 0;
}

/* Keep a key, or the kind and the name of a section; skip a value. */
static void places_take_word(struct scanner *scanner, const char *word,
			     size_t length, unsigned int line)
{
	int at = scanner->count < 2 ? scanner->count++ : 1;

	if (scanner->value) {
		scanner->value = false;
		scanner->count = 0;
		return;
	}
	(void) snprintf(scanner->words[at], sizeof(scanner->words[at]), "%.*s",
			length < 64 ? (int) length : 63, word);
	scanner->lines[at] = line;
}

/* Take the word or mark at *text and step behind it. */
static void places_take(struct scanner *scanner, const char **text,
			unsigned int line)
{
	const char *at = *text;
	size_t length;

	if (*at == '#') {
		*text += strcspn(at, "\n");
	} else if (*at == '"' || *at == '\'') {
		length = strcspn(at + 1, *at == '"' ? "\"" : "'");
		places_take_word(scanner, at + 1, length, line);
		*text += 1 + length + (at[1 + length] != '\0');
	} else if (strchr("={}", *at)) {
		places_take_mark(scanner, *at);
		*text += 1;
	} else if (isspace((unsigned char) *at)) {
		*text += 1;
	} else {
		length = strcspn(at, " \t\r\n={}#\"'");
		places_take_word(scanner, at, length, line);
		*text += length;
	}
}

void eqt_places_read(struct eqt_places *out, const char *path)
{
	struct scanner scanner = { .places = out };
	unsigned int number = 0;
	char *line = NULL;
	const char *at;
	size_t size = 0;
	FILE *stream = fopen(path, "r");

	*out = (struct eqt_places){ .count = 0 };
	while (stream && getline(&line, &size, stream) >= 0) {
		number++;
		for (at = line; *at != '\0';)
			places_take(&scanner, &at, number);
	}
	free(line);
	if (stream)
		(void) fclose(stream);
}

void eqt_places_free(struct eqt_places *places)
{
	free(places->spots);
	*places = (struct eqt_places){ .count = 0 };
}

static bool place_is_in(const struct eqt_place *spot, const char *section,
			const char *name)
{
	return strcmp(spot->section, section ? section : "") == 0 &&
	       strcmp(spot->name, name ? name : "") == 0;
}

unsigned int eqt_places_find(const struct eqt_places *places,
			     const char *section, const char *name,
			     unsigned int nth, const char *key)
{
	unsigned int line = 0;
	size_t i;

	for (i = 0; i < places->count; i++) {
		const struct eqt_place *spot = &places->spots[i];
		bool begins = spot->key[0] == '\0';

		if (!place_is_in(spot, section, name))
			continue;
		/* Skip sections before the nth one, and stop at the one after
		 * it. */
		if (begins && (line || nth-- > 0)) {
			if (line)
				break;
			continue;
		}
		if (begins)
			line = spot->line;
		if ((line || !section) && key && strcmp(spot->key, key) == 0)
			return spot->line;
	}
	return line;
}
