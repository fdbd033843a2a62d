/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The limits that running jobs count against: GrpTRES and GrpJobs of associations and of
 * the QOS of job and partition, MaxJobs of associations, MaxTRES and MaxJobs per user and
 * per account of QOS, licences, the number of array tasks that may run at once, and the
 * hours of budgets (budgets.c). Each limit is one number in the simulation. All jobs of
 * the same user, account, partition and QOS share what is found. For a live cluster
 * slurmctld prints the limits, and otherwise sacctmgr.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene_impl.h"
#include "cli/print.h"
#include "slurm/text/tres_list.h"

#define USES_MAX 96
#define LICENCES_MAX 15 /* licences of a job */
#define LIMIT_NAME 512

/* A limit that counts for an owner. The TRES "" means that it counts jobs. */
struct set_limit {
	uint32_t limit;
	char tres[64];
};

/* The limits for one user, account, partition and QOS. An entry of names.h, whose name is
 * made of these four. */
struct limit_set {
	const char *name;
	uint32_t count;
	const struct set_limit *limits;
};

/* A set of limits while it is filled. */
struct limit_taking {
	struct eqt_scene *scene;
	const struct eqt_scene_claim *claim;
	uint32_t count;
	struct set_limit limits[USES_MAX];
};

/* Whose running jobs a limit counts together, and the keys of such limits. */
static const struct limit_key {
	enum limit_of { OF_ALL, OF_USER, OF_ACCOUNT } of;
	const char *key;
} qos_limits[] = {
	{ OF_ALL, "GrpTRES" },	     { OF_ALL, "GrpJobs" },
	{ OF_USER, "MaxTRESPU" },    { OF_USER, "MaxJobsPU" },
	{ OF_ACCOUNT, "MaxTRESPA" }, { OF_ACCOUNT, "MaxJobsPA" },
}, assoc_limits[] = {
	{ OF_ALL, "GrpTRES" },
	{ OF_ALL, "GrpJobs" },
	/* if an account has it, it counts for each user */
	{ OF_ALL, "MaxJobs" },
};

#define ASSOC_LIMITS(own) (2u + (own))

/* Add a limit. It counts once for all jobs, or once per user or account. */
static void set_add(struct limit_taking *taking, const char *owner,
		    const struct limit_key *key, const char *tres,
		    uint64_t most)
{
	struct set_limit *to = &taking->limits[taking->count];
	char name[LIMIT_NAME];

	if (taking->count == USES_MAX)
		return;
	(void) snprintf(name, sizeof(name), "%.200s|%s|%.64s|%s%.200s", owner,
			key->key, tres,
			key->of == OF_USER	? "user "
			: key->of == OF_ACCOUNT ? "account "
						: "",
			key->of == OF_USER	? taking->claim->user
			: key->of == OF_ACCOUNT ? taking->claim->account
						: "");
	(void) snprintf(to->tres, sizeof(to->tres), "%s", tres);
	taking->count++;
	eqt_limit_number(&to->limit, &taking->scene->limits, name, most);
}

/* ---- Of a live cluster ------------------------------------------------------ */

/* Add the limits of a value such as "cpu=60(48),mem=N(0)" or "50(3)". */
static void live_take(struct limit_taking *taking, const char *owner,
		      const struct limit_key *key, const char *value)
{
	struct eqt_limit one;

	while (eqt_limits_next(&one, &value))
		set_add(taking, owner, key, one.tres, one.limit);
}

/* Add the limits of a QOS: for all jobs, per user, and per account. */
static void live_take_qos(struct limit_taking *taking, const char *name)
{
	const struct eqt_limits *limits = &taking->scene->live->limits;
	const struct eqt_scontrol_record *qos = eqt_limits_qos(limits, name);
	struct eqt_scontrol_record of[3] = { 0 };
	char owner[256];

	if (!qos)
		return;
	(void) snprintf(owner, sizeof(owner), "qos %s", name);
	of[OF_ALL] = *qos;
	of[OF_USER] = eqt_limits_of_user(limits, qos, taking->claim->user);
	of[OF_ACCOUNT] = eqt_limits_of_account(qos, taking->claim->account);
	for (size_t i = 0; i < sizeof(qos_limits) / sizeof(*qos_limits); i++) {
		const struct limit_key *key = &qos_limits[i];

		live_take(taking, owner, key,
			  eqt_record_get(&of[key->of], key->key));
	}
}

