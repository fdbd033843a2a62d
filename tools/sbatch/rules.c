/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The steps come in sbatch's order, because later steps depend on numbers of earlier
 * ones. Releases differ (docs/design/0039). Up to 22.05 --nodelist raises the number of
 * nodes and is cut to the number of tasks, and --ntasks-per-node gives the number of
 * tasks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "cli/alloc.h"
#include "job/job_totals.h"
#include "job/node_class.h"
#include "sbatch/rules.h"
#include "slurm/conf/cluster.h"
#include "slurm/text/hostlist.h"
#include "price/gres.h"

/* ---- GRES ---------------------------------------------------------------------------
 * Numbers that sbatch derives from lists of GPUs before it submits a job, and
 * combinations that it refuses. For each type of GPU it compares the counts per job, per
 * node, per socket and per task, in this order, and derives missing ones. Types are
 * compared separately, so --cpus-per-gpu does not change the tasks of a typed GPU.
 * slurmctld prices the derived numbers, which differ between releases. */

enum {
	JOB = EQT_GRES_JOB,
	NODE = EQT_GRES_NODE,
	TASK = EQT_GRES_TASK,
	SOCKET = EQT_GRES_SOCKET,
	CPUS = EQT_GRES_CPUS,
	COUNTS
};

/* The counts of a request for one type of GPU. */
struct type_row {
	char name[EQT_NAME_SIZE], type[EQT_NAME_SIZE];
	uint64_t count[COUNTS];
};

struct gres_check {
	struct eqt_job_spec *spec;
	unsigned int release;
	struct eqt_error *err;
	struct type_row row[EQT_GRES_MAX];
	size_t rows;
};

/* Fill err. Returns -1. */
static int gres_refuse(const struct gres_check *check, const char *why)
{
	return eqt_error_set(check->err, "%s", why);
}

/* The row of a type. NULL if a request cannot have so many types. The price then refuses
 * the request. */
static struct type_row *type_row_find(struct gres_check *check,
				      const struct eqt_gres *gres)
{
	size_t i;

	for (i = 0; i < check->rows; i++) {
		if (strcmp(check->row[i].name, gres->name) == 0 &&
		    strcmp(check->row[i].type, gres->type) == 0)
			return &check->row[i];
	}
	if (check->rows == EQT_GRES_MAX)
		return NULL;
	check->row[i] = (struct type_row){ .name = "" };
	memcpy(check->row[i].name, gres->name, EQT_NAME_SIZE);
	memcpy(check->row[i].type, gres->type, EQT_NAME_SIZE);
	check->rows++;
	return &check->row[i];
}

/* Add the counts of a list. Its errors are reported when it is priced. */
static void rows_add(struct gres_check *check, int field, const char *list)
{
	struct eqt_gres gres;
	struct type_row *row;

	while (list && eqt_gres_next(&gres, &list, NULL) > 0) {
		row = strcmp(gres.name, "cpu") == 0
			      ? NULL
			      : type_row_find(check, &gres);
		if (row)
			row->count[field] = gres.count;
	}
}

/* Derive the number of tasks from the number of nodes, before the lists are read. */
static void tasks_from_nodes(struct eqt_job_spec *spec)
{
	if ((!spec->tres_per_task && !spec->tasks_per_gpu) || spec->tasks > 0 ||
	    spec->min_nodes == 0 || spec->min_nodes != spec->max_nodes)
		return;
	if (spec->tasks_per_gpu)
		spec->tasks = spec->min_nodes * spec->tasks_per_gpu;
	else if (spec->tasks_per_node)
		spec->tasks = spec->min_nodes * spec->tasks_per_node;
	else if (!spec->cpus_per_task)
		spec->tasks = spec->min_nodes;
}

/* The number of GPUs of all types, as far as sbatch can count them. sbatch multiplies by
 * the smallest number of nodes, or by one. */
static uint64_t gpus_of(const struct gres_check *check)
{
	const struct eqt_job_spec *spec = check->spec;
	const uint64_t nodes = spec->min_nodes ? spec->min_nodes : 1;
	uint64_t all = 0;

	for (size_t i = 0; i < check->rows; i++) {
		const uint64_t *count = check->row[i].count;
		uint64_t most = count[JOB];

		if (strcmp(check->row[i].name, "gpu") != 0)
			continue;
		eqt_whole_raise(&most, count[NODE] * nodes);
		eqt_whole_raise(&most, count[TASK] * spec->tasks);
		all += most;
	}
	return all;
}

