/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One search by NLopt. First a controlled random search covers the whole space (CRS2).
 * Then the subplex method starts from the best point. Neither needs a gradient, both keep
 * to the bounds, and both tolerate the steps in a simulation's results. docs/design/0025
 * has the reasons.
 */
#include <errno.h>
#include <math.h>
#include <nlopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tune/tune.h"
#include "cli/alloc.h"
#include "cli/atomic_file.h"
#include "cli/progress.h"

/* ---- The search ----------------------------------------------------------- */

const struct eqt_tune_run *eqt_tune_run_get(struct eqt_tune *tune,
					    const struct eqt_tune_point *point,
					    int span,
					    const struct eqt_tune_sink *sink,
					    struct eqt_error *err)
{
	double measure[EQT_TUNE_AIMS_MAX] = { 0 };
	char key[EQT_TUNE_KEY];
	const struct eqt_tune_run *run =
		eqt_archive_find(tune, eqt_archive_key(tune, key, point, span));
	bool again = run != NULL;

	if (!run) {
		if (eqt_tune_measure(tune, measure, point, span, err) < 0)
			return NULL;
		run = eqt_archive_add(tune, key, measure);
	}
	if (sink && sink->take(sink->with, key, run->measure, again) < 0) {
		eqt_error_set(err, "the search was stopped");
		return NULL;
	}
	return run;
}

#ifdef HAVE_NLOPT

#define GLOBAL_PART 0.7 /* part of the runs that search the whole space */
#define LEAST_RUNS 4
#define FIRST_STEP 0.15 /* first step of the second stage */
#define GOOD_ENOUGH 1e-9

/* The state of a search. */
struct search {
	struct eqt_tune *tune;
	const struct eqt_tune_task *task;
	const struct eqt_tune_sink *sink;
	struct eqt_error *err;
	nlopt_opt stage;
	double best, best_x[EQT_TUNE_PARAMS_MAX];
	bool failed;
};

/* The function that NLopt minimizes. */
static double search_objective(unsigned int n, const double *x,
			       double *gradient, void *with)
{
	struct search *search = with;
	struct eqt_tune *tune = search->tune;
	const struct eqt_tune_point point = eqt_tune_point_at(tune, x);
	const struct eqt_tune_run *run;
	double score;

	(void) gradient;
	run = search->failed ? NULL
			     : eqt_tune_run_get(tune, &point, EQT_TUNE_FIT,
						search->sink, search->err);
	if (!run) {
		search->failed = true;
		(void) nlopt_force_stop(search->stage);
		return HUGE_VAL;
	}
	score = eqt_archive_score(tune, run->measure, search->task->mask);
	if (score < search->best) {
		search->best = score;
		memcpy(search->best_x, x, n * sizeof(*x));
	}
	return score;
}

/* The score at which nothing is left to gain. */
static double score_enough(const struct eqt_tune *tune, uint32_t mask)
{
	double best[EQT_TUNE_AIMS_MAX];

	for (int i = 0; i < tune->aims.count; i++)
		best[i] = tune->aims.aim[i].kind == EQT_TUNE_USE ? 1 : 0;
	return eqt_archive_score(tune, best, mask) + GOOD_ENOUGH;
}

/* Run one stage, from the best point so far. NLopt's default population is ten times the
 * number of parameters, which would use up all runs of a short search. */
static int search_stage(struct search *search, nlopt_algorithm method,
			uint32_t runs)
{
	const unsigned int n = (unsigned int) search->tune->params;
	double x[EQT_TUNE_PARAMS_MAX], score;

	search->stage = nlopt_create(method, n);
	if (!search->stage)
		eqt_alloc_failed();
	memcpy(x, search->best_x, sizeof(x));
	(void) nlopt_set_lower_bounds1(search->stage, 0);
	(void) nlopt_set_upper_bounds1(search->stage, 1);
	(void) nlopt_set_min_objective(search->stage, search_objective, search);
	(void) nlopt_set_maxeval(search->stage, (int) runs);
	(void) nlopt_set_stopval(
		search->stage, score_enough(search->tune, search->task->mask));
	(void) nlopt_set_xtol_abs1(search->stage, 0.005);
	if (method == NLOPT_GN_CRS2_LM)
		(void) nlopt_set_population(search->stage, n + 2 + n / 2);
	else
		(void) nlopt_set_initial_step1(search->stage, FIRST_STEP);
	(void) nlopt_optimize(search->stage, x, &score);
	nlopt_destroy(search->stage);
	search->stage = NULL;
	return search->failed ? -1 : 0;
}

bool eqt_tune_can_search(void)
{
	return true;
}

