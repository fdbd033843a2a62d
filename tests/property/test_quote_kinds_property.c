/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_quote_kinds_property: quotes of random requests that could get nodes of several
 * kinds, against the quotes on nodes of each kind alone.
 */
#include "base/whole.h"
#include "job/job_spec_lists.h"
#include "job/node_offer.h"
#include "quote/quote_impl.h"
#include "random_requests.h"

#define REQUESTS 40000

/* What is known of a request on nodes of one kind. */
struct ref_kind {
	struct eqt_job_spec one;
	uint64_t nodes; /* that it needs; 0: they take no part of it */
	uint64_t split; /* that are enough if tasks are split */
	uint64_t limit; /* that it can have */
	uint64_t least; /* nodes that its count says */
	struct eqt_demand demand;
	bool fits;
};

static struct ref_kind kind[EQT_NODE_OFFER_KINDS];
static bool one_price; /* on nodes of each kind that was added */

/* What is asked for, whatever whole nodes have. */
static struct eqt_gres_row asked_row[EQT_GRES_MAX];
static struct eqt_gres_rows asked;

/* Have nodes the threads and sockets that are asked for? */
static bool ref_lays_out(const struct eqt_job_spec *spec,
			 const struct eqt_node_offer *of)
{
	return !(of->threads && spec->cpus_per_core > of->threads) &&
	       !(of->sockets && spec->sockets_per_node > of->sockets);
}

/* Nodes of all kinds that one job can have. */
static uint64_t ref_nodes(const struct eqt_job_spec *spec)
{
	uint64_t all = 0, laid_out = 0, nodes;

	for (uint32_t i = 0; i < spec->kinds; i++) {
		all += spec->kind[i].count;
		if (ref_lays_out(spec, &spec->kind[i]))
			laid_out += spec->kind[i].count;
	}
	nodes = laid_out ? laid_out : all;
	return spec->node.count && spec->node.count < nodes ? spec->node.count
							    : nodes;
}

/* The request as if all nodes were of that kind; false: it cannot be counted. */
static bool ref_kind_make(struct ref_kind *out, const struct eqt_job_spec *spec,
			  const struct eqt_node_offer *of)
{
	const uint64_t all = ref_nodes(spec);
	uint64_t most = all;
	struct eqt_job_totals totals;

	out->one = *spec;
	out->one.kinds = 0;
	out->one.node = *of;
	out->one.node.count = all;
	if (!spec->cpus_per_core ||
	    (of->threads && spec->cpus_per_core > of->threads))
		out->one.cpus_per_core = of->threads;
	/* More nodes than there are cannot be had, but may be asked for. Whole nodes beyond
	 * those of a kind are of other kinds. */
	if (spec->exclusive && spec->kinds > 1 && of->count < all &&
	    of->count >= spec->min_nodes)
		most = of->count;
	if (most && spec->max_nodes > most && spec->min_nodes <= most) {
		out->one.max_nodes = most;
		out->one.nodes_changed = true;
	}
	if (eqt_job_spec_compute(&totals, prices, &out->one, NULL) < 0)
		return false;
	out->nodes = eqt_node_offers(&out->one, &totals, &asked, of);
	out->limit = eqt_node_offers_limit(&out->one, of);
	out->least = totals.nodes;
	out->demand = totals.demand;
	out->split = eqt_node_offers_split(&out->one, &totals, of, out->nodes);
	out->fits = out->nodes && out->split <= out->limit &&
		    ref_lays_out(spec, of);
	if (out->fits && out->nodes > out->limit)
		out->nodes = out->split;
	return true;
}

static uint64_t ref_fewest(const struct eqt_job_spec *spec)
{
	uint64_t fewest = 0;

	for (uint32_t i = 0; i < spec->kinds; i++)
		if (kind[i].fits && (!fewest || kind[i].split < fewest))
			fewest = kind[i].split;
	return fewest;
}

/* Add the quote on nodes of one kind, if there are at least so many (0: any number), or so
 * few on which tasks are split (0: none). */
