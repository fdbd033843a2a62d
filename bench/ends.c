/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ends: what the ends and starts of jobs cost inside slurmctld with two priority plugins,
 * one after the other, with a pass each minute. Each begins without files.
 *
 * The stand-in slurmctld lives in real time here: so many jobs in each second are
 * submitted, started, and end after some seconds, at an even pace. Each figure is a line
 * on standard output: how many jobs a second, for how many seconds, what, and the value
 * with each plugin, in the order of the command line.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../tests/host/clock.h"
#include "../tests/host/cluster.h"
#include "../tests/host/fail.h"
#include "../tests/host/history.h"
#include "../tests/host/jobs.h"
#include "../tests/host/locks.h"
#include "../tests/host/plugin.h"
#include "crowd.h"

#define PLUGINS 2
#define PERIOD_S 60
#define RUN_S 10 /* of each job */
#define SECOND_NS INT64_C(1000000000)

/* Of one hook, in processor time of the thread that calls it, which holds the job lock
 * for writing. */
struct hook {
	int64_t count, sum_ns, longest_ns;
};

enum figure {
	END_NS,
	END_LONGEST_NS,
	SET_NS,
	SET_LONGEST_NS,
	THREADS_NS, /* of the plugin's threads, for each job */
	WRITTEN_BYTES, /* by all, for each job */
	JOURNAL_BYTES, /* the largest size of both files */
	PASSES,
	PASS_LONGEST_MS, /* from when it is due until it is saved */
	LATE_MS, /* how far the program fell behind */
	FIGURES
};

static const char *const figure_names[FIGURES] = {
	"end_ns",	   "end_longest_ns", "set_ns",	      "set_longest_ns",
	"threads_ns",	   "written_bytes",  "journal_bytes", "passes",
	"pass_longest_ms", "late_ms",
};

static struct {
	struct crowd crowd;
	char folder[PATH_MAX];
	uint32_t seconds, rate;
	uint32_t first_id, next_id; /* not ended; not submitted */
	struct hook set, end;
	int64_t value[FIGURES][PLUGINS];
} bench = { .crowd = { .assocs = 1000, .period_min = 1 },
	    .next_id = 1,
	    .first_id = 1 };

void fail(const char *format, ...)
{
	va_list args;

	fputs("ends: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	_exit(2);
}

/* ---- The machine's own clocks; those of the program are the stand-in's -------- */

static int64_t clock_ns(clockid_t clock)
{
	struct timespec now = { 0 };

	(void) syscall(SYS_clock_gettime, clock, &now);
	return now.tv_sec * SECOND_NS + now.tv_nsec;
}

static void pause_until(int64_t ns)
{
	const struct timespec until = { ns / SECOND_NS, ns % SECOND_NS };

	(void) syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME,
		       &until, NULL);
}

/* ---- The hooks ----------------------------------------------------------------- */

uint32_t __real_host_plugin_set(uint32_t last_prio, job_record_t *job);
void __real_host_plugin_job_end(job_record_t *job);
uint32_t __wrap_host_plugin_set(uint32_t last_prio, job_record_t *job);
void __wrap_host_plugin_job_end(job_record_t *job);

static void hook_note(struct hook *hook, int64_t began_ns)
{
	const int64_t took = clock_ns(CLOCK_THREAD_CPUTIME_ID) - began_ns;

	hook->count++;
	hook->sum_ns += took;
	if (took > hook->longest_ns)
		hook->longest_ns = took;
}

uint32_t __wrap_host_plugin_set(uint32_t last_prio, job_record_t *job)
{
	const int64_t began = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	uint32_t priority = __real_host_plugin_set(last_prio, job);

	hook_note(&bench.set, began);
	return priority;
}

void __wrap_host_plugin_job_end(job_record_t *job)
{
	const int64_t began = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	__real_host_plugin_job_end(job);
	hook_note(&bench.end, began);
}

/* ---- Jobs ---------------------------------------------------------------------- */

static void event(const char *format, ...)
{
	char line[64];
	va_list args;

	va_start(args, format);
	(void) vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	history_event(line);
}

static int has_ended(void *item, void *arg)
{
	const job_record_t *job = item;

	(void) arg;
	return IS_JOB_FINISHED(job);
}

static void purge(void)
{
	lock_slurmctld(LOCKS_JOBS);
	(void) list_delete_all(job_list, has_ended, NULL);
	unlock_slurmctld(LOCKS_JOBS);
}

static void one_more(bool ends)
{
	crowd_submit(&bench.crowd, bench.next_id);
	event("start %u", bench.next_id++);
	if (ends)
		event("end %u", bench.first_id++);
}

/* ---- Files --------------------------------------------------------------------- */

static struct stat state_file(const char *name)
{
	char path[PATH_MAX];
	struct stat st = { 0 };

	(void) snprintf(path, sizeof(path), "%.4000s/state/%s", bench.folder,
			name);
	(void) stat(path, &st);
	return st;
}

static int64_t written_bytes(void)
{
	FILE *file = fopen("/proc/self/io", "r");
	int64_t bytes = 0;

	if (!file || fscanf(file, "rchar: %*d wchar: %" SCNd64, &bytes) != 1)
		fail("/proc/self/io cannot be read");
	(void) fclose(file);
	return bytes;
}

