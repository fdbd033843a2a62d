/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file is named after its day. It begins with all that must agree, and ends with a
 * hash of the rest. A file of another day, zone, cluster or price list is replaced
 * without a word; one that nobody but this command's user may have written is required.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/atomic_file.h"
#include "base/hash.h"
#include "slurm/conf/config.h"
#include "slurm/text/listing.h"
#include "slurm/sdiag.h"
#include "usage/cache.h"

#define HEAD_MAX 256
#define FIRST_LINE "equitree usage of a day, form 1\n"
#define END_LENGTH (sizeof("end 0123456789abcdef\n") - 1)

/* In the byte order of this machine: the files are not carried to others. */
static uint64_t hash_number(uint64_t hash, uint64_t number)
{
	return eqt_hash_bytes(hash, &number, sizeof(number));
}

/* The length comes first, so that "ab", "c" is not "a", "bc". */
static uint64_t hash_bytes_sized(uint64_t hash, const char *text, size_t length)
{
	return eqt_hash_bytes(hash_number(hash, length), text, length);
}

/* ---- What prices depend on ------------------------------------------------ */

/* Nodes matter if they differ in threads, or if a GPU model has several bundles. Their
 * states and what is allocated never do. */
static bool pricer_needs_nodes(const struct eqt_job_pricer *pricer)
{
	const struct eqt_bundle_table *prices = &pricer->conf->prices;
	uint32_t i;

	if (!pricer->nodes)
		return false;
	for (i = 0; i < prices->gpu_count; i++) {
		if (eqt_bundle_table_next(prices, i) >= 0)
			return true;
	}
	return pricer->threads == 0;
}

/* In the order in which scontrol prints them, which is that of slurm.conf. */
static uint64_t hash_nodes(uint64_t hash,
			   const struct eqt_scontrol_nodes *nodes)
{
	const struct eqt_scontrol_node *node;
	size_t i, part;

	for (i = 0; i < nodes->count; i++) {
		node = &nodes->nodes[i];
		hash = hash_bytes_sized(hash, node->name,
					(size_t) node->name_length);
		hash = hash_bytes_sized(hash, node->partitions,
					(size_t) node->partitions_length);
		hash = hash_bytes_sized(hash, node->gres.text,
					node->gres.length);
		hash = hash_bytes_sized(hash, node->features.text,
					node->features.length);
		for (part = 0; part < EQT_UNIT_PARTS; part++)
			hash = hash_number(hash, node->total.of[part]);
		hash = hash_number(hash, node->threads);
		hash = hash_number(hash, node->sockets);
	}
	return hash;
}

/* All bytes of a file. Errors name the path. *hash is left half-way then, and not used. */
static int hash_file(uint64_t *hash, const char *path, struct eqt_error *err)
{
	FILE *from = fopen(path, "re");
	char bytes[4096];
	size_t length;
	bool bad;

	if (!from)
		return eqt_error_set(err, "cannot open %s: %s", path,
				     strerror(errno));
	while ((length = fread(bytes, 1, sizeof(bytes), from)) > 0)
		*hash = eqt_hash_bytes(*hash, bytes, length);
	bad = ferror(from) != 0;
	(void) fclose(from);
	return bad ? eqt_error_set(err, "cannot read %s", path) : 0;
}

/* equitree.conf as it is: a comment counts as well. The version counts as well: another
 * one may price or write days in another way. */
static int hash_prices(uint64_t *out, const char *conf_path,
		       const struct eqt_job_pricer *pricer,
		       struct eqt_error *err)
{
	char cluster[256];
	uint64_t hash = EQT_HASH_START;

	if (eqt_cluster_name(cluster, sizeof(cluster), err) < 0 ||
	    hash_file(&hash, conf_path, err) < 0)
		return -1;
	hash = hash_bytes_sized(hash, EQT_VERSION, sizeof(EQT_VERSION));
	hash = hash_bytes_sized(hash, cluster, strlen(cluster));
	hash = hash_number(hash, pricer->threads);
	if (pricer_needs_nodes(pricer))
		hash = hash_nodes(hash, pricer->nodes);
	*out = hash;
	return 0;
}

int eqt_year_cache_open(struct eqt_year_cache *out, const char *folder,
			const char *conf_path, unsigned int columns,
			const struct eqt_job_pricer *pricer,
			struct eqt_error *err)
{
	struct stat status;

