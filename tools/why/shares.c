/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A name may mean several associations. All of them are explained one by one. Two names
 * are compared only if each means a single association.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "why/why.h"
#include "why/path.h"
#include "cli/table.h"
#include "cli/print.h"

/* ---- Pair ---------------------------------------------------------------------------
 * Which of two users or accounts goes first, and which level of the tree decides. Both
 * paths are followed from the root to the first level where they differ. Accounts that
 * are tied there are merged, as in Fair Tree, and the comparison goes one level down.
 * With --stock the comparison ends there instead. */

/* The quotients of two equal fractions may differ in the last bit. This bound is relative
 * to the larger quotient. */
#define TIED 1e-15L

struct pair {
	struct eqt_why_path path[2];
	uint32_t common; /* the nearest common ancestor */
	uint32_t at[2]; /* the siblings that are compared, one on each path */
	uint32_t ties; /* levels of merged accounts above these siblings */
	int first; /* index of the one that goes first; -1: they are tied */
};

static bool pair_is_tied(const struct eqt_sshare *shares,
			 const struct pair *pair)
{
	long double a = eqt_tree_node(shares->tree, pair->at[0]).level_fs;
	long double b = eqt_tree_node(shares->tree, pair->at[1]).level_fs;

	/* Associations without usage are tied with each other. NaN is tied with
	 * nothing. */
	if (!isfinite(a) || !isfinite(b))
		return a == b;
	return fabsl(a - b) <= TIED * fmaxl(a, b);
}

/* The index of the one that ranks higher, or -1 for a tie. Users have ranks. Accounts
 * have none, so their Level FS are compared. */
static int pair_first(const struct eqt_sshare *shares, const struct pair *pair,
		      const uint32_t *i)
{
	struct eqt_tree_result a = eqt_tree_node(shares->tree, i[0]);
	struct eqt_tree_result b = eqt_tree_node(shares->tree, i[1]);

	if (shares->assocs[i[0]].user && shares->assocs[i[1]].user)
		return a.rank == b.rank ? -1 : a.rank < b.rank;
	if (pair_is_tied(shares, pair))
		return -1;
	a = eqt_tree_node(shares->tree, pair->at[0]);
	b = eqt_tree_node(shares->tree, pair->at[1]);
	return a.level_fs < b.level_fs;
}

/* Returns false if one association is above the other. */
static bool pair_make(struct pair *pair, const struct eqt_sshare *shares,
		      const uint32_t *i, bool stock)
{
	uint32_t k = 0,
		 least; /* k is the first level on which the paths differ */

	eqt_path_make(&pair->path[0], shares, i[0]);
	eqt_path_make(&pair->path[1], shares, i[1]);
	least = (uint32_t) eqt_whole_min(pair->path[0].length,
					 pair->path[1].length);
	while (k < least && pair->path[0].node[k] == pair->path[1].node[k])
		k++;
	if (k == least)
		return false;
	pair->common = pair->path[0].node[k - 1];
	for (pair->ties = 0;; pair->ties++, k++) {
		pair->at[0] = pair->path[0].node[k];
		pair->at[1] = pair->path[1].node[k];
		if (stock || k + 1 >= least || !pair_is_tied(shares, pair))
			break;
	}
	pair->first = pair_first(shares, pair, i);
	return true;
}

/* Print a line for one side of the comparison. "width" is the width of the longer
 * name. */
static void pair_print_side(const struct eqt_sshare *shares, uint32_t i,
			    int width)
{
	struct eqt_tree_result node = eqt_tree_node(shares->tree, i);
	char words[EQT_WHY_LEVEL_WORDS], level[EQT_TABLE_CELL];

	printf("  %-*s  Level FS %s%9s%s  %s\n", width,
	       eqt_path_assoc_short(shares, i),
	       eqt_colour(eqt_colour_level(node.level_fs)),
	       eqt_table_level_text(node.level_fs, level),
	       eqt_colour(EQT_COLOUR_NONE),
	       eqt_path_level_words(&shares->assocs[i], node.level_fs, words));
}

/* The deciding factor, and its word in JSON. */
enum verdict { TIED_ALL, BY_LEVEL_FS, BY_LIST, BY_BELOW };

static const char *const verdict_words[] = { NULL, "level_fs", "list",
					     "below" };

static enum verdict pair_verdict(const struct eqt_sshare *shares,
				 const struct pair *pair, bool stock)
{
	if (pair->first < 0)
		return TIED_ALL;
	if (!pair_is_tied(shares, pair))
		return BY_LEVEL_FS;
	return stock ? BY_LIST : BY_BELOW;
}

/* Printed instead of the verdict if the points of two jobs contradict the shares of their
 * users. */
