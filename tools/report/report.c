/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order matters: the days are needed before the jobs, and jobs and queue before the
 * sums over the tree. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/whole.h"
#include "report/report.h"
#include "slurm/text/timestamp.h"
#include "cli/alloc.h"
#include "scene/scene.h"
#include "why/wait.h"
#include "slurm/conf/cluster.h"

/* ---- Last jobs ----------------------------------------------------------------------
 * Jobs come in any order, so the list of a user's last jobs is kept sorted. Most jobs are
 * older than the last job in the list, so they are compared with that one first. */

/* Fill a run from a part of a priced job, whose texts the run borrows. */
static void run_make(struct eqt_report_run *out,
		     const struct eqt_year_part *part)
{
	const struct eqt_sacct_job *job = part->job;

	*out = (struct eqt_report_run){
		.account = job->text[EQT_SACCT_ACCOUNT],
		.partition = job->text[EQT_SACCT_PARTITION],
		.qos = job->text[EQT_SACCT_QOS],
		.state = job->text[EQT_SACCT_STATE],
		.start_s = job->start_s,
		.end_s = job->end_s,
		.active_s =
			(double) ((long double) (job->end_s - job->start_s) *
				  part->active),
	};
	(void) snprintf(out->id, sizeof(out->id), "%s",
			job->text[EQT_SACCT_ID]);
	memcpy(out->rate, part->rate->of, sizeof(out->rate));
	if (part->rate->source != EQT_COST_RECORD)
		return;
	out->stretch = true;
	out->active_s =
		(double) (part->until_s - part->from_s) * (part->back ? -1 : 1);
}

/* Does one run come before another? The order is by later end, then by later start, then
 * by higher id. */
static bool run_is_later(const struct eqt_report_run *one,
			 const struct eqt_report_run *other)
{
	if (one->end_s != other->end_s)
		return one->end_s > other->end_s;
	if (one->start_s != other->start_s)
		return one->start_s > other->start_s;
	return strtoull(one->id, NULL, 10) > strtoull(other->id, NULL, 10);
}

/* The place of the same run in the list, or else the place for a new run. EQT_REPORT_LAST
 * if the run is too old. */
static size_t last_place(const struct eqt_report_last *last,
			 const struct eqt_report_run *run)
{
	for (size_t i = 0; i < last->count; i++) {
		if (last->run[i].start_s == run->start_s &&
		    strcmp(last->run[i].id, run->id) == 0)
			return i;
	}
	if (last->count < EQT_REPORT_LAST)
		return last->count;
	return run_is_later(run, &last->run[EQT_REPORT_LAST - 1])
		       ? EQT_REPORT_LAST - 1
		       : EQT_REPORT_LAST;
}

/* Replace a text by a copy in "texts", because the reader of sacct overwrites its
 * line. */
static void text_own(const char **text, struct eqt_names *texts)
{
	*text = eqt_names_text(texts, *text);
}

/* Add an earlier part of the same run. The rates become their mean. A stretch whose
 * charge was refunded does not shorten the time. */
static void run_add_stretch(struct eqt_report_run *run,
			    const struct eqt_report_run *before)
{
	const double active_s =
		before->active_s + (run->active_s > 0 ? run->active_s : 0);

	for (int unit = 0; unit < EQT_YEAR_UNITS && active_s > 0; unit++)
		run->rate[unit] = (run->rate[unit] * run->active_s +
				   before->rate[unit] * before->active_s) /
				  active_s;
	run->active_s = active_s;
}

/* Add a run if it is one of the last runs. Its texts are copied. A run with the same id
 * and start is replaced. */
static void last_add(struct eqt_report_last *last,
		     const struct eqt_report_run *run, struct eqt_names *texts)
{
	struct eqt_report_run own = *run;
	size_t at = last_place(last, run);

	if (at == EQT_REPORT_LAST)
		return;
	text_own(&own.account, texts);
	text_own(&own.partition, texts);
	text_own(&own.qos, texts);
	text_own(&own.state, texts);
	if (at < last->count && own.stretch &&
	    last->run[at].start_s == own.start_s &&
	    strcmp(last->run[at].id, own.id) == 0)
		run_add_stretch(&own, &last->run[at]);
	last->count += at == last->count;
	/* Move the run up to its place. The latest run comes first. */
	for (; at > 0 && run_is_later(&own, &last->run[at - 1]); at--)
		last->run[at] = last->run[at - 1];
	last->run[at] = own;
}

