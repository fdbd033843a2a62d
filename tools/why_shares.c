/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "why.h"

#define NAME_SIZE 256

/* Quotients of whole numbers this near each other are the same one. */
#define TIED 1e-15L

/* The nodes from the root down to an association, those that have a Level FS
 * or are the last. */
struct path {
	uint32_t length;
	uint32_t node[EQT_TREE_DEPTH_MAX + 1];
};

static void make_path(struct path *path, const struct eqt_shares *shares,
		      uint32_t i)
{
	uint32_t at, length = 0;

	for (at = i; at != EQT_NODE_NONE; at = eqt_shares_above(shares, at))
		length++;
	path->length = length;
	for (at = i; at != EQT_NODE_NONE; at = eqt_shares_above(shares, at))
		path->node[--length] = at;
}

static char *full_name(const struct eqt_shares *shares, uint32_t i,
		       char buf[NAME_SIZE])
{
	const struct eqt_assoc *assoc = &shares->assocs[i];

	(void) snprintf(buf, NAME_SIZE, "%s%s%s", assoc->account,
			assoc->user ? "/" : "", assoc->user ? assoc->user : "");
	return buf;
}

static const char *short_name(const struct eqt_shares *shares, uint32_t i)
{
	const struct eqt_assoc *assoc = &shares->assocs[i];

	return assoc->user ? assoc->user : assoc->account;
}

char *eqt_level_words(const struct eqt_assoc *assoc, long double level_fs,
		      char buf[EQT_LEVEL_WORDS])
{
	if (assoc->parent_shares)
		(void) snprintf(
			buf, EQT_LEVEL_WORDS,
			"Fairshare=parent: before all that have shares");
	else if (!(level_fs > 0))
		(void) snprintf(buf, EQT_LEVEL_WORDS, "has no shares");
	else if (isinf(level_fs))
		(void) snprintf(buf, EQT_LEVEL_WORDS, "has used nothing");
	else if (fabsl(level_fs - 1) < 0.005L)
		(void) snprintf(buf, EQT_LEVEL_WORDS,
				"has used just its share");
	else if (level_fs > 1)
		(void) snprintf(buf, EQT_LEVEL_WORDS,
				"has used %.3Lg %% of its share",
				100 / level_fs);
	else
		(void) snprintf(buf, EQT_LEVEL_WORDS,
				"has used %.3Lg times its share", 1 / level_fs);
	return buf;
}

int eqt_shares_choose(uint32_t *out, const struct eqt_shares *shares,
		      const char *name, struct eqt_error *err)
{
	uint32_t first = eqt_shares_find(shares, name, strlen(name), 0), i;
	char list[EQT_ERROR_SIZE / 2] = "", full[NAME_SIZE];
	size_t used = 0;

	if (first == EQT_NODE_NONE)
		return eqt_error_set(err, "%s: there is no \"%s\"",
				     shares->table.text.name, name);
	*out = first;
	if (eqt_shares_find(shares, name, strlen(name), first + 1) ==
	    EQT_NODE_NONE)
		return 0;
	/* The root's own user is called like its account. */
	if (!shares->assocs[first].user)
		return 0;
	for (i = first; i != EQT_NODE_NONE && used < sizeof(list);
	     i = eqt_shares_find(shares, name, strlen(name), i + 1))
		used += (size_t) snprintf(list + used, sizeof(list) - used,
					  "%s%s", used ? ", " : "",
					  full_name(shares, i, full));
	return eqt_error_set(err, "\"%s\" is more than one: say which of %s",
			     name, list);
}

/* ---- One ------------------------------------------------------------------ */

static void print_place(const struct eqt_shares *shares, uint32_t i)
{
	struct eqt_node_out node = eqt_tree_node(shares->tree, i);
	char name[NAME_SIZE];

	printf("%s", full_name(shares, i, name));
	if (shares->assocs[i].user)
		printf(": rank %" PRIu32 " of %" PRIu32 ", FairShare %.6f",
		       node.rank, eqt_tree_users(shares->tree), node.fs_factor);
	putchar('\n');
}

static const struct eqt_column step_columns[] = {
	{ "NAME", SCOLS_FL_TREE | SCOLS_FL_WRAP },
	{ "S", SCOLS_FL_RIGHT },
	{ "U", SCOLS_FL_RIGHT },
	{ "LEVEL FS", SCOLS_FL_RIGHT },
	{ "WHAT IT SAYS", SCOLS_FL_WRAP },
	{ NULL, 0 },
};

static void fill_step(struct libscols_line *line,
		      const struct eqt_shares *shares, uint32_t i)
{
	struct eqt_node_out node = eqt_tree_node(shares->tree, i);
	char text[EQT_LEVEL_WORDS], number[EQT_CELL];

	(void) scols_line_set_data(line, 0, short_name(shares, i));
	if (i == 0)
		return;
	(void) snprintf(number, sizeof(number), "%.4f", node.shares_norm);
	(void) scols_line_set_data(line, 1, number);
	(void) snprintf(number, sizeof(number), "%.4Lf", node.usage_efctv);
	(void) scols_line_set_data(line, 2, number);
	eqt_cell_set(line, 3, eqt_level_text(node.level_fs, number),
		     eqt_level_colour(node.level_fs));
	(void) scols_line_set_data(line, 4,
				   eqt_level_words(&shares->assocs[i],
						   node.level_fs, text));
}

