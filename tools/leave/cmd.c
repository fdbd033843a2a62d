/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * equitree leave: restores Slurm's own billing of each job before PriorityType changes,
 * and lists the jobs that budgets hold. RawUsage is right under priority/multifactor in
 * any case, but limits and sacct would keep equitree's billing of running jobs.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/alloc.h"
#include "cli/cmd.h"
#include "cli/print.h"
#include "cli/options.h"
#include "leave/repair.h"
#include "prio/params.h"
#include "slurm/conf/cluster.h"
#include "slurm/conf/slurm_conf.h"
#include "slurm/live_jobs.h"
#include "slurm/scontrol/partitions.h"
#include "slurm/text/command.h"
#include "slurm/text/duration.h"
#include "slurm/text/tres_list.h"

/* ---- Slurm's own billing ------------------------------------------------------------
 * slurmctld computes its own billing from a job's TRES and from TRESBillingWeights, both
 * as scontrol prints them. It multiplies each TRES by its weight, and adds up the
 * products or takes the largest. scontrol rounds memory to two decimals of a unit, so the
 * result is a range. */

/* How the products are combined, according to PriorityFlags. */
enum own_billing_sum {
	OWN_BILLING_SUM, /* all products are added */
	/* the largest product of CPUs, memory, nodes and GRES */
	OWN_BILLING_MAX_TRES,
	/* the largest product of CPUs, memory and nodes, plus GRES */
	OWN_BILLING_MAX_TRES_GRES,
};

struct own_billing {
	double least, most;
};

#define KIBI 1024.0

/* Read a number, and its unit as a power of 1024. Returns 0, or -1 if the item has no
 * such value. */
static int value_read(double *number, int *power,
		      const struct eqt_treslist_item *item)
{
	static const char units[] = "KMGTP";
	const char *unit;
	char *end;

	*number = strtod(item->value, &end);
	*power = 0;
	if (end == item->value || !isfinite(*number))
		return -1;
	if (*end == '\0')
		return 0;
	unit = strchr(units, *end & ~0x20);
	if (!unit || end[1] != '\0')
		return -1;
	*power = (int) (unit - units) + 1;
	return 0;
}

/* Without a unit, count and weight of memory are in MiB. */
static bool item_is_memory(const struct eqt_treslist_item *item)
{
	return eqt_tres_list_named(item, "mem");
}

/* Read the count of an item. *rounding is set to the largest amount by which scontrol may
 * have rounded it. Returns 0, or -1 if the value is not a count. */
static int item_count(double *count, double *rounding,
		      const struct eqt_treslist_item *item)
{
	const char *point = strchr(item->value, '.');
	double unit;
	int power;

	if (value_read(count, &power, item) < 0)
		return -1;
	/* "G" is the third power of 1024 in bytes, but the first power in MiB. */
	if (item_is_memory(item) && power > 0)
		power -= 2;
	unit = pow(KIBI, power);
	*count *= unit;
	*rounding = point ? 0.01 * unit : 0;
	return 0;
}

/* Find the weight of an item. It is 0 if the weights do not name the item. Returns 0, or
 * -1 if the text is not a list of weights. */
static int weight_find(double *weight, const char *weights,
		       const struct eqt_treslist_item *wanted)
{
	struct eqt_treslist_item item;
	int rc;

	*weight = 0;
	while ((rc = eqt_tres_list_next(&item, &weights)) > 0) {
		if (eqt_tres_list_named(&item, wanted->name) &&
		    eqt_tres_list_weight(weight, &item, item_is_memory(&item)) <
			    0)
			return -1;
	}
	return rc;
}

/* A billing: the largest of the items that compete, plus the sum of all others. */
struct tally {
	double largest, others;
};

/* Does only the largest of this and other items count? */
static bool item_competes(const struct eqt_treslist_item *item,
			  enum own_billing_sum sum)
{
	if (sum == OWN_BILLING_SUM)
		return false;
	if (eqt_tres_list_gres(item))
		return sum == OWN_BILLING_MAX_TRES;
	return eqt_tres_list_named(item, "cpu") || item_is_memory(item) ||
	       eqt_tres_list_named(item, "node");
}

static void tally_add(struct tally *tally, double amount, bool competes)
{
	if (!competes)
		tally->others += amount;
	else if (amount > tally->largest)
		tally->largest = amount;
}

