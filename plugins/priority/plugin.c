/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * priority_equitree: the hooks that Slurm calls. Each hook only calls the rooms
 * below; docs/ARCHITECTURE.md shows the path of a job through them. All hooks
 * are defined in all builds, although some releases call only some of them.
 *
 * sshare loads this plugin, too. Outside of slurmctld only
 * priority_p_calc_fs_factor() works.
 */
#include "slurm/log.h"
#include "budget/admission.h"
#include "budget/verdict.h"
#include "budget/request.h"
#include "budget/budgets_thread.h"
#include "factors/sprio_answer.h"
#include "pass.h"
#include "rank/classic.h"
#include "rate/job_env.h"
#include "rate/job_quote.h"
#include "state.h"
#include "trace.h"
#include "tree/classic.h"

const char plugin_name[] = "equitree: Fair Tree priority in equivalents";
const char plugin_type[] = "priority/equitree";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

int init(void);
EQT_FINI_TYPE fini(void);

/* The state of the plugin. It has file scope because slurmctld passes no
 * argument of ours to the hooks. */
static struct eqt_state state = EQT_STATE;

/* Read the configuration and put it in force. Returns 0, or -1 with err
 * filled. */
static int plugin_load_config(struct eqt_error *err)
{
	const struct eqt_config *config;

	if (eqt_config_load(&state.config, err) < 0)
		return -1;
	config = eqt_config_get(&state.config);
	eqt_trace_config(config);
	eqt_config_put(config);
	return 0;
}

/* Free everything that init() has made, in reverse order. No thread is
 * running. */
static void plugin_free(void)
{
	eqt_state_clear(&state);
	eqt_slurm_site_fini();
	eqt_config_unload(&state.config);
}

/* Log the version and the mode, for people who read the log from its start. */
static void plugin_log_loaded(void)
{
	const struct eqt_config *config = eqt_config_get(&state.config);
	const struct eqt_stock *stock = &config->stock;
	/* Only stock_compat sets stock->extras. */
	const bool all = stock->extras;

	eqt_log_info(
		"loaded: version %s for Slurm %u.%02u.%u, mode%s%s%s%s%s%s",
		EQT_VERSION, SLURM_VERSION_MAJOR(SLURM_VERSION_NUMBER),
		SLURM_VERSION_MINOR(SLURM_VERSION_NUMBER),
		SLURM_VERSION_MICRO(SLURM_VERSION_NUMBER),
		all ? " stock_compat" : "",
		!all && stock->billing ? " stock_billing" : "",
		!all && stock->ties ? " stock_ties" : "",
		!all && stock->decay ? " stock_decay" : "",
		!all && stock->recovery ? " stock_recovery" : "",
		stock->billing || stock->ties || stock->decay || stock->recovery
			? ""
			: " equitree");
	eqt_config_put(config);
}

/* Start the threads. */
static int plugin_start(void)
{
	return eqt_pass_start(&state) < 0 ||
			       eqt_budgets_thread_start(&state.budgets) < 0
		       ? -1
		       : 0;
}

/* init() takes only locks of assoc_mgr, because some releases call it while all
 * of slurmctld's locks are held. From 23.02 on, jobs, partitions and nodes may
 * not be read yet. */
int init(void)
{
	struct eqt_error err;

	if (!running_in_slurmctld())
		return SLURM_SUCCESS;
	if (plugin_load_config(&err) < 0) {
		eqt_log_error("%s", err.text);
		return SLURM_ERROR;
	}
	if (!assoc_mgr_root_assoc)
		eqt_log_error("no associations are known: is slurmdbd up, and "
			      "the cluster added with sacctmgr?");
	else
		assoc_mgr_root_assoc->usage->usage_efctv = 1.0L;
	if (eqt_slurm_site_init() < 0) {
		eqt_log_error("PrioritySiteFactorPlugin=%s cannot be loaded",
			      slurm_conf.site_factor_plugin);
		eqt_config_unload(&state.config);
		return SLURM_ERROR;
	}
	if (eqt_state_init(&state, &err) < 0) {
		eqt_log_error("%s", err.text);
		eqt_slurm_site_fini();
		eqt_config_unload(&state.config);
		return SLURM_ERROR;
	}
	if (eqt_pass_init(&state, &err) < 0) {
		eqt_log_error("%s: slurmctld would start without the saved "
			      "usage",
			      err.text);
		plugin_free();
		return SLURM_ERROR;
	}
	if (eqt_budgets_load(&state.budgets, &err) < 0) {
		eqt_log_error("%s: slurmctld does not start without all "
			      "entries of budgets. " EQT_BUDGET_REPAIR,
			      err.text);
		eqt_pass_stop(&state);
		plugin_free();
		return SLURM_ERROR;
	}
	if (!EQT_HAS_THREAD_START && !EQT_HAS_RECOVER && plugin_start() < 0) {
		eqt_pass_stop(&state);
		plugin_free();
		return SLURM_ERROR;
	}
	plugin_log_loaded();
	if (eqt_walk_is_plain(state.walk))
		eqt_log_info("jobs and associations are visited without "
			     "caches (plain_walk)");
	return SLURM_SUCCESS;
}

