/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Usage is linear: the usage of an association is the sum of all stretches in the record,
 * each decayed from its own time. The sum therefore needs nothing that the plugin
 * computed, except for the price and the seconds in each line. Accounting has the seconds
 * and the billing from another source, so it shows which run causes a difference.
 *
 * Between two passes nobody outside of slurmctld knows up to when jobs are charged. A sum
 * is therefore a range. Running jobs are charged at least up to the last pass, which is
 * at most a period ago, and at most up to now.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/whole.h"
#include "cli/remote.h"
#include "slurm/conf/site_conf.h"
#include "prio/decay.h"
#include "slurm/conf/cluster.h"
#include "proof/proof_impl.h"
#include "slurm/sacct.h"
#include "slurm/text/tres_list.h"

/* ---- Jobs ---------------------------------------------------------------------------
 * Compares the jobs of the record with those of accounting. Both use slurmctld's clock
 * but write at different moments. A kill may leave a run without an end in one of
 * them. */

#define EDGE_S 2 /* seconds of a run that accounting may round differently */
#define SETTLE_S 10 /* seconds within which an end reaches slurmdbd */

/* Read the runs of the last days from accounting. Returns 0, or -1 with err filled. */
static int proof_accounting_read(struct eqt_proof *proof, struct eqt_error *err)
{
	struct eqt_sacct_reader sacct;
	struct eqt_sacct_job run;
	char command[EQT_SACCT_COMMAND];
	struct eqt_proof_job *job;
	int rc;

	if (eqt_sacct_reader_open(&sacct, proof->options->jobs,
				  eqt_sacct_command(command, proof->since_s,
						    proof->late_s, ""),
				  EQT_SACCT_RUNS, err) < 0)
		return -1;
	while ((rc = eqt_sacct_reader_next(&sacct, &run, err)) > 0) {
		const double seconds = (double) (run.end_s - run.start_s);

		job = eqt_proof_job(proof, run.text[EQT_SACCT_ID]);

		if (!job->first_s || run.start_s < job->first_s)
			job->first_s = run.start_s;
		job->last_s = eqt_whole_later(job->last_s, run.end_s);
		job->running |= !run.ended;
		job->accounted_s += seconds;
		job->accounted +=
			seconds * (double) eqt_tres_list_amount(
					  run.text[EQT_SACCT_TRES], "billing");
	}
	return eqt_sacct_reader_close(&sacct, rc, err);
}

/* Compare the seconds of a job and, if its price has not changed, its billing. If a run
 * ended while it was suspended, Slurm's end is the beginning of that suspension. */
static void proof_job_compare(struct eqt_proof *proof,
			      const struct eqt_proof_job *job)
{
	const double edge = EDGE_S + EQT_PROOF_ROUNDING * job->accounted_s;
	const double more = job->recorded_s - job->accounted_s;

	proof->compared++;
	if (job->recorded_s == 0 && job->accounted_s > EDGE_S)
		eqt_proof_report(
			proof,
			"job %s: %.0f s in accounting, none in the record",
			job->name, job->accounted_s);
	else if (more < -edge || more > edge + job->waited_s)
		eqt_proof_report(
			proof,
			"job %s: %.0f s in the record, %.0f s in accounting",
			job->name, job->recorded_s, job->accounted_s);
	else if (!job->repriced && job->accounted_s > 0 &&
		 fabs(job->recorded / job->recorded_s -
		      job->accounted / job->accounted_s) > 0.5)
		eqt_proof_report(proof,
				 "job %s: billing %.0f in the record, %.0f in "
				 "accounting",
				 job->name, job->recorded / job->recorded_s,
				 job->accounted / job->accounted_s);
}

/* Are the charges of a reservation recorded under this number? Accounting has no such
 * job. */
static bool job_is_reserved(const struct eqt_proof_job *job)
{
	return strtoul(job->name, NULL, 10) >= EQT_CHARGE_RESERVED;
}

