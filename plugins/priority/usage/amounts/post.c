/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Add one charge to each of its owners. This runs for each job in each pass
 * while assoc_mgr's write lock is held. So it allocates nothing, and computes
 * the decayed seconds of equal intervals once. */
#include <float.h>
#include <math.h>

#include "usage/amounts/post.h"
#include "prio/decay.h"
#include "trace.h"

/* Subtract from a sum, which does not go below 0, because slurmctld may have
 * lowered it meanwhile. */
static void run_secs_take_off(uint64_t *run_secs, uint64_t amount)
{
	*run_secs = *run_secs > amount ? *run_secs - amount : 0;
}

/* Seconds times a count. The product is exact for whole seconds; otherwise it
 * is computed in double, as in Slurm's own plugin. */
static uint64_t run_secs_units(double run_s, uint64_t count)
{
	uint64_t whole_s = (uint64_t) run_s;

	return (double) whole_s == run_s ? whole_s * count
					 : (uint64_t) ((double) count * run_s);
}

/* The sum of a usage and an amount, but not below 0. A refund is one number,
 * while passes added the charge in parts. So a refund also removes a remainder
 * that is only a rounding error. */
static long double post_sum(long double usage, long double amount)
{
	const long double sum = usage + amount;

	return amount < 0 && sum < amount * -1e-9L ? 0 : sum;
}

/* List what the charge adds for each TRES, which is the same for each owner; returns how many
 * there are. Energy is left alone: it is not charged by time, and its run-seconds are a mark
 * of ours (run_secs.h). */
static uint32_t post_list_tres(const struct eqt_post *post)
{
	const struct eqt_config *config = post->config;
	uint32_t listed = 0;

	if (!config->limits || !post->counts)
		return 0;
	for (uint32_t i = 0; i < config->tres_count; i++) {
		const uint64_t count = post->counts[i];

		if (!count || count == NO_CONSUME_VAL64 ||
		    i == TRES_ARRAY_ENERGY)
			continue;
		config->charged[listed++] = (struct eqt_charged_tres){
			.tres = i,
			.run_secs = run_secs_units(post->run_s, count),
			.count = (long double) (i == TRES_ARRAY_BILLING
							? post->billing
							: count),
		};
	}
	return listed;
}

/* Add the charge to one owner, and release its run-seconds. */
static void post_target_add(const struct eqt_post_target *target,
			    const struct eqt_post *post, uint32_t listed,
			    bool decays)
{
	const struct eqt_post_amount *amount = decays ? &post->decayed
						      : &post->plain;

	*target->wall = (double) post_sum(*target->wall, amount->wall_s);
	*target->raw = post_sum(*target->raw, amount->raw);
	for (uint32_t i = 0; i < listed; i++) {
		const struct eqt_charged_tres *each = &post->config->charged[i];

		run_secs_take_off(&target->run_secs[each->tres],
				  each->run_secs);
		target->tres[each->tres] = post_sum(
			target->tres[each->tres], amount->tres_s * each->count);
	}
}

/* Release the run-seconds of a charge in one array, which may be NULL. */
static void run_secs_take_off_all(uint64_t *run_secs,
				  const struct eqt_post *post, uint32_t listed)
{
	const struct eqt_charged_tres *each = post->config->charged;

	for (uint32_t i = 0; run_secs && i < listed; i++)
		run_secs_take_off(&run_secs[each[i].tres], each[i].run_secs);
}

/* Release the run-seconds that a QOS counts for the job's account and for its user. */
static void post_qos_shares(slurmdb_qos_rec_t *qos, const struct eqt_post *post,
			    uint32_t listed)
{
	struct eqt_run_secs secs;

	if (!listed || !post->job || !post->job->assoc_ptr)
		return;
	secs = eqt_run_secs_of(qos, post->job);
	run_secs_take_off_all(secs.account, post, listed);
	run_secs_take_off_all(secs.user, post, listed);
}

