/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage: the result of equitree usage, for printing. */
#ifndef EQT_USAGE_USAGE_H
#define EQT_USAGE_USAGE_H

#include "usage/lines.h"

struct eqt_year {
	struct eqt_year_period period;
	struct eqt_year_sum sum;
	struct eqt_year_lines lines; /* borrow from targets and shares */
	struct eqt_year_targets targets;
	struct eqt_year_titles titles; /* {0}: none were given */
	struct eqt_sshare shares;
	bool allocations; /* targets or shares were given */
	bool raw; /* allocated cores and GPUs as well */
	bool weights; /* some model has a weight other than 1 */
};

/* Print a table with a summary, or JSON. 0, or -1: out of memory. */
int eqt_year_show(const struct eqt_year *usage, bool headings);
void eqt_year_json(const struct eqt_year *usage);

/* "core-years", "GPU-years", "RGU-years". */
const char *eqt_year_unit_name(enum eqt_year_unit unit);

#endif
