/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "database.h"
#include "fail.h"

struct told {
	uint64_t index;
	char *tres;
};

static list_t *all;

static int has_index(void *item, void *index)
{
	return ((struct told *) item)->index == *(uint64_t *) index;
}

static struct told *find(uint64_t index)
{
	if (!all)
		all = list_create(NULL);
	return list_find_first(all, has_index, &index);
}

static int tell(const job_record_t *job)
{
	struct told *told = find(job->db_index);

	if (!told) {
		told = xmalloc(sizeof(*told));
		told->index = job->db_index;
		list_append(all, told);
	}
	xfree(told->tres);
	told->tres = xstrdup(job->tres_alloc_str);
	return SLURM_SUCCESS;
}

/*
 * libslurmfull has both functions, too; the plugin finds those of the program.
 */
int jobacct_storage_g_job_start(void *db_conn, job_record_t *job)
{
	(void) db_conn;
	/* Here slurmctld would wait for the answer. */
	if (!job->db_index || IS_JOB_RESIZING(job))
		fail("job %u: slurmdbd would be waited for", job->job_id);
	/* The record would lose a state that is not one yet. */
	if (IS_JOB_PENDING(job))
		fail("job %u: slurmdbd hears of a job that pends", job->job_id);
	return tell(job);
}

int jobacct_storage_g_job_complete(void *db_conn, job_record_t *job)
{
	(void) db_conn;
	if (!IS_JOB_RESIZING(job))
		fail("job %u: slurmdbd hears of an end that is none",
		     job->job_id);
	return tell(job);
}

const char *database_told(const job_record_t *job)
{
	const struct told *told = find(job->db_index);

	return told ? told->tres : NULL;
}
