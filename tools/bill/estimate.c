/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calls come in the same order as in the submission plugin: the partition's defaults,
 * its rule, its prices, and then the bill. A job with several partitions is priced in
 * each. The result is the range from the lowest to the highest price.
 */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/text.h"
#include "bill/estimate.h"
#include "quote/price_message.h"
#include "slurm/scontrol/partitions.h"
#include "slurm/scontrol/candidate_nodes.h"
#include "job/rules.h"
#include "base/fraction.h"
#include "slurm/text/command.h"
#include "cli/alloc.h"

/* ---- Refusal ------------------------------------------------------------------------
 * The text of sbatch for a request that sbatch would refuse. "sbatch --test-only" runs
 * all checks of slurmctld and its plugins. It also refuses some jobs that would be
 * accepted and wait. Such answers do not count as refusals. */

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* A line of sbatch's answer, without its prefixes. */
struct answer_line {
	const char *words;
	int length;
	bool error; /* the line tells what is wrong */
	bool ours; /* the line comes from the submission plugin */
	bool price; /* the line begins the price message, which is no refusal */
};

/* Skip a prefix, if the text has it. */
static bool answer_skip(const char **at, const char *before)
{
	const size_t length = strlen(before);

	if (strncmp(*at, before, length) != 0)
		return false;
	*at += length;
	return true;
}

/* Cut off the prefixes of a line such as "sbatch: error: 1: equitree: ...", where 1 is
 * the component. */
static struct answer_line answer_cut(const char *at)
{
	struct answer_line line = { .error = false };
	size_t digits;

	(void) answer_skip(&at, "sbatch: ");
	line.error = answer_skip(&at, "error: ");
	digits = strspn(at, "0123456789");
	if (digits > 0 && strncmp(at + digits, ": ", 2) == 0)
		at += digits + 2;
	line.error |= answer_skip(&at, "allocation failure: ");
	line.ours = answer_skip(&at, "equitree: ");
	line.price = line.ours && strncmp(at, "cost ", 5) == 0;
	line.words = at;
	line.length = (int) strcspn(at, "\n");
	return line;
}

/* Does only a test get this answer? Without --test-only sbatch accepts such a job. The
 * job then waits, or the price message tells that it cannot run. */
static bool answer_is_a_wait(const struct answer_line *line)
{
	static const char *const waits[] = {
		"Requested node configuration is not available",
		"Requested partition configuration not available now",
		"Requested nodes are busy",
		"Required node not available (down, drained or reserved)",
		"Required partition not available (inactive or drain)",
		"Node count specification invalid",
		("Requested time limit is invalid (missing or exceeds some "
		 "limit)"),
		"Unable to contact slurm controller (connect failure)",
	};

	for (size_t i = 0; i < ARRAY_SIZE(waits); i++)
		if (strlen(waits[i]) == (size_t) line->length &&
		    strncmp(line->words, waits[i], strlen(waits[i])) == 0)
			return true;
	return false;
}

/* Take the time from a line such as "Job 5 to start at 2026-11-24T20:33:51 using ...". */
static void answer_take_start(char start[EQT_REFUSAL_START], const char *line)
{
	const char *at = strstr(line, " to start at ");
	int length;

	if (!at)
		return;
	at += strlen(" to start at ");
	length = (int) strcspn(at, " \n");
	if (length < EQT_REFUSAL_START)
		(void) snprintf(start, EQT_REFUSAL_START, "%.*s", length, at);
}

/* The last line tells whether the job is refused. The first line, or the line of the
 * plugin, tells why. */
static int answer_read(char start[EQT_REFUSAL_START], const char *text,
		       struct eqt_error *err)
{
	struct answer_line why = { .length = 0 }, last = why;
	bool priced = false;

