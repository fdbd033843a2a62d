/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree tree: the share tree, ranked again from what sshare prints. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/alloc.h"
#include "cli/cmd.h"
#include "cli/print.h"
#include "cli/options.h"
#include "cli/table.h"
#include "cli/json.h"
#include "tree/verify.h"

struct tree_options {
	struct eqt_sshare_options shares;
	const char **sets; /* elements of shares.sets; owned */
	const char *user;
	const char *verify, *priorities, *weights; /* paths of files */
	bool active;
	struct eqt_output_options common;
};

/* --set NAME=SHARES, which is applied after sshare was read. The elements point to words
 * of the command line. */
static int tree_add_set(void *into, const char *arg, struct eqt_error *err)
{
	struct tree_options *options = into;

	(void) err;
	EQT_ALLOC_ROOM(options->sets, options->shares.set_count);
	options->sets[options->shares.set_count++] = arg;
	options->shares.sets = options->sets;
	return 0;
}

static const struct eqt_option options_table[] = {
	{ "shares", 0, "FILE",
	  "read what \"sshare -alP\" printed (-: stdin), instead of running it",
	  0, EQT_TEXT_AT(struct tree_options, shares.path) },
	{ "set", 0, "ACCOUNT[/USER]=SHARES",
	  "rank with other shares (a number or \"parent\")", 0,
	  EQT_TAKEN_BY(tree_add_set) },
	{ "user", 0, "NAME", "only the paths to this user's associations", 0,
	  EQT_TEXT_AT(struct tree_options, user) },
	{ "active", 0, NULL, "only rows with usage", 0,
	  EQT_FLAG_AT(struct tree_options, active) },
	{ "stock", 0, NULL,
	  "rank like Slurm's own plugin, which does not merge tied accounts", 0,
	  EQT_FLAG_AT(struct tree_options, shares.stock) },
	{ "verify", 0, "FILE",
	  "recompute NormShares, LevelFS and FairShare of what \"sshare -alP\" "
	  "printed, and report each difference",
	  1, EQT_TEXT_AT(struct tree_options, verify) },
	{ "priorities", 0, "FILE",
	  "with --verify: recompute what \"sprio -l\" printed, too", 1,
	  EQT_TEXT_AT(struct tree_options, priorities) },
	{ "weights", 0, "FILE",
	  "with --priorities: read what \"sprio -wl\" printed, and compare "
	  "FAIRSHARE",
	  1, EQT_TEXT_AT(struct tree_options, weights) },
	{ 0 }
};

/* Select the rows that the options name, and all rows above them. The caller frees the
 * result. */
static bool *tree_select_rows(const struct eqt_sshare *shares,
			      const struct tree_options *options)
{
	bool *shown = eqt_alloc(shares->count, sizeof(*shown));

	/* Children follow their parents, so go backwards. */
	for (uint32_t i = shares->count; i-- > 0;) {
		const struct eqt_sshare_assoc *assoc = &shares->assocs[i];

		if ((!options->user ||
		     (assoc->user &&
		      strcmp(assoc->user, options->user) == 0)) &&
		    (!options->active || assoc->usage > 0))
			shown[i] = true;
		if (shown[i] && i > 0)
			shown[assoc->parent] = true;
	}
	return shown;
}

/* The root has no siblings, and hence neither shares nor a Level FS. */
static void tree_fill_row(struct libscols_line *line,
			  const struct eqt_sshare *shares, uint32_t i)
{
	const struct eqt_sshare_assoc *assoc = &shares->assocs[i];
	struct eqt_tree_result node = eqt_tree_node(shares->tree, i);
	char text[EQT_TABLE_CELL];

	eqt_table_cell(line, 0, assoc->user ? assoc->user : assoc->account);
	eqt_table_cell(line, 3, eqt_table_usage_text(assoc->usage, text));
	eqt_table_cell_print(line, 4, "%.4Lf", node.usage_efctv);
	if (i > 0) {
		(void) snprintf(text, sizeof(text), "%" PRIu32, assoc->shares);
		eqt_table_cell(line, 1, assoc->parent_shares ? "parent" : text);
		eqt_table_cell_print(line, 2, "%.4f", node.shares_norm);
		eqt_table_cell_set(line, 5,
				   eqt_table_level_text(node.level_fs, text),
				   eqt_colour_level(node.level_fs));
	}
	if (assoc->user) {
		eqt_table_cell_print(line, 6, "%" PRIu32, node.rank);
		eqt_table_cell_print(line, 7, "%.6f", node.fs_factor);
	}
}

/* Print the tree. A row is a child of its parent's row. */
static void tree_print_table(const struct eqt_sshare *shares, const bool *shown,
			     bool headings)
{
	struct libscols_table *table =
		eqt_table_new("+NAME|>SHARES|>S|>USAGE|>U|>LEVEL FS|>RANK|"
			      ">FAIRSHARE",
			      headings);
	struct libscols_line **lines = eqt_alloc(shares->count, sizeof(*lines));

	for (uint32_t i = 0; i < shares->count; i++) {
		if (!shown[i])
			continue;
		lines[i] = eqt_table_line(
			table, i > 0 ? lines[shares->assocs[i].parent] : NULL);
		tree_fill_row(lines[i], shares, i);
	}
	free(lines);
	eqt_table_print(table);
}

