/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a request gets is counted by the code that prices it, with bundles that stand for
 * the GPU models of the nodes: a forecast needs no equitree.conf.
 */
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/text.h"
#include "quote/price_message.h"
#include "quote/quote.h"
#include "slurm/scontrol/candidate_nodes.h"
#include "slurm/scontrol/partitions.h"
#include "slurm/text/timestamp.h"
#include "when/request.h"

#define GRES_SIZE 2048 /* of the nodes of a partition */

/* The default partition; NULL: there is none. The one with Default=YES. Without it a
 * job must name its partition. */
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

/* The first account of a user in the share tree; "" without one. sshare lists the
 * associations of a user, but not which one is the default: that is in slurmdbd. */
static const char *account_default(const struct eqt_scene *scene,
				   const char *user)
{
	for (uint32_t i = 0; i < scene->index.count; i++)
		if (strcmp(scene->index.users[i].user, user) == 0)
			return scene->index.users[i].account;
	return "";
}

/* Who asks. By the real user id, as sbatch does. "" for an id without a name. */
static const char *user_default(struct eqt_scene *scene)
{
	const struct passwd *entry = getpwuid(getuid());

	return entry ? eqt_scene_text(scene, entry->pw_name,
				      strlen(entry->pw_name))
		     : "";
}

/* ---- Its size ----------------------------------------------------------------- */

/* A bundle for each model, and the last for GPUs of any. */
struct request_models {
	struct eqt_bundle gpu[EQT_MODELS_MAX];
	struct eqt_bundle_table table;
};

/* The last place is kept for "gpu", which stands for any model. */
static void models_add(struct request_models *models, const char *name)
{
	uint32_t *count = &models->table.gpu_count;

	for (uint32_t i = 0; i < *count; i++)
		if (strcmp(models->gpu[i].name, name) == 0)
			return;
	if (*count == EQT_MODELS_MAX - 1 && strcmp(name, "gpu") != 0)
		return;
	models->gpu[*count] = (struct eqt_bundle){ .cores_u = EQT_MICRO,
						   .weight_u = EQT_MICRO };
	(void) snprintf(models->gpu[(*count)++].name, EQT_NAME_SIZE, "%.60s",
			name);
}

/* Those of the nodes and, to be refused by their names, of the request. Each model is
 * priced alike, since only counts are wanted here. */
static void models_make(struct request_models *out,
			const struct eqt_simulation_cluster *cluster,
			const struct eqt_job_spec *spec)
{
	const char *const lists[] = { spec->tres_per_job, spec->tres_per_node,
				      spec->tres_per_socket,
				      spec->tres_per_task };
	char name[2 * EQT_NAME_SIZE];
	struct eqt_gres gres;
	struct eqt_error err;

	out->table = (struct eqt_bundle_table){
		.cores = { .cores_u = EQT_MICRO, .weight_u = EQT_MICRO },
		.gpu = out->gpu,
	};
	for (int i = 0; i < cluster->model_count; i++)
		models_add(out, cluster->models[i]);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		const char *list = lists[i];

		while (list && eqt_gres_next(&gres, &list, &err) > 0) {
			(void) snprintf(name, sizeof(name), "gpu:%s",
					gres.type);
			if (gres.type[0] && strcmp(gres.name, "gpu") == 0)
				models_add(out, name);
		}
	}
	models_add(out, "gpu");
}

/* The model of its GPUs, "" for any. 0, or -1 with err filled: several, or one that no
 * node has. */
static int request_take_model(struct eqt_scene_request *out,
			      const struct request_models *models,
			      const struct eqt_simulation_cluster *cluster,
			      const struct eqt_demand *demand,
			      struct eqt_error *err)
{
	const uint32_t any = models->table.gpu_count - 1;

	for (uint32_t i = 0; i < any; i++) {
		if (!demand->gpus[i])
			continue;
		if (out->model[0] || demand->gpus_untyped || demand->gpus[any])
			return eqt_error_set(err, "there is no forecast for "
						  "GPUs of several models");
		(void) snprintf(out->model, sizeof(out->model), "%s",
				models->gpu[i].name + strlen("gpu:"));
		if (i >= (uint32_t) cluster->model_count)
			return eqt_error_set(err,
					     "no node has GPUs of model "
					     "\"%.60s\"",
					     out->model);
	}
	return 0;
}

/* Nodes, CPUs, memory, GPUs and the time limit, as slurmctld would count them. A
 * request that no node can hold has the words of the price message for it. */
static int request_take_size(struct eqt_scene_request *out,
			     const struct eqt_scene *scene,
			     const struct eqt_sbatch_component *given,
			     struct eqt_error *err)
{
	const struct eqt_scontrol_record *partition =
		eqt_scontrol_partition_find(&scene->live->partitions,
					    out->partition);
	struct eqt_job_spec spec = given->ask;
	struct request_models models;
	char gres[GRES_SIZE], text[EQT_ERROR_SIZE];
	struct eqt_quote quote;