/* Add the limits of an association and of the accounts above it. */
static void live_take_assocs(struct limit_taking *taking)
{
	const struct eqt_scene *scene = taking->scene;
	const struct eqt_scene_claim *claim = taking->claim;
	const struct eqt_live_job job = {
		.user = claim->user,
		.account = claim->account,
		.partition = scene->partitions[claim->partition].name,
	};
	const struct eqt_scontrol_record *one =
		eqt_limits_assoc(&scene->live->limits, &job);

	for (unsigned int depth = 0; one && depth < 64; depth++) {
		char owner[64];

		(void) snprintf(owner, sizeof(owner), "assoc line %zu",
				one->number);
		for (size_t i = 0; i < ASSOC_LIMITS(depth == 0); i++)
			live_take(taking, owner, &assoc_limits[i],
				  eqt_record_get(one, assoc_limits[i].key));
		one = eqt_limits_above(&scene->live->limits, one);
	}
}

/* ---- Of sacctmgr ------------------------------------------------------------ */

/* A limit of a QOS or an association. */
struct eqt_scene_limit {
	const struct eqt_scene_limit *next; /* next limit of the same owner */
	const struct limit_key *key;
	uint64_t most; /* the limit; memory is in MiB */
	char tres[64]; /* "": the limit counts jobs */
};

/* Put a limit in front of the other limits of its owner. */
static void row_add(struct eqt_scene *scene,
		    const struct eqt_scene_limit **first,
		    const struct eqt_scene_limit *limit)
{
	struct eqt_scene_limit *one = eqt_arena_new(&scene->kept, sizeof(*one));

	*one = *limit;
	one->next = *first;
	*first = one;
}

/* Read a cell with TRES, such as "cpu=100,mem=2T", or with a number of jobs. */
static int row_take_cell(struct eqt_scene *scene,
			 const struct eqt_scene_limit **first,
			 const struct limit_key *key,
			 const struct eqt_columns *table, size_t row,
			 struct eqt_error *err)
{
	const size_t column = eqt_columns_find(table, key->key, NULL);
	const char *cell = eqt_columns_cell(table, row, column), *at = cell;
	struct eqt_scene_limit limit = { .key = key };
	struct eqt_treslist_item item;

	if (cell[0] == '\0')
		return 0;
	if (!strchr(cell, '=')) {
		if (eqt_columns_number(&limit.most, table, row, column,
				       UINT32_MAX, err) < 0)
			return -1;
		row_add(scene, first, &limit);
		return 0;
	}
	while (eqt_tres_list_next(&item, &at) > 0) {
		(void) snprintf(limit.tres, sizeof(limit.tres), "%.63s",
				item.name);
		limit.most = eqt_tres_list_amount(cell, limit.tres);
		row_add(scene, first, &limit);
	}
	return 0;
}

/* Read the limits of a row. A column that sacctmgr did not print has no limits. */
static int row_take(struct eqt_scene *scene,
		    const struct eqt_scene_limit **first,
		    const struct limit_key *keys, size_t count,
		    const struct eqt_columns *table, size_t row,
		    struct eqt_error *err)
{
	for (size_t i = 0; i < count; i++)
		if (row_take_cell(scene, first, &keys[i], table, row, err) < 0)
			return -1;
	return 0;
}

int eqt_scene_limits_take_qos(struct eqt_scene *scene, size_t qos,
			      const struct eqt_columns *table, size_t row,
			      struct eqt_error *err)
{
	return row_take(scene, &scene->qos_limits[qos], qos_limits,
			sizeof(qos_limits) / sizeof(*qos_limits), table, row,
			err);
}

/* sacctmgr prints MaxJobs of an account for each of its users as well. */
int eqt_scene_limits_take_assoc(struct eqt_scene *scene, uint32_t assoc,
				const struct eqt_columns *table, size_t row,
				struct eqt_error *err)
{
	if (!scene->assoc_limits)
		scene->assoc_limits = eqt_arena_new(
			&scene->kept,
			scene->now.tree_count * sizeof(*scene->assoc_limits));
	return row_take(scene, &scene->assoc_limits[assoc], assoc_limits,
			ASSOC_LIMITS(scene->tree[assoc].user), table, row, err);
}

static void limit_rows_take(struct limit_taking *taking, const char *owner,
			    const struct eqt_scene_limit *row)
{
	for (; row; row = row->next)
		set_add(taking, owner, row->key, row->tres, row->most);
}