static bool ref_add(struct eqt_quote *quote, bool *any,
		    const struct ref_kind *of, uint64_t least, uint64_t split)
{
	struct eqt_job_spec one = of->one;
	struct eqt_quote other, fewer;

	one.least_nodes = least;
	if (eqt_quote_make(&other, prices, &one, NULL) < 0)
		return false;
	one.least_nodes = split;
	if (split && eqt_quote_make(&fewer, prices, &one, NULL) < 0)
		return false;
	if (split)
		other.by_nodes |= eqt_quote_widen_prices(&other, &fewer);
	one_price &= !eqt_quote_spans(&other);
	if (!*any) {
		*quote = other;
	} else if (eqt_quote_widen_prices(quote, &other)) {
		const bool models = quote->totals.demand.gpus_untyped > 0;

		quote->by_model |= models;
		quote->by_nodes |= !models;
	}
	*any = true;
	return true;
}

/* The GPUs that the request names for the job. */
static uint64_t ref_gpus(const struct eqt_job_spec *spec)
{
	struct eqt_job_totals totals;

	if (spec->exclusive) {
		totals.gpus = 0;
		for (uint32_t i = 0; i < asked.count; i++)
			if (strcmp(asked.row[i].name, "gpu") == 0)
				totals.gpus +=
					asked.row[i].count[EQT_GRES_JOB];
	} else {
		ck_assert_int_eq(
			eqt_job_spec_compute(&totals, prices, spec, NULL), 0);
	}
	return totals.gpus;
}

/* Why no kind holds it. */
static enum eqt_quote_lack ref_lack(const struct eqt_job_spec *spec)
{
	const struct eqt_node_offer_gpus wanted = { .per_job = ref_gpus(spec) };
	uint64_t any = 0;

	for (uint32_t i = 0; i < spec->kinds; i++)
		any |= kind[i].nodes;
	if (spec->more_kinds || (spec->constraint && *spec->constraint))
		return EQT_QUOTE_LACK_NOTHING;
	if (!any)
		return EQT_QUOTE_LACK_SIZE;
	if (!spec->overcommit && !eqt_node_offer_has_room(spec, &wanted))
		return EQT_QUOTE_LACK_ROOM;
	if (eqt_node_offer_number_has_room(spec, &wanted))
		return EQT_QUOTE_LACK_NOTHING;
	return eqt_node_offer_most_nodes(spec) == spec->max_nodes
		       ? EQT_QUOTE_LACK_NUMBER
		       : EQT_QUOTE_LACK_TASKS;
}

/* The nodes that there are for it; UINT64_MAX where others may do as well. */
static uint64_t ref_all_nodes(const struct eqt_job_spec *spec)
{
	uint64_t nodes = 0;

	if (spec->more_kinds || spec->constraint || spec->tres_per_job)
		return UINT64_MAX;
	for (uint32_t i = 0; i < spec->kinds; i++)
		nodes += spec->kind[i].count;
	return nodes;
}

/* ---- One task on each of a number of nodes ------------------------------------------ */

/* What its nodes have, of any choice of them. */
struct ref_choices {
	uint64_t nodes;
	struct eqt_demand least, most; /* of each resource by itself */
	struct eqt_price low, high; /* of one choice */
	bool any;
};

/* The price of one choice of nodes. */
static void ref_choose(struct ref_choices *out, const struct eqt_demand *demand)
{
	struct eqt_price low, high;

	ck_assert_int_eq(eqt_price_range(&low, &high, prices, demand, NULL), 0);
	if (!out->any) {
		out->least = out->most = *demand;
		out->low = low;
		out->high = high;
	}
	out->any = true;
	if (eqt_frac_cmp(low.charge, out->low.charge) < 0)
		out->low = low;
	if (eqt_frac_cmp(high.charge, out->high.charge) > 0)
		out->high = high;
	eqt_whole_raise(&out->most.cores, demand->cores);
	eqt_whole_raise(&out->most.mem_mib, demand->mem_mib);
	out->least.cores = eqt_whole_min(out->least.cores, demand->cores);
	out->least.mem_mib = eqt_whole_min(out->least.mem_mib, demand->mem_mib);
}

