/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_rules: what partitions and QOS change in a price table, from the words
 * of the file to the price and the refusal.
 */
#include "quote/price_message.h"
#include "quote/quote.h"
#include "../rules_conf.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define MEM(mib) .mem = EQT_MEM_PER_NODE, .mem_mib = (mib)

#define T4 "bundle gpu:t4 { cores = 4 memory = 49000M nodes = gra[1-10],g }\n" \
	"bundle gpu:t4 { cores = 11 memory = 49000M }\n"

/* ---- The price ----------------------------------------------------------- */

static const struct price_row {
	const char *name;
	const char *rules;
	const char *partition, *qos;
	struct eqt_job_spec spec;
	const char *brief;
} price_rows[] = {
	{ "a partition's factor", "partition express { factor = 3 }",
	  "express", NULL, { .tasks = 2, MEM(10000), .minutes = 60 },
	  "cost 2.5 core-equivalents (memory decides) ×3 in partition "
	  "express, 7.5 h for 1:00:00; --mem=8000M: 2" },
	{ "another partition", "partition express { factor = 3 }",
	  "cpu", NULL, { .tasks = 2, .minutes = 60 },
	  "cost 2 core-equivalents (cores decide), 2 h for 1:00:00" },
	{ "no partition is known", "partition express { factor = 3 }",
	  NULL, NULL, { .tasks = 2 }, "cost 2 core-equivalents (cores decide)" },
	{ "part of a name is no name", "partition express { factor = 3 }",
	  "expres", NULL, { .tasks = 2 },
	  "cost 2 core-equivalents (cores decide)" },
	{ "a factor of 1 is not told", "partition express { factor = 1.0 }",
	  "express", NULL, { .tasks = 2, .minutes = 60 },
	  "cost 2 core-equivalents (cores decide), 2 h for 1:00:00" },
	{ "a QOS has a factor", "qos low { factor = 0.5 }",
	  "cpu", "low", { .tasks = 2, .minutes = 60 },
	  "cost 2 core-equivalents (cores decide) ×0.5 in QOS low, 1 h "
	  "for 1:00:00" },
	{ "a QOS is no partition", "qos low { factor = 0.5 }",
	  "low", NULL, { .tasks = 2 }, "cost 2 core-equivalents (cores decide)" },
	{ "factors multiply",
	  "partition express { factor = 3 } qos low { factor = 0.5 }",
	  "express", "low", { .tasks = 2, .minutes = 60 },
	  "cost 2 core-equivalents (cores decide) ×3 in partition "
	  "express ×0.5 in QOS low, 3 h for 1:00:00" },
	{ "a factor of 0 is free", "qos bonus { factor = 0 }",
	  NULL, "bonus", { .tasks = 2, .minutes = 60 },
	  "free (QOS bonus)" },
	{ "a factor of 0 makes a partition free", "partition test { factor = 0 }",
	  "test", NULL, { .tasks = 2, .minutes = 60 },
	  "free (partition test)" },
	{ "one model holds", "partition gpu { bundles = cores,gpu:p100 }",
	  "gpu", NULL, { .tres_per_job = "gres:gpu:1", .cpus_per_task = 12 },
	  "cost 2 GPU-equivalents (cores decide); --cpus-per-task=6: 1" },
	{ "several models hold",
	  "partition gpu { bundles = \"gpu:v100,gpu:p100\" }",
	  "gpu", NULL, { .tres_per_job = "gres:gpu:1" },
	  "cost 1 to 2 GPU-equivalents (the model decides)" },
	{ "cores among GPUs", "partition gpu { bundles = gpu:p100 }",
	  "gpu", NULL, { .tasks = 3, MEM(1000) },
	  "cost 0.5 GPU-equivalents (cores decide)" },
	{ "cores among GPUs cost the dearest",
	  "partition gpu { bundles = gpu:p100,gpu:v100 }",
	  "gpu", NULL, { .tasks = 12, MEM(1000) },
	  "cost 3 GPU-equivalents (cores decide)" },
	{ "cores hold among GPUs", "partition gpu { bundles = cores,gpu:p100 }",
	  "gpu", NULL, { .tasks = 3, MEM(1000) },
	  "cost 3 core-equivalents (cores decide)" },
	{ "bundles of other nodes", T4, NULL, NULL,
	  { .tres_per_job = "gres:gpu:t4:1", .tasks = 8, .minutes = 60 },
	  "cost 1 to 2 GPU-equivalents (the nodes decide), 1 to 2 h for "
	  "1:00:00" },
	{ "bundles of other nodes that cost the same", T4, NULL, NULL,
	  { .tres_per_job = "gres:gpu:t4:2", .tasks = 4 },
	  "cost 2 GPU-equivalents (GPUs decide)" },
	{ "bundles of other nodes among the models",
	  T4 "partition gpu { bundles = gpu:t4 }", "gpu", NULL,
	  { .tres_per_job = "gres:gpu:1", .tasks = 8 },
	  "cost 1 to 2 GPU-equivalents (the model decides)" },
	{ "other nodes' bundles do not hold",
	  T4 "partition gpu { bundles = gpu:p100 }", "gpu", NULL,
	  { .tres_per_job = "gres:gpu:1", .tasks = 12 },
	  "cost 2 GPU-equivalents (cores decide); -n6: 1" },
	{ "two models, one with other nodes", T4, NULL, NULL,
	  { .tres_per_job = "gres:gpu:t4:1,gres:gpu:p100:1", .tasks = 17 },
	  "cost 2.8333 to 4.25 GPU-equivalents (the nodes decide)" },
	{ "the least of a job", "minimum = 1.5", NULL, NULL,
	  { .tasks = 1, MEM(10), .minutes = 60 },
	  "cost 1.5 core-equivalents (the least for a job), 1.5 h for "
	  "1:00:00" },
	{ "the least does not lower", "minimum = 1.5", NULL, NULL,
	  { .tasks = 2 }, "cost 2 core-equivalents (cores decide)" },
	{ "a factor is put on the least",
	  "minimum = 4 partition express { factor = 3 }", "express", NULL,
	  { .tasks = 1, .minutes = 60 },
	  "cost 4 core-equivalents (the least for a job) ×3 in partition "
	  "express, 12 h for 1:00:00" },
	{ "rounded up to whole units", "round_unit = 1", NULL, NULL,
	  { .tasks = 2, MEM(10000) },
	  "cost 3 core-equivalents (memory decides); --mem=8000M: 2" },
	{ "rounded up to quarters", "round_unit = 4", NULL, NULL,
	  { .tasks = 2, MEM(8001) },
	  "cost 2.25 core-equivalents (memory decides); --mem=8000M: 2" },
	{ "a multiple stays", "round_unit = 4", NULL, NULL,
	  { .tasks = 2, MEM(9000) },
	  "cost 2.25 core-equivalents (memory decides); --mem=8000M: 2" },
	{ "cores and memory of a partition",
	  "partition big { cores = 1 memory = 16000M }", "big", NULL,
	  { .tasks = 2, MEM(40000) },
	  "cost 2.5 core-equivalents (memory decides); --mem=32000M: 2" },
	{ "cores of a partition that does not count memory",
	  "partition nodes { cores = 32 }", "nodes", NULL,
	  { .tasks = 64, MEM(400000) },
	  "cost 2 core-equivalents (cores decide)" },
	{ "not of another partition",
	  "partition big { cores = 1 memory = 16000M } partition cpu { }",
	  "cpu", NULL, { .tasks = 2, MEM(10000) },
	  "cost 2.5 core-equivalents (memory decides); --mem=8000M: 2" },
	{ "rounding nothing to nothing", "round_unit = 4", NULL, NULL,
	  { .overcommit = true, MEM(0) },
	  "cost 1 core-equivalent (cores decide)" },
	{ "rounding does not wrap", "round_unit = 1000000", NULL, NULL,
	  { .tasks = UINT64_MAX },
	  "cost 18446744073709551615 core-equivalents (cores decide)" },
	{ "hyper-threads", "", NULL, NULL,
	  { .tasks = 3, .cpus_per_core = 2, .mem = EQT_MEM_PER_CPU,
	    .mem_mib = 4000 },
	  "cost 4 core-equivalents (memory decides); "
	  "--mem-per-cpu=2000M: 2" },
	{ "a core for each task", "", NULL, NULL,
	  { .tasks = 3, .cpus_per_core = 2, .task_per_core = true,
	    .mem = EQT_MEM_PER_CPU, .mem_mib = 1000 },
	  "cost 3 core-equivalents (cores decide)" },
	{ "a core on each node", "", NULL, NULL,
	  { .tasks = 4, .min_nodes = 4, .max_nodes = 4, .cpus_per_core = 2 },
	  "cost 4 core-equivalents (cores decide)" },
	{ "a whole node of hyper-threads", "", NULL, NULL,
	  { .exclusive = true, .cpus_per_core = 2,
	    .node = { .cpus = 16, .mem_mib = 16000, .gres = "" } },
	  "cost 8 core-equivalents (cores decide)" },
};

