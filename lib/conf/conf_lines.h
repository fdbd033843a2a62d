/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf_lines: the lines of an equitree.conf: what is in force, and where it is said. */
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
 * The next key from *at on, which begins with 0: of the top of the file (section "") or of
 * "priority", "budget" or "charges". Keys that are not set and have no default are passed
 * over, and billing_since is. False: there are no more.
 */
bool eqt_conf_key_next(struct eqt_conf_line *out, const struct eqt_conf *conf,
		       const char *section, size_t *at);

/* Called for each section, with key "", and for each key of it or, with section "", of the
 * top of the file. */
typedef void eqt_conf_visitor(void *with, const char *section, const char *name,
			      const char *key, int line);

/* Read the file at path for the places of its sections and keys, up to its first error. */
void eqt_conf_visit(const char *path, eqt_conf_visitor *visitor, void *with);

#endif
