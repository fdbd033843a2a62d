/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_terms: prices of several terms, of costs by amount and of nodes, each computed by
 * hand. The files are read as a site writes them.
 */
#include <stdio.h>
#include <unistd.h>

#include "conf/conf.h"
#include "quote/price_message.h"
#include "../scratch_file.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define GIB UINT64_C(1024)

/* A sum; a sum of maxima; nodes; powers of 1000. Local disk is counted in bytes. */
static const char file[] =
	"local_disk = nvme\n"
	"bundle cores {\n"
	"	term { cores = 1 per core }\n"
	"	term { memory = 0.1 per G }\n"
	"	term { disk = 0.006 per G }\n"
	"}\n"
	"bundle gpu:a {\n"
	"	term { gpu = 60 }\n"
	"	term { cores = 1 per core }\n"
	"	term { memory = 0.1 per G }\n"
	"}\n"
	"bundle gpu:b { cores = 12  memory = 96G  weight = 6 }\n"
	"bundle gpu:c {\n"
	"	term { gpu = 8  cores = 4 }\n"
	"	term { node = 3 }\n"
	"}\n"
	"bundle gpu:d { term { gpu = 5 } term { disk = 1 per 100G } }\n"
	"partition maxima {\n"
	"	term { cores = 0.75 per core  memory = 0.375 per G }\n"
	"	term { disk = 0.02 per G }\n"
	"}\n"
	"partition amounts {\n"
	"	term { cores = 2  memory = 8G }\n"
	"	term { disk = 50G }\n"
	"}\n"
	"partition nodes { node = 100 }\n"
	"partition both { cores = 1  node = 4 }\n"
	"partition decimal { cores = 1  memory = 2GB }\n"
	"partition decimals { term { cores = 0.5 per core }\n"
	"	term { memory = 0.25 per GB } }\n"
	"partition big { node = 10  factor = 2  big_factor = 0.5 from 3 }\n"
	"partition all { term { cores = 1 per core } term { gpu = 15 } }\n";

static const struct eqt_conf *conf_of(const char *text)
{
	char path[SCRATCH_PATH_SIZE];
	const struct eqt_conf *conf;
	struct eqt_error err = { "" };
	int fd = scratch_file(path);

	ck_assert_int_eq((int) write(fd, text, strlen(text)),
			 (int) strlen(text));
	conf = eqt_conf_read(path, &err);
	close(fd);
	ck_assert_msg(conf != NULL, "%s", err.text);
	return conf;
}

