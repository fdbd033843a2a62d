/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The explanation of one job, for a terminal and as JSON. What is not known has no
 * line, and is null in JSON: a script that reads a key finds it always. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/colour.h"
#include "cli/json.h"
#include "why/budget.h"
#include "why/page.h"
#include "why/why.h"

/* Of a terminal, with the label of a line. */
#define PAGE_WIDTH 79
#define PAGE_LABEL 12

/* A label and a text that is wrapped beside it. An empty text prints nothing, label
 * included. Bytes are counted, not letters: Slurm's words are ASCII, and a name in
 * another script only makes a line shorter. */
static void field_print(const char *label, const char *text)
{
	const size_t room = PAGE_WIDTH - PAGE_LABEL;
	const char *name = label;

	while (text[0] != '\0') {
		size_t length = strlen(text), at;

		/* At the last space that fits; a word longer than the line is cut. */
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

/* The job in a sentence. What waits has a time since its submission, what runs has a time
 * on its nodes and, with a time limit, the time that is left. */
static void page_print_head(const struct eqt_why_wait *wait)
{
	const struct eqt_live_job *job = wait->job;
	const int64_t now = wait->cluster->now_s;
	char line[768], span[EQT_WAIT_TIME], left[EQT_WAIT_TIME];

	if (job->pending)
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
		(void) snprintf(line, sizeof(line),
				"Job %s of %s (account %s) is %s in %s on %s, "
				"for %s.",
				job->name, job->user, job->account, job->state,
				job->partition, job->nodelist,
				eqt_duration_words(span,
						   (int64_t) job->used_s));
	field_print("Job", line + 4);
}

/* "Of 4 in cpu 3 fit: 1 is free, 2 are busy with other jobs (cpu1, ...)". */
static void page_print_nodes(const struct eqt_why_wait *wait)
{
	const struct eqt_why_nodes *nodes = &wait->nodes;
	const size_t fit = eqt_why_nodes_fit(nodes);
	char line[1600];
	bool first = true;
	size_t used;
	int kind;

	used = (size_t) snprintf(line, sizeof(line),
				 "it wants %" PRIu64 "%s node%s with %" PRIu64
				 " CPU%s and %" PRIu64 " MiB",
				 nodes->nodes,
				 wait->job->whole_nodes ? " whole" : "",
				 nodes->nodes == 1 ? "" : "s", nodes->cpus,
				 nodes->cpus == 1 ? "" : "s", nodes->mem_mib);
	if (nodes->gpus > 0)
		used += (size_t) snprintf(line + used, sizeof(line) - used,
					  " and %" PRIu64 " GPU%s%s%s",
					  nodes->gpus,
					  nodes->gpus == 1 ? "" : "s",
					  wait->job->model[0] ? " " : "",
					  wait->job->model);
	used += (size_t) snprintf(line + used, sizeof(line) - used,
				  "; of %zu nodes in %.200s %zu fit",
				  nodes->all, wait->job->partition, fit);
	for (kind = 0; kind < EQT_NODE_KINDS; kind++) {
		if (nodes->of[kind] == 0)
			continue;
		used += (size_t) snprintf(
			line + used, sizeof(line) - used, "%s %zu %s (%s%s)",
			first ? ":" : ",", nodes->of[kind],
			eqt_why_node_sentence((enum eqt_why_node) kind),
			nodes->example[kind],
			nodes->of[kind] > 1 ? ", ..." : "");
		first = false;
	}
	field_print("Nodes", line);
}

/* Who starts earlier, and how much they may use. A job of priority 0 is held: it is in no
 * queue. */
static void page_print_ahead(const struct eqt_why_wait *wait)
{
	const struct eqt_why_ahead *ahead = &wait->ahead;
	char line[400];
	int used;

	if (wait->job->priority == 0)
		return;
	used = snprintf(line, sizeof(line),
			"%zu of %zu jobs that could start in %.100s %s a "
			"higher priority",
			ahead->jobs, ahead->pending, wait->job->partition,
			ahead->jobs == 1 ? "has" : "have");
	if (ahead->jobs > 0)
		(void) snprintf(line + used, sizeof(line) - (size_t) used,
				"; to their time limits they want %.6g "
				"equivalent-hours",
				ahead->hours);
	field_print("Ahead", line);
}

/* Does the job draw on a budget, or is it held by it? Users get the balances of their
 * own accounts alone, so a budget above them may be missing. */
static bool page_has_budget(const struct eqt_why_page *page,
			    const struct eqt_budget *budget)
{
	const struct eqt_live_job *job = page->wait->job;

	return eqt_why_budget_is_of(budget, job->reason, job->account,
				    job->user);
}

/* A line for each, with what is left. */
static void page_print_budgets(const struct eqt_why_page *page)
{
	char text[EQT_WHY_BUDGET_TEXT];
	size_t i;

	for (i = 0; i < page->budgets->count; i++) {
		if (page_has_budget(page, &page->budgets->row[i]))
			field_print("Budget",
				    eqt_why_budget_text(
					    text, &page->budgets->row[i]));
	}
}

/* squeue prints an expected start only for jobs that backfill has looked at. */
static void page_print_start(const struct eqt_why_wait *wait)
{
	const int64_t now = wait->cluster->now_s;
	const struct eqt_live_job *job = wait->job;
	char line[200], when[EQT_WAIT_TIME];

	if (job->eligible_s > now)
		field_print("Begins",
			    eqt_why_time_words(when, job->eligible_s, now));
	/* A start that is only the begin time is no plan of backfill's. */
	if (job->start_s <= now || job->start_s == job->eligible_s)
		return;
	(void) snprintf(line, sizeof(line),
			"Slurm's backfill plans it for %s, if all jobs run to "
			"their time limits",
			eqt_why_time_words(when, job->start_s, now));
	field_print("Start", line);
}

/* What holds now, numbered: the first ends last. */
static void page_print_obstacles(const struct eqt_why_wait *wait)
{
	const struct eqt_why_obstacles *all = &wait->obstacles;
	char line[EQT_OBSTACLE_TEXT + 16], text[EQT_OBSTACLE_TEXT];
	size_t i;

	if (all->count == 0)
		field_print("Obstacles",
			    "none that Slurm's numbers show: it should start "
			    "when the scheduler looks at it again");
	for (i = 0; i < all->count; i++) {
		(void) snprintf(line, sizeof(line), "%zu. %s", i + 1,
				eqt_why_obstacle_text(text, &all->at[i],
						      wait->cluster->now_s));
		field_print(i == 0 ? "Obstacles" : "", line);
	}
}

/* A running job has its head alone: there is nothing to explain. */
void eqt_why_page_print(const struct eqt_why_page *page)
{
	const struct eqt_why_wait *wait = page->wait;
	const char *id = wait->job->id;
	char words[EQT_WAIT_WORDS + 512];

	page_print_head(wait);
	if (!wait->job->pending)
		return;
	(void) snprintf(words, sizeof(words), "%.400s%s%s", wait->job->reason,
			wait->words[0] ? ": " : "", wait->words);
	/* The text of a budget has everything. */
	field_print("Reason",
		    strncmp(words, "Budget ", 7) == 0 ? wait->words : words);
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

/* "" becomes null: it stands for nothing in all these texts. */
static void page_add_text(json_object *object, const char *key,
			  const char *text)
{
	eqt_json_add(object, key,
		     text[0] ? json_object_new_string(text) : NULL);
}

/* Counts are never null: 0 is one. */
static void page_add_count(json_object *object, const char *key, uint64_t count)
{
	eqt_json_add(object, key, json_object_new_uint64(count));
}

/* Null for a time that is not known. */
static void page_add_time(json_object *object, const char *key, int64_t at_s)
{
	eqt_json_add(object, key,
		     at_s > 0 ? json_object_new_int64(at_s) : NULL);
}

/* The limit that keeps the job, in Slurm's units; NULL if none does. */
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
	page_add_count(object, "used", limit->used);
	page_add_count(object, "reserved", limit->reserved);
	page_add_count(object, "wants", limit->wants);
	return object;
}

/* Keys are the words of eqt_why_node_word(), each with the number of nodes of that
 * kind. */
static json_object *nodes_json(const struct eqt_why_nodes *nodes)
{
	json_object *object = json_object_new_object();
	int kind;

	page_add_count(object, "wanted", nodes->nodes);
	page_add_count(object, "cpus_each", nodes->cpus);
	page_add_count(object, "memory_mib_each", nodes->mem_mib);
	page_add_count(object, "gpus_each", nodes->gpus);
	page_add_count(object, "in_partition", nodes->all);
	page_add_count(object, "fit", eqt_why_nodes_fit(nodes));
	for (kind = 0; kind < EQT_NODE_KINDS; kind++)
		page_add_count(object,
			       eqt_why_node_word((enum eqt_why_node) kind),
			       nodes->of[kind]);
	return object;
}

/* In the order of the page. */
static json_object *obstacles_json(const struct eqt_why_obstacles *all)
{
	json_object *array = json_object_new_array();
	size_t i;

	for (i = 0; i < all->count; i++) {
		json_object *one = json_object_new_object();

		page_add_text(one, "kind", all->at[i].kind);
		page_add_text(one, "words", all->at[i].words);
		page_add_text(one, "ends", eqt_why_end_word(all->at[i].end));
		page_add_time(one, "ends_s", all->at[i].at_s);
		(void) json_object_array_add(array, one);
	}
	return array;
}

/* Hours are those of the time limits, the most that these jobs could take. */
static json_object *ahead_json(const struct eqt_why_ahead *ahead)
{
	json_object *object = json_object_new_object();

	page_add_count(object, "jobs", ahead->jobs);
	page_add_count(object, "pending", ahead->pending);
	eqt_json_add(object, "equivalent_hours",
		     json_object_new_double(ahead->hours));
	page_add_count(object, "without_time_limit", ahead->unlimited);
	return object;
}

/* Only those that the job draws on. */
static json_object *budgets_json(const struct eqt_why_page *page)
{
	json_object *array = json_object_new_array();
	size_t i;

	for (i = 0; i < page->budgets->count; i++) {
		const struct eqt_budget *budget = &page->budgets->row[i];
		json_object *one;

		if (!page_has_budget(page, budget))
			continue;
		one = json_object_new_object();
		page_add_count(one, "id", budget->id);
		eqt_json_add(one, "left_hours",
			     json_object_new_double(
				     (double) eqt_budget_left(budget) /
				     (double) EQT_BUDGET_HOUR_U));
		page_add_time(one, "next_refill_s", (int64_t) budget->next);
		(void) json_object_array_add(array, one);
	}
	return array;
}

/* Numbers are without units of Slurm's: MiB, seconds, seconds since the epoch. */
json_object *eqt_why_page_json(const struct eqt_why_page *page)
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
	eqt_json_add(object, "budgets", budgets_json(page));
	eqt_json_add(object, "priority",
		     eqt_why_jobs_json(page->pending, &job->id, 1));
	return object;
}