/* Add the limits of the QOS with this name. */
static void rows_take_qos(struct limit_taking *taking, const char *name)
{
	struct eqt_scene *scene = taking->scene;
	const struct eqt_simulation_qos *qos =
		eqt_scene_share_tree_qos(scene, name);
	char owner[256];

	(void) snprintf(owner, sizeof(owner), "qos %s", name);
	if (qos)
		limit_rows_take(taking, owner,
				scene->qos_limits[qos - scene->qos]);
}

/* Add the limits of an association and of the accounts above it. */
static void rows_take_assocs(struct limit_taking *taking)
{
	const struct eqt_scene *scene = taking->scene;
	uint32_t assoc = taking->claim->assoc;

	for (; scene->assoc_limits && assoc != EQT_TREE_NONE;
	     assoc = scene->tree[assoc].parent) {
		char owner[64];

		(void) snprintf(owner, sizeof(owner), "assoc %" PRIu32, assoc);
		limit_rows_take(taking, owner, scene->assoc_limits[assoc]);
	}
}

/* ---- Of a job --------------------------------------------------------------- */

/* Add the limits of the job's QOS, and of the partition's QOS if that is another one. */
static void set_take_qos(struct limit_taking *taking)
{
	const struct eqt_scene *scene = taking->scene;
	const int partition = scene->partition_qos[taking->claim->partition];
	const char *const qos[] = {
		taking->claim->qos,
		partition ? scene->qos[partition - 1].name : "",
	};

	for (size_t i = 0; i < 2; i++) {
		if (qos[i][0] == '\0' || (i && strcmp(qos[0], qos[1]) == 0))
			continue;
		if (scene->live)
			live_take_qos(taking, qos[i]);
		else
			rows_take_qos(taking, qos[i]);
	}
}

/* What a limit counts of a job that takes the hours of a budget, by whether it has
 * GPUs. */
static const char *const budget_tres[] = { "budget/cores", "budget/gpus" };

/* Add the budgets of the user and of the accounts above. */
static void set_take_budgets(struct limit_taking *taking)
{
	struct eqt_scene *scene = taking->scene;
	uint32_t node = taking->claim->job->user;

	for (; scene->budgets.count && node != EQT_TREE_NONE;
	     node = scene->tree[node].parent)
		for (int gpus = 0; gpus < 2; gpus++) {
			struct set_limit *to = &taking->limits[taking->count];

			if (taking->count == USES_MAX ||
			    !eqt_scene_budgets_level(&to->limit, scene, node,
						     gpus, taking->claim->qos))
				continue;
			(void) snprintf(to->tres, sizeof(to->tres), "%s",
					budget_tres[gpus]);
			taking->count++;
		}
}

/* The limits for the same user, account, partition and QOS are the same, so they are
 * found only once. */
static const struct limit_set *set_find(struct eqt_scene *scene,
					const struct eqt_scene_claim *claim)
{
	struct limit_taking taking = { .scene = scene, .claim = claim };
	struct set_limit *limits;
	struct limit_set *set;
	char name[4 * LIMIT_NAME];
	int new;

	if (snprintf(name, sizeof(name), "%s\n%s\n%u\n%s", claim->user,
		     claim->account, claim->partition,
		     claim->qos) >= (int) sizeof(name))
		return NULL;
	set = eqt_names_get(&scene->limit_sets, name, sizeof(*set), &new);
	if (!new)
		return set;
	if (scene->live)
		live_take_assocs(&taking);
	else
		rows_take_assocs(&taking);
	set_take_qos(&taking);
	set_take_budgets(&taking);
	limits =
		eqt_arena_new(&scene->kept, taking.count * sizeof(*limits) + 1);
	memcpy(limits, taking.limits, taking.count * sizeof(*limits));
	set->limits = limits;
	set->count = taking.count;
	return set;
}

/* The amount of a TRES that a job takes. For a limit of jobs it is 1. */
static uint64_t claim_amount(const struct eqt_scene_claim *claim,
			     const char *tres)
{
	return tres[0] == '\0' ? 1 : eqt_tres_list_amount(claim->tres, tres);
}

/* Add the licences of a list such as "matlab:2,abaqus". For each licence the limit is the
 * total that the cluster has. Returns the number of uses. */
static uint32_t claim_licences(struct eqt_simulation_use *to,
			       struct eqt_scene *scene, const char *list)
{
	struct eqt_live_license one;
	char name[LIMIT_NAME];
	uint32_t count = 0;

