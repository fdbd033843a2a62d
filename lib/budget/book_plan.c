/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/whole.h"
#include "base/fraction.h"
#include "budget/book_impl.h"
#include "budget/book_plan.h"

static bool budget_rules(const struct book_budget *budget,
			 const struct eqt_book_wish *wish)
{
	return eqt_budget_counts(&budget->is, wish->pool, wish->qos);
}

/* Return the largest amount that a budget can have for one job from now on. */
static uint64_t budget_fillable(const struct eqt_budget *budget, uint64_t now)
{
	uint64_t most = budget->amount_u - budget->spent_u;

	if (budget->closed || (budget->terms.end && budget->terms.end <= now))
		return 0;
	/* The limit may be raised later, as Slurm's own check assumes as well. */
	if (budget->terms.every == EQT_BUDGET_LIMIT)
		return UINT64_MAX;
	/* The parts on other clusters may be sent here. */
	if (budget->terms.joint)
		most = eqt_whole_max(most, budget->terms.amount_u);
	if (!budget->next)
		return most;
	if (budget->terms.carry)
		return UINT64_MAX;
	return eqt_whole_max(budget->terms.refill_u, most);
}

/* Note when a budget may have more: at its start or its refill, whichever comes
 * first. */
static void lack_note_time(struct eqt_book_lack *lack,
			   const struct eqt_budget *budget, uint64_t now)
{
	uint64_t at = budget->next;

	if (budget->closed)
		return;
	if (budget->terms.start > now)
		at = budget->terms.start;
	if (at > now && (!lack->next || at < lack->next))
		lack->next = at;
}

/* Return the amount that a budget has left for a job, including the commitment that
 * would be replaced. */
static uint64_t left_for(const struct eqt_book *book,
			 const struct eqt_budget *budget,
			 const struct eqt_book_wish *wish)
{
	const struct eqt_book_job *before =
		wish->instead_of ? eqt_book_job(book, wish->instead_of) : NULL;
	uint64_t left = eqt_budget_left(budget);

	for (uint64_t i = 0; before && i < before->parts; i++) {
		if (before->part[i].budget == budget->id)
			left = book_sum(left, before->part[i].taken_u);
	}
	return left;
}

/* Return how near a budget is to being drawn on. A message names the nearest budget. */
static unsigned int budget_nearness(const struct eqt_budget *budget,
				    uint64_t now)
{
	if (budget->closed)
		return 0;
	if (eqt_budget_in_force(budget, now))
		return 3;
	return budget->terms.start > now ? 2 : 1;
}

/* Add the numbers of a budget in force to *lack. What the job itself has committed
 * counts as left. */
static void lack_add(struct eqt_book_lack *lack, const struct eqt_book *book,
		     const struct eqt_budget *budget,
		     const struct eqt_book_wish *wish)
{
	const uint64_t left = left_for(book, budget, wish);
	const uint64_t own = left - eqt_budget_left(budget);

	lack->in_force++;
	lack->amount_u = book_sum(lack->amount_u, budget->amount_u);
	lack->spent_u = book_sum(lack->spent_u, budget->spent_u);
	lack->committed_u = book_sum(
		lack->committed_u,
		budget->committed_u > own ? budget->committed_u - own : 0);
	lack->left_u = book_sum(lack->left_u, left);
}

/* The whole level counts, but the text names one budget. */
static void lack_fill(struct eqt_book_lack *lack, const struct eqt_book *book,
		      const struct book_budget *first,
		      const struct eqt_book_wish *wish)
{
	unsigned int nearest = 0;

	*lack = (struct eqt_book_lack){ 0 };
	for (; first; first = book_sibling(book, first)) {
		const unsigned int near =
			budget_nearness(&first->is, wish->now);

		if (!budget_rules(first, wish))
			continue;
		if (near >= nearest) {
			nearest = near;
			lack->budget = first->is.id;
		}
		lack->fillable_u =
			book_sum(lack->fillable_u,
				 budget_fillable(&first->is, wish->now));
		if (eqt_budget_in_force(&first->is, wish->now))
			lack_add(lack, book, &first->is, wish);
		lack_note_time(lack, &first->is, wish->now);
	}
}

