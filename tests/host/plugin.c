/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "../compat/stand_in.h"
#include "clock.h"
#include "cluster.h"
#include "fail.h"
#include "trouble/faults.h"
#include "plugin.h"

static struct {
	const char *path;
	char copy[PATH_MAX]; /* the file that is loaded, or was loaded last */
	void *handle;
	unsigned int loads;
	int (*init)(void);
	EQT_FINI_TYPE (*fini)(void);
	uint32_t (*set)(uint32_t last_prio, job_record_t *job);
	void (*reconfig)(bool assoc_clear);
	void (*set_assoc_usage)(slurmdb_assoc_rec_t *assoc);
	double (*calc_fs_factor)(long double usage, long double shares);
	eqt_factors_hook_t *factors;
	void (*job_end)(job_record_t *job);
	void (*thread_start)(void);
	uint32_t (*recover)(uint32_t boost);
} plugin;

void host_plugin_file(const char *path)
{
	plugin.path = path;
}

static void copy_bytes(FILE *from, FILE *to)
{
	char buffer[65536];
	size_t length;

	while ((length = fread(buffer, 1, sizeof(buffer), from)) > 0)
		if (fwrite(buffer, 1, length, to) != length)
			fail("the plugin cannot be copied");
}

/* The dynamic linker identifies a file by its inode. The copy is kept, for
 * tools that need the names of addresses in it. */
static void copy_file(void)
{
	FILE *from = fopen(plugin.path, "r");
	FILE *to;

	(void) snprintf(plugin.copy, PATH_MAX, "%s/plugin.%u.so",
			cluster_folder_name(), ++plugin.loads);
	/* Another host of this folder may have the file mapped: cut and written again it would
	 * lose its pages, the addresses of functions among them. */
	(void) remove(plugin.copy);
	to = fopen(plugin.copy, "w");
	if (!from || !to)
		fail("%s cannot be copied to %s", plugin.path, plugin.copy);
	copy_bytes(from, to);
	fclose(from);
	fclose(to);
}

const void *host_plugin_find(const char *name)
{
	return dlsym(plugin.handle, name);
}

const void *host_plugin_symbol(const char *name)
{
	const void *symbol = host_plugin_find(name);

	if (!symbol)
		fail("%s has no %s", plugin.path, name);
	return symbol;
}

/* ISO C has no way from an object pointer to a function's. */
static void hook(void *to, const char *name)
{
	const void *symbol = host_plugin_symbol(name);

	memcpy(to, &symbol, sizeof(symbol));
}

static void find_hooks(void)
{
	hook(&plugin.init, "init");
	hook(&plugin.fini, "fini");
	hook(&plugin.set, "priority_p_set");
	hook(&plugin.reconfig, "priority_p_reconfig");
	hook(&plugin.set_assoc_usage, "priority_p_set_assoc_usage");
	hook(&plugin.factors, "priority_p_get_priority_factors_list");
	hook(&plugin.job_end, "priority_p_job_end");
	if (EQT_HAS_CALC_FS_FACTOR)
		hook(&plugin.calc_fs_factor, "priority_p_calc_fs_factor");
	if (EQT_HAS_RECOVER)
		hook(&plugin.recover, "priority_p_recover");
	if (EQT_HAS_THREAD_START)
		hook(&plugin.thread_start, "priority_p_thread_start");
}

static void check_version(void)
{
	const uint32_t *plugin_version = dlsym(plugin.handle, "plugin_version");

	if (!plugin_version || *plugin_version != SLURM_VERSION_NUMBER)
		fail("%s is not built for this Slurm", plugin.path);
}

/* slurmctld may refuse to start if a disk fails. Its operator then repairs the
 * disk and starts it again. */
static void init(void)
{
	int rc = plugin.init();

	if (rc != SLURM_SUCCESS && faults_met()) {
		puts("refused");
		faults_clear();
		rc = plugin.init();
	}
	if (rc != SLURM_SUCCESS)
		fail("%s refuses to start", plugin.path);
}

static const slurmctld_lock_t all_locks = {
	.conf = WRITE_LOCK,
	.job = WRITE_LOCK,
	.node = WRITE_LOCK,
	.part = WRITE_LOCK,
};

/* Like later releases. In releases without a later hook Slurm's own plugin
 * starts its thread here. */
static void init_without_thread(void)
{
	init();
	if (EQT_HAS_THREAD_START && clock_plugin_threads() > 0)
		fail("%s starts a thread in init, which may run before there "
		     "are jobs",
		     plugin.path);
}

/* As later releases start: before any jobs exist, and under all locks. */
static void init_locked(void (*fill)(void))
{
	list_t *jobs = job_list;

	lock_slurmctld(all_locks);
	job_list = NULL;
	init_without_thread();
	job_list = jobs;
	unlock_slurmctld(all_locks);
	fill();
	lock_slurmctld(all_locks);
	plugin.thread_start();
	unlock_slurmctld(all_locks);
	(void) plugin.recover(0);
}

/* Init under all locks, with existing jobs. A thread of the plugin finds this
 * in releases that read jobs before they release the locks. */
static void init_filled(void)
{
	lock_slurmctld(all_locks);
	init_without_thread();
	if (EQT_HAS_THREAD_START)
		plugin.thread_start();
	unlock_slurmctld(all_locks);
	(void) plugin.recover(0);
}

static void open_copy(void)
{
	plugin.handle = dlopen(plugin.copy, RTLD_LAZY);
	if (!plugin.handle)
		fail("%s", dlerror());
	check_version();
	find_hooks();
}

void host_plugin_load(void (*fill)(void))
{
	copy_file();
	open_copy();
	clock_plugin_starts();
	if (EQT_HAS_THREAD_START) {
		init_locked(fill);
	} else if (EQT_HAS_RECOVER) {
		fill();
		init_filled();
	} else {
		fill();
		init();
	}
	clock_plugin_started();
}

void host_plugin_load_again(void)
{
	open_copy();
	clock_plugin_starts();
	init_filled();
	clock_plugin_started();
}

bool host_plugin_loaded(void)
{
	return plugin.handle != NULL;
}

void host_plugin_unload(void)
{
	if (!plugin.handle)
		return;
	(void) plugin.fini();
	clock_plugin_stopped();
	dlclose(plugin.handle);
	plugin.handle = NULL;
}

void host_plugin_kill(void)
{
	clock_plugin_killed();
	plugin.handle = NULL;
}

uint32_t host_plugin_set(uint32_t last_prio, job_record_t *job)
{
	return plugin.set(last_prio, job);
}

void host_plugin_job_end(job_record_t *job)
{
	plugin.job_end(job);
}

void host_plugin_reconfig(bool assoc_clear)
{
	plugin.reconfig(assoc_clear);
}

list_t *host_plugin_factors(uid_t uid)
{
	return eqt_factors_ask(plugin.factors, uid);
}

void host_plugin_set_assoc_usage(slurmdb_assoc_rec_t *assoc)
{
	plugin.set_assoc_usage(assoc);
}

double host_plugin_fs_factor(const slurmdb_assoc_usage_t *usage)
{
	if (!EQT_HAS_CALC_FS_FACTOR)
		return usage->fs_factor;
	return plugin.calc_fs_factor(usage->usage_efctv,
				     (long double) usage->shares_norm);
}