static void print_path(const struct eqt_shares *shares, uint32_t i)
{
	struct libscols_table *table = eqt_table_new(step_columns, true);
	struct libscols_line *line = NULL;
	struct path path;
	uint32_t at;

	print_place(shares, i);
	make_path(&path, shares, i);
	for (at = 0; table && at < path.length; at++) {
		line = scols_table_new_line(table, line);
		if (line)
			fill_step(line, shares, path.node[at]);
	}
	if (table)
		(void) scols_print_table(table);
	scols_unref_table(table);
}

static json_object *place_json(const struct eqt_shares *shares, uint32_t i)
{
	const struct eqt_assoc *assoc = &shares->assocs[i];
	struct eqt_node_out node = eqt_tree_node(shares->tree, i);
	json_object *object = json_object_new_object();

	eqt_json_add(object, "account", json_object_new_string(assoc->account));
	eqt_json_add(object, "user",
		     assoc->user ? json_object_new_string(assoc->user) : NULL);
	eqt_json_add(object, "norm_shares", eqt_json_number(node.shares_norm));
	eqt_json_add(object, "effective_usage",
		     eqt_json_number(node.usage_efctv));
	eqt_json_add(object, "level_fs", eqt_json_number(node.level_fs));
	eqt_json_add(object, "rank",
		     assoc->user ? json_object_new_int64(node.rank) : NULL);
	return object;
}

static json_object *path_json(const struct eqt_shares *shares, uint32_t i)
{
	json_object *array = json_object_new_array();
	struct path path;
	uint32_t at;

	make_path(&path, shares, i);
	for (at = 0; at < path.length; at++)
		(void) json_object_array_add(array,
					     place_json(shares, path.node[at]));
	return array;
}

/* All associations of one name. */
static int explain_one(const struct eqt_shares *shares, const char *name,
		       bool json)
{
	json_object *array = json ? json_object_new_array() : NULL;
	uint32_t i = eqt_shares_find(shares, name, strlen(name), 0);
	bool first = true;

	if (i == EQT_NODE_NONE) {
		fprintf(stderr, "equitree why: %s: there is no \"%s\"\n",
			shares->table.text.name, name);
		json_object_put(array);
		return EXIT_FAILURE;
	}
	for (; i != EQT_NODE_NONE;
	     i = eqt_shares_find(shares, name, strlen(name), i + 1)) {
		if (json) {
			(void) json_object_array_add(array,
						     path_json(shares, i));
			continue;
		}
		if (!first)
			putchar('\n');
		first = false;
		print_path(shares, i);
	}
	if (json)
		eqt_json_print(array);
	return EXIT_SUCCESS;
}

/* ---- Two ------------------------------------------------------------------ */

struct pair {
	struct path path[2];
	uint32_t common; /* the first common ancestor */
	uint32_t at[2]; /* what is compared: below it, one on each path */
	uint32_t ties; /* levels of merged accounts between the two */
	int first; /* 0 or 1 goes first; -1: tied */
};

static bool tied(const struct eqt_shares *shares, const struct pair *pair)
{
	long double a = eqt_tree_node(shares->tree, pair->at[0]).level_fs;
	long double b = eqt_tree_node(shares->tree, pair->at[1]).level_fs;

	return a == b || fabsl(a - b) <= TIED * fmaxl(a, b);
}

static int who_first(const struct eqt_shares *shares, const struct pair *pair,
		     const uint32_t *i)
{
	struct eqt_node_out a = eqt_tree_node(shares->tree, i[0]);
	struct eqt_node_out b = eqt_tree_node(shares->tree, i[1]);

	if (shares->assocs[i[0]].user && shares->assocs[i[1]].user)
		return a.rank == b.rank ? -1 : a.rank < b.rank;
	if (tied(shares, pair))
		return -1;
	a = eqt_tree_node(shares->tree, pair->at[0]);
	b = eqt_tree_node(shares->tree, pair->at[1]);
	return a.level_fs < b.level_fs;
}

/* False when one is above the other. */
static bool make_pair(struct pair *pair, const struct eqt_shares *shares,
		      const uint32_t *i, bool stock)
{
	uint32_t k = 0, least;

	make_path(&pair->path[0], shares, i[0]);
	make_path(&pair->path[1], shares, i[1]);
	least = pair->path[0].length < pair->path[1].length
			? pair->path[0].length
			: pair->path[1].length;
	while (k < least && pair->path[0].node[k] == pair->path[1].node[k])
		k++;
	if (k == least)
		return false;
	pair->common = pair->path[0].node[k - 1];
	for (pair->ties = 0;; pair->ties++, k++) {
		pair->at[0] = pair->path[0].node[k];
		pair->at[1] = pair->path[1].node[k];
		if (stock || k + 1 >= least || !tied(shares, pair))
			break;
	}
	pair->first = who_first(shares, pair, i);
	return true;
}

