/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reservations, licences and limits may be hidden from users, or the cluster may have
 * none. If the command for one of them fails, they count as empty. A saved file must be
 * complete.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "slurm/live_cluster.h"
#include "slurm/user_assocs.h"

/* Slurm's commands, and the files with their output. */
static const struct {
	const char *file;
	const char *command;
	bool optional;
} answers[] = {
	{ "queue.txt", EQT_LIVE_JOBS_COMMAND, false },
	{ "nodes.txt", "scontrol -o show node", false },
	{ "partitions.txt", "scontrol -a -o show partition", false },
	{ "reservations.txt", "scontrol -o show reservation 2>&1", true },
	{ "licenses.txt", "scontrol -o show licenses 2>&1", true },
	{ "limits.txt", "scontrol -o show assoc_mgr flags=assoc,qos 2>&1",
	  true },
	{ "sprio.txt", "sprio -l", true },
	{ "weights.txt", "sprio -wl", true },
	{ "config.txt", "scontrol show config", true },
	{ "shares.txt", "sshare -alP", true },
	{ "history.txt", EQT_LIVE_HISTORY_COMMAND, true },
	{ "users.txt", EQT_USER_ASSOCS_COMMAND, true },
	{ "time.txt", "date +%s", false },
};

const char *eqt_live_cluster_path(char buf[EQT_LIVE_PATH], const char *folder,
				  const char *file)
{
	if (!folder)
		return NULL;
	(void) snprintf(buf, EQT_LIVE_PATH, "%s/%s", folder, file);
	return buf;
}

/* Save the output of a command. If an optional command fails, the file says "No answer",
 * because an empty file would look like a full disk. */
static int answer_save(const char *folder, size_t i, struct eqt_error *err)
{
	char path[EQT_LIVE_PATH];
	struct eqt_listing text;
	FILE *file;
	int rc = 0;

	if (eqt_listing_read(&text, NULL, answers[i].command, err) < 0) {
		if (!answers[i].optional)
			return -1;
		text = (struct eqt_listing){ .length = 0 };
	}
	(void) eqt_live_cluster_path(path, folder, answers[i].file);
	file = fopen(path, "w");
	if (!file || fwrite(text.text ? text.text : "No answer\n", 1,
			    text.text ? text.length : 10, file) == 0)
		rc = -1;
	if (file && fclose(file) != 0)
		rc = -1;
	eqt_listing_free(&text);
	if (rc < 0)
		return eqt_error_set(err, "cannot write %s: %s", path,
				     strerror(errno));
	return 0;
}

/* Users may pass the folder on to their operators. The commands run with the user's
 * rights, so the folder holds nothing that the user may not see. */
int eqt_live_cluster_save(const char *folder, struct eqt_error *err)
{
	if (mkdir(folder, 0777) < 0 && errno != EEXIST)
		return eqt_error_set(err, "cannot make %s: %s", folder,
				     strerror(errno));
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		if (answer_save(folder, i, err) < 0)
			return -1;
	}
	return 0;
}

/* Read records that a live cluster may not have. A saved folder must have the file,
 * because --save writes all files. */
static int records_read_any(struct eqt_scontrol_records *out,
			    const char *folder, const char *file,
			    const char *command, const char *first,
			    struct eqt_error *err)
{
	char path[EQT_LIVE_PATH];

	if (eqt_records_read(out, eqt_live_cluster_path(path, folder, file),
			     command, first, err) == 0)
		return 0;
	*out = (struct eqt_scontrol_records){ .count = 0 };
	return folder ? -1 : 0;
}

/* The present time, or the time at which the folder was saved. */
static int live_read_time(int64_t *out, const char *folder,
			  struct eqt_error *err)
{
	struct eqt_listing text;
	char path[EQT_LIVE_PATH];

	if (!folder) {
		*out = (int64_t) time(NULL);
		return 0;
	}
	if (eqt_listing_read(&text,
			     eqt_live_cluster_path(path, folder, "time.txt"),
			     NULL, err) < 0)
		return -1;
	*out = strtoll(text.text, NULL, 10);
	eqt_listing_free(&text);
	if (*out > 0)
		return 0;
	return eqt_error_set(err, "%s: expected seconds since the epoch", path);
}