/* ---- Names ---------------------------------------------------------------- */

struct eqt_report_user *eqt_report_user(struct eqt_report *report,
					const char *name)
{
	int new;
	struct eqt_report_user *user =
		eqt_names_get(&report->users, name, sizeof(*user), &new);

	if (new)
		user->waiting = EQT_TREE_NONE;
	return user;
}

/* A removed account has no association. */
struct eqt_report_account *eqt_report_account(struct eqt_report *report,
					      const char *name)
{
	struct eqt_report_account *account;
	int new;

	account =
		eqt_names_get(&report->accounts, name, sizeof(*account), &new);
	if (new)
		account->assoc = EQT_TREE_NONE;
	return account;
}

/* The key has a newline between the two names, which have none, so that pairs sort by
 * account and then by user. */
struct eqt_report_pair *eqt_report_pair(struct eqt_report *report,
					const char *account, const char *user)
{
	struct eqt_report_pair *pair;
	char key[1024];
	int new;

	(void) snprintf(key, sizeof(key), "%.500s\n%.500s", account, user);
	pair = eqt_names_get(&report->pairs, key, sizeof(*pair), &new);
	if (new) {
		pair->account = eqt_names_text(&report->texts, account);
		pair->user = eqt_names_text(&report->texts, user);
	}
	return pair;
}

/* ---- Usage ---------------------------------------------------------------- */

static void use_clear(struct eqt_report_use *use)
{
	free(use->day[0]);
	free(use->day[1]);
	*use = (struct eqt_report_use){ .jobs = 0 };
}

/* The index of the day to which a time belongs. A day may have 23 or 25 hours, so the
 * result of a division is only a first guess. */
static size_t day_find(const struct eqt_report *report, int64_t at_s)
{
	size_t day = (size_t) ((at_s - report->day_from[0]) / 86400);

	if (day >= report->days)
		day = report->days - 1;
	while (day > 0 && report->day_from[day] > at_s)
		day--;
	while (day + 1 < report->days && report->day_from[day + 1] <= at_s)
		day++;
	return day;
}

/* Add a part of a job to the sum of each of its days. The sums are allocated with the
 * first usage. */
static void use_add_days(struct eqt_report_use *use,
			 const struct eqt_report *report, int unit,
			 const struct eqt_year_part *part)
{
	int64_t at_s = part->from_s, end_s;

	if (!use->day[unit])
		use->day[unit] = eqt_alloc(report->days, sizeof(eqt_u128));
	for (size_t day = day_find(report, at_s); at_s < part->until_s; day++) {
		end_s = day + 1 < report->days
				? eqt_whole_earlier(report->day_from[day + 1],
						    part->until_s)
				: part->until_s;
		eqt_sum_part_add(&use->day[unit][day], part, unit,
				 (uint64_t) (end_s - at_s));
		at_s = end_s;
	}
}

/* Add a part of a job to a usage. With "days", also add it to the sum of each day. */
static void use_add(struct eqt_report_use *use, const struct eqt_report *report,
		    const struct eqt_year_part *part, bool days)
{
	use->jobs += part->new;
	for (int unit = 0; unit < EQT_YEAR_UNITS; unit++)
		eqt_sum_part_add(&use->total[unit], part, unit,
				 (uint64_t) (part->until_s - part->from_s));
	for (int unit = EQT_YEAR_CORE; days && unit <= EQT_YEAR_GPU; unit++) {
		if (part->of[unit] > 0)
			use_add_days(use, report, unit, part);
	}
}

/* ---- One pass over the jobs ---------------------------------------------------------
 * All sums are made in one pass over the jobs. Memory grows with users, accounts and
 * days, but not with jobs. */

/* Free all sums. A list that is not in order is read twice, and must not count twice. */
static void report_clear_uses(struct eqt_report *report)
{
	struct eqt_report_account **account = (void *) report->accounts.list;
	struct eqt_report_user **user = (void *) report->users.list;
	struct eqt_report_pair **pair = (void *) report->pairs.list;
	struct eqt_report_account **cluster = (void *) report->clusters.list;

	use_clear(&report->use);
	for (size_t i = 0; i < report->clusters.count; i++)
		use_clear(&cluster[i]->use);
	for (size_t i = 0; i < report->users.count; i++) {
		use_clear(&user[i]->use);
		user[i]->last.count = 0;
	}
	for (size_t i = 0; i < report->accounts.count; i++)
		use_clear(&account[i]->use);
	for (size_t i = 0; i < report->pairs.count; i++)
		use_clear(&pair[i]->use);
}