static void print_side(const struct eqt_shares *shares, uint32_t i, int width)
{
	struct eqt_node_out node = eqt_tree_node(shares->tree, i);
	char words[EQT_LEVEL_WORDS], level[EQT_CELL];

	printf("  %-*s  Level FS %s%9s%s  %s\n", width, short_name(shares, i),
	       eqt_colour(eqt_level_colour(node.level_fs)),
	       eqt_level_text(node.level_fs, level),
	       eqt_colour(EQT_COLOUR_NONE),
	       eqt_level_words(&shares->assocs[i], node.level_fs, words));
}

static void print_verdict(const struct eqt_shares *shares,
			  const struct pair *pair, const uint32_t *i,
			  bool stock)
{
	char a[EQT_CELL], b[EQT_CELL], name[NAME_SIZE];
	int first = pair->first < 0 ? 0 : pair->first;

	eqt_level_text(eqt_tree_node(shares->tree, pair->at[first]).level_fs,
		       a);
	eqt_level_text(eqt_tree_node(shares->tree, pair->at[!first]).level_fs,
		       b);
	if (pair->first < 0) {
		printf("Neither goes first: both have the same rank.\n");
		return;
	}
	printf("%s%s goes first%s: ", eqt_colour(EQT_COLOUR_BOLD),
	       full_name(shares, i[first], name), eqt_colour(EQT_COLOUR_NONE));
	if (!tied(shares, pair))
		printf("its side has %s there, the other %s.\n", a, b);
	else if (stock)
		printf("the two sides are tied, and Slurm's plugin takes "
		       "tied accounts\nin the order of its list.\n");
	else
		printf("both have %s there, and below it the one has used "
		       "less.\n",
		       a);
}

static void print_pair(const struct eqt_shares *shares, const struct pair *pair,
		       const uint32_t *i, bool stock)
{
	size_t a = strlen(short_name(shares, pair->at[0]));
	size_t b = strlen(short_name(shares, pair->at[1]));
	int width = (int) (a > b ? a : b);

	print_place(shares, i[0]);
	print_place(shares, i[1]);
	printf("\nTheir paths part below %s%s:\n",
	       short_name(shares, pair->common),
	       pair->ties ? ", where their accounts are tied and so\n"
			    "are ranked as one; what counts is one level down"
			  : "");
	print_side(shares, pair->at[0], width);
	print_side(shares, pair->at[1], width);
	putchar('\n');
	print_verdict(shares, pair, i, stock);
	puts("\nLevel FS is shares over usage, each as a part of its level: 1 "
	     "has used exactly\nits share, 2 half of it, 0.5 twice as much. "
	     "FairShare is only the place in\nthe order: 0.5 there means the "
	     "middle of the list, not \"on its share\".");
}

static void print_pair_json(const struct eqt_shares *shares,
			    const struct pair *pair, const uint32_t *i)
{
	json_object *object = json_object_new_object();
	json_object *at = json_object_new_array();
	json_object *paths = json_object_new_array();
	int side;

	for (side = 0; side < 2; side++) {
		(void) json_object_array_add(at, place_json(shares,
							    pair->at[side]));
		(void) json_object_array_add(paths, path_json(shares, i[side]));
	}
	eqt_json_add(object, "paths", paths);
	eqt_json_add(object, "common", place_json(shares, pair->common));
	eqt_json_add(object, "tied_levels", json_object_new_int64(pair->ties));
	eqt_json_add(object, "compared", at);
	eqt_json_add(object, "first",
		     pair->first < 0 ? NULL
				     : place_json(shares, i[pair->first]));
	eqt_json_print(object);
}

static int explain_two(const struct eqt_shares *shares,
		       const char *const *names, bool stock, bool json)
{
	struct eqt_error err;
	struct pair pair;
	uint32_t i[2];

	if (eqt_shares_choose(&i[0], shares, names[0], &err) < 0 ||
	    eqt_shares_choose(&i[1], shares, names[1], &err) < 0) {
		fprintf(stderr, "equitree why: %s\n", err.text);
		return EXIT_FAILURE;
	}
	if (!make_pair(&pair, shares, i, stock)) {
		fprintf(stderr,
			"equitree why: one of %s and %s is above the "
			"other\n",
			names[0], names[1]);
		return EXIT_FAILURE;
	}
	if (json)
		print_pair_json(shares, &pair, i);
	else
		print_pair(shares, &pair, i, stock);
	return EXIT_SUCCESS;
}

int eqt_why_shares(const struct eqt_shares *shares, const char *const *names,
		   int count, bool stock, bool json)
{
	if (count == 1)
		return explain_one(shares, names[0], json);
	return explain_two(shares, names, stock, json);
}
