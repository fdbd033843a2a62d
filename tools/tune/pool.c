/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks in processes of their own, since a simulation writes into its jobs. A process
 * has all that is in memory from the beginning, and prints its runs into a pipe. A line
 * is that of the state file.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <signal.h>

#include "cli/atomic_file.h"
#include "cli/progress.h"
#include "tune/tune.h"

#define LINE_SIZE (2 * EQT_TUNE_KEY)

/* A process that works, and the line of it that is not yet whole. */
struct pool_worker {
	pid_t pid; /* 0: none */
	int from;
	size_t used;
	char line[LINE_SIZE];
};

struct pool {
	struct eqt_tune *tune;
	FILE *state;
	struct eqt_progress progress;
	size_t done, working;
	struct pool_worker *worker;
	size_t workers;
	struct eqt_error *err;
	bool failed;
};

/* ---- In the process --------------------------------------------------------------- */

/* Where a process writes. */
struct pool_pipe {
	const struct eqt_tune *tune;
	int to;
};

/* "=" for a run that was known, else its line. A run that was known before costs no
 * time, and counts for the progress all the same. */
static int pipe_take(void *with, const char *key, const double *measure,
		     bool again)
{
	const struct pool_pipe *out = with;
	char line[LINE_SIZE];

	if (again)
		return eqt_atomic_file_write_all(out->to, "=\n", 2);
	if (eqt_tune_run_text(out->tune, line, sizeof(line) - 1, key, measure) <
	    0)
		return -1;
	strcat(line, "\n");
	return eqt_atomic_file_write_all(out->to, line, strlen(line));
}

static void worker_main(struct eqt_tune *tune, const struct eqt_tune_task *task,
			int to) __attribute__((noreturn));

/* An error goes as a line with "!". _exit() runs no handlers and flushes no streams
 * that were the parent's. The process ends with its parent. */
static void worker_main(struct eqt_tune *tune, const struct eqt_tune_task *task,
			int to)
{
	struct pool_pipe out = { tune, to };
	const struct eqt_tune_sink sink = { &out, pipe_take };
	struct eqt_error err = { "" };
	char line[EQT_ERROR_SIZE + 4];

	(void) prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (eqt_tune_search(tune, task, &sink, &err) == 0)
		_exit(0);
	(void) snprintf(line, sizeof(line), "!%s\n", err.text);
	(void) eqt_atomic_file_write_all(to, line, strlen(line));
	_exit(1);
}

/* ---- Around the processes ---------------------------------------------------------- */

/* What is in buffers is written first, or both processes would write it. */
static int pool_start(struct pool *pool, struct pool_worker *worker,
		      const struct eqt_tune_task *task)
{
	int ends[2];

	if (pipe(ends) < 0)
		return eqt_error_set(pool->err, "cannot make a pipe: %s",
				     strerror(errno));
	(void) fflush(stdout);
	(void) fflush(stderr);
	if (pool->state)
		(void) fflush(pool->state);
	worker->pid = fork();
	if (worker->pid == 0) {
		(void) close(ends[0]);
		worker_main(pool->tune, task, ends[1]);
	}
	(void) close(ends[1]);
	if (worker->pid < 0) {
		worker->pid = 0;
		(void) close(ends[0]);
		return eqt_error_set(pool->err, "cannot start a process: %s",
				     strerror(errno));
	}
	worker->from = ends[0];
	worker->used = 0;
	pool->working++;
	return 0;
}

/* The first reason counts. */
static void pool_fail(struct pool *pool, const char *why)
{
	if (!pool->failed)
		eqt_error_set(pool->err, "%s", why);
	pool->failed = true;
}

/* Each run is in the state file before the next one is read. */
static void pool_take_line(struct pool *pool, const char *line)
{
	if (line[0] == '!') {
		pool_fail(pool, line + 1);
		return;
	}
	eqt_progress_update(&pool->progress, ++pool->done);
	if (line[0] == '=')
		return;
	if (eqt_tune_run_read(pool->tune, line) < 0) {
		pool_fail(pool, "a process printed no run");
		return;
	}
	if (pool->state &&
	    (fprintf(pool->state, "%s\n", line) < 0 || fflush(pool->state)))
		pool_fail(pool, "cannot write the state file");
}

