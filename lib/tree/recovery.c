/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The formula of the decay, solved for time. A usage U decays to U * 2^(-t/h), where h
 * is the half-life. So a Level FS of S/U becomes 1 when 2^(-t/h) = S/U. Times are in
 * seconds.
 */
#include <math.h>
#include <stdbool.h>

#include "tree/recovery.h"

/* Is there no finite answer? Call this only if S / U is below 1. A NaN also means that
 * there is none. */
static bool recovery_is_never(uint32_t half_life_s, long double shares_norm)
{
	return !half_life_s || !(shares_norm > 0);
}

long double eqt_recovery_taken(uint32_t half_life_s, long double shares_norm,
			       long double usage_efctv)
{
	if (usage_efctv <= shares_norm)
		return 0;
	if (recovery_is_never(half_life_s, shares_norm))
		return INFINITY;
	return half_life_s * log2l(usage_efctv / shares_norm);
}

long double eqt_recovery_steady(uint32_t half_life_s, long double shares_norm,
				long double usage_efctv)
{
	if (usage_efctv <= shares_norm)
		return 0;
	if (recovery_is_never(half_life_s, shares_norm) || !(usage_efctv < 1))
		return INFINITY;
	return half_life_s * (log2l(usage_efctv / shares_norm) +
			      log2l((1 - shares_norm) / (1 - usage_efctv)));
}

long double eqt_recovery_running(uint32_t half_life_s,
				 const struct eqt_recovery_level *level)
{
	/* owed is the amount by which the node's usage is above its share. gained is
	 * how much of it the running jobs take away in each second. */
	long double owed =
		level->usage - level->shares_norm * level->level_usage;
	long double gained =
		level->shares_norm * level->level_rate - level->rate;

	if (owed <= 0)
		return 0;
	if (!(gained > 0))
		return INFINITY;
	if (!half_life_s)
		return owed / gained;
	/* In d * owed = (1 - d) * K * gained, K = h / ln 2 is the mean life, and d =
	 * 2^(-t/h) is the part of the usage that is left. This is solved for t. */
	return half_life_s * log2l(1 + owed / (gained * half_life_s / logl(2)));
}
