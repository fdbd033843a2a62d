/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resized: jobs whose run-seconds slurmctld has counted anew, from their start
 * on, because they were resized since the last pass: what has passed of them
 * is to be taken off once more. Under the locks of EQT_CHARGE_ASSOC_LOCKS.
 */
#ifndef EQT_RESIZE_H
#define EQT_RESIZE_H

#include <stdbool.h>
#include <stdint.h>

/* Remember a job. */
void eqt_resize_add(uint32_t job_id);

/* Whether it is remembered; it is not any more. */
bool eqt_resize_take(uint32_t job_id);

/* Forget all: slurmctld has counted all run-seconds anew, or at fini. */
void eqt_resize_clear(void);

#endif
