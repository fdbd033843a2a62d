/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list is sorted, and short: a job is compared with the last one first, and most are
 * older. The page of a user lists them, whoever asks for it and in whichever order jobs come.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "usage/last.h"

void eqt_year_run_make(struct eqt_year_run *out,
		       const struct eqt_year_part *part)
{
	const struct eqt_sacct_job *job = part->job;

	*out = (struct eqt_year_run){
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

/* Does one come before another: later end, later start, higher id? */
static bool run_is_later(const struct eqt_year_run *one,
			 const struct eqt_year_run *other)
{
	if (one->end_s != other->end_s)
		return one->end_s > other->end_s;
	if (one->start_s != other->start_s)
		return one->start_s > other->start_s;
	return strtoull(one->id, NULL, 10) > strtoull(other->id, NULL, 10);
}

/* The place of the same run, else the one behind the last, or count if there is none. */
static size_t last_place(const struct eqt_year_last *last,
			 const struct eqt_year_run *run)
{
	size_t i;

	for (i = 0; i < last->count; i++) {
		if (last->run[i].start_s == run->start_s &&
		    strcmp(last->run[i].id, run->id) == 0)
			return i;
	}
	if (last->count < EQT_YEAR_LAST)
		return last->count;
	return run_is_later(run, &last->run[EQT_YEAR_LAST - 1])
		       ? EQT_YEAR_LAST - 1
		       : EQT_YEAR_LAST;
}

/* Replace a text by a copy that lives as long as texts: sacct's line is overwritten by the
 * next one. -1: out of memory. */
static int text_own(const char **text, struct eqt_names *texts)
{
	const char **own = eqt_names_get(texts, *text, sizeof(*own), NULL);

	if (own)
		*text = *own;
	return own ? 0 : -1;
}

/* A run of several stretches has the mean of their rates. One that is given back takes no
 * time away. */
static void run_add_stretch(struct eqt_year_run *run,
			    const struct eqt_year_run *before)
{
	const double active_s =
		before->active_s + (run->active_s > 0 ? run->active_s : 0);
	int unit;

	for (unit = 0; unit < EQT_YEAR_UNITS && active_s > 0; unit++)
		run->rate[unit] = (run->rate[unit] * run->active_s +
				   before->rate[unit] * before->active_s) /
				  active_s;
	run->active_s = active_s;
}

int eqt_year_last_add(struct eqt_year_last *last,
		      const struct eqt_year_run *run, struct eqt_names *texts)
{
	struct eqt_year_run own = *run;
	size_t at = last_place(last, run);

	if (at == EQT_YEAR_LAST)
		return 0;
	if (text_own(&own.account, texts) < 0 ||
	    text_own(&own.partition, texts) < 0 ||
	    text_own(&own.qos, texts) < 0 || text_own(&own.state, texts) < 0)
		return -1;
	if (at < last->count && own.stretch &&
	    last->run[at].start_s == own.start_s &&
	    strcmp(last->run[at].id, own.id) == 0)
		run_add_stretch(&own, &last->run[at]);
	last->count += at == last->count;
	/* Kept in order, the latest first, by moving a run up from its place. */
	for (; at > 0 && run_is_later(&own, &last->run[at - 1]); at--)
		last->run[at] = last->run[at - 1];
	last->run[at] = own;
	return 0;
}