static int item_weigh(struct tally *least, struct tally *most,
		      const struct eqt_treslist_item *item, const char *weights,
		      enum own_billing_sum sum)
{
	const bool competes = item_competes(item, sum);
	double count, rounding, weight;

	/* Slurm gives billing and energy no weight. */
	if (eqt_tres_list_named(item, "billing") ||
	    eqt_tres_list_named(item, "energy"))
		return 0;
	if (item_count(&count, &rounding, item) < 0)
		return -1;
	/* Without TRESBillingWeights the billing is the number of CPUs. */
	if (!weights)
		weight = eqt_tres_list_named(item, "cpu") ? 1 : 0;
	else if (weight_find(&weight, weights, item) < 0)
		return -1;
	tally_add(least, (count - rounding) * weight, competes);
	tally_add(most, (count + rounding) * weight, competes);
	return 0;
}

static enum own_billing_sum own_billing_flags(const char *flags)
{
	if (strstr(flags, "MAX_TRES_GRES"))
		return OWN_BILLING_MAX_TRES_GRES;
	return strstr(flags, "MAX_TRES") ? OWN_BILLING_MAX_TRES
					 : OWN_BILLING_SUM;
}

/*
 * Compute the billing of a list such as "cpu=2,mem=4G,node=1,billing=2" by weights such
 * as "CPU=1,Mem=0.25G". If weights is NULL, the billing is the number of CPUs. Returns 0,
 * or -1 if one of the two texts is not such a list.
 */
static int own_billing_sum(struct own_billing *out, const char *tres,
			   const char *weights, enum own_billing_sum sum)
{
	struct tally least = { 0 }, most = { 0 };
	struct eqt_treslist_item item;
	int rc;

	while ((rc = eqt_tres_list_next(&item, &tres)) > 0) {
		if (item_weigh(&least, &most, &item, weights, sum) < 0)
			return -1;
	}
	*out = (struct own_billing){ least.largest + least.others,
				     most.largest + most.others };
	return rc;
}

/* ---- The subcommand ------------------------------------------------------- */

#define JOBS_SHOWN 10

/* A pass begins once per PriorityCalcPeriod. A slow pass may take some seconds more. */
#define PASS_SLACK_S 15

struct leave_options {
	bool check, repair;
	/* folders for --repair; NULL: those of slurm.conf */
	const char *state, *charges;
	/* saved output; NULL: ask Slurm */
	const char *config, *partitions, *jobs;
	struct eqt_output_options common;
};

/* A job whose billing is not Slurm's own. */
struct found {
	const char *id; /* borrowed */
	uint64_t billing, own;
};

/* The present state of the cluster, which leave_free() frees. */
struct leave {
	bool equitree; /* PriorityType is priority/equitree */
	bool stock_billing;
	uint32_t period_s;
	char conf[EQT_ERROR_SIZE]; /* the path of slurm.conf */
	enum own_billing_sum sum;
	struct eqt_scontrol_records partitions;
	struct eqt_live_jobs jobs;
	uint64_t count; /* number of jobs that run or wait */
	struct found *other; /* jobs whose billing is not Slurm's own */
	size_t others;
	const char **held; /* ids of jobs that budgets hold; borrowed */
	size_t held_count;
};

static void leave_free(struct leave *leave)
{
	eqt_records_free(&leave->partitions);
	eqt_live_jobs_free(&leave->jobs);
	free(leave->other);
	free(leave->held);
}

/* ---- Reading ------------------------------------------------------------------- */

/* Read PriorityParameters. With stock_billing, equitree leaves the billing to Slurm. */
static int params_read(struct leave *leave, const char *text,
		       struct eqt_error *err)
{
	struct eqt_params params;

	if (eqt_params_parse(&params, text, err) < 0)
		return -1;
	leave->stock_billing = params.stock.billing;
	if (params.period_s)
		leave->period_s = params.period_s;
	return 0;
}

/* Read the configuration that scontrol printed. The default of PriorityCalcPeriod in
 * Slurm is five minutes. */
static int config_read(struct leave *leave, const char *path,
		       struct eqt_error *err)
{
	struct eqt_slurmconf conf;
	uint64_t period_s = 300;
	int rc;

