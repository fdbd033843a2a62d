/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of options is turned into argp's own table. --help, short forms and errors are
 * therefore the same in all subcommands. Values are stored in the subcommand's struct by
 * offset; the macros of options.h check their types.
 */
#include <argp.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/amount.h"
#include "base/text.h"
#include "cli/cmd.h"
#include "cli/options.h"
#include "cli/remote.h"
#include "cli/colour.h"

/* ---- Output options -----------------------------------------------------------------
 * All subcommands have --json, --no-headings, --color and --clusters. Those that print a
 * table have --csv as well. An argp child parses these options, so that --help lists them
 * under a heading of their own. */

enum { KEY_CSV = 1 << 16, KEY_JSON, KEY_NO_HEADINGS, KEY_COLOUR };
#define KEY_CLUSTER 'M'

/* --csv applies to the whole process, as colours do. */
static bool csv_chosen;
static bool clusters_allowed; /* may --clusters name several clusters? */
static const struct eqt_option *table_chosen;

bool eqt_output_csv(void)
{
	return csv_chosen;
}

/* --csv is the first row: subcommands without a table use the rows after it. */
static const struct argp_option options_table[] = {
	{ "csv", KEY_CSV, NULL, 0, "print the table as CSV", 0 },
	{ "json", KEY_JSON, NULL, 0, "print JSON", 0 },
	{ "no-headings", KEY_NO_HEADINGS, NULL, 0, "print no headings", 0 },
	{ "color", KEY_COLOUR, "WHEN", OPTION_ARG_OPTIONAL,
	  "colours: always (the default of WHEN), never, or auto: on a "
	  "terminal",
	  0 },
	{ "clusters", KEY_CLUSTER, "NAME", 0,
	  "ask about this cluster of slurmdbd instead of one's own", 0 },
	{ "cluster", KEY_CLUSTER, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0 },
	{ 0 }
};

/* Check all names of a list before Slurm is asked about any of them. Returns 0, or -1 if
 * a name is invalid or repeated. */
static int output_take_cluster(struct eqt_output_options *common,
			       const char *arg)
{
	const char *list = arg;
	int rc;

	if (!clusters_allowed || !strchr(arg, ','))
		return eqt_remote_choose(arg);
	common->clusters = arg;
	while ((rc = eqt_remote_next(&list)) > 0) {
		/* A cluster that is named twice would count twice in a sum. */
		if (eqt_text_list_has(list, eqt_remote_chosen()))
			return -1;
	}
	return eqt_remote_chosen() ? rc : -1;
}

/* Print an error as argp_error(), with '?' for control characters of an argument. */
static __attribute__((format(printf, 2, 3))) void options_refuse(
	struct argp_state *state, const char *format, ...)
{
	struct eqt_error err;
	va_list args;

	va_start(args, format);
	(void) eqt_error_set_list(&err, format, args);
	va_end(args);
	argp_error(state, "%s", err.text);
}

