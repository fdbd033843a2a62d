/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulation_reference: the rules of docs/SIMULATE.md for starts, worked out slowly:
 * step by step, with nothing kept between two questions.
 *
 * All times are multiples of STEP, which is also the time between backfills. Jobs have
 * fixed priorities.
 */
#ifndef EQT_TESTS_SIMULATION_REFERENCE_H
#define EQT_TESTS_SIMULATION_REFERENCE_H

#include "sim/simulation.h"

#define STEP 30
#define REF_NODES 6
#define REF_JOBS 24

enum ref_state { COMING, UNPAID, DEFERRED, WAITING, RUNNING, OVER, IMPOSSIBLE };

#define REF_SPENT 2 /* the limit that jobs spend */

/* Nodes that are kept from one time to another. */
struct ref_plan {
	uint32_t on;
	int64_t from, to;
	int reservation; /* 1 + index; 0: a job is planned */
};

struct reference {
	const struct eqt_simulation *in;
	const struct eqt_simulation_policy *policy;
	struct eqt_simulation_sum sum;
	int64_t now;
	enum ref_state state[REF_JOBS];
	int64_t start[REF_JOBS];
	uint32_t on[REF_JOBS]; /* bit i: node i */
	struct ref_plan plan[REF_JOBS + 2];
	int plans;
	uint64_t blocked; /* partitions whose nodes nobody may take */
	int64_t last_pass, last_rank;
	bool stirred;
	uint64_t left; /* of the limit that is spent */
	bool paid[REF_JOBS];
	int64_t paid_at[REF_JOBS];
	int64_t lapsed_at;
	size_t late; /* jobs that had to wait for it, and went on */
};

static const struct eqt_simulation_needs no_needs;

static const struct eqt_simulation_needs *ref_needs(const struct reference *ref,
						    size_t i)
{
	return ref->in->jobs[i].needs ? ref->in->jobs[i].needs : &no_needs;
}

static int64_t divide_up(uint64_t a, uint64_t b)
{
	return (int64_t) ((a + b - 1) / b);
}

/* ---- Resources: 0 CPUs, 1 memory, 2 GPUs ---------------------------------- */

static int64_t ref_has(const struct reference *ref, uint32_t node, int resource)
{
	const struct eqt_simulation_amount *has =
		&ref->in->cluster.nodes[node].has;

	return (int64_t) (resource == 0	  ? has->cpus
			  : resource == 1 ? has->mem_mib
					  : has->gpus);
}

/* What a job takes of a node. */
static int64_t ref_takes(const struct reference *ref, size_t i, uint32_t node,
			 int resource)
{
	const struct eqt_simulation_job *job = &ref->in->jobs[i];

	if (ref_needs(ref, i)->exclusive)
		return ref_has(ref, node, resource);
	return divide_up(resource == 0	 ? job->all.cpus
			 : resource == 1 ? job->all.mem_mib
					 : job->all.gpus,
			 job->nodes);
}

/* Has the node enough for the job, when all jobs are gone whose limits are over at a
 * time? The smaller amount is what the job asked for on a node that it has whole. */
static bool ref_enough(const struct reference *ref, size_t i, uint32_t node,
		       int64_t at)
{
	const struct eqt_simulation_job *job = &ref->in->jobs[i];

	for (int r = 0; r < 3; r++) {
		int64_t left = ref_has(ref, node, r);
		int64_t asked = divide_up(r == 0   ? job->all.cpus
					  : r == 1 ? job->all.mem_mib
						   : job->all.gpus,
					  job->nodes);

		if (asked > left)
			return false;
		for (size_t k = 0; k < ref->in->count; k++)
			if (ref->state[k] == RUNNING &&
			    (ref->on[k] >> node & 1) &&
			    ref->start[k] + ref->in->jobs[k].limit_s > at)
				left -= ref_takes(ref, k, node, r);
		if (ref_takes(ref, i, node, r) > left)
			return false;
	}
	return true;
}

