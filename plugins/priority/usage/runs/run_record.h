/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_record: the record of charges as a sink of runs. Seconds of a run that follow each
 * other at one price are kept in its struct eqt_run_open, and become a line when the price
 * changes, a suspension begins or the stretch ends. The journal writes the line.
 *
 * Locks of all functions: slurmctld's jobs for writing and assoc_mgr's as in
 * EQT_CHARGE_ASSOC_LOCKS, unless stated otherwise.
 */
#ifndef EQT_RUN_RECORD_H
#define EQT_RUN_RECORD_H

#include <stddef.h>

#include "rate/job_rate.h"
#include "slurm/compat.h"
#include "usage/journal/journal.h"
#include "usage/runs/runs.h"

/* {0} with its journal, which is not owned; eqt_run_record_free() frees the names. */
struct eqt_run_record {
	/* Without lines of it, there is no record */
	struct eqt_journal *journal;
	/* Why budgets settle nothing; NULL: they settle */
	const char *unsettled;
	uint32_t copies; /* how often open stretches were copied */
	char **name; /* of partitions and currencies, which runs point to */
	size_t names;
};

/* Seconds that a run is charged for: [from, to] without idle_s at its begin. A plain
 * value. */
struct eqt_run_charge {
	time_t from, to;
	time_t idle_s;
	double price; /* equivalents, for budgets */
	double factor; /* UsageFactor */
	double week; /* the factor by the time of the week */
	/* For the line of the record: */
	double rate; /* in the unit of usage; without the factors */
	uint64_t billing;
	uint64_t scale; /* the unit of usage: billing_scale, 0: Slurm's own */
	/* Of rate, in one equivalent; 0: take all of these from the open stretch */
	uint64_t unit;
	/* For the deciding bundle; NULL: as before */
	const struct eqt_rate *rates;
};

/* What budgets charged for a run when its stretch ended; a plain value. */
struct eqt_run_settled {
	uint64_t paid_u; /* micro-equivalent-seconds */
	uint64_t entry; /* of their journal; 0: they have charged nothing */
	const char *excuse; /* why they did not charge it, or NULL */
};

/* Note the array, the heterogeneous job and the partition of a run. */
void eqt_run_record_note(struct eqt_run_record *record, struct eqt_run *run,
			 const job_record_t *job);

/* Note the name that a run of a reservation has instead of a partition. */
void eqt_run_record_name(struct eqt_run_record *record, struct eqt_run *run,
			 const char *name);

/* Add seconds to the open stretch of a run; if they do not continue it, its line is
 * written first. Seconds before the end of the stretch are in it already. */
void eqt_run_record_add(struct eqt_run_record *record, struct eqt_run *run,
			const struct eqt_run_charge *charge);

/* End the open stretch: its line is written, unless it is empty and budgets have nothing
 * to say (NULL: they do not know of it). */
void eqt_run_record_close(struct eqt_run_record *record, struct eqt_run *run,
			  const job_record_t *job, enum eqt_charge_kind kind,
			  const struct eqt_run_settled *settled);

/* Write a line that is independent of the open stretch, such as a refund and its reason. */
void eqt_run_record_write(struct eqt_run_record *record,
			  const struct eqt_run *run,
			  const struct eqt_run_charge *charge,
			  enum eqt_charge_kind kind, const char *reason);

/* Write a line that all usage from before a time was set to 0. */
void eqt_run_record_reset(struct eqt_run_record *record, time_t before);

/*
 * Returns the open stretches of all runs as the text of the file "open"; NULL: the record is
 * off, or memory is short. In its lines, PAID is the amount that budgets have not charged yet,
 * and ENTRY the amount that they have. Takes assoc_mgr's locks for reading in holds of bounded
 * time; the pass thread calls it without a lock.
 */
char *eqt_run_record_open(struct eqt_run_record *record, struct eqt_runs *runs,
			  const char *cluster, size_t *length);

/* Give runs the stretches of that text, before the first pass; damaged lines are left
 * out. */
void eqt_run_record_recall(struct eqt_run_record *record, struct eqt_runs *runs,
			   const char *text, size_t length);

/* Free the names; no run may point to them any more. */
void eqt_run_record_free(struct eqt_run_record *record);

#endif
