/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys: the table of all keys of equitree.conf, with the places where a key is allowed,
 * its values, its default and its bounds. Only lib/conf uses it.
 */
#ifndef EQT_CONF_KEYS_H
#define EQT_CONF_KEYS_H

#include <stddef.h>
#include <stdint.h>

#include "conf/value.h"

/* The places where a key can be: the top level of the file, or a section. */
enum eqt_conf_place {
	EQT_CONF_TOP,
	EQT_CONF_BUNDLE,
	EQT_CONF_PARTITION,
	EQT_CONF_QOS,
	EQT_CONF_POOL,
	EQT_CONF_GRANT,
	EQT_CONF_RESERVATION,
	/* The section "term" of a bundle or a partition, which has no name. */
	EQT_CONF_TERM,
	EQT_CONF_PRIORITY, /* the sections from here on have no name */
	EQT_CONF_BUDGET,
	EQT_CONF_CHARGES,
	EQT_CONF_PLACES
};

#define EQT_CONF_IN(place) (1U << (place))

/* A key, its reader, its destination and its bounds. */
struct eqt_conf_key {
	const char *key;
	int (*kind)(const struct eqt_value *value, void *at);
	unsigned int places;
	size_t at; /* offset in struct eqt_conf or struct eqt_section */
	/* The text of the default; NULL if the default is zero. */
	const char *without;
	uint64_t min, max; /* the bounds of a number; unused for other kinds */
	/* The end of the error "expected ...", which names the bounds, too. */
	const char *wanted;
	/* The words that are allowed, in the order of their enum. */
	const char *const *words;
};

/* The size of the array that marks which keys a file has set, which is larger than the
 * number of keys. */
#define EQT_CONF_KEYS_MAX 64

/* The keys in the order in which their defaults are set. A key has several rows if it
 * differs between sections. */
extern const struct eqt_conf_key eqt_conf_keys[];
extern const size_t eqt_conf_key_count;

#endif
