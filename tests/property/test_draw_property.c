/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_draw_property: what is drawn from random pasts, to the second, against the rules
 * of draw.h worked out once more without lists that are sorted or kept.
 */
#include <stdlib.h>

#include "sim/draw.h"
#include "../unit/unit.h"
#include "random.h"

#define PASTS 1500
#define JOBS 40 /* of a past, at most */
#define LENGTHS 30 /* that are drawn in each future */
#define DAY 86400
#define UNTIL (INT64_C(100) * DAY + 4711)

/* root - a: 3, 4; b: 5, 6. */
static const struct eqt_tree_input tree[] = {
	{ .parent = EQT_TREE_NONE },
	{ .parent = 0, .shares = 1 },
	{ .parent = 0, .shares = 1 },
	{ .parent = 1, .shares = 1, .user = true },
	{ .parent = 1, .shares = 1, .user = true },
	{ .parent = 2, .shares = 1, .user = true },
	{ .parent = 2, .shares = 1, .user = true },
};

struct reference {
	struct eqt_random random; /* that makes pasts */
	struct eqt_simulation_job past[JOBS + 1]; /* and one that is not of it */
	size_t count;
	int64_t from, period_s, block_s;
	uint64_t seed, state; /* of the future */
	uint32_t taken[EQT_DRAW_LEVELS][JOBS];
};

static uint32_t below(struct reference *ref, uint32_t n)
{
	return (uint32_t) eqt_random_below(&ref->random, n);
}

/* ---- The rules ---------------------------------------------------------------- */

/* The generator's number after a state. */
static uint64_t ref_hash(uint64_t state)
{
	struct eqt_random random = { state };

	return eqt_random_next(&random);
}

/* A number from 0 to 1 that a state stands for. */
static double ref_unit_of(uint64_t state)
{
	return (double) (ref_hash(state) / 2048) / 9007199254740992.0;
}

static double ref_unit(struct reference *ref)
{
	return ref_unit_of(ref->state++);
}

/* Who a job is alike with, and by which limit: up to 1, 3, 7, 15 ... minutes. */
static uint64_t ref_key(int level, const struct eqt_simulation_job *job)
{
	uint64_t class = 0, most_s = 0;

	for (; job->limit_s > most_s; class ++)
		most_s = 2 * most_s + 60;
	if (level == EQT_DRAW_USER)
		return job->user * 1000 + class;
	return class + (level == EQT_DRAW_ACCOUNT ? tree[job->user].parent * 1000
						  : 0);
}

/* The like jobs in the order in which they came; returns how many. *first: those that
 * come before them in a list of all that have ended. */
static uint32_t ref_like(const struct reference *ref, int level,
			 const struct eqt_simulation_job *job, uint32_t *like,
			 uint32_t *first)
{
	const uint64_t key = ref_key(level, job);
	uint32_t count = 0;

	*first = 0;
	for (uint32_t i = 0; i < ref->count; i++) {
		if (ref->past[i].run_s == 0)
			continue;
		*first += ref_key(level, &ref->past[i]) < key;
		if (ref_key(level, &ref->past[i]) == key)
			like[count++] = i;
	}
	return count;
}

/* As long as a past job in relation to the limit, rounded half up. */
static uint32_t ref_length_like(const struct eqt_simulation_job *past,
				const struct eqt_simulation_job *job)
{
	if (past->limit_s == 0)
		return job->limit_s;
	return (uint32_t) ((double) past->run_s / past->limit_s * job->limit_s +
			   0.5);
}

