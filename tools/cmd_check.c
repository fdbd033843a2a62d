/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree check: what equitree.conf was understood to say. */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"
#include "conf_path.h"

static const struct argp_option options[] = {
	{ "file", 'f', "FILE", 0,
	  "the file to read instead of the "
	  "equitree.conf beside slurm.conf",
	  0 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	const char **path = state->input;

	if (key == 'f')
		*path = arg;
	else if (key == ARGP_KEY_ARG)
		argp_error(state, "unexpected argument \"%s\"", arg);
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

/* A number of millionths into a column of the table. */
static void print_micro(uint64_t value_u, const char *unit)
{
	char number[EQT_FRAC_TEXT], cell[EQT_FRAC_TEXT + 8];
	struct eqt_frac value = EQT_FRAC_ZERO;

	(void) eqt_frac_make(&value, value_u, EQT_MICRO);
	(void) snprintf(cell, sizeof(cell), "%s%s",
			eqt_frac_text(value, number, sizeof(number)), unit);
	printf(" %12s", cell);
}

static void print_bundle(const struct eqt_bundle *bundle)
{
	printf("%-20s", bundle->name);
	print_micro(bundle->cores_u, "");
	if (bundle->mem_mib_u)
		print_micro(bundle->mem_mib_u, "M");
	else
		printf(" %12s", "not counted");
	print_micro(bundle->weight_u, "");
	putchar('\n');
}

static void print_conf(const struct eqt_conf *conf)
{
	static const char *const messages[] = {
		[EQT_MESSAGE_OFF] = "off",
		[EQT_MESSAGE_BRIEF] = "brief",
		[EQT_MESSAGE_FULL] = "full",
	};
	static const char *const roundings[] = {
		[EQT_ROUND_FLOOR] = "floor",
		[EQT_ROUND_NEAREST] = "nearest",
		[EQT_ROUND_CEIL] = "ceil",
	};
	uint32_t i;

	printf("%-20s %12s %12s %12s\n", "BUNDLE", "CORES", "MEMORY", "WEIGHT");
	print_bundle(&conf->prices.cores);
	for (i = 0; i < conf->prices.gpu_count; i++)
		print_bundle(&conf->prices.gpu[i]);
	printf("\nmessage        %s\n", messages[conf->message]);
	printf("billing_scale  %" PRIu64 "\n", conf->billing_scale);
	printf("billing_round  %s\n", roundings[conf->billing_round]);
}

int cmd_check(int argc, char **argv)
{
	static const struct argp argp = {
		options,
		parse,
		NULL,
		"Read equitree.conf and print what it says as a table.",
		NULL,
		NULL,
		NULL
	};
	const struct eqt_conf *conf;
	const char *path = NULL;

	if (argp_parse(&argp, argc, argv, 0, NULL, &path) != 0)
		return EXIT_MISUSE;
	conf = eqt_conf_open(path);
	if (!conf)
		return EXIT_FAILURE;
	print_conf(conf);
	eqt_conf_free(conf);
	return EXIT_SUCCESS;
}
