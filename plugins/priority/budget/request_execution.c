/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "budget/hours.h"
#include "budget/request_execution.h"
#include "budget/verdict.h"
#include "budget/writer.h"
#include "slurm/log.h"

/* A sum over the entries of a job: the amounts that it was charged and that
 * were refunded. */
struct refund {
	uint64_t job;
	struct eqt_entry *entry;
};

/* The part of a budget in the sum, which is added if it is missing. Returns
 * NULL if the sum has no room for another budget, whose charges are then not
 * refunded. */
static struct eqt_entry_part *refund_part(struct eqt_entry *entry,
					  uint64_t budget)
{
	struct eqt_entry_part *part;

	for (uint64_t i = 0; i < entry->parts; i++) {
		if (entry->part[i].budget == budget)
			return &entry->part[i];
	}
	if (entry->parts == EQT_ENTRY_PARTS)
		return NULL;
	part = &entry->part[entry->parts++];
	*part = (struct eqt_entry_part){ .budget = budget };
	return part;
}

/* Add an entry of the file to the sum. Returns true, because all entries are
 * needed. */
static bool refund_note(const struct eqt_entry *entry, void *arg)
{
	struct refund *refund = arg;

	if ((entry->kind != EQT_ENTRY_SETTLE &&
	     entry->kind != EQT_ENTRY_REFUND) ||
	    entry->job != refund->job)
		return true;
	for (uint64_t i = 0; i < entry->parts; i++) {
		struct eqt_entry_part *part =
			refund_part(refund->entry, entry->part[i].budget);

		if (!part)
			continue;
		/* taken_u is the amount that was already refunded. */
		if (entry->kind == EQT_ENTRY_SETTLE)
			part->spent_u += entry->part[i].spent_u;
		else
			part->taken_u += entry->part[i].spent_u;
	}
	return true;
}

/* Limit a refund to an amount at each level. No more is refunded there than was
 * charged there. */
static int refund_limit(struct eqt_budgets *budgets, struct eqt_entry *entry,
			uint64_t amount_u, struct eqt_error *err)
{
	const struct eqt_book *book = budgets->book;
	uint64_t kept = 0;

	for (uint64_t i = 0; i < entry->parts; i++) {
		struct eqt_entry_part *part = &entry->part[i];
		char charged[EQT_HOURS_TEXT], wanted[EQT_HOURS_TEXT],
			unit[EQT_HOURS_UNIT];
		uint64_t rest = amount_u;
		bool last = true;

		/* A job may be charged to several budgets of one owner, one
		   after the other. They share the amount: each budget refunds
		   what the earlier ones have left. */
		for (uint64_t j = 0; j < i; j++) {
			if (eqt_book_same_owner(book, part->budget,
						entry->part[j].budget))
				rest -= entry->part[j].spent_u;
		}
		for (uint64_t j = i + 1; j < entry->parts; j++)
			last &= !eqt_book_same_owner(book, part->budget,
						     entry->part[j].budget);
		if (last && part->spent_u < rest)
			return eqt_error_set(
				err,
				"job %" PRIu64
				" was charged %s %ss that are not refunded, "
				"less than %s",
				entry->job,
				eqt_hours_short(amount_u - rest + part->spent_u,
						charged),
				eqt_verdict_unit(budgets,
						 eqt_book_budget(book,
								 part->budget),
						 unit),
				eqt_hours_need(amount_u, wanted));
		part->spent_u = part->spent_u < rest ? part->spent_u : rest;
	}
	for (uint64_t i = 0; i < entry->parts; i++) {
		if (entry->part[i].spent_u)
			entry->part[kept++] = entry->part[i];
	}
	entry->parts = kept;
	return 0;
}

/* Fill in the parts of a refund. A part of budget 0 has the amount that the
 * operator asks for. Without a part, everything that was charged is
 * refunded. */
static int refund_fill(struct eqt_budgets *budgets, struct eqt_entry *entry,
		       struct eqt_error *err)
{
	const uint64_t asked_u = entry->parts ? entry->part[0].spent_u : 0;
	struct refund refund = { entry->job, entry };
	uint64_t kept = 0;

