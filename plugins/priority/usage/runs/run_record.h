/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_record: the record of charges, to which the seconds of runs are added.
 * Seconds of a run that follow each other at one price are kept in its struct
 * eqt_run_open. They become a line when the price changes, a suspension begins
 * or the stretch ends. The journal writes the line.
 *
 * Unless a comment says otherwise, slurmctld's job lock is held for writing,
 * and EQT_CHARGE_ASSOC_LOCKS of assoc_mgr.
 */
#ifndef EQT_RUN_RECORD_H
#define EQT_RUN_RECORD_H

#include <stddef.h>

#include "rate/job_rate.h"
#include "slurm/compat.h"
#include "usage/journal/journal.h"
#include "usage/runs/runs.h"

/* The record of charges. It starts with its journal, which is borrowed, and
 * zeros. eqt_run_record_free() frees the names. */
struct eqt_run_record {
	/* If the journal wants no lines, nothing is recorded. */
	struct eqt_journal *journal;
	/* Why budgets settle nothing, or NULL if they settle. */
	const char *unsettled;
	uint32_t copies; /* How often open stretches were copied. */
	/* The names of partitions, reservations and currencies, to which runs
	   point. */
	char **name;
	size_t names;
};

/* The seconds for which a run is charged: [from, to] without idle_s seconds at
 * the beginning. */
struct eqt_run_charge {
	time_t from, to;
	time_t idle_s;
	double price; /* The price in equivalents, for budgets. */
	double factor; /* The UsageFactor of the job's QOS. */
	double week; /* The factor of the time of the week. */
	/* The members below are for the line of the record. */
	double rate; /* In the unit of usage, without the factors. */
	uint64_t billing;
	/* The unit of usage: billing_scale, or 0 for Slurm's own billing. */
	uint64_t scale;
	/* The units of `rate` in one equivalent. If it is 0, all members of
	   this group are taken from the open stretch. */
	uint64_t unit;
	/* The rates, which name the deciding bundle; NULL if the bundle is the
	   same as before. */
	const struct eqt_rate *rates;
};

/* What budgets charged for a run when its stretch ended. */
struct eqt_run_settled {
	uint64_t paid_u; /* In micro-equivalent-seconds. */
	/* The number of the entry in the journal of budgets, or 0 if budgets
	   charged nothing. */
	uint64_t entry;
	/* Why budgets did not charge the amount, or NULL. */
	const char *excuse;
};

/* Record the array, the heterogeneous job and the partition of a run. */
void eqt_run_record_note(struct eqt_run_record *record, struct eqt_run *run,
			 const job_record_t *job);

/* Record the name that a run of a reservation has in place of a partition. */
void eqt_run_record_name(struct eqt_run_record *record, struct eqt_run *run,
			 const char *name);

/* Add seconds to the open stretch of a run. If they do not continue the
 * stretch, its line is written first. Seconds before the end of the stretch are
 * ignored, because the stretch already has them. */
void eqt_run_record_add(struct eqt_run_record *record, struct eqt_run *run,
			const struct eqt_run_charge *charge);

/* End the open stretch. Its line is written, unless it is empty and budgets
 * have settled nothing. settled is NULL if budgets do not know of the end. */
void eqt_run_record_close(struct eqt_run_record *record, struct eqt_run *run,
			  const job_record_t *job, enum eqt_charge_kind kind,
			  const struct eqt_run_settled *settled);

/* Write a line that is independent of the open stretch, such as a refund and
 * its reason. */
void eqt_run_record_write(struct eqt_run_record *record,
			  const struct eqt_run *run,
			  const struct eqt_run_charge *charge,
			  enum eqt_charge_kind kind, const char *reason);

/* Write a line that all usage from before a time was set to 0. */
void eqt_run_record_reset(struct eqt_run_record *record, time_t before);

/*
 * Returns the open stretches of all runs as the text of the file "open", or
 * NULL if the record is off or memory is short. In its lines, PAID is the
 * amount that budgets have not charged yet, and ENTRY is the amount that they
 * have charged. The function takes assoc_mgr's locks for reading and releases
 * them after a limited time each. The pass thread calls it without a lock.
 */
char *eqt_run_record_open(struct eqt_run_record *record, struct eqt_runs *runs,
			  const char *cluster, size_t *length);

/* Give runs the stretches of that text, before the first pass. Damaged lines
 * are left out. */
void eqt_run_record_recall(struct eqt_run_record *record, struct eqt_runs *runs,
			   const char *text, size_t length);

/* Free the names. No run may point to them any more. */
void eqt_run_record_free(struct eqt_run_record *record);

#endif