/* --cpus-per-gpu alone is no request for GPUs. */
static bool request_has_gpus(const struct gres_check *check)
{
	for (size_t i = 0; i < check->rows; i++) {
		const uint64_t *count = check->row[i].count;

		if (strcmp(check->row[i].name, "gpu") == 0 &&
		    (count[JOB] || count[NODE] || count[TASK] || count[SOCKET]))
			return true;
	}
	return false;
}

/* --ntasks-per-gpu: derive the tasks from the GPUs if the request has GPUs, or else the
 * GPUs from the tasks. */
static int tasks_from_gpus(struct gres_check *check)
{
	static const struct eqt_gres gpu = { .name = "gpu" };
	struct eqt_job_spec *spec = check->spec;
	struct type_row *row;

	if (!spec->tasks_per_gpu)
		return 0;
	if (request_has_gpus(check)) {
		spec->tasks = gpus_of(check) * spec->tasks_per_gpu;
		return 0;
	}
	if (!spec->tasks)
		return gres_refuse(
			check,
			"--ntasks-per-gpu: expected GPUs, tasks or nodes");
	row = type_row_find(check, &gpu);
	if (row)
		row->count[JOB] = spec->tasks / spec->tasks_per_gpu;
	return 0;
}

/* Check the counts before any of them is derived. */
static int order_check(const struct gres_check *check, const uint64_t *count)
{
	if (count[JOB] &&
	    (count[NODE] > count[JOB] || count[TASK] > count[JOB] ||
	     count[SOCKET] > count[JOB]))
		return gres_refuse(check, "--gpus: fewer than the GPUs of a "
					  "node, a socket or a task");
	if (count[NODE] &&
	    (count[TASK] > count[NODE] || count[SOCKET] > count[NODE]))
		return gres_refuse(
			check,
			"fewer GPUs of a node than of a socket or a task");
	if (count[SOCKET] && !check->spec->sockets_per_node)
		return gres_refuse(
			check,
			"--gpus-per-socket: expected --sockets-per-node, too");
	if (count[CPUS] && check->spec->cpus_per_task)
		return gres_refuse(check, "--cpus-per-gpu and --cpus-per-task "
					  "exclude each other");
	return 0;
}

/* Derive the number of nodes from the number of GPUs. */
static int nodes_derive(const struct gres_check *check, const uint64_t *count)
{
	struct eqt_job_spec *spec = check->spec;
	uint64_t nodes;

	if (!count[JOB] || !count[NODE])
		return 0;
	nodes = count[JOB] / count[NODE];
	if (count[JOB] % count[NODE] != 0)
		return gres_refuse(
			check, "--gpus: not a multiple of the GPUs of a node");
	if (nodes < spec->min_nodes ||
	    (spec->max_nodes && nodes > spec->max_nodes))
		return gres_refuse(check, "--gpus and the GPUs of a node need "
					  "another number of nodes");
	spec->min_nodes = spec->max_nodes = nodes;
	return 0;
}

/* Derive the sockets per node from the GPUs per node and per socket. */
static int sockets_derive(const struct gres_check *check, const uint64_t *count)
{
	struct eqt_job_spec *spec = check->spec;

	if (!count[NODE] || !count[SOCKET])
		return 0;
	if (count[NODE] % count[SOCKET] != 0 ||
	    (spec->sockets_per_node &&
	     spec->sockets_per_node != count[NODE] / count[SOCKET]))
		return gres_refuse(check, "the GPUs of a node, of a socket and "
					  "--sockets-per-node do not agree");
	spec->sockets_per_node = count[NODE] / count[SOCKET];
	return 0;
}