	while (count < LICENCES_MAX &&
	       eqt_live_license_next(&one, scene->live, &list)) {
		if (!one.there)
			continue;
		(void) snprintf(name, sizeof(name), "license|%.*s",
				(int) one.length, one.name);
		eqt_limit_number(&to[count].limit, &scene->limits, name,
				 one.total);
		to[count].paid_s = 0;
		to[count++].amount = one.wants;
	}
	return count;
}

/* Add what a job takes from the limits of its set. If a job that ran is larger than a
 * limit, it ran under another limit, so this limit does not count. */
static uint32_t claim_limits(struct eqt_simulation_use *to,
			     struct eqt_scene *scene,
			     const struct eqt_scene_claim *claim,
			     const struct limit_set *set)
{
	bool beyond = false;
	uint32_t count = 0;

	for (uint32_t i = 0; i < set->count; i++) {
		const struct set_limit *one = &set->limits[i];
		const bool gpus = claim->job->all.gpus > 0;

		to[count] = (struct eqt_simulation_use){
			.limit = one->limit,
			.amount = claim_amount(claim, one->tres),
		};
		if (strcmp(one->tres, budget_tres[gpus]) == 0)
			eqt_scene_budgets_use(&to[count], scene, claim);
		if (!scene->live &&
		    to[count].amount > scene->limits.most[one->limit])
			beyond = true;
		else
			count += to[count].amount > 0;
	}
	scene->beyond += beyond;
	return count;
}

void eqt_scene_limits_text(char text[EQT_SCENE_TRES], uint64_t nodes,
			   const struct eqt_simulation_amount *all,
			   const char *model)
{
	(void) snprintf(text, EQT_SCENE_TRES,
			"cpu=%" PRIu64 ",mem=%" PRIu64 "M,node=%" PRIu64,
			all->cpus, all->mem_mib, nodes);
	if (all->gpus)
		eqt_print_append(text, EQT_SCENE_TRES, ",gres/gpu=%" PRIu64,
				 all->gpus);
	if (all->gpus && model[0])
		eqt_print_append(text, EQT_SCENE_TRES, ",gres/%.64s=%" PRIu64,
				 model, all->gpus);
}

/* Names that are longer than Slurm allows have no limits. */
void eqt_scene_limits(struct eqt_simulation_needs *needs,
		      struct eqt_scene *scene,
		      const struct eqt_scene_claim *claim)
{
	struct eqt_simulation_use uses[USES_MAX + LICENCES_MAX + 1], *kept;
	const struct limit_set *set = set_find(scene, claim);
	char name[LIMIT_NAME];
	uint32_t count;

	if (!set)
		return;
	count = claim_limits(uses, scene, claim, set);
	count += claim_licences(uses + count, scene, claim->licenses);
	if (claim->array_most) {
		(void) snprintf(name, sizeof(name), "array|%s", claim->array);
		eqt_limit_number(&uses[count].limit, &scene->limits, name,
				 claim->array_most);
		uses[count].paid_s = 0;
		uses[count++].amount = 1;
	}
	/* The array of limits may have moved. */
	scene->now.limits = scene->limits.most;
	scene->now.limit_count = scene->limits.count;
	if (count == 0)
		return;
	kept = eqt_arena_new(&scene->kept, count * sizeof(*kept));
	memcpy(kept, uses, count * sizeof(*kept));
	needs->uses = kept;
	needs->use_count = count;
}

/* ---- Words -------------------------------------------------------------------- */

/* The load of a limit before a job: the amounts of running jobs, and of waiting jobs
 * that go first. */
struct limit_load {
	uint64_t amount, jobs;
};

/* Does a job run, or wait before another one? */
static bool job_goes_first(const struct eqt_scene *scene, size_t a, size_t b)
{
	const struct eqt_simulation_needs *x = &scene->needs[a];
	const struct eqt_simulation_needs *y = &scene->needs[b];

	return a != b && (x->on || x->priority > y->priority ||
			  (x->priority == y->priority && a < b));
}

static struct limit_load limit_load_count(const struct eqt_scene *scene,
					  uint32_t index, uint32_t limit)
{
	struct limit_load load = { .jobs = 0 };

	for (size_t i = 0; i < scene->now.count; i++) {
		const struct eqt_simulation_needs *needs = &scene->needs[i];

		for (uint32_t u = 0; u < needs->use_count; u++)
			if (needs->uses[u].limit == limit &&
			    job_goes_first(scene, i, index)) {
				load.jobs++;
				load.amount += needs->uses[u].amount;
			}
	}
	return load;
}

