/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "base/array.h"
#include "slurm/elapsed.h"
#include "slurm/log.h"
#include "usage/ends/completing.h"
#include "walk/job_links.h"

/* A charge ends after this number of seconds, so that a kill loses no more
 * seconds. */
#define CHARGE_S 10

#define HOLD_NS 1000000L
#define CLOCK_CHECK_EVERY 16

/* The inputs of one check of all jobs. */
struct completing_look {
	struct eqt_completing *completing;
	const struct eqt_config *config;
	time_t ref;
	bool pass;
	/* The plugin is being unloaded, and slurmctld's job lock is not
	   held. */
	bool closing;
};

/* The nodes that have not reported yet. Until slurmctld has a bitmap of these
 * nodes, the whole allocation counts. */
static bitstr_t *completing_nodes(const job_record_t *job)
{
	if (!IS_JOB_COMPLETING(job) || !job->tres_alloc_cnt)
		return NULL;
	return job->node_bitmap_cg ? job->node_bitmap_cg : job->node_bitmap;
}

static uint32_t completing_node_count(const job_record_t *job)
{
	bitstr_t *nodes = completing_nodes(job);
	const int64_t count = nodes ? bit_set_count(nodes) : 0;

	return count > 0 ? (uint32_t) count : 0;
}

bool eqt_completing_holds(const job_record_t *job)
{
	return completing_node_count(job) > 0;
}

bool eqt_completing_has(const struct eqt_completing *completing,
			uint32_t job_id)
{
	const struct eqt_run *run =
		eqt_runs_find(completing->charges->runs.table, job_id);

	return run && run->marks.completes;
}

/* The present time for the charge of this job: the time at which it was added,
 * plus the whole seconds of the steady clock since. */
static time_t completing_now(const struct eqt_completing_job *entry)
{
	const struct timespec now = eqt_clock_steady();

	return entry->from + (now.tv_sec - entry->since.tv_sec) -
	       (now.tv_nsec < entry->since.tv_nsec);
}

/* Forget one job. The last job takes its place. */
static void completing_forget(struct eqt_completing *completing,
			      struct eqt_completing_job *entry)
{
	struct eqt_run *run =
		eqt_runs_find(completing->charges->runs.table, entry->job_id);

	if (run)
		run->marks.completes = false;
	free(entry->charge);
	*entry = completing->jobs[--completing->count];
}

static job_record_t *completing_record(const struct completing_look *look,
				       uint32_t job_id)
{
	return look->closing ? NULL : find_job_record(job_id);
}

/* The run of an ended job that still waits for the release of nodes, or
 * NULL. */
static struct eqt_run *completing_run(const struct completing_look *look,
				      uint32_t job_id)
{
	struct eqt_run *run =
		eqt_runs_get(look->completing->charges->runs.table, job_id);

	return run && run->holds ? run : NULL;
}

/* The count of the TRES billing in a charge. */
static uint64_t charge_billing(const struct eqt_journal_record *charge)
{
	for (uint32_t i = 0; i < charge->tres_count; i++)
		if (charge->tres[i].id == TRES_BILLING)
			return charge->tres[i].count;
	return 0;
}

/* Add a charge for held nodes to the run of the job, as a separate stretch. If
 * the run is not known, as after a start or without budgets, the line of the
 * record is made from the charge. */
static void completing_add_held(const struct completing_look *look,
				const struct eqt_journal_record *charge,
				double week)
{
	const struct eqt_job_charge *charges = look->completing->charges;
	struct eqt_run_record *record = charges->runs.sink->record;
	const job_record_t *job = completing_record(look, charge->job_id);
	const uint64_t scale = eqt_usage_unit_get(charges->unit).scale;
	const struct eqt_run_charge part = {
		.from = (time_t) charge->from,
		.to = (time_t) charge->to,
		.price = charge->rate,
		.factor = charge->factor,
		.week = week,
		.rate = charge->rate,
		.billing = charge_billing(charge),
		.scale = scale,
		.unit = scale ? 1 : look->config->conf->weights_scale,
	};
	struct eqt_run *run = completing_run(look, charge->job_id);
	struct eqt_run unknown = {
		.job_id = charge->job_id,
		.assoc_id = charge->assoc_id,
		.qos_id = charge->qos_id,
		.part_qos_id = charge->part_qos_id,
		.start = job ? job->start_time : part.from,
	};

	if (!run) {
		run = &unknown;
		if (job)
			eqt_run_record_note(record, run, job);
	}
	eqt_stretch_add(charges->runs.sink, run, &part);
	eqt_run_record_close(record, run, NULL, EQT_CHARGE_HELD, NULL);
}

