/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * random_requests: random requests in Slurm's words with small numbers, so that the edges
 * of rules are met often; the prices for them; and the comparison of two quotes.
 */
#ifndef EQT_TESTS_RANDOM_REQUESTS_H
#define EQT_TESTS_RANDOM_REQUESTS_H

#include "../unit/unit.h"
#include "quote/price_message.h"
#include "random.h"

static const struct eqt_bundle gpus[] = {
	{ .name = "gpu:p100",
	  .cores_u = 6 * EQT_MICRO,
	  .mem_mib_u = UINT64_C(32000) * EQT_MICRO,
	  .weight_u = EQT_MICRO },
	{ .name = "gpu:v100",
	  .cores_u = 8 * EQT_MICRO,
	  .mem_mib_u = UINT64_C(48000) * EQT_MICRO,
	  .weight_u = EQT_MICRO },
};
static const struct eqt_bundle_table tables[] = {
	{ .cores = { .name = "cores",
		     .cores_u = EQT_MICRO,
		     .mem_mib_u = UINT64_C(4000) * EQT_MICRO,
		     .weight_u = EQT_MICRO },
	  .gpu = gpus,
	  .gpu_count = 2 },
	{ .cores = { .name = "cores",
		     .cores_u = 4 * EQT_MICRO,
		     .mem_mib_u = UINT64_C(5000) * EQT_MICRO,
		     .weight_u = EQT_MICRO / 2 },
	  .gpu = gpus,
	  .gpu_count = 1 },
};
/* The table of this request. */
static const struct eqt_bundle_table *prices;

/* ---- Requests ---------------------------------------------------------------- */

/* 0 in one of two cases, or 1 to most. */
static inline uint64_t some(struct eqt_random *random, uint64_t most)
{
	return eqt_random_below(random, 2) ? 0
					   : 1 + eqt_random_below(random, most);
}

/* True one time in n. */
static inline bool seldom(struct eqt_random *random, uint64_t n)
{
	return eqt_random_below(random, n) == 0;
}

static inline void nodes_draw(struct eqt_job_spec *spec, struct eqt_random *random)
{
	static const char *const gres[] = { NULL, "", "gpu:p100:2",
					    "gpu:v100:4" };

	spec->node = (struct eqt_node_offer){
		.cpus = some(random, 12),
		.mem_mib = 4000 * some(random, 12),
		.gres = gres[eqt_random_below(random, 4)],
		.differ = seldom(random, 8),
		.count = some(random, 6),
		.threads = eqt_random_below(random, 3),
		.sockets = eqt_random_below(random, 3),
	};
	spec->no_node = seldom(random, 30);
	spec->cpus_per_core = eqt_random_below(random, 3);
	spec->single_cpus = seldom(random, 12);
	spec->whole_sockets = seldom(random, 12);
	spec->exclusive = seldom(random, 8);
	spec->no_memory = seldom(random, 12);
	spec->limit.mem_per_cpu =
		seldom(random, 4) ? 1000 * eqt_random_below(random, 6) + 1
				  : 0;
	spec->limit.raises_tasks = seldom(random, 2);
}

static inline void lists_draw(struct eqt_job_spec *spec, struct eqt_random *random)
{
	static const char *const lists[] = { "gres:gpu:p100:1", "gres:gpu:v100:2",
					     "gres:gpu:2", "gres:gpu:p100:3",
					     "gres:gpu:p100:1,gres:gpu:v100:1" };
	const uint64_t which = eqt_random_below(random, 8);
	const char *list = lists[eqt_random_below(random, 5)];

	if (which == 0 || which == 1)
		spec->tres_per_job = list;
	else if (which == 2)
		spec->tres_per_node = list;
	else if (which == 3)
		spec->tres_per_task = list;
	else if (which == 4 && seldom(random, 4))
		spec->tres_per_socket = list;
	else if (which == 5)
		spec->cpus_per_task = seldom(random, 2) ? 2 : 5;
	if (which < 5 && seldom(random, 4))
		spec->cpus_per_tres = seldom(random, 2) ? "gres:gpu:9"
							: "gres:gpu:2";
	if (which < 5 && seldom(random, 5))
		spec->mem_per_tres = "gres:gpu:40000";
	if (seldom(random, 4))
		spec->defaults.cpus_per_gpu =
			1 + eqt_random_below(random, seldom(random, 3) ? 1 : 10);
	if (seldom(random, 8))
		spec->defaults.mem_per_gpu = 30000;
}