/* One association as JSON. Only users have rank and FairShare. */
static json_object *tree_assoc_json(const struct eqt_sshare *shares, uint32_t i)
{
	const struct eqt_sshare_assoc *assoc = &shares->assocs[i];
	struct eqt_tree_result node = eqt_tree_node(shares->tree, i);
	json_object *object = json_object_new_object();
	bool user = assoc->user != NULL;

	eqt_json_add(object, "account", assoc->account);
	eqt_json_add(object, "user", user ? assoc->user : NULL);
	eqt_json_add(object, "raw_shares",
		     assoc->parent_shares
			     ? json_object_new_string("parent")
			     : json_object_new_int64(assoc->shares));
	eqt_json_add(object, "raw_usage", assoc->usage);
	eqt_json_add(object, "norm_shares", node.shares_norm);
	eqt_json_add(object, "effective_usage", node.usage_efctv);
	eqt_json_add(object, "level_fs", node.level_fs);
	eqt_json_add(object, "rank",
		     user ? json_object_new_int64(node.rank) : NULL);
	eqt_json_add(object, "fair_share", user ? node.fs_factor : NAN);
	return object;
}

/* Print all selected associations as one array. */
static void tree_print_json(const struct eqt_sshare *shares, const bool *shown)
{
	json_object *array = json_object_new_array();

	for (uint32_t i = 0; i < shares->count; i++) {
		if (shown[i])
			eqt_json_append(array, tree_assoc_json(shares, i));
	}
	eqt_json_print(array);
}

/* Read the tree, and print the rows that the options name. Returns 0, or -1 with err
 * filled. */
static int tree_show(const struct tree_options *options, struct eqt_error *err)
{
	struct eqt_sshare shares;
	bool *shown;
	int rc = 0;

	if (eqt_sshare_read(&shares, &options->shares, err) < 0)
		return -1;
	shown = tree_select_rows(&shares, options);
	if (options->user && !shown[0])
		rc = eqt_error_set(err, "%s: no user \"%s\"%s",
				   shares.table.text.name, options->user,
				   options->active ? " with usage" : "");
	else if (options->common.json)
		tree_print_json(&shares, shown);
	else
		tree_print_table(&shares, shown, !options->common.no_headings);
	free(shown);
	eqt_sshare_free(&shares);
	return rc;
}

static int tree_check_options(void *with, struct eqt_error *err)
{
	const struct tree_options *options = with;

	if (options->verify && (options->shares.path || options->sets ||
				options->user || options->active))
		return eqt_error_set(err, "--verify takes none of --shares, "
					  "--set, --user and --active");
	if (options->priorities && !options->verify)
		return eqt_error_set(err, "--priorities needs --verify");
	if (options->weights && !options->priorities)
		return eqt_error_set(err, "--weights needs --priorities");
	return 0;
}

/* Read the files, and print the differences in them. Returns the exit status, or -1 with
 * err filled. */
static int tree_verify(struct tree_options *options, struct eqt_error *err)
{
	struct eqt_verify verify = { .count = 0 };
	struct eqt_sshare shares;
	int rc;

	options->shares.path = options->verify;
	options->shares.any_norms = true;
	if (eqt_sshare_read(&shares, &options->shares, err) < 0)
		return -1;
	rc = eqt_verify_shares(&verify, &shares, err);
	if (rc == 0 && verify.fair_tree)
		eqt_verify_ranks(&verify, &shares, options->shares.stock);
	if (rc == 0 && options->priorities)
		rc = eqt_verify_priorities(&verify, &shares,
					   options->priorities,
					   options->weights, err);
	if (rc == 0)
		rc = eqt_verify_print(&verify, shares.table.text.name,
				      options->priorities,
				      options->common.json);
	eqt_verify_free(&verify);
	eqt_sshare_free(&shares);
	return rc;
}

int cmd_tree(int argc, char **argv)
{
	static const struct eqt_options_spec line = {
		.table = options_table,
		.common_at = offsetof(struct tree_options, common),
		.csv = true,
		.doc = "Show the share tree with its ranks, computed from "
		       "RawShares and RawUsage of sshare.\vS is the part of a "
		       "level's shares, U the part of its usage, LEVEL FS is S "
		       "/ U: 1 has used exactly its share, 2 half of it, inf "
		       "nothing. The user with the highest RANK goes first; "
		       "FAIRSHARE is RANK / number of users.",
		.check = tree_check_options,
	};
	struct tree_options options = { .user = NULL };
	struct eqt_error err;
	int rc;

	eqt_options_parse(&line, argc, argv, &options);
	rc = options.verify ? tree_verify(&options, &err)
			    : tree_show(&options, &err);
	free(options.sets);
	return eqt_print_status("tree", rc, &err);
}
