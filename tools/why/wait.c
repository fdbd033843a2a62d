/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Equivalents come from the billing TRES of waiting jobs, which the priority plugin
 * presets to their price.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "slurm/scontrol/partitions.h"
#include "why/wait.h"

char *eqt_why_time_words(char buf[EQT_WAIT_TIME], int64_t at_s, int64_t now_s)
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

/* Its number of seconds is not known. */
const char *eqt_why_limit_time(char buf[EQT_WAIT_TIME],
			       const struct eqt_live_job *job)
{
	return job->limit_s == EQT_LIVE_YEAR_S
		       ? "more than a year"
		       : eqt_duration_words(buf, (int64_t) job->limit_s);
}

/* ---- Jobs ahead ----------------------------------------------------------- */

bool eqt_why_wait_meet(const char *a, const char *b)
{
	char name[256];

	while (eqt_text_next_name(name, sizeof(name), &a)) {
		if (eqt_live_jobs_listed(b, name))
			return true;
	}
	return false;
}

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
		    !eqt_why_wait_meet(other->partition, out->job->partition))
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

/* The state of a job that another one waits for. A job that squeue does not list has
 * ended, or never existed; which of them is not known. */
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

/* All dependencies in one text, with the state of each job. */
static void depends_make(struct eqt_why_wait *out)
{
	const char *list = out->job->dependency;
	struct eqt_live_dependency one;
	char words[160];
	size_t used = 0;

	while (used < sizeof(out->depends) &&
	       eqt_live_dependency_next(&one, &list)) {
		words[0] = '\0';
		if (one.id[0] != '\0')
			depended_words(words, sizeof(words), out->cluster,
				       one.id);
		used += (size_t) snprintf(out->depends + used,
					  sizeof(out->depends) - used,
					  "%s%.*s%s%s", used ? "; " : "",
					  (int) one.length, one.text,
					  words[0] ? ": " : "", words);
	}
}

/* The reservation that begins first among those that take nodes of the partition. */
static void reserved_make(struct eqt_why_wait *out)
{
	const struct eqt_why_nodes *nodes = &out->nodes;
	char from[EQT_WAIT_TIME], to[EQT_WAIT_TIME], room[EQT_WAIT_TIME];
	struct eqt_scontrol_value name, list;
	const int64_t now = out->cluster->now_s;

	if (!nodes->reservation)
		return;
	name = eqt_scontrol_record_get(nodes->reservation, "ReservationName");
	list = eqt_scontrol_record_get(nodes->reservation, "Nodes");
	(void) snprintf(out->reserved, sizeof(out->reserved),
			"%.*s has %.*s from %s to %s", (int) name.length,
			name.text,
			(int) list.length > 200 ? 200 : (int) list.length,
			list.text,
			eqt_why_time_words(from, nodes->reserved_from_s, now),
			eqt_why_time_words(to, nodes->reserved_to_s, now));
	if (nodes->reserved_from_s > now)
		(void) snprintf(
			out->reserved + strlen(out->reserved),
			sizeof(out->reserved) - strlen(out->reserved),
			"; a job of at most %s ends before it",
			eqt_duration_words(room, nodes->reserved_from_s - now));
}

/* Of a job in several partitions the first one. NULL: it may not be seen. */
static const struct eqt_scontrol_record *job_partition(
	const struct eqt_live_cluster *cluster, const struct eqt_live_job *job)
{
	char name[256];

	(void) snprintf(name, sizeof(name), "%.*s",
			(int) strcspn(job->partition, ","), job->partition);
	return eqt_scontrol_partition_find(&cluster->partitions, name);
}

/* What words need beside the numbers of nodes and jobs. */
static void wait_collect(struct eqt_why_wait *out)
{
	const struct eqt_live_job *job = out->job;

	out->partition = job_partition(out->cluster, job);
	out->limited = job->pending &&
		       eqt_why_limit_find(&out->limit, out->cluster, job);
	depends_make(out);
	reserved_make(out);
}

/* For a report, which has counted nodes and jobs itself. */
void eqt_why_wait_words(struct eqt_why_wait *out)
{
	wait_collect(out);
	eqt_why_reason_make(out);
}

/* Where it is not known what is enforced, a limit that is set is taken for one that
 * holds, with safe as Slurm's guide recommends. */
static void enforce_read(struct eqt_why_wait *out, const char *enforce)
{
	const bool all = enforce[0] == '\0' || strstr(enforce, "all");

	out->safe = all || strstr(enforce, "safe");
	out->limits_enforced = out->safe || strstr(enforce, "limits");
}

/* scale: billing units of an equivalent. 0, or -1: out of memory. The obstacles come
 * before the words, which follow what holds. */
int eqt_why_wait_make(struct eqt_why_wait *out,
		      const struct eqt_live_cluster *cluster,
		      const struct eqt_live_job *job, const char *enforce,
		      const char *exclude, uint64_t scale)
{
	*out = (struct eqt_why_wait){ .cluster = cluster, .job = job };
	enforce_read(out, enforce);
	if (eqt_why_nodes_wait(&out->nodes, cluster, job, exclude) < 0)
		return -1;
	ahead_count(out, scale);
	wait_collect(out);
	if (job->pending)
		eqt_why_obstacles_find(&out->obstacles, out);
	eqt_why_reason_make(out);
	return 0;
}
