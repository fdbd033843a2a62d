/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value: readers for the kinds of values that the keys of equitree.conf have. Only
 * lib/conf uses them.
 *
 * Each function reads value->text into *at, whose type depends on the kind. It returns
 * 0, or -1 with *at unchanged if the text is not of this kind or out of bounds.
 */
#ifndef EQT_VALUE_H
#define EQT_VALUE_H

#include <stdint.h>

#include "conf/conf.h"

/* What an amount of a resource costs in a bundle or a partition. {0} means that the
 * file does not say so. A plain value. */
struct eqt_conf_part {
	/* Cores, MiB or counts of disk; den 0 if the resource is not counted. */
	struct eqt_frac amount;
	/* The price of the amount in equivalents; den 0 means the weight. */
	struct eqt_frac cost;
	uint32_t term; /* number of the term, from 1 on; 0 outside of terms */
	/* Whether memory has a suffix for a power of 1000, so that it is not a whole
	 * number of millionths of a MiB. */
	bool decimal;
};

/* A value of the file, and what its key allows. A plain value that borrows its
 * strings. */
struct eqt_value {
	const char *text;
	uint64_t min, max; /* the bounds of a number */
	/* The words that are allowed, ending with NULL. */
	const char *const *words;
	/* The bundles that are defined above the value. */
	const struct eqt_bundle_table *prices;
};

/* Read one word into an enum, several words into the bits of a uint32_t, or yes or no
 * into a bool. */
int eqt_value_word(const struct eqt_value *value, void *at);
int eqt_value_bits(const struct eqt_value *value, void *at);
int eqt_value_yes(const struct eqt_value *value, void *at);
/* Read a number with at most six decimals as millionths, or a whole number, into a
 * uint64_t. */
int eqt_value_number(const struct eqt_value *value, void *at);
int eqt_value_integer(const struct eqt_value *value, void *at);
/* Read an amount such as "4000M", or a cost such as "0.1 per G", "0.75 per core" or a
 * number, into a struct eqt_conf_part. */
int eqt_value_memory(const struct eqt_value *value, void *at);
int eqt_value_cores(const struct eqt_value *value, void *at);
int eqt_value_disk(const struct eqt_value *value, void *at);
int eqt_value_cost(const struct eqt_value *value, void *at);
/* Read a list of nodes or of features into a char[EQT_NODES_SIZE]. */
int eqt_value_nodes(const struct eqt_value *value, void *at);
int eqt_value_features(const struct eqt_value *value, void *at);
/* Read a name, or the name of a QOS in lower case, into a char[EQT_NAME_SIZE]. */
int eqt_value_name(const struct eqt_value *value, void *at);
int eqt_value_qos(const struct eqt_value *value, void *at);
/* Read an absolute path into a char[EQT_CONF_PATH]. */
int eqt_value_path(const struct eqt_value *value, void *at);
/* Read a word that is printed to users, which may have blanks, into a
 * char[EQT_UNIT_SIZE]. */
int eqt_value_label(const struct eqt_value *value, void *at);
/* Read a list of percentages, or "off", into a struct eqt_thresholds. */
int eqt_value_thresholds(const struct eqt_value *value, void *at);
/* Read a list of TIME or TIMExSCALE into a struct eqt_conf_billed[EQT_BILLED_MAX]. */
int eqt_value_billed(const struct eqt_value *value, void *at);
/* Read a QOS and a percentage, such as "premium4 from 20", into a struct
 * eqt_rule_then. */
int eqt_value_then(const struct eqt_value *value, void *at);
/* Read a factor and a number of nodes, such as "0.6 from 1024". *at becomes the nodes
 * as a uint64_t, and the next uint64_t becomes the factor in millionths. */
int eqt_value_big(const struct eqt_value *value, void *at);
/* Read factors such as "0.5 Mon-Fri 19:00-07:00, Sat-Sun" into a struct eqt_week. */
int eqt_value_week(const struct eqt_value *value, void *at);
/* Read the names of the bundles that are in force in a partition into a struct
 * eqt_rule. */
int eqt_value_bundles(const struct eqt_value *value, void *at);

#endif