/* Derive the number of tasks from the numbers of GPUs, which must agree with it. */
static int tasks_derive(const struct gres_check *check, uint64_t *count)
{
	struct eqt_job_spec *spec = check->spec;

	if (spec->tasks_per_gpu && spec->tasks % spec->tasks_per_gpu != 0)
		return gres_refuse(
			check, "--ntasks: not a multiple of --ntasks-per-gpu");
	if (!count[TASK])
		return 0;
	if (count[JOB]) {
		if (count[JOB] % count[TASK] != 0 ||
		    (spec->tasks && spec->tasks != count[JOB] / count[TASK]))
			return gres_refuse(check, "--gpus, --gpus-per-task and "
						  "--ntasks do not agree");
		spec->tasks = count[JOB] / count[TASK];
	} else if (!spec->tasks) {
		return gres_refuse(
			check,
			"--gpus-per-task: expected --gpus or --ntasks, too");
	} else {
		count[JOB] = spec->tasks * count[TASK];
	}
	return 0;
}

/* Derive the tasks per node from the GPUs per node and per task. */
static int tasks_of_node_derive(const struct gres_check *check,
				const uint64_t *count)
{
	struct eqt_job_spec *spec = check->spec;
	uint64_t tasks;

	if (count[NODE] && count[TASK]) {
		tasks = count[NODE] / count[TASK];
		if (count[NODE] % count[TASK] != 0 ||
		    (spec->tasks_per_node && spec->tasks_per_node != tasks))
			return gres_refuse(
				check, "the GPUs of a node and of a task do "
				       "not agree with the tasks of a node");
		spec->tasks_per_node = tasks;
	}
	if (count[SOCKET] && count[TASK] && count[SOCKET] % count[TASK] != 0)
		return gres_refuse(
			check,
			"--gpus-per-socket: not a multiple of --gpus-per-task");
	return 0;
}

/* Derive the CPUs per task, and limit the number of nodes to the number of GPUs. */
static int cpus_derive(const struct gres_check *check, const uint64_t *count)
{
	struct eqt_job_spec *spec = check->spec;

	if (count[CPUS] && count[TASK] && !spec->cpus_per_task)
		spec->cpus_per_task = count[CPUS] * count[TASK];
	if (!count[JOB])
		return 0;
	if (count[JOB] < spec->min_nodes)
		return gres_refuse(check, "fewer GPUs than nodes");
	eqt_whole_lower(&spec->max_nodes, count[JOB]);
	return 0;
}

/* Next to items with a type, an item without a type may not give a number of GPUs. */
static int types_check(const struct gres_check *check)
{
	for (size_t i = 0; i < check->rows; i++) {
		const struct type_row *row = &check->row[i];
		bool counts = row->count[JOB] || row->count[NODE] ||
			      row->count[TASK] || row->count[SOCKET];

		for (size_t j = 0; j < check->rows; j++) {
			if (row->type[0] == '\0' && counts &&
			    check->row[j].type[0] != '\0' &&
			    strcmp(row->name, check->row[j].name) == 0)
				return gres_refuse(check,
						   "GPUs with and without a "
						   "model cannot be mixed");
		}
	}
	return 0;
}

/* The steps come in sbatch's order, because a later step uses what an earlier one
 * derived. */
static int rows_check(struct gres_check *check)
{
	for (size_t i = 0; i < check->rows; i++) {
		uint64_t *count = check->row[i].count;

		if (order_check(check, count) < 0 ||
		    nodes_derive(check, count) < 0 ||
		    sockets_derive(check, count) < 0 ||
		    tasks_derive(check, count) < 0 ||
		    tasks_of_node_derive(check, count) < 0 ||
		    cpus_derive(check, count) < 0)
			return -1;
	}
	return types_check(check);
}

/* The GPUs of one type that sbatch counts before it derives anything. */
static uint64_t row_gpus(const struct eqt_job_spec *spec,
			 const uint64_t count[COUNTS])
{
	const uint64_t nodes = eqt_whole_max(spec->min_nodes, 1);
	uint64_t most = count[JOB];

	eqt_whole_raise(&most, count[NODE] * nodes);
	eqt_whole_raise(&most,
			count[SOCKET] * nodes *
				eqt_whole_max(spec->sockets_per_node, 1));
	eqt_whole_raise(&most, count[TASK] * eqt_whole_max(spec->tasks, 1));
	return most;
}

/* The smallest number of CPUs by --cpus-per-gpu, which sbatch sends since 24.05. sbatch
 * takes the largest of the types for all GPUs. */
