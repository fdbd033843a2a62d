/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm has about 130 names of limits, which are composed of the same parts:
 * whose limit, Grp, Max or Min, a TRES, Minutes or RunMinutes, and per what. So
 * names are parsed part by part, and a name of a later release is understood as
 * well.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "why/limit_reason.h"

/* A name taken apart. */
struct limit_name {
	bool qos, group, minimum, minutes, run_minutes;
	bool jobs, submit, wall;
	const char *tres; /* the beginning of its name; NULL: any */
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

/* "Cpu" and so on, at the start. False: none of them. */
static bool limit_name_tres(struct limit_name *name, const char *rest)
{
	size_t i;

	for (i = 0; i < sizeof(limit_tres) / sizeof(limit_tres[0]); i++) {
		if (strncmp(rest, limit_tres[i].word,
			    strlen(limit_tres[i].word)) == 0) {
			name->tres = limit_tres[i].tres;
			return true;
		}
	}
	return false;
}

/* A name that does not say of whom is of one job, unless it is of a group or counts
 * jobs. */
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

/* False: not the name of a limit. A name such as QOSMaxCpuPerUserLimit,
 * AssocGrpMemRunMinutes or MaxJobsPerAccount, which alone does not say whose limit it
 * is. */
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

/* The CPUs of the job; of whole nodes, those of the smallest of its partition. squeue
 * prints what a waiting job asks for, which of whole nodes may be one CPU. */
static uint64_t job_cpus(const struct eqt_live_cluster *cluster,
			 const struct eqt_live_job *job)
{
	uint64_t least = UINT64_MAX;
	size_t i;

	for (i = 0; job->whole_nodes && i < cluster->nodes.count; i++) {
		const struct eqt_scontrol_node *node = &cluster->nodes.nodes[i];
		const uint64_t cpus = node->total.of[EQT_UNIT_PART_CORES];

		if (cpus < least && eqt_scontrol_node_in(node, job->partition))
			least = cpus;
	}
	return least < UINT64_MAX && least * job->nodes > job->tres.cpus
		       ? least * job->nodes
		       : job->tres.cpus;
}

/* What the job takes of a TRES, over its whole time limit for minutes. */
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
		amount = eqt_treslist_amount(job->tres_text, tres);
	if (name->per == EQT_PER_NODE)
		amount = (amount + job->nodes - 1) / job->nodes;
	return name->minutes ? amount * minutes : amount;
}

/* "CPUs", "CPU-minutes", "jobs". */
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
	size_t i;

	if (name->jobs || name->submit || name->wall) {
		(void) snprintf(out->what, sizeof(out->what), "%s",
				name->jobs     ? "running jobs"
				: name->submit ? "jobs in the queue"
					       : "minutes");
		return;
	}
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(tres, words[i][0]) == 0) {
			(void) snprintf(out->what, sizeof(out->what), "%s",
					words[i][1 + name->minutes]);
			return;
		}
	}
	(void) snprintf(out->what, sizeof(out->what), "%.40s%s", tres,
			name->minutes ? "-minutes" : "");
}

/* Grp and PerUser limits count what others hold; one that is used up already keeps
 * every job off, however small. */
static bool limit_is_exceeded(const struct eqt_why_limit *limit)
{
	if (limit->minimum)
		return limit->wants < limit->limit;
	if (limit->per == EQT_PER_JOB || limit->per == EQT_PER_NODE)
		return limit->wants > limit->limit;
	return limit->used + limit->wants > limit->limit ||
	       limit->used >= limit->limit;
}

/* Numbers of jobs and wall times are no TRES, and their records have no name before the
 * value. */
static bool tres_is_wanted(const struct limit_name *name, const char *tres)
{
	if (name->jobs || name->submit || name->wall)
		return tres[0] == '\0';
	return !name->tres ||
	       strncmp(tres, name->tres, strlen(name->tres)) == 0;
}

/* Take a limit with its value: a limit that the job exceeds goes before others.
 * True if it is exceeded. */
static bool limit_take(struct eqt_why_limit *out, const struct limit_name *name,
		       const struct eqt_live_cluster *cluster,
		       const struct eqt_live_job *job,
		       struct eqt_scontrol_value value, const char *owner)
{
	struct eqt_why_limit found = *out;
	struct eqt_limit one;

	while (eqt_limits_next(&one, &value)) {
		if (!tres_is_wanted(name, one.tres))
			continue;
		found.limit = one.limit;
		found.used = one.used;
		found.wants = job_amount(cluster, job, name, one.tres);
		found.known = true;
		limit_what(&found, name, one.tres);
		(void) snprintf(found.owner, sizeof(found.owner), "%s", owner);
		if (!out->known || limit_is_exceeded(&found))
			*out = found;
		if (limit_is_exceeded(&found))
			return true;
	}
	return false;
}

