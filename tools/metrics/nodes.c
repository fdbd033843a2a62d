/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bins double in size, so that a histogram of nodes has at most a dozen series
 * whatever the size of the cluster. Bins up to the largest node are always
 * written: a series that vanishes looks like a failure of the exporter.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "metrics/metrics.h"

#define RANGE_SIZE 48

/* What a node of that bin has free: "0", "1", "2-3", "4-7". */
static void bin_name(int bin, char text[RANGE_SIZE])
{
	uint64_t low = bin ? UINT64_C(1) << (bin - 1) : 0;

	if (bin < 2)
		(void) snprintf(text, RANGE_SIZE, "%" PRIu64, low);
	else
		(void) snprintf(text, RANGE_SIZE, "%" PRIu64 "-%" PRIu64, low,
				low + (low - 1));
}

/* The bin of the largest node: a full cluster keeps all its series. */
static int nodes_last_bin(const struct eqt_capacity_cluster *cluster,
			  const struct eqt_unit_amounts *unit)
{
	int last = 0, bin;
	size_t i;

	for (i = 0; i < cluster->nodes.count; i++) {
		bin = eqt_capacity_bin(
			eqt_unit_count(unit, &cluster->nodes.nodes[i].total));
		if (bin > last)
			last = bin;
	}
	return last;
}

/* The number of nodes in each bin, as in equitree overhead. */
static void overhead_add_bins(struct eqt_openmetrics *out,
			      const struct eqt_capacity_cluster *cluster,
			      const struct eqt_capacity_units *units,
			      const struct eqt_capacity_sum *sums)
{
	char range[RANGE_SIZE];
	int unit, bin;

	eqt_openmetrics_family(out, "equitree_overhead_nodes",
			       "Nodes by how many units they have free");
	for (unit = 0; unit < units->count; unit++) {
		int last = nodes_last_bin(cluster, &units->unit[unit]);

		for (bin = 0; bin <= last; bin++) {
			const struct eqt_openmetrics_label
				labels[EQT_OPENMETRICS_LABELS] = {
					{ "unit", units->text[unit] },
					{ "units_free", range },
				};

			bin_name(bin, range);
			eqt_openmetrics_sample(
				out, labels,
				(long double) sums[unit].bins[bin]);
		}
	}
}

/* Free units, or all units that the nodes could hold. */
static void overhead_add_units(struct eqt_openmetrics *out,
			       const struct eqt_capacity_units *units,
			       const struct eqt_capacity_sum *sums,
			       bool capacity)
{
	int unit;

	for (unit = 0; unit < units->count; unit++) {
		const struct eqt_openmetrics_label
			labels[EQT_OPENMETRICS_LABELS] = {
				{ "unit", units->text[unit] },
			};

		eqt_openmetrics_sample(
			out, labels,
			(long double) (capacity ? sums[unit].capacity
						: sums[unit].overhead));
	}
}

int eqt_metrics_overhead(struct eqt_openmetrics *out,
			 const struct eqt_capacity_cluster *cluster,
			 const struct eqt_capacity_units *units)
{
	struct eqt_capacity_sum *sums =
		calloc((size_t) units->count, sizeof(*sums));
	int unit, rc = sums ? 0 : -1;

	for (unit = 0; rc == 0 && unit < units->count; unit++)
		rc = eqt_capacity_sum(&sums[unit], cluster, &units->unit[unit],
				      eqt_capacity_unit_partition(units, unit,
								  NULL));
	if (rc == 0) {
		eqt_openmetrics_family(out, "equitree_overhead_units",
				       "True overhead: whole units that nodes "
				       "have free");
		overhead_add_units(out, units, sums, false);
		eqt_openmetrics_family(out, "equitree_overhead_capacity_units",
				       "Whole units that nodes have in all");
		overhead_add_units(out, units, sums, true);
		overhead_add_bins(out, cluster, units, sums);
	}
	free(sums);
	return rc;
}

/* ---- Passes --------------------------------------------------------------- */

void eqt_metrics_pass(struct eqt_openmetrics *out,
		      const struct eqt_metrics_pass *line)
{
	const struct {
		const char *part;
		long ms;
	} parts[] = { { "charge", line->charge_ms },
		      { "rank", line->rank_ms },
		      { "save", line->save_ms } };
	size_t i;

	eqt_openmetrics_family(
		out, "equitree_pass_known",
		"1 if the log has a pass, which it has at debug");
	eqt_openmetrics_sample(out, NULL, line->there);
	eqt_openmetrics_family(out, "equitree_journal_written",
			       "0 if the log says that equitree_journal cannot "
			       "be written");
	eqt_openmetrics_sample(out, NULL, !line->journal_fails);
	if (!line->there)
		return;
	eqt_openmetrics_family(out, "equitree_pass_seconds",
			       "Durations of the parts of the last pass");
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		const struct eqt_openmetrics_label
			labels[EQT_OPENMETRICS_LABELS] = {
				{ "part", parts[i].part },
			};

		eqt_openmetrics_sample(out, labels,
				       (long double) parts[i].ms / 1000);
	}
	eqt_openmetrics_family(out, "equitree_pass_jobs_charged",
			       "Jobs that the last pass charged");
	eqt_openmetrics_sample(out, NULL, line->jobs);
	eqt_openmetrics_family(out, "equitree_pass_users_ranked",
			       "Users that the last pass ranked");
	eqt_openmetrics_sample(out, NULL, line->users);
	eqt_openmetrics_family(out, "equitree_pass_priorities",
			       "Jobs that the last pass gave a priority");
	eqt_openmetrics_sample(out, NULL, line->priorities);
}
