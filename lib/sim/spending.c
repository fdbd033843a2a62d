/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim_admission.c walks the list of waiting jobs only when a limit has at least the
 * amount that some job lacked at the last walk. `least` has the smallest such amount of
 * each limit.
 */
#include <stdlib.h>

#include "base/whole.h"
#include "sim/spending.h"

int eqt_spending_prepare(struct eqt_simulation_state *state)
{
	struct eqt_spending *spending = &state->spending;
	const size_t count = state->in->limit_count;

	spending->left = calloc(count + 1, sizeof(*spending->left));
	spending->least = calloc(count + 1, sizeof(*spending->least));
	spending->lapsed_at = calloc(count + 1, sizeof(*spending->lapsed_at));
	if (!spending->left || !spending->least || !spending->lapsed_at)
		return eqt_error_set(state->err, "out of memory");
	for (size_t i = 0; i < count; i++) {
		spending->left[i] = state->in->limits ? state->in->limits[i]
						      : UINT64_MAX;
		spending->least[i] = UINT64_MAX;
		spending->lapsed_at[i] = INT64_MIN;
	}
	return 0;
}

void eqt_spending_free(struct eqt_spending *spending)
{
	free(spending->left);
	free(spending->least);
	free(spending->lapsed_at);
	eqt_events_free(&spending->unpaid);
}

/* Note that a limit has more. */
static void left_add(struct eqt_spending *spending, uint32_t limit,
		     uint64_t amount)
{
	uint64_t *left = &spending->left[limit];

	*left = amount < UINT64_MAX - *left ? *left + amount : UINT64_MAX;
	if (*left >= spending->least[limit])
		spending->due = true;
}

/* If several limits have too little left for a job, the job is noted at the first of
 * them, because it cannot go on before that limit has enough. */
bool eqt_spending_pay(struct eqt_simulation_state *state,
		      struct eqt_simulation_live *live)
{
	struct eqt_spending *spending = &state->spending;
	const struct eqt_simulation_needs *needs =
		eqt_simulation_job_of(state, live)->needs;

	if (!needs || live->paid)
		return true;
	for (uint32_t i = 0; i < needs->use_count; i++) {
		const struct eqt_simulation_use *use = &needs->uses[i];

		if (!use->paid_s || use->amount <= spending->left[use->limit])
			continue;
		eqt_whole_lower(&spending->least[use->limit], use->amount);
		return false;
	}
	for (uint32_t i = 0; i < needs->use_count; i++)
		if (needs->uses[i].paid_s)
			spending->left[needs->uses[i].limit] -=
				needs->uses[i].amount;
	live->paid = true;
	live->paid_at = state->now;
	return true;
}

void eqt_spending_return(struct eqt_simulation_state *state,
			 const struct eqt_simulation_live *live, uint32_t run_s)
{
	struct eqt_spending *spending = &state->spending;
	const struct eqt_simulation_needs *needs =
		eqt_simulation_job_of(state, live)->needs;

	for (uint32_t i = 0; needs && live->paid && i < needs->use_count; i++) {
		const struct eqt_simulation_use *use = &needs->uses[i];

		/* A double is exact enough, since no job pays to the second. */
		if (run_s < use->paid_s &&
		    live->paid_at >= spending->lapsed_at[use->limit])
			left_add(spending, use->limit,
				 (uint64_t) ((double) use->amount *
					     (use->paid_s - run_s) /
					     use->paid_s));
	}
}

void eqt_spending_renew(struct eqt_simulation_state *state)
{
	struct eqt_spending *spending = &state->spending;
	const struct eqt_simulation *in = state->in;

	while (spending->renewed < in->renewal_count &&
	       in->renewals[spending->renewed].at <= state->now) {
		const struct eqt_simulation_renewal *one =
			&in->renewals[spending->renewed++];

		eqt_whole_lower(&spending->left[one->limit], one->keeps);
		if (one->keeps != EQT_SIMULATION_KEEPS_ALL)
			spending->lapsed_at[one->limit] = one->at;
		left_add(spending, one->limit, one->adds);
	}
}

bool eqt_spending_is_due(struct eqt_simulation_state *state)
{
	struct eqt_spending *spending = &state->spending;

	if (!spending->due)
		return false;
	spending->due = false;
	for (uint32_t i = 0; i < state->in->limit_count; i++)
		spending->least[i] = UINT64_MAX;
	return true;
}

int64_t eqt_spending_next(const struct eqt_simulation_state *state)
{
	const struct eqt_spending *spending = &state->spending;

	return spending->unpaid.count &&
			       spending->renewed < state->in->renewal_count
		       ? state->in->renewals[spending->renewed].at
		       : EQT_SIMULATION_FAR;
}
