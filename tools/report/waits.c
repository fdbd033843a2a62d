/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each wait is kept and sorted once, so that quantiles are exact. Jobs come from sacct,
 * because the record of charges has neither waiting times nor CPU times. */
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "cli/alloc.h"
#include "report/waits.h"
#include "slurm/sacct.h"
#include "slurm/text/duration.h"
#include "slurm/text/timestamp.h"
#include "slurm/text/tres_list.h"
#include "usage/period.h"

/* ---- Reading --------------------------------------------------------------------- */

/* The size class of a job. Jobs of the same size wait about as long. The first digit
 * gives the order of sizes and is not shown. */
static const char *size_name(const char *tres)
{
	const uint64_t gpus = eqt_tres_list_amount(tres, "gres/gpu");
	const uint64_t cpus = eqt_tres_list_amount(tres, "cpu");

	if (gpus > 0)
		return gpus == 1  ? "51 GPU"
		       : gpus < 8 ? "62 to 7 GPUs"
				  : "78 GPUs or more";
	return cpus <= 1    ? "11 CPU"
	       : cpus < 16  ? "22 to 15 CPUs"
	       : cpus < 128 ? "316 to 127 CPUs"
			    : "4128 CPUs or more";
}

/* The data of a job that are added to each of its groups. */
struct sample {
	bool started; /* it started in the span, and its wait is known */
	uint32_t wait_s;
	double cpus, gpus, asked_s, busy_s;
	enum eqt_waits_end end; /* EQT_WAITS_ENDS: it did not end in the span */
};

/* How a job ended, from a state of sacct such as "CANCELLED by 1000". */
static enum eqt_waits_end end_of_state(const char *state)
{
	static const struct {
		const char *begins;
		enum eqt_waits_end end;
	} states[] = {
		{ "FAILED", EQT_WAITS_END_FAILED },
		{ "OUT_OF_MEMORY", EQT_WAITS_END_MEMORY },
		{ "TIMEOUT", EQT_WAITS_END_TIME },
		{ "DEADLINE", EQT_WAITS_END_TIME },
		{ "NODE_FAIL", EQT_WAITS_END_NODE },
		{ "BOOT_FAIL", EQT_WAITS_END_NODE },
		{ "CANCELLED", EQT_WAITS_END_CANCELLED },
	};

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (strncmp(state, states[i].begins,
			    strlen(states[i].begins)) == 0)
			return states[i].end;
	return EQT_WAITS_END_WELL;
}

/* Add to a group a job that held its CPUs and GPUs for used_s seconds. */
static void waits_add_group(struct eqt_waits *waits, enum eqt_waits_by by,
			    const char *name, const struct sample *job,
			    double used_s)
{
	struct eqt_waits_group *group =
		eqt_names_get(&waits->group[by], name, sizeof(*group), NULL);

	if (job->started) {
		EQT_ALLOC_ROOM(group->wait_s, group->count);
		group->wait_s[group->count++] = job->wait_s;
	}
	group->jobs++;
	group->cpu_s += job->cpus * used_s;
	group->gpu_s += job->gpus * used_s;
	group->asked_s += job->asked_s;
	group->busy_s += job->busy_s;
	if (job->end != EQT_WAITS_ENDS)
		group->ends[job->end]++;
}

/* Add a job to the groups of its days. Its wait and its CPU time belong to the day of its
 * start, its allocation to each day, and its end to the last day. "part" is the part of
 * its time in which it was not suspended. */
static void waits_add_days(struct eqt_waits *waits, const struct sample *job,
			   double part, int64_t from_s, int64_t until_s)
{
	struct sample one = *job;
	char day[EQT_YEAR_TEXT];

	for (int64_t next_s; from_s < until_s; from_s = next_s) {
		next_s = eqt_whole_earlier(eqt_timestamp_day(from_s, day),
					   until_s);
		one.end = next_s == until_s ? job->end : EQT_WAITS_ENDS;
		waits_add_group(waits, EQT_WAITS_DAY, day, &one,
				part * (double) (next_s - from_s));
		one.started = false;
		one.asked_s = one.busy_s = 0;
	}
}

/* Make the sample of a job. Holding and releasing a running job makes it eligible after
 * its start, so that its wait is not known. "part" is the part of its time in which it
 * was not suspended. */
