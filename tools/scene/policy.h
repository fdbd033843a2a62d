/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy: how jobs are ordered and charged: slurm.conf, or what slurmctld has of it, and
 * an equitree.conf. */
#ifndef EQT_SCENE_POLICY_H
#define EQT_SCENE_POLICY_H

#include "sim/policy.h"
#include "slurm/conf/slurm_conf.h"

/* Owns its memory; {0} is empty. */
struct eqt_scene_policy {
	char name[64];
	struct eqt_simulation_policy policy;
	bool tolerant; /* set before: what cannot be simulated is no error */
	bool enforces; /* limits count */
	bool tres_left; /* PriorityWeightTRES has weights that are not simulated */
	char notes[EQT_ERROR_SIZE]; /* keys that are not simulated, or "" */
};

/* Read [NAME=]SLURM.CONF[,EQUITREE.CONF]. Returns 0, or -1 with err filled. */
int eqt_scene_policy_read(struct eqt_scene_policy *out, const char *text,
			  struct eqt_error *err);

/* Take what slurm.conf says, with Slurm's defaults. Returns 0, or -1 with err filled.
 * Possible errors: a value that is none, classic fair share. */
int eqt_scene_policy_take(struct eqt_scene_policy *out,
			  const struct eqt_slurmconf *conf,
			  struct eqt_error *err);

/* Give it an equitree.conf, which it owns. */
void eqt_scene_policy_set_conf(struct eqt_scene_policy *policy,
			       const struct eqt_conf *conf);

/* Free the configuration, which is all that a policy owns. */
void eqt_scene_policy_free(struct eqt_scene_policy *policy);

/* The path of slurm.conf in such a text, which the caller frees;
 * *equitree_conf (unless NULL) becomes the other path, within the same memory, or NULL. */
char *eqt_scene_policy_paths(const char *text, const char **equitree_conf);

#endif
