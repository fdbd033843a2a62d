/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_simulation_property: small random clusters and jobs, whose starts and nodes
 * must be those that simulation_reference.h works out step by step.
 */
#include <stdio.h>

#include "../unit/unit.h"
#include "random.h"
#include "simulation_reference.h"

#define HISTORIES 3000
#define BEGIN 90000
#define END (BEGIN + INT64_C(500) * STEP)
#define PARTITIONS 3

/* A random history; pointers of in go into it. */
struct history {
	struct eqt_random random;
	struct eqt_simulation in;
	struct eqt_simulation_policy policy;
	struct eqt_simulation_node nodes[REF_NODES];
	struct eqt_simulation_partition partitions[PARTITIONS];
	struct eqt_simulation_job jobs[REF_JOBS];
	struct eqt_simulation_needs needs[REF_JOBS];
	struct eqt_simulation_use uses[REF_JOBS][3];
	struct eqt_simulation_renewal renewals[2];
	uint64_t eligible[REF_JOBS];
	uint32_t after[REF_JOBS][2];
	uint32_t on[REF_JOBS][REF_NODES];
	uint64_t limits[3];
	struct eqt_simulation_reservation reservations[2];
	uint64_t reserved[2];
	bool alike; /* limits are one, and nodes hold several jobs */
};

static const struct eqt_conf conf = {
	.prices.cores = { .name = "cores",
			  .cores_u = EQT_MICRO,
			  .weight_u = EQT_MICRO },
};
static const struct eqt_tree_input tree[] = {
	{ .parent = EQT_TREE_NONE },
	{ .parent = 0, .shares = 1, .user = true },
	{ .parent = 0, .shares = 2, .user = true },
};

static uint32_t below(struct history *history, uint32_t n)
{
	return (uint32_t) eqt_random_below(&history->random, n);
}

/* One time in n. */
static bool seldom(struct history *history, uint32_t n)
{
	return below(history, n) == 0;
}

/* ---- Making a history -------------------------------------------------------- */

static void cluster_make(struct history *history)
{
	struct eqt_simulation_cluster *cluster = &history->in.cluster;

	history->alike = seldom(history, 4);
	cluster->nodes = history->nodes;
	cluster->partitions = history->partitions;
	cluster->node_count = 1 + below(history, REF_NODES);
	cluster->partition_count = 1 + below(history, PARTITIONS);
	cluster->models[0] = "gpu:p100";
	cluster->models[1] = "gpu:v100";
	cluster->model_count = 2;
	for (uint32_t i = 0; i < cluster->partition_count; i++)
		history->partitions[i] = (struct eqt_simulation_partition){
			.name = "p", .tier = 1 + below(history, 2)
		};
	for (uint32_t i = 0; i < cluster->node_count; i++) {
		const bool gpus = seldom(history, 3);

		history->nodes[i] = (struct eqt_simulation_node){
			.has = { 1 + below(history, 6) + (history->alike ? 4 : 0),
				 2 + below(history, 8),
				 gpus ? 1 + below(history, 3) : 0 },
			.model = gpus ? (int) below(history, 2)
				      : EQT_SIMULATION_NO_MODEL,
			.partitions = seldom(history, 4)
					      ? 7
					      : UINT64_C(1) << below(
							history,
							cluster->partition_count),
		};
	}
}

static void policy_make(struct history *history)
{
	static const uint32_t depths[] = { 1, 3, 500, 500 };
	static const uint32_t windows[] = { 5 * STEP, 40 * STEP, 40 * STEP };

	history->policy = (struct eqt_simulation_policy){
		.conf = &conf,
		.priority.idle_shares = true,
		.period_s = STEP * (1 + below(history, 3)),
		.backfill_s = seldom(history, 8) ? 0 : STEP,
		.backfill_depth = depths[below(history, 4)],
		.backfill_reserve = below(history, 4),
		.backfill_window_s = windows[below(history, 3)],
		.stock.decay = seldom(history, 4),
	};
	if (seldom(history, 4))
		history->policy.priority.rank_every_ms =
			1000 * STEP * (1 + below(history, 4));
}

/* Some jobs are of its nodes; two may overlap. */
static void reservations_make(struct history *history)
{
	history->in.reservations = history->reservations;
	history->in.reservation_count = seldom(history, 3) ? below(history, 3)
							   : 0;
	for (uint32_t i = 0; i < history->in.reservation_count; i++) {
		const int64_t from = BEGIN + STEP * (int64_t) below(history, 40);

		history->reserved[i] = below(history, 1u << REF_NODES);
		history->reservations[i] = (struct eqt_simulation_reservation){
			from, from + STEP * (1 + (int64_t) below(history, 12)),
			&history->reserved[i]
		};
	}
}

/* What jobs spend is refilled twice at most. */
static void renewals_make(struct history *history)
{
	int64_t at = BEGIN;

	history->limits[REF_SPENT] = below(history, 40);
	history->in.renewals = history->renewals;
	history->in.renewal_count = below(history, 3);
	for (uint32_t i = 0; i < history->in.renewal_count; i++) {
		at += STEP * (1 + (int64_t) below(history, 40));
		history->renewals[i] = (struct eqt_simulation_renewal){
			.at = at,
			.limit = REF_SPENT,
			.keeps = seldom(history, 2) ? EQT_SIMULATION_KEEPS_ALL
						    : below(history, 9),
			.adds = below(history, 20),
		};
	}
}