static void pair_print_overruled(const struct eqt_sshare *shares,
				 const struct pair *pair, const uint32_t *i)
{
	char name[EQT_WHY_ASSOC_NAME], text[EQT_WHY_ASSOC_NAME + 400];

	(void) snprintf(
		text, sizeof(text),
		"By the shares alone %s would go before the other, but the "
		"points of the jobs say otherwise: with order = jobs or "
		"allocated_now each waiting job has a place of its own.",
		pair->first < 0
			? "neither"
			: eqt_path_assoc_name(shares, i[pair->first], name));
	eqt_print_wrapped(text);
	putchar('\n');
}

static void pair_print_verdict(const struct eqt_sshare *shares,
			       const struct pair *pair, const uint32_t *i,
			       bool stock)
{
	char a[EQT_TABLE_CELL], b[EQT_TABLE_CELL], name[EQT_WHY_ASSOC_NAME];
	enum verdict verdict = pair_verdict(shares, pair, stock);
	int first = pair->first < 0 ? 0 : pair->first;

	eqt_table_level_text(
		eqt_tree_node(shares->tree, pair->at[first]).level_fs, a);
	eqt_table_level_text(
		eqt_tree_node(shares->tree, pair->at[!first]).level_fs, b);
	if (verdict == TIED_ALL) {
		printf("Neither goes first: both have the same rank.\n");
		return;
	}
	printf("%s%s goes first%s: ", eqt_colour(EQT_COLOUR_BOLD),
	       eqt_path_assoc_name(shares, i[first], name),
	       eqt_colour(EQT_COLOUR_NONE));
	if (verdict == BY_LEVEL_FS)
		printf("its side has %s there, the other %s.\n", a, b);
	else if (verdict == BY_LIST)
		printf("the two sides are tied, and Slurm's plugin ranks "
		       "tied\naccounts in the order of its list.\n");
	else
		printf("both have %s there, and below it has used\nless than "
		       "the other.\n",
		       a);
}

/* Users often misread FairShare, so Level FS is always explained. */
static void pair_print(const struct eqt_sshare *shares, const struct pair *pair,
		       const uint32_t *i, bool stock, const int *fairer)
{
	size_t a = strlen(eqt_path_assoc_short(shares, pair->at[0]));
	size_t b = strlen(eqt_path_assoc_short(shares, pair->at[1]));
	int width = (int) (a > b ? a : b);

	eqt_path_assoc_print(shares, i[0]);
	eqt_path_assoc_print(shares, i[1]);
	printf("\nTheir paths part below %s%s:\n",
	       eqt_path_assoc_short(shares, pair->common),
	       pair->ties ? ", where their accounts are tied and\nranked as "
			    "one; they differ one level down"
			  : "");
	pair_print_side(shares, pair->at[0], width);
	pair_print_side(shares, pair->at[1], width);
	putchar('\n');
	if (fairer && *fairer != pair->first)
		pair_print_overruled(shares, pair, i);
	else
		pair_print_verdict(shares, pair, i, stock);
	puts("\nLevel FS is shares over usage, each as a part of its level: 1 "
	     "has used exactly\nits share, 2 half of it, 0.5 twice as much. "
	     "FairShare is only the relative\nrank: 0.5 is the middle of the "
	     "list, not \"on its share\".");
}

static json_object *pair_json(const struct eqt_sshare *shares,
			      const struct pair *pair, const uint32_t *i,
			      bool stock, const int *fairer)
{
	json_object *object = json_object_new_object();
	json_object *at = json_object_new_array();
	json_object *paths = json_object_new_array();
	const char *by = verdict_words[pair_verdict(shares, pair, stock)];

	for (int side = 0; side < 2; side++) {
		eqt_json_append(at,
				eqt_path_assoc_json(shares, pair->at[side]));
		eqt_json_append(paths, eqt_path_json(shares, i[side]));
	}
	eqt_json_add(object, "paths", paths);
	eqt_json_add(object, "common",
		     eqt_path_assoc_json(shares, pair->common));
	eqt_json_add(object, "tied_levels", pair->ties);
	eqt_json_add(object, "compared", at);
	eqt_json_add(object, "first",
		     pair->first < 0
			     ? NULL
			     : eqt_path_assoc_json(shares, i[pair->first]));
	eqt_json_add(object, "decided_by", by);
	if (fairer)
		eqt_json_add(object, "jobs_agree",
			     eqt_json_flag(pair->first == *fairer));
	return object;
}

/* Find the only association with a name. Returns 0, or -1 with err filled if there is
 * none, or more than one. */
