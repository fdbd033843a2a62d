/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value: the kinds of values that the keys of equitree.conf have. Private to
 * lib/conf.
 *
 * Each function reads value->text into *at, whose type is fixed by the kind. It
 * returns 0, or -1 with *at untouched when the text is not of this kind or out of
 * bounds.
 */
#ifndef EQT_VALUE_H
#define EQT_VALUE_H

#include <stddef.h>
#include <stdint.h>

#include "conf/conf.h"

/* A value of the file, and what its key allows; a plain value that borrows. */
struct eqt_value {
	const char *text;
	uint64_t min, max; /* of a number */
	const char *const *words; /* of a word; NULL ends them */
	const struct eqt_bundle_table *prices; /* that are above it */
};

/* A word, the yes or no of a key, a number, an amount of memory. */
int eqt_value_word(const struct eqt_value *value, void *at); /* an enum */
int eqt_value_bits(const struct eqt_value *value, void *at); /* uint32_t */
int eqt_value_yes(const struct eqt_value *value, void *at); /* bool */
/* A number with at most six decimals, in millionths: uint64_t. */
int eqt_value_number(const struct eqt_value *value, void *at);
int eqt_value_integer(const struct eqt_value *value, void *at); /* uint64_t */
/* A count with one of Slurm's suffixes: uint64_t. */
int eqt_value_count(const struct eqt_value *value, void *at);
int eqt_value_memory(const struct eqt_value *value, void *at); /* MiB / 10^6 */
/* These two fill a char[EQT_NODES_SIZE]. */
int eqt_value_nodes(const struct eqt_value *value, void *at);
int eqt_value_features(const struct eqt_value *value, void *at);
/* These two fill a char[EQT_NAME_SIZE]. */
int eqt_value_name(const struct eqt_value *value, void *at);
int eqt_value_qos(const struct eqt_value *value, void *at); /* lower case */
/* A word to print, which may have blanks: fills a char[EQT_UNIT_SIZE]. */
int eqt_value_label(const struct eqt_value *value, void *at);
/* A list of percentages, or off: a struct eqt_thresholds. */
int eqt_value_thresholds(const struct eqt_value *value, void *at);
int eqt_value_bundles(const struct eqt_value *value, void *at); /* eqt_rule */

/* The index of text, of length bytes, among words (NULL ends them), or -1. */
int eqt_value_index(const char *const *words, const char *text, size_t length);

#endif