START_TEST(price_is_by_the_rules_of_the_queues)
{
	const struct price_row *row = &price_rows[_i];
	const struct eqt_conf *conf = conf_of(row->rules);
	struct eqt_error err = { "" };
	char text[EQT_PRICE_MESSAGE_SIZE];
	struct eqt_job_spec spec = row->spec;
	struct eqt_bundle_table prices;
	struct eqt_quote quote;

	eqt_conf_prices(&prices, conf, row->partition, row->qos);
	spec.node.count = 1;
	ck_assert_msg(eqt_quote_make(&quote, &prices, &spec, &err) == 0,
		      "%s: %s", row->name, err.text);
	ck_assert_str_eq(eqt_price_message_brief(&quote, text, sizeof(text)),
			 row->brief);
	eqt_conf_free(conf);
}
END_TEST

static const struct {
	const char *rules;
	struct eqt_job_spec spec;
	const char *want;
} unpriced_rows[] = {
	{ "partition gpu { bundles = cores,gpu:p100 }",
	  { .tres_per_job = "gres:gpu:v100:1" },
	  "the request has GPUs of a model that has no price" },
	{ "partition gpu { bundles = cores }", { .tres_per_job = "gres:gpu:1" },
	  "the request has GPUs, but no GPU model has a price" },
	{ "partition gpu { factor = 1000000 }", { .tasks = UINT64_MAX },
	  "the request is too large to price" },
};

