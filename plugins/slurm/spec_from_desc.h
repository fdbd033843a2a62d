/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ask_from_desc: a job description of Slurm in the core's words. */
#ifndef EQT_SPEC_FROM_DESC_H
#define EQT_SPEC_FROM_DESC_H

#include <slurm/slurm.h>

#include "price/job_spec.h"
#include "conf/conf.h"

/*
 * Copy what a description asks for, and the defaults of the cluster. The
 * strings of *ask are borrowed from desc.
 */
void eqt_spec_from_desc(struct eqt_job_spec *spec, const job_desc_msg_t *desc);

/*
 * What the user said with --bill, else fallback. The value is the user's: any
 * word that is none of the three is passed over.
 */
enum eqt_message eqt_spec_message_from_desc(const job_desc_msg_t *desc,
					    enum eqt_message fallback);

#endif