	if (eqt_cluster_config_read(&conf, path, err) < 0)
		return -1;
	leave->equitree = strcmp(eqt_cluster_config_get(&conf, "PriorityType"),
				 "priority/equitree") == 0;
	leave->sum = own_billing_flags(
		eqt_cluster_config_get(&conf, "PriorityFlags"));
	(void) eqt_duration_parse(
		&period_s, eqt_cluster_config_get(&conf, "PriorityCalcPeriod"));
	leave->period_s = (uint32_t) period_s;
	(void) snprintf(leave->conf, sizeof(leave->conf), "%s",
			eqt_cluster_config_get(&conf, "SLURM_CONF"));
	rc = params_read(leave,
			 eqt_cluster_config_get(&conf, "PriorityParameters"),
			 err);
	eqt_slurm_conf_free(&conf);
	return rc;
}

/* Does the job have Slurm's own billing in one of its partitions? A pending job may have
 * several partitions, and slurmctld takes any of them. *own is set to the billing in the
 * last partition that was tried. */
static bool job_is_own(const struct leave *leave,
		       const struct eqt_live_job *job, struct own_billing *own)
{
	const char *list = job->partition;
	bool is_own = false;
	char name[256];

	*own = (struct own_billing){ 0, 0 };
	while (!is_own && eqt_text_next_name(name, sizeof(name), &list)) {
		const struct eqt_scontrol_record *partition =
			eqt_scontrol_partition_find(&leave->partitions, name);

		/* A partition that was removed meanwhile has no record. Slurm cuts its
		 * billing to a whole number. */
		is_own = partition &&
			 own_billing_sum(own, job->tres_text,
					 eqt_record_known(partition,
							  "TRESBillingWeights"),
					 leave->sum) == 0 &&
			 (double) job->tres.billing + 1 > own->least &&
			 (double) job->tres.billing <= own->most;
	}
	return is_own;
}

/* Count a job that runs or waits. Remember it if its billing is not Slurm's own, or if a
 * budget holds it. */
static void leave_add_job(struct leave *leave, const struct eqt_live_job *job)
{
	struct own_billing own;

	if (!job->pending && !job->running &&
	    strcmp(job->state, "SUSPENDED") != 0)
		return;
	leave->count++;
	if (!job_is_own(leave, job, &own))
		leave->other[leave->others++] = (struct found){
			.id = job->id,
			.billing = job->tres.billing,
			.own = (uint64_t) own.least,
		};
	if (job->pending && eqt_live_job_names_budget(job))
		leave->held[leave->held_count++] = job->id;
}

/* Read configuration, partitions and jobs. Returns 0, or -1 with err filled; then there
 * is nothing to free. */
static int leave_read(struct leave *leave, const struct leave_options *options,
		      struct eqt_error *err)
{
	int rc;

	*leave = (struct leave){ .count = 0 };
	rc = config_read(leave, options->config, err);
	if (rc == 0)
		rc = eqt_records_read(&leave->partitions, options->partitions,
				      "scontrol -o show partition",
				      "PartitionName", err);
	if (rc == 0)
		rc = eqt_live_jobs_read(&leave->jobs, options->jobs, err);
	if (rc == 0) {
		const size_t space = leave->jobs.count + 1;

		leave->other = eqt_alloc(space, sizeof(*leave->other));
		leave->held = eqt_alloc(space, sizeof(*leave->held));
	}
	for (size_t i = 0; rc == 0 && i < leave->jobs.count; i++)
		leave_add_job(leave, &leave->jobs.jobs[i]);
	if (rc < 0)
		leave_free(leave);
	return rc;
}

/* Do all jobs have Slurm's own billing, and does equitree leave it so? */
static bool leave_is_safe(const struct leave *leave)
{
	return leave->others == 0 && (leave->stock_billing || !leave->equitree);
}

/* ---- Output -------------------------------------------------------------------- */

static void leave_print_json(const struct leave *leave)
{
	printf("{\"safe\":%s,\"stock_billing\":%s,\"jobs\":%" PRIu64
	       ",\"other\":[",
	       leave_is_safe(leave) ? "true" : "false",
	       leave->stock_billing ? "true" : "false", leave->count);
	for (size_t i = 0; i < leave->others; i++)
		printf("%s{\"job\":%s,\"billing\":%" PRIu64 ",\"own\":%" PRIu64
		       "}",
		       i ? "," : "", leave->other[i].id,
		       leave->other[i].billing, leave->other[i].own);
	printf("],\"held\":[");
	for (size_t i = 0; i < leave->held_count; i++)
		printf("%s%s", i ? "," : "", leave->held[i]);
	printf("]}\n");
}

