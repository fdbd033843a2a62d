/* SPDX-License-Identifier: GPL-2.0-or-later */
/* live_cluster: a cluster at one moment. It has the jobs, nodes, partitions,
 * reservations, licences and limits, from Slurm's commands or from a folder of their
 * saved output. */
#ifndef EQT_SLURM_LIVE_CLUSTER_H
#define EQT_SLURM_LIVE_CLUSTER_H

#include "slurm/limits.h"
#include "slurm/live_jobs.h"
#include "slurm/scontrol/nodes.h"

/* The jobs of the last 14 days in Slurm's accounting. */
#define EQT_LIVE_HISTORY_COMMAND                                             \
	"SLURM_TIME_FORMAT=%s sacct -aXP -S now-14days -o "                  \
	"JobIDRaw,Account,User,Partition,QOS,State,Submit,Start,ElapsedRaw," \
	"TimelimitRaw,AllocTRES 2>/dev/null"

/* Owns its memory; {0} is empty. Parts that the caller may not see are empty. */
struct eqt_live_cluster {
	int64_t now_s;
	struct eqt_live_jobs jobs;
	struct eqt_scontrol_nodes nodes;
	struct eqt_scontrol_records partitions, reservations, licenses;
	struct eqt_limits limits;
};

/*
 * Run Slurm's commands. With a folder, read its files instead: queue.txt, nodes.txt,
 * partitions.txt, reservations.txt, licenses.txt, limits.txt and time.txt (seconds since
 * the epoch). Returns 0, or -1 with err filled.
 */
int eqt_live_cluster_read(struct eqt_live_cluster *out, const char *folder,
			  struct eqt_error *err);

/* Save the output of Slurm's commands in such a folder, which is created if needed. The
 * folder also gets config.txt, shares.txt and history.txt for forecasts. Returns 0, or -1
 * with err filled. */
int eqt_live_cluster_save(const char *folder, struct eqt_error *err);

/* Free what *cluster owns. *cluster is empty afterwards. */
void eqt_live_cluster_free(struct eqt_live_cluster *cluster);

/* The path of a file in a folder. Returns buf, or NULL if folder is NULL. */
#define EQT_LIVE_PATH 4096
const char *eqt_live_cluster_path(char buf[EQT_LIVE_PATH], const char *folder,
				  const char *file);

/* A licence that a job requests. A plain value; strings are borrowed. */
struct eqt_live_license {
	const char *name;
	size_t length; /* length of the name */
	uint64_t wants;
	bool there; /* the cluster has this licence */
	bool known; /* total and left are known; both are 0 otherwise */
	uint64_t total, left;
};

/* Read the next licence of a list such as "matlab:2,ansys", and move *list behind it.
 * Later releases of Slurm separate alternatives by "|". Look the licence up in the
 * cluster, unless cluster is NULL. Returns false at the end. */
bool eqt_live_license_next(struct eqt_live_license *out,
			   const struct eqt_live_cluster *cluster,
			   const char **list);

#endif
