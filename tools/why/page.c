/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explains one job, on a terminal and as JSON. Data that are not known have no line on
 * the terminal. In JSON they are null, so that scripts find each key. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "budget/hours.h"
#include "cli/print.h"
#include "cli/alloc.h"
#include "cli/colour.h"
#include "cli/json.h"
#include "why/page.h"
#include "why/why.h"
#include "slurm/conf/site_conf.h"
#include "scene/scene.h"
#include "slurm/conf/cluster.h"
#include "slurm/text/command.h"
#include "slurm/text/timestamp.h"

/* The site's configuration, which the caller frees with eqt_conf_free(). NULL on a host
 * without one, which is no error here. A folder of saved answers has the configuration if
 * it was readable when the answers were saved. */
static const struct eqt_conf *site_conf(const char *folder)
{
	char path[EQT_LIVE_PATH];
	const struct eqt_conf *conf = NULL;

	if (!folder)
		(void) eqt_site_conf_try(&conf);
	else if (access(eqt_live_cluster_path(path, folder, "equitree.conf"),
			R_OK) == 0)
		conf = eqt_site_conf_open(path);
	return conf;
}

/* ---- Budget -------------------------------------------------------------------------
 * A job that a budget holds has priority 0, so sprio does not list it. The plugin writes
 * the reason to the job's description, which squeue prints as the reason. */

#define BUDGET_TEXT 1024
#define BUDGET_DAY 40

/* Does a budget hold the job? */
static bool why_budget_holds(const struct eqt_live_job *job)
{
	return job->pending && eqt_live_job_names_budget(job);
}

/*
 * May a job draw on a budget? It may if its reason names the number of the budget, which
 * may belong to an account above. It also may if the budget belongs to the job's account,
 * or to the user in that account, and covers such jobs. Other budgets of accounts above
 * are not known here, because users may not see them.
 */
static bool why_budget_is_of(const struct eqt_budget *budget,
			     const struct eqt_live_job *job)
{
	if (eqt_live_job_budget(job) == budget->id)
		return true;
	return !budget->closed &&
	       eqt_budget_has_pool(budget, job->tres.gpus ? EQT_BUDGET_GPUS
							  : EQT_BUDGET_CORES) &&
	       strcmp(budget->terms.account, job->account) == 0 &&
	       (!budget->terms.user[0] ||
		strcmp(budget->terms.user, job->user) == 0);
}

/* Write a text such as ", refilled on 2027-01-01" in local time. "" if there is no time.
 * Returns buf. */
__attribute__((format(strftime, 2, 0))) static const char *budget_day(
	char buf[BUDGET_DAY], const char *format, uint64_t at_s)
{
	buf[0] = '\0';
	return at_s ? eqt_timestamp_text(buf, BUDGET_DAY, format,
					 (int64_t) at_s)
		    : buf;
}

/* Write a text such as "1 of physics: 0.5 of 1 equivalent-hours left (...), refilled on
 * 2027-01-01". Returns buf. */
static char *why_budget_text(char buf[BUDGET_TEXT],
			     const struct eqt_bundle_table *prices,
			     const struct eqt_budget *budget)
{
	char left[EQT_HOURS_TEXT], all[EQT_HOURS_TEXT], spent[EQT_HOURS_TEXT],
		committed[EQT_HOURS_TEXT], refill[BUDGET_DAY], end[BUDGET_DAY];
	char unit[EQT_HOURS_UNIT];

	(void) snprintf(
		buf, BUDGET_TEXT,
		"%" PRIu64 " of %s%s%s: %s of %s %ss left (%s spent, "
		"%s committed)%s%s",
		budget->id, budget->terms.account,
		budget->terms.user[0] ? "/" : "", budget->terms.user,
		eqt_hours_short(eqt_budget_left(budget), left),
		eqt_hours_short(budget->amount_u, all),
		eqt_hours_unit(prices, budget->terms.pool, unit),
		eqt_hours_short(budget->spent_u, spent),
		eqt_hours_short(budget->committed_u, committed),
		budget_day(refill, ", refilled on %Y-%m-%d", budget->next),
		budget_day(end, ", ends on %Y-%m-%d", budget->terms.end));
	return buf;
}

