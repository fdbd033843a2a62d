/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random numbers are computed by splitmix64, which is a hash of a counter. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/whole.h"
#include "sim/workload.h"
#include "base/array.h"
#include "sim/draw.h"

#define LIKE_MIN 5 /* fewer similar jobs than this are not enough */
#define DAY 86400
#define JITTER_S 3600
/* One of this many blocks is drawn; the others follow the previous block. */
#define GO_ON 2
#define BLOCKS 8 /* the number of blocks in a past that is too short for days */
#define BLOCK_MIN_S 600

/* A past job in a list that is sorted by key and then by time. */
struct draw_entry {
	uint64_t key;
	uint32_t job;
};

struct eqt_draw {
	const struct eqt_simulation_job *past;
	const struct eqt_tree_input *tree;
	/* Number of all jobs, and of those whose run time is known. */
	size_t count, ended;
	/* For each job whose run time is not known, the past jobs that are similar. */
	struct eqt_draw_like *likes;
	int64_t until;
	/* Length of the past from which jobs are drawn, in whole blocks. */
	int64_t period_s;
	/* Length of a block, which is a day if the past has two days. */
	int64_t block_s;
	/* The key is the user; jobs of a user are sorted by time. */
	struct draw_entry *by_user;
	struct draw_entry *levels[EQT_DRAW_LEVELS];
	/* For each group of similar jobs, at its first member, the number of jobs that
	 * were taken. */
	uint32_t *taken[EQT_DRAW_LEVELS];
	/* The state of the random numbers, and the seed of this future. */
	uint64_t state, seed;
};

static uint64_t random_mix(uint64_t x)
{
	return eqt_hash_mix(x + UINT64_C(0x9e3779b97f4a7c15));
}

/* Return a random number from 0 up to but not including 1. */
static double random_part(uint64_t mixed)
{
	return (double) (mixed >> 11) * 0x1p-53;
}

static double draw_random(struct eqt_draw *draw)
{
	return random_part(random_mix(draw->state++));
}

/* ---- Like jobs -------------------------------------------------------------- */

/* Return a number that limits within a factor of two of each other share. */
static uint64_t limit_class(const struct eqt_simulation_job *job)
{
	uint64_t minutes = (job->limit_s + 59) / 60, bits = 0;

	for (; minutes; minutes >>= 1)
		bits++;
	return bits;
}

/* Return a key that the similar jobs of a level share: the user or account, and the
 * class of the limit. */
static uint64_t level_key(const struct eqt_draw *draw, int level,
			  const struct eqt_simulation_job *job)
{
	const uint64_t who = level == EQT_DRAW_USER ? job->user
			     : level == EQT_DRAW_ACCOUNT
				     ? draw->tree[job->user].parent
				     : 0;

	return who << 8 | limit_class(job);
}

/* Sort similar jobs together, and the older job first. */
static int entry_compare(const void *a, const void *b)
{
	const struct draw_entry *left = a, *right = b;

	if (left->key != right->key)
		return left->key < right->key ? -1 : 1;
	return left->job < right->job ? -1 : left->job > right->job;
}

static int level_make(struct eqt_draw *draw, int level)
{
	struct draw_entry *list = calloc(draw->count + 1, sizeof(*list));

	draw->levels[level] = list;
	draw->taken[level] =
		calloc(draw->count + 1, sizeof(*draw->taken[level]));
	if (!list || !draw->taken[level])
		return -1;
	draw->ended = 0;
	for (size_t i = 0; i < draw->count; i++)
		if (draw->past[i].run_s)
			list[draw->ended++] = (struct draw_entry){
				level_key(draw, level, &draw->past[i]),
				(uint32_t) i
			};
	qsort(list, draw->ended, sizeof(*list), entry_compare);
	return 0;
}

/* Choose the length of blocks. It is a day if the past has two days, so that jobs keep
 * their time of day. */
