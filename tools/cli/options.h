/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options: the command line of a subcommand as a table. The table says what each option
 * is called and which member of the subcommand's struct receives its argument. The
 * options that all subcommands share are added to each table.
 */
#ifndef EQT_CLI_OPTIONS_H
#define EQT_CLI_OPTIONS_H

#include <stdbool.h>
#include <argp.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The options that all subcommands share. A plain value; in {0} no option was given. */
struct eqt_output_options {
	bool csv;
	bool json;
	bool no_headings;
	/* the list of --clusters "a,b", borrowed; NULL: not given */
	const char *clusters;
	bool coloured; /* --color was given; colour.h stores its value */
};

/* Was --csv given? If so, a command prints its table and no other text. */
bool eqt_output_csv(void);

/*
 * The common options as children of an argp parser. The parser says where their values
 * are stored, for ARGP_KEY_INIT:
 *
 *	state->child_inputs[0] = &options->common;
 */
extern const struct argp_child eqt_output_children[];

/* The same children with --csv, for subcommands that print one table. */
extern const struct argp_child eqt_output_table_children[];

/* How the argument of an option is stored. "at" is the offset of the member in the
 * struct. */
enum eqt_option_kind {
	EQT_OPTION_TEXT, /* const char *: the argument, borrowed from argv */
	EQT_OPTION_FLAG, /* bool: set to true */
	EQT_OPTION_NUMBER, /* uint64_t: a whole number of at most "most" */
	/* take() stores it; take() gets a pointer to the member */
	EQT_OPTION_PUT,
	EQT_OPTION_TAKE, /* take() stores it; take() gets the whole struct */
};

/* An option. {0} ends a table. */
struct eqt_option {
	const char *name; /* NULL: a title; doc is the title of the group */
	char letter; /* short form; 0: none */
	const char *arg; /* name of the argument in --help; NULL: no argument */
	const char *doc;
	int group; /* in --help, options of smaller groups come first */
	enum eqt_option_kind kind;
	size_t at;
	uint64_t most;
	/* the argument may be left out; nothing is stored then */
	bool optional;
	/* Store the argument in the struct, or in the member for EQT_OPTION_PUT. arg is
	 * NULL if no argument was given. Returns 0, or -1 with err filled. */
	int (*take)(void *to, const char *arg, struct eqt_error *err);
};

/* The last columns of a table row. A member of the wrong type does not compile. */
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
	bool csv; /* prints one table, so --csv is an option */
	bool clusters; /* --clusters may name several clusters */
	const char *words; /* names of the arguments in --help, or NULL */
	/* as in argp: \v precedes the text after the options */
	const char *doc;
	/* Offset of a const char * that receives the only argument without a "-". 0:
	 * word() takes such arguments. */
	size_t word_at;
	/* Take an argument that is not an option. NULL: no such argument is allowed. */
	int (*word)(void *options, const char *word, struct eqt_error *err);
	/* Check the options together after the last one was read. NULL: nothing to
	 * check. */
	int (*check)(void *options, struct eqt_error *err);
};

/* Read the command line into *options, the subcommand's struct. Exits after --help, and
 * after an error message if the command line is wrong. */
void eqt_options_parse(const struct eqt_options_spec *line, int argc,
		       char **argv, void *options);

/* For a subcommand with more than one table of options. The first function makes argp's
 * rows for a table. The second stores the argument of one option and returns 0, 1 if the
 * table has no such option, or -1 with err filled ("--name: why"). */
void eqt_options_rows(struct argp_option rows[EQT_OPTIONS_MAX + 1],
		      const struct eqt_option *table);
int eqt_options_take(const struct eqt_option *table, void *options, int key,
		     const char *arg, struct eqt_error *err);

/* The option that reads the saved output of a command, found by the command's name in the
 * doc of the option. NULL if there is no such option. */
const char *eqt_options_reader(const char *command);

#endif
