/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Apply entries, with one function for each kind. Entries come from the planner, which
 * has checked them, and from files, which may be damaged. So each function makes all
 * its checks before its first change, and an entry with an error changes nothing.
 */
#include "base/whole.h"
#include "budget/book_impl.h"
#include "budget/book_plan.h"

/* Store the latest requests, because a command may still repeat one of them. */
static int apply_base(struct eqt_book *book, const struct eqt_entry *entry,
		      struct eqt_error *err)
{
	for (uint64_t i = 0; i < entry->parts; i++) {
		if (book_request_add(book, entry->part[i].budget) < 0)
			return book_refuse(err, entry, "out of memory");
	}
	return 0;
}

/* Add a budget from the beginning of a file. Its commitments are added up from the
 * lines of jobs, which follow. */
static int apply_budget(struct eqt_book *book, const struct eqt_entry *entry,
			struct eqt_error *err)
{
	struct eqt_budget budget = entry->state;

	if (budget.id != book->budgets + 1)
		return book_refuse(err, entry, "budgets are not in order");
	if (budget.spent_u > budget.amount_u)
		return book_refuse(err, entry, "more is spent than granted");
	budget.committed_u = budget.frozen_u = 0;
	return book_budget_add(book, &budget) < 0
		       ? book_refuse(err, entry, "out of memory")
		       : 0;
}

/* EQT_BUDGET_MOST_U is 2^61, so a sum of a few checked amounts cannot overflow. */
static int apply_grant(struct eqt_book *book, const struct eqt_entry *entry,
		       struct eqt_error *err)
{
	struct eqt_budget budget = {
		.id = entry->budget,
		.terms = entry->state.terms,
		.amount_u = entry->state.terms.joint
				    ? entry->state.amount_u
				    : entry->state.terms.amount_u,
		.granted = entry->when,
		.next = entry->state.next,
	};

	if (budget.id != book->budgets + 1)
		return book_refuse(err, entry, "the id is not the next one");
	if (eqt_book_transfers_joint(book, budget.terms.joint))
		return book_refuse(err, entry, "the grant has its part here");
	if (budget.amount_u > EQT_BUDGET_MOST_U ||
	    budget.terms.refill_u > EQT_BUDGET_MOST_U)
		return book_refuse(err, entry, "the amount is too large");
	return book_budget_add(book, &budget) < 0
		       ? book_refuse(err, entry, "out of memory")
		       : 0;
}

/* Only the amount that is not committed can be moved. */
static int apply_transfer(struct eqt_book *book, const struct eqt_entry *entry,
			  struct eqt_error *err)
{
	struct book_budget *from = book_find(book, entry->budget);
	struct book_budget *to = book_find(book, entry->other);

	if ((entry->budget && !from) || (entry->other && !to) || from == to)
		return book_refuse(err, entry, "no such budgets");
	if (to && to->is.closed)
		return book_refuse(err, entry, "the other budget is closed");
	if (from && eqt_budget_left(&from->is) < entry->amount_u)
		return book_refuse(err, entry, "so much is not left");
	if ((to && to->is.amount_u > EQT_BUDGET_MOST_U) ||
	    entry->amount_u > EQT_BUDGET_MOST_U)
		return book_refuse(err, entry, "the amount is too large");
	if (from)
		from->is.amount_u -= entry->amount_u;
	if (to)
		to->is.amount_u += entry->amount_u;
	return 0;
}

/* All parts are checked before the first one is changed. */
static int apply_refund(struct eqt_book *book, const struct eqt_entry *entry,
			struct eqt_error *err)
{
	for (uint64_t i = 0; i < entry->parts; i++) {
		const struct book_budget *budget =
			book_find(book, entry->part[i].budget);

		if (!budget || budget->is.spent_u < entry->part[i].spent_u)
			return book_refuse(err, entry, "so much was not spent");
	}
	for (uint64_t i = 0; i < entry->parts; i++) {
		struct book_budget *budget =
			book_find(book, entry->part[i].budget);

		budget->is.spent_u -= entry->part[i].spent_u;
		budget->is.refunded_u += entry->part[i].spent_u;
	}
	return 0;
}

