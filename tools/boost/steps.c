/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Order of the steps: lease to disk, shares raised, lease marked as granted;
 * back: lease marked as ending, shares restored, audit, lease removed. After a
 * crash the state of the lease says which step to repeat.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "boost/shares.h"
#include "boost/steps.h"
#include "cli/json.h"

/* ---- The audit ------------------------------------------------------------ */

const char *eqt_boost_actor(char buf[EQT_BOOST_TEXT])
{
	const char *sudo = getenv("SUDO_USER");
	const struct passwd *entry = getpwuid(getuid());
	const char *name = entry ? entry->pw_name : "?";

	/* Only root's environment is trusted. */
	if (getuid() == 0 && sudo && sudo[0] != '\0')
		name = sudo;
	(void) snprintf(buf, EQT_BOOST_TEXT, "%s", name);
	return buf;
}

/*
 * Begin a new line if a command that was killed has left one without an end.
 */
static int audit_write_line(const char *path, const char *line)
{
	int fd = open(path, O_RDWR | O_CREAT | O_APPEND, 0644);
	char last = '\n', text[4096];
	int length, rc = -1;

	if (fd < 0)
		return -1;
	if (lseek(fd, -1, SEEK_END) >= 0 && read(fd, &last, 1) < 0)
		last = '\n';
	length = snprintf(text, sizeof(text), "%s%s\n",
			  last == '\n' ? "" : "\n", line);
	if (length < (int) sizeof(text) &&
	    write(fd, text, (size_t) length) == length && fsync(fd) == 0)
		rc = 0;
	return close(fd) == 0 ? rc : -1;
}

int eqt_boost_audit(const struct eqt_leases *leases,
		    const struct eqt_lease *lease, const char *event,
		    struct eqt_error *err)
{
	json_object *object = eqt_lease_json(lease);
	char path[PATH_MAX], actor[EQT_BOOST_TEXT];
	int rc = 0;

	(void) snprintf(path, sizeof(path), "%s/audit.log", leases->folder);
	json_object_object_del(object, "state");
	eqt_json_add(object, "event", json_object_new_string(event));
	eqt_json_add(object, "at_s",
		     json_object_new_int64((int64_t) time(NULL)));
	eqt_json_add(object, "actor",
		     json_object_new_string(eqt_boost_actor(actor)));
	errno = 0;
	if (audit_write_line(path, json_object_to_json_string_ext(
					   object, JSON_C_TO_STRING_PLAIN)) < 0)
		rc = eqt_error_set(err, "%s: %s", path,
				   errno ? strerror(errno)
					 : "cannot write a whole line");
	json_object_put(object);
	return rc;
}

/* ---- The steps ------------------------------------------------------------ */

static int lease_write_state(const struct eqt_leases *leases,
			     struct eqt_lease *lease,
			     enum eqt_boost_state state, struct eqt_error *err)
{
	lease->state = state;
	return eqt_lease_write(leases, lease, err);
}

/* If the shares did not change, the lease is not needed. */
static int lease_give_up(const struct eqt_leases *leases,
			 const struct eqt_lease *lease)
{
	char now[EQT_BOOST_SHARES];

	if (eqt_boost_shares_now(now, lease, NULL) != 1 ||
	    strcmp(now, lease->before) != 0)
		return -1;
	(void) eqt_boost_audit(leases, lease, "failed", NULL);
	return eqt_lease_remove(leases, lease, NULL);
}

int eqt_boost_grant(const struct eqt_leases *leases, struct eqt_lease *lease,
		    struct eqt_error *err)
{
	struct eqt_error why;

	if (lease_write_state(leases, lease, EQT_BOOST_GRANTING, err) < 0)
		return -1;
	if (eqt_boost_audit(leases, lease, "granting", err) < 0) {
		(void) eqt_lease_remove(leases, lease, NULL);
		return -1;
	}
	if (eqt_boost_shares_raise(lease, &why) < 0) {
		if (lease_give_up(leases, lease) == 0)
			return eqt_error_set(err, "%s", why.text);
		return eqt_error_set(
			err,
			"%.300s; the lease is unfinished: --expire or --cancel "
			"continues it",
			why.text);
	}
	if (lease_write_state(leases, lease, EQT_BOOST_GRANTED, err) < 0)
		return -1;
	return eqt_boost_audit(leases, lease, "granted", err);
}

int eqt_boost_resume(const struct eqt_leases *leases, struct eqt_lease *lease,
		     struct eqt_error *err)
{
	char now[EQT_BOOST_SHARES], name[2 * EQT_BOOST_NAME];
	int rc = eqt_boost_shares_now(now, lease, err);

	if (rc < 0)
		return -1;
	(void) eqt_lease_name(lease, name);
	if (rc == 0)
		return eqt_error_set(err, "%s does not exist any more", name);
	/* The command died before it changed the shares. */
	if (strcmp(now, lease->before) == 0)
		return eqt_boost_grant(leases, lease, err);
	if (strcmp(now, lease->boosted) != 0)
		return eqt_error_set(err,
				     "%s: somebody else has set its shares to "
				     "%s; --cancel ends "
				     "the lease",
				     name, now);
	if (lease_write_state(leases, lease, EQT_BOOST_GRANTED, err) < 0)
		return -1;
	return eqt_boost_audit(leases, lease, "granted", err);
}

/* The lease is removed last: until then the command can be repeated. */
static int lease_finish(const struct eqt_leases *leases,
			const struct eqt_lease *lease, const char *event,
			struct eqt_error *err)
{
	if (eqt_boost_audit(leases, lease, event, err) < 0)
		return -1;
	return eqt_lease_remove(leases, lease, err);
}

int eqt_boost_end(const struct eqt_leases *leases, struct eqt_lease *lease,
		  const char *why, struct eqt_error *err)
{
	char now[EQT_BOOST_SHARES] = "", name[2 * EQT_BOOST_NAME];
	char event[EQT_BOOST_TEXT];
	int there = eqt_boost_shares_now(now, lease, err);

	if (there < 0)
		return -1;
	(void) eqt_lease_name(lease, name);
	if (there == 1 && strcmp(now, lease->boosted) == 0) {
		if (lease_write_state(leases, lease, EQT_BOOST_ENDING, err) <
			    0 ||
		    eqt_boost_shares_restore(lease, err) < 0)
			return -1;
		return lease_finish(leases, lease, why, err);
	}
	/* A run that died has restored them, or has never raised them. */
	if (there == 1 && strcmp(now, lease->before) == 0)
		return lease_finish(leases, lease, why, err);
	/* Shares that somebody else has set are kept, and the lease ends. */
	(void) snprintf(event, sizeof(event), "%s, %s%s", why,
			there ? "left at " : "gone", now);
	if (lease_finish(leases, lease, event, err) < 0)
		return -1;
	if (there)
		(void) eqt_error_set(
			err,
			"%s: somebody else has set its shares to %s, which are "
			"kept; before the boost they were %s",
			name, now, lease->before);
	else
		(void) eqt_error_set(err, "%s does not exist any more", name);
	return 1;
}
