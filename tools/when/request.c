/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/amount.h"
#include "slurm/duration.h"
#include "slurm/partitions.h"
#include "slurm/timestamp.h"
#include "when/request.h"

#define COUNT_MAX 1000000 /* GPUs of a node */

bool eqt_when_request_any(const struct eqt_when_request *given)
{
	return given->partition || given->account || given->qos ||
	       given->time || given->memory || given->memory_per_cpu ||
	       given->gpus || given->gres || given->gpus_per_node ||
	       given->constraint || given->nodelist || given->exclude ||
	       given->begin || given->nodes || given->tasks ||
	       given->cpus_per_task || given->exclusive;
}

/* "4", "p100:4" or "gpu:p100:4". */
static int request_take_gpus(struct eqt_scene_request *out, const char *option,
			     const char *text, struct eqt_error *err)
{
	const char *name = strncmp(text, "gpu:", 4) == 0 ? text + 4 : text;
	const char *colon = strrchr(name, ':'), *count;

	count = colon ? colon + 1 : name;
	if (colon)
		(void) snprintf(out->model, sizeof(out->model), "%.*s",
				(int) (colon - name), name);
	if (eqt_amount_count(&out->gpus, count, strlen(count)) < 0 ||
	    (colon && strchr(out->model, ':')))
		return eqt_error_set(err, "%s %.64s: expected [MODEL:]NUMBER",
				     option, text);
	return 0;
}

/* --gpus of the whole job, or --gpus-per-node or --gres on each node: one of them. */
static int request_take_any_gpus(struct eqt_scene_request *out,
				 const struct eqt_when_request *given,
				 struct eqt_error *err)
{
	if ((given->gpus != NULL) + (given->gpus_per_node != NULL) +
		    (given->gres != NULL) >
	    1)
		return eqt_error_set(err, "only one of --gpus, --gpus-per-node "
					  "and --gres");
	if (given->gpus)
		return request_take_gpus(out, "--gpus", given->gpus, err);
	if (given->gpus_per_node &&
	    request_take_gpus(out, "--gpus-per-node", given->gpus_per_node,
			      err) < 0)
		return -1;
	if (given->gres &&
	    (strncmp(given->gres, "gpu:", 4) != 0 || strchr(given->gres, ',')))
		return eqt_error_set(err,
				     "--gres %.64s: expected "
				     "gpu:[MODEL:]NUMBER",
				     given->gres);
	if (given->gres &&
	    request_take_gpus(out, "--gres", given->gres, err) < 0)
		return -1;
	if (out->gpus > COUNT_MAX)
		return eqt_error_set(err, "more than %d GPUs", COUNT_MAX);
	out->gpus *= out->nodes;
	return 0;
}

/* A value of a partition; "" without one. */
static void partition_text(char *buf, size_t size,
			   const struct eqt_scontrol_record *partition,
			   const char *key)
{
	const struct eqt_scontrol_value value =
		eqt_scontrol_record_get(partition, key);

	(void) snprintf(buf, size, "%.*s", (int) value.length,
			value.text ? value.text : "");
}

/* The time limit, or the partition's. */
static int request_take_time(struct eqt_scene_request *out, const char *text,
			     const struct eqt_scontrol_record *partition,
			     struct eqt_error *err)
{
	char value[64];
	uint64_t minutes;

	if (text) {
		if (eqt_amount_minutes(&minutes, text) < 0 || minutes == 0 ||
		    (minutes != EQT_AMOUNT_UNLIMITED &&
		     minutes > UINT32_MAX / 60))
			return eqt_error_set(
				err, "--time %.64s: expected a time limit",
				text);
		out->limit_s = minutes == EQT_AMOUNT_UNLIMITED ? 0
							       : minutes * 60;
		return 0;
	}
	partition_text(value, sizeof(value), partition, "DefaultTime");
	if (eqt_duration_parse(&out->limit_s, value) == 0)
		return 0;
	partition_text(value, sizeof(value), partition, "MaxTime");
	(void) eqt_duration_parse(&out->limit_s, value);
	return 0;
}

