/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_node_offer: the nodes that a request could get, and MaxMemPerCPU there.
 *
 * Plain values; strings are borrowed.
 */
#ifndef EQT_NODE_OFFER_H
#define EQT_NODE_OFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "price/bundle_table.h"

struct eqt_job_spec;
struct eqt_job_totals;

/* MaxMemPerCPU of the partition, which makes Slurm raise the CPUs of who asks for
 * more memory; {0}: there is no limit. */
struct eqt_node_offer_limit {
	uint64_t mem_per_cpu; /* MiB */
	uint64_t node_mem_mib; /* of the partition's first node, which Slurm
				  takes for all of a node */
	bool raises_tasks; /* the release raises the CPUs of tasks, too */
};

/* The smallest node that the request could get; 0 and NULL: not known. */
struct eqt_node_offer {
	uint64_t cpus;
	uint64_t mem_mib;
	const char *gres; /* "gpu:p100:4"; borrowed */
	bool differ; /* others are larger */
	uint64_t count; /* how many nodes one job can have at most */
	uint64_t threads; /* CPUs of a core; 0: not known */
	uint64_t sockets; /* 0: not known */
};

#define EQT_NODE_OFFER_KINDS 8 /* kinds of nodes that are told apart */

/* Note nodes that the request could get; count says how many. Those that are as
 * others are counted with them; true where they are of a new kind, and so
 * node->gres is kept. */
bool eqt_node_offer_add(struct eqt_job_spec *spec,
			const struct eqt_node_offer *node);

/* The least number of nodes of one kind that a counted request fits on; 0: it
 * fits on none of them. */
uint64_t eqt_node_offers(const struct eqt_job_spec *spec,
			 const struct eqt_job_totals *totals,
			 const struct eqt_node_offer *node);

/* Whether it takes whole nodes of which some have GPUs that have a price. */
bool eqt_node_offer_takes_gpus(const struct eqt_job_spec *spec,
			       const struct eqt_bundle_table *prices);

#endif
