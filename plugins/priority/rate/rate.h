/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rate: the price of what a job holds, per second. */
#ifndef EQT_RATE_H
#define EQT_RATE_H

#include <stdbool.h>
#include <stdint.h>

#include "price/unit.h"

/* A plain value. */
struct eqt_rate {
	double equivalents; /* for usage_raw, with the factors of partition and
			       QOS; the nearest double to the exact value */
	uint64_t billing; /* for the integer billing TRES */
	double size; /* equivalents without any factor */
	bool gpu_pool; /* equivalents are GPU-equivalents */
	char decided; /* enum eqt_charge_priced; 0: no price */
	const struct eqt_unit *unit; /* of the configuration; NULL: none */
};

#endif
