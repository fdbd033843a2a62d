/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which rule applies to an account, how Slurm would compare the grant, and the text for
 * the user. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "price/grant.h"

/* After a mismatch only the last * is extended, which is enough to find any match. */
bool eqt_grant_pattern_fits(const char *pattern, const char *name)
{
	const char *star = NULL, *from = name;

	while (*name != '\0') {
		if (*pattern == '*') {
			star = pattern++;
			from = name;
		} else if (*pattern == *name) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star + 1;
			name = ++from;
		} else {
			return false;
		}
	}
	return pattern[strspn(pattern, "*")] == '\0';
}

const struct eqt_grant_rule *eqt_grants_find(const struct eqt_grant_list *list,
					     const char *account)
{
	for (uint32_t i = 0; i < list->count; i++) {
		if (eqt_grant_pattern_fits(list->rule[i].name, account))
			return &list->rule[i];
	}
	return NULL;
}

enum eqt_grant_way eqt_grant_way_of(const struct eqt_grant_rule *rule,
				    enum eqt_grant_state state)
{
	if (state == EQT_GRANT_SPENT)
		return rule->spent;
	return state == EQT_GRANT_SCARCE ? rule->scarce : EQT_GRANT_IGNORE;
}

uint64_t eqt_grant_minutes(uint64_t billing, uint64_t minutes, double factor)
{
	double scaled = (double) minutes * factor;
	uint64_t product;

	/* The conversion of 2^64, of a larger number or of NaN to an integer would be
	 * undefined. */
	if (!(scaled < 18446744073709551616.0))
		minutes = UINT64_MAX;
	else if (factor < 1.0 || factor > 1.0)
		minutes = scaled > 0 ? (uint64_t) scaled : 0;
	if (__builtin_mul_overflow(billing, minutes, &product))
		return UINT64_MAX;
	return product;
}

enum eqt_grant_state eqt_grant_judge(const struct eqt_grant *grant)
{
	uint64_t wanted;

	/* Slurm uses >= in this comparison and > in the next one. */
	if (grant->used >= grant->limit)
		return EQT_GRANT_SPENT;
	if (grant->needed == 0)
		return EQT_GRANT_FINE;
	if (__builtin_add_overflow(grant->needed, grant->running, &wanted) ||
	    wanted > grant->limit - grant->used)
		return EQT_GRANT_SCARCE;
	return EQT_GRANT_FINE;
}

/* Write billing-minutes as equivalent-hours, billing_scale billing units being one
 * equivalent. */
static const char *hours(char buf[EQT_FRAC_TEXT], uint64_t minutes,
			 uint64_t billing_scale)
{
	struct eqt_frac value;

	if (eqt_frac_make(&value, minutes, (eqt_u128) billing_scale * 60) < 0)
		return "?";
	return eqt_frac_text(value, buf, EQT_FRAC_TEXT);
}

void eqt_grant_text(struct eqt_error *out, const struct eqt_grant *grant,
		    const char *partition, uint64_t billing_scale)
{
	char limit[EQT_FRAC_TEXT], used[EQT_FRAC_TEXT], running[EQT_FRAC_TEXT],
		needed[EQT_FRAC_TEXT];
	char more[128] = "", rest[256] = "", where[80] = "";

	if (grant->running > 0)
		(void) snprintf(more, sizeof(more),
				", running jobs may use %s more",
				hours(running, grant->running, billing_scale));
	if (partition)
		(void) snprintf(where, sizeof(where), " in partition %.64s",
				partition);
	if (eqt_grant_judge(grant) == EQT_GRANT_SCARCE &&
	    grant->needed == UINT64_MAX)
		(void) snprintf(rest, sizeof(rest),
				"%s, and this job has no time limit%s", more,
				where);
	else if (eqt_grant_judge(grant) == EQT_GRANT_SCARCE)
		(void) snprintf(rest, sizeof(rest),
				"%s, and this job may use %s%s", more,
				hours(needed, grant->needed, billing_scale),
				where);
	(void) eqt_error_set(out,
			     "account %.64s%s%.64s has used %s of its grant of "
			     "%s equivalent-hours%s",
			     grant->account, grant->user[0] ? " of user " : "",
			     grant->user,
			     hours(used, grant->used, billing_scale),
			     hours(limit, grant->limit, billing_scale), rest);
}
