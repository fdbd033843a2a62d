/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of the record beside those of accounting. Both count by clocks of slurmctld, but
 * write at different moments: a kill may leave one of them without an end. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "slurm/sacct_reader.h"
#include "slurm/text/tres_list.h"
#include "proof/parts.h"

#define EDGE_S 2 /* seconds of a run that accounting may round otherwise */
#define SETTLE_S 10 /* in which an end reaches slurmdbd */

/* Report a difference. */
void eqt_proof_report(struct eqt_proof *proof, const char *text)
{
	proof->differences++;
	if (proof->list)
		(void) json_object_array_add(proof->list,
					     json_object_new_string(text));
	else
		puts(text);
}

struct eqt_proof_job *eqt_proof_job(struct eqt_proof *proof, const char *id)
{
	return eqt_names_get(&proof->jobs, id, sizeof(struct eqt_proof_job),
			     NULL);
}

int eqt_proof_accounting_read(struct eqt_proof *proof, struct eqt_error *err)
{
	struct eqt_sacct_reader sacct;
	struct eqt_sacct_job run;
	char command[512];
	struct eqt_proof_job *job;
	int rc;

	(void) snprintf(command, sizeof(command),
			"SLURM_TIME_FORMAT=%%s sacct -aXDP --noconvert -s R,S "
			"-S uts%" PRId64 " -E uts%" PRId64
			" -o " EQT_SACCT_FORMAT,
			proof->since_s, proof->late_s);
	if (eqt_sacct_reader_open(&sacct, proof->options->jobs, command,
				  EQT_SACCT_RUNS, err) < 0)
		return -1;
	while ((rc = eqt_sacct_reader_next(&sacct, &run, err)) > 0) {
		const double seconds = (double) (run.end_s - run.start_s);

		job = eqt_proof_job(proof, run.text[EQT_SACCT_ID]);
		if (!job) {
			rc = eqt_error_set(err, "out of memory");
			break;
		}
		if (!job->first_s || run.start_s < job->first_s)
			job->first_s = run.start_s;
		if (run.end_s > job->last_s)
			job->last_s = run.end_s;
		job->running |= !run.ended;
		job->accounted_s += seconds;
		job->accounted +=
			seconds * (double) eqt_treslist_amount(
					  run.text[EQT_SACCT_TRES], "billing");
	}
	if (rc < 0)
		(void) eqt_sacct_reader_close(&sacct, NULL);
	else
		rc = eqt_sacct_reader_close(&sacct, err);
	return rc;
}

/* One job: the same seconds, and the same billing while no price has changed. */
static void proof_job_compare(struct eqt_proof *proof,
			      const struct eqt_proof_job *job)
{
	const double edge = EDGE_S + EQT_PROOF_ROUNDING * job->accounted_s;
	char text[512];

	proof->compared++;
	if (job->recorded_s == 0 && job->accounted_s > EDGE_S)
		(void) snprintf(text, sizeof(text),
				"job %s: %.0f s in accounting, none in the "
				"record",
				job->name, job->accounted_s);
	else if (fabs(job->recorded_s - job->accounted_s) > edge)
		(void) snprintf(text, sizeof(text),
				"job %s: %.0f s in the record, %.0f s in "
				"accounting",
				job->name, job->recorded_s, job->accounted_s);
	else if (!job->repriced && job->accounted_s > 0 &&
		 fabs(job->recorded / job->recorded_s -
		      job->accounted / job->accounted_s) > 0.5)
		(void) snprintf(text, sizeof(text),
				"job %s: billing %.0f in the record, %.0f in "
				"accounting",
				job->name, job->recorded / job->recorded_s,
				job->accounted / job->accounted_s);
	else
		return;
	eqt_proof_report(proof, text);
}

/* Jobs that run, that began before the days that are compared, or that have just ended, are
 * left out: accounting hears of an end later. */
void eqt_proof_accounting(struct eqt_proof *proof)
{
	struct eqt_proof_job **job = (void *) proof->jobs.list;
	size_t i;

	for (i = 0; i < proof->jobs.count; i++) {
		if (!job[i]->running && job[i]->first_s >= proof->since_s &&
		    job[i]->last_s < proof->now_s - SETTLE_S)
			proof_job_compare(proof, job[i]);
	}
}
