/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * openmetrics: samples as OpenMetrics text or as JSON. The text is also valid in the
 * older Prometheus format, which the textfile collector reads: it has only gauges, and no
 * line that the older format lacks.
 */
#ifndef EQT_METRICS_OPENMETRICS_H
#define EQT_METRICS_OPENMETRICS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

#define EQT_OPENMETRICS_LABELS 4

/* A label. Borrowed. It is left out if its value is NULL. */
struct eqt_openmetrics_label {
	const char *name;
	const char *value;
};

/* The samples. {0} before eqt_openmetrics_begin(); eqt_openmetrics_end() frees it. */
struct eqt_openmetrics {
	FILE *stream; /* writes to text */
	char *text;
	size_t length;
	json_object *array; /* used instead of text for JSON */
	const char *family;
	bool help;
};

/* Begin without a sample. "json" selects JSON. With "help", families get their help
 * texts. */
void eqt_openmetrics_begin(struct eqt_openmetrics *out, bool json, bool help);

/* Begin a gauge, to which the following samples belong. name and help are static text. */
void eqt_openmetrics_family(struct eqt_openmetrics *out, const char *name,
			    const char *help);

/* Add a sample. Label values may have any bytes; invalid UTF-8 becomes U+FFFD. */
void eqt_openmetrics_sample(
	struct eqt_openmetrics *out,
	const struct eqt_openmetrics_label labels[EQT_OPENMETRICS_LABELS],
	long double value);

/* Print all samples on stdout or, if path is not NULL, replace that file atomically.
 * Frees what *out owns. Returns 0, or -1 with err filled. */
int eqt_openmetrics_end(struct eqt_openmetrics *out, const char *path,
			struct eqt_error *err);

/* Free what *out owns without printing. */
void eqt_openmetrics_free(struct eqt_openmetrics *out);

#endif
