/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * As in Slurm, the last line of a duplicate key counts, and the case of keys does not
 * matter. Lines about nodes, partitions and the like have keys of their own, which are
 * not global.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "slurm/conf/slurm_conf.h"
#include "cli/alloc.h"

/* ---- Reading -------------------------------------------------------------- */

#define DEPTH_MAX 16
#define BYTES_MAX ((size_t) 1 << 24)

/* The state of reading files into *conf. */
struct reading {
	struct eqt_slurmconf *conf;
	size_t bytes; /* bytes read so far */
	int depth;
	struct eqt_error *err;
};

/* A line of a file. */
struct place {
	const char *file;
	unsigned int number;
};

/* Fill err with "FILE:LINE: why", in the form that compilers use. Returns -1. */
static int reading_error(struct reading *reading, const struct place *at,
			 const char *why)
{
	return eqt_error_set(reading->err, "%s:%u: %s", at->file, at->number,
			     why);
}

/* Keys are stored as written. Comparisons ignore their case. */
static void line_add_pair(struct eqt_slurmconf_line *line, const char *key,
			  size_t key_length, const char *value,
			  size_t value_length)
{
	struct eqt_slurmconf_pair *pairs;

	EQT_ALLOC_ROOM(line->pairs, line->count);
	pairs = &line->pairs[line->count++];

	pairs->key = eqt_alloc_part(key, key_length);
	pairs->value = eqt_alloc_part(value, value_length);
}

static void line_free(struct eqt_slurmconf_line *line)
{
	for (size_t i = 0; i < line->count; i++) {
		free(line->pairs[i].key);
		free(line->pairs[i].value);
	}
	free(line->pairs);
	line->pairs = NULL;
	line->count = 0;
}

/* Remove a comment from the text. "\#" does not begin a comment. */
static void text_cut_comment(char *text)
{
	for (size_t i = 0; text[i] != '\0'; i++) {
		if (text[i] == '\\' && text[i + 1] == '#') {
			memmove(text + i, text + i + 1, strlen(text + i));
		} else if (text[i] == '#') {
			text[i] = '\0';
			return;
		}
	}
}

/* Read KEY=VALUE at *at, and move *at behind it. A value in quotes may have blanks, and
 * loses its quotes. Returns 0, or -1 on an error. */
static int reading_take_pair(struct reading *reading,
			     struct eqt_slurmconf_line *line,
			     const struct place *place, const char **at)
{
	const char *key = *at, *value;
	size_t key_length = strcspn(key, " \t=+*/"), length;

	value = key + key_length;
	value += strspn(value, " \t");
	/* In Slurm "+=" and the like change an earlier value. Here the new value replaces
	 * it. */
	if (*value && strchr("+-*/", *value))
		value++;
	if (key_length == 0 || *value != '=')
		return reading_error(reading, place, "expected KEY=VALUE");
	value++;
	value += strspn(value, " \t");
	length = strcspn(value, " \t");
	if (*value == '"') {
		value++;
		length = strcspn(value, "\"");
		if (value[length] == '\0')
			return reading_error(reading, place, "unclosed quote");
	}
	line_add_pair(line, key, key_length, value, length);
	*at = value + length + (value[length] == '"');
	*at += strspn(*at, " \t");
	return 0;
}

/* The last DEFAULT line of the same kind before line i, or i if there is none. The
 * previous line of that kind either is a DEFAULT line or has stored the index of one. */
static size_t line_defaults(const struct eqt_slurmconf *conf, size_t i)
{
	const char *first = conf->lines[i].pairs[0].key;
	const struct eqt_slurmconf_line *line;
	size_t at = i;

	while (at-- > 0) {
		line = &conf->lines[at];
		if (!eqt_slurm_conf_line_is(line, first))
			continue;
		if (strcasecmp(line->pairs[0].value, "DEFAULT") == 0)
			return at;
		return line->defaults == at ? i : line->defaults;
	}
	return i;
}

static int reading_add_line(struct reading *reading, const char *text,
			    const struct place *place)
{
	struct eqt_slurmconf *conf = reading->conf;
	struct eqt_slurmconf_line *line;

	EQT_ALLOC_ROOM(conf->lines, conf->count);
	line = &conf->lines[conf->count];
	*line = (struct eqt_slurmconf_line){ .file = place->file,
					     .number = place->number };
	conf->count++;
	while (*text != '\0') {
		if (reading_take_pair(reading, line, place, &text) < 0)
			return -1;
	}
	line->defaults = line_defaults(conf, conf->count - 1);
	return 0;
}

