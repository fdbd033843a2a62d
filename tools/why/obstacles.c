/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tests are independent and use the numbers that Slurm prints. The obstacles are
 * therefore right even if Slurm's reason is out of date, or if there are several reasons.
 * A time computed from the time limits of running jobs is the latest possible, because
 * most jobs end earlier. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "base/text.h"
#include "cli/alloc.h"
#include "slurm/scontrol/partitions.h"
#include "why/wait.h"

char *eqt_obstacles_time_words(char buf[EQT_WAIT_TIME], int64_t at_s,
			       int64_t now_s)
{
	const time_t at = (time_t) at_s, now = (time_t) now_s;
	char text[32], span[EQT_WAIT_TIME];
	struct tm then, today;
	bool same;

	if (!localtime_r(&at, &then) || !localtime_r(&now, &today)) {
		(void) snprintf(buf, EQT_WAIT_TIME, "%" PRId64, at_s);
		return buf;
	}
	same = then.tm_year == today.tm_year && then.tm_yday == today.tm_yday;
	(void) strftime(text, sizeof(text), same ? "%H:%M" : "%Y-%m-%d %H:%M",
			&then);
	(void) eqt_duration_words(span, llabs(at_s - now_s));
	(void) snprintf(buf, EQT_WAIT_TIME, "%s (%s%.16s%s)", text,
			at_s >= now_s ? "in " : "", span,
			at_s >= now_s ? "" : " ago");
	return buf;
}

const char *eqt_obstacles_limit_time(char buf[EQT_WAIT_TIME],
				     const struct eqt_live_job *job)
{
	if (job->limit_s == 0)
		return "no limit";
	return job->limit_s == EQT_LIVE_YEAR_S
		       ? "more than a year"
		       : eqt_duration_words(buf, (int64_t) job->limit_s);
}

/* ---- Accounts of a partition ---------------------------------------------- */

static const char *account_key_against(const char **list,
				       const struct eqt_why_wait *wait)
{
	return eqt_limits_account_key(list, &wait->cluster->limits,
				      wait->partition, wait->job);
}

bool eqt_obstacles_account_is_kept_out(const struct eqt_why_wait *wait)
{
	const char *list;

	return account_key_against(&list, wait) != NULL;
}

/* Long names and lists are cut off, because a list of accounts may have thousands of
 * bytes. */
void eqt_obstacles_account_words(char *buf, size_t size,
				 const struct eqt_why_wait *wait)
{
	const char *list, *key = account_key_against(&list, wait);

	buf[0] = '\0';
	if (key)
		(void) snprintf(buf, size, "partition %.128s has %s=%.200s",
				eqt_record_text(wait->partition,
						"PartitionName"),
				key, list);
}

/* ---- What running jobs give back ------------------------------------------ */

/* How much of something a running job holds; 0 if nothing. */
typedef uint64_t give_back_amount(const struct eqt_live_job *job, void *with);

/* A running job and the amount that it will release. */
struct give_back {
	int64_t end_s;
	uint64_t amount;
};

/* Sort by end. The job that ends first comes first. */
static int give_back_compare(const void *a, const void *b)
{
	const struct give_back *x = a, *y = b;

	return (x->end_s > y->end_s) - (x->end_s < y->end_s);
}

/* The latest time by which running jobs will have released the wanted amount. 0 if they
 * do not hold that much, or if their ends are not known. */
static int64_t give_back_time(const struct eqt_live_jobs *jobs, uint64_t wanted,
			      give_back_amount *amount, void *with)
{
	struct give_back *list = eqt_alloc(jobs->count + 1, sizeof(*list));
	size_t i, count = 0;
	uint64_t back = 0;
	int64_t at = 0;

	for (i = 0; i < jobs->count; i++) {
		const struct eqt_live_job *job = &jobs->jobs[i];

		if (job->pending || job->end_s == 0)
			continue;
		list[count].amount = amount(job, with);
		list[count].end_s = job->end_s;
		count += list[count].amount > 0;
	}
	if (count > 1)
		qsort(list, count, sizeof(*list), give_back_compare);
	for (i = 0; i < count && at == 0; i++) {
		back += list[i].amount;
		if (back >= wanted)
			at = list[i].end_s;
	}
	free(list);
	return at;
}

/* ---- The list ------------------------------------------------------------- */

/* Append an obstacle to the list. Returns NULL if the list is full. */
static struct eqt_why_obstacle *obstacle_add(struct eqt_why_obstacles *out,
					     const char *kind,
					     enum eqt_why_end end)
{
	struct eqt_why_obstacle *one;