/* All choices of nodes of the kinds from this one on, beside those of demand. */
static void ref_all_choices(struct ref_choices *out,
			    const struct eqt_job_spec *spec, uint32_t i,
			    struct eqt_demand demand)
{
	if (demand.nodes == out->nodes)
		ref_choose(out, &demand);
	if (demand.nodes == out->nodes || i == spec->kinds)
		return;
	ref_all_choices(out, spec, i + 1, demand);
	for (uint64_t n = 1; kind[i].fits && n <= spec->kind[i].count &&
			     demand.nodes < out->nodes;
	     n++) {
		demand.nodes++;
		demand.cores += kind[i].demand.cores / out->nodes;
		demand.mem_mib += kind[i].demand.mem_mib / out->nodes;
		demand.disk += kind[i].demand.disk / out->nodes;
		ref_all_choices(out, spec, i + 1, demand);
	}
}

static bool ref_has_single_tasks(const struct eqt_job_spec *spec)
{
	struct eqt_job_totals totals;
	bool few = false, even = true;

	ck_assert_int_eq(eqt_job_spec_compute(&totals, prices, spec, NULL), 0);
	for (uint32_t i = 0; i < spec->kinds; i++) {
		few |= spec->kind[i].count < spec->min_nodes;
		/* CR_CPU gives parts of a core. */
		even &= !kind[i].fits || spec->min_nodes == 0 ||
			kind[i].demand.cores % spec->min_nodes == 0;
	}
	return few && even && spec->kinds > 1 && !spec->exclusive &&
	       spec->min_nodes > 1 && spec->max_nodes == spec->min_nodes &&
	       totals.nodes == spec->min_nodes &&
	       totals.tasks == spec->min_nodes && totals.gpus == 0 &&
	       totals.cpus_asked ==
		       totals.nodes * eqt_whole_max(totals.cpus_per_task,
						    totals.cpus_per_node) &&
	       !spec->overcommit && !spec->more_kinds;
}

/* Its range is that of all choices. Where nodes have other memory as well as other cores,
 * each end is that of both, which no choice may have. */
static void ref_single_tasks(struct eqt_quote *quote,
			     const struct eqt_job_spec *spec, size_t *singles)
{
	struct ref_choices choices = { .nodes = spec->min_nodes };
	struct eqt_price other, low, high;

	ref_all_choices(&choices, spec, 0, (struct eqt_demand){ .nodes = 0 });
	if (!choices.any)
		return;
	ck_assert_int_eq(eqt_price_range(&low, &other, prices, &choices.least,
					 NULL), 0);
	ck_assert_int_eq(eqt_price_range(&other, &high, prices, &choices.most,
					 NULL), 0);
	ck_assert_int_eq(eqt_frac_cmp(high.charge, choices.high.charge), 0);
	ck_assert_int_le(eqt_frac_cmp(low.charge, choices.low.charge), 0);
	quote->low = low;
	quote->high = high;
	quote->by_nodes = eqt_frac_cmp(low.charge, high.charge) != 0;
	++*singles;
}

/* ---- Parts of nodes of several kinds ----------------------------------------------- */

/* Can some of the job's nodes be of that kind? */
static bool ref_takes_part(uint32_t i, uint64_t fewest)
{
	return kind[i].fits || (fewest && kind[i].nodes > kind[i].limit &&
				kind[i].limit > 1);
}

/* What depends on the kind of a node: its cores, all of its memory, its model of GPUs. */
static int ref_unlike(const struct eqt_job_spec *spec, uint64_t fewest,
		      bool all_mem)
{
	uint32_t count = 0, last = 0;
	bool cores = false;

	for (uint32_t i = 0; i < spec->kinds; i++) {
		if (!ref_takes_part(i, fewest))
			continue;
		cores |= count > 0 &&
			 (spec->kind[i].threads != spec->kind[last].threads ||
			  (spec->whole_sockets &&
			   (spec->kind[i].cpus != spec->kind[last].cpus ||
			    spec->kind[i].sockets != spec->kind[last].sockets)));
		count++;
		last = i;
	}
	/* Whole sockets are enough by themselves. */
	if (cores && spec->whole_sockets)
		return 2;
	return count < 2 ? 0
			 : cores + all_mem +
				   (kind[last].demand.gpus_untyped > 0);
}

/* The fewest cores of a socket that no GPUs are on. */
static uint64_t ref_socket(const struct eqt_job_spec *spec, uint64_t fewest)
{
	uint64_t least = UINT64_MAX;

	for (uint32_t i = 0; i < spec->kinds; i++) {
		const struct eqt_node_offer *of = &spec->kind[i];
		uint64_t cores = of->threads > 1 ? of->cpus / of->threads
						 : of->cpus;

		if (of->sockets > 1)
			cores /= of->sockets;
		if (ref_takes_part(i, fewest))
			least = eqt_whole_min(least, of->gres ? 0 : cores);
	}
	return least;
}