static struct eqt_draw_like ref_find(const struct reference *ref,
				     const struct eqt_simulation_job *job,
				     uint32_t elapsed_s)
{
	for (int level = 0; level < EQT_DRAW_LEVELS; level++) {
		uint32_t like[JOBS], first, longer = 0;
		const uint32_t count = ref_like(ref, level, job, like, &first);

		for (uint32_t i = 0; i < count; i++)
			longer += elapsed_s == 0 ||
				  ref_length_like(&ref->past[like[i]], job) >
					  elapsed_s;
		if (longer >= 5)
			return (struct eqt_draw_like){
				(enum eqt_draw_level) level, first, count
			};
	}
	return (struct eqt_draw_like){ EQT_DRAW_GUESS, 0, 0 };
}

static void ref_begin(struct reference *ref, uint64_t seed, uint64_t number)
{
	ref->seed = ref->state = ref_hash(ref_hash(seed) ^ number);
	memset(ref->taken, 0, sizeof(ref->taken));
}

/* All jobs of a user with such a limit use a similar part of what is left of it. */
static uint32_t ref_guess(struct reference *ref,
			  const struct eqt_simulation_job *job,
			  uint32_t elapsed_s)
{
	const uint64_t who = job->user * 256 + ref_key(EQT_DRAW_LIMIT, job);
	const double alike = ref_unit_of(ref->seed ^ ref_hash(who));
	const double part = alike * alike * (0.5 + ref_unit(ref));

	if (part >= 1)
		return job->limit_s;
	return elapsed_s + 1 +
	       (uint32_t) (part * ((double) job->limit_s - elapsed_s - 1));
}

/* The like jobs in turn from a place that is drawn; those that are too short are left
 * out. */
static uint32_t ref_length(struct reference *ref, struct eqt_draw_like found,
			   const struct eqt_simulation_job *job,
			   uint32_t elapsed_s)
{
	uint32_t like[JOBS], first, count, start;

	if (elapsed_s >= job->limit_s)
		return elapsed_s + 1;
	if (found.level == EQT_DRAW_GUESS)
		return ref_guess(ref, job, elapsed_s);
	count = ref_like(ref, (int) found.level, job, like, &first);
	start = (uint32_t) (ref_hash(ref->seed ^ first ^
				     (uint64_t) found.level << 40) %
			    count);
	for (uint32_t tries = 0; tries < count; tries++) {
		const uint32_t at =
			start + ref->taken[found.level][first]++;
		const uint32_t length_s =
			ref_length_like(&ref->past[like[at % count]], job);

		if (length_s > elapsed_s)
			return length_s > job->limit_s ? job->limit_s
						       : length_s;
	}
	return ref_guess(ref, job, elapsed_s);
}

/* Which block of the past a user has at each step: the next one, or one of about half of
 * them, which all users share. */
static int64_t ref_block(const struct reference *ref, uint64_t user_seed,
			 int64_t step, int64_t before)
{
	const uint64_t blocks = (uint64_t) (ref->period_s / ref->block_s);
	const uint64_t drawn =
		ref_hash(user_seed ^ ref_hash((uint64_t) step));

	if (step > 0 && drawn % 2 == 1)
		return (before + 1) % (int64_t) blocks;
	return (int64_t) (ref_hash(ref_hash(ref->seed) +
				   drawn / 2 % (blocks / 2 + 1)) %
			  blocks);
}

/* Put a job among those that come, which are sorted by time and id. */
static void ref_insert(struct eqt_simulation_job *out, size_t count,
		       const struct eqt_simulation_job *job)
{
	size_t i = count;

	for (; i > 0 && (out[i - 1].at > job->at ||
			 (out[i - 1].at == job->at && out[i - 1].id > job->id));
	     i--)
		out[i] = out[i - 1];
	out[i] = *job;
}

/* What a user's past has in a block, at a time. */
static size_t ref_block_arrivals(struct reference *ref,
				 struct eqt_simulation_job *out, size_t count,
				 uint32_t user, int64_t from, int64_t to,
				 int64_t length_s)
{
	for (size_t i = 0; i < ref->count; i++) {
		struct eqt_simulation_job job = ref->past[i];
		const int64_t at = job.at - from + to;

		if (job.user != user || job.at < from ||
		    job.at >= from + ref->block_s || at < 0 || at >= length_s)
			continue;
		job.at = UNTIL + 1 + at;
		if (ref->past[i].run_s == 0)
			job.run_s = ref_length(ref,
					       ref_find(ref, &ref->past[i], 0),
					       &ref->past[i], 0);
		ref_insert(out, count++, &job);
	}
	return count;
}

