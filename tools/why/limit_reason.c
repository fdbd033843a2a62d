/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm has about 130 reasons for limits. Their names are composed of the same parts: the
 * owner of the limit; Grp, Max or Min; a TRES; Minutes or RunMinutes; and what the limit
 * is per. Names are therefore parsed part by part, and the names of a later release are
 * understood as well.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "slurm/scontrol/partitions.h"
#include "why/limit_reason.h"

/* The parts of such a name. */
struct limit_name {
	bool qos, group, minimum, minutes, run_minutes;
	bool jobs, submit, wall;
	const char *tres; /* the beginning of the TRES' name; NULL: any TRES */
	enum eqt_why_per per;
};

static const struct {
	const char *word, *tres;
} limit_tres[] = {
	{ "Cpu", "cpu" },	  { "CPU", "cpu" },	  { "Mem", "mem" },
	{ "Node", "node" },	  { "GRES", "gres/" },	  { "Lic", "license/" },
	{ "Billing", "billing" }, { "Energy", "energy" }, { "BB", "bb/" },
	{ "Unknown", NULL },
};

/* Find the TRES, such as "Cpu", at the start of the rest. Returns false if there is
 * none. */
static bool limit_name_tres(struct limit_name *name, const char *rest)
{
	for (size_t i = 0; i < sizeof(limit_tres) / sizeof(limit_tres[0]);
	     i++) {
		if (strncmp(rest, limit_tres[i].word,
			    strlen(limit_tres[i].word)) == 0) {
			name->tres = limit_tres[i].tres;
			return true;
		}
	}
	return false;
}

/* A limit whose name has no "Per" is per job, unless it is a Grp limit or counts jobs. */
static void limit_name_per(struct limit_name *name, const char *rest)
{
	if (strstr(rest, "PerUser"))
		name->per = EQT_PER_USER;
	else if (strstr(rest, "PerAccount"))
		name->per = EQT_PER_ACCOUNT;
	else if (strstr(rest, "PerNode"))
		name->per = EQT_PER_NODE;
	else if (!name->group && !name->jobs && !name->submit)
		name->per = EQT_PER_JOB;
	else
		name->per = EQT_PER_ALL;
}

/* Parse a name such as QOSMaxCpuPerUserLimit, AssocGrpMemRunMinutes or MaxJobsPerAccount
 * (a limit of a QOS). Returns false if this is not the name of a limit. */
static bool limit_name_parse(struct limit_name *name, const char *reason)
{
	const char *rest = reason;

	*name = (struct limit_name){ .qos = true };
	if (strncmp(rest, "QOS", 3) == 0) {
		rest += 3;
	} else if (strncmp(rest, "Assoc", 5) == 0) {
		name->qos = false;
		rest += 5;
	} else if (strncmp(rest, "Max", 3) != 0 || !strstr(rest, "PerAccount"))
		return false;
	name->group = strncmp(rest, "Grp", 3) == 0;
	name->minimum = strncmp(rest, "Min", 3) == 0;
	if (!name->group && !name->minimum && strncmp(rest, "Max", 3) != 0)
		return false;
	rest += 3;
	name->submit = strncmp(rest, "SubmitJob", 9) == 0;
	name->jobs = strncmp(rest, "Jobs", 4) == 0;
	name->wall = strncmp(rest, "Wall", 4) == 0;
	if (!name->submit && !name->jobs && !name->wall &&
	    !limit_name_tres(name, rest))
		return false;
	name->run_minutes = strstr(rest, "RunMin") != NULL;
	name->minutes = strstr(rest, "Minutes") != NULL;
	limit_name_per(name, rest);
	return true;
}

/* The CPUs of the job. squeue prints the requested CPUs. A job of whole nodes gets at
 * least the CPUs of the smallest node of its partition. */
static uint64_t job_cpus(const struct eqt_live_cluster *cluster,
			 const struct eqt_live_job *job)
{
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; job->whole_nodes && i < cluster->nodes.count; i++) {
		const struct eqt_scontrol_node *node = &cluster->nodes.nodes[i];
		const uint64_t cpus = node->total.of[EQT_UNIT_PART_CORES];

		if (cpus < least && eqt_scontrol_node_in(node, job->partition))
			least = cpus;
	}
	return least < UINT64_MAX && least * job->nodes > job->tres.cpus
		       ? least * job->nodes
		       : job->tres.cpus;
}

/* The amount of a TRES that the job requests. For limits of minutes, multiplied by its
 * time limit. */
