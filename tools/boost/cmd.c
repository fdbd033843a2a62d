/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree boost: raise shares until a date, and restore them afterwards. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "boost/boost.h"
#include "cli/cmd.h"
#include "base/amount.h"
#include "slurm/conf/cluster.h"
#include "slurm/text/timestamp.h"
#include "cli/json.h"
#include "cli/print.h"

#define FOLDER "/var/lib/equitree"
#define SHARES_MAX 1000000000UL

enum verb { GRANT, CANCEL, EXPIRE, LIST, AUDIT };

struct boost_options {
	const char *shares;
	/* ACCOUNT or ACCOUNT/USER; a user may be in several accounts */
	const char *name;
	const char *reason;
	const char *folder;
	int64_t until_s;
	bool cancel, expire, list, audit; /* if all are false: grant */
	enum verb verb; /* the action, set after all options were read */
	struct eqt_output_options common;
};

/* ---- Options -------------------------------------------------------------- */

/* Read --for, which has the form of a time limit: "7-0" is seven days. The duration is at
 * least a minute and at most ten years. */
static int boost_take_duration(void *into, const char *arg,
			       struct eqt_error *err)
{
	struct boost_options *options = into;
	uint64_t minutes;

	if (eqt_amount_minutes(&minutes, arg) < 0 || minutes == 0 ||
	    minutes > UINT64_C(60) * 24 * 366 * 10)
		return eqt_error_set(
			err, "\"%.64s\": expected a time such as 7-0", arg);
	options->until_s = (int64_t) time(NULL) + (int64_t) minutes * 60;
	return 0;
}

/* Accept only a plain decimal number, because it goes to sacctmgr unchanged. */
static int boost_take_shares(void *into, const char *arg, struct eqt_error *err)
{
	struct boost_options *options = into;
	size_t length = strlen(arg);

	if (length == 0 || length > 10 || strspn(arg, "0123456789") != length ||
	    arg[0] == '0' || strtoul(arg, NULL, 10) > SHARES_MAX)
		return eqt_error_set(
			err, "\"%.64s\": expected a number of shares", arg);
	options->shares = arg;
	return 0;
}

/* Check that there is exactly one action. Without an option for an action, it is a
 * grant. */
static int boost_check_options(void *into, struct eqt_error *err)
{
	struct boost_options *options = into;
	bool named;

	if (options->cancel + options->expire + options->list + options->audit >
	    1)
		return eqt_error_set(
			err,
			"only one of --cancel, --expire, --list and --audit");
	options->verb = options->cancel	  ? CANCEL
			: options->expire ? EXPIRE
			: options->list	  ? LIST
			: options->audit  ? AUDIT
					  : GRANT;
	named = options->verb == GRANT || options->verb == CANCEL;
	if (named != (options->name != NULL))
		return eqt_error_set(
			err,
			named ? "expected an account or ACCOUNT/USER"
			      : "--expire, --list and --audit take no name");
	if (options->verb != GRANT &&
	    (options->shares || options->until_s || options->reason))
		return eqt_error_set(err, "--shares, --until, --for and "
					  "--reason are only for a boost");
	if (options->verb == GRANT && !options->until_s)
		return eqt_error_set(err, "expected --until or --for");
	return 0;
}

static const struct eqt_option options_table[] = {
	{ "shares", 0, "N", "the shares until that time", 0,
	  EQT_TAKEN_BY(boost_take_shares) },
	{ "until", 0, "TIME",
	  "when they are restored: 2026-12-01 or 2026-12-01T12:00:00; without "
	  "--shares, the new end of a granted boost",
	  0, EQT_TIME_AT(struct boost_options, until_s) },
	{ "for", 0, "TIME", "the same as a duration: 7-0 is seven days", 0,
	  EQT_TAKEN_BY(boost_take_duration) },
	{ "reason", 0, "TEXT", "reason, for the list and the audit", 0,
	  EQT_TEXT_AT(struct boost_options, reason) },
	{ "cancel", 0, NULL, "restore the shares now", 1,
	  EQT_FLAG_AT(struct boost_options, cancel) },
	{ "expire", 0, NULL,
	  "restore all overdue shares, and finish what a killed command began: "
	  "for a timer",
	  1, EQT_FLAG_AT(struct boost_options, expire) },
	{ "list", 0, NULL, "list the boosts", 1,
	  EQT_FLAG_AT(struct boost_options, list) },
	{ "audit", 0, NULL, "list all changes ever made", 1,
	  EQT_FLAG_AT(struct boost_options, audit) },
	{ "leases", 0, "FOLDER", "the folder of leases, instead of " FOLDER, 2,
	  EQT_TEXT_AT(struct boost_options, folder) },
	{ 0 }
};

