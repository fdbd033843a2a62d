/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading equitree.conf when memory is short. */
#include <stdio.h>
#include <unistd.h>

#include "conf/conf.h"
#include "../scratch_conf.h"
#include "../short_memory.h"
#include "../unit.h"

/* A section of each kind. */
static const char text[] =
	"bundle cores { cores = 1 memory = 4000M }\n"
	"bundle \"gpu:p100\" { cores = 6 memory = 32000M }\n"
	"bundle gpu:t4 { cores = 4 nodes = gra[1-10],gra20 }\n"
	"partition express { factor = 3 bundles = cores,gpu:p100 }\n"
	"qos bonus { factor = 0 }\n"
	"pool gpu { suffix = _gpu unit = SU units = SUs }\n"
	"grant \"def-*\" { spent = refuse }\n"
	"priority { rank_by = usage }\n"
	"budget { warn = 10,50,99 }\n"
	"charges { keep = 7 }\n"
	"minimum = 0.5\n";

static void is_whole(const struct eqt_conf *conf)
{
	struct eqt_bundle_table prices;

	ck_assert_ptr_nonnull(conf);
	ck_assert_uint_eq(conf->prices.gpu_count, 2);
	ck_assert_ptr_eq(conf->prices.gpu, conf->gpu);
	ck_assert_str_eq(conf->gpu[1].nodes, "gra[1-10],gra20");
	ck_assert_uint_eq(conf->prices.minimum_u, EQT_MICRO / 2);
	ck_assert_uint_eq(conf->partitions.count, 1);
	ck_assert_uint_eq(conf->qos.count, 1);
	ck_assert_uint_eq(conf->grants.count, 1);
	ck_assert(conf->pool_there[EQT_POOL_GPU]);
	ck_assert(!conf->pool_there[EQT_POOL_CPU]);
	eqt_conf_prices(&prices, conf, "express", "bonus");
	ck_assert_uint_eq(prices.models_off & 3, 2);
}

START_TEST(a_configuration_is_read_whole_or_not_at_all)
{
	unsigned long n = 0, refused = 0;
	bool failed;

	ck_assert_int_eq((int) write(scratch_conf_fd, text, strlen(text)),
			 (int) strlen(text));
	do {
		struct eqt_error err = { "" };
		const struct eqt_conf *conf;

		short_memory_begin(++n, _i);
		conf = eqt_conf_read(scratch_conf_path, &err);
		failed = short_memory_end();
		/* The C library reads on without a buffer of its own. */
		if (conf) {
			is_whole(conf);
			ck_assert_str_eq(err.text, "");
		} else {
			char wanted[2][EQT_ERROR_SIZE];

			ck_assert(failed);
			refused++;
			(void) snprintf(wanted[0], EQT_ERROR_SIZE,
					"%s: out of memory",
					scratch_conf_path);
			(void) snprintf(wanted[1], EQT_ERROR_SIZE, "%s: %s",
					scratch_conf_path, strerror(ENOMEM));
			ck_assert(strcmp(err.text, wanted[0]) == 0 ||
				  strcmp(err.text, wanted[1]) == 0);
			/* Only the stream is the C library's. */
			ck_assert(n == 2 || strcmp(err.text, wanted[0]) == 0);
		}
		short_memory_begin(0, false);
		eqt_conf_free(conf);
		(void) short_memory_end();
		ck_assert_int_eq(short_memory.held, 0);
	} while (failed);
	/* The text, the stream and the configuration. */
	ck_assert_uint_eq(refused, _i ? n - 1 : 3);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("conf_memory");
	TCase *tc = tcase_create("conf_memory");

	tcase_add_checked_fixture(tc, scratch_conf_make, scratch_conf_remove);
	tcase_add_loop_test(tc, a_configuration_is_read_whole_or_not_at_all, 0,
			    SHORT_MEMORY_WAYS);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
