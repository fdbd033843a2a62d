/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submit: what a call of a submission plugin costs, in one process, in turns:
 * ours, and Slurm's job_submit/lua with a script that does the same sums and
 * says the same, which is compared at each call.
 *
 * Each figure is a line on standard output: what is submitted, how many
 * partitions there are, how many jobs, p50 or p99, ours and the other's
 * nanoseconds. The rows of a thousand nodes are ours alone (the other's are 0): the
 * script knows no nodes, and a GPU of any model may be of those that are there.
 * Where there are jobs, the time of their last change is another
 * than at the call before, as it is on a controller that is asked less than once
 * a second: job_submit/lua then makes its table of all jobs anew.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/compat/stand_in.h"
#include "../plugins/slurm/elapsed.h"
#include "../tests/host/cluster.h"
#include "../tests/host/fail.h"
#include "../tests/host/words.h"
#include "../tests/submit/desc.h"
#include "../tests/submit/stage.h"

#define PLUGINS 2
#define TURNS 9
#define CALLS 5000 /* in a row of one plugin */
#define CALLS_WITH_JOBS 25
#define CALLS_WITH_NODES 500
#define NODES 1000
#define KINDS 2
#define MANY_LINES 50 /* more than the plugin walks for each partition */

/* What job_submit/lua wants of slurmctld beside what ours wants. */
List resv_list;
time_t last_resv_update;

struct plugin {
	const char *path;
	int (*submit)(job_desc_msg_t *desc, uint32_t uid, char **err_msg);
	int64_t took_ns[TURNS * CALLS];
};

static struct plugin plugins[PLUGINS];
static uint32_t jobs; /* that slurmctld has */

/* What is submitted; NULL is nothing. */
struct request {
	const char *name;
	const char *partition;
	const char *tres_per_node;
	const char *tres_per_task;
	uint16_t cpus_per_task;
	uint64_t memory;
	const char *price; /* with which the message begins */
};

/* Names are copied into a description and freed with it. */
static const struct request requests[] = {
	{ .name = "cores",
	  .memory = 10000,
	  .price = "equitree: cost 2.5 core-equivalents (memory decides), "
		   "2.5 " },
	{ .name = "GPUs of one model",
	  .partition = "gpu",
	  .tres_per_node = "gres:gpu:p100:2",
	  .cpus_per_task = 9,
	  .memory = 48000,
	  .price = "equitree: cost 3 GPU-equivalents (cores decide), 3 " },
	{ .name = "GPUs of two models",
	  .partition = "gpu",
	  .tres_per_task = "gres:gpu:p100:1,gres:gpu:v100:1",
	  .cpus_per_task = 4,
	  .memory = 150000,
	  .price =
		  "equitree: cost 26.6667 GPU-equivalents (memory decides), " },
};

static void *symbol(void *handle, const char *name)
{
	void *found = dlsym(handle, name);

	if (!found)
		fail("there is no %s", name);
	return found;
}

static void load(struct plugin *plugin)
{
	void *handle = dlopen(plugin->path, RTLD_LAZY);
	int (*init)(void);
	void *found;

	if (!handle)
		fail("%s", dlerror());
	found = symbol(handle, "init");
	memcpy(&init, &found, sizeof(init));
	found = symbol(handle, "job_submit");
	memcpy(&plugin->submit, &found, sizeof(plugin->submit));
	if (init() != SLURM_SUCCESS)
		fail("%s refuses to start", plugin->path);
}

static void fill(job_desc_msg_t *desc, const struct request *request)
{
	desc_plain(desc);
	desc->time_limit = 60;
	desc->pn_min_memory = request->memory;
	desc->partition = xstrdup(request->partition);
	desc->tres_per_node = xstrdup(request->tres_per_node);
	desc->tres_per_task = xstrdup(request->tres_per_task);
	if (request->cpus_per_task)
		desc->cpus_per_task = request->cpus_per_task;
}

/* What the first plugin said of this request, which the others must say, too. */
static void check(const struct plugin *plugin, const struct request *request,
		  const char *message)
{
	static char first[4096];

	if (!message ||
	    strncmp(message, request->price, strlen(request->price)))
		fail("%s says %s of %s", plugin->path, message, request->name);
	if (plugin == &plugins[0])
		(void) snprintf(first, sizeof(first), "%s", message);
	else if (strcmp(first, message))
		fail("of %s they say\n%s\n%s", request->name, first, message);
}

static int64_t call(const struct plugin *plugin, const struct request *request)
{
	char *message = NULL;
	struct timespec start;
	job_desc_msg_t desc;
	int64_t took_ns;
	int rc;

	fill(&desc, request);
	if (jobs)
		last_job_update++;
	start = eqt_elapsed_start();
	rc = plugin->submit(&desc, desc.user_id, &message);
	took_ns = eqt_elapsed_ns(&start);
	if (rc != SLURM_SUCCESS)
		fail("%s refuses %s: %s", plugin->path, request->name, message);
	check(plugin, request, message);
	xfree(message);
	desc_free(&desc);
	return took_ns;
}

static int compare(const void *x, const void *y)
{
	const int64_t *a = x, *b = y;

	return *a < *b ? -1 : *a > *b;
}

/* The first plugins in turns, and a line a figure. */
static void measure_calls(const struct request *request, size_t calls,
			  int plugin_count)
{
	static const struct {
		const char *name;
		size_t permille;
	} figures[] = { { "p50", 500 }, { "p99", 990 } };

	for (size_t turn = 0; turn < TURNS; turn++)
		for (int i = 0; i < plugin_count; i++)
			for (size_t n = 0; n < calls; n++)
				plugins[i].took_ns[turn * calls + n] =
					call(&plugins[i], request);
	for (int i = 0; i < plugin_count; i++)
		qsort(plugins[i].took_ns, TURNS * calls, sizeof(int64_t),
		      compare);
	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++) {
		const size_t at = TURNS * calls * figures[i].permille / 1000;

		printf("%s\t%d\t%" PRIu32 "\t%s\t%" PRId64 "\t%" PRId64 "\n",
		       request->name, list_count(part_list), jobs,
		       figures[i].name, plugins[0].took_ns[at],
		       plugin_count > 1 ? plugins[1].took_ns[at] : 0);
	}
}