static uint64_t job_amount(const struct eqt_live_cluster *cluster,
			   const struct eqt_live_job *job,
			   const struct limit_name *name, const char *tres)
{
	uint64_t amount = 0, minutes = (job->limit_s + 59) / 60;

	if (name->jobs || name->submit)
		return 1;
	if (name->wall)
		return minutes;
	if (strcmp(tres, "cpu") == 0)
		amount = job_cpus(cluster, job);
	else if (strcmp(tres, "mem") == 0)
		amount = job->tres.mem_mib;
	else if (strcmp(tres, "node") == 0)
		amount = job->nodes;
	else
		amount = eqt_tres_list_amount(job->tres_text, tres);
	if (name->per == EQT_PER_NODE)
		amount = (amount + job->nodes - 1) / job->nodes;
	return name->minutes ? amount * minutes : amount;
}

/* Fill in the limited amount, such as "CPUs", "CPU-minutes" or "jobs". */
static void limit_what(struct eqt_why_limit *out, const struct limit_name *name,
		       const char *tres)
{
	static const char *const words[][3] = {
		{ "cpu", "CPUs", "CPU-minutes" },
		{ "mem", "MiB of memory", "MiB-minutes of memory" },
		{ "node", "nodes", "node-minutes" },
		{ "billing", "billing units", "billing-minutes" },
		{ "gres/gpu", "GPUs", "GPU-minutes" },
	};

	if (name->jobs || name->submit || name->wall) {
		(void) snprintf(out->what, sizeof(out->what), "%s",
				name->jobs     ? "running jobs"
				: name->submit ? "jobs in the queue"
					       : "minutes");
		return;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(tres, words[i][0]) == 0) {
			(void) snprintf(out->what, sizeof(out->what), "%s",
					words[i][1 + name->minutes]);
			return;
		}
	}
	(void) snprintf(out->what, sizeof(out->what), "%.40s%s", tres,
			name->minutes ? "-minutes" : "");
}

/* Limits of a group, user or account count the jobs of others as well. Once such a limit
 * is used up, it keeps every job from starting. With "safe", minutes that running jobs
 * reserve count as well. */
bool eqt_limit_reason_exceeded(const struct eqt_why_limit *limit, bool safe)
{
	if (!limit->known)
		return false;
	if (limit->minimum)
		return limit->wants < limit->limit;
	if (limit->per == EQT_PER_JOB || limit->per == EQT_PER_NODE)
		return limit->wants > limit->limit;
	if (limit->used >= limit->limit)
		return true;
	if (limit->minutes && !limit->running_only && !safe)
		return false;
	return limit->used + limit->reserved + limit->wants > limit->limit;
}

/* ---- The limits of a job -------------------------------------------------- */

/* The keys of limits in a record of an association or a QOS, as "scontrol show assoc_mgr"
 * prints them. sacctmgr's options have other names. */
static const struct limit_kind {
	const char *key;
	struct limit_name name;
} limit_kinds[] = {
	{ "GrpTRES", { .group = true } },
	{ "GrpTRESMins", { .group = true, .minutes = true } },
	{ "GrpTRESRunMins",
	  { .group = true, .minutes = true, .run_minutes = true } },
	{ "GrpJobs", { .group = true, .jobs = true } },
	{ "GrpSubmitJobs", { .group = true, .submit = true } },
	{ "GrpWall", { .group = true, .wall = true } },
	{ "MaxTRESPJ", { .per = EQT_PER_JOB } },
	{ "MaxTRESPN", { .per = EQT_PER_NODE } },
	{ "MaxTRESMinsPJ", { .minutes = true, .per = EQT_PER_JOB } },
	{ "MaxWallPJ", { .wall = true, .per = EQT_PER_JOB } },
	{ "MinTRESPJ", { .minimum = true, .per = EQT_PER_JOB } },
	{ "MaxJobs", { .jobs = true, .per = EQT_PER_USER } },
	{ "MaxSubmitJobs", { .submit = true, .per = EQT_PER_USER } },
	{ "MaxTRESPU", { .per = EQT_PER_USER } },
	{ "MaxJobsPU", { .jobs = true, .per = EQT_PER_USER } },
	{ "MaxSubmitJobsPU", { .submit = true, .per = EQT_PER_USER } },
	{ "MaxTRESPA", { .per = EQT_PER_ACCOUNT } },
	{ "MaxJobsPA", { .jobs = true, .per = EQT_PER_ACCOUNT } },
	{ "MaxSubmitJobsPA", { .submit = true, .per = EQT_PER_ACCOUNT } },
};
#define LIMIT_KINDS (sizeof(limit_kinds) / sizeof(limit_kinds[0]))

