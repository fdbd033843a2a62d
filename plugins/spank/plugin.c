/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spank_equitree: adds the option --bill to sbatch, salloc and srun, and
 * reports whether their output goes to a terminal. It removes old prices from
 * srun's environment, and ends the output of batch jobs with their cost if the
 * site asks for that.
 *
 * Slurm sends the value of the option to slurmctld, where the submission plugin
 * reads it. Every client and every node loads this plugin, so it uses no
 * library. The arguments of the hooks are those of its line in plugstack.conf.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <slurm/spank.h>

#include "end_note.h"
#include "slurm/env_names.h"

SPANK_PLUGIN(equitree, 1)

#define WORDS_WANTED "expected auto, off, brief or full"

/* sbatch, salloc and srun export their options as opt, and libslurm can test an
 * option by its name. No public header declares the two symbols. Both are weak,
 * because other clients do not have them. */
extern char opt[] __attribute__((weak));
extern bool slurm_option_isset(void *options, const char *name)
	__attribute__((weak));

int slurm_spank_init(spank_t spank, int argc, char **argv);
int slurm_spank_init_post_opt(spank_t spank, int argc, char **argv);
int slurm_spank_user_init(spank_t spank, int argc, char **argv);
int slurm_spank_task_init(spank_t spank, int argc, char **argv);
int slurm_spank_task_exit(spank_t spank, int argc, char **argv);

/* Does the site want the line at the end of a job's output? */
static bool job_end_note;

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

/* Check the argument of --bill. If `remote` is set, the argument comes from a
 * job's environment and the client has checked it. */
static int bill_option_check(int val, const char *argument, int remote)
{
	(void) val;
	if (remote || bill_word_is_known(argument))
		return ESPANK_SUCCESS;
	slurm_error("--bill: " WORDS_WANTED);
	return ESPANK_BAD_ARG;
}

/*
 * Remove old prices from the environment.
 *
 * sbatch and salloc overwrite the user's environment with slurmctld's
 * variables, but srun only adds missing variables. Without this function, srun
 * in a shell with old prices would keep them. srun calls slurmctld later, for a
 * new job as well as for an existing one.
 */
static void prices_unset(void)
{
	static const char *const names[] = { EQT_ENV_NAMES };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		(void) unsetenv(names[i]);
}

/* Read the arguments of plugstack.conf. An unknown argument is logged, and
 * stops neither a submission nor a job. */
static void arguments_read(int argc, char **argv)
{
	int i;

	job_end_note = false;
	for (i = 0; i < argc; i++) {
		if (strcmp(argv[i], "job_end_note") == 0)
			job_end_note = true;
		else
			slurm_error("plugstack.conf: spank_equitree.so: "
				    "unknown argument \"%s\"",
				    argv[i]);
	}
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

	arguments_read(argc, argv);
	if (spank_context() == S_CTX_LOCAL)
		prices_unset();
	return spank_option_register(spank, &quote) == ESPANK_SUCCESS
		       ? ESPANK_SUCCESS
		       : -1;
}

/* Is standard error a terminal, and is the output not meant for a program? */
static bool client_has_reader(void)
{
	if (!isatty(STDERR_FILENO))
		return false;
	return !opt || !slurm_option_isset ||
	       !slurm_option_isset(opt, "parsable");
}

/* Set *word to the value of a variable, if it is set. An unknown value is
 * logged as an error but does not stop the job. */
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

/* Is this sbatch? Only the beginning of the name is compared, because a site
 * may have a wrapper and name the real program sbatch.real. */
static bool client_is_sbatch(void)
{
	return strncmp(program_invocation_short_name, "sbatch", 6) == 0;
}

/* Slurm calls this hook for each component of a heterogeneous job. Errors are
 * ignored: slurmctld then decides as if this plugin were not loaded. */
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

/* Slurm calls this hook in slurmstepd before it forks. */
int slurm_spank_user_init(spank_t spank, int argc, char **argv)
{
	(void) argc;
	(void) argv;
	if (job_end_note)
		end_note_begin(spank);
	return ESPANK_SUCCESS;
}

/* Slurm calls this hook in the process that becomes the script, before exec. */
int slurm_spank_task_init(spank_t spank, int argc, char **argv)
{
	(void) spank;
	(void) argc;
	(void) argv;
	end_note_send();
	return ESPANK_SUCCESS;
}

int slurm_spank_task_exit(spank_t spank, int argc, char **argv)
{
	(void) argc;
	(void) argv;
	end_note_write(spank);
	return ESPANK_SUCCESS;
}
