/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The budgets that slurmctld shows to the caller, as limits that jobs spend. Each account
 * or user that has budgets is a level, and all its budgets together are one limit, in
 * thousandths of an equivalent-second: large jobs of a year fit into 64 bits. What is
 * left is exact. What a job takes is its price for its time limit, as the simulation
 * computes it, from equitree.conf.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fraction.h"
#include "base/text.h"
#include "budget/hours.h"
#include "cli/alloc.h"
#include "scene/scene_impl.h"
#include "slurm/scontrol/partitions.h"
#include "slurm/text/timestamp.h"

#define HORIZON_S (31 * 86400) /* renewals after this are not simulated */
#define AMOUNT_PER_S 1000 /* amounts of an equivalent-second */
#define AMOUNT_MOST (UINT64_C(1) << 62)

struct eqt_scene_level {
	uint32_t limit;
	/* One of its budgets, the first in force if there is one. */
	const struct eqt_budget *budget;
	/* sums over the budgets of the level that are in force */
	uint64_t left_u, committed_u;
};

/* ---- Reading ------------------------------------------------------------------ */

/* Slurm's own submission plugins do not answer, so they are not asked. */
void eqt_scene_budgets_config(struct eqt_scene *scene,
			      const struct eqt_slurmconf *conf)
{
	scene->has_budgets = eqt_text_list_has_exact(
		eqt_cluster_config_get(conf, "JobSubmitPlugins"), "equitree");
	scene->over_s =
		60 * strtoull(eqt_cluster_config_get(conf, "OverTimeLimit"),
			      NULL, 10);
}

void eqt_scene_budgets_ask(struct eqt_balances *out, const char *folder)
{
	char path[EQT_LIVE_PATH];
	struct eqt_error quiet;
	int rc;

	if (folder)
		rc = eqt_balances_read_saved(
			out, eqt_live_cluster_path(path, folder, "budgets.txt"),
			&quiet);
	else
		rc = eqt_balances_read(out, &quiet);
	if (rc < 0)
		eqt_balances_free(out);
}

/* Without an equitree.conf the prices are not known, so nothing is asked. */
void eqt_scene_budgets_read(struct eqt_scene *scene, const char *folder)
{
	if (scene->conf && (folder || scene->has_budgets))
		eqt_scene_budgets_ask(&scene->budgets, folder);
}

int eqt_scene_budgets_save(const char *folder, struct eqt_error *err)
{
	char path[EQT_LIVE_PATH];

	if (eqt_live_cluster_save(folder, err) < 0)
		return -1;
	return eqt_balances_save(
		eqt_live_cluster_path(path, folder, "budgets.txt"), err);
}

/* ---- Levels ------------------------------------------------------------------- */

static uint64_t amount_of(uint64_t hours_u)
{
	const uint64_t each = 1000000 / AMOUNT_PER_S;

	return hours_u / each + (hours_u % each >= each / 2);
}

static uint64_t amount_as_hours(uint64_t amount)
{
	return amount * (1000000 / AMOUNT_PER_S);
}

/* Whose budgets are looked for. */
struct budget_owner {
	const char *account, *user; /* user "": the account itself */
	enum eqt_budget_pool pool;
	const char *qos;
};

static bool owner_has(const struct budget_owner *owner,
		      const struct eqt_budget *budget)
{
	return strcmp(budget->terms.account, owner->account) == 0 &&
	       strcmp(budget->terms.user, owner->user) == 0 &&
	       eqt_budget_counts(budget, owner->pool, owner->qos);
}

/* Insert a renewal after all renewals that are not later. Renewals behind the horizon,
 * or of the past, are left out. */
static void renewal_add(struct eqt_scene *scene,
			const struct eqt_simulation_renewal *one)
{
	uint32_t *count = &scene->now.renewal_count;
	uint32_t at;

	if (one->at <= scene->live->now_s ||
	    one->at > scene->live->now_s + HORIZON_S)
		return;
	EQT_ALLOC_ROOM(scene->renewals, *count);
	for (at = *count; at > 0 && scene->renewals[at - 1].at > one->at; at--)
		scene->renewals[at] = scene->renewals[at - 1];
	scene->renewals[at] = *one;
	scene->now.renewals = scene->renewals;
	++*count;
}

/* Add the start, the refills and the end of a budget. What the others of its level have
 * now stays when it lapses. */
