/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules are those of slurmctld's job_test_resv() and
 * _validate_node_choice() in reservation.c. */
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "slurm/reservation.h"

/* A longer list of reservations is ignored, because each reservation is
 * compared with the whole list. */
#define NAMES_LENGTH 256

/* The search for the nodes of some reservations. */
struct reserved {
	const char *names;
	bitstr_t *nodes; /* Owned; NULL if no node was found. */
};

/* Are jobs of the reservation restricted to its nodes, now and later? */
static bool reservation_binds(const slurmctld_resv_t *reservation)
{
	bitstr_t *nodes = reservation->node_bitmap;

	return nodes && bit_size(nodes) == eqt_slurm_node_slots() &&
	       (reservation->flags &
		(RESERVE_FLAG_SPEC_NODES | RESERVE_FLAG_STATIC)) &&
	       !(reservation->flags &
		 (RESERVE_FLAG_FLEX | RESERVE_FLAG_ANY_NODES));
}

static int reservation_add(void *item, void *arg)
{
	const slurmctld_resv_t *reservation = item;
	struct reserved *reserved = arg;

	if (!eqt_text_list_has(reserved->names, reservation->name))
		return 0;
	if (!reservation_binds(reservation)) {
		FREE_NULL_BITMAP(reserved->nodes);
		return -1;
	}
	if (!reserved->nodes)
		reserved->nodes = bit_alloc(eqt_slurm_node_slots());
	bit_or(reserved->nodes, reservation->node_bitmap);
	return 0;
}

/* Is there a list of reservations to search? The list exists only in
 * slurmctld. */
static bool reservations_exist(const char *names)
{
	return names && names[0] != '\0' && &resv_list && resv_list;
}

bitstr_t *eqt_reservation_nodes(const char *names, uint32_t *work)
{
	struct reserved reserved = { .names = names };

	if (!reservations_exist(names) ||
	    strnlen(names, NAMES_LENGTH + 1) > NAMES_LENGTH)
		return NULL;
	*work += (uint32_t) list_count(resv_list);
	(void) list_for_each_ro(resv_list, reservation_add, &reserved);
	return reserved.nodes;
}

/* A search for the nodes that no other reservation takes within some
 * minutes. */
struct unreserved {
	const char *names; /* The job's own reservations, or NULL. */
	bitstr_t *nodes;
	uint64_t minutes;
};

static int reservation_remove(void *item, void *arg)
{
	const slurmctld_resv_t *reservation = item;
	const struct unreserved *unreserved = arg;
	bitstr_t *nodes = reservation->node_bitmap;

	if (nodes && bit_size(nodes) == bit_size(unreserved->nodes) &&
	    !eqt_text_list_has(unreserved->names ? unreserved->names : "",
			       reservation->name) &&
	    difftime(reservation->start_time, time(NULL)) / 60 <=
		    (double) unreserved->minutes)
		bit_and_not(unreserved->nodes, nodes);
	return 0;
}

void eqt_reservation_remove(bitstr_t *nodes, const char *names,
			    uint64_t minutes)
{
	struct unreserved unreserved = { .names = names,
					 .nodes = nodes,
					 .minutes = minutes };

	if (&resv_list && resv_list)
		(void) list_for_each_ro(resv_list, reservation_remove,
					&unreserved);
}

static int reservation_is(void *item, void *name)
{
	return strcmp(((slurmctld_resv_t *) item)->name, name) == 0;
}

const part_record_t *eqt_reservation_partition(const char *name)
{
	const slurmctld_resv_t *reservation;

	if (!reservations_exist(name))
		return NULL;
	reservation = list_find_first_ro(resv_list, reservation_is,
					 (void *) (uintptr_t) name);
	return reservation ? reservation->part_ptr : NULL;
}
