/* SPDX-License-Identifier: GPL-2.0-or-later */
/* eqt_node_offer: the nodes that a request could get, and how many of them it
 * needs. */
#ifndef EQT_NODE_OFFER_H
#define EQT_NODE_OFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "price/bundle_table.h"
#include "price/job_totals.h"

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

/* Sort the nodes that are noted, from the smallest to the largest: a price is told
 * in the same words whoever has noted them. */
void eqt_node_offer_sort(struct eqt_job_spec *spec);

/* Whether the nodes that are noted have the CPUs and GPUs of all tasks. */
bool eqt_node_offer_has_room(const struct eqt_job_spec *spec);

/* Whether it takes whole nodes of which some have GPUs that have a price. */
bool eqt_node_offer_takes_gpus(const struct eqt_job_spec *spec,
			       const struct eqt_bundle_table *prices);

#endif