	start[0] = '\0';
	for (const char *at = text; *at != '\0';
	     at += strcspn(at, "\n"), at += *at == '\n') {
		const struct answer_line line = answer_cut(at);

		answer_take_start(start, at);
		priced |= line.price;
		if (!line.error || (priced && line.ours))
			continue;
		if (!why.words || (line.ours && !why.ours))
			why = line;
		if (!line.ours)
			last = line;
	}
	if (!last.words || start[0] != '\0' || answer_is_a_wait(&last))
		return 0;
	/* If no node has a feature, Slurm's text says more than the plugin's. */
	if (strncmp(last.words, "Invalid feature", 15) == 0)
		why = last;
	return eqt_error_set(err, "%.*s", why.length, why.words);
}

/* Without a script sbatch would read stdin, so add --wrap. The partition follows the
 * options of the first component, and so overrides theirs. */
int eqt_estimate_refusal_ask(char start[EQT_REFUSAL_START],
			     const struct eqt_sbatch_words *words,
			     const char *partition, struct eqt_error *err)
{
	const char **all = eqt_alloc(words->count + 7, sizeof(*all));
	struct eqt_listing answer;
	struct eqt_error why;
	size_t count = 0, from = 0;
	int rc = 0;

	start[0] = '\0';

	all[count++] = "sbatch";
	all[count++] = "--test-only";
	for (; from < words->count && words->word[from][0] == '-'; from++)
		all[count++] = words->word[from];
	if (partition) {
		all[count++] = "-p";
		all[count++] = partition;
	}
	for (; from < words->count; from++)
		all[count++] = words->word[from];
	if (!words->script)
		all[count++] = "--wrap=true";
	if (eqt_command_answer(&answer, "sbatch", all, &why) == 0) {
		rc = answer_read(start, answer.text ? answer.text : "", err);
		eqt_listing_free(&answer);
	}
	free((void *) all);
	return rc;
}

/* ---- JSON ---------------------------------------------------------------------------
 * Keys ending in _max are for the most expensive GPU model or set of nodes that the job
 * might get. */

static json_object *resource_json(const struct eqt_quote *bill,
				  enum eqt_resource which, uint64_t amount)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "amount", amount);
	eqt_json_add(object, "equivalents", bill->low.by[which]);
	if (bill->by_model || bill->by_nodes)
		eqt_json_add(object, "equivalents_max", bill->high.by[which]);
	return object;
}

static json_object *resources_json(const struct eqt_quote *bill)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "cores",
		     resource_json(bill, EQT_CORES, bill->totals.demand.cores));
	eqt_json_add(object, "memory",
		     resource_json(bill, EQT_MEMORY,
				   bill->totals.demand.mem_mib));
	eqt_json_add(object, "gpus",
		     resource_json(bill, EQT_GPUS, bill->totals.gpus));
	if (bill->prices->disk_gres)
		eqt_json_add(object, "disk",
			     resource_json(bill, EQT_DISK,
					   bill->totals.demand.disk));
	return object;
}

static json_object *billing_json(const struct eqt_conf *conf,
				 const struct eqt_price *price)
{
	return json_object_new_uint64(eqt_frac_round(
		price->charge, conf->billing_scale, conf->billing_round));
}

/* Add the members for an array and for a time limit, if the request has them. */
static void estimate_add_totals(json_object *object,
				const struct eqt_quote *bill)
{
	struct eqt_frac hours, money;

	if (bill->array_tasks)
		eqt_json_add(object, "array_tasks", bill->array_tasks);
	if (bill->minutes == 0 || bill->minutes == EQT_AMOUNT_UNLIMITED)
		return;
	eqt_json_add(object, "time_limit_minutes", bill->minutes);
	if (eqt_quote_hours(&hours, bill, &bill->low) == 0) {
		eqt_json_add(object, "equivalent_hours", hours);
		if (eqt_unit_money(&money, bill->low.unit, hours) == 0)
			eqt_json_add(object, "money", money);
	}
	if (eqt_quote_hours(&hours, bill, &bill->high) == 0) {
		eqt_json_add(object, "equivalent_hours_max", hours);
		if (eqt_unit_money(&money, bill->high.unit, hours) == 0)
			eqt_json_add(object, "money_max", money);
	}
}

