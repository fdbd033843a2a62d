/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_ask: asks a real slurmctld what users ask it, through libslurm, and times the
 * answers.
 *
 *	live_ask fill COUNT USERS ACCOUNTS
 *	live_ask watch COUNT USERS ACCOUNTS SECONDS JOBS
 *
 * "fill" submits batch jobs, of the users u1, u2, ... in the accounts a1, a2, ...
 *
 * "watch" waits until slurmctld is calm. It submits COUNT jobs one after the other and
 * prints "rate" and how many that were in a second. Then, for SECONDS, three threads ask
 * COUNT times each at an even pace: for one of the jobs 1 to JOBS, for a change of its
 * nice value, and for a submission. Then one asks as often for the priority factors of
 * such a job, without a pause. It prints a line for each question: what, the
 * nanoseconds, and 1 if the thread of priority passes ran meanwhile. A line has "passes", their number, and their nanoseconds on a
 * processor. What was submitted is cancelled in the end.
 *
 * Runs as root in the sandbox, whose only slurmctld it is.
 */
#include <errno.h>
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
#include "../tests/compat/load_job.h"

#include "controller.h"
#include "pass_thread.h"
#include "submission.h"

#define SAMPLES_MAX 100000
#define SUBMITTED_MAX 200000
#define FILLERS 3
/* The thread looks at jobs that have ended four times a second; that is shorter. */
#define LOOK_NS 100000
#define APART_NS 400000000
#define PASS_PAUSE_MS 10
#define FAILURES_MAX 50

/* Those before EVENLY come all together. The factors come alone in the end, because
 * slurmctld looks at all jobs for them, except with priority/basic. */
enum kind { ONE_JOB, UPDATE, SUBMIT, EVENLY, FACTORS = EVENLY, KINDS };

static const char *const names[KINDS] = {
	[ONE_JOB] = "squeue -j",
	[FACTORS] = "sprio -j",
	[UPDATE] = "scontrol update",
	[SUBMIT] = "submission",
};

struct sample {
	int64_t ns;
	bool in_pass;
};

static struct {
	struct sample sample[KINDS][SAMPLES_MAX];
	uint32_t submitted[SUBMITTED_MAX];
	atomic_uint submitted_count;
	struct submission_crowd crowd;
	unsigned int count;
	unsigned int seconds;
	unsigned int jobs; /* their ids begin at 1 */
	atomic_uint turn; /* of users and accounts */
	atomic_uint failures;
	atomic_bool done;
	struct pass_thread thread;
	bool has_passes; /* priority/basic has none */
} run;

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}

static void pause_until(int64_t ns)
{
	const struct timespec until = { ns / 1000000000, ns % 1000000000 };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) ==
	       EINTR)
		;
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
	pause_until(now_ns() + 100000000);
	return false;
}

/* ---- Questions; false: there was no answer --------------------------------- */

static bool submit(uint32_t job)
{
	struct submission_answer answer;

	(void) job;
	if (!submission_send(&run.crowd, atomic_fetch_add(&run.turn, 1),
			     &answer))
		return again("a submission");
	if (atomic_load(&run.submitted_count) < SUBMITTED_MAX)
		run.submitted[atomic_fetch_add(&run.submitted_count, 1)] =
			answer.job_id;
	return true;
}

static bool ask_one(uint32_t job)
{
	job_info_msg_t *jobs = NULL;

	if (eqt_load_job(&jobs, job, SHOW_ALL) != SLURM_SUCCESS)
		return again("one job");
	slurm_free_job_info_msg(jobs);
	return true;
}

static bool ask_factors(uint32_t job)
{
	priority_factors_response_msg_t *factors = NULL;

	if (eqt_load_factors(&factors, job) != SLURM_SUCCESS)
		return again("the factors of a job");
	slurm_free_priority_factors_response_msg(factors);
	return true;
}

static bool update(uint32_t job)
{
	job_desc_msg_t desc;

	slurm_init_job_desc_msg(&desc);
	desc.job_id = job;
	desc.nice = NICE_OFFSET + atomic_fetch_add(&run.turn, 1) % 100;
	if (slurm_update_job(&desc) != SLURM_SUCCESS)
		return again("a change of a job");
	return true;
}

static bool (*const ask[KINDS])(uint32_t job) = {
	[ONE_JOB] = ask_one,
	[FACTORS] = ask_factors,
	[UPDATE] = update,
	[SUBMIT] = submit,
};

/* ---- Measuring ------------------------------------------------------------- */

static uint64_t passes_ns(void)
{
	return run.has_passes ? pass_thread_ns(&run.thread) : 0;
}

