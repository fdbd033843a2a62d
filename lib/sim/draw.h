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

#define EQT_DRAW_YOUNG_S (2 * 86400) /* less history makes a guess */

/* Like jobs: of the same user and limit, of the same account and limit, of the same
 * limit. A limit is the same within a factor of two. */
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

/* Jobs that came from that time to until, sorted by rising time of arrival, with limit_s
 * and run_s; 0 for one that has not ended. Borrowed, like the tree, which has their
 * accounts. NULL: out of memory. */
struct eqt_draw *eqt_draw_new(const struct eqt_simulation_job *past,
			      size_t count, int64_t from, int64_t until,
			      const struct eqt_tree_input *tree);
void eqt_draw_free(struct eqt_draw *draw);

/* The like jobs of a job that has run so long (0: it waits). */
struct eqt_draw_like eqt_draw_find(const struct eqt_draw *draw,
				   const struct eqt_simulation_job *job,
				   uint32_t elapsed_s);

/* Begin another future: all that is drawn depends on seed and number alone. */
void eqt_draw_begin(struct eqt_draw *draw, uint64_t seed, uint64_t number);

/* Within a future: what is guessed from here on depends on the job alone. */
void eqt_draw_restart(struct eqt_draw *draw, uint64_t job);

/* Do the jobs of a user spread over any nodes in this future? Slurm does not tell who
 * asked for a number of nodes: half of the users did. */
bool eqt_draw_spreads(const struct eqt_draw *draw, uint32_t user);

/* How long the job will have run when it ends: more than elapsed_s, and up to its
 * limit. Without like jobs all of a user with such a limit use a similar part of it. */
uint32_t eqt_draw_length(struct eqt_draw *draw,
			 const struct eqt_draw_like *like,
			 const struct eqt_simulation_job *job,
			 uint32_t elapsed_s);

/* The jobs that come from until to until + length_s: those of the past, at the same
 * time of another day. Of each user some days are drawn, again and again, so that there
 * are futures with more and with less than came in the past. Of a past below two days
 * shorter parts are, and how long they come at all is drawn, too. Sorted; malloc()ed into *out. 0, or -1: out of memory. */
int eqt_draw_arrivals(struct eqt_draw *draw, struct eqt_simulation_job **out,
		      size_t *count, int64_t length_s);

#endif
