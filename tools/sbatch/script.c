/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines are split into words as in sbatch, including its oddities: a comment sign within
 * a word, and an empty word, which ends the line. A word that sbatch reads differently
 * would get a wrong price.
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/alloc.h"
#include "sbatch/script.h"

#define BYTES_MAX ((size_t) 1 << 24)
/* #BSUB and #PBS are searched for in this many lines */
#define FOREIGN_LINES 100

/* sbatch still accepts the old word. */
static const char *const words_of_slurm[] = { "#SBATCH", "#SLURM" };
static const char *const separators[] = { "hetjob", "packjob" };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int script_error(const struct eqt_script *script, unsigned int line,
			struct eqt_error *err, const char *why)
{
	return eqt_error_set(err, "%s:%u: %s", script->name, line, why);
}

void eqt_script_words_add(struct eqt_script_words *words, char *text,
			  unsigned int line)
{
	EQT_ALLOC_ROOM(words->word, words->count);
	words->word[words->count++] = (struct eqt_script_word){ text, line };
}

/*
 * Copy the word at *at to out, which has room for the rest of the line, and move *at
 * behind it. Returns the length of the word, 0 at the end of the line or at a comment, or
 * -1 for an unclosed quote.
 */
static long script_copy_word(const char **at, char *out)
{
	const char *from = *at;
	char quote = '\0';
	long length = 0;

	for (; *from != '\0' && (quote || !isspace((unsigned char) *from));
	     from++) {
		if (*from == '\\') {
			if (from[1] == '\0')
				break;
			from++;
		} else if (quote) {
			if (*from == quote) {
				quote = '\0';
				continue;
			}
		} else if (*from == '"' || *from == '\'') {
			quote = *from;
			continue;
		} else if (*from == '#') {
			from += strlen(from);
			break;
		}
		out[length++] = *from;
	}
	out[length] = '\0';
	*at = from;
	return quote ? -1 : length;
}

/* Take all words of a line after "#SBATCH". */
static int script_take_words(struct eqt_script *script,
			     struct eqt_script_words *words, const char *at,
			     unsigned int line, struct eqt_error *err)
{
	char *word;
	long length;

	for (;;) {
		while (isspace((unsigned char) *at))
			at++;
		if (*at == '\0')
			return 0;
		word = eqt_alloc(strlen(at) + 1, 1);
		length = script_copy_word(&at, word);
		if (length < 0) {
			free(word);
			return script_error(script, line, err,
					    "unclosed quote");
		}
		if (length == 0) {
			/* In sbatch, too, an empty word "" ends the line. */
			free(word);
			return 0;
		}
		eqt_script_words_add(words, word, line);
	}
}

/* The rest of a line after "hetjob", or NULL for any other line. */
static const char *script_after_separator(const char *at)
{
	size_t i, length;

	for (i = 0; i < COUNT(separators); i++) {
		length = strlen(separators[i]);
		if (strncasecmp(at, separators[i], length) == 0 &&
		    (at[length] == '\0' || isspace((unsigned char) at[length])))
			return at + length;
	}
	return NULL;
}

/* A separator begins the next component. Options may follow on the same line. */
static int script_take_directive(struct eqt_script *script, const char *at,
				 unsigned int line, struct eqt_error *err)
{
	const char *rest;

	while (isspace((unsigned char) *at))
		at++;
	rest = script_after_separator(at);
	if (rest) {
		if (script->components == EQT_SCRIPT_COMPONENTS_MAX)
			return script_error(script, line, err,
					    "more components than a "
					    "heterogeneous job may have");
		script->begin[script->components++] = script->own.count;
		at = rest;
	}
	return script_take_words(script, &script->own, at, line, err);
}

/* The state of reading a script. */
struct progress {
	/* a command was read, so later #SBATCH lines do not count */
	bool has_command;
	unsigned int no_comments;
};

