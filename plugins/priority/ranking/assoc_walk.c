/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../jobs/ahead.h"
#include "assoc_walk.h"

/* The visit as the caller has it. */
struct call {
	eqt_assoc_visit *visit;
	void *arg;
};

static void touch_assoc(void *item)
{
	const slurmdb_assoc_rec_t *assoc = item;

	eqt_ahead_want(&assoc->id);
	eqt_ahead_want(&assoc->leaf_usage);
	eqt_ahead_want(&assoc->shares_raw);
	eqt_ahead_want(&assoc->usage);
	eqt_ahead_want(&assoc->user);
}

static void touch_usage(void *item)
{
	const slurmdb_assoc_rec_t *assoc = item;

	eqt_ahead_want_all(assoc->usage, sizeof(*assoc->usage));
}

static void touch_tres(void *item)
{
	const slurmdb_assoc_rec_t *assoc = item;

	eqt_ahead_want_all(assoc->usage->usage_tres_raw,
			   g_tres_count * sizeof(long double));
}

static void visit_assoc(void *item, void *arg)
{
	const struct call *call = arg;

	call->visit(item, call->arg);
}

static const struct eqt_ahead_plan plain = {
	.touch = { touch_assoc, touch_usage },
	.visit = visit_assoc,
};

static const struct eqt_ahead_plan with_tres = {
	.touch = { touch_assoc, touch_usage, touch_tres },
	.visit = visit_assoc,
};

static int push(void *item, void *arg)
{
	eqt_ahead_push(arg, item);
	return 0;
}

static void each(const struct eqt_ahead_plan *plan, struct call *call)
{
	struct eqt_ahead walk = { .plan = plan, .arg = call };

	list_for_each_ro(assoc_mgr_assoc_list, push, &walk);
	eqt_ahead_finish(&walk);
}

void eqt_assocs_each(eqt_assoc_visit *visit, void *arg)
{
	each(&plain, &(struct call){ visit, arg });
}

void eqt_assocs_each_tres(eqt_assoc_visit *visit, void *arg)
{
	each(&with_tres, &(struct call){ visit, arg });
}
