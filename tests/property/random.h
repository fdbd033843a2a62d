/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * random: splitmix64, so that a printed seed replays a failed property on any
 * machine. Not for secrets.
 */
#ifndef EQT_TESTS_RANDOM_H
#define EQT_TESTS_RANDOM_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* A plain value: every s is a good seed. */
struct eqt_random {
	uint64_t s;
};

/* The seed of a run: EQT_SEED of the environment, else this one. It is printed. */
static inline uint64_t eqt_random_seed(uint64_t seed)
{
	const char *given = getenv("EQT_SEED");

	if (given)
		seed = strtoull(given, NULL, 10);
	printf("EQT_SEED=%" PRIu64 "\n", seed);
	return seed;
}

/* The next number, 0 .. UINT64_MAX. */
static inline uint64_t eqt_random_next(struct eqt_random *random)
{
	uint64_t z = (random->s += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* 0 .. n - 1, all numbers equally likely; 0 for n == 0. */
static inline uint64_t eqt_random_below(struct eqt_random *random, uint64_t n)
{
	uint64_t bias, x;

	if (n == 0)
		return 0;
	bias = (UINT64_MAX - n + 1) % n;	/* 2^64 mod n */
	do {
		x = eqt_random_next(random);
	} while (x < bias);
	return x % n;
}

#endif
