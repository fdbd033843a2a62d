/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree recover: when a Level FS is back at 1 if nothing is run. */
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "common.h"
#include "eqt_recover.h"
#include "output.h"
#include "shares.h"
#include "stock_config.h"

enum { KEY_SHARES = 256, KEY_CONFIG, KEY_HALF_LIFE };

struct recover_options {
	struct eqt_shares_options shares;
	const char *config;
	const char *half_life;
	const char *name;
	struct eqt_common common;
};

static const struct argp_option options_table[] = {
	{ "shares", KEY_SHARES, "FILE", 0,
	  "read what \"sshare -alP\" printed (- is stdin)", 0 },
	{ "half-life", KEY_HALF_LIFE, "TIME", 0,
	  "the half-life of usage, as PriorityDecayHalfLife has it (7-0 is "
	  "seven days), instead of the site's",
	  0 },
	{ "config", KEY_CONFIG, "FILE", 0,
	  "find it in what \"scontrol show config\" printed", 0 },
	{ 0 }
};

static const struct eqt_column columns[] = {
	{ "NAME", SCOLS_FL_TREE | SCOLS_FL_WRAP },
	{ "S", SCOLS_FL_RIGHT },
	{ "U", SCOLS_FL_RIGHT },
	{ "LEVEL FS", SCOLS_FL_RIGHT },
	{ "SOONEST", SCOLS_FL_RIGHT },
	{ "OTHERS AS NOW", SCOLS_FL_RIGHT },
	{ NULL, 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct recover_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->common;
		break;
	case KEY_SHARES:
		options->shares.path = arg;
		break;
	case KEY_CONFIG:
		options->config = arg;
		break;
	case KEY_HALF_LIFE:
		options->half_life = arg;
		break;
	case ARGP_KEY_ARG:
		if (options->name)
			argp_error(state, "unexpected argument \"%s\"", arg);
		options->name = arg;
		break;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "who? a user or an account is needed");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* Two units at most: "3 d 4 h", rounded up to the smaller one. */
static char *time_text(long double seconds, char buf[EQT_CELL])
{
	unsigned long long minutes, hours;

	if (isnan(seconds)) {
		(void) snprintf(buf, EQT_CELL, "-");
	} else if (!(seconds > 0)) {
		(void) snprintf(buf, EQT_CELL, "now");
	} else if (!(seconds < 1e12L)) {
		(void) snprintf(buf, EQT_CELL, "never");
	} else {
		minutes = (unsigned long long) ceill(seconds / 60);
		hours = (unsigned long long) ceill(seconds / 3600);
		if (minutes < 24 * 60)
			(void) snprintf(buf, EQT_CELL, "%llu h %llu min",
					minutes / 60, minutes % 60);
		else
			(void) snprintf(buf, EQT_CELL, "%llu d %llu h",
					hours / 24, hours % 24);
	}
	return buf;
}

/* Both times of a node; NAN when it has no Level FS of its own. */
static void times_of(const struct eqt_shares *shares, uint32_t i,
		     uint32_t half_life_s, long double times[2])
{
	struct eqt_node_out node = eqt_tree_node(shares->tree, i);

	times[0] = times[1] = NAN;
	if (i == 0 || shares->assocs[i].parent_shares)
		return;
	times[0] = eqt_recover_taken(half_life_s, node.shares_norm,
				     node.usage_efctv);
	times[1] = eqt_recover_steady(half_life_s, node.shares_norm,
				      node.usage_efctv);
}

/* The line of node i below that of the node above it. */
static struct libscols_line *add_line(struct libscols_table *table,
				      const struct eqt_shares *shares,
				      uint32_t i, uint32_t half_life_s)
{
	uint32_t above = eqt_shares_above(shares, i);
	struct eqt_node_out node = eqt_tree_node(shares->tree, i);
	struct libscols_line *line;
	long double times[2];
	char text[EQT_CELL];

	line = scols_table_new_line(
		table, above == EQT_NODE_NONE
			       ? NULL
			       : add_line(table, shares, above, half_life_s));
	if (!line)
		return NULL;
	(void) scols_line_set_data(line, 0,
				   shares->assocs[i].user
					   ? shares->assocs[i].user
					   : shares->assocs[i].account);
	if (i == 0)
		return line;
	times_of(shares, i, half_life_s, times);
	(void) snprintf(text, sizeof(text), "%.4f", node.shares_norm);
	(void) scols_line_set_data(line, 1, text);
	(void) snprintf(text, sizeof(text), "%.4Lf", node.usage_efctv);
	(void) scols_line_set_data(line, 2, text);
	(void) scols_line_set_data(line, 3,
				   eqt_level_text(node.level_fs, text));
	(void) scols_line_set_data(line, 4, time_text(times[0], text));
	(void) scols_line_set_data(line, 5, time_text(times[1], text));
	return line;
}

static void print_one(const struct eqt_shares *shares, uint32_t i,
		      uint32_t half_life_s, bool headings)
{
	struct libscols_table *table = eqt_table_new(columns, headings);

	if (table && add_line(table, shares, i, half_life_s))
		(void) scols_print_table(table);
	scols_unref_table(table);
}

static json_object *to_json(const struct eqt_shares *shares, uint32_t i,
			    uint32_t half_life_s)
{
	const struct eqt_assoc *assoc = &shares->assocs[i];
	json_object *object = json_object_new_object();
	long double times[2];

	times_of(shares, i, half_life_s, times);
	eqt_json_add(object, "account", json_object_new_string(assoc->account));
	eqt_json_add(object, "user",
		     assoc->user ? json_object_new_string(assoc->user) : NULL);
	eqt_json_add(object, "level_fs",
		     eqt_json_number(eqt_tree_node(shares->tree, i).level_fs));
	eqt_json_add(object, "half_life_s", json_object_new_int64(half_life_s));
	eqt_json_add(object, "soonest_s", eqt_json_number(times[0]));
	eqt_json_add(object, "others_as_now_s", eqt_json_number(times[1]));
	return object;
}

static void print_words(const struct eqt_decay_config *config)
{
	char text[EQT_CELL];

	printf("\nWhen Level FS is back at 1 if nothing below the name runs; "
	       "the half-life is\n%s. SOONEST: others take over what it "
	       "leaves; OTHERS AS NOW: they go on\nas they did. If nobody runs "
	       "anything, no Level FS changes.\n",
	       config->half_life_s ? time_text(config->half_life_s, text)
				   : "none (usage does not decay)");
	if (config->reset[0] != '\0' && strcmp(config->reset, "NONE") != 0)
		printf("All usage is set to 0 by "
		       "PriorityUsageResetPeriod=%s.\n",
		       config->reset);
}

/* Each association that the name means; there is one at least. */
static void print_all(const struct eqt_shares *shares,
		      const struct recover_options *options,
		      const struct eqt_decay_config *config)
{
	json_object *array = options->common.json ? json_object_new_array()
						  : NULL;
	size_t length = strlen(options->name);
	uint32_t i = eqt_shares_find(shares, options->name, length, 0);

	while (i != EQT_NODE_NONE) {
		if (options->common.json)
			(void) json_object_array_add(
				array, to_json(shares, i, config->half_life_s));
		else
			print_one(shares, i, config->half_life_s,
				  !options->common.no_headings);
		i = eqt_shares_find(shares, options->name, length, i + 1);
		if (i != EQT_NODE_NONE && !options->common.json)
			putchar('\n');
	}
	if (options->common.json)
		eqt_json_print(array);
	else
		print_words(config);
}

static int recover(const struct recover_options *options, struct eqt_error *err)
{
	struct eqt_decay_config config = { .reset = "" };
	struct eqt_shares shares;
	int rc;

	rc = options->half_life
		     ? eqt_half_life_parse(&config.half_life_s,
					   options->half_life, err)
		     : eqt_decay_config_read(&config, options->config, err);
	if (rc < 0 || eqt_shares_read(&shares, &options->shares, err) < 0)
		return -1;
	if (eqt_shares_find(&shares, options->name, strlen(options->name), 0) ==
	    EQT_NODE_NONE)
		rc = eqt_error_set(err, "%s: there is no \"%s\"",
				   shares.table.text.name, options->name);
	else
		print_all(&shares, options, &config);
	eqt_shares_free(&shares);
	return rc;
}

int cmd_recover(int argc, char **argv)
{
	static const struct argp argp = {
		options_table,
		parse,
		"USER|ACCOUNT",
		"Tell when a user or account has its Level FS back at 1, "
		"having used exactly its share, if it runs nothing.",
		eqt_common_children,
		NULL,
		NULL
	};
	struct recover_options options = { .name = NULL };
	struct eqt_error err;

	if (argp_parse(&argp, argc, argv, 0, NULL, &options) != 0)
		return EXIT_MISUSE;
	if (recover(&options, &err) == 0)
		return EXIT_SUCCESS;
	return eqt_failed("recover", &err);
}
