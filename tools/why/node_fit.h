/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_fit: the nodes of a job's partitions, grouped by whether the job fits on them. */
#ifndef EQT_WHY_NODE_FIT_H
#define EQT_WHY_NODE_FIT_H

#include "slurm/live_cluster.h"

enum eqt_why_node {
	EQT_NODE_FREE, /* the job could start on the node now */
	EQT_NODE_BUSY, /* the job fits, but the node is busy with other jobs */
	/* the job fits, but the node is reserved before the job would end */
	EQT_NODE_RESERVED,
	EQT_NODE_DRAINED, /* the job fits, but the node takes no new jobs */
	EQT_NODE_DOWN, /* the job fits, but the node is unavailable */
	/* this and the following: the node is too small or lacks something */
	EQT_NODE_FEW_CPUS,
	EQT_NODE_LITTLE_MEMORY,
	EQT_NODE_FEW_GPUS,
	EQT_NODE_NO_FEATURE,
	/* --nodelist does not name the node, or --exclude names it */
	EQT_NODE_NOT_NAMED,
	EQT_NODE_KINDS
};

/* The numbers of nodes for a job. A plain value. */
struct eqt_why_nodes {
	size_t all; /* nodes of the partitions */
	size_t of[EQT_NODE_KINDS];
	char example[EQT_NODE_KINDS][96]; /* such as "cpu1 (DOWN*)" */
	/* What the job needs: the number of nodes, and the amounts on each node. */
	uint64_t nodes, cpus, mem_mib, gpus;
	/* The reservation that blocks the job, and when it begins. NULL if there is
	 * none. */
	const struct eqt_scontrol_record *reservation;
	int64_t reserved_from_s, reserved_to_s;
	/* The latest time by which running jobs and reservations leave enough nodes; 0:
	 * not known. Filled by eqt_node_fit_wait() only. */
	int64_t free_s;
};

/* Count the nodes of the job's partitions. */
void eqt_node_fit_count(struct eqt_why_nodes *out,
			const struct eqt_live_cluster *cluster,
			const struct eqt_live_job *job);

/* Like eqt_node_fit_count(). Also find out when enough nodes will be free, if no other
 * job takes them. exclude is the job's --exclude, or NULL. */
void eqt_node_fit_wait(struct eqt_why_nodes *out,
		       const struct eqt_live_cluster *cluster,
		       const struct eqt_live_job *job, const char *exclude);

/* Do two lists of partitions have a partition in common? */
bool eqt_node_fit_lists_meet(const char *a, const char *b);

/* How many nodes the job would fit on if other jobs, reservations and states did not
 * matter. */
size_t eqt_node_fit_sum(const struct eqt_why_nodes *nodes);

/* The word for a kind of node in JSON, as static text. */
const char *eqt_node_fit_word(enum eqt_why_node kind);

/* The words for a kind of node at the end of a sentence, as static text. */
const char *eqt_node_fit_sentence(enum eqt_why_node kind);

#endif