/* The quote on nodes that have so much memory and GPUs of any model. */
static bool ref_add_mixed(struct eqt_quote *quote,
			  const struct eqt_job_spec *spec, uint64_t fewest,
			  uint64_t mem_mib, bool low)
{
	struct eqt_quote mixed;
	bool any = false;

	for (uint32_t i = 0; i < spec->kinds; i++) {
		struct ref_kind one = kind[i];
		uint64_t nodes = fewest;

		one.one.node.mem_mib = mem_mib;
		one.one.node.differ = true;
		if (low && spec->whole_sockets) {
			one.one.whole_sockets = false;
			eqt_whole_raise(&one.one.min_cpus,
					fewest * ref_socket(spec, fewest) *
						eqt_whole_max(
							spec->kind[i].threads,
							1));
		}
		if (one.fits)
			eqt_whole_raise(&nodes, one.nodes);
		if (ref_takes_part(i, fewest) &&
		    !ref_add(&mixed, &any, &one, nodes, 0))
			return false;
	}
	if (fewest < 2)
		mixed.low = quote->low;
	if (fewest < 2 && spec->max_nodes == 0)
		mixed.high = quote->high;
	mixed.least = false;
	(void) eqt_quote_widen_prices(quote, &mixed);
	return true;
}

static bool ref_mix(struct eqt_quote *quote, const struct eqt_job_spec *spec,
		    uint64_t fewest)
{
	struct eqt_job_totals totals;
	uint64_t least = UINT64_MAX, most = 0;

	if (eqt_job_spec_compute(&totals, prices, spec, NULL) < 0)
		return false;
	for (uint32_t i = 0; i < spec->kinds; i++) {
		if (!ref_takes_part(i, fewest))
			continue;
		least = eqt_whole_min(least, spec->kind[i].mem_mib);
		eqt_whole_raise(&most, spec->kind[i].mem_mib);
	}
	if (spec->exclusive || spec->max_nodes == 1 ||
	    (fewest < 2 && spec->max_nodes == 0 && spec->tasks < 2) ||
	    ref_unlike(spec, fewest, totals.mem == EQT_MEM_ALL) < 2)
		return true;
	return ref_add_mixed(quote, spec, fewest, most, false) &&
	       ref_add_mixed(quote, spec, fewest, least, true);
}

static bool ref_quote(struct eqt_quote *quote, const struct eqt_job_spec *spec,
		      size_t *singles)
{
	struct eqt_job_totals totals;
	uint64_t fewest;
	bool any = false, alone = true;

	/* Its own lists must be good, whatever the nodes have. */
	if (eqt_job_spec_compute(&totals, prices, spec, NULL) < 0)
		return false;
	for (uint32_t i = 0; i < spec->kinds; i++)
		if (!ref_kind_make(&kind[i], spec, &spec->kind[i]))
			return false;
	fewest = ref_fewest(spec);
	one_price = true;
	for (uint32_t i = 0; i < spec->kinds; i++)
		if (kind[i].fits &&
		    !ref_add(quote, &any, &kind[i],
			     kind[i].nodes > kind[i].least ? kind[i].nodes : 0,
			     kind[i].split < kind[i].nodes ? kind[i].split : 0))
			return false;
	/* Beside nodes of another kind some may be part of the job that are too few for
	 * it, or that it needs more of. */
	for (uint32_t i = 0; fewest && i < spec->kinds; i++)
		if ((kind[i].nodes > kind[i].limit && kind[i].limit > 1) ||
		    (kind[i].fits && kind[i].nodes > fewest && fewest > 1)) {
			alone = false;
			if (!ref_add(quote, &any, &kind[i], fewest, 0))
				return false;
		}
	for (uint32_t i = 0; !fewest && i < spec->kinds; i++)
		if (!ref_add(quote, &any, &kind[i], 0, 0))
			return false;
	if (!fewest)
		quote->lack = ref_lack(spec);
	/* What the partition never gives is said where nothing else is wrong. */
	if (!quote->lack && spec->max_nodes &&
	    spec->max_nodes < spec->limit.min_nodes)
		quote->lack = EQT_QUOTE_LACK_LEAST;
	if (spec->node.count && spec->min_nodes > spec->node.count &&
	    (!quote->lack || quote->lack == EQT_QUOTE_LACK_LEAST))
		quote->lack = EQT_QUOTE_LACK_MOST;
	if (!quote->lack && ref_all_nodes(spec) < spec->min_nodes)
		quote->lack = EQT_QUOTE_LACK_ROOM;
	quote->least |= spec->more_kinds;
	if (!quote->lack && alone && one_price && ref_has_single_tasks(spec))
		ref_single_tasks(quote, spec, singles);
	else if (!quote->lack && !ref_mix(quote, spec, fewest))
		return false;
	/* Of the whole request: test_quote_property has its rules. The cheaper request is
	 * priced here, whatever its kinds of nodes. */
	quote->steady = false;
	eqt_quote_advice_find(quote, spec);
	return true;
}

