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
#include "job/rules.h"
#include "qos.h"

/* The locks for reading an association. */
#define EQT_ASSOCIATIONS_LOCKS      \
	{                           \
		.assoc = READ_LOCK, \
	}

/* The owner of a job; the strings are borrowed. */
struct eqt_owner {
	uint32_t uid;
	const char *account; /* NULL, "": none is known */
	const char *partition; /* NULL: not known */
};

/* Are there any associations? Without slurmdbd there are none. */
bool eqt_associations_any(void);

/* An account's name in Slurm's form, which is lower case. False for an invalid one:
 * too long, or with bytes that no message should have. Takes no lock. */
bool eqt_associations_name(char *buf, size_t size, const char *name);

/* The default account that Slurm will choose for the user, into buf. Like Slurm, it
 * walks over the list of all users if the user is not in the cache or has no default
 * account. */
bool eqt_associations_default(uint32_t uid, char *buf, size_t size);

/* The record that Slurm will find for the owner's job, or NULL. The caller holds the
 * locks above, and the record is valid as long. */
slurmdb_assoc_rec_t *eqt_associations_find(const struct eqt_owner *owner);

/* Does the user have an association with the account, for the partition (NULL: not
 * known) or for all partitions? */
bool eqt_associations_has(uint32_t uid, const char *account,
			  const char *partition);

/* The record of a QOS by its name, or NULL. The caller holds assoc_mgr's lock of QOS for
 * reading, and the record is valid as long. */
slurmdb_qos_rec_t *eqt_associations_find_qos(const char *name);

/* Does a QOS of that name exist? */
bool eqt_associations_qos_exists(const char *name);

/* Does an account of that name exist, for any user? */
bool eqt_associations_account(const char *account);

/* The user's accounts of a pool that belong to two names ("": none), such as
 * "def-x_gpu, def-y_gpu", cut to size; "" if there is none. It does not look for other
 * accounts: assoc_mgr finds all associations of a user only by a walk over all
 * associations. Returns buf. */
char *eqt_associations_of_pool(uint32_t uid, const struct eqt_pools *pools,
			       enum eqt_pool pool, const char *const names[2],
			       char *buf, size_t size);

/* The QOS of that name, or (NULL, "") the one that Slurm chooses, into *out;
 * one that Slurm does not know has its name alone. */
void eqt_associations_qos(struct eqt_qos *out, const struct eqt_owner *owner,
			  const char *name);

/* May the owner's association use a QOS? */
bool eqt_associations_may(const struct eqt_owner *owner, const char *qos);

#endif