static int reading_read_file(struct reading *reading, const char *path,
			     const struct place *from);

/* The path of an included file, which the caller frees with free(). As in Slurm, the path
 * is relative to the first file, and %c is the name of the cluster. */
static char *reading_include_path(const struct eqt_slurmconf *conf,
				  const char *name)
{
	const char *cluster = eqt_slurm_conf_get(conf, "ClusterName", NULL);
	const char *slash = strrchr(conf->files[0], '/');
	char *path = NULL;
	size_t size;
	FILE *stream = eqt_alloc_stream(&path, &size);

	if (name[0] != '/' && slash)
		fprintf(stream, "%.*s", (int) (slash + 1 - conf->files[0]),
			conf->files[0]);
	for (; *name != '\0'; name++) {
		if (name[0] == '%' && name[1] == 'c' && cluster) {
			fputs(cluster, stream);
			name++;
		} else {
			fputc(*name, stream);
		}
	}
	eqt_alloc_stream_close(stream);
	return path;
}

/* Read the file of an Include line. Returns 0, or -1 with the error of the reading
 * filled. */
static int reading_include(struct reading *reading, const char *name,
			   const struct place *place)
{
	char *path = reading_include_path(reading->conf, name);
	int rc;

	rc = reading_read_file(reading, path, place);
	free(path);
	return rc;
}

/* Read a whole line with its continuations. "Include", in any case, is a word and no
 * key. */
static int reading_take_line(struct reading *reading, char *text,
			     const struct place *place)
{
	size_t blanks, length;

	text_cut_comment(text);
	length = strlen(text);
	while (length > 0 && isspace((unsigned char) text[length - 1]))
		text[--length] = '\0';
	blanks = strspn(text, " \t");
	text += blanks;
	if (*text == '\0')
		return 0;
	if (strncasecmp(text, "include", 7) == 0 &&
	    (text[7] == ' ' || text[7] == '\t'))
		return reading_include(
			reading, text + 7 + strspn(text + 7, " \t"), place);
	return reading_add_line(reading, text, place);
}

/* Append a line of the file, without CR and LF, to *text. A backslash at its very end is
 * removed. Returns 1 if there was such a backslash, which continues the line, or 0 if
 * not. */
static int text_append(char **text, const char *more, size_t length)
{
	size_t old = *text ? strlen(*text) : 0;
	bool goes_on;

	while (length > 0 && strchr("\r\n", more[length - 1]))
		length--;
	goes_on = length > 0 && more[length - 1] == '\\';
	length -= goes_on;
	*text = eqt_alloc_again(*text, old + length + 1, 1);
	memcpy(*text + old, more, length);
	(*text)[old + length] = '\0';
	return goes_on;
}

/* A continued line has the number of its first part. */
static int reading_read_lines(struct reading *reading, FILE *stream,
			      const char *file)
{
	struct place place = { file, 1 };
	char *line = NULL, *text = NULL;
	unsigned int number = 0;
	size_t size = 0;
	ssize_t got;
	int rc = 0;

	while (rc >= 0 && (got = getline(&line, &size, stream)) >= 0) {
		number++;
		if (rc == 0)
			place.number = number;
		reading->bytes += (size_t) got;
		if (memchr(line, '\0', (size_t) got))
			rc = reading_error(reading, &place, "a NUL byte");
		else if (reading->bytes > BYTES_MAX)
			rc = reading_error(reading, &place, "more than 16 MiB");
		else
			rc = text_append(&text, line, (size_t) got);
		if (rc != 0)
			continue;
		rc = reading_take_line(reading, text, &place);
		text[0] = '\0';
	}
	if (rc == 0 && ferror(stream))
		rc = reading_error(reading, &place, strerror(errno));
	if (rc == 1)
		rc = reading_error(
			reading, &place,
			"the last line is continued, but the file ends");
	free(line);
	free(text);
	return rc;
}

/* Open and read a file. "from" is the line that includes it, or NULL. The depth is
 * limited, so that a file that includes itself causes an error. */