static void needs_make(struct history *history, uint32_t i)
{
	struct eqt_simulation_needs *needs = &history->needs[i];

	history->jobs[i].needs = needs;
	needs->exclusive = seldom(history, 5);
	if (seldom(history, 4)) {
		history->eligible[i] = below(history, 1u << REF_NODES);
		needs->nodes = &history->eligible[i];
	}
	if (seldom(history, 5))
		needs->begin = BEGIN + STEP * (int64_t) below(history, 50);
	needs->after = history->after[i];
	needs->after_count = seldom(history, 4) ? 1 + below(history, 2) : 0;
	needs->after_start = seldom(history, 2);
	for (uint32_t k = 0; k < needs->after_count; k++)
		history->after[i][k] = below(history, i + 1);
	needs->uses = history->uses[i];
	needs->use_count = below(history, 3);
	for (uint32_t k = 0; k < needs->use_count; k++)
		history->uses[i][k] = (struct eqt_simulation_use){
			.limit = k, .amount = 1 + below(history, 3)
		};
	needs->paid = seldom(history, 8);
	if (seldom(history, 3))
		history->uses[i][needs->use_count++] =
			(struct eqt_simulation_use){
				.limit = REF_SPENT,
				.paid_s = history->jobs[i].limit_s,
				.amount = 1 + below(history, 12),
			};
	if (history->in.reservation_count && seldom(history, 3))
		needs->reservation =
			1 + (int) below(history, history->in.reservation_count);
}

static void job_make(struct history *history, uint32_t i, int64_t at)
{
	struct eqt_simulation_job *job = &history->jobs[i];

	*job = (struct eqt_simulation_job){
		.id = i,
		.at = at,
		.user = 1 + below(history, 2),
		.run_s = STEP * (1 + below(history, 10)),
		.nodes = seldom(history, 3) ? 1 + below(history, 3) : 1,
		.nice = -1 - (int32_t) below(history, 4),
		.model = (int16_t) ((int) below(history, 3) - 1),
		.partition = (uint16_t) below(
			history, history->in.cluster.partition_count),
	};
	job->limit_s = history->alike
			       ? 10 * STEP
			       : job->run_s + STEP * below(history, 5);
	job->all = (struct eqt_simulation_amount){
		job->nodes * (1 + below(history, 4)) - below(history, 2),
		job->nodes * below(history, 5),
		seldom(history, 4) ? job->nodes * below(history, 3) : 0
	};
	if (job->all.cpus < job->nodes)
		job->all.cpus = job->nodes;
	if (seldom(history, 2))
		needs_make(history, i);
}

/* Half of the jobs that come first run already, each on a node that has room. */
static void running_make(struct history *history, struct reference *ref)
{
	for (uint32_t i = 0; i < history->in.count; i++) {
		struct eqt_simulation_job *job = &history->jobs[i];
		uint32_t node = below(history, history->in.cluster.node_count);

		if (job->at >= BEGIN || seldom(history, 2))
			continue;
		history->needs[i] = (struct eqt_simulation_needs){
			.on = history->on[i],
			.exclusive = history->needs[i].exclusive,
			.uses = history->needs[i].uses,
			.use_count = history->needs[i].use_count,
		};
		job->needs = NULL;
		job->nodes = 1;
		job->all = (struct eqt_simulation_amount){ 1, 1, 0 };
		job->start = BEGIN - STEP * (int64_t) below(history,
							    job->run_s / STEP);
		ref->now = BEGIN;
		job->needs = &history->needs[i];
		if (ref_enough(ref, i, node, BEGIN)) {
			history->on[i][0] = node;
			ref->on[i] = UINT32_C(1) << node;
			ref->start[i] = job->start;
			/* Counted until the reference begins. */
			ref->state[i] = RUNNING;
		} else {
			job->needs = NULL;
		}
	}
	memset(ref->state, 0, sizeof(ref->state));
}

static void history_make(struct history *history, struct reference *ref,
			 uint64_t seed)
{
	const bool from = seed % 3 == 0;
	int64_t at = from ? BEGIN - 10 * STEP : BEGIN;

	memset(history, 0, sizeof(*history));
	memset(ref, 0, sizeof(*ref));
	history->random.s = seed;
	cluster_make(history);
	policy_make(history);
	reservations_make(history);
	history->in.tree = tree;
	history->in.tree_count = 3;
	history->in.jobs = history->jobs;
	history->in.from = from ? BEGIN : 0;
	history->in.limits = history->limits;
	history->in.limit_count = 3;
	history->in.count = 1 + below(history, REF_JOBS);
	for (int i = 0; i < 2; i++)
		history->limits[i] = 1 + below(history, 8);
	renewals_make(history);
	for (uint32_t i = 0; i < history->in.count; i++) {
		job_make(history, i, at);
		at += STEP * (int64_t) below(history, 4);
	}
	ref->in = &history->in;
	ref->policy = &history->policy;
	if (from)
		running_make(history, ref);
}