static size_t ref_arrivals(struct reference *ref,
			   struct eqt_simulation_job *out, int64_t length_s)
{
	size_t count = 0;

	/* A young cluster's jobs come for a time that is drawn. */
	if (ref->period_s > 0 && ref->period_s < 2 * DAY) {
		const double part = ref_unit_of(~ref->seed);
		const double most_s = (double) ref->period_s * part / (1 - part);

		if (most_s < (double) length_s)
			length_s = (int64_t) most_s;
	}
	for (uint32_t user = 3; user < 7 && ref->period_s > 0; user++) {
		const uint64_t user_seed = ref_hash(ref->seed + 1 + user);
		const int64_t later = (int64_t) (ref_hash(user_seed) %
						 (uint64_t) (ref->block_s < DAY
								     ? ref->block_s
								     : 3600));
		int64_t block = 0;

		for (int64_t k = -1; k * ref->block_s < length_s; k++) {
			block = ref_block(ref, user_seed, k + 1, block);
			count = ref_block_arrivals(
				ref, out, count, user,
				UNTIL - ref->period_s + block * ref->block_s,
				k * ref->block_s + later, length_s);
		}
	}
	return count;
}

/* ---- Pasts -------------------------------------------------------------------- */

static struct eqt_simulation_job job_make(struct reference *ref, uint32_t id)
{
	static const uint32_t limits[] = { 1,	59,  60,   61,	 180,
					   181, 240, 3600, 3601, 86400 };
	struct eqt_simulation_job job = {
		.id = id,
		.user = 3 + below(ref, 4),
		.limit_s = limits[below(ref, below(ref, 2) ? 10 : 3)],
	};

	if (below(ref, 4) > 0)
		job.run_s = 1 + below(ref, job.limit_s);
	/* Slurm ends a job up to a minute after its limit; or it has none. */
	if (job.run_s > 0 && below(ref, 10) == 0)
		job.run_s = job.limit_s + below(ref, 60);
	else if (below(ref, 40) == 0)
		job.limit_s = 0;
	return job;
}

static void past_make(struct reference *ref, uint64_t seed)
{
	static const int64_t lengths[] = { 1,	    1000,    DAY,
					   2 * DAY - 1, 2 * DAY, 2 * DAY + 1,
					   3 * DAY - 1, 5 * DAY };
	int64_t length_s;

	memset(ref, 0, sizeof(*ref));
	ref->random.s = seed;
	length_s = lengths[below(ref, 8)];
	ref->from = UNTIL - length_s;
	ref->block_s = length_s >= 2 * DAY      ? DAY
		       : length_s / 8 > 600     ? length_s / 8
		       : length_s < 600 ? length_s
						: 600;
	ref->period_s = length_s - length_s % ref->block_s;
	ref->count = below(ref, 8) ? below(ref, JOBS + 1) : 0;
	for (uint32_t i = 0; i <= ref->count; i++) {
		struct eqt_simulation_job job =
			job_make(ref, (i * 29 + 7) % 41);

		/* Some at one time, some at the edges. */
		job.at = ref->from - 1 +
			 (int64_t) below(ref, 12) * (length_s + 1) / 11;
		if (below(ref, 6) == 0)
			job.at = UNTIL - ref->period_s;
		/* By time alone: ids are those of the caller. */
		job.nice = (int32_t) i;
		ref_insert(ref->past, i, &job);
	}
}

/* ---- Comparison ---------------------------------------------------------------- */