/* --mem for each node, --mem-per-cpu, or the partition's default. */
static int request_take_memory(struct eqt_scene_request *out,
			       const struct eqt_when_request *given,
			       const struct eqt_scontrol_record *partition,
			       struct eqt_error *err)
{
	const char *text = given->memory ? given->memory
					 : given->memory_per_cpu;
	struct eqt_error why;
	uint64_t mib;

	if (text && eqt_amount_memory(&mib, text) < 0)
		return eqt_error_set(err,
				     "%s %.64s: expected a size such as 4G",
				     given->memory ? "--mem" : "--mem-per-cpu",
				     text);
	if (given->memory)
		out->mem_mib = mib * out->nodes;
	else if (text)
		out->mem_mib = mib * out->cpus;
	else if (eqt_scontrol_record_number(&mib, partition, "DefMemPerCPU",
					    &why) == 0)
		out->mem_mib = mib * out->cpus;
	else if (eqt_scontrol_record_number(&mib, partition, "DefMemPerNode",
					    &why) == 0)
		out->mem_mib = mib * out->nodes;
	return 0;
}

/* The default partition. */
static const char *partition_default(struct eqt_scene *scene)
{
	const struct eqt_scontrol_records *all = &scene->live->partitions;

	for (size_t i = 0; i < all->count; i++) {
		const struct eqt_scontrol_value name = eqt_scontrol_record_get(
			&all->records[i], "PartitionName");

		if (eqt_scontrol_value_is(eqt_scontrol_record_get(
						  &all->records[i], "Default"),
					  "YES"))
			return eqt_scene_text(scene, name.text, name.length);
	}
	return NULL;
}

/* The first account of a user in the share tree; "" without one. */
static const char *account_default(const struct eqt_scene *scene,
				   const char *user)
{
	for (uint32_t i = 0; i < scene->index.count; i++)
		if (strcmp(scene->index.users[i].user, user) == 0)
			return scene->index.users[i].account;
	return "";
}

/* Who asks. */
static const char *user_default(struct eqt_scene *scene)
{
	const struct passwd *entry = getpwuid(getuid());

	return entry ? eqt_scene_text(scene, entry->pw_name,
				      strlen(entry->pw_name))
		     : "";
}

int eqt_when_request_make(struct eqt_scene_request *out,
			  struct eqt_scene *scene,
			  const struct eqt_when_request *given,
			  const char *user, struct eqt_error *err)
{
	const struct eqt_scontrol_record *partition;
	const uint64_t tasks = given->tasks   ? given->tasks
			       : given->nodes ? given->nodes
					      : 1;

	*out = (struct eqt_scene_request){
		.user = user ? user : user_default(scene),
		.partition = given->partition ? given->partition
					      : partition_default(scene),
		.qos = given->qos ? given->qos : "normal",
		.features = given->constraint ? given->constraint : "",
		.nodelist = given->nodelist ? given->nodelist : "",
		.exclude = given->exclude ? given->exclude : "",
		.nodes = given->nodes ? given->nodes : 1,
		.cpus = tasks *
			(given->cpus_per_task ? given->cpus_per_task : 1),
		.exclusive = given->exclusive,
	};
	if (!out->partition)
		return eqt_error_set(err, "expected --partition: there is no "
					  "default one");
	partition = eqt_scontrol_partition_find(&scene->live->partitions,
						out->partition);
	if (!partition)
		return eqt_error_set(err, "no partition \"%.64s\"",
				     out->partition);
	out->account = given->account ? given->account
				      : account_default(scene, out->user);
	if (given->begin &&
	    eqt_timestamp_option(&out->begin_s, given->begin, err) < 0)
		return -1;
	if (request_take_any_gpus(out, given, err) < 0)
		return -1;
	if (request_take_time(out, given->time, partition, err) < 0)
		return -1;
	return request_take_memory(out, given, partition, err);
}
