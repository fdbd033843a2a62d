/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Equivalents come from the billing TRES of waiting jobs, which the priority plugin sets
 * to the price of the job in advance.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/print.h"
#include "slurm/scontrol/partitions.h"
#include "why/wait.h"

/* ---- Reason -------------------------------------------------------------------------
 * Slurm's reasons in words. If slurmctld has a text for a reason, squeue prints that text
 * instead of the reason's name. Names are therefore compared by their beginnings, and the
 * first entry that matches is taken. This is why "ReqNodeNotAvail, Reserved for
 * maintenance" stands before "ReqNodeNotAvail". */

typedef void reason_number(char *buf, size_t size,
			   const struct eqt_why_wait *wait);

/* A node fits if it could hold a part of the job without other jobs. */
static void number_resources(char *buf, size_t size,
			     const struct eqt_why_wait *wait)
{
	const struct eqt_why_nodes *nodes = &wait->nodes;

	(void) snprintf(buf, size,
			"it wants %" PRIu64 " node%s with %" PRIu64 " CPUs each"
			", and %zu of %zu that fit %s free now",
			nodes->nodes, nodes->nodes == 1 ? "" : "s", nodes->cpus,
			nodes->of[EQT_NODE_FREE], eqt_node_fit_sum(nodes),
			nodes->of[EQT_NODE_FREE] == 1 ? "is" : "are");
}

/* Jobs that are held, or that wait for something else, do not count. */
static void number_priority(char *buf, size_t size,
			    const struct eqt_why_wait *wait)
{
	(void) snprintf(
		buf, size,
		"%zu of the %zu job%s waiting there %s a higher priority",
		wait->ahead.jobs, wait->ahead.pending,
		wait->ahead.pending == 1 ? "" : "s",
		wait->ahead.jobs == 1 ? "has" : "have");
}

/* squeue prints the time of --begin as the eligible time. A job that waits for something
 * else has no eligible time, so its expected start is printed. */
static void number_begin(char *buf, size_t size,
			 const struct eqt_why_wait *wait)
{
	const struct eqt_live_job *job = wait->job;
	const int64_t at = job->eligible_s ? job->eligible_s : job->start_s;
	char when[EQT_WAIT_TIME];

	if (at > 0)
		(void) snprintf(buf, size, "that is %s",
				eqt_obstacles_time_words(when, at,
							 wait->cluster->now_s));
}

/* Write the licences of the job, such as "matlab: it wants 1, 0 of 2 are free". Later
 * releases of Slurm separate alternatives by '|'. All of them are written. */
static void number_licenses(char *buf, size_t size,
			    const struct eqt_why_wait *wait)
{
	const char *list = wait->job->licenses;
	struct eqt_live_license one;

	buf[0] = '\0';
	while (eqt_live_license_next(&one, wait->cluster, &list)) {
		if (one.there)
			eqt_print_append(buf, size,
					 "%s%.*s: it wants %" PRIu64
					 ", %" PRIu64 " of %" PRIu64
					 " are free",
					 buf[0] ? ", " : "", (int) one.length,
					 one.name, one.wants, one.left,
					 one.total);
	}
}

/* Write how many tasks of an array may run together, such as 2 for "12_[3-5%2]", and how
 * many do run. */
static void number_array(char *buf, size_t size,
			 const struct eqt_why_wait *wait)
{
	const struct eqt_live_job *job = wait->job;
	const char *percent = strchr(job->name, '%');
	const size_t array = strcspn(job->name, "_");
	size_t i, running = 0;

	for (i = 0; i < wait->cluster->jobs.count; i++) {
		const struct eqt_live_job *task = &wait->cluster->jobs.jobs[i];

		running += !task->pending && task->name[array] == '_' &&
			   strncmp(task->name, job->name, array) == 0;
	}
	if (percent)
		(void) snprintf(buf, size, "%lu may run at once, and %zu do",
				strtoul(percent + 1, NULL, 10), running);
}

/* The state is UP, DOWN, DRAIN or INACTIVE. */
static void number_partition_state(char *buf, size_t size,
				   const struct eqt_why_wait *wait)
{
	(void) snprintf(buf, size, "partition %s is %s",
			eqt_record_text(wait->partition, "PartitionName"),
			eqt_record_text(wait->partition, "State"));
}