static bool ref_eligible(const struct reference *ref, size_t i, uint32_t node)
{
	const struct eqt_simulation_job *job = &ref->in->jobs[i];
	const struct eqt_simulation_node *of = &ref->in->cluster.nodes[node];
	const struct eqt_simulation_needs *needs = ref_needs(ref, i);

	if (!(of->partitions & UINT64_C(1) << job->partition))
		return false;
	if (job->all.gpus > 0 && job->model >= 0 && job->model != of->model)
		return false;
	return !needs->nodes || (needs->nodes[0] & UINT64_C(1) << node);
}

/* ---- Limits and conditions -------------------------------------------------- */

static bool ref_within_limits(const struct reference *ref, size_t i)
{
	const struct eqt_simulation_needs *needs = ref_needs(ref, i);

	for (uint32_t u = 0; u < needs->use_count; u++) {
		uint64_t sum = needs->uses[u].amount;

		if (needs->uses[u].limit == REF_SPENT)
			continue;
		for (size_t k = 0; k < ref->in->count; k++)
			for (uint32_t v = 0;
			     ref->state[k] == RUNNING &&
			     v < ref_needs(ref, k)->use_count;
			     v++)
				if (ref_needs(ref, k)->uses[v].limit ==
				    needs->uses[u].limit)
					sum += ref_needs(ref, k)
						       ->uses[v]
						       .amount;
		if (sum > ref->in->limits[needs->uses[u].limit])
			return false;
	}
	return true;
}

/* What a job spends, or NULL. */
static const struct eqt_simulation_use *ref_spends(const struct reference *ref,
						   size_t i)
{
	const struct eqt_simulation_needs *needs = ref_needs(ref, i);

	for (uint32_t u = 0; u < needs->use_count; u++)
		if (needs->uses[u].limit == REF_SPENT)
			return &needs->uses[u];
	return NULL;
}

/* Pay for a job once. */
static bool ref_pay(struct reference *ref, size_t i)
{
	const struct eqt_simulation_use *use = ref_spends(ref, i);

	if (ref->paid[i] || (use && use->amount > ref->left))
		return ref->paid[i];
	if (use)
		ref->left -= use->amount;
	ref->paid[i] = true;
	ref->paid_at[i] = ref->now;
	return true;
}

/* Give back what the job has not used, unless it is of a period that is over. */
static void ref_give_back(struct reference *ref, size_t i, uint64_t run_s)
{
	const struct eqt_simulation_use *use = ref_spends(ref, i);

	if (use && run_s < use->paid_s && ref->paid_at[i] >= ref->lapsed_at)
		ref->left += use->amount * (use->paid_s - run_s) / use->paid_s;
}

static void ref_renew(struct reference *ref)
{
	for (uint32_t i = 0; i < ref->in->renewal_count; i++) {
		const struct eqt_simulation_renewal *one =
			&ref->in->renewals[i];

		if (one->at != ref->now)
			continue;
		if (one->keeps != EQT_SIMULATION_KEEPS_ALL)
			ref->lapsed_at = ref->now;
		if (ref->left > one->keeps)
			ref->left = one->keeps;
		ref->left += one->adds;
	}
}

static bool ref_is_deferred(const struct reference *ref, size_t i)
{
	const struct eqt_simulation_needs *needs = ref_needs(ref, i);

	if (needs->begin > ref->now)
		return true;
	for (uint32_t k = 0; k < needs->after_count; k++)
		if (ref->state[needs->after[k]] != OVER &&
		    !(needs->after_start &&
		      ref->state[needs->after[k]] == RUNNING))
			return true;
	return false;
}

static bool ref_possible(const struct reference *ref, size_t i)
{
	const struct eqt_simulation_job *job = &ref->in->jobs[i];
	uint32_t found = 0;

	for (uint32_t node = 0; node < ref->in->cluster.node_count; node++)
		found += ref_eligible(ref, i, node) &&
			 ref_has(ref, node, 0) >=
				 divide_up(job->all.cpus, job->nodes) &&
			 ref_has(ref, node, 1) >=
				 divide_up(job->all.mem_mib, job->nodes) &&
			 ref_has(ref, node, 2) >=
				 divide_up(job->all.gpus, job->nodes);
	return found >= job->nodes;
}

/* ---- The plan ----------------------------------------------------------------- */

