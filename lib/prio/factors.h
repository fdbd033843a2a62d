/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * factors: the weighted sum that is a job's priority.
 *
 * Factors and their meaning are those of Slurm's multifactor priority (see
 * its public page); weights are Slurm's own PriorityWeight* keys. Plain
 * values; nothing allocates.
 */
#ifndef EQT_FACTORS_H
#define EQT_FACTORS_H

#include <stdbool.h>
#include <stdint.h>

/* Factors (0 .. 1 each, unless a NO_NORMAL flag makes them raw), or points
 * (factor times weight) after eqt_factors_weigh(). */
struct eqt_factors {
	double age;
	double assoc;
	double fairshare;
	double size;
	double partition;
	double qos;
	double tres; /* already weighted: the sum over all TRES */
	int64_t site; /* points, may be negative */
	int64_t nice; /* points that are taken away */
};

struct eqt_factor_weights {
	uint32_t age;
	uint32_t assoc;
	uint32_t fairshare;
	uint32_t size;
	uint32_t partition;
	uint32_t qos;
};

/* Input of the job size factor: the job and the cluster. */
struct eqt_factor_size {
	uint32_t cpus; /* of the job; 0: not known */
	uint32_t nodes; /* the fewest of the job */
	uint32_t time_limit_min; /* for relative_to_time; 0 counts as 1 */
	uint32_t cluster_cpus;
	uint32_t cluster_nodes;
	bool favor_small; /* PriorityFavorSmall */
	bool relative_to_time; /* SMALL_RELATIVE_TO_TIME */
	bool by_equivalents; /* use the next two instead of CPUs and nodes */
	double equivalents; /* of the job */
	double cluster_equivalents; /* of the whole cluster, in the same unit */
};

/* Waiting time as 0 .. 1: seconds since accrue over max_age_s, at most 1.
 * 0 when accrue is 0 or not before now; max_age_s == 0 counts as full age. */
double eqt_factors_age(int64_t now, int64_t accrue, uint32_t max_age_s);

/* The size of a job as 0 .. 1: the mean of its fractions of the cluster's nodes and CPUs,
 * or its fraction of the equivalents if *size has these. 0 if the cluster has none. */
double eqt_factors_size(const struct eqt_factor_size *size);

/* The priority of an association or a QOS as 0 .. 1: divided by the highest of
 * all; 0 when that is 0. */
double eqt_factors_part(uint32_t priority, uint32_t most);

/*
 * Factor of one TRES: the job's count divided by the partition's or, with raw,
 * the count itself. Returns none when one of the two is 0.
 */
double eqt_factors_tres(uint64_t count, uint64_t all, bool raw, double none);

/*
 * Expansion factor as 0 .. 1: (wait / limit) / (full - 1), where wait is the time
 * since accrue and limit the time limit (in minutes; 0 counts as 1). full is the
 * value of (limit + wait) / limit that gives 1; it must be above 1. Returns 0
 * when accrue is 0 or not before now.
 */
double eqt_factors_expansion(int64_t now, int64_t accrue, uint32_t limit_min,
			     double full);

/* The site factor's points plus two others that sprio shows with it, each rounded to
 * the nearest whole number, within what Slurm's site factor can hold (32 bits). */
int64_t eqt_factors_site(int64_t site, double access, double expansion);

/* Multiply the six weighted factors by their weights, in place. */
void eqt_factors_weigh(struct eqt_factors *points,
		       const struct eqt_factor_weights *weights);

/* The sum in the order age, assoc, fairshare, size, partition, qos, tres,
 * site, minus nice: the order fixes the last bit. */
double eqt_factors_sum(const struct eqt_factors *points);

/* A sum as a priority: 1 .. 4294967295; a NaN becomes 1. 0 would mean held. */
uint32_t eqt_factors_clamp(double sum);

#endif
