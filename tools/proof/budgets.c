/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the charges of budgets with the record of charges. Each settlement of a budget
 * is an entry in the budgets' journal. The line of the record that ends the stretch has
 * the number of that entry. An entry charges all lines of the record since the previous
 * entry. A kill of slurmctld may lose the line, or slurmctld's memory of a run's end,
 * while the entry survives. The run is then charged on, or its line is written without an
 * entry. For this reason only the sums of a job are compared. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/whole.h"
#include "cli/alloc.h"
#include "balance/balances.h"
#include "base/fraction.h"
#include "budget/book_plan.h"
#include "proof/proof_impl.h"

#define JOURNAL "equitree_budgets"
#define SLACK_S 0.01 /* equivalent-seconds, because decimals are cut off */
#define HOUR_S 3600

/* ---- The journal ---------------------------------------------------------------- */

/* Each level of accounts pays the whole charge. The overrun is the part that the poorest
 * level could not pay. */
static struct eqt_proof_settlement settlement_of(const struct eqt_book *book,
						 const struct eqt_entry *entry)
{
	struct eqt_proof_settlement is = { .entry = entry->seq,
					   .job = entry->job,
					   .when_s = (int64_t) entry->when,
					   .overrun_u = entry->overrun_u };

	for (uint64_t i = 0; i < entry->parts; i++) {
		const uint64_t paid = eqt_book_plan_level_spent(book, entry, i);

		if (i == 0 || paid < is.least_u)
			is.least_u = paid;
		eqt_whole_raise(&is.most_u, paid);
	}
	return is;
}

/* A visitor of the journal. */
static void budgets_entry(const struct eqt_book *book,
			  const struct eqt_entry *entry, void *with)
{
	struct eqt_proof_budgets *budgets = with;
	struct eqt_proof_settlement is;

	if (!budgets->first)
		budgets->first = entry->seq + 1;
	budgets->last = entry->seq;
	if (entry->kind != EQT_ENTRY_SETTLE &&
	    !(entry->kind == EQT_ENTRY_COMMIT && entry->run))
		return;
	is = settlement_of(book, entry);
	/* Nobody pays for the time that a run used before the grant. */
	if (entry->kind == EQT_ENTRY_COMMIT)
		is.least_u = is.most_u = entry->settled_u;
	EQT_ALLOC_ROOM(budgets->settlement, budgets->settlements);
	budgets->settlement[budgets->settlements++] = is;
}

/* A journal that cannot be applied counts as a difference. */
static void budgets_journal_read(struct eqt_proof *proof, const char *path)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_error why;

	if (!book)
		eqt_alloc_failed();
	if (eqt_balances_apply(book, path, budgets_entry, &proof->budgets,
			       &why) < 0)
		eqt_proof_report(proof, "budgets: %s", why.text);
	proof->budgets.count = eqt_book_count(book);
	eqt_book_free(book);
}

/* Is this an earlier file of the journal, such as "equitree_budgets.1234"? The number is
 * that of its last entry. */
static int budgets_journal_is_over(const struct dirent *entry)
{
	const char *number = entry->d_name + sizeof(JOURNAL);

	return strncmp(entry->d_name, JOURNAL ".", sizeof(JOURNAL)) == 0 &&
	       *number && number[strspn(number, "0123456789")] == '\0';
}

static int budgets_journal_order(const struct dirent **a,
				 const struct dirent **b)
{
	const uint64_t first = strtoull((*a)->d_name + sizeof(JOURNAL), NULL,
					10),
		       second = strtoull((*b)->d_name + sizeof(JOURNAL), NULL,
					 10);

	return (first > second) - (first < second);
}

/* Read all files of the journal, the oldest first. */
static void budgets_journals_read(struct eqt_proof *proof, const char *state)
{
	char path[4096];
	struct dirent **names;
	int count = scandir(state, &names, budgets_journal_is_over,
			    budgets_journal_order);
	for (int i = 0; i < count; i++) {
		(void) snprintf(path, sizeof(path), "%s/%s", state,
				names[i]->d_name);
		budgets_journal_read(proof, path);
		free(names[i]);
	}
	if (count >= 0)
		free(names);
	(void) snprintf(path, sizeof(path), "%s/" JOURNAL, state);
	budgets_journal_read(proof, path);
}

/* Only slurmctld can compare its memory with its journal. An answer without an error
 * needs no report. */
static void balances_verify(struct eqt_proof *proof)
{
	struct eqt_error why;
	char *answer = eqt_balances_verify(&why);

	if (!answer)
		eqt_proof_report(proof, "budgets: %s", why.text);
	free(answer);
}

void eqt_proof_budgets_read(struct eqt_proof *proof, const char *state)
{
	char path[4096];

	(void) snprintf(path, sizeof(path), "%s/" JOURNAL, state);
	if (access(path, R_OK) < 0) {
		if (errno != ENOENT)
			(void) fprintf(stderr,
				       "equitree usage: budgets are not "
				       "compared: cannot read %s\n",
				       path);
		return;
	}
	proof->budgets.read = true;
	if (!proof->options->assocs)
		balances_verify(proof);
	budgets_journals_read(proof, state);
}

/* ---- The record ----------------------------------------------------------------- */

/* The charge of an entry, or NULL. Charges are sorted by entry. */
static struct eqt_proof_settlement *settlement_find(
	const struct eqt_proof_budgets *budgets, uint64_t entry)
{
	size_t low = 0, high = budgets->settlements;

	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (budgets->settlement[middle].entry < entry)
			low = middle + 1;
		else
			high = middle;
	}
	return low < budgets->settlements &&
			       budgets->settlement[low].entry == entry
		       ? &budgets->settlement[low]
		       : NULL;
}

