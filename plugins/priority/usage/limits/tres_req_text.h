/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tres_req_text: set the billing in a job's requested TRES, and in the two texts that
 * slurmctld keeps of them ("1=2,2=4096,4=1,5=2" and "cpu=2,mem=4G,node=1,billing=2").
 *
 * slurmctld formats both texts again when one count changes; that was three quarters of
 * the cost of a job's first priority. Here only the one number is replaced, if the texts
 * have all counts; otherwise slurmctld's function is called.
 */
#ifndef EQT_TRES_REQ_TEXT_H
#define EQT_TRES_REQ_TEXT_H

#include <stdint.h>

#include "slurm/compat.h"

/*
 * Set the billing of a job (which has tres_req_cnt) in its counts and in their texts, with
 * the same result as set_job_tres_req_str(). May allocate.
 * Locks: slurmctld's jobs for writing, assoc_mgr's TRES for reading.
 */
void eqt_tres_req_text_set_billing(job_record_t *job, uint64_t billing);

#endif
