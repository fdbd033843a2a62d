/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * database: what a priority plugin itself sends to slurmdbd: the record of a
 * job whose billing it has corrected.
 */
#ifndef EQT_HOST_DATABASE_H
#define EQT_HOST_DATABASE_H

#include "../../plugins/slurm/compat.h"

/* The TRES that the plugin sent last for the job with this record, such as
 * "1=4,5=2"; NULL if it has sent none. */
const char *database_told(const job_record_t *job);

#endif
