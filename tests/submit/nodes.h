/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes: the price of a submission follows what the nodes have. */
#ifndef EQT_SUBMIT_NODES_H
#define EQT_SUBMIT_NODES_H

#include "../../plugins/common/slurm_compat.h"

/* The plugin's job_submit(). */
typedef int submit_call(job_desc_msg_t *desc, uint32_t uid, char **err_msg);

/*
 * Change the GPUs and features of nodes and the nodes of a partition from one
 * submission to the next, and look what each is told. What differs ends the
 * program; afterwards the stage is as it was, but for the node's texts. Nobody
 * else submits meanwhile.
 */
void nodes_check(submit_call *submit);

#endif
