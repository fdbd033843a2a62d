/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spank_equitree: the option --bill of sbatch, salloc and srun.
 *
 * Slurm itself hands the option's value to slurmctld, where the submission
 * plugin reads it. Loaded by every client and on every node: no library is
 * needed here, and nothing runs in a job's tasks.
 */
#include <string.h>

#include <slurm/spank.h>

SPANK_PLUGIN(equitree, 1)

int slurm_spank_init(spank_t spank, int argc, char **argv);

/* remote: the value comes from a job's environment, and is no concern here. */
static int check_bill(int val, const char *optarg, int remote)
{
	static const char *const words[] = { "off", "brief", "full" };
	size_t i;

	(void) val;
	if (remote)
		return ESPANK_SUCCESS;
	for (i = 0; optarg && i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(optarg, words[i]) == 0)
			return ESPANK_SUCCESS;
	}
	slurm_error("--bill: wanted is off, brief or full");
	return ESPANK_BAD_ARG;
}

int slurm_spank_init(spank_t spank, int argc, char **argv)
{
	struct spank_option bill = {
		.name = "bill",
		.arginfo = "off|brief|full",
		.usage = "how much to say about the price of the job",
		.has_arg = 1,
		.cb = check_bill,
	};

	(void) argc;
	(void) argv;
	return spank_option_register(spank, &bill) == ESPANK_SUCCESS
		       ? ESPANK_SUCCESS
		       : -1;
}
