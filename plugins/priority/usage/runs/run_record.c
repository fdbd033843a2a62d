/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The open stretches of runs, and their lines. A charge allocates no memory:
 * names of partitions are kept once, and those of users are looked up when a
 * line is written. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "walk/job_links.h"
#include "usage/runs/run_record.h"

/* The most names of partitions, reservations and currencies since the start. */
#define NAMES_MOST 4096

/* A copy of a name that lives as long as the record. Returns NULL if there is
 * no name, or if memory is short. */
static const char *record_name(struct eqt_run_record *record, const char *name)
{
	if (!name || !*name)
		return NULL;
	for (size_t i = 0; i < record->names; i++)
		if (strcmp(record->name[i], name) == 0)
			return record->name[i];
	if (record->names == NAMES_MOST)
		return NULL;
	if (EQT_ARRAY_ROOM(record->name, record->names) < 0)
		return NULL;
	record->name[record->names] = strdup(name);
	return record->name[record->names] ? record->name[record->names++]
					   : NULL;
}

void eqt_run_record_note(struct eqt_run_record *record, struct eqt_run *run,
			 const job_record_t *job)
{
	struct eqt_run_open *open = &run->open;
	const char *partition = job->part_ptr ? job->part_ptr->name
					      : job->partition;

	if (!record->journal->on)
		return;
	open->array_job_id = job->array_job_id;
	open->array_task_id = job->array_job_id ? job->array_task_id : 0;
	open->het_job_id = job->het_job_id;
	/* When slurmctld ends a run to requeue the job, restart_cnt already
	   counts the next run. */
	open->restarts = job->restart_cnt;
	if ((job->job_state & JOB_REQUEUE) && open->restarts)
		open->restarts--;
	/* The name hardly ever changes, so it is compared first. */
	if (!open->partition || !partition ||
	    strcmp(open->partition, partition) != 0)
		open->partition = record_name(record, partition);
}

void eqt_run_record_name(struct eqt_run_record *record, struct eqt_run *run,
			 const char *name)
{
	if (record->journal->on)
		run->open.partition = record_name(record, name);
}

/* Fill a line except for its names. The fields are set one by one, because a
 * struct literal would clear a kilobyte. */
static void line_fill(struct eqt_charge_record *line, const struct eqt_run *run,
		      const struct eqt_run_open *open,
		      enum eqt_charge_kind kind)
{
	line->number = 0;
	line->kind = kind;
	line->job_id = run->job_id;
	line->array_job_id = open->array_job_id;
	line->array_task_id = open->array_task_id;
	line->het_job_id = open->het_job_id;
	line->restarts = open->restarts;
	line->assoc_id = run->assoc_id;
	line->qos_id = run->qos_id;
	line->part_qos_id = run->part_qos_id;
	line->start = open->start;
	line->from = open->from;
	/* After the clock was set back, a stretch may end before it begins.
	   Readers refuse such a line, but budgets may have paid for it. */
	line->to = open->to > open->from ? open->to : open->from;
	line->idle_s = open->idle_s > line->to - line->from
			       ? (uint64_t) (line->to - line->from)
			       : (uint64_t) open->idle_s;
	line->rate = open->rate;
	line->factor = open->factor;
	line->unit = open->unit;
	line->scale = open->scale;
	line->billing = open->billing;
	line->decided = open->decided;
	line->pool = open->pool;
	line->money_u = open->money_u;
	line->paid_u = 0;
	line->entry = 0;
}

/* Look up the names of a line. If the job still has the run's association or
 * QOS, that avoids a lookup; job may be NULL. assoc_mgr's assoc and QOS locks
 * are held. */
