/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arrivals: how many new jobs a forecast has, and which. They are drawn from the jobs of
 * the past. A young cluster has a short past, which says little about the next hours. */
#ifndef EQT_SIMULATION_ARRIVALS_H
#define EQT_SIMULATION_ARRIVALS_H

#include "sim/draw.h"

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
