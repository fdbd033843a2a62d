/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The operator's command: a table of subcommands. Each subcommand has a folder next to
 * this file, with a cmd.c. */
#define _GNU_SOURCE /* for fopencookie() */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/spelling.h"
#include "base/text.h"
#include "cli/cmd.h"
#include "cli/remote.h"
#include "cli/atomic_file.h"

/* ---- Terminal -----------------------------------------------------------------------
 * Slurm's texts may hold what users typed. Such text must not control an operator's
 * terminal. */

#define ESCAPE_SIZE 12 /* "\u202e" and its NUL, with room to spare */

/* A stream on its way to a terminal. */
struct guard {
	int fd;
	/* bytes of a character that the stream's buffer has split */
	unsigned char pending[4];
	size_t count;
};

static struct guard guards[] = { { .fd = STDOUT_FILENO },
				 { .fd = STDERR_FILENO } };

/* The number of bytes of a UTF-8 character, from its first byte. 0 if no character begins
 * with this byte. */
static size_t sequence_length(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/* Does a character control a terminal, or change the direction of the text around it? */
static bool code_is_unsafe(uint32_t code)
{
	return (code >= 0x80 && code < 0xa0) || code == 0x61c ||
	       code == 0x200e || code == 0x200f ||
	       (code >= 0x2028 && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069);
}

static size_t pending_escape_bytes(struct guard *guard, char *out)
{
	size_t used = 0, i;

	for (i = 0; i < guard->count; i++)
		used += (size_t) snprintf(out + used, ESCAPE_SIZE, "\\x%02x",
					  guard->pending[i]);
	guard->count = 0;
	return used;
}

/* Write the pending bytes to out. Their number is the one that the first byte
 * announces. If the character has a shorter encoding, escape it, because some terminals
 * would accept the longer encoding. */
static size_t pending_take(struct guard *guard, char *out)
{
	const size_t length = guard->count;
	char text[sizeof(guard->pending) + 1] = "";
	uint32_t code;

	memcpy(text, guard->pending, length);
	if (eqt_text_utf8(&code, text) != length)
		return pending_escape_bytes(guard, out);
	guard->count = 0;
	if (code_is_unsafe(code))
		return (size_t) snprintf(out, ESCAPE_SIZE, "\\u%04x", code);
	memcpy(out, text, length);
	return length;
}

/* Add a byte, and write to out what it completes. Returns the length. */
static size_t guard_take_byte(struct guard *guard, unsigned char byte,
			      char *out)
{
	size_t used = 0;

	if (guard->count > 0 && (byte & 0xc0) != 0x80)
		used = pending_escape_bytes(guard, out);
	guard->pending[guard->count++] = byte;
	if (sequence_length(guard->pending[0]) == 0)
		return used + pending_escape_bytes(guard, out + used);
	if (guard->count == sequence_length(guard->pending[0]))
		used += pending_take(guard, out + used);
	return used;
}

/* fopencookie() expects the number of bytes taken, or 0 after an error. */
static ssize_t guard_write(void *cookie, const char *text, size_t length)
{
	/* There are at most three pending bytes and the new ones, and each may become
	 * four characters. */
	char *safe = malloc((length + 4) * 4 + ESCAPE_SIZE);
	struct guard *guard = cookie;
	size_t used = 0, i;
	int rc = -1;

	for (i = 0; safe && i < length; i++)
		used += guard_take_byte(guard, (unsigned char) text[i],
					safe + used);
	if (safe)
		rc = eqt_atomic_file_write_all(guard->fd, safe, used);
	free(safe);
	return rc < 0 ? 0 : (ssize_t) length;
}

static FILE *guard_open(struct guard *guard)
{
	static const cookie_io_functions_t functions = { .write = guard_write };

	return isatty(guard->fd) ? fopencookie(guard, "w", functions) : NULL;
}

/*
 * If stdout or stderr is a terminal, escape in it what could control or deceive a
 * terminal: C1 controls (U+009B begins a sequence like ESC [), marks that change the
 * direction of text, and bytes that are not UTF-8. Colours, which begin with ESC, still
 * work, because an ESC within a name is escaped where the name is printed.
 */
static void terminal_guard(void)
{
	FILE *out = guard_open(&guards[0]), *err = guard_open(&guards[1]);

	if (out) {
		(void) setvbuf(out, NULL, _IOLBF, 0);
		stdout = out;
	}
	if (err) {
		(void) setvbuf(err, NULL, _IONBF, 0);
		stderr = err;
	}
}

/* ---- Main ----------------------------------------------------------------- */

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

/* Accept whole names only, because an abbreviation could become ambiguous in the next
 * release. */
static const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++) {
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	}
	return NULL;
}

/* Suggest the command with the most similar name, or list all commands. */
static void command_print_unknown(const char *name)
{
	struct eqt_spelling spelling = { .word = name, .length = strlen(name) };
	struct eqt_error err;

	for (size_t i = 0; i < COMMANDS; i++)
		eqt_spelling_try(&spelling, commands[i].name);
	(void) eqt_error_set(&err, "unknown command \"%s\"", name);
	fprintf(stderr, "equitree: %s", err.text);
	if (spelling.nearest) {
		fprintf(stderr, ", did you mean \"%s\"?\n", spelling.nearest);
		return;
	}
	fputc('\n', stderr);
	print_usage(stderr);
}

/* Output that could not be written, because of a full disk or a closed pipe, is a
 * failure. */
static int command_finish(const struct command *command, int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	fprintf(stderr, "%s: cannot write to stdout\n", command->title);
	return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	const struct command *command;

	terminal_guard();
	eqt_remote_begin();
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
