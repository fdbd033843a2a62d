/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file of a lease is written atomically and named after the association, so an
 * association cannot have two leases. Files that cannot be read are counted and never
 * removed, because they may hold shares that must be restored.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boost/lease.h"
#include "cli/alloc.h"
#include "cli/atomic_file.h"
#include "cli/json.h"

#define SUFFIX ".lease"
#define SUFFIX_LENGTH (sizeof(SUFFIX) - 1)
/* The length of the suffix that mkstemp() adds to the name of an unfinished file. */
#define UNFINISHED_LENGTH 7

static const char *const states[EQT_BOOST_STATES] = {
	[EQT_BOOST_GRANTING] = "granting",
	[EQT_BOOST_GRANTED] = "granted",
	[EQT_BOOST_ENDING] = "ending",
};

const char *eqt_lease_name(const struct eqt_lease *lease,
			   char buf[2 * EQT_BOOST_NAME])
{
	(void) snprintf(buf, (size_t) 2 * EQT_BOOST_NAME, "%s%s%s",
			lease->account, lease->user[0] ? "/" : "", lease->user);
	return buf;
}

/* ---- JSON ----------------------------------------------------------------- */

/* The file of a lease and the output of --json are the same object. */
json_object *eqt_lease_json(const struct eqt_lease *lease)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "cluster", lease->cluster);
	eqt_json_add(object, "account", lease->account);
	eqt_json_add(object, "user", lease->user[0] ? lease->user : NULL);
	eqt_json_add(object, "shares_before", lease->before);
	eqt_json_add(object, "shares", lease->boosted);
	eqt_json_add(object, "granted_s", lease->granted_s);
	eqt_json_add(object, "until_s", lease->until_s);
	eqt_json_add(object, "by", lease->by);
	eqt_json_add(object, "comment_before",
		     lease->noted ? lease->comment_before : NULL);
	eqt_json_add(object, "reason", lease->reason);
	eqt_json_add(object, "state", states[lease->state]);
	return object;
}

/* Copy a string member. null becomes "". Returns 0, or -1 if the member is missing, not a
 * text, or too long. */
static int lease_json_text(char *out, size_t size, json_object *object,
			   const char *key)
{
	json_object *value = NULL;
	const char *text;

	if (!json_object_object_get_ex(object, key, &value))
		return -1;
	text = value ? json_object_get_string(value) : "";
	if ((value && !json_object_is_type(value, json_type_string)) ||
	    strlen(text) >= size)
		return -1;
	(void) snprintf(out, size, "%s", text);
	return 0;
}

/* null, or no member, means that this release of Slurm has no comments of
 * associations. */
static int lease_json_comment(struct eqt_lease *out, json_object *object)
{
	json_object *value = NULL;

	(void) json_object_object_get_ex(object, "comment_before", &value);
	out->noted = value != NULL;
	return out->noted ? lease_json_text(out->comment_before,
					    sizeof(out->comment_before), object,
					    "comment_before")
			  : 0;
}

/* Read seconds since the epoch, which must be positive. */
static int lease_json_time(int64_t *out, json_object *object, const char *key)
{
	json_object *value = NULL;

	if (!json_object_object_get_ex(object, key, &value) ||
	    !json_object_is_type(value, json_type_int))
		return -1;
	*out = json_object_get_int64(value);
	return *out > 0 ? 0 : -1;
}

/* Read the name of a state. */
static int lease_json_state(enum eqt_boost_state *out, json_object *object)
{
	char text[EQT_BOOST_TEXT];
	int state;

	if (lease_json_text(text, sizeof(text), object, "state") < 0)
		return -1;
	for (state = 0; state < EQT_BOOST_STATES; state++) {
		if (strcmp(text, states[state]) == 0)
			break;
	}
	*out = (enum eqt_boost_state) state;
	return state < EQT_BOOST_STATES ? 0 : -1;
}

/* Does sacctmgr accept this text as shares, as a number or as "parent"? */
static bool is_shares(const char *text)
{
	size_t length = strlen(text);

	return strcmp(text, "parent") == 0 ||
	       (length > 0 && strspn(text, "0123456789") == length);
}

