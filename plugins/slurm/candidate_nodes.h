/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidate_nodes: the nodes that a request could get, given its partition,
 * --reservation, --constraint, --nodelist, --exclude and GPUs. Needs Slurm's
 * internal headers.
 *
 * A request may name hundreds of partitions that share nodes. Therefore each
 * node is visited once for each request and added to a group of nodes with the
 * same price. Each partition then visits only the groups. With --nodelist, a
 * node is visited twice at most, because the nodes of the list have groups of
 * their own: some partitions may add other nodes, and some may not.
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

/* The number of NodeName lines whose words are cached. */
#define EQT_CANDIDATE_LINES 32

/* The candidate nodes of one request, which are searched for when they are
 * first needed. The caller sets prices and sets; the other members start as
 * zero. */
struct eqt_candidate_nodes {
	/* The bundles, with their names and lists of nodes. */
	const struct eqt_bundle_table *prices;
	/* The nodes of these bundles; NULL if they are not known. */
	const struct eqt_node_sets *sets;
	/* Whether the request names several partitions, of which one may give
	   whole nodes. */
	bool several;
	struct eqt_survey *survey; /* This struct owns the survey. */
	/* The request's requirements for nodes, read when they are first
	   needed. This struct frees them. */
	const struct eqt_node_requirement *wish;
	/* The request's GPUs, read together with wish. */
	struct eqt_node_offer_gpus gpus;
	uint32_t compared; /* The number of node bitmaps that were compared. */
	/* A cache that spec_partition.c uses. */
	struct eqt_node_words line[EQT_CANDIDATE_LINES];
};

/* Read the request's requirements for nodes into wish and gpus, unless they
 * were read before. Returns false if memory is short. */
bool eqt_candidate_nodes_read(struct eqt_candidate_nodes *candidates,
			      const struct eqt_job_spec *spec);

/* The number of names and nodes that were looked up so far. */
uint32_t eqt_candidate_nodes_work(const struct eqt_candidate_nodes *candidates);

/*
 * Read --nodelist and --exclude. Returns 0, or -1 with err filled if a name
 * belongs to no node (Slurm refuses such a request, too) or if the lists have
 * more names than the limit. slurmctld's part and node locks are held for
 * reading.
 */
int eqt_candidate_nodes_names(struct eqt_candidate_nodes *candidates,
			      const struct eqt_job_spec *spec,
			      struct eqt_error *err);

/* The number of nodes that --nodelist names, or 0 without that option.
 * slurmctld allocates at least this number. A node counts once, but in a
 * submission to 23.11 or earlier it counts as often as it is named. The call
 * begins a partition: *spec, with the partition's least nodes, decides whether
 * the job may get other nodes as well there. slurmctld's part and node locks
 * are held for reading. */
uint64_t eqt_candidate_nodes_listed(struct eqt_candidate_nodes *candidates,
				    const struct eqt_job_spec *spec);

/* Free the members. The caller still holds slurmctld's part and node locks. */
void eqt_candidate_nodes_close(struct eqt_candidate_nodes *candidates);

/*
 * Add to *spec the kinds of nodes that the request could get in a partition,
 * each with its number of nodes. All calls for one eqt_candidate_nodes pass the
 * same strings and GPUs in *spec. slurmctld's part and node locks are held for
 * reading.
 */
void eqt_candidate_nodes_offer(struct eqt_candidate_nodes *candidates,
			       struct eqt_job_spec *spec,
			       const part_record_t *part);

/*
 * Mark in *prices the bundles that are on none of the candidate nodes, if the
 * price of the request depends on that. *demand is the demand of the request.
 * Most requests visit no node. slurmctld's part and node locks are held for
 * reading.
 */
void eqt_candidate_nodes_apply(struct eqt_candidate_nodes *candidates,
			       struct eqt_bundle_table *prices,
			       const struct eqt_job_spec *spec,
			       const struct eqt_demand *demand,
			       const part_record_t *part);

/*
 * Record which candidate nodes are up now, and how many of these are idle.
 * Nothing is recorded if Slurm may power up nodes for a job. slurmctld's part
 * and node locks are held for reading.
 */
void eqt_candidate_nodes_now(struct eqt_candidate_nodes *candidates,
			     struct eqt_nodes_now *now,
			     const struct eqt_job_spec *spec,
			     const part_record_t *part);

/* Let all nodes be candidates until the next partition, because --nodelist names
 * too few for the request. Returns false if the job gets no others. */
bool eqt_candidate_nodes_widen(struct eqt_candidate_nodes *candidates,
			       const struct eqt_job_spec *spec);

#endif