	if (out->count == EQT_OBSTACLES_MAX)
		return NULL;
	one = &out->at[out->count++];
	*one = (struct eqt_why_obstacle){ .kind = kind, .end = end };
	return one;
}

/* Add an obstacle with words; NULL: the list is full. */
__attribute__((format(printf, 4, 5))) static struct eqt_why_obstacle *
obstacle_say(struct eqt_why_obstacles *out, const char *kind,
	     enum eqt_why_end end, const char *format, ...)
{
	struct eqt_why_obstacle *one = obstacle_add(out, kind, end);
	va_list list;

	va_start(list, format);
	if (one)
		(void) vsnprintf(one->words, sizeof(one->words), format, list);
	va_end(list);
	return one;
}

/* Give an obstacle a time if it lies ahead. `one` is NULL if the list was full. */
static void obstacle_ends(struct eqt_why_obstacle *one, int64_t at_s,
			  int64_t now_s, bool exact)
{
	if (!one || at_s <= now_s)
		return;
	one->end = EQT_END_KNOWN;
	one->at_s = at_s;
	one->exact = exact;
}

/* For qsort(): the obstacle that ends last comes first. */
static int obstacle_compare(const void *a, const void *b)
{
	const struct eqt_why_obstacle *x = a, *y = b;

	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return (x->at_s < y->at_s) - (x->at_s > y->at_s);
}

/* ---- The job itself ------------------------------------------------------- */

/* A budget also holds jobs by priority 0, but names itself in their reason. */
static void hold_test(struct eqt_why_obstacles *out,
		      const struct eqt_why_wait *wait)
{
	const struct eqt_live_job *job = wait->job;

	if (job->priority > 0)
		return;
	if (eqt_live_job_names_budget(job))
		obstacle_say(out, "budget", EQT_END_OPEN, "budget: %.300s",
			     job->reason);
	else
		obstacle_say(out, "hold", EQT_END_ACT,
			     "hold: its priority is 0 until it is released");
}

/* Slurm sets a begin time for a job that was preempted or requeued. */
static void begin_test(struct eqt_why_obstacles *out,
		       const struct eqt_why_wait *wait)
{
	const int64_t now = wait->cluster->now_s;
	struct eqt_why_obstacle *one;

	if (wait->job->eligible_s <= now)
		return;
	if (wait->job->restarts > 0)
		one = obstacle_say(out, "requeue", EQT_END_KNOWN,
				   "requeue: it ran before and was requeued; "
				   "Slurm lets it begin again a little later");
	else
		one = obstacle_say(out, "begin", EQT_END_KNOWN,
				   "begin: it is not to start before its time");
	obstacle_ends(one, wait->job->eligible_s, now, true);
}

/* Slurm marks a dependency as (unfulfilled), as (failed), or not at all. */
static void dependency_test(struct eqt_why_obstacles *out,
			    const struct eqt_why_wait *wait)
{
	const char *list = wait->job->dependency;
	const bool any = strchr(list, '?') != NULL;
	struct eqt_live_dependency one;
	enum eqt_why_end end = EQT_END_KNOWN;
	struct eqt_why_obstacle *said;
	int64_t at = 0;
	char text[128];

	if (list[0] == '\0')
		return;
	while (eqt_live_dependency_next(&one, &list)) {
		const struct eqt_live_job *other = NULL;

		if (one.id[0] != '\0')
			other = eqt_live_jobs_find(&wait->cluster->jobs,
						   one.id);
		(void) snprintf(text, sizeof(text), "%.*s", (int) one.length,
				one.text);
		if (!any && strstr(text, "(failed)"))
			end = EQT_END_NEVER;
		else if (end == EQT_END_KNOWN && other && other->running &&
			 other->end_s > 0)
			at = eqt_whole_later(other->end_s, at);
		else if (end == EQT_END_KNOWN)
			end = EQT_END_OPEN;
	}
	said = obstacle_say(out, "dependency",
			    end == EQT_END_NEVER ? EQT_END_NEVER : EQT_END_OPEN,
			    "dependency: %.300s", wait->depends);
	if (end == EQT_END_KNOWN)
		obstacle_ends(said, at, wait->cluster->now_s, false);
}

/* A callback of give_back_time(): 1 for a running task of the job's array. */
static uint64_t array_amount(const struct eqt_live_job *job, void *with)
{
	const char *name = with;
	const size_t array = strcspn(name, "_");

	return job->name[array] == '_' && strncmp(job->name, name, array) == 0;
}