/* When the last pass was saved: ours by its snapshot, Slurm's by its time. */
static int64_t saved_ns(void)
{
	struct stat st = state_file("equitree_usage");

	if (!st.st_ino)
		st = state_file("priority_last_decay_ran");
	return st.st_mtim.tv_sec * SECOND_NS + st.st_mtim.tv_nsec;
}

/* ---- Measuring ----------------------------------------------------------------- */

static void most(int64_t *value, int64_t candidate)
{
	if (candidate > *value)
		*value = candidate;
}

/* The second now begins, in real time. */
struct second {
	int plugin;
	int64_t due_ns; /* of the last pass, real; 0: it is saved */
	int64_t saved_ns;
};

static void second_begin(struct second *now, uint32_t number)
{
	const int64_t saved = saved_ns();

	if (now->due_ns && saved != now->saved_ns) {
		most(&bench.value[PASS_LONGEST_MS][now->plugin],
		     (saved - now->due_ns) / 1000000);
		bench.value[PASSES][now->plugin]++;
		now->due_ns = 0;
	}
	if (number % PERIOD_S == 0 && !now->due_ns) {
		now->due_ns = clock_ns(CLOCK_REALTIME);
		now->saved_ns = saved;
	}
	clock_advance(1);
	most(&bench.value[JOURNAL_BYTES][now->plugin],
	     state_file("equitree_journal").st_size +
		     state_file("equitree_journal.old").st_size);
}

static void live(int plugin)
{
	const int64_t start = clock_ns(CLOCK_MONOTONIC);
	struct second now = { .plugin = plugin };

	for (uint32_t second = 1; second <= bench.seconds; second++) {
		second_begin(&now, second);
		for (uint32_t i = 0; i < bench.rate; i++) {
			one_more(second > RUN_S);
			pause_until(start + (second - 1) * SECOND_NS +
				    i * SECOND_NS / bench.rate);
		}
		purge();
		most(&bench.value[LATE_MS][plugin],
		     (clock_ns(CLOCK_MONOTONIC) - start -
		      (int64_t) second * SECOND_NS) /
			     1000000);
		pause_until(start + (int64_t) second * SECOND_NS);
	}
	/* A pass that is still due is late by what there is so far. */
	if (now.due_ns)
		second_begin(&now, 1);
	if (now.due_ns)
		most(&bench.value[PASS_LONGEST_MS][plugin],
		     (clock_ns(CLOCK_REALTIME) - now.due_ns) / 1000000);
}

static void measure(const char *path, int plugin)
{
	int64_t process_ns, caller_ns, written, jobs;
	char state[PATH_MAX], used[PATH_MAX];

	(void) snprintf(state, sizeof(state), "%.4000s/state", bench.folder);
	(void) snprintf(used, sizeof(used), "%.4000s/used", bench.folder);
	(void) rename(state, used);
	(void) mkdir(state, 0700);
	host_plugin_file(path);
	event("run");
	bench.set = bench.end = (struct hook){ 0 };
	clock_hurry(true);
	process_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	caller_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	written = written_bytes();
	live(plugin);
	clock_hurry(false);
	clock_settle();
	process_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - process_ns;
	caller_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - caller_ns;
	jobs = bench.set.count;
	bench.value[END_NS][plugin] =
		bench.end.count ? bench.end.sum_ns / bench.end.count : 0;
	bench.value[END_LONGEST_NS][plugin] = bench.end.longest_ns;
	bench.value[SET_NS][plugin] = bench.set.sum_ns / jobs;
	bench.value[SET_LONGEST_NS][plugin] = bench.set.longest_ns;
	bench.value[THREADS_NS][plugin] = (process_ns - caller_ns) / jobs;
	bench.value[WRITTEN_BYTES][plugin] = (written_bytes() - written) / jobs;
	while (bench.first_id < bench.next_id)
		event("end %u", bench.first_id++);
	purge();
	host_plugin_unload();
	assoc_mgr_clear_used_info();
}

static void prepare(void)
{
	log_options_t log = LOG_OPTS_STDERR_ONLY;
	char name[] = "slurmctld"; /* as which a plugin must find itself */

	(void) setenv("TZ", "UTC0", 1);
	cluster_folder(bench.folder);
	log.stderr_level = LOG_LEVEL_ERROR;
	(void) log_init(name, log, SYSLOG_FACILITY_DAEMON, NULL);
	jobs_begin();
	crowd_tree(&bench.crowd);
}

int main(int argc, char **argv)
{
	if (argc != 6 || atoi(argv[2]) < 1 || atoi(argv[3]) < RUN_S + 1) {
		fputs("usage: ends FOLDER JOBS-A-SECOND SECONDS OURS.so "
		      "OTHER.so\n",
		      stderr);
		return 2;
	}
	(void) snprintf(bench.folder, sizeof(bench.folder), "%s", argv[1]);
	bench.rate = (uint32_t) atoi(argv[2]);
	bench.seconds = (uint32_t) atoi(argv[3]);
	prepare();
	for (int plugin = 0; plugin < PLUGINS; plugin++)
		measure(argv[4 + plugin], plugin);
	for (int figure = 0; figure < FIGURES; figure++)
		printf("%u\t%u\t%s\t%" PRId64 "\t%" PRId64 "\n", bench.rate,
		       bench.seconds, figure_names[figure],
		       bench.value[figure][0], bench.value[figure][1]);
	return 0;
}
