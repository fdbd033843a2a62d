/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree.conf with texts of one letter, with the least numbers, and with lists at their
 * ends. */
#include <stdio.h>
#include <unistd.h>

#include "conf/conf.h"
#include "../scratch_conf.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define CORES "bundle cores { cores = 1 }\n"
#define MIB_BYTES ((size_t) 1 << 20)
#define DIGITS_31 "0000000000000000000000000000001"

static const struct eqt_conf *text_read(const char *text,
					struct eqt_error *err)
{
	FILE *file = fopen(scratch_conf_path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
	return eqt_conf_read(scratch_conf_path, err);
}

/* The configuration of a text that is right. */
static const struct eqt_conf *text_take(const char *text)
{
	struct eqt_error err = { "" };
	const struct eqt_conf *conf = text_read(text, &err);

	ck_assert_msg(conf != NULL, "%s: %s", text, err.text);
	return conf;
}

static const struct {
	const char *name, *text, *want;
} refused_rows[] = {
	{ "a unit of several without one", CORES
	  "bundle gpu:a { cores = 1 units = y }\n", "units needs unit" },
	{ "a unit of several without one for the first cores of two",
	  "bundle cores { cores = 1 units = y }\n" CORES, "units needs unit" },
	{ "a unit of several without one in a pool", CORES
	  "pool gpu { units = y suffix = _gpu }\n", "units needs unit" },
	{ "a rate without a currency", CORES
	  "bundle gpu:a { cores = 1 unit = x rate = 0.000001 }\n",
	  "missing key \"currency\"" },
	{ "a currency of one letter without a rate", CORES
	  "bundle gpu:a { cores = 1 unit = x currency = E }\n",
	  "missing key \"rate\"" },
	{ "the cores twice, of a millionth",
	  "bundle cores { cores = 0.000001 }\nbundle cores { cores = 1 }\n",
	  "duplicate bundle \"cores\"" },
	{ "the second model twice", CORES
	  "bundle gpu:a { cores = 1 }\nbundle gpu:b { cores = 1 }\n"
	  "bundle gpu:b { cores = 2 }\n", "duplicate bundle \"gpu:b\"" },
	{ "one suffix of one letter for both pools", CORES
	  "pool cpu { suffix = u }\npool gpu { suffix = u }\n",
	  "both pools have the suffix \"u\"" },
	{ "the second grant twice", CORES
	  "grant a { }\ngrant b { }\ngrant b { }\n", "duplicate grant \"b\"" },
	{ "the first reservation twice", CORES
	  "reservation a { }\nreservation a { }\n",
	  "duplicate reservation \"a\"" },
	{ "the second reservation twice", CORES
	  "reservation a { }\nreservation '*' { }\nreservation '*' { }\n",
	  "duplicate reservation \"*\"" },
	{ "a reservation with a colon", CORES "reservation a:b { }\n",
	  "expected a reservation's name" },
	{ "no refund beside another in the section priority", CORES
	  "priority { refund = none,preempted }\n",
	  "refund = none has no other states" },
	{ "memory of 32 digits", "bundle cores { cores = 1 memory = 0"
	  DIGITS_31 "M }\n", "expected an amount such as 4000M" },
	{ "a colon before nodes", CORES
	  "bundle gpu:a { cores = 1 nodes = ':a' }\n",
	  "expected a list of nodes" },
	{ "a closing bracket before nodes", CORES
	  "bundle gpu:a { cores = 1 nodes = ']a[' }\n",
	  "expected a list of nodes" },
	{ "an empty suffix", CORES "pool gpu { suffix = '' }\n",
	  "suffix = \"\": expected the end of account names" },
	{ "the bundles of one that is called almost as the cores", CORES
	  "partition p { bundles = corex }\n",
	  "bundles = \"corex\": expected names of bundles" },
	{ "a section without a name at the end", CORES "partition",
	  "expected a name" },
	{ "the first key with two letters swapped",
	  "bundle cores { coers = 1 }\n", "\"cores\"" },
	{ "the first section with two letters swapped",
	  "bundel cores { cores = 1 }\n", "\"bundle\"" },
	{ "one of local disk without its name",
	  "bundle cores { cores = 1 disk = 1 }\n",
	  "missing key \"local_disk\"" },
};

START_TEST(a_wrong_file_is_refused_with_the_reason)
{
	struct eqt_error err = { "" };

	ck_assert_msg(text_read(refused_rows[_i].text, &err) == NULL, "%s",
		      refused_rows[_i].name);
	ck_assert_msg(strstr(err.text, refused_rows[_i].want) != NULL,
		      "%s: %s", refused_rows[_i].name, err.text);
}
END_TEST

START_TEST(texts_that_are_too_long_by_one_letter_are_refused)
{
	static const struct {
		const char *before;
		size_t most;
		const char *after;
	} rows[] = {
		{ CORES "pool gpu { suffix = ", EQT_NAME_SIZE - 1, " }\n" },
		{ CORES "bundle gpu:a { cores = 1 nodes = ",
		  EQT_NODES_SIZE - 1, " }\n" },
	};
	char text[1024], name[EQT_NODES_SIZE + 1];

	for (size_t i = 0; i < COUNT(rows); i++) {
		memset(name, 'x', sizeof(name));
		name[rows[i].most] = '\0';
		snprintf(text, sizeof(text), "%s%s%s", rows[i].before, name,
			 rows[i].after);
		eqt_conf_free(text_take(text));
		name[rows[i].most] = 'x';
		name[rows[i].most + 1] = '\0';
		snprintf(text, sizeof(text), "%s%s%s", rows[i].before, name,
			 rows[i].after);
		ck_assert_msg(text_read(text, NULL) == NULL, "row %zu", i);
	}
}
END_TEST

START_TEST(a_unit_may_have_one_letter_or_only_a_rate)
{
	const struct eqt_conf *conf = text_take(
		CORES "bundle gpu:a { cores = 1 unit = x units = y }\n"
		      "bundle gpu:b { cores = 1 unit = z }\n"
		      "bundle gpu:c { cores = 1 rate = 0.000001 currency = E }\n"
		      "bundle gpu:d { cores = 1 }\n");
	const struct eqt_bundle *gpu = conf->prices.gpu;

	ck_assert_uint_eq(conf->prices.gpu_count, 4);
	ck_assert_str_eq(gpu[0].unit->one, "x");
	ck_assert_str_eq(gpu[0].unit->many, "y");
	ck_assert_ptr_nonnull(gpu[1].unit);
	ck_assert_str_eq(gpu[1].unit->one, "z");
	ck_assert_ptr_nonnull(gpu[2].unit);
	ck_assert_uint_eq(gpu[2].unit->rate_u, 1);
	ck_assert_str_eq(gpu[2].unit->currency, "E");
	ck_assert_ptr_null(gpu[3].unit);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(names_of_one_letter_are_names)
{
	const struct eqt_conf *conf = text_take(
		CORES "pool cpu { suffix = u }\n"
		      "grant a { spent = bonus bonus = q }\ngrant b { }\n"
		      "budget { when_spent = bonus bonus = q }\n");

	ck_assert_str_eq(conf->pools.suffix[EQT_POOL_CPU], "u");
	ck_assert_uint_eq(conf->grants.count, 2);
	ck_assert_str_eq(conf->grants.rule[0].name, "a");
	ck_assert_str_eq(conf->grants.rule[0].bonus, "q");
	ck_assert_str_eq(conf->grants.rule[1].name, "b");
	ck_assert_str_eq(conf->budget.bonus, "q");
	eqt_conf_free(conf);
}
END_TEST

START_TEST(the_longest_name_of_a_bundle_leaves_its_cores)
{
	const struct eqt_conf *conf;
	char text[256], name[EQT_NAME_SIZE] = "gpu:";

	memset(name + 4, 'x', sizeof(name) - 5);
	name[EQT_NAME_SIZE - 1] = '\0';
	snprintf(text, sizeof(text), CORES "bundle %s { cores = 1 }\n", name);
	conf = text_take(text);
	ck_assert_str_eq(conf->prices.gpu[0].name, name);
	ck_assert_uint_eq(conf->prices.gpu[0].cores_u, EQT_MICRO);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(a_shorter_amount_of_memory_keeps_no_digit_of_the_longer_before)
{
	const struct eqt_conf *conf = text_take(
		"bundle cores { cores = 1 memory = 123456M }\n"
		"bundle gpu:a { cores = 1 memory = 7M }\n"
		"bundle gpu:b { cores = 1 memory = " DIGITS_31 "M }\n");

	ck_assert_uint_eq(conf->prices.cores.mem_mib_u, 123456 * EQT_MICRO);
	ck_assert_uint_eq(conf->prices.gpu[0].mem_mib_u, 7 * EQT_MICRO);
	ck_assert_uint_eq(conf->prices.gpu[1].mem_mib_u, EQT_MICRO);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(a_bundle_of_five_letters_is_not_the_cores)
{
	const struct eqt_conf *conf = text_take(
		CORES "bundle gpu:a { cores = 1 }\nbundle corex { cores = 1 }\n"
		      "partition p { bundles = gpu:a }\n"
		      "partition q { bundles = corex }\n"
		      "partition r { bundles = cores }\n");
	const struct eqt_rule *rule = conf->partitions.rule;

	ck_assert(rule[0].cores_off);
	ck_assert_uint_eq(rule[0].models_off & 0x3, 0x2);
	ck_assert(rule[1].cores_off);
	ck_assert_uint_eq(rule[1].models_off & 0x3, 0x1);
	ck_assert(!rule[2].cores_off);
	ck_assert_uint_eq(rule[2].models_off & 0x3, 0x3);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(billing_since_is_a_list_of_times)
{
	const struct eqt_conf *conf = text_take(CORES);

	ck_assert_str_eq(conf->billed[0].since, "");
	eqt_conf_free(conf);
	conf = text_take(
		CORES "billing_since = 2026-01-15x1000,2026-06-01T12:00:00\n");
	ck_assert_str_eq(conf->billed[0].since, "2026-01-15");
	ck_assert_uint_eq(conf->billed[0].scale, 1000);
	ck_assert_str_eq(conf->billed[1].since, "2026-06-01T12:00:00");
	ck_assert_uint_eq(conf->billed[1].scale, 0);
	ck_assert_str_eq(conf->billed[2].since, "");
	eqt_conf_free(conf);
}
END_TEST

START_TEST(a_file_without_a_section_has_its_defaults)
{
	const struct eqt_conf *conf = text_take(CORES);

	ck_assert(!conf->priority.there);
	ck_assert(conf->priority.idle_shares);
	ck_assert_uint_eq(conf->priority.expansion_full_u, 10 * EQT_MICRO);
	ck_assert(!conf->budget.there);
	ck_assert_int_ne((int) conf->budget.refund, 0);
	eqt_conf_free(conf);
}
END_TEST

static const struct {
	const char *name, *text;
	uint64_t disk;
	uint32_t shift;
} disk_rows[] = {
	{ "one of a GRES of one letter",
	  "local_disk = x\nbundle cores { cores = 1 disk = 1 }\n", 1, 0 },
	{ "a MiB of bytes",
	  "local_disk = x\nbundle cores { cores = 1 disk = 1M }\n", 1, 20 },
	{ "the largest count beside one that is no whole MiB",
	  "local_disk = x\nbundle cores { cores = 1 disk = 8T }\n"
	  "bundle gpu:a { cores = 1 disk = 1 }\n", EQT_DISK_MAX, 0 },
};

START_TEST(local_disk_counts_in_mib_where_all_of_it_does)
{
	const struct eqt_conf *conf = text_take(disk_rows[_i].text);

	ck_assert_msg(conf->prices.cores.disk == disk_rows[_i].disk, "%s: %ju",
		      disk_rows[_i].name, (uintmax_t) conf->prices.cores.disk);
	ck_assert_msg(conf->prices.disk_shift == disk_rows[_i].shift, "%s: %u",
		      disk_rows[_i].name, conf->prices.disk_shift);
	ck_assert_str_eq(conf->prices.disk_gres, "x");
	eqt_conf_free(conf);
}
END_TEST

START_TEST(a_file_of_two_bytes_above_a_mebibyte_is_refused)
{
	struct eqt_error err = { "" };
	char *text = malloc(MIB_BYTES + 3);

	ck_assert_ptr_nonnull(text);
	memset(text, '\n', MIB_BYTES + 2);
	text[MIB_BYTES + 2] = '\0';
	ck_assert_ptr_null(text_read(text, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "larger than 1 MiB"));
	free(text);
}
END_TEST

START_TEST(charges_is_read_over_its_defaults)
{
	const struct eqt_conf *conf = text_read(CORES, NULL);

	ck_assert(conf->charges.record);
	ck_assert_str_eq(conf->charges.folder, "");
	ck_assert_uint_eq(conf->charges.keep_days, 400);
	ck_assert_str_eq(conf->charges.group, "");
	eqt_conf_free(conf);
	conf = text_read(CORES "charges { record = no folder = \"/srv/charges\"\n"
			       "keep = 0 group = staff }",
			 NULL);
	ck_assert(!conf->charges.record);
	ck_assert_str_eq(conf->charges.folder, "/srv/charges");
	ck_assert_uint_eq(conf->charges.keep_days, 0);
	ck_assert_str_eq(conf->charges.group, "staff");
	eqt_conf_free(conf);
}
END_TEST

static const struct {
	const char *text, *want;
} strip_rows[] = {
	{ "", "" },
	{ "# only this", "" },
	{ "\n\n \t\n", "" },
	{ "a = 1", "a = 1" },
	{ "a = 1\n", "a = 1\n" },
	{ "a = 1 # why\nb = 2", "a = 1\nb = 2\n" },
	{ "a = 1#why\n\n#\nb = 2\n", "a = 1\nb = 2\n" },
	{ "grant \"#*\" { } # \" '\n", "grant \"#*\" { }\n" },
	{ "unit = '\"#' # x\r\nb = 2\r\n", "unit = '\"#'\nb = 2\n" },
};

START_TEST(comments_and_empty_lines_are_taken_out_of_a_text)
{
	char text[64];

	(void) snprintf(text, sizeof(text), "%s", strip_rows[_i].text);
	eqt_conf_text_strip(text);
	ck_assert_str_eq(text, strip_rows[_i].want);
}
END_TEST

START_TEST(a_text_without_its_comments_says_the_same)
{
	char text[] = "# prices\n" CORES "billing_scale = 1000 # thousand\n";
	const struct eqt_conf *conf;

	eqt_conf_text_strip(text);
	conf = eqt_conf_parse("text", text, NULL);
	ck_assert_ptr_nonnull(conf);
	ck_assert_uint_eq(conf->billing_scale, 1000);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(an_amount_is_none_only_if_it_is_no_cost)
{
	static const struct {
		const char *text;
		uint64_t mem_mib_u;
	} rows[] = {
		{ "bundle cores { cores = 1 memory = 0.0001K }\n", 0 },
		{ "bundle cores { cores = 1 memory = 1000000 per 0.01K }\n", 1 },
		{ "bundle cores { cores = 1 memory = 4 per 8M }\n", 2000000 },
		{ "bundle cores { cores = 1 memory = 8M }\n", 8000000 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct eqt_conf *conf = text_take(rows[i].text);

		ck_assert_msg(conf->prices.cores.mem_mib_u ==
				      rows[i].mem_mib_u,
			      "%s: %ju", rows[i].text,
			      (uintmax_t) conf->prices.cores.mem_mib_u);
		eqt_conf_free(conf);
	}
}
END_TEST

START_TEST(a_reservation_is_of_the_first_rule_that_fits)
{
	const struct eqt_conf *conf = text_take(
		CORES "reservation course { account = one }\n"
		      "reservation 'c*' { account = two }\n"
		      "reservation maint { account = three }\n");
	static const struct {
		const char *name, *account;
	} rows[] = { { "course", "one" },  { "courses", "two" },
		     { "c", "two" },	   { "maint", "three" },
		     { "maintain", NULL }, { "", NULL } };

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct eqt_conf_reservation *found =
			eqt_conf_reservation_find(conf, rows[i].name);

		ck_assert_msg(!found == !rows[i].account, "%s", rows[i].name);
		if (found)
			ck_assert_str_eq(found->account, rows[i].account);
	}
	eqt_conf_free(conf);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("edges of equitree.conf");
	TCase *tcase = tcase_create("edges");

	tcase_add_checked_fixture(tcase, scratch_conf_make,
				  scratch_conf_remove);
	tcase_add_loop_test(tcase, a_wrong_file_is_refused_with_the_reason, 0,
			    (int) COUNT(refused_rows));
	tcase_add_test(tcase,
		       texts_that_are_too_long_by_one_letter_are_refused);
	tcase_add_test(tcase, a_unit_may_have_one_letter_or_only_a_rate);
	tcase_add_test(tcase, charges_is_read_over_its_defaults);
	tcase_add_test(tcase, names_of_one_letter_are_names);
	tcase_add_test(tcase, the_longest_name_of_a_bundle_leaves_its_cores);
	tcase_add_test(
		tcase,
		a_shorter_amount_of_memory_keeps_no_digit_of_the_longer_before);
	tcase_add_test(tcase, a_bundle_of_five_letters_is_not_the_cores);
	tcase_add_test(tcase, billing_since_is_a_list_of_times);
	tcase_add_test(tcase, a_file_without_a_section_has_its_defaults);
	tcase_add_loop_test(tcase, local_disk_counts_in_mib_where_all_of_it_does,
			    0, (int) COUNT(disk_rows));
	tcase_add_test(tcase, a_file_of_two_bytes_above_a_mebibyte_is_refused);
	tcase_add_loop_test(tcase,
			    comments_and_empty_lines_are_taken_out_of_a_text, 0,
			    (int) COUNT(strip_rows));
	tcase_add_test(tcase, a_text_without_its_comments_says_the_same);
	tcase_add_test(tcase, an_amount_is_none_only_if_it_is_no_cost);
	tcase_add_test(tcase, a_reservation_is_of_the_first_rule_that_fits);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