/* Print the reason of a held job, and all budgets on which the job draws. */
static void held_job_print(const char *id, const struct eqt_live_job *job,
			   const struct eqt_balances *rows,
			   const struct eqt_bundle_table *prices)
{
	char text[BUDGET_TEXT];

	printf("Job %s is held until its budget has enough for it:\n  %s\n", id,
	       job->reason);
	for (size_t i = 0; i < rows->count; i++) {
		if (why_budget_is_of(&rows->row[i], job))
			printf("  budget %s\n",
			       why_budget_text(text, prices, &rows->row[i]));
	}
}

/* The budgets on which the job draws. Hours are not rounded. */
static json_object *budgets_json(const struct eqt_live_job *job,
				 const struct eqt_balances *rows)
{
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < rows->count; i++) {
		const struct eqt_budget *budget = &rows->row[i];
		json_object *one;

		if (!why_budget_is_of(budget, job))
			continue;
		one = json_object_new_object();
		eqt_json_add(one, "id", budget->id);
		eqt_json_add(one, "left_hours",
			     eqt_hours_double(eqt_budget_left(budget)));
		eqt_json_add(one, "next_refill_s",
			     budget->next ? json_object_new_uint64(budget->next)
					  : NULL);
		eqt_json_append(array, one);
	}
	return array;
}

static json_object *held_job_json(const char *id,
				  const struct eqt_live_job *job,
				  const struct eqt_balances *rows)
{
	json_object *out = json_object_new_object();

	eqt_json_add(out, "job", id);
	eqt_json_add(out, "held_by_budget", job->reason);
	eqt_json_add(out, "budgets", budgets_json(job, rows));
	return out;
}

/* If squeue does not answer, no job counts as held here, and the caller goes on with
 * sprio. */
int eqt_why_budgets(const char *const *ids, int count, bool json,
		    struct eqt_error *err)
{
	json_object *list = json ? json_object_new_array() : NULL;
	struct eqt_balances rows = { .row = NULL };
	const struct eqt_conf *conf = NULL;
	struct eqt_live_jobs jobs;
	int held = 0, rc = 0;

	(void) eqt_live_jobs_read_few(&jobs, NULL, err);
	for (int i = 0; i < count && rc == 0; i++) {
		const struct eqt_live_job *job =
			eqt_live_jobs_find(&jobs, ids[i]);

		if (!job || !why_budget_holds(job))
			continue;
		/* Ask for the balances only once, and only if a budget holds one of the
		 * jobs. */
		if (held++ == 0) {
			rc = eqt_balances_read(&rows, err);
			conf = site_conf(NULL);
		}
		if (rc == 0 && json)
			eqt_json_append(list,
					held_job_json(ids[i], job, &rows));
		else if (rc == 0)
			held_job_print(ids[i], job, &rows,
				       conf ? &conf->prices : NULL);
	}
	eqt_conf_free(conf);
	eqt_live_jobs_free(&jobs);
	eqt_balances_free(&rows);
	if (json && held && rc == 0)
		eqt_json_print(list);
	else
		json_object_put(list);
	return rc < 0 ? -1 : held;
}

/* ---- Page ----------------------------------------------------------------- */

/* Widths of a line and of its label. */
#define PAGE_WIDTH 79
#define PAGE_LABEL 12

/* Print a label, and a text wrapped beside it. An empty text is not printed. Widths are
 * counted in bytes, so a line with letters that are not ASCII is shorter. */
static void field_print(const char *label, const char *text)
{
	const size_t room = PAGE_WIDTH - PAGE_LABEL;
	const char *name = label;

	while (text[0] != '\0') {
		size_t length = strlen(text), at;

		/* Break at the last space that fits. A word that is longer than the line
		 * is split. */
		if (length > room) {
			for (at = room; at > 0 && text[at] != ' ';)
				at--;
			length = at > 0 ? at : room;
		}
		printf("%s%-*s%s%.*s\n", eqt_colour(EQT_COLOUR_BOLD),
		       PAGE_LABEL, name, eqt_colour(EQT_COLOUR_NONE),
		       (int) length, text);
		name = "";
		text += length;
		text += strspn(text, " ");
	}
}