	if (!entry->job)
		return entry->parts == 1 ? 0
					 : eqt_error_set(err, "no such refund");
	/* The file is read, because the book forgets a settled job after an
	   hour (writer.c). */
	entry->parts = 0;
	eqt_store_each(&budgets->store, refund_note, &refund);
	for (uint64_t i = 0; i < entry->parts; i++) {
		struct eqt_entry_part part = entry->part[i];

		if (part.spent_u <= part.taken_u)
			continue;
		part.spent_u -= part.taken_u;
		part.taken_u = 0;
		entry->part[kept++] = part;
	}
	entry->parts = kept;
	if (!kept)
		return eqt_error_set(err,
				     "job %" PRIu64
				     " was charged to no budget, or everything "
				     "is refunded",
				     entry->job);
	return asked_u ? refund_limit(budgets, entry, asked_u, err) : 0;
}

/* Is this a step of a transfer between clusters? */
static bool entry_moves(const struct eqt_entry *entry)
{
	return entry->kind == EQT_ENTRY_SEND ||
	       entry->kind == EQT_ENTRY_RECEIVE ||
	       entry->kind == EQT_ENTRY_ARRIVED;
}

/* Freeze the amount that an entry takes, so that no job commits it. */
static int entry_freeze(struct eqt_budgets *budgets,
			const struct eqt_entry *entry, struct eqt_error *err)
{
	const struct eqt_budget *budget =
		eqt_book_budget(budgets->book, entry->budget);
	bool needs_budget =
		entry->kind == EQT_ENTRY_CLOSE ||
		entry->kind == EQT_ENTRY_NOTIFY || entry_moves(entry) ||
		(entry->kind == EQT_ENTRY_TRANSFER && entry->budget);
	const struct eqt_budget *other;
	char left[EQT_HOURS_TEXT], unit[EQT_HOURS_UNIT];

	if (needs_budget && !budget)
		return eqt_error_set(err, "there is no budget %" PRIu64,
				     entry->budget);
	if (entry->kind == EQT_ENTRY_CLOSE)
		return eqt_book_freeze(budgets->book, entry->budget,
				       eqt_budget_left(budget));
	if (((entry->kind == EQT_ENTRY_TRANSFER && budget) ||
	     entry->kind == EQT_ENTRY_SEND) &&
	    eqt_book_freeze(budgets->book, entry->budget, entry->amount_u) < 0)
		return eqt_error_set(
			err, "budget %" PRIu64 " has only %s %ss left",
			entry->budget,
			eqt_hours_short(eqt_budget_left(budget), left),
			eqt_verdict_unit(budgets, budget, unit));
	other = eqt_book_budget(budgets->book, entry->other);
	if (entry->kind == EQT_ENTRY_TRANSFER && entry->other &&
	    (!other || other->closed)) {
		(void) eqt_book_freeze(budgets->book, entry->budget, 0);
		return eqt_error_set(err,
				     other ? "budget %" PRIu64 " is closed"
					   : "there is no budget %" PRIu64,
				     entry->other);
	}
	return 0;
}

/* Does a budget follow a limit now? Then only sacctmgr changes its amount. */
static bool budget_is_fixed(struct eqt_budgets *budgets, uint64_t id)
{
	const struct eqt_budget *budget = eqt_book_budget(budgets->book, id);
	const struct eqt_config *config = eqt_config_get(budgets->config);
	const bool follows = config->conf->budget.from_limits;

	eqt_config_put(config);
	return follows && budget && !budget->closed &&
	       budget->terms.every == EQT_BUDGET_LIMIT;
}

/* Refuse a transfer between budgets of two units, because their hours are not
 * worth the same. */
static int transfer_allow(struct eqt_budgets *budgets,
			  const struct eqt_entry *entry, struct eqt_error *err)
{
	const struct eqt_budget *from =
		eqt_book_budget(budgets->book, entry->budget);
	const struct eqt_budget *to =
		eqt_book_budget(budgets->book, entry->other);
	char off[EQT_HOURS_UNIT], on[EQT_HOURS_UNIT];

	if (entry->kind != EQT_ENTRY_TRANSFER || !from || !to ||
	    strcmp(eqt_verdict_unit(budgets, from, off),
		   eqt_verdict_unit(budgets, to, on)) == 0)
		return 0;
	return eqt_error_set(err,
			     "budget %" PRIu64 " has %ss and budget %" PRIu64
			     " %ss: transfer from %" PRIu64
			     " to -, and from - to %" PRIu64,
			     from->id, off, to->id, on, from->id, to->id);
}

