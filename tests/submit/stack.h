/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stack: a call of the plugin in a thread of its own, as slurmctld calls it, for a count of
 * the stack that it uses. */
#ifndef EQT_SUBMIT_STACK_H
#define EQT_SUBMIT_STACK_H

#include <stddef.h>

#include "desc.h"

/* Set the function that stack_submit() calls. */
void stack_set(int (*submit)(job_desc_msg_t *, uint32_t, char **));

/* Call the function in a new thread, and wait for its result. */
int stack_submit(job_desc_msg_t *desc, uint32_t uid, char **err_msg);

/* The bytes of the stack down to the lowest one that the last call has changed. */
size_t stack_depth(void);

#endif