/* Add the price without its unit, from the lowest to the highest. */
static void price_range_add(json_object *object, const struct eqt_conf *conf,
			    const struct eqt_price *low,
			    const struct eqt_price *high)
{
	eqt_json_add(object, "charge", low->charge);
	eqt_json_add(object, "charge_max", high->charge);
	eqt_json_add(object, "usage", low->usage);
	eqt_json_add(object, "usage_max", high->usage);
	eqt_json_add(object, "billing", billing_json(conf, low));
	eqt_json_add(object, "billing_max", billing_json(conf, high));
}

/* The price in the other unit, if the job may get GPUs or none. */
static json_object *other_unit_json(const struct eqt_conf *conf,
				    const struct eqt_quote *bill)
{
	json_object *object = json_object_new_object();
	const struct eqt_price *low = &bill->also_low;
	const struct eqt_price *high = &bill->also_high;

	eqt_json_add(object, "equivalents", low->equivalents);
	eqt_json_add(object, "equivalents_max", high->equivalents);
	eqt_json_add(object, "unit", eqt_price_unit(low));
	price_range_add(object, conf, low, high);
	return object;
}

json_object *eqt_estimate_json(const struct eqt_conf *conf,
			       const struct eqt_estimate *quote)
{
	const struct eqt_quote *bill = &quote->bill;
	json_object *object = json_object_new_object();
	const char *unit = eqt_price_unit(&bill->low);

	eqt_json_add(object, "equivalents", bill->low.equivalents);
	eqt_json_add(object, "equivalents_max", bill->high.equivalents);
	if (bill->starts_now)
		eqt_json_add(object, "equivalents_now", bill->now.equivalents);
	eqt_json_add(object, "at_least", bill->least);
	if (bill->spread_nodes > 0) {
		eqt_json_add(object, "spread_nodes", bill->spread_nodes);
		eqt_json_add(object, "equivalents_spread",
			     bill->spread.equivalents);
	}
	eqt_json_add(object, "unit", unit);
	if (bill->low.unit && bill->low.unit->currency[0] != '\0')
		eqt_json_add(object, "currency", bill->low.unit->currency);
	if (quote->account[0] != '\0')
		eqt_json_add(object, "account", quote->account);
	eqt_json_add(object, "dominant",
		     bill->low.minimum ? "minimum"
				       : eqt_resource_name(bill->low.dominant));
	price_range_add(object, conf, &bill->low, &bill->high);
	if (bill->also)
		eqt_json_add(object, "or", other_unit_json(conf, bill));
	eqt_json_add(object, "per_resource", resources_json(bill));
	estimate_add_totals(object, bill);
	if (quote->partition[0] != '\0')
		eqt_json_add(object, "partition", quote->partition);
	return object;
}

/* ---- Owner --------------------------------------------------------------------------
 * The accounts and QOS of the user, and the UsageFactors of QOS, from sacctmgr. A cluster
 * without slurmdbd has none of them. */

/* Read a table of sacctmgr. The table is empty if sacctmgr fails. */
static void owner_ask(struct eqt_columns *out, const char *const *words)
{
	struct eqt_listing text;
	struct eqt_error err;

	if (eqt_command_try(&text, "sacctmgr", words) == 0 &&
	    eqt_columns_cut(out, EQT_COLUMNS_ANY, &text, &err) < 0)
		*out = (struct eqt_columns){ .rows = 0 };
}

/* The user is the caller's real user id, as in sbatch. */
void eqt_estimate_owner_ask(struct eqt_bill_owner *out)
{
	const struct passwd *entry = getpwuid(getuid());
	char cluster[EQT_CLUSTER_NAME];
	struct eqt_error err;
	const char *const of_qos[] = {
		"sacctmgr", "-P", "show", "qos", "format=Name,UsageFactor", NULL
	};

	*out = (struct eqt_bill_owner){ .qos.rows = 0 };
	if (entry && eqt_cluster_name(cluster, sizeof(cluster), &err) == 0)
		eqt_user_assocs_read(&out->assocs, cluster, entry->pw_name,
				     NULL);
	owner_ask(&out->qos, of_qos);
}