static inline struct eqt_job_spec spec_draw(struct eqt_random *random)
{
	struct eqt_job_spec spec = {
		.tasks = some(random, 9),
		.cpus_per_task = some(random, 5),
		.min_cpus = seldom(random, 4) ? some(random, 20) : 0,
		.min_nodes = some(random, 3),
		.tasks_per_node = seldom(random, 3) ? some(random, 4) : 0,
		.tasks_per_gpu = seldom(random, 4) ? some(random, 3) : 0,
		.layout_cpus = seldom(random, 3) ? some(random, 3) : 0,
		.tasks_per_socket = seldom(random, 15) ? some(random, 3) : 0,
		.tasks_per_core = seldom(random, 15) ? some(random, 2) : 0,
		.task_per_core = seldom(random, 20),
		.overcommit = seldom(random, 5),
		.binds_gpus = seldom(random, 15),
		.gpu_cpus_stay = seldom(random, 2),
		.tasks_counted = (enum eqt_job_spec_tasks)
			eqt_random_below(random, 3),
		.mem = (enum eqt_job_spec_mem) eqt_random_below(random, 5),
		.mem_mib = 500 + 1500 * some(random, 40),
		.minutes = 60 * some(random, 2),
		.defaults = { .mem = EQT_MEM_PER_CPU,
			      .mem_mib = 3000 * some(random, 2),
			      .minutes = some(random, 90) },
	};

	if (seldom(random, 3))
		spec.max_nodes = (spec.min_nodes ? spec.min_nodes : 1) +
				 eqt_random_below(random, 4);
	if (seldom(random, 4))
		spec.min_cpus_per_node = seldom(random, 2)
						 ? spec.cpus_per_task
						 : some(random, 8);
	nodes_draw(&spec, random);
	lists_draw(&spec, random);
	return spec;
}

/* ---- Comparison -------------------------------------------------------------- */

static inline bool price_is(const struct eqt_price *a, const struct eqt_price *b)
{
	return eqt_frac_cmp(a->equivalents, b->equivalents) == 0 &&
	       eqt_frac_cmp(a->charge, b->charge) == 0 &&
	       a->dominant == b->dominant && a->gpu_pool == b->gpu_pool;
}

static inline void quote_compare(const struct eqt_quote *quote,
			  const struct eqt_quote *ref, int seed)
{
	char text[EQT_PRICE_MESSAGE_SIZE], wanted[EQT_PRICE_MESSAGE_SIZE];

	eqt_price_message_full(quote, text, sizeof(text));
	eqt_price_message_full(ref, wanted, sizeof(wanted));
	ck_assert_msg(strcmp(text, wanted) == 0,
		      "request %d: %s\n  instead of\n%s", seed, text, wanted);
	ck_assert_msg(price_is(&quote->low, &ref->low), "request %d: low",
		      seed);
	ck_assert_msg(price_is(&quote->high, &ref->high), "request %d: high",
		      seed);
	ck_assert_msg(quote->lack == ref->lack && quote->least == ref->least &&
			      quote->minutes == ref->minutes,
		      "request %d: nodes or time", seed);
	ck_assert_msg(quote->by_model == ref->by_model &&
			      quote->by_nodes == ref->by_nodes &&
			      quote->by_parts == ref->by_parts,
		      "request %d: why it is a range", seed);
	ck_assert_msg(quote->advice == ref->advice &&
			      (!ref->advice ||
			       quote->advice_amount == ref->advice_amount),
		      "request %d: advice", seed);
	ck_assert_msg(quote->spread_nodes == ref->spread_nodes &&
			      (quote->spread_nodes == 0 ||
			       eqt_frac_cmp(quote->spread.equivalents,
					    ref->spread.equivalents) == 0),
		      "request %d: spread", seed);
}

#endif