static void measure(const struct request *request)
{
	measure_calls(request, jobs ? CALLS_WITH_JOBS : CALLS, PLUGINS);
}

/* The bundles and rules that the script knows; no pools, no grants. */
static void write_prices(const char *folder, const char *more)
{
	char path[PATH_MAX];
	FILE *file;

	(void) snprintf(path, sizeof(path), "%s/equitree.conf", folder);
	file = fopen(path, "w");
	if (!file ||
	    fputs("message = brief  bundle cores { cores = 1  memory = 4000M "
		  "}\n"
		  "bundle \"gpu:p100\" { cores = 6  memory = 32000M }\n"
		  "bundle \"gpu:v100\" { cores = 3.5  memory = 22500M  weight "
		  "= 4 }\n"
		  "partition \"strict\" { max = 3 }\n"
		  "qos \"half\" { factor = 0.5 }\n",
		  file) < 0 ||
	    fputs(more, file) < 0 || fclose(file) != 0)
		fail("%s cannot be written", path);
}

/* A NodeName line of slurm.conf that has no nodes yet. */
static config_record_t *line_add(void)
{
	config_record_t *line = create_config_record();

	FREE_NULL_BITMAP(line->node_bitmap);
	line->node_bitmap = bit_alloc(NODES);
	return line;
}

/* Two kinds of nodes in a partition, in two halves, each of a line of slurm.conf. */
static void add_nodes(void)
{
	static node_record_t nodes[NODES];
	part_record_t *part = find_part_record((char *) (uintptr_t) "gpu");
	config_record_t *line[KINDS];
	char name[16];

	eqt_slurm_node_count_set(0);
	init_node_conf(); /* makes another table */
	for (int i = 0; i < KINDS; i++)
		line[i] = line_add();
	xfree(node_record_table_ptr);
	node_record_table_ptr = xcalloc(NODES, sizeof(*node_record_table_ptr));
	for (int i = 0; i < NODES; i++) {
		(void) snprintf(name, sizeof(name), "n%d", i);
		nodes[i] = (node_record_t){
			.name = xstrdup(name),
			.cpus_efctv = 32,
			.real_memory = 128000,
			.tpc = 1,
			.features = xstrdup("fast,big"),
			.gres = xstrdup(i < NODES / 2 ? "gpu:p100:4(S:0-1)"
						      : "gpu:v100:4(S:0-1)"),
			.config_ptr = line[i * KINDS / NODES],
		};
		bit_set(nodes[i].config_ptr->node_bitmap, i);
		node_record_table_ptr[i] = &nodes[i];
	}
	eqt_slurm_node_count_set(NODES);
	FREE_NULL_BITMAP(part->node_bitmap);
	part->node_bitmap = bit_alloc(NODES);
	bit_set_all(part->node_bitmap);
	part->total_nodes = part->max_nodes = NODES;
}

/* Which models there are must be known of a GPU without one; and which bundle
 * holds, of a model that has another on some nodes: no node has the last. */
