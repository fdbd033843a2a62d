/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_job_order: places by shares, and equal access, on queues small enough to
 * be ordered by hand, and on random ones against a plain walk of the rule. */
#include <stdio.h>

#include "../../property/random.h"
#include "job_order_fixture.h"

#define JOBS_MAX 64

START_TEST(every_beginning_of_the_queue_is_divided_by_shares)
{
	static const uint32_t users[] = { 4, 5, 6 };
	struct eqt_tree *tree = small_tree();
	struct eqt_ordered_job jobs[60];
	size_t count = flood(jobs, users, 3, 20);

	give_places(jobs, count, tree, 3600);
	for (size_t first = 10; first <= 30; first += 10) {
		int tens = (int) first / 10;

		ck_assert_int_eq(among_first(jobs, count, 4, first), 5 * tens);
		ck_assert_int_eq(among_first(jobs, count, 5, first), 3 * tens);
		ck_assert_int_eq(among_first(jobs, count, 6, first), 2 * tens);
	}
	eqt_tree_free(tree);
}
END_TEST

START_TEST(second_level_is_divided_within_the_first)
{
	static const uint32_t users[] = { 4, 5, 6, 7 };
	struct eqt_tree *tree = small_tree();
	struct eqt_ordered_job jobs[64];
	size_t count = flood(jobs, users, 4, 16);

	give_places(jobs, count, tree, 1);
	ck_assert_int_eq(among_first(jobs, count, 4, 24), 3);
	ck_assert_int_eq(among_first(jobs, count, 7, 24), 9);
	ck_assert_int_eq(among_first(jobs, count, 5, 24), 7);
	ck_assert_int_eq(among_first(jobs, count, 6, 24), 5);
	eqt_tree_free(tree);
}
END_TEST

START_TEST(user_with_much_waits_until_others_have_their_share)
{
	static const uint32_t users[] = { 5, 6 };
	struct eqt_tree *tree = small_tree();
	struct eqt_ordered_job jobs[40];
	size_t count = flood(jobs, users, 2, 20);

	eqt_tree_usage_add(tree, 5, 12);
	give_places(jobs, count, tree, 1);
	ck_assert_int_eq(among_first(jobs, count, 6, 8), 8);
	ck_assert_int_eq(among_first(jobs, count, 6, 13), 10);
	eqt_tree_free(tree);
}
END_TEST

START_TEST(one_users_jobs_keep_their_own_order)
{
	struct eqt_tree *tree = small_tree();
	struct eqt_ordered_job jobs[] = {
		{ .job_id = 1, .node = 4, .eligible = true, .rest = 1 },
		{ .job_id = 2, .node = 4, .eligible = true, .rest = 5 },
		{ .job_id = 3, .node = 4, .eligible = true, .rest = 5 },
		{ .job_id = 4, .node = 4, .rest = 9 },
		{ .job_id = 5, .node = 4, .eligible = true, .running = true },
		{ .job_id = 6, .node = EQT_TREE_NONE, .eligible = true },
	};
	static const double want[] = { 0, 1.0 / 3, 1, 2.0 / 3, 0, 0, 0 };

	give_places(jobs, 6, tree, 1);
	for (size_t i = 0; i < 6; i++)
		ck_assert_msg(jobs[i].fairshare == want[jobs[i].job_id],
			      "job %u: %g", jobs[i].job_id, jobs[i].fairshare);
	eqt_tree_free(tree);
}
END_TEST

START_TEST(shares_of_a_parent_come_first_and_none_last)
{
	static const struct eqt_tree_input nodes[] = {
		{ EQT_TREE_NONE, 1, false, false },
		{ 0, 0, true, false },
		{ 0, 7, true, false },
		{ 0, 0, true, true },
	};
	struct eqt_tree *tree = eqt_tree_new(nodes, 4, NULL);
	struct eqt_ordered_job jobs[] = {
		{ .job_id = 1, .node = 1, .eligible = true, .rest = 3 },
		{ .job_id = 2, .node = 2, .eligible = true, .rest = 2 },
		{ .job_id = 3, .node = 3, .eligible = true, .rest = 1 },
	};

	eqt_tree_usage_add(tree, 2, 1000);
	eqt_tree_usage_add(tree, 3, 1000);
	give_places(jobs, 3, tree, 1);
	for (size_t i = 0; i < 3; i++)
		ck_assert(jobs[i].fairshare == jobs[i].node / 3.0);
	eqt_tree_free(tree);
}
END_TEST

