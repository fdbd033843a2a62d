/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_conf: a valid file gives the struct that it describes, an invalid one
 * the error text that an operator needs. "FILE" in an expected text is the
 * file's name.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "conf/conf_lines.h"
#include "conf_refused.h"
#include "../scratch_conf.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define M(mib) (UINT64_C(mib) * EQT_MICRO)


static void file_write(const void *text, size_t length)
{
	int fd = open(scratch_conf_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq((int) write(fd, text, length), (int) length);
	close(fd);
}

static const struct eqt_conf *text_read(const char *text,
					struct eqt_error *err)
{
	file_write(text, strlen(text));
	return eqt_conf_read(scratch_conf_path, err);
}

static const char example[] =
	"# A cluster with two models.\n"
	"bundle \"cores\" {\n"
	"	cores = 1\n"
	"	memory = 4000M\n"
	"}\n"
	"bundle \"gpu:p100\" {\n"
	"	cores = 6		# of 24\n"
	"	memory = 32000M\n"
	"	weight = 1.0\n"
	"}\n"
	"bundle \"gpu\" {\n"
	"	cores = 3.5\n"
	"	memory = 22.5G\n"
	"	weight = 12.2\n"
	"}\n"
	"message = full\n"
	"message_without_spank = brief\n"
	"billing_scale = 1000\n"
	"weights_scale = 100\n"
	"billing_round = nearest\n";

START_TEST(whole_file_is_read)
{
	struct eqt_error err = { "" };
	const struct eqt_conf *conf = text_read(example, &err);

	ck_assert_msg(conf != NULL, "%s", err.text);
	ck_assert_str_eq(err.text, "");
	ck_assert_str_eq(conf->prices.cores.name, "cores");
	ck_assert_uint_eq(conf->prices.cores.cores_u, 1000000);
	ck_assert_uint_eq(conf->prices.cores.mem_mib_u, M(4000));
	ck_assert_uint_eq(conf->prices.cores.weight_u, 1000000);
	ck_assert_uint_eq(conf->prices.gpu_count, 2);
	ck_assert_str_eq(conf->prices.gpu[0].name, "gpu:p100");
	ck_assert_uint_eq(conf->prices.gpu[0].cores_u, 6000000);
	ck_assert_uint_eq(conf->prices.gpu[0].mem_mib_u, M(32000));
	ck_assert_uint_eq(conf->prices.gpu[0].weight_u, 1000000);
	ck_assert_str_eq(conf->prices.gpu[1].name, "gpu");
	ck_assert_uint_eq(conf->prices.gpu[1].cores_u, 3500000);
	ck_assert_uint_eq(conf->prices.gpu[1].mem_mib_u, M(23040));
	ck_assert_uint_eq(conf->prices.gpu[1].weight_u, 12200000);
	ck_assert_int_eq(conf->message, EQT_MESSAGE_FULL);
	ck_assert_int_eq(conf->message_without_spank, EQT_MESSAGE_BRIEF);
	ck_assert_uint_eq(conf->billing_scale, 1000);
	ck_assert_uint_eq(conf->weights_scale, 100);
	ck_assert_int_eq(conf->billing_round, EQT_ROUND_NEAREST);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(keys_without_a_line_have_defaults)
{
	const struct eqt_conf *conf = text_read(CORES
						"bundle gpu { cores = 4 }\n",
						NULL);

	ck_assert_ptr_nonnull(conf);
	ck_assert_uint_eq(conf->prices.cores.mem_mib_u, 0);
	ck_assert_uint_eq(conf->prices.cores.weight_u, EQT_MICRO);
	ck_assert_uint_eq(conf->prices.gpu[0].mem_mib_u, 0);
	ck_assert_uint_eq(conf->prices.gpu[0].weight_u, EQT_MICRO);
	ck_assert_int_eq(conf->message, EQT_MESSAGE_AUTO);
	ck_assert_int_eq(conf->message_without_spank, EQT_MESSAGE_OFF);
	ck_assert_uint_eq(conf->billing_scale, 1);
	ck_assert_uint_eq(conf->weights_scale, 1);
	ck_assert_int_eq(conf->billing_round, EQT_ROUND_CEIL);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(priority_without_a_line_is_as_slurm_has_it)
{
	const struct eqt_conf *conf = text_read(CORES "priority { }", NULL);
	const struct eqt_conf_priority *priority;

	ck_assert_ptr_nonnull(conf);
	priority = &conf->priority;
	ck_assert_int_eq(priority->rank_by, EQT_RANK_BY_USAGE);
	ck_assert_uint_eq(priority->allocated_now, 0);
	ck_assert_int_eq(priority->order, EQT_ORDER_USERS);
	ck_assert_uint_eq(priority->rank_every_ms, 0);
	ck_assert_uint_eq(priority->rank_cpu, 10);
	ck_assert_uint_eq(priority->tasks_ahead, 0);
	ck_assert(priority->idle_shares);
	ck_assert_uint_eq(priority->access_weight, 0);
	ck_assert_int_eq(priority->access_scope, EQT_SCOPE_USER);
	ck_assert_uint_eq(priority->expansion_weight, 0);
	ck_assert_uint_eq(priority->expansion_full_u, 10000000);
	ck_assert_int_eq(priority->size_by, EQT_SIZE_BY_RESOURCES);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(budget_is_read_over_its_defaults)
{
	const struct eqt_conf *conf = text_read(CORES, NULL);

	ck_assert_uint_eq(conf->budget.warn.count, 3);
	ck_assert_uint_eq(conf->budget.refund, 14);
	ck_assert_int_eq(conf->budget.when_spent, EQT_BUDGET_HOLD);
	ck_assert_int_eq(conf->budget.when_damaged, EQT_DAMAGED_STOP);
	ck_assert(!conf->budget.from_limits);
	eqt_conf_free(conf);
	conf = text_read(CORES "budget { warn = off refund = none\n"
			       "when_spent = bonus bonus = free\n"
			       "when_damaged = hold from_limits = yes }",
			 NULL);
	ck_assert_uint_eq(conf->budget.warn.count, 0);
	ck_assert_uint_eq(conf->budget.refund, EQT_REFUND_NONE);
	ck_assert_str_eq(conf->budget.bonus, "free");
	ck_assert_int_eq(conf->budget.when_damaged, EQT_DAMAGED_HOLD);
	ck_assert(conf->budget.from_limits);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(priority_is_read)
{
	const struct eqt_conf *conf = text_read(
		CORES "priority {\n rank_by = allocated allocated_now = 60\n"
		      " order = jobs rank_every = 250 rank_cpu = 50 idle_shares = no\n"
		      " tasks_ahead = 40\n"
		      " access_weight = 7 access_scope = account\n"
		      " expansion_weight = 8 expansion_full = 2.5\n"
		      " size_by = equivalents\n}\n",
		NULL);
	const struct eqt_conf_priority *priority;

	ck_assert_ptr_nonnull(conf);
	priority = &conf->priority;
	ck_assert_int_eq(priority->rank_by, EQT_RANK_BY_ALLOCATED);
	ck_assert_uint_eq(priority->allocated_now, 60);
	ck_assert_int_eq(priority->order, EQT_ORDER_JOBS);
	ck_assert_uint_eq(priority->rank_every_ms, 250);
	ck_assert_uint_eq(priority->rank_cpu, 50);
	ck_assert_uint_eq(priority->tasks_ahead, 40);
	ck_assert(!priority->idle_shares);
	ck_assert_uint_eq(priority->access_weight, 7);
	ck_assert_int_eq(priority->access_scope, EQT_SCOPE_ACCOUNT);
	ck_assert_uint_eq(priority->expansion_weight, 8);
	ck_assert_uint_eq(priority->expansion_full_u, 2500000);
	ck_assert_int_eq(priority->size_by, EQT_SIZE_BY_EQUIVALENTS);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(words_of_the_defaults_can_be_said)
{
	const struct eqt_conf *conf = text_read(
		CORES "priority {\n rank_by = usage order = users\n"
		      " size_by = resources access_scope = user\n}\n",
		NULL);

	ck_assert_ptr_nonnull(conf);
	ck_assert_int_eq(conf->priority.rank_by, EQT_RANK_BY_USAGE);
	ck_assert_int_eq(conf->priority.order, EQT_ORDER_USERS);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(week_is_read_up_to_the_end_of_its_line)
{
	static const struct {
		uint32_t hour; /* of the week */
		uint64_t factor_u;
	} changes[] = {
		{ 0, EQT_MICRO },   { 19, 500000 },	 { 31, EQT_MICRO },
		{ 43, 500000 },	    { 55, EQT_MICRO },	 { 67, 500000 },
		{ 79, EQT_MICRO },  { 91, 500000 },	 { 103, EQT_MICRO },
		{ 108, 1250000 },   { 109, EQT_MICRO },	 { 115, 500000 },
	};
	const struct eqt_conf *conf = text_read(
		"bundle cores { cores = 1 }\n"
		"week_factor = 0.5 Mon-Fri 19:00-07:00,sat-sun , "
		"1.25 Fri 12:00-13:00 # lunch\n"
		"minimum = 2\n", NULL);

	ck_assert_ptr_nonnull(conf);
	ck_assert_ptr_eq(conf->prices.week, &conf->week);
	ck_assert_uint_eq(conf->prices.minimum_u, 2 * EQT_MICRO);
	ck_assert_uint_eq(conf->week.least_u, 500000);
	ck_assert_uint_eq(conf->week.most_u, 1250000);
	ck_assert_uint_eq(conf->week.count, COUNT(changes));
	for (size_t i = 0; i < COUNT(changes); i++) {
		ck_assert_uint_eq(conf->week.change[i].at_s,
				  changes[i].hour * 3600);
		ck_assert_uint_eq(conf->week.change[i].factor_u,
				  changes[i].factor_u);
	}
	eqt_conf_free(conf);
}
END_TEST

START_TEST(bundle_does_not_inherit_from_the_one_before)
{
	const struct eqt_conf *conf = text_read(
		"bundle \"gpu:a\" {\n"
		"	cores = 2\n	memory = 10\n	weight = 3\n}\n"
		"bundle \"gpu:b\" { cores = 4 }\n" CORES, NULL);

	ck_assert_ptr_nonnull(conf);
	ck_assert_uint_eq(conf->prices.gpu[1].cores_u, 4000000);
	ck_assert_uint_eq(conf->prices.gpu[1].mem_mib_u, 0);
	ck_assert_uint_eq(conf->prices.gpu[1].weight_u, EQT_MICRO);
	ck_assert_uint_eq(conf->prices.cores.mem_mib_u, 0);
	eqt_conf_free(conf);
}
END_TEST

static const struct {
	const char *name;
	const char *text;
} good_rows[] = {
	{ "no quotes", "bundle cores { cores = 1 }" },
	{ "single quotes", "bundle 'cores' { cores = '1' }" },
	{ "quotes around values", "bundle \"cores\" { cores = \"1\" }" },
	{ "no blanks", "bundle\"cores\"{cores=1}" },
	{ "a token a line", "bundle\n\"cores\"\n{\ncores\n=\n1\n}\n" },
	{ "CR LF", "bundle \"cores\" {\r\n\tcores = 1\r\n}\r\n" },
	{ "comments between all", "# a\nbundle # b\ncores # c\n{ # d\ncores "
	  "# e\n= # f\n1 # g\n} # h" },
	{ "quotes and braces in a comment", CORES "# it's \"{ ${HOME}\n" },
	{ "no line end after a comment", CORES "#" },
	{ "32 models",
	  CORES
	  "bundle a0 {cores=1} bundle a1 {cores=1} bundle a2 {cores=1}"
	  "bundle a3 {cores=1} bundle a4 {cores=1} bundle a5 {cores=1}"
	  "bundle a6 {cores=1} bundle a7 {cores=1} bundle a8 {cores=1}"
	  "bundle a9 {cores=1} bundle aa {cores=1} bundle ab {cores=1}"
	  "bundle ac {cores=1} bundle ad {cores=1} bundle ae {cores=1}"
	  "bundle af {cores=1} bundle b0 {cores=1} bundle b1 {cores=1}"
	  "bundle b2 {cores=1} bundle b3 {cores=1} bundle b4 {cores=1}"
	  "bundle b5 {cores=1} bundle b6 {cores=1} bundle b7 {cores=1}"
	  "bundle b8 {cores=1} bundle b9 {cores=1} bundle ba {cores=1}"
	  "bundle bb {cores=1} bundle bc {cores=1} bundle bd {cores=1}"
	  "bundle be {cores=1} bundle bf {cores=1}" },
};

START_TEST(form_of_the_file_does_not_matter)
{
	struct eqt_error err = { "" };
	const struct eqt_conf *conf = text_read(good_rows[_i].text, &err);

	ck_assert_msg(conf != NULL, "%s: %s", good_rows[_i].name, err.text);
	ck_assert_uint_eq(conf->prices.cores.cores_u, EQT_MICRO);
	eqt_conf_free(conf);
}
END_TEST

static const struct {
	const char *memory;
	uint64_t want_u;
} memory_rows[] = {
	{ "0", 0 },
	{ "4000", M(4000) },
	{ "4000M", M(4000) },
	{ "4000m", M(4000) },
	{ "4G", M(4096) },
	{ "4.8g", 4915200000 },
	{ "62.5G", M(64000) },
	{ "1T", M(1048576) },
	{ "0.5t", M(524288) },
	{ "1024T", M(1073741824) },
	{ "1024K", M(1) },
	{ "16k", 15625 },
	{ "1K", 977 },
	{ "0.000001", 1 },
	{ "0.000001G", 1024 },
};

START_TEST(memory_takes_suffixes_in_powers_of_1024)
{
	char text[128];
	struct eqt_error err = { "" };
	const struct eqt_conf *conf;

	snprintf(text, sizeof(text),
		 "bundle cores { cores = 1 memory = %s }",
		 memory_rows[_i].memory);
	conf = text_read(text, &err);
	ck_assert_msg(conf != NULL, "%s: %s", memory_rows[_i].memory,
		      err.text);
	ck_assert_uint_eq(conf->prices.cores.mem_mib_u,
			  memory_rows[_i].want_u);
	eqt_conf_free(conf);
}
END_TEST

/* The expected text, with the file's own name in it. */
static void expand(char *out, size_t size, const char *want)
{
	snprintf(out, size, "%s%s", scratch_conf_path, want + strlen("FILE"));
}

START_TEST(bad_file_is_refused_by_name_line_and_key)
{
	char want[2 * EQT_ERROR_SIZE];
	struct eqt_error err = { "" };
	const struct eqt_conf *conf = text_read(bad_rows[_i].text, &err);

	expand(want, sizeof(want), bad_rows[_i].want);
	ck_assert_msg(conf == NULL, "%s", bad_rows[_i].name);
	ck_assert_str_eq(err.text, want);
}
END_TEST

START_TEST(error_need_not_be_asked_for)
{
	ck_assert_ptr_null(text_read("message = loud\n", NULL));
	ck_assert_ptr_null(text_read("bundle gpu {", NULL));
}
END_TEST

START_TEST(bad_file_leaves_nothing_behind_for_the_next)
{
	const struct eqt_conf *conf;

	ck_assert_ptr_null(text_read("message = \"off", NULL));
	ck_assert_ptr_null(text_read("bundle cores { cores = ", NULL));
	ck_assert_ptr_null(text_read("bundle cores { cores = 'x' }", NULL));
	conf = text_read(example, NULL);
	ck_assert_ptr_nonnull(conf);
	ck_assert_uint_eq(conf->prices.gpu_count, 2);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(name_of_63_characters_fits)
{
	const struct eqt_conf *conf = text_read(
		CORES "bundle \"" NAME_63 "\" { cores = 1 }", NULL);

	ck_assert_ptr_nonnull(conf);
	ck_assert_str_eq(conf->prices.gpu[0].name, NAME_63);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(one_model_too_many_is_refused)
{
	char text[2048], want[2 * EQT_ERROR_SIZE];
	struct eqt_error err = { "" };
	int i, length = 0;

	for (i = 0; i <= EQT_MODELS_MAX; i++)
		length += snprintf(text + length,
				   sizeof(text) - (size_t) length,
				   "bundle \"gpu:m%d\" { cores = 1 }\n", i);
	ck_assert_ptr_null(text_read(text, &err));
	expand(want, sizeof(want), "FILE:33: bundle \"gpu:m32\": more than "
	       "32 GPU bundles");
	ck_assert_str_eq(err.text, want);
}
END_TEST

START_TEST(file_that_cannot_be_read_is_named_with_the_reason)
{
	struct eqt_error err = { "" };

	ck_assert_ptr_null(eqt_conf_read("/nonexistent/equitree.conf", &err));
	ck_assert_str_eq(err.text, "/nonexistent/equitree.conf: "
			 "No such file or directory");
	ck_assert_ptr_null(eqt_conf_read("/", &err));
	ck_assert_str_eq(err.text, "/: Is a directory");
	ck_assert_ptr_null(eqt_conf_read("~root/equitree.conf", &err));
	ck_assert_str_eq(err.text, "~root/equitree.conf: "
			 "No such file or directory");
}
END_TEST

START_TEST(file_with_a_nul_is_no_text)
{
	static const char text[] = CORES "\0message = off\n";
	char want[2 * EQT_ERROR_SIZE];
	struct eqt_error err = { "" };

	file_write(text, sizeof(text) - 1);
	ck_assert_ptr_null(eqt_conf_read(scratch_conf_path, &err));
	expand(want, sizeof(want), "FILE: not a text file");
	ck_assert_str_eq(err.text, want);
}
END_TEST

/* A file of CORES and a comment that fills it up to size bytes. */
static void file_fill(size_t size)
{
	char *text = malloc(size);

	ck_assert_ptr_nonnull(text);
	memset(text, '#', size);
	memcpy(text, CORES, strlen(CORES));
	file_write(text, size);
	free(text);
}

START_TEST(file_of_one_mebibyte_is_the_largest)
{
	char want[2 * EQT_ERROR_SIZE];
	struct eqt_error err = { "" };
	const struct eqt_conf *conf;

	file_fill((size_t) 1 << 20);
	conf = eqt_conf_read(scratch_conf_path, &err);
	ck_assert_msg(conf != NULL, "%s", err.text);
	eqt_conf_free(conf);
	file_fill(((size_t) 1 << 20) + 1);
	ck_assert_ptr_null(eqt_conf_read(scratch_conf_path, &err));
	expand(want, sizeof(want), "FILE: larger than 1 MiB");
	ck_assert_str_eq(err.text, want);
}
END_TEST

START_TEST(nothing_is_written_to_the_standard_streams)
{
	char catch[SCRATCH_PATH_SIZE];
	int out = dup(STDOUT_FILENO), both = dup(STDERR_FILENO);
	int fd = scratch_file(catch);
	size_t i;

	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
	for (i = 0; i < COUNT(bad_rows); i++)
		eqt_conf_free(text_read(bad_rows[i].text, NULL));
	fflush(NULL);
	dup2(out, STDOUT_FILENO);
	dup2(both, STDERR_FILENO);
	ck_assert_int_eq((int) lseek(fd, 0, SEEK_END), 0);
	close(out);
	close(both);
	close(fd);
}
END_TEST

START_TEST(message_words_are_exact)
{
	enum eqt_message message = EQT_MESSAGE_FULL;

	ck_assert_int_eq(eqt_message_parse(&message, "of"), -1);
	ck_assert_int_eq(eqt_message_parse(&message, "off "), -1);
	ck_assert_int_eq(eqt_message_parse(&message, ""), -1);
	ck_assert_int_eq(message, EQT_MESSAGE_FULL);
	ck_assert_int_eq(eqt_message_parse(&message, "off"), 0);
	ck_assert_int_eq(message, EQT_MESSAGE_OFF);
	ck_assert_int_eq(eqt_message_parse(&message, "brief"), 0);
	ck_assert_int_eq(message, EQT_MESSAGE_BRIEF);
	ck_assert_int_eq(eqt_message_parse(&message, "auto"), 0);
	ck_assert_int_eq(message, EQT_MESSAGE_AUTO);
	ck_assert_int_eq(eqt_message_parse(&message, "full"), 0);
	ck_assert_int_eq(message, EQT_MESSAGE_FULL);
}
END_TEST

/* "SECTION NAME KEY LINE;" of each call. */
static void place_note(void *with, const char *section, const char *name,
		       const char *key, int line)
{
	char *text = with;

	(void) snprintf(text + strlen(text), 256 - strlen(text), "%s %s %s %d;",
			section, name, key, line);
}

START_TEST(places_are_those_of_the_file_up_to_its_first_error)
{
	static const char file[] = "message = full\n"
				   "bundle \"cores\" { # one\n"
				   "	cores = 1\n"
				   "	term { memory = 0.1 per G }\n"
				   "}\n"
				   "priority { order = jobs }\n"
				   "billing_scale = x\n"
				   "weights_scale = 2\n";
	char text[256] = "";

	file_write(file, sizeof(file) - 1);
	eqt_conf_visit(scratch_conf_path, place_note, text);
	ck_assert_str_eq(text, "  message 1;"
			       "bundle cores  2;bundle cores cores 3;");
}
END_TEST

START_TEST(keys_in_force_are_texts_that_can_be_read)
{
	static const char file[] =
		"bundle \"cores\" { cores = 1 }\n"
		"week_factor = 0.5 Sat-Sun\n"
		"budget { warn = off refund = boot_fail,preempted }\n";
	static const struct {
		const char *section, *key, *value;
	} rows[] = {
		{ "", "minimum", "0" },
		{ "", "week_factor", "1 from Mon 00:00, 0.5 from Sat 00:00" },
		{ "", "charge_suspended", "yes" },
		{ "", "message", "auto" },
		{ "", "billing_since", NULL },
		{ "", "local_disk", NULL },
		{ "priority", "expansion_full", "10" },
		{ "priority", "refund", "none" },
		{ "budget", "warn", "off" },
		{ "budget", "refund", "boot_fail,preempted" },
		{ "budget", "bonus", NULL },
		{ "charges", "keep", "400" },
	};
	const struct eqt_conf *conf = text_read(file, NULL);
	const char *found;
	struct eqt_conf_line line;

	ck_assert_ptr_nonnull(conf);
	for (size_t i = 0; i < COUNT(rows); i++) {
		size_t at = 0;

		found = NULL;
		while (!found &&
		       eqt_conf_key_next(&line, conf, rows[i].section, &at))
			if (strcmp(line.key, rows[i].key) == 0)
				found = line.value;
		if (rows[i].value)
			ck_assert_pstr_eq(found, rows[i].value);
		else
			ck_assert_ptr_null(found);
	}
	eqt_conf_free(conf);
}
END_TEST

START_TEST(free_takes_null)
{
	eqt_conf_free(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("conf");
	TCase *tcase = tcase_create("conf");

#define ADD(test, rows) \
	tcase_add_loop_test(tcase, test, 0, (int) COUNT(rows))
	tcase_add_checked_fixture(tcase, scratch_conf_make,
				  scratch_conf_remove);
	tcase_add_test(tcase, whole_file_is_read);
	tcase_add_test(tcase, keys_without_a_line_have_defaults);
	tcase_add_test(tcase, priority_without_a_line_is_as_slurm_has_it);
	tcase_add_test(tcase, budget_is_read_over_its_defaults);
	tcase_add_test(tcase, priority_is_read);
	tcase_add_test(tcase, words_of_the_defaults_can_be_said);
	tcase_add_test(tcase, week_is_read_up_to_the_end_of_its_line);
	tcase_add_test(tcase, bundle_does_not_inherit_from_the_one_before);
	ADD(form_of_the_file_does_not_matter, good_rows);
	ADD(memory_takes_suffixes_in_powers_of_1024, memory_rows);
	ADD(bad_file_is_refused_by_name_line_and_key, bad_rows);
	tcase_add_test(tcase, error_need_not_be_asked_for);
	tcase_add_test(tcase, bad_file_leaves_nothing_behind_for_the_next);
	tcase_add_test(tcase, name_of_63_characters_fits);
	tcase_add_test(tcase, one_model_too_many_is_refused);
	tcase_add_test(tcase,
		       file_that_cannot_be_read_is_named_with_the_reason);
	tcase_add_test(tcase, file_with_a_nul_is_no_text);
	tcase_add_test(tcase, file_of_one_mebibyte_is_the_largest);
	tcase_add_test(tcase, nothing_is_written_to_the_standard_streams);
	tcase_add_test(tcase, message_words_are_exact);
	tcase_add_test(tcase,
		       places_are_those_of_the_file_up_to_its_first_error);
	tcase_add_test(tcase, keys_in_force_are_texts_that_can_be_read);
	tcase_add_test(tcase, free_takes_null);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
