/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "../compat/stand_in.h"
#include "queue/budget.h"
#include "clock.h"
#include "database.h"
#include "fail.h"
#include "jobs.h"
#include "locks.h"
#include "plugin.h"
#include "print.h"

#define DOUBLE "%.17g"
#define LONG_DOUBLE "%.21Lg"

static const char *tres_name(int i)
{
	return assoc_mgr_tres_name_array[i];
}

/* ---- Jobs ----------------------------------------------------------------- */

static void print_points(const eqt_factors_t *points)
{
	if (!points)
		return;
	printf(" age=" DOUBLE " assoc=" DOUBLE " fs=" DOUBLE " size=" DOUBLE
	       " part=" DOUBLE " qos=" DOUBLE " site=%u nice=%u",
	       points->priority_age, points->priority_assoc,
	       points->priority_fs, points->priority_js, points->priority_part,
	       points->priority_qos, points->priority_site, points->nice);
	for (uint32_t i = 0; points->priority_tres && i < points->tres_cnt; i++)
		if (points->tres_weights && points->tres_weights[i] != 0)
			printf(" %s=" DOUBLE "*" DOUBLE, tres_name((int) i),
			       points->priority_tres[i],
			       points->tres_weights[i]);
}

static int print_job(void *item, void *arg)
{
	const job_record_t *job = item;
	const uint32_t *priorities = eqt_job_priorities(job);
	list_t *qos = eqt_job_qos_list(job);
	int choices = qos ? list_count(qos) : 1;

	if (job->part_ptr_list)
		choices *= list_count(job->part_ptr_list);
	else if (!qos)
		choices = 0;

	(void) arg;
	jobs_check_texts(job);
	printf("job=%u state=%s priority=%u", job->job_id,
	       job_state_string(job->job_state), job->priority);
	for (int i = 0; priorities && i < choices; i++)
		printf("%s%u", i ? "," : " priorities=", priorities[i]);
	print_points(job->prio_factors);
	if (job->tres_alloc_cnt)
		printf(" billing=%llu", (unsigned long long)
		       job->tres_alloc_cnt[TRES_ARRAY_BILLING]);
	if (database_told(job))
		printf(" told=%s", database_told(job));
	if (job->state_desc)
		printf(" reason=\"%s\"", job->state_desc);
	putchar('\n');
	return 0;
}

static void print_jobs(void)
{
	slurmctld_lock_t locks = { .job = READ_LOCK };

	lock_slurmctld(locks);
	list_for_each_ro(job_list, print_job, NULL);
	unlock_slurmctld(locks);
}

/* ---- Associations and QOS ------------------------------------------------- */

static void print_tres(const long double *raw, const uint64_t *run_secs)
{
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		if (raw[i] != 0)
			printf(" %s=" LONG_DOUBLE, tres_name(i), raw[i]);
	/* No job has run-seconds of energy, but the plugin may use that
	 * element. */
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		if (run_secs[i] && i != TRES_ARRAY_ENERGY)
			printf(" run:%s=%llu", tres_name(i),
			       (unsigned long long) run_secs[i]);
	putchar('\n');
}

static int print_assoc(void *item, void *arg)
{
	const slurmdb_assoc_rec_t *assoc = item;
	const slurmdb_assoc_usage_t *usage = assoc->usage;

	(void) arg;
	printf("assoc=%s%s%s", assoc->acct, assoc->user ? "/" : "",
	       assoc->user ? assoc->user : "");
	printf(" raw=" LONG_DOUBLE " norm=" LONG_DOUBLE " efctv=" LONG_DOUBLE
	       " level=" LONG_DOUBLE " fs=" DOUBLE " shares=" DOUBLE
	       " wall=" DOUBLE,
	       usage->usage_raw, usage->usage_norm, usage->usage_efctv,
	       usage->level_fs, usage->fs_factor, usage->shares_norm,
	       usage->grp_used_wall);
	if (assoc->leaf_usage && assoc->leaf_usage != usage)
		printf(" leaf=" LONG_DOUBLE, assoc->leaf_usage->usage_raw);
	print_tres(usage->usage_tres_raw, usage->grp_used_tres_run_secs);
	return 0;
}

