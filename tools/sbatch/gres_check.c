/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sbatch compares the counts for a job, a node, a socket and a task of each type of
 * GPU, in this order, and derives missing ones. It compares each type separately, so
 * --cpus-per-gpu does not change the tasks of a typed GPU. These are the checks of the
 * client; slurmctld repeats some. They are done here because what sbatch derives is in
 * the description that is priced, and differs between releases.
 */
#include <string.h>

#include "sbatch/gres_check.h"
#include "price/gres.h"
#include "slurm/conf/allocation.h"

enum {
	JOB = EQT_GRES_JOB,
	NODE = EQT_GRES_NODE,
	TASK = EQT_GRES_TASK,
	SOCKET = EQT_GRES_SOCKET,
	CPUS = EQT_GRES_CPUS,
	COUNTS
};

/* The counts of a request for one type. */
struct type_row {
	char name[EQT_NAME_SIZE], type[EQT_NAME_SIZE];
	uint64_t count[COUNTS];
};

struct gres_check {
	struct eqt_job_spec *ask;
	unsigned int release;
	struct eqt_error *err;
	struct type_row row[EQT_GRES_MAX];
	size_t rows;
};

/* Texts name options, as sbatch's own do. */
static int gres_refuse(const struct gres_check *check, const char *why)
{
	return eqt_error_set(check->err, "%s", why);
}

/* NULL: more types than a request can have, which the price refuses. */
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

/* The price reads the list again and reports its errors. */
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

/* Tasks of a number of nodes, before the lists are read. */
static void tasks_from_nodes(struct eqt_job_spec *ask)
{
	if ((!ask->tres_per_task && !ask->tasks_per_gpu) || ask->tasks > 0 ||
	    ask->min_nodes == 0 || ask->min_nodes != ask->max_nodes)
		return;
	if (ask->tasks_per_gpu)
		ask->tasks = ask->min_nodes * ask->tasks_per_gpu;
	else if (ask->tasks_per_node)
		ask->tasks = ask->min_nodes * ask->tasks_per_node;
	else if (!ask->cpus_per_task)
		ask->tasks = ask->min_nodes;
}

/* GPUs of all types, as far as sbatch can count them. sbatch multiplies by the least
 * number of nodes, or by one. */