/* End the run of a job that has released all of its nodes. */
static void completing_close_run(const struct completing_look *look,
				 uint32_t job_id)
{
	struct eqt_run *run = completing_run(look, job_id);
	const struct eqt_stretch_end end = {
		.kind = EQT_STRETCH_HELD,
		.run = run,
		.job = completing_record(look, job_id),
	};

	if (!run)
		return;
	run->holds = false;
	eqt_stretch_close(look->completing->charges->runs.sink, look->config,
			  run, &end);
}

/* Post a charge, or the part of it that has one factor of the time of the week,
 * and write it to the journal. */
static void completing_post_part(const struct completing_look *look,
				 const struct eqt_journal_record *charge,
				 const struct eqt_week_piece *piece)
{
	const double week = eqt_week_factor(piece->factor_u);
	struct eqt_journal_record part = *charge;

	part.from = piece->from;
	part.to = piece->to;
	completing_add_held(look, &part, week);
	part.factor *= week;
	eqt_job_charge_replay(look->config, &part,
			      eqt_job_links_assoc(charge->assoc_id), look->ref);
	eqt_journal_end(look->completing->charges->journal, &part, false);
}

/* Post the present charge of the job, write it to the journal, and free it. The
 * caller holds EQT_CHARGE_ASSOC_LOCKS. */
static void completing_post(const struct completing_look *look,
			    struct eqt_completing_job *entry)
{
	const struct eqt_week *week = &look->config->conf->week;
	struct eqt_journal_record *charge = entry->charge;
	struct eqt_week_piece piece;

	entry->charge = NULL;
	if (!charge)
		return;
	if (charge->to > charge->from) {
		entry->until = charge->to;
		eqt_log_debug(
			"job %u held nodes for %lld s after its end: %.15g "
			"equivalents",
			charge->job_id, (long long) (charge->to - charge->from),
			charge->rate);
		piece = eqt_week_first(week, (time_t) charge->from,
				       entry->until);
		do
			completing_post_part(look, charge, &piece);
		while (eqt_week_next(week, &piece, entry->until));
	}
	free(charge);
}

/* Begin a charge for the nodes that the job holds now, from the end of its last
 * charge. */
static void completing_begin(const struct eqt_completing *completing,
			     const struct eqt_config *config,
			     struct eqt_completing_job *entry,
			     job_record_t *job)
{
	struct eqt_journal_record *charge = malloc(sizeof(*charge));
	const time_t now = completing_now(entry);

	if (charge && eqt_job_charge_held(completing->charges, config, job,
					  completing_nodes(job), entry->until,
					  charge) == 0) {
		if (now > charge->to)
			charge->to = now;
		entry->charge = charge;
	} else {
		free(charge);
	}
}

/* Must a charge of this job be posted or begun? Both need locks for writing. */
static bool completing_is_due(const struct completing_look *look,
			      const struct eqt_completing_job *entry,
			      uint32_t nodes)
{
	if (entry->is_free)
		return !nodes;
	return look->pass || !entry->charge || nodes != entry->nodes ||
	       entry->charge->to - entry->charge->from >= CHARGE_S;
}

static job_record_t *completing_job(const struct completing_look *look,
				    const struct eqt_completing_job *entry)
{
	job_record_t *job = find_job_record(entry->job_id);

	return job && job->assoc_ptr &&
			       eqt_guard_ok(look->completing->charges->guard,
					    job)
		       ? job
		       : NULL;
}

/* Extend the present charge of a job that still holds the same nodes. Returns
 * false if a charge of the job must be posted or begun. slurmctld's job lock is
 * held for reading. */
static bool completing_see(const struct completing_look *look,
			   struct eqt_completing_job *entry)
{
	const job_record_t *job = completing_job(look, entry);
	const uint32_t nodes = job ? completing_node_count(job) : 0;

	if (completing_is_due(look, entry, nodes))
		return false;
	if (entry->charge)
		entry->charge->to = completing_now(entry);
	return true;
}

/* Write a line that a job has released all of its nodes. slurmctld saves that
 * seconds later. If it is killed before, only this line shows that nothing is
 * left to charge. */
static void completing_note_freed(const struct completing_look *look,
				  const struct eqt_completing_job *entry,
				  const job_record_t *job)
{
	if (job)
		eqt_journal_freed(look->completing->charges->journal,
				  entry->job_id, job->assoc_ptr->id,
				  entry->until);
}

/* Post and begin charges of a job. Returns false if the job holds nothing and
 * was forgotten. */
static bool completing_charge(const struct completing_look *look,
			      struct eqt_completing_job *entry)
{
	job_record_t *job = completing_job(look, entry);
	const uint32_t nodes = job ? completing_node_count(job) : 0;
	bool is_over;

