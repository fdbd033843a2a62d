/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "boost_steps.h"
#include "output.h"
#include "stock_run.h"
#include "stock_table.h"

#define WORD (EQT_BOOST_NAME + 16)

/* ---- The audit ------------------------------------------------------------ */

const char *eqt_boost_actor(char buf[EQT_BOOST_TEXT])
{
	const char *sudo = getenv("SUDO_USER");
	const struct passwd *entry = getpwuid(getuid());
	const char *name = entry ? entry->pw_name : "?";

	if (getuid() == 0 && sudo && sudo[0] != '\0')
		name = sudo;
	(void) snprintf(buf, EQT_BOOST_TEXT, "%s", name);
	return buf;
}

/* Whoever was killed within a line has left it without an end. */
static int write_line(const char *path, const char *line)
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
	if (write_line(path, json_object_to_json_string_ext(
				     object, JSON_C_TO_STRING_PLAIN)) < 0)
		rc = eqt_error_set(err, "%s: %s", path,
				   errno ? strerror(errno)
					 : "a line cannot be written whole");
	json_object_put(object);
	return rc;
}

/* ---- The accounting database ---------------------------------------------- */

/* The shares in the one row that is the association's own. */
static int find_shares(char out[EQT_BOOST_SHARES],
		       const struct eqt_stock_table *table,
		       const struct eqt_lease *lease, struct eqt_error *err)
{
	size_t account = eqt_stock_table_column(table, "Account", err);
	size_t user = eqt_stock_table_column(table, "User", err);
	size_t share = eqt_stock_table_column(table, "Share", err);
	size_t row;
	int found = 0;

	if (account == EQT_STOCK_NO_COLUMN || user == EQT_STOCK_NO_COLUMN ||
	    share == EQT_STOCK_NO_COLUMN)
		return -1;
	for (row = 0; row < table->rows; row++) {
		const char *value = eqt_stock_table_cell(table, row, share);

		if (strcmp(eqt_stock_table_cell(table, row, account),
			   lease->account) != 0 ||
		    strcmp(eqt_stock_table_cell(table, row, user),
			   lease->user) != 0)
			continue;
		if (found++ || strlen(value) >= EQT_BOOST_SHARES)
			return eqt_error_set(err,
					     "%s/%s has an association for "
					     "each of several partitions",
					     lease->account, lease->user);
		(void) snprintf(out, EQT_BOOST_SHARES, "%s", value);
	}
	return found;
}

int eqt_boost_shares_now(char out[EQT_BOOST_SHARES],
			 const struct eqt_lease *lease, struct eqt_error *err)
{
	char cluster[WORD], account[WORD], user[WORD];
	const char *words[] = { "sacctmgr",
				"-P",
				"show",
				"assoc",
				"format=Account,User,Partition,Fairshare",
				"where",
				cluster,
				account,
				lease->user[0] ? user : NULL,
				NULL };
	struct eqt_stock_text text;
	struct eqt_stock_table table;
	int rc;

	(void) snprintf(cluster, WORD, "cluster=%s", lease->cluster);
	(void) snprintf(account, WORD, "account=%s", lease->account);
	(void) snprintf(user, WORD, "user=%s", lease->user);
	if (eqt_stock_run(&text, "sacctmgr show assoc", words, err) < 0 ||
	    eqt_stock_table_cut_any(&table, &text, err) < 0)
		return -1;
	rc = find_shares(out, &table, lease, err);
	eqt_stock_table_free(&table);
	return rc;
}

static int set_shares(const struct eqt_lease *lease, const char *shares,
		      struct eqt_error *err)
{
	char cluster[WORD], account[WORD], name[WORD], set[WORD];
	const char *words[] = { "sacctmgr",
				"-iQ",
				"modify",
				lease->user[0] ? "user" : "account",
				"where",
				name,
				cluster,
				lease->user[0] ? account : "set",
				lease->user[0] ? "set" : set,
				lease->user[0] ? set : NULL,
				NULL };
	struct eqt_stock_text text;

	(void) snprintf(cluster, WORD, "cluster=%s", lease->cluster);
	(void) snprintf(account, WORD, "account=%s", lease->account);
	(void) snprintf(name, WORD, "name=%s",
			lease->user[0] ? lease->user : lease->account);
	(void) snprintf(set, WORD, "fairshare=%s", shares);
	if (eqt_stock_run(&text, "sacctmgr modify", words, err) < 0)
		return -1;
	eqt_stock_text_free(&text);
	return 0;
}

/* Set the shares and see that they are. */
static int change_to(const struct eqt_lease *lease, const char *shares,
		     struct eqt_error *err)
{
	char now[EQT_BOOST_SHARES] = "", name[2 * EQT_BOOST_NAME];

	if (set_shares(lease, shares, err) < 0 ||
	    eqt_boost_shares_now(now, lease, err) < 0)
		return -1;
	if (strcmp(now, shares) == 0)
		return 0;
	return eqt_error_set(err,
			     "%s has %s shares, though sacctmgr made "
			     "them %s",
			     eqt_lease_name(lease, name), now, shares);
}

/* ---- The steps ------------------------------------------------------------ */

static int go_on(const struct eqt_leases *leases, struct eqt_lease *lease,
		 enum eqt_boost_state state, struct eqt_error *err)
{
	lease->state = state;
	return eqt_lease_write(leases, lease, err);
}

/* The shares stay what they were: no lease is needed. */
static int give_up(const struct eqt_leases *leases,
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

	if (go_on(leases, lease, EQT_BOOST_GRANTING, err) < 0)
		return -1;
	if (eqt_boost_audit(leases, lease, "granting", err) < 0) {
		(void) eqt_lease_remove(leases, lease, NULL);
		return -1;
	}
	if (change_to(lease, lease->boosted, &why) < 0) {
		if (give_up(leases, lease) == 0)
			return eqt_error_set(err, "%s", why.text);
		return eqt_error_set(err,
				     "%.300s; the lease is unfinished: "
				     "--expire or --cancel takes it up",
				     why.text);
	}
	if (go_on(leases, lease, EQT_BOOST_GRANTED, err) < 0)
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
		return eqt_error_set(err, "%s is no more", name);
	if (strcmp(now, lease->before) == 0)
		return eqt_boost_grant(leases, lease, err);
	if (strcmp(now, lease->boosted) != 0)
		return eqt_error_set(err,
				     "%s: somebody else has made its shares "
				     "%s; --cancel ends the lease",
				     name, now);
	if (go_on(leases, lease, EQT_BOOST_GRANTED, err) < 0)
		return -1;
	return eqt_boost_audit(leases, lease, "granted", err);
}

/* The lease goes last: until then the command can be run again. */
static int finish(const struct eqt_leases *leases,
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
		if (go_on(leases, lease, EQT_BOOST_ENDING, err) < 0 ||
		    change_to(lease, lease->before, err) < 0)
			return -1;
		return finish(leases, lease, why, err);
	}
	if (there == 1 && strcmp(now, lease->before) == 0)
		return finish(leases, lease, why, err);
	(void) snprintf(event, sizeof(event), "%s, %s%s", why,
			there ? "left at " : "gone", now);
	if (finish(leases, lease, event, err) < 0)
		return -1;
	if (there)
		(void) eqt_error_set(err,
				     "%s: somebody else has made its shares "
				     "%s, which they stay; before the boost "
				     "they were %s",
				     name, now, lease->before);
	else
		(void) eqt_error_set(err, "%s is no more", name);
	return 1;
}
