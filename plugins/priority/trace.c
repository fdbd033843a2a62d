/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write the lines of DebugFlags=Priority. Without the flag each function
 * returns at once, so that callers need not test the flag. The lines have level
 * info, so the flag alone decides whether they are logged. */
#include <stdio.h>

#include "slurm/log.h"
#include "trace.h"

#define TRES_TEXT 512 /* in bytes; a longer list is cut */

bool eqt_trace_is_on(const struct eqt_config *config)
{
	return atomic_load_explicit(&config->store->traced,
				    memory_order_relaxed);
}

void eqt_trace_config(const struct eqt_config *config)
{
	const struct eqt_factor_weights *weights = &config->weights;

	if (!eqt_trace_is_on(config))
		return;
	eqt_log_info(
		"weights: age %u (full after %u s), assoc %u, fairshare %u, "
		"size %u, partition %u, QOS %u; flags 0x%x",
		weights->age, config->max_age_s, weights->assoc,
		weights->fairshare, weights->size, weights->partition,
		weights->qos, config->flags);
	eqt_log_info(
		"half-life %u s, a pass every %u s, dampening %u, limits %s",
		config->half_life_s, config->period_s, config->dampening,
		config->limits ? "enforced" : "not enforced");
}

void eqt_trace_decay(const struct eqt_config *config, double seconds,
		     long double factor)
{
	if (eqt_trace_is_on(config))
		eqt_log_info("decay: usage of %g s ago counts %.15Lg", seconds,
			     factor);
}

/* Write the counts of an array that are not 0, such as "cpu=2 mem=8000". */
static const char *trace_tres_text(char text[TRES_TEXT], const uint64_t *counts,
				   uint32_t tres_count)
{
	size_t used = 0;

	text[0] = '\0';
	/* If not all TRES fit into the text, the last ones are left out. */
	for (uint32_t i = 0; counts && i < tres_count; i++) {
		int length;

		if (!counts[i] || counts[i] == NO_CONSUME_VAL64 ||
		    counts[i] == NO_VAL64)
			continue;
		length = snprintf(text + used, TRES_TEXT - used, " %s=%" PRIu64,
				  assoc_mgr_tres_name_array[i], counts[i]);
		if (length < 0 || (size_t) length >= TRES_TEXT - used)
			break;
		used += (size_t) length;
	}
	text[used] = '\0';
	return text[0] ? text : " none";
}

void eqt_trace_charge(const struct eqt_config *config, const job_record_t *job,
		      double equivalents, double seconds)
{
	char text[TRES_TEXT];

	if (eqt_trace_is_on(config))
		eqt_log_info("job %u: %g equivalents for %g s; TRES:%s",
			     job->job_id, equivalents, seconds,
			     trace_tres_text(text, job->tres_alloc_cnt,
					     config->tres_count));
}

void eqt_trace_assoc(const struct eqt_config *config,
		     const slurmdb_assoc_rec_t *assoc, double added,
		     double added_wall)
{
	const slurmdb_assoc_usage_t *usage = assoc->usage;
	char text[TRES_TEXT];

	if (eqt_trace_is_on(config))
		eqt_log_info(
			"association %u (%s/%s/%s): usage %+g, now %Lg; wall "
			"%+g s, now %g; run-seconds left:%s",
			assoc->id, assoc->acct, assoc->user ? assoc->user : "",
			assoc->partition ? assoc->partition : "", added,
			usage->usage_raw, added_wall, usage->grp_used_wall,
			trace_tres_text(text, usage->grp_used_tres_run_secs,
					config->tres_count));
}

void eqt_trace_qos(const struct eqt_config *config,
		   const slurmdb_qos_rec_t *qos, double added,
		   double added_wall)
{
	const slurmdb_qos_usage_t *usage = qos->usage;
	char text[TRES_TEXT];

	if (eqt_trace_is_on(config))
		eqt_log_info("QOS %s: usage %+g, now %Lg; wall %+g s, now %g; "
			     "run-seconds left:%s",
			     qos->name, added, usage->usage_raw, added_wall,
			     usage->grp_used_wall,
			     trace_tres_text(text,
					     usage->grp_used_tres_run_secs,
					     config->tres_count));
}

void eqt_trace_level(const slurmdb_assoc_rec_t *assoc)
{
	const slurmdb_assoc_usage_t *usage = assoc->usage;

	if (assoc->user)
		eqt_log_info("tree: user %s of %s: level %Lg, shares %g, usage "
			     "%Lg, factor %g",
			     assoc->user, assoc->acct, usage->level_fs,
			     usage->shares_norm, usage->usage_efctv,
			     usage->fs_factor);
	else
		eqt_log_info(
			"tree: account %s: level %Lg, shares %g, usage %Lg",
			assoc->acct, usage->level_fs, usage->shares_norm,
			usage->usage_efctv);
}

/* Write a factor and its weight, such as "age 0.5*1000". The factor is computed
 * back from the points. */
static int trace_put_factor(char *text, size_t size, const char *name,
			    double points, uint32_t weight)
{
	if (!weight)
		return 0;
	return snprintf(text, size, "%s %g*%u + ", name, points / weight,
			weight);
}

/* The function is not inlined, so that without the flag a job of a pass costs
 * only the test of the flag. */
static __attribute__((noinline)) void trace_priority_line(
	const struct eqt_config *config, const job_record_t *job,
	const struct eqt_factors *points)
{
	const struct eqt_factor_weights *weights = &config->weights;
	const struct {
		const char *name;
		double points;
		uint32_t weight;
	} factors[] = {
		{ "age", points->age, weights->age },
		{ "assoc", points->assoc, weights->assoc },
		{ "fairshare", points->fairshare, weights->fairshare },
		{ "size", points->size, weights->size },
		{ "partition", points->partition, weights->partition },
		{ "QOS", points->qos, weights->qos },
	};
	char text[TRES_TEXT];
	int used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); i++)
		used += trace_put_factor(text + used,
					 sizeof(text) - (size_t) used,
					 factors[i].name, factors[i].points,
					 factors[i].weight);
	eqt_log_info("job %u: %sTRES %.2f + site %lld - nice %lld = %.2f",
		     job->job_id, text, points->tres, (long long) points->site,
		     (long long) points->nice, eqt_factors_sum(points));
}

void eqt_trace_priority(const struct eqt_config *config,
			const job_record_t *job,
			const struct eqt_factors *points)
{
	if (eqt_trace_is_on(config))
		trace_priority_line(config, job, points);
}