static void line_names(const char *name[EQT_CHARGE_NAMES],
		       const struct eqt_run *run, const job_record_t *job,
		       const struct eqt_run_open *open, const char *reason)
{
	const slurmdb_assoc_rec_t *assoc =
		job && job->assoc_ptr && job->assoc_ptr->id == run->assoc_id
			? job->assoc_ptr
			: eqt_job_links_assoc(run->assoc_id);
	const slurmdb_qos_rec_t *qos =
		job && job->qos_ptr && job->qos_ptr->id == run->qos_id
			? job->qos_ptr
			: eqt_job_links_qos_of_id(run->qos_id);

	name[EQT_CHARGE_ACCOUNT] = assoc ? assoc->acct : NULL;
	name[EQT_CHARGE_USER] = assoc ? assoc->user : NULL;
	name[EQT_CHARGE_PARTITION] = open->partition;
	name[EQT_CHARGE_QOS] = qos ? qos->name : NULL;
	name[EQT_CHARGE_CURRENCY] = open->currency;
	name[EQT_CHARGE_REASON] = reason;
}

/* Queue a line with the amount that budgets have settled. */
static void line_write(struct eqt_run_record *record, const struct eqt_run *run,
		       const job_record_t *job, const struct eqt_run_open *open,
		       enum eqt_charge_kind kind,
		       const struct eqt_run_settled *settled)
{
	struct eqt_charge_record line;
	const char *name[EQT_CHARGE_NAMES];

	line_fill(&line, run, open, kind);
	line.paid_u = settled->paid_u;
	line.entry = settled->entry;
	line_names(name, run, job, open, settled->excuse);
	eqt_journal_charge(record->journal, &line, name);
}

void eqt_run_record_close(struct eqt_run_record *record, struct eqt_run *run,
			  const job_record_t *job, enum eqt_charge_kind kind,
			  const struct eqt_run_settled *settled)
{
	struct eqt_run_open *open = &run->open;
	const struct eqt_run_settled nothing = { .excuse = record->unsettled };
	const bool is_paid = settled && settled->entry;

	/* Without a unit nothing was ever charged. */
	if (record->journal->on && open->unit &&
	    (open->to > open->from || is_paid))
		line_write(record, run, job, open, kind,
			   settled ? settled : &nothing);
	open->from = open->to;
	open->idle_s = 0;
}

/* Set the seconds of a stretch, and their price. */
static void open_set(struct eqt_run_record *record, struct eqt_run_open *open,
		     const struct eqt_run_charge *charge)
{
	const struct eqt_rate *price = charge->rates;
	const struct eqt_unit *unit = price ? price->unit : NULL;

	open->from = charge->from;
	open->to = charge->to;
	open->idle_s = charge->idle_s;
	open->rate = charge->rate;
	open->factor = charge->factor;
	open->billing = charge->billing;
	open->scale = charge->scale;
	open->unit = charge->unit;
	if (!open->decided || (price && !price->decided))
		open->decided = EQT_CHARGE_BY_SLURM;
	if (!open->pool)
		open->pool = 'c';
	if (!price)
		return;
	if (price->decided)
		open->decided = price->decided;
	open->pool = price->gpu_pool ? 'g' : 'c';
	open->money_u = unit ? unit->rate_u : 0;
	open->currency = unit && unit->rate_u
				 ? record_name(record, unit->currency)
				 : NULL;
}

/* Do these seconds have the price of the open stretch? */
static bool open_has_price(const struct eqt_run_open *open,
			   const struct eqt_run_charge *charge)
{
	const struct eqt_rate *price = charge->rates;

	return open->rate == charge->rate && open->factor == charge->factor &&
	       open->billing == charge->billing &&
	       open->scale == charge->scale && open->unit == charge->unit &&
	       (!price ||
		open->money_u == (price->unit ? price->unit->rate_u : 0));
}

/* Remove the seconds before `from`, which the stretch already has. */
static void charge_clip(struct eqt_run_charge *charge, time_t from)
{
	const time_t over = from - charge->from;

	if (over <= 0)
		return;
	charge->from = from;
	charge->idle_s -= charge->idle_s < over ? charge->idle_s : over;
	if (charge->to < from)
		charge->to = from;
}