static void level_renew(struct eqt_scene *scene, uint32_t limit,
			const struct eqt_budget *budget, uint64_t others_u)
{
	const struct eqt_budget_terms *terms = &budget->terms;
	const int64_t until = scene->live->now_s + HORIZON_S;
	struct eqt_simulation_renewal one = {
		.limit = limit,
		.keeps = EQT_SIMULATION_KEEPS_ALL,
		.at = (int64_t) terms->start,
		.adds = amount_of(eqt_budget_left(budget)),
	};

	if (budget->closed)
		return;
	renewal_add(scene, &one);
	if (!terms->carry)
		one.keeps = amount_of(others_u);
	one.adds = amount_of(terms->refill_u);
	for (uint64_t at = budget->next; at && (int64_t) at <= until;
	     at = eqt_budget_next_refill(terms, at)) {
		one.at = (int64_t) at;
		if (!terms->end || at < terms->end)
			renewal_add(scene, &one);
	}
	if (!terms->end)
		return;
	one.at = (int64_t) terms->end;
	one.keeps = amount_of(others_u);
	one.adds = 0;
	renewal_add(scene, &one);
}

/* Add up the budgets of a level. *all is set if none of them is for one pool, and *any if
 * there is a budget. */
static void level_sum(struct eqt_scene_level *out,
		      const struct eqt_scene *scene,
		      const struct budget_owner *owner, bool *any, bool *all)
{
	const uint64_t now = (uint64_t) scene->live->now_s;

	*any = false;
	*all = true;
	for (size_t i = 0; i < scene->budgets.count; i++) {
		const struct eqt_budget *budget = &scene->budgets.row[i];

		if (!owner_has(owner, budget))
			continue;
		*all = *all && budget->terms.pool == EQT_BUDGET_ALL;
		if (!*any || (eqt_budget_in_force(budget, now) &&
			      !eqt_budget_in_force(out->budget, now)))
			out->budget = budget;
		*any = true;
		if (!eqt_budget_in_force(budget, now))
			continue;
		out->left_u += eqt_budget_left(budget);
		out->committed_u += budget->committed_u;
	}
}

/* Add a level whose limit is new. */
static void level_add(struct eqt_scene *scene, const struct eqt_scene_level *of,
		      const struct budget_owner *owner)
{
	const uint64_t now = (uint64_t) scene->live->now_s;

	EQT_ALLOC_ROOM(scene->levels, scene->level_count);
	scene->levels[scene->level_count++] = *of;
	for (size_t i = 0; i < scene->budgets.count; i++) {
		const struct eqt_budget *budget = &scene->budgets.row[i];

		if (owner_has(owner, budget))
			level_renew(scene, of->limit, budget,
				    of->left_u -
					    (eqt_budget_in_force(budget, now)
						     ? eqt_budget_left(budget)
						     : 0));
	}
}

bool eqt_scene_budgets_level(uint32_t *limit, struct eqt_scene *scene,
			     uint32_t node, bool gpus, const char *qos)
{
	const struct budget_owner owner = {
		.account = scene->accounts[node] ? scene->accounts[node] : "",
		.user = scene->users[node] ? scene->users[node] : "",
		.pool = gpus ? EQT_BUDGET_GPUS : EQT_BUDGET_CORES,
		.qos = qos,
	};
	struct eqt_scene_level level = { .budget = NULL };
	char name[2 * EQT_BUDGET_NAME + 32];
	const uint32_t count = scene->limits.count;
	bool any, all;

	level_sum(&level, scene, &owner, &any, &all);
	if (!any)
		return false;
	(void) snprintf(name, sizeof(name), "budget|%s|%s|%s", owner.account,
			owner.user,
			eqt_budget_pool_word(all ? EQT_BUDGET_ALL
						 : owner.pool));
	eqt_limit_number(&level.limit, &scene->limits, name,
			 amount_of(level.left_u));
	if (level.limit == count)
		level_add(scene, &level, &owner);
	*limit = level.limit;
	return true;
}

/* ---- Jobs --------------------------------------------------------------------- */

/* OverTimeLimit in seconds; that of the partition replaces that of the cluster. */
static uint64_t partition_over_s(const struct eqt_scene *scene, uint16_t i)
{
	const char *text = eqt_record_text(
		eqt_scontrol_partition_find(&scene->live->partitions,
					    scene->partitions[i].name),
		"OverTimeLimit");

	return text[0] >= '0' && text[0] <= '9' ? 60 * strtoull(text, NULL, 10)
						: scene->over_s;
}

