/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tres_req_text: the billing among the counts that a job asks for, and in the two texts
 * that slurmctld keeps of them ("1=2,2=4096,4=1,5=2" and
 * "cpu=2,mem=4G,node=1,billing=2").
 *
 * slurmctld formats both again when one count changes, which was three quarters of
 * the cost of a first priority. Here the one number is replaced, if the texts have
 * all counts; anything else is left to slurmctld.
 */
#ifndef EQT_TRES_REQ_TEXT_H
#define EQT_TRES_REQ_TEXT_H

#include <stdint.h>

#include "slurm/compat.h"

/*
 * Give a job (with tres_req_cnt) that billing in its counts and in their texts,
 * which are then as set_job_tres_req_str() makes them. May allocate.
 * Locks: slurmctld's jobs for writing, assoc_mgr's TRES for reading.
 */
void eqt_tres_req_text_set_billing(job_record_t *job, uint64_t billing);

#endif
