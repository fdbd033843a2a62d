/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Associations with Fairshare=parent have no Level FS. Paths skip them, as the ranking
 * does.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "why/path.h"

/* The root comes first. eqt_sshare_read() refuses trees that are too deep for the
 * struct. */
void eqt_path_make(struct eqt_why_path *path, const struct eqt_sshare *shares,
		   uint32_t i)
{
	uint32_t at, length = 0;

	for (at = i; at != EQT_TREE_NONE; at = eqt_sshare_above(shares, at))
		length++;
	path->length = length;
	for (at = i; at != EQT_TREE_NONE; at = eqt_sshare_above(shares, at))
		path->node[--length] = at;
}

char *eqt_path_assoc_name(const struct eqt_sshare *shares, uint32_t i,
			  char buf[EQT_WHY_ASSOC_NAME])
{
	const struct eqt_sshare_assoc *assoc = &shares->assocs[i];

	(void) snprintf(buf, EQT_WHY_ASSOC_NAME, "%s%s%s", assoc->account,
			assoc->user ? "/" : "", assoc->user ? assoc->user : "");
	return buf;
}

const char *eqt_path_assoc_short(const struct eqt_sshare *shares, uint32_t i)
{
	const struct eqt_sshare_assoc *assoc = &shares->assocs[i];

	return assoc->user ? assoc->user : assoc->account;
}

/* Level FS is shares divided by usage, so its reciprocal is the part of the share that
 * was used. Within half a percent of 1, the words are "exactly its share". */
char *eqt_path_level_words(const struct eqt_sshare_assoc *assoc,
			   long double level_fs, char buf[EQT_WHY_LEVEL_WORDS])
{
	if (assoc->parent_shares)
		(void) snprintf(buf, EQT_WHY_LEVEL_WORDS,
				"Fairshare=parent: ahead of all with shares");
	else if (!(level_fs > 0))
		(void) snprintf(buf, EQT_WHY_LEVEL_WORDS, "has no shares");
	else if (isinf(level_fs))
		(void) snprintf(buf, EQT_WHY_LEVEL_WORDS, "has used nothing");
	else if (fabsl(level_fs - 1) < 0.005L)
		(void) snprintf(buf, EQT_WHY_LEVEL_WORDS,
				"has used exactly its share");
	else if (level_fs > 1)
		(void) snprintf(buf, EQT_WHY_LEVEL_WORDS,
				"has used %.3Lg %% of its share",
				100 / level_fs);
	else
		(void) snprintf(buf, EQT_WHY_LEVEL_WORDS,
				"has used %.3Lg times its share", 1 / level_fs);
	return buf;
}

/* The place, where 1 is the top, as for jobs. Slurm's rank is the other way round: the
 * first user has the highest rank. */
static uint32_t assoc_place(const struct eqt_sshare *shares, uint32_t i)
{
	return eqt_tree_users(shares->tree) + 1 -
	       eqt_tree_node(shares->tree, i).rank;
}

void eqt_path_assoc_print(const struct eqt_sshare *shares, uint32_t i)
{
	struct eqt_tree_result node = eqt_tree_node(shares->tree, i);
	char name[EQT_WHY_ASSOC_NAME];

	printf("%s", eqt_path_assoc_name(shares, i, name));
	if (shares->assocs[i].user)
		printf(": rank %" PRIu32 " of %" PRIu32 ", FairShare %.6f",
		       assoc_place(shares, i), eqt_tree_users(shares->tree),
		       node.fs_factor);
	putchar('\n');
}

json_object *eqt_path_assoc_json(const struct eqt_sshare *shares, uint32_t i)
{
	const struct eqt_sshare_assoc *assoc = &shares->assocs[i];
	struct eqt_tree_result node = eqt_tree_node(shares->tree, i);
	json_object *object = json_object_new_object();

	eqt_json_add(object, "account", assoc->account);
	eqt_json_add(object, "user", assoc->user ? assoc->user : NULL);
	eqt_json_add(object, "norm_shares", node.shares_norm);
	eqt_json_add(object, "effective_usage", node.usage_efctv);
	eqt_json_add(object, "level_fs", node.level_fs);
	eqt_json_add(object, "rank",
		     assoc->user ? json_object_new_int64(assoc_place(shares, i))
				 : NULL);
	return object;
}

json_object *eqt_path_json(const struct eqt_sshare *shares, uint32_t i)
{
	json_object *array = json_object_new_array();
	struct eqt_why_path path;

	eqt_path_make(&path, shares, i);
	for (uint32_t at = 0; at < path.length; at++)
		eqt_json_append(array,
				eqt_path_assoc_json(shares, path.node[at]));
	return array;
}
