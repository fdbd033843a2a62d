/* SPDX-License-Identifier: GPL-2.0-or-later */
/* desc: job descriptions for the tests. */
#ifndef EQT_SUBMIT_DESC_H
#define EQT_SUBMIT_DESC_H

#include <stdint.h>

#include "../../plugins/slurm/compat.h"

/*
 * An empty description, or one with random fields. Strings are from xmalloc().
 */
void desc_random(job_desc_msg_t *desc, uint64_t *seed);

/* The description of -n2 --mem=10000M by a user with an account. */
void desc_plain(job_desc_msg_t *desc);

void desc_free(job_desc_msg_t *desc);

/* The next number of a sequence. */
uint64_t random_next(uint64_t *seed);

#endif
