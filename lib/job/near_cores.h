/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * near_cores: the nodes of a job whose tasks run on the sockets of its GPUs.
 *
 * gres.conf may say which cores are near a GPU (Cores=). slurmctld first tries to place
 * a job on the sockets whose GPUs it takes, and leaves out the cores of the others
 * (gres_select_filter_sock_core()). If there are enough nodes, the job gets more nodes
 * than it needs; only if there are not, it gets cores of all sockets.
 */
#ifndef EQT_NEAR_CORES_H
#define EQT_NEAR_CORES_H

#include <stdint.h>

#include "job/node_offer.h"

/* Return the CPUs of a node that are near the GPUs which the job takes there. All CPUs
 * of the node count if GPUs are not bound to sockets. `asked` has the GRES that the
 * request names, or is NULL. */
uint64_t eqt_near_cores_cpus(const struct eqt_job_spec *spec,
			     const struct eqt_gres_rows *asked,
			     const struct eqt_node_offer *node);

/*
 * Return the number of nodes that a job needs if its tasks run on the cores near its
 * GPUs alone. Return `nodes`, the number that it needs with all cores, if that makes no
 * difference.
 */
uint64_t eqt_near_cores_nodes(const struct eqt_job_spec *spec,
			      const struct eqt_job_totals *totals,
			      const struct eqt_gres_rows *asked,
			      const struct eqt_node_offer *node,
			      uint64_t nodes);

#endif
