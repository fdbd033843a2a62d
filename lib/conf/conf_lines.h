/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf_lines: the keys of an equitree.conf with their values, and the lines where they
 * are set. */
#ifndef EQT_CONF_LINES_H
#define EQT_CONF_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "conf/conf.h"

#define EQT_CONF_VALUE 2048

/* A key and the value that is in force, as the file could have it. */
struct eqt_conf_line {
	const char *key;
	char value[EQT_CONF_VALUE];
};

/*
 * Get the next key from *at on, which begins with 0: of the top of the file (section
 * "") or of "priority", "budget" or "charges". Keys that are not set and have no
 * default are skipped, and so is billing_since. False: there are no more.
 */
bool eqt_conf_key_next(struct eqt_conf_line *out, const struct eqt_conf *conf,
		       const char *section, size_t *at);

/* Called with key "" for each section, and for each key of a section or (section "") of
 * the top of the file. */
typedef void eqt_conf_visitor(void *with, const char *section, const char *name,
			      const char *key, int line);

/* Read the file at path up to its first error, and visit its sections and keys. */
void eqt_conf_visit(const char *path, eqt_conf_visitor *visitor, void *with);

#endif
