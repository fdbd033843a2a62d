/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * openmetrics: samples as OpenMetrics text or as JSON. The text is valid in the
 * older Prometheus format, too, which the textfile collector reads: gauges
 * only, and no line that it does not know.
 */
#ifndef EQT_METRICS_OPENMETRICS_H
#define EQT_METRICS_OPENMETRICS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

#define EQT_OPENMETRICS_LABELS 4

/* A label; left out if its value is NULL. Borrowed. */
struct eqt_openmetrics_label {
	const char *name;
	const char *value;
};

/* Freed by eqt_openmetrics_end(); {0} before eqt_openmetrics_begin(). */
struct eqt_openmetrics {
	FILE *stream; /* writes to text */
	char *text;
	size_t length;
	json_object *array; /* instead of text */
	const char *family;
	bool help;
};

/* Begin without a sample; json: as JSON, help: with the help of families. */
void eqt_openmetrics_begin(struct eqt_openmetrics *out, bool json, bool help);

/* Begin a gauge: the following samples belong to it. name and help are static
 * text. */
void eqt_openmetrics_family(struct eqt_openmetrics *out, const char *name,
			    const char *help);

/* Add a sample. Label values may be any bytes; invalid UTF-8 becomes U+FFFD. */
void eqt_openmetrics_sample(
	struct eqt_openmetrics *out,
	const struct eqt_openmetrics_label labels[EQT_OPENMETRICS_LABELS],
	long double value);

/* Print all on stdout or, if path is not NULL, replace that file atomically. Frees what
 * *out owns. Returns 0, or -1 with err filled. */
int eqt_openmetrics_end(struct eqt_openmetrics *out, const char *path,
			struct eqt_error *err);

/* Free what *out owns without printing. */
void eqt_openmetrics_free(struct eqt_openmetrics *out);

#endif
