/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A request has an id, so that slurmctld carries it out only once, however often it is
 * sent (docs/design/0050). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "balance/budget_request.h"
#include "slurm/text/command.h"

#define COMMENT "equitree budget: "

/* seconds to wait for an answer, long enough for a restart of slurmctld */
#define PATIENCE_S 60

uint64_t eqt_budget_request_id(void)
{
	uint64_t id = 0;

	if (getrandom(&id, sizeof(id), 0) != (ssize_t) sizeof(id))
		id = (uint64_t) time(NULL) << 20 | (uint64_t) getpid();
	return id ? id : 1;
}

struct eqt_entry eqt_budget_request_new(enum eqt_entry_kind kind,
					const char *why)
{
	struct eqt_entry entry = { .kind = kind,
				   .request = eqt_budget_request_id() };

	(void) snprintf(entry.why, sizeof(entry.why), "%s", why ? why : "");
	return entry;
}

/* Send a text as the comment of a submission that makes no job. */
static char *send_once(const char *text, struct eqt_error *err)
{
	char comment[EQT_ENTRY_TEXT + sizeof(COMMENT)];

	(void) snprintf(comment, sizeof(comment), COMMENT "%s", text);
	return eqt_command_ask(comment, err);
}

/* Does the answer begin with this word? */
static bool answer_is(const char *answer, const char *word)
{
	size_t length = strlen(word);

	return strncmp(answer, word, length) == 0 &&
	       (answer[length] == ' ' || answer[length] == '\n');
}

/* The text after the first word. */
static char *answer_rest(char *answer)
{
	size_t word = strcspn(answer, " \n");

	memmove(answer, answer + word + 1, strlen(answer + word));
	return answer;
}

/* Is this the answer to an ordinary job, because no plugin has read the comment? */
static bool answer_is_of_job(const char *answer)
{
	return strstr(answer, " to start at ") != NULL;
}

/* Free the answer, and return NULL with err filled. A question (id 0) changes nothing, so
 * its error text does not ask the user to look for what was carried out. */
static char *answer_failed(char *answer, uint64_t id, struct eqt_error *err)
{
	bool known = answer_is(answer, "error");
	char *text = known ? answer_rest(answer) : answer;

	if (!known && answer_is_of_job(answer)) {
		(void) eqt_error_set(
			err,
			"slurmctld has no plugin that answers: expected the "
			"line JobSubmitPlugins=equitree in slurm.conf");
		free(answer);
		return NULL;
	}

	text[strcspn(text, "\n")] = '\0';
	(void) eqt_error_set(err, "%s%.400s%s",
			     known ? "" : "no answer: ", text,
			     known || !id ? ""
					  : "; equitree budget list shows "
					    "whether it was carried out");
	free(answer);
	return NULL;
}

/*
 * Can a later attempt succeed? It can if the request waits, or if slurmctld restarts,
 * for which sbatch has many texts. It cannot if slurmctld has no plugin, because it
 * would accept the submission as a job.
 */
static bool answer_may_change(const char *answer)
{
	return !answer_is(answer, "error") && !answer_is_of_job(answer);
}

/* Send the request once, and then ask for its status. */
char *eqt_budget_request_question(const char *question, uint64_t id,
				  struct eqt_error *err)
{
	const struct timespec pause = { .tv_nsec = 50000000L };
	time_t end = time(NULL) + PATIENCE_S;
	const char *text = question;
	char status[40], *answer;

	(void) snprintf(status, sizeof(status), "status %" PRIu64, id);
	for (;;) {
		answer = send_once(text, err);
		if (!answer)
			return NULL;
		if (answer_is(answer, "ok"))
			return answer_rest(answer);
		if (!id || time(NULL) >= end || !answer_may_change(answer))
			return answer_failed(answer, id, err);
		/* slurmctld restarted before it wrote the request to the disk. */
		text = answer_is(answer, "unknown") ? question : status;
		free(answer);
		(void) nanosleep(&pause, NULL);
	}
}

char *eqt_budget_request_entry(const struct eqt_entry *entry,
			       struct eqt_error *err)
{
	char line[EQT_ENTRY_TEXT];
	uint32_t crc = 0;
	int length = eqt_entry_body(entry, line, sizeof(line));

	if (length >= 0)
		length = eqt_entry_seal(0, &crc, line, (size_t) length,
					sizeof(line));
	if (length < 0) {
		(void) eqt_error_set(err, "the request is too long");
		return NULL;
	}
	line[length - 1] = '\0'; /* the newline */
	return eqt_budget_request_question(line, entry->request, err);
}
