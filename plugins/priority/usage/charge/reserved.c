/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A reservation has a run of its own in the table of runs, which is never over while this
 * slurmctld knows the reservation, and "holds", so that nobody else ends it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rate/job_rate.h"
#include "slurm/log.h"
#include "slurm/compat.h"
#include "usage/charge/reserved.h"
#include "walk/job_links.h"
#include "walk/walk.h"

#define NAME_SIZE 128 /* of a reservation in the record of charges */

/* Jobs that are looked at for one reservation, for the seconds [from, to]. */
struct reserved_jobs {
	const struct eqt_reserved *pass;
	uint32_t id; /* of the reservation */
	time_t from, to;
	double paid; /* equivalent-seconds */
};

static int reserved_add_job(void *item, void *arg)
{
	struct reserved_jobs *jobs = arg;
	const job_record_t *job = item;
	const bool is_over = IS_JOB_FINISHED(job) || IS_JOB_COMPLETING(job);
	time_t from = job->start_time, to = jobs->to;
	struct eqt_rate rate;

	if (job->resv_id != jobs->id || !job->start_time ||
	    IS_JOB_PENDING(job) || !job->tres_alloc_cnt)
		return 0;
	if (from < jobs->from)
		from = jobs->from;
	if (is_over && job->end_time < to)
		to = job->end_time;
	if (to > from &&
	    eqt_job_rate(&rate, jobs->pass->jobs->rates, jobs->pass->config,
			 job, job->tres_alloc_cnt) == 0)
		jobs->paid += rate.equivalents * (double) (to - from);
	return 0;
}

/* What jobs of a reservation were charged before this slurmctld knew that it is charged: by
 * their records, since their runs may have been another slurmctld's. */
static double reserved_paid_before(const struct eqt_reserved *pass, uint32_t id,
				   time_t from, time_t to)
{
	struct reserved_jobs jobs = { pass, id, from, to, 0 };

	if (to > from)
		(void) list_for_each(job_list, reserved_add_job, &jobs);
	return jobs.paid;
}

/* Charge some seconds at one factor of the week to usage and to the run. */
static void reserved_post(const struct eqt_reserved *pass, struct eqt_run *run,
			  slurmdb_assoc_rec_t *assoc,
			  const struct eqt_rate *rate,
			  const struct eqt_week_piece *piece)
{
	const struct eqt_conf *conf = pass->config->conf;
	const double week = eqt_week_factor(piece->factor_u);
	struct eqt_post post = {
		.config = pass->config,
		.rate = rate->equivalents,
		.billing = (uint64_t) llround(rate->equivalents *
					      (double) conf->billing_scale),
	};
	struct eqt_run_charge part = {
		.from = piece->from,
		.to = piece->to,
		.price = rate->equivalents,
		.factor = 1,
		.week = week,
	};
	struct eqt_journal_record record = {
		.assoc_id = run->assoc_id,
		.from = piece->from,
		.to = piece->to,
		.factor = week,
	};

	eqt_usage_unit_apply(pass->jobs->unit, &post);
	record.rate = run->rate = post.rate;
	if (post.billing) {
		record.tres_count = 1;
		record.tres[0].id = TRES_BILLING;
		record.tres[0].count = post.billing;
	}
	eqt_job_charge_replay(pass->config, &record, assoc, pass->span.ref);
	eqt_job_charge_recorded(pass->jobs, &post, rate, &part);
	eqt_stretch_add(pass->jobs->runs.sink, run, &part);
}

/* Charge [from, to] with all that is reserved but what jobs have paid. What they paid beyond
 * that is left for the next pass. */
static void reserved_add(const struct eqt_reserved *pass, struct eqt_run *run,
			 const struct eqt_rate *rate, time_t from, time_t to)
{
	const struct eqt_week *week = &pass->config->conf->week;
	slurmdb_assoc_rec_t *assoc = eqt_job_links_assoc(run->assoc_id);
	const double rest = run->whole * (double) (to - from) - run->jobs_paid;
	struct eqt_rate share = *rate;
	struct eqt_week_piece piece;

	if (to <= from)
		return;
	share.equivalents = rest > 0 ? rest / (double) (to - from) : 0;
	run->jobs_paid = rest < 0 ? -rest : 0;
	piece = eqt_week_first(week, from, to);
	do {
		reserved_post(pass, run, assoc, &share, &piece);
	} while (eqt_week_next(week, &piece, to));
	eqt_log_debug2("reservation %u: %.15g equivalents for %lld s",
		       run->job_id - EQT_CHARGE_RESERVED, share.equivalents,
		       (long long) (to - from));
}

/* Have budgets settle the run, and end its line. */
static void reserved_settle(const struct eqt_reserved *pass,
			    struct eqt_run *run, enum eqt_stretch_kind kind)
{
	eqt_stretch_close(pass->jobs->runs.sink, pass->config, run,
			  &(struct eqt_stretch_end){ .kind = kind,
						     .run = run });
}

