/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options: a request given with sbatch's own options, from the command line of a
 * subcommand and from a batch script that the command line names. */
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
	const char *words, *doc; /* as in struct argp */
	/* its own options, which a script cannot have */
	const struct eqt_option *own;
	void *into; /* the struct in which they are stored */
	/* Take a word that is not an option. Returns 1, or 0 if the word is the batch
	 * script, or -1 with err filled. NULL: every such word is a script. */
	int (*word)(void *into, const char *word, struct eqt_error *err);
	/* Check the options together. "request" tells whether an option of sbatch or a
	 * script was given. NULL: nothing to check. */
	int (*check)(void *into, bool request, struct eqt_error *err);
	bool csv; /* prints one table, so --csv is an option */
};

/* A request; {0} is empty. */
struct eqt_sbatch_options {
	struct eqt_output_options common;
	const char *script_path; /* NULL: there is no script */
	struct eqt_script script;
	struct eqt_sbatch_component *component; /* owned */
	int components; /* at least 1 */
	/* words of the command line, for sbatch */
	struct eqt_sbatch_words words;
	bool any; /* the command line has an option of sbatch, or a script */
};

/*
 * Read the command line, and the script that it names, into *options, which
 * eqt_sbatch_options_free() frees. Options of the command line override those of the
 * script. Does not return if the command line is wrong or asks for help. Returns 0, or -1
 * with err filled ("FILE:LINE: why") if the script has an error.
 */
int eqt_sbatch_options_parse(struct eqt_sbatch_options *options,
			     const struct eqt_sbatch_command *command, int argc,
			     char **argv, struct eqt_error *err);

/* Turn each component into the request that sbatch of a release would send, by
 * eqt_sbatch_rules_apply(). Must be called once, before anything else uses the
 * components. Returns 0, or -1 with err filled. */
int eqt_sbatch_options_apply(struct eqt_sbatch_options *options,
			     unsigned int release, struct eqt_error *err);

/* Free the script and the lists of all components; *options is empty afterwards. */
void eqt_sbatch_options_free(struct eqt_sbatch_options *options);

#endif
