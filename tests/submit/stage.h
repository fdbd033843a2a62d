/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stage: what slurmctld has when a job is submitted: slurm.conf, partitions,
 * nodes, users with their accounts, locks.
 */
#ifndef EQT_SUBMIT_STAGE_H
#define EQT_SUBMIT_STAGE_H

#include <stdint.h>

/* The two files that equitree.conf may be, and one that is none. */
enum stage_conf { STAGE_CONF_A, STAGE_CONF_B, STAGE_CONF_BAD, STAGE_CONFS };

/* Who submits: with an account of each pool, of one, of none; a stranger. */
enum stage_user { STAGE_EVE, STAGE_FAY, STAGE_HAL, STAGE_NOBODY, STAGE_USERS };

uint32_t stage_uid(enum stage_user user);

/* Set the stage, with files in a folder. What cannot be done ends the
 * program. */
void stage_set(const char *folder);

/* Write equitree.conf, and let slurm.conf be read again as a reconfigure does:
 * with slurmctld's locks. */
void stage_reconfigure(enum stage_conf conf);

void stage_clear(void);

#endif
