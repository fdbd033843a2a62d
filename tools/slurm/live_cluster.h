/* SPDX-License-Identifier: GPL-2.0-or-later */
/* live_cluster: a cluster at one moment: jobs, nodes, partitions, reservations,
 * licences and limits, asked of Slurm or from a folder of saved answers. */
#ifndef EQT_SLURM_LIVE_CLUSTER_H
#define EQT_SLURM_LIVE_CLUSTER_H

#include "slurm/limits.h"
#include "slurm/live_jobs.h"
#include "slurm/scontrol/nodes.h"

/* The jobs of the last days, as sacct has them. */
#define EQT_LIVE_HISTORY_COMMAND                                             \
	"SLURM_TIME_FORMAT=%s sacct -aXP -S now-14days -o "                  \
	"JobIDRaw,Account,User,Partition,QOS,State,Submit,Start,ElapsedRaw," \
	"TimelimitRaw,AllocTRES 2>/dev/null"

/* Owned; {0} is empty. What users may not see is empty. */
struct eqt_live_cluster {
	int64_t now_s;
	struct eqt_live_jobs jobs;
	struct eqt_scontrol_nodes nodes;
	struct eqt_scontrol_records partitions, reservations, licenses;
	struct eqt_limits limits;
};

/*
 * Ask Slurm or, with a folder, read its files: queue.txt, nodes.txt,
 * partitions.txt, reservations.txt, licenses.txt, limits.txt and time.txt (seconds
 * since the epoch). 0, or -1 with err filled.
 */
int eqt_live_cluster_read(struct eqt_live_cluster *out, const char *folder,
			  struct eqt_error *err);

/* Write what Slurm answers now into such a folder, with config.txt, shares.txt and
 * history.txt for forecasts, which is made if it is not there.
 * 0, or -1 with err filled. */
int eqt_live_cluster_save(const char *folder, struct eqt_error *err);

/* Free what *cluster owns; it is empty then. */
void eqt_live_cluster_free(struct eqt_live_cluster *cluster);

/* The path of a file in a folder; NULL without a folder. Returns buf or NULL. */
#define EQT_LIVE_PATH 4096
const char *eqt_live_cluster_path(char buf[EQT_LIVE_PATH], const char *folder,
				  const char *file);

/* A licence that a job wants; a plain value that borrows. */
struct eqt_live_license {
	const char *name;
	size_t length; /* of the name */
	uint64_t wants;
	bool there; /* the cluster has it */
	bool known; /* so are the numbers, which are 0 otherwise */
	uint64_t total, left;
};

/* Take the next one off a list such as "matlab:2,ansys", in which bars separate
 * alternatives in later releases. cluster: whose licences are looked up, or NULL. False
 * at the end. */
bool eqt_live_license_next(struct eqt_live_license *out,
			   const struct eqt_live_cluster *cluster,
			   const char **list);

#endif
