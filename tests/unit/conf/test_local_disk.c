/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_local_disk: local disk from equitree.conf to the text of a price. */
#include <stdio.h>
#include <unistd.h>

#include "conf/conf.h"
#include "quote/price_message.h"
#include "quote/quote.h"
#include "../scratch_conf.h"
#include "../unit.h"
#include "../job/demand.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static const struct eqt_conf *read_text(const char *text, struct eqt_error *err)
{
	FILE *file = fopen(scratch_conf_path, "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
	return eqt_conf_read(scratch_conf_path, err);
}

/* A core with 4000M and 25G of disk, a GPU with four times that. */
#define BYTES                                                             \
	"local_disk = jobfs\n"                                            \
	"bundle cores { cores = 1 memory = 4000M disk = 25G }\n"          \
	"bundle gpu:a { cores = 4 memory = 16000M disk = 100G }\n"        \
	"bundle gpu:b { cores = 8 weight = 2 disk = 400G }\n"             \
	"partition fast { cores = 1 memory = 4000M disk = 100G }\n"

static const struct {
	const char *name;
	struct eqt_job_spec spec;
	uint64_t disk; /* MiB */
	struct eqt_frac price;
	enum eqt_resource dominant;
} rows[] = {
	{ "none", { .tasks = 2 }, 0, { 2, 1 }, EQT_CORES },
	{ "a fair part", { .tres_per_node = "gres:jobfs:25G" }, 25600,
	  { 1, 1 }, EQT_CORES },
	{ "twice that", { .tres_per_node = "gres:jobfs:50G" }, 51200,
	  { 2, 1 }, EQT_DISK },
	{ "of each node", { .tres_per_node = "gres:jobfs:50G", .min_nodes = 2,
			    .tasks = 2 }, 102400, { 4, 1 }, EQT_DISK },
	{ "of two types", { .tres_per_node = "jobfs:ssd:50G,jobfs:hdd:25G" },
	  76800, { 3, 1 }, EQT_DISK },
	{ "bytes that are no whole MiB", { .tres_per_node = "jobfs:1" }, 1,
	  { 1, 1 }, EQT_CORES },
	{ "of the job, and of its tasks",
	  { .tres_per_job = "jobfs:10G", .tres_per_task = "jobfs:25G",
	    .tasks = 3 }, 76800, { 3, 1 }, EQT_CORES },
	{ "more memory than disk",
	  { .tres_per_node = "jobfs:50G", .mem = EQT_MEM_PER_NODE,
	    .mem_mib = 12000 }, 51200, { 3, 1 }, EQT_MEMORY },
	{ "of a GPU", { .tres_per_node = "gpu:a:1,jobfs:100G" }, 102400,
	  { 1, 1 }, EQT_GPUS },
	{ "more than a GPU has", { .tres_per_node = "gpu:a:1,jobfs:150G" },
	  153600, { 3, 2 }, EQT_DISK },
	{ "at the dearest rate of two models",
	  { .tres_per_node = "gpu:a:1,gpu:b:1,jobfs:400G" }, 409600, { 4, 1 },
	  EQT_DISK },
	{ "of whole nodes, whatever is asked for",
	  { .tres_per_node = "jobfs:1G", .exclusive = true,
	    .node = { .cpus = 4, .mem_mib = 8000, .gres = "jobfs:400G",
		      .count = 1 } }, 409600, { 16, 1 }, EQT_DISK },
	{ "of another name", { .tres_per_node = "scratch:400G" }, 0, { 1, 1 },
	  EQT_CORES },
};

START_TEST(local_disk_costs_its_part_of_a_bundle)
{
	const struct eqt_conf *conf = read_text(BYTES, NULL);
	struct eqt_demand demand;
	struct eqt_price price;

	ck_assert_ptr_nonnull(conf);
	ck_assert_int_eq(job_demand(&demand, &conf->prices,
					      &rows[_i].spec, NULL),
			 0);
	ck_assert_msg(demand.disk == rows[_i].disk, "%s: %ju", rows[_i].name,
		      (uintmax_t) demand.disk);
	ck_assert_int_eq(eqt_price(&price, &conf->prices, &demand, NULL), 0);
	ck_assert_msg(eqt_frac_cmp(price.equivalents, rows[_i].price) == 0,
		      "%s: %ju/%ju", rows[_i].name,
		      (uintmax_t) price.equivalents.num,
		      (uintmax_t) price.equivalents.den);
	ck_assert_msg(price.dominant == rows[_i].dominant, "%s", rows[_i].name);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(a_partition_has_its_own_disk_of_a_core)
{
	const struct eqt_conf *conf = read_text(BYTES, NULL);
	const struct eqt_demand demand = { .cores = 1, .disk = 204800 };
	struct eqt_bundle_table prices;
	char reason[EQT_PRICE_REASON_SIZE];
	struct eqt_price price;

	eqt_conf_prices(&prices, conf, "fast", NULL);
	ck_assert_int_eq(eqt_price(&price, &prices, &demand, NULL), 0);
	ck_assert_uint_eq(price.equivalents.num, 2);
	ck_assert_str_eq(eqt_price_reason(&price, reason), "disk decides");
	eqt_conf_free(conf);
}
END_TEST

/* Bundles of one name on other nodes: 1 GPU of each has 500G. */
START_TEST(bundles_of_one_model_sum_their_disk)
{
	const struct eqt_conf *conf = read_text(
		"local_disk = jobfs\nbundle cores { cores = 1 }\n"
		"bundle gpu { cores = 4 disk = 100G nodes = a }\n"
		"bundle gpu { cores = 4 disk = 400G nodes = b }\n",
		NULL);
	const struct eqt_demand demand = { .gpus = { 1, 1 },
					   .disk = 1000 * 1024,
					   .placed = true };
	struct eqt_price price, low, high;

	ck_assert_int_eq(eqt_price(&price, &conf->prices, &demand, NULL), 0);
	ck_assert_int_eq(eqt_frac_cmp(price.equivalents,
				      (struct eqt_frac){ 4, 1 }),
			 0);
	ck_assert_int_eq(eqt_price_range_bounds(&low, &high, &conf->prices, &demand,
					  NULL),
			 0);
	ck_assert_int_le(eqt_frac_cmp(low.equivalents, price.equivalents), 0);
	ck_assert_int_ge(eqt_frac_cmp(high.equivalents, price.equivalents), 0);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(a_site_counts_disk_in_a_unit_of_its_own)
{
	const struct eqt_conf *conf = read_text(
		"local_disk = disk\nbundle cores { cores = 1 disk = 25 }\n",
		NULL);
	const struct eqt_job_spec spec = { .tres_per_node = "disk:75" };
	struct eqt_demand demand;
	struct eqt_price price;

	ck_assert_int_eq(job_demand(&demand, &conf->prices, &spec,
					      NULL),
			 0);
	ck_assert_uint_eq(demand.disk, 75);
	ck_assert_int_eq(eqt_price(&price, &conf->prices, &demand, NULL), 0);
	ck_assert_uint_eq(price.equivalents.num, 3);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(a_bundle_may_have_one_of_the_disk_of_a_node)
{
	const struct eqt_conf *conf = read_text(
		"local_disk = disk\nbundle cores { cores = 1 disk = 1 }\n",
		NULL);
	const struct eqt_job_spec spec = { .tres_per_node = "disk:3" };
	struct eqt_demand demand;
	struct eqt_price price;

	ck_assert_int_eq(job_demand(&demand, &conf->prices, &spec,
					      NULL),
			 0);
	ck_assert_int_eq(eqt_price(&price, &conf->prices, &demand, NULL), 0);
	ck_assert_uint_eq(price.equivalents.num, 3);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(the_full_text_has_a_line_for_disk)
{
	const struct eqt_conf *conf = read_text(BYTES, NULL);
	const struct eqt_job_spec spec = { .tres_per_node = "jobfs:50G" };
	struct eqt_quote quote;
	char text[EQT_PRICE_MESSAGE_SIZE];

	ck_assert_int_eq(eqt_quote_make(&quote, &conf->prices, &spec, NULL), 0);
	ck_assert_str_eq(eqt_price_message_full(&quote, text, sizeof(text)),
			 "cost 2 core-equivalents (disk decides)\n"
			 "  cores   1 at 1 an equivalent: 1\n"
			 "  memory  0M: 0\n"
			 "  disk    51200M at 25600M an equivalent: 2, which "
			 "decides");
	eqt_conf_free(conf);
}
END_TEST

static const struct {
	const char *text, *want;
} refused[] = {
	{ "bundle cores { cores = 1 disk = 25G }\n",
	  "missing key \"local_disk\"" },
	{ "local_disk = jobfs\nbundle cores { cores = 1 }\n",
	  "missing key \"disk\"" },
	{ "local_disk = jobfs\nbundle cores { cores = 1 disk = 0 }\n",
	  "expected a count of the GRES such as 25G, from 1 to 1024T, or a "
	  "cost such as 0.02 per G" },
	{ "local_disk = jobfs\nbundle cores { cores = 1 disk = much }\n",
	  "expected a count of the GRES such as 25G, from 1 to 1024T, or a "
	  "cost such as 0.02 per G" },
	{ "local_disk = jobfs\nbundle cores { cores = 1 disk = 1025T }\n",
	  "expected a count of the GRES such as 25G, from 1 to 1024T, or a "
	  "cost such as 0.02 per G" },
	{ "local_disk = jobfs\nbundle cores { cores = 1 disk = 25G }\n"
	  "bundle gpu { cores = 1 disk = 9000000000001 }\n",
	  "disk: expected whole MiB, or counts up to 8T" },
	{ "local_disk = jobfs\nbundle cores { cores = 1 }\n"
	  "partition p { disk = 1G }\n",
	  "partition \"p\": disk needs cores" },
};

START_TEST(a_wrong_disk_is_refused)
{
	struct eqt_error err = { "" };

	ck_assert_ptr_null(read_text(refused[_i].text, &err));
	ck_assert_msg(strstr(err.text, refused[_i].want) != NULL, "%s",
		      err.text);
}
END_TEST

START_TEST(the_largest_disk_has_a_price)
{
	const struct eqt_conf *conf = read_text(
		"local_disk = jobfs\nbundle cores { cores = 1 disk = 1024T }\n",
		NULL);
	const struct eqt_demand demand = { .disk = UINT64_C(3) << 30 };
	struct eqt_price price;

	ck_assert_ptr_nonnull(conf);
	ck_assert_int_eq(eqt_price(&price, &conf->prices, &demand, NULL), 0);
	ck_assert_uint_eq(price.equivalents.num, 3);
	eqt_conf_free(conf);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("local disk");
	TCase *tcase = tcase_create("local disk");

	tcase_add_checked_fixture(tcase, scratch_conf_make,
				  scratch_conf_remove);
	tcase_add_loop_test(tcase, local_disk_costs_its_part_of_a_bundle, 0,
			    (int) COUNT(rows));
	tcase_add_test(tcase, a_partition_has_its_own_disk_of_a_core);
	tcase_add_test(tcase, bundles_of_one_model_sum_their_disk);
	tcase_add_test(tcase, a_site_counts_disk_in_a_unit_of_its_own);
	tcase_add_test(tcase, a_bundle_may_have_one_of_the_disk_of_a_node);
	tcase_add_test(tcase, the_full_text_has_a_line_for_disk);
	tcase_add_loop_test(tcase, a_wrong_disk_is_refused, 0,
			    (int) COUNT(refused));
	tcase_add_test(tcase, the_largest_disk_has_a_price);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
