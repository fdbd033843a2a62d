/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The operands, their types and their order are those of Slurm's multifactor priority,
 * so that results agree to the last bit.
 */
#include <math.h>

#include "prio/factors.h"

/* In Slurm, an accrue time of 0 means that the job does not age yet. */
double eqt_factors_age(int64_t now, int64_t accrue, uint32_t max_age_s)
{
	int64_t waited;

	if (!accrue)
		return 0;
	if (now <= accrue)
		return max_age_s ? 0 : 1;
	if (__builtin_sub_overflow(now, accrue, &waited) ||
	    waited >= (int64_t) max_age_s)
		return 1;
	return (double) waited / (double) max_age_s;
}

/* Return the part of the cluster that the job takes or, with PriorityFavorSmall, the
 * part that it leaves. */
static double cluster_part(uint32_t job, uint32_t cluster, bool left)
{
	/* As in Slurm, the difference wraps for a job that is larger than the cluster.
	 * Such a job cannot start. */
	return (double) (left ? cluster - job : job) / (double) cluster;
}

/* Return the mean of the parts of nodes and CPUs. */
static double size_plain(const struct eqt_factor_size *size)
{
	bool left = size->favor_small;
	double nodes = cluster_part(size->nodes, size->cluster_nodes, left);

	if (!size->cpus)
		return nodes;
	return (nodes + cluster_part(size->cpus, size->cluster_cpus, left)) / 2;
}

/* Return the CPUs of the job per minute of its time limit. Each node counts at least as
 * many CPUs as an average node. */
static double size_relative(const struct eqt_factor_size *size)
{
	double result = (double) size->nodes * (double) size->cluster_cpus /
			(double) size->cluster_nodes;

	if (size->cpus > result)
		result = (double) size->cpus;
	result /= size->time_limit_min ? size->time_limit_min : 1;
	result /= size->cluster_cpus;
	return size->favor_small ? 1.0 - result : result;
}

/* Return the part of the cluster's equivalents. With relative_to_time, it is divided by
 * the minutes of the time limit. */
static double size_in_equivalents(const struct eqt_factor_size *size)
{
	double result = size->equivalents / size->cluster_equivalents;

	if (size->relative_to_time && size->time_limit_min)
		result /= size->time_limit_min;
	return size->favor_small ? 1.0 - result : result;
}

/* Return the size by the rule that slurm.conf and size_by select. It is 0 if the
 * cluster has no nodes. */
static double size_by_kind(const struct eqt_factor_size *size)
{
	if (size->by_equivalents)
		return size->cluster_equivalents > 0 ? size_in_equivalents(size)
						     : 0;
	if (!size->cluster_nodes || !size->cluster_cpus)
		return 0;
	return size->relative_to_time ? size_relative(size) : size_plain(size);
}

double eqt_factors_size(const struct eqt_factor_size *size)
{
	double result = size_by_kind(size);

	if (!(result > 0)) /* the condition is also true for a NaN */
		return 0;
	return result > 1 ? 1 : result;
}

double eqt_factors_part(uint32_t priority, uint32_t most)
{
	return most ? (double) priority / (double) most : 0;
}

double eqt_factors_tres(uint64_t count, uint64_t all, bool raw, double none)
{
	if (raw)
		return (double) count;
	return count && all ? (double) count / (double) all : none;
}

/* The expansion is (limit + wait) / limit. A value of 1 means that the job has not
 * waited and gives 0. The value `full` gives 1. */
double eqt_factors_expansion(int64_t now, int64_t accrue, uint32_t limit_min,
			     double full)
{
	double limit_s = (limit_min ? limit_min : 1) * 60.0, result;

	if (!accrue || now <= accrue)
		return 0;
	result = ((double) now - (double) accrue) / limit_s / (full - 1);
	return result > 1 ? 1 : result;
}

int64_t eqt_factors_site(int64_t site, double access, double expansion)
{
	double sum = (double) site;

	/* Without equal access and expansion, as on most sites, each job saves two calls
	 * of the mathematics library. */
	if (access != 0)
		sum += round(access);
	if (expansion != 0)
		sum += round(expansion);
	if (sum > (double) INT32_MAX)
		return INT32_MAX;
	return sum < (double) INT32_MIN ? INT32_MIN : (int64_t) sum;
}

void eqt_factors_weigh(struct eqt_factors *points,
		       const struct eqt_factor_weights *weights)
{
	points->age *= weights->age;
	points->assoc *= weights->assoc;
	points->fairshare *= weights->fairshare;
	points->size *= weights->size;
	points->partition *= weights->partition;
	points->qos *= weights->qos;
}

double eqt_factors_sum(const struct eqt_factors *points)
{
	double sum = points->age;

	sum += points->assoc;
	sum += points->fairshare;
	sum += points->size;
	sum += points->partition;
	sum += points->qos;
	sum += points->tres;
	sum += (double) points->site;
	sum -= (double) points->nice;
	return sum;
}

/* A priority of 0 would mean that the job is held. */
uint32_t eqt_factors_clamp(double sum)
{
	if (!(sum >= 1)) /* the condition is also true for a NaN */
		return 1;
	if (sum >= (double) UINT32_MAX)
		return UINT32_MAX;
	return (uint32_t) sum;
}
