/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * draw: how long jobs run and which ones come, drawn from those of the past.
 *
 * Jobs of one user resemble those before and after them, so lengths are drawn in
 * runs: a random place in the list of like jobs, then the ones behind it.
 */
#ifndef EQT_SIMULATION_DRAW_H
#define EQT_SIMULATION_DRAW_H

#include "sim/simulation.h"

/* A shorter past is cut into parts of a day. */
#define EQT_DRAW_YOUNG_S (2 * 86400)

/* What like jobs have in common: user and limit, account and limit, or limit alone.
 * Limits count as the same within a factor of two. */
enum eqt_draw_level {
	EQT_DRAW_USER,
	EQT_DRAW_ACCOUNT,
	EQT_DRAW_LIMIT,
	EQT_DRAW_LEVELS,
	EQT_DRAW_GUESS = EQT_DRAW_LEVELS /* too few of any */
};

/* The like jobs of one job: entries of one level. A plain value. */
struct eqt_draw_like {
	enum eqt_draw_level level;
	uint32_t first, count;
};

/* Opaque; eqt_draw_new() and eqt_draw_free(). */
struct eqt_draw;

/* Draw from past jobs that arrived between `from` and `until`, sorted by rising time of
 * arrival. They have limit_s and run_s (0: the job has not ended). The jobs are
 * borrowed, and the tree, which has their accounts. NULL: out of memory. */
struct eqt_draw *eqt_draw_new(const struct eqt_simulation_job *past,
			      size_t count, int64_t from, int64_t until,
			      const struct eqt_tree_input *tree);
void eqt_draw_free(struct eqt_draw *draw);

/* Find the jobs that are like a job that has run for elapsed_s seconds (0: it waits). */
struct eqt_draw_like eqt_draw_find(const struct eqt_draw *draw,
				   const struct eqt_simulation_job *job,
				   uint32_t elapsed_s);

/* Begin another future. All that is drawn depends on seed and number alone. */
void eqt_draw_begin(struct eqt_draw *draw, uint64_t seed, uint64_t number);

/* Start the random numbers of a future again from the number of a job, so that the next
 * guess depends on the job alone. */
void eqt_draw_restart(struct eqt_draw *draw, uint64_t job);

/* Can the jobs of a user spread over any number of nodes in this future? Slurm does not
 * say which jobs asked for a number of nodes, so half of the users spread in a future. */
bool eqt_draw_spreads(const struct eqt_draw *draw, uint32_t user);

/* Draw the run time of a job: more than elapsed_s, and up to its limit. Jobs without
 * like jobs use a similar part of their limits if user and limit are the same. */
uint32_t eqt_draw_length(struct eqt_draw *draw,
			 const struct eqt_draw_like *like,
			 const struct eqt_simulation_job *job,
			 uint32_t elapsed_s);

/* Draw the jobs that arrive from until to until + length_s: jobs of the past, at the
 * same time of another day. For each user some days are drawn repeatedly, so that some
 * futures have more jobs than the past and others fewer. A past of less than two days
 * is cut into shorter parts, and the time for which jobs arrive is drawn as well. *out
 * is sorted, and the caller frees it. 0, or -1: out of memory. */
int eqt_draw_arrivals(struct eqt_draw *draw, struct eqt_simulation_job **out,
		      size_t *count, int64_t length_s);

#endif
