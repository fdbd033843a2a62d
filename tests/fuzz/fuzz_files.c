/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a file that somebody wrote for Slurm: slurm.conf with its nodes
 * and partitions, a batch script, a list of nodes. Each is accepted, or refused
 * with one line of text.
 */
#include <stdlib.h>
#include <string.h>

#include "slurm/conf/cluster_conf.h"
#include "check/check.h"
#include "slurm/text/hostlist.h"
#include "memory_file.h"
#include "sbatch/lsf_pbs.h"
#include "sbatch/script.h"
#include "slurm/conf/slurm_conf.h"

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

static void read_partitions(const struct eqt_slurmconf *conf,
			    const struct eqt_cluster *cluster)
{
	bool *in = calloc(cluster->count + 1, sizeof(*in));

	for (size_t i = 0; in && i < conf->count; i++) {
		(void) eqt_slurm_conf_entity_get(conf, i, "Nodes");
		if (eqt_cluster_conf_is_partition(conf, i))
			(void) eqt_cluster_conf_partition_nodes(cluster, i, in);
	}
	free(in);
}

static void read_slurm_conf(const char *path)
{
	struct eqt_error err = { "" };
	struct eqt_slurmconf conf = { .count = 0 };
	struct eqt_cluster cluster = { .count = 0 };
	int rc = eqt_slurm_conf_read(&conf, path, &err);

	check(rc, &err);
	if (rc < 0)
		return;
	(void) eqt_slurm_conf_get(&conf, "ClusterName", NULL);
	rc = eqt_cluster_conf_read(&cluster, &conf, &err);
	check(rc, &err);
	if (rc == 0) {
		for (size_t i = 0; i < cluster.count; i++)
			(void) eqt_cluster_conf_node_cores(&cluster, &cluster.nodes[i]);
		read_partitions(&conf, &cluster);
		eqt_cluster_conf_free(&cluster);
	}
	eqt_slurm_conf_free(&conf);
}

static void read_script(const char *path)
{
	struct eqt_error err = { "" };
	struct eqt_script script = { .components = 0 };
	int rc = eqt_script_read(&script, path, &err);

	check(rc, &err);
	if (rc < 0)
		return;
	if (script.components < 1 || script.components > EQT_SCRIPT_COMPONENTS_MAX)
		abort();
	rc = eqt_lsf_pbs_translate(&script, &err);
	check(rc, &err);
	eqt_script_free(&script);
}

static int one_host(const char *name, void *with)
{
	(void) with;
	return name[0] == '\0' ? -1 : 0;
}

static void read_hosts(const uint8_t *data, size_t size)
{
	struct eqt_error err = { "" };
	char *list = malloc(size + 1);

	if (!list)
		return;
	if (size > 0)
		memcpy(list, data, size);
	list[size] = '\0';
	check(eqt_hostlist_each(list, one_host, NULL, &err), &err);
	free(list);
}

static void read_places(const char *path)
{
	struct eqt_places places = { .count = 0 };

	eqt_places_read(&places, path);
	(void) eqt_places_find(&places, "bundle", "cores", 0, "memory");
	eqt_places_free(&places);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = memory_file(data, size);

	read_slurm_conf(path);
	read_script(path);
	read_places(path);
	read_hosts(data, size);
	return 0;
}
