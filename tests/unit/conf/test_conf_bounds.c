/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_conf_bounds: the least and the most of each number of equitree.conf. */
#include <stdio.h>
#include <unistd.h>

#include "conf/conf.h"
#include "../scratch_conf.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
/* The longest name. */
#define NAME_63 \
	"a12345678901234567890123456789012345678901234567890123456789012"
#define CORES "bundle \"cores\" { cores = 1 }\n"

/* A file with a number, and the least and the most of it between what is too little
 * (NULL: nothing is) and too much. */
static const struct {
	const char *before, *below, *least, *most, *above, *after;
} bound_rows[] = {
	{ "bundle \"cores\" { cores = ", "0", "0.000001", "1000000",
	  "1000000.000001", " }" },
	{ CORES "bundle \"gpu\" { cores = ", "0", "0.000001", "1000000",
	  "1000000.000001", " }" },
	{ "bundle \"cores\" { cores = 1 memory = ", NULL, "0", "1024T",
	  "1073741825M", " }" },
	{ CORES "partition \"p\" { cores = ", "0", "0.000001", "1000000",
	  "1000000.000001", " }" },
	{ CORES "partition \"p\" { cores = 1 memory = ", NULL, "0", "1024T",
	  "1073741825M", " }" },
	{ CORES "bundle \"gpu\" { cores = 1 weight = ", "0", "0.000001",
	  "1000000", "1000000.000001", " }" },
	{ CORES "partition \"p\" { factor = ", NULL, "0", "1000000",
	  "1000000.000001", " }" },
	{ CORES "qos \"q\" { factor = ", NULL, "0", "1000000",
	  "1000000.000001", " }" },
	{ CORES "qos \"q\" { then = low from ", "0", "1", "100", "101", " }" },
	{ CORES "partition \"p\" { max = ", "0", "0.000001", "1000000",
	  "1000000.000001", " }" },
	{ "bundle \"cores\" { cores = 1 currency = EUR rate = ", "0",
	  "0.000001", "1000000", "1000000.000001", " }" },
	{ CORES "minimum = ", NULL, "0", "1000000", "1000000.000001", "" },
	{ CORES "round_unit = ", NULL, "0", "1000000", "1000001", "" },
	{ CORES "whole_nodes = ", NULL, "0", "1000000", "1000001", "" },
	{ CORES "billing_scale = ", "0", "1", "1000000", "1000001", "" },
	{ CORES "carbon_intensity = ", "0", "0.000001", "1000000",
	  "1000000.000001", "" },
	{ CORES "weights_scale = ", "0", "1", "1000000", "1000001", "" },
	{ CORES "priority { allocated_now = ", NULL, "0", "31536000",
	  "31536001", " }" },
	{ CORES "priority { rank_cpu = ", "0", "1", "100", "101",
	  " }" },
	{ CORES "priority { rank_every = ", NULL, "0", "1000000", "1000001",
	  " }" },
	{ CORES "priority { allocated_now = 1 order = jobs tasks_ahead = ",
	  NULL, "0", "10000", "10001", " }" },
	{ CORES "priority { access_weight = ", NULL, "0", "1000000000",
	  "1000000001", " }" },
	{ CORES "priority { expansion_weight = ", NULL, "0", "1000000000",
	  "1000000001", " }" },
	{ CORES "priority { expansion_full = ", "1.099999", "1.1", "1000000",
	  "1000000.000001", " }" },
	{ CORES "partition ", "\"\"", "a", NAME_63, NAME_63 "a",
	  " { factor = 1 }" },
	{ CORES "grant ", "\"\"", "a", NAME_63, NAME_63 "a", " { }" },
	{ CORES "budget { warn = ", "0", "1", "100", "101", " }" },
	{ CORES "charges { keep = ", NULL, "0", "36500", "36501", " }" },
};

static bool number_is_taken(int row, const char *number)
{
	const struct eqt_conf *conf;
	char text[256];

	snprintf(text, sizeof(text), "%s%s%s\n", bound_rows[row].before,
		 number, bound_rows[row].after);
	ck_assert_int_eq(ftruncate(scratch_conf_fd, 0), 0);
	ck_assert_int_eq((int) pwrite(scratch_conf_fd, text, strlen(text), 0),
			 (int) strlen(text));
	conf = eqt_conf_read(scratch_conf_path, NULL);
	eqt_conf_free(conf);
	return conf != NULL;
}

START_TEST(number_within_its_bounds_is_taken_and_no_other)
{
	const char *before = bound_rows[_i].before;

	ck_assert_msg(number_is_taken(_i, bound_rows[_i].least), "%s", before);
	ck_assert_msg(number_is_taken(_i, bound_rows[_i].most), "%s", before);
	ck_assert_msg(!number_is_taken(_i, bound_rows[_i].above), "%s", before);
	ck_assert_msg(!bound_rows[_i].below ||
			      !number_is_taken(_i, bound_rows[_i].below),
		      "%s", before);
}
END_TEST

START_TEST(the_name_of_the_qos_that_follows_has_63_letters_at_most)
{
	static const int lengths[] = { 1, 62, 63, 64, 300 };
	char name[301], text[512];
	struct eqt_error err;

	memset(name, 'a', sizeof(name));
	for (size_t i = 0; i < COUNT(lengths); i++) {
		const struct eqt_conf *conf;

		(void) snprintf(text, sizeof(text),
				CORES "qos \"q\" { then = %.*s from 80 }\n",
				lengths[i], name);
		conf = eqt_conf_parse("conf", text, &err);
		ck_assert_msg(!conf == (lengths[i] > 63), "%d: %s", lengths[i],
			      conf ? "taken" : err.text);
		if (conf)
			ck_assert_uint_eq(conf->qos.rule[0].then.percent, 80);
		eqt_conf_free(conf);
	}
	(void) snprintf(text, sizeof(text),
			CORES "qos \"q\" { then = low }\n");
	ck_assert_ptr_null(eqt_conf_parse("conf", text, &err));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("conf_bounds");
	TCase *tcase = tcase_create("conf_bounds");

	tcase_add_checked_fixture(tcase, scratch_conf_make,
				  scratch_conf_remove);
	tcase_add_test(
		tcase,
		the_name_of_the_qos_that_follows_has_63_letters_at_most);
	tcase_add_loop_test(tcase,
			    number_within_its_bounds_is_taken_and_no_other, 0,
			    (int) COUNT(bound_rows));
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
