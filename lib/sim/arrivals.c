/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each user repeats blocks of the past, mostly whole days. */
#include <stdlib.h>

#include "base/array.h"
#include "base/whole.h"
#include "sim/draw.h"
#include "sim/workload.h"

#define DAY 86400
#define JITTER_S 3600
/* One of this many blocks is drawn; the others follow the previous block. */
#define GO_ON 2
#define BLOCKS 8 /* the number of blocks in a past that is too short for days */
#define BLOCK_MIN_S 600

struct eqt_arrivals {
	struct eqt_draw *draw;
	const struct eqt_simulation_job *past;
	size_t count;
	/* For each job whose run time is not known, the past jobs that are similar. */
	struct eqt_draw_like *likes;
	int64_t until;
	/* Length of the past from which jobs are drawn, in whole blocks. */
	int64_t period_s;
	/* Length of a block, which is a day if the past has two days. */
	int64_t block_s;
	/* The key is the user; jobs of a user are sorted by time. */
	struct eqt_draw_entry *by_user;
};

/* Choose the length of blocks. It is a day if the past has two days, so that jobs keep
 * their time of day. */
static void blocks_set(struct eqt_arrivals *arrivals, int64_t length_s)
{
	arrivals->block_s = DAY;
	if (length_s < EQT_ARRIVALS_YOUNG_S)
		arrivals->block_s =
			eqt_whole_later(length_s / BLOCKS, BLOCK_MIN_S);
	arrivals->block_s = eqt_whole_earlier(arrivals->block_s, length_s);
	arrivals->period_s =
		arrivals->block_s > 0
			? length_s / arrivals->block_s * arrivals->block_s
			: 0;
}

static int by_user_make(struct eqt_arrivals *arrivals)
{
	arrivals->by_user =
		calloc(arrivals->count + 1, sizeof(*arrivals->by_user));
	if (!arrivals->by_user)
		return -1;
	for (size_t i = 0; i < arrivals->count; i++)
		arrivals->by_user[i] =
			(struct eqt_draw_entry){ arrivals->past[i].user,
						 (uint32_t) i };
	eqt_draw_sort(arrivals->by_user, arrivals->count);
	return 0;
}

struct eqt_arrivals *eqt_arrivals_new(struct eqt_draw *draw,
				      const struct eqt_simulation_job *past,
				      size_t count, int64_t from, int64_t until)
{
	struct eqt_arrivals *arrivals = calloc(1, sizeof(*arrivals));

	if (!arrivals)
		return NULL;
	*arrivals = (struct eqt_arrivals){
		.draw = draw, .past = past, .count = count, .until = until
	};
	blocks_set(arrivals, until - from);
	arrivals->likes = calloc(count + 1, sizeof(*arrivals->likes));
	if (!arrivals->likes || by_user_make(arrivals) < 0) {
		eqt_arrivals_free(arrivals);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		if (!past[i].run_s)
			arrivals->likes[i] = eqt_draw_find(draw, &past[i], 0);
	return arrivals;
}

void eqt_arrivals_free(struct eqt_arrivals *arrivals)
{
	if (arrivals) {
		free(arrivals->likes);
		free(arrivals->by_user);
	}
	free(arrivals);
}

/* Jobs that were drawn. */
struct coming {
	struct eqt_simulation_job *jobs;
	size_t count;
};

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
	const uint64_t drawn = eqt_draw_mix(past->random ^ eqt_draw_mix(step));

	if (step > 0 && drawn % GO_ON != 0) {
		past->at = (past->at + 1) % past->blocks;
		return;
	}
	past->at = eqt_draw_mix(past->seed +
				drawn / GO_ON % (past->blocks / GO_ON + 1)) %
		   past->blocks;
}

/* Return the index in by_user[] of the first job of a user that arrived at a time or
 * later. */
static uint32_t user_job_find(const struct eqt_arrivals *arrivals,
			      uint32_t first, uint32_t last, int64_t at)
{
	while (first < last) {
		const uint32_t mid = first + (last - first) / 2;

		if (arrivals->past[arrivals->by_user[mid].job].at < at)
			first = mid + 1;
		else
			last = mid;
	}
	return first;
}

/* Add a job of the past at a time of the future. Return 0, or -1 if there is no
 * memory. */
static int coming_add(struct eqt_arrivals *arrivals, struct coming *to,
		      uint32_t index, int64_t at)
{
	const struct eqt_simulation_job *past = &arrivals->past[index];
	struct eqt_simulation_job *job;

	if (EQT_ARRAY_ROOM(to->jobs, to->count) < 0)
		return -1;
	job = &to->jobs[to->count++];
	*job = *past;
	job->at = arrivals->until + 1 + at;
	if (!past->run_s)
		job->run_s = eqt_draw_length(arrivals->draw,
					     &arrivals->likes[index], past, 0);
	return 0;
}

/* Add the jobs of a user, block by block. Blocks of a day keep the time of day. All
 * jobs of a user arrive up to an hour later (jitter), so that the first block begins
 * before the future does. */
static int user_arrivals(struct eqt_arrivals *arrivals, struct coming *to,
			 uint32_t first, uint32_t last, int64_t length_s)
{
	const int64_t block_s = arrivals->block_s;
	struct user_past past = {
		.random = eqt_draw_mix(eqt_draw_seed(arrivals->draw) + 1 +
				       arrivals->by_user[first].key),
		.seed = eqt_draw_mix(eqt_draw_seed(arrivals->draw)),
		.blocks = (uint64_t) (arrivals->period_s / block_s),
	};
	const int64_t jitter =
		(int64_t) (eqt_draw_mix(past.random) %
			   (uint64_t) (block_s < DAY ? block_s : JITTER_S));

	for (int64_t k = -1; k * block_s < length_s; k++) {
		int64_t from;

		user_past_step(&past, (uint64_t) (k + 1));
		from = arrivals->until - arrivals->period_s +
		       (int64_t) past.at * block_s;
		for (uint32_t i = user_job_find(arrivals, first, last, from);
		     i < last; i++) {
			const struct eqt_simulation_job *job =
				&arrivals->past[arrivals->by_user[i].job];
			const int64_t at =
				k * block_s + job->at - from + jitter;

			if (job->at >= from + block_s)
				break;
			if (at >= 0 && at < length_s &&
			    coming_add(arrivals, to, arrivals->by_user[i].job,
				       at) < 0)
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
static int64_t arrivals_length(const struct eqt_arrivals *arrivals,
			       int64_t most_s)
{
	const double part =
		eqt_draw_part(eqt_draw_mix(~eqt_draw_seed(arrivals->draw)));
	const double length_s = (double) arrivals->period_s * part / (1 - part);

	return arrivals->period_s >= EQT_ARRIVALS_YOUNG_S ||
			       length_s > (double) most_s
		       ? most_s
		       : (int64_t) length_s;
}

int eqt_arrivals_draw(struct eqt_arrivals *arrivals,
		      struct eqt_simulation_job **out, size_t *count,
		      int64_t length_s)
{
	struct coming to = { .jobs = NULL };
	uint32_t last;
	int rc = 0;

	*out = NULL;
	*count = 0;
	if (arrivals->count == 0 || arrivals->period_s <= 0)
		return 0;
	length_s = arrivals_length(arrivals, length_s);
	for (uint32_t i = 0; i < arrivals->count && rc == 0; i = last) {
		for (last = i + 1;
		     last < arrivals->count &&
		     arrivals->by_user[last].key == arrivals->by_user[i].key;)
			last++;
		rc = user_arrivals(arrivals, &to, i, last, length_s);
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
