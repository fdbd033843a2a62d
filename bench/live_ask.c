/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_ask: asks a real slurmctld through libslurm and times the answers.
 *
 *	live_ask submit COUNT USERS ACCOUNTS
 *	live_ask watch SECONDS USERS ACCOUNTS
 *
 * "submit" sends batch jobs one after the other, of the users u1, u2, ... in the
 * accounts a1, a2, ...
 *
 * "watch" lets one thread ask for all jobs again and again, one for a single
 * job, and one submit; it prints a line for each kind: its name, "all" or
 * "pass", how many there were, and the p50, p99 and longest in nanoseconds.
 * "pass" are those during which the thread of priority passes ran on a
 * processor. A last line has the passes, and the time on a processor of all.
 *
 * Runs as root in the sandbox, whose only slurmctld it is.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "slurm/compat.h"
#include "slurm/compat/load_job.h"

#include "pass_thread.h"
#include "submission.h"

#define SAMPLES_MAX 200000
#define PASS_PAUSE_MS 10
#define FAILURES_MAX 50

enum kind { ALL_JOBS, ONE_JOB, SUBMIT, KINDS };

static const char *const names[KINDS] = { "all jobs", "one job", "submission" };

/* Between an answer and the next question. */
static const long pauses_ms[KINDS] = { 200, 2, 50 };

struct samples {
	int64_t ns[SAMPLES_MAX];
	bool in_pass[SAMPLES_MAX];
	size_t count;
};

static struct {
	struct samples samples[KINDS];
	struct submission_crowd crowd;
	atomic_uint turn; /* of users and accounts */
	atomic_uint last_job;
	atomic_uint failures;
	atomic_bool done;
	struct pass_thread thread;
} run;

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}

static void pause_ms(long ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

static void fail(const char *what)
{
	fprintf(stderr, "live_ask: %s: %s\n", what, slurm_strerror(errno));
	exit(2);
}

/* A connection may break on a machine that has too much to do. */
static bool again(const char *what)
{
	if (atomic_fetch_add(&run.failures, 1) >= FAILURES_MAX)
		fail(what);
	pause_ms(100);
	return false;
}

/* False, as the two below: there was no answer. */
static bool submit(void)
{
	struct submission_answer answer;

	if (!submission_send(&run.crowd, atomic_fetch_add(&run.turn, 1),
			     &answer))
		return again("a submission");
	atomic_store(&run.last_job, answer.job_id);
	return true;
}

static bool ask_all(void)
{
	job_info_msg_t *jobs = NULL;

	if (slurm_load_jobs(0, &jobs, SHOW_ALL) != SLURM_SUCCESS)
		return again("all jobs");
	slurm_free_job_info_msg(jobs);
	return true;
}

static bool ask_one(void)
{
	job_info_msg_t *jobs = NULL;

	if (eqt_load_job(&jobs, atomic_load(&run.last_job), SHOW_ALL) !=
	    SLURM_SUCCESS)
		return again("one job");
	slurm_free_job_info_msg(jobs);
	return true;
}

static void *ask(void *argument)
{
	static bool (*const how[KINDS])(void) = { ask_all, ask_one, submit };
	const enum kind kind = *(const enum kind *) argument;
	struct samples *samples = &run.samples[kind];

	while (!atomic_load(&run.done) && samples->count < SAMPLES_MAX) {
		const uint64_t before = pass_thread_ns(&run.thread);
		const int64_t start = now_ns();
		size_t at = samples->count;

		if (!how[kind]())
			continue;
		samples->ns[at] = now_ns() - start;
		samples->in_pass[at] = pass_thread_ns(&run.thread) != before;
		samples->count++;
		pause_ms(pauses_ms[kind]);
	}
	return NULL;
}

static int compare(const void *x, const void *y)
{
	const int64_t *a = x, *b = y;

	return *a < *b ? -1 : *a > *b;
}

static void print(enum kind kind, bool in_pass)
{
	static int64_t sorted[SAMPLES_MAX];
	const struct samples *samples = &run.samples[kind];
	size_t count = 0;

	for (size_t i = 0; i < samples->count; i++)
		if (!in_pass || samples->in_pass[i])
			sorted[count++] = samples->ns[i];
	qsort(sorted, count, sizeof(*sorted), compare);
	printf("%s\t%s\t%zu", names[kind], in_pass ? "pass" : "all", count);
	if (count > 0)
		printf("\t%" PRId64 "\t%" PRId64 "\t%" PRId64,
		       sorted[count / 2], sorted[count * 99 / 100],
		       sorted[count - 1]);
	putchar('\n');
}

/* A pass is a stretch of time in which the thread ran again and again. */
static void watch_passes(int seconds)
{
	const int64_t end = now_ns() + (int64_t) seconds * 1000000000;
	uint64_t before = pass_thread_ns(&run.thread), start = before;
	int64_t moved = 0;
	int passes = 0;

	while (now_ns() < end) {
		const uint64_t ran = pass_thread_ns(&run.thread);

		if (ran > before) {
			passes += now_ns() - moved > 5000000000;
			moved = now_ns();
		}
		before = ran;
		pause_ms(PASS_PAUSE_MS);
	}
	printf("passes\t%d\t%" PRIu64 "\n", passes,
	       pass_thread_ns(&run.thread) - start);
}

static void watch(int seconds)
{
	static enum kind kinds[KINDS] = { ALL_JOBS, ONE_JOB, SUBMIT };
	pthread_t threads[KINDS];

	if (!submit())
		fail("a submission");
	for (int i = 0; i < KINDS; i++)
		if (pthread_create(&threads[i], NULL, ask, &kinds[i]))
			fail("a thread");
	watch_passes(seconds);
	atomic_store(&run.done, true);
	for (int i = 0; i < KINDS; i++)
		(void) pthread_join(threads[i], NULL);
	for (int i = 0; i < KINDS; i++) {
		print((enum kind) i, false);
		print((enum kind) i, true);
	}
}

static void submit_many(unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		(void) submit();
}

int main(int argc, char **argv)
{
	if (argc != 5) {
		fputs("usage: live_ask submit|watch NUMBER USERS ACCOUNTS\n",
		      stderr);
		return 2;
	}
	slurm_init(NULL);
	run.crowd.users = (uint32_t) atoi(argv[3]);
	run.crowd.accounts = (uint32_t) atoi(argv[4]);
	if (run.crowd.users == 0 || run.crowd.accounts == 0 ||
	    atoi(argv[2]) <= 0)
		fail("a number");
	if (!pass_thread_find(&run.thread)) {
		fputs("live_ask: there is no thread of priority passes\n",
		      stderr);
		return 2;
	}
	if (strcmp(argv[1], "watch") == 0)
		watch(atoi(argv[2]));
	else
		submit_many((unsigned int) atoi(argv[2]));
	if (atomic_load(&run.failures) > 0)
		fprintf(stderr, "live_ask: %u questions had no answer\n",
			atomic_load(&run.failures));
	return 0;
}