static uint64_t cpus_of_gpus(const struct gres_check *check)
{
	uint64_t each = 0, gpus = 0;

	if (check->release < EQT_RELEASE(24, 5, 0))
		return 0;
	for (size_t i = 0; i < check->rows; i++) {
		if (strcmp(check->row[i].name, "gpu") != 0)
			continue;
		eqt_whole_raise(&each, check->row[i].count[CPUS]);
		gpus += row_gpus(check->spec, check->row[i].count);
	}
	return each * gpus;
}

/* Since 25.05.1 sbatch also sends the CPUs of derived tasks. */
static void cpus_raise(const struct gres_check *check, uint64_t cpus)
{
	struct eqt_job_spec *spec = check->spec;
	const uint64_t of_tasks = spec->cpus_per_task * spec->tasks;

	if (check->release >= EQT_RELEASE(25, 5, 1))
		eqt_whole_raise(&cpus, of_tasks);
	eqt_whole_raise(&spec->min_cpus, cpus);
}

/* Set the tasks, nodes and CPUs of a request that sbatch of this release derives from its
 * lists. Returns 0, or -1 with err filled if sbatch refuses the request. */
static int sbatch_gres_check(struct eqt_job_spec *spec, unsigned int release,
			     struct eqt_error *err)
{
	struct gres_check check = {
		.spec = spec, .release = release, .err = err, .rows = 0
	};
	uint64_t cpus;

	tasks_from_nodes(spec);
	rows_add(&check, CPUS, spec->cpus_per_tres);
	rows_add(&check, JOB, spec->tres_per_job);
	rows_add(&check, NODE, spec->tres_per_node);
	rows_add(&check, SOCKET, spec->tres_per_socket);
	rows_add(&check, TASK, spec->tres_per_task);
	if (tasks_from_gpus(&check) < 0)
		return -1;
	if (spec->mem_per_tres && !request_has_gpus(&check))
		return gres_refuse(&check, "--mem-per-gpu: expected GPUs, too");
	if (spec->cpus_per_tres && !request_has_gpus(&check) &&
	    release >= EQT_RELEASE(23, 2, 0))
		return gres_refuse(&check,
				   "--cpus-per-gpu: expected GPUs, too");
	cpus = cpus_of_gpus(&check);
	if (rows_check(&check) < 0)
		return -1;
	if (check.rows > 0)
		cpus_raise(&check, cpus);
	return 0;
}

/* ---- Rules ---------------------------------------------------------------- */

/* Refuse two options that exclude each other. sbatch refuses such pairs before it asks
 * slurmctld. */
static int rules_check_pairs(const struct eqt_sbatch_component *component,
			     struct eqt_error *err)
{
	const struct eqt_job_spec *spec = &component->spec;
	const unsigned int memory = component->given & EQT_SBATCH_MEMORY;

	if (memory & (memory - 1))
		return eqt_error_set(err, "--mem, --mem-per-cpu and "
					  "--mem-per-gpu exclude each other");
	if (spec->tasks_per_gpu &&
	    (component->given & EQT_SBATCH_GPUS_PER_TASK))
		return eqt_error_set(err,
				     "--gpus-per-task and --ntasks-per-gpu "
				     "exclude each other");
	if (spec->tasks_per_gpu && spec->tres_per_socket)
		return eqt_error_set(err,
				     "--gpus-per-socket and --ntasks-per-gpu "
				     "exclude each other");
	if (spec->tasks_per_gpu && spec->tasks_per_node)
		return eqt_error_set(err,
				     "--ntasks-per-node and --ntasks-per-gpu "
				     "exclude each other");
	return 0;
}

/* The CPUs of the sockets, cores and threads that the request names. A missing number
 * counts as 1. */
static uint64_t rules_layout_cpus(const struct eqt_sbatch_component *component)
{
	const uint64_t parts[] = { component->spec.sockets_per_node,
				   component->cores_per_socket,
				   component->threads_per_core };
	uint64_t cpus = 1;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		cpus *= parts[i] ? parts[i] : 1;
	return cpus;
}

/* Next to the options that give the numbers, --hint has no effect. Otherwise it resets
 * sockets and cores of the request. */