/* Run both stages. */
static int search_points(struct eqt_tune *tune,
			 const struct eqt_tune_task *task,
			 const struct eqt_tune_sink *sink,
			 struct eqt_error *err)
{
	struct search search = {
		.tune = tune,
		.task = task,
		.sink = sink,
		.err = err,
		.best = HUGE_VAL,
	};
	const uint32_t global = (uint32_t) (GLOBAL_PART * task->runs);

	nlopt_srand((unsigned long) task->seed);
	eqt_tune_point_places(tune, search.best_x, &task->from);
	if (global >= LEAST_RUNS &&
	    search_stage(&search, NLOPT_GN_CRS2_LM, global) < 0)
		return -1;
	if (search.best <= score_enough(tune, task->mask))
		return 0;
	return search_stage(&search, NLOPT_LN_SBPLX, task->runs - global);
}

#else

bool eqt_tune_can_search(void)
{
	return false;
}

static int search_points(struct eqt_tune *tune,
			 const struct eqt_tune_task *task,
			 const struct eqt_tune_sink *sink,
			 struct eqt_error *err)
{
	(void) tune;
	(void) task;
	(void) sink;
	return eqt_error_set(err, "built without NLopt");
}

#endif

/* Do a task. Returns 0, or -1 with err filled. */
static int tune_search(struct eqt_tune *tune, const struct eqt_tune_task *task,
		       const struct eqt_tune_sink *sink, struct eqt_error *err)
{
	if (task->mask)
		return search_points(tune, task, sink, err);
	return eqt_tune_run_get(tune, &task->from, task->span, sink, err) ? 0
									  : -1;
}

/* ---- Pool ---------------------------------------------------------------------------
 * Tasks run in processes of their own, because a simulation writes to its jobs. A process
 * inherits everything in memory from its parent, and prints its runs into a pipe, in
 * lines of the form of the state file. */

#define LINE_SIZE (2 * EQT_TUNE_KEY)

/* A process that works, and the incomplete line that was read from it. */
struct pool_worker {
	pid_t pid; /* 0: there is no process */
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

/* ---- In the process --------------------------------------------------------- */

/* The pipe into which a process prints. */
struct pool_pipe {
	const struct eqt_tune *tune;
	int to;
};

/* Print "=" for a run that was known, or else its line. A run that was known takes no
 * time but counts for the progress. */
static int pipe_take(void *with, const char *key, const double *measure,
		     bool again)
{
	const struct pool_pipe *out = with;
	char line[LINE_SIZE];

	if (again)
		return eqt_atomic_file_write_all(out->to, "=\n", 2);
	if (eqt_archive_text(out->tune, line, sizeof(line) - 1, key, measure) <
	    0)
		return -1;
	strcat(line, "\n");
	return eqt_atomic_file_write_all(out->to, line, strlen(line));
}

static void worker_main(struct eqt_tune *tune, const struct eqt_tune_task *task,
			int to) __attribute__((noreturn));

/* An error is printed as a line that begins with "!". _exit() runs no handlers and
 * flushes no streams of the parent. The process ends when its parent ends. */
static void worker_main(struct eqt_tune *tune, const struct eqt_tune_task *task,
			int to)
{
	struct pool_pipe out = { tune, to };
	const struct eqt_tune_sink sink = { &out, pipe_take };
	struct eqt_error err = { "" };
	char line[EQT_ERROR_SIZE + 4];

	(void) prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (tune_search(tune, task, &sink, &err) == 0)
		_exit(0);
	(void) snprintf(line, sizeof(line), "!%s\n", err.text);
	(void) eqt_atomic_file_write_all(to, line, strlen(line));
	_exit(1);
}

/* ---- Around the processes --------------------------------------------------- */

/* Flush buffers first, because otherwise both processes would write their contents. */
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

/* Only the first error is kept. */
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
	if (eqt_archive_read(pool->tune, line) < 0) {
		pool_fail(pool, "a process printed no run");
		return;
	}
	if (pool->state &&
	    (fprintf(pool->state, "%s\n", line) < 0 || fflush(pool->state)))
		pool_fail(pool, "cannot write the state file");
}

/* If a signal ended the process, for example because memory ran out, that is a failure as
 * well. */
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

/* Read what a process has printed. At the end of its output, wait for its end. */
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

/* Wait until a process prints something, but at most 200 ms at a time because of the
 * progress bar. */
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

/* After a failure nothing more is started, and running processes are ended. */
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

/* "what" is the text of the progress bar. Returns 0, or -1 with err filled. */
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
	pool.worker = eqt_alloc(pool.workers, sizeof(*pool.worker));
	eqt_progress_begin(&pool.progress, what, all);
	rc = pool_do(&pool, tasks, count);
	eqt_progress_end(&pool.progress);
	free(pool.worker);
	return rc;
}
