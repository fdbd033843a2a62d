/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree boost: more shares until a date, and back. */
#include <argp.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "boost_show.h"
#include "boost_steps.h"
#include "cmd.h"
#include "eqt_amount.h"
#include "output.h"
#include "stock_config.h"
#include "usage_period.h"

#define FOLDER "/var/lib/equitree"
#define SHARES_MAX 1000000000UL

enum {
	KEY_SHARES = 256,
	KEY_UNTIL,
	KEY_FOR,
	KEY_REASON,
	KEY_CANCEL,
	KEY_EXPIRE,
	KEY_LIST,
	KEY_AUDIT,
	KEY_FOLDER,
	KEY_CLUSTER
};

struct boost_options {
	const char *name;
	const char *shares;
	const char *reason;
	const char *folder;
	const char *cluster;
	int64_t until_s;
	int verb; /* KEY_CANCEL, ..; 0: grant */
	struct eqt_common common;
};

static const struct argp_option options_table[] = {
	{ "shares", KEY_SHARES, "N", 0, "the shares until then", 0 },
	{ "until", KEY_UNTIL, "TIME", 0,
	  "when they are put back: 2026-12-01 or 2026-12-01T12:00:00; of a "
	  "boost that is granted already without --shares: its new end",
	  0 },
	{ "for", KEY_FOR, "TIME", 0,
	  "the same as a length of time: 7-0 is seven days", 0 },
	{ "reason", KEY_REASON, "TEXT", 0, "why, for the list and the audit",
	  0 },
	{ "cancel", KEY_CANCEL, NULL, 0, "put the shares back now", 1 },
	{ "expire", KEY_EXPIRE, NULL, 0,
	  "put back all that is overdue and finish what a killed command "
	  "began: for a timer",
	  1 },
	{ "list", KEY_LIST, NULL, 0, "show the boosts there are", 1 },
	{ "audit", KEY_AUDIT, NULL, 0, "show all that was ever done", 1 },
	{ "leases", KEY_FOLDER, "FOLDER", 0,
	  "where leases are, instead of " FOLDER, 2 },
	{ "cluster", KEY_CLUSTER, "NAME", 0,
	  "the cluster, instead of the one that scontrol names", 2 },
	{ 0 }
};

/* ---- Options -------------------------------------------------------------- */

static void take_verb(struct boost_options *options, int key,
		      struct argp_state *state)
{
	if (options->verb && options->verb != key)
		argp_error(state, "one of --cancel, --expire, --list and "
				  "--audit at a time");
	options->verb = key;
}

static void take_length(struct boost_options *options, const char *arg,
			struct argp_state *state)
{
	uint64_t minutes;

	if (eqt_minutes_parse(&minutes, arg) < 0 || minutes == 0 ||
	    minutes > UINT64_C(60) * 24 * 366 * 10)
		argp_error(state, "--for: \"%s\" is no time such as 7-0", arg);
	options->until_s = (int64_t) time(NULL) + (int64_t) minutes * 60;
}

static void take_shares(struct boost_options *options, const char *arg,
			struct argp_state *state)
{
	size_t length = strlen(arg);

	if (length == 0 || length > 10 || strspn(arg, "0123456789") != length ||
	    arg[0] == '0' || strtoul(arg, NULL, 10) > SHARES_MAX)
		argp_error(state, "--shares: \"%s\" is no number of shares",
			   arg);
	options->shares = arg;
}

static void check_options(const struct boost_options *options,
			  struct argp_state *state)
{
	bool named = !options->verb || options->verb == KEY_CANCEL;