/* In a record of several tasks, the largest number of running tasks follows the percent
 * sign. */
static void array_test(struct eqt_why_obstacles *out,
		       const struct eqt_why_wait *wait)
{
	const struct eqt_live_jobs *jobs = &wait->cluster->jobs;
	const char *percent = strchr(wait->job->name, '%');
	char name[128];
	uint64_t most, running = 0;
	struct eqt_why_obstacle *one;

	if (!percent)
		return;
	(void) snprintf(name, sizeof(name), "%.100s", wait->job->name);
	most = strtoull(percent + 1, NULL, 10);
	for (size_t i = 0; i < jobs->count; i++)
		running += !jobs->jobs[i].pending &&
			   array_amount(&jobs->jobs[i], name);
	if (most == 0 || running < most)
		return;
	one = obstacle_say(out, "array", EQT_END_OPEN,
			   "array: %" PRIu64
			   " of its tasks may run at once, and %" PRIu64 " do",
			   most, running);
	obstacle_ends(one,
		      give_back_time(jobs, running - most + 1, array_amount,
				     name),
		      wait->cluster->now_s, false);
}

/* ---- Licences ------------------------------------------------------------- */

/* A callback of give_back_time(): the number of licences of the wanted kind that a
 * running job holds. */
static uint64_t license_amount(const struct eqt_live_job *job, void *with)
{
	const struct eqt_live_license *wanted = with;
	const char *list = job->licenses;
	struct eqt_live_license one;

	while (eqt_live_license_next(&one, NULL, &list)) {
		if (one.length == wanted->length &&
		    strncmp(one.name, wanted->name, one.length) == 0)
			return one.wants;
	}
	return 0;
}

/* Licences separated by '|' are alternatives, of which Slurm chooses one. They are not
 * tested. */
static void licenses_test(struct eqt_why_obstacles *out,
			  const struct eqt_why_wait *wait)
{
	const struct eqt_live_cluster *cluster = wait->cluster;
	const char *list = wait->job->licenses;
	struct eqt_live_license one;
	struct eqt_why_obstacle *said;

	if (strchr(list, '|'))
		return;
	while (eqt_live_license_next(&one, cluster, &list)) {
		if (!one.known || one.wants == 0 || one.left >= one.wants)
			continue;
		said = obstacle_say(out, "license",
				    one.wants > one.total ? EQT_END_NEVER
							  : EQT_END_OPEN,
				    "licence %.*s: it wants %" PRIu64
				    ", %" PRIu64 " of %" PRIu64 " are free",
				    (int) one.length, one.name, one.wants,
				    one.left, one.total);
		if (one.wants <= one.total)
			obstacle_ends(said,
				      give_back_time(&cluster->jobs,
						     one.wants - one.left,
						     license_amount, &one),
				      cluster->now_s, false);
	}
}

/* ---- Reservation and partition -------------------------------------------- */

/* Test the job's own reservation. Nodes in other reservations are counted by node_fit. */
static void reservation_test(struct eqt_why_obstacles *out,
			     const struct eqt_why_wait *wait)
{
	const struct eqt_scontrol_records *all = &wait->cluster->reservations;
	const char *name = wait->job->reservation;
	int64_t from;

	/* A job with several reservations, or a list that cannot be read, is not
	 * tested. */
	if (name[0] == '\0' || all->count == 0 || strchr(name, ','))
		return;
	for (size_t i = 0; i < all->count; i++) {
		if (!eqt_record_is(&all->records[i], "ReservationName", name))
			continue;
		from = eqt_record_time(&all->records[i], "StartTime");
		if (from <= wait->cluster->now_s)
			return;
		obstacle_ends(
			obstacle_say(out, "reservation", EQT_END_OPEN,
				     "reservation: its reservation %.64s has "
				     "not begun",
				     name),
			from, wait->cluster->now_s, true);
		return;
	}
	obstacle_say(out, "reservation", EQT_END_ACT,
		     "reservation: there is no reservation %.64s any more",
		     name);
}

/* Test a partition's limits of nodes and time. A QOS may lift these limits, so they count
 * as permanent only if Slurm's reason names them as well. */
