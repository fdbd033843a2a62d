/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage: what "equitree usage" has worked out, for those that print it. */
#ifndef EQT_USAGE_H
#define EQT_USAGE_H

#include "usage/lines.h"

struct eqt_usage {
	struct eqt_period period;
	struct eqt_usage_sum sum;
	struct eqt_usage_lines lines; /* borrow from the next two */
	struct eqt_usage_targets targets;
	struct eqt_shares shares;
	bool allocations; /* targets or shares were given */
	bool weights; /* some model counts for more or less than one */
};

/* As a table and words, or as JSON. 0, or -1 when memory is short. */
int eqt_usage_show(const struct eqt_usage *usage, bool headings);
void eqt_usage_json(const struct eqt_usage *usage);

/* "core-years", "GPU-years", "RGU-years". */
const char *eqt_usage_unit_name(enum eqt_usage_unit unit);

#endif
