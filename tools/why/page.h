/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page: everything about one waiting job, for people and as JSON. */
#ifndef EQT_WHY_PAGE_H
#define EQT_WHY_PAGE_H

#include <json-c/json.h>

#include "balance/rows.h"
#include "slurm/sprio.h"
#include "why/wait.h"

/* The data of a page; borrowed. */
struct eqt_why_page {
	const struct eqt_why_wait *wait;
	const struct eqt_sprio *pending; /* may be empty */
	const struct eqt_rows *budgets; /* may be empty */
	const char *forecast; /* a line about its start, or "" */
};

/* Print it, within 80 columns. */
void eqt_why_page_print(const struct eqt_why_page *page);

/* The same as an object, which the caller owns. */
json_object *eqt_why_page_json(const struct eqt_why_page *page);

#endif