/* The key of the limit in a record of an association or a QOS. As "scontrol show
 * assoc_mgr" names it, which differs from the option of sacctmgr. */
static const char *limit_key(const struct limit_name *name)
{
	if (name->minimum)
		return "MinTRESPJ";
	if (name->group) {
		if (name->jobs)
			return "GrpJobs";
		if (name->submit)
			return "GrpSubmitJobs";
		if (name->wall)
			return "GrpWall";
		return name->run_minutes ? "GrpTRESRunMins"
		       : name->minutes	 ? "GrpTRESMins"
					 : "GrpTRES";
	}
	if (name->jobs)
		return "MaxJobs";
	if (name->submit)
		return "MaxSubmitJobs";
	if (name->wall)
		return "MaxWallPJ";
	return name->per == EQT_PER_NODE ? "MaxTRESPN"
	       : name->minutes		 ? "MaxTRESMinsPJ"
					 : "MaxTRESPJ";
}

/* Limits of a QOS for each user or account are in blocks below it, with what that one
 * uses. */
static bool limit_from_qos(struct eqt_why_limit *out,
			   const struct limit_name *name,
			   const struct eqt_live_cluster *cluster,
			   const struct eqt_live_job *job,
			   struct eqt_scontrol_value qos)
{
	const struct eqt_scontrol_record *record =
		eqt_limits_qos(&cluster->limits, qos.text, qos.length);
	const bool user = name->per == EQT_PER_USER ||
			  (name->per == EQT_PER_ALL && !name->group);
	struct eqt_scontrol_value value;
	char owner[160];

	if (!record)
		return false;
	(void) snprintf(owner, sizeof(owner), "QOS %.*s", (int) qos.length,
			qos.text);
	if (name->per == EQT_PER_ACCOUNT) {
		value = eqt_limits_of_account(record, job->account);
		value = eqt_limits_value(value, name->jobs ? "MaxJobsPA"
						: name->submit
							? "MaxSubmitJobsPA"
							: "MaxTRESPA");
	} else if (user) {
		value = eqt_limits_of_user(&cluster->limits, record, job->user);
		value = eqt_limits_value(value, name->jobs ? "MaxJobsPU"
						: name->submit
							? "MaxSubmitJobsPU"
							: "MaxTRESPU");
	} else
		value = eqt_scontrol_record_get(record, limit_key(name));
	return limit_take(out, name, cluster, job, value, owner);
}

/* The limit of the job's QOS, or of that of its partition. */
static void limit_from_qoses(struct eqt_why_limit *out,
			     const struct limit_name *name,
			     const struct eqt_live_cluster *cluster,
			     const struct eqt_live_job *job)
{
	size_t i;

	if (limit_from_qos(out, name, cluster, job,
			   (struct eqt_scontrol_value){ job->qos,
							strlen(job->qos) }))
		return;
	for (i = 0; i < cluster->partitions.count; i++) {
		const struct eqt_scontrol_record *part =
			&cluster->partitions.records[i];
		struct eqt_scontrol_value qos =
			eqt_scontrol_record_get(part, "QoS");
		struct eqt_scontrol_value named =
			eqt_scontrol_record_get(part, "PartitionName");
		char text[256];

		(void) snprintf(text, sizeof(text), "%.*s", (int) named.length,
				named.text);
		if (qos.text && eqt_live_jobs_listed(job->partition, text) &&
		    limit_from_qos(out, name, cluster, job, qos))
			return;
	}
}

/* How many jobs of an association run: its Max limits do not show it. The number in
 * parentheses behind a Grp limit is what is in use, whether there is a limit or not. */
static uint64_t assoc_jobs(const struct eqt_scontrol_record *assoc,
			   const struct limit_name *name)
{
	struct eqt_scontrol_value value = eqt_scontrol_record_get(
		assoc, name->submit ? "GrpSubmitJobs" : "GrpJobs");
	const char *paren = value.text ? memchr(value.text, '(', value.length)
				       : NULL;

	return paren ? strtoull(paren + 1, NULL, 10) : 0;
}

