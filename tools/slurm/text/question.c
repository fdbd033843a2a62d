/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The comment of a submission is the question, and the text of its refusal the answer
 * (docs/design/0050).
 */
#include <stdlib.h>
#include <string.h>

#include "slurm/text/command.h"
#include "slurm/text/question.h"

#define PREFIX "sbatch: error: "

/* The lines of the plugin, without sbatch's prefix; its own last line is left
 * out. The first line stays in any case: without the plugin it says what sbatch
 * did. */
static char *answer_lines(const char *printed)
{
	char *out = malloc(strlen(printed) + 1);
	size_t length = 0;

	while (out && *printed) {
		size_t line = strcspn(printed, "\n");

		if (strncmp(printed, PREFIX, sizeof(PREFIX) - 1) == 0 ||
		    length == 0) {
			const char *text = printed;
			size_t size = line;

			if (strncmp(printed, PREFIX, sizeof(PREFIX) - 1) == 0) {
				text += sizeof(PREFIX) - 1;
				size -= sizeof(PREFIX) - 1;
			}
			memcpy(out + length, text, size);
			length += size;
			out[length++] = '\n';
		}
		printed += line + (printed[line] == '\n');
	}
	if (out)
		out[length] = '\0';
	return out;
}

char *eqt_question_ask(const char *comment, struct eqt_error *err)
{
	/* --test-only: a slurmctld without the plugin makes no job of it either. */
	const char *words[] = { "sbatch",    "--test-only", "--export=NONE",
				"--comment", comment,	    "--wrap=true",
				NULL };
	struct eqt_listing out;
	char *lines;

	if (eqt_command_answer(&out, "sbatch", words, err) < 0)
		return NULL;
	lines = answer_lines(out.text ? out.text : "");
	eqt_listing_free(&out);
	if (!lines)
		(void) eqt_error_set(err, "out of memory");
	return lines;
}
