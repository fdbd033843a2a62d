/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The input of a simulation, and the options that name it. */
#include <stdlib.h>

#include "base/amount.h"
#include "simulate/input_options.h"
#include "simulate/simulate.h"

/* A number above 0, which may have a fraction. */
static int simulate_take_fraction(double *out, const char *arg,
				  struct eqt_error *err)
{
	uint64_t millionths;

	if (eqt_frac_micro_parse(&millionths, arg) < 0 || millionths == 0 ||
	    millionths > UINT64_C(36500000000))
		return eqt_error_set(
			err, "\"%.64s\": expected a number above 0", arg);
	*out = (double) millionths / 1e6;
	return 0;
}

/* --days: the length of a generated workload. */
int eqt_simulate_take_days(void *into, const char *arg, struct eqt_error *err)
{
	struct eqt_simulate_options *options = into;
	double days = 0;

	if (simulate_take_fraction(&days, arg, err) < 0)
		return -1;
	options->made.span_s = (uint32_t) (days * 86400);
	return 0;
}

/* 1 is what the cluster could just do. */
int eqt_simulate_take_load(void *into, const char *arg, struct eqt_error *err)
{
	struct eqt_simulate_options *options = into;

	return simulate_take_fraction(&options->made.load, arg, err);
}

/* Options may be repeated for nodes of several kinds. */
int eqt_simulate_take_group(void *into, const char *arg, struct eqt_error *err)
{
	struct eqt_simulate_options *options = into;

	if (options->group_count == EQT_SIMULATE_GROUPS_MAX)
		return eqt_error_set(err, "more than %d",
				     EQT_SIMULATE_GROUPS_MAX);
	options->groups[options->group_count++] = arg;
	return 0;
}

/* Reservations name nodes, which a made cluster does not have. */
int eqt_simulate_check_input(const struct eqt_simulate_options *options,
			     struct eqt_error *err)
{
	const int sources = !!options->jobs_path + !!options->swf_path +
			    !!options->made.jobs;

	if (sources == 0)
		return eqt_error_set(err, "expected --jobs FILE, --swf FILE or "
					  "--generate N");
	if (sources > 1)
		return eqt_error_set(err, "only one of --jobs, --swf and "
					  "--generate");
	if (options->reservations_path &&
	    (options->made.jobs || options->group_count))
		return eqt_error_set(err, "--reservations needs --jobs and the "
					  "cluster's own nodes");
	if (options->group_count &&
	    (options->nodes_path || options->partitions_path))
		return eqt_error_set(err, "only one of --cluster and --nodes");
	return 0;
}

/* The engine has its own tree, since usage changes while it runs. */
static int simulate_make_tree(struct eqt_simulate_input *sim,
			      struct eqt_error *err)
{
	const struct eqt_sshare *shares = &sim->shares;
	uint32_t i;

	sim->tree = calloc(shares->count, sizeof(*sim->tree));
	sim->usage = calloc(shares->count, sizeof(*sim->usage));
	if (!sim->tree || !sim->usage)
		return eqt_error_set(err, "out of memory");
	for (i = 0; i < shares->count; i++) {
		sim->tree[i] = (struct eqt_tree_input){
			.parent = shares->assocs[i].parent,
			.shares = shares->assocs[i].shares,
			.user = shares->assocs[i].user != NULL,
			.parent_shares = shares->assocs[i].parent_shares,
		};
		sim->usage[i] = (long double) shares->assocs[i].usage;
	}
	return 0;
}

/* Generate a workload in place of a trace. By a seed, so that each run has the same
 * jobs. */
static int simulate_make_jobs(struct eqt_simulate_input *sim,
			      const struct eqt_workload *made,
			      struct eqt_error *err)
{
	const struct eqt_simulation on = {
		.cluster = sim->cluster,
		.tree = sim->tree,
		.tree_count = sim->shares.count,
	};

	sim->jobs = calloc(made->jobs, sizeof(*sim->jobs));
	if (!sim->jobs)
		return eqt_error_set(err, "out of memory");
	sim->count = made->jobs;
	if (eqt_workload_make(sim->jobs, made, &on, err) < 0)
		return -1;
	for (size_t i = 0; i < sim->count; i++)
		if (eqt_simulate_take_made(sim, &sim->jobs[i]) < 0)
			return eqt_error_set(err, "out of memory");
	return 0;
}

int eqt_simulate_read(struct eqt_simulate_input *sim,
		      const struct eqt_simulate_options *options, bool weighed,
		      struct eqt_error *err)
{
	const struct eqt_sshare_options shares = {
		.path = options->shares_path,
	};

	/* The order matters: priorities and jobs name users of the tree, and a workload is made
	 * for the nodes and the users that there are. */
	if (eqt_sshare_read(&sim->shares, &shares, err) < 0 ||
	    simulate_make_tree(sim, err) < 0 ||
	    eqt_simulate_read_priorities(sim, options, weighed, err) < 0 ||
	    eqt_simulate_read_cluster(sim, options, err) < 0)
		return -1;
	if (options->reservations_path &&
	    eqt_simulate_read_reservations(sim, options->reservations_path,
					   err) < 0)
		return -1;
	return options->made.jobs ? simulate_make_jobs(sim, &options->made, err)
				  : eqt_simulate_read_jobs(sim, options, err);
}

/* fresh: begin without any usage, as a site that has reset it. */
struct eqt_simulation eqt_simulate_replay(
	const struct eqt_simulate_input *sim,
	const struct eqt_simulate_policy *policy, size_t count, bool fresh)
{
	return (struct eqt_simulation){
		.cluster = sim->cluster,
		.tree = sim->tree,
		.usage = fresh ? NULL : sim->usage,
		.tree_count = sim->shares.count,
		.priorities = sim->priorities,
		.priority_max = sim->priority_max,
		.qos_priority_max = sim->qos_priority_max,
		.jobs = sim->jobs,
		.count = count,
		.limits = policy->enforces ? sim->limit_numbers.most : NULL,
		.limit_count = sim->limit_numbers.count,
		.reservations = sim->reservations,
		.reservation_count = sim->reservation_count,
	};
}

/* {0} is empty as well. */
void eqt_simulate_free(struct eqt_simulate_input *sim)
{
	int i;

	for (i = 0; i < sim->name_count; i++)
		free(sim->names[i]);
	free(sim->tree);
	free(sim->usage);
	free(sim->priorities);
	free(sim->nodes);
	free(sim->partitions);
	free(sim->jobs);
	free(sim->reservations);
	eqt_simulate_limits_free(sim->limits);
	eqt_limit_numbers_free(&sim->limit_numbers);
	eqt_names_free(&sim->reservation_names);
	eqt_names_free(&sim->node_names);
	eqt_keep_free(&sim->kept);
	eqt_sshare_free(&sim->shares);
}
