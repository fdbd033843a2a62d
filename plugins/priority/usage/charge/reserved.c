/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Charge reservations. A reservation has a run in the table of runs. The flag
 * `holds` of that run is set while slurmctld knows the reservation, so that
 * sweeps of the table do not end the run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rate/job_rate.h"
#include "slurm/log.h"
#include "slurm/compat.h"
#include "usage/charge/reserved.h"
#include "walk/job_links.h"
#include "walk/walk.h"

/* The bytes of a reservation's name in the record of charges. */
#define NAME_SIZE 128

/* The state of a walk over reservations, over jobs or over runs. */
struct reserved_walk {
	const struct eqt_reserved *pass;
	list_itr_t *at; /* The next reservation or job. */
	size_t place; /* The next run. */
	uint32_t charged; /* The number of charged reservations. */
	bool began; /* Runs have begun whose jobs must be visited. */
};

/* Did the run begin in this pass, and were its jobs not visited yet? */
static bool reserved_is_new(const struct eqt_run *run)
{
	return run->holds && run->is_over;
}

/* Add the charges of a job since the last pass to the new run of its
 * reservation. They are computed from the job's record, because an earlier
 * slurmctld may have charged the job. */
static bool reserved_see_job(void *arg)
{
	struct reserved_walk *walk = arg;
	const struct eqt_job_charge *jobs = walk->pass->jobs;
	const job_record_t *job = list_next(walk->at);
	const time_t last = walk->pass->span.last_ran;
	time_t from, to = walk->pass->span.now;
	struct eqt_rate rate;
	struct eqt_run *run;

	if (!job || !job->resv_id || !job->start_time || IS_JOB_PENDING(job) ||
	    !job->tres_alloc_cnt)
		return job;
	run = eqt_runs_get(jobs->runs.table,
			   EQT_CHARGE_RESERVED | job->resv_id);
	if (!run || !reserved_is_new(run))
		return true;
	from = last > run->start ? last : run->start;
	if (from < job->start_time)
		from = job->start_time;
	if (to > run->ends)
		to = run->ends;
	if ((IS_JOB_FINISHED(job) || IS_JOB_COMPLETING(job)) &&
	    to > job->end_time)
		to = job->end_time;
	if (to > from && eqt_job_rate(&rate, jobs->rates, walk->pass->config,
				      job, job->tres_alloc_cnt) == 0)
		run->jobs_paid += rate.equivalents * (double) (to - from);
	return true;
}

/* Charge some seconds with one factor of the week, to the usage and to the
 * run. */
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

/* Charge [from, to] at the price of the reservation, less the charges of its
 * jobs. If its jobs were charged more than that, the excess counts in the next
 * pass. */
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

/* Let budgets settle the run, and write its line. */
static void reserved_settle(const struct eqt_reserved *pass,
			    struct eqt_run *run, enum eqt_stretch_kind kind)
{
	eqt_stretch_close(pass->jobs->runs.sink, pass->config, run,
			  &(struct eqt_stretch_end){ .kind = kind,
						     .run = run });
}

/* The account that pays: the account of the rule, or else the only account of
 * the reservation. Returns NULL if there is neither. */
static const char *reserved_account(const struct eqt_conf_reservation *rule,
				    const slurmctld_resv_t *reservation)
{
	const char *own = reservation->accounts;

	if (rule->account[0] != '\0')
		return rule->account;
	return own && own[0] != '-' && !strchr(own, ',') ? own : NULL;
}

/* Begin the run of a reservation, or of the next period of a recurring
 * reservation. From now on each charge of its jobs is added to the run, and
 * reserved_see_job() adds the earlier charges. */
static void reserved_begin(const struct eqt_reserved *pass, struct eqt_run *run,
			   const slurmctld_resv_t *reservation)
{
	const time_t last = pass->span.last_ran;
	char name[NAME_SIZE];

	if (run->holds)
		reserved_settle(pass, run, EQT_STRETCH_END);
	if (eqt_run_start(run) != reservation->start_time)
		run->settled_u = run->unread_u = run->owed_u = 0;
	run->start = reservation->start_time;
	run->holds = true;
	if (run->until < (last > run->start ? last : run->start))
		run->until = last > run->start ? last : run->start;
	run->owed_from = run->until;
	run->ends = reservation->end_time;
	run->is_over = true;
	run->jobs_paid = 0;
	(void) snprintf(name, sizeof(name), "reservation:%s",
			reservation->name);
	eqt_run_record_name(pass->jobs->runs.sink->record, run, name);
}

/* Charge the run of a reservation up to the time of this pass. */
static void reserved_charge(const struct eqt_reserved *pass,
			    struct eqt_run *run, const struct eqt_rate *rate)
{
	const time_t last = pass->span.last_ran, now = pass->span.now;
	const time_t from = last > run->start ? last : run->start;
	const time_t to = now < run->ends ? now : run->ends;

