/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The share tree is that of sshare. Users that sshare does not list follow it, each with
 * one share. If sshare may not be used, all users are such users. sshare hides some users
 * from some callers, but their jobs compete as well, so they must be in the tree.
 */
#include <stdio.h>
#include <string.h>

#include "cli/alloc.h"
#include "scene/scene_impl.h"

/* Double the four arrays of the tree, which grow together. */
static void tree_grow(struct eqt_scene *scene)
{
	const uint32_t space = scene->tree_space ? 2 * scene->tree_space : 256;

	scene->tree = eqt_alloc_again(scene->tree, space, sizeof(*scene->tree));
	scene->usage =
		eqt_alloc_again(scene->usage, space, sizeof(*scene->usage));
	scene->users =
		eqt_alloc_again(scene->users, space, sizeof(*scene->users));
	scene->accounts = eqt_alloc_again(scene->accounts, space,
					  sizeof(*scene->accounts));
	scene->tree_space = space;
}

/* Append a node. Returns its index. */
static uint32_t tree_append(struct eqt_scene *scene, uint32_t parent,
			    const char *user, const char *account)
{
	const uint32_t i = scene->now.tree_count;

	if (i == scene->tree_space)
		tree_grow(scene);
	scene->tree[i] = (struct eqt_tree_input){
		.parent = parent,
		.shares = 1,
		.user = user != NULL,
	};
	scene->usage[i] = 0;
	scene->users[i] = user;
	scene->accounts[i] = account;
	scene->now.tree = scene->tree;
	scene->now.usage = scene->usage;
	scene->now.tree_count++;
	return i;
}

/* Read the share tree from sshare. Returns 0, or -1 with err filled. For a live cluster,
 * only the root is left after an error. */
int eqt_scene_share_tree_read(struct eqt_scene *scene, const char *path,
			      struct eqt_error *err)
{
	const struct eqt_sshare_options options = { .path = path,
						    .any_norms = scene->live };
	const struct eqt_sshare *shares = &scene->shares;
	const bool read = eqt_sshare_read(&scene->shares, &options, err) == 0;

	if (!read && !scene->live)
		return -1;
	if (!read) {
		eqt_sshare_free(&scene->shares);
		(void) tree_append(scene, EQT_TREE_NONE, NULL, "root");
		return 0;
	}
	eqt_sshare_index_make(&scene->index, shares);
	for (uint32_t i = 0; i < shares->count; i++) {
		const struct eqt_sshare_assoc *assoc = &shares->assocs[i];

		(void) tree_append(scene, assoc->parent, assoc->user,
				   assoc->account);
		scene->tree[i].shares = assoc->shares;
		scene->tree[i].parent_shares = assoc->parent_shares;
		scene->usage[i] = (long double) assoc->usage;
	}
	return 0;
}

/* Find the node of a user by searching the tree. For a live cluster, add it if it is
 * missing. */
static uint32_t user_find(struct eqt_scene *scene, const char *user,
			  const char *account)
{
	uint32_t i = eqt_sshare_index_find(&scene->index, user, account),
		 above = 0;

	if (i != EQT_TREE_NONE || !scene->live)
		return i;
	for (i = scene->shares.count; i < scene->now.tree_count; i++) {
		if (scene->users[i] && strcmp(scene->users[i], user) == 0 &&
		    strcmp(scene->accounts[i], account) == 0)
			return i;
		if (!scene->users[i] &&
		    strcmp(scene->accounts[i], account) == 0)
			above = i;
	}
	if (above == 0)
		above = tree_append(scene, 0, NULL,
				    eqt_arena_copy(&scene->kept, account));
	return tree_append(scene, above, eqt_arena_copy(&scene->kept, user),
			   eqt_arena_copy(&scene->kept, account));
}

/* A user that was found before. An entry of names.h, whose name is made of user and
 * account. */
struct known_user {
	const char *name;
	uint32_t node;
};

uint32_t eqt_scene_share_tree_user(struct eqt_scene *scene, const char *user,
				   const char *account)
{
	struct known_user *one;
	char name[1024];
	int new;

	/* Names that are longer than Slurm allows are searched for each time. */
	if (snprintf(name, sizeof(name), "%s\n%s", user, account) >=
	    (int) sizeof(name))
		return user_find(scene, user, account);
	one = eqt_names_get(&scene->users_known, name, sizeof(*one), &new);
	if (new)
		one->node = user_find(scene, user, account);
	return one->node;
}

/* The QOS is added when it is named for the first time. */
struct eqt_simulation_qos *eqt_scene_share_tree_qos(struct eqt_scene *scene,
						    const char *name)
{
	struct eqt_simulation_qos *qos;
	int i;

	for (i = 0; i < scene->qos_count; i++)
		if (strcmp(scene->qos[i].name, name) == 0)
			return &scene->qos[i];
	if (i == EQT_SCENE_QOS_MAX)
		return NULL;
	qos = &scene->qos[i];
	*qos = (struct eqt_simulation_qos){
		.name = eqt_arena_copy(&scene->kept, name),
		.usage_factor = 1,
	};
	scene->qos_count++;
	return qos;
}
