/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * power: a disk that forgets what was not synced. For each of the plugin's files it
 * remembers what was synced, and for its folders which names were. A power cut leaves of
 * each file what was synced and any part of what was appended since, of another change
 * all or nothing, and of the names those that were synced and the first few since.
 */
#ifndef EQT_HOST_POWER_H
#define EQT_HOST_POWER_H

#include "../words.h"

/* "disk": remember from now on; before the plugin runs. */
void power_watch(const struct words *words);

/* "cut_at N SEED": the power fails at the Nth call that changes a file from now on; SEED chooses
 * what is left. Until "power", which has the disk of that moment, the plugin runs on. */
void power_arm(const struct words *words);

/* The disk after the power cut; the plugin is killed already. */
void power_restore(void);

/* What faults.c has done, by path or file. */
void power_created(const char *path);
void power_written(void);
void power_synced(int fd);
void power_renamed(const char *from, const char *to);
void power_linked(const char *from, const char *to);
void power_unlinked(const char *path);

#endif
