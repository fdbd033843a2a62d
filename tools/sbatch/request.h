/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request: how each option of sbatch changes a request. */
#ifndef EQT_SBATCH_REQUEST_H
#define EQT_SBATCH_REQUEST_H

#include <argp.h>

#include "sbatch/rules.h"
#include "sbatch/script.h"
#include "cli/options.h"

struct eqt_sbatch_options;
struct eqt_sbatch_command;

/* Keys of the options without a letter. */
enum {
	KEY_MEM = 256,
	KEY_MEM_PER_CPU,
	KEY_MEM_PER_GPU,
	KEY_GRES,
	KEY_GPUS_PER_NODE,
	KEY_GPUS_PER_SOCKET,
	KEY_GPUS_PER_TASK,
	KEY_CPUS_PER_GPU,
	KEY_TASKS_PER_NODE,
	KEY_TASKS_PER_GPU,
	KEY_SOCKETS_PER_NODE,
	KEY_TASKS_PER_SOCKET,
	KEY_GRES_FLAGS,
	KEY_MINCPUS,
	KEY_EXCLUSIVE,
	KEY_CORE_SPEC = 'S',
	KEY_THREAD_SPEC = KEY_EXCLUSIVE + 1,
	KEY_NTASKS_PER_CORE,
	KEY_THREADS_PER_CORE,
	KEY_HINT,
	KEY_TRES_PER_TASK,
	KEY_CORES_PER_SOCKET,
	KEY_SPREAD_JOB,
	KEY_CONTIGUOUS,
	KEY_PREFER,
	KEY_IGNORE_PBS,
	KEY_RESERVATION
};

/* The state of argp while it parses words of the command line or of the script. */
struct parsing {
	struct eqt_sbatch_options *options;
	const struct eqt_sbatch_command *command;
	bool own_taken; /* the command's own options and words were stored */
	struct eqt_sbatch_component *into;
	struct eqt_sbatch_component all; /* all options of the command line */
	const struct eqt_script *script; /* the script whose words are parsed */
	const struct eqt_script_word
		*words; /* NULL: words of the command line */
	size_t begin[EQT_SCRIPT_COMPONENTS_MAX +
		     1]; /* where each component begins in argv */
	int components;
	bool ignore_foreign; /* --ignore-pbs was given */
	struct eqt_error *err; /* for errors of the script */
	/* options of this command, which a script must not have */
	struct eqt_output_options ignored;
	/* options that do not change a price */
	const struct argp_option *known;
};

/* Report an error. On the command line this ends the program. In a script the error names
 * the line of the wrong word. Returns EINVAL. */
error_t eqt_sbatch_error(struct argp_state *state, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Take an option of sbatch that changes the price. Returns 0, EINVAL after
 * eqt_sbatch_error(), or ARGP_ERR_UNKNOWN. */
error_t eqt_sbatch_take(struct argp_state *state, int key, const char *arg);

/* Join --gres and --gpus-per-node, which Slurm reads as one list. Must be called after
 * the last option. Returns 0, or EINVAL. */
error_t eqt_sbatch_join_lists(struct argp_state *state);

#endif
