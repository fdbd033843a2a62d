/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * print: all that a priority plugin writes, as text that can be compared bit by
 * bit.
 *
 * One line for each thing, of "key=value" words in a fixed order. A double has
 * 17 digits, a long double 21: enough that equal text means equal bits.
 */
#ifndef EQT_HOST_PRINT_H
#define EQT_HOST_PRINT_H

#include "words.h"

/* Print the views that the line names (jobs, assocs, qos, shares, factors), or
 * all. Takes slurmctld's and assoc_mgr's locks for reading. */
void print_views(const struct words *words);

#endif
