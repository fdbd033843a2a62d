/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spank_equitree: the option --bill of sbatch, salloc and srun; whether a person
 * reads what they print; and a clean place for the price in srun's environment.
 *
 * Slurm itself hands the option's value to slurmctld, where the submission
 * plugin reads it. Loaded by every client and on every node: no library is
 * needed here, and nothing runs in a job's tasks.
 */
#include <errno.h> /* program_invocation_short_name */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <slurm/spank.h>

#include "slurm/env_names.h"

SPANK_PLUGIN(equitree, 1)

#define WORDS_WANTED "expected auto, off, brief or full"

/* sbatch, salloc and srun export their options, and Slurm's library asks them by
 * name; no public header declares either. Both are weak: a client without them
 * has no --parsable that we could see. */
extern char opt[] __attribute__((weak));
extern bool slurm_option_isset(void *options, const char *name)
	__attribute__((weak));

int slurm_spank_init(spank_t spank, int argc, char **argv);
int slurm_spank_init_post_opt(spank_t spank, int argc, char **argv);

static bool bill_word_is_known(const char *word)
{
	static const char *const words[] = { "auto", "off", "brief", "full" };
	size_t i;

	for (i = 0; word && i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(word, words[i]) == 0)
			return true;
	}
	return false;
}

/* remote: the value comes from a job's environment, and is no concern here. */
static int bill_option_check(int val, const char *argument, int remote)
{
	(void) val;
	if (remote || bill_word_is_known(argument))
		return ESPANK_SUCCESS;
	slurm_error("--bill: " WORDS_WANTED);
	return ESPANK_BAD_ARG;
}

/*
 * sbatch and salloc set what slurmctld says over what the user has; srun only
 * sets what is not there. It asks slurmctld after this, for a job of its own
 * and for one that is there already.
 */
static void prices_unset(void)
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
		.arginfo = "auto|off|brief|full",
		.usage = "how much to say about the price of the job",
		.has_arg = 1,
		.cb = bill_option_check,
	};

	(void) argc;
	(void) argv;
	if (spank_context() == S_CTX_LOCAL)
		prices_unset();
	return spank_option_register(spank, &quote) == ESPANK_SUCCESS
		       ? ESPANK_SUCCESS
		       : -1;
}

/* A person reads standard error, and no program the output. */
static bool client_has_reader(void)
{
	if (!isatty(STDERR_FILENO))
		return false;
	return !opt || !slurm_option_isset ||
	       !slurm_option_isset(opt, "parsable");
}

/* The word of a variable into *word, unless it is not there or unknown, which is
 * an error that stops no job. */
static void bill_variable_read(const char **word, const char *name)
{
	const char *value = getenv(name);

	if (!value || value[0] == '\0')
		return;
	if (bill_word_is_known(value))
		*word = value;
	else
		slurm_error("%s: " WORDS_WANTED, name);
}

/* A site may call the real one sbatch.real, and wrap it. */
static bool client_is_sbatch(void)
{
	return strncmp(program_invocation_short_name, "sbatch", 6) == 0;
}

/* For each component of a heterogeneous job again. What fails is not sent: then
 * slurmctld decides as without this plugin. */
int slurm_spank_init_post_opt(spank_t spank, int argc, char **argv)
{
	const char *word = NULL;

	(void) argc;
	(void) argv;
	if (spank_context() != S_CTX_LOCAL &&
	    spank_context() != S_CTX_ALLOCATOR)
		return ESPANK_SUCCESS;
	bill_variable_read(&word, EQT_USER_BILL);
	if (client_is_sbatch())
		bill_variable_read(&word, EQT_USER_SBATCH_BILL);
	if (word)
		(void) spank_job_control_setenv(spank, EQT_SENT_BILL, word, 1);
	else
		(void) spank_job_control_unsetenv(spank, EQT_SENT_BILL);
	(void) spank_job_control_setenv(spank, EQT_SENT_TERMINAL,
					client_has_reader() ? "yes" : "no", 1);
	return ESPANK_SUCCESS;
}
