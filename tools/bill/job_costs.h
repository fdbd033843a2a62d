/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_costs: the cost of a job that has run, runs or waits, from the output of sacct. */
#ifndef EQT_BILL_JOB_COSTS_H
#define EQT_BILL_JOB_COSTS_H

#include "slurm/cost.h"
#include "slurm/energy.h"

/* The cost of one run of a job. Strings are borrowed from the list of sacct. */
struct eqt_job_cost {
	const char *job; /* id of the job as Slurm prints it */
	const char *id, *user, *account, *partition, *state;
	int64_t start_s; /* start of this run; 0: it has not begun */
	unsigned int run, runs; /* which of how many runs, from 1 */
	bool started;
	bool priced;
	struct eqt_error why; /* the reason, if there is no price */
	struct eqt_price price; /* the highest price if several are possible */
	bool explained; /* the present prices give the same price */
	enum eqt_cost_source source;
	/* unit from the record; price.unit then points here */
	struct eqt_unit unit;
	bool uncertain; /* several prices are possible */
	bool running;
	bool waits; /* the job waits, and this is the price of its request */
	bool least; /* the job may get more than its request */
	uint64_t seconds; /* seconds charged so far */
	uint64_t limit_s; /* time limit; 0: not known */
	/* A request for the resources that the job really used. has_fit tells whether
	 * there is one: sacct has the usage, and the job has ended. */
	bool has_fit;
	uint64_t fit_cores, fit_mem_mib;
	struct eqt_price fit;
	struct eqt_energy_sum energy; /* {0}: no energy is recorded */
};

/* Owns its memory; {0} is empty. */
struct eqt_job_costs {
	struct eqt_job_cost *cost;
	size_t count;
};

/* Take over the charge of a run. If "priced" is false, the run has no charge. */
void eqt_job_costs_take(struct eqt_job_cost *out, const struct eqt_cost *charge,
			bool priced);

/* Price the jobs of a list, which must live longer than *out. Returns 0, or -1 with err
 * filled if a cell cannot be read. */
int eqt_job_costs_make(struct eqt_job_costs *out, const struct eqt_sacct *sacct,
		       const struct eqt_job_pricer *pricer,
		       const struct eqt_energy *energy, struct eqt_error *err);

/* Add the runs of accounting to the jobs of squeue, each run once. *past is empty
 * afterwards. */
void eqt_job_costs_join(struct eqt_job_costs *live, struct eqt_job_costs *past);

/* Move the runs of each job together, in order of time, and number them. */
void eqt_job_costs_order(struct eqt_job_costs *costs);

/* Free what *costs owns. *costs is empty afterwards. */
void eqt_job_costs_free(struct eqt_job_costs *costs);

/* The three forms of output: one or two sentences per job, a table, or JSON. */
void eqt_job_costs_print(const struct eqt_job_costs *costs);
void eqt_job_costs_table(const struct eqt_job_costs *costs, bool headings);
void eqt_job_costs_json(const struct eqt_job_costs *costs);

#endif
