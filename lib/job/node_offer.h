/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_offer: the nodes that a request could get, and how many of them it needs. */
#ifndef EQT_NODE_OFFER_H
#define EQT_NODE_OFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "price/bundle_table.h"
#include "job/job_totals.h"

/* Note node->count nodes that the request could get. They are added to an equal kind,
 * if there is one. Returns true if they are a new kind: node->gres is then kept, and
 * must live as long as spec. */
bool eqt_node_offer_add(struct eqt_job_spec *spec,
			const struct eqt_node_offer *node);

/* Nodes of one kind and one weight that a request could get now. */
struct eqt_node_now {
	struct eqt_node_offer
		offer; /* count: in the number of all, used or not */
	uint64_t idle; /* of these */
	uint64_t weight; /* Slurm takes light ones first */
};

#define EQT_NODES_NOW 16

/* {0}: none. */
struct eqt_nodes_now {
	struct eqt_node_now set[EQT_NODES_NOW];
	uint32_t sets;
	bool more; /* than there is room for */
};

/* Are the nodes of both of one kind? Sockets and counts may differ. */
bool eqt_node_offer_same(const struct eqt_node_offer *a,
			 const struct eqt_node_offer *b);

/* Note such nodes, unless there are none. They are added to an equal set, if there is one.
 * Returns true if they are a new set: set->offer.gres is then kept. */
bool eqt_node_offer_now_add(struct eqt_nodes_now *now,
			    const struct eqt_node_now *set);

/* The number of nodes of one kind that a counted request needs, however many there
 * are; 0 if none of them can take any part of it. asked: what the request itself names;
 * NULL: not known. */
uint64_t eqt_node_offers(const struct eqt_job_spec *spec,
			 const struct eqt_job_totals *totals,
			 const struct eqt_gres_rows *asked,
			 const struct eqt_node_offer *node);

/* Of the nodes of a kind that hold all tasks whole, so many as have their CPUs, so that some
 * tasks are split: up to 23.02 slurmctld counts CPUs, where memory is not for each CPU, and
 * later ones count whole tasks (_allocate_sc()). */
uint64_t eqt_node_offers_split(const struct eqt_job_spec *spec,
			       const struct eqt_job_totals *totals,
			       const struct eqt_node_offer *node,
			       uint64_t nodes);

/* The tasks that one node holds; 0: none. UINT64_MAX: any number, with --overcommit. */
uint64_t eqt_node_offer_tasks(const struct eqt_job_spec *spec,
			      const struct eqt_job_totals *totals,
			      const struct eqt_node_offer *node);

/* The most nodes that the request allows; 0: any number. A job that names its tasks has no
 * more nodes than tasks, unless --ntasks-per-node or --nodelist say something else. */
uint64_t eqt_node_offer_most_nodes(const struct eqt_job_spec *spec);

/* The most nodes that the job can have. If spec->node gives the number of all nodes,
 * that is the limit: nodes of other kinds can take part of the job. */
uint64_t eqt_node_offers_limit(const struct eqt_job_spec *spec,
			       const struct eqt_node_offer *node);

/* The number of nodes that together have all CPUs of a job that names no number of
 * nodes, if each has only what it must have: Slurm takes no more nodes. UINT64_MAX: a
 * node may have fewer CPUs. */
uint64_t eqt_node_offer_full_nodes(const struct eqt_job_spec *spec,
				   const struct eqt_job_totals *totals);

/* Sort the noted kinds from the smallest to the largest, so that the text of a price
 * does not depend on the order of noting. */
void eqt_node_offer_sort(struct eqt_job_spec *spec);

/* Does a node have more CPUs than MaxCPUsPerNode gives to jobs of the partition? True
 * if its CPUs are not known. */
bool eqt_node_offer_is_limited(const struct eqt_job_spec *spec,
			       const struct eqt_node_offer *node);

/* Can the request get GPUs? */
bool eqt_node_offer_asks_gpus(const struct eqt_job_spec *spec);

/* GPUs that the lists of a request name for the job, and for each of its tasks. */
struct eqt_node_offer_gpus {
	uint64_t per_job, per_task;
};
struct eqt_node_offer_gpus eqt_node_offer_gpus(const struct eqt_job_spec *spec);

/* Do the noted nodes together have CPUs and GPUs for all tasks? wanted:
 * eqt_node_offer_gpus(). */
bool eqt_node_offer_has_room(const struct eqt_job_spec *spec,
			     const struct eqt_node_offer_gpus *wanted);

/* Could the most nodes that the request allows have enough, if each had the most CPUs
 * and the most GPUs of any noted node? */
bool eqt_node_offer_number_has_room(const struct eqt_job_spec *spec,
				    const struct eqt_node_offer_gpus *wanted);

/* May a part of the job run on other nodes than those of --nodelist, where these are used
 * in part by others? Then it names no number of nodes, and has several tasks, or GPUs of
 * the job. The answer is the same in all its partitions. */
bool eqt_node_offer_may_split(const struct eqt_job_spec *spec);

/* Does the request take whole nodes, some of which have GPUs with a price? */
bool eqt_node_offer_takes_gpus(const struct eqt_job_spec *spec,
			       const struct eqt_bundle_table *prices);

#endif
