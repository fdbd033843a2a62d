/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The operator's command: a table of subcommands. A subcommand is a folder beside this
 * file with a cmd.c; nothing is shared by including another one's header. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/spelling.h"
#include "cli/cmd.h"
#include "cli/terminal.h"

static const struct command {
	const char *name;
	char *title; /* argv[0] of the subcommand, for its messages */
	int (*run)(int argc, char **argv);
	const char *summary;
} commands[] = {
	{ "bill", "equitree bill", cmd_bill,
	  "price a request without submitting it" },
	{ "check", "equitree check", cmd_check,
	  "report what is wrong or unwise in equitree.conf and slurm.conf" },
	{ "init", "equitree init", cmd_init,
	  "write a first equitree.conf from slurm.conf" },
	{ "tree", "equitree tree", cmd_tree,
	  "show the share tree and its ranks, also with other shares" },
	{ "when", "equitree when", cmd_when, "forecast when jobs will start" },
	{ "why", "equitree why", cmd_why,
	  "explain why a job waits, and who goes first" },
	{ "recover", "equitree recover", cmd_recover,
	  "show when an overdrawn share will be back" },
	{ "simulate", "equitree simulate", cmd_simulate,
	  "simulate a workload under other weights, prices and shares" },
	{ "tune", "equitree tune", cmd_tune,
	  "search weights that meet aims, by simulating past jobs" },
	{ "overhead", "equitree overhead", cmd_overhead,
	  "count the units that nodes have free" },
	{ "usage", "equitree usage", cmd_usage,
	  "show core-years and GPU-years of an allocation year" },
	{ "report", "equitree report", cmd_report,
	  "write web pages of the cluster, accounts and users" },
	{ "metrics", "equitree metrics", cmd_metrics,
	  "write OpenMetrics text for a textfile collector" },
	{ "boost", "equitree boost", cmd_boost,
	  "raise shares until a date, and restore them" },
	{ "shares", "equitree shares", cmd_shares,
	  "make the share tree what a CSV file says" },
	{ "budget", "equitree budget", cmd_budget,
	  "grant budgets, show them and change them" },
	{ "leave", "equitree leave", cmd_leave,
	  "check whether Slurm's own priority plugin can take over" },
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

/* A line for each row of the table. */
static void print_usage(FILE *stream)
{
	fprintf(stream, "usage: equitree COMMAND [OPTION...]\n"
			"       equitree --help | --version\n\n");
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(stream, "  %-10s %s\n", commands[i].name,
			commands[i].summary);
	fprintf(stream,
		"\nequitree COMMAND --help lists the options of a command.\n");
}

/* Whole names only: an abbreviation could become ambiguous with the next release. */
static const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++) {
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	}
	return NULL;
}

/* A misspelled one gets the nearest; otherwise all are listed. */
static void command_print_unknown(const char *name)
{
	struct eqt_spelling spelling = { .word = name, .length = strlen(name) };

	for (size_t i = 0; i < COMMANDS; i++)
		eqt_spelling_try(&spelling, commands[i].name);
	fprintf(stderr, "equitree: unknown command \"%s\"", name);
	if (spelling.nearest) {
		fprintf(stderr, ", did you mean \"%s\"?\n", spelling.nearest);
		return;
	}
	fputc('\n', stderr);
	print_usage(stderr);
}

/* Output that could not be written (full disk, closed pipe) is a failure. */
static int command_finish(const struct command *command, int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	fprintf(stderr, "%s: cannot write to stdout\n", command->title);
	return EXIT_FAILURE;
}

/* Texts of Slurm's may hold what users typed: eqt_terminal_guard() keeps control
 * characters from the terminal. */
int main(int argc, char **argv)
{
	const struct command *command;

	eqt_terminal_guard();
	argp_err_exit_status = EXIT_MISUSE;
	if (argc < 2) {
		print_usage(stderr);
		return EXIT_MISUSE;
	}
	if (strcmp(argv[1], "--help") == 0) {
		print_usage(stdout);
		return EXIT_SUCCESS;
	}
	if (strcmp(argv[1], "--version") == 0) {
		printf("equitree %s\n", EQT_VERSION);
		return EXIT_SUCCESS;
	}
	command = command_find(argv[1]);
	if (!command) {
		command_print_unknown(argv[1]);
		return EXIT_MISUSE;
	}
	argv[1] = command->title;
	return command_finish(command, command->run(argc - 1, argv + 1));
}
