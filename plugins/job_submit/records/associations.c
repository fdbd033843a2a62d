/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "associations.h"
#include "price/grant.h"

#define DEFAULTS 1024 /* The number of users whose default account is cached. */

bool eqt_associations_any(void)
{
	assoc_mgr_lock_t locks = EQT_ASSOCIATIONS_LOCKS;
	bool any;

	assoc_mgr_lock(&locks);
	any = assoc_mgr_assoc_list && list_count(assoc_mgr_assoc_list) > 0;
	assoc_mgr_unlock(&locks);
	return any;
}

/* Copy the text if it fits whole. Returns false otherwise. */
static bool text_copy(char *buf, size_t size, const char *text)
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

/*
 * A cache of default accounts. Slurm stores them only in a list of all users,
 * and a walk over that list takes long. A cached account is a guess: the
 * association itself must confirm that it is still the default.
 */
static struct {
	pthread_mutex_t lock;
	struct default_account {
		uint32_t uid;
		/* An empty string marks an empty slot. */
		char account[EQT_ACCOUNT_SIZE];
	} user[DEFAULTS];
} defaults = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Users whose ids are equal modulo DEFAULTS replace each other, which costs
 * only another walk. */
static void default_remember(uint32_t uid, const char *account)
{
	struct default_account *user = &defaults.user[uid % DEFAULTS];

	pthread_mutex_lock(&defaults.lock);
	user->uid = uid;
	(void) snprintf(user->account, sizeof(user->account), "%s", account);
	pthread_mutex_unlock(&defaults.lock);
}

/* Does the association say that its account is the user's default? */
static bool assoc_is_default(const slurmdb_assoc_rec_t *assoc)
{
	return assoc && assoc->is_def == 1 && !assoc->partition;
}

bool eqt_associations_default_guess(uint32_t uid, char *buf, size_t size)
{
	const struct default_account *user = &defaults.user[uid % DEFAULTS];
	bool known;

	pthread_mutex_lock(&defaults.lock);
	known = user->uid == uid && text_copy(buf, size, user->account);
	pthread_mutex_unlock(&defaults.lock);
	return known;
}

/* Read the cached account. Returns false if it is not cached or is no longer
 * the default. */
static bool default_recall(uint32_t uid, char *buf, size_t size)
{
	const struct eqt_owner owner = { uid, buf, NULL };
	assoc_mgr_lock_t locks = EQT_ASSOCIATIONS_LOCKS;
	bool known;

	if (!eqt_associations_default_guess(uid, buf, size))
		return false;
	assoc_mgr_lock(&locks);
	known = assoc_is_default(eqt_associations_find(&owner));
	assoc_mgr_unlock(&locks);
	return known;
}

static int user_is(void *object, void *key)
{
	const slurmdb_user_rec_t *user = object;

	return user->uid == *(const uint32_t *) key;
}

/* The record of a user by id, or NULL. The function walks over all users. The
 * caller holds assoc_mgr's user lock for reading, and the record is valid as
 * long as it is held. */
static const slurmdb_user_rec_t *user_find(uint32_t uid)
{
	return assoc_mgr_user_list
		       ? list_find_first(assoc_mgr_user_list, user_is, &uid)
		       : NULL;
}

bool eqt_associations_default(uint32_t uid, char *buf, size_t size)
{
	assoc_mgr_lock_t locks = { .user = READ_LOCK };
	const slurmdb_user_rec_t *user;
	bool copied;

	if (default_recall(uid, buf, size))
		return true;
	assoc_mgr_lock(&locks);
	user = user_find(uid);
	copied = user && text_copy(buf, size, user->default_acct);
	assoc_mgr_unlock(&locks);
	if (copied)
		default_remember(uid, buf);
	return copied;
}

/* The last argument of assoc_mgr_fill_in_assoc() says that the caller holds
 * assoc_mgr's association lock. */
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

/* Add a name to a list if the whole name fits. */
static void list_add(char *list, size_t size, const char *name)
{
	size_t length = strlen(list);

	if (length + 2 + strlen(name) < size)
		(void) snprintf(list + length, size - length, "%s%s",
				length ? ", " : "", name);
}