START_TEST(job_about_to_end_is_subtracted)
{
	static const uint32_t users[] = { 5, 6 };
	struct eqt_tree *tree = small_tree();
	struct eqt_ordered_job jobs[8];
	size_t count = flood(jobs, users, 2, 4);

	/* Both have used exactly their shares, and account 3 has short jobs. */
	eqt_tree_usage_add(tree, 5, 6);
	eqt_tree_usage_add(tree, 6, 4);
	eqt_job_order_end(tree, 6, 1);
	eqt_job_order_end(tree, EQT_TREE_NONE, 1);
	give_places(jobs, count, tree, 1);
	ck_assert_int_eq(among_first(jobs, count, 6, 1), 1);
	ck_assert_int_eq(among_first(jobs, count, 5, 2), 1);
	eqt_tree_free(tree);
}
END_TEST

START_TEST(an_array_has_the_place_of_its_first_task)
{
	struct eqt_tree *tree = small_tree();
	struct eqt_ordered_job jobs[] = {
		{ .job_id = 1, .node = 5, .eligible = true, .equivalents = 1,
		  .more_tasks = 999 },
		{ .job_id = 2, .node = 5, .eligible = true, .equivalents = 1 },
		{ .job_id = 3, .node = 6, .eligible = true, .equivalents = 1,
		  .more_tasks = 9 },
		{ .job_id = 4, .node = 6, .eligible = true, .equivalents = 1 },
	};
	static const double want[] = { 0, 1, 0.25, 0.75, 0.5 };

	/* A task ends, which is less than all tasks of the array. */
	eqt_tree_usage_add(tree, 5, 6);
	eqt_tree_usage_add(tree, 6, 6);
	eqt_job_order_end(tree, 6, 1);
	give_places(jobs, 4, tree, 1);
	for (size_t i = 0; i < 4; i++)
		ck_assert_msg(jobs[i].fairshare == want[jobs[i].job_id],
			      "job %u: %g", jobs[i].job_id, jobs[i].fairshare);
	eqt_tree_free(tree);
}
END_TEST

/* One ranking after another: take out the tasks that each of them asks for. */
static size_t take_tasks(struct eqt_ordered_job *jobs, size_t count, size_t ahead)
{
	size_t totals = eqt_job_order_tasks_ahead(jobs, count, ahead), taken = 0;
	size_t arrays = count;

	for (size_t i = 0; i < arrays; i++) {
		for (uint32_t t = jobs[i].taken_out; t > 0; t--, taken++) {
			jobs[count] = jobs[i];
			jobs[count].job_id = (uint32_t) (1000 + count);
			jobs[count++].more_tasks = 0;
			jobs[i].more_tasks--;
		}
	}
	ck_assert_uint_eq(totals, taken);
	return count;
}

/* The best place of an array that still has several tasks, from 0 on. */
static double first_array(const struct eqt_ordered_job *jobs, size_t count)
{
	double best = 0;

	for (size_t i = 0; i < count; i++)
		if (jobs[i].more_tasks && jobs[i].fairshare > best)
			best = jobs[i].fairshare;
	return (double) count * (1 - best);
}