/* ---- The simulation ------------------------------------------------------------ */

static struct {
	uint32_t on[REF_JOBS];
	int ended[REF_JOBS];
	bool wrong; /* an end or a charge */
	size_t done;
	bool back; /* fewer were done than before */
} seen;

static void see_placed(void *with, const struct eqt_simulation_job *job,
		       const uint32_t *nodes)
{
	(void) with;
	for (uint32_t i = 0; i < job->nodes; i++)
		seen.on[job->id] |= UINT32_C(1) << nodes[i];
}

static void see_ran(void *with, const struct eqt_simulation_job *job,
		    int64_t end, double equivalents)
{
	(void) with;
	seen.ended[job->id]++;
	seen.wrong |= end != job->start + job->run_s ||
		      equivalents != (double) job->all.cpus;
}

static void see_done(void *with, size_t jobs)
{
	(void) with;
	seen.back |= jobs < seen.done;
	seen.done = jobs;
}

/* A job can be beyond a limit for ever. */
static bool see_end(void *with, int64_t now)
{
	(void) with;
	return now >= END;
}

/* Both must have started the same jobs at the same times on the same nodes. */
static void history_compare(const struct history *history,
			    const struct reference *ref,
			    const struct eqt_simulation_sum *sum, uint64_t seed)
{
	size_t done = 0;

	for (size_t i = 0; i < history->in.count; i++) {
		const bool ran = ref->state[i] == OVER;
		const int64_t start = ran ? ref->start[i]
					  : EQT_SIMULATION_NEVER;
		const bool on = history->jobs[i].needs &&
				history->jobs[i].needs->on;

		ck_assert_msg(history->jobs[i].start == start,
			      "seed %llu, job %zu: starts %lld, not %lld",
			      (unsigned long long) seed, i,
			      (long long) history->jobs[i].start,
			      (long long) start);
		ck_assert_msg(seen.on[i] == (ran && !on ? ref->on[i] : 0),
			      "seed %llu, job %zu: nodes %x, not %x",
			      (unsigned long long) seed, i, seen.on[i],
			      ref->on[i]);
		ck_assert_int_eq(seen.ended[i], ran);
		done += ran || ref->state[i] == IMPOSSIBLE;
	}
	ck_assert_uint_eq(seen.done, done);
	ck_assert(!seen.back && !seen.wrong);
	ck_assert_uint_eq(sum->started, ref->sum.started);
	ck_assert_uint_eq(sum->impossible, ref->sum.impossible);
	ck_assert_msg(sum->backfilled == ref->sum.backfilled,
		      "seed %llu: %zu backfilled, not %zu",
		      (unsigned long long) seed, sum->backfilled,
		      ref->sum.backfilled);
	ck_assert_uint_eq(sum->live_max, ref->sum.live_max);
	ck_assert_int_eq(sum->end, ref->sum.end);
	/* While a job waits for ever, passes go on or not. */
	if (ref_count(ref, WAITING) == 0)
		ck_assert_msg(sum->passes == ref->sum.passes,
			      "seed %llu: %zu passes, not %zu",
			      (unsigned long long) seed, sum->passes,
			      ref->sum.passes);
}

START_TEST(jobs_start_when_the_rules_say)
{
	static struct history history;
	static struct reference ref;
	size_t backfilled = 0, impossible = 0, late = 0;

	for (uint64_t seed = 1; seed <= HISTORIES; seed++) {
		struct eqt_simulation_sum sum;
		struct eqt_simulation_node *nodes;
		struct eqt_error err = { "" };
		size_t size;

		history_make(&history, &ref, seed);
		/* A sanitizer sees what is read behind them. */
		size = history.in.cluster.node_count * sizeof(*nodes);
		nodes = malloc(size);
		ck_assert_ptr_nonnull(nodes);
		history.in.cluster.nodes = memcpy(nodes, history.nodes, size);
		/* The times of jobs are input, too: the reference is first. */
		ref_run(&ref, BEGIN, END);
		memset(&seen, 0, sizeof(seen));
		history.in.watch = (struct eqt_simulation_watch){
			.placed = see_placed, .ran = see_ran,
			.done = see_done, .stop = see_end
		};
		ck_assert_msg(eqt_simulation_run(&sum, &history.in,
						 &history.policy, &err) == 0,
			      "%s", err.text);
		history_compare(&history, &ref, &sum, seed);
		free(nodes);
		backfilled += sum.backfilled;
		impossible += sum.impossible;
		late += ref.late;
	}
	/* The histories have something to show. */
	ck_assert_uint_gt(backfilled, HISTORIES / 6);
	ck_assert_uint_gt(impossible, HISTORIES / 4);
	ck_assert_uint_gt(late, HISTORIES / 10);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("simulation_property");
	TCase *tc = tcase_create("simulation_property");

	tcase_set_timeout(tc, 600);
	tcase_add_test(tc, jobs_start_when_the_rules_say);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