START_TEST(excluded_bundle_has_no_price)
{
	const struct eqt_conf *conf = conf_of(unpriced_rows[_i].rules);
	struct eqt_error err = { "" };
	struct eqt_bundle_table prices;
	struct eqt_quote quote;

	eqt_conf_prices(&prices, conf, "gpu", NULL);
	ck_assert_int_eq(eqt_quote_make(&quote, &prices, &unpriced_rows[_i].spec,
				       &err), -1);
	ck_assert_str_eq(err.text, unpriced_rows[_i].want);
	eqt_conf_free(conf);
}
END_TEST

/* The bill in one of several partitions of a file, then with more of them. */
static void check_widened(const char *const *partitions,
			  const struct eqt_job_spec *spec, const char *want)
{
	const struct eqt_conf *conf = conf_of(
		"partition express { factor = 3 } partition slow { factor = "
		"0.5 } partition gpu { bundles = gpu:p100 }");
	struct eqt_bundle_table first, other;
	struct eqt_quote quote, more;
	char text[EQT_PRICE_MESSAGE_SIZE];

	eqt_conf_prices(&first, conf, *partitions, NULL);
	ck_assert_int_eq(eqt_quote_make(&quote, &first, spec, NULL), 0);
	while (*++partitions) {
		eqt_conf_prices(&other, conf, *partitions, NULL);
		ck_assert_int_eq(eqt_quote_make(&more, &other, spec, NULL), 0);
		eqt_quote_widen(&quote, &more);
	}
	ck_assert_str_eq(eqt_price_message_brief(&quote, text, sizeof(text)), want);
	eqt_conf_free(conf);
}

