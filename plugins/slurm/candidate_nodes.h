/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidate_nodes: the nodes that a request could get, by its partition, --reservation,
 * --constraint, --nodelist, --exclude and the GPUs that it asks for. Needs Slurm's internal headers.
 *
 * A request may name hundreds of partitions, which share nodes. Each node is
 * therefore looked at once a request, however many partitions have it, and put
 * into a group of nodes that are priced alike; a partition asks which groups have
 * nodes of it.
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

/* The candidate nodes of one request, made when it is first asked for. Fill in prices and
 * sets; the rest is candidate_nodes.c's, and {0}. */
struct eqt_candidate_nodes {
	const struct eqt_bundle_table
		*prices; /* the names and nodes of bundles */
	const struct eqt_node_sets *sets; /* of the same; NULL: not known */
	struct eqt_survey *survey; /* owned */
	/* Owned; what the request wants of nodes, read at its first use */
	struct eqt_node_requirement *wish;
	struct eqt_node_offer_gpus gpus; /* with it */
	uint32_t compared; /* bitmaps of nodes, with those of partitions */
	struct eqt_node_words
		line[EQT_CANDIDATE_LINES]; /* spec_partition.c's */
};

/* Read what a request wants of nodes into wish and gpus, unless that was done;
 * false when memory is short. */
bool eqt_candidate_nodes_read(struct eqt_candidate_nodes *candidates,
			      const struct eqt_job_spec *spec);

/* How many names and nodes were looked up so far. */
uint32_t eqt_candidate_nodes_work(const struct eqt_candidate_nodes *candidates);

/*
 * Read --nodelist and --exclude. 0, or -1 with err filled: they name what is no
 * node, which Slurm refuses as well, or more than is looked up. Same locks as
 * eqt_candidate_nodes_offer().
 */
int eqt_candidate_nodes_names(struct eqt_candidate_nodes *candidates,
			      const struct eqt_job_spec *spec,
			      struct eqt_error *err);

/* The nodes that --nodelist names, each once, or up to 23.11 at a submission as often as
 * it stands there; 0: none. slurmctld gives a job at least so many. Same locks. */
uint64_t eqt_candidate_nodes_listed(struct eqt_candidate_nodes *candidates,
				    const struct eqt_job_spec *spec);

/* Free what it holds, before slurmctld's part and node locks are released. */
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
 * Mark in *prices the bundles that are on none of the nodes, where the price of
 * the request, which *ask comes to, depends on it. Most requests need none of
 * the nodes. Same locks.
 */
void eqt_candidate_nodes_apply(struct eqt_candidate_nodes *candidates,
			       struct eqt_bundle_table *prices,
			       const struct eqt_job_spec *spec,
			       const struct eqt_demand *demand,
			       const part_record_t *part);

/*
 * Note which of the nodes are up now, and how many of them are idle. None where Slurm may
 * power nodes up for a job. Same locks.
 */
void eqt_candidate_nodes_now(struct eqt_candidate_nodes *candidates,
			     struct eqt_nodes_now *now,
			     const struct eqt_job_spec *spec,
			     const part_record_t *part);

/* Look at all nodes, since those of --nodelist are too few for the request. */
void eqt_candidate_nodes_widen(struct eqt_candidate_nodes *candidates);

#endif