static void ref_plan_reset(struct reference *ref)
{
	ref->plans = 0;
	ref->blocked = 0;
	for (uint32_t i = 0; i < ref->in->reservation_count; i++)
		if (ref->in->reservations[i].to > ref->now)
			ref->plan[ref->plans++] = (struct ref_plan){
				(uint32_t) ref->in->reservations[i].nodes[0],
				ref->in->reservations[i].from,
				ref->in->reservations[i].to,
				(int) i + 1,
			};
}

/* Is the node kept for another job or reservation between two times? */
static bool ref_is_kept(const struct reference *ref, uint32_t node,
			int64_t from, int64_t to, int reservation)
{
	for (int i = 0; i < ref->plans; i++)
		if ((ref->plan[i].on >> node & 1) && ref->plan[i].from < to &&
		    ref->plan[i].to > from &&
		    (!reservation || ref->plan[i].reservation != reservation))
			return true;
	return false;
}

/* The first nodes on which the job can run from a time to its limit; 0: too few. */
static uint32_t ref_nodes_at(const struct reference *ref, size_t i, int64_t at,
			     bool starts)
{
	const struct eqt_simulation_job *job = &ref->in->jobs[i];
	const int reservation = ref_needs(ref, i)->reservation;
	uint32_t on = 0, found = 0;

	for (uint32_t node = 0;
	     node < ref->in->cluster.node_count && found < job->nodes; node++)
		if (ref_eligible(ref, i, node) &&
		    ref_enough(ref, i, node, at) &&
		    !(starts && (ref->blocked &
				 ref->in->cluster.nodes[node].partitions)) &&
		    !ref_is_kept(ref, node, at, at + job->limit_s,
				 reservation)) {
			on |= UINT32_C(1) << node;
			found++;
		}
	return found == job->nodes ? on : 0;
}

/* Keep nodes for a job at the first time when enough are open, within the window. */
static void ref_plan_job(struct reference *ref, size_t i)
{
	const int64_t last = ref->now + ref->policy->backfill_window_s;

	if (ref_needs(ref, i)->reservation)
		return;
	for (int64_t at = ref->now; at <= last; at += STEP) {
		uint32_t on = ref_nodes_at(ref, i, at, false);

		if (!on)
			continue;
		ref->plan[ref->plans++] = (struct ref_plan){
			on, at, at + ref->in->jobs[i].limit_s, 0
		};
		return;
	}
}

/* ---- Starts -------------------------------------------------------------------- */

/* Is job a before job b: by tier, priority, and age? */
static bool ref_is_before(const struct reference *ref, size_t a, size_t b)
{
	const struct eqt_simulation_job *x = &ref->in->jobs[a];
	const struct eqt_simulation_job *y = &ref->in->jobs[b];
	const uint32_t x_tier = ref->in->cluster.partitions[x->partition].tier;
	const uint32_t y_tier = ref->in->cluster.partitions[y->partition].tier;

	if (x_tier != y_tier)
		return x_tier > y_tier;
	return x->nice != y->nice ? x->nice < y->nice : a < b;
}

/* The waiting jobs in their order; returns how many. */
static size_t ref_sort(const struct reference *ref, size_t *order)
{
	size_t count = 0;

	for (size_t i = 0; i < ref->in->count; i++) {
		size_t at = count;

		if (ref->state[i] != WAITING)
			continue;
		for (; at > 0 && ref_is_before(ref, i, order[at - 1]); at--)
			order[at] = order[at - 1];
		order[at] = i;
		count++;
	}
	return count;
}

/* Start a job if it fits now. */
static bool ref_start(struct reference *ref, size_t i)
{
	const struct eqt_simulation_job *job = &ref->in->jobs[i];
	const int reservation = ref_needs(ref, i)->reservation;
	uint32_t on;

	if (reservation) {
		const struct eqt_simulation_reservation *of =
			&ref->in->reservations[reservation - 1];

		if (of->from > ref->now || of->to < ref->now + job->limit_s)
			return false;
	}
	on = ref_nodes_at(ref, i, ref->now, true);
	if (!on)
		return false;
	ref->on[i] = on;
	ref->start[i] = ref->now;
	ref->state[i] = RUNNING;
	ref->stirred = true;
	ref->sum.started++;
	return true;
}

