/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of the steps is sbatch's: later ones depend on numbers of earlier ones.
 * Releases differ (docs/design/0039): up to 22.05 --nodelist raises the number of nodes,
 * is cut to the tasks, and --ntasks-per-node gives tasks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/node_class.h"
#include "sbatch/gres_check.h"
#include "sbatch/rules.h"
#include "slurm/conf/allocation.h"
#include "slurm/text/hostlist.h"

/* As sbatch does with each of its least numbers. */
static void rules_raise(uint64_t *number, uint64_t least)
{
	if (*number < least)
		*number = least;
}

/* Options of which only one may be given. sbatch refuses these before it asks
 * slurmctld. */
static int rules_check_pairs(const struct eqt_sbatch_component *component,
			     struct eqt_error *err)
{
	const struct eqt_job_spec *ask = &component->ask;
	const unsigned int memory = component->given & EQT_SBATCH_MEMORY;

	if (memory & (memory - 1))
		return eqt_error_set(err, "--mem, --mem-per-cpu and "
					  "--mem-per-gpu exclude each other");
	if (ask->tasks_per_gpu && (component->given & EQT_SBATCH_GPUS_PER_TASK))
		return eqt_error_set(err,
				     "--gpus-per-task and --ntasks-per-gpu "
				     "exclude each other");
	if (ask->tasks_per_gpu && ask->tres_per_socket)
		return eqt_error_set(err,
				     "--gpus-per-socket and --ntasks-per-gpu "
				     "exclude each other");
	if (ask->tasks_per_gpu && ask->tasks_per_node)
		return eqt_error_set(err,
				     "--ntasks-per-node and --ntasks-per-gpu "
				     "exclude each other");
	return 0;
}

/* The CPUs of the sockets, cores and threads that the request names. What is not named
 * counts as 1. */
static uint64_t rules_layout_cpus(const struct eqt_sbatch_component *component)
{
	const uint64_t parts[] = { component->ask.sockets_per_node,
				   component->cores_per_socket,
				   component->threads_per_core };
	uint64_t cpus = 1;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		cpus *= parts[i] ? parts[i] : 1;
	return cpus;
}

/* --hint has no effect beside the options that give the numbers; otherwise it
 * resets sockets and cores of the request. */
static void rules_apply_hint(struct eqt_sbatch_component *component,
			     unsigned int release)
{
	const bool numbers = release >= EQT_RELEASE(25, 11, 0) &&
			     (component->cores_per_socket ||
			      component->ask.sockets_per_node);

	if (component->hint && !component->threads_per_core &&
	    !component->tasks_per_core && !component->extra && !numbers) {
		component->ask.sockets_per_node = 0;
		component->cores_per_socket = 0;
		component->threads_per_core =
			strcmp(component->hint, "multithread") != 0;
	}
	component->ask.cpus_per_core = component->threads_per_core;
	component->ask.tasks_per_core = component->tasks_per_core;
	component->ask.task_per_core = component->tasks_per_core == 1;
	component->ask.layout_cpus = rules_layout_cpus(component);
}

/* A callback of eqt_hostlist_each(). */
static int rules_count_name(const char *name, void *with)
{
	uint64_t *count = with;

	(void) name;
	++*count;
	return 0;
}

/* The job gets at least the nodes of --nodelist, from 23.02 on unless --nodes says
 * another number. */
static int rules_apply_nodelist(struct eqt_sbatch_component *component,
				unsigned int release, struct eqt_error *err)
{
	struct eqt_job_spec *ask = &component->ask;

	component->listed = 0;
	if (!ask->nodelist)
		return 0;
	if (eqt_hostlist_each(ask->nodelist, rules_count_name,
			      &component->listed, err) < 0)
		return -1;
	if (release >= EQT_RELEASE(23, 2, 0) && ask->min_nodes > 0)
		return 0;
	rules_raise(&ask->min_nodes, component->listed);
	if (ask->max_nodes && ask->min_nodes > ask->max_nodes)
		return eqt_error_set(
			err, "--nodelist names more nodes than --nodes allows");
	return 0;
}

/* The first names of a list, one for each task. */
struct first_names {
	FILE *stream;
	uint64_t left;
};

/* A callback; 1 ends it. */
static int rules_keep_name(const char *name, void *with)
{
	struct first_names *first = with;

	if (first->left == 0)
		return 1;
	first->left--;
	fprintf(first->stream, "%s,", name);
	return 0;
}

/* The new list belongs to the component, as all lists that are made here. */
static int rules_cut_nodelist(struct eqt_sbatch_component *component,
			      struct eqt_error *err)
{
	struct first_names first = { .left = component->ask.min_nodes };
	char *text = NULL;
	size_t size;

