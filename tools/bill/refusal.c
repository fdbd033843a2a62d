/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sbatch --test-only runs all checks of slurmctld and of its plugins. It also says no
 * where a job would be accepted and wait; these answers are no refusals.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bill/refusal.h"
#include "slurm/text/command.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* A line of sbatch, without what it puts before the words. */
struct answer_line {
	const char *words;
	int length;
	bool error; /* it says what is wrong */
	bool ours; /* it is from the submission plugin */
	bool price; /* that is no refusal, and neither are its other lines */
};

/* Move behind a prefix, if it is there. */
static bool answer_skip(const char **at, const char *before)
{
	const size_t length = strlen(before);

	if (strncmp(*at, before, length) != 0)
		return false;
	*at += length;
	return true;
}

/* "sbatch: error: 1: equitree: ...": of component 1. */
static struct answer_line answer_cut(const char *at)
{
	struct answer_line line = { .error = false };
	size_t digits;

	(void) answer_skip(&at, "sbatch: ");
	line.error = answer_skip(&at, "error: ");
	digits = strspn(at, "0123456789");
	if (digits > 0 && strncmp(at + digits, ": ", 2) == 0)
		at += digits + 2;
	line.error |= answer_skip(&at, "allocation failure: ");
	line.ours = answer_skip(&at, "equitree: ");
	line.price = line.ours && strncmp(at, "cost ", 5) == 0;
	line.words = at;
	line.length = (int) strcspn(at, "\n");
	return line;
}

/* Answers of a test that sbatch accepts otherwise: the job waits, or the price message
 * says that it cannot run. */
static bool answer_is_a_wait(const struct answer_line *line)
{
	static const char *const waits[] = {
		"Requested node configuration is not available",
		"Requested partition configuration not available now",
		"Requested nodes are busy",
		"Required node not available (down, drained or reserved)",
		"Required partition not available (inactive or drain)",
		"Node count specification invalid",
		("Requested time limit is invalid (missing or exceeds some "
		 "limit)"),
		"Unable to contact slurm controller (connect failure)",
	};

	for (size_t i = 0; i < ARRAY_SIZE(waits); i++)
		if (strlen(waits[i]) == (size_t) line->length &&
		    strncmp(line->words, waits[i], strlen(waits[i])) == 0)
			return true;
	return false;
}

/* "Job 5 to start at 2026-11-24T20:33:51 using ..." */
static void answer_take_start(char start[EQT_REFUSAL_START], const char *line)
{
	const char *at = strstr(line, " to start at ");
	int length;

	if (!at)
		return;
	at += strlen(" to start at ");
	length = (int) strcspn(at, " \n");
	if (length < EQT_REFUSAL_START)
		(void) snprintf(start, EQT_REFUSAL_START, "%.*s", length, at);
}

/* The last line says whether it is refused; the first one, or that of the plugin, says
 * why. */
static int answer_read(char start[EQT_REFUSAL_START], const char *text,
		       struct eqt_error *err)
{
	struct answer_line why = { .length = 0 }, last = why;
	bool priced = false;

	start[0] = '\0';
	for (const char *at = text; *at != '\0';
	     at += strcspn(at, "\n"), at += *at == '\n') {
		const struct answer_line line = answer_cut(at);

		answer_take_start(start, at);
		priced |= line.price;
		if (!line.error || (priced && line.ours))
			continue;
		if (!why.words || (line.ours && !why.ours))
			why = line;
		if (!line.ours)
			last = line;
	}
	if (!last.words || start[0] != '\0' || answer_is_a_wait(&last))
		return 0;
	/* Of a feature that no node has ours only knows that. */
	if (strncmp(last.words, "Invalid feature", 15) == 0)
		why = last;
	return eqt_error_set(err, "%.*s", why.length, why.words);
}

/* Without a script its text would come from stdin. The partition stands behind the options
 * of the first component, which the last one of several overrides. */
int eqt_bill_refusal_ask(char start[EQT_REFUSAL_START],
			 const struct eqt_sbatch_words *words,
			 const char *partition, struct eqt_error *err)
{
	const char **all = calloc(words->count + 7, sizeof(*all));
	struct eqt_listing answer;
	struct eqt_error why;
	size_t count = 0, from = 0;
	int rc = 0;

	start[0] = '\0';
	if (!all || words->failed) {
		free((void *) all);
		return eqt_error_set(err, "out of memory");
	}
	all[count++] = "sbatch";
	all[count++] = "--test-only";
	for (; from < words->count && words->word[from][0] == '-'; from++)
		all[count++] = words->word[from];
	if (partition) {
		all[count++] = "-p";
		all[count++] = partition;
	}
	for (; from < words->count; from++)
		all[count++] = words->word[from];
	if (!words->script)
		all[count++] = "--wrap=true";
	if (eqt_command_answer(&answer, "sbatch", all, &why) == 0) {
		rc = answer_read(start, answer.text ? answer.text : "", err);
		eqt_listing_free(&answer);
	}
	free((void *) all);
	return rc;
}
