/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exposition: samples as OpenMetrics text, or as JSON. The text is also what
 * the older Prometheus text format has, so that the textfile collector, which
 * reads that, takes it: gauges only, and no line that it would not know.
 */
#ifndef EQT_METRICS_OPENMETRICS_H
#define EQT_METRICS_OPENMETRICS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

#define EQT_OPENMETRICS_LABELS 4

/* A label; a NULL value: not there. Borrowed. */
struct eqt_openmetrics_label {
	const char *name;
	const char *value;
};

/* Owned by eqt_openmetrics_end(); {0} before eqt_openmetrics_begin(). */
struct eqt_openmetrics {
	FILE *stream; /* into text */
	char *text;
	size_t length;
	json_object *array; /* instead of text */
	const char *family;
	bool help;
};

/* 0, or -1 with err filled: memory. */
int eqt_openmetrics_begin(struct eqt_openmetrics *out, bool json, bool help,
			  struct eqt_error *err);

/* The samples that follow are of this gauge; name and help are static text. */
void eqt_openmetrics_family(struct eqt_openmetrics *out, const char *name,
			    const char *help);

/* A sample. Label values are any bytes: what is no UTF-8 becomes U+FFFD. */
void eqt_openmetrics_sample(
	struct eqt_openmetrics *out,
	const struct eqt_openmetrics_label labels[EQT_OPENMETRICS_LABELS],
	long double value);

/*
 * Print all on stdout or, path not being NULL, put it in the place of the file,
 * which is whole at any moment: readers see the old one or the new one. Frees
 * what *out owns. 0, or -1 with err filled.
 */
int eqt_openmetrics_end(struct eqt_openmetrics *out, const char *path,
			struct eqt_error *err);

/* Drop it all. */
void eqt_openmetrics_free(struct eqt_openmetrics *out);

#endif
