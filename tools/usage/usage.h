/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage: what "equitree usage" has worked out, for those that print it. */
#ifndef EQT_USAGE_USAGE_H
#define EQT_USAGE_USAGE_H

#include "usage/lines.h"

struct eqt_year {
	struct eqt_year_period period;
	struct eqt_year_sum sum;
	struct eqt_year_lines lines; /* borrow from the next two */
	struct eqt_year_targets targets;
	struct eqt_sshare shares;
	bool allocations; /* targets or shares were given */
	bool weights; /* some model counts for more or less than one */
};

/* As a table and words, or as JSON. 0, or -1 when memory is short. */
int eqt_year_show(const struct eqt_year *usage, bool headings);
void eqt_year_json(const struct eqt_year *usage);

/* "core-years", "GPU-years", "RGU-years". */
const char *eqt_year_unit_name(enum eqt_year_unit unit);

#endif