START_TEST(places_in_front_become_those_of_single_tasks)
{
	struct eqt_ordered_job jobs[1000] = {
		{ .job_id = 1, .array_id = 1, .node = 5, .eligible = true,
		  .equivalents = 1, .more_tasks = 499 },
		{ .job_id = 2, .array_id = 2, .node = 6, .eligible = true,
		  .equivalents = 1, .more_tasks = 499 },
	};
	size_t count = 2, before = 0, rounds = 0;

	while (count != before) {
		struct eqt_tree *tree = small_tree();

		before = count;
		give_places(jobs, count, tree, 1);
		eqt_tree_free(tree);
		count = take_tasks(jobs, count, 20);
		ck_assert_uint_lt(rounds++, 20);
	}
	ck_assert(first_array(jobs, count) >= 20);
	ck_assert_uint_le(count, 2 * 20 + 2);
	/* Account 2 has 60 of 100 shares, account 3 has 40. */
	ck_assert_int_eq(among_first(jobs, count, 5, 20), 12);
	ck_assert_int_eq(among_first(jobs, count, 6, 20), 8);
}
END_TEST

START_TEST(arrays_behind_stay_whole)
{
	struct eqt_tree *tree = small_tree();
	struct eqt_ordered_job jobs[8];
	static const uint32_t users[] = { 5 };
	size_t count = flood(jobs, users, 1, 4);

	jobs[count] = jobs[0];
	jobs[count].job_id = 99;
	jobs[count].rest = -1;
	jobs[count++].more_tasks = 9;
	give_places(jobs, count, tree, 1);
	ck_assert_uint_eq(eqt_job_order_tasks_ahead(jobs, count, 4), 0);
	ck_assert_uint_eq(eqt_job_order_tasks_ahead(jobs, count, 5), 1);
	ck_assert_uint_eq(eqt_job_order_tasks_ahead(jobs, count, 7), 3);
	ck_assert_uint_eq(eqt_job_order_tasks_ahead(jobs, count, 100), 9);
	ck_assert_uint_eq(eqt_job_order_tasks_ahead(jobs, 0, 100), 0);
	jobs[count - 1].more_tasks = 1;
	ck_assert_uint_eq(eqt_job_order_tasks_ahead(jobs, count, 100), 1);
	eqt_tree_free(tree);
}
END_TEST

START_TEST(nothing_waits)
{
	struct eqt_tree *tree = small_tree();
	struct eqt_ordered_job job = { .job_id = 1, .node = 4, .running = true };

	give_places(&job, 1, tree, 1);
	ck_assert(job.fairshare == 0);
	give_places(&job, 0, tree, 1);
	give_access(&job, 1);
	give_access(&job, 0);
	ck_assert(job.access == 0);
	eqt_tree_free(tree);
}
END_TEST

/* ---- Against a plain walk of the rule ------------------------------------- */

#define NODES 24

struct plain {
	uint32_t parent[NODES], shares[NODES];
	bool user[NODES];
	double usage[NODES];
};

static void random_plain(struct plain *plain, struct eqt_random *random)
{
	*plain = (struct plain){ .parent = { EQT_TREE_NONE } };
	for (uint32_t i = 1; i < NODES; i++) {
		plain->user[i] = i > 8;
		plain->parent[i] =
			(uint32_t) eqt_random_below(random, i < 9 ? i : 9);
		plain->shares[i] = (uint32_t) eqt_random_below(random, 4);
	}
}

static struct eqt_tree *tree_of(const struct plain *plain)
{
	struct eqt_tree_input nodes[NODES] = { { 0 } };

	for (uint32_t i = 0; i < NODES; i++)
		nodes[i] = (struct eqt_tree_input){
			.parent = plain->parent[i],
			.shares = plain->shares[i],
			.user = plain->user[i],
		};
	return eqt_tree_new(nodes, NODES, NULL);
}

/* Would it be wrong to go down to a if its sibling b has jobs, too? */
static bool is_worse(const struct plain *plain, uint32_t a, uint32_t b)
{
	if (!plain->shares[a] || !plain->shares[b])
		return plain->shares[b] > 0 && !plain->shares[a];
	return plain->usage[a] * plain->shares[b] >
	       plain->usage[b] * plain->shares[a];
}

