/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * associations: what slurmctld knows of a user's accounts. Needs Slurm's
 * internal headers.
 *
 * Each function takes assoc_mgr's locks for reading and copies out what it
 * returns; call with no assoc_mgr lock held.
 */
#ifndef EQT_ASSOCIATIONS_H
#define EQT_ASSOCIATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "eqt_rules.h"

/* Whether there are any: without slurmdbd there are none. */
bool eqt_associations_any(void);

/* The user's default account into buf, as Slurm will choose it. */
bool eqt_associations_default(uint32_t uid, char *buf, size_t size);

/* Whether the user has an association with the account, for the partition
 * (NULL: not known) or for all. */
bool eqt_associations_has(uint32_t uid, const char *account,
			  const char *partition);

/* Whether there is an account of that name, whoever may use it. */
bool eqt_associations_account(const char *account);

/* The user's accounts of a pool, "def-x_gpu, def-y_gpu", cut to size; "" when
 * there is none. Takes time in proportion to all associations. Returns buf. */
char *eqt_associations_of_pool(uint32_t uid, const struct eqt_pools *pools,
			       enum eqt_pool pool, char *buf, size_t size);

/* The QOS that Slurm chooses when none is named (account may be NULL). */
bool eqt_associations_qos(uint32_t uid, const char *account,
			  const char *partition, char *buf, size_t size);

#endif
