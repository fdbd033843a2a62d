/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stretch: what a run costs. Each charge of a job adds its seconds to the present
 * stretch of its run; a resize or the end closes the stretch, and budgets settle what
 * the run owes. Decayed usage is charged beside it with the same seconds and the
 * same rate (job_charge.h).
 *
 * Locks of all functions: slurmctld's jobs for writing and assoc_mgr's as in
 * EQT_CHARGE_ASSOC_LOCKS.
 */
#ifndef EQT_STRETCH_H
#define EQT_STRETCH_H

#include "configuration.h"
#include "slurm/compat.h"
#include "usage/runs/runs.h"

/* Why a stretch ends. */
enum eqt_stretch_kind {
	EQT_STRETCH_RESIZE, /* the job goes on at another size */
	EQT_STRETCH_END, /* the run is over */
	EQT_STRETCH_HELD /* the job has held nodes after its end up to now */
};

/* The end of a stretch; a plain value. */
struct eqt_stretch_end {
	enum eqt_stretch_kind kind;
	bool holds; /* the run is over and holds nodes: EQT_STRETCH_HELD follows */
	const struct eqt_run *run;
	job_record_t *job; /* NULL: the record is gone, or is of another run */
};

/* Who settles run->owed_u when a stretch ends; arg is not owned. Any thread may ask
 * whether it is active. */
struct eqt_stretch_sink {
	bool (*active)(void *arg);
	void (*settle)(void *arg, const struct eqt_config *config,
		       const struct eqt_stretch_end *end);
	void *arg;
};

/* Seconds that a run is charged for: [from, to] without idle_s at its begin. A plain
 * value. */
struct eqt_stretch_part {
	time_t from;
	time_t to;
	time_t idle_s;
	double price;
	double factor;
};

/* A price with its factor in millionths of an equivalent, as budgets count, rounded up. A
 * rounding error of a double adds no millionth. */
uint64_t eqt_stretch_rate_u(double price, double factor);

/* Add seconds to the run's stretch, at the price that they have. */
void eqt_stretch_add(struct eqt_run *run, const struct eqt_stretch_part *part);

/* End the stretch of a run, which may be empty, and have all that it owes settled.
 * end->run is that run. */
void eqt_stretch_close(const struct eqt_stretch_sink *sink,
		       const struct eqt_config *config, struct eqt_run *run,
		       const struct eqt_stretch_end *end);

#endif
