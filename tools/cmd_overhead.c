/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree overhead: canonical units that nodes have free, and the fair bill
 * of the rest. */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "common.h"
#include "output.h"
#include "stock_nodes.h"

#define UNITS_MAX 16
#define BINS 65 /* 0, and [2^(i-1), 2^i) */
#define BAR 48

enum { KEY_NODES = 256, KEY_UNIT, KEY_LIST };

struct overhead_options {
	const char *path;
	const char *partition;
	const char *texts[UNITS_MAX];
	struct eqt_amounts units[UNITS_MAX];
	int count;
	bool list;
	struct eqt_common common;
};

/* One unit over all nodes that can hold any. */
struct sum {
	uint64_t overhead;
	uint64_t capacity;
	uint64_t nodes;
	uint64_t bins[BINS];
};

static const struct argp_option options_table[] = {
	{ "unit", KEY_UNIT, "cores=N,memory=SIZE,gpu=N", 0,
	  "the thresholds of a canonical unit, one resource or several; may be "
	  "given often. Unless told otherwise: cores=1,memory=2G and gpu=1",
	  0 },
	{ "nodes", KEY_NODES, "FILE", 0,
	  "read what \"scontrol -o show node\" printed (- is stdin)", 0 },
	{ "partition", 'p', "NAME", 0, "only nodes of this partition", 0 },
	{ "list", KEY_LIST, NULL, 0, "list the nodes, with their fair bill",
	  0 },
	{ 0 }
};

static const struct eqt_column columns[] = {
	{ "NODE", SCOLS_FL_WRAP },	  { "FREE CORES", SCOLS_FL_RIGHT },
	{ "MEMORY", SCOLS_FL_RIGHT },	  { "GPUS", SCOLS_FL_RIGHT },
	{ "UNITS", SCOLS_FL_RIGHT },	  { "OF", SCOLS_FL_RIGHT },
	{ "BILL CORES", SCOLS_FL_RIGHT }, { "MEMORY", SCOLS_FL_RIGHT },
	{ "GPUS", SCOLS_FL_RIGHT },	  { NULL, 0 },
};

static void add_unit(struct argp_state *state, const char *text)
{
	struct overhead_options *options = state->input;
	struct eqt_error err;

	if (options->count == UNITS_MAX)
		argp_error(state, "more than %d units", UNITS_MAX);
	if (eqt_unit_parse(&options->units[options->count], text, &err) < 0)
		argp_error(state, "%s", err.text);
	options->texts[options->count++] = text;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct overhead_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->common;
		break;
	case KEY_UNIT:
		add_unit(state, arg);
		break;
	case KEY_NODES:
		options->path = arg;
		break;
	case 'p':
		options->partition = arg;
		break;
	case KEY_LIST:
		options->list = true;
		break;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument \"%s\"", arg);
		break;
	case ARGP_KEY_END:
		if (options->count == 0) {
			add_unit(state, "cores=1,memory=2G");
			add_unit(state, "gpu=1");
		}
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static bool is_chosen(const struct eqt_node *node,
		      const struct overhead_options *options)
{
	return node->available &&
	       (!options->partition || eqt_node_in(node, options->partition));
}

static uint64_t overhead_of(const struct eqt_node *node,
			    const struct eqt_amounts *unit)
{
	struct eqt_amounts rest =
		eqt_amounts_free(&node->total, &node->allocated);

	return eqt_unit_count(unit, &rest);
}

static int bin_of(uint64_t units)
{
	int bin = 0;

	for (; units > 0; units >>= 1)
		bin++;
	return bin;
}

static void add_up(struct sum *sum, const struct eqt_nodes *nodes,
		   const struct overhead_options *options, int unit)
{
	uint64_t overhead, capacity;
	size_t i;

	*sum = (struct sum){ .nodes = 0 };
	for (i = 0; i < nodes->count; i++) {
		const struct eqt_node *node = &nodes->nodes[i];

		capacity = eqt_unit_count(&options->units[unit], &node->total);
		if (!is_chosen(node, options) || capacity == 0)
			continue;
		overhead = overhead_of(node, &options->units[unit]);
		sum->nodes++;
		sum->overhead += overhead;
		sum->capacity += capacity;
		sum->bins[bin_of(overhead)]++;
	}
}

