/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stored jobs come back as they were, in the order of time, and start as those of an
 * array do. */
#include <stdlib.h>

#include "sim/stored_jobs.h"
#include "sim/workload.h"
#include "../short_memory.h"
#include "simulation_fixture.h"

#define JOBS 60000 /* several chunks */
#define FEW 1200

static struct eqt_simulation_job jobs[JOBS], sorted[JOBS];

static struct eqt_stored_jobs *store(const struct eqt_simulation_job *from,
				     size_t count)
{
	struct eqt_stored_jobs *stored = eqt_stored_jobs_new();

	ck_assert_ptr_nonnull(stored);
	for (size_t i = 0; i < count; i++)
		if (eqt_stored_jobs_add(stored, &from[i]) < 0)
			ck_abort_msg("out of memory");
	ck_assert_int_eq(eqt_stored_jobs_settle(stored), 0);
	ck_assert_uint_eq(eqt_stored_jobs_count(stored), count);
	return stored;
}

/* One assertion a job: Check writes each of them down. */
static bool is_same(const struct eqt_simulation_job *a,
		    const struct eqt_simulation_job *b)
{
	return a->at == b->at && a->start == EQT_SIMULATION_NEVER &&
	       a->id == b->id && a->user == b->user && a->person == b->person &&
	       a->run_s == b->run_s && a->limit_s == b->limit_s &&
	       a->nodes == b->nodes && a->all.cpus == b->all.cpus &&
	       a->all.mem_mib == b->all.mem_mib && a->all.gpus == b->all.gpus &&
	       a->qos == b->qos && a->needs == b->needs && a->nice == b->nice &&
	       a->model == b->model && a->partition == b->partition &&
	       a->spread == b->spread;
}

static void assert_read(const struct eqt_stored_jobs *stored,
			const struct eqt_simulation_job *wanted, size_t count)
{
	struct eqt_stored_cursor *cursor = eqt_stored_cursor_new(stored);

	ck_assert_ptr_nonnull(cursor);
	for (size_t i = 0; i < count; i++) {
		const struct eqt_simulation_job *job =
			eqt_stored_cursor_next(cursor);

		if (!job || !is_same(job, &wanted[i]))
			ck_abort_msg("job %zu", i);
	}
	ck_assert_ptr_null(eqt_stored_cursor_next(cursor));
	ck_assert_ptr_null(eqt_stored_cursor_next(cursor));
	eqt_stored_cursor_free(cursor);
}

START_TEST(a_job_of_extreme_numbers_comes_back_whole)
{
	static const struct eqt_simulation_qos qos;
	static const struct eqt_simulation_needs needs;
	const struct eqt_simulation_job all[] = {
		{ .at = INT64_MIN, .model = EQT_SIMULATION_NO_MODEL },
		{ .at = -1,
		  .id = UINT32_MAX,
		  .user = UINT32_MAX,
		  .person = UINT32_MAX,
		  .run_s = UINT32_MAX,
		  .limit_s = UINT32_MAX,
		  .nodes = UINT32_MAX,
		  .all = { UINT64_MAX, UINT64_MAX, UINT64_MAX },
		  .qos = &qos,
		  .needs = &needs,
		  .nice = INT32_MIN,
		  .model = INT16_MAX,
		  .partition = UINT16_MAX,
		  .spread = true },
		{ .at = 0, .nice = INT32_MAX, .model = INT16_MIN },
		{ .at = INT64_MAX },
	};
	struct eqt_stored_jobs *stored = store(all, 4);

	assert_read(stored, all, 4);
	ck_assert_int_eq(eqt_stored_jobs_first(stored), INT64_MIN);
	ck_assert_int_eq(eqt_stored_jobs_last(stored), INT64_MAX);
	eqt_stored_jobs_free(stored);
}
END_TEST

START_TEST(no_job_is_stored_as_none)
{
	struct eqt_stored_jobs *stored = store(jobs, 0);

	assert_read(stored, jobs, 0);
	ck_assert_int_eq(eqt_stored_jobs_first(stored), 0);
	ck_assert_int_eq(eqt_stored_jobs_last(stored), 0);
	eqt_stored_jobs_free(stored);
}
END_TEST

/* How far a job is from its place: 0 is in order, JOBS in any. */
static const size_t moved[] = { 0, 100, JOBS };

START_TEST(jobs_come_back_in_the_order_of_time)
{
	struct eqt_stored_jobs *stored;

	srand(5);
	for (uint32_t i = 0; i < JOBS; i++) {
		/* Several jobs at one time. */
		jobs[i] = job(i, ANN, 1700000000 + i / 3 * 7, 1 + i % 5,
			      60 + (uint32_t) rand() % 9000);
		jobs[i].start = EQT_SIMULATION_NEVER;
	}
	for (size_t i = 0; moved[_i] && i < JOBS; i++) {
		const size_t other = i + (size_t) rand() % moved[_i];
		const struct eqt_simulation_job one = jobs[i];

		if (other >= JOBS)
			continue;
		jobs[i] = jobs[other];
		jobs[other] = one;
	}
	memcpy(sorted, jobs, sizeof(jobs));
	qsort(sorted, JOBS, sizeof(*sorted), eqt_workload_compare);
	stored = store(jobs, JOBS);
	assert_read(stored, sorted, JOBS);
	ck_assert_int_eq(eqt_stored_jobs_first(stored), sorted[0].at);
	ck_assert_int_eq(eqt_stored_jobs_last(stored), sorted[JOBS - 1].at);
	eqt_stored_jobs_free(stored);
}
END_TEST