	run->look = pass->jobs->runs.table->look;
	run->is_over = false;
	/* The reservation has ended, but slurmctld still knows it. */
	if (to <= from)
		return;
	reserved_add(pass, run, rate, from, to);
	if (eqt_job_run_is_settled(&pass->jobs->runs))
		reserved_settle(pass, run, EQT_STRETCH_RESIZE);
}

/* The price of a reservation, and the association that pays. Returns NULL if
 * the reservation is not charged. */
static slurmdb_assoc_rec_t *reserved_price(
	const struct eqt_reserved *pass,
	const struct eqt_conf_reservation *rule,
	const slurmctld_resv_t *reservation, struct eqt_rate *rate)
{
	const char *account = reserved_account(rule, reservation);
	slurmdb_assoc_rec_t *assoc = account ? eqt_job_links_account(account)
					     : NULL;

	if (assoc && eqt_job_rate_reserved(rate, pass->jobs->rates,
					   pass->config, reservation) == 0)
		return assoc;
	/* The error is logged only in the first pass after the begin of the
	   reservation. */
	if (reservation->start_time >= pass->span.last_ran)
		eqt_log_error("reservation %s is not charged: %s",
			      reservation->name,
			      assoc ? "it has no price"
				    : "it has no account of its own, and its "
				      "rule names none that exists");
	return NULL;
}

static bool reserved_visit(void *arg)
{
	struct reserved_walk *walk = arg;
	const struct eqt_reserved *pass = walk->pass;
	const slurmctld_resv_t *reservation = list_next(walk->at);
	struct eqt_runs *runs = pass->jobs->runs.table;
	const struct eqt_conf_reservation *rule;
	slurmdb_assoc_rec_t *assoc;
	struct eqt_rate rate;
	struct eqt_run *run;

	if (!reservation)
		return false;
	rule = eqt_conf_reservation_find(pass->config->conf, reservation->name);
	if (!rule || reservation->start_time >= pass->span.now)
		return true;
	run = eqt_runs_get(runs, EQT_CHARGE_RESERVED | reservation->resv_id);
	if (run && run->look == runs->look)
		return true;
	assoc = reserved_price(pass, rule, reservation, &rate);
	if (!assoc)
		return true;
	run = eqt_runs_add(runs, EQT_CHARGE_RESERVED | reservation->resv_id);
	if (!run)
		return true;
	run->assoc_id = assoc->id;
	if (!run->holds || run->start != reservation->start_time) {
		reserved_begin(pass, run, reservation);
		walk->began = true;
		return true;
	}
	run->whole =
		rate.equivalents * (double) rule->factor_u / (double) EQT_MICRO;
	run->ends = reservation->end_time;
	reserved_charge(pass, run, &rate);
	walk->charged++;
	return true;
}

/* End the run of a reservation that slurmctld has removed. The reservation is
 * charged up to its end, or to the time at which it was deleted. If this
 * slurmctld never knew the reservation, its end is not known, and only the
 * amount that the run owes is settled. */
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
	/* If the time was not reached, the reservation was deleted since the
	   last pass. */
	if (to > last_resv_update)
		to = last_resv_update;
	reserved_add(pass, run, &rate, last > run->start ? last : run->start,
		     to);
	reserved_settle(pass, run, EQT_STRETCH_END);
}

static bool reserved_sweep_run(void *arg)
{
	struct reserved_walk *walk = arg;
	struct eqt_runs *runs = walk->pass->jobs->runs.table;
	struct eqt_run *run;

	if (walk->place >= runs->count)
		return false;
	run = eqt_runs_at(runs, walk->place);
	if (run->job_id < EQT_CHARGE_RESERVED || run->look == runs->look) {
		walk->place++;
		return true;
	}
	reserved_end(walk->pass, run);
	eqt_runs_forget(runs, run->job_id);
	return true;
}

/* Call the step for each member of one of slurmctld's lists. If a member is
 * removed while the locks are released, slurmctld moves the iterator. */
static void reserved_each(struct reserved_walk *walk, list_t *list,
			  unsigned int every, eqt_walk_step *step)
{
	walk->at = list_iterator_create(list);
	eqt_walk_steps((assoc_mgr_lock_t) EQT_CHARGE_ASSOC_LOCKS, every, step,
		       walk);
	list_iterator_destroy(walk->at);
}

void eqt_reserved_charge(const struct eqt_reserved *pass)
{
	const struct eqt_runs *runs = pass->jobs->runs.table;
	struct reserved_walk walk = { .pass = pass };

	if (!pass->config->conf->reservations && !runs->reserved)
		return;
	while (resv_list && pass->span.last_ran) {
		walk.began = false;
		/* The locks are released after each reservation, because
		   pricing one of many nodes takes long. */
		reserved_each(&walk, resv_list, 1, reserved_visit);
		if (!walk.began)
			break;
		reserved_each(&walk, job_list, EQT_WALK_CLOCK_EVERY,
			      reserved_see_job);
	}
	if (walk.charged < runs->reserved)
		eqt_walk_steps((assoc_mgr_lock_t) EQT_CHARGE_ASSOC_LOCKS,
			       EQT_WALK_CLOCK_EVERY, reserved_sweep_run, &walk);
}