	if (named != (options->name != NULL))
		argp_error(state, named ? "whom? an account or ACCOUNT/USER "
					  "is needed"
					: "this is for all, without a name");
	if (options->verb &&
	    (options->shares || options->until_s || options->reason))
		argp_error(state, "--shares, --until, --for and --reason are "
				  "for a boost");
	if (!options->verb && !options->until_s)
		argp_error(state, "until when? --until or --for is needed");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct boost_options *options = state->input;
	struct eqt_error err;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->common;
		break;
	case KEY_SHARES:
		take_shares(options, arg, state);
		break;
	case KEY_UNTIL:
		if (eqt_moment_parse(&options->until_s, arg, &err) < 0)
			argp_error(state, "--until: %s", err.text);
		break;
	case KEY_FOR:
		take_length(options, arg, state);
		break;
	case KEY_REASON:
		options->reason = arg;
		break;
	case KEY_FOLDER:
		options->folder = arg;
		break;
	case KEY_CLUSTER:
		options->cluster = arg;
		break;
	case KEY_CANCEL:
	case KEY_EXPIRE:
	case KEY_LIST:
	case KEY_AUDIT:
		take_verb(options, key, state);
		break;
	case ARGP_KEY_ARG:
		if (options->name)
			argp_error(state, "unexpected argument \"%s\"", arg);
		options->name = arg;
		break;
	case ARGP_KEY_END:
		check_options(options, state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* ---- Who ------------------------------------------------------------------ */

/* What sacctmgr would take for more than one name, or for something else. */
static int check_name(const char *name, size_t length, struct eqt_error *err)
{
	size_t i;

	for (i = 0; i < length; i++) {
		if (iscntrl((unsigned char) name[i]) ||
		    strchr(" ,='\"%*|+", name[i]))
			break;
	}
	if (length == 0 || length >= EQT_BOOST_NAME || i < length)
		return eqt_error_set(err, "\"%.*s\" is no name",
				     (int) (length < 64 ? length : 64), name);
	return 0;
}

/* Fill the names of a lease: of the cluster, "account" or "account/user". */
static int take_names(struct eqt_lease *lease,
		      const struct boost_options *options,
		      struct eqt_error *err)
{
	size_t account = strcspn(options->name, "/");
	const char *user = options->name + account;

	user += *user == '/';
	if (check_name(options->name, account, err) < 0 ||
	    (options->name[account] && check_name(user, strlen(user), err) < 0))
		return -1;
	(void) snprintf(lease->account, sizeof(lease->account), "%.*s",
			(int) account, options->name);
	(void) snprintf(lease->user, sizeof(lease->user), "%s", user);
	if (!options->cluster)
		return eqt_cluster_name_read(lease->cluster,
					     sizeof(lease->cluster), err);
	if (check_name(options->cluster, strlen(options->cluster), err) < 0)
		return -1;
	(void) snprintf(lease->cluster, sizeof(lease->cluster), "%s",
			options->cluster);
	return 0;
}

/* ---- What is done --------------------------------------------------------- */

static void tell(const struct eqt_lease *lease, const char *what,
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

static int extend(const struct eqt_leases *leases, struct eqt_lease *lease,
		  const struct boost_options *options, struct eqt_error *err)
{
	if (options->shares || lease->state != EQT_BOOST_GRANTED)
		return eqt_error_set(err,
				     "%s is boosted already%s; --cancel ends "
				     "it, --until alone moves its end",
				     options->name,
				     lease->state == EQT_BOOST_GRANTED
					     ? ""
					     : " (unfinished)");
	lease->until_s = options->until_s;
	if (eqt_lease_write(leases, lease, err) < 0 ||
	    eqt_boost_audit(leases, lease, "moved", err) < 0)
		return -1;
	tell(lease, "until", options);
	return 0;
}

/* The shares before, which must be fewer. */
static int take_before(struct eqt_lease *lease,
		       const struct boost_options *options,
		       struct eqt_error *err)
{
	int there = eqt_boost_shares_now(lease->before, lease, err);

	if (there < 0)
		return -1;
	if (there == 0)
		return eqt_error_set(err,
				     "cluster %.64s has no such account or "
				     "user in an account: %.128s",
				     lease->cluster, options->name);
	if (strcmp(lease->before, "parent") != 0 &&
	    strtoul(lease->before, NULL, 10) >=
		    strtoul(options->shares, NULL, 10))
		return eqt_error_set(err, "%s has %s shares already",
				     options->name, lease->before);
	(void) snprintf(lease->boosted, sizeof(lease->boosted), "%s",
			options->shares);
	return 0;
}

static int grant(const struct eqt_leases *leases, struct eqt_lease *lease,
		 const struct boost_options *options, struct eqt_error *err)
{
	struct eqt_lease *other = eqt_leases_find(leases, lease);

	lease->granted_s = (int64_t) time(NULL);
	lease->until_s = options->until_s;
	if (lease->until_s <= lease->granted_s)
		return eqt_error_set(err, "that moment is over");
	if (other)
		return extend(leases, other, options, err);
	if (!options->shares)
		return eqt_error_set(err, "how many? --shares is needed");
	if (options->reason && strlen(options->reason) >= EQT_BOOST_TEXT)
		return eqt_error_set(err, "--reason: longer than %d letters",
				     EQT_BOOST_TEXT - 1);
	(void) snprintf(lease->reason, sizeof(lease->reason), "%s",
			options->reason ? options->reason : "");
	(void) eqt_boost_actor(lease->by);
	if (take_before(lease, options, err) < 0 ||
	    eqt_boost_grant(leases, lease, err) < 0)
		return -1;
	tell(lease, "until", options);
	return 0;
}

static int cancel(const struct eqt_leases *leases, struct eqt_lease *lease,
		  const struct boost_options *options, struct eqt_error *err)
{
	struct eqt_lease *found = eqt_leases_find(leases, lease);
	int rc;

	if (!found)
		return eqt_error_set(err, "%s: %s is not boosted",
				     leases->folder, options->name);
	*lease = *found;
	rc = eqt_boost_end(leases, lease, "cancelled", err);
	if (rc == 0)
		tell(lease, "again", options);
	return rc == 0 ? 0 : -1;
}

/* One lease's turn; whatever is wrong with it, the others have theirs. */
static int expire_one(const struct eqt_leases *leases, struct eqt_lease *lease,
		      const struct boost_options *options, int64_t now_s)
{
	struct eqt_error err;
	int rc = 0;

	if (lease->until_s <= now_s || lease->state == EQT_BOOST_ENDING) {
		rc = eqt_boost_end(leases, lease, "ended", &err);
		if (rc == 0 && !options->common.json)
			tell(lease, "again", options);
	} else if (lease->state == EQT_BOOST_GRANTING) {
		rc = eqt_boost_resume(leases, lease, &err);
		if (rc == 0 && !options->common.json)
			tell(lease, "until", options);
	}
	if (rc != 0)
		(void) eqt_failed("boost", &err);
	return rc;
}

static int expire(const struct eqt_leases *leases,
		  const struct boost_options *options)
{
	int64_t now_s = (int64_t) time(NULL);
	int rc = leases->unreadable > 0 ? -1 : 0;
	size_t i;

	for (i = 0; i < leases->count; i++) {
		if (expire_one(leases, &leases->lease[i], options, now_s) != 0)
			rc = -1;
	}
	return rc;
}

static int boost(const struct boost_options *options, struct eqt_error *err)
{
	struct eqt_lease lease = { .cluster = "" };
	bool changes = options->verb != KEY_LIST;
	struct eqt_leases leases;
	int rc = 0;

	if (options->verb == KEY_AUDIT)
		return eqt_boost_show_audit(options->folder, &options->common,
					    err);
	if (options->name && take_names(&lease, options, err) < 0)
		return -1;
	if (eqt_leases_open(&leases, options->folder, changes, err) < 0)
		return -1;
	if (options->verb == KEY_LIST) {
		(void) eqt_boost_list(&leases, &options->common,
				      (int64_t) time(NULL));
		if (leases.unreadable > 0)
			rc = eqt_error_set(err,
					   "%s: not all leases can be "
					   "read",
					   options->folder);
	} else if (options->verb == KEY_EXPIRE) {
		rc = expire(&leases, options);
		if (rc < 0)
			(void) eqt_error_set(err, "not all is as it should be");
	} else {
		rc = options->verb ? cancel(&leases, &lease, options, err)
				   : grant(&leases, &lease, options, err);
	}
	eqt_leases_close(&leases);
	return rc;
}

int cmd_boost(int argc, char **argv)
{
	static const struct argp argp = {
		options_table,
		parse,
		"ACCOUNT[/USER] --shares=N --until=TIME\n"
		"ACCOUNT[/USER] --cancel\n"
		"--expire\n"
		"--list\n"
		"--audit",
		"Raise an account's or a user's shares until a date, and put "
		"them back.\v"
		"A lease is on the disk before the shares are touched: "
		"whatever "
		"dies when, --expire, run by a timer, finishes it.",
		eqt_common_children,
		NULL,
		NULL
	};
	struct boost_options options = { .folder = FOLDER };
	struct eqt_error err;

	if (argp_parse(&argp, argc, argv, 0, NULL, &options) != 0)
		return EXIT_MISUSE;
	if (boost(&options, &err) == 0)
		return EXIT_SUCCESS;
	return eqt_failed("boost", &err);
}