/* MaxNodes may be UNLIMITED. */
static void number_partition_nodes(char *buf, size_t size,
				   const struct eqt_why_wait *wait)
{
	(void) snprintf(buf, size,
			"it has %s nodes and allows %s to %s a job; this job "
			"wants %" PRIu64,
			eqt_record_text(wait->partition, "TotalNodes"),
			eqt_record_text(wait->partition, "MinNodes"),
			eqt_record_text(wait->partition, "MaxNodes"),
			wait->job->nodes);
}

/* scontrol prints MaxTime as days-hours:minutes:seconds. */
static void number_partition_time(char *buf, size_t size,
				  const struct eqt_why_wait *wait)
{
	char span[EQT_WAIT_TIME];

	(void) snprintf(buf, size, "it allows %s; this job asks for %s",
			eqt_record_text(wait->partition, "MaxTime"),
			eqt_obstacles_limit_time(span, wait->job));
}

/* The job's own reservation. If it has none, the reservation that blocks its nodes. */
static void number_reservation(char *buf, size_t size,
			       const struct eqt_why_wait *wait)
{
	for (size_t i = 0; i < wait->cluster->reservations.count; i++) {
		const struct eqt_scontrol_record *one =
			&wait->cluster->reservations.records[i];

		if (eqt_record_is(one, "ReservationName",
				  wait->job->reservation))
			(void) snprintf(
				buf, size,
				"its reservation %.64s is from %s to %s",
				wait->job->reservation,
				eqt_record_text(one, "StartTime"),
				eqt_record_text(one, "EndTime"));
	}
	if (buf[0] == '\0' && wait->reserved[0] != '\0')
		(void) snprintf(buf, size, "%.400s", wait->reserved);
}

static void number_depends(char *buf, size_t size,
			   const struct eqt_why_wait *wait)
{
	(void) snprintf(buf, size, "%.500s", wait->depends);
}

static void number_nodes_gone(char *buf, size_t size,
			      const struct eqt_why_wait *wait)
{
	const struct eqt_why_nodes *nodes = &wait->nodes;

	(void) snprintf(buf, size,
			"of %zu nodes that fit, %zu are drained, %zu are down, "
			"and %zu are reserved; the job wants %" PRIu64,
			eqt_node_fit_sum(nodes), nodes->of[EQT_NODE_DRAINED],
			nodes->of[EQT_NODE_DOWN], nodes->of[EQT_NODE_RESERVED],
			nodes->nodes);
}

#define WAIT_OR_LESS                                                    \
	"ask for a shorter --time or fewer resources, which may start " \
	"in gaps before other jobs"
#define OLD_REASON "Slurm said so when it last looked; "
#define ASK_OPERATOR "ask the operators of the cluster"

