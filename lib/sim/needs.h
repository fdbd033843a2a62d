/* SPDX-License-Identifier: GPL-2.0-or-later */
/* needs: what a simulated job needs besides its size, such as room within limits,
 * certain nodes, or the end of other jobs. simulation.h includes it. */
#ifndef EQT_SIMULATION_NEEDS_H
#define EQT_SIMULATION_NEEDS_H

#include <stdbool.h>
#include <stdint.h>

/* An amount that a job takes of a limit: while it runs, such as a job, CPUs or licences,
 * or for good, such as hours of a budget. */
struct eqt_simulation_use {
	uint32_t limit; /* index into limits of the simulation */
	/* The seconds for which the amount pays, if the job spends the amount.
	 * Such a job takes the amount before it is queued, and gets back the
	 * part for seconds in which it did not run. 0 means that the job takes
	 * the amount only while it runs. */
	uint32_t paid_s;
	uint64_t amount;
};

/* A change of a limit that jobs spend, such as the refill of a budget. */
struct eqt_simulation_renewal {
	int64_t at;
	uint32_t limit;
	/* At the change, at most `keeps` of what is left stays, and `adds` is
	 * added. Unless all of it stays, jobs that took their amounts before
	 * get nothing back. */
	uint64_t keeps, adds;
};

#define EQT_SIMULATION_KEEPS_ALL UINT64_MAX

/* Nodes that only jobs of a reservation may use for a time. */
struct eqt_simulation_reservation {
	int64_t from, to;
	const uint64_t *nodes; /* node i is bit i % 64 of word i / 64 */
};

/* The needs of a job, which many jobs may share. A plain value; all pointers are
 * borrowed. */
struct eqt_simulation_needs {
	const struct eqt_simulation_use *uses;
	uint32_t use_count;
	/* A bit for each node that the job can use. NULL means all nodes. */
	const uint64_t *nodes;
	/* 1 + index of the reservation in which the job runs; 0 if there is none. */
	int reservation;
	bool exclusive; /* whether the job gets whole nodes */
	/* Whether the job has taken what it spends before the simulation begins, so that
	 * limits do not include it. The same is true if `on` is set. */
	bool paid;
	/* Whether it is enough that the jobs of `after` have started. */
	bool after_start;
	const uint32_t *after; /* indices of jobs that must have ended */
	uint32_t after_count;
	int64_t begin; /* the earliest start of the job */
	/* The nodes of a job that has been running since job->start when the simulation
	 * begins, one for each of job->nodes. NULL means that the job waits. */
	const uint32_t *on;
	/* The priority with which the job begins. After that it changes by the same
	 * points as the computed priority. 0 means the computed priority, shifted by
	 * the median of the other jobs' differences. */
	uint32_t priority;
};

#endif