/* ---- Requests ------------------------------------------------------------------- */

static struct eqt_job_spec spec_draw_kinds(struct eqt_random *random)
{
	static const char *const gres[] = { NULL, "gpu:p100:1", "gpu:p100:2",
					    "gpu:v100:4" };
	struct eqt_job_spec spec = spec_draw(random);

	spec.kinds = 1 + (uint32_t) eqt_random_below(random, 3);
	/* One more is there than counts. */
	for (uint32_t i = 0; i <= spec.kinds; i++)
		spec.kind[i] = (struct eqt_node_offer){
			.cpus = 1 + eqt_random_below(random, 16),
			.mem_mib = 4000 * (1 + eqt_random_below(random, 20)),
			.gres = gres[eqt_random_below(random, 4)],
			.count = seldom(random, 20)
					 ? 0
					 : 1 + eqt_random_below(random, 4),
			.threads = 1 + eqt_random_below(random, 2),
			.sockets = eqt_random_below(random, 3),
		};
	if (spec.min_nodes > 1 && seldom(random, 4))
		spec.tasks = spec.max_nodes = spec.min_nodes;
	spec.no_node = false;
	if (seldom(random, 30))
		spec.kinds = EQT_NODE_OFFER_KINDS;
	if (spec.kinds == 1)
		spec.exclusive = seldom(random, 3);
	spec.more_kinds = seldom(random, 20);
	spec.limit.min_nodes = seldom(random, 10) ? 2 : 0;
	if (seldom(random, 8))
		spec.constraint = seldom(random, 2) ? "" : "x";
	asked = (struct eqt_gres_rows){ .row = asked_row,
					.room = EQT_GRES_MAX };
	if (eqt_job_spec_read_asked(&asked, prices, &spec, NULL) < 0)
		asked.count = 0;
	return spec;
}

/* The same request, with lists that have been read before. */
static int quote_by_lists(struct eqt_quote *out,
			  const struct eqt_job_spec *spec)
{
	static struct eqt_gres_row rows[4][EQT_GRES_MAX];
	struct eqt_job_spec_lists lists = {
		.totals = { .row = rows[0], .room = EQT_GRES_MAX },
		.each = { .row = rows[1], .room = EQT_GRES_MAX },
		.spare = rows[2],
	};
	struct eqt_parsed_spec parsed;

	eqt_job_spec_lists_read(&lists, prices, spec);
	if (eqt_counted_by_lists(&parsed, prices, spec, &lists, rows[3]) < 0)
		return -1;
	return eqt_quote_count(out, prices, spec, &parsed, NULL);
}

/* A quote without what more nodes would cost is the same in all else. */
static void check_unspread(const struct eqt_quote *quote,
			   const struct eqt_job_spec *spec, int seed)
{
	struct eqt_parsed_spec parsed;
	struct eqt_quote other;

	ck_assert_int_eq(eqt_parsed_spec_make(&parsed, prices, spec, NULL), 0);
	ck_assert_int_eq(eqt_quote_price_unspread(&other, prices, spec, &parsed,
					    NULL),
			 0);
	ck_assert_msg(price_is(&other.low, &quote->low) &&
			      price_is(&other.high, &quote->high) &&
			      other.also == quote->also &&
			      (!other.also ||
			       (price_is(&other.also_low, &quote->also_low) &&
				price_is(&other.also_high,
					 &quote->also_high))) &&
			      other.least == quote->least &&
			      other.lack == quote->lack &&
			      other.minutes == quote->minutes &&
			      other.spread_nodes == 0,
		      "request %d", seed);
}

