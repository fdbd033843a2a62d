/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_links: check that job records point to existing associations. */
#ifndef EQT_JOB_LINKS_H
#define EQT_JOB_LINKS_H

#include <stdbool.h>

/*
 * True if each job with an association points to assoc_mgr's current record of it.
 * Takes slurmctld's job lock and assoc_mgr's assoc and user locks for reading. Does not
 * follow the pointers.
 */
bool eqt_job_links_fit(void);

#endif
