/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request: what Slurm's TRES arrays say, in the core's words. */
#ifndef EQT_REQUEST_H
#define EQT_REQUEST_H

#include <stdint.h>

#include "settings.h"

/* What a job takes per second. */
struct eqt_rate {
	double equivalents; /* for usage_raw: exact but for the last bit */
	uint64_t billing; /* for the integer billing TRES */
};

/*
 * The rate of a job with these TRES counts (an array of settings->tres_count
 * entries in Slurm's order: tres_req_cnt or tres_alloc_cnt of a job). A GPU
 * whose model Slurm does not tell is priced as the dearest model. Returns 0,
 * or -1 (out untouched) when the price table cannot price it. Allocates
 * nothing.
 */
int eqt_rate_of_tres(struct eqt_rate *out, const struct eqt_settings *settings,
		     const uint64_t *counts);

#endif