/* One question every pace nanoseconds, or as soon as the last one has its answer. */
static void ask_at_pace(enum kind kind, int64_t pace)
{
	const int64_t begin = now_ns() + pace * (int64_t) kind / KINDS;
	unsigned int seed = (unsigned int) kind + 1;

	for (unsigned int i = 0; i < run.count; i++) {
		struct sample *sample = &run.sample[kind][i];
		uint32_t job = 1 + (uint32_t) rand_r(&seed) % run.jobs;
		uint64_t before;
		int64_t start;

		pause_until(begin + pace * (int64_t) i);
		do {
			before = passes_ns();
			start = now_ns();
		} while (!ask[kind](job));
		sample->ns = now_ns() - start;
		sample->in_pass = passes_ns() > before + LOOK_NS;
	}
}

static void *ask_evenly(void *argument)
{
	ask_at_pace(*(const enum kind *) argument,
		    (int64_t) run.seconds * 1000000000 / (int64_t) run.count);
	return NULL;
}

/* A pass is a stretch of time in which the thread ran again and again. */
static void *count_passes(void *argument)
{
	uint64_t before = passes_ns();
	const uint64_t start = before;
	int64_t ran_at = 0;
	int passes = 0;

	(void) argument;
	while (!atomic_load(&run.done)) {
		const uint64_t ran = passes_ns();

		if (ran > before + LOOK_NS) {
			passes += now_ns() - ran_at > APART_NS;
			ran_at = now_ns();
		}
		before = ran;
		pause_until(now_ns() + PASS_PAUSE_MS * 1000000);
	}
	printf("passes\t%d\t%" PRIu64 "\n", passes, passes_ns() - start);
	return NULL;
}

static void print_rate(void)
{
	const int64_t start = now_ns();

	for (unsigned int i = 0; i < run.count; i++)
		(void) submit(0);
	printf("rate\t%.1f\n",
	       (double) run.count * 1e9 / (double) (now_ns() - start));
}

static void cancel_submitted(void)
{
	for (unsigned int i = 0; i < atomic_load(&run.submitted_count); i++)
		(void) slurm_kill_job(run.submitted[i], 9, 0);
}

static void watch(void)
{
	static enum kind kinds[EVENLY] = { ONE_JOB, UPDATE, SUBMIT };
	pthread_t threads[EVENLY], counter;
	struct controller controller;

	run.has_passes = pass_thread_find(&run.thread);
	if (!pass_thread_named(&run.thread, "[0-9]*", "slurmctld"))
		fail("there is no slurmctld");
	controller.process = run.thread.process;
	if (run.has_passes)
		(void) pass_thread_find(&run.thread);
	controller_await_calm(&controller);
	print_rate();
	if (pthread_create(&counter, NULL, count_passes, NULL))
		fail("a thread");
	for (int i = 0; i < EVENLY; i++)
		if (pthread_create(&threads[i], NULL, ask_evenly, &kinds[i]))
			fail("a thread");
	for (int i = 0; i < EVENLY; i++)
		(void) pthread_join(threads[i], NULL);
	atomic_store(&run.done, true);
	(void) pthread_join(counter, NULL);
	ask_at_pace(FACTORS, 0);
	for (int kind = 0; kind < KINDS; kind++)
		for (unsigned int i = 0; i < run.count; i++)
			printf("%s\t%" PRId64 "\t%d\n", names[kind],
			       run.sample[kind][i].ns,
			       run.sample[kind][i].in_pass);
	cancel_submitted();
}

/* ---- Filling --------------------------------------------------------------- */

static void *fill_some(void *argument)
{
	(void) argument;
	while (atomic_load(&run.submitted_count) < run.count)
		while (!submit(0))
			;
	return NULL;
}

static void fill(void)
{
	pthread_t threads[FILLERS];

	for (int i = 0; i < FILLERS; i++)
		if (pthread_create(&threads[i], NULL, fill_some, NULL))
			fail("a thread");
	for (int i = 0; i < FILLERS; i++)
		(void) pthread_join(threads[i], NULL);
}

static unsigned int number(const char *text, unsigned int most)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*end || value == 0 || value > most) {
		fprintf(stderr, "live_ask: %s is not a number from 1 to %u\n",
			text, most);
		exit(2);
	}
	return (unsigned int) value;
}

int main(int argc, char **argv)
{
	const bool watches = argc > 1 && strcmp(argv[1], "watch") == 0;

	if (argc != (watches ? 7 : 5)) {
		fputs("usage: live_ask fill COUNT USERS ACCOUNTS\n"
		      "       live_ask watch COUNT USERS ACCOUNTS SECONDS "
		      "JOBS\n",
		      stderr);
		return 2;
	}
	slurm_init(NULL);
	run.count = number(argv[2], watches ? SAMPLES_MAX : SUBMITTED_MAX);
	run.crowd.users = number(argv[3], 10000);
	run.crowd.accounts = number(argv[4], 10000);
	if (watches) {
		run.seconds = number(argv[5], 3600);
		run.jobs = number(argv[6], 1000000);
		watch();
	} else {
		fill();
	}
	if (atomic_load(&run.failures) > 0)
		fprintf(stderr, "live_ask: %u questions had no answer\n",
			atomic_load(&run.failures));
	return 0;
}