static void partition_limits_test(struct eqt_why_obstacles *out,
				  const struct eqt_why_wait *wait,
				  const struct eqt_scontrol_record *part,
				  const char *name)
{
	const struct eqt_live_job *job = wait->job;
	const bool agreed = strncmp(job->reason, "Partition", 9) == 0;
	const enum eqt_why_end end = agreed ? EQT_END_NEVER : EQT_END_ACT;
	uint64_t number, seconds;
	struct eqt_error err;
	const char *text = eqt_record_text(part, "MaxTime");
	char span[EQT_WAIT_TIME];

	if (eqt_duration_parse(&seconds, text) == 0 &&
	    (job->limit_s == 0 || job->limit_s > seconds))
		obstacle_say(out, "partition", end,
			     "partition %s allows %s; it asks for %s", name,
			     text, eqt_obstacles_limit_time(span, job));
	if ((eqt_record_number(&number, part, "MaxNodes", &err) == 0 &&
	     job->nodes > number) ||
	    (eqt_record_number(&number, part, "MinNodes", &err) == 0 &&
	     job->nodes < number))
		obstacle_say(out, "partition", end,
			     "partition %s allows %s%" PRIu64
			     " nodes a job; it wants %" PRIu64,
			     name, job->nodes < number ? "no less than " : "",
			     number, job->nodes);
}

/* Add the obstacles of one partition: its state, its lists of accounts and QOS, its
 * limits. */
static void partition_test_one(struct eqt_why_obstacles *out,
			       const struct eqt_why_wait *wait,
			       const char *name)
{
	struct eqt_why_wait there = *wait;
	const char *state;
	char words[EQT_OBSTACLE_WORDS];

	there.partition =
		eqt_scontrol_partition_find(&wait->cluster->partitions, name);
	if (!there.partition)
		return;
	state = eqt_record_text(there.partition, "State");
	if (*state && strcmp(state, "UP") != 0)
		obstacle_say(out, "partition", EQT_END_ACT,
			     "partition %s is %s", name, state);
	eqt_obstacles_account_words(words, sizeof(words), &there);
	if (words[0])
		obstacle_say(out, "partition", EQT_END_ACT, "%.390s", words);
	if (eqt_limits_qos_is_out(there.partition, wait->job->qos))
		obstacle_say(out, "partition", EQT_END_ACT,
			     "partition %s does not allow QOS %.64s", name,
			     wait->job->qos);
	partition_limits_test(out, wait, there.partition, name);
}

/* A job of several partitions starts in any partition that allows it. */
static void partitions_test(struct eqt_why_obstacles *out,
			    const struct eqt_why_wait *wait)
{
	const size_t before = out->count;
	const char *list = wait->job->partition;
	char name[256];

	while (eqt_text_next_name(name, sizeof(name), &list)) {
		const size_t had = out->count;

		partition_test_one(out, wait, name);
		if (out->count == had) {
			out->count = before;
			return;
		}
	}
}

/* ---- Limits --------------------------------------------------------------- */

#define LIMITS_SEEN 64

/* The state of a walk over the limits. A limit that a QOS sets replaces the same limit of
 * later owners. */
struct limits_test {
	struct eqt_why_obstacles *out;
	const struct eqt_why_wait *wait;
	size_t seen;
	struct {
		const char *key;
		char tres[64];
		uint32_t source;
	} of[LIMITS_SEEN];
	/* The limit that is tested at the moment. */
	const struct eqt_why_limit *limit;
	const char *account; /* the account that was looked up last */
	bool below; /* is that account the limit's account, or below it? */
};

/* What an association calls MaxJobs, a QOS calls MaxJobsPU. */
static bool limit_key_is(const char *a, const char *b)
{
	const size_t length = strlen(a) < strlen(b) ? strlen(a) : strlen(b);

	return strncmp(a, b, length) == 0 &&
	       (strcmp(a, b) == 0 || strncmp(a, "MaxJobs", 7) == 0);
}

/* Remember the limit. Returns true if an earlier QOS has set the same limit. */
static bool limit_is_overruled(struct limits_test *test,
			       const struct eqt_why_limit *limit)
{
	for (size_t i = 0; i < test->seen; i++) {
		if (test->of[i].source < limit->source &&
		    limit_key_is(test->of[i].key, limit->key) &&
		    strcmp(test->of[i].tres, limit->tres) == 0)
			return true;
	}
	if (test->seen < LIMITS_SEEN) {
		test->of[test->seen].key = limit->key;
		test->of[test->seen].source = limit->source;
		memcpy(test->of[test->seen++].tres, limit->tres,
		       sizeof(limit->tres));
	}
	return false;
}

/* Is a job's account the account of the limit, or below it? The last answer is kept,
 * because jobs of one account are often listed together. */
