/* SPDX-License-Identifier: GPL-2.0-or-later */
/* eqt_job_totals: what a request comes to in all. */
#ifndef EQT_JOB_TOTALS_H
#define EQT_JOB_TOTALS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "price/gres.h"
#include "price/job_spec.h"
#include "price/price.h"

/*
 * What a request comes to, and the numbers on the way that explain it. A plain
 * value.
 */
struct eqt_job_totals {
	struct eqt_demand demand;
	uint64_t nodes; /* priced for so many, at least 1 */
	uint64_t tasks; /* at least 1 */
	uint64_t gpus; /* of all models */
	uint64_t cpus; /* of which the cores have one or more each */
	enum eqt_job_spec_mem mem; /* where the memory comes from */
	uint64_t cpus_per_task; /* at least 1 */
	uint64_t cpus_per_node; /* that each node has at least */
	uint64_t mem_each; /* MiB of a node, CPU or GPU, as mem says */
	bool cpus_by_gpu; /* the cores come from CPUs per GPU */
	uint64_t fair_mem_mib; /* memory per node or CPU up to which
				  MaxMemPerCPU adds no CPUs; 0: it added none */
};

#define EQT_PARSED_SPEC_ROWS 4 /* more than nearly all requests have */

/* A request that is read and counted. Not to be copied: rows may point into
 * it. */
struct eqt_parsed_spec {
	struct eqt_job_totals totals;
	struct eqt_gres_rows
		rows; /* without room: there were more than row[] */
	struct eqt_gres_row row[EQT_PARSED_SPEC_ROWS];
};

/*
 * Compute a request for its least number of nodes. Returns 0, or -1 with err
 * filled and *out untouched: a GRES list that Slurm would not take either, a
 * GPU model that no bundle prices, GPUs with and without a model, a product
 * that does not fit 64 bits. Takes time in proportion to the strings;
 * allocates nothing.
 */
int eqt_job_spec_compute(struct eqt_job_totals *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *spec,
			 struct eqt_error *err);

/*
 * The same in two steps, for who counts one request for several numbers of
 * nodes: read the lists of *ask into *rows, for which the caller has set row and
 * room, and count with them; what decides which lists there are (strings,
 * exclusive, node.gres) must be as it was read.
 */
int eqt_job_spec_read(struct eqt_gres_rows *rows,
		      const struct eqt_bundle_table *prices,
		      const struct eqt_job_spec *spec, struct eqt_error *err);
int eqt_job_spec_count(struct eqt_job_totals *out,
		       const struct eqt_job_spec *spec,
		       const struct eqt_gres_rows *rows, struct eqt_error *err);

/* Both, with what was read kept for eqt_quote_count(); of *out nothing need be
 * initialized. Errors as eqt_job_spec_compute(), *out is then of no use. */
int eqt_parsed_spec_make(struct eqt_parsed_spec *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *spec,
			 struct eqt_error *err);

/* As eqt_job_spec_compute(), for who wants nothing but the request. */
int eqt_job_spec_request(struct eqt_demand *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *spec,
			 struct eqt_error *err);

/* Whether the job may get more than is computed: whole nodes, or all memory of
 * nodes, whose size is not known or not the same for all. */
bool eqt_job_spec_is_least(const struct eqt_job_spec *spec);

#endif
