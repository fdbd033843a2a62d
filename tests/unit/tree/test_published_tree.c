/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_published_tree: the sshare table that Oxford's BMRC publishes for a group
 * with the accounts high, low and normal, to the digit. Three of its factors with
 * six digits leave one tree under 20,000 user associations: 8,511 of them, 1,995
 * above the group and 6,507 below it.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "tree/tree.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define USERS 8511
#define NODES_MAX (USERS + 2000)
#define IDLE_GROUPS 35 /* without usage: above */
#define IDLE_MEMBERS 19
#define BUSY_GROUPS 241 /* far above their shares: below */
#define BUSY_MEMBERS 9
#define SHARES 2948 /* of all groups */

/* The site's rows; a user of the high account has Fairshare=parent. */
static const char *const rows[] = {
	"bloggs||5|0.001696|0|0.000000|",
	"bloggs.prj.high||100|0.900901|0|0.000000|",
	"bloggs.prj.high|abc123|parent|0.900901|0|0.000000|0.765597",
	"bloggs.prj.high|ijk456|parent|0.900901|0|0.000000|0.765597",
	"bloggs.prj.high|xyz789|parent|0.900901|0|0.000000|0.765597",
	"bloggs.prj.low||1|0.009009|0|0.000000|",
	"bloggs.prj.low|abc123|10|0.333333|0|0.000000|0.765597",
	"bloggs.prj.low|ijk456|10|0.333333|0|0.000000|0.765597",
	"bloggs.prj.low|xyz789|10|0.333333|0|0.000000|0.765597",
	"bloggs.prj||10|0.090090|0|1.000000|",
	"bloggs.prj|abc123|10|0.333333|0|0.000000|0.764892",
	"bloggs.prj|ijk456|10|0.333333|0|0.000000|0.764892",
	"bloggs.prj|xyz789|10|0.333333|0|1.000000|0.764658",
};

static const char *const members[] = { "abc123", "ijk456", "xyz789" };

struct site {
	struct eqt_tree_input in[NODES_MAX];
	long double usage[NODES_MAX];
	const char *account[NODES_MAX]; /* of the published group; else NULL */
	const char *user[NODES_MAX];
	uint32_t count;
	uint32_t shares; /* of all groups so far */
};

static uint32_t site_add(struct site *site, struct eqt_tree_input node,
			 long double usage)
{
	uint32_t above = node.parent;

	site->in[site->count] = node;
	site->usage[site->count] = usage;
	for (; node.user && above != EQT_TREE_NONE;
	     above = site->in[above].parent)
		site->usage[above] += usage;
	return site->count++;
}

/* All usage of a user is in the normal account. */
static void site_add_account(struct site *site, uint32_t group,
			     uint32_t shares, uint32_t users,
			     const char *name, long double usage)
{
	const bool parent_shares = shares == 100;
	uint32_t account = site_add(
		site,
		(struct eqt_tree_input){ .parent = group, .shares = shares },
		0);
	uint32_t i, at;

	site->account[account] = name;
	for (i = 0; i < users; i++) {
		bool used = shares == 10 && i + 1 == users;

		at = site_add(site,
			      (struct eqt_tree_input){
				      .parent = account,
				      .shares = 10,
				      .user = true,
				      .parent_shares = parent_shares },
			      used ? usage : 0);
		site->account[at] = name;
		site->user[at] = name ? members[i] : NULL;
	}
}

/* A group of users, each of them in all of its accounts. */
static void site_add_group(struct site *site, uint32_t shares, uint32_t users,
			   bool published, long double usage)
{
	uint32_t group = site_add(
		site, (struct eqt_tree_input){ .parent = 0, .shares = shares },
		0);

	site->shares += shares;
	site->account[group] = published ? "bloggs" : NULL;
	site_add_account(site, group, 100, users,
			 published ? "bloggs.prj.high" : NULL, usage);
	site_add_account(site, group, 1, users,
			 published ? "bloggs.prj.low" : NULL, usage);
	site_add_account(site, group, 10, users,
			 published ? "bloggs.prj" : NULL, usage);
}

/*
 * The published group has used less than one second, which sshare prints as 0.
 */