/* Convert to hours, in which equitree budget prints amounts. */
static double proof_hours(double equivalent_s)
{
	return equivalent_s / HOUR_S;
}

/* The equivalent-seconds that an entry has charged. If there was an overrun, only the
 * line of the record has the whole charge. */
static double settlement_paid(const struct eqt_proof_settlement *is)
{
	return (double) (is->overrun_u ? is->paid_u : is->most_u) /
	       (double) EQT_MICRO;
}

/* Add the charge of the entry that a line names. */
static void line_entry(struct eqt_proof *proof, struct eqt_proof_job *job,
		       const struct eqt_charge_record *record)
{
	struct eqt_proof_settlement *is =
		settlement_find(&proof->budgets, record->entry);
	const double paid = (double) record->paid_u / (double) EQT_MICRO;

	/* The journal of that time no longer exists. */
	if (record->entry < proof->budgets.first)
		job->budgets.settled += paid;
	/* The journal was read before this entry was written, or a kill lost the
	 * entry. */
	else if (record->entry > proof->budgets.last)
		job->budgets.later += paid;
	/* If a kill lost an entry, another entry may have the same number now
	 * and also contain the charge. That entry may belong to another job. Or
	 * it may belong to this job, whose next line then names the entry
	 * again. */
	if (!is || is->job != record->job_id)
		return;
	if (is->seen)
		job->budgets.settled -= settlement_paid(is);
	is->seen = true;
	is->paid_u = record->paid_u;
	job->budgets.settled += settlement_paid(is);
}

void eqt_proof_budgets_line(struct eqt_proof *proof, struct eqt_proof_job *job,
			    const struct eqt_charge_record *record)
{
	if (!proof->budgets.read || record->kind == EQT_CHARGE_OPEN)
		return;
	/* If a line for the end follows, budgets do not charge that end. Together with
	 * the refund they charge what a kill had lost from an earlier end of the run. */
	if (record->kind == EQT_CHARGE_REFUND) {
		job->budgets.owed += eqt_charge_record_amount(record);
		return;
	}
	job->budgets.late |= !job->budgets.seen && record->from > record->start;
	job->budgets.seen = true;
	job->budgets.owed += eqt_charge_record_amount(record);
	job->budgets.rounding +=
		(double) (record->to - record->from) / (double) EQT_MICRO;
	if (record->entry) {
		line_entry(proof, job, record);
		/* A line with a reason but without a charge: budgets excuse such an
		 * end. */
		if (record->paid_u || !record->reason[0])
			job->budgets.due += job->budgets.owed;
		job->budgets.owed = 0;
	} else if (record->kind != EQT_CHARGE_PRICE &&
		   record->kind != EQT_CHARGE_SUSPEND) {
		job->budgets.free += job->budgets.owed;
		job->budgets.owed = 0;
	}
}

/* ---- The comparison -------------------------------------------------------------- */

/* Rates are rounded up, so each second may be charged a millionth too much. */
static bool budgets_fit(const struct eqt_proof_job *job, double due)
{
	const double slack =
		SLACK_S + job->budgets.rounding + EQT_PROOF_ROUNDING * due;
	const double more = due - job->budgets.settled;

	return fabs(more) <= slack || fabs(more - job->budgets.later) <= slack;
}

/* A run that goes on, or that began before the record, has no complete sum. */
static void budgets_job(struct eqt_proof *proof,
			const struct eqt_proof_job *job)
{
	if (job->budgets.reported || job->running || job->budgets.late ||
	    budgets_fit(job, job->budgets.due) ||
	    budgets_fit(job, job->budgets.due + job->budgets.free))
		return;
	eqt_proof_report(
		proof,
		"job %s: %.4f hours charged to budgets, by the record %.4f",
		job->name, proof_hours(job->budgets.settled),
		proof_hours(job->budgets.due + job->budgets.free));
}

/* An entry must have charged as much as its line says. */
static void settlement_compare(struct eqt_proof *proof,
			       struct eqt_proof_job *job,
			       const struct eqt_proof_settlement *is)
{
	const double charged = (double) (is->least_u + is->overrun_u);

	if (is->most_u <= is->paid_u &&
	    is->least_u + is->overrun_u >= is->paid_u)
		return;
	job->budgets.reported = true;
	eqt_proof_report(proof,
			 "job %s: %.4f hours charged to budgets in the "
			 "record, %.4f by entry %" PRIu64 " of their journal",
			 job->name,
			 proof_hours((double) is->paid_u / (double) EQT_MICRO),
			 proof_hours(charged / (double) EQT_MICRO), is->entry);
}

/* Compare entries with their lines. Add the entries without a line, unless they are older
 * than the record. */
static void proof_settlements(struct eqt_proof *proof)
{
	const struct eqt_proof_budgets *budgets = &proof->budgets;

	for (size_t i = 0; i < budgets->settlements; i++) {
		const struct eqt_proof_settlement *is = &budgets->settlement[i];
		struct eqt_proof_job *job;
		char id[24];

		if (!is->seen &&
		    (is->most_u + is->overrun_u == 0 || !proof->begin_s ||
		     is->when_s < proof->begin_s))
			continue;
		(void) snprintf(id, sizeof(id), "%" PRIu64, is->job);
		job = eqt_proof_job(proof, id);
		if (is->seen)
			settlement_compare(proof, job, is);
		else
			job->budgets.settled +=
				(double) (is->least_u + is->overrun_u) /
				(double) EQT_MICRO;
	}
}

void eqt_proof_budgets(struct eqt_proof *proof)
{
	if (!proof->budgets.read)
		return;
	proof_settlements(proof);
	for (size_t i = 0; i < proof->jobs.count; i++)
		budgets_job(proof, proof->jobs.list[i]);
}
