/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass: what a pass of two priority plugins costs, in one process, with the same
 * associations and jobs, in turns.
 *
 * Each figure is a line on standard output: what, then the median of each plugin
 * over the rounds, in the order of the command line.
 *
 * With -m each job names so many partitions; -o is a line of equitree.conf; with -c the
 * shares of one user change before each pass that is measured, with -j one in a hundred
 * of the waiting jobs is replaced.
 * With -l the records of the jobs lie in memory as after a long life of slurmctld.
 * With -b the first plugin has the budgets of FILE, which bench/budgets writes, and
 * the second has none.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../tests/host/clock.h"
#include "../tests/host/cluster.h"
#include "../tests/host/fail.h"
#include "../tests/host/history.h"
#include "../tests/host/jobs.h"
#include "../tests/host/plugin.h"
#include "crowd.h"
#include "judge.h"
#include "meter.h"
#include "pass_thread.h"

#define PERIOD_S 300
#define PLUGINS 2
#define ROUNDS_MAX 99

/* What is measured of a plugin in each round. */
enum figure {
	CPU_NS,
	LOCKED_NS,
	ALLOCATIONS,
	LIVE_BYTES,
	START_HOLD_NS, /* of the job lock, for reading or writing */
	BUDGET_NS, /* of CPU_NS, the thread that looks after budgets */
	JUDGE_NS, /* with budgets, of a submission */
	JUDGE_FIRST_NS,
	LOOKUP_NS, /* of an association, by Slurm */
	FIRST_HOLD, /* longest, sum and count of each lock follow */
	FIGURES = FIRST_HOLD + 3 * METER_LOCKS
};

static const char *const lock_names[METER_LOCKS] = {
	[METER_JOB_WRITE] = "job_write",
	[METER_JOB_READ] = "job_read",
	[METER_ASSOC_WRITE] = "assoc_write",
	[METER_ASSOC_READ] = "assoc_read",
};

static struct {
	struct crowd crowd;
	int rounds;
	bool changes; /* of shares, between passes */
	bool replaces; /* jobs, between passes */
	char folder[PATH_MAX];
	const char *budgets; /* a file, or NULL */
	int64_t value[FIGURES][PLUGINS][ROUNDS_MAX];
} bench = { .crowd = { .assocs = 1000, .pending = 10000, .running = 1000 },
	    .rounds = 9 };

