/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "../../compat/stand_in.h"
#include "../assocs.h"
#include "../clock.h"
#include "../cluster.h"
#include "../fail.h"
#include "fallback.h"
#include "../history.h"
#include "../locks.h"
#include "../plugin.h"

#define GONE_SIZE ((size_t) 65536)

/* The memory of the previous records. */
static char *gone;

static void touched(int number, siginfo_t *info, void *context)
{
	const char *at = info->si_addr;

	(void) context;
	if (at >= gone && at < gone + GONE_SIZE)
		fail("the plugin follows a job's pointer to an association "
		     "that is gone");
	(void) signal(number, SIG_DFL);
}

static void make_gone(void)
{
	struct sigaction action = {
		.sa_sigaction = touched,
		.sa_flags = SA_SIGINFO,
	};

	if (gone)
		return;
	gone = mmap(NULL, GONE_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	if (gone == MAP_FAILED || sigaction(SIGSEGV, &action, NULL) < 0)
		fail("no page can be closed");
}

static int lose(void *item, void *arg)
{
	job_record_t *job = item;

	(void) arg;
	if (job->assoc_ptr)
		job->assoc_ptr = (slurmdb_assoc_rec_t *) (void *) gone;
	if (job->qos_ptr)
		job->qos_ptr = (slurmdb_qos_rec_t *) (void *) gone;
	return 0;
}

/* Like slurmctld: by the numbers of association and QOS. */
static int mend(void *item, void *arg)
{
	job_record_t *job = item;
	slurmdb_assoc_rec_t assoc = { .id = job->assoc_id };
	slurmdb_qos_rec_t qos = { .id = job->qos_id };

	(void) arg;
	if (job->assoc_id)
		(void) assoc_mgr_fill_in_assoc(acct_db_conn, &assoc, 0,
					       &job->assoc_ptr, true);
	if (job->qos_id)
		(void) assoc_mgr_fill_in_qos(acct_db_conn, &qos, 0,
					     &job->qos_ptr, true);
	return 0;
}

static void change_links(int (*change)(void *item, void *arg))
{
	assoc_mgr_lock_t assoc_lock = {
		.assoc = READ_LOCK,
		.qos = READ_LOCK,
		.user = READ_LOCK,
	};

	lock_slurmctld(LOCKS_JOBS);
	assoc_mgr_lock(&assoc_lock);
	(void) list_for_each(job_list, change, NULL);
	assoc_mgr_unlock(&assoc_lock);
	unlock_slurmctld(LOCKS_JOBS);
}

/* A thread of the plugin may look again in each of these seconds. */
static void fall_back(void)
{
	make_gone();
	host_plugin_unload();
	(void) dump_assoc_mgr_state();
	cluster_break_prices();
	assocs_forget();
	change_links(lose);
	host_plugin_load_again();
	clock_advance(1);
	change_links(mend);
	clock_advance(1);
}

void fallback_run(const struct words *words)
{
	if (EQT_RECONFIGURE_RESTARTS) {
		fall_back();
	} else {
		history_reread(words);
		cluster_break_prices();
		host_plugin_reconfig(true);
		clock_advance(2);
	}
	cluster_write();
}
