/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Balances come from slurmctld, which answers questions about budgets. Alternatively they
 * come from a copy of slurmctld's journal, so that no slurmctld is needed. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/alloc.h"
#include "balance/balances.h"
#include "balance/budget_request.h"
#include "slurm/text/command.h"

/* Add a line of an answer. The line has the form in which slurmctld writes the state of a
 * budget at the beginning of its journal. */
static int rows_add(struct eqt_balances *rows, const char *line,
		    struct eqt_error *err)
{
	struct eqt_entry entry;
	uint32_t crc = 0;

	if (eqt_entry_parse(&entry, &crc, line, err) < 0)
		return -1;
	EQT_ALLOC_ROOM(rows->row, rows->count);
	EQT_ALLOC_ROOM(rows->peer, rows->peers);
	EQT_ALLOC_ROOM(rows->want, rows->wants);
	if (entry.kind == EQT_ENTRY_BUDGET)
		rows->row[rows->count++] = entry.state;
	else if (entry.kind == EQT_ENTRY_PEER)
		rows->peer[rows->peers++] = entry.peer;
	else if (entry.kind == EQT_ENTRY_JOB)
		rows->want[rows->wants++] = entry.part[0];
	return 0;
}

static bool row_is_known(const char *line)
{
	static const char *const words[] = { "budget ", "peer ", "job " };
	bool known = false;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		known |= strncmp(line, words[i], strlen(words[i])) == 0;
	return known;
}

/* Read an answer: the next id to ask for, or 0, and then rows. Unknown lines are skipped,
 * because a later release may send them. */
static int rows_take(struct eqt_balances *rows, const char *answer,
		     uint64_t *next, struct eqt_error *err)
{
	*next = strtoull(answer, NULL, 10);
	for (;;) {
		answer += strcspn(answer, "\n");
		if (!*answer || !*++answer)
			return 0;
		if (row_is_known(answer) && rows_add(rows, answer, err) < 0)
			return -1;
	}
}

/* A long list comes in several answers, which are also copied to a file unless it is NULL.
 * After an error the caller frees the rows read so far. */
static int rows_ask(struct eqt_balances *rows, FILE *copy,
		    struct eqt_error *err)
{
	uint64_t next = 1;

	while (next) {
		char question[40], *answer;
		int rc;

		(void) snprintf(question, sizeof(question), "list %" PRIu64,
				next);
		answer = eqt_budget_request_question(question, 0, err);
		if (!answer)
			return -1;
		rc = rows_take(rows, answer, &next, err);
		if (copy && fprintf(copy, "%s\n", answer) < 0)
			rc = eqt_error_set(err, "%s", strerror(errno));
		free(answer);
		if (rc < 0)
			return -1;
	}
	return 0;
}

int eqt_balances_read(struct eqt_balances *rows, struct eqt_error *err)
{
	return rows_ask(rows, NULL, err);
}

/* Without an answer the file is empty: a cluster without budgets gives none. */
int eqt_balances_save(const char *path, struct eqt_error *err)
{
	struct eqt_balances rows = { .count = 0 };
	FILE *file = fopen(path, "w");
	struct eqt_error quiet;

	if (!file)
		return eqt_error_set(err, "cannot write %s: %s", path,
				     strerror(errno));
	if (rows_ask(&rows, file, &quiet) < 0)
		rewind(file);
	eqt_balances_free(&rows);
	if (fclose(file) != 0)
		return eqt_error_set(err, "cannot write %s: %s", path,
				     strerror(errno));
	return 0;
}

/* Lines that are no rows are skipped, as are the numbers that begin the answers. */
int eqt_balances_read_saved(struct eqt_balances *rows, const char *path,
			    struct eqt_error *err)
{
	struct eqt_listing text;
	uint64_t next;
	int rc;

	if (eqt_listing_read(&text, path, NULL, err) < 0)
		return -1;
	rc = rows_take(rows, text.text, &next, err);
	eqt_listing_free(&text);
	return rc;
}

/* Apply the lines of a journal with the code that slurmctld runs. */
static int journal_apply(struct eqt_book *book, FILE *file,
			 eqt_balances_visitor visitor, void *arg,
			 struct eqt_error *err)
{
	char line[EQT_ENTRY_TEXT + 1];
	unsigned long number = 0;
	struct eqt_entry entry;
	struct eqt_error why;
	uint32_t crc = 0;