static const struct {
	const char *name; /* the beginning of what squeue prints */
	const char *words;
	reason_number *number; /* NULL: the reason has no number */
	const char *advice; /* "": nothing to do but wait */
} reasons[] = {
	{ "Priority, none", OLD_REASON "now no other job goes first",
	  number_priority, "wait until Slurm looks at it again" },
	{ "Priority", "other jobs go first", number_priority, WAIT_OR_LESS },
	{ "Resources, free", OLD_REASON "now enough is free", number_resources,
	  "wait until Slurm looks at it again" },
	{ "Resources", "it is its turn, but too little is free",
	  number_resources, WAIT_OR_LESS },
	{ "Nodes required, up",
	  OLD_REASON "now enough nodes that fit are up, unless they are kept "
		     "for partitions of a higher tier",
	  number_nodes_gone, WAIT_OR_LESS },
	{ "Nodes required for job are DOWN",
	  "too many nodes that fit are gone, or are kept for partitions of a "
	  "higher tier",
	  number_nodes_gone,
	  "use another partition, or wait until the nodes return" },
	{ "DependencyNeverSatisfied",
	  "what it depends on has ended otherwise and cannot come to pass any "
	  "more",
	  number_depends,
	  "cancel it, or change it: scontrol update jobid=ID dependency=" },
	{ "Dependency", "it depends on other jobs", number_depends, "" },
	{ "BeginTime, requeued",
	  "it ran before and was requeued, and Slurm lets it begin again a "
	  "little later",
	  number_begin, "" },
	{ "BeginTime", "it is not to begin before its time", number_begin,
	  "let it begin now: scontrol update jobid=ID starttime=now" },
	{ "JobHeldUser", "its user holds it", NULL,
	  "release it: scontrol release ID" },
	{ "JobHeldAdmin", "an operator or a plugin holds it", NULL,
	  ASK_OPERATOR },
	{ "Budget settles",
	  "its last run still has nodes, and is charged first", NULL,
	  "wait until they are free" },
	{ "Budget ", NULL, NULL,
	  "ask for a shorter --time or fewer resources, use another account, "
	  "or wait until running jobs return what they did not use" },
	{ "PartitionDown", "its partition starts no jobs",
	  number_partition_state,
	  "use another partition, or wait until it is up" },
	{ "PartitionInactive", "its partition takes and starts no jobs",
	  number_partition_state,
	  "use another partition, or wait until it is up" },
	{ "PartitionNodeLimit",
	  "it wants more or fewer nodes than its partition allows",
	  number_partition_nodes,
	  "ask for another number of nodes, or use another partition" },
	{ "PartitionTimeLimit", "its time limit is above that of its partition",
	  number_partition_time,
	  "lower it: scontrol update jobid=ID timelimit=..." },
	{ "PartitionConfig", "its partition does not let it start", NULL,
	  "look at scontrol show partition, or use another partition" },
	{ "ReqNodeNotAvail, Reserved for maintenance",
	  "the nodes are reserved for maintenance before it would end",
	  number_reservation, "ask for a --time that ends before it" },
	{ "ReqNodeNotAvail, any, May be reserved",
	  "nodes of its partition are reserved for others", number_reservation,
	  "ask for a --time that ends before, or use another partition" },
	{ "ReqNodeNotAvail, any", "nodes of its partition do not take jobs",
	  number_nodes_gone,
	  "use another partition, or wait until the nodes return" },
	{ "ReqNodeNotAvail, May be reserved",
	  "nodes that it needs are reserved for others", number_reservation,
	  "ask for a --time that ends before, or leave out --nodelist" },
	{ "ReqNodeNotAvail", "nodes that it needs do not take jobs",
	  number_nodes_gone,
	  "leave out --nodelist, use another partition, or wait until the "
	  "nodes return" },
	{ "ReservationDeleted", "its reservation was deleted", NULL,
	  "remove it: scontrol update jobid=ID reservation=, and release it" },
	{ "Reservation ", "its reservation is gone", NULL,
	  "remove it: scontrol update jobid=ID reservation=, and release it" },
	{ "Reservation", "a reservation decides when it may start",
	  number_reservation,
	  "wait until it begins, or leave out --reservation" },
	{ "Licenses", "too few licences are free", number_licenses, "" },
	{ "JobArrayTaskLimit", "enough tasks of its array run", number_array,
	  "let more run: scontrol update jobid=ID arraytaskthrottle=N" },
	{ "BadConstraints", "no nodes can meet its request", number_resources,
	  "cancel it, and ask for what the nodes have: sinfo -N -l" },
	{ "InvalidQOS",
	  "its QOS does not exist any more, or is not allowed here", NULL,
	  "set another: scontrol update jobid=ID qos=..." },
	{ "InvalidAccount",
	  "its account or association does not exist any more", NULL,
	  "set another: scontrol update jobid=ID account=..." },
	{ "QOSNotAllowed", "its partition does not allow its QOS", NULL,
	  "set another: scontrol update jobid=ID qos=..." },
	{ "AccountNotAllowed", "its partition does not allow its account",
	  eqt_obstacles_account_words, "use another partition or account" },
	{ "Job's QOS not permitted", "its partition does not allow its QOS",
	  NULL, "set another: scontrol update jobid=ID qos=..." },
	{ "Job's account not permitted",
	  "its partition does not allow its account",
	  eqt_obstacles_account_words, "use another partition or account" },
	{ "QOSUsageThreshold",
	  "the fair share of its association is below the threshold of its QOS",
	  NULL, "use another QOS, or wait" },
	{ "AccountingPolicy", "a limit of the accounting is in the way", NULL,
	  ASK_OPERATOR },
	{ "NodeDown", "a node of it went down", NULL, "" },
	{ "JobLaunchFailure", "it could not be launched", NULL, ASK_OPERATOR },
	{ "launch failed requeued held",
	  "it could not be launched, and is held", NULL,
	  "look at its output, and release it: scontrol release ID" },
	{ "job requeued in held state", "it was requeued, and is held", NULL,
	  "release it: scontrol release ID" },
	{ "JobHoldMaxRequeue", "it failed to start too often, and is held",
	  NULL, "release it: scontrol release ID" },
	{ "MaxMemPerLimit",
	  "it asks for more memory a CPU or a node than is allowed", NULL,
	  "ask for less --mem or --mem-per-cpu" },
	{ "DeadLine", "it cannot end before its deadline", NULL,
	  "ask for a shorter --time or a later --deadline" },
	{ "Prolog", "a prolog runs on its nodes", NULL, "" },
	{ "Cleaning", "its last run is not cleaned up yet", NULL, "" },
	{ "BurstBuffer", "its burst buffer is not ready", NULL, "" },
	{ "FedJobLock", "the federation decides which cluster starts it", NULL,
	  "" },
	{ "SchedDefer", "it has to start at once, and slurmctld defers that",
	  NULL, "leave out --immediate" },
	{ "None", "the scheduler has not looked at it yet", NULL, "" },
};