/* Write whose limit it is, such as "account physics". "owner" is "qos normal" or "assoc line
 * 12". */
static void limit_owner_words(char *to, size_t size,
			      const struct eqt_scene *scene, const char *owner)
{
	const struct eqt_limits *limits = &scene->live->limits;
	size_t line = 0;

	(void) snprintf(to, size, "%s", owner);
	if (strncmp(owner, "assoc line ", 11) == 0)
		line = strtoul(owner + 11, NULL, 10);
	for (size_t i = 0; line && i < limits->assoc_count; i++) {
		const struct eqt_scontrol_record *one = &limits->assocs[i];
		const char *user = eqt_record_text(one, "UserName");

		if (one->number == line)
			(void) snprintf(
				to, size, "account %.*s%s%.*s",
				(int) strcspn(eqt_record_text(one, "Account"),
					      "("),
				eqt_record_text(one, "Account"),
				user[0] && user[0] != '(' ? ", user " : "",
				(int) strcspn(user, "("), user);
	}
}

/* Write a limit by its name, such as "GrpTRES=cpu=40 of account physics". */
static void limit_words(char *to, size_t size, const struct eqt_scene *scene,
			uint32_t limit)
{
	const struct eqt_numbered_name *entry = scene->limits.names.list[limit];
	const uint64_t most = scene->limits.most[limit];
	char name[LIMIT_NAME], owner[LIMIT_NAME],
		*part[4] = { name, "", "", "" };

	(void) snprintf(name, sizeof(name), "%s", entry->name);
	for (int i = 1; i < 4 && part[i - 1][0]; i++) {
		char *end = part[i - 1] + strcspn(part[i - 1], "|");

		part[i] = *end ? end + 1 : end;
		*end = '\0';
	}
	limit_owner_words(owner, sizeof(owner), scene, part[0]);
	if (strcmp(part[0], "license") == 0)
		(void) snprintf(to, size, "licence %.64s: %" PRIu64, part[1],
				most);
	else if (strcmp(part[0], "array") == 0)
		(void) snprintf(to, size, "%%%" PRIu64 " of its array", most);
	else
		(void) snprintf(to, size,
				"%.20s=%.64s%s%" PRIu64 " of %.60s%s%.60s",
				part[1], part[2], part[2][0] ? "=" : "", most,
				owner, part[3][0] ? ", " : "", part[3]);
}

void eqt_scene_limits_ahead(char words[EQT_SCENE_WORDS],
			    const struct eqt_scene *scene, uint32_t index)
{
	const struct eqt_simulation_needs *needs = &scene->needs[index];
	struct limit_load worst = { .jobs = 0 };
	char name[EQT_SCENE_WORDS / 2] = "";
	double most = 1;
	size_t ahead = 0;

	words[0] = '\0';
	for (uint32_t u = 0; u < needs->use_count; u++) {
		const uint32_t limit = needs->uses[u].limit;
		const struct limit_load load =
			limit_load_count(scene, index, limit);
		const uint64_t all = scene->limits.most[limit];
		const double ratio =
			(double) (load.amount + needs->uses[u].amount) /
			(all ? (double) all : 0.5);

		if (needs->uses[u].paid_s || ratio <= most)
			continue;
		most = ratio;
		worst = load;
		limit_words(name, sizeof(name), scene, limit);
	}
	for (size_t i = 0; i < scene->now.count; i++)
		ahead += scene->jobs[i].partition ==
				 scene->jobs[index].partition &&
			 !scene->needs[i].on && job_goes_first(scene, i, index);
	if (most > 1 && !worst.jobs)
		(void) snprintf(words, EQT_SCENE_WORDS,
				"it wants more than the limit %s", name);
	else if (most > 1)
		(void) snprintf(words, EQT_SCENE_WORDS,
				"it is at the limit %s: %" PRIu64
				" job%s that run or go first want %" PRIu64
				" of it",
				name, worst.jobs, worst.jobs == 1 ? "" : "s",
				worst.amount);
	else if (ahead)
		(void) snprintf(words, EQT_SCENE_WORDS,
				"%zu waiting job%s of its partition go%s first",
				ahead, ahead == 1 ? "" : "s",
				ahead == 1 ? "es" : "");
}
