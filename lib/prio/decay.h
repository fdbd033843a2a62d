/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decay: exact half-life decay.
 *
 * A charge with the rate r from time a to time b is, at time t, a usage of the integral
 * of r * 2^(-(t - s) / half-life) ds from a to b. The result does not depend on the
 * number of passes in between. A half-life of 0 means that usage does not decay.
 * Nothing is allocated, and times are arguments.
 */
#ifndef EQT_DECAY_H
#define EQT_DECAY_H

#include <stdint.h>

/*
 * Return the factor by which usage is multiplied when this many seconds pass:
 * 2^(-seconds / half_life_s). It is 1 if half_life_s is 0 or seconds is not above 0. It
 * is at least DBL_MIN, so that it is neither 0 nor a denormal double.
 */
long double eqt_decay_factor(uint32_t half_life_s, double seconds);

/*
 * Return the seconds from `from` to `to` with their weight at time ref, which is the
 * integral of 2^((s - ref) / half_life_s) ds. ref may be before, in or after the
 * interval. If ref is before the interval, the result is larger than to - from, and
 * decaying it to a later time gives the same result as that time as ref. The result is
 * 0 if to <= from, and to - from if half_life_s is 0. The relative error is below
 * 1e-15. The result is finite and at most LDBL_MAX.
 */
long double eqt_decay_seconds(uint32_t half_life_s, int64_t from, int64_t to,
			      int64_t ref);

/*
 * Compute the factor and the seconds as Slurm's priority/multifactor does, to the last
 * bit. The factor is (1 - 0.693 / half_life_s) to the power of seconds, and at least
 * DBL_MIN. The seconds count as if all of them were at the beginning of the period:
 * they are multiplied by the factor. If seconds is below 0, the results are 1 and 0.
 */
double eqt_decay_stock_factor(uint32_t half_life_s, double seconds);
double eqt_decay_stock_seconds(uint32_t half_life_s, double seconds);

#endif