static const struct row {
	const char *name, *partition;
	struct eqt_demand demand; /* disk in MiB */
	struct eqt_frac price;
	const char *reason;
} rows[] = {
	/* 2 + 10 x 0.1 + 100 x 0.006 */
	{ "a sum of three terms", NULL,
	  { .cores = 2, .mem_mib = 10 * GIB, .disk = 100 * GIB, .nodes = 1 },
	  { 18, 5 }, "cores 2, memory 1, disk 0.6" },
	{ "a sum of which one term costs something", NULL,
	  { .cores = 3, .nodes = 1 }, { 3, 1 }, "cores decide" },
	{ "a sum of nothing", NULL, { .cores = 0 }, { 0, 1 }, "cores decide" },
	{ "one MiB is no more than its part", NULL,
	  { .cores = 1, .mem_mib = 1 }, { 10241, 10240 },
	  "cores 1, memory 0.0001" },
	/* 60 + 10 + 8; one GPU more */
	{ "a GPU with its cores and memory", NULL,
	  { .cores = 10, .mem_mib = 80 * GIB, .gpus = { 1 } }, { 78, 1 },
	  "GPUs 60, cores 10, memory 8" },
	{ "disk without a cost in the bundle of the GPU", NULL,
	  { .cores = 10, .disk = 100 * GIB, .gpus = { 2 } }, { 130, 1 },
	  "GPUs 120, cores 10" },
	{ "a bundle without terms beside others", NULL,
	  { .cores = 24, .mem_mib = 96 * GIB, .gpus = { 0, 1 } }, { 12, 1 },
	  "cores decide" },
	/* cores: 1 of a, 1/2 of b; memory: 0.1 and 1/16 a GiB */
	{ "two models: the dearer rates, and what adds up by one of them", NULL,
	  { .cores = 20, .mem_mib = 160 * GIB, .gpus = { 1, 1 } },
	  { 102, 1 }, "GPUs 66, cores 20, memory 16" },
	/* max(8, 2 a core) + 3 a node */
	{ "GPUs and cores in one term, nodes in another", NULL,
	  { .cores = 6, .nodes = 2, .gpus = { 0, 0, 1 } }, { 18, 1 },
	  "cores 12, nodes 6" },
	{ "GPUs decide their term", NULL,
	  { .cores = 4, .nodes = 1, .gpus = { 0, 0, 1 } }, { 11, 1 },
	  "GPUs 8, nodes 3" },
	{ "cores are not counted", NULL,
	  { .cores = 64, .disk = 50 * GIB, .gpus = { 0, 0, 0, 2 } },
	  { 21, 2 }, "GPUs 10, disk 0.5" },
	/* max(1.5, 3.75) + 2 */
	{ "a sum of maxima: memory", "maxima",
	  { .cores = 2, .mem_mib = 10 * GIB, .disk = 100 * GIB }, { 23, 4 },
	  "memory 3.75, disk 2" },
	{ "a sum of maxima: cores", "maxima",
	  { .cores = 8, .mem_mib = 10 * GIB }, { 6, 1 }, "cores decide" },
	{ "terms of amounts", "amounts",
	  { .cores = 4, .mem_mib = 12 * GIB, .disk = 25 * GIB }, { 5, 2 },
	  "cores 2, disk 0.5" },
	{ "nodes alone", "nodes", { .cores = 999, .nodes = 4 }, { 400, 1 },
	  "nodes decide" },
	{ "cores, or nodes: cores", "both", { .cores = 9, .nodes = 2 },
	  { 9, 1 }, "cores decide" },
	{ "cores, or nodes: nodes", "both", { .cores = 7, .nodes = 2 },
	  { 8, 1 }, "nodes decide" },
	/* 1 GiB is 2^30 / (2 x 10^9) of 2 GB */
	{ "powers of 1000 are exact", "decimal",
	  { .cores = 1, .mem_mib = 5 * GIB }, { 2097152, 781250 },
	  "memory decides" },
	{ "costs of powers of 1000 are exact", "decimals",
	  { .cores = 1, .mem_mib = GIB }, { 3001701, 3906250 },
	  "cores 0.5, memory 0.2684" },
	{ "a partition that prices GPUs of all models", "all",
	  { .cores = 4, .gpus = { 1, 1, 1, 1 } }, { 64, 1 },
	  "GPUs 60, cores 4" },
	{ "a partition that prices GPUs without a model", "all",
	  { .cores = 4, .gpus_untyped = 2 }, { 34, 1 }, "GPUs 30, cores 4" },
	{ "a job without GPUs in such a partition", "all", { .cores = 4 },
	  { 4, 1 }, "cores decide" },
};