/* Refuse an operator's change of a budget that follows a limit. */
static int entry_allow(struct eqt_budgets *budgets,
		       const struct eqt_entry *entry, struct eqt_error *err)
{
	uint64_t id = entry->budget;

	if (!entry->request || (entry->kind != EQT_ENTRY_TRANSFER &&
				entry->kind != EQT_ENTRY_CLOSE))
		return 0;
	if (!budget_is_fixed(budgets, id))
		id = entry->other;
	return budget_is_fixed(budgets, id)
		       ? eqt_error_set(
				 err,
				 "budget %" PRIu64
				 " follows the limit of its account: change "
				 "GrpTRESMins=billing with sacctmgr",
				 id)
		       : 0;
}

int eqt_request_execution_plan(struct eqt_budgets *budgets,
			       struct eqt_entry *entry, struct eqt_error *err)
{
	uint64_t now = (uint64_t) time(NULL);
	struct eqt_budget_terms *terms = &entry->state.terms;
	const struct eqt_budget *budget =
		eqt_book_transfers_joint(budgets->book, terms->joint);
	int done;

	entry->when = now;
	entry->seq = eqt_book_seq(budgets->book) + 1;
	done = eqt_book_transfers_done(budgets->book, entry, err);
	if (done) {
		entry->budget = budget ? budget->id : entry->budget;
		return done;
	}
	/* A transfer to another cluster names the period of the hours that it
	   sends. */
	budget = eqt_book_budget(budgets->book, entry->budget);
	if (entry->kind == EQT_ENTRY_SEND && budget &&
	    entry->next != (budget->terms.carry ? 0 : budget->next))
		return eqt_error_set(err,
				     "budget %" PRIu64
				     " was refilled meanwhile",
				     budget->id);
	if (entry->kind == EQT_ENTRY_GRANT) {
		entry->budget = eqt_book_count(budgets->book) + 1;
		entry->state.next = eqt_budget_next_refill(
			terms, terms->start > now ? terms->start : now);
	}
	return entry_allow(budgets, entry, err) < 0 ||
			       transfer_allow(budgets, entry, err) < 0
		       ? -1
		       : entry_freeze(budgets, entry, err);
}

int eqt_request_execution_apply(struct eqt_budgets *budgets,
				struct eqt_entry *entry, size_t count,
				struct eqt_error *err)
{
	int rc = eqt_writer_write_entries(budgets, entry, count, err);

	pthread_mutex_lock(&budgets->lock);
	for (size_t i = 0; i < count; i++) {
		/* The amount was frozen while the line was written without the
		   lock. The number of the entry is known only now, because
		   other entries may have come before it. */
		(void) eqt_book_freeze(budgets->book, entry[i].budget, 0);
		entry[i].seq = eqt_book_seq(budgets->book) + 1;
		if (rc == 0 &&
		    eqt_book_apply(budgets->book, &entry[i], err) < 0) {
			/* The file must not have an entry that the book
			   refused. */
			budgets->lines_lost = true;
			rc = -1;
		}
	}
	budgets->tried = false;
	pthread_mutex_unlock(&budgets->lock);
	return rc;
}

/* Plan and apply one entry. Returns 0, or 1 if it was applied before, or -1
 * with err filled. */
static int request_do(struct eqt_budgets *budgets, struct eqt_entry *entry,
		      struct eqt_error *err)
{
	int rc;

	pthread_mutex_lock(&budgets->lock);
	rc = eqt_request_execution_plan(budgets, entry, err);
	pthread_mutex_unlock(&budgets->lock);
	return rc ? rc : eqt_request_execution_apply(budgets, entry, 1, err);
}

/* Carry out the steps of a request. Returns 1 if that was done before; the
 * answer is the same then. */
static int request_carry_out(struct eqt_budgets *budgets,
			     struct eqt_budget_request *request,
			     struct eqt_error *err)
{
	struct eqt_entry *entry = &request->entry;
	int rc;

	if (entry->kind == EQT_ENTRY_REFUND &&
	    (eqt_writer_write(budgets, true, err) < 0 ||
	     refund_fill(budgets, entry, err) < 0))
		return -1;
	rc = request_do(budgets, entry, err);
	if (rc < 0)
		return rc;
	pthread_mutex_lock(&budgets->lock);
	(void) eqt_error_set(&request->answer, "%" PRIu64,
			     entry->kind == EQT_ENTRY_REFUND ? entry->job
							     : entry->budget);
	pthread_mutex_unlock(&budgets->lock);
	return rc;
}

/* ---- verify ------------------------------------------------------------------ */