/* Jobs keep their commitments. The rest of the amount lapses. */
static int apply_close(struct eqt_book *book, const struct eqt_entry *entry,
		       struct eqt_error *err)
{
	struct book_budget *budget = book_find(book, entry->budget);

	if (!budget)
		return book_refuse(err, entry, "no such budget");
	budget->is.amount_u = budget->is.spent_u + budget->is.committed_u +
			      budget->is.frozen_u;
	budget->is.closed = 1;
	budget->is.lifted = entry->amount_u ? 1 : 0;
	budget->is.next = 0;
	return 0;
}

/* A refill begins a period, in which people are notified of each threshold again. */
static int apply_refill(struct eqt_book *book, const struct eqt_entry *entry,
			struct eqt_error *err)
{
	struct book_budget *budget = book_find(book, entry->budget);

	if (!budget)
		return book_refuse(err, entry, "no such budget");
	if (eqt_budget_left(&budget->is) < entry->lapse_u)
		return book_refuse(err, entry, "so much is not left");
	if (budget->is.amount_u > EQT_BUDGET_MOST_U ||
	    entry->amount_u > EQT_BUDGET_MOST_U)
		return book_refuse(err, entry, "the amount is too large");
	budget->is.amount_u -= entry->lapse_u;
	budget->is.amount_u += entry->amount_u;
	budget->is.period++;
	budget->is.next = entry->next;
	budget->is.notified = 0;
	return 0;
}

/* People are notified of a threshold once in a period. */
static int apply_notify(struct eqt_book *book, const struct eqt_entry *entry,
			struct eqt_error *err)
{
	struct book_budget *budget = book_find(book, entry->budget);

	if (!budget)
		return book_refuse(err, entry, "no such budget");
	budget->is.notified = entry->amount_u;
	return 0;
}

/* ---- Jobs ------------------------------------------------------------------ */

/* Return the part of a job in a budget and a period. If the job has no such part, add
 * it. Return NULL if the job has the largest number of parts. */
static struct eqt_entry_part *job_part(struct eqt_book_job *job,
				       const struct eqt_entry_part *like)
{
	struct eqt_entry_part *part;

	for (uint64_t i = 0; i < job->parts; i++) {
		if (job->part[i].budget == like->budget &&
		    job->part[i].period == like->period)
			return &job->part[i];
	}
	if (job->parts == EQT_ENTRY_PARTS)
		return NULL;
	part = &job->part[job->parts++];
	*part = (struct eqt_entry_part){ .budget = like->budget,
					 .period = like->period };
	return part;
}

/* Remove parts without an amount, and keep the order of the other parts. */
static void job_parts_tidy(struct eqt_book_job *job)
{
	uint64_t kept = 0;

	for (uint64_t i = 0; i < job->parts; i++) {
		if (job->part[i].taken_u)
			job->part[kept++] = job->part[i];
	}
	job->parts = kept;
}

/* Return a copy of a job, or a new job with this id. The book itself gets the job only
 * after all checks. */
static struct eqt_book_job job_copy(const struct eqt_book *book, uint64_t id)
{
	const struct eqt_book_job *job = book_job_find(book, id);

	return job ? *job : (struct eqt_book_job){ .id = id };
}

/* Add a new commitment, or a commitment from the beginning of a file, to the commitment
 * of its job. A copy is changed first, because the sum may have too many parts. */
static int apply_commit(struct eqt_book *book, const struct eqt_entry *entry,
			struct eqt_error *err)
{
	struct eqt_book_job copy = job_copy(book, entry->job), *job;