EQT_FINI_TYPE fini(void)
{
	if (!running_in_slurmctld())
		return EQT_FINI_DONE;
	/* The pass stops first, because its last pass may end runs, which
	   budgets then settle. */
	eqt_pass_stop(&state);
	eqt_budgets_thread_stop(&state.budgets);
	plugin_free();
	return EQT_FINI_DONE;
}

/* Slurm declares this hook with a result, but Slurm's own plugins return none
 * and nobody reads it. The caller may hold all of slurmctld's locks. */
void priority_p_thread_start(void)
{
	if (running_in_slurmctld())
		(void) plugin_start();
}

/* slurmctld calls this hook after its start, without locks. Nothing needs to be
 * recomputed, because the first pass sets the priorities of all jobs. */
uint32_t priority_p_recover(uint32_t prio_boost)
{
	(void) prio_boost;
	if (!EQT_HAS_THREAD_START && running_in_slurmctld())
		(void) plugin_start();
	return 0;
}

/* Does this job need a pass earlier than the next regular one? */
static bool job_lacks_rank(const struct eqt_config *config,
			   const job_record_t *job)
{
	if (!config->fairshare || config->stock.new_users ||
	    config->priority.rank_every_ms || !job->assoc_ptr)
		return false;
	if (eqt_config_place_jobs(config))
		return !(eqt_job_factors_of(&state.job_factors, job->job_id)
				 .fairshare > 0);
	return job->assoc_ptr->usage->fs_factor <= 0;
}

/* Price a waiting job, and set the variables in its environment and the billing
 * of its start. *need becomes the job's need of budgets, unless need is NULL.
 * Returns false if the job has no price or does not wait. */
static bool job_set_price(struct eqt_job_need *need,
			  const struct eqt_config *config, job_record_t *job)
{
	struct eqt_bundle_table prices;
	struct eqt_quote quote;
	bool priced;

	if (!job->details || !IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job))
		return false;
	priced = eqt_job_quote(&quote, &prices, need, config, job) == 0;
	eqt_job_env_set(config, job, priced ? &quote : NULL);
	if (priced)
		eqt_billing_tres_preset_most(config, job, &quote);
	return priced;
}

uint32_t priority_p_set(uint32_t last_prio, job_record_t *job_ptr)
{
	const struct eqt_config *config = eqt_config_get(&state.config);
	assoc_mgr_lock_t locks = EQT_PRIORITY_LOCKS;
	const bool budgets = eqt_budgets_active(&state.budgets);
	struct eqt_job_need need;
	uint32_t priority;
	bool priced;

	if (!eqt_guard_ok(&state.guard, job_ptr)) {
		eqt_config_put(config);
		return last_prio ? last_prio : 1;
	}
	eqt_pass_charge_job_changed(&state.pass_charge, config, job_ptr);
	site_factor_g_set(job_ptr);
	assoc_mgr_lock(&locks);
	/* A user who is new since the last pass has no factor yet, and a new
	   job has no rank. */
	if (job_lacks_rank(config, job_ptr))
		eqt_pass_wake(&state);
	priority =
		eqt_priority_make(&state.priority, config, job_ptr, time(NULL));
	priced = job_set_price(budgets ? &need : NULL, config, job_ptr);
	if (budgets)
		priority = eqt_admission_set(&state.budgets, config, job_ptr,
					     priced ? &need : NULL, priority);
	assoc_mgr_unlock(&locks);
	eqt_config_put(config);
	return priority;
}

/* Has the kind of fair share changed, so that shares must be normalised
 * again? */
