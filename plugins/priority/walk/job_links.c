/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the association pointers in job records with assoc_mgr's list. */
#include "slurm/compat.h"
#include "walk/job_links.h"

/* The walk ends (-1) at the first job whose pointer is outdated. */
static int job_link_check(void *item, void *arg)
{
	const job_record_t *job = item;
	slurmdb_assoc_rec_t wanted = { .id = job->assoc_id }, *found = NULL;
	bool *fit = arg;

	if (!job->assoc_ptr)
		return 0;
	(void) assoc_mgr_fill_in_assoc(acct_db_conn, &wanted, 0, &found, true);
	*fit = found == job->assoc_ptr;
	return *fit ? 0 : -1;
}

bool eqt_job_links_fit(void)
{
	slurmctld_lock_t job_lock = { .job = READ_LOCK };
	assoc_mgr_lock_t assoc_lock = { .assoc = READ_LOCK, .user = READ_LOCK };
	bool fit = true;

	lock_slurmctld(job_lock);
	assoc_mgr_lock(&assoc_lock);
	if (job_list)
		list_for_each_ro(job_list, job_link_check, &fit);
	assoc_mgr_unlock(&assoc_lock);
	unlock_slurmctld(job_lock);
	return fit;
}
