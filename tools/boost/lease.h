/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * boost_lease: what was promised to whom until when. A lease is a file, on the
 * disk before the shares that it is about are touched and until they are back.
 * One lease an association: its file is named for it.
 */
#ifndef EQT_BOOST_LEASE_H
#define EQT_BOOST_LEASE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define EQT_BOOST_NAME 256 /* of a cluster, an account, a user */
#define EQT_BOOST_SHARES 16 /* "1800", "parent" */
#define EQT_BOOST_TEXT 256

/* How far it is; what is on the disk is what was begun. */
enum eqt_boost_state {
	EQT_BOOST_GRANTING, /* the shares may be the old or the new ones */
	EQT_BOOST_GRANTED,
	EQT_BOOST_ENDING, /* as GRANTING */
	EQT_BOOST_STATES
};

/* A plain value. */
struct eqt_lease {
	char cluster[EQT_BOOST_NAME];
	char account[EQT_BOOST_NAME];
	char user[EQT_BOOST_NAME]; /* "": the account itself */
	char before[EQT_BOOST_SHARES];
	char boosted[EQT_BOOST_SHARES];
	int64_t granted_s, until_s; /* since the epoch */
	bool noted; /* associations have comments there */
	char comment_before[EQT_BOOST_TEXT]; /* the one it had */
	char by[EQT_BOOST_TEXT];
	char reason[EQT_BOOST_TEXT];
	enum eqt_boost_state state;
};

/* The folder of leases, locked: nobody else changes a lease meanwhile, and
 * nobody else's command about one is under way. */
struct eqt_leases {
	const char *folder; /* borrowed */
	int lock; /* -1: only read */
	struct eqt_lease *lease; /* owned */
	size_t count;
	size_t unreadable; /* files that are no leases: told on stderr */
};

/*
 * Read all leases of the folder; with lock, make the folder if need be, wait for
 * who else has it, and remove what a killed command left unfinished beside the
 * leases. 0, or -1 with err filled. A file that is no lease is told on stderr
 * and counted.
 */
int eqt_leases_open(struct eqt_leases *out, const char *folder, bool lock,
		    struct eqt_error *err);

/* Free what *leases owns, and unlock. */
void eqt_leases_close(struct eqt_leases *leases);

/* The lease of the same association, or NULL. */
struct eqt_lease *eqt_leases_find(const struct eqt_leases *leases,
				  const struct eqt_lease *like);

/* Put a lease on the disk, or take it off. 0, or -1 with err filled. The folder
 * is locked. */
int eqt_lease_write(const struct eqt_leases *leases,
		    const struct eqt_lease *lease, struct eqt_error *err);
int eqt_lease_remove(const struct eqt_leases *leases,
		     const struct eqt_lease *lease, struct eqt_error *err);

/* The lease as JSON, and "physics" or "physics/ada" into buf. */
json_object *eqt_lease_json(const struct eqt_lease *lease);
const char *eqt_lease_name(const struct eqt_lease *lease,
			   char buf[2 * EQT_BOOST_NAME]);

/* "granting", "granted", "ending". */
const char *eqt_boost_state_name(enum eqt_boost_state state);

#endif