void eqt_run_record_add(struct eqt_run_record *record, struct eqt_run *run,
			const struct eqt_run_charge *added)
{
	struct eqt_run_open *open = &run->open;
	struct eqt_run_charge charge = *added;
	const bool is_idle = open->idle_s == open->to - open->from;

	if (!record->journal->on)
		return;
	if (open->start != run->start) {
		open->start = run->start;
		open->from = open->to = charge.from;
		open->idle_s = 0;
	}
	/* A charge without a price has that of the run. */
	if (!charge.unit) {
		charge.rate = run->rate;
		charge.billing = open->billing;
		charge.scale = open->scale;
		charge.unit = open->unit ? open->unit : 1;
	}
	charge.rate *= charge.week;
	charge_clip(&charge, open->to);
	if (charge.to <= charge.from)
		return;
	if (charge.idle_s > charge.to - charge.from)
		charge.idle_s = charge.to - charge.from;
	if (open->from == open->to) {
		open_set(record, open, &charge);
	} else if (open->to == charge.from && open_has_price(open, &charge) &&
		   (!charge.idle_s || is_idle)) {
		open->to = charge.to;
		open->idle_s += charge.idle_s;
	} else {
		eqt_run_record_close(record, run, NULL,
				     open_has_price(open, &charge)
					     ? EQT_CHARGE_SUSPEND
					     : EQT_CHARGE_PRICE,
				     NULL);
		open_set(record, open, &charge);
	}
}

void eqt_run_record_write(struct eqt_run_record *record,
			  const struct eqt_run *run,
			  const struct eqt_run_charge *charge,
			  enum eqt_charge_kind kind, const char *reason)
{
	struct eqt_run_open open = run->open;

	if (!record->journal->on || charge->to <= charge->from)
		return;
	open_set(record, &open, charge);
	line_write(record, run, NULL, &open, kind,
		   &(struct eqt_run_settled){ .excuse = reason });
}

void eqt_run_record_reset(struct eqt_run_record *record, time_t before)
{
	const struct eqt_run run = { .job_id = 0 };
	const struct eqt_run_open open = {
		.start = before,
		.from = before,
		.to = before,
		.unit = 1,
		.decided = EQT_CHARGE_BY_SLURM,
		.pool = 'c',
	};

	if (record->journal->on)
		line_write(record, &run, NULL, &open, EQT_CHARGE_RESET,
			   &(struct eqt_run_settled){ .entry = 0 });
}

/* ---- The file of open stretches ------------------------------------------------ */

#define OPEN_SLICE 32 /* The number of runs in one hold of the lock. */

/* Make room for more lines. Returns 0, or -1 if memory is short. */
static int open_reserve(struct eqt_text *text, size_t lines)
{
	return EQT_ARRAY_RESERVE(text->data, text->space,
				 text->length + lines * EQT_CHARGE_TEXT);
}

/* Write the lines of some runs, from a place downwards. If a run is forgotten
 * meanwhile, the last run, whose line is already written, moves to its
 * place. */
static void open_put_some(const struct eqt_run_record *record,
			  struct eqt_text *text, struct eqt_runs *runs,
			  size_t *place)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK };
	const char *name[EQT_CHARGE_NAMES];
	struct eqt_charge_record line;
	char moved[48];
	bool is_moved;
	uint64_t number;
	size_t end;

	assoc_mgr_lock(&locks);
	number = eqt_journal_last_charge(record->journal);
	if (*place > runs->count)
		*place = runs->count;
	end = *place > OPEN_SLICE ? *place - OPEN_SLICE : 0;
	while (*place > end) {
		struct eqt_run *run = eqt_runs_at(runs, --*place);

		/* Skip a run that has moved, because its line is already
		   written. A stretch without seconds needs a line only for what
		   was settled before: if the run continues, or if it has ended
		   and the journal may lack some of its lines. */
		if (run->open.copied == record->copies ||
		    (run->open.to == run->open.from &&
		     !(run->is_over ? run->in_parts
				    : run->settled_u || run->unread_u)))
			continue;
		run->open.copied = record->copies;
		line_fill(&line, run, &run->open, EQT_CHARGE_OPEN);
		line.number = number;
		line.paid_u = run->owed_u;
		line.entry = run->settled_u;
		is_moved = run->shift || run->unread_u;
		if (is_moved)
			(void) snprintf(moved, sizeof(moved), "%lld %" PRIu64,
					(long long) run->shift, run->unread_u);
		line_names(name, run, NULL, &run->open,
			   is_moved ? moved : NULL);
		(void) eqt_charge_record_put(text, &line, name);
	}
	assoc_mgr_unlock(&locks);
}

