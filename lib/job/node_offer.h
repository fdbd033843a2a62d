/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_offer: the nodes that a request could get, and how many of them it needs. */
#ifndef EQT_NODE_OFFER_H
#define EQT_NODE_OFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "price/bundle_table.h"
#include "job/job_totals.h"

/* Add node->count nodes that the request could get. If spec already has an equal kind
 * of nodes, raise the count of that kind. Return true if the kind is new; spec then
 * borrows node->gres. */
bool eqt_node_offer_add(struct eqt_job_spec *spec,
			const struct eqt_node_offer *node);

/* Nodes of one kind and one weight that a request could get now. */
struct eqt_node_now {
	/* offer.count is the number of all such nodes, used or idle. */
	struct eqt_node_offer offer;
	uint64_t idle; /* idle nodes of this kind and weight */
	/* The weight in slurm.conf; Slurm takes nodes with a low weight first. */
	uint64_t weight;
};

#define EQT_NODES_NOW 16

/* All nodes that a request could get now. {0} has none. */
struct eqt_nodes_now {
	struct eqt_node_now set[EQT_NODES_NOW];
	uint32_t sets;
	bool more; /* whether there are more kinds than set[] has room for */
};

/* Are two nodes of one kind? Their sockets and counts may differ. */
bool eqt_node_offer_same(const struct eqt_node_offer *a,
			 const struct eqt_node_offer *b);

/* Add nodes to *now. If *now already has an equal set, raise the numbers of that set.
 * Nothing is added if the count is 0. Return true if the set is new; *now then borrows
 * set->offer.gres. */
bool eqt_node_offer_now_add(struct eqt_nodes_now *now,
			    const struct eqt_node_now *set);

/* Return the number of nodes of one kind that a request needs, even if there are fewer
 * such nodes. Return 0 if such a node cannot take any part of the request. `asked` has
 * the GRES that the request itself names, or is NULL if they are not known. */
uint64_t eqt_node_offers(const struct eqt_job_spec *spec,
			 const struct eqt_job_totals *totals,
			 const struct eqt_gres_rows *asked,
			 const struct eqt_node_offer *node);

/* Return how many nodes of a kind slurmctld takes if some tasks may be split. `nodes`
 * is the number of nodes that hold all tasks whole. Up to Slurm 23.02, slurmctld takes
 * only as many nodes as have the CPUs of all tasks, unless memory is given for each
 * CPU. Later releases count whole tasks (_allocate_sc()). */
uint64_t eqt_node_offers_split(const struct eqt_job_spec *spec,
			       const struct eqt_job_totals *totals,
			       const struct eqt_node_offer *node,
			       uint64_t nodes);

/* Return the number of tasks that one node holds. UINT64_MAX means any number, which is
 * so with --overcommit. */
uint64_t eqt_node_offer_tasks(const struct eqt_job_spec *spec,
			      const struct eqt_job_totals *totals,
			      const struct eqt_node_offer *node);

/* Return the largest number of nodes that the request allows, or 0 for any number. A
 * job that gives a number of tasks has no more nodes than tasks, unless
 * --ntasks-per-node or --nodelist implies more. */
uint64_t eqt_node_offer_most_nodes(const struct eqt_job_spec *spec);

/* Return the largest number of nodes that the job can have. If spec->node has the
 * number of all nodes, that is the limit, because nodes of other kinds can take part of
 * the job. */
uint64_t eqt_node_offers_limit(const struct eqt_job_spec *spec,
			       const struct eqt_node_offer *node);

/* Return the number of nodes that together have all CPUs of a job that gives no number
 * of nodes, if each node has only the CPUs that it must have. Slurm takes no more nodes
 * than that. UINT64_MAX means that a node may have fewer CPUs. */
uint64_t eqt_node_offer_full_nodes(const struct eqt_job_spec *spec,
				   const struct eqt_job_totals *totals);

/* Sort the kinds of nodes from the smallest to the largest, so that the text of a price
 * does not depend on the order in which they were added. */
void eqt_node_offer_sort(struct eqt_job_spec *spec);

/* Raise the nodes of a job that has --spread-job and may have several nodes. Such a job
 * gets one more node of each weight except the first (_add_nodes_by_weight_spread()).
 * Weights are not known here, so each kind of nodes is assumed to have a weight of its
 * own. */
void eqt_node_offer_spread(struct eqt_job_spec *spec);

/* Does a node have more CPUs than MaxCPUsPerNode of the partition allows? Return true
 * if its CPUs are not known. */
bool eqt_node_offer_is_limited(const struct eqt_job_spec *spec,
			       const struct eqt_node_offer *node);

/* Can the request get GPUs? */
bool eqt_node_offer_asks_gpus(const struct eqt_job_spec *spec);

/* Does the price of a request depend on the bundles of its nodes? Whole nodes have GPUs
 * that the request does not name. */
bool eqt_node_offer_has_bundles(const struct eqt_job_spec *spec,
				const struct eqt_bundle_table *prices);

/* The number of GPUs that the lists of a request name for the job and for each of its
 * tasks. */
struct eqt_node_offer_gpus {
	uint64_t per_job, per_task;
};
struct eqt_node_offer_gpus eqt_node_offer_gpus(const struct eqt_job_spec *spec);

/* Do the added nodes together have CPUs and GPUs for all tasks? `wanted` comes from
 * eqt_node_offer_gpus(). */
bool eqt_node_offer_has_room(const struct eqt_job_spec *spec,
			     const struct eqt_node_offer_gpus *wanted);

/* Could the largest number of nodes that the request allows have enough CPUs and GPUs,
 * if each node had the most CPUs and the most GPUs of any added node? */
bool eqt_node_offer_number_has_room(const struct eqt_job_spec *spec,
				    const struct eqt_node_offer_gpus *wanted);

/* May a part of the job run on other nodes than those of --nodelist, if other jobs use
 * these in part? That is so if the request gives no number of nodes and has several
 * tasks or GPUs of the job. The answer is the same in all partitions of the request. */
bool eqt_node_offer_may_split(const struct eqt_job_spec *spec);

/* Does the request take whole nodes, some of which have GPUs with a price? */
bool eqt_node_offer_takes_gpus(const struct eqt_job_spec *spec,
			       const struct eqt_bundle_table *prices);

#endif