/* The arguments of a walk over the limits of a job. */
struct limit_walk {
	const struct eqt_live_cluster *cluster;
	const struct eqt_live_job *job;
	eqt_why_limit_visit *visit;
	void *with;
};

/* The amount in use, in parentheses behind a TRES with or without a limit. If tres is "",
 * the value has a single amount. */
static uint64_t value_in_use(const char *value, const char *tres)
{
	const size_t length = strlen(tres);
	size_t item;

	for (; *value != '\0'; value += item + (value[item] == ',')) {
		item = strcspn(value, ",");
		if (length == 0 || (strncmp(value, tres, length) == 0 &&
				    value[length] == '=')) {
			value += strcspn(value, "(,");
			return *value == '(' ? strtoull(value + 1, NULL, 10)
					     : 0;
		}
	}
	return 0;
}

/* Visit the limits in one value. "own" is the user's association; its jobs are counted
 * here, because Max limits do not show the amount in use. For a QOS "own" is NULL. */
static void limit_visit_value(const struct limit_walk *walk,
			      const struct limit_kind *kind, const char *value,
			      const struct eqt_scontrol_record *record,
			      const struct eqt_scontrol_record *own,
			      struct eqt_why_limit *found)
{
	const struct limit_name *name = &kind->name;
	struct eqt_limit one;

	found->key = kind->key;
	found->minimum = name->minimum;
	found->minutes = name->minutes || name->wall;
	found->running_only = name->run_minutes;
	found->counts_jobs = name->jobs || name->submit;
	found->per = name->per;
	found->known = true;
	(void) snprintf(found->user, sizeof(found->user), "%s",
			name->per == EQT_PER_ACCOUNT ? walk->job->account
						     : walk->job->user);
	while (eqt_limits_next(&one, &value)) {
		if ((one.tres[0] == '\0') !=
		    (name->jobs || name->submit || name->wall))
			continue;
		(void) snprintf(found->tres, sizeof(found->tres), "%s",
				one.tres);
		found->limit = one.limit;
		found->used = one.used;
		found->reserved = 0;
		if (name->group && name->minutes && !name->run_minutes)
			found->reserved = value_in_use(
				eqt_record_text(record, "GrpTRESRunMins"),
				one.tres);
		if (own && (name->jobs || name->submit) && !name->group)
			found->used = value_in_use(
				eqt_record_text(own, name->submit
							     ? "GrpSubmitJobs"
							     : "GrpJobs"),
				"");
		found->wants =
			job_amount(walk->cluster, walk->job, name, one.tres);
		limit_what(found, name, one.tres);
		walk->visit(found, name, walk->with);
	}
}

/* A QOS has its limits per user or account in blocks of their own, with the amount that
 * the user or account has in use. */
static void limits_visit_qos(const struct limit_walk *walk, const char *qos,
			     struct eqt_why_limit *found)
{
	const struct eqt_limits *limits = &walk->cluster->limits;
	const struct eqt_scontrol_record *record = eqt_limits_qos(limits, qos);
	struct eqt_scontrol_record of_user, of_account;

	if (!record)
		return;
	(void) snprintf(found->owner, sizeof(found->owner), "QOS %s", qos);
	found->qos = true;
	of_user = eqt_limits_of_user(limits, record, walk->job->user);
	of_account = eqt_limits_of_account(record, walk->job->account);
	for (size_t i = 0; i < LIMIT_KINDS; i++) {
		const struct limit_kind *kind = &limit_kinds[i];
		const struct eqt_scontrol_record *of =
			kind->name.per == EQT_PER_ACCOUNT ? &of_account
			: kind->name.per == EQT_PER_USER  ? &of_user
							  : record;

		limit_visit_value(walk, kind, eqt_record_get(of, kind->key),
				  record, NULL, found);
	}
	found->source++;
}

/* Slurm checks the QOS of the partition before the QOS of the job. */
static void limits_visit_qoses(const struct limit_walk *walk,
			       struct eqt_why_limit *found)
{
	const char *list = walk->job->partition;
	char name[256];

	while (eqt_text_next_name(name, sizeof(name), &list)) {
		const struct eqt_scontrol_record *part =
			eqt_scontrol_partition_find(&walk->cluster->partitions,
						    name);
		const char *qos = eqt_record_text(part, "QoS");

		if (*qos && strcmp(qos, walk->job->qos) != 0)
			limits_visit_qos(walk, qos, found);
	}
	limits_visit_qos(walk, walk->job->qos, found);
}