/* ---- Text ----------------------------------------------------------------- */

static void print_bin(const struct sum *sum, int bin)
{
	uint64_t low = bin ? UINT64_C(1) << (bin - 1) : 0, most = 0;
	char range[EQT_CELL];
	int i;

	for (i = 0; i < BINS; i++) {
		if (sum->bins[i] > most)
			most = sum->bins[i];
	}
	(void) snprintf(range, sizeof(range), "%" PRIu64, low);
	if (bin > 1)
		(void) snprintf(range, sizeof(range), "%" PRIu64 "-%" PRIu64,
				low, low + (low - 1));
	printf("%11s %9" PRIu64, range, sum->bins[bin]);
	if (sum->bins[bin])
		printf("  %.*s",
		       (int) ((sum->bins[bin] * BAR + most - 1) / most),
		       "################################################");
	putchar('\n');
}

static void print_sum(const struct sum *sum, const char *text, bool headings)
{
	int bin, last;

	printf("Unit %s: %" PRIu64 " of %" PRIu64 " units are true overhead",
	       text, sum->overhead, sum->capacity);
	if (sum->capacity)
		printf(" (%.1f %%)",
		       100.0 * (double) sum->overhead / (double) sum->capacity);
	printf(",\non %" PRIu64 " nodes that can hold such a unit.\n",
	       sum->nodes);
	if (sum->nodes == 0)
		return;
	if (headings)
		printf("%11s %9s\n", "UNITS FREE", "NODES");
	for (last = BINS - 1; sum->bins[last] == 0; last--)
		;
	for (bin = 0; bin <= last; bin++)
		print_bin(sum, bin);
}

static void fill_line(struct libscols_line *line, const struct eqt_node *node,
		      const struct eqt_amounts *unit)
{
	struct eqt_amounts rest =
		eqt_amounts_free(&node->total, &node->allocated);
	char text[256];
	struct eqt_frac rate;
	size_t i;

	(void) snprintf(text, sizeof(text), "%.*s", node->name_length,
			node->name);
	(void) scols_line_set_data(line, 0, text);
	for (i = 0; i < EQT_PARTS; i++) {
		(void) snprintf(text, sizeof(text), "%" PRIu64 "%s", rest.of[i],
				i == EQT_PART_MEMORY ? "M" : "");
		(void) scols_line_set_data(line, 1 + i, text);
		if (eqt_unit_rate(&rate, unit, &node->total, &node->allocated,
				  (enum eqt_part) i) < 0)
			continue;
		(void) snprintf(text, sizeof(text), "%" PRIu64 " %%",
				eqt_frac_round(rate, 100, EQT_ROUND_NEAREST));
		(void) scols_line_set_data(line, 6 + i, text);
	}
	(void) snprintf(text, sizeof(text), "%" PRIu64,
			eqt_unit_count(unit, &rest));
	(void) scols_line_set_data(line, 4, text);
	(void) snprintf(text, sizeof(text), "%" PRIu64,
			eqt_unit_count(unit, &node->total));
	(void) scols_line_set_data(line, 5, text);
}

static void print_list(const struct eqt_nodes *nodes,
		       const struct overhead_options *options, int unit)
{
	struct libscols_table *table =
		eqt_table_new(columns, !options->common.no_headings);
	struct libscols_line *line;
	size_t i;

	for (i = 0; table && i < nodes->count; i++) {
		const struct eqt_node *node = &nodes->nodes[i];

		if (!is_chosen(node, options) ||
		    eqt_unit_count(&options->units[unit], &node->total) == 0)
			continue;
		line = scols_table_new_line(table, NULL);
		if (line)
			fill_line(line, node, &options->units[unit]);
	}
	if (table)
		(void) scols_print_table(table);
	scols_unref_table(table);
}

static void print_text(const struct eqt_nodes *nodes,
		       const struct overhead_options *options)
{
	size_t i, gone = 0;
	struct sum sum;
	int unit;

	for (unit = 0; unit < options->count; unit++) {
		if (unit > 0)
			putchar('\n');
		add_up(&sum, nodes, options, unit);
		print_sum(&sum, options->texts[unit],
			  !options->common.no_headings);
		if (options->list && sum.nodes > 0)
			print_list(nodes, options, unit);
	}
	for (i = 0; i < nodes->count; i++)
		gone += !nodes->nodes[i].available;
	if (gone)
		printf("\nNot counted: %zu nodes that take no jobs (down, "
		       "drained, ...).\n",
		       gone);
}