/* Take the amount from the budgets of one level, in the order of their ends. Return
 * EQT_BOOK_FREE if the level has no budget for the job. Return EQT_BOOK_LACKS also if
 * the job would draw on too many budgets. */
static enum eqt_book_answer level_take(const struct eqt_book *book,
				       const struct book_budget *budget,
				       const struct eqt_book_wish *wish,
				       struct eqt_entry *entry)
{
	uint64_t need = wish->need_u;
	bool rules = false;

	for (; budget; budget = book_sibling(book, budget)) {
		uint64_t take;

		if (!budget_rules(budget, wish))
			continue;
		rules = true;
		if (!eqt_budget_in_force(&budget->is, wish->now))
			continue;
		take = eqt_whole_min(need, left_for(book, &budget->is, wish));
		if (!take)
			continue;
		if (entry->parts == EQT_ENTRY_PARTS)
			break;
		entry->part[entry->parts++] = (struct eqt_entry_part){
			.budget = budget->is.id,
			.taken_u = take,
			.period = budget->is.period,
		};
		need -= take;
	}
	if (!rules)
		return EQT_BOOK_FREE;
	return need ? EQT_BOOK_LACKS : EQT_BOOK_FITS;
}

/* Set the members of the entry that do not depend on budgets. */
static void commit_start(struct eqt_entry *entry, const struct eqt_book *book,
			 const struct eqt_book_wish *wish)
{
	const struct eqt_book_job *job = eqt_book_job(book, wish->job);

	entry->kind = EQT_ENTRY_COMMIT;
	entry->seq = book->seq + 1;
	entry->when = wish->now;
	entry->job = wish->job;
	entry->tasks = wish->tasks;
	entry->until = wish->run ? wish->now : job ? job->until : 0;
	entry->run = wish->run;
	entry->settled_u = wish->settled_u;
	entry->parts = 0;
}

enum eqt_book_answer eqt_book_plan_commit(const struct eqt_book *book,
					  const struct eqt_book_wish *wish,
					  struct eqt_entry *entry,
					  struct eqt_book_lack *lack)
{
	const struct eqt_book_path *path = wish->path;
	enum eqt_book_answer answer = EQT_BOOK_FREE;
	struct eqt_book_lack unwanted;
	struct eqt_entry scratch;

	if (!entry)
		entry = &scratch;
	if (!lack)
		lack = &unwanted;
	commit_start(entry, book, wish);
	for (size_t i = 0; i < path->levels; i++) {
		const struct book_budget *first = book_owner_first(
			book, path->level[i].account, path->level[i].user);
		enum eqt_book_answer level =
			level_take(book, first, wish, entry);

		if (level == EQT_BOOK_FREE)
			continue;
		if (level == EQT_BOOK_LACKS) {
			lack_fill(lack, book, first, wish);
			return lack->fillable_u < wish->need_u ? EQT_BOOK_NEVER
							       : level;
		}
		answer = level;
	}
	return answer;
}

uint64_t eqt_book_plan_last_grant(const struct eqt_book *book,
				  const struct eqt_book_wish *wish)
{
	const struct eqt_book_path *path = wish->path;
	uint64_t last = 0;

	for (size_t i = 0; i < path->levels; i++) {
		const struct book_budget *budget = book_owner_first(
			book, path->level[i].account, path->level[i].user);

		for (; budget; budget = book_sibling(book, budget))
			if (budget_rules(budget, wish) &&
			    budget->is.granted > last)
				last = budget->is.granted;
	}
	return last;
}

/* ---- The end of a job -------------------------------------------------------- */