/* Fill a lease from its file. Returns 0, or -1 if a member is missing or wrong, because
 * an incomplete lease could restore wrong shares. */
static int lease_from_json(struct eqt_lease *out, json_object *object)
{
	const struct {
		char *into;
		size_t size;
		const char *key;
	} texts[] = {
		{ out->cluster, sizeof(out->cluster), "cluster" },
		{ out->account, sizeof(out->account), "account" },
		{ out->user, sizeof(out->user), "user" },
		{ out->before, sizeof(out->before), "shares_before" },
		{ out->boosted, sizeof(out->boosted), "shares" },
		{ out->by, sizeof(out->by), "by" },
		{ out->reason, sizeof(out->reason), "reason" },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (lease_json_text(texts[i].into, texts[i].size, object,
				    texts[i].key) < 0)
			return -1;
	}
	if (out->cluster[0] == '\0' || out->account[0] == '\0' ||
	    !is_shares(out->before) || !is_shares(out->boosted))
		return -1;
	return lease_json_comment(out, object) < 0 ||
			       lease_json_time(&out->granted_s, object,
					       "granted_s") < 0 ||
			       lease_json_time(&out->until_s, object,
					       "until_s") < 0 ||
			       lease_json_state(&out->state, object) < 0
		       ? -1
		       : 0;
}

/* ---- Files ---------------------------------------------------------------- */

/* Names of accounts may hold any character, but names of files may not. */
static void lease_path_add(char *path, const char *name)
{
	size_t at = strlen(path);

	for (; *name != '\0' && at + 4 < PATH_MAX; name++) {
		bool plain = (*name >= '0' && *name <= '9') ||
			     (*name >= 'A' && *name <= 'Z') ||
			     (*name >= 'a' && *name <= 'z') || *name == '-' ||
			     *name == '_' || *name == '.';

		at += (size_t) snprintf(path + at, PATH_MAX - at,
					plain ? "%c" : "%%%02x",
					(unsigned char) *name);
	}
}

/* The file of a lease: its names, escaped and joined by "+". Escaped names have no "+",
 * so no two leases share a file. */
static void lease_path(char path[PATH_MAX], const struct eqt_leases *leases,
		       const struct eqt_lease *lease)
{
	const char *const names[] = { lease->cluster, lease->account,
				      lease->user };

	(void) snprintf(path, PATH_MAX, "%s/", leases->folder);
	for (size_t i = 0; i < 3; i++) {
		if (i > 0 && names[i][0] != '\0')
			(void) strncat(path, "+", PATH_MAX - strlen(path) - 1);
		lease_path_add(path, names[i]);
	}
	(void) strncat(path, SUFFIX, PATH_MAX - strlen(path) - 1);
}

/* The lease is on the disk before shares are changed, so that they can be restored after
 * a crash. */
int eqt_lease_write(const struct eqt_leases *leases,
		    const struct eqt_lease *lease, struct eqt_error *err)
{
	json_object *object = eqt_lease_json(lease);
	char path[PATH_MAX], *text = NULL;
	size_t length = 0;
	FILE *stream = eqt_alloc_stream(&text, &length);
	int rc;

	lease_path(path, leases, lease);
	fprintf(stream, "%s\n",
		json_object_to_json_string_ext(
			object,
			JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED));
	json_object_put(object);
	eqt_alloc_stream_close(stream);
	rc = eqt_atomic_file_write(path, text, length, err);
	free(text);
	return rc;
}

/* A file that no longer exists is no error, because the lease is over either way. */
int eqt_lease_remove(const struct eqt_leases *leases,
		     const struct eqt_lease *lease, struct eqt_error *err)
{
	char path[PATH_MAX];

	lease_path(path, leases, lease);
	return eqt_atomic_file_remove(path, err);
}

/* ---- The folder ----------------------------------------------------------- */

/* Other files in the folder, such as the lock, are left alone. */
static bool is_lease_name(const char *name, size_t length)
{
	return length > SUFFIX_LENGTH && strncmp(name + length - SUFFIX_LENGTH,
						 SUFFIX, SUFFIX_LENGTH) == 0;
}

