/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * associations: what slurmctld knows of a user's accounts. Needs Slurm's
 * internal headers.
 *
 * Unless its comment says otherwise, a function takes assoc_mgr's locks for reading and
 * returns a copy; its caller holds no lock of assoc_mgr.
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

/* Does the user (NO_VAL: the account itself) have an association with the account, for the
 * partition (NULL: not known) or for all partitions? */
bool eqt_associations_has(uint32_t uid, const char *account,
			  const char *partition);

/* The record of a user by id, or NULL. Walks over all users. The caller holds assoc_mgr's
 * user lock for reading, and the record is valid as long. */
const slurmdb_user_rec_t *eqt_associations_user(uint32_t uid);

/* The record of a QOS by its name, or NULL. The caller holds assoc_mgr's lock of QOS for
 * reading, and the record is valid as long. */
slurmdb_qos_rec_t *eqt_associations_find_qos(const char *name);

/* Does a QOS of that name exist? */
bool eqt_associations_qos_exists(const char *name);

/* List the user's accounts of a pool for two names ("": none), such as
 * "def-x_gpu, def-y_gpu", cut to size; "" if there is none. Other accounts are not looked
 * for, because that would be a walk over all associations. Returns buf. */
char *eqt_associations_of_pool(uint32_t uid, const struct eqt_pools *pools,
			       enum eqt_pool pool, const char *const names[2],
			       char *buf, size_t size);

/* Fill *out with the QOS of that name, or (NULL, "") with the one that Slurm chooses for the
 * owner. Of a QOS that Slurm does not know only the name is set. */
void eqt_associations_qos(struct eqt_qos *out, const struct eqt_owner *owner,
			  const char *name);

/* May the owner's association use a QOS? */
bool eqt_associations_may(const struct eqt_owner *owner, const char *qos);

#endif