void eqt_estimate_owner_free(struct eqt_bill_owner *owner)
{
	eqt_user_assocs_free(&owner->assocs);
	eqt_columns_free(&owner->qos);
	*owner = (struct eqt_bill_owner){ .qos.rows = 0 };
}

/* The QOS of a job that names none; NULL: not known. */
static const char *bill_owner_qos(const struct eqt_bill_owner *owner,
				  const char *account, const char *partition)
{
	const char *name = account ? eqt_user_assocs_qos(&owner->assocs,
							 account, partition)
				   : NULL;

	return name || owner->qos.rows == 0 ? name : "normal";
}

/* Find the UsageFactor of a QOS, in millionths. Returns false if it is not known. As in
 * Slurm, the case of names of QOS does not matter. */
static bool bill_owner_factor(uint64_t *factor_u,
			      const struct eqt_bill_owner *owner,
			      const char *qos)
{
	for (size_t i = 0; i < owner->qos.rows; i++)
		if (strcasecmp(eqt_columns_cell(&owner->qos, i, 0), qos) == 0)
			return eqt_frac_micro_parse(
				       factor_u, eqt_columns_cell(&owner->qos,
								  i, 1)) == 0;
	return false;
}

/* ---- Accounts of pools --------------------------------------------------------------
 * The account of a pool that a request is charged to, found from the account that the
 * request names. The rules and the texts are those of plugins/job_submit/account.c, which
 * in addition knows the accounts of the user. */

/* Find the account of a pool. Returns -1 with err filled if the request names the account
 * of another pool. */
static int account_of_pool(char account[EQT_ACCOUNT_SIZE],
			   const struct eqt_pools *pools, enum eqt_pool pool,
			   const char *own, struct eqt_error *err)
{
	size_t length;
	enum eqt_pool named = eqt_pools_of(pools, own, &length);

	if (named != EQT_POOLS && named != pool)
		return eqt_pools_refuse_other(own, pool, err);
	if (!eqt_pools_account(pools, pool, own, account, EQT_ACCOUNT_SIZE))
		(void) memcpy(account, own, strlen(own) + 1);
	return 0;
}

/* Find the account that the submission plugin would give to a request with this price and
 * this account. The result is "" if the request keeps its account, if it names no account
 * ("named" is NULL), or if there are no pools. All accounts are assumed to exist. Returns
 * 0, or -1 with err filled if the account belongs to another pool, or if the request may
 * get resources of two pools. */
static int bill_pool_account(char account[EQT_ACCOUNT_SIZE],
			     const struct eqt_pools *pools, const char *named,
			     const struct eqt_quote *quote,
			     struct eqt_error *err)
{
	char own[EQT_ACCOUNT_SIZE], gpus[EQT_ACCOUNT_SIZE];
	enum eqt_pool pool = quote->low.gpu_pool ? EQT_POOL_GPU : EQT_POOL_CPU;

	account[0] = '\0';
	if (!eqt_pools_any(pools) || !named || named[0] == '\0' ||
	    !eqt_text_lower(own, sizeof(own), named))
		return 0;
	if (account_of_pool(account, pools, quote->also ? EQT_POOL_CPU : pool,
			    own, err) < 0 ||
	    (quote->also &&
	     account_of_pool(gpus, pools, EQT_POOL_GPU, own, err) < 0))
		return -1;
	if (quote->also && strcmp(account, gpus) != 0)
		return eqt_pools_refuse_two(account, gpus, err);
	if (strcmp(account, own) == 0)
		account[0] = '\0';
	return 0;
}

/* ---- Estimate ------------------------------------------------------------- */

#define QOS_SIZE 256

/* Convert the name of a QOS to lower case, as Slurm stores it. NULL means no QOS. */
static const char *qos_lower(const char *name, char buf[QOS_SIZE])
{
	return name && eqt_text_lower(buf, QOS_SIZE, name) ? buf : NULL;
}

