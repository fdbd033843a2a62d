/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dearest: a submission to hundreds of partitions is told no less than one to any of
 * them alone. */
#ifndef EQT_SUBMIT_DEAREST_H
#define EQT_SUBMIT_DEAREST_H

#include <stdint.h>

#include "between.h"

/*
 * Submit descriptions to all partitions of the crowd, which is on the stage, and then
 * to some of them alone; the program ends where one of these is told more hours.
 * Returns how many were compared. Nobody else submits meanwhile.
 */
unsigned long dearest_check(between_submit_t *submit, long count,
			    uint64_t seed);

#endif