/* The owner of a limit: "user ada in account physics", or "account physics". */
static void assoc_owner(char owner[160],
			const struct eqt_scontrol_record *assoc)
{
	struct eqt_scontrol_value account =
		eqt_scontrol_record_get(assoc, "Account");
	struct eqt_scontrol_value user =
		eqt_scontrol_record_get(assoc, "UserName");

	if (user.length > 0)
		(void) snprintf(owner, 160,
				"the limit of user %.*s in account "
				"%.*s",
				(int) strcspn(user.text, "( \n"), user.text,
				(int) account.length, account.text);
	else
		(void) snprintf(owner, 160, "account %.*s",
				(int) account.length, account.text);
}

/* From the user's association up: a Max limit is inherited. Grp limits of each account
 * above count as well, so the walk goes on after one that is not exceeded. 64 levels
 * are more than Slurm's tree has, and end a walk through a broken list. */
static void limit_from_assocs(struct eqt_why_limit *out,
			      const struct limit_name *name,
			      const struct eqt_live_cluster *cluster,
			      const struct eqt_live_job *job)
{
	const struct eqt_scontrol_record *assoc =
		eqt_limits_assoc(&cluster->limits, job);
	const struct eqt_scontrol_record *own = assoc;
	char owner[160];
	int depth;

	for (depth = 0; assoc && depth < 64; depth++) {
		assoc_owner(owner, assoc);
		if (limit_take(out, name, cluster, job,
			       eqt_scontrol_record_get(assoc, limit_key(name)),
			       owner))
			break;
		if (out->known && !name->group)
			break;
		assoc = eqt_limits_above(&cluster->limits, assoc);
	}
	if (out->known && own && !name->group && (name->jobs || name->submit))
		out->used = assoc_jobs(own, name);
}

/* A limit that a user may not see (PrivateData) has words without numbers. */
bool eqt_why_limit_find(struct eqt_why_limit *out,
			const struct eqt_live_cluster *cluster,
			const struct eqt_live_job *job)
{
	struct limit_name name;

	*out = (struct eqt_why_limit){ .known = false };
	if (!limit_name_parse(&name, job->reason))
		return false;
	out->minimum = name.minimum;
	out->minutes = name.minutes || name.wall;
	out->running_only = name.run_minutes;
	out->counts_jobs = name.jobs || name.submit;
	out->per = name.per;
	if (out->per == EQT_PER_ALL && !name.group)
		out->per = EQT_PER_USER;
	(void) snprintf(out->user, sizeof(out->user), "%s",
			out->per == EQT_PER_ACCOUNT ? job->account : job->user);
	if (name.qos)
		limit_from_qoses(out, &name, cluster, job);
	else
		limit_from_assocs(out, &name, cluster, job);
	if (!out->known) {
		limit_what(out, &name, name.tres ? name.tres : "resources");
		(void) snprintf(out->owner, sizeof(out->owner), "%s%s",
				name.qos ? "QOS " : "account ",
				name.qos ? job->qos : job->account);
	}
	return true;
}

static const char *const per_words[] = {
	[EQT_PER_ALL] = "",
	[EQT_PER_USER] = " a user",
	[EQT_PER_ACCOUNT] = " an account",
	[EQT_PER_JOB] = " a job",
	[EQT_PER_NODE] = " a node of a job",
};

void eqt_why_limit_words(char *buf, size_t size,
			 const struct eqt_why_limit *limit)
{
	if (!limit->known)
		(void) snprintf(buf, size,
				"%s limits %s%s; you may not see the number",
				limit->owner, limit->what,
				per_words[limit->per]);
	else if (limit->minimum)
		(void) snprintf(buf, size,
				"%s wants at least %" PRIu64 " %s%s; this job "
				"asks for %" PRIu64,
				limit->owner, limit->limit, limit->what,
				per_words[limit->per], limit->wants);
	else if (limit->per == EQT_PER_JOB || limit->per == EQT_PER_NODE)
		(void) snprintf(buf, size,
				"%s allows %" PRIu64 " %s%s; this job asks for "
				"%" PRIu64,
				limit->owner, limit->limit, limit->what,
				per_words[limit->per], limit->wants);
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

void eqt_why_limit_advice(char *buf, size_t size,
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
	else if (limit->minutes && !limit->running_only)
		(void) snprintf(buf, size,
				"ask for a shorter --time, or use another "
				"account: what is used up returns only as "
				"usage decays or is reset");
	else if (!limit->counts_jobs && limit->used < limit->limit &&
		 limit->used + limit->wants > limit->limit)
		(void) snprintf(buf, size,
				"wait until others give back %" PRIu64
				" of the %s, or ask for at most %" PRIu64,
				limit->used + limit->wants - limit->limit,
				limit->what, limit->limit - limit->used);
	else
		(void) snprintf(buf, size, "wait until other jobs%s end",
				limit->per == EQT_PER_USER ? " of yours" : "");
}
