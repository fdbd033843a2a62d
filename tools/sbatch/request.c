/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables name the member that each option sets, so that a new option needs only a row.
 * Special options are in the switch. Strings of the request point into argv, into the
 * script, or into lists that the component owns.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sbatch/request.h"
#include "cli/alloc.h"
#include "slurm/conf/cluster.h"

#define AT(member) offsetof(struct eqt_sbatch_component, member)

/* Where the argument of an option is stored. */
struct member_option {
	int key;
	size_t at;
};

/* Options whose argument is a plain number. */
static const struct member_option numbers[] = {
	{ 'n', AT(spec.tasks) },
	{ 'c', AT(spec.cpus_per_task) },
	{ KEY_TASKS_PER_NODE, AT(spec.tasks_per_node) },
	{ KEY_TASKS_PER_GPU, AT(spec.tasks_per_gpu) },
	{ KEY_TASKS_PER_SOCKET, AT(spec.tasks_per_socket) },
	{ KEY_SOCKETS_PER_NODE, AT(spec.sockets_per_node) },
	{ KEY_MINCPUS, AT(spec.min_cpus_per_node) },
	{ KEY_NTASKS_PER_CORE, AT(tasks_per_core) },
	{ KEY_THREADS_PER_CORE, AT(threads_per_core) },
	{ KEY_CORES_PER_SOCKET, AT(cores_per_socket) },
};

/* Options whose argument is stored as it is. */
static const struct member_option texts[] = {
	{ 'a', AT(spec.array) },    { 'C', AT(spec.constraint) },
	{ 'w', AT(spec.nodelist) }, { 'x', AT(spec.exclude) },
	{ 'p', AT(partition) },	    { 'A', AT(account) },
	{ 'q', AT(qos) },	    { 'b', AT(begin) },
	{ 'L', AT(licenses) },	    { KEY_RESERVATION, AT(reservation) },
	{ KEY_HINT, AT(hint) },	    { KEY_PREFER, AT(spec.prefer) },
};

