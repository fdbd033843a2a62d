/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../compat/stand_in.h"
#include "assocs.h"
#include "queue/budget.h"
#include "clock.h"
#include "cluster.h"
#include "fail.h"
#include "trouble/faults.h"
#include "trouble/fallback.h"
#include "history.h"
#include "jobs.h"
#include "locks.h"
#include "trouble/midway.h"
#include "trouble/power.h"
#include "plugin.h"
#include "print.h"
#include "queue/scheduler.h"
#include "trouble/storm.h"

static unsigned int line_number;

unsigned int history_line(void)
{
	return line_number;
}

/* ---- Events that are more than one call ----------------------------------- */

static void nothing(void)
{
}

static void start(const struct words *words)
{
	(void) words;
	if (host_plugin_loaded())
		fail("slurmctld runs already");
	/* Files of an earlier program, if the folder was given. */
	(void) load_assoc_usage();
	(void) load_qos_usage();
	host_plugin_load(nothing);
}

static void advance(const struct words *words)
{
	clock_advance(words_int_at(words, 1, "the seconds"));
}

static void busy(const struct words *words)
{
	(void) words;
	clock_busy();
}

static void step(const struct words *words)
{
	clock_step(words_int_at(words, 1, "the seconds"));
}

static void save(const struct words *words)
{
	(void) words;
	(void) dump_assoc_mgr_state();
}

static void restore_jobs(void)
{
	jobs_forget();
	lock_slurmctld(LOCKS_JOBS);
	jobs_count_limits();
	unlock_slurmctld(LOCKS_JOBS);
}

/* slurmctld's memory after it has read its state files. */
static void start_anew(void)
{
	assocs_forget();
	host_plugin_load(restore_jobs);
}

static void restart(const struct words *words)
{
	host_plugin_unload();
	save(words);
	start_anew();
}

static void crash(const struct words *words)
{
	(void) words;
	host_plugin_kill();
	start_anew();
}

/* The power fails: now, or when "cut_at" said. */
static void power(const struct words *words)
{
	(void) words;
	host_plugin_kill();
	power_restore();
	puts("power");
	start_anew();
}

void history_reread(const struct words *words)
{
	slurmctld_lock_t locks = {
		.conf = WRITE_LOCK,
		.job = WRITE_LOCK,
		.node = WRITE_LOCK,
		.part = WRITE_LOCK,
	};

	for (int i = 1; i < words->count; i++)
		cluster_conf(words->word[i]);
	lock_slurmctld(locks);
	cluster_reread();
	assoc_mgr_clear_used_info();
	jobs_count_limits();
	unlock_slurmctld(locks);
}

static void reconfigure(const struct words *words)
{
	if (!EQT_RECONFIGURE_RESTARTS) {
		history_reread(words);
		host_plugin_reconfig(true);
		return;
	}
	for (int i = 1; i < words->count; i++)
		cluster_conf(words->word[i]);
	host_plugin_unload();
	save(words);
	cluster_reread();
	assocs_normalize();
	start_anew();
}

/* The second half of a reconfigure; "reread" is the first. */
static void tell(const struct words *words)
{
	(void) words;
	host_plugin_reconfig(true);
}

static void set_debug(const struct words *words)
{
	(void) words;
	host_plugin_reconfig(false);
}

static const char *state_path(char *path, const char *name)
{
	(void) snprintf(path, PATH_MAX, "%s/state/%s", cluster_folder_name(),
			name);
	return path;
}

/* A negative length is counted from the end of the file. */
static void cut(const struct words *words)
{
	off_t length = (off_t) words_int_at(words, 2, "the length");
	char path[PATH_MAX];
	struct stat st;

	(void) state_path(path, words_at(words, 1, "the file"));
	if (stat(path, &st) < 0 || st.st_size < -length)
		fail("%s is not there or too short", path);
	if (truncate(path, length < 0 ? st.st_size + length : length) < 0)
		fail("%s cannot be cut", path);
}