/* Report the jobs that differ. Jobs are left out if they run, if they began before the
 * days that are compared, or if they have just ended, because accounting learns of an end
 * later. */
static void proof_accounting(struct eqt_proof *proof)
{
	struct eqt_proof_job **job = (void *) proof->jobs.list;

	for (size_t i = 0; i < proof->jobs.count; i++) {
		if (!job_is_reserved(job[i]) && !job[i]->running &&
		    job[i]->first_s >= proof->since_s &&
		    job[i]->last_s < proof->now_s - SETTLE_S)
			proof_job_compare(proof, job[i]);
	}
}

#define DAY_S 86400

/* ---- The record ----------------------------------------------------------- */

/* The association of a line. */
static struct eqt_proof_pair *pair_of(struct eqt_proof *proof,
				      const struct eqt_charge_record *record)
{
	char id[16];

	if (!proof->by_id)
		return eqt_proof_pair(proof, record->account, record->user);
	(void) snprintf(id, sizeof(id), "%" PRIu32, record->assoc_id);
	return eqt_names_get(&proof->pairs, id, sizeof(struct eqt_proof_pair),
			     NULL);
}

/* Add a rate for a stretch that is charged up to one of two moments. Returns the most. */
static double proof_range_add(const struct eqt_proof *proof,
			      struct eqt_proof_range *range, double rate,
			      int64_t from_s, int64_t least_s, int64_t to_s)
{
	const double least =
		rate * (double) eqt_decay_seconds(proof->half_life_s, from_s,
						  least_s, proof->late_s);
	const double most =
		rate * (double) eqt_decay_seconds(proof->half_life_s, from_s,
						  to_s, proof->early_s);

	/* A refund takes most away where usage is least. */
	range->least += rate < 0 ? most : least;
	range->most += rate < 0 ? least : most;
	return most;
}

static void stretch_add(struct eqt_proof *proof, struct eqt_proof_pair *pair,
			struct eqt_proof_job *job,
			const struct eqt_charge_record *record, int64_t least_s)
{
	const double rate[EQT_PROOF_SUMS] = {
		[EQT_PROOF_RAW] =
			record->rate * record->factor / (double) record->unit,
		[EQT_PROOF_BILLING] = (double) record->billing * record->factor,
	};
	const int64_t from_s = eqt_whole_later(
		record->from + (int64_t) record->idle_s, proof->reset_s);
	const int64_t to_s =
		proof->by_id ? eqt_whole_earlier(record->to, proof->late_s)
			     : record->to;

	for (int i = 0; i < EQT_PROOF_SUMS; i++)
		job->counted[i] += proof_range_add(
			proof, &pair->sum[i], rate[i], from_s, least_s, to_s);
	job->pair = pair;
}

/* All usage was reset to 0, so earlier charges do not count. */
static void proof_reset(struct eqt_proof *proof, int64_t at_s)
{
	struct eqt_proof_pair **pair = (void *) proof->pairs.list;
	struct eqt_proof_job **job = (void *) proof->jobs.list;

	proof->reset_s = at_s;
	for (size_t i = 0; i < proof->pairs.count; i++)
		memset(pair[i]->sum, 0, sizeof(pair[i]->sum));
	for (size_t i = 0; i < proof->jobs.count; i++)
		memset(job[i]->counted, 0, sizeof(job[i]->counted));
}

/* Add a line to the run that is compared with accounting. Refunds, and nodes held after
 * the end of the run, are left out. */
static void job_record(struct eqt_proof_job *job,
		       const struct eqt_charge_record *record)
{
	const double seconds = (double) (record->to - record->from);

	if (record->kind == EQT_CHARGE_HELD ||
	    record->kind == EQT_CHARGE_REFUND)
		return;
	if (!job->first_s || record->start < job->first_s)
		job->first_s = record->start;
	job->last_s = eqt_whole_later(job->last_s, record->to);
	job->start_s = record->start;
	job->open_s = record->to;
	job->repriced |= record->kind == EQT_CHARGE_PRICE;
	if (record->kind == EQT_CHARGE_END)
		job->waited_s += (double) record->idle_s;
	job->recorded_s += seconds;
	job->recorded += (double) record->billing * seconds;
}

