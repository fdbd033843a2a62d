/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lists of a request, and who counts it by what they say. */
#include "price/job_spec.h"

/* Whole nodes bring all their GPUs, whatever was asked for. */
static bool takes_node_gpus(const struct eqt_job_spec *ask)
{
	return ask->exclusive && ask->node.gres;
}

static int read_counts(struct eqt_gres_rows *rows,
		       const struct eqt_bundle_table *prices,
		       const struct eqt_job_spec *ask, struct eqt_error *err)
{
	const char *const lists[EQT_GRES_COUNTS] = {
		[EQT_GRES_JOB] = ask->tres_per_job,
		[EQT_GRES_NODE] = ask->tres_per_node,
		[EQT_GRES_TASK] = ask->tres_per_task,
		[EQT_GRES_SOCKET] = ask->tres_per_socket,
	};
	int i;

	for (i = 0; i < EQT_GRES_COUNTS; i++) {
		if (eqt_gres_rows_read(rows, prices, (enum eqt_gres_field) i,
				       lists[i], err) < 0)
			return -1;
	}
	return 0;
}

int eqt_job_spec_read(struct eqt_gres_rows *rows,
		      const struct eqt_bundle_table *prices,
		      const struct eqt_job_spec *ask, struct eqt_error *err)
{
	int rc;

	rows->count = 0;
	rows->cpus_per_task = 0;
	if (takes_node_gpus(ask)) {
		rc = eqt_gres_rows_read_cpus(rows, ask->tres_per_task, err);
		if (rc == 0)
			rc = eqt_gres_rows_read(rows, prices, EQT_GRES_NODE,
						ask->node.gres, err);
	} else {
		rc = read_counts(rows, prices, ask, err);
	}
	if (rc < 0 ||
	    eqt_gres_rows_read(rows, prices, EQT_GRES_CPUS, ask->cpus_per_tres,
			       err) < 0 ||
	    eqt_gres_rows_read(rows, prices, EQT_GRES_MEM, ask->mem_per_tres,
			       err) < 0)
		return -1;
	return eqt_gres_rows_spread(rows, err);
}

/* Whether any list can have a row. */
static bool has_lists(const struct eqt_job_spec *ask)
{
	return ask->tres_per_job || ask->tres_per_node || ask->tres_per_task ||
	       ask->tres_per_socket || ask->cpus_per_tres ||
	       ask->mem_per_tres || ask->node.gres;
}

/*
 * With all rows that there may be, ten kilobytes. A function of its own, so that
 * other requests are computed where the stack is used anyway: slurmctld has a new
 * thread for each, whose pages are made when they are touched.
 */
static __attribute__((noinline)) int compute_all_rows(
	struct eqt_job_totals *out, const struct eqt_bundle_table *prices,
	const struct eqt_job_spec *ask, struct eqt_error *err)
{
	struct eqt_gres_row row[EQT_GRES_MAX];
	struct eqt_gres_rows rows = { .row = row, .room = EQT_GRES_MAX };

	if (eqt_job_spec_read(&rows, prices, ask, err) < 0)
		return -1;
	return eqt_job_spec_count(out, ask, &rows, err);
}

int eqt_job_spec_compute(struct eqt_job_totals *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *ask, struct eqt_error *err)
{
	const struct eqt_gres_rows none = { .room = 0 };

	return has_lists(ask) ? compute_all_rows(out, prices, ask, err)
			      : eqt_job_spec_count(out, ask, &none, err);
}

int eqt_parsed_spec_make(struct eqt_parsed_spec *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *ask, struct eqt_error *err)
{
	out->rows.row = out->row;
	out->rows.room = EQT_PARSED_SPEC_ROWS;
	if (eqt_job_spec_read(&out->rows, prices, ask, NULL) == 0)
		return eqt_job_spec_count(&out->asked, ask, &out->rows, err);
	/* Too many, or what says so. */
	out->rows.room = 0;
	return eqt_job_spec_compute(&out->asked, prices, ask, err);
}

int eqt_job_spec_request(struct eqt_demand *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *ask, struct eqt_error *err)
{
	struct eqt_job_totals asked;

	if (eqt_job_spec_compute(&asked, prices, ask, err) < 0)
		return -1;
	*out = asked.request;
	return 0;
}
