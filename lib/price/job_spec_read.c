/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lists of a request, and who counts it by what they say. */
#include <string.h>

#include "price/job_spec_lists.h"

/* Whole nodes bring all their GPUs, whatever was asked for. */
static bool takes_node_gpus(const struct eqt_job_spec *spec)
{
	return spec->exclusive && spec->node.gres;
}

static int read_counts(struct eqt_gres_rows *rows,
		       const struct eqt_bundle_table *prices,
		       const struct eqt_job_spec *spec, struct eqt_error *err)
{
	const char *const lists[EQT_GRES_COUNTS] = {
		[EQT_GRES_JOB] = spec->tres_per_job,
		[EQT_GRES_NODE] = spec->tres_per_node,
		[EQT_GRES_TASK] = spec->tres_per_task,
		[EQT_GRES_SOCKET] = spec->tres_per_socket,
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
		      const struct eqt_job_spec *spec, struct eqt_error *err)
{
	int rc;

	rows->count = 0;
	rows->cpus_per_task = 0;
	if (takes_node_gpus(spec)) {
		rc = eqt_gres_rows_read_cpus(rows, spec->tres_per_task, err);
		if (rc == 0)
			rc = eqt_gres_rows_read(rows, prices, EQT_GRES_NODE,
						spec->node.gres, err);
	} else {
		rc = read_counts(rows, prices, spec, err);
	}
	if (rc < 0 ||
	    eqt_gres_rows_read(rows, prices, EQT_GRES_CPUS, spec->cpus_per_tres,
			       err) < 0 ||
	    eqt_gres_rows_read(rows, prices, EQT_GRES_MEM, spec->mem_per_tres,
			       err) < 0)
		return -1;
	return eqt_gres_rows_spread(rows, err);
}

/* Whether any list can have a row. */
static bool has_lists(const struct eqt_job_spec *spec)
{
	return spec->tres_per_job || spec->tres_per_node ||
	       spec->tres_per_task || spec->tres_per_socket ||
	       spec->cpus_per_tres || spec->mem_per_tres || spec->node.gres;
}

/*
 * With all rows that there may be, ten kilobytes. A function of its own, so that
 * other requests are computed where the stack is used anyway: slurmctld has a new
 * thread for each, whose pages are made when they are touched.
 */
static __attribute__((noinline)) int compute_all_rows(
	struct eqt_job_totals *out, const struct eqt_bundle_table *prices,
	const struct eqt_job_spec *spec, struct eqt_error *err)
{
	struct eqt_gres_row row[EQT_GRES_MAX];
	struct eqt_gres_rows rows = { .row = row, .room = EQT_GRES_MAX };

	if (eqt_job_spec_read(&rows, prices, spec, err) < 0)
		return -1;
	return eqt_job_spec_count(out, spec, &rows, err);
}

int eqt_job_spec_compute(struct eqt_job_totals *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *spec, struct eqt_error *err)
{
	const struct eqt_gres_rows none = { .room = 0 };

	return has_lists(spec) ? compute_all_rows(out, prices, spec, err)
			       : eqt_job_spec_count(out, spec, &none, err);
}

int eqt_parsed_spec_make(struct eqt_parsed_spec *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *spec, struct eqt_error *err)
{
	out->rows.row = out->row;
	out->rows.room = EQT_PARSED_SPEC_ROWS;
	if (eqt_job_spec_read(&out->rows, prices, spec, NULL) == 0)
		return eqt_job_spec_count(&out->totals, spec, &out->rows, err);
	/* Too many, or what says so. */
	out->rows.room = 0;
	return eqt_job_spec_compute(&out->totals, prices, spec, err);
}

/* What the request says of each GPU, whoever counts them; not spread. */
static int read_each(struct eqt_gres_rows *rows,
		     const struct eqt_bundle_table *prices,
		     const struct eqt_job_spec *spec)
{
	rows->count = 0;
	rows->cpus_per_task = 0;
	if (eqt_gres_rows_read_cpus(rows, spec->tres_per_task, NULL) < 0 ||
	    eqt_gres_rows_read(rows, prices, EQT_GRES_CPUS, spec->cpus_per_tres,
			       NULL) < 0)
		return -1;
	return eqt_gres_rows_read(rows, prices, EQT_GRES_MEM,
				  spec->mem_per_tres, NULL);
}

void eqt_job_spec_lists_read(struct eqt_job_spec_lists *lists,
			     const struct eqt_bundle_table *prices,
			     const struct eqt_job_spec *spec)
{
	struct eqt_job_spec own = *spec;

	own.node.gres = NULL;
	lists->asked_read =
		eqt_job_spec_read(&lists->totals, prices, &own, NULL) == 0;
	lists->each_read = read_each(&lists->each, prices, spec) == 0;
}

int eqt_counted_by_lists(struct eqt_parsed_spec *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *spec,
			 const struct eqt_job_spec_lists *lists,
			 struct eqt_gres_row *row)
{
	if (!takes_node_gpus(spec)) {
		out->rows = lists->totals;
		return lists->asked_read
			       ? eqt_job_spec_count(&out->totals, spec,
						    &out->rows, NULL)
			       : -1;
	}
	if (!lists->each_read)
		return -1;
	out->rows = lists->each;
	out->rows.row = row;
	out->rows.room = EQT_GRES_MAX;
	memcpy(row, lists->each.row, lists->each.count * sizeof(*row));
	if (eqt_gres_rows_read(&out->rows, prices, EQT_GRES_NODE,
			       spec->node.gres, NULL) < 0 ||
	    eqt_gres_rows_spread(&out->rows, NULL) < 0)
		return -1;
	return eqt_job_spec_count(&out->totals, spec, &out->rows, NULL);
}

int eqt_job_spec_request(struct eqt_demand *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *spec, struct eqt_error *err)
{
	struct eqt_job_totals totals;

	if (eqt_job_spec_compute(&totals, prices, spec, err) < 0)
		return -1;
	*out = totals.demand;
	return 0;
}