static struct eqt_proof_job *proof_job_of(
	struct eqt_proof *proof, const struct eqt_charge_record *record)
{
	char id[16];

	(void) snprintf(id, sizeof(id), "%" PRIu32, record->job_id);
	return eqt_proof_job(proof, id);
}

/* A visitor of the record. */
static int proof_line(const struct eqt_charge_record *record, void *with)
{
	struct eqt_proof *proof = with;
	struct eqt_proof_pair *pair;
	struct eqt_proof_job *job;

	if (record->kind == EQT_CHARGE_RESET) {
		proof_reset(proof, record->from);
		return 0;
	}
	proof->unit = (double) record->unit;
	pair = pair_of(proof, record);
	job = proof_job_of(proof, record);
	if (!proof->begin_s || record->to < proof->begin_s)
		proof->begin_s = record->to;
	job_record(job, record);
	eqt_proof_budgets_line(proof, job, record);
	/* sshare may have answered before this end. */
	stretch_add(proof, pair, job, record,
		    record->to < proof->now_s || record->to < proof->early_s
			    ? record->to
			    : proof->early_s);
	return 0;
}

static int proof_read(struct eqt_proof *proof, const char *folder,
		      struct eqt_error *err)
{
	if (eqt_charges_read_folder(&proof->read, folder, NULL, proof_line,
				    proof, err) < 0)
		return -1;
	for (size_t i = 0; i < proof->read.notes; i++)
		eqt_proof_report(proof, "the record: %s",
				 proof->read.note[i].text);
	if (proof->read.damaged + proof->read.missing > proof->read.notes)
		eqt_proof_report(
			proof, "the record: more lines are damaged or missing");
	return 0;
}

/* ---- Jobs that run -------------------------------------------------------- */

/* Does the stretch of a line go on? A line without seconds only tells what budgets have
 * settled for a run, which may be over. */
static bool proof_goes_on(const struct eqt_charge_record *record)
{
	return record->from < record->to;
}

/* A visitor that finds the end of the stretches that go on, which is the last pass. */
static int proof_pass(const struct eqt_charge_record *record, void *with)
{
	if (proof_goes_on(record))
		*(int64_t *) with = record->to;
	return 0;
}

/* A visitor that adds a stretch that goes on. A stretch that ended after the last pass is
 * left out, because the record has it. */
static int proof_open(const struct eqt_charge_record *record, void *with)
{
	struct eqt_proof *proof = with;
	struct eqt_proof_pair *pair;
	struct eqt_proof_job *job;

	if (!proof_goes_on(record))
		return 0;
	pair = pair_of(proof, record);
	job = proof_job_of(proof, record);
	job->running = true;
	if (job->start_s == record->start && job->open_s > record->from)
		return 0;
	stretch_add(proof, pair, job, record,
		    eqt_whole_earlier(record->to, proof->early_s));
	return 0;
}

/* Find the last pass from the stretches that go on. 0 if there are none. */
static int proof_pass_read(int64_t *pass_s, const char *folder,
			   struct eqt_error *err)
{
	struct eqt_charges_read read;

	*pass_s = 0;
	return eqt_charges_read_open(&read, folder, proof_pass, pass_s, err);
}

/* ---- All ------------------------------------------------------------------ */

/* Find the moments between which the last pass was, the half-life, and StateSaveLocation.
 * Saved answers count as of --now. */
static int proof_config(struct eqt_proof *proof, char state[EQT_CHARGES_FOLDER],
			struct eqt_error *err)
{
	const struct eqt_proof_options *options = proof->options;
	struct eqt_slurmconf conf;
	uint32_t period_s = 0;
	int rc;