/* ---- Names ---------------------------------------------------------------- */

/* Refuse characters that sacctmgr would read as a list or as another option. */
static int boost_check_name(const char *name, size_t length,
			    struct eqt_error *err)
{
	size_t i;

	for (i = 0; i < length; i++) {
		if (iscntrl((unsigned char) name[i]) ||
		    strchr(" ,='\"%*|+", name[i]))
			break;
	}
	if (length == 0 || length >= EQT_BOOST_NAME || i < length)
		return eqt_error_set(err, "\"%.*s\": expected a name",
				     (int) (length < 64 ? length : 64), name);
	return 0;
}

/* Fill the names of a lease: the cluster that is asked, and "account" or
 * "account/user". */
static int lease_take_names(struct eqt_lease *lease,
			    const struct boost_options *options,
			    struct eqt_error *err)
{
	size_t account = strcspn(options->name, "/");
	const char *user = options->name + account;

	user += *user == '/';
	if (boost_check_name(options->name, account, err) < 0 ||
	    (options->name[account] &&
	     boost_check_name(user, strlen(user), err) < 0))
		return -1;
	(void) snprintf(lease->account, sizeof(lease->account), "%.*s",
			(int) account, options->name);
	(void) snprintf(lease->user, sizeof(lease->user), "%s", user);
	return eqt_cluster_name(lease->cluster, sizeof(lease->cluster), err);
}

/* ---- Actions -------------------------------------------------------------- */

/* Print the shares. "what" is "until" after a grant and "again" after its end. As JSON,
 * print the lease itself. */
static void lease_print(const struct eqt_lease *lease, const char *what,
			const struct boost_options *options)
{
	char name[2 * EQT_BOOST_NAME], until[EQT_BOOST_TEXT];

	if (options->common.json) {
		eqt_json_print(eqt_lease_json(lease));
		return;
	}
	printf("%s has %s shares %s", eqt_lease_name(lease, name),
	       *what == 'u' ? lease->boosted : lease->before, what);
	if (*what == 'u')
		printf(" %s; before they were %s",
		       eqt_boost_time(lease->until_s, until), lease->before);
	puts("");
}

/* Extend or shorten a boost that is in force. */
static int lease_extend(const struct eqt_leases *leases,
			struct eqt_lease *lease,
			const struct boost_options *options,
			struct eqt_error *err)
{
	if (options->shares || lease->state != EQT_BOOST_GRANTED)
		return eqt_error_set(err,
				     "%s is already boosted%s; --cancel ends "
				     "it, --until alone moves its end",
				     options->name,
				     lease->state == EQT_BOOST_GRANTED
					     ? ""
					     : " (unfinished)");
	lease->until_s = options->until_s;
	if (eqt_lease_write(leases, lease, err) < 0 ||
	    eqt_boost_audit(leases, lease, "moved", err) < 0)
		return -1;
	lease_print(lease, "until", options);
	return 0;
}

/* Read the shares before the boost, which must be fewer than those of the boost. "parent"
 * counts as fewer than any number. */
static int lease_read_before(struct eqt_lease *lease,
			     const struct boost_options *options,
			     struct eqt_error *err)
{
	int there = eqt_boost_shares_now(lease->before, lease, err);

	if (there < 0)
		return -1;
	if (there == 0)
		return eqt_error_set(err,
				     "cluster %.64s has no such account, or no "
				     "such user in an account: %.128s",
				     lease->cluster, options->name);
	if (strcmp(lease->before, "parent") != 0 &&
	    strtoul(lease->before, NULL, 10) >=
		    strtoul(options->shares, NULL, 10))
		return eqt_error_set(err, "%s already has %s shares",
				     options->name, lease->before);
	(void) snprintf(lease->boosted, sizeof(lease->boosted), "%s",
			options->shares);
	return 0;
}

/* If the association already has a lease, a grant without --shares moves the end of the
 * boost. */
static int lease_grant(const struct eqt_leases *leases, struct eqt_lease *lease,
		       const struct boost_options *options,
		       struct eqt_error *err)
{
	struct eqt_lease *other = eqt_lease_list_find(leases, lease);

	lease->granted_s = (int64_t) time(NULL);
	lease->until_s = options->until_s;
	if (lease->until_s <= lease->granted_s)
		return eqt_error_set(err, "this time is in the past");
	if (other)
		return lease_extend(leases, other, options, err);
	if (!options->shares)
		return eqt_error_set(err, "expected --shares");
	if (options->reason && strlen(options->reason) >= EQT_BOOST_TEXT)
		return eqt_error_set(err, "--reason: more than %d characters",
				     EQT_BOOST_TEXT - 1);
	(void) snprintf(lease->reason, sizeof(lease->reason), "%s",
			options->reason ? options->reason : "");
	(void) eqt_boost_actor(lease->by);
	if (lease_read_before(lease, options, err) < 0)
		return -1;
	eqt_boost_comment_keep(lease);
	if (eqt_boost_grant(leases, lease, err) < 0)
		return -1;
	lease_print(lease, "until", options);
	return 0;
}

