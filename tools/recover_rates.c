/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "recover_rates.h"

/* "ada(1001)": the name alone. */
static struct eqt_value name_of(struct eqt_value user)
{
	const char *bracket = memchr(user.text, '(', user.length);

	if (bracket)
		user.length = (size_t) (bracket - user.text);
	return user;
}

static uint32_t assoc_of(const struct eqt_shares *shares,
			 const struct eqt_job *job)
{
	struct eqt_value user = name_of(job->user);
	uint32_t i;

	for (i = 0; i < shares->count; i++) {
		const struct eqt_assoc *assoc = &shares->assocs[i];

		if (assoc->user && eqt_value_is(user, assoc->user) &&
		    eqt_value_is(job->account, assoc->account))
			return i;
	}
	return EQT_NODE_NONE;
}

long double *eqt_rates_of(const struct eqt_shares *shares,
			  const struct eqt_jobs *jobs, uint64_t billing_scale,
			  size_t *strays)
{
	long double *rates = calloc(shares->count, sizeof(*rates));
	long double rate;
	uint32_t at;
	size_t i;

	*strays = 0;
	for (i = 0; rates && i < jobs->count; i++) {
		if (!jobs->jobs[i].running)
			continue;
		rate = (long double) jobs->jobs[i].billing /
		       (long double) billing_scale;
		at = assoc_of(shares, &jobs->jobs[i]);
		*strays += at == EQT_NODE_NONE;
		for (; at != EQT_NODE_NONE; at = shares->assocs[at].parent)
			rates[at] += rate;
	}
	return rates;
}
