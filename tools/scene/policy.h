/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy: how jobs are ordered and charged, from slurm.conf or from slurmctld's
 * configuration, and from an equitree.conf. */
#ifndef EQT_SCENE_POLICY_H
#define EQT_SCENE_POLICY_H

#include "sim/policy.h"
#include "slurm/conf/slurm_conf.h"

/* Owns its memory; {0} is empty. */
struct eqt_scene_policy {
	char name[64];
	struct eqt_simulation_policy policy;
	bool tolerant; /* set before reading: ignore what cannot be simulated */
	bool enforces; /* limits are enforced */
	/* PriorityWeightTRES has weights that are not simulated */
	bool tres_left;
	/* names of keys that are not simulated, or "" */
	char notes[EQT_ERROR_SIZE];
};

/* Read [NAME=]SLURM.CONF[,EQUITREE.CONF]. Returns 0, or -1 with err filled. */
int eqt_scene_policy_read(struct eqt_scene_policy *out, const char *text,
			  struct eqt_error *err);

/* Read the keys of slurm.conf, with Slurm's defaults. Returns 0, or -1 with err filled if
 * a value is invalid or if the site uses classic fair share. */
int eqt_scene_policy_take(struct eqt_scene_policy *out,
			  const struct eqt_slurmconf *conf,
			  struct eqt_error *err);

/* Set the equitree.conf of a policy. The policy then owns the configuration. */
void eqt_scene_policy_set_conf(struct eqt_scene_policy *policy,
			       const struct eqt_conf *conf);

/* Free the configuration, which is all that a policy owns. */
void eqt_scene_policy_free(struct eqt_scene_policy *policy);

/* The path of slurm.conf in such a text, which the caller frees. *equitree_conf, unless
 * equitree_conf is NULL, is set to the other path within the same memory, or to NULL. */
char *eqt_scene_policy_paths(const char *text, const char **equitree_conf);

#endif
