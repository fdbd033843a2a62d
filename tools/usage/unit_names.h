/* SPDX-License-Identifier: GPL-2.0-or-later */
/* unit_names: what a site calls the units of a usage report, and its currency. */
#ifndef EQT_USAGE_UNIT_NAMES_H
#define EQT_USAGE_UNIT_NAMES_H

#include "usage/price.h"

/* A plain value; currency is borrowed from the prices. */
struct eqt_year_unit_names {
	char years[EQT_YEAR_RGU + 1][EQT_UNIT_SIZE + 8]; /* "core-years" */
	const char *currency; /* NULL: no money, or several currencies */
};

/*
 * Take the names of the pools: that of the cores' pool, and that of the GPUs' for
 * weighted GPU-years, or for plain ones if no bundle has a weight (weights).
 */
void eqt_year_unit_names_make(struct eqt_year_unit_names *out,
			      const struct eqt_bundle_table *prices,
			      bool weights);

#endif
