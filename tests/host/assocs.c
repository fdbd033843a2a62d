/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../compat/stand_in.h"
#include "assocs.h"
#include "fail.h"
#include "jobs.h"
#include "names.h"

#define NAME_LENGTH 256
#define FIRST_UID 1000

static struct {
	list_t *waiting; /* new associations, not yet with assoc_mgr */
	uint32_t last_id;
	uint32_t last_qos_id;
	struct names assocs; /* by full_name() */
	struct names uids; /* of users: small numbers in the place of pointers */
	uint32_t user_count;
} known;

/* "account" or "account/user". */
static const char *full_name(char *text, const char *account, const char *user)
{
	if (snprintf(text, NAME_LENGTH, "%s%s%s", account, user ? "/" : "",
		     user ? user : "") >= NAME_LENGTH)
		fail("the name of %s is too long", account);
	return text;
}

static void know(const char *account, const char *user,
		 slurmdb_assoc_rec_t *assoc)
{
	char name[NAME_LENGTH];

	names_set(&known.assocs, full_name(name, account, user), assoc);
}

static void assoc_removed(slurmdb_assoc_rec_t *assoc)
{
	know(assoc->acct, assoc->user, NULL);
	jobs_assoc_removed(assoc);
}

void assocs_begin(void)
{
	assoc_init_args_t args = {
		.running_cache = &running_cache,
		.remove_assoc_notify = assoc_removed,
	};

	eqt_assoc_args_set_location(&args, &slurm_conf.state_save_location);
	assoc_mgr_assoc_list = list_create(slurmdb_destroy_assoc_rec);
	assoc_mgr_user_list = list_create(slurmdb_destroy_user_rec);
	assoc_mgr_qos_list = list_create(slurmdb_destroy_qos_rec);
	known.waiting = list_create(slurmdb_destroy_assoc_rec);
	if (assoc_mgr_init(NULL, &args, SLURM_SUCCESS) != SLURM_SUCCESS)
		fail("assoc_mgr does not begin");
}

/* ---- Associations --------------------------------------------------------- */

static slurmdb_assoc_rec_t *look_for(const char *account, const char *user)
{
	char name[NAME_LENGTH];

	return names_get(&known.assocs, full_name(name, account, user));
}

slurmdb_assoc_rec_t *assocs_find(const char *account, const char *user)
{
	slurmdb_assoc_rec_t *found = look_for(account, user);

	if (!found)
		fail("there is no association of %s%s%s", account,
		     user ? "/" : "", user ? user : "");
	return found;
}

static uint32_t shares_of(const struct words *words)
{
	const char *shares = words_text(words, "shares", "1");

	if (!strcmp(shares, "parent"))
		return SLURMDB_FS_USE_PARENT;
	return (uint32_t) words_int(words, "shares", 1);
}

/* GrpTRESMins=billing, as slurmdbd writes it; NULL: none is named. */
static char *limit_of(const struct words *words)
{
	const long long limit = words_int(words, "limit", -2);

	return limit == -2 ? NULL
			   : xstrdup_printf("%d=%lld", TRES_BILLING, limit);
}

static slurmdb_assoc_rec_t *new_assoc(const char *account, const char *user)
{
	slurmdb_assoc_rec_t *assoc = xmalloc(sizeof(*assoc));

	assoc->cluster = xstrdup(slurm_conf.cluster_name);
	assoc->acct = xstrdup(account);
	assoc->user = xstrdup(user);
	assoc->usage = slurmdb_create_assoc_usage(slurmctld_tres_cnt);
	assoc->id = ++known.last_id;
	/* Accounts first: assoc_mgr looks for parents from the first one on. */
	eqt_assoc_set_left(assoc,
			   assoc->id + (user ? UINT32_C(1) << 31 : 0));
	know(account, user, assoc);
	return assoc;
}

static void add(const struct words *words, const char *account,
		const char *user, const slurmdb_assoc_rec_t *parent)
{
	slurmdb_assoc_rec_t *assoc;

	if (look_for(account, user))
		fail("%s/%s is there already", account, user ? user : "");
	assoc = new_assoc(account, user);
	assoc->parent_id = parent->id;
	assoc->parent_acct = xstrdup(parent->acct);
	assoc->shares_raw = shares_of(words);
	assoc->priority = (uint32_t) words_int(words, "priority", 0);
	assoc->usage->usage_raw = words_real(words, "usage", 0);
	assoc->grp_tres_mins = limit_of(words);
	list_append(known.waiting, assoc);
}