/* Add the defaults of the cluster and of the partition to the request. The name of the
 * partition goes into the estimate. */
static int estimate_apply_site(struct eqt_estimate *quote,
			       struct eqt_job_spec *spec, unsigned int keeps,
			       const struct eqt_estimate_site *site,
			       struct eqt_error *err)
{
	const char *name = quote->partition[0] ? quote->partition : NULL;
	const struct eqt_scontrol_record *partition =
		eqt_scontrol_partition_find(&site->partitions, name);
	struct eqt_error why;

	eqt_cluster_allocation_apply(spec, keeps, &site->cluster);
	if (site->partitions.count > 0 && !partition)
		return eqt_error_set(err, "%s: no partition %s",
				     site->partitions.text.name,
				     name ? name : "with Default=YES");
	if (partition &&
	    eqt_scontrol_partition_apply(
		    spec, partition,
		    eqt_cluster_allocation_blocks(&site->cluster), &why) < 0)
		return eqt_error_set(err, "%s: line %zu: %s",
				     site->partitions.text.name,
				     partition->number, why.text);
	if (partition && !name)
		(void) snprintf(quote->partition, sizeof(quote->partition),
				"%s",
				eqt_record_text(partition, "PartitionName"));
	if (quote->partition[0] != '\0')
		eqt_scontrol_candidates_offer(spec, &site->nodes,
					      quote->partition);
	return 0;
}

/* How to price a component in one of its partitions. */
struct estimate_in {
	const struct eqt_sbatch_component *component;
	/* look for a hint, which other partitions may share or drop */
	bool advise;
	bool several; /* the request names several partitions */
	bool whole; /* price whole nodes, whatever request and partition say */
};

static int estimate_quote(struct eqt_estimate *quote,
			  const struct eqt_job_spec *spec, bool advise,
			  struct eqt_error *err)
{
	struct eqt_parsed_spec parsed;

	if (eqt_parsed_spec_make(&parsed, &quote->prices, spec, err) < 0)
		return -1;
	return (advise ? eqt_quote_count : eqt_quote_price)(
		&quote->bill, &quote->prices, spec, &parsed, err);
}

/* The UsageFactor of a QOS, in millionths. */
static uint64_t usage_factor(const struct eqt_estimate_site *site,
			     const char *qos)
{
	uint64_t factor_u;

	if (site->usage_factor_u)
		return site->usage_factor_u;
	return qos && bill_owner_factor(&factor_u, &site->owner, qos)
		       ? factor_u
		       : EQT_MICRO;
}

/* If the price is a range, also find the price on the nodes that are free now. */
static void estimate_note_now(struct eqt_estimate *quote,
			      const struct eqt_estimate_site *site,
			      const struct eqt_job_spec *spec)
{
	struct eqt_nodes_now now = { .sets = 0 };

	if (!site->asked_now || site->cluster.powers_nodes ||
	    !eqt_quote_now_helps(&quote->bill, spec))
		return;
	eqt_scontrol_candidates_now(&now, spec, &site->nodes, quote->partition,
				    &site->reservations);
	eqt_quote_now_note(&quote->bill, spec, &now);
}

/* Price the component in the partition that the estimate names. */
static int estimate_partition(struct eqt_estimate *quote,
			      const struct eqt_estimate_site *site,
			      const struct estimate_in *in,
			      struct eqt_error *err)
{
	const struct eqt_sbatch_component *totals = in->component;
	const struct eqt_conf *conf = site->conf;
	const struct eqt_rule *rule = NULL;
	struct eqt_job_spec spec = totals->spec;
	struct eqt_price most;
	const char *name = quote->partition, *qos_name;
	char qos[QOS_SIZE];