static void measure_nodes(const char *folder)
{
	static const struct request any = {
		.name = "GPUs of any model, 1000 nodes",
		.partition = "gpu",
		.tres_per_node = "gres:gpu:2",
		.cpus_per_task = 9,
		.memory = 48000,
		.price = "equitree: cost 3 to 20.5714 GPU-equivalents (the "
			 "model",
	};
	static const struct request named = {
		.name = "GPUs of one model, 1000 nodes",
		.partition = "gpu",
		.tres_per_node = "gres:gpu:p100:2",
		.cpus_per_task = 9,
		.memory = 48000,
		.price = "equitree: cost 3 GPU-equivalents (cores decide), 3 ",
	};
	static const struct request placed = {
		.name = "bundles by feature, 1000 nodes",
		.partition = "gpu",
		.tres_per_node = "gres:gpu:p100:2",
		.cpus_per_task = 9,
		.memory = 48000,
		.price = "equitree: cost 3 GPU-equivalents (cores decide), 3 ",
	};
	static const struct request lines = {
		.name = "GPUs of one model, 1000 nodes, 50 lines",
		.partition = "gpu",
		.tres_per_node = "gres:gpu:p100:2",
		.cpus_per_task = 9,
		.memory = 48000,
		.price = "equitree: cost 3 GPU-equivalents (cores decide), 3 ",
	};

	add_nodes();
	write_prices(folder, "bundle \"gpu:h100\" { cores = 9 }\n");
	slurm_conf.last_update++;
	measure_calls(&named, CALLS_WITH_NODES, 1);
	measure_calls(&any, CALLS_WITH_NODES, 1);
	write_prices(folder, "bundle \"gpu:p100\" { cores = 9 "
			     "features = new }\n");
	slurm_conf.last_update++;
	measure_calls(&placed, CALLS_WITH_NODES, 1);
	while (list_count(config_list) < MANY_LINES)
		(void) line_add();
	measure_calls(&lines, CALLS_WITH_NODES, 1);
}

/* A partition of one node: no request may get more nodes than it needs. */
static int part_set_nodes(void *part, void *arg)
{
	(void) arg;
	((part_record_t *) part)->total_nodes = 1;
	((part_record_t *) part)->max_nodes = 1;
	return 0;
}

static void add_partitions(uint32_t count)
{
	char line[64];
	struct words words;

	while (list_count(part_list) < (int) count) {
		(void) snprintf(line, sizeof(line), "partition p%d",
				list_count(part_list));
		words_cut(&words, line);
		cluster_partition(&words);
	}
	(void) list_for_each(part_list, part_set_nodes, NULL);
}

static void add_jobs(uint32_t count)
{
	if (!job_list)
		job_list = list_create(NULL);
	for (; jobs < count; jobs++) {
		job_record_t *job = xmalloc(sizeof(*job));

		job->job_id = jobs + 1;
		list_append(job_list, job);
	}
}

static void set_stage(const char *folder)
{
	stage_set(folder);
	write_prices(folder, "");
	default_part_loc->flags |= PART_FLAG_DEFAULT;
	resv_list = list_create(NULL);
}

static void measure_all(const char *folder)
{
	static const uint32_t partitions[] = { 5, 20, 100 };
	static const uint32_t with_jobs[] = { 100, 1000, 10000 };

	for (size_t i = 0; i < sizeof(partitions) / sizeof(*partitions); i++) {
		add_partitions(partitions[i]);
		for (size_t k = 0; k < sizeof(requests) / sizeof(*requests);
		     k++)
			measure(&requests[k]);
	}
	for (size_t i = 0; i < sizeof(with_jobs) / sizeof(*with_jobs); i++) {
		add_jobs(with_jobs[i]);
		measure(&requests[0]);
	}
	/* Last: the other partitions have no node of this table. */
	measure_nodes(folder);
}

int main(int argc, char **argv)
{
	log_options_t log = LOG_OPTS_STDERR_ONLY;
	char name[] = "slurmctld"; /* as which a plugin must find itself */

	if (argc != 2 + PLUGINS) {
		fputs("usage: submit FOLDER OURS.so LUA.so\n", stderr);
		return 2;
	}
	log.stderr_level = LOG_LEVEL_ERROR;
	(void) log_init(name, log, SYSLOG_FACILITY_DAEMON, NULL);
	set_stage(argv[1]);
	for (int i = 0; i < PLUGINS; i++) {
		plugins[i].path = argv[2 + i];
		load(&plugins[i]);
	}
	measure_all(argv[1]);
	return 0;
}
