/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Simulations that begin in the middle of a cluster's life. */
#ifndef EQT_SIMULATION_NOW_H
#define EQT_SIMULATION_NOW_H

#include "simulation_fixture.h"

#define NOW 1000000

static uint64_t limits[2];
static struct eqt_simulation_reservation reservations[1];
static const uint32_t first_node[] = { 0 };

static inline struct eqt_simulation simulation(struct eqt_simulation_job *jobs,
					size_t count, uint32_t node_count)
{
	return (struct eqt_simulation){
		.cluster = { .nodes = nodes,
			     .node_count = node_count,
			     .partitions = partitions,
			     .partition_count = 2 },
		.tree = tree,
		.tree_count = TREE,
		.jobs = jobs,
		.count = count,
		.from = NOW,
		.limits = limits,
		.limit_count = 2,
		.reservations = reservations,
		.reservation_count = reservations[0].to ? 1 : 0,
	};
}

static void setup_now(void)
{
	setup();
	limits[0] = limits[1] = UINT64_MAX;
	reservations[0] = (struct eqt_simulation_reservation){ .to = 0 };
}

#endif