void assocs_add_root(void)
{
	list_append(known.waiting, new_assoc("root", NULL));
	assocs_flush();
}

void assocs_add_account(const struct words *words)
{
	const char *parent = words_text(words, "parent", "root");

	add(words, words_at(words, 1, "the account"), NULL,
	    assocs_find(parent, NULL));
}

void assocs_add_user(const struct words *words)
{
	const char *account = words_text(words, "account", "root");
	const char *user = words_at(words, 1, "the user");

	(void) assocs_uid(user);
	add(words, account, user, assocs_find(account, NULL));
}

void assocs_flush(void)
{
	slurmdb_update_object_t update = {
		.type = SLURMDB_ADD_ASSOC,
		.objects = known.waiting,
	};

	if (!known.waiting || !list_count(known.waiting))
		return;
	if (assoc_mgr_update_assocs(&update, false) != SLURM_SUCCESS)
		fail("the associations are refused");
}

/* Hand assoc_mgr one object that names an association and one of its values. */
static void update_one(uint16_t type, slurmdb_assoc_rec_t *object)
{
	slurmdb_update_object_t update = {
		.type = type,
		.objects = list_create(slurmdb_destroy_assoc_rec),
	};

	list_append(update.objects, object);
	if (assoc_mgr_update_assocs(&update, false) != SLURM_SUCCESS)
		fail("association %u cannot be changed", object->id);
	FREE_NULL_LIST(update.objects);
}

/* "remove user ada account=a" or "remove account a". */
static slurmdb_assoc_rec_t *named(const struct words *words)
{
	const char *what = words_at(words, 1, "account or user");
	const char *name = words_at(words, 2, "the name");

	if (!strcmp(what, "account"))
		return assocs_find(name, NULL);
	if (strcmp(what, "user") != 0)
		fail("\"%s\" is neither account nor user", what);
	return assocs_find(words_text(words, "account", "root"), name);
}

static slurmdb_assoc_rec_t *empty_object(const struct words *words)
{
	slurmdb_assoc_rec_t *object = xmalloc(sizeof(*object));

	slurmdb_init_assoc_rec(object, false);
	object->id = named(words)->id;
	object->cluster = xstrdup(slurm_conf.cluster_name);
	return object;
}

void assocs_remove(const struct words *words)
{
	update_one(SLURMDB_REMOVE_ASSOC, empty_object(words));
}

void assocs_modify(const struct words *words)
{
	slurmdb_assoc_rec_t *object = empty_object(words);

	object->grp_tres_mins = limit_of(words);
	if (!object->grp_tres_mins)
		object->shares_raw = shares_of(words);
	update_one(SLURMDB_MODIFY_ASSOC, object);
}

/*
 * The same as if the record of its parent were damaged or missing in slurmdbd.
 */
void assocs_orphan(const struct words *words)
{
	slurmdb_assoc_rec_t *assoc = named(words);
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };

	assoc_mgr_lock(&locks);
	assoc->usage->parent_assoc_ptr = assoc->usage->fs_assoc_ptr = NULL;
	assoc_mgr_unlock(&locks);
}

/* ---- QOS ------------------------------------------------------------------ */

static int qos_has_name(void *item, void *key)
{
	return !xstrcmp(((const slurmdb_qos_rec_t *) item)->name, key);
}

slurmdb_qos_rec_t *assocs_qos(const char *name)
{
	slurmdb_qos_rec_t *found = list_find_first(assoc_mgr_qos_list,
						   qos_has_name, (void *) name);

	if (!found)
		fail("there is no QOS %s", name);
	return found;
}

/* From here on slurmctld owns the record. */
static void update_qos(uint16_t type, slurmdb_qos_rec_t *qos)
{
	slurmdb_update_object_t update = {
		.type = type,
		.objects = list_create(slurmdb_destroy_qos_rec),
	};

	list_append(update.objects, qos);
	if (assoc_mgr_update_qos(&update, false) != SLURM_SUCCESS)
		fail("the QOS is refused");
	FREE_NULL_LIST(update.objects);
}

