/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <argp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bill_options.h"
#include "cmd.h"

/* Keys of the options that have no letter. */
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
	KEY_MINCPUS,
	KEY_EXCLUSIVE,
	KEY_USAGE_FACTOR,
	KEY_JSON
};

static const struct argp_option options_table[] = {
	{ NULL, 0, NULL, 0, "Options of sbatch:", 1 },
	{ "ntasks", 'n', "N", 0, NULL, 1 },
	{ "cpus-per-task", 'c', "N", 0, NULL, 1 },
	{ "nodes", 'N', "MIN[-MAX]", 0, NULL, 1 },
	{ "ntasks-per-node", KEY_TASKS_PER_NODE, "N", 0, NULL, 1 },
	{ "ntasks-per-gpu", KEY_TASKS_PER_GPU, "N", 0, NULL, 1 },
	{ "sockets-per-node", KEY_SOCKETS_PER_NODE, "N", 0, NULL, 1 },
	{ "mincpus", KEY_MINCPUS, "N", 0, NULL, 1 },
	{ "mem", KEY_MEM, "SIZE", 0, NULL, 1 },
	{ "mem-per-cpu", KEY_MEM_PER_CPU, "SIZE", 0, NULL, 1 },
	{ "mem-per-gpu", KEY_MEM_PER_GPU, "SIZE", 0, NULL, 1 },
	{ "gpus", 'G', "[TYPE:]N", 0, NULL, 1 },
	{ "gpus-per-node", KEY_GPUS_PER_NODE, "[TYPE:]N", 0, NULL, 1 },
	{ "gpus-per-socket", KEY_GPUS_PER_SOCKET, "[TYPE:]N", 0, NULL, 1 },
	{ "gpus-per-task", KEY_GPUS_PER_TASK, "[TYPE:]N", 0, NULL, 1 },
	{ "cpus-per-gpu", KEY_CPUS_PER_GPU, "N", 0, NULL, 1 },
	{ "gres", KEY_GRES, "LIST", 0, NULL, 1 },
	{ "time", 't', "TIME", 0, NULL, 1 },
	{ "array", 'a', "INDEXES", 0, NULL, 1 },
	{ "partition", 'p', "NAME", 0, NULL, 1 },
	{ "qos", 'q', "NAME", 0, NULL, 1 },
	{ "exclusive", KEY_EXCLUSIVE, "user|mcs", OPTION_ARG_OPTIONAL, NULL,
	  1 },
	{ "overcommit", 'O', NULL, 0, NULL, 1 },
	{ NULL, 0, NULL, 0, "Options of this command:", 2 },
	{ "file", 'f', "FILE", 0,
	  "read FILE instead of the equitree.conf "
	  "beside slurm.conf",
	  2 },
	{ "usage-factor", KEY_USAGE_FACTOR, "N", 0,
	  "UsageFactor that sacctmgr has for the QOS; 1 without this option",
	  2 },
	{ "json", KEY_JSON, NULL, 0, "print one JSON object", 2 },
	{ 0 }
};

/* Where plain numbers go. */
static const struct number_option {
	int key;
	size_t at;
} numbers[] = {
	{ 'n', offsetof(struct eqt_ask, tasks) },
	{ 'c', offsetof(struct eqt_ask, cpus_per_task) },
	{ KEY_TASKS_PER_NODE, offsetof(struct eqt_ask, tasks_per_node) },
	{ KEY_TASKS_PER_GPU, offsetof(struct eqt_ask, tasks_per_gpu) },
	{ KEY_SOCKETS_PER_NODE, offsetof(struct eqt_ask, sockets_per_node) },
	{ KEY_MINCPUS, offsetof(struct eqt_ask, min_cpus_per_node) },
};