/* Print some jobs as examples. JSON has all of them. */
static void others_print(const struct leave *leave)
{
	for (size_t i = 0; i < leave->others && i < JOBS_SHOWN; i++)
		printf("job %s: billing is %" PRIu64 ", Slurm's own is %" PRIu64
		       "\n",
		       leave->other[i].id, leave->other[i].billing,
		       leave->other[i].own);
	if (leave->others > JOBS_SHOWN)
		printf("and %zu more\n", leave->others - JOBS_SHOWN);
}

/* Slurm's own plugin does not release jobs that equitree holds. */
static void held_print(const struct leave *leave)
{
	if (!leave->held_count)
		return;
	printf("Budgets hold %zu jobs, which stay held under "
	       "priority/multifactor. Then run\n  scontrol release ",
	       leave->held_count);
	for (size_t i = 0; i < leave->held_count; i++)
		printf("%s%s", i ? "," : "", leave->held[i]);
	printf("\n");
}

static void leave_print(const struct leave *leave)
{
	others_print(leave);
	if (leave->equitree && !leave->stock_billing)
		printf("Not yet: add stock_billing to PriorityParameters in "
		       "%s,\nand run \"equitree leave\". Without that RawUsage "
		       "is\nright, too, but limits and sacct keep the price of "
		       "jobs that run.\n",
		       leave->conf[0] ? leave->conf : "slurm.conf");
	else if (leave->others > 0)
		printf("%s: %zu of %" PRIu64 " jobs do not have the billing of "
		       "TRESBillingWeights.\n%s",
		       leave->equitree ? "Not yet" : "Mixed", leave->others,
		       leave->count,
		       leave->equitree
			       ? "The first pass with stock_billing "
				 "(PriorityCalcPeriod) corrects them. After "
				 "it,\n"
				 "only jobs are left that started under other "
				 "TRESBillingWeights.\n"
			       : "Limits and sacct keep it until they end. No "
				 "pass of Slurm's own plugin\n"
				 "changes it. RawUsage of jobs that equitree "
				 "charged grows at their price.\n");
	else
		printf("Safe: %" PRIu64
		       " jobs run or wait, all with Slurm's own billing.\n"
		       "%s",
		       leave->count,
		       leave->equitree
			       ? "Set PriorityType=priority/multifactor, take "
				 "equitree out of\n"
				 "JobSubmitPlugins, and restart slurmctld.\n"
			       : "");
	held_print(leave);
}

/* ---- The steps ----------------------------------------------------------------- */

/* Does slurm.conf have stock_billing, although slurmctld has not read it yet? */
static int conf_is_ready(const struct leave *leave, bool *ready,
			 struct eqt_error *err)
{
	struct leave file = { .count = 0 };
	struct eqt_slurmconf conf;
	const char *value;
	int rc;

	if (eqt_slurm_conf_read(&conf, leave->conf, err) < 0)
		return -1;
	value = eqt_slurm_conf_get(&conf, "PriorityParameters", NULL);
	rc = value ? params_read(&file, value, err) : 0;
	*ready = file.stock_billing;
	eqt_slurm_conf_free(&conf);
	return rc;
}

static int scontrol_run(const char *verb, const char *jobs,
			struct eqt_error *err)
{
	const char *const words[] = { "scontrol", verb, jobs, NULL };
	struct eqt_listing out;

	if (eqt_command_run(&out, "scontrol", words, err) < 0)
		return -1;
	eqt_listing_free(&out);
	return 0;
}

/* Make slurmctld read stock_billing. Then wait until a pass has given all jobs Slurm's
 * own billing, but no longer than a pass takes. */
static int leave_prepare(struct leave *leave,
			 const struct leave_options *options,
			 struct eqt_error *err)
{
	bool ready = leave->stock_billing;