/* Read one lease. A file that is not a lease is reported and counted. */
static void leases_read_file(struct eqt_leases *leases, const char *name)
{
	struct eqt_lease lease = { .cluster = "" };
	char path[PATH_MAX];
	json_object *object;
	int rc;

	(void) snprintf(path, sizeof(path), "%s/%s", leases->folder, name);
	object = json_object_from_file(path);
	rc = object ? lease_from_json(&lease, object) : -1;
	json_object_put(object);
	if (rc < 0) {
		fprintf(stderr, "equitree boost: %s: not a lease\n", path);
		leases->unreadable++;
		return;
	}
	EQT_ALLOC_ROOM(leases->lease, leases->count);
	leases->lease[leases->count++] = lease;
}

/* Sort leases in the order of the table. */
static int lease_compare(const void *a, const void *b)
{
	const struct eqt_lease *left = a, *right = b;
	int order = strcmp(left->account, right->account);

	return order ? order : strcmp(left->user, right->user);
}

/* Read all leases, and skip other files. While the folder is locked nobody else writes,
 * so an unfinished file was left by a killed command. */
static int leases_read_folder(struct eqt_leases *leases, struct eqt_error *err)
{
	DIR *folder = opendir(leases->folder);
	struct dirent *entry;
	size_t length;

	if (!folder)
		return eqt_error_set(
			err, "%s: %s%s", leases->folder, strerror(errno),
			errno == ENOENT ? ": no boost was ever granted there"
					: "");
	while ((entry = readdir(folder))) {
		length = strlen(entry->d_name);
		if (is_lease_name(entry->d_name, length))
			leases_read_file(leases, entry->d_name);
		else if (leases->lock >= 0 && length > UNFINISHED_LENGTH &&
			 is_lease_name(entry->d_name,
				       length - UNFINISHED_LENGTH))
			(void) unlinkat(dirfd(folder), entry->d_name, 0);
	}
	(void) closedir(folder);
	if (leases->count > 0)
		qsort(leases->lease, leases->count, sizeof(*leases->lease),
		      lease_compare);
	return 0;
}

/* The commands that are run inherit the lock. If this process is killed, the lock lasts
 * until the running command ends. */
static int leases_lock_folder(struct eqt_leases *leases, struct eqt_error *err)
{
	char path[PATH_MAX];

	if (mkdir(leases->folder, 0755) < 0 && errno != EEXIST)
		return eqt_error_set(err, "%s: %s", leases->folder,
				     strerror(errno));
	(void) snprintf(path, sizeof(path), "%s/lock", leases->folder);
	leases->lock = open(path, O_RDWR | O_CREAT, 0644);
	if (leases->lock < 0 || flock(leases->lock, LOCK_EX) < 0)
		return eqt_error_set(err, "%s: %s", path, strerror(errno));
	return 0;
}

/* While the folder is locked, no other command changes leases. Reading takes no lock. */
int eqt_lease_list_open(struct eqt_leases *out, const char *folder, bool lock,
			struct eqt_error *err)
{
	*out = (struct eqt_leases){ .folder = folder, .lock = -1 };
	if ((lock && leases_lock_folder(out, err) < 0) ||
	    leases_read_folder(out, err) < 0) {
		eqt_lease_list_close(out);
		return -1;
	}
	return 0;
}

void eqt_lease_list_close(struct eqt_leases *leases)
{
	if (leases->lock >= 0)
		(void) close(leases->lock);
	free(leases->lease);
	*leases = (struct eqt_leases){ .lock = -1 };
}

/* Compare cluster, account and user. */
struct eqt_lease *eqt_lease_list_find(const struct eqt_leases *leases,
				      const struct eqt_lease *like)
{
	for (size_t i = 0; i < leases->count; i++) {
		struct eqt_lease *lease = &leases->lease[i];

		if (strcmp(lease->cluster, like->cluster) == 0 &&
		    strcmp(lease->account, like->account) == 0 &&
		    strcmp(lease->user, like->user) == 0)
			return lease;
	}
	return NULL;
}
