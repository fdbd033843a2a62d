/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "controller.h"
#include "pass_thread.h"

#define LOOK_MS 50
#define LOOKS_MAX 100
#define CALM_LOOKS 3
#define CALM_NS 500000

/* As slurmctld's threads that serve a connection call themselves. */
static const char serving[] = "srvcn\n";

bool controller_find(struct controller *out)
{
	struct pass_thread thread;

	if (!pass_thread_find(&thread))
		return false;
	out->process = thread.process;
	return true;
}

/* The first line of a file of a thread, which may be gone. */
static bool read_line(const char *folder, const char *name, char line[64])
{
	char path[320];
	FILE *file;
	bool read;

	(void) snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "r");
	if (!file)
		return false;
	read = fgets(line, 64, file) != NULL;
	(void) fclose(file);
	return read;
}

static uint64_t staying_ns(const struct controller *controller)
{
	uint64_t sum = 0;
	char pattern[64], line[64];
	glob_t all;

	(void) snprintf(pattern, sizeof(pattern), "/proc/%d/task/[0-9]*",
			controller->process);
	if (glob(pattern, GLOB_NOSORT, NULL, &all) != 0)
		return 0;
	for (size_t i = 0; i < all.gl_pathc; i++)
		if (read_line(all.gl_pathv[i], "comm", line) &&
		    strcmp(line, serving) != 0 &&
		    read_line(all.gl_pathv[i], "schedstat", line))
			sum += strtoull(line, NULL, 10);
	globfree(&all);
	return sum;
}

static uint64_t all_ns(const struct controller *controller)
{
	struct timespec ran;
	clockid_t clock;

	if (clock_getcpuclockid(controller->process, &clock) != 0 ||
	    clock_gettime(clock, &ran) != 0) {
		fputs("slurmctld's time cannot be read\n", stderr);
		exit(2);
	}
	return (uint64_t) ran.tv_sec * 1000000000 + (uint64_t) ran.tv_nsec;
}

/* The tenth word of /proc/PID/stat; the second is the name. */
static uint64_t faults_of(const struct controller *controller)
{
	char path[64];
	uint64_t faults = 0;
	FILE *file;

	(void) snprintf(path, sizeof(path), "/proc/%d/stat",
			controller->process);
	file = fopen(path, "r");
	if (!file)
		return 0;
	if (fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %" SCNu64,
		   &faults) != 1)
		faults = 0;
	(void) fclose(file);
	return faults;
}

struct controller_time controller_time(const struct controller *controller)
{
	struct controller_time time = { .all = all_ns(controller),
					.faults = faults_of(controller) };

	time.serving = time.all - staying_ns(controller);
	return time;
}

void controller_await_calm(const struct controller *controller)
{
	const struct timespec pause = { 0, LOOK_MS * 1000000L };
	uint64_t before = all_ns(controller);
	int calm = 0;

	for (int i = 0; i < LOOKS_MAX && calm < CALM_LOOKS; i++) {
		uint64_t now;

		nanosleep(&pause, NULL);
		now = all_ns(controller);
		calm = now - before < CALM_NS ? calm + 1 : 0;
		before = now;
	}
}
