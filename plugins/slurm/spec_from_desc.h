/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spec_from_desc: the job specification of a job description. */
#ifndef EQT_SPEC_FROM_DESC_H
#define EQT_SPEC_FROM_DESC_H

#include <slurm/slurm.h>

#include "job/job_spec.h"

/*
 * Copy the request of a description, and add the defaults of the cluster. *spec
 * borrows its strings from desc.
 */
void eqt_spec_from_desc(struct eqt_job_spec *spec, const job_desc_msg_t *desc);

#endif