static void arrivals_compare(struct reference *ref, struct eqt_arrivals *arrivals,
			     uint64_t seed)
{
	static struct eqt_simulation_job wanted[JOBS * 40];
	struct eqt_simulation_job *drawn;
	const int64_t lengths[] = { 0, ref->period_s / 2, ref->period_s,
				    ref->period_s + 1, 2 * ref->period_s };
	const int64_t length_s = lengths[below(ref, 5)];
	const size_t count = ref_arrivals(ref, wanted, length_s);
	size_t drawn_count;

	ck_assert_int_eq(eqt_arrivals_draw(arrivals, &drawn, &drawn_count,
					   length_s),
			 0);
	ck_assert_msg(drawn_count == count, "seed %llu: %zu come, not %zu",
		      (unsigned long long) seed, drawn_count, count);
	for (size_t i = 0; i < count; i++)
		ck_assert_msg(drawn[i].at == wanted[i].at &&
				      drawn[i].id == wanted[i].id &&
				      drawn[i].nice == wanted[i].nice &&
				      drawn[i].run_s == wanted[i].run_s &&
				      drawn[i].limit_s == wanted[i].limit_s,
			      "seed %llu: job %zu, %lld of %u s, not %lld of "
			      "%u s",
			      (unsigned long long) seed, i,
			      (long long) drawn[i].at, drawn[i].run_s,
			      (long long) wanted[i].at, wanted[i].run_s);
	free(drawn);
}

static void lengths_compare(struct reference *ref, struct eqt_draw *draw,
			    uint64_t seed)
{
	for (uint32_t i = 0; i < LENGTHS; i++) {
		const struct eqt_simulation_job job = job_make(ref, i);
		const uint32_t elapsed_s =
			below(ref, 2) ? below(ref, job.limit_s + 2) : 0;
		const struct eqt_draw_like wanted =
			ref_find(ref, &job, elapsed_s);
		const struct eqt_draw_like like =
			eqt_draw_find(draw, &job, elapsed_s);
		uint32_t length_s, wanted_s;

		ck_assert_msg(like.level == wanted.level &&
				      like.first == wanted.first &&
				      like.count == wanted.count,
			      "seed %llu: level %d, %u from %u, not %d, %u "
			      "from %u",
			      (unsigned long long) seed, (int) like.level,
			      like.count, like.first, (int) wanted.level,
			      wanted.count, wanted.first);
		length_s = eqt_draw_length(draw, &like, &job, elapsed_s);
		wanted_s = ref_length(ref, wanted, &job, elapsed_s);
		ck_assert_msg(length_s == wanted_s,
			      "seed %llu: length %u of a limit of %u after %u, "
			      "not %u",
			      (unsigned long long) seed, length_s, job.limit_s,
			      elapsed_s, wanted_s);
	}
}

START_TEST(futures_are_those_that_the_rules_draw)
{
	static struct reference ref;

	for (uint64_t seed = 1; seed <= PASTS; seed++) {
		struct eqt_draw *draw;
		struct eqt_arrivals *arrivals;

		past_make(&ref, seed);
		draw = eqt_draw_new(ref.past, ref.count, tree);
		ck_assert_ptr_nonnull(draw);
		arrivals = eqt_arrivals_new(draw, ref.past, ref.count, ref.from, UNTIL);
		ck_assert_ptr_nonnull(arrivals);
		/* The last future is the first once more. */
		for (uint64_t number = 0; number < 3; number++) {
			ref_begin(&ref, seed, number % 2);
			eqt_draw_begin(draw, seed, number % 2);
			arrivals_compare(&ref, arrivals, seed);
			lengths_compare(&ref, draw, seed);
		}
		eqt_arrivals_free(arrivals);
		eqt_draw_free(draw);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("draw_property");
	TCase *tc = tcase_create("draw_property");

	tcase_set_timeout(tc, 600);
	tcase_add_test(tc, futures_are_those_that_the_rules_draw);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
