/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read the resource lists of a request, and pass the rows to job_totals.c for
 * counting. */
#include <string.h>

#include "job/job_spec_lists.h"

/* Does the job get all GPUs of its nodes, whatever it asks for? */
static bool takes_node_gpus(const struct eqt_job_spec *spec)
{
	return spec->exclusive && spec->node.gres;
}

/* Can any list of the request have a row? Most requests have no lists at all. */
static bool has_lists(const struct eqt_job_spec *spec)
{
	return spec->tres_per_job || spec->tres_per_node ||
	       spec->tres_per_task || spec->tres_per_socket ||
	       spec->cpus_per_tres || spec->mem_per_tres ||
	       takes_node_gpus(spec);
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

	for (int i = 0; i < EQT_GRES_COUNTS; i++) {
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
	rows->unpriced = false;
	rows->disk_shift = prices->disk_shift;
	if (!has_lists(spec))
		return 0;
	if (takes_node_gpus(spec)) {
		rc = eqt_gres_rows_read_cpus(rows, spec->tres_per_task, err);
		if (rc == 0)
			rc = eqt_gres_rows_read_node(rows, prices,
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

int eqt_job_spec_read_asked(struct eqt_gres_rows *rows,
			    const struct eqt_bundle_table *prices,
			    const struct eqt_job_spec *spec,
			    struct eqt_error *err)
{
	struct eqt_job_spec own = *spec;

	own.node.gres = NULL;
	return eqt_job_spec_read(rows, prices, &own, err);
}

/*
 * Count a request with room for all possible rows, which take ten kilobytes of the
 * stack. slurmctld has a new thread for each request, and the kernel allocates pages of
 * its stack when they are first used. This is a function of its own, so that a request
 * without lists does not use these pages.
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
	out->lists = NULL;
	out->spare = NULL;
	if (eqt_job_spec_read(&out->rows, prices, spec, NULL) == 0)
		return eqt_job_spec_count(&out->totals, spec, &out->rows, err);
	/* There are more rows than fit row[], or an error. Read again with room for all
	 * rows, which also returns the right error. */
	out->rows.room = 0;
	return eqt_job_spec_compute(&out->totals, prices, spec, err);
}

/* Read the CPUs and memory for each GPU, without the counts of GPUs. Values of GPUs
 * without a type are not copied to types here. */
static int read_each(struct eqt_gres_rows *rows,
		     const struct eqt_bundle_table *prices,
		     const struct eqt_job_spec *spec)
{
	rows->count = 0;
	rows->cpus_per_task = 0;
	rows->unpriced = false;
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
	/* The GPUs of whole nodes depend on the partition, so they are not read
	 * here. */
	lists->asked_read = eqt_job_spec_read_asked(&lists->totals, prices,
						    spec, NULL) == 0;
	lists->each_read = read_each(&lists->each, prices, spec) == 0;
}

int eqt_counted_by_lists(struct eqt_parsed_spec *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *spec,
			 const struct eqt_job_spec_lists *lists,
			 struct eqt_gres_row *row)
{
	out->lists = lists;
	out->spare = lists->spare;
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
	if (eqt_gres_rows_read_node(&out->rows, prices, spec->node.gres, NULL) <
		    0 ||
	    eqt_gres_rows_spread(&out->rows, NULL) < 0)
		return -1;
	return eqt_job_spec_count(&out->totals, spec, &out->rows, NULL);
}