/* The bill in two partitions, then in the second one with another QOS. */
static void check_widened_qos(const char *qos, bool by_partition, bool by_qos)
{
	const struct eqt_conf *conf = conf_of(
		"partition express { factor = 3 } qos half { factor = 0.5 }");
	const struct eqt_job_spec spec = { .tasks = 2, MEM(10000),
					   .node.count = 1 };
	struct eqt_bundle_table first, other, third;
	struct eqt_quote quote, more;

	eqt_conf_prices(&first, conf, "cpu", NULL);
	eqt_conf_prices(&other, conf, "express", NULL);
	eqt_conf_prices(&third, conf, "cpu", qos);
	ck_assert_int_eq(eqt_quote_make(&quote, &first, &spec, NULL), 0);
	ck_assert_int_eq(eqt_quote_make(&more, &other, &spec, NULL), 0);
	eqt_quote_widen(&quote, &more);
	ck_assert_int_eq(eqt_quote_make(&more, &third, &spec, NULL), 0);
	eqt_quote_widen(&quote, &more);
	ck_assert_int_eq(quote.by_partition, by_partition);
	ck_assert_int_eq(quote.by_qos, by_qos);
	eqt_conf_free(conf);
}

START_TEST(range_of_partitions_stays_one_when_a_qos_joins)
{
	check_widened_qos(NULL, true, false);
	check_widened_qos("normal", true, false);
	check_widened_qos("half", true, true);
}
END_TEST

START_TEST(bill_of_several_partitions_has_the_range)
{
	const struct eqt_job_spec spec = { .tasks = 2, MEM(10000), .minutes = 60,
				     .node.count = 1 };

	check_widened((const char *const[]){ "cpu", "express", "slow", NULL },
		      &spec,
		      "cost 1.25 to 7.5 core-equivalents (the partition and its factor decide), 1.25 to "
	  "7.5 h for 1:00:00");
	check_widened((const char *const[]){ "cpu", "other", NULL }, &spec,
		      "cost 2.5 core-equivalents (memory decides), 2.5 h for "
	  "1:00:00; --mem=8000M: 2");
	check_widened((const char *const[]){ "cpu", "gpu", NULL }, &spec,
		      "cost 2.5 core-equivalents or 0.3333 GPU-equivalents (the "
	  "partition decides), 2.5 h or 0.3333 h for 1:00:00");
}
END_TEST

START_TEST(bill_in_full_has_the_bundles_of_other_nodes)
{
	const struct eqt_job_spec spec = { .tres_per_job = "gres:gpu:t4:1",
				     .tasks = 8, MEM(1000) };
	const struct eqt_conf *conf = conf_of(T4);
	char text[EQT_PRICE_MESSAGE_SIZE];
	struct eqt_quote quote;

	ck_assert_int_eq(eqt_quote_make(&quote, &conf->prices, &spec, NULL), 0);
	ck_assert_str_eq(eqt_price_message_full(&quote, text, sizeof(text)),
			 "cost 1 to 2 GPU-equivalents (the nodes decide)\n"
			 "  GPUs    1 gpu:t4\n"
			 "  cores   8\n"
			 "  memory  1000M\n"
			 "  as gpu:t4 on gra[1-10],g: 2, decided by cores\n"
			 "  as gpu:t4: 1, decided by GPUs");
	eqt_conf_free(conf);
}
END_TEST

START_TEST(bill_in_full_has_the_unit)
{
	const struct eqt_job_spec spec = { .tasks = 2, MEM(8100), .node.count = 1 };
	const struct eqt_conf *conf = conf_of("round_unit = 2 minimum = 2.1");
	char text[EQT_PRICE_MESSAGE_SIZE];
	struct eqt_quote quote;

	ck_assert_int_eq(eqt_quote_make(&quote, &conf->prices, &spec, NULL), 0);
	ck_assert_str_eq(eqt_price_message_full(&quote, text, sizeof(text)),
			 "cost 2.5 core-equivalents (the least for a job)\n"
			 "  cores   2 at 1 an equivalent: 2\n"
			 "  memory  8100M at 4000M an equivalent: 2.025\n"
			 "  a job's least: 2.5");
	eqt_conf_free(conf);
}
END_TEST

