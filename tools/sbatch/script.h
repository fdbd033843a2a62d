/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * script: the options that a batch script has for sbatch.
 *
 * Lines "#SBATCH ..." count up to the first line that is neither blank nor a comment.
 * Quotes, backslashes and a '#' in these lines are read as in sbatch. "#SBATCH hetjob"
 * begins the next component of a heterogeneous job.
 *
 * Lines "#BSUB ..." and "#PBS ..." count wherever they are, up to a hundred lines that
 * are no comments; and only the lines of one of the two, for all components
 * (lsf_pbs.h).
 */
#ifndef EQT_SBATCH_SCRIPT_H
#define EQT_SBATCH_SCRIPT_H

#include <stddef.h>

#include "base/error.h"

#define EQT_SCRIPT_COMPONENTS_MAX 128

/* A word and its line. */
struct eqt_script_word {
	char *text;
	unsigned int line;
};

/* Owns its memory; {0} is empty. */
struct eqt_script_words {
	struct eqt_script_word *word;
	size_t count;
};

/* Owns its memory; {0} is empty. */
struct eqt_script {
	const char *name; /* borrowed, for messages */
	struct eqt_script_words own;
	struct eqt_script_words lsf, pbs; /* words as they are written */
	struct eqt_script_words
		foreign; /* words of sbatch with the same meaning */
	size_t begin[EQT_SCRIPT_COMPONENTS_MAX +
		     1]; /* index of the first word of each component */
	int components; /* at least 1 */
};

/* Add a word, which *words then owns. */
void eqt_script_words_add(struct eqt_script_words *words, char *text,
			  unsigned int line);

/*
 * Read the script at path ("-": stdin). Returns 0, or -1 with err filled ("FILE:LINE:
 * why"). Possible errors: a script that cannot be read or does not begin with "#!", a NUL
 * byte, more than 16 MiB, an unclosed quote, too many components.
 */
int eqt_script_read(struct eqt_script *out, const char *path,
		    struct eqt_error *err);

/* Free what *script owns. *script is empty afterwards. */
void eqt_script_free(struct eqt_script *script);

#endif