	if (component->listed <= first.left)
		return 0;
	first.stream = open_memstream(&text, &size);
	if (first.stream)
		(void) eqt_hostlist_each(component->ask.nodelist,
					 rules_keep_name, &first, NULL);
	if (!first.stream || fclose(first.stream) != 0) {
		free(text);
		return eqt_error_set(err, "out of memory");
	}
	free(component->lists[EQT_SBATCH_LIST_NAMES]);
	component->lists[EQT_SBATCH_LIST_NAMES] = text;
	component->ask.nodelist = text;
	return 0;
}

/* Tasks of a number of nodes. Only sockets, cores or threads make these tasks count as
 * if they had been asked for. */
static void rules_derive_tasks(struct eqt_sbatch_component *component)
{
	struct eqt_job_spec *ask = &component->ask;
	const bool derived = ask->sockets_per_node > 0 ||
			     component->cores_per_socket > 0 ||
			     component->threads_per_core > 0;

	component->tasks = (ask->min_nodes ? ask->min_nodes : 1) *
			   rules_layout_cpus(component);
	if (derived)
		ask->tasks = component->tasks;
}

/* The tasks of --ntasks-per-node, which from 23.02 on only count CPUs: slurmctld gets
 * no number of tasks. */
static void rules_apply_node_tasks(struct eqt_sbatch_component *component,
				   unsigned int release, bool exact)
{
	struct eqt_job_spec *ask = &component->ask;
	uint64_t tasks = ask->tasks;

	if (ask->tasks_per_node && !tasks && exact) {
		tasks = (ask->min_nodes ? ask->min_nodes : 1) *
			ask->tasks_per_node;
		if (release < EQT_RELEASE(23, 2, 0))
			ask->tasks = tasks;
	}
	component->tasks = tasks ? tasks : 1;
}

/* exact: a number of nodes, not a range. */
static int rules_apply_tasks(struct eqt_sbatch_component *component,
			     unsigned int release, struct eqt_error *err)
{
	struct eqt_job_spec *ask = &component->ask;
	const bool nodes = ask->min_nodes > 0 || component->extra;
	const bool exact = ask->max_nodes == 0 ||
			   ask->min_nodes == ask->max_nodes;

	rules_apply_node_tasks(component, release, exact);
	if (nodes && exact && !ask->tasks) {
		if (!ask->tasks_per_node)
			rules_derive_tasks(component);
		return 0;
	}
	if (ask->min_nodes == 0 || !ask->tasks)
		return 0;
	if (ask->tasks < ask->max_nodes)
		ask->max_nodes = ask->tasks;
	if (ask->tasks >= ask->min_nodes)
		return 0;
	ask->min_nodes = ask->max_nodes = ask->tasks;
	return release < EQT_RELEASE(23, 2, 0)
		       ? rules_cut_nodelist(component, err)
		       : 0;
}

/* This number is in the description even if nobody has asked for it. */
static void rules_apply_cpus(struct eqt_sbatch_component *component)
{
	struct eqt_job_spec *ask = &component->ask;

	rules_raise(&ask->min_cpus_per_node, ask->cpus_per_task);
	if (ask->overcommit)
		ask->min_cpus = ask->min_nodes ? ask->min_nodes : 1;
	else
		ask->min_cpus = component->tasks *
				(ask->cpus_per_task ? ask->cpus_per_task : 1);
}

/* From 23.11.2 on, -n with --ntasks-per-node gives the least number of nodes. */
static void rules_derive_nodes(struct eqt_job_spec *ask, unsigned int release)
{
	const uint64_t each = ask->tasks_per_node;

	if (release < EQT_RELEASE(23, 11, 2) || ask->min_nodes > 0 ||
	    ask->tasks == 0 || each == 0)
		return;
	ask->min_nodes = ask->tasks / each + (ask->tasks % each != 0);
}

/* 0, or -1 with err filled: this sbatch refuses the request. */
int eqt_sbatch_rules_apply(struct eqt_sbatch_component *component,
			   unsigned int release, struct eqt_error *err)
{
	struct eqt_job_spec *ask = &component->ask;

	if (rules_check_pairs(component, err) < 0)
		return -1;
	rules_apply_hint(component, release);
	if (release >= EQT_RELEASE(23, 2, 0) && component->threads_per_core &&
	    component->threads_per_core < component->tasks_per_core)
		return eqt_error_set(
			err, "--ntasks-per-core: more than --threads-per-core");
	if (rules_apply_nodelist(component, release, err) < 0 ||
	    rules_apply_tasks(component, release, err) < 0)
		return -1;
	rules_apply_cpus(component);
	rules_derive_nodes(ask, release);
	if (eqt_sbatch_gres_check(ask, release, err) < 0)
		return -1;
	/* As in the submission plugin. */
	if (component->spread && ask->max_nodes == 0)
		ask->max_nodes = ask->tasks;
	eqt_node_requirement_raise_nodes(ask);
	if (ask->counted_nodes > 0)
		eqt_node_requirement_add_listed(ask, component->listed);
	return 0;
}