	*out = (struct eqt_year_cache){ .folder = folder, .columns = columns };
	/* Usage may be private, so the folder is. */
	if ((mkdir(folder, 0700) < 0 && errno != EEXIST) ||
	    stat(folder, &status) < 0)
		return eqt_error_set(err, "%s: %s", folder, strerror(errno));
	if (!S_ISDIR(status.st_mode))
		return eqt_error_set(err, "%s: %s", folder, strerror(ENOTDIR));
	if (access(folder, R_OK | W_OK | X_OK) < 0)
		return eqt_error_set(err, "%s: %s", folder, strerror(errno));
	return hash_prices(&out->prices, conf_path, pricer, err);
}

/* ---- Files ---------------------------------------------------------------- */

/* Days of reports that need other texts have other names. False: it is too long. */
static bool day_path(char path[PATH_MAX], const struct eqt_year_cache *cache,
		     int64_t from_s)
{
	const unsigned int comment = EQT_SACCT_BIT(EQT_SACCT_COMMENT);
	const unsigned int wckey = EQT_SACCT_BIT(EQT_SACCT_WCKEY);
	char day[EQT_YEAR_TEXT];

	return snprintf(path, PATH_MAX, "%s/%s%s%s%s", cache->folder,
			eqt_year_day_text(from_s, day),
			cache->columns & comment ? ".comment" : "",
			cache->columns & wckey ? ".wckey" : "",
			cache->columns & EQT_YEAR_DAY_LAST ? ".last" : "") <
	       PATH_MAX;
}

/* The zone of local time: where days began in the last three years. */
static uint64_t day_zone(const struct eqt_year_day *day)
{
	uint64_t hash = EQT_HASH_START;
	int64_t month;

	for (month = 0; month < 36; month++)
		hash = hash_number(hash,
				   (uint64_t) eqt_year_day_start(
					   day->from_s - month * 30 * 86400));
	return hash;
}

/* What a file of the day begins with. */
static size_t day_head(char head[HEAD_MAX], const struct eqt_year_cache *cache,
		       const struct eqt_year_day *day)
{
	return (size_t) snprintf(head, HEAD_MAX,
				 FIRST_LINE
				 "day %" PRId64 " %" PRId64 " %016" PRIx64
				 "\ncolumns %u\nprices %016" PRIx64 "\n",
				 day->from_s, day->until_s, day_zone(day),
				 cache->columns, cache->prices);
}

/* May nobody else have written the open file? Usage decides what accounts are billed: a
 * file that others could have written would let them change it. */
static int file_check_owner(int fd, size_t *length, struct eqt_error *err)
{
	struct stat status;

	if (fstat(fd, &status) < 0)
		return eqt_error_set(err, "%s", strerror(errno));
	if (!S_ISREG(status.st_mode))
		return eqt_error_set(err, "it is not a file");
	if (status.st_uid != geteuid())
		return eqt_error_set(err, "another user owns it");
	if (status.st_mode & (S_IWGRP | S_IWOTH))
		return eqt_error_set(err, "others may write to it");
	if ((uint64_t) status.st_size > EQT_LISTING_MAX)
		return eqt_error_set(err, "it is too large");
	*length = (size_t) status.st_size;
	return 0;
}

/* The bytes of the open file with a NUL after them. NULL with err filled. A NUL in the
 * file would end the text early, so it counts as damage. */
static char *file_read_open(int fd, size_t *length, struct eqt_error *err)
{
	size_t done = 0;
	ssize_t got = 1;
	char *text;

	if (file_check_owner(fd, length, err) < 0)
		return NULL;
	text = malloc(*length + 1);
	if (!text) {
		(void) eqt_error_set(err, "out of memory");
		return NULL;
	}
	while (done < *length && got > 0) {
		got = read(fd, text + done, *length - done);
		if (got < 0 && errno == EINTR)
			got = 1;
		else if (got > 0)
			done += (size_t) got;
	}
	text[done] = '\0';
	if (done == *length && strlen(text) == done)
		return text;
	(void) eqt_error_set(err, "it is damaged");
	free(text);
	return NULL;
}

/* 1 with *text, which the caller frees; 0: there is none; -1 with err filled. */
static int file_read(char **text, size_t *length, const char *path,
		     struct eqt_error *err)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0)
		return eqt_error_set(err, "%s",
				     errno == ELOOP ? "it is a link"
						    : strerror(errno));
	*text = file_read_open(fd, length, err);
	(void) close(fd);
	return *text ? 1 : -1;
}

