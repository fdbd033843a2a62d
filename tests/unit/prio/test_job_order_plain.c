/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_job_order_plain: random queues with many ties get the places and the factors of
 * equal access that a plain walk of the rules gives them, job by job. */
#include <stdio.h>

#include "../../property/random.h"
#include "job_order_fixture.h"

#define NODES 30
#define ACCOUNTS 9 /* the root is one of them */
#define JOBS 90

struct plain {
	struct eqt_tree_input nodes[NODES];
	long double usage[NODES];
	struct eqt_ordered_job jobs[JOBS];
	bool taken[JOBS];
};

static uint32_t below(struct eqt_random *random, uint32_t limit)
{
	return (uint32_t) eqt_random_below(random, limit);
}

/* Few different numbers, so that most comparisons are ties. */
static void plain_fill(struct plain *plain, struct eqt_random *random)
{
	const uint32_t owners = 1 + below(random, 8);
	const uint32_t rests = 1 + below(random, 4);

	*plain = (struct plain){ .nodes = { { .parent = EQT_TREE_NONE } } };
	for (uint32_t i = 1; i < NODES; i++) {
		const bool user = i >= ACCOUNTS;

		plain->nodes[i] = (struct eqt_tree_input){
			.parent = below(random, user ? ACCOUNTS : i),
			.shares = below(random, 4),
			.user = user,
			.parent_shares = user && !below(random, 8),
		};
	}
	for (uint32_t i = 0; i < JOBS; i++) {
		struct eqt_ordered_job *job = &plain->jobs[i];

		*job = (struct eqt_ordered_job){
			.job_id = 1000 - 3 * i - below(random, 3),
			.node = ACCOUNTS + below(random, NODES - ACCOUNTS),
			.queue = below(random, 3) << 20,
			.owner = below(random, owners),
			.running = !below(random, 6),
			.eligible = below(random, 6) > 0,
			.equivalents = below(random, 5) / 2.0,
			.rest = below(random, rests) - 1.0,
		};
		if (below(random, 4) == 0) {
			job->array_id = 1 + below(random, 1000);
			job->more_tasks = below(random, 3);
		}
		if (below(random, 9) == 0)
			job->node = EQT_TREE_NONE;
	}
}

/* An order of pairs: does it say that a comes before b, after b, or neither? */
#define COMPARE(a, b)                   \
	do {                            \
		if ((a) != (b))         \
			return (a) < (b); \
	} while (0)

/* Does job a come before job b of the same owner? */
static bool job_before(const struct eqt_ordered_job *a,
		       const struct eqt_ordered_job *b)
{
	const uint32_t line_a = a->array_id ? a->array_id : a->job_id;
	const uint32_t line_b = b->array_id ? b->array_id : b->job_id;

	COMPARE(b->running, a->running);
	COMPARE(b->eligible, a->eligible);
	COMPARE(b->rest, a->rest);
	COMPARE(line_a, line_b);
	COMPARE(a->more_tasks > 0, b->more_tasks > 0);
	return a->job_id < b->job_id;
}

static bool is_below(const struct plain *plain, uint32_t node, uint32_t over)
{
	while (node != EQT_TREE_NONE && node != over)
		node = plain->nodes[node].parent;
	return node == over;
}

static int share_class(const struct eqt_tree_input *node)
{
	return node->parent_shares ? 0 : node->shares ? 1 : 2;
}

/* The job that is taken if a node is taken, or NULL. */
static struct eqt_ordered_job *next_job(struct plain *plain, uint32_t node);

static bool child_before(struct plain *plain, uint32_t a, uint32_t b)
{
	const struct eqt_tree_input *x = &plain->nodes[a], *y = &plain->nodes[b];

	COMPARE(share_class(x), share_class(y));
	if (share_class(x) == 1) {
		COMPARE(plain->usage[a] * y->shares,
			plain->usage[b] * x->shares);
		COMPARE(y->shares, x->shares);
	}
	return job_before(next_job(plain, a), next_job(plain, b));
}

static struct eqt_ordered_job *next_job(struct plain *plain, uint32_t node)
{
	struct eqt_ordered_job *next = NULL;
	uint32_t best = 0;

