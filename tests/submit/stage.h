/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stage: slurmctld's data at a submission: slurm.conf, partitions, nodes, users
 * with their accounts, locks.
 */
#ifndef EQT_SUBMIT_STAGE_H
#define EQT_SUBMIT_STAGE_H

#include <stdint.h>
#include <time.h>

/* The two valid versions of equitree.conf, and an invalid one. */
enum stage_conf { STAGE_CONF_A, STAGE_CONF_B, STAGE_CONF_BAD, STAGE_CONFS };

/* The submitting users: with an account of each pool, of one, of none; and one
 * without any association. */
enum stage_user { STAGE_EVE, STAGE_FAY, STAGE_HAL, STAGE_NOBODY, STAGE_USERS };

uint32_t stage_uid(enum stage_user user);

/* Set the stage, with files in a folder. Ends the program on an error. */
void stage_set(const char *folder);

/* Write equitree.conf, and read slurm.conf again like a reconfigure, under
 * slurmctld's locks. */
void stage_reconfigure(enum stage_conf conf);

/* The same, as a reconfigure in a second since the epoch. */
void stage_reconfigure_at(enum stage_conf conf, time_t second);

void stage_clear(void);

#endif
