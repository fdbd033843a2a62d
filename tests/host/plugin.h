/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plugin: any priority plugin of the Slurm that this program is built for,
 * loaded by its path, and its hooks.
 *
 * Each load but one is that of a new copy of the file, so that its variables
 * have no old values. A restart is such a load, and so is a kill -9.
 */
#ifndef EQT_HOST_PLUGIN_H
#define EQT_HOST_PLUGIN_H

#include "../../plugins/slurm/compat.h"

/* The file to load; borrowed for good. */
void host_plugin_file(const char *path);

/*
 * Load and init it, and let it start its thread. fill is the step in which
 * slurmctld restores its jobs: before init() up to 23.02, where init() runs
 * without locks; after init(), which runs under all locks, from 23.11 on.
 */
void host_plugin_load(void (*fill)(void));

/*
 * Load the file again that was unloaded last, into the same process. slurmctld
 * does so from 23.11 on when a reconfigure fails: it has its jobs then. Memory
 * of the libraries that the plugin is linked to is as before.
 */
void host_plugin_load_again(void);

bool host_plugin_loaded(void);

/* What it exports under a name; ends the program if there is no such thing. */
const void *host_plugin_symbol(const char *name);

/* The same, or NULL. */
const void *host_plugin_find(const char *name);

/* Call fini(), and unload it. Does nothing if none is loaded. */
void host_plugin_unload(void);

/* Leave it loaded, with its threads asleep for good. */
void host_plugin_kill(void);

/* The hooks. The caller holds the locks that slurmctld.h names for each. */
uint32_t host_plugin_set(uint32_t last_prio, job_record_t *job);
void host_plugin_job_end(job_record_t *job);
void host_plugin_reconfig(bool assoc_clear);
list_t *host_plugin_factors(uid_t uid);
void host_plugin_set_assoc_usage(slurmdb_assoc_rec_t *assoc);

/* The classic fair-share factor of a usage, as sshare gets it. */
double host_plugin_fs_factor(const slurmdb_assoc_usage_t *usage);

#endif
