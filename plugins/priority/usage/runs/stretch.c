/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cost of a run in whole millionths of an equivalent-second, so that budgets add up
 * exactly; decayed usage is a long double. */
#include <math.h>

#include "base/fraction.h"
#include "usage/runs/stretch.h"

uint64_t eqt_stretch_rate_u(double price, double factor)
{
	const double micro = price * factor * (double) EQT_MICRO;
	double whole = rint(micro);

	if (fabs(micro - whole) > 1e-3)
		whole = ceil(micro);
	return whole >= 1.0 && whole < 1e18 ? (uint64_t) whole : 0;
}

/* The cost of some seconds; it saturates. */
static uint64_t part_cost_u(const struct eqt_stretch_part *part)
{
	const time_t seconds = part->to - part->from - part->idle_s;
	uint64_t cost;

	if (seconds <= 0)
		return 0;
	return __builtin_mul_overflow(
		       (uint64_t) seconds,
		       eqt_stretch_rate_u(part->price, part->factor), &cost)
		       ? UINT64_MAX
		       : cost;
}

void eqt_stretch_add(struct eqt_run *run, const struct eqt_stretch_part *part)
{
	run->price = part->price;
	run->factor = part->factor;
	if (__builtin_add_overflow(run->owed_u, part_cost_u(part),
				   &run->owed_u))
		run->owed_u = UINT64_MAX;
	if (run->until < part->to)
		run->until = part->to;
}

void eqt_stretch_close(const struct eqt_stretch_sink *sink,
		       const struct eqt_config *config, struct eqt_run *run,
		       const struct eqt_stretch_end *end)
{
	/* Nobody settles before the rooms are connected. */
	if (sink->settle)
		sink->settle(sink->arg, config, end);
	run->owed_u = 0;
	run->owed_from = run->until;
}
