/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decay: exact half-life decay.
 *
 * A charge rate r over [a, b] gives, at time t, the usage that is the integral of
 * r * 2^(-(t - s) / half-life) ds over [a, b], however many passes lie between.
 * A half-life of 0 means no decay. Nothing allocates; time is an argument.
 */
#ifndef EQT_DECAY_H
#define EQT_DECAY_H

#include <stdint.h>

/*
 * The factor by which usage is multiplied when seconds pass:
 * 2^(-seconds / half_life_s). 1 for half_life_s == 0 or seconds <= 0. Never 0 and
 * never a denormal double: at least DBL_MIN.
 */
long double eqt_decay_factor(uint32_t half_life_s, double seconds);

/*
 * Seconds [from, to] of a job as they count at time ref:
 * the integral of 2^((s - ref) / half_life_s) ds. ref may lie before, in or
 * after the interval (before: the result is larger than to - from, and
 * decaying it to a later time gives that time's closed form). to <= from
 * gives 0; half_life_s == 0 gives to - from. Relative error below 1e-15; finite,
 * at most LDBL_MAX.
 */
long double eqt_decay_seconds(uint32_t half_life_s, int64_t from, int64_t to,
			      int64_t ref);

/*
 * The same two as Slurm's priority/multifactor computes them, to the last bit.
 * The factor is (1 - 0.693 / half_life_s) to the power of seconds, at least
 * DBL_MIN. A period counts as if all of it lay at its beginning, that is seconds
 * times the factor. seconds < 0 gives 1 and 0.
 */
double eqt_decay_stock_factor(uint32_t half_life_s, double seconds);
double eqt_decay_stock_seconds(uint32_t half_life_s, double seconds);

#endif