static void site_make(struct site *site)
{
	uint32_t i, rest;

	(void) site_add(site,
			(struct eqt_tree_input){ .parent = EQT_TREE_NONE,
						 .shares = 1 },
			0);
	for (i = 0; i < IDLE_GROUPS; i++)
		site_add_group(site, 10, IDLE_MEMBERS, false, 0);
	site_add_group(site, 5, COUNT(members), true, 0.4L);
	rest = SHARES - site->shares - (BUSY_GROUPS - 1) * 10;
	for (i = 0; i < BUSY_GROUPS; i++)
		site_add_group(site, i == 0 ? rest : 10, BUSY_MEMBERS, false,
			       1e7L + i);
}

static struct eqt_tree *site_tree(const struct site *site)
{
	struct eqt_error err;
	struct eqt_tree *tree = eqt_tree_new(site->in, site->count, &err);
	uint32_t i;

	ck_assert_msg(tree != NULL, "%s", err.text);
	for (i = 0; i < site->count; i++)
		eqt_tree_usage_set(tree, i, site->usage[i]);
	return tree;
}

/* A row as sshare -P prints it. */
static void row_print(char *buf, size_t size, const struct site *site,
		      const struct eqt_tree *tree, uint32_t i)
{
	const struct eqt_tree_input *in = &site->in[i];
	struct eqt_tree_result out = eqt_tree_node(tree, i);
	char shares[16], factor[16] = "";

	(void) snprintf(shares, sizeof(shares), "%" PRIu32, in->shares);
	if (in->user)
		(void) snprintf(factor, sizeof(factor), "%f", out.fs_factor);
	(void) snprintf(buf, size, "%s|%s|%s|%f|%" PRIu64 "|%Lf|%s",
			site->account[i], site->user[i] ? site->user[i] : "",
			in->parent_shares ? "parent" : shares, out.shares_norm,
			(uint64_t) site->usage[i], out.usage_efctv, factor);
}

static void assert_rows(const struct site *site, const struct eqt_tree *tree)
{
	char got[128];
	uint32_t i;
	size_t row = 0;

	for (i = 0; i < site->count; i++) {
		if (!site->account[i])
			continue;
		ck_assert(row < COUNT(rows));
		row_print(got, sizeof(got), site, tree, i);
		ck_assert_str_eq(got, rows[row]);
		row++;
	}
	ck_assert_uint_eq(row, COUNT(rows));
}

/* How many users have a better rank than the published group, and how many a
 * worse one. */
static void assert_neighbours(const struct site *site,
			      const struct eqt_tree *tree)
{
	uint32_t i, above = 0, below = 0;

	for (i = 0; i < site->count; i++) {
		if (!site->in[i].user || site->account[i])
			continue;
		above += eqt_tree_node(tree, i).rank > 6516;
		below += eqt_tree_node(tree, i).rank < 6508;
	}
	ck_assert_uint_eq(above, 1995);
	ck_assert_uint_eq(below, 6507);
}

/* The rule and Slurm agree on this tree: its only tied accounts are unused. */
START_TEST(the_published_table_to_the_digit)
{
	static struct site site;
	struct eqt_tree *tree;

	site = (struct site){ .count = 0 };
	site_make(&site);
	ck_assert_uint_eq(site.shares, SHARES);
	tree = site_tree(&site);
	ck_assert_uint_eq(eqt_tree_users(tree), USERS);
	eqt_tree_rank(tree, _i ? EQT_TREE_STOCK : EQT_TREE_DOCUMENTED);
	assert_rows(&site, tree);
	assert_neighbours(&site, tree);
	eqt_tree_free(tree);
}
END_TEST

static bool prints(uint32_t rank, uint32_t users, const char *text)
{
	char buf[16];

	(void) snprintf(buf, sizeof(buf), "%f", rank / (double) users);
	return strcmp(buf, text) == 0;
}

/* Six users share the first rank of the group, two the second. */
START_TEST(one_tree_under_twenty_thousand_users_has_these_factors)
{
	uint32_t users, rank, found = 0;

	for (users = 9; users < 20000; users++) {
		rank = (uint32_t) (0.765597 * users + 0.5);
		if (rank > 8 && prints(rank, users, "0.765597") &&
		    prints(rank - 6, users, "0.764892") &&
		    prints(rank - 8, users, "0.764658")) {
			ck_assert_uint_eq(users, USERS);
			ck_assert_uint_eq(rank, 6516);
			found++;
		}
	}
	ck_assert_uint_eq(found, 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("published tree");
	TCase *tcase = tcase_create("published tree");

	tcase_add_loop_test(tcase, the_published_table_to_the_digit, 0, 2);
	tcase_add_test(tcase,
		       one_tree_under_twenty_thousand_users_has_these_factors);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
