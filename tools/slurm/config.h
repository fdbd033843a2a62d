/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stock_config: Slurm's configuration as "scontrol show config" prints it. */
#ifndef EQT_SLURM_CONFIG_H
#define EQT_SLURM_CONFIG_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* What usage decays by, a plain value. */
struct eqt_scontrol_decay {
	uint32_t half_life_s; /* 0: no decay */
	char reset[32]; /* PriorityUsageResetPeriod; "" when not known */
};

/*
 * Read it from a file (NULL: from scontrol). 0, or -1 with err filled: what
 * stock_text refuses, no PriorityDecayHalfLife, one that is no time.
 */
int eqt_scontrol_decay_read(struct eqt_scontrol_decay *out, const char *path,
			    struct eqt_error *err);

/*
 * A half-life in Slurm's words of time ("7-0": seven days). 0, or -1 with err
 * filled.
 */
int eqt_scontrol_half_life_parse(uint32_t *half_life_s, const char *text,
				 struct eqt_error *err);

/* The name of the cluster, from scontrol. 0, or -1 with err filled: there is
 * none, or it does not fit. */
int eqt_scontrol_cluster_name(char *name, size_t size, struct eqt_error *err);

#endif