/* A callback for each job's part of the year; "with" is the report. If part is NULL, all
 * parts will come again, so the sums begin at 0. */
static void report_add(void *with, const struct eqt_year_part *part)
{
	struct eqt_report *report = with;
	struct eqt_report_account *account;
	struct eqt_report_user *user;
	struct eqt_report_pair *pair;
	struct eqt_report_run run;
	const char *const *text;

	if (!part) {
		report_clear_uses(report);
		return;
	}
	text = part->job->text;
	account = eqt_report_account(report, text[EQT_SACCT_ACCOUNT]);
	user = eqt_report_user(report, text[EQT_SACCT_USER]);
	pair = eqt_report_pair(report, text[EQT_SACCT_ACCOUNT],
			       text[EQT_SACCT_USER]);
	use_add(&report->use, report, part, true);
	use_add(&user->use, report, part, true);
	use_add(&pair->use, report, part, false);
	use_add(&account->use, report, part, true);
	if (!part->rate) /* energy of a run that was added before */
		return;
	run_make(&run, part);
	last_add(&user->last, &run, &report->texts);
}

/* Add a usage to that of the account above, or to that of a sum. */
static void report_use_add(struct eqt_report_use *to,
			   const struct eqt_report_use *use,
			   const struct eqt_report *report)
{
	to->jobs += use->jobs;
	to->waiting += use->waiting;
	to->running += use->running;
	for (int unit = 0; unit < EQT_YEAR_UNITS; unit++)
		eqt_sum_amount_add(&to->total[unit], use->total[unit], 1);
	for (int unit = EQT_YEAR_CORE; unit <= EQT_YEAR_GPU; unit++) {
		if (!use->day[unit])
			continue;
		if (!to->day[unit])
			to->day[unit] =
				eqt_alloc(report->days, sizeof(eqt_u128));
		for (size_t day = 0; day < report->days; day++)
			eqt_sum_amount_add(&to->day[unit][day],
					   use->day[unit][day], 1);
	}
}

/* ---- A sum of clusters ------------------------------------------------------ */

/* All clusters have the same moment and the same year, so that they have the same
 * days. */
static void sum_begin(struct eqt_report *sum, const struct eqt_report *one)
{
	const size_t size = (one->days + 1) * sizeof(*sum->day_from);

	sum->day_from = eqt_alloc(size, 1);
	memcpy(sum->day_from, one->day_from, size);
	sum->days = one->days;
	sum->live.now_s = one->live.now_s;
	sum->year.period = one->year.period;
	sum->year.names = one->year.names;
}

/* The usage of an account includes the accounts below it. */
int eqt_report_sum(struct eqt_report *sum, const struct eqt_report *one,
		   struct eqt_error *err)
{
	struct eqt_report_account **account = (void *) one->accounts.list;
	struct eqt_report_account *cluster, *to;

	if (sum->days == 0)
		sum_begin(sum, one);
	if (eqt_year_same_units(&sum->year.names, &one->year.names, err) < 0)
		return -1;
	sum->year.weights = sum->year.weights || one->year.weights;
	sum->year.sum.unpriced += one->year.sum.unpriced;
	cluster = eqt_names_get(&sum->clusters, one->cluster, sizeof(*cluster),
				NULL);
	report_use_add(&cluster->use, &one->use, sum);
	report_use_add(&sum->use, &one->use, sum);
	for (size_t i = 0; i < one->accounts.count; i++) {
		to = eqt_report_account(sum, account[i]->name);
		report_use_add(&to->use, &account[i]->use, sum);
	}
	return 0;
}

/* ---- The end -------------------------------------------------------------- */

void eqt_report_free(struct eqt_report *report)
{
	report_clear_uses(report);
	eqt_names_free(&report->clusters);
	eqt_names_free(&report->users);
	eqt_names_free(&report->accounts);
	eqt_names_free(&report->pairs);
	eqt_names_free(&report->texts);
	free(report->by_assoc);
	free(report->day_from);
	free(report->next_waiting);
	free(report->ahead);
	free(report->start);
	eqt_waits_free(&report->waits);
	eqt_sshare_index_free(&report->index);
	eqt_live_cluster_free(&report->live);
	eqt_year_free(&report->year);
	*report = (struct eqt_report){ .days = 0 };
}

/* ---- Queue --------------------------------------------------------------------------
 * The jobs ahead of a job are counted once for all jobs with the same list of partitions.
 * The priorities of these jobs are sorted, and the place of a job is found by binary
 * search. */