/* An end by a signal, as that of a machine without memory, is a failure as well. */
static void worker_reap(struct pool *pool, struct pool_worker *worker)
{
	int status = 0;

	(void) close(worker->from);
	while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
		;
	worker->pid = 0;
	pool->working--;
	if (status != 0)
		pool_fail(pool, "a process was ended");
}

/* Take what a process has printed; at its end wait for it. */
static void worker_read(struct pool *pool, struct pool_worker *worker)
{
	ssize_t got = read(worker->from, worker->line + worker->used,
			   LINE_SIZE - 1 - worker->used);
	char *line = worker->line, *end;

	if (got < 0 && errno == EINTR)
		return;
	if (got <= 0) {
		worker_reap(pool, worker);
		return;
	}
	worker->used += (size_t) got;
	worker->line[worker->used] = '\0';
	while ((end = strchr(line, '\n'))) {
		*end = '\0';
		pool_take_line(pool, line);
		line = end + 1;
	}
	worker->used = strlen(line);
	memmove(worker->line, line, worker->used + 1);
}

/* Wait until a process prints something; every 200 ms for the bar. */
static int pool_wait(struct pool *pool)
{
	struct pollfd fds[EQT_TUNE_PROCESSES_MAX];
	struct pool_worker *of[EQT_TUNE_PROCESSES_MAX];
	nfds_t count = 0;

	for (size_t i = 0; i < pool->workers; i++) {
		if (!pool->worker[i].pid)
			continue;
		fds[count] = (struct pollfd){ .fd = pool->worker[i].from,
					      .events = POLLIN };
		of[count++] = &pool->worker[i];
	}
	if (poll(fds, count, 200) < 0)
		return errno == EINTR ? 0
				      : eqt_error_set(pool->err, "poll: %s",
						      strerror(errno));
	for (nfds_t i = 0; i < count; i++)
		if (fds[i].revents)
			worker_read(pool, of[i]);
	eqt_progress_update(&pool->progress, pool->done);
	return 0;
}

/* After a failure nothing is started, and what goes on is ended. */
static int pool_do(struct pool *pool, const struct eqt_tune_task *tasks,
		   size_t count)
{
	size_t next = 0;
	int rc = 0;

	while (rc == 0 && !pool->failed && (next < count || pool->working)) {
		for (size_t i = 0; i < pool->workers && rc == 0; i++)
			if (!pool->worker[i].pid && next < count)
				rc = pool_start(pool, &pool->worker[i],
						&tasks[next++]);
		if (rc == 0)
			rc = pool_wait(pool);
	}
	for (size_t i = 0; i < pool->workers; i++) {
		if (!pool->worker[i].pid)
			continue;
		(void) kill(pool->worker[i].pid, SIGKILL);
		pool->failed = true;
		worker_reap(pool, &pool->worker[i]);
	}
	return rc < 0 || pool->failed ? -1 : 0;
}

/* 0, or -1 with err filled. what: the words of the progress bar. */
int eqt_tune_pool_run(struct eqt_tune *tune, const struct eqt_tune_task *tasks,
		      size_t count, void *state, const char *what,
		      struct eqt_error *err)
{
	struct pool pool = { .tune = tune, .state = state, .err = err };
	size_t all = 0;
	int rc;

	for (size_t i = 0; i < count; i++)
		all += tasks[i].mask ? tasks[i].runs : 1;
	pool.workers = tune->processes;
	pool.worker = calloc(pool.workers, sizeof(*pool.worker));
	if (!pool.worker)
		return eqt_error_set(err, "out of memory");
	eqt_progress_begin(&pool.progress, what, all);
	rc = pool_do(&pool, tasks, count);
	eqt_progress_end(&pool.progress);
	free(pool.worker);
	return rc;
}
