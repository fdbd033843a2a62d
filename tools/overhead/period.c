/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A period is read day by day from sacct, so that memory holds the jobs of one day. A
 * saved list is read once. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/json.h"
#include "overhead/overhead.h"
#include "slurm/text/timestamp.h"

/* A unit with a partition is one of its nodes alone. */
bool eqt_overhead_unit_has(const struct eqt_overhead_options *options, int unit,
			   const struct eqt_scontrol_node *node)
{
	const char *partition = eqt_capacity_unit_partition(
		&options->units, unit, options->partition);

	return (!partition || eqt_scontrol_node_in(node, partition)) &&
	       eqt_unit_count(&options->units.unit[unit], &node->total) > 0;
}

/* One day, or all of a saved list. A job that runs over midnight is in the answers of
 * both days, cut to each. */
static int period_add_part(const struct eqt_scontrol_nodes *nodes,
			   const struct eqt_overhead_options *options,
			   int64_t from_s, int64_t until_s,
			   eqt_history_each *each, void *with,
			   uint64_t *elsewhere, struct eqt_error *err)
{
	struct eqt_history history;
	int rc = eqt_history_read(&history, nodes, from_s, until_s,
				  &options->source, err);

	if (rc == 0 && eqt_history_sweep(&history, each, with) < 0)
		rc = eqt_error_set(err, "out of memory");
	*elsewhere += history.elsewhere;
	eqt_history_free(&history);
	return rc;
}

/* *elsewhere: jobs on nodes that are gone, of all days. */
int eqt_overhead_period(const struct eqt_scontrol_nodes *nodes,
			const struct eqt_overhead_options *options,
			eqt_history_each *each, void *with, uint64_t *elsewhere,
			struct eqt_error *err)
{
	int64_t from_s = options->since_s, next_s;
	char text[EQT_TIMESTAMP_DAY];
	int rc = 0;

	*elsewhere = 0;
	for (; rc == 0 && from_s < options->until_s; from_s = next_s) {
		next_s = eqt_timestamp_day(from_s, text);
		if (next_s > options->until_s || options->source.jobs)
			next_s = options->until_s;
		rc = period_add_part(nodes, options, from_s, next_s, each, with,
				     elsewhere, err);
	}
	return rc;
}

void eqt_overhead_elsewhere_print(uint64_t elsewhere)
{
	if (elsewhere > 0)
		printf("NOT COUNTED: %" PRIu64
		       " jobs on nodes that are no more.\n",
		       elsewhere);
}

json_object *eqt_overhead_period_json(
	const struct eqt_overhead_options *options, uint64_t elsewhere)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "since_s",
		     json_object_new_int64(options->since_s));
	eqt_json_add(object, "until_s",
		     json_object_new_int64(options->until_s));
	eqt_json_add(object, "jobs_elsewhere",
		     json_object_new_uint64(elsewhere));
	return object;
}
