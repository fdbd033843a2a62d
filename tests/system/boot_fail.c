/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * boot_fail JOB: report that the nodes of a job could not be prepared. A ResumeProgram
 * may do so (contribs/cray of Slurm does), and slurmctld has no other way to BOOT_FAIL.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../compat/load_job.h"

int main(int argc, char **argv)
{
	if (argc != 2) {
		fputs("usage: boot_fail JOB\n", stderr);
		return 2;
	}
	/* Later releases need it; earlier ones ignore it. */
	slurm_init(NULL);
	/* slurmctld answers with an error for a job that it does not requeue, and ends
	   it. The test looks at the job. */
	(void) eqt_requeue_job((uint32_t) strtoul(argv[1], NULL, 10),
			       JOB_RECONFIG_FAIL);
	return 0;
}