/* The counts of a QOS for one account or one user. */
static int print_part(void *item, void *arg)
{
	const slurmdb_used_limits_t *part = item;
	const slurmdb_qos_rec_t *qos = arg;

	printf("qos=%s/", qos->name);
	if (part->acct)
		printf("%s", part->acct);
	else
		printf("%u", part->uid);
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		if (EQT_USED_RUN_SECS(part)[i])
			printf(" run:%s=%llu", tres_name(i),
			       (unsigned long long) EQT_USED_RUN_SECS(part)[i]);
	putchar('\n');
	return 0;
}

static int print_qos(void *item, void *arg)
{
	const slurmdb_qos_rec_t *qos = item;
	const slurmdb_qos_usage_t *usage = qos->usage;

	(void) arg;
	printf("qos=%s raw=" LONG_DOUBLE " wall=" DOUBLE, qos->name,
	       usage->usage_raw, usage->grp_used_wall);
	print_tres(usage->usage_tres_raw, usage->grp_used_tres_run_secs);
	if (usage->acct_limit_list)
		list_for_each_ro(usage->acct_limit_list, print_part, item);
	if (usage->user_limit_list)
		list_for_each_ro(usage->user_limit_list, print_part, item);
	return 0;
}

static void print_assocs(void)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .tres = READ_LOCK };

	assoc_mgr_lock(&locks);
	list_for_each_ro(assoc_mgr_assoc_list, print_assoc, NULL);
	assoc_mgr_unlock(&locks);
}

static void print_all_qos(void)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK, .tres = READ_LOCK };

	assoc_mgr_lock(&locks);
	list_for_each_ro(assoc_mgr_qos_list, print_qos, NULL);
	assoc_mgr_unlock(&locks);
}

/* ---- What sshare asks for -------------------------------------------------- */

static int print_share(void *item, void *arg)
{
	slurmdb_assoc_rec_t *assoc = item;
	slurmdb_assoc_usage_t *usage = assoc->usage;

	(void) arg;
	if (!usage->fs_assoc_ptr)
		return 0;
	/* The plugin may compute it only when it is asked. */
	if (fuzzy_equal(usage->usage_efctv, NO_VAL))
		host_plugin_set_assoc_usage(assoc);
	printf("share=%s%s%s efctv=" LONG_DOUBLE " classic=" DOUBLE "\n",
	       assoc->acct, assoc->user ? "/" : "",
	       assoc->user ? assoc->user : "", usage->usage_efctv,
	       host_plugin_fs_factor(usage));
	return 0;
}

static void print_shares(void)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .tres = READ_LOCK };

	assoc_mgr_lock(&locks);
	list_for_each_ro(assoc_mgr_assoc_list, print_share, NULL);
	assoc_mgr_unlock(&locks);
}

/* ---- The answer to sprio -------------------------------------------------- */

static int print_factors_of(void *item, void *arg)
{
	const priority_factors_object_t *object = item;

	(void) arg;
	printf("factors=%u partition=%s uid=%u",
	       eqt_factors_object_job_id(object),
	       object->partition, object->user_id);
	if (object->direct_prio > 0)
		printf(" direct=" DOUBLE, object->direct_prio);
	else
		print_points(eqt_factors_object_factors(object));
	putchar('\n');
	return 0;
}

static void print_factors(void)
{
	list_t *answer = host_plugin_factors(0);

	if (!answer)
		return;
	list_for_each_ro(answer, print_factors_of, NULL);
	FREE_NULL_LIST(answer);
}

static const struct {
	const char *name;
	void (*print)(void);
} views[] = {
	{ "jobs", print_jobs },
	{ "assocs", print_assocs },
	{ "qos", print_all_qos },
	{ "shares", print_shares },
	{ "factors", print_factors },
	{ "budgets", budget_print },
};

static int wanted(const struct words *words, const char *view)
{
	if (words->count == 1)
		return 1;
	for (int i = 1; i < words->count; i++)
		if (!strcmp(words->word[i], view))
			return 1;
	return 0;
}

void print_views(const struct words *words)
{
	printf("== %lld\n", (long long) clock_elapsed());
	for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++)
		if (wanted(words, views[i].name))
			views[i].print();
}