static void blocks_set(struct eqt_draw *draw, int64_t length_s)
{
	draw->block_s = DAY;
	if (length_s < EQT_DRAW_YOUNG_S)
		draw->block_s = eqt_whole_later(length_s / BLOCKS, BLOCK_MIN_S);
	draw->block_s = eqt_whole_earlier(draw->block_s, length_s);
	draw->period_s = draw->block_s > 0
				 ? length_s / draw->block_s * draw->block_s
				 : 0;
}

static int by_user_make(struct eqt_draw *draw)
{
	draw->by_user = calloc(draw->count + 1, sizeof(*draw->by_user));
	if (!draw->by_user)
		return -1;
	for (size_t i = 0; i < draw->count; i++)
		draw->by_user[i] =
			(struct draw_entry){ draw->past[i].user, (uint32_t) i };
	qsort(draw->by_user, draw->count, sizeof(*draw->by_user),
	      entry_compare);
	return 0;
}

struct eqt_draw *eqt_draw_new(const struct eqt_simulation_job *past,
			      size_t count, int64_t from, int64_t until,
			      const struct eqt_tree_input *tree)
{
	struct eqt_draw *draw = calloc(1, sizeof(*draw));
	int rc = 0;

	if (!draw)
		return NULL;
	draw->past = past;
	draw->count = count;
	draw->tree = tree;
	draw->until = until;
	blocks_set(draw, until - from);
	rc = by_user_make(draw);
	for (int i = 0; i < EQT_DRAW_LEVELS && rc == 0; i++)
		rc = level_make(draw, i);
	draw->likes = calloc(count + 1, sizeof(*draw->likes));
	if (rc == 0 && draw->likes) {
		for (size_t i = 0; i < count; i++)
			if (!past[i].run_s)
				draw->likes[i] =
					eqt_draw_find(draw, &past[i], 0);
		return draw;
	}
	eqt_draw_free(draw);
	return NULL;
}

void eqt_draw_free(struct eqt_draw *draw)
{
	for (int i = 0; draw && i < EQT_DRAW_LEVELS; i++) {
		free(draw->levels[i]);
		free(draw->taken[i]);
	}
	if (draw) {
		free(draw->likes);
		free(draw->by_user);
	}
	free(draw);
}

/* Return the index of the first entry of a level whose key is not below the given
 * one. */
static uint32_t level_find(const struct eqt_draw *draw, int level, uint64_t key)
{
	size_t low = 0, high = draw->ended;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (draw->levels[level][mid].key < key)
			low = mid + 1;
		else
			high = mid;
	}
	return (uint32_t) low;
}

/* Return the run time of a job that uses the same part of its limit as a past job
 * did. */
static uint32_t length_like(const struct eqt_simulation_job *past,
			    const struct eqt_simulation_job *job)
{
	const double part = past->limit_s ? (double) past->run_s / past->limit_s
					  : 1;

	return (uint32_t) (part * job->limit_s + 0.5);
}

struct eqt_draw_like eqt_draw_find(const struct eqt_draw *draw,
				   const struct eqt_simulation_job *job,
				   uint32_t elapsed_s)
{
	for (int level = 0; level < EQT_DRAW_LEVELS; level++) {
		const uint64_t key = level_key(draw, level, job);
		const uint32_t first = level_find(draw, level, key);
		const uint32_t last = level_find(draw, level, key + 1);
		uint32_t longer = 0;

		for (uint32_t i = first; i < last && longer != LIKE_MIN; i++)
			longer +=
				elapsed_s == 0 ||
				length_like(
					&draw->past[draw->levels[level][i].job],
					job) > elapsed_s;
		if (longer >= LIKE_MIN)
			return (struct eqt_draw_like){
				(enum eqt_draw_level) level, first, last - first
			};
	}
	return (struct eqt_draw_like){ EQT_DRAW_GUESS, 0, 0 };
}

/* Jobs that were drawn. */
struct coming {
	struct eqt_simulation_job *jobs;
	size_t count;
};

