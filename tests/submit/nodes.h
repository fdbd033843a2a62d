/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes: the price of a submission follows what the nodes have. */
#ifndef EQT_SUBMIT_NODES_H
#define EQT_SUBMIT_NODES_H

#include <stddef.h>

#include "between.h"

/*
 * Change the GPUs and features of nodes and the nodes of a partition from one
 * submission to the next, and look what each is told; the program ends where it
 * is something else. Returns how many changes there were. Nobody else submits
 * meanwhile.
 */
size_t nodes_check(between_submit_t *submit);

#endif