/* Check the first line and the last. *length is without the last then. */
static int file_check(const char *text, size_t *length, struct eqt_error *err)
{
	char end[END_LENGTH + 1];

	if (strncmp(text, FIRST_LINE, sizeof(FIRST_LINE) - 1) != 0)
		return eqt_error_set(err, "it is not of this command");
	if (*length < END_LENGTH)
		return eqt_error_set(err, "it is damaged");
	*length -= END_LENGTH;
	(void) snprintf(end, sizeof(end), "end %016" PRIx64 "\n",
			eqt_hash_bytes(EQT_HASH_START, text, *length));
	return strcmp(text + *length, end) == 0
		       ? 0
		       : eqt_error_set(err, "it is damaged");
}

/* As eqt_year_cache_get(); -1 also for what cannot be trusted. 0 for a file of other
 * prices, zone or columns: the day is asked for again and replaced. */
static int day_take_text(const struct eqt_year_cache *cache,
			 struct eqt_year_day *day, char *text, size_t length,
			 struct eqt_error *err)
{
	char head[HEAD_MAX];
	const size_t head_length = day_head(head, cache, day);

	if (file_check(text, &length, err) < 0)
		return -1;
	text[length] = '\0';
	if (strncmp(text, head, head_length) != 0)
		return 0;
	day->columns = cache->columns;
	return eqt_year_day_parse(day, text + head_length, err) < 0 ? -1 : 1;
}

/* Trouble with one file costs a question to sacct, and no more. */
int eqt_year_cache_get(const struct eqt_year_cache *cache,
		       struct eqt_year_day *day, struct eqt_error *err)
{
	const int64_t from_s = day->from_s, until_s = day->until_s;
	char path[PATH_MAX];
	size_t length = 0;
	char *text = NULL;
	int rc;

	if (!day_path(path, cache, day->from_s))
		return 0;
	rc = file_read(&text, &length, path, err);
	if (rc > 0) {
		rc = day_take_text(cache, day, text, length, err);
		free(text);
	}
	if (rc >= 0)
		return rc;
	eqt_year_day_free(day);
	day->from_s = from_s;
	day->until_s = until_s;
	fprintf(stderr, "equitree: %s: %s; asking sacct for the day\n", path,
		err->text);
	return 0;
}

/* ---- Keeping -------------------------------------------------------------- */

/* Records that slurmctld still holds for slurmdbd (sdiag prints their number) would be
 * lacking for ever in a day that is kept without them. */
bool eqt_year_cache_is_open(struct eqt_year_cache *cache)
{
	struct eqt_error err = { "" };
	uint64_t unsent;

	if (cache->asked)
		return cache->complete;
	cache->asked = true;
	if (eqt_sdiag_unsent_records(&unsent, &err) == 0 && unsent > 0)
		(void) eqt_error_set(&err,
				     "slurmdbd lacks %" PRIu64
				     " records of slurmctld",
				     unsent);
	else
		cache->complete = err.text[0] == '\0';
	if (!cache->complete)
		fprintf(stderr, "equitree: %s; no day is kept in %s\n",
			err.text, cache->folder);
	return cache->complete;
}

/* The text of a day, with its ends. NULL: out of memory. */
static char *day_text(const struct eqt_year_cache *cache,
		      const struct eqt_year_day *day, size_t *length)
{
	char head[HEAD_MAX];
	char *text = NULL;
	FILE *to = open_memstream(&text, length);
	bool bad;

	if (!to)
		return NULL;
	(void) day_head(head, cache, day);
	(void) fputs(head, to);
	eqt_year_day_print(day, to);
	bad = fflush(to) != 0;
	if (!bad)
		fprintf(to, "end %016" PRIx64 "\n",
			eqt_hash_bytes(EQT_HASH_START, text, *length));
	if (fclose(to) == 0 && !bad)
		return text;
	free(text);
	return NULL;
}

/* After the first failure no day is kept: a full disk would be reported for each. */
void eqt_year_cache_put(struct eqt_year_cache *cache,
			const struct eqt_year_day *day)
{
	struct eqt_error err;
	char path[PATH_MAX];
	size_t length;
	char *text;

	if (!eqt_year_cache_is_open(cache) ||
	    !day_path(path, cache, day->from_s))
		return;
	text = day_text(cache, day, &length);
	if (text && eqt_atomic_file_write(path, text, length, &err) == 0) {
		free(text);
		return;
	}
	fprintf(stderr, "equitree: %s; no day is kept\n",
		text ? err.text : "out of memory");
	free(text);
	cache->complete = false;
}