static bool config_kind_changed(const struct eqt_config *before)
{
	const struct eqt_config *now = eqt_config_get(&state.config);
	bool changed = eqt_config_is_classic(before) !=
		       eqt_config_is_classic(now);

	changed = changed && !now->stock.shares;
	eqt_config_put(now);
	return changed;
}

/* assoc_clear says that slurmctld has rebuilt the run-seconds of all limits. */
void priority_p_reconfig(bool assoc_clear)
{
	const struct eqt_config *before = eqt_config_get(&state.config);
	struct eqt_error err;

	if (plugin_load_config(&err) < 0)
		eqt_log_error("%s; keeping the previous configuration",
			      err.text);
	else
		eqt_log_info("configuration read");
	/* assoc_mgr normalises shares by the flags in slurm.conf, but only when
	   an association changes. */
	if (config_kind_changed(before))
		eqt_rank_classic_renormalise();
	eqt_config_put(before);
	eqt_slurm_site_reconfig();
	eqt_pass_reconfigured(&state, assoc_clear);
	eqt_budgets_thread_reconfigured(&state.budgets);
}

/* slurmctld calls this hook for each association in an answer to sshare. The
 * caller holds assoc_mgr's assoc lock for reading. */
void priority_p_set_assoc_usage(slurmdb_assoc_rec_t *assoc)
{
	const struct eqt_config *config = eqt_config_get(&state.config);
	slurmdb_assoc_usage_t *usage = assoc->usage;
	long double all, level;

	if (!config || eqt_config_is_classic(config)) {
		if (config)
			eqt_rank_classic_set(config, assoc);
		eqt_config_put(config);
		return;
	}
	eqt_config_put(config);
	all = assoc_mgr_root_assoc->usage->usage_raw;
	level = usage->fs_assoc_ptr ? usage->fs_assoc_ptr->usage->usage_raw : 0;

	usage->usage_norm = all > 0 ? usage->usage_raw / all : 0;
	if (usage->usage_norm > 1.0L)
		usage->usage_norm = 1.0L;
	usage->usage_efctv = level > 0 ? usage->usage_raw / level : 0;
}

/* The classic factor, 2^(-usage / shares / dampening). sshare calls this
 * function, too. */
double priority_p_calc_fs_factor(long double usage_efctv,
				 long double shares_norm)
{
	if (fuzzy_equal(usage_efctv, NO_VAL))
		return 0;
	return eqt_classic_factor(usage_efctv, shares_norm,
				  slurm_conf.fs_dampening_factor);
}

list_t *priority_p_get_priority_factors_list(EQT_FACTORS_PARAMETERS)
{
	const struct eqt_config *config = eqt_config_get(&state.config);
	list_t *list = eqt_sprio_answer_list(&state.guard, config,
					     EQT_FACTORS_REQUEST, uid);

	eqt_config_put(config);
	return list;
}

/* slurmctld calls this hook where it enforces limits. The job lock is held for
 * writing. */
void priority_p_job_end(job_record_t *job_ptr)
{
	const struct eqt_config *config = eqt_config_get(&state.config);

	if (eqt_pass_charge_job_end(&state.pass_charge, config, job_ptr))
		eqt_pass_job_ended(&state);
	eqt_config_put(config);
}

/* ---- The functions that job_submit/equitree calls (slurm/budget_link.h)
 * ---- */

static bool link_active(void)
{
	return eqt_budgets_active(&state.budgets);
}

static void link_announce(uint64_t tasks)
{
	eqt_admission_announce(&state.budgets, tasks);
}

static void link_changed(uint32_t job)
{
	eqt_admission_changed(&state.budgets, job);
}

static void link_held(uint32_t id, bool by_user)
{
	job_record_t *job = find_job_record(id);

	if (job && eqt_guard_ok(&state.guard, job))
		eqt_admission_held(&state.budgets, job, by_user);
}

static void link_judge(struct eqt_budget_verdict *verdict,
		       const struct eqt_budget_applicant *applicant)
{
	eqt_verdict_make(&state.budgets, verdict, applicant);
}

static char *link_request(const char *text,
			  const struct eqt_budget_caller *caller)
{
	return eqt_request_take(&state.budgets, text, caller);
}

extern const struct eqt_budget_link eqt_budget_link;
const struct eqt_budget_link eqt_budget_link = {
	.version = EQT_BUDGET_LINK_VERSION,
	.active = link_active,
	.announce = link_announce,
	.changed = link_changed,
	.held = link_held,
	.judge = link_judge,
	.request = link_request,
};