/* Options whose argument is a list. */
static const struct list_option {
	int key;
	int list;
	const char *prefix; /* put before each item */
	size_t at;
} lists[] = {
	{ 'G', EQT_SBATCH_LIST_JOB, "gres:gpu:", AT(spec.tres_per_job) },
	{ KEY_GPUS_PER_SOCKET, EQT_SBATCH_LIST_SOCKET,
	  "gres:gpu:", AT(spec.tres_per_socket) },
	{ KEY_GPUS_PER_TASK, EQT_SBATCH_LIST_TASK,
	  "gres:gpu:", AT(spec.tres_per_task) },
	{ KEY_CPUS_PER_GPU, EQT_SBATCH_LIST_CPUS,
	  "gres:gpu:", AT(spec.cpus_per_tres) },
	{ KEY_TRES_PER_TASK, EQT_SBATCH_LIST_TASK, "", AT(spec.tres_per_task) },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Keep only the first error of a script, because argp goes on after an error. Returns
 * EINVAL. */
error_t eqt_sbatch_error(struct argp_state *state, const char *format, ...)
{
	struct parsing *parsing = state->input;
	struct eqt_error err;
	int word = state->next - 2;
	va_list args;

	va_start(args, format);
	(void) eqt_error_set_list(&err, format, args);
	va_end(args);
	if (!parsing->words)
		argp_error(state, "%s", err.text);
	else if (parsing->err->text[0] == '\0')
		(void) eqt_error_set(parsing->err, "%s:%u: %s",
				     parsing->script->name,
				     parsing->words[word < 0 ? 0 : word].line,
				     err.text);
	return EINVAL;
}

/* Refuse 0, because it would ask for nothing. */
static error_t sbatch_number(struct argp_state *state, const char *text,
			     size_t length, uint64_t *out)
{
	uint64_t value = 0;

	/* Slurm stores these numbers in 32 bits. */
	if (eqt_amount_count(&value, text, length) < 0 || value == 0 ||
	    value > UINT32_MAX)
		return eqt_sbatch_error(
			state, "\"%.64s\": expected a number above 0", text);
	*out = value;
	return 0;
}

/* Write the items, each after a prefix, into a list that the component owns. */
static error_t sbatch_list_set(struct argp_state *state, int list,
			       const char *prefix, const char *items)
{
	struct parsing *parsing = state->input;
	char *text = NULL;
	size_t size, length;
	FILE *stream = eqt_alloc_stream(&text, &size);

	while (*(items += strspn(items, ",")) != '\0') {
		length = strcspn(items, ",");
		fprintf(stream, "%s%.*s,", prefix, (int) length, items);
		items += length;
	}
	eqt_alloc_stream_close(stream);
	free(parsing->into->lists[list]);
	parsing->into->lists[list] = text;
	return 0;
}

/* In the list that sbatch sends, --gres comes before --gpus-per-node. The request borrows
 * the text from its component. */
error_t eqt_sbatch_join_lists(struct argp_state *state)
{
	struct parsing *parsing = state->input;
	char **owned = parsing->into->lists;
	const char *gres = owned[EQT_SBATCH_LIST_GRES],
		   *gpus = owned[EQT_SBATCH_LIST_NODE];
	size_t size = (gres ? strlen(gres) : 0) + (gpus ? strlen(gpus) : 0) + 1;
	char *all = eqt_alloc(size, 1);

	(void) snprintf(all, size, "%s%s", gres ? gres : "", gpus ? gpus : "");
	free(owned[EQT_SBATCH_LIST_NODE_ALL]);
	owned[EQT_SBATCH_LIST_NODE_ALL] = all;
	parsing->into->spec.tres_per_node = all[0] != '\0' ? all : NULL;
	return 0;
}

/* --mem=0 and --mem-per-cpu=0 request all memory of a node. */
static error_t sbatch_take_memory(struct argp_state *state,
				  enum eqt_job_spec_mem mem, const char *text)
{
	struct parsing *parsing = state->input;
	struct eqt_job_spec *spec = &parsing->into->spec;

	if (eqt_amount_memory(&spec->mem_mib, text) < 0)
		return eqt_sbatch_error(
			state, "\"%.64s\": expected an amount of memory", text);
	spec->mem = spec->mem_mib ? mem : EQT_MEM_ALL;
	parsing->into->given |= mem == EQT_MEM_PER_NODE
					? EQT_SBATCH_MEM
					: EQT_SBATCH_MEM_PER_CPU;
	return 0;
}

/* Write --mem-per-gpu as the list "gres:gpu:N" that sbatch sends, in MiB. */
static error_t sbatch_take_gpu_memory(struct argp_state *state,
				      const char *text)
{
	struct parsing *parsing = state->input;
	struct eqt_job_spec *spec = &parsing->into->spec;
	const size_t size = 64;
	uint64_t mib;
	char *list;

	if (eqt_amount_memory(&mib, text) < 0)
		return eqt_sbatch_error(
			state, "\"%.64s\": expected an amount of memory", text);
	list = eqt_alloc(size, 1);
	(void) snprintf(list, size, "gres:gpu:%" PRIu64, mib);
	free(parsing->into->lists[EQT_SBATCH_LIST_GPU_MEMORY]);
	parsing->into->lists[EQT_SBATCH_LIST_GPU_MEMORY] = list;
	spec->mem_per_tres = list;
	parsing->into->given |= EQT_SBATCH_MEM_PER_GPU;
	return 0;
}

/* Read -B SOCKETS[:CORES[:THREADS]], which sets three options at once. A part that is left
 * out, or is "*", takes back what an earlier option set. Of a range the least counts
 * (verify_socket_core_thread_count()). */
static error_t sbatch_take_layout(struct argp_state *state, const char *text)
{
	struct parsing *parsing = state->input;
	uint64_t *const parts[] = { &parsing->into->spec.sockets_per_node,
				    &parsing->into->cores_per_socket,
				    &parsing->into->threads_per_core };
	size_t length, i;

	for (i = 0; i < COUNT(parts); i++) {
		length = strcspn(text, ":");
		if (length == 0 || *text == '*')
			*parts[i] = 0;
		else if (sbatch_number(state, text, strcspn(text, ":-"),
				       parts[i]) != 0)
			return EINVAL;
		text += length + (text[length] == ':');
	}
	parsing->into->extra = true;
	return 0;
}

/* Read MIN or MIN-MAX. A single number is both. */
static error_t sbatch_take_nodes(struct argp_state *state, const char *text)
{
	struct parsing *parsing = state->input;
	struct eqt_job_spec *spec = &parsing->into->spec;
	size_t length = strcspn(text, "-");
	const char *max = text + length + (text[length] == '-');

	if (text[length] == '\0')
		max = text;
	if (sbatch_number(state, text, length, &spec->min_nodes) != 0 ||
	    sbatch_number(state, max, strlen(max), &spec->max_nodes) != 0)
		return EINVAL;
	if (spec->max_nodes < spec->min_nodes)
		return eqt_sbatch_error(
			state, "\"%.64s\": expected a range of nodes", text);
	return 0;
}

/* --exclusive gives the job whole nodes. --exclusive=user keeps other users off its
 * nodes, but does not give the job the rest of them. =mcs and =topo do the same, but only
 * if the cluster is set up for them. */
static void sbatch_take_exclusive(struct eqt_sbatch_component *into,
				  const char *arg)
{
	if (arg && strcasecmp(arg, "mcs") == 0)
		into->keeps |= EQT_KEEPS_BY_LABEL;
	else if (arg && strcasecmp(arg, "topo") == 0)
		into->keeps |= EQT_KEEPS_BY_BLOCK;
	else {
		into->spec.exclusive = true;
		into->spec.keeps_rest = arg != NULL;
	}
}

/* Take an option that one of the tables has. */
static error_t sbatch_take_from_tables(struct argp_state *state, int key,
				       const char *arg)
{
	struct parsing *parsing = state->input;
	char *into = (char *) parsing->into;

	for (size_t i = 0; i < COUNT(texts); i++) {
		if (texts[i].key != key)
			continue;
		*(const char **) (void *) (into + texts[i].at) = arg;
		return 0;
	}
	for (size_t i = 0; i < COUNT(numbers); i++) {
		if (numbers[i].key == key)
			return sbatch_number(state, arg, strlen(arg),
					     (void *) (into + numbers[i].at));
	}
	if (key == KEY_GPUS_PER_TASK)
		parsing->into->given |= EQT_SBATCH_GPUS_PER_TASK;
	for (size_t i = 0; i < COUNT(lists); i++) {
		if (lists[i].key != key)
			continue;
		if (sbatch_list_set(state, lists[i].list, lists[i].prefix,
				    arg) != 0)
			return EINVAL;
		*(const char **) (void *) (into + lists[i].at) =
			parsing->into->lists[lists[i].list];
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

error_t eqt_sbatch_take(struct argp_state *state, int key, const char *arg)
{
	struct parsing *parsing = state->input;
	struct eqt_job_spec *spec = &parsing->into->spec;

	switch (key) {
	case 'N':
		return sbatch_take_nodes(state, arg);
	case 'O':
		spec->overcommit = true;
		return 0;
	case KEY_EXCLUSIVE:
		sbatch_take_exclusive(parsing->into, arg);
		return 0;
	case KEY_CORE_SPEC:
	case KEY_THREAD_SPEC:
		parsing->into->keeps |= EQT_KEEPS_BY_CORES;
		spec->spare_cores = spec->spare_threads = 0;
		return strcmp(arg, "0") == 0
			       ? 0
			       : sbatch_number(state, arg, strlen(arg),
					       key == KEY_CORE_SPEC
						       ? &spec->spare_cores
						       : &spec->spare_threads);
	case KEY_GRES_FLAGS:
		spec->binds_gpus = strstr(arg, "enforce-binding") != NULL;
		return 0;
	case 'm':
		spec->plane = 0;
		return strncasecmp(arg, "plane=", 6) == 0
			       ? sbatch_number(state, arg + 6,
					       strspn(arg + 6, "0123456789"),
					       &spec->plane)
			       : 0;
	case KEY_IGNORE_PBS:
		parsing->ignore_foreign = true;
		return 0;
	case KEY_CONTIGUOUS:
		spec->contiguous = true;
		return 0;
	case KEY_SPREAD_JOB:
		parsing->into->spread = true;
		return 0;
	case 'B':
		return sbatch_take_layout(state, arg);
	case KEY_MEM:
		return sbatch_take_memory(state, EQT_MEM_PER_NODE, arg);
	case KEY_MEM_PER_CPU:
		return sbatch_take_memory(state, EQT_MEM_PER_CPU, arg);
	case KEY_MEM_PER_GPU:
		return sbatch_take_gpu_memory(state, arg);
	case KEY_GPUS_PER_NODE:
		return sbatch_list_set(state, EQT_SBATCH_LIST_NODE,
				       "gres:gpu:", arg);
	case KEY_GRES:
		return sbatch_list_set(state, EQT_SBATCH_LIST_GRES, "gres:",
				       strcasecmp(arg, "none") == 0 ? "" : arg);
	case 't':
		if (eqt_amount_minutes(&spec->minutes, arg) < 0)
			return eqt_sbatch_error(
				state, "\"%.64s\": expected a time limit", arg);
		return 0;
	default:
		return sbatch_take_from_tables(state, key, arg);
	}
}
