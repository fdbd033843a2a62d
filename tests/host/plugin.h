/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plugin: any priority plugin of the Slurm that this program is built for,
 * loaded by path, and its hooks.
 *
 * Each load but one is of a fresh copy of the file, so that nothing of the one
 * before is left in its variables: a restart is one, and so is a kill -9.
 */
#ifndef EQT_HOST_PLUGIN_H
#define EQT_HOST_PLUGIN_H

#include "../../plugins/slurm/compat.h"

/* The file to load; borrowed for good. */
void host_plugin_file(const char *path);

/*
 * Load and init it, and let it start its thread. fill is called in between,
 * where slurmctld brings back its jobs: before init() up to 23.2, which then
 * runs without locks, and after it, which runs under all locks, from 23.11 on.
 */
void host_plugin_load(void (*fill)(void));

/*
 * Load the file that was unloaded last once more, into the same process, as
 * slurmctld does from 23.11 on when a reconfigure fails: it has its jobs then.
 * What the plugin is linked to keep in memory is still there.
 */
void host_plugin_load_again(void);

bool host_plugin_loaded(void);

/* Let it end itself, and unload it. Does nothing when none is loaded. */
void host_plugin_unload(void);

/* Leave it where it is, with its threads asleep for good. */
void host_plugin_kill(void);

/* The hooks. The locks are the caller's, as slurmctld.h says for each. */
uint32_t host_plugin_set(uint32_t last_prio, job_record_t *job);
void host_plugin_job_end(job_record_t *job);
void host_plugin_reconfig(bool assoc_clear);
list_t *host_plugin_factors(uid_t uid);
void host_plugin_set_assoc_usage(slurmdb_assoc_rec_t *assoc);

/* The classic factor of a usage, as sshare gets it. */
double host_plugin_fs_factor(const slurmdb_assoc_usage_t *usage);

#endif