static uint64_t gpus_of(const struct gres_check *check)
{
	const struct eqt_job_spec *ask = check->ask;
	const uint64_t nodes = ask->min_nodes ? ask->min_nodes : 1;
	uint64_t all = 0;

	for (size_t i = 0; i < check->rows; i++) {
		const uint64_t *count = check->row[i].count;
		uint64_t most = count[JOB];

		if (strcmp(check->row[i].name, "gpu") != 0)
			continue;
		if (most < count[NODE] * nodes)
			most = count[NODE] * nodes;
		if (most < count[TASK] * ask->tasks)
			most = count[TASK] * ask->tasks;
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

/* --ntasks-per-gpu: tasks from GPUs, or GPUs from tasks. Without a number of tasks
 * either follows from the other. */
static int tasks_from_gpus(struct gres_check *check)
{
	static const struct eqt_gres gpu = { .name = "gpu" };
	struct eqt_job_spec *ask = check->ask;
	struct type_row *row;

	if (!ask->tasks_per_gpu)
		return 0;
	if (request_has_gpus(check)) {
		ask->tasks = gpus_of(check) * ask->tasks_per_gpu;
		return 0;
	}
	if (!ask->tasks)
		return gres_refuse(
			check,
			"--ntasks-per-gpu: expected GPUs, tasks or nodes");
	row = type_row_find(check, &gpu);
	if (row)
		row->count[JOB] = ask->tasks / ask->tasks_per_gpu;
	return 0;
}

/* Each of these is an error of sbatch on its own, before anything is derived. */
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
	if (count[SOCKET] && !check->ask->sockets_per_node)
		return gres_refuse(
			check,
			"--gpus-per-socket: expected --sockets-per-node, too");
	if (count[CPUS] && check->ask->cpus_per_task)
		return gres_refuse(check, "--cpus-per-gpu and --cpus-per-task "
					  "exclude each other");
	return 0;
}

/* Nodes of a number of GPUs. */
static int nodes_derive(const struct gres_check *check, const uint64_t *count)
{
	struct eqt_job_spec *ask = check->ask;
	uint64_t nodes;

	if (!count[JOB] || !count[NODE])
		return 0;
	nodes = count[JOB] / count[NODE];
	if (count[JOB] % count[NODE] != 0)
		return gres_refuse(
			check, "--gpus: not a multiple of the GPUs of a node");
	if (nodes < ask->min_nodes ||
	    (ask->max_nodes && nodes > ask->max_nodes))
		return gres_refuse(check, "--gpus and the GPUs of a node need "
					  "another number of nodes");
	ask->min_nodes = ask->max_nodes = nodes;
	return 0;
}

/* GPUs of a node and of a socket say how many sockets a node must have. */
static int sockets_derive(const struct gres_check *check, const uint64_t *count)
{
	struct eqt_job_spec *ask = check->ask;

	if (!count[NODE] || !count[SOCKET])
		return 0;
	if (count[NODE] % count[SOCKET] != 0 ||
	    (ask->sockets_per_node &&
	     ask->sockets_per_node != count[NODE] / count[SOCKET]))
		return gres_refuse(check, "the GPUs of a node, of a socket and "
					  "--sockets-per-node do not agree");
	ask->sockets_per_node = count[NODE] / count[SOCKET];
	return 0;
}

/* Tasks of a number of GPUs. */
static int tasks_derive(const struct gres_check *check, uint64_t *count)
{
	struct eqt_job_spec *ask = check->ask;

	if (ask->tasks_per_gpu && ask->tasks % ask->tasks_per_gpu != 0)
		return gres_refuse(
			check, "--ntasks: not a multiple of --ntasks-per-gpu");
	if (!count[TASK])
		return 0;
	if (count[JOB]) {
		if (count[JOB] % count[TASK] != 0 ||
		    (ask->tasks && ask->tasks != count[JOB] / count[TASK]))
			return gres_refuse(check, "--gpus, --gpus-per-task and "
						  "--ntasks do not agree");
		ask->tasks = count[JOB] / count[TASK];
	} else if (!ask->tasks) {
		return gres_refuse(
			check,
			"--gpus-per-task: expected --gpus or --ntasks, too");
	} else {
		count[JOB] = ask->tasks * count[TASK];
	}
	return 0;
}

/* GPUs of a node and of a task say how many tasks a node has. */
static int tasks_of_node_derive(const struct gres_check *check,
				const uint64_t *count)
{
	struct eqt_job_spec *ask = check->ask;
	uint64_t tasks;

	if (count[NODE] && count[TASK]) {
		tasks = count[NODE] / count[TASK];
		if (count[NODE] % count[TASK] != 0 ||
		    (ask->tasks_per_node && ask->tasks_per_node != tasks))
			return gres_refuse(
				check, "the GPUs of a node and of a task do "
				       "not agree with the tasks of a node");
		ask->tasks_per_node = tasks;
	}
	if (count[SOCKET] && count[TASK] && count[SOCKET] % count[TASK] != 0)
		return gres_refuse(
			check,
			"--gpus-per-socket: not a multiple of --gpus-per-task");
	return 0;
}

/* Each node has a GPU at least, so more nodes than GPUs are not asked for. */
static int cpus_derive(const struct gres_check *check, const uint64_t *count)
{
	struct eqt_job_spec *ask = check->ask;

	if (count[CPUS] && count[TASK] && !ask->cpus_per_task)
		ask->cpus_per_task = count[CPUS] * count[TASK];
	if (!count[JOB])
		return 0;
	if (count[JOB] < ask->min_nodes)
		return gres_refuse(check, "fewer GPUs than nodes");
	if (ask->max_nodes > count[JOB])
		ask->max_nodes = count[JOB];
	return 0;
}

/* An item without a type beside typed ones: it may only give a number that
 * holds for all types. */
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

/* In sbatch's order: a later step uses what an earlier one derived. */
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
static uint64_t row_gpus(const struct eqt_job_spec *ask,
			 const uint64_t count[COUNTS])
{
	const uint64_t nodes = ask->min_nodes ? ask->min_nodes : 1;
	const uint64_t sockets = ask->sockets_per_node ? ask->sockets_per_node
						       : 1;
	uint64_t most = count[JOB];

	if (most < count[NODE] * nodes)
		most = count[NODE] * nodes;
	if (most < count[SOCKET] * nodes * sockets)
		most = count[SOCKET] * nodes * sockets;
	if (most < count[TASK] * (ask->tasks ? ask->tasks : 1))
		most = count[TASK] * (ask->tasks ? ask->tasks : 1);
	return most;
}

/* The least CPUs of --cpus-per-gpu, which sbatch sends from 24.05 on. It takes the
 * largest of the types for all GPUs. */
static uint64_t cpus_of_gpus(const struct gres_check *check)
{
	uint64_t each = 0, gpus = 0;

	if (check->release < EQT_RELEASE(24, 5, 0))
		return 0;
	for (size_t i = 0; i < check->rows; i++) {
		if (strcmp(check->row[i].name, "gpu") != 0)
			continue;
		if (each < check->row[i].count[CPUS])
			each = check->row[i].count[CPUS];
		gpus += row_gpus(check->ask, check->row[i].count);
	}
	return each * gpus;
}

/* From 25.05.1 on it sends the CPUs of derived tasks, too. */
static void cpus_raise(const struct gres_check *check, uint64_t cpus)
{
	struct eqt_job_spec *ask = check->ask;
	const uint64_t of_tasks = ask->cpus_per_task * ask->tasks;

	if (check->release >= EQT_RELEASE(25, 5, 1) && cpus < of_tasks)
		cpus = of_tasks;
	if (ask->min_cpus < cpus)
		ask->min_cpus = cpus;
}

/* *ask is changed as sbatch changes its own request. 0, or -1 with err filled: sbatch
 * refuses it. */
int eqt_sbatch_gres_check(struct eqt_job_spec *ask, unsigned int release,
			  struct eqt_error *err)
{
	struct gres_check check = {
		.ask = ask, .release = release, .err = err, .rows = 0
	};
	uint64_t cpus;

	tasks_from_nodes(ask);
	rows_add(&check, CPUS, ask->cpus_per_tres);
	rows_add(&check, JOB, ask->tres_per_job);
	rows_add(&check, NODE, ask->tres_per_node);
	rows_add(&check, SOCKET, ask->tres_per_socket);
	rows_add(&check, TASK, ask->tres_per_task);
	if (tasks_from_gpus(&check) < 0)
		return -1;
	if (ask->mem_per_tres && !request_has_gpus(&check))
		return gres_refuse(&check, "--mem-per-gpu: expected GPUs, too");
	if (ask->cpus_per_tres && !request_has_gpus(&check) &&
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
