/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../compat/stand_in.h"
#include "fail.h"
#include "used.h"

static int is_of_account(void *item, void *account)
{
	const slurmdb_used_limits_t *used = item;

	return !xstrcmp(used->acct, account);
}

static int is_of_user(void *item, void *uid)
{
	const slurmdb_used_limits_t *used = item;

	return used->uid == *(uint32_t *) uid;
}

static slurmdb_used_limits_t *find_or_add(list_t **list, ListFindF match,
					  void *key)
{
	slurmdb_used_limits_t *used;

	if (!*list)
		*list = list_create(slurmdb_destroy_used_limits);
	used = list_find_first(*list, match, key);
	if (used)
		return used;
	used = xmalloc(sizeof(*used));
	used->tres = xcalloc(g_tres_count, sizeof(uint64_t));
	EQT_USED_RUN_SECS(used) = xcalloc(g_tres_count, sizeof(uint64_t));
	list_append(*list, used);
	return used;
}

/* slurmctld exports these two functions. */
slurmdb_used_limits_t *acct_policy_get_acct_used_limits(list_t **list,
							char *account)
{
	slurmdb_used_limits_t *used = find_or_add(list, is_of_account, account);

	if (!used->acct)
		used->acct = xstrdup(account);
	return used;
}

slurmdb_used_limits_t *acct_policy_get_user_used_limits(list_t **list,
							uint32_t uid)
{
	slurmdb_used_limits_t *used = find_or_add(list, is_of_user, &uid);

	used->uid = uid;
	return used;
}

/* Add the job's counts to one owner's (or subtract them: sign is -1). */
static void change(uint64_t *used, const job_record_t *job, int sign)
{
	for (int i = 0; i < slurmctld_tres_cnt; i++) {
		uint64_t count = job->tres_alloc_cnt[i];

		if (i == TRES_ARRAY_ENERGY || count == NO_CONSUME_VAL64)
			continue;
		if (sign > 0)
			used[i] += count;
		else if (count > used[i])
			fail("underflow of %s: job %u has %llu, all have %llu",
			     assoc_mgr_tres_name_array[i], job->job_id,
			     (unsigned long long) count,
			     (unsigned long long) used[i]);
		else
			used[i] -= count;
	}
}

static void change_qos(slurmdb_qos_rec_t *qos, const job_record_t *job,
		       int sign)
{
	slurmdb_qos_usage_t *usage = qos ? qos->usage : NULL;

	if (!usage)
		return;
	change(usage->grp_used_tres, job, sign);
	change(acct_policy_get_acct_used_limits(&usage->acct_limit_list,
						job->assoc_ptr->acct)
		       ->tres,
	       job, sign);
	change(acct_policy_get_user_used_limits(&usage->user_limit_list,
						job->user_id)
		       ->tres,
	       job, sign);
}

static void change_all(const job_record_t *job, int sign)
{
	assoc_mgr_lock_t locks = {
		.assoc = WRITE_LOCK,
		.qos = WRITE_LOCK,
		.tres = READ_LOCK,
	};
	slurmdb_qos_rec_t *part_qos =
		job->part_ptr ? job->part_ptr->qos_ptr : NULL;

	assoc_mgr_lock(&locks);
	change_qos(job->qos_ptr, job, sign);
	if (part_qos != job->qos_ptr)
		change_qos(part_qos, job, sign);
	for (slurmdb_assoc_rec_t *assoc = job->assoc_ptr; assoc;
	     assoc = assoc->usage->parent_assoc_ptr)
		change(assoc->usage->grp_used_tres, job, sign);
	assoc_mgr_unlock(&locks);
}

void used_job_begin(const job_record_t *job)
{
	change_all(job, 1);
}

void used_job_fini(const job_record_t *job)
{
	change_all(job, -1);
}
