/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * faults: a disk that fails. The program defines the calls with which a plugin
 * reads and writes files. Calls on the plugin's own files in StateSaveLocation
 * can be made to fail, to write less than they should, or to hang.
 */
#ifndef EQT_HOST_FAULTS_H
#define EQT_HOST_FAULTS_H

#include <stdbool.h>

#include "../words.h"

/*
 * "fault CALL N WHAT [times=K]": the Nth CALL from now on, and K - 1 more. CALL
 * is open, read, write, sync, rename, link or any; WHAT is the name of an
 * error, or short or hang. A thread of the plugin hangs until "fault none"; the
 * program's own thread must not hang. "fault none" prints the number of calls
 * that failed.
 */
void faults_set(const struct words *words);

/* Did a call fail since the last "fault none"? End the fault. */
bool faults_met(void);
void faults_clear(void);

#endif