static void rules_apply_hint(struct eqt_sbatch_component *component,
			     unsigned int release)
{
	const bool numbers = release >= EQT_RELEASE(25, 11, 0) &&
			     (component->cores_per_socket ||
			      component->spec.sockets_per_node);

	if (component->hint && !component->threads_per_core &&
	    !component->tasks_per_core && !component->extra && !numbers) {
		component->spec.sockets_per_node = 0;
		component->cores_per_socket = 0;
		component->spec.tasks_share_core =
			strcmp(component->hint, "multithread") == 0;
		component->threads_per_core = !component->spec.tasks_share_core;
	}
	component->spec.cpus_per_core = component->threads_per_core;
	component->spec.tasks_per_core = component->tasks_per_core;
	component->spec.task_per_core = component->tasks_per_core == 1;
	component->spec.layout_cpus = rules_layout_cpus(component);
}

/* The job gets at least as many nodes as --nodelist names. Since 23.02 that is not so if
 * --nodes gives another number. */
static int rules_apply_nodelist(struct eqt_sbatch_component *component,
				unsigned int release, struct eqt_error *err)
{
	struct eqt_job_spec *spec = &component->spec;

	component->listed = 0;
	if (!spec->nodelist)
		return 0;
	if (eqt_hostlist_each(spec->nodelist, eqt_hostlist_count_one,
			      &component->listed, err) < 0)
		return -1;
	spec->list_chooses = release >= EQT_RELEASE(23, 2, 0) &&
			     spec->min_nodes > 0;
	if (spec->list_chooses)
		return 0;
	eqt_whole_raise(&spec->min_nodes, component->listed);
	if (spec->max_nodes && spec->min_nodes > spec->max_nodes)
		return eqt_error_set(
			err, "--nodelist names more nodes than --nodes allows");
	return 0;
}

/* The names of a list. */
struct listed_names {
	char **name;
	size_t count;
};

/* A callback of eqt_hostlist_each(): add a name. */
static int names_add(const char *name, void *with)
{
	struct listed_names *names = with;

	EQT_ALLOC_ROOM(names->name, names->count);
	names->name[names->count++] = eqt_alloc_text(name);
	return 0;
}

/* Compare names as Slurm does, with numbers in them by value. */
static int names_compare(const void *a, const void *b)
{
	const char *one = *(char *const *) a, *other = *(char *const *) b;

	while (*one != '\0' && *other != '\0') {
		const size_t digits = strspn(one, "0123456789");
		const size_t others = strspn(other, "0123456789");
		const size_t step = digits > 0 && others > 0 ? digits : 1;
		int order;

		if (digits > 0 && others > 0 && digits != others)
			return digits < others ? -1 : 1;
		order = strncmp(one, other, step);
		if (order != 0)
			return order;
		one += step;
		other += step;
	}
	return (*one != '\0') - (*other != '\0');
}

/* Cut --nodelist to the number of nodes. sbatch sorts the list with hostlist_uniq() and
 * keeps the first names. The component owns the new list. */
static void rules_cut_nodelist(struct eqt_sbatch_component *component)
{
	struct listed_names names = { .count = 0 };
	FILE *stream;
	char *text = NULL;
	size_t size;

	if (component->listed <= component->spec.min_nodes)
		return;
	(void) eqt_hostlist_each(component->spec.nodelist, names_add, &names,
				 NULL);
	qsort(names.name, names.count, sizeof(*names.name), names_compare);
	stream = eqt_alloc_stream(&text, &size);
	for (size_t i = 0; i < names.count; i++) {
		if (i < component->spec.min_nodes)
			fprintf(stream, "%s,", names.name[i]);
		free(names.name[i]);
	}
	eqt_alloc_stream_close(stream);
	free(names.name);
	free(component->lists[EQT_SBATCH_LIST_NAMES]);
	component->lists[EQT_SBATCH_LIST_NAMES] = text;
	component->spec.nodelist = text;
}

/* Derive the tasks from the number of nodes. They count as requested only if sockets,
 * cores or threads are named. */
static void rules_derive_tasks(struct eqt_sbatch_component *component)
{
	struct eqt_job_spec *spec = &component->spec;
	const bool derived = spec->sockets_per_node > 0 ||
			     component->cores_per_socket > 0 ||
			     component->threads_per_core > 0;

	component->tasks = (spec->min_nodes ? spec->min_nodes : 1) *
			   rules_layout_cpus(component);
	if (derived)
		spec->tasks = component->tasks;
}

