/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tres_list: lists of TRES as Slurm prints and reads them,
 * "cpu=4,mem=62.50G,gres/gpu:p100=2". No other file splits such lists or reads
 * their amounts.
 */
#ifndef EQT_SLURM_TRES_LIST_H
#define EQT_SLURM_TRES_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One NAME=VALUE of a list. A plain value. */
struct eqt_treslist_item {
	char name[256], value[64];
};

/*
 * Copy the next item of a list, and move *at behind it. 1; 0 at the end; -1: not
 * NAME=VALUE, an empty name or value, or one that is too long.
 */
int eqt_tres_list_next(struct eqt_treslist_item *item, const char **at);

/* Does the item have that name, in any case? */
bool eqt_tres_list_named(const struct eqt_treslist_item *item,
			 const char *name);

/* The amounts of a list; 0 for a TRES that is not in it. A plain value. */
struct eqt_treslist {
	bool any; /* the list has an item */
	bool rounded; /* its memory is not whole MiB: Slurm had rounded it */
	uint64_t cpus, nodes, billing;
	uint64_t mem_mib; /* rounded up */
	uint64_t gpus; /* gres/gpu: all models */
};

/* The name of a GRES without "gres/", or NULL: the item is another TRES. */
const char *eqt_tres_list_gres(const struct eqt_treslist_item *item);

/* Called for each GRES except "gpu" itself, with a name such as "gpu:p100". A result other
 * than 0 ends the parsing. */
typedef int eqt_treslist_gres(const char *name, uint64_t count, void *with);

/*
 * Read a list; "(null)", "N/A" and "" are empty. Other TRES
 * (energy, licences, ...) must be numbers, too. each may be NULL. 0; -1 with
 * *out undefined: not a list of amounts; or the result of each.
 */
int eqt_tres_list_parse(struct eqt_treslist *out, const char *text,
			eqt_treslist_gres *each, void *with);

/* Find the item of a name in a list; false: there is none. */
bool eqt_tres_list_find(struct eqt_treslist_item *item, const char *text,
			const char *name);

/* The amount of a TRES ("cpu", "gres/gpu:p100") in a list, memory in MiB; 0 if the list does
 * not name it, or text is not such a list. A unit is ignored, except for memory. */
uint64_t eqt_tres_list_amount(const char *text, const char *name);

/* Convert a weight with a unit ("0.25G": 0.25 per GiB) to a weight per MiB for
 * memory, else per single unit. 0, or -1: not a number with a unit. */
int eqt_tres_list_weight(double *out, const struct eqt_treslist_item *item,
			 bool memory);

#endif
