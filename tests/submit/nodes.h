/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes: the price of a submission follows the nodes. */
#ifndef EQT_SUBMIT_NODES_H
#define EQT_SUBMIT_NODES_H

#include <stddef.h>

#include "between.h"

/*
 * Change the GPUs and features of nodes and the nodes of a partition from one
 * submission to the next, and check the price of each. Ends the program if one
 * is wrong. Returns the number of changes. Nobody else submits meanwhile.
 */
size_t nodes_check(between_submit_t *submit);

#endif
