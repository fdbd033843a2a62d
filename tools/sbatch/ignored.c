/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A script is priced as it would be submitted, so options that do not matter
 * must be known as well: whether they take a value decides which word is the
 * next option.
 */
#include <stddef.h>

#include "sbatch/ignored.h"

enum { KEY_IGNORED = 1 << 12 };

static const struct argp_option options_table[] = {
	{ "acctg-freq", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "batch", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "bb", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "bbf", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "bell", KEY_IGNORED, NULL, OPTION_HIDDEN, NULL, 0 },
	{ "bill", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "chdir", 'D', "X", OPTION_HIDDEN, NULL, 0 },
	{ "cluster", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "cluster-constraint", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "clusters", 'M', "X", OPTION_HIDDEN, NULL, 0 },
	{ "comment", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "consolidate-segments", KEY_IGNORED, NULL, OPTION_HIDDEN, NULL, 0 },
	{ "container", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "container-id", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "context", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "contiguous", KEY_IGNORED, NULL, OPTION_HIDDEN, NULL, 0 },
	{ "cpu-freq", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "cpus-per-tres", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "deadline", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "delay-boot", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "dependency", 'd', "X", OPTION_HIDDEN, NULL, 0 },
	{ "distribution", 'm', "X", OPTION_HIDDEN, NULL, 0 },
	{ "error", 'e', "X", OPTION_HIDDEN, NULL, 0 },
	{ "export", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "export-file", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "external-launcher", KEY_IGNORED, NULL, OPTION_HIDDEN, NULL, 0 },
	{ "extra", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "get-user-env", KEY_IGNORED, "X", OPTION_HIDDEN | OPTION_ARG_OPTIONAL,
	  NULL, 0 },
	{ "gid", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "gpu-bind", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "gpu-freq", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "hold", 'H', NULL, OPTION_HIDDEN, NULL, 0 },
	{ "input", 'i', "X", OPTION_HIDDEN, NULL, 0 },
	{ "job-name", 'J', "X", OPTION_HIDDEN, NULL, 0 },
	{ "kill-on-invalid-dep", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "mail-type", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "mail-user", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "mcs-label", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "mem-bind", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "network", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "nice", KEY_IGNORED, "X", OPTION_HIDDEN | OPTION_ARG_OPTIONAL, NULL,
	  0 },
	{ "no-bell", KEY_IGNORED, NULL, OPTION_HIDDEN, NULL, 0 },
	{ "no-kill", 'k', "X", OPTION_HIDDEN | OPTION_ARG_OPTIONAL, NULL, 0 },
	{ "no-requeue", KEY_IGNORED, NULL, OPTION_HIDDEN, NULL, 0 },
	{ "nodefile", 'F', "X", OPTION_HIDDEN, NULL, 0 },
	{ "ntasks-per-tres", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "open-mode", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "output", 'o', "X", OPTION_HIDDEN, NULL, 0 },
	{ "oversubscribe", 's', NULL, OPTION_HIDDEN, NULL, 0 },
	{ "parsable", KEY_IGNORED, NULL, OPTION_HIDDEN, NULL, 0 },
	{ "power", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "prefer", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "priority", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "profile", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "propagate", KEY_IGNORED, "X", OPTION_HIDDEN | OPTION_ARG_OPTIONAL,
	  NULL, 0 },
	{ "quiet", 'Q', NULL, OPTION_HIDDEN, NULL, 0 },
	{ "reboot", KEY_IGNORED, NULL, OPTION_HIDDEN, NULL, 0 },
	{ "requeue", KEY_IGNORED, NULL, OPTION_HIDDEN, NULL, 0 },
	{ "resv-ports", KEY_IGNORED, "X", OPTION_HIDDEN | OPTION_ARG_OPTIONAL,
	  NULL, 0 },
	{ "segment", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "share", KEY_IGNORED, NULL, OPTION_HIDDEN, NULL, 0 },
	{ "shared", KEY_IGNORED, NULL, OPTION_HIDDEN, NULL, 0 },
	{ "signal", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "spread-segments", KEY_IGNORED, NULL, OPTION_HIDDEN, NULL, 0 },
	{ "stepmgr", KEY_IGNORED, NULL, OPTION_HIDDEN, NULL, 0 },
	{ "switches", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "test-only", KEY_IGNORED, NULL, OPTION_HIDDEN, NULL, 0 },
	{ "time-min", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "tmp", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "tres-bind", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "uid", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "use-min-nodes", KEY_IGNORED, NULL, OPTION_HIDDEN, NULL, 0 },
	{ "verbose", 'v', NULL, OPTION_HIDDEN, NULL, 0 },
	{ "wait", 'W', NULL, OPTION_HIDDEN, NULL, 0 },
	{ "wait-all-nodes", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "wckey", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "workdir", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ "wrap", KEY_IGNORED, "X", OPTION_HIDDEN, NULL, 0 },
	{ 0 }
};

/* A callback of argp: known and without effect on a price. Values are not looked at. */
static error_t ignored_option_parse(int key, char *arg,
				    struct argp_state *state)
{
	const struct argp_option *option;

	(void) arg;
	(void) state;
	for (option = options_table; option->name; option++) {
		if (option->key == key)
			return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

const struct argp eqt_sbatch_ignored = {
	options_table, ignored_option_parse, NULL, NULL, NULL, NULL, NULL
};
