/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spank_equitree: the option --bill of sbatch, salloc and srun, and a clean
 * place for the price in srun's environment.
 *
 * Slurm itself hands the option's value to slurmctld, where the submission
 * plugin reads it. Loaded by every client and on every node: no library is
 * needed here, and nothing runs in a job's tasks.
 */
#include <stdlib.h>
#include <string.h>

#include <slurm/spank.h>

#include "slurm/env_names.h"

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

/*
 * sbatch and salloc set what slurmctld says over what the user has; srun only
 * sets what is not there. It asks slurmctld after this, for a job of its own
 * and for one that is there already.
 */
static void forget_prices(void)
{
	static const char *const names[] = { EQT_ENV_NAMES };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		(void) unsetenv(names[i]);
}

int slurm_spank_init(spank_t spank, int argc, char **argv)
{
	struct spank_option quote = {
		.name = "bill",
		.arginfo = "off|brief|full",
		.usage = "how much to say about the price of the job",
		.has_arg = 1,
		.cb = check_bill,
	};

	(void) argc;
	(void) argv;
	if (spank_context() == S_CTX_LOCAL)
		forget_prices();
	return spank_option_register(spank, &quote) == ESPANK_SUCCESS
		       ? ESPANK_SUCCESS
		       : -1;
}