/* ---- A simulation of them ----------------------------------------------------- */

static int64_t starts[FEW];

static void note_start(void *with, uint32_t index,
		       const struct eqt_simulation_job *started)
{
	(void) with;
	starts[index] = started->start;
}

static struct eqt_simulation simulation_of(const struct eqt_stored_jobs *stored)
{
	return (struct eqt_simulation){
		.cluster = { .nodes = nodes,
			     .node_count = 4,
			     .partitions = partitions,
			     .partition_count = 1 },
		.tree = tree,
		.tree_count = TREE,
		.stored = stored,
		.count = eqt_stored_jobs_count(stored),
		.watch = { .started = note_start },
	};
}

static void few_make(void)
{
	srand(7);
	for (uint32_t i = 0; i < FEW; i++)
		jobs[i] = job(i, i % 3 ? ANN : BOB, i * 50,
			      1 + (uint64_t) (rand() % 12),
			      60 + (uint32_t) rand() % 250);
}

START_TEST(stored_jobs_start_as_those_of_an_array)
{
	struct eqt_error err = { "" };
	struct eqt_simulation_sum sum, wanted;
	struct eqt_stored_jobs *stored;
	struct eqt_simulation in;

	few_make();
	stored = store(jobs, FEW);
	in = simulation_of(stored);
	wanted = run(jobs, FEW, 4);
	ck_assert_uint_gt(wanted.live_max, 20);
	ck_assert_int_eq(eqt_simulation_run(&sum, &in, &policy, &err), 0);
	ck_assert_mem_eq(&sum, &wanted, sizeof(sum));
	for (size_t i = 0; i < FEW; i++)
		if (starts[i] != jobs[i].start)
			ck_abort_msg("job %zu", i);
	eqt_stored_jobs_free(stored);
}
END_TEST

/* What it may not have is a job that runs already, or waits for another. */
START_TEST(a_stored_job_stands_alone)
{
	static const uint32_t first[] = { 0 };
	const struct eqt_simulation_needs needs[] = {
		{ .on = first }, { .after = first, .after_count = 1 }
	};
	struct eqt_error err = { "" };
	struct eqt_simulation_sum sum;
	struct eqt_stored_jobs *stored;
	struct eqt_simulation in;

	few_make();
	jobs[1].needs = &needs[_i];
	stored = store(jobs, 2);
	in = simulation_of(stored);
	ck_assert_int_eq(eqt_simulation_run(&sum, &in, &policy, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "job 1"));
	eqt_stored_jobs_free(stored);
}
END_TEST

/* ---- Without memory ------------------------------------------------------------- */

/* Store and simulate with the n-th allocation failing. 0 or -1, and *failed. */
static int stored_run(unsigned long n, bool stays, bool *failed)
{
	struct eqt_simulation_sum sum;
	struct eqt_error err = { "" };
	struct eqt_stored_jobs *stored;
	struct eqt_simulation in;
	int rc = -1;

	short_memory_begin(n, stays);
	stored = eqt_stored_jobs_new();
	for (size_t i = 0; stored && i < FEW; i++)
		if (eqt_stored_jobs_add(stored, &jobs[i]) < 0)
			break;
	if (stored && eqt_stored_jobs_settle(stored) == 0) {
		in = simulation_of(stored);
		rc = eqt_simulation_run(&sum, &in, &policy, &err);
	}
	eqt_stored_jobs_free(stored);
	*failed = short_memory_end();
	return rc;
}

START_TEST(stored_jobs_without_memory_are_an_error)
{
	bool failed = true;

	few_make();
	for (unsigned long n = 1; failed && n < 60; n++) {
		const int rc = stored_run(n, _i, &failed);

		ck_assert_int_eq(short_memory.held, 0);
		ck_assert(rc == 0 || failed);
		/* The first ones are the store and its cursor. */
		ck_assert(n > 6 || rc < 0);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("stored jobs");
	TCase *tests = tcase_create("stored jobs");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, a_job_of_extreme_numbers_comes_back_whole);
	tcase_add_test(tests, no_job_is_stored_as_none);
	tcase_add_loop_test(tests, jobs_come_back_in_the_order_of_time, 0, 3);
	tcase_add_test(tests, stored_jobs_start_as_those_of_an_array);
	tcase_add_loop_test(tests, a_stored_job_stands_alone, 0, 2);
	tcase_add_loop_test(tests, stored_jobs_without_memory_are_an_error, 0,
			    SHORT_MEMORY_WAYS);
	suite_add_tcase(suite, tests);
	return eqt_unit_main(suite);
}
