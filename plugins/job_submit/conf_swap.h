/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reload: the configuration in force, the only state that submissions share.
 *
 * Slurm does not tell a submission plugin of a reconfigure; each submission
 * compares the time of slurm.conf's last reading with the one it saw before.
 */
#ifndef EQT_CONF_SWAP_H
#define EQT_CONF_SWAP_H

#include <stdint.h>

#include "conf/conf.h"
#include "base/error.h"
#ifdef EQT_HAVE_INTERNAL
#include "slurm/node_sets.h"
#endif

/* One configuration and who uses it; others only read conf. */
struct eqt_shared_conf {
	const struct eqt_conf *conf; /* owned */
#ifdef EQT_HAVE_INTERNAL
	struct eqt_node_sets nodes; /* owned; that its bundles name */
#endif
	uint32_t references; /* reload.c only */
};

/* Read equitree.conf for the first time. 0, or -1 with err filled. */
int eqt_conf_swap_init(struct eqt_error *err);

/*
 * A reference to the configuration in force, after a reconfigure the new one.
 * If that cannot be read, one line in the log says so and the old one stays.
 * NULL before eqt_conf_swap_init(). Give it back with eqt_conf_swap_put(). Slurm's
 * conf lock is held for reading; several threads may call at once.
 */
const struct eqt_shared_conf *eqt_conf_swap_get(void);
void eqt_conf_swap_put(const struct eqt_shared_conf *shared);

/* Drop the configuration in force (at fini). */
void eqt_conf_swap_fini(void);

#endif