static const struct eqt_scene_level *level_find(const struct eqt_scene *scene,
						uint32_t limit)
{
	for (size_t i = 0; i < scene->level_count; i++)
		if (scene->levels[i].limit == limit)
			return &scene->levels[i];
	return NULL;
}

static bool level_has(const struct eqt_scene *scene,
		      const struct eqt_scene_level *level, uint64_t id)
{
	const struct eqt_budget *budget =
		eqt_balances_find(&scene->budgets, id);

	return budget && level &&
	       strcmp(budget->terms.account, level->budget->terms.account) ==
		       0 &&
	       strcmp(budget->terms.user, level->budget->terms.user) == 0;
}

/* A job that a budget holds takes more than is left of it, whatever its price is by our
 * count. A job without a price takes nothing. */
void eqt_scene_budgets_use(struct eqt_simulation_use *use,
			   const struct eqt_scene *scene,
			   const struct eqt_scene_claim *claim)
{
	const struct eqt_simulation_job *job = claim->job;
	const uint64_t paid_s =
		job->limit_s + partition_over_s(scene, job->partition);
	const uint64_t left = scene->limits.most[use->limit];
	struct eqt_price price;
	struct eqt_error quiet;
	double amount;

	if (!paid_s ||
	    eqt_sim_usage_job_price(&price, scene->conf, &scene->now.cluster,
				    job, &quiet) < 0)
		return;
	amount = eqt_frac_double(price.charge) * (double) paid_s * AMOUNT_PER_S;
	use->paid_s = paid_s < UINT32_MAX ? (uint32_t) paid_s : UINT32_MAX;
	use->amount = amount < AMOUNT_MOST ? (uint64_t) llround(amount)
					   : AMOUNT_MOST;
	if (claim->held_by && use->amount <= left &&
	    level_has(scene, level_find(scene, use->limit), claim->held_by))
		use->amount = left + 1;
}

/* Has the job taken what it spends, so that it will give back what it does not use? */
static bool job_has_paid(const struct eqt_simulation_needs *needs)
{
	return needs->on || needs->paid;
}

/* Multiply what a job has taken of limits. Jobs of the past may share the array, so a new
 * one is made. */
static void job_scale(struct eqt_scene *scene, struct eqt_simulation_needs *to,
		      const double *factors)
{
	struct eqt_simulation_use *uses =
		eqt_arena_new(&scene->kept, to->use_count * sizeof(*uses));

	memcpy(uses, to->uses, to->use_count * sizeof(*uses));
	for (uint32_t u = 0; u < to->use_count; u++)
		if (uses[u].paid_s)
			uses[u].amount = (uint64_t) ((double) uses[u].amount *
						     factors[uses[u].limit]);
	to->uses = uses;
}

/* Jobs that ran before the budget was granted, or in a period that is over, have taken
 * nothing of it. It is not known which jobs these are. */
void eqt_scene_budgets_settle(struct eqt_scene *scene)
{
	double *factors;

	if (!scene->level_count)
		return;
	factors = eqt_alloc((size_t) scene->limits.count + 1, sizeof(*factors));
	for (size_t i = 0; i < scene->now.count; i++) {
		const struct eqt_simulation_needs *needs = &scene->needs[i];

		for (uint32_t u = 0; u < needs->use_count; u++)
			if (needs->uses[u].paid_s && job_has_paid(needs))
				factors[needs->uses[u].limit] +=
					(double) needs->uses[u].amount;
	}
	for (size_t i = 0; i < scene->level_count; i++) {
		double *taken = &factors[scene->levels[i].limit];
		const double really =
			(double) amount_of(scene->levels[i].committed_u);

		*taken = *taken > really ? really / *taken : 1;
	}
	for (size_t i = 0; i < scene->now.count; i++)
		if (scene->needs[i].use_count && job_has_paid(&scene->needs[i]))
			job_scale(scene, &scene->needs[i], factors);
	free(factors);
}

/* ---- Words -------------------------------------------------------------------- */

