/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * associations: what slurmctld knows of a user's accounts. Needs Slurm's
 * internal headers.
 *
 * Each function but one takes assoc_mgr's locks for reading and copies out what
 * it returns; call with no assoc_mgr lock held.
 */
#ifndef EQT_ASSOCIATIONS_H
#define EQT_ASSOCIATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slurm/compat.h"
#include "price/rules.h"
#include "qos.h"

/* Under which an association is looked at. */
#define EQT_ASSOCIATIONS_LOCKS      \
	{                           \
		.assoc = READ_LOCK, \
	}

/* Whose job it is; the strings are borrowed. */
struct eqt_owner {
	uint32_t uid;
	const char *account; /* NULL, "": none is known */
	const char *partition; /* NULL: not known */
};

/* Whether there are any: without slurmdbd there are none. */
bool eqt_associations_any(void);

/* An account's name as Slurm has it, in lower case. False for one that is none:
 * too long, or with bytes that no message should have. Takes no lock. */
bool eqt_associations_name(char *buf, size_t size, const char *name);

/* The user's default account into buf, as Slurm will choose it. Goes through the
 * list of all users for one that it has not seen, as Slurm does, and for one that
 * has none. */
bool eqt_associations_default(uint32_t uid, char *buf, size_t size);

/* The record that Slurm will find for the owner's job, or NULL. The lock above
 * is held, and the record lives as long. */
slurmdb_assoc_rec_t *eqt_associations_find(const struct eqt_owner *owner);

/* Whether the user has an association with the account, for the partition
 * (NULL: not known) or for all. */
bool eqt_associations_has(uint32_t uid, const char *account,
			  const char *partition);

/* Whether there is an account of that name, whoever may use it. */
bool eqt_associations_account(const char *account);

/* Those accounts of a pool that belong to two names ("": none) and that the user
 * has, "def-x_gpu, def-y_gpu", cut to size; "" when there is none. assoc_mgr has no
 * way from a user to all its associations but through those of everybody. Returns
 * buf. */
char *eqt_associations_of_pool(uint32_t uid, const struct eqt_pools *pools,
			       enum eqt_pool pool, const char *const names[2],
			       char *buf, size_t size);

/* The QOS of that name, or (NULL, "") the one that Slurm chooses, into *out;
 * one that Slurm does not know has its name alone. */
void eqt_associations_qos(struct eqt_qos *out, const struct eqt_owner *owner,
			  const char *name);

/* Whether the owner's association may use a QOS. */
bool eqt_associations_may(const struct eqt_owner *owner, const char *qos);

#endif
