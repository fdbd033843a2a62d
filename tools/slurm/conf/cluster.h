/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config: Slurm's configuration as printed by "scontrol show config". */
#ifndef EQT_SLURM_CLUSTER_H
#define EQT_SLURM_CLUSTER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* How usage decays; a plain value. */
struct eqt_cluster_decay {
	uint32_t half_life_s; /* 0: no decay */
	char reset[32]; /* PriorityUsageResetPeriod; "" if not known */
};

/* Read a file (NULL: run scontrol). 0, or -1 with err filled: what
 * eqt_listing_read() refuses, PriorityDecayHalfLife missing or invalid. */
int eqt_cluster_decay_read(struct eqt_cluster_decay *out, const char *path,
			   struct eqt_error *err);

/* Read a half-life in Slurm's form ("7-0": seven days). 0, or -1 with err
 * filled. */
int eqt_cluster_half_life_parse(uint32_t *half_life_s, const char *text,
				struct eqt_error *err);

/* Copy the value of a key of "scontrol show config", cut to size; "" if it is
 * missing. */
void eqt_cluster_config_get(const char *text, const char *key, char *value,
			    size_t size);

#define EQT_CLUSTER_NAME 128 /* bytes of a name */

/* Ask scontrol for the cluster's name. 0, or -1 with err filled: it is missing
 * or too long. */
int eqt_cluster_name(char *name, size_t size, struct eqt_error *err);

#endif
