/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * factors: the weighted sum that is the priority of a job.
 *
 * The factors are those of Slurm's multifactor priority, which Slurm's public page
 * describes. The weights are Slurm's keys PriorityWeight*. All types are plain values,
 * and nothing is allocated.
 */
#ifndef EQT_FACTORS_H
#define EQT_FACTORS_H

#include <stdbool.h>
#include <stdint.h>

/* The factors of a job, each from 0 to 1 unless a NO_NORMAL flag makes it a raw number.
 * After eqt_factors_weigh() they are points, which are factors times weights. */
struct eqt_factors {
	double age;
	double assoc;
	double fairshare;
	double size;
	double partition;
	double qos;
	/* Sum over all TRES in points, which eqt_factors_weigh() does not change. */
	double tres;
	int64_t site; /* points of the site factor, which may be negative */
	int64_t nice; /* points that are subtracted */
};

struct eqt_factor_weights {
	uint32_t age;
	uint32_t assoc;
	uint32_t fairshare;
	uint32_t size;
	uint32_t partition;
	uint32_t qos;
};

/* The input of the job size factor: the job and the cluster. */
struct eqt_factor_size {
	uint32_t cpus; /* CPUs of the job; 0 if they are not known */
	uint32_t nodes; /* the fewest nodes of the job */
	/* The time limit in minutes, for relative_to_time; 0 counts as 1. */
	uint32_t time_limit_min;
	uint32_t cluster_cpus;
	uint32_t cluster_nodes;
	bool favor_small; /* whether PriorityFavorSmall is set */
	/* Whether the flag SMALL_RELATIVE_TO_TIME is set. */
	bool relative_to_time;
	/* Whether the next two members replace CPUs and nodes. */
	bool by_equivalents;
	double equivalents; /* the job's price in equivalents */
	/* The size of the whole cluster in equivalents. */
	double cluster_equivalents;
};

/* Return the waiting time as a factor from 0 to 1: the seconds since accrue divided by
 * max_age_s, and at most 1. The factor is 0 if accrue is 0 or not before now. It is 1
 * if max_age_s is 0. */
double eqt_factors_age(int64_t now, int64_t accrue, uint32_t max_age_s);

/* Return the size of a job as a factor from 0 to 1. It is the mean of its fractions of
 * the cluster's nodes and CPUs or, with by_equivalents, its fraction of the
 * equivalents. It is 0 if the cluster has none of these. */
double eqt_factors_size(const struct eqt_factor_size *size);

/* Return the priority of an association or a QOS as a factor from 0 to 1, which is the
 * priority divided by the highest of all. It is 0 if that is 0. */
double eqt_factors_part(uint32_t priority, uint32_t most);

/*
 * Return the factor of one TRES, which is the job's count divided by the partition's
 * or, with raw, the count itself. Return `none` if one of the counts is 0.
 */
double eqt_factors_tres(uint64_t count, uint64_t all, bool raw, double none);

/*
 * Return the expansion factor from 0 to 1: (wait / limit) / (full - 1). wait is the
 * time since accrue, and limit is the time limit in minutes, where 0 counts as 1. full
 * is the value of (limit + wait) / limit for which the factor is 1; it must be above 1.
 * The factor is 0 if accrue is 0 or not before now.
 */
double eqt_factors_expansion(int64_t now, int64_t accrue, uint32_t limit_min,
			     double full);

/* Return the points of the site factor plus those for access and expansion, which sprio
 * shows together with it. The latter two are rounded to the nearest whole number. The
 * sum is limited to the 32 bits of Slurm's site factor. */
int64_t eqt_factors_site(int64_t site, double access, double expansion);

/* Multiply the six factors that have weights by their weights, in place. */
void eqt_factors_weigh(struct eqt_factors *points,
		       const struct eqt_factor_weights *weights);

/* Return the sum of age, assoc, fairshare, size, partition, qos, tres and site, minus
 * nice. The order is fixed, because it decides the last bit. */
double eqt_factors_sum(const struct eqt_factors *points);

/* Return a sum as a priority from 1 to 4294967295, because 0 would mean held. A NaN
 * becomes 1. */
uint32_t eqt_factors_clamp(double sum);

#endif
