/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crowd: a stage that is much larger than a submission should notice: nodes of
 * many kinds, partitions that share them, rules for most, associations.
 */
#ifndef EQT_SUBMIT_CROWD_H
#define EQT_SUBMIT_CROWD_H

#include <stdbool.h>
#include <stdint.h>

#include "../compat/stand_in.h"

#define CROWD_NODES 5000
#define CROWD_KINDS 24
#define CROWD_PARTITIONS 200
#define CROWD_ASSOCIATIONS 100000
#define CROWD_USERS 50000

#define CROWD_LINES_MAX 64

/* Replace the nodes by n0, n1, ... of so many lines of slurm.conf, in turn or one line after
 * the other; fill sets what a node has. */
void crowd_nodes(int count, int lines, bool in_turn,
		 void (*fill)(node_record_t *node, int number, int line));

/* List the nodes of each feature that nodes have, as slurmctld does; or drop the list. */
void crowd_features(bool listed);

/* Put all of that on an existing stage. Nobody submits meanwhile. */
void crowd_set(void);

/*
 * A user with an account of one pool, which is the last one that Slurm finds.
 */
uint32_t crowd_uid(void);

#endif