	if (eqt_cluster_config_read(&conf, options->config, err) < 0)
		return -1;
	rc = eqt_cluster_half_life_parse(
		&proof->half_life_s,
		eqt_cluster_config_get(&conf, "PriorityDecayHalfLife"), err);
	if (rc == 0 && !options->config)
		rc = eqt_cluster_half_life_parse(
			&period_s,
			eqt_cluster_config_get(&conf, "PriorityCalcPeriod"),
			err);
	proof->limits = strstr(eqt_cluster_config_get(
				       &conf, "AccountingStorageEnforce"),
			       "limits") != NULL;
	(void) snprintf(state, EQT_CHARGES_FOLDER, "%s",
			eqt_cluster_config_get(&conf, "StateSaveLocation"));
	eqt_slurm_conf_free(&conf);
	proof->now_s = proof->late_s = options->now_s;
	/* A pass may be late by the time that it takes. */
	proof->early_s =
		options->now_s - (int64_t) period_s - (period_s > 0 ? 10 : 0);
	proof->since_s = options->now_s - (int64_t) options->days * DAY_S;
	return rc;
}

#define OPEN_FOLLOWS_S \
	1 /* seconds; slurmctld writes "open" at most this long after a pass */

/* Ask sshare, and find the passes between which it answered. */
static int proof_shares_read(struct eqt_proof *proof, struct eqt_sshare *shares,
			     const char *folder, struct eqt_error *err)
{
	const struct eqt_sshare_options how = { .path = proof->options->assocs,
						.any_norms = true };
	int64_t before_s, after_s;

	if (proof_pass_read(&before_s, folder, err) < 0 ||
	    eqt_sshare_read(shares, &how, err) < 0)
		return -1;
	if (!how.path && (before_s > 0 || proof->budgets.read))
		(void) sleep(OPEN_FOLLOWS_S);
	if (proof_pass_read(&after_s, folder, err) < 0)
		return -1;
	if (before_s > 0 && after_s > 0) {
		proof->early_s = before_s;
		proof->late_s = after_s;
	}
	return 0;
}

/* Find the folder of the record. Budgets are read only if Slurm itself is asked about
 * this cluster, or if --state names their folder. */
static int proof_folder(const struct eqt_proof *proof, char *state,
			char folder[EQT_CHARGES_FOLDER], struct eqt_error *err)
{
	const struct eqt_proof_options *options = proof->options;

	if (options->state)
		(void) snprintf(state, EQT_CHARGES_FOLDER, "%s",
				options->state);
	else if (options->config || options->assocs || eqt_remote_chosen())
		state[0] = '\0';
	if (options->state && !options->charges)
		(void) snprintf(folder, EQT_CHARGES_FOLDER,
				"%.480s/equitree_charges", state);
	else
		eqt_charges_folder(folder, options->charges, proof->conf);
	return folder[0] != '\0'
		       ? 0
		       : eqt_error_set(err, "no record of charges can be read "
					    "here: expected --charges DIR");
}

/* The order matters. A stretch that ends meanwhile is in the record and no longer in
 * "open". What budgets had charged when they were read is in the record by now, because
 * asking sshare and waiting for "open" took time in between. */
static int proof_sources(struct eqt_proof *proof, struct eqt_error *err)
{
	struct eqt_sshare shares = { .count = 0 };
	struct eqt_charges_read open;
	char folder[EQT_CHARGES_FOLDER], state[EQT_CHARGES_FOLDER];
	int rc = proof_config(proof, state, err);

	if (rc == 0)
		rc = proof_folder(proof, state, folder, err);
	if (rc == 0 && state[0] != '\0')
		eqt_proof_budgets_read(proof, state);
	if (rc == 0)
		rc = proof_shares_read(proof, &shares, folder, err);
	if (rc == 0)
		rc = proof_read(proof, folder, err);
	if (rc == 0)
		rc = eqt_charges_read_open(&open, folder, proof_open, proof,
					   err);
	if (rc == 0)
		rc = proof_accounting_read(proof, err);
	if (rc == 0)
		eqt_proof_shares(proof, &shares);
	if (rc == 0)
		eqt_proof_budgets(proof);
	if (rc == 0)
		proof_accounting(proof);
	eqt_sshare_free(&shares);
	return rc;
}