/* Apply --ntasks-per-node. Since 23.02 its tasks only count CPUs, and slurmctld gets no
 * number of tasks. */
static void rules_apply_node_tasks(struct eqt_sbatch_component *component,
				   unsigned int release, bool exact)
{
	struct eqt_job_spec *spec = &component->spec;
	uint64_t tasks = spec->tasks;

	if (spec->tasks_per_node && !tasks && exact) {
		tasks = (spec->min_nodes ? spec->min_nodes : 1) *
			spec->tasks_per_node;
		if (release < EQT_RELEASE(23, 2, 0))
			spec->tasks = tasks;
	}
	component->tasks = tasks ? tasks : 1;
}

/* "exact" means that --nodes is a number rather than a range. */
static void rules_apply_tasks(struct eqt_sbatch_component *component,
			      unsigned int release)
{
	struct eqt_job_spec *spec = &component->spec;
	const bool nodes = spec->min_nodes > 0 || component->extra;
	const bool exact = spec->max_nodes == 0 ||
			   spec->min_nodes == spec->max_nodes;

	rules_apply_node_tasks(component, release, exact);
	if (nodes && exact && !spec->tasks) {
		if (!spec->tasks_per_node)
			rules_derive_tasks(component);
		return;
	}
	if (spec->min_nodes == 0 || !spec->tasks)
		return;
	eqt_whole_lower(&spec->max_nodes, spec->tasks);
	if (spec->tasks >= spec->min_nodes)
		return;
	spec->min_nodes = spec->max_nodes = spec->tasks;
	if (release < EQT_RELEASE(23, 2, 0))
		rules_cut_nodelist(component);
}

/* Set the smallest number of CPUs, which sbatch sends even if the user gave no number. */
static void rules_apply_cpus(struct eqt_sbatch_component *component)
{
	struct eqt_job_spec *spec = &component->spec;

	spec->names_min_cpus = spec->min_cpus_per_node > 0;
	eqt_whole_raise(&spec->min_cpus_per_node, spec->cpus_per_task);
	if (spec->overcommit)
		spec->min_cpus = spec->min_nodes ? spec->min_nodes : 1;
	else
		spec->min_cpus =
			component->tasks *
			(spec->cpus_per_task ? spec->cpus_per_task : 1);
}

/* Since 23.11.2, -n with --ntasks-per-node gives the smallest number of nodes. */
static void rules_derive_nodes(struct eqt_job_spec *spec, unsigned int release)
{
	const uint64_t each = spec->tasks_per_node;

	if (release < EQT_RELEASE(23, 11, 2) || spec->min_nodes > 0 ||
	    spec->tasks == 0 || each == 0)
		return;
	spec->min_nodes = spec->tasks / each + (spec->tasks % each != 0);
}

int eqt_sbatch_rules_apply(struct eqt_sbatch_component *component,
			   unsigned int release, struct eqt_error *err)
{
	struct eqt_job_spec *spec = &component->spec;

	if (rules_check_pairs(component, err) < 0)
		return -1;
	rules_apply_hint(component, release);
	if (release >= EQT_RELEASE(23, 2, 0) && component->threads_per_core &&
	    component->threads_per_core < component->tasks_per_core)
		return eqt_error_set(
			err, "--ntasks-per-core: more than --threads-per-core");
	if (rules_apply_nodelist(component, release, err) < 0)
		return -1;
	rules_apply_tasks(component, release);
	rules_apply_cpus(component);
	rules_derive_nodes(spec, release);
	if (sbatch_gres_check(spec, release, err) < 0)
		return -1;
	spec->spreads = component->spread && release >= EQT_RELEASE(25, 5, 0);
	/* The submission plugin has the same rule. */
	if (component->spread && spec->max_nodes == 0)
		spec->max_nodes = spec->tasks;
	eqt_job_spec_take_task_cpus(spec);
	eqt_node_requirement_raise_nodes(spec);
	if (spec->counted_nodes > 0)
		eqt_node_requirement_add_listed(spec, component->listed);
	return 0;
}