/* Jobs that name the same partitions. */
struct group {
	const char *partitions;
	/* in ascending order; of all jobs that wait in one of these partitions */
	uint64_t *priority;
	size_t count;
};

typedef const struct eqt_live_job *job_pointer;

/* Waiting jobs, sorted by the text of their partitions. */
struct waiting {
	job_pointer *job;
	size_t count;
};

static int job_compare_partitions(const void *a, const void *b)
{
	return strcmp((*(const job_pointer *) a)->partition,
		      (*(const job_pointer *) b)->partition);
}

/* Sort by ascending priority. The list of a user grows at its head, so it becomes
 * descending. */
static int queue_compare_jobs(const void *a, const void *b)
{
	const job_pointer x = *(const job_pointer *) a;
	const job_pointer y = *(const job_pointer *) b;

	if (x->priority != y->priority)
		return x->priority < y->priority ? -1 : 1;
	return x->submit_s == y->submit_s  ? 0
	       : x->submit_s > y->submit_s ? -1
					   : 1;
}

static int number_compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

	return x < y ? -1 : x > y;
}

/* Collect and sort the priorities of all jobs that wait in a partition of the group. */
static void group_fill(struct group *group, const struct eqt_report *report,
		       const struct waiting *waiting)
{
	const char *last = NULL;
	bool meet = false;

	group->count = 0;
	group->priority = eqt_alloc(waiting->count + 1, sizeof(uint64_t));
	for (size_t i = 0; i < waiting->count; i++) {
		const job_pointer job = waiting->job[i];

		if (!last || strcmp(last, job->partition) != 0)
			meet = eqt_node_fit_lists_meet(group->partitions,
						       job->partition);
		last = job->partition;
		if (meet && eqt_why_wait_is_eligible(job, report->live.now_s))
			group->priority[group->count++] = job->priority;
	}
	qsort(group->priority, group->count, sizeof(uint64_t), number_compare);
}

/* The number of jobs of the group with a higher priority. */
static size_t group_above(const struct group *group, uint64_t priority)
{
	size_t low = 0, high = group->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (group->priority[middle] > priority)
			high = middle;
		else
			low = middle + 1;
	}
	return group->count - low;
}

static void queue_count_ahead(struct eqt_report *report,
			      const struct waiting *waiting)
{
	struct group group = { .partitions = NULL };

	for (size_t i = 0; i < waiting->count; i++) {
		const job_pointer job = waiting->job[i];

		if (!group.partitions ||
		    strcmp(group.partitions, job->partition) != 0) {
			free(group.priority);
			group.partitions = job->partition;
			group_fill(&group, report, waiting);
		}
		report->ahead[job - report->live.jobs.jobs] =
			(struct eqt_report_ahead){
				.jobs = group_above(&group, job->priority),
				.pending = group.count,
			};
	}
	free(group.priority);
}

static void use_add_live(struct eqt_report_use *use,
			 const struct eqt_live_job *job)
{
	use->waiting += job->pending;
	use->running += job->running;
}

/* Jobs in other states, such as COMPLETING, count neither as running nor as waiting. */
static void queue_add_job(struct eqt_report *report, uint32_t at)
{
	const struct eqt_live_job *job = &report->live.jobs.jobs[at];
	struct eqt_report_account *account;
	struct eqt_report_user *user;
	struct eqt_report_pair *pair;

	if (!job->pending && !job->running)
		return;
	user = eqt_report_user(report, job->user);
	account = eqt_report_account(report, job->account);
	pair = eqt_report_pair(report, job->account, job->user);
	if (job->pending) {
		report->next_waiting[at] = user->waiting;
		user->waiting = at;
	}
	use_add_live(&report->use, job);
	use_add_live(&user->use, job);
	use_add_live(&account->use, job);
	use_add_live(&pair->use, job);
}