/* Print a sentence about the job: how long it has waited, or how long it has run and may
 * still run. */
static void page_print_head(const struct eqt_why_wait *wait)
{
	const struct eqt_live_job *job = wait->job;
	const int64_t now = wait->cluster->now_s;
	char line[768], span[EQT_WAIT_TIME], left[EQT_WAIT_TIME];

	if (job->pending && now <= job->submit_s)
		(void) snprintf(line, sizeof(line),
				"Job %s of %s (account %s, QOS %s) waits in "
				"%s since this second.",
				job->name, job->user, job->account, job->qos,
				job->partition);
	else if (job->pending)
		(void) snprintf(line, sizeof(line),
				"Job %s of %s (account %s, QOS %s) has waited "
				"in %s for %s.",
				job->name, job->user, job->account, job->qos,
				job->partition,
				eqt_duration_words(span, now - job->submit_s));
	else if (job->limit_s > 0)
		(void) snprintf(line, sizeof(line),
				"Job %s of %s (account %s) is %s in %s on %s, "
				"for %s, and for %s at most.",
				job->name, job->user, job->account, job->state,
				job->partition, job->nodelist,
				eqt_duration_words(span, (int64_t) job->used_s),
				eqt_duration_words(
					left, (int64_t) job->limit_s -
						      (int64_t) job->used_s));
	else
		(void) snprintf(
			line, sizeof(line),
			"Job %s of %s (account %s) is %s in %s on %s, for %s.",
			job->name, job->user, job->account, job->state,
			job->partition, job->nodelist,
			eqt_duration_words(span, (int64_t) job->used_s));
	field_print("Job", line + 4);
}

/* Print a text such as "Of 4 in cpu 3 fit: 1 is free, 2 are busy with other jobs (cpu1,
 * ...)". */
static void page_print_nodes(const struct eqt_why_wait *wait)
{
	const struct eqt_why_nodes *nodes = &wait->nodes;
	const size_t fit = eqt_node_fit_sum(nodes);
	char line[1600];
	bool first = true;

	(void) snprintf(line, sizeof(line),
			"it wants %" PRIu64 "%s node%s with %" PRIu64
			" CPU%s and %" PRIu64 " MiB",
			nodes->nodes, wait->job->whole_nodes ? " whole" : "",
			nodes->nodes == 1 ? "" : "s", nodes->cpus,
			nodes->cpus == 1 ? "" : "s", nodes->mem_mib);
	if (nodes->gpus > 0)
		eqt_print_append(line, sizeof(line),
				 " and %" PRIu64 " GPU%s%s%s", nodes->gpus,
				 nodes->gpus == 1 ? "" : "s",
				 wait->job->model[0] ? " " : "",
				 wait->job->model);
	eqt_print_append(line, sizeof(line), "; of %zu nodes in %.200s %zu fit",
			 nodes->all, wait->job->partition, fit);
	for (int kind = 0; kind < EQT_NODE_KINDS; kind++) {
		if (nodes->of[kind] == 0)
			continue;
		eqt_print_append(
			line, sizeof(line), "%s %zu %s (%s%s)",
			first ? ":" : ",", nodes->of[kind],
			eqt_node_fit_sentence((enum eqt_why_node) kind),
			nodes->example[kind],
			nodes->of[kind] > 1 ? ", ..." : "");
		first = false;
	}
	field_print("Nodes", line);
}

/* Print the number of jobs ahead, and their hours. A held job has priority 0 and is in no
 * queue. */
static void page_print_ahead(const struct eqt_why_wait *wait)
{
	const struct eqt_why_ahead *ahead = &wait->ahead;
	char line[400];

	if (wait->job->priority == 0)
		return;
	(void) snprintf(line, sizeof(line),
			"%zu of %zu job%s that could start in %.100s %s a "
			"higher priority",
			ahead->jobs, ahead->pending,
			ahead->pending == 1 ? "" : "s", wait->job->partition,
			ahead->jobs == 1 ? "has" : "have");
	if (ahead->jobs > 0)
		eqt_print_append(line, sizeof(line),
				 "; to their time limits they want %.6g "
				 "equivalent-hours",
				 ahead->hours);
	field_print("Ahead", line);
}