/* The main scheduler: a partition stops at the first job that does not fit, but for one
 * that waits for its reservation. */
static void ref_schedule(struct reference *ref)
{
	size_t order[REF_JOBS], count = ref_sort(ref, order);
	uint64_t over = 0;

	ref_plan_reset(ref);
	for (size_t k = 0; k < count; k++) {
		const size_t i = order[k];
		const uint64_t bit = UINT64_C(1) << ref->in->jobs[i].partition;

		if ((over & bit) || !ref_within_limits(ref, i) ||
		    ref_start(ref, i) || ref_needs(ref, i)->reservation)
			continue;
		over |= bit;
		ref->blocked |= bit;
	}
}

static void ref_backfill(struct reference *ref)
{
	const uint32_t most = ref->policy->backfill_reserve
				      ? ref->policy->backfill_reserve
				      : 1;
	size_t order[REF_JOBS], count = ref_sort(ref, order);
	uint32_t planned[EQT_SIMULATION_PARTITIONS_MAX] = { 0 };

	ref_plan_reset(ref);
	for (size_t k = 0; k < count && k < ref->policy->backfill_depth; k++) {
		const size_t i = order[k];
		const uint16_t partition = ref->in->jobs[i].partition;

		if (!ref_within_limits(ref, i))
			continue;
		if (ref_start(ref, i)) {
			ref->sum.backfilled += planned[partition] > 0;
		} else if (planned[partition] < most &&
			   !ref_needs(ref, i)->reservation) {
			planned[partition]++;
			ref_plan_job(ref, i);
		}
	}
}

/* ---- Time ----------------------------------------------------------------------- */

static size_t ref_count(const struct reference *ref, enum ref_state state)
{
	size_t count = 0;

	for (size_t i = 0; i < ref->in->count; i++)
		count += ref->state[i] == state;
	return count;
}

static bool ref_end_jobs(struct reference *ref)
{
	bool any = false;

	for (size_t i = 0; i < ref->in->count; i++)
		if (ref->state[i] == RUNNING &&
		    ref->start[i] + ref->in->jobs[i].run_s <= ref->now) {
			ref->state[i] = OVER;
			ref_give_back(ref, i, ref->in->jobs[i].run_s);
			ref->sum.end = ref->now;
			any = true;
		}
	return any;
}

/* Where a job goes that waits. */
static enum ref_state ref_admit(struct reference *ref, size_t i)
{
	return !ref_pay(ref, i)		? UNPAID
	       : ref_is_deferred(ref, i) ? DEFERRED
					 : WAITING;
}

/* Let jobs go on for which enough was given back. */
static bool ref_unpaid_release(struct reference *ref)
{
	bool any = false;

	for (size_t i = 0; i < ref->in->count; i++)
		if (ref->state[i] == UNPAID) {
			ref->state[i] = ref_admit(ref, i);
			ref->late += ref->state[i] != UNPAID;
			any |= ref->state[i] != UNPAID;
		}
	return any;
}

static bool ref_arrive(struct reference *ref)
{
	bool any = false;

	for (size_t i = 0; i < ref->in->count; i++) {
		size_t live;

		if (ref->state[i] != COMING || ref->in->jobs[i].at > ref->now)
			continue;
		any = true;
		ref->paid[i] = ref_needs(ref, i)->on || ref_needs(ref, i)->paid;
		ref->paid_at[i] = ref->now;
		if (ref_needs(ref, i)->on)
			ref->state[i] = RUNNING;
		else if (!ref_possible(ref, i))
			ref->state[i] = IMPOSSIBLE;
		else
			ref->state[i] = ref_admit(ref, i);
		live = ref_count(ref, UNPAID) + ref_count(ref, DEFERRED) + ref_count(ref, WAITING) +
		       ref_count(ref, RUNNING);
		if (live > ref->sum.live_max)
			ref->sum.live_max = live;
	}
	return any;
}