/* ---- JSON ----------------------------------------------------------------- */

static json_object *amounts_json(const struct eqt_amounts *amounts)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "cores", json_object_new_uint64(amounts->of[0]));
	eqt_json_add(object, "memory_mib",
		     json_object_new_uint64(amounts->of[1]));
	eqt_json_add(object, "gpus", json_object_new_uint64(amounts->of[2]));
	return object;
}

static json_object *node_json(const struct eqt_node *node,
			      const struct eqt_amounts *unit)
{
	struct eqt_amounts rest =
		eqt_amounts_free(&node->total, &node->allocated);
	json_object *object = json_object_new_object();
	json_object *rates = json_object_new_object();
	struct eqt_frac rate;
	int i;

	eqt_json_add(object, "node",
		     json_object_new_string_len(node->name, node->name_length));
	eqt_json_add(object, "free", amounts_json(&rest));
	eqt_json_add(object, "units",
		     json_object_new_uint64(eqt_unit_count(unit, &rest)));
	eqt_json_add(
		object, "capacity",
		json_object_new_uint64(eqt_unit_count(unit, &node->total)));
	for (i = 0; i < EQT_PARTS; i++) {
		bool billed = eqt_unit_rate(&rate, unit, &node->total,
					    &node->allocated,
					    (enum eqt_part) i) == 0;

		eqt_json_add(rates, eqt_part_name((enum eqt_part) i),
			     billed ? eqt_json_number(eqt_frac_double(rate))
				    : NULL);
	}
	eqt_json_add(object, "bill", rates);
	return object;
}

static json_object *unit_json(const struct eqt_nodes *nodes,
			      const struct overhead_options *options, int unit)
{
	json_object *object = json_object_new_object();
	json_object *list = json_object_new_array();
	struct sum sum;
	size_t i;

	add_up(&sum, nodes, options, unit);
	eqt_json_add(object, "unit", amounts_json(&options->units[unit]));
	eqt_json_add(object, "true_overhead",
		     json_object_new_uint64(sum.overhead));
	eqt_json_add(object, "capacity", json_object_new_uint64(sum.capacity));
	for (i = 0; i < nodes->count; i++) {
		if (is_chosen(&nodes->nodes[i], options) &&
		    eqt_unit_count(&options->units[unit],
				   &nodes->nodes[i].total) > 0)
			(void) json_object_array_add(
				list, node_json(&nodes->nodes[i],
						&options->units[unit]));
	}
	eqt_json_add(object, "nodes", list);
	return object;
}

static void print_json(const struct eqt_nodes *nodes,
		       const struct overhead_options *options)
{
	json_object *array = json_object_new_array();
	int unit;

	for (unit = 0; unit < options->count; unit++)
		(void) json_object_array_add(array,
					     unit_json(nodes, options, unit));
	eqt_json_print(array);
}

int cmd_overhead(int argc, char **argv)
{
	static const struct argp argp = {
		options_table,
		parse,
		NULL,
		"Count the canonical units that nodes have free.\v"
		"What is free of one resource only is no true overhead: no job "
		"could use it. The fair bill charges such leftovers to the "
		"jobs of the node, in proportion, and never the true overhead.",
		eqt_common_children,
		NULL,
		NULL
	};
	struct overhead_options options = { .path = NULL };
	struct eqt_nodes nodes;
	struct eqt_error err;

	if (argp_parse(&argp, argc, argv, 0, NULL, &options) != 0)
		return EXIT_MISUSE;
	if (eqt_nodes_read(&nodes, options.path, &err) < 0)
		return eqt_failed("overhead", &err);
	if (eqt_nodes_told(&nodes, &err) < 0) {
		eqt_nodes_free(&nodes);
		return eqt_failed("overhead", &err);
	}
	if (options.common.json)
		print_json(&nodes, &options);
	else
		print_text(&nodes, &options);
	eqt_nodes_free(&nodes);
	return EXIT_SUCCESS;
}