/* "damage FILE BIT" flips one bit; "damage FILE double" writes its last line twice. */
static void damage(const struct words *words)
{
	char path[PATH_MAX], byte, text[65536];
	const char *what = words_at(words, 2, "the bit");
	size_t length;
	FILE *file;
	long bit;

	(void) state_path(path, words_at(words, 1, "the file"));
	file = fopen(path, "r+");
	if (!file)
		fail("%s cannot be damaged", path);
	if (!strcmp(what, "double")) {
		length = fread(text, 1, sizeof(text) - 1, file);
		text[length] = '\0';
		while (length > 1 && text[length - 2] != '\n')
			length--;
		fputs(text + (length ? length - 1 : 0), file);
	} else {
		bit = (long) words_int_at(words, 2, "the bit");
		(void) fseek(file, bit / 8, SEEK_SET);
		if (fread(&byte, 1, 1, file) != 1)
			fail("%s is too short", path);
		byte = (char) (byte ^ (1 << bit % 8));
		(void) fseek(file, bit / 8, SEEK_SET);
		(void) fwrite(&byte, 1, 1, file);
	}
	fclose(file);
}

static void delete(const struct words *words)
{
	char path[PATH_MAX];

	(void) state_path(path, words_at(words, 1, "the file"));
	if (remove(path) < 0)
		fail("%s cannot be deleted", path);
}

/* Copy a file; one that is not there has no copy. */
static void copy_file(const char *from, const char *to)
{
	FILE *in = fopen(from, "r"), *out;
	char text[65536];
	size_t length;

	(void) remove(to);
	if (!in)
		return;
	out = fopen(to, "w");
	if (!out)
		fail("%s cannot be written", to);
	while ((length = fread(text, 1, sizeof(text), in)) > 0)
		fwrite(text, 1, length, out);
	fclose(in);
	fclose(out);
}

/* Files of FILE and those that belong to it. */
static const char *const kept_files[] = { "", ".end", ".old" };

static void keep_or_lose(const struct words *words, bool keep)
{
	const char *name = words_at(words, 1, "the file");

	for (size_t i = 0; i < sizeof(kept_files) / sizeof(*kept_files); i++) {
		char file[NAME_MAX], kept[NAME_MAX + 8];
		char path[PATH_MAX], copy[PATH_MAX];

		(void) snprintf(file, sizeof(file), "%s%s", name,
				kept_files[i]);
		(void) snprintf(kept, sizeof(kept), "kept.%s", file);
		(void) state_path(path, file);
		(void) state_path(copy, kept);
		copy_file(keep ? path : copy, keep ? copy : path);
	}
}

/* "keep FILE" and later "lose FILE": what was written in between is lost, as by a kill that
 * comes before it. */
static void keep(const struct words *words)
{
	keep_or_lose(words, true);
}

static void lose(const struct words *words)
{
	keep_or_lose(words, false);
}

/* Put a folder in the place of a file that is to be written. */
static void block(const struct words *words)
{
	char path[PATH_MAX];

	(void) state_path(path, words_at(words, 1, "the file"));
	if (mkdir(path, 0700) < 0)
		fail("%s cannot be made", path);
}

/* "state COMMAND" runs a shell's command in the folder of the state files. */
static void state_run(const struct words *words)
{
	char command[4096];
	int length = snprintf(command, sizeof(command), "cd '%s/state' &&",
			      cluster_folder_name());

	for (int i = 1; i < words->count; i++)
		length += snprintf(command + length,
				   sizeof(command) - (size_t) length, " %s",
				   words->word[i]);
	if (system(command) != 0)
		fail("%s", command);
}

/* ---- The table ------------------------------------------------------------ */

/* When an event is allowed: only while the plugin runs, or before, too. */
enum when { ANY_TIME, RUNNING };

