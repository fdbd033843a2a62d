/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_links: do the records of jobs point to associations that are there? */
#ifndef EQT_JOB_LINKS_H
#define EQT_JOB_LINKS_H

#include <stdbool.h>

/*
 * True when each job that has an association points to the record that
 * assoc_mgr has of it now. Takes slurmctld's job lock and assoc_mgr's assoc
 * and user locks for reading, and follows no such pointer.
 */
bool eqt_job_links_fit(void);

#endif
