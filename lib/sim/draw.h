/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * draw: random run times of jobs and random arrivals, drawn from the jobs of the past.
 *
 * Jobs of one user resemble the jobs before and after them. So run times are drawn in
 * runs: from a random place in the list of similar jobs on.
 */
#ifndef EQT_SIMULATION_DRAW_H
#define EQT_SIMULATION_DRAW_H

#include "sim/simulation.h"

/* What similar jobs have in common: user and limit, account and limit, or only the
 * limit. Limits count as the same within a factor of two. */
enum eqt_draw_level {
	EQT_DRAW_USER,
	EQT_DRAW_ACCOUNT,
	EQT_DRAW_LIMIT,
	EQT_DRAW_LEVELS,
	/* No level, because there are too few similar jobs. */
	EQT_DRAW_GUESS = EQT_DRAW_LEVELS
};

/* The similar jobs of one job, which are neighbours in the list of one level. A plain
 * value. */
struct eqt_draw_like {
	enum eqt_draw_level level;
	uint32_t first, count;
};

/* Opaque. It is made by eqt_draw_new() and freed by eqt_draw_free(). */
struct eqt_draw;

/* Prepare draws from past jobs, sorted by rising time of arrival. limit_s and run_s of
 * the jobs must be set; a run_s of 0 means that the job has not ended. The jobs and the
 * tree, which has their accounts, are borrowed. Return NULL if there is no memory. */
struct eqt_draw *eqt_draw_new(const struct eqt_simulation_job *past,
			      size_t count, const struct eqt_tree_input *tree);
void eqt_draw_free(struct eqt_draw *draw);

/* Find the past jobs that are similar to a job which has run for elapsed_s seconds. 0
 * means that the job waits. */
struct eqt_draw_like eqt_draw_find(const struct eqt_draw *draw,
				   const struct eqt_simulation_job *job,
				   uint32_t elapsed_s);

/* Begin another future. All draws depend only on seed and number. */
void eqt_draw_begin(struct eqt_draw *draw, uint64_t seed, uint64_t number);

/* A past job in a list that is sorted by key and then by time. */
struct eqt_draw_entry {
	uint64_t key;
	uint32_t job;
};

/* Sort a list of past jobs. */
void eqt_draw_sort(struct eqt_draw_entry *list, size_t count);

/* The seed of the present future, for random numbers that eqt_draw_mix() makes of it. */
uint64_t eqt_draw_seed(const struct eqt_draw *draw);

/* Make a random number of a seed, and of a random number one from 0 up to but not
 * including 1. */
uint64_t eqt_draw_mix(uint64_t seed);
double eqt_draw_part(uint64_t mixed);

/* Start the random numbers of a future again from the number of a job, so that the next
 * draw depends only on the job. */
void eqt_draw_restart(struct eqt_draw *draw, uint64_t job);

/* Can the jobs of a user be spread over any number of nodes in this future? Slurm does
 * not record which jobs asked for a number of nodes, so in each future the jobs of half
 * of the users spread. */
bool eqt_draw_spreads(const struct eqt_draw *draw, uint32_t user);

/* Draw the run time of a job, which is more than elapsed_s and at most its limit. Jobs
 * without similar jobs use a similar part of their limits if they have the same user
 * and limit. */
uint32_t eqt_draw_length(struct eqt_draw *draw,
			 const struct eqt_draw_like *like,
			 const struct eqt_simulation_job *job,
			 uint32_t elapsed_s);

/* ---- Arrivals (arrivals.c) ------------------------------------------------------
 * How many new jobs a forecast has, and which. A young cluster has a short past, which
 * says little about the next hours. */

/* A past that is shorter than this is cut into parts of a day. */
#define EQT_ARRIVALS_YOUNG_S (2 * 86400)

/* Opaque. It is made by eqt_arrivals_new() and freed by eqt_arrivals_free(). */
struct eqt_arrivals;

/* Prepare arrivals from past jobs that arrived between `from` and `until`, sorted by
 * rising time of arrival. The draw was made from the same jobs; both are borrowed. Return
 * NULL if there is no memory. */
struct eqt_arrivals *eqt_arrivals_new(struct eqt_draw *draw,
				      const struct eqt_simulation_job *past,
				      size_t count, int64_t from,
				      int64_t until);
void eqt_arrivals_free(struct eqt_arrivals *arrivals);

/* Draw the jobs that arrive from `until` to until + length_s in the present future of the
 * draw. They are jobs of the past, at the same time of another day. For each user some
 * days are drawn repeatedly, so that some futures have more jobs than the past and others
 * fewer. A past of less than two days is cut into shorter parts, and the length of the
 * time in which jobs arrive is drawn as well. *out is sorted, and the caller frees it.
 * Return 0, or -1 if there is no memory. */
int eqt_arrivals_draw(struct eqt_arrivals *arrivals,
		      struct eqt_simulation_job **out, size_t *count,
		      int64_t length_s);

#endif
