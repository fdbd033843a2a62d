/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options: a subcommand's command line as a table, which says what each option
 * is called and where its argument is stored in the subcommand's own struct.
 * The options of all subcommands are added to each.
 */
#ifndef EQT_CLI_OPTIONS_H
#define EQT_CLI_OPTIONS_H

#include <stdbool.h>
#include <argp.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A plain value; {0}: none of them was given. */
struct eqt_output_options {
	bool csv;
	bool json;
	bool no_headings;
	const char *clusters; /* several of --clusters, borrowed; NULL: none */
	bool coloured; /* --color was given; colour.h stores its value */
};

/* Was --csv given? Then a command prints its table and no other text. */
bool eqt_output_csv(void);

/*
 * The children of a subcommand's argp, which then has the common options
 * (this room does that). Its parser says where they go, for ARGP_KEY_INIT:
 *
 *	state->child_inputs[0] = &options->common;
 */
extern const struct argp_child eqt_output_children[];

/* The same with --csv, for subcommands that print one table. */
extern const struct argp_child eqt_output_table_children[];

/* How an option's argument is stored; "at" is the offset in the struct. */
enum eqt_option_kind {
	EQT_OPTION_TEXT, /* const char *: the argument, borrowed from argv */
	EQT_OPTION_FLAG, /* bool: true */
	EQT_OPTION_NUMBER, /* uint64_t: a whole number, not above the member most */
	EQT_OPTION_PUT, /* stored by take(), which gets the member alone */
	EQT_OPTION_TAKE, /* stored by take() */
};

/* An option; a table ends with {0}. */
struct eqt_option {
	const char *name; /* NULL: doc is the title of the group */
	char letter; /* short form; 0: none */
	const char *arg; /* the argument's name in --help; NULL: no argument */
	const char *doc;
	int group; /* in --help: options of smaller groups come first */
	enum eqt_option_kind kind;
	size_t at;
	uint64_t most;
	bool optional; /* the argument is optional; nothing is stored without it */
	/* Store it in the struct, or in the member. 0, or -1 with err filled; arg is NULL
	 * without an argument. */
	int (*take)(void *to, const char *arg, struct eqt_error *err);
};

/* The rest of a row, behind its group. The compiler rejects a member of another
 * type. */
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
#define EQT_PUT_AT(type, member, wanted, put) \
	EQT_OPTION_PUT, EQT_OFFSET_OF(type, member, wanted), 0, false, put
#define EQT_TAKEN_BY(take) EQT_OPTION_TAKE, 0, 0, false, take

#define EQT_OPTIONS_MAX 32

struct eqt_options_spec {
	const struct eqt_option *table;
	size_t common_at; /* offset of the struct eqt_output_options */
	bool csv; /* it prints one table, and has --csv */
	bool clusters; /* --clusters may be a list */
	const char *words; /* names of the other words in --help, or NULL */
	const char *doc; /* as in argp: \v precedes the text at the end */
	/* Where the only word that is not an option goes (const char *); 0: to word(). */
	size_t word_at;
	/* Take a word that is not an option; NULL: none is allowed. */
	int (*word)(void *options, const char *word, struct eqt_error *err);
	/*
	 * Check the options as a whole, after the last; NULL: nothing to check.
	 */
	int (*check)(void *options, struct eqt_error *err);
};

/* Read the command line into *options, the subcommand's struct. Exits for --help, and
 * after a message for misuse. */
void eqt_options_parse(const struct eqt_options_spec *line, int argc,
		       char **argv, void *options);

/* For a parser that has more than one table: the rows of argp for a table, and what
 * takes one of their keys, as above: 0, 1 if it is of no row, -1 with err filled
 * ("--name: why"). */
void eqt_options_rows(struct argp_option rows[EQT_OPTIONS_MAX + 1],
		      const struct eqt_option *table);
int eqt_options_take(const struct eqt_option *table, void *options, int key,
		     const char *arg, struct eqt_error *err);

/* The option of this command line's table that reads what a command printed from a file,
 * by its doc, which names the command; NULL: none. */
const char *eqt_options_reader(const char *command);

#endif