/* Print a line for each budget on which the job draws. */
static void page_print_budgets(const struct eqt_why_page *page)
{
	char text[BUDGET_TEXT];

	for (size_t i = 0; i < page->budgets->count; i++) {
		if (why_budget_is_of(&page->budgets->row[i], page->wait->job))
			field_print("Budget",
				    why_budget_text(text, page->prices,
						    &page->budgets->row[i]));
	}
}

/* squeue prints an expected start only for jobs that the backfill scheduler has
 * considered. */
static void page_print_start(const struct eqt_why_wait *wait)
{
	const int64_t now = wait->cluster->now_s;
	const struct eqt_live_job *job = wait->job;
	char line[200], when[EQT_WAIT_TIME];

	if (job->eligible_s > now)
		field_print("Begins", eqt_obstacles_time_words(
					      when, job->eligible_s, now));
	/* A start that equals the begin time was not planned by the backfill
	 * scheduler. */
	if (job->start_s <= now || job->start_s == job->eligible_s)
		return;
	(void) snprintf(line, sizeof(line),
			"Slurm's backfill plans it for %s, if all jobs run to "
			"their time limits",
			eqt_obstacles_time_words(when, job->start_s, now));
	field_print("Start", line);
}

/* Print the present obstacles with their numbers. The obstacle that ends last comes
 * first. */
static void page_print_obstacles(const struct eqt_why_wait *wait)
{
	const struct eqt_why_obstacles *all = &wait->obstacles;
	char line[EQT_OBSTACLE_TEXT + 16], text[EQT_OBSTACLE_TEXT];

	if (all->count == 0)
		field_print("Obstacles",
			    "none that Slurm's numbers show: it should start "
			    "when the scheduler looks at it again");
	for (size_t i = 0; i < all->count; i++) {
		(void) snprintf(line, sizeof(line), "%zu. %s", i + 1,
				eqt_obstacles_text(text, &all->at[i],
						   wait->cluster->now_s));
		field_print(i == 0 ? "Obstacles" : "", line);
	}
}

/* Print the page, at most 80 columns wide. A running job has only the first sentence. */
static void why_page_print(const struct eqt_why_page *page)
{
	const struct eqt_why_wait *wait = page->wait;
	const char *id = wait->job->id;
	char words[EQT_WAIT_WORDS + 512];

	page_print_head(wait);
	if (!wait->job->pending)
		return;
	(void) snprintf(words, sizeof(words), "%.400s%s%.767s",
			wait->job->reason, wait->words[0] ? ": " : "",
			wait->words);
	/* The text of a budget needs no words added. */
	field_print("Reason",
		    eqt_live_job_names_budget(wait->job) ? wait->words : words);
	field_print("You can", wait->advice[0] ? wait->advice : "only wait");
	page_print_obstacles(wait);
	if (!strstr(wait->words, wait->depends))
		field_print("Depends on", wait->depends);
	if (!strstr(wait->words, wait->reserved))
		field_print("Reserved", wait->reserved);
	page_print_nodes(wait);
	page_print_ahead(wait);
	page_print_budgets(page);
	page_print_start(wait);
	field_print("Forecast", page->forecast);
	if (page->pending->count == 0)
		return;
	putchar('\n');
	eqt_why_jobs(page->pending, &id, 1);
}

/* ---- JSON ----------------------------------------------------------------- */

/* Add a text to an object. "" becomes null. */
static void page_add_text(json_object *object, const char *key,
			  const char *text)
{
	eqt_json_add(object, key, text[0] ? text : NULL);
}

/* Add a time to an object. A time that is not known becomes null. */
static void page_add_time(json_object *object, const char *key, int64_t at_s)
{
	eqt_json_add(object, key,
		     at_s > 0 ? json_object_new_int64(at_s) : NULL);
}

/* The limit that keeps the job from starting, in Slurm's units. NULL if there is none. */
static json_object *limit_json(const struct eqt_why_wait *wait)
{
	const struct eqt_why_limit *limit = &wait->limit;
	json_object *object;

	if (!wait->limited)
		return NULL;
	object = json_object_new_object();
	page_add_text(object, "owner", limit->owner);
	page_add_text(object, "what", limit->what);
	eqt_json_add(object, "limit",
		     limit->known ? json_object_new_uint64(limit->limit)
				  : NULL);
	eqt_json_add(object, "used", limit->used);
	eqt_json_add(object, "reserved", limit->reserved);
	eqt_json_add(object, "wants", limit->wants);
	return object;
}

