/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks made after an installation: files, and answers of the running cluster. They
 * change nothing, because submissions are only tests. Other subcommands are run as
 * commands, so that the results here are the same as theirs.
 */
#define _XOPEN_SOURCE 700 /* for S_ISVTX */
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/check.h"
#include "cli/remote.h"
#include "slurm/conf/cluster.h"
#include "slurm/scontrol/record.h"
#include "slurm/text/command.h"

#define SELF "/proc/self/exe"

static const char *const plugins[] = { "priority_equitree.so",
				       "job_submit_equitree.so",
				       "spank_equitree.so" };

#define PLUGINS (sizeof(plugins) / sizeof(plugins[0]))

/* A value of slurmctld's present configuration. "" if it is missing. */
static const char *live_value(const struct eqt_check *check, const char *key)
{
	return eqt_cluster_config_get(&check->live, key);
}

/* Find the plugin in PluginDir. Returns false if it is not there. */
static bool live_plugin(const struct eqt_check *check, const char *name,
			char path[PATH_MAX])
{
	return eqt_check_find_file(path, live_value(check, "PluginDir"), name) >
	       0;
}

/* ---- Rights --------------------------------------------------------------- */

/* Report a file or folder that users other than root and SlurmUser can change. In a
 * folder with the sticky bit nobody can replace the files of others. */
static void rights_check(struct eqt_check *check, const char *path,
			 unsigned int slurm_user)
{
	struct stat status;
	const char *who;

	if (stat(path, &status) != 0 ||
	    (S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX)))
		return;
	who = status.st_mode & S_IWOTH	 ? "all users"
	      : status.st_mode & S_IWGRP ? "its group"
	      : status.st_uid != 0 && status.st_uid != slurm_user
		      ? "its owner, who is neither root nor SlurmUser"
		      : NULL;
	if (who)
		eqt_check_find(check, EQT_CHECK_ERROR,
			       eqt_check_where_line(check, NULL),
			       "%s can be written by %s: whoever does decides "
			       "what jobs cost, or what slurmctld runs",
			       path, who);
}

/* A user who can write to a folder can replace the files in it. */
static void rights_check_both(struct eqt_check *check, const char *path,
			      unsigned int slurm_user)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX];

	rights_check(check, path, slurm_user);
	(void) snprintf(folder, sizeof(folder), "%.*s",
			slash ? (int) (slash - path) : 0, path);
	if (folder[0] != '\0')
		rights_check(check, folder, slurm_user);
}

static void check_rights(struct eqt_check *check)
{
	char path[PATH_MAX];
	unsigned int user = 0, found = 0;
	const char *id = strchr(live_value(check, "SlurmUser"), '(');

	/* such as "slurm(64030)" */
	if (id)
		(void) sscanf(id, "(%u)", &user);
	rights_check_both(check, check->conf_path, user);
	rights_check(check, check->slurm_path, user);
	rights_check(check, live_value(check, "StateSaveLocation"), user);
	for (size_t i = 0; i < PLUGINS; i++) {
		if (!live_plugin(check, plugins[i], path))
			continue;
		/* All plugins are in one folder, so check it only once. */
		if (found++ == 0)
			rights_check_both(check, path, user);
		else
			rights_check(check, path, user);
	}
}

/* ---- Versions --------------------------------------------------------------- */

/* The contents of a file in memory. */
struct image {
	const unsigned char *bytes;
	size_t size;
};

/* Copy bytes at an offset. Returns false if they are beyond the end of the file. */
static bool image_get(const struct image *image, uint64_t at, void *to,
		      size_t size)
{
	if (at > image->size || size > image->size - at)
		return false;
	memcpy(to, image->bytes + at, size);
	return true;
}

static bool image_section(const struct image *image, const Elf64_Ehdr *head,
			  uint64_t index, Elf64_Shdr *out)
{
	return index < head->e_shnum &&
	       image_get(image, head->e_shoff + index * sizeof(*out), out,
			 sizeof(*out));
}

/* The value of the symbol plugin_version, or 0 if these symbols do not include it. */
static uint32_t symbols_version(const struct image *image,
				const Elf64_Ehdr *head,
				const Elf64_Shdr *symbols)
{
	static const char wanted[] = "plugin_version";
	Elf64_Shdr names, data;
	char name[sizeof(wanted)];
	uint32_t version = 0;
	Elf64_Sym symbol;

	if (!image_section(image, head, symbols->sh_link, &names))
		return 0;
	for (uint64_t at = 0; at < symbols->sh_size; at += sizeof(symbol)) {
		if (!image_get(image, symbols->sh_offset + at, &symbol,
			       sizeof(symbol)))
			return 0;
		if (image_get(image, names.sh_offset + symbol.st_name, name,
			      sizeof(name)) &&
		    memcmp(name, wanted, sizeof(wanted)) == 0 &&
		    image_section(image, head, symbol.st_shndx, &data) &&
		    image_get(image,
			      data.sh_offset + symbol.st_value - data.sh_addr,
			      &version, sizeof(version)))
			return version;
	}
	return 0;
}

