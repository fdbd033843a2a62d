/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request: a job that is not submitted, in sbatch's words, as the simulation takes it. */
#ifndef EQT_WHEN_REQUEST_H
#define EQT_WHEN_REQUEST_H

#include "forecast/scene.h"
#include "sbatch/component.h"

/* Count a request as slurmctld would, with the defaults of the cluster, its partition
 * (of several the first) and the user's associations. user: NULL for who asks. 0, or -1
 * with err filled: no partition, what sbatch or slurmctld would refuse, GPUs of several
 * models. */
int eqt_when_request_make(struct eqt_scene_request *out,
			  struct eqt_scene *scene,
			  const struct eqt_sbatch_component *given,
			  const char *user, struct eqt_error *err);

#endif