static void report_add_queue(struct eqt_report *report)
{
	const struct eqt_live_jobs *jobs = &report->live.jobs;
	struct waiting waiting = { .count = 0 };
	job_pointer *order = eqt_alloc(jobs->count + 1, sizeof(job_pointer));

	report->next_waiting = eqt_alloc(jobs->count + 1, sizeof(uint32_t));
	report->ahead = eqt_alloc(jobs->count + 1, sizeof(*report->ahead));
	waiting.job = eqt_alloc(jobs->count + 1, sizeof(job_pointer));
	for (size_t i = 0; i < jobs->count; i++) {
		order[i] = &jobs->jobs[i];
		if (jobs->jobs[i].pending)
			waiting.job[waiting.count++] = &jobs->jobs[i];
	}
	qsort(order, jobs->count, sizeof(*order), queue_compare_jobs);
	qsort(waiting.job, waiting.count, sizeof(job_pointer),
	      job_compare_partitions);
	queue_count_ahead(report, &waiting);
	for (size_t i = 0; i < jobs->count; i++)
		queue_add_job(report, (uint32_t) (order[i] - jobs->jobs));
	free(waiting.job);
	free(order);
}

/* ---- Starts ----------------------------------------------------------------- */

#define STARTS_MAX 5000 /* jobs of one forecast */
#define FUTURES 60
#define SECONDS 20.0
#define LEAST 10 /* futures to simulate at least, however long they take */
#define MOST 60.0

/* Choose the waiting jobs that users' pages show, as indexes in the queue and in the
 * scene. Returns their number. */
static uint32_t starts_choose(uint32_t *at, uint32_t *target,
			      const struct eqt_report *report,
			      const struct eqt_scene *scene)
{
	struct eqt_report_user **user = (void *) report->users.list;
	uint32_t count = 0;

	for (size_t i = 0; i < report->users.count; i++) {
		uint32_t job = user[i]->waiting;

		for (int shown = 0;
		     job != EQT_TREE_NONE && shown < EQT_REPORT_WAITING &&
		     count < STARTS_MAX;
		     job = report->next_waiting[job], shown++) {
			if (scene->held_for[job] ||
			    scene->job_of[job] == EQT_SCENE_NONE)
				continue;
			at[count] = job;
			target[count++] = scene->job_of[job];
		}
	}
	return count;
}

/* Add the forecasts to the record of past forecasts, in the form that they had before
 * the record corrected them. There is no record where the package has made no folder
 * for it. */
static void starts_record(struct eqt_scene *scene,
			  const struct eqt_forecast_starts *starts,
			  const uint32_t *at)
{
	const struct eqt_live_cluster *live = scene->live;
	struct eqt_past_forecast *new_ones =
		eqt_alloc(starts->targets, sizeof(*new_ones));
	struct eqt_error err;
	size_t count = 0;

	for (uint32_t i = 0; starts->futures && i < starts->targets; i++)
		count += eqt_past_forecast_make(
			&new_ones[count], &live->jobs.jobs[at[i]], live->now_s,
			eqt_forecast_interval(starts, i));
	if (eqt_past_forecasts_record(&scene->forecasts, live, new_ones, count,
				      &err) < 0)
		fprintf(stderr,
			"equitree report: no forecast is recorded: %s\n",
			err.text);
	free(new_ones);
}

static void starts_forecast(struct eqt_report *report, struct eqt_scene *scene,
			    const char *folder)
{
	const struct eqt_scene_effort effort = {
		.seed = 1,
		.futures = FUTURES,
		.seconds = SECONDS,
		.least = LEAST,
		.most = MOST,
		.what = "simulating futures",
	};
	uint32_t *at = eqt_alloc(2 * STARTS_MAX, sizeof(*at));
	uint32_t *const target = at + STARTS_MAX;
	struct eqt_forecast_starts starts = { .futures = 0 };
	const uint32_t count = starts_choose(at, target, report, scene);
	struct eqt_error err;

	report->start =
		eqt_alloc(report->live.jobs.count + 1, sizeof(*report->start));
	if (count == 0 || eqt_scene_forecast(&starts, scene, target, count,
					     &effort, &err) < 0)
		starts.futures = 0;
	for (uint32_t i = 0; starts.futures && i < count; i++)
		report->start[at[i]] = eqt_scene_interval(scene, &starts, i);
	if (!folder)
		starts_record(scene, &starts, at);
	eqt_scene_record_words(report->record, scene);
	eqt_forecast_starts_free(&starts);
	free(at);
}

static void report_add_starts(struct eqt_report *report, const char *folder)
{
	struct eqt_scene scene;
	struct eqt_error err;

	if (report->use.waiting == 0 ||
	    eqt_scene_read(&scene, &report->live, folder, &err) < 0)
		return;
	starts_forecast(report, &scene, folder);
	eqt_scene_free(&scene);
}

/* ---- The report ----------------------------------------------------------- */

#define DAYS_MAX 4000 /* about ten years */