void assocs_add_qos(const struct words *words)
{
	slurmdb_qos_rec_t *qos = xmalloc(sizeof(*qos));

	slurmdb_init_qos_rec(qos, false, NO_VAL);
	qos->name = xstrdup(words_at(words, 1, "the QOS"));
	qos->id = ++known.last_qos_id;
	qos->priority = (uint32_t) words_int(words, "priority", 0);
	qos->usage_factor = (double) words_real(words, "factor", 1);
	qos->flags = strcmp(words_text(words, "flags", ""), "NoDecay")
			     ? 0
			     : QOS_FLAG_NO_DECAY;
	update_qos(SLURMDB_ADD_QOS, qos);
}

static void reset_qos(const struct words *words)
{
	slurmdb_qos_rec_t *qos = xmalloc(sizeof(*qos));

	slurmdb_init_qos_rec(qos, false, NO_VAL);
	qos->id = assocs_qos(words_at(words, 1, "the QOS"))->id;
	update_qos(EQT_QOS_USAGE_RESET, qos);
}

/* "reset user NAME account=A" and "reset account A", as RawUsage=0; "reset QOS". */
void assocs_reset(const struct words *words)
{
	if (words->count > 2)
		update_one(SLURMDB_REMOVE_ASSOC_USAGE, empty_object(words));
	else
		reset_qos(words);
}

/* ---- Users ---------------------------------------------------------------- */

/* slurmctld knows users by name, too. */
static void add_user_record(const char *name, uint32_t uid)
{
	slurmdb_user_rec_t *user = xmalloc(sizeof(*user));

	user->name = xstrdup(name);
	user->uid = uid;
	list_append(assoc_mgr_user_list, user);
}

uint32_t assocs_uid(const char *user)
{
	uintptr_t uid = (uintptr_t) names_get(&known.uids, user);

	if (!uid) {
		uid = FIRST_UID + known.user_count++;
		names_set(&known.uids, user, (void *) uid);
		add_user_record(user, (uint32_t) uid);
	}
	return (uint32_t) uid;
}

/* ---- A start -------------------------------------------------------------- */

static void forget_tres(long double *raw)
{
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		raw[i] = 0;
}

static int forget_assoc(void *item, void *arg)
{
	slurmdb_assoc_rec_t *assoc = item;
	slurmdb_assoc_usage_t *usage = assoc->usage;

	(void) arg;
	usage->usage_raw = 0;
	usage->grp_used_wall = 0;
	forget_tres(usage->usage_tres_raw);
	usage->usage_norm = NO_VAL;
	usage->usage_efctv = 0;
	usage->level_fs = 0;
	usage->fs_factor = 0;
	if (!assoc->user && assoc->leaf_usage) {
		slurmdb_destroy_assoc_usage(assoc->leaf_usage);
		assoc->leaf_usage = NULL;
	}
	return 0;
}

static int forget_qos(void *item, void *arg)
{
	slurmdb_qos_usage_t *usage = ((slurmdb_qos_rec_t *) item)->usage;

	(void) arg;
	usage->usage_raw = 0;
	usage->grp_used_wall = 0;
	forget_tres(usage->usage_tres_raw);
	return 0;
}

void assocs_forget(void)
{
	list_for_each(assoc_mgr_assoc_list, forget_assoc, NULL);
	list_for_each(assoc_mgr_qos_list, forget_qos, NULL);
	assoc_mgr_clear_used_info();
	(void) load_assoc_usage();
	(void) load_qos_usage();
}

static int normalize(void *item, void *arg)
{
	(void) arg;
	if (item != assoc_mgr_root_assoc)
		assoc_mgr_normalize_assoc_shares(item);
	return 0;
}

void assocs_normalize(void)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };

	assoc_mgr_lock(&locks);
	list_for_each(assoc_mgr_assoc_list, normalize, NULL);
	assoc_mgr_unlock(&locks);
}

void assocs_free(void)
{
	names_free(&known.uids);
	names_free(&known.assocs);
	FREE_NULL_LIST(known.waiting);
	(void) assoc_mgr_fini(false);
}
