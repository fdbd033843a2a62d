/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as the output of Slurm's commands, for each reader that the command
 * has. It accepts them, or says in one line of text why not. */
#include <string.h>

#include "memory_file.h"
#include "slurm/sprio.h"
#include "slurm/sshare.h"
#include "slurm/conf/cluster.h"
#include "slurm/live_jobs.h"
#include "slurm/scontrol/nodes.h"
#include "price/gres.h"
#include "slurm/scontrol/candidate_nodes.h"
#include "slurm/scontrol/partitions.h"
#include "slurm/sacct.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The result, and its error text. */
static void check(int rc, const struct eqt_error *err)
{
	const char *text = err->text;

	if ((rc == 0) != (text[0] == '\0'))
		abort();
	for (; *text != '\0'; text++) {
		if ((unsigned char) *text < ' ' || *text == 0x7f)
			abort();
	}
}

static void apply_nodes(const struct eqt_scontrol_nodes *nodes)
{
	struct eqt_job_spec spec = { .tasks = 1 };
	struct eqt_gres gres;
	const char *list;

	eqt_scontrol_candidates_offer(&spec, nodes, "gpu");
	list = spec.node.gres ? spec.node.gres : "";
	while (eqt_gres_next(&gres, &list, NULL) > 0)
		if (strlen(gres.name) >= sizeof(gres.name))
			abort();
}

static void read_nodes(const char *path)
{
	struct eqt_error err = { "" };
	struct eqt_scontrol_nodes nodes = { .count = 0 };
	size_t in = 0;

	check(eqt_scontrol_nodes_read(&nodes, path, &err), &err);
	for (size_t i = 0; i < nodes.count; i++)
		in += eqt_scontrol_node_in(&nodes.nodes[i], "gpu");
	if (in > nodes.count)
		abort();
	(void) eqt_scontrol_nodes_check_gpus(&nodes, NULL);
	apply_nodes(&nodes);
	eqt_scontrol_nodes_free(&nodes);
}

/* As jobs, and as the weights of valid jobs. */
static void read_pending(const char *path)
{
	struct eqt_error err = { "" };
	struct eqt_sprio pending = { .count = 0 };

	check(eqt_sprio_read(&pending, path, path, &err), &err);
	eqt_sprio_free(&pending);
	err.text[0] = '\0';
	check(eqt_sprio_read(&pending, path, NULL, &err), &err);
	eqt_sprio_free(&pending);
}

static void read_jobs(const char *path)
{
	struct eqt_error err = { "" };
	struct eqt_live_jobs jobs = { .count = 0 };

	check(eqt_live_jobs_read_few(&jobs, path, &err), &err);
	eqt_live_jobs_free(&jobs);
	err.text[0] = '\0';
	check(eqt_live_jobs_read(&jobs, path, &err), &err);
	for (size_t i = 0; i < jobs.count; i++) {
		const char *list = jobs.jobs[i].dependency;
		struct eqt_live_dependency one;

		(void) eqt_live_job_tasks(&jobs.jobs[i]);
		while (eqt_live_dependency_next(&one, &list))
			;
	}
	eqt_live_jobs_free(&jobs);
}

static void read_partitions(const char *path)
{
	struct eqt_error err = { "" };
	struct eqt_scontrol_records records = { .count = 0 };
	struct eqt_job_spec spec = { .tasks = 1 };

	check(eqt_records_read(&records, path, "", "PartitionName", &err),
	      &err);
	(void) eqt_scontrol_partition_find(&records, "gpu");
	for (size_t i = 0; i < records.count; i++) {
		err.text[0] = '\0';
		check(eqt_scontrol_partition_apply(&spec, &records.records[i], true, &err),
		      &err);
	}
	eqt_records_free(&records);
}

static void read_shares(const char *path)
{
	struct eqt_sshare_options options = { .path = path };
	struct eqt_error err = { "" };
	struct eqt_sshare shares = { .count = 0 };

	check(eqt_sshare_read(&shares, &options, &err), &err);
	for (uint32_t i = 0; i < shares.count; i++)
		(void) eqt_sshare_above(&shares, i);
	eqt_sshare_free(&shares);
}

static void read_sacct(const char *path)
{
	struct eqt_error err = { "" };
	struct eqt_sacct sacct = { .rows = 0 };
	struct eqt_sacct_job job;

	check(eqt_sacct_read(&sacct, path, NULL, &err), &err);
	for (size_t row = 0; row < sacct.rows; row++) {
		err.text[0] = '\0';
		check(eqt_sacct_job(&job, &sacct, row, &err) < 0 ? -1 : 0,
		      &err);
	}
	eqt_sacct_free(&sacct);
}

static void read_config(const char *path)
{
	struct eqt_cluster_allocation allocation;
	struct eqt_cluster_decay config;
	struct eqt_error err = { "" };

	check(eqt_cluster_decay_read(&config, path, &err), &err);
	err.text[0] = '\0';
	check(eqt_cluster_allocation_read(&allocation, path, &err), &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = memory_file(data, size);

	read_nodes(path);
	read_jobs(path);
	read_partitions(path);
	read_pending(path);
	read_shares(path);
	read_sacct(path);
	read_config(path);
	return 0;
}
