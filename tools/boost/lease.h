/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lease: which shares are granted to whom, and until when. A lease is a file. It is on
 * the disk before the shares change, and stays until the old shares are restored and
 * verified. Each association has at most one lease, whose file is named after it.
 */
#ifndef EQT_BOOST_LEASE_H
#define EQT_BOOST_LEASE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* bytes of the name of a cluster, an account or a user */
#define EQT_BOOST_NAME 256
#define EQT_BOOST_SHARES 16 /* such as "1800", "parent" */
#define EQT_BOOST_TEXT 256

/* The last step that began. It may be unfinished. */
enum eqt_boost_state {
	EQT_BOOST_GRANTING, /* the shares may be the old or the new ones */
	EQT_BOOST_GRANTED,
	EQT_BOOST_ENDING, /* the same in this state */
	EQT_BOOST_STATES
};

/* One lease. A plain value. */
struct eqt_lease {
	char cluster[EQT_BOOST_NAME];
	char account[EQT_BOOST_NAME];
	char user[EQT_BOOST_NAME]; /* "": the account itself */
	char before[EQT_BOOST_SHARES];
	char boosted[EQT_BOOST_SHARES];
	int64_t granted_s, until_s; /* seconds since the epoch */
	bool noted; /* this release of Slurm has comments of associations */
	char comment_before[EQT_BOOST_TEXT]; /* the comment before the boost */
	char by[EQT_BOOST_TEXT];
	char reason[EQT_BOOST_TEXT];
	enum eqt_boost_state state;
};

/* The folder of leases. While it is locked, nobody else changes a lease or runs a command
 * for one. */
struct eqt_leases {
	const char *folder; /* borrowed */
	int lock; /* -1: open for reading only */
	struct eqt_lease *lease; /* owned */
	size_t count;
	/* files that are not leases, which were reported on stderr */
	size_t unreadable;
};

/*
 * Read all leases of the folder. With "lock", create the folder if needed, wait for the
 * lock, and remove unfinished files of killed commands. A file that is not a lease is
 * reported on stderr and counted. Returns 0, or -1 with err filled.
 */
int eqt_lease_list_open(struct eqt_leases *out, const char *folder, bool lock,
			struct eqt_error *err);

/* Free what *leases owns, and unlock the folder. */
void eqt_lease_list_close(struct eqt_leases *leases);

/* The lease of the same association as "like", or NULL. */
struct eqt_lease *eqt_lease_list_find(const struct eqt_leases *leases,
				      const struct eqt_lease *like);

/* Write a lease to the disk, or remove its file. The folder must be locked. Both return
 * 0, or -1 with err filled. */
int eqt_lease_write(const struct eqt_leases *leases,
		    const struct eqt_lease *lease, struct eqt_error *err);
int eqt_lease_remove(const struct eqt_leases *leases,
		     const struct eqt_lease *lease, struct eqt_error *err);

/* The lease as a JSON object, and its name in the form "physics" or "physics/ada",
 * written into buf. */
json_object *eqt_lease_json(const struct eqt_lease *lease);
const char *eqt_lease_name(const struct eqt_lease *lease,
			   char buf[2 * EQT_BOOST_NAME]);

#endif