/* The version of a plugin, or 0 if it cannot be read. This process cannot load plugins,
 * because they need slurmctld's functions. */
static uint32_t image_version(const struct image *image)
{
	Elf64_Shdr section;
	Elf64_Ehdr head;

	if (!image_get(image, 0, &head, sizeof(head)) ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
	    head.e_ident[EI_CLASS] != ELFCLASS64)
		return 0;
	for (uint64_t i = 0; image_section(image, &head, i, &section); i++) {
		if (section.sh_type == SHT_DYNSYM)
			return symbols_version(image, &head, &section);
	}
	return 0;
}

/* The version of a plugin's file in Slurm's form: 22.05.8 is 0x160508. 0 if it cannot be
 * read. */
static uint32_t file_version(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct image image = { .size = 0 };
	uint32_t version = 0;
	struct stat status;
	void *bytes;

	if (fd < 0)
		return 0;
	if (fstat(fd, &status) == 0 && status.st_size > 0) {
		image.size = (size_t) status.st_size;
		bytes = mmap(NULL, image.size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (bytes != MAP_FAILED) {
			image.bytes = bytes;
			version = image_version(&image);
			(void) munmap(bytes, image.size);
		}
	}
	(void) close(fd);
	return version;
}

static void version_check(struct eqt_check *check, const char *name,
			  uint32_t running)
{
	const struct eqt_check_where where =
		eqt_check_where_key(check, "PluginDir");
	/* Slurm loads a spank plugin of any micro release. */
	const unsigned int cut = strncmp(name, "spank", 5) == 0 ? 8 : 0;
	char path[PATH_MAX];
	uint32_t version;

	if (!live_plugin(check, name, path)) {
		eqt_check_find(check, EQT_CHECK_WARNING, where,
			       "PluginDir has no %s on this host", name);
		return;
	}
	version = file_version(path);
	if (version >> cut != running >> cut)
		eqt_check_find(check, EQT_CHECK_ERROR, where,
			       "%s is for Slurm %u.%02u.%u, and slurmctld is "
			       "%u.%02u.%u: it will not load it",
			       path, version >> 16, version >> 8 & 0xff,
			       version & 0xff, running >> 16,
			       running >> 8 & 0xff, running & 0xff);
}

static void check_versions(struct eqt_check *check)
{
	static const char *const keys[] = { "PriorityType",
					    "JobSubmitPlugins" };
	unsigned int major = 0, minor = 0, micro = 0;

	(void) sscanf(live_value(check, "SLURM_VERSION"), "%u.%u.%u", &major,
		      &minor, &micro);
	for (size_t i = 0; i < PLUGINS; i++)
		version_check(check, plugins[i],
			      major << 16 | minor << 8 | micro);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (strcasecmp(live_value(check, keys[i]),
			       eqt_check_value(check, keys[i], "")) != 0)
			eqt_check_fail_key(
				check, keys[i],
				"slurmctld runs with %s=%s: restart it",
				keys[i], live_value(check, keys[i]));
	}
}

/* ---- A priced job in each partition --------------------------------------- */

/* The output of a command, including stderr. {0} if the command cannot be run. */
static struct eqt_listing live_answer(const char *const *words)
{
	struct eqt_listing out = { .length = 0 };
	struct eqt_error err;

	if (eqt_command_answer(&out, words[0], words, &err) < 0)
		return (struct eqt_listing){ .length = 0 };
	return out;
}

/* Compare the price that sbatch prints with the price by equitree.conf. A missing price
 * is only a warning, because a partition may refuse the caller's jobs and accept
 * others. */
static void partition_check(struct eqt_check *check, const char *name)
{
	const char *submission[] = {
		"sbatch", "--test-only", "--bill=full", "--export=NONE", "-p",
		name,	  "-n1",	 "-t1",		"--wrap=true",	 NULL
	};
	const char *bill[] = { SELF, "bill", "-p", name, "-n1", "-t1", NULL };
	struct eqt_listing told = live_answer(submission),
			   price = live_answer(bill);
	const char *said = told.text ? strstr(told.text, "equitree: cost ")
				     : NULL;
	const char *ours = price.text ? price.text : "";
	const int length = (int) strcspn(ours, "\n");
	const struct eqt_check_where where =
		eqt_check_where_key(check, "JobSubmitPlugins");

	if (!said)
		eqt_check_find(check, EQT_CHECK_WARNING, where,
			       "a job in partition %s is told no price: %.300s",
			       name, told.text ? told.text : "no answer");
	else if (strncmp(said + strlen("equitree: "), ours, (size_t) length) !=
		 0)
		eqt_check_find(check, EQT_CHECK_ERROR, where,
			       "a job in partition %s is told \"%.*s\", and by "
			       "equitree.conf it is \"%.*s\": slurmctld has "
			       "not read this file (scontrol reconfigure)",
			       name, (int) strcspn(said, "\n"), said, length,
			       ours);
	eqt_listing_free(&told);
	eqt_listing_free(&price);
}

