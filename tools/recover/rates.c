/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job's rate counts for its user's association and all above it, like its
 * usage. Jobs in the accounting system but not in the share tree are counted
 * as strays rather than dropped silently.
 */
#include <stdlib.h>
#include <string.h>

#include "recover/rates.h"
#include "slurm/sshare_index.h"

static struct eqt_scontrol_value text_slice(const char *text)
{
	return (struct eqt_scontrol_value){ text, strlen(text) };
}

int eqt_rates_of(long double **out, const struct eqt_sshare *shares,
		 const struct eqt_squeue *jobs, uint64_t billing_scale,
		 size_t *strays, struct eqt_error *err)
{
	long double *rates = calloc(shares->count, sizeof(*rates)), rate;
	struct eqt_sshare_index index;
	uint32_t at;
	size_t i;

	if (!rates || eqt_sshare_index_make(&index, shares, err) < 0) {
		free(rates);
		return eqt_error_set(err, "out of memory");
	}
	*strays = 0;
	for (i = 0; i < jobs->count; i++) {
		const struct eqt_squeue_job *job = &jobs->jobs[i];

		if (!job->running)
			continue;
		rate = (long double) job->billing / (long double) billing_scale;
		at = eqt_sshare_index_find(&index, text_slice(job->user),
					   text_slice(job->account));
		*strays += at == EQT_TREE_NONE;
		for (; at != EQT_TREE_NONE; at = shares->assocs[at].parent)
			rates[at] += rate;
	}
	eqt_sshare_index_free(&index);
	*out = rates;
	return 0;
}
