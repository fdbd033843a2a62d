/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_fit: the nodes of a job's partitions, by how they fit the job. */
#ifndef EQT_WHY_NODE_FIT_H
#define EQT_WHY_NODE_FIT_H

#include "slurm/live_cluster.h"

enum eqt_why_node {
	EQT_NODE_FREE, /* it could start there now */
	EQT_NODE_BUSY, /* it fits, but is busy with other jobs */
	EQT_NODE_RESERVED, /* it fits, but is reserved before the job would end */
	EQT_NODE_DRAINED, /* it fits, but takes no new jobs */
	EQT_NODE_DOWN, /* it fits, but is unavailable */
	EQT_NODE_FEW_CPUS, /* it is too small, or lacks something */
	EQT_NODE_LITTLE_MEMORY,
	EQT_NODE_FEW_GPUS,
	EQT_NODE_NO_FEATURE,
	EQT_NODE_NOT_NAMED, /* --nodelist names others, or --exclude this one */
	EQT_NODE_KINDS
};

/* A plain value. */
struct eqt_why_nodes {
	size_t all; /* in the partitions */
	size_t of[EQT_NODE_KINDS];
	char example[EQT_NODE_KINDS][96]; /* "cpu1 (DOWN*)" */
	/* The needs on each node. */
	uint64_t nodes, cpus, mem_mib, gpus;
	/* The reservation that blocks the job, or NULL, and its start. */
	const struct eqt_scontrol_record *reservation;
	int64_t reserved_from_s, reserved_to_s;
	/* When running jobs and reservations leave enough of them, at the latest; 0: not
	 * known. eqt_node_fit_wait() fills it. */
	int64_t free_s;
};

/* Count them. exclude is --exclude, or NULL. */
void eqt_node_fit_count(struct eqt_why_nodes *out,
			const struct eqt_live_cluster *cluster,
			const struct eqt_live_job *job, const char *exclude);

/* Count them, and find out when enough of them will be free, if no other job takes them. */
void eqt_node_fit_wait(struct eqt_why_nodes *out,
		       const struct eqt_live_cluster *cluster,
		       const struct eqt_live_job *job, const char *exclude);

/* Do two lists of partitions have one in common? */
bool eqt_node_fit_lists_meet(const char *a, const char *b);

/* How many would fit if nothing else blocked them. */
size_t eqt_node_fit_sum(const struct eqt_why_nodes *nodes);

/* The word of a kind in JSON; never freed. */
const char *eqt_node_fit_word(enum eqt_why_node kind);

/* The same as the end of a sentence for a person; never freed. */
const char *eqt_node_fit_sentence(enum eqt_why_node kind);

#endif
