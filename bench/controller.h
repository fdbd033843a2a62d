/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * controller: the slurmctld of the sandbox, and its time on processors.
 */
#ifndef EQT_BENCH_CONTROLLER_H
#define EQT_BENCH_CONTROLLER_H

#include <stdbool.h>
#include <stdint.h>

struct controller {
	int process; /* its id */
};

/* Nanoseconds on processors, and pages, since the start. */
struct controller_time {
	uint64_t all;
	/* Without the threads that stay: those that save the state, make passes,
	 * look for work or talk to slurmdbd. What is left served connections, each
	 * in a thread of its own. */
	uint64_t serving;
	uint64_t faults; /* no disk was asked for */
};

/* Find it among all processes; false if there is none. */
bool controller_find(struct controller *out);

/* Ends the program when it cannot be read. */
struct controller_time controller_time(const struct controller *controller);

/* Wait until it has next to nothing to do, five seconds at most. */
void controller_await_calm(const struct controller *controller);

#endif