/* ---- A future ---------------------------------------------------------------- */

void eqt_draw_begin(struct eqt_draw *draw, uint64_t seed, uint64_t number)
{
	draw->seed = random_mix(random_mix(seed) ^ number);
	draw->state = draw->seed;
	for (int i = 0; i < EQT_DRAW_LEVELS; i++)
		memset(draw->taken[i], 0,
		       draw->count * sizeof(*draw->taken[i]));
}

void eqt_draw_restart(struct eqt_draw *draw, uint64_t job)
{
	draw->state = random_mix(draw->seed ^ random_mix(job));
}

bool eqt_draw_spreads(const struct eqt_draw *draw, uint32_t user)
{
	return random_mix(draw->seed ^ random_mix(~(uint64_t) user)) & 1;
}

/* Guess the run time of a job without similar jobs. In one future, all jobs of a user
 * with one limit use a similar part of the limit. Most limits are far too long, so
 * small parts are more likely. One job in twenty runs to its limit. */
static uint32_t length_guess(struct eqt_draw *draw,
			     const struct eqt_simulation_job *job,
			     uint32_t elapsed_s)
{
	const double left = (double) (job->limit_s - elapsed_s);
	const double alike = random_part(random_mix(
		draw->seed ^ random_mix(level_key(draw, EQT_DRAW_USER, job))));
	const double part = alike * alike * (0.5 + draw_random(draw));

	if (part >= 1)
		return job->limit_s;
	return elapsed_s + 1 + (uint32_t) (part * (left - 1));
}

uint32_t eqt_draw_length(struct eqt_draw *draw,
			 const struct eqt_draw_like *like,
			 const struct eqt_simulation_job *job,
			 uint32_t elapsed_s)
{
	uint32_t *taken, at;

	if (elapsed_s >= job->limit_s)
		return elapsed_s + 1;
	if (like->level == EQT_DRAW_GUESS)
		return length_guess(draw, job, elapsed_s);
	/* In one future, all jobs that share a list of similar jobs draw from
	 * it one after the other, starting at one random place. */
	taken = &draw->taken[like->level][like->first];
	at = (uint32_t) (random_mix(draw->seed ^ like->first ^
				    (uint64_t) like->level << 40) %
			 like->count);
	for (uint32_t tries = 0; tries < like->count; tries++) {
		const uint32_t i =
			like->first + (at + (*taken)++) % like->count;
		const uint32_t length = length_like(
			&draw->past[draw->levels[like->level][i].job], job);

		if (length > elapsed_s)
			return length < job->limit_s ? length : job->limit_s;
	}
	return length_guess(draw, job, elapsed_s);
}

/* ---- Jobs that come ---------------------------------------------------------- */

/* The block of the past that a user repeats. One in GO_ON blocks is drawn, and the
 * others follow the previous block. Blocks are drawn from a part of all blocks, which
 * is the same for all users in a future. If each future could have all days, no future
 * would have a higher load than the past. */
struct user_past {
	uint64_t random; /* random number of this user in this future */
	uint64_t seed; /* random number of this future */
	uint64_t blocks; /* the number of blocks in the past */
	uint64_t at; /* index of the block that is repeated now */
};

static void user_past_step(struct user_past *past, uint64_t step)
{
	const uint64_t drawn = random_mix(past->random ^ random_mix(step));

	if (step > 0 && drawn % GO_ON != 0) {
		past->at = (past->at + 1) % past->blocks;
		return;
	}
	past->at = random_mix(past->seed +
			      drawn / GO_ON % (past->blocks / GO_ON + 1)) %
		   past->blocks;
}

/* Return the index in by_user[] of the first job of a user that arrived at a time or
 * later. */
static uint32_t user_job_find(const struct eqt_draw *draw, uint32_t first,
			      uint32_t last, int64_t at)
{
	while (first < last) {
		const uint32_t mid = first + (last - first) / 2;

		if (draw->past[draw->by_user[mid].job].at < at)
			first = mid + 1;
		else
			last = mid;
	}
	return first;
}

