/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The limits that count running jobs: GrpTRES and GrpJobs of associations and QOS (of
 * the job and of its partition), MaxJobs of associations, MaxTRES and MaxJobs per user
 * and per account of QOS; licences; the tasks of an array that may run at once. Each
 * is one number for the simulation. Users of one association share what is found.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene_impl.h"
#include "slurm/scontrol/partitions.h"
#include "slurm/text/tres_list.h"

#define USES_MAX 96
#define LIMIT_NAME 512

/* A limit that counts for an owner: "" as TRES for jobs. */
struct set_limit {
	uint32_t limit;
	char tres[64];
};

/* The limits of one user, account, partition and QOS; a thing of names.h, which has
 * the four as its name. */
struct limit_set {
	const char *name;
	const char *user, *account, *partition, *qos;
	uint32_t count;
	struct set_limit limits[USES_MAX];
};

/* Take the limits of a value, "cpu=60(48),mem=N(0)" or "50(3)". */
static int set_take(struct eqt_scene *scene, struct limit_set *set,
		    const char *owner, const char *key,
		    struct eqt_scontrol_value value)
{
	char name[LIMIT_NAME];
	struct eqt_limit one;

	while (eqt_limits_next(&one, &value)) {
		struct set_limit *to;

		if (set->count == USES_MAX)
			return 0;
		to = &set->limits[set->count++];
		(void) snprintf(name, sizeof(name), "%s|%s|%s", owner, key,
				one.tres);
		(void) snprintf(to->tres, sizeof(to->tres), "%s", one.tres);
		if (eqt_limit_number(&to->limit, &scene->limits, name,
				     one.limit) < 0)
			return -1;
	}
	return 0;
}

/* Whose limit of a QOS it is, and its key. */
static const struct {
	enum { OF_ALL, OF_USER, OF_ACCOUNT } of;
	const char *key;
} qos_limits[] = {
	{ OF_ALL, "GrpTRES" },	     { OF_ALL, "GrpJobs" },
	{ OF_USER, "MaxTRESPU" },    { OF_USER, "MaxJobsPU" },
	{ OF_ACCOUNT, "MaxTRESPA" }, { OF_ACCOUNT, "MaxJobsPA" },
};

/* The limits of a QOS for all, for the user and for the account. */
static int set_take_qos(struct eqt_scene *scene, struct limit_set *set,
			const char *name, size_t length)
{
	const struct eqt_limits *limits = &scene->live->limits;
	const struct eqt_scontrol_record *qos =
		eqt_limits_qos(limits, name, length);
	struct eqt_scontrol_value of[3] = { { NULL, 0 } };
	char owner[3][320];

	if (!qos)
		return 0;
	(void) snprintf(owner[OF_ALL], 256, "qos %.*s", (int) length, name);
	(void) snprintf(owner[OF_USER], sizeof(owner[0]), "%.255s user %s",
			owner[OF_ALL], set->user);
	(void) snprintf(owner[OF_ACCOUNT], sizeof(owner[0]),
			"%.255s account %s", owner[OF_ALL], set->account);
	of[OF_USER] = eqt_limits_of_user(limits, qos, set->user);
	of[OF_ACCOUNT] = eqt_limits_of_account(qos, set->account);
	for (size_t i = 0; i < sizeof(qos_limits) / sizeof(*qos_limits); i++) {
		const char *key = qos_limits[i].key;
		const unsigned int whose = qos_limits[i].of;

		if (set_take(scene, set, owner[whose], key,
			     whose == OF_ALL
				     ? eqt_scontrol_record_get(qos, key)
				     : eqt_limits_value(of[whose], key)) < 0)
			return -1;
	}
	return 0;
}

/* An association and the accounts above it. */
static int set_take_assocs(struct eqt_scene *scene, struct limit_set *set)
{
	const struct eqt_live_job job = {
		.user = set->user,
		.account = set->account,
		.partition = set->partition,
	};
	const struct eqt_scontrol_record *one =
		eqt_limits_assoc(&scene->live->limits, &job);
	bool own = true;

	for (int depth = 0; one && depth < 64; depth++) {
		char owner[64];

		(void) snprintf(owner, sizeof(owner), "assoc line %zu",
				one->number);
		if (set_take(scene, set, owner, "GrpTRES",
			     eqt_scontrol_record_get(one, "GrpTRES")) < 0 ||
		    set_take(scene, set, owner, "GrpJobs",
			     eqt_scontrol_record_get(one, "GrpJobs")) < 0 ||
		    (own &&
		     set_take(scene, set, owner, "MaxJobs",
			      eqt_scontrol_record_get(one, "MaxJobs")) < 0))
			return -1;
		own = false;
		one = eqt_limits_above(&scene->live->limits, one);
	}
	return 0;
}