START_TEST(placed_request_is_priced_by_its_nodes)
{
	struct eqt_demand demand = { .cores = 16, .placed = true };
	const struct eqt_conf *conf = conf_of(T4);
	struct eqt_price low, high;
	const int few = eqt_bundle_table_find(&conf->prices, "gpu", "t4");
	const int many = eqt_bundle_table_next(&conf->prices, (uint32_t) few);

	ck_assert_int_eq(many, few + 1);
	ck_assert_int_eq(eqt_bundle_table_next(&conf->prices, (uint32_t) many), -1);
	demand.gpus[few] = demand.gpus[many] = 1;
	ck_assert_int_eq(eqt_price_range(&low, &high, &conf->prices, &demand,
					 NULL), 0);
	ck_assert_int_eq(eqt_frac_cmp(low.equivalents,
				      (struct eqt_frac){ 32, 15 }), 0);
	ck_assert_int_eq(eqt_frac_cmp(high.equivalents, low.equivalents), 0);
	eqt_conf_free(conf);
}
END_TEST

/* ---- Refusals ------------------------------------------------------------ */

static const struct {
	const char *name;
	const char *require;
	struct eqt_job_spec spec;
	const char *want; /* NULL: accepted */
} want_rows[] = {
	{ "no time", "time", { .tasks = 1 }, "partition gpu wants --time" },
	{ "time", "time", { .minutes = 1 }, NULL },
	{ "no limit is a limit", "time", { .minutes = EQT_AMOUNT_UNLIMITED },
	  NULL },
	{ "a default is not said", "time", { .defaults.minutes = 60 },
	  "partition gpu wants --time" },
	{ "no memory", "memory", { .minutes = 1 },
	  "partition gpu wants --mem (or --mem-per-cpu, --mem-per-gpu)" },
	{ "memory", "memory", { MEM(1) }, NULL },
	{ "all memory", "memory", { .mem = EQT_MEM_ALL }, NULL },
	{ "memory for each CPU", "memory", { .mem = EQT_MEM_PER_CPU }, NULL },
	{ "memory for each GPU", "memory", { .mem_per_tres = "gres:gpu:1" },
	  NULL },
	{ "no cores", "cores", { .min_cpus = 1 },
	  "partition gpu wants --ntasks or --cpus-per-task" },
	{ "tasks", "cores", { .tasks = 1 }, NULL },
	{ "tasks of nodes", "cores", { .tasks_per_node = 1 }, NULL },
	{ "CPUs of tasks", "cores", { .cpus_per_task = 1 }, NULL },
	{ "CPUs of GPUs", "cores", { .cpus_per_tres = "gres:gpu:6" }, NULL },
	{ "whole nodes", "cores", { .exclusive = true }, NULL },
	{ "all is missing", "cores,time,memory", { .minutes = 0 },
	  "partition gpu wants --time, and --mem (or --mem-per-cpu, "
	  "--mem-per-gpu), and --ntasks or --cpus-per-task" },
	{ "two are missing", "time,memory,cores", { MEM(1) },
	  "partition gpu wants --time, and --ntasks or --cpus-per-task" },
	{ "none is missing", "time,memory,cores",
	  { MEM(1), .minutes = 1, .tasks = 1 }, NULL },
	{ "no local disk", "time require_gres = jobfs",
	  { .minutes = 1, .tres_per_node = "gres:gpu:1" },
	  "partition gpu wants --gres=jobfs" },
	{ "time and local disk are missing", "time require_gres = jobfs",
	  { .tasks = 1 },
	  "partition gpu wants --time, and --gres=jobfs" },
	{ "local disk of a node", "time require_gres = jobfs",
	  { .minutes = 1, .tres_per_node = "gres:gpu:1,gres:jobfs:10G" },
	  NULL },
	{ "local disk of a task, as 24.11 says it", "time require_gres = jobfs",
	  { .minutes = 1, .tres_per_task = "cpu=4,gres/jobfs=10" }, NULL },
	{ "another GRES of which the name begins so",
	  "time require_gres = jobfs",
	  { .minutes = 1, .tres_per_node = "gres:jobfs2:10" },
	  "partition gpu wants --gres=jobfs" },
	{ "none of the local disk", "time require_gres = jobfs",
	  { .minutes = 1, .tres_per_node = "gres:jobfs:0" },
	  "partition gpu wants --gres=jobfs" },
};