static int reading_read_file(struct reading *reading, const char *path,
			     const struct place *from)
{
	struct eqt_slurmconf *conf = reading->conf;
	const struct place top = { path, 1 };
	FILE *stream;
	int rc;

	EQT_ALLOC_ROOM(conf->files, conf->file_count);
	if (reading->depth == DEPTH_MAX)
		return reading_error(reading, from ? from : &top,
				     "files that include each other");
	/* Lines borrow this name, so it lives as long as *conf. */
	conf->files[conf->file_count] = eqt_alloc_text(path);

	stream = fopen(path, "r");
	conf->file_count++;
	if (!stream && from)
		return eqt_error_set(reading->err, "%s:%u: Include %s: %s",
				     from->file, from->number, path,
				     strerror(errno));
	if (!stream)
		return eqt_error_set(reading->err, "%s: %s", path,
				     strerror(errno));
	reading->depth++;
	rc = reading_read_lines(reading, stream,
				conf->files[conf->file_count - 1]);
	reading->depth--;
	(void) fclose(stream);
	return rc;
}

int eqt_slurm_conf_read(struct eqt_slurmconf *out, const char *path,
			struct eqt_error *err)
{
	struct reading reading = { .conf = out, .err = err };

	*out = (struct eqt_slurmconf){ .count = 0 };
	if (reading_read_file(&reading, path, NULL) == 0)
		return 0;
	eqt_slurm_conf_free(out);
	return -1;
}

/* On lines with a key there are blanks around '='. Other lines are free text. A value
 * ends at a blank, and "(null)" means that there is no value. */
void eqt_slurm_conf_cut(struct eqt_slurmconf *out, const char *name,
			const char *text)
{
	unsigned int number = 0;

	*out = (struct eqt_slurmconf){ .count = 0 };
	for (; *text != '\0';
	     text += strcspn(text, "\n"), text += *text != '\0') {
		const size_t key = strcspn(text, " =\r\n");
		const char *value = text + key + strspn(text + key, " ");
		struct eqt_slurmconf_line line = { name, ++number, NULL, 0, 0 };

		if (*value != '=')
			continue;
		value += 1 + strspn(value + 1, " ");
		if (strncmp(value, "(null)", 6) == 0)
			continue;
		line.defaults = out->count;
		EQT_ALLOC_ROOM(out->lines, out->count);
		line_add_pair(&line, text, key, value, strcspn(value, " \r\n"));
		out->lines[out->count++] = line;
	}
}

/* ---- Look-ups ------------------------------------------------------------- */

/* The first keys of lines that describe nodes, partitions and the like. The keys of such
 * lines are not global. */
static const char *const entities[] = {
	"NodeName", "PartitionName", "FrontendName", "DownNodes",
	"NodeSet",  "SwitchName",    "Name",
};

void eqt_slurm_conf_free(struct eqt_slurmconf *conf)
{
	for (size_t i = 0; i < conf->count; i++)
		line_free(&conf->lines[i]);
	for (size_t i = 0; i < conf->file_count; i++)
		free(conf->files[i]);
	free(conf->lines);
	free(conf->files);
	*conf = (struct eqt_slurmconf){ .count = 0 };
}

/* Does the line describe an object, such as a node or a partition, rather than a
 * setting? */
static bool line_is_entity(const struct eqt_slurmconf_line *line)
{
	for (size_t i = 0; i < sizeof(entities) / sizeof(entities[0]); i++) {
		if (eqt_slurm_conf_line_is(line, entities[i]))
			return true;
	}
	return false;
}

const char *eqt_slurm_conf_get(const struct eqt_slurmconf *conf,
			       const char *key,
			       const struct eqt_slurmconf_line **line)
{
	const char *value;

	if (line)
		*line = NULL;
	/* Search from the end, because the last line counts. */
	for (size_t i = conf->count; i-- > 0;) {
		if (line_is_entity(&conf->lines[i]))
			continue;
		value = eqt_slurm_conf_line_get(&conf->lines[i], key);
		if (value && line)
			*line = &conf->lines[i];
		if (value)
			return value;
	}
	return NULL;
}

const char *eqt_slurm_conf_line_get(const struct eqt_slurmconf_line *line,
				    const char *key)
{
	for (size_t i = line->count; i-- > 0;) {
		if (strcasecmp(line->pairs[i].key, key) == 0)
			return line->pairs[i].value;
	}
	return NULL;
}

bool eqt_slurm_conf_line_is(const struct eqt_slurmconf_line *line,
			    const char *first)
{
	return strcasecmp(line->pairs[0].key, first) == 0;
}

const char *eqt_slurm_conf_entity_get(const struct eqt_slurmconf *conf,
				      size_t i, const char *key)
{
	const char *value = eqt_slurm_conf_line_get(&conf->lines[i], key);

	/* Each DEFAULT line has the index of the one before it. */
	while (!value && conf->lines[i].defaults != i) {
		i = conf->lines[i].defaults;
		value = eqt_slurm_conf_line_get(&conf->lines[i], key);
	}
	return value;
}