/* Add up the parts of a level, whose first part is at `first`. */
static uint64_t level_total(const struct eqt_book *book,
			    const struct eqt_book_job *job, uint64_t first)
{
	const struct book_budget *owner =
		book_find(book, job->part[first].budget);
	uint64_t total = 0;

	for (uint64_t i = first; i < job->parts; i++) {
		if (book_same_owner(owner,
				    book_find(book, job->part[i].budget)))
			total += job->part[i].taken_u;
	}
	return total;
}

bool book_part_begins_level(const struct eqt_book *book,
			    const struct eqt_entry_part *part, uint64_t at)
{
	const struct book_budget *owner = book_find(book, part[at].budget);

	for (uint64_t i = 0; i < at; i++) {
		if (book_same_owner(owner, book_find(book, part[i].budget)))
			return false;
	}
	return true;
}

uint64_t eqt_book_plan_level_spent(const struct eqt_book *book,
				   const struct eqt_entry *entry, uint64_t part)
{
	const struct book_budget *owner =
		book_find(book, entry->part[part].budget);
	uint64_t spent = 0;

	for (uint64_t i = 0; i < entry->parts; i++) {
		if (book_same_owner(owner,
				    book_find(book, entry->part[i].budget)))
			spent += entry->part[i].spent_u;
	}
	return spent;
}

/* Return the part of a total that belongs to some of a job's tasks. */
static uint64_t tasks_share(uint64_t total, uint64_t some, uint64_t all)
{
	return some >= all ? total : (uint64_t) ((eqt_u128) total * some / all);
}

/* Move a share of a level's parts into an entry. Return the rest of the charge that no
 * part has paid. */
static uint64_t level_release(const struct eqt_book *book,
			      const struct eqt_book_job *job, uint64_t first,
			      uint64_t share, uint64_t charge,
			      struct eqt_entry *entry)
{
	const struct book_budget *owner =
		book_find(book, job->part[first].budget);

	for (uint64_t i = first; i < job->parts && share; i++) {
		const struct eqt_entry_part *part = &job->part[i];
		uint64_t taken = eqt_whole_min(part->taken_u, share);
		uint64_t spent = eqt_whole_min(taken, charge);

		if (!book_same_owner(owner, book_find(book, part->budget)))
			continue;
		entry->part[entry->parts++] = (struct eqt_entry_part){
			.budget = part->budget,
			.taken_u = taken,
			.spent_u = spent,
			.period = part->period,
		};
		share -= taken;
		charge -= spent;
	}
	return charge;
}

/* Take the charge beyond the commitment from what the level has left. Return the
 * overrun. */
static uint64_t level_exceed(const struct eqt_book *book,
			     const struct book_budget *owner, uint64_t excess,
			     const struct eqt_book_charge *charge,
			     struct eqt_entry *entry)
{
	const struct book_budget *budget = book_owner_first(
		book, owner->is.terms.account, owner->is.terms.user);

	for (; budget && excess; budget = book_sibling(book, budget)) {
		uint64_t take =
			eqt_whole_min(excess, eqt_budget_left(&budget->is));

		if (!take ||
		    !eqt_budget_has_pool(&budget->is,
					 (enum eqt_budget_pool) charge->pool) ||
		    !eqt_budget_in_force(&budget->is, charge->now) ||
		    entry->parts == EQT_ENTRY_PARTS)
			continue;
		entry->part[entry->parts++] = (struct eqt_entry_part){
			.budget = budget->is.id,
			.spent_u = take,
			.period = budget->is.period,
		};
		excess -= take;
	}
	return excess;
}

/* Let a level pay the rest of a charge from what it has left. If it pays nothing, it
 * gets an empty part in the entry, so that its overrun is counted. */
static void level_pay_rest(const struct eqt_book *book,
			   const struct book_budget *owner, uint64_t rest,
			   uint64_t part, const struct eqt_book_charge *charge,
			   struct eqt_entry *entry)
{
	rest = level_exceed(book, owner, rest, charge, entry);
	eqt_whole_raise(&entry->overrun_u, rest);
	if (rest && entry->parts == part && part < EQT_ENTRY_PARTS)
		entry->part[entry->parts++] = (struct eqt_entry_part){
			.budget = owner->is.id,
			.period = owner->is.period,
		};
}

