/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * database: what a priority plugin sends to slurmdbd of its own accord, which
 * is the record of a job whose billing it has put right.
 */
#ifndef EQT_HOST_DATABASE_H
#define EQT_HOST_DATABASE_H

#include "../../plugins/slurm/compat.h"

/* The TRES that were sent last for the job with this record, "1=4,5=2"; NULL
 * when the plugin has sent none. */
const char *database_told(const job_record_t *job);

#endif