	if (!ready && conf_is_ready(leave, &ready, err) < 0)
		return -1;
	if (!ready || leave_is_safe(leave))
		return 0;
	printf("%" PRIu64 " jobs run or wait. slurmctld reads slurm.conf, and "
	       "its next pass, in at most %u s,\n"
	       "gives them Slurm's own billing, in limits and in slurmdbd, "
	       "too.\n",
	       leave->count, leave->period_s);
	(void) fflush(stdout);
	if (!leave->stock_billing && scontrol_run("reconfigure", NULL, err) < 0)
		return -1;
	for (uint32_t left = leave->period_s + PASS_SLACK_S; left; left--) {
		(void) sleep(1);
		leave_free(leave);
		if (leave_read(leave, options, err) < 0)
			return -1;
		if (leave_is_safe(leave))
			break;
	}
	return 0;
}

/* Under Slurm's own plugin, release the jobs that budgets held. */
static int leave_release(struct leave *leave, struct eqt_error *err)
{
	for (size_t i = 0; i < leave->held_count; i++) {
		if (scontrol_run("release", leave->held[i], err) < 0)
			return -1;
	}
	if (leave->held_count)
		printf("Released %zu jobs that budgets held.\n",
		       leave->held_count);
	leave->held_count = 0;
	return 0;
}

/* Returns 1 if a change of PriorityType is not safe yet. */
static int leave_run(const struct leave_options *options, struct eqt_error *err)
{
	struct leave leave;
	int rc = leave_read(&leave, options, err);

	if (rc < 0)
		return -1;
	if (!options->check)
		rc = leave.equitree ? leave_prepare(&leave, options, err)
				    : leave_release(&leave, err);
	if (rc < 0)
		return -1;
	if (options->common.json)
		leave_print_json(&leave);
	else
		leave_print(&leave);
	rc = leave_is_safe(&leave) ? 0 : EXIT_FAILURE;
	leave_free(&leave);
	return rc;
}

static const struct eqt_option options_table[] = {
	{ "check", 'c', NULL, "change nothing, only report", 0,
	  EQT_FLAG_AT(struct leave_options, check) },
	{ "repair", 0, NULL,
	  "while slurmctld is stopped: set usage to what the record of charges "
	  "says",
	  0, EQT_FLAG_AT(struct leave_options, repair) },
	{ "state", 0, "DIR", "for --repair: StateSaveLocation", 0,
	  EQT_TEXT_AT(struct leave_options, state) },
	{ "charges", 0, "DIR", "for --repair: the folder of the record", 0,
	  EQT_TEXT_AT(struct leave_options, charges) },
	{ "config", 0, "FILE", "read the output of \"scontrol show config\"", 0,
	  EQT_TEXT_AT(struct leave_options, config) },
	{ "partitions", 0, "FILE",
	  "read the output of \"scontrol -o show partition\"", 0,
	  EQT_TEXT_AT(struct leave_options, partitions) },
	{ "jobs", 0, "FILE", "read the output of squeue; see the man page", 0,
	  EQT_TEXT_AT(struct leave_options, jobs) },
	{ 0 }
};

/* With saved output nothing can be changed, so --check is required. */
static int files_are_checked(void *with, struct eqt_error *err)
{
	const struct leave_options *options = with;

	if (!options->repair && (options->state || options->charges))
		return eqt_error_set(err,
				     "--state and --charges need --repair");
	if (options->repair)
		return 0;
	if (options->check || (!options->config && !options->partitions &&
			       !options->jobs && !options->common.json))
		return 0;
	return eqt_error_set(err,
			     "expected --check with saved output or --json");
}

int cmd_leave(int argc, char **argv)
{
	static const struct eqt_options_spec line = {
		.table = options_table,
		.common_at = offsetof(struct leave_options, common),
		.doc = "Give all jobs Slurm's own billing back, for a return "
		       "to Slurm's own priority plugin, and release the jobs "
		       "that budgets hold after it.",
		.check = files_are_checked,
	};
	struct leave_options options = { 0 };
	struct eqt_error err;
	int rc;

	eqt_options_parse(&line, argc, argv, &options);
	rc = options.repair
		     ? eqt_leave_repair(
			       &(struct eqt_repair_options){ options.state,
							     options.charges,
							     options.check },
			       &err)
		     : leave_run(&options, &err);
	return rc < 0 ? eqt_print_failure("leave", &err) : rc;
}