/* Point the set at the four parts of its name, which is changed in this copy. 0, or
 * -1: out of memory. */
static int set_cut_name(struct eqt_scene *scene, struct limit_set *set)
{
	const char **parts[] = { &set->user, &set->account, &set->partition,
				 &set->qos };
	char *at = eqt_scene_keep(scene, strlen(set->name) + 1);

	if (!at)
		return -1;
	strcpy(at, set->name);
	for (size_t i = 0; i < 4; i++) {
		*parts[i] = at;
		at += strcspn(at, "\n");
		if (*at != '\0')
			*at++ = '\0';
	}
	return 0;
}

/* The same four names have the same limits, which are looked for once. */
static struct limit_set *set_find(struct eqt_scene *scene,
				  const struct eqt_scene_claim *claim)
{
	const struct eqt_scontrol_record *partition;
	struct eqt_scontrol_value qos = { NULL, 0 };
	struct limit_set *set;
	char name[4 * LIMIT_NAME];
	int new;

	if (snprintf(name, sizeof(name), "%s\n%s\n%s\n%s", claim->user,
		     claim->account, claim->partition,
		     claim->qos) >= (int) sizeof(name))
		return NULL;
	set = eqt_names_get(&scene->limit_sets, name, sizeof(*set), &new);
	if (!set || !new)
		return set;
	if (set_cut_name(scene, set) < 0)
		return NULL;
	partition = eqt_scontrol_partition_find(&scene->live->partitions,
						set->partition);
	if (partition)
		qos = eqt_scontrol_record_get(partition, "QoS");
	if (set_take_assocs(scene, set) < 0 ||
	    set_take_qos(scene, set, set->qos, strlen(set->qos)) < 0 ||
	    (qos.length && set_take_qos(scene, set, qos.text, qos.length) < 0))
		return NULL;
	return set;
}

/* What a job takes of a TRES; 1 of a limit of jobs. */
static uint64_t claim_amount(const struct eqt_scene_claim *claim,
			     const char *tres)
{
	return tres[0] == '\0' ? 1 : eqt_tres_list_amount(claim->tres, tres);
}

/* "matlab:2,abaqus": of each licence what there is. The number of uses, or -1: out of
 * memory. */
static int claim_licences(struct eqt_simulation_use *to, uint32_t most,
			  struct eqt_scene *scene, const char *list)
{
	struct eqt_live_license one;
	char name[LIMIT_NAME];
	int count = 0;

	while (count < (int) most &&
	       eqt_live_license_next(&one, scene->live, &list)) {
		if (!one.there)
			continue;
		(void) snprintf(name, sizeof(name), "license|%.*s",
				(int) one.length, one.name);
		if (eqt_limit_number(&to[count].limit, &scene->limits, name,
				     one.total) < 0)
			return -1;
		to[count++].amount = one.wants;
	}
	return count;
}

int eqt_scene_limits(struct eqt_simulation_needs *needs,
		     struct eqt_scene *scene,
		     const struct eqt_scene_claim *claim)
{
	struct eqt_simulation_use uses[USES_MAX + 16], *kept;
	const struct limit_set *set = set_find(scene, claim);
	char name[LIMIT_NAME];
	uint32_t count = 0;
	int licences;

	if (!set)
		return -1;
	for (uint32_t i = 0; i < set->count; i++) {
		uses[count].limit = set->limits[i].limit;
		uses[count].amount = claim_amount(claim, set->limits[i].tres);
		count += uses[count].amount > 0;
	}
	licences = claim_licences(uses + count, 15, scene, claim->licenses);
	if (licences < 0)
		return -1;
	count += (uint32_t) licences;
	if (claim->array_most) {
		(void) snprintf(name, sizeof(name), "array|%s", claim->array);
		if (eqt_limit_number(&uses[count].limit, &scene->limits, name,
				     claim->array_most) < 0)
			return -1;
		uses[count++].amount = 1;
	}
	/* The numbers may have moved. */
	scene->now.limits = scene->limits.most;
	scene->now.limit_count = scene->limits.count;
	if (count == 0)
		return 0;
	kept = eqt_scene_keep(scene, count * sizeof(*kept));
	if (!kept)
		return -1;
	memcpy(kept, uses, count * sizeof(*kept));
	needs->uses = kept;
	needs->use_count = count;
	return 0;
}
