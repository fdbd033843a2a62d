/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tres_list: lists of TRES as Slurm prints and reads them, such as
 * "cpu=4,mem=62.50G,gres/gpu:p100=2". No other file splits such lists or reads their
 * amounts.
 */
#ifndef EQT_SLURM_TRES_LIST_H
#define EQT_SLURM_TRES_LIST_H

#include <stdbool.h>
#include <stdint.h>

/* One item NAME=VALUE of a list. A plain value. */
struct eqt_treslist_item {
	char name[256], value[64];
};

/*
 * Copy the next item of a list, and move *at behind it. Returns 1, 0 at the end, or -1 if
 * the item is not NAME=VALUE, or if its name or value is empty or too long.
 */
int eqt_tres_list_next(struct eqt_treslist_item *item, const char **at);

/* Does the item have this name? Case does not matter. */
bool eqt_tres_list_named(const struct eqt_treslist_item *item,
			 const char *name);

/* The amounts of a list. A TRES that is not in the list is 0. A plain value. */
struct eqt_treslist {
	bool any; /* the list has at least one item */
	/* the memory is not a whole number of MiB, so Slurm rounded it */
	bool rounded;
	uint64_t cpus, nodes, billing;
	uint64_t mem_mib; /* rounded up */
	uint64_t gpus; /* gres/gpu: GPUs of all models */
};

/* The name of a GRES without "gres/". NULL if the item is another kind of TRES. */
const char *eqt_tres_list_gres(const struct eqt_treslist_item *item);

/* Called for each GRES except "gpu" itself, with a name such as "gpu:p100". If the result
 * is not 0, the parsing ends. */
typedef int eqt_treslist_gres(const char *name, uint64_t count, void *with);

/*
 * Read a list. "(null)", "N/A" and "" are empty lists. Other TRES, such as energy and
 * licences, must be numbers, too. each may be NULL. Returns 0, or the result of each() if
 * that is not 0. Returns -1 with *out undefined if the text is not a list of amounts.
 */
int eqt_tres_list_parse(struct eqt_treslist *out, const char *text,
			eqt_treslist_gres *each, void *with);

/* Find the item with this name in a list. Returns false if there is none. */
bool eqt_tres_list_find(struct eqt_treslist_item *item, const char *text,
			const char *name);

/* The amount of a TRES ("cpu", "gres/gpu:p100") in a list, memory in MiB. 0 if the list
 * does not name the TRES, or if the text is not such a list. A unit is ignored, except
 * for memory. */
uint64_t eqt_tres_list_amount(const char *text, const char *name);

/* Convert a weight with a unit ("0.25G" is 0.25 per GiB) to a weight per MiB for memory,
 * or per single unit for other TRES. Returns 0, or -1 if the weight is not a number with
 * a unit. */
int eqt_tres_list_weight(double *out, const struct eqt_treslist_item *item,
			 bool memory);

#endif