char *eqt_run_record_open(struct eqt_run_record *record, struct eqt_runs *runs,
			  const char *cluster, size_t *length)
{
	struct eqt_charge_head head = { .day = "open" };
	struct eqt_text text = { .data = NULL };
	size_t place = SIZE_MAX;

	if (!record->journal->on || open_reserve(&text, 1) < 0)
		return NULL;
	record->copies++;
	(void) snprintf(head.cluster, sizeof(head.cluster), "%s",
			cluster ? cluster : "");
	text.length =
		(size_t) eqt_charge_head_text(text.data, text.space, &head);
	while (place > 0) {
		if (open_reserve(&text, OPEN_SLICE) < 0) {
			free(text.data);
			return NULL;
		}
		open_put_some(record, &text, runs, &place);
	}
	*length = text.length;
	return text.data;
}

/* The begin of the time that the run owes, computed from the price of its open
 * stretch. If that price is 0, it is the start of the run. */
static time_t open_owed_from(const struct eqt_run *run)
{
	const struct eqt_run_open *open = &run->open;
	const double rate = open->rate * open->factor * (double) EQT_MICRO /
			    (double) (open->unit ? open->unit : 1);
	const double seconds = rate > 0 ? (double) run->owed_u / rate : 0;

	if (rate <= 0 && run->owed_u)
		return open->start;
	return open->to - open->idle_s -
	       (time_t) (seconds < INT32_MAX ? seconds + 0.5 : 0);
}

/* Give a run the stretch of a line. */
static void open_recall(struct eqt_run_record *record, struct eqt_runs *runs,
			const struct eqt_charge_record *line)
{
	struct eqt_run *run = eqt_runs_add(runs, line->job_id);
	char *unread;

	if (!run)
		return;
	/* The first charge begins the run. */
	run->is_over = true;
	run->recalled = true;
	run->until = (time_t) line->to;
	run->owed_u = line->paid_u;
	run->settled_u = line->entry;
	run->line = line->number + 1;
	run->assoc_id = line->assoc_id;
	run->qos_id = line->qos_id;
	run->part_qos_id = line->part_qos_id;
	run->open = (struct eqt_run_open){
		.start = (time_t) line->start,
		.from = (time_t) line->from,
		.to = (time_t) line->to,
		.idle_s = (time_t) line->idle_s,
		.rate = line->rate,
		.factor = line->factor,
		.billing = line->billing,
		.scale = line->scale,
		.unit = line->unit,
		.decided = line->decided,
		.pool = line->pool,
		.money_u = line->money_u,
		.array_job_id = line->array_job_id,
		.array_task_id = line->array_task_id,
		.het_job_id = line->het_job_id,
		.restarts = line->restarts,
		.partition = record_name(record, line->partition),
		.currency = record_name(record, line->currency),
	};
	run->owed_from = open_owed_from(run);
	run->shift = (time_t) strtoll(line->reason, &unread, 10);
	run->unread_u = strtoull(unread, NULL, 10);
	runs->shifted |= run->shift != 0;
}

void eqt_run_record_recall(struct eqt_run_record *record, struct eqt_runs *runs,
			   const char *text, size_t length)
{
	const char *line = text, *end;

	while ((end = memchr(line, '\n', length - (size_t) (line - text)))) {
		struct eqt_charge_record in;

		if (eqt_charge_record_parse(&in, line, (size_t) (end - line),
					    NULL) == 0 &&
		    in.kind == EQT_CHARGE_OPEN)
			open_recall(record, runs, &in);
		line = end + 1;
	}
}

void eqt_run_record_free(struct eqt_run_record *record)
{
	for (size_t i = 0; i < record->names; i++)
		free(record->name[i]);
	free(record->name);
	record->name = NULL;
	record->names = 0;
}
