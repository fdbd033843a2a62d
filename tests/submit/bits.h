/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bits: the plugin's walks over bitmaps of nodes come to what Slurm's functions do. */
#ifndef EQT_SUBMIT_BITS_H
#define EQT_SUBMIT_BITS_H

#include <stdint.h>

/* Compare them for random bitmaps of all sizes. Ends the program at a difference. */
void bits_check(long count, uint64_t seed);

#endif
