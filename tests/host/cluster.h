/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster: slurm.conf, equitree.conf, the TRES, the nodes, the partitions; and
 * the global variables of slurmctld that a priority plugin reads.
 */
#ifndef EQT_HOST_CLUSTER_H
#define EQT_HOST_CLUSTER_H

#include "../../plugins/slurm/compat.h"
#include "words.h"

/* Where all files are made; the folder is there and is ours. The string is
 * borrowed for good. */
void cluster_folder(const char *folder);
const char *cluster_folder_name(void);

/* A line of slurm.conf (KEY=VALUE; takes the place of an earlier one of that
 * KEY) and a line of equitree.conf. */
void cluster_conf(const char *line);
void cluster_price(const char *line);

/* One more TRES, such as "gres/gpu:p100" or, with the number that slurmdbd gave
 * it, "gres/gpu:p100 id=1002". Before cluster_ready(). */
void cluster_tres_add(const char *line);

/* Write the files, let libslurmfull read them, make the TRES. Once. */
void cluster_ready(void);

/* Write the files and read them again. */
void cluster_reread(void);

/* Make equitree.conf one that cannot be read; cluster_write() mends it, since it
 * writes the files. */
void cluster_break_prices(void);
void cluster_write(void);

/* "cpu=64 node=4 mem=...": what the whole cluster has. */
void cluster_totals(const struct words *words);

/* A new partition, or other settings for one that is there. */
void cluster_partition(const struct words *words);

/* "cpu=4 gres/gpu=1": into counts[slurmctld_tres_cnt]; others are kept. */
void cluster_counts(const struct words *words, uint64_t *counts);

/* Free all that cluster_ready() and cluster_partition() made. */
void cluster_free(void);

#endif