static bool ref_release(struct reference *ref)
{
	bool any = ref_unpaid_release(ref);

	for (size_t i = 0; i < ref->in->count; i++)
		if (ref->state[i] == DEFERRED && !ref_is_deferred(ref, i)) {
			ref->state[i] = WAITING;
			any = true;
		}
	return any;
}

/* Jobs whose reservation is over never start. */
static void ref_drop(struct reference *ref)
{
	for (size_t i = 0; i < ref->in->count; i++) {
		const int of = ref_needs(ref, i)->reservation;

		if (ref->state[i] == WAITING && of &&
		    ref->in->reservations[of - 1].to <= ref->now) {
			ref->state[i] = IMPOSSIBLE;
			ref_give_back(ref, i, 0);
		}
	}
}

/* Does a reservation begin or end now? */
static bool ref_edge(const struct reference *ref, bool first)
{
	for (uint32_t i = 0; i < ref->in->reservation_count; i++)
		if (first || ref->in->reservations[i].from == ref->now ||
		    ref->in->reservations[i].to == ref->now)
			return true;
	return false;
}

/* Does a job wait, or may one come to, so that the simulation looks at this time? */
static bool ref_is_awake(const struct reference *ref)
{
	for (uint32_t i = 0; i < ref->in->renewal_count; i++)
		if (ref->in->renewals[i].at == ref->now &&
		    ref_count(ref, UNPAID) > 0)
			return true;
	for (size_t i = 0; i < ref->in->count; i++)
		if (ref->state[i] == WAITING ||
		    (ref->state[i] == COMING &&
		     ref->in->jobs[i].at <= ref->now) ||
		    (ref->state[i] == DEFERRED &&
		     ref_needs(ref, i)->begin == ref->now))
			return true;
	return false;
}

/* A pass, or a ranking alone, may change the order between the queues of two
 * partitions. A late pass counts as of its time on the grid of periods. */
static bool ref_pass(struct reference *ref)
{
	const uint64_t every_ms = ref->policy->priority.rank_every_ms;
	const int64_t period_s = ref->policy->period_s;
	const int64_t passed_s = ref->now - ref->last_pass;
	const bool whole = ref->sum.passes == 0 || passed_s >= period_s;
	uint64_t queues = 0;

	if (whole) {
		ref->sum.passes++;
		ref->last_pass = ref->now - passed_s % period_s;
	} else if (!every_ms ||
		   ref->now - ref->last_rank < (int64_t) every_ms / 1000) {
		return false;
	}
	ref->last_rank = ref->now;
	for (size_t i = 0; i < ref->in->count; i++)
		if (ref->state[i] == WAITING)
			queues |= UINT64_C(1) << ref->in->jobs[i].partition;
	return (queues & (queues - 1)) != 0;
}

/* Start jobs, those as well that wait only for others of this moment to start. */
static void ref_starts(struct reference *ref, bool changed)
{
	bool due = ref->policy->backfill_s > 0;

	do {
		ref->stirred |= changed;
		if (changed) {
			ref_drop(ref);
			ref_schedule(ref);
		}
		if (due && ref_count(ref, WAITING)) {
			due = false;
			if (ref->stirred) {
				ref->stirred = false;
				ref_backfill(ref);
			}
		}
		changed = ref_release(ref);
	} while (changed);
}

static void ref_moment(struct reference *ref, int64_t begin)
{
	const bool awake = ref_is_awake(ref);
	bool changed;

	ref_renew(ref);
	changed = ref_end_jobs(ref);
	if (awake || changed)
		changed |= ref_pass(ref);
	changed |= ref_unpaid_release(ref);
	changed |= ref_arrive(ref);
	changed |= ref_edge(ref, ref->now == begin);
	changed |= ref_release(ref);
	ref_starts(ref, changed);
}

/* Run to a time at which nothing happens any more. */
static void ref_run(struct reference *ref, int64_t begin, int64_t end)
{
	ref->sum.end = ref->last_pass = begin;
	ref->left = ref->in->limits[REF_SPENT];
	ref->lapsed_at = begin - 1;
	for (ref->now = begin; ref->now < end; ref->now += STEP)
		ref_moment(ref, begin);
	ref->sum.impossible = ref_count(ref, IMPOSSIBLE);
}

#endif