/* End a boost now and restore the previous shares. */
static int lease_cancel(const struct eqt_leases *leases,
			struct eqt_lease *lease,
			const struct boost_options *options,
			struct eqt_error *err)
{
	struct eqt_lease *found = eqt_lease_list_find(leases, lease);
	int rc;

	if (!found)
		return eqt_error_set(err, "%s: %s is not boosted",
				     leases->folder, options->name);
	*lease = *found;
	rc = eqt_boost_end(leases, lease, "cancelled", err);
	if (rc == 0)
		lease_print(lease, "again", options);
	return rc == 0 ? 0 : -1;
}

/* Expire one lease. An error in one lease does not stop the others. A lease in the state
 * GRANTING or ENDING was interrupted, so its last step is repeated. */
static int lease_expire(const struct eqt_leases *leases,
			struct eqt_lease *lease,
			const struct boost_options *options, int64_t now_s)
{
	struct eqt_error err;
	int rc = 0;

	if (lease->until_s <= now_s || lease->state == EQT_BOOST_ENDING) {
		rc = eqt_boost_end(leases, lease, "ended", &err);
		if (rc == 0 && !options->common.json)
			lease_print(lease, "again", options);
	} else if (lease->state == EQT_BOOST_GRANTING) {
		rc = eqt_boost_resume(leases, lease, &err);
		if (rc == 0 && !options->common.json)
			lease_print(lease, "until", options);
	}
	if (rc != 0)
		(void) eqt_print_failure("boost", &err);
	return rc;
}

/*
 * End all boosts whose time is over. Returns -1 if one could not be ended. Its lease
 * stays, and the next run tries again.
 */
static int leases_expire(const struct eqt_leases *leases,
			 const struct boost_options *options)
{
	int64_t now_s = (int64_t) time(NULL);
	int rc = leases->unreadable > 0 ? -1 : 0;

	for (size_t i = 0; i < leases->count; i++) {
		if (lease_expire(leases, &leases->lease[i], options, now_s) !=
		    0)
			rc = -1;
	}
	return rc;
}

/* Carry out the command line. The leases are locked only if they may change. */
static int boost_run(const struct boost_options *options, struct eqt_error *err)
{
	struct eqt_lease lease = { .cluster = "" };
	bool changes = options->verb != LIST;
	struct eqt_leases leases;
	int rc = 0;

	if (options->verb == AUDIT)
		return eqt_boost_show_audit(options->folder, &options->common,
					    err);
	if (options->name && lease_take_names(&lease, options, err) < 0)
		return -1;
	if (eqt_lease_list_open(&leases, options->folder, changes, err) < 0)
		return -1;
	if (options->verb == LIST) {
		eqt_boost_list(&leases, &options->common, (int64_t) time(NULL));
		if (leases.unreadable > 0)
			rc = eqt_error_set(err,
					   "%s: some leases cannot be read",
					   options->folder);
	} else if (options->verb == EXPIRE) {
		rc = leases_expire(&leases, options);
		if (rc < 0)
			(void) eqt_error_set(
				err, "some leases could not be processed");
	} else {
		rc = options->verb == CANCEL
			     ? lease_cancel(&leases, &lease, options, err)
			     : lease_grant(&leases, &lease, options, err);
	}
	eqt_lease_list_close(&leases);
	return rc;
}

int cmd_boost(int argc, char **argv)
{
	static const struct eqt_options_spec line = {
		.table = options_table,
		.common_at = offsetof(struct boost_options, common),
		.csv = true,
		.words = "ACCOUNT[/USER] --shares=N --until=TIME\n"
			 "ACCOUNT[/USER] --cancel\n"
			 "--expire\n"
			 "--list\n"
			 "--audit",
		.doc = "Raise an account's or a user's shares until a date, "
		       "and restore them.\vA lease is on the disk before the "
		       "shares change: --expire, run by a timer, finishes "
		       "whatever a killed command or a crash has left.",
		.word_at = offsetof(struct boost_options, name),
		.check = boost_check_options,
	};
	struct boost_options options = { .folder = FOLDER };
	struct eqt_error err;

	eqt_options_parse(&line, argc, argv, &options);
	return eqt_print_status("boost", boost_run(&options, &err), &err);
}