/* Replace ID in the advice by the job's id, so that users can copy the command. */
static void advice_set(struct eqt_why_wait *wait, const char *advice)
{
	const char *id = strstr(advice, "ID"), *name = wait->job->name;
	const char *of = strchr(name, '+') ? name : wait->job->id;

	if (!id)
		(void) snprintf(wait->advice, sizeof(wait->advice), "%s",
				advice);
	else
		(void) snprintf(wait->advice, sizeof(wait->advice),
				"%.*s%.*s%s", (int) (id - advice), advice,
				(int) strcspn(of, "+"), of, id + 2);
}

/* A reason that is not in the table is a sentence itself, for example that of a
 * budget. */
static void words_set(struct eqt_why_wait *wait, size_t i)
{
	char number[EQT_WAIT_WORDS / 2 + 160] = "";

	if (reasons[i].number)
		reasons[i].number(number, sizeof(number), wait);
	(void) snprintf(wait->words, sizeof(wait->words), "%s%s%s",
			reasons[i].words ? reasons[i].words : wait->job->reason,
			number[0] ? ": " : "", number);
	advice_set(wait, reasons[i].advice);
}

/*
 * The reason in the table that fits best, which may differ from Slurm's. Since 23.02
 * Slurm has no reason for an account that the partition does not allow. Later releases
 * name reservations of other nodes if the nodes of --nodelist take no jobs. Slurm's
 * reason is also as old as Slurm's last look at the job, so numbers of the present moment
 * take precedence.
 */
static const char *reason_really(const struct eqt_why_wait *wait)
{
	const char *reason = wait->job->reason;
	const struct eqt_why_nodes *nodes = &wait->nodes;
	const bool named = wait->job->req_nodes[0] != '\0';

	if (strcmp(reason, "None") == 0 &&
	    eqt_obstacles_account_is_kept_out(wait))
		return "AccountNotAllowed";
	if (strncmp(reason, "ReqNodeNotAvail", 15) == 0 &&
	    nodes->of[EQT_NODE_RESERVED] == 0 &&
	    nodes->of[EQT_NODE_DRAINED] + nodes->of[EQT_NODE_DOWN] > 0)
		return named ? "ReqNodeNotAvail" : "ReqNodeNotAvail, any";
	if (!named && strncmp(reason, "ReqNodeNotAvail, May", 20) == 0)
		return "ReqNodeNotAvail, any, May be reserved";
	if (!named && strcmp(reason, "ReqNodeNotAvail") == 0)
		return "ReqNodeNotAvail, any";
	if (strcmp(reason, "Priority") == 0 && wait->ahead.jobs == 0)
		return "Priority, none";
	if (strcmp(reason, "Resources") == 0 && nodes->all > 0 &&
	    nodes->of[EQT_NODE_FREE] >= nodes->nodes)
		return "Resources, free";
	if (strncmp(reason, "Nodes required", 14) == 0 &&
	    nodes->of[EQT_NODE_FREE] + nodes->of[EQT_NODE_BUSY] >= nodes->nodes)
		return "Nodes required, up";
	if (strcmp(reason, "BeginTime") == 0 && wait->job->restarts > 0)
		return "BeginTime, requeued";
	return reason;
}

