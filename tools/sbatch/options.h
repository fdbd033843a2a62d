/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options: a request in sbatch's own options, from the command line of a subcommand
 * and from a batch script that it names. */
#ifndef EQT_SBATCH_OPTIONS_H
#define EQT_SBATCH_OPTIONS_H

#include <stddef.h>
#include <stdbool.h>
#include "cli/options.h"
#include "sbatch/rules.h"
#include "sbatch/script.h"

/* Owns its memory; {0} is empty. */
struct eqt_sbatch_words {
	char **word;
	size_t count;
	bool script; /* the last words are a script and its arguments */
};

/* A subcommand that takes a request. */
struct eqt_sbatch_command {
	const char *words, *doc; /* as of struct argp */
	const struct eqt_option *own; /* its own options, which no script has */
	void *into; /* the struct that they are stored in */
	/* Take a word that is not an option. 1; 0: it is the batch script; -1 with
	   err filled. NULL: each is the script. */
	int (*word)(void *into, const char *word, struct eqt_error *err);
	/* Check its options as a whole; NULL: nothing to check. request: an option of
	   sbatch or a script is given. */
	int (*check)(void *into, bool request, struct eqt_error *err);
	bool csv; /* it prints one table, and has --csv */
};

/* A request; {0} is empty. */
struct eqt_sbatch_options {
	struct eqt_output_options common;
	const char *script_path; /* NULL: none */
	struct eqt_script script;
	struct eqt_sbatch_component *asks; /* owned */
	int components; /* at least 1 */
	struct eqt_sbatch_words words; /* of the command line, for sbatch */
	bool any; /* the command line has an option of sbatch, or a script */
};

/*
 * Read the command line, and the script that it names, into *options, which
 * eqt_sbatch_options_free() frees. Options of the command line override those
 * of the script. Does not return when the command line is misused or asks for
 * help. -1 with err filled ("FILE:LINE: why") when the script has an error.
 */
int eqt_sbatch_options_parse(struct eqt_sbatch_options *options,
			     const struct eqt_sbatch_command *command, int argc,
			     char **argv, struct eqt_error *err);

/* Turn each component into the request that sbatch of a release would send, once and
 * before anything else asks for it: eqt_sbatch_rules_apply(). */
int eqt_sbatch_options_apply(struct eqt_sbatch_options *options,
			     unsigned int release, struct eqt_error *err);

/* Free the script and the lists of all components; *options is empty then. */
void eqt_sbatch_options_free(struct eqt_sbatch_options *options);

#endif