	if (!entry->job)
		return book_refuse(err, entry, "no such job");
	for (uint64_t i = 0; i < entry->parts; i++) {
		const struct book_budget *budget =
			book_find(book, entry->part[i].budget);
		struct eqt_entry_part *part = job_part(&copy, &entry->part[i]);

		if (!budget ||
		    eqt_budget_left(&budget->is) < entry->part[i].taken_u)
			return book_refuse(err, entry, "so much is not left");
		if (!part)
			return book_refuse(err, entry, "too many budgets");
		part->taken_u += entry->part[i].taken_u;
	}
	copy.tasks = entry->tasks;
	copy.until = entry->until;
	if (entry->run) {
		copy.run = entry->run;
		copy.settled_u = entry->settled_u;
	}
	job = book_job_get(book, entry->job);
	if (!job)
		return book_refuse(err, entry, "out of memory");
	*job = copy;
	for (uint64_t i = 0; i < entry->parts; i++)
		book_find(book, entry->part[i].budget)->is.committed_u +=
			entry->part[i].taken_u;
	return 0;
}

/* The task takes its share of each part. The sums of the budgets do not change. */
static int apply_split(struct eqt_book *book, const struct eqt_entry *entry,
		       struct eqt_error *err)
{
	struct eqt_book_job from = job_copy(book, entry->other), *task;
	struct eqt_book_job to = job_copy(book, entry->job);

	if (!book_job_find(book, entry->other) || !entry->job)
		return book_refuse(err, entry, "no such array");
	if (entry->job == entry->other || from.tasks < 2)
		return book_refuse(err, entry, "no such task");
	for (uint64_t i = 0; i < entry->parts; i++) {
		struct eqt_entry_part *a = job_part(&from, &entry->part[i]);
		struct eqt_entry_part *b = job_part(&to, &entry->part[i]);

		if (!a || !b || a->taken_u < entry->part[i].taken_u)
			return book_refuse(err, entry, "it has not so much");
		a->taken_u -= entry->part[i].taken_u;
		b->taken_u += entry->part[i].taken_u;
	}
	from.tasks--;
	to.tasks = 1;
	job_parts_tidy(&from);
	/* Adding a job may move the array of jobs. */
	task = book_job_get(book, entry->job);
	if (!task)
		return book_refuse(err, entry, "out of memory");
	*task = to;
	*book_job_find(book, entry->other) = from;
	return 0;
}

/* Does an amount that a job returns to a budget lapse? It does if the period of the
 * amount is over. */
static bool part_lapses(const struct book_budget *budget,
			const struct eqt_entry_part *part)
{
	return budget->is.closed ||
	       (part->period != budget->is.period && !budget->is.terms.carry);
}

/* settle_check() has made sure that no number falls below 0. */
static void part_settle(struct book_budget *budget,
			const struct eqt_entry_part *part)
{
	budget->is.committed_u -= part->taken_u;
	budget->is.spent_u += part->spent_u;
	if (part->taken_u > part->spent_u && part_lapses(budget, part))
		budget->is.amount_u -= part->taken_u - part->spent_u;
}

/* Subtract the parts from a copy of the job. Return -1 if the job has committed less or
 * has fewer tasks, or if its charge beyond the commitment is more than the budget has
 * left. */
static int settle_check(const struct eqt_book *book,
			const struct eqt_entry *entry, struct eqt_book_job *job)
{
	for (uint64_t i = 0; i < entry->parts; i++) {
		const struct eqt_entry_part *part = &entry->part[i];
		const struct book_budget *budget =
			book_find(book, part->budget);
		struct eqt_entry_part *held;

		if (!budget || (part->spent_u > part->taken_u &&
				part->spent_u - part->taken_u >
					eqt_budget_left(&budget->is)))
			return -1;
		if (!part->taken_u)
			continue;
		held = job_part(job, part);
		if (!held || held->taken_u < part->taken_u)
			return -1;
		held->taken_u -= part->taken_u;
	}
	if (entry->tasks > job->tasks)
		return -1;
	return 0;
}

/* Add the overrun of each level to its first budget. All levels owe the same charge,
 * which is the smallest payment of all levels plus the overrun of the entry. */