void fail(const char *format, ...)
{
	va_list args;

	fputs("pass: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	_exit(2);
}

static void usage(void)
{
	fputs("usage: pass [-cjlz] [-n ROUNDS] [-a ASSOCIATIONS] [-p PENDING] "
	      "[-r RUNNING] [-m PARTITIONS] [-o LINE] [-b FILE] -d FOLDER "
	      "OURS.so OTHER.so\n",
	      stderr);
	exit(2);
}

static void run_event(const char *text)
{
	char line[64];

	(void) snprintf(line, sizeof(line), "%s", text);
	history_event(line);
}

static void begin_log(void)
{
	log_options_t log = LOG_OPTS_STDERR_ONLY;
	char name[] = "slurmctld"; /* as which a plugin must find itself */

	log.stderr_level = LOG_LEVEL_ERROR;
	(void) log_init(name, log, SYSLOG_FACILITY_DAEMON, NULL);
}

static struct meter one_pass(enum meter_watch watch)
{
	static unsigned int shares;
	char line[64];

	if (bench.changes) {
		(void) snprintf(line, sizeof(line),
				"modify user u1 account=a1 shares=%u",
				1 + shares++ % 2);
		run_event(line);
	}
	if (bench.replaces)
		crowd_replace(&bench.crowd);
	meter_begin(watch);
	clock_advance(PERIOD_S);
	return meter_end();
}

/* What slurmctld counts anew at a start, as at a reconfigure, is put right before
 * the first pass. */
static int64_t start(void)
{
	struct meter meter;
	int64_t reading;

	meter_begin(METER_JOB_LOCKS);
	run_event("run");
	meter = meter_end();
	reading = meter.hold[METER_JOB_READ].longest_ns;
	return reading > meter.hold[METER_JOB_WRITE].longest_ns
		       ? reading
		       : meter.hold[METER_JOB_WRITE].longest_ns;
}

/* ---- Budgets --------------------------------------------------------------- */

static const char *state_path(char *path, const char *name)
{
	(void) snprintf(path, PATH_MAX, "%.4000s/state/%s", bench.folder, name);
	return path;
}

static void budgets_copy(void)
{
	char path[PATH_MAX], text[4096];
	FILE *from = fopen(bench.budgets, "r");
	FILE *to = fopen(state_path(path, "equitree_budgets"), "w");
	size_t length;

	if (!from || !to)
		fail("cannot copy %s to %s", bench.budgets, path);
	while ((length = fread(text, 1, sizeof(text), from)) > 0)
		(void) fwrite(text, 1, length, to);
	(void) fclose(from);
	if (fclose(to) != 0)
		fail("cannot write %s", path);
}

/* The second plugin does not find them. */
static void budgets_move(int plugin, const char *name, const char *new_name)
{
	char path[PATH_MAX], new_path[PATH_MAX];

	if (bench.budgets && plugin == 1 &&
	    rename(state_path(path, name), state_path(new_path, new_name)) < 0)
		fail("cannot rename %s", path);
}

/* Without its budgets, or with them again. */
static void budgets_switch(int plugin, bool away)
{
	char path[PATH_MAX];
	FILE *accept;

	budgets_move(plugin, away ? "equitree_budgets" : "budgets.away",
		     away ? "budgets.away" : "equitree_budgets");
	budgets_move(plugin, away ? "equitree_budgets.end" : "end.away",
		     away ? "end.away" : "equitree_budgets.end");
	if (!bench.budgets || plugin != 1 || !away)
		return;
	/* It starts without the entries that it knows of. */
	accept = fopen(state_path(path, "equitree_budgets.accept"), "w");
	if (!accept || fclose(accept) != 0)
		fail("cannot write %s", path);
}

/* What the plugin's thread for budgets has run so far. */
static int64_t budgets_ns(void)
{
	struct pass_thread thread;

	if (!bench.budgets || !pass_thread_named(&thread, "self", "eqt_budget"))
		return 0;
	return (int64_t) pass_thread_ns(&thread);
}

static void budgets_judge(int plugin, int round)
{
	struct judge_times times;

	if (!bench.budgets || plugin == 1)
		return;
	times = judge_measure(&bench.crowd);
	bench.value[JUDGE_NS][plugin][round] = (int64_t) times.call;
	bench.value[JUDGE_FIRST_NS][plugin][round] = (int64_t) times.first;
	bench.value[LOOKUP_NS][plugin][round] = (int64_t) times.lookup;
}

/* ---- Rounds ---------------------------------------------------------------- */

static void measure(const char *path, int plugin, int round)
{
	struct meter meter, jobs;
	int figure = FIRST_HOLD;
	int64_t before;

	budgets_switch(plugin, true);
	meter_forget();
	host_plugin_file(path);
	bench.value[START_HOLD_NS][plugin][round] = start();
	(void) one_pass(METER_NO_LOCKS);
	before = budgets_ns();
	meter = one_pass(METER_NO_LOCKS);
	bench.value[BUDGET_NS][plugin][round] = budgets_ns() - before;
	bench.value[CPU_NS][plugin][round] = meter.cpu_ns;
	bench.value[LOCKED_NS][plugin][round] = meter.locked_ns;
	bench.value[ALLOCATIONS][plugin][round] = (int64_t) meter.allocations;
	bench.value[LIVE_BYTES][plugin][round] = meter.live_bytes;
	jobs = one_pass(METER_JOB_LOCKS);
	meter = one_pass(METER_ASSOC_LOCKS);
	for (int i = 0; i < METER_LOCKS; i++) {
		const struct meter_hold *hold =
			i <= METER_JOB_READ ? &jobs.hold[i] : &meter.hold[i];

		bench.value[figure++][plugin][round] = hold->longest_ns;
		bench.value[figure++][plugin][round] = hold->sum_ns;
		bench.value[figure++][plugin][round] = (int64_t) hold->count;
	}
	budgets_judge(plugin, round);
	host_plugin_unload();
	budgets_switch(plugin, false);
	/* As slurmctld does before it loads a plugin again. */
	assoc_mgr_clear_used_info();
	jobs_count_limits();
}

static int compare(const void *x, const void *y)
{
	const int64_t *a = x, *b = y;

	return *a < *b ? -1 : *a > *b;
}

static int64_t median(int64_t *values)
{
	qsort(values, (size_t) bench.rounds, sizeof(*values), compare);
	return values[bench.rounds / 2];
}

static const char *figure_name(int figure, char *text)
{
	static const char *const plain[] = { "cpu_ns",	      "locked_ns",
					     "allocations",   "live_bytes",
					     "start_hold_ns", "budget_ns",
					     "judge_ns",      "judge_first_ns",
					     "lookup_ns" };
	static const char *const of_hold[] = { "longest_ns", "sum_ns",
					       "count" };
	int rest = figure - FIRST_HOLD;

	if (figure < FIRST_HOLD)
		return plain[figure];
	(void) snprintf(text, 64, "%s_%s", lock_names[rest / 3],
			of_hold[rest % 3]);
	return text;
}

static void print_all(void)
{
	char text[64];

	for (int figure = 0; figure < FIGURES; figure++) {
		printf("%u\t%u\t%u\t%s", bench.crowd.assocs,
		       bench.crowd.pending, bench.crowd.running,
		       figure_name(figure, text));
		for (int plugin = 0; plugin < PLUGINS; plugin++)
			printf("\t%" PRId64,
			       median(bench.value[figure][plugin]));
		putchar('\n');
	}
}

static uint32_t number(const char *text)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*end || !*text || value > 3999999)
		usage();
	return (uint32_t) value;
}