/* The keys are the words of eqt_node_fit_word(). Each has the number of nodes of that
 * kind. */
static json_object *nodes_json(const struct eqt_why_nodes *nodes)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "wanted", nodes->nodes);
	eqt_json_add(object, "cpus_each", nodes->cpus);
	eqt_json_add(object, "memory_mib_each", nodes->mem_mib);
	eqt_json_add(object, "gpus_each", nodes->gpus);
	eqt_json_add(object, "in_partition", nodes->all);
	eqt_json_add(object, "fit", eqt_node_fit_sum(nodes));
	for (int kind = 0; kind < EQT_NODE_KINDS; kind++)
		eqt_json_add(object,
			     eqt_node_fit_word((enum eqt_why_node) kind),
			     nodes->of[kind]);
	return object;
}

/* The obstacles in the order in which the page prints them. */
static json_object *obstacles_json(const struct eqt_why_obstacles *all)
{
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < all->count; i++) {
		json_object *one = json_object_new_object();

		page_add_text(one, "kind", all->at[i].kind);
		page_add_text(one, "words", all->at[i].words);
		page_add_text(one, "ends",
			      eqt_obstacles_end_word(all->at[i].end));
		page_add_time(one, "ends_s", all->at[i].at_s);
		eqt_json_append(array, one);
	}
	return array;
}

/* Hours are counted up to the time limits of the jobs. */
static json_object *ahead_json(const struct eqt_why_ahead *ahead)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "jobs", ahead->jobs);
	eqt_json_add(object, "pending", ahead->pending);
	eqt_json_add(object, "equivalent_hours", ahead->hours);
	eqt_json_add(object, "without_time_limit", ahead->unlimited);
	return object;
}

/* The page as a JSON object, which the caller owns. Numbers are plain: memory in MiB,
 * durations in seconds, times in seconds since the epoch. */
static json_object *why_page_json(const struct eqt_why_page *page)
{
	const struct eqt_why_wait *wait = page->wait;
	const struct eqt_live_job *job = wait->job;
	json_object *object = json_object_new_object();

	page_add_text(object, "job", job->name);
	page_add_text(object, "user", job->user);
	page_add_text(object, "account", job->account);
	page_add_text(object, "partition", job->partition);
	page_add_text(object, "qos", job->qos);
	page_add_text(object, "state", job->state);
	page_add_time(object, "submitted_s", job->submit_s);
	page_add_text(object, "reason", job->pending ? job->reason : "");
	page_add_text(object, "words", wait->words);
	page_add_text(object, "advice", wait->advice);
	eqt_json_add(object, "limit", limit_json(wait));
	eqt_json_add(object, "obstacles", obstacles_json(&wait->obstacles));
	page_add_text(object, "depends", wait->depends);
	page_add_text(object, "reserved", wait->reserved);
	page_add_time(object, "begins_s",
		      job->eligible_s > wait->cluster->now_s ? job->eligible_s
							     : 0);
	page_add_time(object, "slurm_start_s", job->pending ? job->start_s : 0);
	page_add_text(object, "forecast", page->forecast);
	eqt_json_add(object, "nodes", nodes_json(&wait->nodes));
	eqt_json_add(object, "ahead", ahead_json(&wait->ahead));
	eqt_json_add(object, "budgets", budgets_json(job, page->budgets));
	eqt_json_add(object, "priority",
		     eqt_why_jobs_json(page->pending, &job->id, 1));
	return object;
}

/* ---- Job page -----------------------------------------------------------------------
 * "equitree why JOB", from Slurm's answers or from a folder. A folder has no
 * --exclude. Data that the user may not see, or that the site does not have, are left
 * out. */

/* --exclude of a job, which only the short format of squeue prints. "" or NULL if there
 * is none. The caller frees the text with free(). The id behind the list shows where the
 * list ends. */