static void post_qos(slurmdb_qos_rec_t *qos, const struct eqt_post *post,
		     uint32_t listed)
{
	struct eqt_post_target target;

	if (!qos || !qos->usage)
		return;
	target = eqt_post_target_of_qos(qos->usage);
	post_target_add(&target, post, listed,
			!(qos->flags & QOS_FLAG_NO_DECAY));
	post_qos_shares(qos, post, listed);
	eqt_trace_qos(post->config, qos, (double) post->decayed.raw,
		      post->decayed.wall_s);
}

static struct eqt_post_amount post_exact_amount(long double seconds,
						double rate)
{
	return (struct eqt_post_amount){
		/* The seconds may be scaled up over very many half-lives. */
		.wall_s = (double) fminl(seconds, DBL_MAX),
		.raw = seconds * (long double) rate,
		.tres_s = seconds,
	};
}

/* The order of the products is that of Slurm's own plugin, which decides the
 * last bit. */
static struct eqt_post_amount post_stock_amount(double seconds, double rate,
						double factor)
{
	return (struct eqt_post_amount){
		.wall_s = seconds * factor,
		.raw = (long double) (seconds * rate * factor),
		.tres_s = (long double) (seconds * factor),
	};
}

/* The decayed seconds of an interval, taken from *last if the interval is the
 * same. assoc_mgr's assoc lock is held for writing. */
static long double post_decayed_seconds(struct eqt_post_seconds *last,
					const struct eqt_charge_span *span,
					time_t from, time_t to)
{
	if (from != last->from || to != last->to ||
	    span->ref != last->span.ref ||
	    span->half_life_s != last->span.half_life_s) {
		last->span = *span;
		last->from = from;
		last->to = to;
		last->seconds = eqt_decay_seconds(span->half_life_s, from, to,
						  span->ref);
	}
	return last->seconds;
}

void eqt_post_amounts(struct eqt_post *post, time_t from, time_t to,
		      const struct eqt_charge_span *span, double factor)
{
	uint32_t half_life_s = span->half_life_s;
	double seconds = to > from ? difftime(to, from) : 0;

	if (post->config->stock.decay) {
		post->decayed = post_stock_amount(
			eqt_decay_stock_seconds(half_life_s, seconds),
			post->rate, factor);
		post->plain = post_stock_amount(seconds, post->rate, factor);
		return;
	}
	post->decayed = post_exact_amount(
		factor * post_decayed_seconds(post->last, span, from, to),
		post->rate);
	post->plain =
		post_exact_amount(factor * (long double) seconds, post->rate);
}

void eqt_post_all(slurmdb_assoc_rec_t *assoc, slurmdb_qos_rec_t *qos,
		  slurmdb_qos_rec_t *partition, const struct eqt_post *post)
{
	const bool is_traced = eqt_trace_is_on(post->config);
	const uint32_t listed = post_list_tres(post);

	post_qos(qos, post, listed);
	post_qos(partition, post, listed);
	for (; assoc; assoc = assoc->usage->parent_assoc_ptr) {
		struct eqt_post_target target =
			eqt_post_target_of(assoc->usage);

		post_target_add(&target, post, listed, true);
		if (is_traced)
			eqt_trace_assoc(post->config, assoc,
					(double) post->decayed.raw,
					post->decayed.wall_s);
	}
}

slurmdb_assoc_usage_t *eqt_post_own_leaf(slurmdb_assoc_rec_t *assoc)
{
	if (!assoc->leaf_usage)
		assoc->leaf_usage =
			slurmdb_create_assoc_usage(slurmctld_tres_cnt);
	return assoc->leaf_usage == assoc->usage ? NULL : assoc->leaf_usage;
}

void eqt_post_own(slurmdb_assoc_rec_t *assoc, const struct eqt_post *post)
{
	slurmdb_assoc_usage_t *leaf = assoc ? eqt_post_own_leaf(assoc) : NULL;
	struct eqt_post_target target;

	if (!leaf)
		return;
	target = eqt_post_target_of(leaf);
	post_target_add(&target, post, post_list_tres(post), true);
}
