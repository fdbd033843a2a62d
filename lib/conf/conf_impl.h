/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_conf_impl: shared by eqt_conf.c, which parses, eqt_conf_text.c, which
 * loads a file and refuses what the parser would take in silence,
 * eqt_conf_value.c, which reads values, eqt_conf_section.c, which takes closed
 * sections, and eqt_conf_priority.c, which does both for one of them.
 */
#ifndef EQT_CONF_IMPL_H
#define EQT_CONF_IMPL_H

#include <stdarg.h>
#include <stddef.h>

#include "conf/conf.h"

/* Stands for a comma outside quotes, which libconfuse keeps for itself; no
 * file has one. */
#define EQT_CONF_COMMA '\001'

/* Of which a GRES name or type consists. */
#define EQT_CONF_NAME_CHARACTERS     \
	"abcdefghijklmnopqrstuvwxyz" \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"

#define EQT_CONF_FILE_MAX ((size_t) 1 << 20)

/* A value of the file, the bounds of its key, and what was before it. */
struct eqt_conf_value {
	const char *text;
	uint64_t min, max; /* of a number */
	const struct eqt_bundle_table *prices;
};

/*
 * The kinds of values, in eqt_conf_value.c and eqt_conf_priority.c: each reads
 * one into *at, whose type it knows, within its bounds; 0, or -1 (*at
 * untouched).
 */
int eqt_conf_message(const struct eqt_conf_value *value, void *at);
int eqt_conf_rounding(const struct eqt_conf_value *value, void *at);
int eqt_conf_yes(const struct eqt_conf_value *value, void *at);
int eqt_conf_number(const struct eqt_conf_value *value, void *at);
int eqt_conf_integer(const struct eqt_conf_value *value, void *at);
int eqt_conf_memory(const struct eqt_conf_value *value, void *at);
int eqt_conf_nodes(const struct eqt_conf_value *value, void *at);
int eqt_conf_features(const struct eqt_conf_value *value, void *at);
int eqt_conf_way(const struct eqt_conf_value *value, void *at);
int eqt_conf_qos(const struct eqt_conf_value *value, void *at);
int eqt_conf_suffix(const struct eqt_conf_value *value, void *at);
int eqt_conf_wants(const struct eqt_conf_value *value, void *at);
int eqt_conf_bundles(const struct eqt_conf_value *value, void *at);
int eqt_conf_rank_by(const struct eqt_conf_value *value, void *at);
int eqt_conf_order(const struct eqt_conf_value *value, void *at);
int eqt_conf_scope(const struct eqt_conf_value *value, void *at);
int eqt_conf_size_by(const struct eqt_conf_value *value, void *at);

/* The index of text, of length bytes, among words (NULL ends them), or -1. */
int eqt_conf_word(const char *const *words, const char *text, size_t length);

/* Where in the file we are, and the first thing that was wrong with it. */
struct eqt_conf_place {
	const char *path;
	int line; /* 0: no one line is meant */
	struct eqt_error error;
};

/* Say what is wrong, and in which line, unless something was before. Returns
 * -1, always. */
int eqt_conf_refuse(struct eqt_conf_place *place, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The same of a va_list. */
void eqt_conf_refuse_v(struct eqt_conf_place *place, const char *format,
		       va_list args) __attribute__((format(printf, 2, 0)));

/* What the keys of a section have filled: those of its kind alone are of use. */
struct eqt_conf_section {
	struct eqt_conf_place *place;
	struct eqt_conf *conf; /* what is read so far */
	struct eqt_bundle bundle;
	char nodes[EQT_NODES_SIZE];
	char features[EQT_NODES_SIZE];
	struct eqt_rule rule;
	char suffix[EQT_NAME_SIZE];
	struct eqt_grant_rule grant;
	struct eqt_conf_priority priority;
};

/* Take a section that is closed, by its kind. 0, or -1 with the place's error:
 * what is wrong with the name or the whole. */
int eqt_conf_bundle_add(struct eqt_conf_section *section, const char *name);
int eqt_conf_partition_add(struct eqt_conf_section *section, const char *name);
int eqt_conf_qos_add(struct eqt_conf_section *section, const char *name);
int eqt_conf_pool_add(struct eqt_conf_section *section, const char *name);
int eqt_conf_grant_add(struct eqt_conf_section *section, const char *name);
int eqt_conf_priority_set(struct eqt_conf_section *section, const char *name);

/* Fill text, of EQT_CONF_FILE_MAX + 1 bytes, with the file. 0, or -1. */
int eqt_conf_text_load(struct eqt_conf_place *place, char *text);

/*
 * Refuse what libconfuse's scanner takes in silence (a section or quote that
 * never ends, characters that it skips) or acts upon (environment variables,
 * escapes), and blank the comments: version 3.3 counts each as three lines.
 * 0, or -1.
 */
int eqt_conf_text_check(struct eqt_conf_place *place, char *text);

/* Commas again where eqt_conf_text_check() has left EQT_CONF_COMMA. */
void eqt_conf_commas(char *text);

#endif
