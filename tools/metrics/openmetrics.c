/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples are collected in memory and written together, so that after an error the
 * previous file stays in place. */
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "metrics/openmetrics.h"
#include "cli/alloc.h"
#include "cli/atomic_file.h"
#include "cli/json.h"

/* U+FFFD in UTF-8. */
#define REPLACEMENT "\xef\xbf\xbd"

void eqt_openmetrics_begin(struct eqt_openmetrics *out, bool json, bool help)
{
	*out = (struct eqt_openmetrics){ .help = help };
	if (json)
		out->array = json_object_new_array();
	else
		out->stream = eqt_alloc_stream(&out->text, &out->length);
}

void eqt_openmetrics_family(struct eqt_openmetrics *out, const char *name,
			    const char *help)
{
	out->family = name;
	if (!out->stream)
		return;
	fprintf(out->stream, "# TYPE %s gauge\n", name);
	if (out->help)
		fprintf(out->stream, "# HELP %s %s\n", name, help);
}

/* The value as UTF-8, which the format requires. The caller frees it with free(). */
static char *label_make_utf8(const char *value)
{
	char *text = NULL;
	size_t size, length;
	uint32_t c;
	FILE *stream = eqt_alloc_stream(&text, &size);

	for (; *value != '\0'; value += length ? length : 1) {
		length = eqt_text_utf8(&c, value);
		if (length)
			(void) fwrite(value, 1, length, stream);
		else
			(void) fputs(REPLACEMENT, stream);
	}
	eqt_alloc_stream_close(stream);
	return text;
}

/* Write a label. OpenMetrics escapes newline, quote and backslash. */
static void label_write(FILE *stream, const char *name, const char *value)
{
	fprintf(stream, "%s=\"", name);
	for (; *value != '\0'; value++) {
		if (*value == '\n')
			(void) fputs("\\n", stream);
		else if (*value == '"' || *value == '\\')
			fprintf(stream, "\\%c", *value);
		else
			(void) fputc(*value, stream);
	}
	(void) fputc('"', stream);
}

/* Write a number in the form that OpenMetrics requires. */
static void value_write(FILE *stream, long double value)
{
	if (isnan(value))
		(void) fputs(" NaN\n", stream);
	else if (isinf(value))
		fprintf(stream, " %cInf\n", value > 0 ? '+' : '-');
	else
		fprintf(stream, " %.15Lg\n", value);
}

void eqt_openmetrics_sample(
	struct eqt_openmetrics *out,
	const struct eqt_openmetrics_label labels[EQT_OPENMETRICS_LABELS],
	long double value)
{
	json_object *object = out->array ? json_object_new_object() : NULL;
	json_object *all = out->array ? json_object_new_object() : NULL;
	const char *before = "{";
	char *text;

	if (out->stream)
		(void) fputs(out->family, out->stream);
	for (int i = 0; labels && i < EQT_OPENMETRICS_LABELS && labels[i].name;
	     i++) {
		text = labels[i].value ? label_make_utf8(labels[i].value)
				       : NULL;
		if (!text)
			continue;
		if (all) {
			eqt_json_add(all, labels[i].name, text);
		} else {
			(void) fputs(before, out->stream);
			label_write(out->stream, labels[i].name, text);
		}
		before = ",";
		free(text);
	}
	if (out->stream) {
		if (*before == ',')
			(void) fputc('}', out->stream);
		value_write(out->stream, value);
		return;
	}
	eqt_json_add(object, "name", out->family);
	eqt_json_add(object, "labels", all);
	eqt_json_add(object, "value", value);
	eqt_json_append(out->array, object);
}

void eqt_openmetrics_free(struct eqt_openmetrics *out)
{
	if (out->stream)
		(void) fclose(out->stream);
	free(out->text);
	json_object_put(out->array);
	*out = (struct eqt_openmetrics){ .text = NULL };
}

/* Complete the text in out->text. */
static void openmetrics_finish(struct eqt_openmetrics *out)
{
	const char *json;

	if (out->array) {
		json = json_object_to_json_string_ext(
			out->array, JSON_C_TO_STRING_PRETTY |
					    JSON_C_TO_STRING_SPACED |
					    JSON_C_TO_STRING_NOSLASHESCAPE);
		out->stream = eqt_alloc_stream(&out->text, &out->length);
		fprintf(out->stream, "%s\n", json ? json : "");
	} else {
		(void) fputs("# EOF\n", out->stream);
	}
	eqt_alloc_stream_close(out->stream);
	out->stream = NULL;
}

int eqt_openmetrics_end(struct eqt_openmetrics *out, const char *path,
			struct eqt_error *err)
{
	int rc = 0;

	openmetrics_finish(out);
	if (path)
		rc = eqt_atomic_file_write(path, out->text, out->length, err);
	else
		(void) fwrite(out->text, 1, out->length, stdout);
	eqt_openmetrics_free(out);
	return rc;
}