	while (fgets(line, sizeof(line), file)) {
		number++;
		/* The last line is incomplete, because slurmctld is writing it or was
		 * killed. */
		if (number > 1 && feof(file) && !strchr(line, '\n'))
			break;
		if (eqt_entry_parse(&entry, &crc, line, &why) < 0 ||
		    eqt_book_apply(book, &entry, &why) < 0)
			return eqt_error_set(err, "line %lu: %.400s", number,
					     why.text);
		if (visitor)
			visitor(book, &entry, arg);
	}
	return eqt_book_audit(book, err);
}

int eqt_balances_apply(struct eqt_book *book, const char *path,
		       eqt_balances_visitor visitor, void *arg,
		       struct eqt_error *err)
{
	FILE *file = fopen(path, "r");
	struct eqt_error why;
	int rc;

	if (!file)
		return eqt_error_set(err, "cannot open %s: %s", path,
				     strerror(errno));
	rc = journal_apply(book, file, visitor, arg, &why);
	(void) fclose(file);
	return rc < 0 ? eqt_error_set(err, "%.200s: %.300s", path, why.text)
		      : 0;
}

static void rows_from_book(struct eqt_balances *rows,
			   const struct eqt_book *book)
{
	/* Ids are 1, 2, 3 and so on without gaps, because closed budgets stay in the
	 * book. */
	uint64_t count = eqt_book_count(book);
	const struct eqt_budget_peer *peer;

	for (uint64_t id = 1; id <= count; id++) {
		EQT_ALLOC_ROOM(rows->row, rows->count);
		rows->row[rows->count++] = *eqt_book_budget(book, id);
		for (size_t n = 0;
		     (peer = eqt_book_transfers_peer(book, id, n)); n++) {
			EQT_ALLOC_ROOM(rows->peer, rows->peers);
			rows->peer[rows->peers++] = *peer;
		}
	}
}

int eqt_balances_read_journal(struct eqt_balances *rows, const char *path,
			      struct eqt_error *err)
{
	struct eqt_book *book = eqt_book_new();
	int rc;

	if (!book)
		eqt_alloc_failed();
	rc = eqt_balances_apply(book, path, NULL, NULL, err);
	if (rc == 0)
		rows_from_book(rows, book);
	eqt_book_free(book);
	return rc;
}

/* The question has an id, so that slurmctld verifies only once even if the question is
 * sent again. */
char *eqt_balances_verify(struct eqt_error *err)
{
	const uint64_t id = eqt_budget_request_id();
	char question[40];

	(void) snprintf(question, sizeof(question), "verify %" PRIu64, id);
	return eqt_budget_request_question(question, id, err);
}

/* slurmdbd knows the associations of all its clusters. The words of the command name the
 * clusters, so eqt_command_run() does not add the cluster of -M. */
char *eqt_balances_owner_clusters(const struct eqt_budget_terms *owner,
				  const char *clusters, struct eqt_error *err)
{
	char account[EQT_BUDGET_NAME + 16], user[EQT_BUDGET_NAME + 16];
	char where[EQT_BUDGET_CLUSTERS + 16];
	const char *const words[] = {
		"sacctmgr", "-nP", "show",	     "assoc", account,
		where,	    user,  "format=cluster", NULL
	};
	struct eqt_listing text;

	(void) snprintf(account, sizeof(account), "account=%s", owner->account);
	(void) snprintf(user, sizeof(user), "user=%s", owner->user);
	(void) snprintf(where, sizeof(where), "cluster=%s", clusters);
	if (eqt_command_run(&text, "sacctmgr", words, err) < 0)
		return NULL;
	for (char *at = text.text; *at; at++)
		*at = *at == '\n' ? ',' : *at;
	return text.text;
}

struct eqt_budget *eqt_balances_find(const struct eqt_balances *rows,
				     uint64_t id)
{
	for (size_t i = 0; i < rows->count; i++) {
		if (rows->row[i].id == id)
			return &rows->row[i];
	}
	return NULL;
}

void eqt_balances_free(struct eqt_balances *rows)
{
	free(rows->row);
	free(rows->peer);
	free(rows->want);
	*rows = (struct eqt_balances){ .row = NULL };
}
