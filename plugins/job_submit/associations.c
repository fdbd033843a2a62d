/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "../common/slurm_compat.h"
#include "associations.h"

#define READ_LOCKS                                                      \
	{                                                               \
		.assoc = READ_LOCK, .qos = READ_LOCK, .user = READ_LOCK \
	}

bool eqt_associations_any(void)
{
	assoc_mgr_lock_t locks = READ_LOCKS;
	bool any;

	assoc_mgr_lock(&locks);
	any = assoc_mgr_assoc_list && list_count(assoc_mgr_assoc_list) > 0;
	assoc_mgr_unlock(&locks);
	return any;
}

/* Copy text whole, or not at all. */
static bool copy(char *buf, size_t size, const char *text)
{
	size_t length = text ? strlen(text) : size;

	if (length == 0 || length >= size)
		return false;
	memcpy(buf, text, length + 1);
	return true;
}

bool eqt_associations_default(uint32_t uid, char *buf, size_t size)
{
	assoc_mgr_lock_t locks = READ_LOCKS;
	slurmdb_user_rec_t user = { .uid = uid };
	bool copied;

	assoc_mgr_lock(&locks);
	(void) assoc_mgr_fill_in_user(acct_db_conn, &user, 0, NULL, true);
	copied = copy(buf, size, user.default_acct);
	assoc_mgr_unlock(&locks);
	return copied;
}

/* The record that Slurm will find, or NULL; uid NO_VAL is an account's own.
 * assoc_mgr's locks are held, the record lives as long. */
static slurmdb_assoc_rec_t *find(uint32_t uid, const char *account,
				 const char *partition)
{
	slurmdb_assoc_rec_t wanted, *found = NULL;

	slurmdb_init_assoc_rec(&wanted, false);
	wanted.uid = uid;
	wanted.acct = (char *) (uintptr_t) account;
	wanted.partition = (char *) (uintptr_t) partition;
	(void) assoc_mgr_fill_in_assoc(acct_db_conn, &wanted, 0, &found, true);
	return found;
}

bool eqt_associations_has(uint32_t uid, const char *account,
			  const char *partition)
{
	assoc_mgr_lock_t locks = READ_LOCKS;
	bool has;

	assoc_mgr_lock(&locks);
	has = find(uid, account, partition) != NULL;
	assoc_mgr_unlock(&locks);
	return has;
}

bool eqt_associations_account(const char *account)
{
	return eqt_associations_has(NO_VAL, account, NULL);
}

/* Whether list has name as one of its items. */
static bool has_item(const char *list, const char *name)
{
	size_t length = strlen(name);
	const char *at = list;

	while ((at = strstr(at, name))) {
		if ((at == list || at[-1] == ' ') &&
		    (at[length] == '\0' || at[length] == ','))
			return true;
		at += length;
	}
	return false;
}

/* Add a name whole, or not at all. */
static void add_item(char *list, size_t size, const char *name)
{
	size_t length = strlen(list);

	if (has_item(list, name) || length + 2 + strlen(name) >= size)
		return;
	(void) snprintf(list + length, size - length, "%s%s",
			length ? ", " : "", name);
}

char *eqt_associations_of_pool(uint32_t uid, const struct eqt_pools *pools,
			       enum eqt_pool pool, char *buf, size_t size)
{
	assoc_mgr_lock_t locks = READ_LOCKS;
	list_itr_t *iterator;
	slurmdb_assoc_rec_t *assoc;
	size_t length;

	buf[0] = '\0';
	assoc_mgr_lock(&locks);
	iterator = list_iterator_create(assoc_mgr_assoc_list);
	while ((assoc = list_next(iterator))) {
		if (assoc->user && assoc->uid == uid &&
		    eqt_pools_of(pools, assoc->acct, &length) == pool)
			add_item(buf, size, assoc->acct);
	}
	list_iterator_destroy(iterator);
	assoc_mgr_unlock(&locks);
	return buf;
}

bool eqt_associations_qos(uint32_t uid, const char *account,
			  const char *partition, char *buf, size_t size)
{
	assoc_mgr_lock_t locks = READ_LOCKS;
	slurmdb_qos_rec_t wanted = { 0 }, *found = NULL;
	bool copied;

	assoc_mgr_lock(&locks);
	assoc_mgr_get_default_qos_info(find(uid, account, partition), &wanted);
	(void) assoc_mgr_fill_in_qos(acct_db_conn, &wanted, 0, &found, true);
	copied = found && copy(buf, size, found->name);
	assoc_mgr_unlock(&locks);
	return copied;
}