	if (nodes && nodes == entry->nodes && entry->charge)
		entry->charge->to = completing_now(entry);
	eqt_journal_group(look->completing->charges->journal, true);
	completing_post(look, entry);
	if (!nodes)
		completing_note_freed(look, entry, job);
	is_over = !nodes || !look->config->charge_completing;
	if (is_over)
		completing_close_run(look, entry->job_id);
	eqt_journal_group(look->completing->charges->journal, false);
	if (is_over) {
		completing_forget(look->completing, entry);
		return false;
	}
	entry->nodes = nodes;
	/* A pass may change the unit of usage and prices, so the next check
	   begins a charge. */
	if (!look->pass)
		completing_begin(look->completing, look->config, entry, job);
	return true;
}

/* Check jobs from index *i on, up to a job whose charge must be posted or
 * begun, or until the locks must be released. Returns whether jobs are left. */
static bool completing_see_some(const struct completing_look *look, size_t *i)
{
	const slurmctld_lock_t locks = { .job = READ_LOCK, .node = READ_LOCK };
	struct eqt_completing *completing = look->completing;
	struct timespec start;
	bool more;

	lock_slurmctld(locks);
	start = eqt_elapsed_start();
	while (*i < completing->count &&
	       completing_see(look, &completing->jobs[*i])) {
		if (++*i % CLOCK_CHECK_EVERY == 0 &&
		    eqt_elapsed_ns(&start) > HOLD_NS)
			break;
	}
	more = *i < completing->count;
	unlock_slurmctld(locks);
	return more;
}

/* Post and begin charges of jobs from index *i on, until the locks must be
 * released. */
static void completing_charge_some(const struct completing_look *look,
				   size_t *i)
{
	const slurmctld_lock_t locks = EQT_WALK_JOB_LOCKS;
	assoc_mgr_lock_t assoc_locks = EQT_CHARGE_ASSOC_LOCKS;
	struct eqt_completing *completing = look->completing;
	struct timespec start;

	lock_slurmctld(locks);
	assoc_mgr_lock(&assoc_locks);
	start = eqt_elapsed_start();
	/* At least one job is charged in each hold of the locks, however slow
	   the machine is. */
	while (*i < completing->count) {
		struct eqt_completing_job *entry = &completing->jobs[*i];

		if (completing_see(look, entry) ||
		    completing_charge(look, entry))
			++*i;
		if (eqt_elapsed_ns(&start) > HOLD_NS)
			break;
	}
	assoc_mgr_unlock(&assoc_locks);
	unlock_slurmctld(locks);
}

void eqt_completing_add(struct eqt_completing *completing,
			const struct eqt_config *config, job_record_t *job,
			time_t until, time_t now, bool is_free)
{
	struct eqt_completing_job *entry;
	struct eqt_run *run;

	if (!config->charge_completing || !job->node_bitmap)
		return;
	run = eqt_runs_add(completing->charges->runs.table, job->job_id);
	if (!run || run->marks.completes)
		return;
	if (EQT_ARRAY_ROOM(completing->jobs, completing->count) < 0)
		return;
	run->marks.completes = true;
	entry = &completing->jobs[completing->count++];
	*entry = (struct eqt_completing_job){
		.job_id = job->job_id,
		.from = now,
		.until = until,
		.is_free = is_free,
		.since = eqt_clock_steady(),
	};
	/* If the end was found late, the job held nodes up to now, even if the
	   first check finds them free. */
	entry->nodes = now > until && !is_free ? completing_node_count(job) : 0;
	if (entry->nodes)
		completing_begin(completing, config, entry, job);
}

bool eqt_completing_look(struct eqt_completing *completing,
			 const struct eqt_config *config, time_t ref, bool pass)
{
	const struct completing_look look = { completing, config, ref, pass,
					      false };
	size_t i = 0;

	while (completing_see_some(&look, &i))
		completing_charge_some(&look, &i);
	return i > 0;
}

void eqt_completing_close(struct eqt_completing *completing,
			  const struct eqt_config *config, time_t ref)
{
	const struct completing_look look = { completing, config, ref, true,
					      true };
	assoc_mgr_lock_t assoc_locks = EQT_CHARGE_ASSOC_LOCKS;

	assoc_mgr_lock(&assoc_locks);
	while (completing->count) {
		completing_post(&look, completing->jobs);
		completing_close_run(&look, completing->jobs->job_id);
		completing_forget(completing, completing->jobs);
	}
	assoc_mgr_unlock(&assoc_locks);
}

void eqt_completing_shift(struct eqt_completing *completing, time_t step)
{
	for (size_t i = 0; i < completing->count; i++) {
		struct eqt_completing_job *entry = &completing->jobs[i];

		entry->from += step;
		entry->until += step;
		if (entry->charge) {
			entry->charge->from += step;
			entry->charge->to += step;
		}
	}
}

void eqt_completing_free(struct eqt_completing *completing)
{
	while (completing->count)
		completing_forget(completing, completing->jobs);
	free(completing->jobs);
	completing->jobs = NULL;
}
