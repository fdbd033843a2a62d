/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options: a subcommand's command line as a table: what each option is called
 * and where its argument goes in the subcommand's own struct. The options that
 * all have (common.h) come by themselves.
 */
#ifndef EQT_CLI_OPTIONS_H
#define EQT_CLI_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/output_options.h"

/* What becomes of an option; "at" is where in the struct. */
enum eqt_option_kind {
	EQT_OPTION_TEXT, /* const char *: the argument, borrowed from argv */
	EQT_OPTION_FLAG, /* bool: true */
	EQT_OPTION_NUMBER, /* uint64_t: a whole number up to most */
	EQT_OPTION_TAKE, /* whatever take() does with it */
};

/* An option; the last one of a table is {0}. */
struct eqt_option {
	const char *name;
	char letter; /* its short form; 0: none */
	const char *arg; /* what --help calls its argument; NULL: it has none */
	const char *doc;
	int group; /* of --help: options of a smaller one come first */
	enum eqt_option_kind kind;
	size_t at;
	uint64_t most;
	bool optional; /* the argument; without one nothing is written */
	/* 0, or -1 with err filled; arg is NULL where there is none. */
	int (*take)(void *options, const char *arg, struct eqt_error *err);
};

/* The rest of a row, behind its group; a member of another type is refused by
 * the compiler. */
#define EQT_OFFSET_OF(type, member, wanted) \
	_Generic(((type *) 0)->member, wanted : offsetof(type, member))
#define EQT_TEXT_AT(type, member)                                             \
	EQT_OPTION_TEXT, EQT_OFFSET_OF(type, member, const char *), 0, false, \
		NULL
#define EQT_FLAG_AT(type, member) \
	EQT_OPTION_FLAG, EQT_OFFSET_OF(type, member, bool), 0, false, NULL
#define EQT_NUMBER_AT(type, member, most)                                      \
	EQT_OPTION_NUMBER, EQT_OFFSET_OF(type, member, uint64_t), most, false, \
		NULL
#define EQT_TAKEN_BY(take) EQT_OPTION_TAKE, 0, 0, false, take

#define EQT_OPTIONS_MAX 32

struct eqt_options_spec {
	const struct eqt_option *table;
	size_t common_at; /* the struct eqt_output_options in the subcommand's own */
	const char *words; /* what --help calls the other words, or NULL */
	const char *doc; /* as argp has it: \v comes before the end's text */
	/* A word that is no option; NULL: there are none. */
	int (*word)(void *options, const char *word, struct eqt_error *err);
	/* At the end: does all that was said go together? NULL: always. */
	int (*check)(void *options, struct eqt_error *err);
};

/*
 * Read the command line into *options, the subcommand's struct. Returns 0;
 * does not return for --help, nor for misuse, which it says on stderr.
 */
int eqt_options_parse(const struct eqt_options_spec *line, int argc,
		      char **argv, void *options);

#endif