static void proof_end(const struct eqt_proof *proof)
{
	json_object *object;

	if (!proof->list) {
		printf("%zu associations and %zu ended jobs, ",
		       proof->associations, proof->compared);
		if (proof->budgets.read)
			printf("%" PRIu64 " budgets with %zu charges, ",
			       proof->budgets.count,
			       proof->budgets.settlements);
		printf("%" PRIu64 " lines of the record: %zu difference%s\n",
		       proof->read.lines, proof->differences,
		       proof->differences == 1 ? "" : "s");
		return;
	}
	object = json_object_new_object();
	eqt_json_add(object, "associations", proof->associations);
	eqt_json_add(object, "jobs", proof->compared);
	eqt_json_add(object, "budgets", proof->budgets.count);
	eqt_json_add(object, "lines", proof->read.lines);
	eqt_json_add(object, "differences", proof->list);
	eqt_json_print(object);
}

int eqt_proof_make(const struct eqt_proof_options *options,
		   struct eqt_error *err)
{
	struct eqt_proof proof = { .options = options, .unit = 1 };
	int rc;

	proof.conf = eqt_site_conf_open(options->conf);
	if (!proof.conf)
		return eqt_error_set(err, "no equitree.conf");
	if (options->json)
		proof.list = json_object_new_array();
	rc = proof_sources(&proof, err);
	if (rc == 0)
		proof_end(&proof);
	else if (proof.list)
		(void) json_object_put(proof.list);
	eqt_names_free(&proof.pairs);
	eqt_names_free(&proof.jobs);
	free(proof.budgets.settlement);
	eqt_conf_free(proof.conf);
	return rc < 0 ? -1 : proof.differences > 0;
}

/* ---- Usage by the record alone ---------------------------------------------- */

/* Copy the sums of all associations, because the pairs are freed with the proof. */
static void usage_add(struct eqt_proof_usages *out,
		      const struct eqt_proof *proof)
{
	struct eqt_proof_pair **pair = (void *) proof->pairs.list;

	for (size_t i = 0; i < proof->pairs.count; i++) {
		struct eqt_proof_usage *usage = eqt_names_get(
			&out->assocs, pair[i]->name, sizeof(*usage), NULL);

		usage->raw = pair[i]->sum[EQT_PROOF_RAW].most * proof->unit;
		usage->billing = pair[i]->sum[EQT_PROOF_BILLING].most;
	}
	out->begin_s = proof->begin_s;
}

/* All moments are that of the pass, so each sum is a single number. */
int eqt_proof_usage_read(struct eqt_proof_usages *out, const char *folder,
			 uint32_t half_life_s, int64_t pass_s,
			 struct eqt_error *err)
{
	struct eqt_proof proof = { .by_id = true,
				   .unit = 1,
				   .half_life_s = half_life_s,
				   .early_s = pass_s,
				   .late_s = pass_s,
				   .now_s = pass_s };
	struct eqt_charges_read open;
	int rc = proof_read(&proof, folder, err);

	*out = (struct eqt_proof_usages){ .begin_s = 0 };
	if (rc == 0)
		rc = eqt_charges_read_open(&open, folder, proof_open, &proof,
					   err);
	if (rc == 0 && proof.differences > 0)
		rc = eqt_error_set(err, "the record is not whole");
	if (rc == 0)
		usage_add(out, &proof);
	if (rc < 0)
		eqt_names_free(&out->assocs);
	eqt_names_free(&proof.pairs);
	eqt_names_free(&proof.jobs);
	return rc;
}