/* The owner of a limit, such as "user ada in account physics" or "account physics". */
static void assoc_owner(char owner[160],
			const struct eqt_scontrol_record *assoc)
{
	const char *account = eqt_record_text(assoc, "Account");
	const char *user = eqt_record_text(assoc, "UserName");

	if (*user)
		(void) snprintf(owner, 160,
				"the limit of user %.*s in account %s",
				(int) strcspn(user, "("), user, account);
	else
		(void) snprintf(owner, 160, "account %s", account);
}

/* Visit the user's association and the associations above it. Each has Grp limits of its
 * own. A Max limit is inherited from the nearest association that has one. Slurm's tree
 * has fewer than 64 levels, so a longer walk means a broken list and ends. */
static void limits_visit_assocs(const struct limit_walk *walk,
				struct eqt_why_limit *found)
{
	const struct eqt_limits *limits = &walk->cluster->limits;
	const struct eqt_scontrol_record *const own =
		eqt_limits_assoc(limits, walk->job);
	const struct eqt_scontrol_record *assoc = own;
	bool inherited[LIMIT_KINDS] = { false };
	char owner[160];

	found->qos = false;
	for (int depth = 0; assoc && depth < 64; depth++) {
		assoc_owner(owner, assoc);
		(void) snprintf(found->owner, sizeof(found->owner), "%s",
				owner);
		for (size_t i = 0; i < LIMIT_KINDS; i++) {
			const struct limit_kind *kind = &limit_kinds[i];
			const char *value = eqt_record_text(assoc, kind->key);

			if (inherited[i] || *value == '\0')
				continue;
			inherited[i] = !kind->name.group;
			limit_visit_value(walk, kind, value, assoc, own, found);
		}
		assoc = eqt_limits_above(limits, assoc);
	}
}

/* Visit limits in the order in which Slurm checks them. */
void eqt_limit_reason_each(const struct eqt_live_cluster *cluster,
			   const struct eqt_live_job *job,
			   eqt_why_limit_visit *visit, void *with)
{
	const struct limit_walk walk = { cluster, job, visit, with };
	struct eqt_why_limit found = { .known = true };

	limits_visit_qoses(&walk, &found);
	limits_visit_assocs(&walk, &found);
}

/* ---- The limit of a reason ------------------------------------------------ */

/* The name that is searched for, and the best limit found so far. */
struct limit_search {
	struct limit_name name;
	struct eqt_why_limit *out;
};

/* Does the name of a reason match a limit? */
static bool limit_is_named(const struct limit_name *wanted,
			   const struct eqt_why_limit *limit,
			   const struct limit_name *name)
{
	const enum eqt_why_per per =
		wanted->per == EQT_PER_ALL && !wanted->group ? EQT_PER_USER
							     : wanted->per;

	return wanted->qos == limit->qos && wanted->group == name->group &&
	       wanted->minimum == name->minimum && wanted->jobs == name->jobs &&
	       wanted->submit == name->submit && wanted->wall == name->wall &&
	       (wanted->wall || wanted->minutes == name->minutes) &&
	       wanted->run_minutes == name->run_minutes && per == limit->per &&
	       (!wanted->tres ||
		strncmp(limit->tres, wanted->tres, strlen(wanted->tres)) == 0);
}

/* Keep the first matching limit that is exceeded. If none is exceeded, keep the first
 * match. */
static void limit_search_one(const struct eqt_why_limit *limit,
			     const struct limit_name *name, void *with)
{
	const struct limit_search *search = with;
	struct eqt_why_limit *out = search->out;

	if (limit_is_named(&search->name, limit, name) &&
	    (!out->known || (!eqt_limit_reason_exceeded(out, true) &&
			     eqt_limit_reason_exceeded(limit, true))))
		*out = *limit;
}

/* If PrivateData hides a limit from the user, its text has no numbers. */
bool eqt_limit_reason_find(struct eqt_why_limit *out,
			   const struct eqt_live_cluster *cluster,
			   const struct eqt_live_job *job)
{
	struct limit_search search = { .out = out };
	const struct limit_name *name = &search.name;

	*out = (struct eqt_why_limit){ .known = false };
	if (!limit_name_parse(&search.name, job->reason))
		return false;
	eqt_limit_reason_each(cluster, job, limit_search_one, &search);
	if (out->known)
		return true;
	out->per = name->per;
	if (out->per == EQT_PER_ALL && !name->group)
		out->per = EQT_PER_USER;
	limit_what(out, name, name->tres ? name->tres : "resources");
	(void) snprintf(out->owner, sizeof(out->owner), "%s%s",
			name->qos ? "QOS " : "account ",
			name->qos ? job->qos : job->account);
	return true;
}