	if (estimate_apply_site(quote, &spec, totals->keeps, site, err) < 0)
		return -1;
	spec.exclusive |= in->whole;
	if (name[0] != '\0')
		rule = eqt_rules_find(&conf->partitions, name, strlen(name));
	if (rule && eqt_rule_missing(rule, &spec, err))
		return -1;
	qos_name = totals->qos ? totals->qos
			       : bill_owner_qos(&site->owner, totals->account,
						name);
	eqt_conf_prices(&quote->prices, conf, name[0] ? name : NULL,
			qos_lower(qos_name, qos));
	quote->prices.queue[EQT_CHARGE_FACTOR_USAGE] =
		(struct eqt_charge_factor){
			.name = qos_name ? qos_name : "(default)",
			.factor_u = usage_factor(site, qos_name)
		};
	eqt_scontrol_candidates(&quote->prices, &spec, &site->nodes, name);
	if (estimate_quote(quote, &spec, in->advise, err) < 0)
		return -1;
	if (!in->several)
		estimate_note_now(quote, site, &spec);
	most = eqt_quote_most(&quote->bill);
	return rule ? eqt_rule_check(rule, &most, err) : 0;
}

/* Make the next name of "a,b" the estimate's partition. Returns false at the end. */
static bool estimate_next_partition(struct eqt_estimate *quote,
				    const char **list)
{
	quote->partition[0] = '\0';
	return eqt_text_next_name(quote->partition, sizeof(quote->partition),
				  list);
}

/* select/linear knows only GPUs per node. 23.11 and 24.05 accept all other GPU options
 * except those for tasks, and allocate whole nodes. */
static int estimate_check_linear(const struct eqt_estimate_site *site,
				 const struct eqt_job_spec *spec,
				 struct eqt_error *err)
{
	const unsigned int release = site->cluster.release;
	const bool takes = release >= EQT_RELEASE(23, 11, 0) &&
			   release < EQT_RELEASE(24, 11, 0);
	const bool others = spec->cpus_per_tres || spec->tres_per_job ||
			    spec->tres_per_socket || spec->mem_per_tres ||
			    spec->tasks_per_gpu;

	if (!site->cluster.linear ||
	    (!spec->tres_per_task && (takes || !others)))
		return 0;
	return eqt_error_set(err, "SelectType=select/linear knows GPUs by "
				  "--gres and --gpus-per-node alone");
}

/* Does a list of several partitions have one that allocates whole nodes (if "whole" is
 * true), or one that allocates parts of nodes (if it is false)? */
static bool list_has(const struct eqt_estimate_site *site, const char *list,
		     bool whole)
{
	const bool blocks = eqt_cluster_allocation_blocks(&site->cluster);
	struct eqt_estimate one;
	size_t names = 0;
	bool found = false;

	while (estimate_next_partition(&one, &list)) {
		const struct eqt_scontrol_record *partition =
			eqt_scontrol_partition_find(&site->partitions,
						    one.partition);
		const bool is_whole =
			site->cluster.linear ||
			(partition &&
			 eqt_scontrol_partition_whole(partition, blocks));

		found |= is_whole == whole;
		names++;
	}
	return found && names > 1;
}

/* Find the least and the most of DefCpuPerGPU in a list of partitions. Return true if
 * slurmctld may look at another partition before the first one of the list. */
static bool first_cpus_find(struct eqt_job_spec_defaults *defaults,
			    const struct eqt_estimate_site *site,
			    const char *list)
{
	uint64_t known = 0, first = 0;
	struct eqt_estimate one;
	bool others = false;

	while (estimate_next_partition(&one, &list)) {
		const struct eqt_scontrol_record *partition =
			eqt_scontrol_partition_find(&site->partitions,
						    one.partition);
		uint64_t tier;

		if (!partition)
			continue;
		tier = eqt_scontrol_partition_tier(partition);
		if (known == 0)
			first = tier;
		others |= tier > first;
		eqt_job_spec_add_first_cpus(defaults,
					    eqt_scontrol_partition_gpu_cpus(
						    partition,
						    site->cluster.cpus_per_gpu),
					    known++);
	}
	return others;
}

