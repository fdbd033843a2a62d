/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turns: submits to one slurmctld that is told in turns to do without and to do
 * with a submission plugin.
 *
 *	turns libslurm|sbatch ORDER COUNT USERS ACCOUNTS
 *
 * ORDER is a word of letters, a turn each: of "a" slurm.conf.a becomes the
 * slurm.conf of slurmctld, which is told to read it and left alone until it is
 * calm. A first job is not timed: its answer must have a message for the user just
 * if the configuration has a plugin. Then COUNT are submitted, one after the other.
 * One that has no answer makes its turn begin anew.
 *
 * A line for each turn: its letter, and of one submission
 * the nanoseconds that the caller waited, mean and median, those of slurmctld on
 * processors, those of its threads that serve connections, and its page faults.
 *
 * Runs as root in the sandbox.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "controller.h"
#include "submission.h"

#define COUNT_MAX 10000
#define FAILURES_MAX 50

static struct {
	struct submission_crowd crowd;
	unsigned int turn; /* of users and accounts */
	unsigned int count;
	unsigned int failures;
	bool is_sbatch;
	int64_t ns[COUNT_MAX];
} run;

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}

static void fail(const char *what)
{
	fprintf(stderr, "turns: %s: %s\n", what, slurm_strerror(errno));
	exit(2);
}

/* The file is written over: the folder may be a mount, the name a link. */
static void configure(char letter)
{
	static const char to[] = "/etc/slurm/slurm.conf";
	char from[64], text[4096];
	size_t length;
	FILE *in, *out;

	(void) snprintf(from, sizeof(from), "%s.%c", to, letter);
	in = fopen(from, "r");
	out = in ? fopen(to, "w") : NULL;
	if (!out)
		fail(from);
	while ((length = fread(text, 1, sizeof(text), in)) > 0)
		(void) fwrite(text, 1, length, out);
	(void) fclose(in);
	if (fclose(out) != 0)
		fail(to);
	if (slurm_reconfigure() != SLURM_SUCCESS)
		fail("slurmctld cannot be reconfigured");
}

static bool has_plugin(void)
{
	slurm_conf_t *conf = NULL;
	bool has;

	if (slurm_load_ctl_conf(0, &conf) != SLURM_SUCCESS)
		fail("slurmctld's configuration");
	has = conf->job_submit_plugins && *conf->job_submit_plugins;
	slurm_free_ctl_conf(conf);
	return has;
}

/* A connection may break on a machine that has too much to do. */
static void again(void)
{
	if (run.failures++ >= FAILURES_MAX)
		fail("a submission");
}

static void check(char letter)
{
	struct submission_answer answer;
	const bool has = has_plugin();

	while (!submission_send(&run.crowd, run.turn++, &answer))
		again();
	if (answer.has_message == has)
		return;
	fprintf(stderr,
		"turns: slurm.conf.%c %s a plugin, the answer says %s\n",
		letter, has ? "has" : "has not", has ? "nothing" : "something");
	exit(2);
}

static bool submit(void)
{
	struct submission_answer answer;

	return run.is_sbatch ? submission_sbatch(&run.crowd, run.turn++)
			     : submission_send(&run.crowd, run.turn++, &answer);
}

static int compare(const void *x, const void *y)
{
	const int64_t *a = x, *b = y;

	return *a < *b ? -1 : *a > *b;
}

/* False: there was no answer once. */
static bool measure(const struct controller *controller, char letter)
{
	const struct controller_time before = controller_time(controller);
	const int64_t start = now_ns();
	int64_t last = start;
	struct controller_time after;

	for (unsigned int i = 0; i < run.count; i++) {
		int64_t now;

		if (!submit())
			return false;
		now = now_ns();
		run.ns[i] = now - last;
		last = now;
	}
	after = controller_time(controller);
	qsort(run.ns, run.count, sizeof(*run.ns), compare);
	printf("%c\t%" PRId64 "\t%" PRId64 "\t%" PRIu64 "\t%" PRIu64 "\t%.2f\n",
	       letter, (last - start) / run.count, run.ns[run.count / 2],
	       (after.all - before.all) / run.count,
	       (after.serving - before.serving) / run.count,
	       (double) (after.faults - before.faults) / run.count);
	(void) fflush(stdout);
	return true;
}

static void take_turn(char letter)
{
	struct controller controller;

	configure(letter);
	/* From 23.11 on it is another process. */
	if (!controller_find(&controller))
		fail("there is no slurmctld with a thread of passes");
	check(letter);
	controller_await_calm(&controller);
	while (!measure(&controller, letter))
		again();
}

int main(int argc, char **argv)
{
	if (argc != 6) {
		fputs("usage: turns libslurm|sbatch ORDER COUNT USERS "
		      "ACCOUNTS\n",
		      stderr);
		return 2;
	}
	slurm_init(NULL);
	run.is_sbatch = strcmp(argv[1], "sbatch") == 0;
	run.count = (unsigned int) atoi(argv[3]);
	run.crowd.users = (uint32_t) atoi(argv[4]);
	run.crowd.accounts = (uint32_t) atoi(argv[5]);
	if (run.count == 0 || run.count > COUNT_MAX || run.crowd.users == 0 ||
	    run.crowd.accounts == 0)
		fail("a number");
	for (const char *letter = argv[2]; *letter; letter++)
		take_turn(*letter);
	if (run.failures > 0)
		fprintf(stderr, "turns: %u submissions had no answer\n",
			run.failures);
	return 0;
}