/* Whose reservation it is: the account of the rule, or its only one. */
static const char *reserved_account(const struct eqt_conf_reservation *rule,
				    const slurmctld_resv_t *reservation)
{
	const char *own = reservation->accounts;

	if (rule->account[0] != '\0')
		return rule->account;
	return own && own[0] != '-' && !strchr(own, ',') ? own : NULL;
}

/* Begin the run of a reservation, or of the next time of one that recurs. */
static void reserved_begin(const struct eqt_reserved *pass, struct eqt_run *run,
			   const slurmctld_resv_t *reservation)
{
	const time_t last = pass->span.last_ran;
	char name[NAME_SIZE];

	if (run->holds)
		reserved_settle(pass, run, EQT_STRETCH_END);
	if (eqt_run_start(run) != reservation->start_time)
		run->settled_u = run->owed_u = 0;
	run->start = reservation->start_time;
	run->holds = true;
	if (run->until < (last > run->start ? last : run->start))
		run->until = last > run->start ? last : run->start;
	run->owed_from = run->until;
	run->jobs_paid = reserved_paid_before(
		pass, reservation->resv_id,
		last > run->start ? last : run->start, pass->span.now);
	(void) snprintf(name, sizeof(name), "reservation:%s",
			reservation->name);
	eqt_run_record_name(pass->jobs->runs.sink->record, run, name);
}

static int reserved_visit(void *item, void *arg)
{
	const struct eqt_reserved *pass = arg;
	const slurmctld_resv_t *reservation = item;
	const struct eqt_conf_reservation *rule = eqt_conf_reservation_find(
		pass->config->conf, reservation->name);
	const struct eqt_job_runs *runs = &pass->jobs->runs;
	const time_t start = reservation->start_time, now = pass->span.now;
	time_t from = pass->span.last_ran, to = now;
	slurmdb_assoc_rec_t *assoc;
	const char *account;
	struct eqt_rate rate;
	struct eqt_run *run;

	if (!rule || start >= now || !from)
		return 0;
	account = reserved_account(rule, reservation);
	assoc = account ? eqt_job_links_account(account) : NULL;
	if (!assoc || eqt_job_rate_reserved(&rate, pass->jobs->rates,
					    pass->config, reservation) < 0) {
		/* At the first pass after its begin. */
		if (start >= from)
			eqt_log_error("reservation %s is not charged: %s",
				      reservation->name,
				      assoc ? "it has no price"
					    : "it has no account of its own, "
					      "and its rule names none that "
					      "exists");
		return 0;
	}
	run = eqt_runs_add(runs->table,
			   EQT_CHARGE_RESERVED | reservation->resv_id);
	if (!run)
		return 0;
	run->assoc_id = assoc->id;
	if (!run->holds || run->start != start)
		reserved_begin(pass, run, reservation);
	run->whole =
		rate.equivalents * (double) rule->factor_u / (double) EQT_MICRO;
	run->ends = reservation->end_time;
	run->look = runs->table->look;
	run->is_over = false;
	if (from < start)
		from = start;
	if (to > run->ends)
		to = run->ends;
	reserved_add(pass, run, &rate, from, to);
	if (eqt_job_run_is_settled(runs))
		reserved_settle(pass, run, EQT_STRETCH_RESIZE);
	return 0;
}

/* The reservation of a run is gone: charge it to its end, which may have come early. Of one
 * that ended before this slurmctld knew it, nobody knows the end. */
static void reserved_end(const struct eqt_reserved *pass, struct eqt_run *run)
{
	const struct eqt_rate rate = {
		.equivalents = run->whole,
		.decided = run->open.decided,
		.gpu_pool = run->open.pool == 'g',
	};
	const time_t last = pass->span.last_ran;
	time_t to = run->ends;

	if (!run->holds) {
		eqt_stretch_lose(pass->jobs->runs.sink, pass->config, run,
				 NULL);
		return;
	}
	if (to > pass->span.now)
		to = pass->span.now;
	/* Deleted since the last pass. */
	if (to > last_resv_update)
		to = last_resv_update;
	reserved_add(pass, run, &rate, last > run->start ? last : run->start,
		     to);
	reserved_settle(pass, run, EQT_STRETCH_END);
}

void eqt_reserved_charge(const struct eqt_reserved *pass)
{
	struct eqt_runs *runs = pass->jobs->runs.table;
	slurmctld_lock_t job_lock = EQT_WALK_JOB_LOCKS;
	assoc_mgr_lock_t assoc_lock = EQT_CHARGE_ASSOC_LOCKS;
	size_t i = 0;

	if (!pass->config->conf->reservations && !runs->reserved)
		return;
	lock_slurmctld(job_lock);
	assoc_mgr_lock(&assoc_lock);
	if (resv_list)
		(void) list_for_each(resv_list, reserved_visit,
				     (void *) (uintptr_t) pass);
	while (i < runs->count) {
		struct eqt_run *run = eqt_runs_at(runs, i);

		if (run->job_id < EQT_CHARGE_RESERVED ||
		    run->look == runs->look) {
			i++;
			continue;
		}
		reserved_end(pass, run);
		eqt_runs_forget(runs, run->job_id);
	}
	assoc_mgr_unlock(&assoc_lock);
	unlock_slurmctld(job_lock);
}
