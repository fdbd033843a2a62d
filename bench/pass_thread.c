/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pass_thread.h"

static bool has_name(const char *path, const char *name)
{
	char line[32] = "";
	FILE *file = fopen(path, "r");

	if (!file)
		return false;
	if (fgets(line, sizeof(line), file))
		line[strcspn(line, "\n")] = '\0';
	(void) fclose(file);
	return strcmp(line, name) == 0;
}

bool pass_thread_named(struct pass_thread *out, const char *processes,
		       const char *name)
{
	bool found = false;
	char pattern[64];
	glob_t all;

	(void) snprintf(pattern, sizeof(pattern), "/proc/%s/task/[0-9]*/comm",
			processes);
	if (glob(pattern, 0, NULL, &all) != 0)
		return false;
	for (size_t i = 0; i < all.gl_pathc && !found; i++) {
		const char *path = all.gl_pathv[i];

		found = has_name(path, name);
		if (found)
			(void) snprintf(out->path, sizeof(out->path),
					"%.*s/schedstat",
					(int) (strrchr(path, '/') - path),
					path);
		if (found)
			out->process = atoi(path + strlen("/proc/"));
	}
	globfree(&all);
	return found;
}

/* As the threads call themselves: ours, Slurm's own. */
bool pass_thread_find(struct pass_thread *out)
{
	return pass_thread_named(out, "[0-9]*", "eqt_pass") ||
	       pass_thread_named(out, "[0-9]*", "decay");
}

uint64_t pass_thread_ns(const struct pass_thread *thread)
{
	FILE *file = fopen(thread->path, "r");
	uint64_t ns = 0;

	if (!file || fscanf(file, "%" SCNu64, &ns) != 1) {
		fprintf(stderr, "%s cannot be read\n", thread->path);
		exit(2);
	}
	(void) fclose(file);
	return ns;
}
