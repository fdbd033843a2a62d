/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf_lines: the keys of an equitree.conf with their values and their line numbers. */
#ifndef EQT_CONF_LINES_H
#define EQT_CONF_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "conf/conf.h"

#define EQT_CONF_VALUE 2048

/* A key and the value that is in force, in the notation of the file. */
struct eqt_conf_line {
	const char *key;
	char value[EQT_CONF_VALUE];
};

/*
 * Return the next key of the top level of the file (section "") or of the section
 * "priority", "budget" or "charges". *at must be 0 for the first call. Keys that are
 * not set and have no default are skipped, and so is billing_since. Return false if
 * there are no more keys.
 */
bool eqt_conf_key_next(struct eqt_conf_line *out, const struct eqt_conf *conf,
		       const char *section, size_t *at);

/* A function that is called for each section, with key "", and for each key. At the top
 * level of the file, `section` is "". */
typedef void eqt_conf_visitor(void *with, const char *section, const char *name,
			      const char *key, int line);

/* Read the file at path up to its first error, and call the visitor for each section
 * and each key. */
void eqt_conf_visit(const char *path, eqt_conf_visitor *visitor, void *with);

#endif