/* Take a line "#BSUB" or "#PBS". Returns false for any other line. */
static bool script_take_foreign(int *rc, struct eqt_script *script,
				const char *text, unsigned int line,
				struct eqt_error *err)
{
	const struct {
		const char *word;
		struct eqt_script_words *into;
	} kinds[] = { { "#BSUB", &script->lsf }, { "#PBS", &script->pbs } };
	size_t i, length;

	for (i = 0; i < COUNT(kinds); i++) {
		length = strlen(kinds[i].word);
		if (strncmp(text, kinds[i].word, length) != 0)
			continue;
		*rc = script_take_words(script, kinds[i].into, text + length,
					line, err);
		return true;
	}
	return false;
}

/* Take a line. Returns 0, 1 if later lines do not count, or -1 with err filled. */
static int script_take_line(struct eqt_script *script,
			    struct progress *progress, const char *text,
			    unsigned int line, struct eqt_error *err)
{
	size_t i, length;
	int rc;

	for (i = 0; !progress->has_command && i < COUNT(words_of_slurm); i++) {
		length = strlen(words_of_slurm[i]);
		if (strncmp(text, words_of_slurm[i], length) == 0)
			return script_take_directive(script, text + length,
						     line, err);
	}
	if (script_take_foreign(&rc, script, text, line, err))
		return rc;
	progress->no_comments += text[0] != '#';
	while (isspace((unsigned char) *text))
		text++;
	progress->has_command |= *text != '\0' && *text != '#';
	return progress->has_command && progress->no_comments > FOREIGN_LINES;
}

static int script_read_lines(struct eqt_script *script, FILE *stream,
			     struct eqt_error *err)
{
	struct progress progress = { .has_command = false };
	unsigned int number = 0;
	char *line = NULL;
	size_t size = 0, bytes = 0;
	ssize_t got;
	int rc = 0;

	while (rc == 0 && (got = getline(&line, &size, stream)) >= 0) {
		number++;
		bytes += (size_t) got;
		line[strcspn(line, "\n")] = '\0';
		if (number == 1 && strncmp(line, "#!", 2) != 0)
			rc = script_error(script, number, err,
					  "not a batch script: expected #! as "
					  "in #!/bin/bash");
		else if (memchr(line, '\0', (size_t) got - 1))
			rc = script_error(script, number, err, "a NUL byte");
		else if (strchr(line, '\r'))
			rc = script_error(script, number, err,
					  "DOS line end, which sbatch rejects");
		else if (bytes > BYTES_MAX)
			rc = script_error(script, number, err,
					  "more than 16 MiB");
		else
			rc = script_take_line(script, &progress, line, number,
					      err);
	}
	if (rc == 0 && ferror(stream))
		rc = eqt_error_set(err, "%s: %s", script->name,
				   strerror(errno));
	if (rc == 0 && number == 0)
		rc = eqt_error_set(err, "%s: empty", script->name);
	free(line);
	return rc < 0 ? -1 : 0;
}

int eqt_script_read(struct eqt_script *out, const char *path,
		    struct eqt_error *err)
{
	FILE *stream = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
	int rc;

	*out = (struct eqt_script){ .name = path, .components = 1 };
	if (stream == stdin)
		out->name = "stdin";
	if (!stream)
		return eqt_error_set(err, "%s: %s", path, strerror(errno));
	rc = script_read_lines(out, stream, err);
	out->begin[out->components] = out->own.count;
	if (stream != stdin)
		(void) fclose(stream);
	if (rc < 0)
		eqt_script_free(out);
	return rc;
}

static void script_words_free(struct eqt_script_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->word[i].text);
	free(words->word);
}

void eqt_script_free(struct eqt_script *script)
{
	script_words_free(&script->own);
	script_words_free(&script->lsf);
	script_words_free(&script->pbs);
	script_words_free(&script->foreign);
	*script = (struct eqt_script){ .components = 1 };
}
