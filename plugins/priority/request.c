/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../common/log.h"
#include "../common/slurm_compat.h"
#include "request.h"

/* A count as Slurm keeps it; some TRES are marked as not consumed. */
static uint64_t consumed(uint64_t count)
{
	return count == NO_CONSUME_VAL64 ? 0 : count;
}

static void request_from_tres(struct eqt_request *request,
			      const struct eqt_settings *settings,
			      const uint64_t *counts)
{
	uint64_t all = 0, typed = 0;

	*request = (struct eqt_request){
		.cores = consumed(counts[TRES_ARRAY_CPU]),
		.mem_mib = consumed(counts[TRES_ARRAY_MEM]),
	};
	for (uint32_t i = 0; i < settings->tres_count; i++) {
		const struct eqt_tres_map *map = &settings->tres_map[i];
		uint64_t count = consumed(counts[i]);

		if (map->use == EQT_TRES_GPU_ALL) {
			all += count;
		} else if (map->use == EQT_TRES_GPU_MODEL) {
			request->gpus[map->model] += count;
			typed += count;
		}
	}
	/* gres/gpu counts every GPU, those with a type again by their type. */
	if (all > typed && settings->conf->prices.gpu_count)
		request->gpus_untyped = all - typed;
}

int eqt_rate_of_tres(struct eqt_rate *out, const struct eqt_settings *settings,
		     const uint64_t *counts)
{
	const struct eqt_conf *conf = settings->conf;
	struct eqt_request request;
	struct eqt_price low, high;
	struct eqt_error err;

	request_from_tres(&request, settings, counts);
	if (eqt_price_range(&low, &high, &conf->prices, &request, &err) < 0) {
		eqt_log_debug("cannot price a job: %s", err.text);
		return -1;
	}
	out->equivalents = eqt_frac_double(high.equivalents);
	out->billing = eqt_frac_round(high.equivalents, conf->billing_scale,
				      conf->billing_round);
	return 0;
}