static int shares_choose(uint32_t *out, const struct eqt_sshare *shares,
			 const char *name, struct eqt_error *err)
{
	uint32_t first = eqt_sshare_find(shares, name, strlen(name), 0), i;
	char list[EQT_ERROR_SIZE / 2] = "", full[EQT_WHY_ASSOC_NAME];

	if (first == EQT_TREE_NONE)
		return eqt_error_set(err, "%s: no \"%s\"",
				     shares->table.text.name, name);
	*out = first;
	if (eqt_sshare_find(shares, name, strlen(name), first + 1) ==
	    EQT_TREE_NONE)
		return 0;
	/* The user "root" has the same name as the account "root". */
	if (!shares->assocs[first].user)
		return 0;
	for (i = first; i != EQT_TREE_NONE;
	     i = eqt_sshare_find(shares, name, strlen(name), i + 1))
		eqt_print_append(list, sizeof(list), "%s%s",
				 list[0] ? ", " : "",
				 eqt_path_assoc_name(shares, i, full));
	return eqt_error_set(err,
			     "\"%s\" has several associations: name one of %s",
			     name, list);
}

/* Find the associations of the two names, and compare them. */
static int pair_choose(struct pair *pair, uint32_t *i,
		       const struct eqt_sshare *shares,
		       const char *const *names, bool stock,
		       struct eqt_error *err)
{
	if (shares_choose(&i[0], shares, names[0], err) < 0 ||
	    shares_choose(&i[1], shares, names[1], err) < 0)
		return -1;
	if (!pair_make(pair, shares, i, stock))
		return eqt_error_set(err, "one of %s and %s is above the other",
				     names[0], names[1]);
	return 0;
}

json_object *eqt_why_pair_json(const struct eqt_sshare *shares,
			       const char *const *names, bool stock,
			       const int *fairer, struct eqt_error *err)
{
	struct pair pair;
	uint32_t i[2];

	if (pair_choose(&pair, i, shares, names, stock, err) < 0)
		return NULL;
	return pair_json(shares, &pair, i, stock, fairer);
}

/* ---- One ------------------------------------------------------------------ */

/* The root has neither shares nor usage relative to others. */
static void path_fill_row(struct libscols_line *line,
			  const struct eqt_sshare *shares, uint32_t i)
{
	struct eqt_tree_result node = eqt_tree_node(shares->tree, i);
	char text[EQT_WHY_LEVEL_WORDS], number[EQT_TABLE_CELL];

	eqt_table_cell(line, 0, eqt_path_assoc_short(shares, i));
	if (i == 0)
		return;
	eqt_table_cell_print(line, 1, "%.4f", node.shares_norm);
	eqt_table_cell_print(line, 2, "%.4Lf", node.usage_efctv);
	eqt_table_cell_set(line, 3, eqt_table_level_text(node.level_fs, number),
			   eqt_colour_level(node.level_fs));
	eqt_table_cell(line, 4,
		       eqt_path_level_words(&shares->assocs[i], node.level_fs,
					    text));
}

/* In libsmartcols' tree each line is a child of the line before it. */
static void path_print(const struct eqt_sshare *shares, uint32_t i)
{
	struct libscols_table *table =
		eqt_table_new("+NAME|>S|>U|>LEVEL FS|~WHAT IT SAYS", true);
	struct libscols_line *line = NULL;
	struct eqt_why_path path;

	eqt_path_assoc_print(shares, i);
	eqt_path_make(&path, shares, i);
	for (uint32_t at = 0; at < path.length; at++) {
		line = eqt_table_line(table, line);
		path_fill_row(line, shares, path.node[at]);
	}
	eqt_table_print(table);
}

/* Explain all associations with a name. */
static int shares_explain_one(const struct eqt_sshare *shares, const char *name,
			      bool json)
{
	json_object *array = json ? json_object_new_array() : NULL;
	uint32_t i = eqt_sshare_find(shares, name, strlen(name), 0);
	struct eqt_error err;
	bool first = true;

	if (i == EQT_TREE_NONE) {
		(void) eqt_error_set(&err, "%s: no \"%s\"",
				     shares->table.text.name, name);
		json_object_put(array);
		return eqt_print_failure("why", &err);
	}
	for (; i != EQT_TREE_NONE;
	     i = eqt_sshare_find(shares, name, strlen(name), i + 1)) {
		if (json) {
			eqt_json_append(array, eqt_path_json(shares, i));
			continue;
		}
		if (!first)
			putchar('\n');
		first = false;
		path_print(shares, i);
	}
	if (json)
		eqt_json_print(array);
	return EXIT_SUCCESS;
}

int eqt_why_shares(const struct eqt_sshare *shares, const char *const *names,
		   int count, bool stock, bool json, const int *fairer)
{
	struct pair pair;
	struct eqt_error err;
	uint32_t i[2];

	if (count == 1)
		return shares_explain_one(shares, names[0], json);
	if (pair_choose(&pair, i, shares, names, stock, &err) < 0)
		return eqt_print_failure("why", &err);
	if (json)
		eqt_json_print(pair_json(shares, &pair, i, stock, fairer));
	else
		pair_print(shares, &pair, i, stock, fairer);
	return EXIT_SUCCESS;
}
