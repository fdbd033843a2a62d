/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tres_list: lists of TRES as Slurm prints and reads them,
 * "cpu=4,mem=62.50G,gres/gpu:p100=2". All other files leave the splitting, the
 * units and the amounts to this one.
 */
#ifndef EQT_SLURM_TRES_LIST_H
#define EQT_SLURM_TRES_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One NAME=VALUE of a list. Both are borrowed and have no NUL at their end. */
struct eqt_treslist_item {
	const char *name, *value;
	size_t name_length, value_length;
};

/*
 * Split the next item off the length bytes at *at. 1 with *item filled and *at
 * and *length moved behind it; 0 at the end of the list; -1 for an item that is
 * not NAME=VALUE, or whose name or value is empty.
 */
int eqt_treslist_next(struct eqt_treslist_item *item, const char **at,
		      size_t *length);

/* Is that the item's name, in any case? */
bool eqt_treslist_named(const struct eqt_treslist_item *item, const char *name);

/* The amounts of a list; what it does not name is 0. A plain value. */
struct eqt_treslist {
	bool any; /* the list has an item */
	bool rounded; /* its memory was not whole MiB: Slurm rounded it */
	uint64_t cpus, nodes, billing;
	uint64_t mem_mib; /* rounded up */
	uint64_t gpus; /* gres/gpu: of all models */
};

/* Called for a GRES other than "gpu", e.g. "gpu:p100" (length bytes, without
 * "gres/"). A result other than 0 ends the parsing. */
typedef int eqt_treslist_gres(const char *name, size_t length, uint64_t count,
			      void *with);

/*
 * Read the length bytes of a list; "(null)", "N/A" and "" are empty lists. TRES
 * that nothing here needs (energy, licences, ...) only need to be numbers. each
 * may be NULL. 0; -1 with *out undefined: not a list of amounts; or what each
 * returned.
 */
int eqt_treslist_parse(struct eqt_treslist *out, const char *text,
		       size_t length, eqt_treslist_gres *each, void *with);

/*
 * A weight per unit ("0.25G" is 0.25 per GiB) as a weight per MiB if the TRES
 * is memory, else per single unit. 0, or -1: expected a number and a unit.
 */
int eqt_treslist_weight(double *out, const struct eqt_treslist_item *item,
			bool memory);

#endif