/* Charge a run without a commitment to what its levels have left. */
static void levels_charge(const struct eqt_book *book,
			  const struct eqt_book_charge *charge,
			  struct eqt_entry *entry)
{
	const struct eqt_book_wish *payers = charge->payers;
	const struct eqt_book_path *path = payers->path;

	for (size_t i = 0; i < path->levels; i++) {
		const struct book_budget *owner = book_owner_first(
			book, path->level[i].account, path->level[i].user);

		while (owner && !budget_rules(owner, payers))
			owner = book_sibling(book, owner);
		if (owner)
			level_pay_rest(book, owner, charge->charge_u,
				       entry->parts, charge, entry);
	}
}

/* The loop lets each level pay the whole charge. */
int eqt_book_plan_settle(const struct eqt_book *book,
			 const struct eqt_book_charge *charge,
			 struct eqt_entry *entry)
{
	const struct eqt_book_job *job = eqt_book_job(book, charge->job);

	memset(entry, 0, sizeof(*entry));
	if (!job || charge->tasks > job->tasks)
		return -1;
	entry->kind = EQT_ENTRY_SETTLE;
	entry->seq = book->seq + 1;
	entry->when = charge->now;
	entry->job = charge->job;
	entry->tasks = charge->tasks;
	entry->until = charge->until;
	entry->run = charge->run ? charge->run : job->run;
	entry->settled_u = charge->run ? charge->settled_u : job->settled_u;
	if (charge->payers && charge->charge_u)
		levels_charge(book, charge, entry);
	for (uint64_t i = 0; i < job->parts && !charge->payers; i++) {
		const struct book_budget *owner =
			book_find(book, job->part[i].budget);
		const uint64_t part = entry->parts;
		uint64_t total, share, rest;

		if (!book_part_begins_level(book, job->part, i))
			continue;
		total = level_total(book, job, i);
		share = charge->tasks
				? tasks_share(total, charge->tasks, job->tasks)
				: total - eqt_whole_min(total, charge->keep_u);
		rest = level_release(book, job, i, share, charge->charge_u,
				     entry);
		level_pay_rest(book, owner, rest, part, charge, entry);
	}
	return 0;
}

/* The last task of an array keeps the id of the array, so it is never split off. */
int eqt_book_plan_split(const struct eqt_book *book, uint64_t array,
			uint64_t job, struct eqt_entry *entry)
{
	const struct eqt_book_job *from = eqt_book_job(book, array);

	memset(entry, 0, sizeof(*entry));
	if (!from || from->tasks < 2 || array == job)
		return -1;
	entry->kind = EQT_ENTRY_SPLIT;
	entry->seq = book->seq + 1;
	entry->job = job;
	entry->other = array;
	for (uint64_t i = 0; i < from->parts; i++) {
		if (book_part_begins_level(book, from->part, i))
			(void) level_release(
				book, from, i,
				tasks_share(level_total(book, from, i), 1,
					    from->tasks),
				0, entry);
	}
	return 0;
}

/* If the rest of a period is not kept, it lapses in the same entry. */
bool eqt_book_plan_refill(const struct eqt_book *book, uint64_t now,
			  struct eqt_entry *entry)
{
	for (uint64_t id = 1; id <= book->budgets; id++) {
		const struct eqt_budget *budget = &book_find(book, id)->is;

		if (budget->closed || !budget->next || budget->next > now)
			continue;
		memset(entry, 0, sizeof(*entry));
		entry->kind = EQT_ENTRY_REFILL;
		entry->seq = book->seq + 1;
		entry->when = now;
		entry->budget = id;
		entry->amount_u = budget->terms.refill_u;
		if (!budget->terms.carry)
			entry->lapse_u = eqt_budget_left(budget);
		return true;
	}
	return false;
}