static char *excluded_read(const struct eqt_live_job *job)
{
	const char *words[] = { "squeue", "-h", "--local",  "-j",
				job->id,  "-o", "%A|%x|%A", NULL };
	struct eqt_listing out;
	char *list = NULL, *bar;

	if (eqt_command_try(&out, "squeue", words) < 0)
		return NULL;
	bar = out.text ? strchr(out.text, '|') : NULL;
	if (bar && bar[1] != '|')
		list = eqt_alloc_part(bar + 1, strcspn(bar + 1, "|"));
	eqt_listing_free(&out);
	if (list && strcmp(list, "(null)") == 0)
		list[0] = '\0';
	return list;
}

/* Read the points of a waiting job; leave them empty if sprio does not list it. sprio
 * never lists held jobs, so it is not run for a job of priority 0. If the answer lacks
 * the job, it is dropped, so that the page does not show weights without points. */
static void points_read(struct eqt_sprio *points, const char *folder,
			const struct eqt_live_job *job)
{
	char jobs[EQT_LIVE_PATH], weights[EQT_LIVE_PATH];
	struct eqt_error err;

	*points = (struct eqt_sprio){ .count = 0 };
	if (!job->pending || job->priority == 0 ||
	    eqt_sprio_read(
		    points, eqt_live_cluster_path(jobs, folder, "sprio.txt"),
		    eqt_live_cluster_path(weights, folder, "weights.txt"),
		    &err) < 0)
		return;
	for (size_t i = 0; i < points->count; i++) {
		if (strcmp(points->jobs[i].id, job->id) == 0)
			return;
	}
	eqt_sprio_free(points);
}

/* Read AccountingStorageEnforce. "" if the configuration is not known. */
static void enforce_find(char enforce[256], const char *folder)
{
	char path[EQT_LIVE_PATH];
	struct eqt_slurmconf conf;
	struct eqt_error quiet;

	enforce[0] = '\0';
	if (eqt_cluster_config_read(
		    &conf, eqt_live_cluster_path(path, folder, "config.txt"),
		    &quiet) < 0)
		return;
	(void) snprintf(enforce, 256, "%s",
			eqt_cluster_config_get(&conf,
					       "AccountingStorageEnforce"));
	eqt_slurm_conf_free(&conf);
}

/* Budgets, points and the forecast may be missing without a message, because a user may
 * see less than an operator does. */
static void page_show(const struct eqt_live_cluster *cluster,
		      const struct eqt_live_job *job, const char *folder,
		      bool json)
{
	struct eqt_balances budgets = { .count = 0 };
	char *exclude = folder ? NULL : excluded_read(job);
	struct eqt_sprio points;
	struct eqt_why_wait wait;
	char forecast[EQT_SCENE_LINE];
	const struct eqt_conf *conf = site_conf(folder);
	const struct eqt_why_page page = { &wait, &points, &budgets,
					   conf ? &conf->prices : NULL,
					   forecast };
	char enforce[256];

	enforce_find(enforce, folder);
	eqt_why_wait_make(&wait, cluster, job, enforce, exclude,
			  conf ? conf->billing_scale : 1);
	free(exclude);
	if (job->pending)
		eqt_scene_budgets_ask(&budgets, folder);
	points_read(&points, folder, job);
	eqt_scene_line(forecast, cluster, job, folder);
	if (json)
		eqt_json_print(why_page_json(&page));
	else
		why_page_print(&page);
	eqt_sprio_free(&points);
	eqt_balances_free(&budgets);
	eqt_conf_free(conf);
}

int eqt_why_job_page(const char *id, const char *folder, bool json,
		     struct eqt_error *err)
{
	struct eqt_live_cluster cluster;
	const struct eqt_live_job *job;
	int rc = 0;

	if (eqt_live_cluster_read(&cluster, folder, err) < 0)
		return -1;
	job = eqt_live_jobs_find(&cluster.jobs, id);
	if (job)
		page_show(&cluster, job, folder, json);
	else
		rc = eqt_error_set(err,
				   "no job %s runs or waits; equitree bill "
				   "--job %s says what it cost",
				   id, id);
	eqt_live_cluster_free(&cluster);
	return rc;
}