/* The commands run one after the other, so their answers may be a second apart. A job
 * that is listed as running may have nodes that are listed as free. */
static int live_read_all(struct eqt_live_cluster *out, const char *folder,
			 struct eqt_error *err)
{
	char path[EQT_LIVE_PATH];

	if (live_read_time(&out->now_s, folder, err) < 0 ||
	    eqt_live_jobs_read(&out->jobs,
			       eqt_live_cluster_path(path, folder, "queue.txt"),
			       err) < 0 ||
	    eqt_scontrol_nodes_read(&out->nodes,
				    eqt_live_cluster_path(path, folder,
							  "nodes.txt"),
				    err) < 0 ||
	    eqt_records_read(
		    &out->partitions,
		    eqt_live_cluster_path(path, folder, "partitions.txt"),
		    "scontrol -a -o show partition", "PartitionName", err) < 0)
		return -1;
	if (records_read_any(&out->reservations, folder, "reservations.txt",
			     "scontrol -o show reservation 2>/dev/null",
			     "ReservationName", err) < 0 ||
	    records_read_any(&out->licenses, folder, "licenses.txt",
			     "scontrol -o show licenses 2>/dev/null",
			     "LicenseName", err) < 0)
		return -1;
	if (eqt_limits_read(&out->limits,
			    eqt_live_cluster_path(path, folder, "limits.txt"),
			    err) < 0) {
		out->limits = (struct eqt_limits){ .qos_count = 0 };
		return folder ? -1 : 0;
	}
	return 0;
}

int eqt_live_cluster_read(struct eqt_live_cluster *out, const char *folder,
			  struct eqt_error *err)
{
	*out = (struct eqt_live_cluster){ .now_s = 0 };
	if (live_read_all(out, folder, err) < 0) {
		eqt_live_cluster_free(out);
		return -1;
	}
	/* The paths were in buffers that are now out of scope, so borrow constant names
	 * instead. */
	out->jobs.text.name = "queue.txt";
	out->nodes.records.text.name = "nodes.txt";
	out->partitions.text.name = "partitions.txt";
	out->reservations.text.name = "reservations.txt";
	out->licenses.text.name = "licenses.txt";
	out->limits.text.name = "limits.txt";
	return 0;
}

void eqt_live_cluster_free(struct eqt_live_cluster *cluster)
{
	eqt_live_jobs_free(&cluster->jobs);
	eqt_scontrol_nodes_free(&cluster->nodes);
	eqt_records_free(&cluster->partitions);
	eqt_records_free(&cluster->reservations);
	eqt_records_free(&cluster->licenses);
	eqt_limits_free(&cluster->limits);
	*cluster = (struct eqt_live_cluster){ .now_s = 0 };
}

/* Find a licence and its numbers. A number that cannot be read counts as 0. */
static void license_look_up(struct eqt_live_license *out,
			    const struct eqt_scontrol_records *all)
{
	for (size_t i = 0; i < all->count && !out->there; i++) {
		const struct eqt_scontrol_record *one = &all->records[i];
		const char *name = eqt_record_text(one, "LicenseName");
		struct eqt_error err;

		if (strlen(name) != out->length ||
		    strncmp(name, out->name, out->length) != 0)
			continue;
		out->there = true;
		out->known =
			eqt_record_number(&out->total, one, "Total", &err) == 0;
		out->known = eqt_record_number(&out->left, one, "Free", &err) ==
				     0 &&
			     out->known;
	}
}

bool eqt_live_license_next(struct eqt_live_license *out,
			   const struct eqt_live_cluster *cluster,
			   const char **list)
{
	const char *at = *list;
	const size_t length = strcspn(at, ",|;");

	if (*at == '\0')
		return false;
	*list = at + length + (at[length] != '\0');
	*out = (struct eqt_live_license){
		.name = at,
		.length = strcspn(at, ":=,|;"),
		.wants = 1,
	};
	if (out->length < length)
		out->wants = strtoull(at + out->length + 1, NULL, 10);
	if (cluster)
		license_look_up(out, &cluster->licenses);
	return true;
}
