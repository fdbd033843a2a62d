/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys: all keys of equitree.conf: where each may be, what it takes, its default and its
 * bounds. Private to lib/conf.
 */
#ifndef EQT_CONF_KEYS_H
#define EQT_CONF_KEYS_H

#include <stddef.h>
#include <stdint.h>

#include "conf/value.h"

/* Where keys may be: at the top, or in a section. */
enum eqt_conf_place {
	EQT_CONF_TOP,
	EQT_CONF_BUNDLE,
	EQT_CONF_PARTITION,
	EQT_CONF_QOS,
	EQT_CONF_POOL,
	EQT_CONF_GRANT,
	EQT_CONF_RESERVATION,
	EQT_CONF_TERM, /* in a bundle or a partition; without a name */
	EQT_CONF_PRIORITY, /* this section and those below have no name */
	EQT_CONF_BUDGET,
	EQT_CONF_CHARGES,
	EQT_CONF_PLACES
};

#define EQT_CONF_IN(place) (1U << (place))

/* One key: its reader, its destination, its bounds. */
struct eqt_conf_key {
	const char *key;
	int (*kind)(const struct eqt_value *value, void *at);
	unsigned int places;
	size_t at; /* offset in struct eqt_conf or struct eqt_section */
	const char *without; /* the default; NULL: zero */
	uint64_t min, max; /* words have none */
	const char *wanted; /* "expected ..."; says min and max too */
	const char *const *words; /* of a word, in the order of its enum */
};

/* More than there are keys: a file that is read has a mark for each. */
#define EQT_CONF_KEYS_MAX 64

/* In the order in which defaults are set; a key may have a row for each section. */
extern const struct eqt_conf_key eqt_conf_keys[];
extern const size_t eqt_conf_key_count;

#endif
