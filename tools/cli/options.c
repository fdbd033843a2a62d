/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of rows is turned into argp's own, so that --help, short forms and
 * errors are the same in all subcommands. Values are copied into the
 * subcommand's struct by offset; the macros of options.h check their types.
 */
#include <inttypes.h>
#include <string.h>

#include "base/amount.h"
#include "cli/options.h"

#define FIRST_KEY 256 /* the first key of options without a letter */

/* What argp hands to its callback. */
struct parsing {
	const struct eqt_options_spec *line;
	char *options; /* the subcommand's struct */
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

/* memcpy(), since the struct's members are only known by offset. */
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
	case EQT_OPTION_TAKE:
		break;
	}
	return option->take(options, arg, err);
}

/* Titles of groups have no key. */
int eqt_options_take(const struct eqt_option *table, void *options, int key,
		     const char *arg, struct eqt_error *err)
{
	struct eqt_error why;

	for (size_t i = 0; table[i].name || table[i].doc; i++) {
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
		if (!line->word)
			argp_error(state, "unexpected argument \"%s\"", arg);
		else if (line->word(parsing->options, arg, &err) < 0)
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

/* argp has no order of its own within a group: it sorts by name. */
void eqt_options_rows(struct argp_option rows[EQT_OPTIONS_MAX + 1],
		      const struct eqt_option *table)
{
	size_t i;

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

int eqt_options_parse(const struct eqt_options_spec *line, int argc,
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

	eqt_options_rows(rows, line->table);
	return argp_parse(&argp, argc, argv, 0, NULL, &parsing);
}
