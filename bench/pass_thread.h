/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass_thread: the thread of a running slurmctld that does the priority passes,
 * ours or that of Slurm's own plugin, and its time on a processor.
 */
#ifndef EQT_BENCH_PASS_THREAD_H
#define EQT_BENCH_PASS_THREAD_H

#include <stdbool.h>
#include <stdint.h>

struct pass_thread {
	char path[320]; /* of its schedstat */
	int process; /* slurmctld's id */
};

/* Find it among all processes by its name; false if there is none. */
bool pass_thread_find(struct pass_thread *out);

/* The same for a thread of that name, in processes by their ids, a pattern, or in
 * "self". */
bool pass_thread_named(struct pass_thread *out, const char *processes,
		       const char *name);

/* Nanoseconds that it was on a processor since it began; ends the program when
 * that cannot be read. Many threads may ask. */
uint64_t pass_thread_ns(const struct pass_thread *thread);

#endif