/* Does the node have a job that is not placed before this one? */
static bool has_job(const struct plain *plain, const struct eqt_ordered_job *jobs,
		    size_t count, uint32_t node, double below)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t at = jobs[i].node;

		if (jobs[i].fairshare > below)
			continue;
		while (at != EQT_TREE_NONE && at != node)
			at = plain->parent[at];
		if (at == node)
			return true;
	}
	return false;
}

/* At each level above the job no sibling with jobs had used less. */
static void check_job(struct plain *plain, const struct eqt_ordered_job *jobs,
		      size_t count, const struct eqt_ordered_job *job)
{
	for (uint32_t at = job->node; at != 0; at = plain->parent[at]) {
		for (uint32_t i = 1; i < NODES; i++)
			ck_assert(i == at ||
				  plain->parent[i] != plain->parent[at] ||
				  !is_worse(plain, at, i) ||
				  !has_job(plain, jobs, count, i,
					   job->fairshare));
	}
	for (uint32_t at = job->node; at != EQT_TREE_NONE;
	     at = plain->parent[at])
		plain->usage[at] += job->equivalents;
}

START_TEST(random_queues_follow_the_rule)
{
	struct eqt_random random = { (uint64_t) _i };
	struct eqt_ordered_job jobs[JOBS_MAX];
	struct plain plain;
	struct eqt_tree *tree;

	random_plain(&plain, &random);
	tree = tree_of(&plain);
	ck_assert_ptr_nonnull(tree);
	for (size_t i = 0; i < JOBS_MAX; i++)
		jobs[i] = (struct eqt_ordered_job){
			.job_id = (uint32_t) i,
			.node = 9 + (uint32_t) eqt_random_below(&random, NODES - 9),
			.eligible = true,
			.equivalents = (double) eqt_random_below(&random, 5),
		};
	give_places(jobs, JOBS_MAX, tree, 1);
	for (int place = 0; place < JOBS_MAX; place++) {
		size_t i = 0;

		while (i < JOBS_MAX &&
		       jobs[i].fairshare !=
			       (double) (JOBS_MAX - place) / JOBS_MAX)
			i++;
		ck_assert_msg(i < JOBS_MAX, "nobody has place %d", place);
		check_job(&plain, jobs, JOBS_MAX, &jobs[i]);
	}
	eqt_tree_free(tree);
}
END_TEST

/* ---- Equal access --------------------------------------------------------- */

static double access_of(const struct eqt_ordered_job *jobs, size_t count,
			uint32_t job_id)
{
	for (size_t i = 0; i < count; i++)
		if (jobs[i].job_id == job_id)
			return jobs[i].access;
	return -1;
}

START_TEST(access_is_by_what_the_owner_has_before_a_job)
{
	struct eqt_ordered_job jobs[] = {
		{ .job_id = 1, .owner = 1, .running = true, .equivalents = 8 },
		{ .job_id = 2, .owner = 1, .eligible = true, .equivalents = 1 },
		{ .job_id = 3, .owner = 2, .eligible = true, .equivalents = 4 },
		{ .job_id = 4, .owner = 2, .eligible = true, .equivalents = 4 },
		{ .job_id = 5, .owner = 2, .eligible = true, .rest = 1,
		  .equivalents = 5 },
		{ .job_id = 6, .owner = 3, .eligible = true, .equivalents = 9 },
		{ .job_id = 7, .owner = 1, .queue = 1, .eligible = true },
	};
	/* Equivalents before each job: 0 before 5 and 6, 5 before 3, 8 before
	 * 2, 9 before 4. Job 7 is in another queue. */
	static const double want[] = { 0, 0, 0.4, 0.6, 0.2, 1, 1, 1 };

	give_access(jobs, 7);
	for (uint32_t id = 1; id <= 7; id++)
		ck_assert_msg(access_of(jobs, 7, id) - want[id] < 1e-12 &&
				      want[id] - access_of(jobs, 7, id) < 1e-12,
			      "job %u: %g", id, access_of(jobs, 7, id));
}
END_TEST

