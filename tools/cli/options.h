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

/* The options of all subcommands. A plain value; {0}: none was given. */
struct eqt_output_options {
	bool csv;
	bool json;
	bool no_headings;
	const char *
		clusters; /* the list of --clusters "a,b", borrowed; NULL: none */
	bool coloured; /* --color was given; colour.h stores its value */
};

/* Was --csv given? Then a command prints its table and no other text. */
bool eqt_output_csv(void);

/*
 * The common options as children of an argp parser. The parser says where their values
 * are stored, for ARGP_KEY_INIT:
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
	EQT_OPTION_PUT, /* stored by take(), which gets a pointer to the member */
	EQT_OPTION_TAKE, /* stored by take(), which gets the struct */
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
	/* Store the argument (NULL: none was given) in the struct, or in the member of
	 * EQT_OPTION_PUT. 0, or -1 with err filled. */
	int (*take)(void *to, const char *arg, struct eqt_error *err);
};

/* The rest of a row, behind its group. A member of a wrong type does not compile. */
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
	/* Offset of the only word that is not an option (const char *); 0: word() takes it. */
	size_t word_at;
	/* Take a word that is not an option; NULL: none is allowed. */
	int (*word)(void *options, const char *word, struct eqt_error *err);
	/* Check the options as a whole, after the last one; NULL: nothing to check. */
	int (*check)(void *options, struct eqt_error *err);
};

/* Read the command line into *options, the subcommand's struct. Exits for --help, and
 * after a message for misuse. */
void eqt_options_parse(const struct eqt_options_spec *line, int argc,
		       char **argv, void *options);

/* For a parser that has more than one table: make the rows of argp for a table, and store
 * the argument of one of their keys. The second returns 0, 1 if no row has the key, or -1
 * with err filled ("--name: why"). */
void eqt_options_rows(struct argp_option rows[EQT_OPTIONS_MAX + 1],
		      const struct eqt_option *table);
int eqt_options_take(const struct eqt_option *table, void *options, int key,
		     const char *arg, struct eqt_error *err);

/* The name of the option of this command line that reads the saved output of a command.
 * Its doc names that command. NULL: there is no such option. */
const char *eqt_options_reader(const char *command);

#endif
