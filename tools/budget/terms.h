/* SPDX-License-Identifier: GPL-2.0-or-later */
/* terms: the options of equitree budget, and the terms of a budget in them. */
#ifndef EQT_BUDGET_TERMS_H
#define EQT_BUDGET_TERMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "budget/budget.h"
#include "budget/thresholds.h"
#include "cli/output_options.h"

#define EQT_BUDGET_WORDS 4

struct eqt_budget_options {
	struct eqt_output_options common;
	const char *word[EQT_BUDGET_WORDS]; /* the first is the verb */
	int words;
	struct eqt_budget_terms terms;
	const char *qos;
	const char *dates;
	const char *reason;
	const char *journal;
	struct eqt_thresholds thresholds;
	bool thresholds_given;
	bool way_given;
	bool carry;
	bool lift;
	bool csv;
	bool dry_run;
};

/* A number above 0; what names the thing for the error. 0, or -1 with err filled, as
 * all functions here. */
int eqt_terms_word_number(uint64_t *out, const char *word, const char *what,
			  struct eqt_error *err);

/* ACCOUNT or ACCOUNT/USER. */
int eqt_terms_word_owner(struct eqt_budget_terms *terms, const char *word,
			 struct eqt_error *err);

/* Fill in missing options from the section budget of equitree.conf, if that
 * file exists. */
int eqt_terms_site(struct eqt_budget_options *options, struct eqt_error *err);

/* The terms of all options together, with defaults. */
int eqt_terms_finish(struct eqt_budget_options *options, struct eqt_error *err);

#endif