static const struct event {
	const char *name;
	void (*run)(const struct words *words);
	enum when when;
} events[] = {
	{ "account", assocs_add_account, ANY_TIME },
	{ "advance", advance, RUNNING },
	{ "block", block, ANY_TIME },
	{ "budget", budget_request, RUNNING },
	{ "busy", busy, ANY_TIME },
	{ "clock", step, ANY_TIME },
	{ "cluster", cluster_totals, ANY_TIME },
	{ "cut", cut, ANY_TIME },
	{ "cut_at", power_arm, RUNNING },
	{ "damage", damage, ANY_TIME },
	{ "debug", set_debug, RUNNING },
	{ "delete", delete, ANY_TIME },
	{ "disk", power_watch, ANY_TIME },
	{ "end", jobs_end, RUNNING },
	{ "fail", jobs_fail, RUNNING },
	{ "fault", faults_set, ANY_TIME },
	{ "forgotten", jobs_forgotten, RUNNING },
	{ "hold", jobs_hold, RUNNING },
	{ "keep", keep, RUNNING },
	{ "kill", crash, RUNNING },
	{ "lose", lose, RUNNING },
	{ "midslice", midway_set_charges, RUNNING },
	{ "midway", midway_set, RUNNING },
	{ "miss", jobs_miss, RUNNING },
	{ "modify", assocs_modify, ANY_TIME },
	{ "nice", jobs_nice, RUNNING },
	{ "orphan", assocs_orphan, ANY_TIME },
	{ "partition", cluster_partition, ANY_TIME },
	{ "print", print_views, RUNNING },
	{ "power", power, RUNNING },
	{ "prio", jobs_priority, RUNNING },
	{ "purge", jobs_purge, RUNNING },
	{ "qos", assocs_add_qos, ANY_TIME },
	{ "recompute", jobs_recompute, RUNNING },
	{ "reconfigure", reconfigure, RUNNING },
	{ "refused", fallback_run, RUNNING },
	{ "release", jobs_release, RUNNING },
	{ "remove", assocs_remove, ANY_TIME },
	{ "requeue", jobs_requeue, RUNNING },
	{ "reread", history_reread, RUNNING },
	{ "reset", assocs_reset, RUNNING },
	{ "resize", jobs_resize, RUNNING },
	{ "restart", restart, RUNNING },
	{ "resume", jobs_resume, RUNNING },
	{ "run", start, ANY_TIME },
	{ "save", save, RUNNING },
	{ "saved", jobs_saved, RUNNING },
	{ "schedule", scheduler_run, RUNNING },
	{ "site", jobs_site, RUNNING },
	{ "start", jobs_start, RUNNING },
	{ "state", state_run, ANY_TIME },
	{ "storm", storm_run, RUNNING },
	{ "submit", jobs_submit, RUNNING },
	{ "suspend", jobs_suspend, RUNNING },
	{ "tell", tell, RUNNING },
	{ "time", jobs_time, RUNNING },
	{ "trial", jobs_trial, RUNNING },
	{ "unsaved", jobs_unsaved, RUNNING },
	{ "user", assocs_add_user, ANY_TIME },
};

/* Lines whose rest, with its blanks, is text for a file. */
static const struct setting {
	const char *name;
	void (*take)(const char *rest);
} settings[] = {
	{ "conf ", cluster_conf },
	{ "price ", cluster_price },
	{ "tres ", cluster_tres_add },
};

static bool take_setting(const char *line)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
		size_t length = strlen(settings[i].name);

		if (strncmp(line, settings[i].name, length) != 0)
			continue;
		settings[i].take(line + length);
		return true;
	}
	return false;
}

static const struct event *find_event(const char *name)
{
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		if (!strcmp(events[i].name, name))
			return &events[i];
	fail("unknown event \"%s\"", name);
}

static bool adds_assocs(const struct event *event)
{
	return event->run == assocs_add_account ||
	       event->run == assocs_add_user;
}

/* "maybe EVENT JOB ...": only if the job is in a state for it. Returns whether. */
static bool take_maybe(struct words *words)
{
	if (strcmp(words->word[0], "maybe") != 0)
		return true;
	words_shift(words);
	return words->count && jobs_fit(words->word[0], words);
}

void history_play(char *line)
{
	const struct event *event;
	struct words words;

	line[strcspn(line, "\n")] = '\0';
	if (take_setting(line))
		return;
	words_cut(&words, line);
	if (!words.count)
		return;
	if (!take_maybe(&words))
		return;
	event = find_event(words.word[0]);
	cluster_ready();
	if (!adds_assocs(event))
		assocs_flush();
	if (event->when == RUNNING && !host_plugin_loaded())
		fail("\"%s\" before \"run\"", event->name);
	event->run(&words);
	/* slurmctld notes when it has changed a job last, under the lock of jobs. */
	lock_slurmctld(LOCKS_JOBS);
	last_job_update = time(NULL);
	unlock_slurmctld(LOCKS_JOBS);
}

void history_event(char *line)
{
	history_play(line);
	clock_settle();
	budget_check();
}

void history_run(FILE *file)
{
	char *line = NULL;
	size_t space = 0;

	while (getline(&line, &space, file) >= 0) {
		line_number++;
		history_event(line);
	}
	free(line);
}
