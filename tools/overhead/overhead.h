/* SPDX-License-Identifier: GPL-2.0-or-later */
/* overhead: the options of equitree overhead, and how its sums are printed. */
#ifndef EQT_OVERHEAD_OVERHEAD_H
#define EQT_OVERHEAD_OVERHEAD_H

#include <json-c/json.h>

#include "base/error.h"
#include "capacity/capacity.h"
#include "cli/options.h"
#include "overhead/history.h"

/* What a line in a report of a period is about. */
enum eqt_overhead_key {
	EQT_OVERHEAD_NOW, /* the present moment, rather than a period */
	EQT_OVERHEAD_BY_DAY,
	EQT_OVERHEAD_BY_JOB,
	EQT_OVERHEAD_BY_USER,
	EQT_OVERHEAD_BY_ACCOUNT
};

struct eqt_overhead_options {
	const char *path;
	const char *jobs_path;
	const char *plot_path;
	const char *partition;
	struct eqt_capacity_units units;
	enum eqt_overhead_key by;
	struct eqt_history_source source; /* source of a period */
	int64_t since_s, until_s; /* the period; 0: not given */
	/* folder of the record; NULL: that of the cluster */
	const char *charges;
	bool list;
	bool partitions;
	struct eqt_output_options common;
};

/* Print one line per partition and unit, as a table or as JSON. */
void eqt_overhead_partitions(const struct eqt_capacity_cluster *cluster,
			     const struct eqt_overhead_options *options);

/* Print all units as text or as JSON. */
void eqt_overhead_print(const struct eqt_capacity_cluster *cluster,
			const struct eqt_overhead_options *options);
void eqt_overhead_json(const struct eqt_capacity_cluster *cluster,
		       const struct eqt_overhead_options *options);

/* Print the fair bill of each job, user or account in the period. Returns 0, or -1 with
 * err filled. */
int eqt_bills_print(const struct eqt_scontrol_nodes *nodes,
		    const struct eqt_overhead_options *options,
		    struct eqt_error *err);

/* Read the period, in parts that fit into memory, and call each() for all nodes and
 * times. *elsewhere counts jobs on nodes that no longer exist. Returns 0, or -1 with err
 * filled. */
int eqt_overhead_period(const struct eqt_scontrol_nodes *nodes,
			const struct eqt_overhead_options *options,
			eqt_history_each *each, void *with, uint64_t *elsewhere,
			struct eqt_error *err);

/* Print what all reports of a period have in common: the number of jobs on nodes that no
 * longer exist and, in JSON, the period. The caller owns the object. */
void eqt_overhead_elsewhere_print(uint64_t elsewhere);
json_object *eqt_overhead_period_json(
	const struct eqt_overhead_options *options, uint64_t elsewhere);

/* Does a node count for a unit? It must be in the unit's partition and be able to hold
 * the unit. */
bool eqt_overhead_unit_has(const struct eqt_overhead_options *options, int unit,
			   const struct eqt_scontrol_node *node);

/* Draw the histogram of each unit, one below the other, next to that of the queue if it
 * was read. Returns 0, or -1 with err filled if gnuplot is missing or the file cannot be
 * written. */
int eqt_overhead_plot(const struct eqt_capacity_cluster *cluster,
		      const struct eqt_overhead_options *options,
		      struct eqt_error *err);

#endif