START_TEST(refusal_says_what_to_add)
{
	struct eqt_error err = { "" };
	const struct eqt_conf *conf;
	const struct eqt_rule *rule;
	char rules[128];
	uint32_t missing;

	snprintf(rules, sizeof(rules), "partition gpu { require = %s }",
		 want_rows[_i].require);
	conf = conf_of(rules);
	rule = eqt_rules_find(&conf->partitions, "gpu", 3);
	ck_assert_ptr_nonnull(rule);
	missing = eqt_rule_missing(rule, &want_rows[_i].spec, &err);
	ck_assert_msg((missing != 0) == (want_rows[_i].want != NULL), "%s",
		      want_rows[_i].name);
	ck_assert_str_eq(err.text,
			 want_rows[_i].want ? want_rows[_i].want : "");
	eqt_conf_free(conf);
}
END_TEST

START_TEST(cap_is_refused_with_the_number_and_the_cap)
{
	const struct eqt_conf *conf =
		conf_of("partition cpu { max = 2.5 factor = 0.5 } qos q { }");
	const struct eqt_rule *rule =
		eqt_rules_find(&conf->partitions, "cpu", 3);
	struct eqt_demand demand = { .cores = 1, .mem_mib = 10000 };
	struct eqt_error err = { "" };
	struct eqt_bundle_table prices;
	struct eqt_price price;

	eqt_conf_prices(&prices, conf, "cpu", NULL);
	ck_assert_int_eq(eqt_price(&price, &prices, &demand, NULL), 0);
	ck_assert_int_eq(eqt_rule_check(rule, &price, &err), 0);
	demand.mem_mib++;
	ck_assert_int_eq(eqt_price(&price, &prices, &demand, NULL), 0);
	ck_assert_int_eq(eqt_rule_check(rule, &price, &err), -1);
	ck_assert_str_eq(err.text, "2.5003 core-equivalents are more than the "
			 "2.5 of one job in partition cpu");
	ck_assert_int_eq(eqt_rule_check(&conf->qos.rule[0], &price, &err), 0);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(without_rules_nothing_is_added)
{
	const struct eqt_conf *conf = conf_of("");

	ck_assert_uint_eq(conf->partitions.count, 0);
	ck_assert_uint_eq(conf->qos.count, 0);
	ck_assert(!eqt_pools_any(&conf->pools));
	ck_assert(conf->charge_suspended);
	ck_assert(conf->charge_completing);
	ck_assert_uint_eq(conf->prices.minimum_u, 0);
	ck_assert_uint_eq(conf->prices.round_unit, 0);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(section_does_not_inherit_from_the_one_before)
{
	const struct eqt_conf *conf = conf_of(
		"partition a { factor = 3 require = time max = 2 bundles = "
		"cores }\npartition b { }\nqos c { }\ncharge_suspended = no\n"
		"charge_completing = no");
	const struct eqt_rule *rule =
		eqt_rules_find(&conf->partitions, "b", 1);

	ck_assert_uint_eq(rule->factor_u, EQT_MICRO);
	ck_assert_uint_eq(rule->wants, 0);
	ck_assert_uint_eq(rule->max_u, 0);
	ck_assert_uint_eq(rule->models_off, 0);
	ck_assert(!rule->cores_off);
	ck_assert_uint_eq(conf->qos.rule[0].factor_u, EQT_MICRO);
	ck_assert(!conf->charge_suspended);
	ck_assert(!conf->charge_completing);
	eqt_conf_free(conf);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rules");
	TCase *tcase = tcase_create("rules");

#define ADD(test, rows) \
	tcase_add_loop_test(tcase, test, 0, (int) COUNT(rows))
	ADD(price_is_by_the_rules_of_the_queues, price_rows);
	ADD(excluded_bundle_has_no_price, unpriced_rows);
	tcase_add_test(tcase, bill_of_several_partitions_has_the_range);
	tcase_add_test(tcase, range_of_partitions_stays_one_when_a_qos_joins);
	tcase_add_test(tcase, bill_in_full_has_the_bundles_of_other_nodes);
	tcase_add_test(tcase, bill_in_full_has_the_unit);
	tcase_add_test(tcase, placed_request_is_priced_by_its_nodes);
	ADD(refusal_says_what_to_add, want_rows);
	tcase_add_test(tcase, cap_is_refused_with_the_number_and_the_cap);
	tcase_add_test(tcase, without_rules_nothing_is_added);
	tcase_add_test(tcase, section_does_not_inherit_from_the_one_before);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