static struct sample sample_make(const struct eqt_sacct_job *job,
				 const struct eqt_waits *waits, double part)
{
	const char *tres = job->text[EQT_SACCT_TRES];
	struct sample out = {
		.cpus = (double) eqt_tres_list_amount(tres, "cpu"),
		.gpus = (double) eqt_tres_list_amount(tres, "gres/gpu"),
		.end = job->ended && job->end_s <= waits->until_s
			       ? end_of_state(job->text[EQT_SACCT_STATE])
			       : EQT_WAITS_ENDS,
	};
	int64_t eligible_s;
	uint64_t busy_s;

	out.started = job->start_s >= waits->from_s &&
		      eqt_timestamp_parse(&eligible_s,
					  job->text[EQT_SACCT_ELIGIBLE]) > 0 &&
		      eligible_s <= job->start_s &&
		      job->start_s - eligible_s <= UINT32_MAX;
	if (out.started)
		out.wait_s = (uint32_t) (job->start_s - eligible_s);
	if (job->ended &&
	    eqt_duration_parse(&busy_s, job->text[EQT_SACCT_CPU]) == 0) {
		out.asked_s =
			out.cpus * part * (double) (job->end_s - job->start_s);
		out.busy_s = (double) busy_s;
	}
	return out;
}

static void waits_add_job(struct eqt_waits *waits,
			  const struct eqt_sacct_job *job)
{
	const int64_t from_s = eqt_whole_later(job->start_s, waits->from_s);
	const int64_t until_s = eqt_whole_earlier(job->end_s, waits->until_s);
	const double all_s = (double) (job->end_s - job->start_s);
	const double part = all_s > 0 ? 1 - (double) job->suspended_s / all_s
				      : 1;
	const struct sample one = sample_make(job, waits, part);
	const double used_s =
		until_s > from_s ? part * (double) (until_s - from_s) : 0;
	const char *const names[EQT_WAITS_BY] = {
		[EQT_WAITS_ALL] = "",
		[EQT_WAITS_PARTITION] = job->text[EQT_SACCT_PARTITION],
		[EQT_WAITS_SIZE] = size_name(job->text[EQT_SACCT_TRES]),
		[EQT_WAITS_ACCOUNT] = job->text[EQT_SACCT_ACCOUNT],
	};

	if (job->start_s >= waits->until_s || job->end_s < waits->from_s)
		return;
	for (int by = 0; by < EQT_WAITS_BY; by++)
		if (names[by])
			waits_add_group(waits, (enum eqt_waits_by) by,
					names[by], &one, used_s);
	waits_add_days(waits, &one, part, from_s,
		       eqt_whole_later(until_s, from_s + 1));
}

/* The shortest wait comes first. */
static int wait_compare(const void *x, const void *y)
{
	const uint32_t a = *(const uint32_t *) x, b = *(const uint32_t *) y;

	return a < b ? -1 : a > b;
}

/* Sort groups by name, and the waits of each by length. The digit before a size sorts
 * sizes. */
static void waits_sort(struct eqt_waits *waits)
{
	for (int by = 0; by < EQT_WAITS_BY; by++) {
		struct eqt_names *names = &waits->group[by];

		for (size_t i = 0; i < names->count; i++) {
			struct eqt_waits_group *group = names->list[i];

			qsort(group->wait_s, group->count,
			      sizeof(*group->wait_s), wait_compare);
		}
		eqt_names_sort(names);
	}
}

int eqt_waits_read(struct eqt_waits *waits, const char *path,
		   const struct eqt_waits_span *span, int64_t now_s,
		   struct eqt_error *err)
{
	const int64_t until_s =
		span->end_s ? eqt_whole_earlier(span->end_s, now_s) : now_s;
	const int64_t from_s = span->start_s
				       ? span->start_s
				       : until_s - (int64_t) span->days * 86400;
	struct eqt_sacct_reader sacct;
	struct eqt_sacct_job job;
	char command[EQT_SACCT_COMMAND];
	bool known;
	int rc = 0;

	*waits = (struct eqt_waits){ .from_s = from_s, .until_s = until_s };
	if (from_s > until_s)
		return eqt_error_set(err, "--start is not before --end");
	if (from_s == until_s)
		return 0;
	if (eqt_sacct_reader_open(&sacct, path,
				  eqt_sacct_command(command, from_s, until_s,
						    ",Eligible,TotalCPU"),
				  EQT_SACCT_RUNS, err) < 0)
		return -1;
	known = sacct.head.at[EQT_SACCT_ELIGIBLE] != EQT_COLUMNS_NONE;
	if (!known)
		waits->until_s = from_s;
	while (known && (rc = eqt_sacct_reader_next(&sacct, &job, err)) > 0)
		waits_add_job(waits, &job);
	/* If the list lacks a column, its rest was not read, so the command may have
	 * failed. */
	rc = eqt_sacct_reader_close(&sacct, known ? rc : 1, err);
	waits_sort(waits);
	return known ? rc : 0;
}

void eqt_waits_free(struct eqt_waits *waits)
{
	for (int by = 0; by < EQT_WAITS_BY; by++) {
		for (size_t i = 0; i < waits->group[by].count; i++)
			free(((struct eqt_waits_group *) waits->group[by]
				      .list[i])
				     ->wait_s);
		eqt_names_free(&waits->group[by]);
	}
	waits->until_s = waits->from_s;
}

uint32_t eqt_waits_quantile(const struct eqt_waits_group *group, double part)
{
	return group->wait_s[eqt_whole_quantile(part, group->count)];
}
