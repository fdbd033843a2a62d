/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "budget/budget.h"
#include "budget/hours.h"

/* The number of decimals of an hour that are enough for a millionth of an
 * equivalent-second. */
#define DECIMALS 8

/* The fourth decimal of an hour. */
#define SHORT_U (EQT_BUDGET_HOUR_U / 10000)

/* Decimals after the eighth are ignored. */
int eqt_hours_parse(uint64_t *out_u, const char *text, struct eqt_error *err)
{
	const char *at = text;
	uint64_t whole = 0, part = 0, scale = 1;
	int digits = 0;

	for (; *at >= '0' && *at <= '9'; at++, digits++) {
		if (__builtin_mul_overflow(whole, 10, &whole) ||
		    __builtin_add_overflow(whole, (uint64_t) (*at - '0'),
					   &whole) ||
		    whole > EQT_BUDGET_MOST_U / EQT_BUDGET_HOUR_U)
			return eqt_error_set(
				err, "%.60s: the amount is too large", text);
	}
	if (*at == '.') {
		for (at++; *at >= '0' && *at <= '9'; at++, digits++) {
			if (scale >= 100000000)
				continue;
			part = part * 10 + (uint64_t) (*at - '0');
			scale *= 10;
		}
	}
	if (*at || digits == 0)
		return eqt_error_set(
			err, "%.60s: expected a number of equivalent-hours",
			text);
	/* This cannot overflow, because part < scale <= 10^8. */
	*out_u = whole * EQT_BUDGET_HOUR_U + part * EQT_BUDGET_HOUR_U / scale;
	if (*out_u == 0)
		return eqt_error_set(err, "%.60s: the amount must be above 0",
				     text);
	return 0;
}

char *eqt_hours_short(uint64_t amount_u, char buf[EQT_HOURS_TEXT])
{
	return eqt_hours_text(amount_u - amount_u % SHORT_U, buf);
}

char *eqt_hours_need(uint64_t amount_u, char buf[EQT_HOURS_TEXT])
{
	uint64_t over = amount_u % SHORT_U, more = over ? SHORT_U - over : 0;

	return eqt_hours_text(amount_u <= UINT64_MAX - more ? amount_u + more
							    : amount_u,
			      buf);
}

double eqt_hours_double(uint64_t amount_u)
{
	return (double) amount_u / (double) EQT_BUDGET_HOUR_U;
}

/* Return the name that all bundles of a pool share, or "" if they do not share one. */
static const char *pool_unit_name(const struct eqt_bundle_table *prices,
				  bool gpus)
{
	const struct eqt_unit *pool = prices->pool_unit[gpus];
	const struct eqt_unit *first = pool;

	if (!gpus)
		first = prices->cores.unit ? prices->cores.unit : pool;
	for (uint32_t i = 0; gpus && i < prices->gpu_count; i++) {
		const struct eqt_unit *one =
			prices->gpu[i].unit ? prices->gpu[i].unit : pool;

		if (i == 0)
			first = one;
		if (!one || !first || strcmp(one->one, first->one) != 0)
			return "";
	}
	return first ? first->one : "";
}

/* If no GPU has a price, a job with GPUs pays for its cores. */
char *eqt_hours_unit(const struct eqt_bundle_table *prices, uint64_t pool,
		     char buf[EQT_HOURS_UNIT])
{
	const char *cores = prices ? pool_unit_name(prices, false) : "";
	const char *gpus = prices && prices->gpu_count
				   ? pool_unit_name(prices, true)
				   : cores;
	const char *name = pool == EQT_BUDGET_CORES ? cores : gpus;

	if (pool == EQT_BUDGET_ALL && strcmp(cores, gpus) != 0)
		name = "";
	(void) snprintf(buf, EQT_HOURS_UNIT, "%s-hour",
			name[0] ? name : "equivalent");
	return buf;
}

char *eqt_hours_text(uint64_t amount_u, char buf[EQT_HOURS_TEXT])
{
	uint64_t rest = amount_u % EQT_BUDGET_HOUR_U;

	/* An hour is 3,600,000,000 units, so that the eighth decimal stands for 36 of
	 * them. */
	(void) snprintf(buf, EQT_HOURS_TEXT, "%" PRIu64 ".%0*" PRIu64,
			amount_u / EQT_BUDGET_HOUR_U, DECIMALS,
			(rest + 18) / 36 > 99999999 ? 99999999
						    : (rest + 18) / 36);
	return eqt_text_cut_zeros(buf);
}