/* Options whose list gets "gres:gpu:" before each item. */
static const struct list_option {
	int key;
	int list;
	size_t at;
} lists[] = {
	{ 'G', EQT_LIST_JOB, offsetof(struct eqt_ask, tres_per_job) },
	{ KEY_GPUS_PER_SOCKET, EQT_LIST_SOCKET,
	  offsetof(struct eqt_ask, tres_per_socket) },
	{ KEY_GPUS_PER_TASK, EQT_LIST_TASK,
	  offsetof(struct eqt_ask, tres_per_task) },
	{ KEY_CPUS_PER_GPU, EQT_LIST_CPUS,
	  offsetof(struct eqt_ask, cpus_per_tres) },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static uint64_t number(struct argp_state *state, const char *text,
		       size_t length)
{
	uint64_t value = 0;

	/* Slurm has 32 bits for each of them. */
	if (eqt_count_parse(&value, text, length) < 0 || value == 0 ||
	    value > UINT32_MAX)
		argp_error(state, "\"%s\" is no number above 0", text);
	return value;
}

/* Add items, each with a prefix, to a list that the options own. */
static void list_add(struct argp_state *state, int list, const char *prefix,
		     const char *items)
{
	struct eqt_bill_options *options = state->input;
	char *old = options->lists[list], *text = NULL;
	size_t size, length;
	FILE *stream = open_memstream(&text, &size);

	if (!stream) {
		argp_failure(state, EXIT_FAILURE, 0, "out of memory");
		return;
	}
	if (old)
		fprintf(stream, "%s,", old);
	while (*(items += strspn(items, ",")) != '\0') {
		length = strcspn(items, ",");
		fprintf(stream, "%s%.*s,", prefix, (int) length, items);
		items += length;
	}
	if (fclose(stream) != 0 || !text)
		argp_failure(state, EXIT_FAILURE, 0, "out of memory");
	free(old);
	options->lists[list] = text;
}

static void take_memory(struct argp_state *state, enum eqt_ask_mem mem,
			const char *text)
{
	struct eqt_bill_options *options = state->input;
	struct eqt_ask *ask = &options->ask;

	if (eqt_memory_parse(&ask->mem_mib, text) < 0)
		argp_error(state, "\"%s\" is no amount of memory", text);
	ask->mem = ask->mem_mib ? mem : EQT_MEM_ALL;
}

/* MIN or MIN-MAX; one number is both. */
static void take_nodes(struct argp_state *state, const char *text)
{
	struct eqt_bill_options *options = state->input;
	struct eqt_ask *ask = &options->ask;
	size_t length = strcspn(text, "-");

	ask->min_nodes = number(state, text, length);
	ask->max_nodes = ask->min_nodes;
	if (text[length] == '-')
		ask->max_nodes = number(state, text + length + 1,
					strlen(text + length + 1));
	if (ask->max_nodes < ask->min_nodes)
		argp_error(state, "\"%s\" is no range of nodes", text);
}

/* The options that the two tables have; 0, or -1 for another one. */
static int take_from_tables(struct argp_state *state, int key, char *arg)
{
	struct eqt_bill_options *options = state->input;
	char *ask = (char *) &options->ask;
	size_t i;

	for (i = 0; i < COUNT(numbers); i++) {
		if (numbers[i].key == key) {
			*(uint64_t *) (void *) (ask + numbers[i].at) =
				number(state, arg, strlen(arg));
			return 0;
		}
	}
	for (i = 0; i < COUNT(lists); i++) {
		if (lists[i].key == key) {
			list_add(state, lists[i].list, "gres:gpu:", arg);
			*(const char **) (void *) (ask + lists[i].at) =
				options->lists[lists[i].list];
			return 0;
		}
	}
	return -1;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct eqt_bill_options *options = state->input;
	struct eqt_ask *ask = &options->ask;

	switch (key) {
	case 'f':
		options->conf = arg;
		break;
	case KEY_JSON:
		options->json = true;
		break;
	case KEY_USAGE_FACTOR:
		if (eqt_micro_parse(&options->usage_factor_u, arg) < 0 ||
		    options->usage_factor_u > 1000000 * EQT_MICRO)
			argp_error(state, "\"%s\" is no UsageFactor", arg);
		break;
	case 'N':
		take_nodes(state, arg);
		break;
	case 'a':
		ask->array = arg;
		break;
	case 'p':
		options->partition = arg;
		break;
	case 'q':
		options->qos = arg;
		break;
	case 'O':
		ask->overcommit = true;
		break;
	case KEY_EXCLUSIVE:
		ask->exclusive = !arg;
		break;
	case KEY_MEM:
		take_memory(state, EQT_MEM_PER_NODE, arg);
		break;
	case KEY_MEM_PER_CPU:
		take_memory(state, EQT_MEM_PER_CPU, arg);
		break;
	case KEY_MEM_PER_GPU:
		take_memory(state, EQT_MEM_PER_GPU, arg);
		break;
	case KEY_GPUS_PER_NODE:
		list_add(state, EQT_LIST_NODE, "gres:gpu:", arg);
		break;
	case KEY_GRES:
		if (strcasecmp(arg, "none") != 0)
			list_add(state, EQT_LIST_NODE, "gres:", arg);
		break;
	case 't':
		if (eqt_minutes_parse(&ask->minutes, arg) < 0)
			argp_error(state, "\"%s\" is no time limit", arg);
		break;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument \"%s\"", arg);
		break;
	default:
		return take_from_tables(state, key, arg) < 0 ? ARGP_ERR_UNKNOWN
							     : 0;
	}
	ask->tres_per_node = options->lists[EQT_LIST_NODE];
	return 0;
}

void eqt_bill_options_parse(struct eqt_bill_options *options, int argc,
			    char **argv)
{
	static const struct argp argp = {
		options_table,
		parse,
		NULL,
		"Tell what a request would cost, from equitree.conf and the "
		"request alone: neither a cluster nor the defaults of its "
		"partitions are asked. With -p and -q the rules that "
		"equitree.conf has for them hold.",
		NULL,
		NULL,
		NULL
	};

	*options = (struct eqt_bill_options){ .usage_factor_u = EQT_MICRO };
	if (argp_parse(&argp, argc, argv, 0, NULL, options) != 0)
		exit(EXIT_MISUSE);
}

void eqt_bill_options_free(struct eqt_bill_options *options)
{
	int i;

	for (i = 0; i < EQT_LISTS; i++)
		free(options->lists[i]);
	*options = (struct eqt_bill_options){ .conf = NULL };
}