static error_t output_option_parse(int key, char *arg, struct argp_state *state)
{
	struct eqt_output_options *common = state->input;

	if (key == KEY_CSV) {
		common->csv = true;
		csv_chosen = true;
	} else if (key == KEY_JSON) {
		common->json = true;
	} else if (key == KEY_NO_HEADINGS) {
		common->no_headings = true;
	} else if (key == KEY_COLOUR) {
		common->coloured = true;
		if (eqt_colour_choose(arg ? arg : "always") < 0)
			options_refuse(state,
				       "--color: \"%s\": expected auto, "
				       "always or never",
				       arg);
	} else if (key == KEY_CLUSTER) {
		if (output_take_cluster(common, arg) < 0)
			options_refuse(state,
				       "--clusters: \"%s\": expected the name "
				       "of one cluster%s",
				       arg, clusters_allowed ? ", or a,b" : "");
	} else {
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp output_argp = {
	options_table + 1, output_option_parse, NULL, NULL, NULL, NULL, NULL
};

static const struct argp table_argp = {
	options_table, output_option_parse, NULL, NULL, NULL, NULL, NULL
};

const struct argp_child eqt_output_table_children[] = {
	{ &table_argp, 0, "Output:", 90 },
	{ NULL, 0, NULL, 0 },
};

const struct argp_child eqt_output_children[] = {
	{ &output_argp, 0, "Output:", 90 },
	{ NULL, 0, NULL, 0 },
};

/* ---- Options -------------------------------------------------------------- */

#define FIRST_KEY 256 /* the first key of options without a letter */

/* What argp passes to its callback. */
struct parsing {
	const struct eqt_options_spec *line;
	char *options; /* the struct of the subcommand's options */
};

static int option_key(const struct eqt_option *table, size_t i)
{
	return table[i].letter ? table[i].letter : FIRST_KEY + (int) i;
}

static int option_put_number(const struct eqt_option *option, char *to,
			     const char *arg, struct eqt_error *err)
{
	uint64_t number;

	if (eqt_amount_count(&number, arg, strlen(arg)) < 0 ||
	    number > option->most)
		return eqt_error_set(
			err,
			"\"%.64s\": expected a whole number up to %" PRIu64,
			arg, option->most);
	memcpy(to, &number, sizeof(number));
	return 0;
}

/* Only the offset of the member is known, so memcpy() stores the value. */
static int option_put(const struct eqt_option *option, char *options,
		      const char *arg, struct eqt_error *err)
{
	char *to = options + option->at;
	const bool yes = true;

	switch (option->kind) {
	case EQT_OPTION_TEXT:
		if (arg)
			memcpy(to, &arg, sizeof(arg));
		return 0;
	case EQT_OPTION_FLAG:
		memcpy(to, &yes, sizeof(yes));
		return 0;
	case EQT_OPTION_NUMBER:
		return option_put_number(option, to, arg, err);
	case EQT_OPTION_PUT:
		return option->take(to, arg, err);
	case EQT_OPTION_TAKE:
		break;
	}
	return option->take(options, arg, err);
}

/* Store the only word. Returns -1 if a word has been stored already. */
static int option_put_word(char *to, const char *arg)
{
	const char *before;

	memcpy(&before, to, sizeof(before));
	if (!before)
		memcpy(to, &arg, sizeof(arg));
	return before ? -1 : 0;
}

int eqt_options_take(const struct eqt_option *table, void *options, int key,
		     const char *arg, struct eqt_error *err)
{
	struct eqt_error why;

	for (size_t i = 0; table[i].name || table[i].doc; i++) {
		/* A row without a name is the title of a group. */
		if (!table[i].name || option_key(table, i) != key)
			continue;
		if (option_put(&table[i], options, arg, &why) < 0)
			return eqt_error_set(err, "--%s: %s", table[i].name,
					     why.text);
		return 0;
	}
	return 1;
}

static error_t options_parse_option(struct argp_state *state, int key,
				    const char *arg)
{
	const struct parsing *parsing = state->input;
	struct eqt_error err;
	const int rc = eqt_options_take(parsing->line->table, parsing->options,
					key, arg, &err);

	if (rc < 0)
		argp_error(state, "%s", err.text);
	return rc > 0 ? ARGP_ERR_UNKNOWN : 0;
}

static error_t options_parse_key(int key, char *arg, struct argp_state *state)
{
	const struct parsing *parsing = state->input;
	const struct eqt_options_spec *line = parsing->line;
	struct eqt_error err;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = parsing->options + line->common_at;
		return 0;
	case ARGP_KEY_ARG:
		if (line->word_at
			    ? option_put_word(parsing->options + line->word_at,
					      arg) < 0
			    : !line->word)
			options_refuse(state, "unexpected argument \"%s\"",
				       arg);
		else if (line->word &&
			 line->word(parsing->options, arg, &err) < 0)
			argp_error(state, "%s", err.text);
		return 0;
	case ARGP_KEY_END:
		if (line->check && line->check(parsing->options, &err) < 0)
			argp_error(state, "%s", err.text);
		return 0;
	default:
		return options_parse_option(state, key, arg);
	}
}

/* Does a text name a command as a whole word? "sacct" is not in "sacctmgr". */
static bool doc_names(const char *doc, const char *command)
{
	const size_t length = strlen(command);
	const char *at = doc;

	while (at && (at = strstr(at, command))) {
		if (!isalpha((unsigned char) at[length]))
			return true;
		at += length;
	}
	return false;
}

const char *eqt_options_reader(const char *command)
{
	const struct eqt_option *option = table_chosen;

	for (; option && (option->name || option->doc); option++) {
		if (option->arg && strcmp(option->arg, "FILE") == 0 &&
		    doc_names(option->doc, command))
			return option->name;
	}
	return NULL;
}

/* Within a group argp sorts options by name. */
void eqt_options_rows(struct argp_option rows[EQT_OPTIONS_MAX + 1],
		      const struct eqt_option *table)
{
	size_t i;

	table_chosen = table;
	for (i = 0; i < EQT_OPTIONS_MAX && (table[i].name || table[i].doc);
	     i++) {
		rows[i] = (struct argp_option){
			.name = table[i].name,
			.key = table[i].name ? option_key(table, i) : 0,
			.arg = table[i].arg,
			.flags = table[i].optional ? OPTION_ARG_OPTIONAL : 0,
			.doc = table[i].doc,
			.group = table[i].group,
		};
	}
	rows[i] = (struct argp_option){ 0 };
}

void eqt_options_parse(const struct eqt_options_spec *line, int argc,
		       char **argv, void *options)
{
	struct argp_option rows[EQT_OPTIONS_MAX + 1];
	struct parsing parsing = { line, options };
	const struct argp argp = { rows,
				   options_parse_key,
				   line->words,
				   line->doc,
				   line->csv ? eqt_output_table_children
					     : eqt_output_children,
				   NULL,
				   NULL };

	clusters_allowed = line->clusters;
	eqt_options_rows(rows, line->table);
	if (argp_parse(&argp, argc, argv, 0, NULL, &parsing) != 0)
		exit(EXIT_MISUSE);
}