/* Add a job of the past at a time of the future. Return 0, or -1 if there is no
 * memory. */
static int coming_add(struct eqt_draw *draw, struct coming *to, uint32_t index,
		      int64_t at)
{
	const struct eqt_simulation_job *past = &draw->past[index];
	struct eqt_simulation_job *job;

	if (EQT_ARRAY_ROOM(to->jobs, to->count) < 0)
		return -1;
	job = &to->jobs[to->count++];
	*job = *past;
	job->at = draw->until + 1 + at;
	if (!past->run_s)
		job->run_s =
			eqt_draw_length(draw, &draw->likes[index], past, 0);
	return 0;
}

/* Add the jobs of a user, block by block. Blocks of a day keep the time of day. All
 * jobs of a user arrive up to an hour later (jitter), so that the first block begins
 * before the future does. */
static int user_arrivals(struct eqt_draw *draw, struct coming *to,
			 uint32_t first, uint32_t last, int64_t length_s)
{
	const int64_t block_s = draw->block_s;
	struct user_past past = {
		.random = random_mix(draw->seed + 1 + draw->by_user[first].key),
		.seed = random_mix(draw->seed),
		.blocks = (uint64_t) (draw->period_s / block_s),
	};
	const int64_t jitter =
		(int64_t) (random_mix(past.random) %
			   (uint64_t) (block_s < DAY ? block_s : JITTER_S));

	for (int64_t k = -1; k * block_s < length_s; k++) {
		int64_t from;

		user_past_step(&past, (uint64_t) (k + 1));
		from = draw->until - draw->period_s +
		       (int64_t) past.at * block_s;
		for (uint32_t i = user_job_find(draw, first, last, from);
		     i < last; i++) {
			const struct eqt_simulation_job *job =
				&draw->past[draw->by_user[i].job];
			const int64_t at =
				k * block_s + job->at - from + jitter;

			if (job->at >= from + block_s)
				break;
			if (at >= 0 && at < length_s &&
			    coming_add(draw, to, draw->by_user[i].job, at) < 0)
				return -1;
		}
	}
	return 0;
}

/* Return the length of the time in which jobs arrive as in the past, which is at most
 * most_s. After that no jobs arrive. The first hours of a cluster say little about the
 * next hours: they may be a rush that is about to end, or a usual day. So jobs arrive
 * for at least the same time again in half of the futures, for 19 times as long in one
 * of twenty, and for a twentieth of the time in another. */
static int64_t arrivals_length(const struct eqt_draw *draw, int64_t most_s)
{
	const double part = random_part(random_mix(~draw->seed));
	const double length_s = (double) draw->period_s * part / (1 - part);

	return draw->period_s >= EQT_DRAW_YOUNG_S || length_s > (double) most_s
		       ? most_s
		       : (int64_t) length_s;
}

int eqt_draw_arrivals(struct eqt_draw *draw, struct eqt_simulation_job **out,
		      size_t *count, int64_t length_s)
{
	struct coming to = { .jobs = NULL };
	uint32_t last;
	int rc = 0;

	*out = NULL;
	*count = 0;
	if (draw->count == 0 || draw->period_s <= 0)
		return 0;
	length_s = arrivals_length(draw, length_s);
	for (uint32_t i = 0; i < draw->count && rc == 0; i = last) {
		for (last = i + 1;
		     last < draw->count &&
		     draw->by_user[last].key == draw->by_user[i].key;)
			last++;
		rc = user_arrivals(draw, &to, i, last, length_s);
	}
	if (rc < 0) {
		free(to.jobs);
		return -1;
	}
	if (to.count > 1)
		qsort(to.jobs, to.count, sizeof(*to.jobs),
		      eqt_workload_compare);
	*out = to.jobs;
	*count = to.count;
	return 0;
}