static bool account_is_below(struct limits_test *test,
			     const struct eqt_live_job *job)
{
	const struct eqt_limits *limits = &test->wait->cluster->limits;
	const char *name = test->limit->owner + strlen("account ");
	int depth = 0;

	if (test->account && strcmp(test->account, job->account) == 0)
		return test->below;
	test->account = job->account;
	test->below = strcmp(job->account, name) == 0;
	for (const struct eqt_scontrol_record *assoc =
		     test->below ? NULL : eqt_limits_assoc(limits, job);
	     assoc && !test->below && depth < 64;
	     assoc = eqt_limits_above(limits, assoc), depth++)
		test->below = eqt_record_is(assoc, "Account", name);
	return test->below;
}

/* A callback of give_back_time(): the amount that a running job takes from the limit. */
static uint64_t limit_amount(const struct eqt_live_job *job, void *with)
{
	struct limits_test *test = with;
	const struct eqt_why_limit *limit = test->limit;
	const struct eqt_live_job *waits = test->wait->job;

	if (limit->qos && strcmp(job->qos, waits->qos) != 0 &&
	    strcmp(job->partition, waits->partition) != 0)
		return 0;
	if (limit->per == EQT_PER_USER && strcmp(job->user, waits->user) != 0)
		return 0;
	if ((limit->per == EQT_PER_ACCOUNT ||
	     (limit->per == EQT_PER_USER && !limit->qos)) &&
	    strcmp(job->account, waits->account) != 0)
		return 0;
	if (limit->per == EQT_PER_ALL && !limit->qos) {
		if (strncmp(limit->owner, "account ", 8) != 0)
			return 0;
		if (!account_is_below(test, job))
			return 0;
	}
	if (limit->counts_jobs)
		return 1;
	if (strcmp(limit->tres, "mem") == 0)
		return job->tres.mem_mib;
	if (strcmp(limit->tres, "node") == 0)
		return job->nodes;
	return strcmp(limit->tres, "cpu") == 0
		       ? job->tres.cpus
		       : eqt_tres_list_amount(job->tres_text, limit->tres);
}

/* If the request alone exceeds the limit, the job never starts. Minutes that are used up
 * come back as usage decays, at a time that is not known. */
static void limit_test(const struct eqt_why_limit *limit,
		       const struct limit_name *name, void *with)
{
	struct limits_test *test = with;
	const struct eqt_live_cluster *cluster = test->wait->cluster;
	struct eqt_why_obstacle *one;
	char words[EQT_WAIT_WORDS];
	const bool alone = limit->minimum || limit->wants > limit->limit ||
			   limit->per == EQT_PER_JOB ||
			   limit->per == EQT_PER_NODE;

	(void) name;
	if (limit_is_overruled(test, limit) || strstr(limit->key, "Submit") ||
	    !eqt_limit_reason_exceeded(limit, test->wait->safe))
		return;
	one = obstacle_add(test->out, "limit",
			   alone ? EQT_END_NEVER : EQT_END_OPEN);
	if (!one)
		return;
	eqt_limit_reason_words(words, sizeof(words), limit);
	(void) snprintf(one->words, sizeof(one->words), "limit: %.390s", words);
	eqt_limit_reason_advice(words, sizeof(words), limit);
	(void) snprintf(one->advice, sizeof(one->advice), "%.390s", words);
	test->limit = limit;
	test->account = NULL;
	if (!alone && !limit->minutes &&
	    limit->used + limit->wants > limit->limit)
		obstacle_ends(one,
			      give_back_time(&cluster->jobs,
					     limit->used + limit->wants -
						     limit->limit,
					     limit_amount, test),
			      cluster->now_s, false);
}

/* ---- The queue ------------------------------------------------------------ */

/* Too few nodes can hold an equal part of the job. Could it start if it were divided
 * unevenly? Not if it needs more nodes than there are, not with a single CPU, and not on
 * nodes that lack the feature or are not named. */
static bool nodes_may_do(const struct eqt_why_nodes *nodes)
{
	return nodes->all >= nodes->nodes && nodes->cpus > 1 &&
	       nodes->of[EQT_NODE_FEW_CPUS] +
			       nodes->of[EQT_NODE_LITTLE_MEMORY] +
			       nodes->of[EQT_NODE_FEW_GPUS] >
		       0;
}

