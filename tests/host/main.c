/* SPDX-License-Identifier: GPL-2.0-or-later */
/* host: a stand-in for slurmctld that loads a priority plugin, plays a history
 * to it in simulated time, and prints what the plugin wrote. */
#include <ftw.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "assocs.h"
#include "clock.h"
#include "cluster.h"
#include "fail.h"
#include "history.h"
#include "jobs.h"
#include "plugin.h"

static struct {
	char folder[PATH_MAX];
	bool keep; /* the folder was given: keep it */
	bool spread; /* threads run on all processors */
	int verbose;
} options;

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void) st;
	(void) type;
	(void) ftw;
	return remove(path);
}

static void remove_folder(void)
{
	if (!options.keep && options.folder[0])
		(void) nftw(options.folder, remove_one, 8,
			    FTW_DEPTH | FTW_PHYS);
}

void fail(const char *format, ...)
{
	unsigned int line = history_line();
	va_list args;

	fflush(stdout);
	fputs("host: ", stderr);
	if (line)
		fprintf(stderr, "line %u: ", line);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	remove_folder();
	/* A thread of the plugin may be in the middle of its work. */
	_exit(2);
}

static void usage(void)
{
	fputs("usage: host [-mprv] [-d FOLDER] PLUGIN.so [HISTORY]\n"
	      "  -m         many histories, each after a line ### NAME\n"
	      "  -p         let threads run on all processors\n"
	      "  -r         the same, and do not wait for passes to end\n"
	      "  -v         log as slurmctld does; more of them log more\n"
	      "  -d FOLDER  keep slurm.conf and the state files there\n",
	      stderr);
	exit(2);
}

static void make_folder(const char *given)
{
	const char *base = getenv("TMPDIR");
	char path[PATH_MAX];

	if (given) {
		(void) snprintf(options.folder, PATH_MAX, "%s", given);
		options.keep = true;
		(void) mkdir(given, 0700);
	} else {
		(void) snprintf(options.folder, PATH_MAX, "%s/eqt-host.XXXXXX",
				base ? base : "/tmp");
		if (!mkdtemp(options.folder))
			fail("no folder can be made in %s",
			     base ? base : "/tmp");
	}
	if (snprintf(path, PATH_MAX, "%s/state", options.folder) >= PATH_MAX)
		fail("the name of the folder is too long");
	(void) mkdir(path, 0700);
	/* Slurm's own fatal() ends the program too. */
	(void) atexit(remove_folder);
	cluster_folder(options.folder);
}

/* With the name slurmctld running_in_slurmctld() is true, in releases without a
 * variable for it. */
static void begin_log(void)
{
	log_options_t log = LOG_OPTS_STDERR_ONLY;
	char name[] = "slurmctld";

	log.stderr_level =
		(log_level_t) ((int) LOG_LEVEL_ERROR + options.verbose);
	(void) log_init(name, log, SYSLOG_FACILITY_DAEMON, NULL);
}

static void play(FILE *file, const char *folder, const char *plugin)
{
	make_folder(folder);
	begin_log();
	host_plugin_file(plugin);
	jobs_begin();
	history_run(file);
	host_plugin_unload();
	jobs_free();
	assocs_free();
	cluster_free();
	log_fini();
}

/* Stay on this processor. Threads that wait for each other hand over more cheaply there
 * than by waking another processor. If it cannot be done, the history runs as well. */
static void stay_here(void)
{
	const int here = sched_getcpu();
	cpu_set_t set;

	if (options.spread || here < 0)
		return;
	CPU_ZERO(&set);
	CPU_SET((unsigned int) here, &set);
	(void) sched_setaffinity(0, sizeof(set), &set);
}

/* One of several histories: in a new process, so that nothing is left of the
 * previous one. */
static void play_apart(char *text, size_t length, const char *plugin)
{
	FILE *file;
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child < 0)
		fail("no process can be made");
	if (child == 0) {
		stay_here();
		file = fmemopen(text, length, "r");
		if (!file)
			fail("no memory");
		play(file, NULL, plugin);
		fclose(file);
		exit(0);
	}
	if (waitpid(child, &status, 0) < 0 || status)
		printf("ended with status %#x\n", (unsigned int) status);
}

/* The next line "### NAME" at or after the start of a line; NULL if there is
 * none. */
static char *next_name(char *line)
{
	while (line && strncmp(line, "### ", 4) != 0) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return line;
}

/*
 * Histories that each begin with a line "### NAME", which is printed before the
 * output of its history. All are read before the first one runs, because child
 * processes share the file's position.
 */
static void play_many(FILE *file, const char *plugin)
{
	char *all = NULL, *from, *to;
	size_t space = 0;

	if (getdelim(&all, &space, '\0', file) < 0 || !next_name(all))
		fail("with -m each history begins with a line ### NAME");
	for (from = next_name(all); from; from = to) {
		to = next_name(from + 1);
		printf("%.*s\n", (int) strcspn(from, "\n"), from);
		play_apart(from, to ? (size_t) (to - from) : strlen(from),
			   plugin);
	}
	free(all);
}

static FILE *open_history(const char *path)
{
	FILE *file = path ? fopen(path, "r") : stdin;

	if (!file)
		fail("%s cannot be read", path);
	return file;
}

int main(int argc, char **argv)
{
	const char *folder = NULL;
	FILE *file;
	bool many = false;
	int option;

	while ((option = getopt(argc, argv, "mprvd:")) != -1) {
		if (option == 'v')
			options.verbose++;
		else if (option == 'm')
			many = true;
		else if (option == 'p')
			options.spread = true;
		else if (option == 'r')
			clock_hurry(options.spread = true);
		else if (option == 'd')
			folder = optarg;
		else
			usage();
	}
	if (argc - optind < 1 || argc - optind > 2 || (many && folder))
		usage();
	/* PriorityUsageResetPeriod depends on the local midnight. */
	(void) setenv("TZ", getenv("HOST_TZ") ? getenv("HOST_TZ") : "UTC0", 1);
	tzset();
	file = open_history(argv[optind + 1]);
	if (many) {
		play_many(file, argv[optind]);
	} else {
		stay_here();
		play(file, folder, argv[optind]);
	}
	if (file != stdin)
		fclose(file);
	return 0;
}