START_TEST(access_is_of_one_queue)
{
	struct eqt_ordered_job jobs[] = {
		{ .job_id = 1, .owner = 1, .eligible = true, .equivalents = 4 },
		{ .job_id = 2, .owner = 1, .queue = 1, .eligible = true,
		  .equivalents = 2 },
		{ .job_id = 3, .owner = 2, .queue = 1, .eligible = true,
		  .equivalents = 3 },
	};

	give_access(jobs, 3);
	for (uint32_t id = 1; id <= 3; id++)
		ck_assert_double_eq(access_of(jobs, 3, id), 1);
}
END_TEST

START_TEST(one_job_is_placed_before_a_thousand)
{
	struct eqt_ordered_job *jobs = calloc(1001, sizeof(*jobs));

	for (uint32_t i = 0; i < 1001; i++)
		jobs[i] = (struct eqt_ordered_job){
			.job_id = i + 1,
			.owner = i == 1000,
			.eligible = true,
			.equivalents = 1,
		};
	give_access(jobs, 1001);
	ck_assert(access_of(jobs, 1001, 1001) == 1);
	ck_assert(access_of(jobs, 1001, 1) == 1);
	ck_assert(access_of(jobs, 1001, 2) < 1);
	ck_assert(access_of(jobs, 1001, 1000) < 0.002);
	free(jobs);
}
END_TEST

/* The first digits of ids are in order, and later ones are not, or the other way round. */
START_TEST(jobs_are_sorted_by_id)
{
	static const uint32_t ids[][4] = {
		{ 1, 2, 3, 4 },		       { 4, 3, 2, 1 },
		{ 0, 1, 0x10000, 0x10001 },    { 0x10000, 1, 0x20000, 2 },
		{ UINT32_MAX, 0, 0x800000, 1 }, { 1, 0, 2, 3 },
	};
	struct eqt_job_order order = { .count = 0 };

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		struct eqt_ordered_job jobs[4] = { { .job_id = ids[i][0] },
						   { .job_id = ids[i][1] },
						   { .job_id = ids[i][2] },
						   { .job_id = ids[i][3] } };

		ck_assert_int_eq(eqt_job_order_by_id(&order, jobs, 4), 0);
		ck_assert_uint_eq(order.count, 4);
		for (size_t j = 1; j < 4; j++)
			ck_assert_msg(jobs[order.keys[j - 1].job].job_id <
					      jobs[order.keys[j].job].job_id,
				      "row %zu, place %zu", i, j);
	}
	ck_assert_int_eq(eqt_job_order_by_id(&order, NULL, 0), 0);
	ck_assert_uint_eq(order.count, 0);
	eqt_job_order_clear(&order);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("queue");
	TCase *tcase = tcase_create("queue");

	tcase_add_test(tcase,
		       every_beginning_of_the_queue_is_divided_by_shares);
	tcase_add_test(tcase, second_level_is_divided_within_the_first);
	tcase_add_test(tcase,
		       user_with_much_waits_until_others_have_their_share);
	tcase_add_test(tcase, one_users_jobs_keep_their_own_order);
	tcase_add_test(tcase, shares_of_a_parent_come_first_and_none_last);
	tcase_add_test(tcase, job_about_to_end_is_subtracted);
	tcase_add_test(tcase, an_array_has_the_place_of_its_first_task);
	tcase_add_test(tcase, places_in_front_become_those_of_single_tasks);
	tcase_add_test(tcase, arrays_behind_stay_whole);
	tcase_add_test(tcase, nothing_waits);
	tcase_add_loop_test(tcase, random_queues_follow_the_rule, 0, 200);
	tcase_add_test(tcase, access_is_by_what_the_owner_has_before_a_job);
	tcase_add_test(tcase, access_is_of_one_queue);
	tcase_add_test(tcase, one_job_is_placed_before_a_thousand);
	tcase_add_test(tcase, jobs_are_sorted_by_id);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