double eqt_report_used(const struct eqt_report *report, int unit,
		       eqt_u128 amount)
{
	return eqt_sum_shown(&report->year.period, unit,
			     eqt_sum_amount_value(amount));
}

/* Compute the first second of each day of the year until now, and the end of the last
 * day. */
static int report_make_days(struct eqt_report *report,
			    const struct eqt_report_options *options,
			    struct eqt_error *err)
{
	struct eqt_year_period period;
	char text[EQT_YEAR_TEXT];

	if (eqt_period_make(&period, options->year.year_start,
			    (int) options->year.year, options->year.year_end_s,
			    options->year.now_s, err) < 0)
		return -1;
	report->day_from = eqt_alloc(DAYS_MAX + 1, sizeof(int64_t));
	for (int64_t at_s = period.from_s;
	     at_s < period.seen_s && report->days < DAYS_MAX;
	     at_s = eqt_timestamp_day(at_s, text))
		report->day_from[report->days++] = at_s;
	report->day_from[report->days] = period.seen_s;
	return 0;
}

/* Add the accounts and users of the share tree, because those without jobs have pages as
 * well. */
static void report_add_tree(struct eqt_report *report)
{
	const struct eqt_sshare *shares = &report->year.shares;
	struct eqt_report_account *account;
	struct eqt_report_user *user;

	report->by_assoc = eqt_alloc(shares->count + 1, sizeof(account));
	for (uint32_t i = 0; i < shares->count; i++) {
		account = eqt_report_account(report, shares->assocs[i].account);
		if (!shares->assocs[i].user) {
			account->assoc = i;
			report->by_assoc[i] = account;
			continue;
		}
		user = eqt_report_user(report, shares->assocs[i].user);
		(void) eqt_report_pair(report, shares->assocs[i].account,
				       shares->assocs[i].user);
		user->present = true;
	}
}

/* Add the usage of each account to the account above it. In the list children follow
 * their parents. From its end each account is therefore complete before it is added. */
static void report_add_up(struct eqt_report *report)
{
	const struct eqt_sshare *shares = &report->year.shares;

	for (uint32_t i = shares->count; i-- > 1;) {
		if (!shares->assocs[i].user)
			report_use_add(
				&report->by_assoc[shares->assocs[i].parent]
					 ->use,
				&report->by_assoc[i]->use, report);
	}
}

/* Read saved answers from the files that equitree why --save writes, and from jobs.txt in
 * the same folder. */
static void options_from(struct eqt_report_options *options)
{
	struct eqt_year_options *year = &options->year;
	const char *conf;

	year->shares = true;
	if (!options->from)
		return;
	year->jobs[0] = eqt_live_cluster_path(options->path[0], options->from,
					      "jobs.txt");
	year->job_files = 1;
	year->nodes = eqt_live_cluster_path(options->path[1], options->from,
					    "nodes.txt");
	year->assocs = eqt_live_cluster_path(options->path[2], options->from,
					     "shares.txt");
	conf = eqt_live_cluster_path(options->path[3], options->from,
				     "equitree.conf");
	if (!year->conf && access(conf, R_OK) == 0)
		year->conf = conf;
}

/* Ask Slurm for the cluster's name, which saved answers do not have. */
static void report_name(struct eqt_report *report,
			const struct eqt_report_options *options)
{
	struct eqt_error err;

	if (options->from ||
	    eqt_cluster_name(report->cluster, sizeof(report->cluster), &err) <
		    0)
		report->cluster[0] = '\0';
}

/* After an error eqt_report_free() frees the parts that were made. */
int eqt_report_make(struct eqt_report *report,
		    struct eqt_report_options *options, struct eqt_error *err)
{
	*report = (struct eqt_report){ .refresh_s = options->refresh_s };
	options_from(options);
	if (eqt_live_cluster_read(&report->live, options->from, err) < 0)
		return -1;
	if (!options->year.now_s)
		options->year.now_s = report->live.now_s;
	if (report_make_days(report, options, err) < 0)
		return -1;
	options->year.each = report_add;
	options->year.with = report;
	if (eqt_year_make(&report->year, &options->year, err) < 0)
		return -1;
	eqt_sshare_index_make(&report->index, &report->year.shares);
	if (eqt_waits_read(&report->waits, options->year.jobs[0],
			   &options->span, options->year.now_s, err) < 0)
		return -1;
	report_add_tree(report);
	report_add_queue(report);
	report_add_up(report);
	report_add_starts(report, options->from);
	eqt_names_sort(&report->pairs);
	report_name(report, options);
	return 0;
}
