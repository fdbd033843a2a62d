/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * associations: what slurmctld knows about a user's accounts. Needs Slurm's
 * internal headers.
 *
 * Unless a comment says otherwise, each function takes assoc_mgr's locks for
 * reading and returns a copy, and its caller holds no lock of assoc_mgr.
 */
#ifndef EQT_ASSOCIATIONS_H
#define EQT_ASSOCIATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slurm/compat.h"
#include "job/rules.h"
#include "qos.h"

/* The locks of assoc_mgr that reading an association needs. */
#define EQT_ASSOCIATIONS_LOCKS      \
	{                           \
		.assoc = READ_LOCK, \
	}

/* The owner of a job. The strings are borrowed. */
struct eqt_owner {
	uint32_t uid;
	/* NULL or an empty string if the account is not known. */
	const char *account;
	const char *partition; /* NULL if the partition is not known. */
};

/* Are there any associations? Without slurmdbd there are none. */
bool eqt_associations_any(void);

/* Convert an account's name to lower case, as Slurm stores it. Returns false if
 * the name is too long or has bytes that must not appear in a message. Takes no
 * lock. */
bool eqt_associations_name(char *buf, size_t size, const char *name);

/* Copy the default account that Slurm will choose for the user into buf. If the
 * user is not in the cache or has no default account, the function walks over
 * the list of all users, as Slurm does. */
bool eqt_associations_default(uint32_t uid, char *buf, size_t size);

/* Copy the cached default account into buf, which may be out of date. Returns
 * false if there is none. Takes no lock of assoc_mgr. */
bool eqt_associations_default_guess(uint32_t uid, char *buf, size_t size);

/* The record that Slurm will find for the owner's job, or NULL. The caller
 * holds EQT_ASSOCIATIONS_LOCKS, and the record is valid as long as they are
 * held. */
slurmdb_assoc_rec_t *eqt_associations_find(const struct eqt_owner *owner);

/* Does the user have an association with the account, for this partition or for
 * all partitions? NO_VAL as user asks whether the account itself exists.
 * partition is NULL if it is not known. */
bool eqt_associations_has(uint32_t uid, const char *account,
			  const char *partition);

/* The record of a QOS by its name, or NULL. The caller holds assoc_mgr's QOS
 * lock for reading, and the record is valid as long as it is held. */
slurmdb_qos_rec_t *eqt_associations_find_qos(const char *name);

/* Does a QOS with this name exist? */
bool eqt_associations_qos_exists(const char *name);

/* List the user's accounts in a pool that belong to two names, such as
 * "def-x_gpu, def-y_gpu". A name may be empty. The list is cut to size, and is
 * empty if there is no such account. Other accounts are not searched for,
 * because that would be a walk over all associations. Returns buf. */
char *eqt_associations_of_pool(uint32_t uid, const struct eqt_pools *pools,
			       enum eqt_pool pool, const char *const names[2],
			       char *buf, size_t size);

/* Fill *out with the QOS of that name. If name is NULL or empty, use the QOS
 * that Slurm chooses for the owner. If Slurm does not know the QOS, only the
 * name is set. Returns whether the owner's account is known to be the default of
 * the user; with a name or an association for one partition it is not known. */
bool eqt_associations_qos(struct eqt_qos *out, const struct eqt_owner *owner,
			  const char *name);

/* May the owner's association use a QOS? */
bool eqt_associations_may(const struct eqt_owner *owner, const char *qos);

#endif
