/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random numbers are computed by splitmix64, which is a hash of a counter. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "sim/draw.h"

#define LIKE_MIN 5 /* fewer similar jobs than this are not enough */

struct eqt_draw {
	const struct eqt_simulation_job *past;
	const struct eqt_tree_input *tree;
	/* Number of all jobs, and of those whose run time is known. */
	size_t count, ended;
	struct eqt_draw_entry *levels[EQT_DRAW_LEVELS];
	/* For each group of similar jobs, at its first member, the number of jobs that
	 * were taken. */
	uint32_t *taken[EQT_DRAW_LEVELS];
	/* The state of the random numbers, and the seed of this future. */
	uint64_t state, seed;
};

uint64_t eqt_draw_mix(uint64_t x)
{
	return eqt_hash_mix(x + UINT64_C(0x9e3779b97f4a7c15));
}

double eqt_draw_part(uint64_t mixed)
{
	return (double) (mixed >> 11) * 0x1p-53;
}

static double draw_random(struct eqt_draw *draw)
{
	return eqt_draw_part(eqt_draw_mix(draw->state++));
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
	const struct eqt_draw_entry *left = a, *right = b;

	if (left->key != right->key)
		return left->key < right->key ? -1 : 1;
	return left->job < right->job ? -1 : left->job > right->job;
}

void eqt_draw_sort(struct eqt_draw_entry *list, size_t count)
{
	qsort(list, count, sizeof(*list), entry_compare);
}

static int level_make(struct eqt_draw *draw, int level)
{
	struct eqt_draw_entry *list = calloc(draw->count + 1, sizeof(*list));

	draw->levels[level] = list;
	draw->taken[level] =
		calloc(draw->count + 1, sizeof(*draw->taken[level]));
	if (!list || !draw->taken[level])
		return -1;
	draw->ended = 0;
	for (size_t i = 0; i < draw->count; i++)
		if (draw->past[i].run_s)
			list[draw->ended++] = (struct eqt_draw_entry){
				level_key(draw, level, &draw->past[i]),
				(uint32_t) i
			};
	eqt_draw_sort(list, draw->ended);
	return 0;
}

struct eqt_draw *eqt_draw_new(const struct eqt_simulation_job *past,
			      size_t count, const struct eqt_tree_input *tree)
{
	struct eqt_draw *draw = calloc(1, sizeof(*draw));

	if (!draw)
		return NULL;
	draw->past = past;
	draw->count = count;
	draw->tree = tree;
	for (int i = 0; i < EQT_DRAW_LEVELS; i++) {
		if (level_make(draw, i) < 0) {
			eqt_draw_free(draw);
			return NULL;
		}
	}
	return draw;
}

void eqt_draw_free(struct eqt_draw *draw)
{
	for (int i = 0; draw && i < EQT_DRAW_LEVELS; i++) {
		free(draw->levels[i]);
		free(draw->taken[i]);
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

/* ---- A future ---------------------------------------------------------------- */

void eqt_draw_begin(struct eqt_draw *draw, uint64_t seed, uint64_t number)
{
	draw->seed = eqt_draw_mix(eqt_draw_mix(seed) ^ number);
	draw->state = draw->seed;
	for (int i = 0; i < EQT_DRAW_LEVELS; i++)
		memset(draw->taken[i], 0,
		       draw->count * sizeof(*draw->taken[i]));
}

void eqt_draw_restart(struct eqt_draw *draw, uint64_t job)
{
	draw->state = eqt_draw_mix(draw->seed ^ eqt_draw_mix(job));
}

uint64_t eqt_draw_seed(const struct eqt_draw *draw)
{
	return draw->seed;
}

bool eqt_draw_spreads(const struct eqt_draw *draw, uint32_t user)
{
	return eqt_draw_mix(draw->seed ^ eqt_draw_mix(~(uint64_t) user)) & 1;
}

/* Guess the run time of a job without similar jobs. In one future, all jobs of a user
 * with one limit use a similar part of the limit. Most limits are far too long, so
 * small parts are more likely. One job in twenty runs to its limit. */
static uint32_t length_guess(struct eqt_draw *draw,
			     const struct eqt_simulation_job *job,
			     uint32_t elapsed_s)
{
	const double left = (double) (job->limit_s - elapsed_s);
	const double alike = eqt_draw_part(eqt_draw_mix(
		draw->seed ^
		eqt_draw_mix(level_key(draw, EQT_DRAW_USER, job))));
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
	at = (uint32_t) (eqt_draw_mix(draw->seed ^ like->first ^
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
