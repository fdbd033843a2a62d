/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exposition: samples as OpenMetrics text, or as JSON. The text is also what
 * the older Prometheus text format has, so that the textfile collector, which
 * reads that, takes it: gauges only, and no line that it would not know.
 */
#ifndef EQT_EXPOSITION_H
#define EQT_EXPOSITION_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

#define EQT_LABELS_MAX 4

/* A label; a NULL value: not there. Borrowed. */
struct eqt_label {
	const char *name;
	const char *value;
};

/* Owned by eqt_exposition_end(); {0} before eqt_exposition_begin(). */
struct eqt_exposition {
	FILE *stream; /* into text */
	char *text;
	size_t length;
	json_object *array; /* instead of text */
	const char *family;
	bool help;
};

/* 0, or -1 with err filled: memory. */
int eqt_exposition_begin(struct eqt_exposition *out, bool json, bool help,
			 struct eqt_error *err);

/* The samples that follow are of this gauge; name and help are static text. */
void eqt_exposition_family(struct eqt_exposition *out, const char *name,
			   const char *help);

/* A sample. Label values are any bytes: what is no UTF-8 becomes U+FFFD. */
void eqt_exposition_sample(struct eqt_exposition *out,
			   const struct eqt_label labels[EQT_LABELS_MAX],
			   long double value);

/*
 * Print all on stdout or, path not being NULL, put it in the place of the file,
 * which is whole at any moment: readers see the old one or the new one. Frees
 * what *out owns. 0, or -1 with err filled.
 */
int eqt_exposition_end(struct eqt_exposition *out, const char *path,
		       struct eqt_error *err);

/* Drop it all. */
void eqt_exposition_free(struct eqt_exposition *out);

#endif
