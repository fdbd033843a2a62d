/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A name may mean several associations: one is explained each, but two are
 * only compared if each name means one.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "why/why.h"
#include "why/pair.h"
#include "why/path.h"
#include "cli/table.h"
#include "cli/json.h"
#include "cli/colour.h"
#include "cli/failure.h"

int eqt_why_choose(uint32_t *out, const struct eqt_sshare *shares,
		   const char *name, struct eqt_error *err)
{
	uint32_t first = eqt_sshare_find(shares, name, strlen(name), 0), i;
	char list[EQT_ERROR_SIZE / 2] = "", full[EQT_WHY_ASSOC_NAME];
	size_t used = 0;

	if (first == EQT_TREE_NONE)
		return eqt_error_set(err, "%s: no \"%s\"",
				     shares->table.text.name, name);
	*out = first;
	if (eqt_sshare_find(shares, name, strlen(name), first + 1) ==
	    EQT_TREE_NONE)
		return 0;
	/* The root's own user has the same name as its account. */
	if (!shares->assocs[first].user)
		return 0;
	for (i = first; i != EQT_TREE_NONE && used < sizeof(list);
	     i = eqt_sshare_find(shares, name, strlen(name), i + 1))
		used += (size_t) snprintf(list + used, sizeof(list) - used,
					  "%s%s", used ? ", " : "",
					  eqt_why_assoc_name(shares, i, full));
	return eqt_error_set(err,
			     "\"%s\" has several associations: name one of %s",
			     name, list);
}

/* ---- One ------------------------------------------------------------------ */

static const struct eqt_table_column step_columns[] = {
	{ "NAME", SCOLS_FL_TREE | SCOLS_FL_WRAP },
	{ "S", SCOLS_FL_RIGHT },
	{ "U", SCOLS_FL_RIGHT },
	{ "LEVEL FS", SCOLS_FL_RIGHT },
	{ "WHAT IT SAYS", SCOLS_FL_WRAP },
	{ NULL, 0 },
};

/* The root has neither shares nor usage relative to others. */
static void path_fill_row(struct libscols_line *line,
			  const struct eqt_sshare *shares, uint32_t i)
{
	struct eqt_tree_result node = eqt_tree_node(shares->tree, i);
	char text[EQT_WHY_LEVEL_WORDS], number[EQT_TABLE_CELL];

	(void) scols_line_set_data(line, 0, eqt_why_assoc_short(shares, i));
	if (i == 0)
		return;
	(void) snprintf(number, sizeof(number), "%.4f", node.shares_norm);
	(void) scols_line_set_data(line, 1, number);
	(void) snprintf(number, sizeof(number), "%.4Lf", node.usage_efctv);
	(void) scols_line_set_data(line, 2, number);
	eqt_table_cell_set(line, 3, eqt_table_level_text(node.level_fs, number),
			   eqt_colour_level(node.level_fs));
	(void) scols_line_set_data(line, 4,
				   eqt_why_level_words(&shares->assocs[i],
						       node.level_fs, text));
}

/* The table is a tree of libsmartcols in which each line hangs below the one before. */
static void path_print(const struct eqt_sshare *shares, uint32_t i)
{
	struct libscols_table *table = eqt_table_new(step_columns, true);
	struct libscols_line *line = NULL;
	struct eqt_why_path path;
	uint32_t at;

	eqt_why_assoc_print(shares, i);
	eqt_why_path_make(&path, shares, i);
	for (at = 0; table && at < path.length; at++) {
		line = scols_table_new_line(table, line);
		if (line)
			path_fill_row(line, shares, path.node[at]);
	}
	if (table)
		(void) eqt_table_print(table);
	scols_unref_table(table);
}

/* Explain all associations of a name. */
static int shares_explain_one(const struct eqt_sshare *shares, const char *name,
			      bool json)
{
	json_object *array = json ? json_object_new_array() : NULL;
	uint32_t i = eqt_sshare_find(shares, name, strlen(name), 0);
	bool first = true;

	if (i == EQT_TREE_NONE) {
		fprintf(stderr, "equitree why: %s: no \"%s\"\n",
			shares->table.text.name, name);
		json_object_put(array);
		return EXIT_FAILURE;
	}
	for (; i != EQT_TREE_NONE;
	     i = eqt_sshare_find(shares, name, strlen(name), i + 1)) {
		if (json) {
			(void) json_object_array_add(
				array, eqt_why_path_json(shares, i));
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

/* The exit status; JSON is printed as one object, text as a page. */
static int shares_explain_two(const struct eqt_sshare *shares,
			      const char *const *names, bool stock, bool json,
			      const struct eqt_why_pair_jobs *jobs)
{
	json_object *object = NULL;
	struct eqt_error err;
	int rc = 0;

	if (json)
		object = eqt_why_pair_json(shares, names, stock, jobs, &err);
	else
		rc = eqt_why_pair_print(shares, names, stock, jobs, &err);
	if (rc < 0 || (json && !object))
		return eqt_failure_print("why", &err);
	if (object)
		eqt_json_print(object);
	return EXIT_SUCCESS;
}

int eqt_why_shares(const struct eqt_sshare *shares, const char *const *names,
		   int count, bool stock, bool json,
		   const struct eqt_why_pair_jobs *jobs)
{
	if (count == 1)
		return shares_explain_one(shares, names[0], json);
	return shares_explain_two(shares, names, stock, json, jobs);
}