/* ---- Words ---------------------------------------------------------------- */

/* The words that follow the limited amount. */
static const char *const per_words[] = {
	[EQT_PER_ALL] = "",
	[EQT_PER_USER] = " a user",
	[EQT_PER_ACCOUNT] = " an account",
	[EQT_PER_JOB] = " a job",
	[EQT_PER_NODE] = " a node of a job",
};

/* Write the owner of the limit, its number, the amount in use, and the amount of the
 * job. */
void eqt_limit_reason_words(char *buf, size_t size,
			    const struct eqt_why_limit *limit)
{
	if (!limit->known)
		(void) snprintf(buf, size,
				"%s limits %s%s; you may not see the number",
				limit->owner, limit->what,
				per_words[limit->per]);
	else if (limit->minimum || limit->per == EQT_PER_JOB ||
		 limit->per == EQT_PER_NODE)
		(void) snprintf(buf, size,
				"%s %s %" PRIu64
				" %s%s; this job asks for %" PRIu64,
				limit->owner,
				limit->minimum ? "wants at least" : "allows",
				limit->limit, limit->what,
				per_words[limit->per], limit->wants);
	else if (limit->per == EQT_PER_ALL && limit->reserved > 0)
		(void) snprintf(buf, size,
				"%s allows %" PRIu64 " %s in all; %" PRIu64
				" are used up, %" PRIu64
				" are reserved by running jobs, this job wants "
				"%" PRIu64,
				limit->owner, limit->limit, limit->what,
				limit->used, limit->reserved, limit->wants);
	else if (limit->per == EQT_PER_ALL)
		(void) snprintf(
			buf, size,
			"%s allows %" PRIu64 " %s in all%s; %" PRIu64
			" %s, this job wants %" PRIu64,
			limit->owner, limit->limit, limit->what,
			limit->running_only ? ", to the ends of running jobs"
					    : "",
			limit->used,
			limit->minutes && !limit->running_only ? "are used up"
							       : "are taken",
			limit->wants);
	else
		(void) snprintf(buf, size,
				"%s allows %" PRIu64 " %s%s; %s has %" PRIu64
				", this job wants %" PRIu64,
				limit->owner, limit->limit, limit->what,
				per_words[limit->per], limit->user, limit->used,
				limit->wants);
}

/* The advice depends on what uses up the limit: the request itself, minutes used in the
 * past, or running jobs. */
void eqt_limit_reason_advice(char *buf, size_t size,
			     const struct eqt_why_limit *limit)
{
	const bool alone = limit->per == EQT_PER_JOB ||
			   limit->per == EQT_PER_NODE;

	if (!limit->known)
		(void) snprintf(buf, size,
				"wait until other jobs end, or ask for less");
	else if (limit->minimum)
		(void) snprintf(buf, size,
				"ask for %" PRIu64 " %s, or use another QOS",
				limit->limit, limit->what);
	else if (alone || limit->wants > limit->limit)
		(void) snprintf(buf, size,
				"cancel it, and ask for at most %" PRIu64
				" %s: it cannot start as it is",
				limit->limit, limit->what);
	else if (limit->minutes && !limit->running_only &&
		 limit->reserved > 0 &&
		 limit->used + limit->wants <= limit->limit)
		(void) snprintf(buf, size,
				"wait until running jobs end, which return "
				"what they reserved and did not use, or ask "
				"for a shorter --time");
	else if (limit->minutes && !limit->running_only)
		(void) snprintf(buf, size,
				"ask for a shorter --time, or use another "
				"account: what is used up returns only as "
				"usage decays or is reset");
	else if (!limit->counts_jobs && limit->used < limit->limit &&
		 limit->used + limit->wants > limit->limit)
		(void) snprintf(buf, size,
				"wait until %s give back %" PRIu64
				" of the %s, or ask for at most %" PRIu64,
				limit->per == EQT_PER_USER ? "jobs of yours"
							   : "other jobs",
				limit->used + limit->wants - limit->limit,
				limit->what, limit->limit - limit->used);
	else
		(void) snprintf(buf, size, "wait until other jobs%s end",
				limit->per == EQT_PER_USER ? " of yours" : "");
}
