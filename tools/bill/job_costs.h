/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_costs: the cost of a job that ran, runs or waits, from the output of sacct. */
#ifndef EQT_BILL_JOB_COSTS_H
#define EQT_BILL_JOB_COSTS_H

#include "slurm/cost.h"
#include "slurm/energy.h"

/* The cost of one run of a job. Strings are borrowed from the list of sacct. */
struct eqt_job_cost {
	const char *job; /* its number in Slurm */
	const char *id, *user, *account, *partition, *state;
	int64_t start_s; /* of this run; 0: it has not begun */
	unsigned int run, runs; /* of several: which, and how many; from 1 */
	bool started;
	bool priced;
	struct eqt_error why; /* no price */
	struct eqt_price price; /* the highest of several possible prices */
	bool explained; /* the present prices give it as well */
	enum eqt_cost_source source;
	struct eqt_unit unit; /* of the record; price.unit points here then */
	bool uncertain; /* there are several */
	bool running;
	bool waits; /* the price is that of its request ... */
	bool least; /* ... which may get more */
	uint64_t seconds; /* charged so far */
	uint64_t limit_s; /* time limit; 0: none is known */
	/* The request that its own usage would have needed. has_fit: sacct has
	 * the usage, and the job has ended. */
	bool has_fit;
	uint64_t fit_cores, fit_mem_mib;
	struct eqt_price fit;
	struct eqt_energy_sum energy; /* {0}: none is recorded */
};

/* Owns its memory; {0} is empty. */
struct eqt_job_costs {
	struct eqt_job_cost *cost;
	size_t count;
};

/* Take the charge of a run; with priced false it has none. */
void eqt_job_costs_take(struct eqt_job_cost *out, const struct eqt_cost *charge,
			bool priced);

/* Price the jobs of a list, which must outlive *out. Returns 0, or -1 with err filled.
 * Possible errors: a cell that cannot be read. */
int eqt_job_costs_make(struct eqt_job_costs *out, const struct eqt_sacct *sacct,
		       const struct eqt_job_pricer *pricer,
		       const struct eqt_energy *energy, struct eqt_error *err);

/* Add the runs of accounting to the jobs of squeue, each once; *past is empty then. */
void eqt_job_costs_join(struct eqt_job_costs *live, struct eqt_job_costs *past);

/* Put the runs of each job together, in their order, and number them. */
void eqt_job_costs_order(struct eqt_job_costs *costs);

/* Free what *costs owns. *costs is empty afterwards. */
void eqt_job_costs_free(struct eqt_job_costs *costs);

/* Print one or two lines per job, a table, or JSON. */
void eqt_job_costs_print(const struct eqt_job_costs *costs);
void eqt_job_costs_table(const struct eqt_job_costs *costs, bool headings);
void eqt_job_costs_json(const struct eqt_job_costs *costs);

#endif
