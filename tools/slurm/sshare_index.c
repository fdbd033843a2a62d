/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorted once and searched by bisection: a queue of 100,000 jobs looks up its
 * users in a tree of 10,000.
 */
#include <stdlib.h>
#include <string.h>

#include "slurm/sshare_index.h"

/* By user, account and row, for a binary search. */
static int user_compare(const void *x, const void *y)
{
	const struct eqt_sshare_user *a = x, *b = y;
	int order = strcmp(a->user, b->user);

	if (order == 0)
		order = strcmp(a->account, b->account);
	if (order == 0)
		order = a->assoc < b->assoc ? -1 : a->assoc > b->assoc;
	return order;
}

int eqt_sshare_index_make(struct eqt_sshare_index *out,
			  const struct eqt_sshare *shares,
			  struct eqt_error *err)
{
	uint32_t i;

	*out = (struct eqt_sshare_index){ .count = 0 };
	out->users = calloc(shares->count + 1, sizeof(*out->users));
	if (!out->users)
		return eqt_error_set(err, "out of memory");
	for (i = 0; i < shares->count; i++) {
		if (shares->assocs[i].user)
			out->users[out->count++] = (struct eqt_sshare_user){
				shares->assocs[i].user,
				shares->assocs[i].account, i
			};
	}
	qsort(out->users, out->count, sizeof(*out->users), user_compare);
	return 0;
}

void eqt_sshare_index_free(struct eqt_sshare_index *index)
{
	free(index->users);
	*index = (struct eqt_sshare_index){ .count = 0 };
}

/* strcmp() of a name and a value without a NUL at its end. */
static int name_compare(const char *name, struct eqt_scontrol_value value)
{
	int order = strncmp(name, value.text, value.length);

	return order ? order : name[value.length] != '\0';
}

/* The first position not before user and account; an account without text sorts
 * first. */
static uint32_t index_position(const struct eqt_sshare_index *index,
			       struct eqt_scontrol_value user,
			       struct eqt_scontrol_value account)
{
	uint32_t low = 0, high = index->count;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		const struct eqt_sshare_user *at = &index->users[mid];
		int order = name_compare(at->user, user);

		if (order == 0 && account.text)
			order = name_compare(at->account, account);
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

uint32_t eqt_sshare_index_find(const struct eqt_sshare_index *index,
			       struct eqt_scontrol_value user,
			       struct eqt_scontrol_value account)
{
	uint32_t at;

	if (!user.text || !account.text)
		return EQT_TREE_NONE;
	at = index_position(index, user, account);
	if (at == index->count ||
	    name_compare(index->users[at].user, user) != 0 ||
	    name_compare(index->users[at].account, account) != 0)
		return EQT_TREE_NONE;
	return index->users[at].assoc;
}

uint32_t eqt_sshare_index_person(const struct eqt_sshare_index *index,
				 struct eqt_scontrol_value user)
{
	return index_position(index, user,
			      (struct eqt_scontrol_value){ .text = NULL,
							   .length = 0 });
}