char *eqt_associations_of_pool(uint32_t uid, const struct eqt_pools *pools,
			       enum eqt_pool pool, const char *const names[2],
			       char *buf, size_t size)
{
	char account[2][EQT_ACCOUNT_SIZE] = { "", "" };

	buf[0] = '\0';
	for (int i = 0; i < 2; i++) {
		if (names[i][0] == '\0' ||
		    !eqt_pools_account(pools, pool, names[i], account[i],
				       sizeof(account[i])) ||
		    (i > 0 && strcmp(account[0], account[i]) == 0))
			continue;
		if (eqt_associations_has(uid, account[i], NULL))
			list_add(buf, size, account[i]);
	}
	return buf;
}

static int qos_is(void *object, void *key)
{
	const slurmdb_qos_rec_t *qos = object, *wanted = key;

	return qos->id == wanted->id ||
	       (wanted->name && qos->name &&
		strcasecmp(qos->name, wanted->name) == 0);
}

/* Find a QOS by id or name. Slurm's own search would allocate memory and copy
 * the record. */
static slurmdb_qos_rec_t *qos_find(slurmdb_qos_rec_t *wanted)
{
	return assoc_mgr_qos_list
		       ? list_find_first(assoc_mgr_qos_list, qos_is, wanted)
		       : NULL;
}

slurmdb_qos_rec_t *eqt_associations_find_qos(const char *name)
{
	slurmdb_qos_rec_t wanted = { .name = (char *) (uintptr_t) name };

	return qos_find(&wanted);
}

bool eqt_associations_qos_exists(const char *name)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	bool exists;

	assoc_mgr_lock(&locks);
	exists = eqt_associations_find_qos(name) != NULL;
	assoc_mgr_unlock(&locks);
	return exists;
}

static slurmdb_qos_rec_t *qos_find_default(slurmdb_assoc_rec_t *assoc)
{
	slurmdb_qos_rec_t wanted = { 0 };

	assoc_mgr_get_default_qos_info(assoc, &wanted);
	return qos_find(&wanted);
}

bool eqt_associations_qos(struct eqt_qos *out, const struct eqt_owner *owner,
			  const char *name)
{
	const bool named = name && name[0] != '\0';
	assoc_mgr_lock_t locks = { .assoc = named ? NO_LOCK : READ_LOCK,
				   .qos = READ_LOCK };
	slurmdb_assoc_rec_t *assoc = NULL;
	const slurmdb_qos_rec_t *found;
	bool is_default;

	assoc_mgr_lock(&locks);
	if (!named)
		assoc = eqt_associations_find(owner);
	is_default = assoc_is_default(assoc);
	found = named ? eqt_associations_find_qos(name)
		      : qos_find_default(assoc);
	eqt_qos_name(out, found ? found->name : name);
	if (found) {
		out->usage_factor = found->usage_factor;
		out->factor_safe = found->flags & QOS_FLAG_USAGE_FACTOR_SAFE;
		out->any_number = found->flags & (QOS_FLAG_PART_MIN_NODE |
						  QOS_FLAG_PART_MAX_NODE);
		out->priority = found->priority;
		out->has_grant = found->grp_tres_mins_ctld &&
				 found->grp_tres_mins_ctld[TRES_ARRAY_BILLING] <
					 NO_VAL64;
	}
	assoc_mgr_unlock(&locks);
	return is_default;
}

bool eqt_associations_may(const struct eqt_owner *owner, const char *qos)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK };
	const slurmdb_assoc_rec_t *assoc;
	const slurmdb_qos_rec_t *found;
	bitstr_t *valid;
	bool may;

	assoc_mgr_lock(&locks);
	found = eqt_associations_find_qos(qos);
	assoc = eqt_associations_find(owner);
	/* slurmctld tests a QOS in the same way. The association's bitmap
	   includes the QOS of the accounts above. */
	valid = assoc && assoc->usage ? assoc->usage->valid_qos : NULL;
	may = found && valid && (bitoff_t) found->id < bit_size(valid) &&
	      bit_test(valid, found->id);
	assoc_mgr_unlock(&locks);
	return may;
}