	for (uint32_t i = 0; i < JOBS; i++) {
		struct eqt_ordered_job *job = &plain->jobs[i];

		if (job->node == node && job->eligible && !job->running &&
		    !plain->taken[i] && (!next || job_before(job, next)))
			next = job;
	}
	for (uint32_t i = 1; i < NODES; i++)
		if (plain->nodes[i].parent == node && next_job(plain, i) &&
		    (!best || child_before(plain, i, best)))
			best = i;
	return best ? next_job(plain, best) : next;
}

/* Take jobs one by one. Their places are counted from 1 on. */
static size_t plain_place(struct plain *plain, size_t *place)
{
	struct eqt_ordered_job *job;
	size_t places = 0;

	while ((job = next_job(plain, 0))) {
		const size_t i = (size_t) (job - plain->jobs);
		const double tasks = 1.0 + job->more_tasks;

		plain->taken[i] = true;
		place[i] = ++places;
		for (uint32_t node = 0; node < NODES; node++)
			if (is_below(plain, job->node, node))
				plain->usage[node] += job->equivalents * tasks;
	}
	return places;
}

START_TEST(places_are_those_of_a_plain_walk)
{
	struct eqt_random random = { (uint64_t) _i };
	struct plain plain;
	struct eqt_ordered_job jobs[JOBS];
	size_t place[JOBS] = { 0 }, places;
	struct eqt_tree *tree;

	plain_fill(&plain, &random);
	memcpy(jobs, plain.jobs, sizeof(jobs));
	tree = eqt_tree_new(plain.nodes, NODES, NULL);
	ck_assert_ptr_nonnull(tree);
	for (uint32_t i = 1; i < NODES; i++) {
		const double usage = below(&random, 3);

		eqt_tree_usage_add(tree, i, usage);
		for (uint32_t node = 0; node < NODES; node++)
			if (is_below(&plain, i, node))
				plain.usage[node] += usage;
	}
	places = plain_place(&plain, place);
	ck_assert_int_eq(give_places(jobs, JOBS, tree, 1), 0);
	for (size_t i = 0; i < JOBS; i++) {
		const double left = (double) (places + 1 - place[i]);

		ck_assert_msg(jobs[i].fairshare ==
				      (place[i] ? left / (double) places : 0),
			      "job %zu has %g, not place %zu of %zu", i,
			      jobs[i].fairshare, place[i], places);
	}
	eqt_tree_free(tree);
}
END_TEST

/* The equivalents of an owner in a queue before a waiting job. */
static double plain_before(const struct plain *plain,
			   const struct eqt_ordered_job *job)
{
	double sum = 0;

	for (size_t i = 0; i < JOBS; i++) {
		const struct eqt_ordered_job *other = &plain->jobs[i];

		if (other->queue == job->queue && other->owner == job->owner &&
		    job_before(other, job))
			sum += other->equivalents * (1.0 + other->more_tasks);
	}
	return sum;
}

static double plain_access(const struct plain *plain,
			   const struct eqt_ordered_job *job)
{
	const double before = plain_before(plain, job);
	double lesser = 0, waiting = 0;

	for (size_t i = 0; i < JOBS; i++) {
		const struct eqt_ordered_job *other = &plain->jobs[i];

		if (other->queue != job->queue || other->running)
			continue;
		waiting++;
		lesser += plain_before(plain, other) < before;
	}
	return job->running ? 0 : 1 - lesser / waiting;
}

START_TEST(equal_access_is_that_of_a_plain_walk)
{
	struct eqt_random random = { (uint64_t) _i };
	struct eqt_ordered_job jobs[JOBS];
	struct plain plain;

	plain_fill(&plain, &random);
	memcpy(jobs, plain.jobs, sizeof(jobs));
	give_access(jobs, JOBS);
	for (size_t i = 0; i < JOBS; i++) {
		const double wanted = plain_access(&plain, &plain.jobs[i]);

		ck_assert_msg(jobs[i].access == wanted,
			      "job %zu has %.17g, not %.17g", i, jobs[i].access,
			      wanted);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("job_order_plain");
	TCase *tcase = tcase_create("job_order_plain");

	tcase_add_loop_test(tcase, places_are_those_of_a_plain_walk, 0, 60);
	tcase_add_loop_test(tcase, equal_access_is_that_of_a_plain_walk, 0,
			    60);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
