/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidate_nodes: the nodes that a request could get, by its partition, --reservation,
 * --constraint, --nodelist, --exclude and the GPUs that it asks for. Needs Slurm's internal headers.
 *
 * A request may name hundreds of partitions, which share nodes. Therefore each node is
 * visited once for a request, however many partitions have it, and added to a group of
 * nodes with the same price. For each partition only the groups are visited.
 */
#ifndef EQT_CANDIDATE_NODES_H
#define EQT_CANDIDATE_NODES_H

#include <stdbool.h>

#include "base/error.h"
#include "job/job_spec.h"
#include "job/node_class.h"
#include "job/node_offer.h"
#include "price/price.h"
#include "slurm/node_bits.h"
#include "slurm/node_sets.h"
#include "slurm/compat.h"

#define EQT_CANDIDATE_LINES 32 /* NodeName lines that are walked */

/* The candidate nodes of one request, found when they are first needed. The caller sets prices
 * and sets; the other members start as {0}. */
struct eqt_candidate_nodes {
	/* The names and nodes of bundles */
	const struct eqt_bundle_table *prices;
	/* Of these bundles; NULL: not known */
	const struct eqt_node_sets *sets;
	struct eqt_survey *survey; /* owned */
	/* Owned; the requirements of the request for nodes, read at their first use */
	struct eqt_node_requirement *wish;
	struct eqt_node_offer_gpus gpus; /* read with wish */
	uint32_t compared; /* how many bitmaps of nodes were compared */
	/* spec_partition.c's */
	struct eqt_node_words line[EQT_CANDIDATE_LINES];
};

/* Read the requirements of a request for nodes into wish and gpus, unless that was done; false
 * if memory is short. */
bool eqt_candidate_nodes_read(struct eqt_candidate_nodes *candidates,
			      const struct eqt_job_spec *spec);

/* How many names and nodes were looked up so far. */
uint32_t eqt_candidate_nodes_work(const struct eqt_candidate_nodes *candidates);

/*
 * Read --nodelist and --exclude. 0, or -1 with err filled: a name is that of no node, which
 * Slurm refuses as well, or there are more names than are looked up. Same locks as for
 * eqt_candidate_nodes_offer().
 */
int eqt_candidate_nodes_names(struct eqt_candidate_nodes *candidates,
			      const struct eqt_job_spec *spec,
			      struct eqt_error *err);

/* The number of nodes that --nodelist names; 0: none. slurmctld gives a job at least so many. A
 * node counts once; up to 23.11 it counts in a submission as often as it is named. Same
 * locks. */
uint64_t eqt_candidate_nodes_listed(struct eqt_candidate_nodes *candidates,
				    const struct eqt_job_spec *spec);

/* Free the members. The caller still holds slurmctld's part and node locks. */
void eqt_candidate_nodes_close(struct eqt_candidate_nodes *candidates);

/*
 * Add the kinds of nodes that a request could get in a partition to *spec, each
 * with the number of its nodes. The strings, numbers of nodes and GPUs of *spec
 * are the same at each call for one struct. slurmctld's part and node locks are
 * held for reading.
 */
void eqt_candidate_nodes_offer(struct eqt_candidate_nodes *candidates,
			       struct eqt_job_spec *spec,
			       const part_record_t *part);

/*
 * Mark in *prices the bundles that are on none of the nodes, if the price of the request,
 * which needs *demand, depends on that. For most requests no node is visited. Same locks.
 */
void eqt_candidate_nodes_apply(struct eqt_candidate_nodes *candidates,
			       struct eqt_bundle_table *prices,
			       const struct eqt_job_spec *spec,
			       const struct eqt_demand *demand,
			       const part_record_t *part);

/*
 * Note which of the nodes are up now, and how many of them are idle. Notes none if Slurm may
 * power up nodes for a job. Same locks.
 */
void eqt_candidate_nodes_now(struct eqt_candidate_nodes *candidates,
			     struct eqt_nodes_now *now,
			     const struct eqt_job_spec *spec,
			     const part_record_t *part);

/* Consider all nodes, because those of --nodelist are too few for the request. */
void eqt_candidate_nodes_widen(struct eqt_candidate_nodes *candidates);

#endif