static void check_priced(struct eqt_check *check)
{
	struct eqt_scontrol_records partitions;
	struct eqt_error err;

	if (eqt_records_read(&partitions, NULL, "scontrol -o show partition",
			     "PartitionName", &err) < 0) {
		eqt_check_find(check, EQT_CHECK_ERROR,
			       eqt_check_where_line(check, NULL), "%s",
			       err.text);
		return;
	}
	for (size_t i = 0; i < partitions.count; i++)
		partition_check(check, eqt_record_text(&partitions.records[i],
						       "PartitionName"));
	eqt_records_free(&partitions);
}

/* ---- The proof of usage ----------------------------------------------------- */

/* "equitree usage --verify" prints a line per difference, and then how many there are. */
static void check_proof(struct eqt_check *check)
{
	const char *words[] = { SELF, "usage", "--verify", NULL };
	struct eqt_listing out = live_answer(words);
	const bool proved = out.text && strstr(out.text, ": 0 differences\n");
	char *saved, *line = out.text ? strtok_r(out.text, "\n", &saved) : NULL;

	for (; line && !proved; line = strtok_r(NULL, "\n", &saved))
		eqt_check_find(check, EQT_CHECK_ERROR,
			       eqt_check_where_conf(check, "charges", "", NULL),
			       "%s", line);
	eqt_listing_free(&out);
}

/* ---- Federations ------------------------------------------------------------ */

#define MEMBERS 64 /* Slurm allows 63 */

/* A cluster of the federation, with its budgets. */
struct member {
	char name[EQT_BUDGET_CLUSTER];
	struct eqt_balances budgets;
};

/* Read the clusters from lines "Self: NAME:HOST:PORT ..." and "Sibling: NAME:...".
 * Returns their number. */
static size_t members_read(struct member member[MEMBERS])
{
	const char *words[] = { "scontrol", "show", "federation", NULL };
	struct eqt_listing out = live_answer(words);
	char *saved, *line = out.text ? strtok_r(out.text, "\n", &saved) : NULL;
	size_t count = 0;

	for (; line && count < MEMBERS; line = strtok_r(NULL, "\n", &saved)) {
		struct member *one = &member[count];

		*one = (struct member){ .budgets = { .count = 0 } };
		count += sscanf(line, "Self: %47[^:]", one->name) == 1 ||
			 sscanf(line, "Sibling: %47[^:]", one->name) == 1;
	}
	eqt_listing_free(&out);
	return count;
}

/* Does the owner of a budget have a budget on this cluster as well, or no account
 * there? */
static bool member_has_owner(const struct member *member,
			     const struct eqt_budget_terms *terms)
{
	struct eqt_error err;
	char *list;
	bool found;

	for (size_t i = 0; i < member->budgets.count; i++) {
		const struct eqt_budget_terms *its =
			&member->budgets.row[i].terms;

		if (strcmp(its->account, terms->account) == 0 &&
		    (!its->user[0] || strcmp(its->user, terms->user) == 0))
			return true;
	}
	list = eqt_balances_owner_clusters(terms, member->name, &err);
	found = list && list[0];
	free(list);
	return !found;
}

static void member_check(struct eqt_check *check, const struct member *with,
			 const struct member *without)
{
	for (size_t i = 0; i < with->budgets.count; i++) {
		const struct eqt_budget *budget = &with->budgets.row[i];
		const struct eqt_budget_terms *terms = &budget->terms;

		if (budget->closed || member_has_owner(without, terms))
			continue;
		eqt_check_warn_key(
			check, "ClusterName",
			"jobs of %s%s%s that are submitted on cluster %s of "
			"the federation draw on no budget, since only %s has "
			"one: grant on both (equitree budget grant %s HOURS -M "
			"%s,%s)",
			terms->account, terms->user[0] ? "/" : "", terms->user,
			without->name, with->name, terms->account, with->name,
			without->name);
	}
}

/* Each slurmctld knows only its own budgets. */
static void check_federation(struct eqt_check *check)
{
	struct member member[MEMBERS];
	const size_t count = members_read(member);
	struct eqt_error err;

	for (size_t i = 0; i < count; i++) {
		if (eqt_remote_choose(member[i].name) < 0 ||
		    eqt_balances_read(&member[i].budgets, &err) < 0)
			eqt_check_warn_key(check, "ClusterName",
					   "the budgets of cluster %s of the "
					   "federation are not known",
					   member[i].name);
	}
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < count; j++) {
			if (i != j)
				member_check(check, &member[i], &member[j]);
		}
	}
	for (size_t i = 0; i < count; i++)
		eqt_balances_free(&member[i].budgets);
}

/* check_federation() chooses other clusters, so it must be the last check. */
const struct eqt_check_row eqt_checks_selftest[] = {
	{ "rights", EQT_NEEDS_LIVE, check_rights },
	{ "version", EQT_NEEDS_LIVE | EQT_NEEDS_SLURM, check_versions },
	{ "priced", EQT_NEEDS_LIVE, check_priced },
	{ "proof", EQT_NEEDS_LIVE, check_proof },
	{ "federation", EQT_NEEDS_LIVE, check_federation },
	{ NULL, 0, NULL }
};
