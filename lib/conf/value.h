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

#include <stdint.h>

#include "conf/conf.h"

/* A resource of a bundle or partition: how much of it costs how much. {0}: not said.
 * A plain value. */
struct eqt_conf_part {
	struct eqt_frac
		amount; /* cores, MiB, counts of disk; den 0: not counted */
	struct eqt_frac
		cost; /* equivalents of that amount; den 0: the weight */
	uint32_t term; /* from 1; 0: outside */
	bool decimal; /* powers of 1000: no whole millionths of a MiB */
};

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
/* "4000M", or "0.1 per G": a struct eqt_conf_part, as are the two below. */
int eqt_value_memory(const struct eqt_value *value, void *at);
int eqt_value_cores(const struct eqt_value *value,
		    void *at); /* "0.75 per core" */
int eqt_value_disk(const struct eqt_value *value, void *at); /* "25G", ... */
int eqt_value_cost(const struct eqt_value *value, void *at); /* a number */
/* These two fill a char[EQT_NODES_SIZE]. */
int eqt_value_nodes(const struct eqt_value *value, void *at);
int eqt_value_features(const struct eqt_value *value, void *at);
/* These two fill a char[EQT_NAME_SIZE]. */
int eqt_value_name(const struct eqt_value *value, void *at);
int eqt_value_qos(const struct eqt_value *value, void *at); /* lower case */
/* An absolute path: fills a char[EQT_CONF_PATH]. */
int eqt_value_path(const struct eqt_value *value, void *at);
/* A word to print, which may have blanks: fills a char[EQT_UNIT_SIZE]. */
int eqt_value_label(const struct eqt_value *value, void *at);
/* A list of percentages, or off: a struct eqt_thresholds. */
int eqt_value_thresholds(const struct eqt_value *value, void *at);
/* A list of TIME or TIMExSCALE: a struct eqt_conf_billed[EQT_BILLED_MAX]. */
int eqt_value_billed(const struct eqt_value *value, void *at);
/* "premium4 from 20": a struct eqt_rule_then. */
int eqt_value_then(const struct eqt_value *value, void *at);
/* "0.6 from 1024": the uint64_t 1024, and one behind it in millionths. */
int eqt_value_big(const struct eqt_value *value, void *at);
/* "0.5 Mon-Fri 19:00-07:00, Sat-Sun": a struct eqt_week. */
int eqt_value_week(const struct eqt_value *value, void *at);
int eqt_value_bundles(const struct eqt_value *value, void *at); /* eqt_rule */

#endif