/* Take the first entry that matches. A later release of Slurm may have other reasons. */
static void reason_words(struct eqt_why_wait *wait, const char *reason)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (strncmp(reason, reasons[i].name, strlen(reasons[i].name)) ==
		    0) {
			words_set(wait, i);
			return;
		}
	}
	(void) snprintf(wait->words, sizeof(wait->words),
			"Slurm says so, and has no more words for it");
}

#define DEPENDS_DEEP 16

/* The held job that a chain of dependencies leads to; NULL: none is found. */
static const struct eqt_live_job *depends_held(
	const struct eqt_live_cluster *cluster, const struct eqt_live_job *job)
{
	for (int i = 0; i < DEPENDS_DEEP && job; i++) {
		const struct eqt_live_job *next = NULL;
		const char *list = job->dependency;
		struct eqt_live_dependency one;

		while (eqt_live_dependency_next(&one, &list)) {
			const struct eqt_live_job *other =
				one.id[0] ? eqt_live_jobs_find(&cluster->jobs,
							       one.id)
					  : NULL;

			if (!other || !other->pending)
				continue;
			if (strncmp(other->reason, "JobHeld", 7) == 0)
				return other;
			next = other;
		}
		job = next;
	}
	return NULL;
}

/* If a job waits for a held job, its user can do more than wait: advise how the held
 * job can be released. */
static void advice_depends(struct eqt_why_wait *wait)
{
	const struct eqt_live_job *held =
		depends_held(wait->cluster, wait->job);

	if (!held)
		return;
	if (strcmp(held->reason, "JobHeldUser") != 0)
		(void) snprintf(wait->advice, sizeof(wait->advice),
				"ask the operators of the cluster to release "
				"job %s",
				held->name);
	else if (strcmp(held->user, wait->job->user) == 0)
		(void) snprintf(wait->advice, sizeof(wait->advice),
				"release job %s: scontrol release %s",
				held->name, held->id);
	else
		(void) snprintf(wait->advice, sizeof(wait->advice),
				"ask %.64s to release job %s", held->user,
				held->name);
}

/* Fill in the words and the advice for Slurm's reason. A limit has words of its own. If
 * an obstacle means that the job never starts, its advice is taken. */
static void why_reason_make(struct eqt_why_wait *wait)
{
	const struct eqt_why_obstacle *last = &wait->obstacles.at[0];

	if (!wait->job->pending)
		return;
	if (wait->limited) {
		eqt_limit_reason_words(wait->words, sizeof(wait->words),
				       &wait->limit);
		eqt_limit_reason_advice(wait->advice, sizeof(wait->advice),
					&wait->limit);
	} else {
		reason_words(wait, reason_really(wait));
		if (strcmp(wait->job->reason, "Dependency") == 0)
			advice_depends(wait);
	}
	if (wait->obstacles.count > 0 && last->end == EQT_END_NEVER &&
	    last->advice[0])
		(void) snprintf(wait->advice, sizeof(wait->advice), "%s",
				last->advice);
}

/* ---- Jobs ahead ----------------------------------------------------------- */

bool eqt_why_wait_is_eligible(const struct eqt_live_job *job, int64_t now_s)
{
	return job->pending && job->priority > 0 && job->eligible_s > 0 &&
	       job->eligible_s <= now_s;
}

static void ahead_count(struct eqt_why_wait *out, uint64_t scale)
{
	const struct eqt_live_jobs *jobs = &out->cluster->jobs;
	struct eqt_why_ahead *ahead = &out->ahead;

	for (size_t i = 0; i < jobs->count; i++) {
		const struct eqt_live_job *other = &jobs->jobs[i];

		if (!eqt_why_wait_is_eligible(other, out->cluster->now_s) ||
		    !eqt_node_fit_lists_meet(other->partition,
					     out->job->partition))
			continue;
		ahead->pending++;
		if (other->priority <= out->job->priority)
			continue;
		ahead->jobs++;
		ahead->unlimited += other->limit_s == 0;
		ahead->hours += (double) other->tres.billing / (double) scale *
				(double) other->limit_s / 3600 *
				(double) eqt_live_job_tasks(other);
	}
}

/* ---- Dependencies and reservations ---------------------------------------- */

/* The state of a job on which another job depends. A job that squeue does not list has
 * ended or never existed. */
