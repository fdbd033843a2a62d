/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submit: what a call of a submission plugin costs, in one process, in turns:
 * ours, one in Lua that does the same sums, and none.
 *
 * Each figure is a line on standard output: what, then ours and the other's.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../plugins/common/elapsed.h"
#include "../tests/host/cluster.h"
#include "../tests/host/fail.h"
#include "../tests/submit/desc.h"
#include "../tests/submit/stage.h"

#define PLUGINS 2
#define CALLS 20000 /* in a row of one plugin */
#define TURNS 9

/* What job_submit/lua wants of slurmctld beside what ours wants. */
List resv_list;
time_t last_resv_update;

struct plugin {
	const char *path;
	int (*submit)(job_desc_msg_t *desc, uint32_t uid, char **err_msg);
	int64_t took_ns[TURNS * CALLS];
};

static struct plugin plugins[PLUGINS];

static void *symbol(void *handle, const char *name)
{
	void *found = dlsym(handle, name);

	if (!found)
		fail("there is no %s", name);
	return found;
}

static void load(struct plugin *plugin)
{
	void *handle = dlopen(plugin->path, RTLD_LAZY);
	int (*init)(void);
	void *found;

	if (!handle)
		fail("%s", dlerror());
	found = symbol(handle, "init");
	memcpy(&init, &found, sizeof(init));
	found = symbol(handle, "job_submit");
	memcpy(&plugin->submit, &found, sizeof(plugin->submit));
	if (init() != SLURM_SUCCESS)
		fail("%s refuses to start", plugin->path);
}

/* The job's price must be in the message: both are to have done the work. */
static int64_t call(struct plugin *plugin)
{
	char *message = NULL;
	struct timespec start;
	job_desc_msg_t desc;
	int64_t took_ns;
	int rc;

	desc_plain(&desc);
	desc.time_limit = 60;
	start = eqt_elapsed_start();
	rc = plugin->submit(&desc, desc.user_id, &message);
	took_ns = eqt_elapsed_ns(&start);
	if (rc != SLURM_SUCCESS || !message || !strstr(message, "2.5"))
		fail("%s says %s", plugin->path, message);
	xfree(message);
	desc_free(&desc);
	return took_ns;
}

static int compare(const void *x, const void *y)
{
	const int64_t *a = x, *b = y;

	return *a < *b ? -1 : *a > *b;
}

static void print(const char *what, size_t permille)
{
	printf("%s", what);
	for (int i = 0; i < PLUGINS; i++)
		printf("\t%" PRId64,
		       plugins[i].took_ns[TURNS * CALLS * permille / 1000]);
	putchar('\n');
}

int main(int argc, char **argv)
{
	log_options_t log = LOG_OPTS_STDERR_ONLY;
	char name[] = "slurmctld"; /* as which a plugin must find itself */

	if (argc != 2 + PLUGINS) {
		fputs("usage: submit FOLDER OURS.so LUA.so\n", stderr);
		return 2;
	}
	log.stderr_level = LOG_LEVEL_ERROR;
	(void) log_init(name, log, SYSLOG_FACILITY_DAEMON, NULL);
	stage_set(argv[1]);
	for (int i = 0; i < PLUGINS; i++) {
		plugins[i].path = argv[2 + i];
		load(&plugins[i]);
	}
	for (int turn = 0; turn < TURNS; turn++)
		for (int i = 0; i < PLUGINS; i++)
			for (int n = 0; n < CALLS; n++)
				plugins[i].took_ns[turn * CALLS + n] =
					call(&plugins[i]);
	for (int i = 0; i < PLUGINS; i++)
		qsort(plugins[i].took_ns, TURNS * CALLS, sizeof(int64_t),
		      compare);
	print("p50_ns", 500);
	print("p99_ns", 990);
	return 0;
}