START_TEST(a_quote_is_the_range_of_the_kinds_that_hold_it)
{
	size_t lacks = 0, ranges = 0, refused = 0, singles = 0, spreads = 0;

	for (int seed = 1; seed <= REQUESTS; seed++) {
		struct eqt_random random = { (uint64_t) seed };
		struct eqt_quote quote, ref = { .minutes = 0 };
		struct eqt_job_spec spec;
		bool priced;

		prices = &tables[seed % 2];
		spec = spec_draw_kinds(&random);
		priced = ref_quote(&ref, &spec, &singles);
		ck_assert_msg((eqt_quote_make(&quote, prices, &spec, NULL) ==
			       0) == priced,
			      "request %d", seed);
		refused += !priced;
		if (!priced)
			continue;
		check_unspread(&quote, &spec, seed);
		spreads += quote.spread_nodes > 0;
		/* Whole nodes of several kinds are mixed: test_quote_mix. */
		if (spec.exclusive && spec.kinds > 1 && !ref.lack)
			continue;
		quote_compare(&quote, &ref, seed);
		ck_assert_int_eq(quote_by_lists(&quote, &spec), 0);
		quote_compare(&quote, &ref, seed);
		ck_assert_msg(quote.also == ref.also &&
				      (!ref.also ||
				       (price_is(&quote.also_low,
						 &ref.also_low) &&
					price_is(&quote.also_high,
						 &ref.also_high))),
			      "request %d: the other unit", seed);
		lacks += ref.lack != EQT_QUOTE_LACK_NOTHING;
		ranges += ref.by_nodes;
	}
	/* The requests have something to show. */
	ck_assert_uint_lt(refused, REQUESTS / 2);
	ck_assert_uint_gt(lacks, REQUESTS / 50);
	ck_assert_uint_gt(ranges, REQUESTS / 10);
	ck_assert_uint_gt(singles, REQUESTS / 1000);
	ck_assert_uint_gt(spreads, REQUESTS / 50);
}
END_TEST

/* Prices that are computed when a request is priced. */
static uint32_t steps_of(const struct eqt_job_spec *spec)
{
	struct eqt_bundle_table table = tables[0];
	uint32_t steps = 1000000;
	struct eqt_quote quote;

	table.steps = &steps;
	ck_assert_int_eq(eqt_quote_make(&quote, &table, spec, NULL), 0);
	ck_assert_int_eq(quote.lack, EQT_QUOTE_LACK_NOTHING);
	return 1000000 - steps;
}

/* Six for each kind, and one for each two rows of what is asked for: those of whole nodes
 * are read twice. */
START_TEST(a_kind_takes_as_many_steps_as_it_has_rows)
{
	static const struct {
		const char *tres_per_job;
		bool exclusive;
		uint32_t steps;
	} rows[] = { { NULL, false, 6 },
		     { "gres:gpu:p100:1", false, 6 },
		     { "gres:gpu:p100:1,gres:gpu:v100:1", false, 7 },
		     { "gres:gpu:p100:1,gres:gpu:v100:1", true, 8 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct eqt_job_spec spec = {
			.tasks = 2,
			.tres_per_job = rows[i].tres_per_job,
			.exclusive = rows[i].exclusive,
			.max_nodes = 1,
			.kinds = 1,
			.kind = { { .cpus = 4,
				    .mem_mib = 8000,
				    .gres = "gpu:p100:1,gpu:v100:1",
				    .count = 2,
				    .threads = 1 } },
		};
		struct eqt_job_spec one = spec;

		one.kinds = 0;
		one.node = spec.kind[0];
		ck_assert_uint_eq(steps_of(&spec),
				  steps_of(&one) + rows[i].steps);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("quote_kinds_property");
	TCase *tc = tcase_create("quote_kinds_property");

	tcase_set_timeout(tc, 600);
	tcase_add_test(tc, a_quote_is_the_range_of_the_kinds_that_hold_it);
	tcase_add_test(tc, a_kind_takes_as_many_steps_as_it_has_rows);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