	if (!partition)
		return eqt_error_set(err, "no partition \"%.64s\"",
				     out->partition);
	eqt_cluster_allocation_apply(&spec, given->keeps, &scene->allocation);
	if (eqt_scontrol_partition_apply(
		    &spec, partition,
		    eqt_cluster_allocation_blocks(&scene->allocation), err) < 0)
		return -1;
	eqt_scontrol_candidates_offer(&spec, &scene->live->nodes,
				      out->partition, gres, sizeof(gres));
	models_make(&models, &scene->now.cluster, &spec);
	if (eqt_quote_make(&quote, &models.table, &spec, err) < 0)
		return -1;
	if (request_take_model(out, &models, &scene->now.cluster,
			       &quote.totals.demand, err) < 0)
		return -1;
	if (quote.lack)
		return eqt_error_set(err, "%s",
				     eqt_price_message_brief(&quote, text,
							     sizeof(text)));
	out->nodes = quote.totals.nodes;
	out->cpus = quote.totals.cpus;
	out->mem_mib = quote.totals.demand.mem_mib;
	out->gpus = quote.totals.gpus;
	out->exclusive = spec.exclusive;
	out->limit_s =
		quote.minutes == EQT_AMOUNT_UNLIMITED ? 0 : quote.minutes * 60;
	return 0;
}

/* ---- Its times ---------------------------------------------------------------- */

/* "now+2hours"; false: it is none. Units may be plural; without one they are seconds. */
static bool begin_from_now(int64_t *out, const char *text, int64_t now_s)
{
	static const struct {
		const char *name;
		uint64_t seconds;
	} units[] = { { "second", 1 },
		      { "minute", 60 },
		      { "hour", 3600 },
		      { "day", 86400 },
		      { "week", 604800 } };
	uint64_t count;
	size_t digits;

	if (strncasecmp(text, "now", 3) != 0)
		return false;
	*out = now_s;
	if (text[3] == '\0')
		return true;
	digits = strspn(text + 4, "0123456789");
	if (text[3] != '+' || eqt_amount_count(&count, text + 4, digits) < 0 ||
	    count > UINT32_MAX)
		return false;
	text += 4 + digits;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		const size_t length = strlen(units[i].name);

		if (text[0] != '\0' &&
		    (strncasecmp(text, units[i].name, length) != 0 ||
		     (text[length] != '\0' && strcasecmp(text + length, "s"))))
			continue;
		*out += (int64_t) (count * units[i].seconds);
		return true;
	}
	return false;
}

/* "%2" of an array limits the tasks that run together. */
static int request_take_times(struct eqt_scene_request *out,
			      const struct eqt_scene *scene,
			      const struct eqt_sbatch_component *given,
			      struct eqt_error *err)
{
	const char *array = given->ask.array;
	struct eqt_amount_tasks tasks;
	const char *most;

	if (given->begin &&
	    !begin_from_now(&out->begin_s, given->begin, scene->live->now_s) &&
	    eqt_timestamp_option(&out->begin_s, given->begin, err) < 0)
		return -1;
	if (!array)
		return 0;
	if (eqt_amount_array_tasks(&tasks, array,
				   scene->allocation.array_size) < 0)
		return eqt_error_set(err,
				     "--array %.64s: expected indexes such as "
				     "0-9%%2",
				     array);
	out->tasks = tasks.count;
	most = strchr(array, '%');
	if (most)
		(void) eqt_amount_count(&out->tasks_most, most + 1,
					strlen(most + 1));
	return 0;
}

/* Of several partitions the first one: others would each need a forecast of their own. */
int eqt_when_request_make(struct eqt_scene_request *out,
			  struct eqt_scene *scene,
			  const struct eqt_sbatch_component *given,
			  const char *user, struct eqt_error *err)
{
	const struct eqt_job_spec *ask = &given->ask;
	const char *list = given->partition;
	char name[256];

	*out = (struct eqt_scene_request){
		.user = user ? user : user_default(scene),
		.qos = given->qos ? given->qos : "normal",
		.features = ask->constraint ? ask->constraint : "",
		.nodelist = ask->nodelist ? ask->nodelist : "",
		.exclude = ask->exclude ? ask->exclude : "",
		.licenses = given->licenses ? given->licenses : "",
		.reservation = given->reservation ? given->reservation : "",
	};
	if (list && eqt_text_next_name(name, sizeof(name), &list))
		out->partition = eqt_scene_text(scene, name, strlen(name));
	else
		out->partition = partition_default(scene);
	if (!out->partition)
		return eqt_error_set(err, "expected --partition: there is no "
					  "default one");
	out->account = given->account ? given->account
				      : account_default(scene, out->user);
	if (request_take_size(out, scene, given, err) < 0)
		return -1;
	return request_take_times(out, scene, given, err);
}