static void read_options(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "cjlzn:a:p:r:m:o:b:d:")) != -1) {
		if (option == 'n')
			bench.rounds = (int) number(optarg);
		else if (option == 'z')
			bench.crowd.no_decay = true;
		else if (option == 'l')
			bench.crowd.aged = true;
		else if (option == 'c')
			bench.changes = true;
		else if (option == 'j')
			bench.replaces = true;
		else if (option == 'm')
			bench.crowd.partitions = number(optarg);
		else if (option == 'o')
			bench.crowd.conf = optarg;
		else if (option == 'b')
			bench.budgets = optarg;
		else if (option == 'a')
			bench.crowd.assocs = number(optarg);
		else if (option == 'p')
			bench.crowd.pending = number(optarg);
		else if (option == 'r')
			bench.crowd.running = number(optarg);
		else if (option == 'd')
			(void) snprintf(bench.folder, PATH_MAX, "%s", optarg);
		else
			usage();
	}
	if (argc - optind != PLUGINS || !bench.folder[0] ||
	    bench.crowd.assocs < 100 || bench.rounds < 1 ||
	    bench.rounds > ROUNDS_MAX ||
	    bench.crowd.partitions > CROWD_PARTITIONS_MAX)
		usage();
}

static void prepare(const char *plugin)
{
	char path[PATH_MAX];

	(void) setenv("TZ", "UTC0", 1);
	(void) mkdir(state_path(path, ""), 0700);
	cluster_folder(bench.folder);
	if (bench.budgets)
		budgets_copy();
	begin_log();
	jobs_begin();
	crowd_tree(&bench.crowd);
	host_plugin_file(plugin);
	run_event("run");
	crowd_jobs(&bench.crowd);
	host_plugin_unload();
	assoc_mgr_clear_used_info();
	jobs_count_limits();
}

int main(int argc, char **argv)
{
	read_options(argc, argv);
	prepare(argv[optind]);
	for (int round = 0; round < bench.rounds; round++)
		for (int plugin = 0; plugin < PLUGINS; plugin++)
			measure(argv[optind + plugin], plugin, round);
	print_all();
	return 0;
}