static void depended_words(char *buf, size_t size,
			   const struct eqt_live_cluster *cluster,
			   const char *id)
{
	const struct eqt_live_job *other =
		eqt_live_jobs_find(&cluster->jobs, id);
	char left[EQT_WAIT_TIME];

	if (!other)
		(void) snprintf(buf, size, "job %s has ended", id);
	else if (other->pending)
		(void) snprintf(buf, size, "job %s waits itself (%.80s)", id,
				other->reason);
	else if (other->running && other->limit_s > 0)
		(void) snprintf(buf, size, "job %s runs, for %s at most", id,
				eqt_duration_words(
					left, (int64_t) other->limit_s -
						      (int64_t) other->used_s));
	else
		(void) snprintf(buf, size, "job %s is %.20s", id, other->state);
}

/* Write all dependencies in one text, with the state of each job. */
static void depends_make(struct eqt_why_wait *out)
{
	const char *list = out->job->dependency;
	struct eqt_live_dependency one;
	char words[160];

	while (eqt_live_dependency_next(&one, &list)) {
		words[0] = '\0';
		if (one.id[0] != '\0')
			depended_words(words, sizeof(words), out->cluster,
				       one.id);
		eqt_print_append(out->depends, sizeof(out->depends),
				 "%s%.*s%s%s", out->depends[0] ? "; " : "",
				 (int) one.length, one.text,
				 words[0] ? ": " : "", words);
	}
}

/* Find the reservation that begins first among those with nodes of the partition. */
static void reserved_make(struct eqt_why_wait *out)
{
	const struct eqt_why_nodes *nodes = &out->nodes;
	char from[EQT_WAIT_TIME], to[EQT_WAIT_TIME], room[EQT_WAIT_TIME];
	const int64_t now = out->cluster->now_s;

	if (!nodes->reservation)
		return;
	(void) snprintf(
		out->reserved, sizeof(out->reserved),
		"%s has %.200s from %s to %s",
		eqt_record_text(nodes->reservation, "ReservationName"),
		eqt_record_text(nodes->reservation, "Nodes"),
		eqt_obstacles_time_words(from, nodes->reserved_from_s, now),
		eqt_obstacles_time_words(to, nodes->reserved_to_s, now));
	if (nodes->reserved_from_s > now)
		eqt_print_append(
			out->reserved, sizeof(out->reserved),
			"; a job of at most %s ends before it",
			eqt_duration_words(room, nodes->reserved_from_s - now));
}

/* The first of the job's partitions. NULL if the user may not see it. */
static const struct eqt_scontrol_record *job_partition(
	const struct eqt_live_cluster *cluster, const struct eqt_live_job *job)
{
	char name[256];

	(void) snprintf(name, sizeof(name), "%.*s",
			(int) strcspn(job->partition, ","), job->partition);
	return eqt_scontrol_partition_find(&cluster->partitions, name);
}

/* Collect what the words need besides the numbers of nodes and jobs. */
static void wait_collect(struct eqt_why_wait *out)
{
	const struct eqt_live_job *job = out->job;

	out->partition = job_partition(out->cluster, job);
	out->limited = job->pending &&
		       eqt_limit_reason_find(&out->limit, out->cluster, job);
	depends_make(out);
	reserved_make(out);
}

void eqt_why_wait_words(struct eqt_why_wait *out)
{
	wait_collect(out);
	why_reason_make(out);
}

/* If the configuration is not known, assume that all limits are enforced, with "safe". */
static void enforce_read(struct eqt_why_wait *out, const char *enforce)
{
	const bool all = enforce[0] == '\0' || strstr(enforce, "all");

	out->safe = all || strstr(enforce, "safe");
	out->limits_enforced = out->safe || strstr(enforce, "limits");
}

/* Obstacles are found before the words, because the words depend on them. */
void eqt_why_wait_make(struct eqt_why_wait *out,
		       const struct eqt_live_cluster *cluster,
		       const struct eqt_live_job *job, const char *enforce,
		       const char *exclude, uint64_t scale)
{
	*out = (struct eqt_why_wait){ .cluster = cluster, .job = job };
	enforce_read(out, enforce);
	eqt_node_fit_wait(&out->nodes, cluster, job, exclude);
	ahead_count(out, scale);
	wait_collect(out);
	if (job->pending)
		eqt_obstacles_find(&out->obstacles, out);
	why_reason_make(out);
}
