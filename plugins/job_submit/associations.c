/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "associations.h"

bool eqt_associations_any(void)
{
	assoc_mgr_lock_t locks = EQT_ASSOCIATIONS_LOCKS;
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

bool eqt_associations_name(char *buf, size_t size, const char *name)
{
	size_t length = strlen(name), i;

	if (length >= size)
		return false;
	for (i = 0; i < length; i++) {
		if (!isgraph((unsigned char) name[i]))
			return false;
		buf[i] = (char) tolower((unsigned char) name[i]);
	}
	buf[length] = '\0';
	return true;
}

bool eqt_associations_default(uint32_t uid, char *buf, size_t size)
{
	assoc_mgr_lock_t locks = { .user = READ_LOCK };
	slurmdb_user_rec_t user = { .uid = uid };
	bool copied;

	assoc_mgr_lock(&locks);
	(void) assoc_mgr_fill_in_user(acct_db_conn, &user, 0, NULL, true);
	copied = copy(buf, size, user.default_acct);
	assoc_mgr_unlock(&locks);
	return copied;
}

slurmdb_assoc_rec_t *eqt_associations_find(const struct eqt_owner *owner)
{
	slurmdb_assoc_rec_t wanted, *found = NULL;

	if (!owner->account || owner->account[0] == '\0')
		return NULL;
	slurmdb_init_assoc_rec(&wanted, false);
	wanted.uid = owner->uid;
	wanted.acct = (char *) (uintptr_t) owner->account;
	wanted.partition = (char *) (uintptr_t) owner->partition;
	(void) assoc_mgr_fill_in_assoc(acct_db_conn, &wanted, 0, &found, true);
	return found;
}

bool eqt_associations_has(uint32_t uid, const char *account,
			  const char *partition)
{
	const struct eqt_owner owner = { uid, account, partition };
	assoc_mgr_lock_t locks = EQT_ASSOCIATIONS_LOCKS;
	bool has;

	assoc_mgr_lock(&locks);
	has = eqt_associations_find(&owner) != NULL;
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
	assoc_mgr_lock_t locks = EQT_ASSOCIATIONS_LOCKS;
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

/* A record by its name, or NULL; assoc_mgr's locks are held. */
static slurmdb_qos_rec_t *find_qos(const char *name)
{
	slurmdb_qos_rec_t wanted = { .name = (char *) (uintptr_t) name };
	slurmdb_qos_rec_t *found = NULL;

	(void) assoc_mgr_fill_in_qos(acct_db_conn, &wanted, 0, &found, true);
	return found;
}

static slurmdb_qos_rec_t *find_default_qos(const struct eqt_owner *owner)
{
	slurmdb_qos_rec_t wanted = { 0 }, *found = NULL;

	assoc_mgr_get_default_qos_info(eqt_associations_find(owner), &wanted);
	(void) assoc_mgr_fill_in_qos(acct_db_conn, &wanted, 0, &found, true);
	return found;
}

void eqt_associations_qos(struct eqt_qos *out, const struct eqt_owner *owner,
			  const char *name)
{
	const bool named = name && name[0] != '\0';
	assoc_mgr_lock_t locks = { .assoc = named ? NO_LOCK : READ_LOCK,
				   .qos = READ_LOCK };
	const slurmdb_qos_rec_t *found;

	assoc_mgr_lock(&locks);
	found = named ? find_qos(name) : find_default_qos(owner);
	eqt_qos_name(out, found ? found->name : name);
	if (found) {
		out->usage_factor = found->usage_factor;
		out->factor_safe = found->flags & QOS_FLAG_USAGE_FACTOR_SAFE;
		out->has_grant = found->grp_tres_mins_ctld &&
				 found->grp_tres_mins_ctld[TRES_ARRAY_BILLING] <
					 NO_VAL64;
	}
	assoc_mgr_unlock(&locks);
}

bool eqt_associations_may(const struct eqt_owner *owner, const char *qos)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK };
	const slurmdb_assoc_rec_t *assoc;
	const slurmdb_qos_rec_t *found;
	bitstr_t *valid;
	bool may;

	assoc_mgr_lock(&locks);
	found = find_qos(qos);
	assoc = eqt_associations_find(owner);
	valid = assoc && assoc->usage ? assoc->usage->valid_qos : NULL;
	may = found && valid && (bitoff_t) found->id < bit_size(valid) &&
	      bit_test(valid, found->id);
	assoc_mgr_unlock(&locks);
	return may;
}