static bool budget_equals(const struct eqt_budget *a,
			  const struct eqt_budget *b)
{
	return a->amount_u == b->amount_u && a->spent_u == b->spent_u &&
	       a->committed_u == b->committed_u &&
	       a->refunded_u == b->refunded_u && a->closed == b->closed &&
	       a->period == b->period;
}

/* Compare the book of the file with the book in memory, which must be equal. */
static int book_compare(const struct eqt_book *disk, const struct eqt_book *now,
			struct eqt_error *err)
{
	if (eqt_book_audit(disk, err) < 0 || eqt_book_audit(now, err) < 0)
		return -1;
	if (eqt_book_count(disk) != eqt_book_count(now))
		return eqt_error_set(err, "the file has another number of "
					  "budgets");
	for (uint64_t id = 1; id <= eqt_book_count(now); id++) {
		if (!budget_equals(eqt_book_budget(disk, id),
				   eqt_book_budget(now, id)))
			return eqt_error_set(err,
					     "budget %" PRIu64
					     " has another balance in the file",
					     id);
	}
	return 0;
}

/* Read the file again. If lines were added meanwhile, try once more. */
static int request_verify(struct eqt_budgets *budgets,
			  struct eqt_budget_request *request,
			  struct eqt_error *err)
{
	for (int i = 0; i < 20; i++) {
		struct eqt_book *disk;
		bool still;
		int rc = -1;

		if (eqt_writer_write(budgets, true, err) < 0)
			return -1;
		disk = eqt_store_read(&budgets->store, err);
		if (!disk)
			return -1;
		pthread_mutex_lock(&budgets->lock);
		still = budgets->lines.length == 0 && !budgets->lines_lost;
		if (still)
			rc = book_compare(disk, budgets->book, err);
		if (rc == 0)
			(void) eqt_error_set(&request->answer,
					     "balanced: %" PRIu64
					     " budgets, last entry "
					     "%" PRIu64,
					     eqt_book_count(disk),
					     eqt_book_seq(disk));
		pthread_mutex_unlock(&budgets->lock);
		eqt_book_free(disk);
		if (still)
			return rc;
	}
	return eqt_error_set(err, "balances change all the time: try again");
}

/* Keep the answer for its caller, and log what was done. The function takes
 * budgets->lock. */
static void request_end(struct eqt_budgets *budgets,
			struct eqt_budget_request *request, int rc,
			const struct eqt_error *err)
{
	pthread_mutex_lock(&budgets->lock);
	request->failed = rc < 0;
	request->answered = time(NULL);
	if (rc < 0)
		request->answer = *err;
	/* A grant is answered when the jobs of its account are held or fit. */
	request->state = rc >= 0 && !request->verify &&
					 !entry_moves(&request->entry)
				 ? EQT_REQUEST_SWEEPS
				 : EQT_REQUEST_ANSWERED;
	if (request->state == EQT_REQUEST_SWEEPS)
		budgets->sweep = true;
	pthread_mutex_unlock(&budgets->lock);
	if (rc < 0)
		eqt_log_info("budgets: a request failed: %s", err->text);
	else if (!request->verify && rc == 0)
		eqt_log_info("budgets: %s (%s) by %s: %s",
			     eqt_entry_word(request->entry.kind),
			     request->answer.text, request->entry.who,
			     request->entry.why);
}

void eqt_request_execution_serve(struct eqt_budgets *budgets)
{
	struct eqt_budget_request *request;
	struct eqt_error err;

	/* The list may change whenever the lock is released, so each round
	   begins at its head. */
	for (;;) {
		int rc;

		pthread_mutex_lock(&budgets->lock);
		request = budgets->requests;
		while (request && request->state != EQT_REQUEST_WAITS)
			request = request->next;
		pthread_mutex_unlock(&budgets->lock);
		if (!request)
			return;
		rc = request->verify
			     ? request_verify(budgets, request, &err)
			     : request_carry_out(budgets, request, &err);
		request_end(budgets, request, rc, &err);
	}
}

void eqt_request_execution_swept(struct eqt_budgets *budgets)
{
	pthread_mutex_lock(&budgets->lock);
	for (struct eqt_budget_request *request = budgets->requests; request;
	     request = request->next) {
		if (request->state == EQT_REQUEST_SWEEPS)
			request->state = EQT_REQUEST_ANSWERED;
	}
	pthread_mutex_unlock(&budgets->lock);
}