/* Too few nodes are large enough, even without other jobs. */
static void nodes_say_few(struct eqt_why_obstacles *out,
			  const struct eqt_why_nodes *nodes, size_t fit)
{
	const bool never = !nodes_may_do(nodes);
	struct eqt_why_obstacle *one = obstacle_add(
		out, "nodes", never ? EQT_END_NEVER : EQT_END_OPEN);

	if (!one)
		return;
	(void) snprintf(one->words, sizeof(one->words),
			"nodes: it wants %" PRIu64
			", and %zu of %zu there could hold a part of it",
			nodes->nodes, fit, nodes->all);
	if (never)
		(void) snprintf(one->advice, sizeof(one->advice),
				"cancel it, and ask for what the nodes have: "
				"it cannot start as it is");
}

/* A node that is drained or down counts as fitting, because it may return. */
static void nodes_test(struct eqt_why_obstacles *out,
		       const struct eqt_why_wait *wait)
{
	const struct eqt_why_nodes *nodes = &wait->nodes;
	const size_t fit = eqt_node_fit_sum(nodes);
	const size_t gone =
		nodes->of[EQT_NODE_DRAINED] + nodes->of[EQT_NODE_DOWN];
	const int64_t now = wait->cluster->now_s;
	char when[EQT_WAIT_TIME];

	if (nodes->of[EQT_NODE_FREE] >= nodes->nodes || nodes->all == 0)
		return;
	if (fit < nodes->nodes)
		nodes_say_few(out, nodes, fit);
	else if (fit - gone < nodes->nodes)
		obstacle_say(out, "nodes", EQT_END_ACT,
			     "nodes: it wants %" PRIu64
			     ", and %zu of %zu that fit are drained or down",
			     nodes->nodes, gone, fit);
	else
		obstacle_say(out, "nodes", EQT_END_QUEUE,
			     "nodes: it wants %" PRIu64
			     ", and %zu of %zu that fit are free%s%s",
			     nodes->nodes, nodes->of[EQT_NODE_FREE], fit,
			     nodes->free_s > now
				     ? "; the running jobs leave enough by "
				     : "",
			     nodes->free_s > now
				     ? eqt_obstacles_time_words(
					       when, nodes->free_s, now)
				     : "");
}

/* Jobs that are held or wait for something else do not count as being ahead. */
static void priority_test(struct eqt_why_obstacles *out,
			  const struct eqt_why_wait *wait)
{
	if (wait->ahead.jobs > 0 && wait->job->priority > 0)
		obstacle_say(out, "priority", EQT_END_QUEUE,
			     "priority: %zu of %zu job%s that could start "
			     "there %s a higher one",
			     wait->ahead.jobs, wait->ahead.pending,
			     wait->ahead.pending == 1 ? "" : "s",
			     wait->ahead.jobs == 1 ? "has" : "have");
}

void eqt_obstacles_find(struct eqt_why_obstacles *out,
			const struct eqt_why_wait *wait)
{
	struct limits_test limits = { .out = out, .wait = wait };

	out->count = 0;
	hold_test(out, wait);
	begin_test(out, wait);
	dependency_test(out, wait);
	array_test(out, wait);
	licenses_test(out, wait);
	reservation_test(out, wait);
	partitions_test(out, wait);
	if (wait->limits_enforced)
		eqt_limit_reason_each(wait->cluster, wait->job, limit_test,
				      &limits);
	nodes_test(out, wait);
	priority_test(out, wait);
	qsort(out->at, out->count, sizeof(out->at[0]), obstacle_compare);
}

/* ---- Words ---------------------------------------------------------------- */

static const char *const end_words[] = {
	[EQT_END_QUEUE] = "queue",  [EQT_END_KNOWN] = "time",
	[EQT_END_OPEN] = "unknown", [EQT_END_ACT] = "action",
	[EQT_END_NEVER] = "never",
};

const char *eqt_obstacles_end_word(enum eqt_why_end end)
{
	return end_words[end];
}

char *eqt_obstacles_text(char buf[EQT_OBSTACLE_TEXT],
			 const struct eqt_why_obstacle *obstacle, int64_t now_s)
{
	char when[EQT_WAIT_TIME];

	if (obstacle->end == EQT_END_KNOWN)
		(void) snprintf(buf, EQT_OBSTACLE_TEXT, "%s; until %s%s",
				obstacle->words,
				eqt_obstacles_time_words(when, obstacle->at_s,
							 now_s),
				obstacle->exact ? "" : " at the latest");
	else
		(void) snprintf(buf, EQT_OBSTACLE_TEXT, "%s%s", obstacle->words,
				obstacle->end == EQT_END_NEVER
					? "; this never lets it start"
					: "");
	return buf;
}
