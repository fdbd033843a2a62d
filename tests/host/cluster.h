/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster: slurm.conf, equitree.conf, TRES, nodes and partitions, and the
 * global variables of slurmctld that a priority plugin reads.
 */
#ifndef EQT_HOST_CLUSTER_H
#define EQT_HOST_CLUSTER_H

#include "../../plugins/slurm/compat.h"
#include "words.h"

/* Set the folder for all files; it exists and is ours. The string is borrowed
 * for good. */
void cluster_folder(const char *folder);
const char *cluster_folder_name(void);

/* Add a line to slurm.conf (KEY=VALUE; it replaces an earlier line of that
 * KEY), or a line to equitree.conf. */
void cluster_conf(const char *line);
void cluster_price(const char *line);

/* Add a TRES, such as "gres/gpu:p100" or, with the number that slurmdbd gave
 * it, "gres/gpu:p100 id=1002". Before cluster_ready(). */
void cluster_tres_add(const char *line);

/*
 * Write the files, let libslurmfull read them, create the TRES. Call it once.
 */
void cluster_ready(void);

/* Write the files and read them again. */
void cluster_reread(void);

/* Write an equitree.conf that cannot be read; cluster_write() repairs it, since
 * it writes all files. */
void cluster_break_prices(void);
void cluster_write(void);

/* Set the resources of the whole cluster: "cpu=64 node=4 mem=...". */
void cluster_totals(const struct words *words);

/* Add a partition, or change the settings of one. */
void cluster_partition(const struct words *words);

/*
 * Parse "cpu=4 gres/gpu=1" into counts[slurmctld_tres_cnt]; other counts stay.
 */
void cluster_counts(const struct words *words, uint64_t *counts);

/* Free all memory of cluster_ready() and cluster_partition(). */
void cluster_free(void);

#endif