START_TEST(a_price_is_the_sum_of_its_terms)
{
	const struct row *row = &rows[_i];
	const struct eqt_conf *conf = conf_of(file);
	char reason[EQT_PRICE_REASON_SIZE];
	struct eqt_bundle_table prices;
	struct eqt_price low, high;
	struct eqt_error err = { "" };
	struct eqt_frac want;

	eqt_conf_prices(&prices, conf, row->partition, NULL);
	ck_assert_msg(eqt_price_range(&low, &high, &prices, &row->demand,
				      &err) == 0, "%s: %s", row->name, err.text);
	ck_assert_int_eq(eqt_frac_make(&want, row->price.num, row->price.den),
			 0);
	ck_assert_msg(low.equivalents.num == want.num &&
			      low.equivalents.den == want.den,
		      "%s: %ju/%ju", row->name,
		      (uintmax_t) low.equivalents.num,
		      (uintmax_t) low.equivalents.den);
	ck_assert_int_eq(eqt_frac_cmp(low.equivalents, high.equivalents), 0);
	ck_assert_str_eq(eqt_price_reason(&low, reason), row->reason);
	/* A bound that tells no models apart is none the lower. */
	ck_assert_int_eq(eqt_price_range_bounds(&low, &high, &prices,
						&row->demand, &err), 0);
	if (eqt_price_terms_by_cores(&prices) || row->demand.gpus[0] ||
	    row->demand.gpus[1])
		ck_assert_int_ge(eqt_frac_cmp(high.equivalents, want), 0);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(a_range_over_models_has_terms_of_each)
{
	const struct eqt_conf *conf = conf_of(file);
	const struct eqt_demand any = { .cores = 10, .nodes = 1,
					.gpus_untyped = 1 };
	struct eqt_bundle_table prices = conf->prices;
	struct eqt_price low, high, least, most;

	ck_assert_int_eq(eqt_price_range(&low, &high, &prices, &any, NULL), 0);
	/* b: max(6, 10 / 2); d: 5; c: max(8, 20) + 3; a: 60 + 10 */
	ck_assert_uint_eq(low.equivalents.num, 5);
	ck_assert_uint_eq(high.equivalents.num, 70);
	ck_assert_int_eq(eqt_price_range_bounds(&least, &most, &prices, &any,
						NULL), 0);
	ck_assert_int_le(eqt_frac_cmp(least.equivalents, low.equivalents), 0);
	ck_assert_int_ge(eqt_frac_cmp(most.equivalents, high.equivalents), 0);
	eqt_conf_free(conf);
}
END_TEST

static const struct hint_row {
	const char *name, *partition;
	struct eqt_job_spec spec;
	const char *message;
} hint_rows[] = {
	/* memory down to what the cores of its term cost: 0.75 / 0.375 G */
	{ "memory of its own term", "maxima",
	  { .tasks = 1, .mem = EQT_MEM_PER_NODE, .mem_mib = 10 * GIB,
	    .tres_per_node = "nvme:100G", .max_nodes = 1 },
	  "cost 5.75 core-equivalents (memory 3.75, disk 2); "
	  "--mem=2048M: 2.75" },
	{ "no hint for memory that is alone in its term", NULL,
	  { .tasks = 1, .mem = EQT_MEM_PER_NODE, .mem_mib = 100 * GIB,
	    .max_nodes = 1 },
	  "cost 11 core-equivalents (cores 1, memory 10)" },
	{ "more nodes cost more", "nodes", { .tasks = 2 },
	  "cost 100 core-equivalents (nodes decide); up to 200 without -N1" },
	{ "a big job", "big", { .tasks = 3, .min_nodes = 3, .max_nodes = 3 },
	  "cost 30 core-equivalents (nodes decide)" },
	{ "a job that is not big", "big",
	  { .tasks = 2, .min_nodes = 2, .max_nodes = 2 },
	  "cost 20 core-equivalents (nodes decide) ×2 in partition big" },
	/* 2 nodes: 20 x 2; 4 nodes: 40 x 1; no charge is below 20 or above 80 */
	{ "a job that may be big", "big",
	  { .tasks = 4, .min_nodes = 2, .max_nodes = 4 },
	  "cost 20 to 80 core-equivalents (the nodes decide)" },
	{ "a range of nodes", "nodes",
	  { .tasks = 8, .min_nodes = 2, .max_nodes = 4 },
	  "cost 200 to 400 core-equivalents (the nodes decide)" },
};

START_TEST(a_message_has_the_parts_and_hints_of_a_term)
{
	const struct hint_row *row = &hint_rows[_i];
	const struct eqt_conf *conf = conf_of(file);
	char text[EQT_PRICE_MESSAGE_SIZE];
	struct eqt_bundle_table prices;
	struct eqt_quote quote;

	eqt_conf_prices(&prices, conf, row->partition, NULL);
	ck_assert_int_eq(eqt_quote_make(&quote, &prices, &row->spec, NULL), 0);
	ck_assert_str_eq(eqt_price_message_brief(&quote, text, sizeof(text)),
			 row->message);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(a_long_message_says_what_counts)
{
	const struct eqt_conf *conf = conf_of(file);
	const struct eqt_job_spec spec = {
		.tasks = 2, .mem = EQT_MEM_PER_NODE, .mem_mib = 10 * GIB,
		.tres_per_node = "nvme:100G", .max_nodes = 1,
	};
	char text[EQT_PRICE_MESSAGE_SIZE];
	struct eqt_bundle_table prices = conf->prices;
	struct eqt_quote quote;

	ck_assert_int_eq(eqt_quote_make(&quote, &prices, &spec, NULL), 0);
	ck_assert_str_eq(
		eqt_price_message_full(&quote, text, sizeof(text)),
		"cost 3.6 core-equivalents (cores 2, memory 1, disk 0.6)\n"
		"  cores   2 at 1 an equivalent: 2, which counts\n"
		"  memory  10240M at 10240M an equivalent: 1, which counts\n"
		"  disk    102400M at 170666.6667M an equivalent: 0.6, "
		"which counts");
	prices.round_unit = 1;
	ck_assert_int_eq(eqt_quote_make(&quote, &prices, &spec, NULL), 0);
	ck_assert_ptr_nonnull(strstr(
		eqt_price_message_full(&quote, text, sizeof(text)),
		"rounded up to a multiple of 1: 4"));
	eqt_conf_free(conf);
}
END_TEST

START_TEST(a_long_message_says_nothing_of_what_is_none)
{
	const struct eqt_conf *conf = conf_of(file);
	const struct eqt_job_spec spec = { .tasks = 2 };
	char text[EQT_PRICE_MESSAGE_SIZE];
	struct eqt_quote quote;

	ck_assert_int_eq(eqt_quote_make(&quote, &conf->prices, &spec, NULL), 0);
	ck_assert_ptr_nonnull(strstr(
		eqt_price_message_full(&quote, text, sizeof(text)),
		"\n  memory  0M: 0"));
	ck_assert_ptr_null(strstr(text, "0, which counts"));
	eqt_conf_free(conf);
}
END_TEST

START_TEST(a_big_job_is_charged_another_factor)
{
	const struct eqt_conf *conf = conf_of(file);
	struct eqt_demand demand = { .nodes = 2 };
	struct eqt_bundle_table prices;
	struct eqt_price price;

	eqt_conf_prices(&prices, conf, "big", NULL);
	ck_assert_int_eq(eqt_price(&price, &prices, &demand, NULL), 0);
	ck_assert_uint_eq(price.charge.num, 40);
	demand.nodes = 3;
	ck_assert_int_eq(eqt_price(&price, &prices, &demand, NULL), 0);
	ck_assert_uint_eq(price.equivalents.num, 30);
	ck_assert_uint_eq(price.charge.num, 30);
	ck_assert_uint_eq(price.usage.num, 30);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(local_disk_in_a_unit_of_the_site_has_a_cost)
{
	const struct eqt_conf *conf = conf_of(
		"local_disk = nvme\n"
		"bundle cores { term { cores = 1 } term { disk = 0.006 per 1 } "
		"}\n");
	const struct eqt_demand demand = { .cores = 1, .disk = 500 };
	struct eqt_price price;

	ck_assert_uint_eq(conf->prices.disk_shift, 0);
	ck_assert_int_eq(eqt_price(&price, &conf->prices, &demand, NULL), 0);
	ck_assert_uint_eq(price.equivalents.num, 4);
	ck_assert_uint_eq(price.equivalents.den, 1);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(a_file_without_terms_has_none)
{
	const struct eqt_conf *conf = conf_of(
		"bundle cores { cores = 1 memory = 4000M }\n"
		"bundle gpu { cores = 6 memory = 62.5G weight = 2 }\n"
		"partition a { cores = 1 memory = 16G }\n");

	ck_assert_ptr_null(conf->prices.cores.terms);
	ck_assert_ptr_null(conf->gpu[0].terms);
	ck_assert_ptr_null(conf->partitions.rule[0].terms);
	eqt_conf_free(conf);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("terms");
	TCase *tcase = tcase_create("terms");

	tcase_add_loop_test(tcase, a_price_is_the_sum_of_its_terms, 0,
			    (int) COUNT(rows));
	tcase_add_test(tcase, a_range_over_models_has_terms_of_each);
	tcase_add_loop_test(tcase, a_message_has_the_parts_and_hints_of_a_term,
			    0, (int) COUNT(hint_rows));
	tcase_add_test(tcase, a_long_message_says_what_counts);
	tcase_add_test(tcase, a_long_message_says_nothing_of_what_is_none);
	tcase_add_test(tcase, a_big_job_is_charged_another_factor);
	tcase_add_test(tcase, local_disk_in_a_unit_of_the_site_has_a_cost);
	tcase_add_test(tcase, a_file_without_terms_has_none);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