static void settle_count_overrun(struct eqt_book *book,
				 const struct eqt_entry *entry)
{
	uint64_t charge = UINT64_MAX;

	for (uint64_t i = 0; i < entry->parts; i++)
		eqt_whole_lower(&charge,
				eqt_book_plan_level_spent(book, entry, i));
	charge = book_sum(charge, entry->overrun_u);
	for (uint64_t i = 0; i < entry->parts; i++) {
		const uint64_t spent =
			eqt_book_plan_level_spent(book, entry, i);

		if (charge > spent &&
		    book_part_begins_level(book, entry->part, i))
			book_find(book, entry->part[i].budget)->is.overrun_u +=
				charge - spent;
	}
}

static int apply_settle(struct eqt_book *book, const struct eqt_entry *entry,
			struct eqt_error *err)
{
	struct eqt_book_job *job = book_job_find(book, entry->job), after;

	if (!job)
		return book_refuse(err, entry, "no such job");
	after = *job;
	if (settle_check(book, entry, &after) < 0)
		return book_refuse(err, entry, "it has not so much");
	job_parts_tidy(&after);
	after.tasks -= entry->tasks;
	after.until = entry->until;
	after.run = entry->run;
	after.settled_u = entry->settled_u;
	if (!after.tasks && after.parts)
		return book_refuse(err, entry, "something stays committed");
	*job = after;
	for (uint64_t i = 0; i < entry->parts; i++)
		part_settle(book_find(book, entry->part[i].budget),
			    &entry->part[i]);
	if (entry->overrun_u)
		settle_count_overrun(book, entry);
	return 0;
}

/* Does an entry follow the last one? The first lines of a file all have the number of
 * the last entry of the previous file. */
static bool entry_follows(const struct eqt_book *book,
			  const struct eqt_entry *entry)
{
	if (entry->kind == EQT_ENTRY_BASE)
		return !book->begun;
	if (entry->kind == EQT_ENTRY_BUDGET || entry->kind == EQT_ENTRY_PEER ||
	    entry->kind == EQT_ENTRY_JOB)
		return book->begun && entry->seq == book->seq;
	return entry->seq == book->seq + 1;
}

/* All checks come before the first change. Storing the request may fail for lack of
 * memory, so it comes before the change and is undone if the entry has an error. */
int eqt_book_apply(struct eqt_book *book, const struct eqt_entry *entry,
		   struct eqt_error *err)
{
	static book_entry_apply *const apply[EQT_ENTRY_KINDS] = {
		[EQT_ENTRY_BASE] = apply_base,
		[EQT_ENTRY_BUDGET] = apply_budget,
		[EQT_ENTRY_PEER] = book_apply_peer,
		[EQT_ENTRY_JOB] = apply_commit,
		[EQT_ENTRY_GRANT] = apply_grant,
		[EQT_ENTRY_TRANSFER] = apply_transfer,
		[EQT_ENTRY_REFUND] = apply_refund,
		[EQT_ENTRY_CLOSE] = apply_close,
		[EQT_ENTRY_REFILL] = apply_refill,
		[EQT_ENTRY_NOTIFY] = apply_notify,
		[EQT_ENTRY_SEND] = book_apply_send,
		[EQT_ENTRY_RECEIVE] = book_apply_receive,
		[EQT_ENTRY_ARRIVED] = book_apply_arrived,
		[EQT_ENTRY_COMMIT] = apply_commit,
		[EQT_ENTRY_SPLIT] = apply_split,
		[EQT_ENTRY_SETTLE] = apply_settle,
	};
	const uint64_t requests = book->requests;

	if (!entry_follows(book, entry))
		return book_refuse(err, entry,
				   "it does not follow the one before");
	if (eqt_book_has_request(book, entry->request))
		return book_refuse(err, entry, "its request counts already");
	if (book_request_add(book, entry->request) < 0)
		return book_refuse(err, entry, "out of memory");
	if (apply[entry->kind](book, entry, err) < 0) {
		book->requests = requests;
		return -1;
	}
	book->seq = entry->seq;
	book->begun = true;
	return 0;
}
