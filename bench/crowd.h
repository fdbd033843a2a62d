/* SPDX-License-Identifier: GPL-2.0-or-later */
/* crowd: a share tree and jobs of any number for the stand-in slurmctld, the same
 * ones each time. */
#ifndef EQT_BENCH_CROWD_H
#define EQT_BENCH_CROWD_H

#include <stdbool.h>
#include <stdint.h>

#define CROWD_PARTITIONS_MAX 100

struct crowd {
	uint32_t assocs; /* accounts and users, root among them */
	uint32_t pending;
	uint32_t running;
	uint32_t period_min; /* between passes; 0: five */
	bool no_decay; /* half-life 0: a pass without jobs only ranks */
	uint32_t partitions; /* that each job names; 0: one of three */
	const char *conf; /* a line of equitree.conf more; NULL: none */
	bool aged; /* records lie in memory as after days of ends and arrivals */
};

/* slurm.conf, equitree.conf, partitions, QOS and the share tree. Once. */
void crowd_tree(const struct crowd *crowd);

/* How many there are: u0, u1, ... in a0, a1, ..., and again from a0 on. */
uint32_t crowd_users(const struct crowd *crowd);
uint32_t crowd_accounts(const struct crowd *crowd);

/* The jobs; a plugin is loaded. Once. */
void crowd_jobs(const struct crowd *crowd);

/* Replace one in a hundred of the waiting jobs, at random. After crowd_jobs(). */
void crowd_replace(const struct crowd *crowd);

/* One job of such a crowd; a plugin is loaded. */
void crowd_submit(const struct crowd *crowd, uint32_t id);

#endif
