/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_recover: when a Level FS is back at 1.
 *
 * Level FS is S / U, U being the node's part of what its level used. Usage
 * halves each half-life, that of all siblings alike: a node that runs nothing
 * recovers only by what the others run meanwhile. So two answers, for the
 * others' usage at two levels. Plain values; nothing allocates.
 */
#ifndef EQT_RECOVER_H
#define EQT_RECOVER_H

#include <stdint.h>

/*
 * Seconds until S / U is 1 when the node runs nothing and the level's usage
 * as a whole stays what it is: the others take what it leaves.
 * half-life * log2(U / S). 0 when S / U is 1 or more, INFINITY for never: no
 * shares, or half_life_s == 0, which is no decay.
 */
long double eqt_recover_taken(uint32_t half_life_s, long double shares_norm,
			      long double usage_efctv);

/*
 * The same when the others run just as much as they did, so that their usage
 * stays what it is and the level's falls. Never also when they used nothing.
 * Not less than eqt_recover_taken().
 */
long double eqt_recover_steady(uint32_t half_life_s, long double shares_norm,
			       long double usage_efctv);

#endif