/* The first level that has too little left for a job that has not paid, or NULL. */
static const struct eqt_scene_level *level_lacking(
	const struct eqt_simulation_use **use, const struct eqt_scene *scene,
	uint32_t index)
{
	const struct eqt_simulation_needs *needs = &scene->needs[index];

	for (uint32_t u = 0; !needs->paid && u < needs->use_count; u++) {
		*use = &needs->uses[u];
		if ((*use)->paid_s &&
		    (*use)->amount > scene->limits.most[(*use)->limit])
			return level_find(scene, (*use)->limit);
	}
	return NULL;
}

/* The first renewal within the horizon that adds to a limit; 0: none. */
static int64_t renewal_first(const struct eqt_scene *scene, uint32_t limit)
{
	for (uint32_t i = 0; i < scene->now.renewal_count; i++)
		if (scene->renewals[i].limit == limit &&
		    scene->renewals[i].adds)
			return scene->renewals[i].at;
	return 0;
}

/* Does the job need more than what is left and committed together? No end of another job
 * then lets it start. */
static bool level_is_short(const struct eqt_scene_level *level,
			   const struct eqt_simulation_use *use)
{
	return use->amount > amount_of(level->left_u + level->committed_u);
}

#define DAY_TEXT 40

static const char *day_text(char buf[DAY_TEXT], int64_t at_s)
{
	return eqt_timestamp_text(buf, DAY_TEXT, "%Y-%m-%d", at_s);
}

bool eqt_scene_budgets_never(char words[EQT_SCENE_LINE],
			     const struct eqt_scene *scene, uint32_t index)
{
	const struct eqt_simulation_use *use;
	const struct eqt_scene_level *level = level_lacking(&use, scene, index);
	char left[EQT_HOURS_TEXT], taken[EQT_HOURS_TEXT], need[EQT_HOURS_TEXT];
	char day[DAY_TEXT], from[DAY_TEXT + 16] = "never";
	int64_t next;

	if (!level || !level_is_short(level, use) ||
	    level->budget->terms.joint || renewal_first(scene, use->limit))
		return false;
	next = (int64_t) level->budget->next;
	if (next > scene->live->now_s)
		(void) snprintf(from, sizeof(from), "not before %s",
				day_text(day, next));
	(void) snprintf(words, EQT_SCENE_LINE,
			"%s: budget %" PRIu64 " of %.80s has %s left and %s "
			"committed, job needs %s",
			from, level->budget->id, level->budget->terms.account,
			eqt_hours_short(level->left_u, left),
			eqt_hours_short(level->committed_u, taken),
			eqt_hours_need(amount_as_hours(use->amount), need));
	return true;
}

/* When what is left of a budget grows; "" if that is not known. */
static void words_of_growth(char *to, size_t size,
			    const struct eqt_scene *scene,
			    const struct eqt_scene_level *level,
			    const struct eqt_simulation_use *use)
{
	const bool is_short = level_is_short(level, use);
	const int64_t renewal = renewal_first(scene, use->limit);
	const int64_t next = renewal ? renewal : (int64_t) level->budget->next;
	char taken[EQT_HOURS_TEXT], day[DAY_TEXT];
	int used = 0;

	to[0] = '\0';
	if (level->committed_u)
		used = snprintf(to, size, " Jobs have committed %s%s.",
				eqt_hours_short(level->committed_u, taken),
				is_short ? ", which is too little"
					 : "; what they do not use comes back "
					   "when they end");
	if (next)
		(void) snprintf(to + used, size - (size_t) used, " %s on %s.",
				is_short ? "So the job waits for the refill"
					 : "The next refill is",
				day_text(day, next));
}

bool eqt_scene_budgets_words(char words[EQT_SCENE_WORDS],
			     const struct eqt_scene *scene, uint32_t index)
{
	const struct eqt_simulation_use *use;
	const struct eqt_scene_level *level = level_lacking(&use, scene, index);
	char left[EQT_HOURS_TEXT], need[EQT_HOURS_TEXT], unit[EQT_HOURS_UNIT];
	char growth[EQT_SCENE_WORDS / 2];

	if (!level)
		return false;
	words_of_growth(growth, sizeof(growth), scene, level, use);
	(void) snprintf(words, EQT_SCENE_WORDS,
			"Budget %" PRIu64
			" of %.80s has %s %ss left, and the job needs %s.%s",
			level->budget->id, level->budget->terms.account,
			eqt_hours_short(level->left_u, left),
			eqt_hours_unit(&scene->conf->prices,
				       level->budget->terms.pool, unit),
			eqt_hours_need(amount_as_hours(use->amount), need),
			growth);
	return true;
}
