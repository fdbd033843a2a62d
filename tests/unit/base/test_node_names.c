/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of nodes in Slurm's form, and the steps that reading them takes. */
#include <stdio.h>

#include "base/node_names.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define LONG_31 "a234567890123456789012345678901"
#define LONG_248 LONG_31 LONG_31 LONG_31 LONG_31 LONG_31 LONG_31 LONG_31 LONG_31

struct taken {
	struct eqt_node_names names; /* the first member, which take() gets */
	char text[1024];
};

/* The node "none" does not exist. */
static enum eqt_node_names_end take(struct eqt_node_names *names)
{
	struct taken *taken = (struct taken *) names;
	const size_t length = strlen(taken->text);

	if (strcmp(names->name, "none") == 0)
		return EQT_NODE_NAMES_UNKNOWN;
	(void) snprintf(taken->text + length, sizeof(taken->text) - length,
			"%s ", names->name);
	return EQT_NODE_NAMES_READ;
}

#define NONE EQT_NODE_NAMES_NONE
#define READ EQT_NODE_NAMES_READ
#define UNKNOWN EQT_NODE_NAMES_UNKNOWN
#define TOO_MANY EQT_NODE_NAMES_TOO_MANY

static const struct {
	const char *list;
	enum eqt_node_names_end end;
	const char *taken;
	int64_t steps; /* that a list which is read takes */
} rows[] = {
	{ "", READ, "", 0 },
	{ "n1", READ, "n1 ", 1 },
	{ "n1,n2", READ, "n1 n2 ", 3 },
	{ ",n1 \t\n", READ, "n1 ", 5 },
	{ "n[1-3]", READ, "n1 n2 n3 ", 4 },
	{ "n[08-10,2]x", READ, "n08x n09x n10x n2x ", 5 },
	{ "n[0]", READ, "n0 ", 2 },
	{ "r[1-2]n[3-4]", READ, "r1n3 r1n4 r2n3 r2n4 ", 7 },
	{ "n[999999999]", READ, "n999999999 ", 2 },
	{ "n]1", READ, "n]1 ", 1 },
	{ LONG_248 "2345678", READ, LONG_248 "2345678 ", 1 },
	{ LONG_248 "23456789", UNKNOWN, "", 0 },
	{ LONG_248 "[1000000]", READ, LONG_248 "1000000 ", 2 },
	{ LONG_248 "[10000000]", UNKNOWN, "", 0 },
	{ "n[1000000000]", UNKNOWN, "", 0 },
	{ "n[1-1000000000]", UNKNOWN, "", 0 },
	{ "a,none,b", UNKNOWN, "a ", 0 },
	{ "n[1", NONE, "", 0 },
	{ "n[]", NONE, "", 0 },
	{ "n[1-]", NONE, "n1 ", 0 },
	{ "n[2-1]", NONE, "", 0 },
	{ "n[1,]", NONE, "n1 ", 0 },
	{ "n[1x]", NONE, "n1 ", 0 },
	{ "n[a]", NONE, "", 0 },
};

START_TEST(a_list_has_the_names_of_its_brackets)
{
	int64_t budget = 100;
	struct taken taken = { .names = { .budget = &budget, .take = take } };

	ck_assert_msg(eqt_node_names_read(&taken.names, rows[_i].list) ==
			      rows[_i].end,
		      "%s", rows[_i].list);
	if (rows[_i].end != NONE)
		ck_assert_str_eq(taken.text, rows[_i].taken);
	if (rows[_i].end == READ)
		ck_assert_msg(100 - budget == rows[_i].steps, "%s: %jd steps",
			      rows[_i].list, (intmax_t) (100 - budget));
}
END_TEST

START_TEST(a_list_that_takes_more_steps_ends)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		int64_t budget = rows[i].steps;
		struct taken taken = { .names = { .budget = &budget,
						  .take = take } };

		if (rows[i].steps == 0)
			continue;
		ck_assert_int_eq(eqt_node_names_read(&taken.names,
						     rows[i].list), READ);
		budget = rows[i].steps - 1;
		ck_assert_int_eq(eqt_node_names_read(&taken.names,
						     rows[i].list), TOO_MANY);
	}
}
END_TEST

/* Slurm would read all of it, and a node's name is no longer than 255 bytes. */
START_TEST(a_piece_longer_than_its_steps_can_name_ends_at_once)
{
	static char list[4000];
	int64_t budget = 100;
	struct taken taken = { .names = { .budget = &budget, .take = take } };

	memset(list, '1', sizeof(list) - 1);
	memcpy(list, "n[", 2);
	ck_assert_int_eq(eqt_node_names_read(&taken.names, list), TOO_MANY);
	ck_assert_int_eq(budget, 100);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("node names");
	TCase *tcase = tcase_create("node names");

	tcase_add_loop_test(tcase, a_list_has_the_names_of_its_brackets, 0,
			    (int) COUNT(rows));
	tcase_add_test(tcase, a_list_that_takes_more_steps_ends);
	tcase_add_test(tcase,
		       a_piece_longer_than_its_steps_can_name_ends_at_once);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