/* Widen the price in the first partition by the prices in the others. */
static int estimate_widen(struct eqt_estimate *out,
			  const struct eqt_estimate_site *site,
			  struct estimate_in *in, const char *list,
			  struct eqt_error *err)
{
	struct eqt_estimate other;

	while (estimate_next_partition(&other, &list)) {
		in->advise = out->bill.advice != EQT_QUOTE_ADVICE_NONE;
		if (estimate_partition(&other, site, in, err) < 0)
			return -1;
		eqt_quote_widen(&out->bill, &other.bill);
	}
	return 0;
}

/* Price the request in one QOS, in all its partitions. */
static int estimate_in_qos(struct eqt_estimate *out,
			   const struct eqt_estimate_site *site,
			   const struct eqt_sbatch_component *component,
			   struct eqt_error *err)
{
	const char *list = component->partition ? component->partition : "",
		   *all = list;
	struct eqt_sbatch_component one = *component;
	struct estimate_in in = { .component = &one,
				  .advise = true,
				  .several = strchr(all, ',') != NULL };
	bool others, differ;

	one.spec.shares_elsewhere = !component->spec.exclusive &&
				    list_has(site, all, false);
	others = first_cpus_find(&one.spec.defaults, site, all);
	differ = one.spec.defaults.other_first;
	one.spec.defaults.other_first = differ && others;
	(void) estimate_next_partition(out, &list);
	if (estimate_partition(out, site, &in, err) < 0)
		return -1;
	one.spec.defaults.other_first = differ;
	if (estimate_widen(out, site, &in, list, err) < 0)
		return -1;
	/* Once Slurm has tried a partition that allocates whole nodes, the job gets whole
	 * nodes in the other partitions, too. */
	in.whole = true;
	return list_has(site, all, true)
		       ? estimate_widen(out, site, &in, all, err)
		       : 0;
}

/* Price the request in all QOS that it names. */
static int estimate_in_all(struct eqt_estimate *out,
			   const struct eqt_estimate_site *site,
			   const struct eqt_sbatch_component *component,
			   struct eqt_error *err)
{
	struct eqt_sbatch_component one = *component;
	const char *list = component->qos ? component->qos : "";
	char text[EQT_ERROR_SIZE];
	struct eqt_estimate other;

	if (estimate_check_linear(site, &component->spec, err) < 0)
		return -1;
	if (!one.account)
		one.account = eqt_user_assocs_account(&site->owner.assocs);
	one.qos = eqt_text_next_name(out->qos, sizeof(out->qos), &list)
			  ? out->qos
			  : NULL;
	if (estimate_in_qos(out, site, &one, err) < 0)
		return -1;
	while (eqt_text_next_name(other.qos, sizeof(other.qos), &list)) {
		one.qos = other.qos;
		if (estimate_in_qos(&other, site, &one, err) < 0)
			return -1;
		eqt_quote_widen(&out->bill, &other.bill);
	}
	if (out->bill.lack)
		return eqt_error_set(err, "%s",
				     eqt_price_message_brief(&out->bill, text,
							     sizeof(text)));
	return bill_pool_account(out->account, &site->conf->pools, one.account,
				 &out->bill, err);
}

int eqt_estimate_make(struct eqt_estimate *out,
		      const struct eqt_estimate_site *site,
		      const struct eqt_sbatch_component *component,
		      struct eqt_error *err)
{
	struct eqt_sbatch_component one = *component;
	char *nodes = eqt_record_reservation_nodes(&site->reservations,
						   component->reservation);
	int rc;

	one.spec.reservation = component->reservation;
	one.spec.reserved = nodes;
	if (!one.partition)
		one.partition = eqt_record_reservation_partition(
			&site->reservations, component->reservation);
	rc = estimate_in_all(out, site, &one, err);
	if (rc == 0 &&
	    eqt_conf_gives_whole(site->conf, out->bill.totals.nodes)) {
		one.spec.exclusive = true;
		rc = estimate_in_all(out, site, &one, err);
	}
	free(nodes);
	return rc;
}
