/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>

#include "usage/post.h"
#include "prio/decay.h"
#include "trace.h"
#include "usage/usage.h"

/* The numbers that associations and QOS both have. */
struct account {
	double *wall;
	long double *raw;
	long double *tres;
	uint64_t *run_secs;
};

static struct account usage_account(slurmdb_assoc_usage_t *usage)
{
	return (struct account){
		.wall = &usage->grp_used_wall,
		.raw = &usage->usage_raw,
		.tres = usage->usage_tres_raw,
		.run_secs = usage->grp_used_tres_run_secs,
	};
}

static struct account qos_account(slurmdb_qos_rec_t *qos)
{
	return (struct account){
		.wall = &qos->usage->grp_used_wall,
		.raw = &qos->usage->usage_raw,
		.tres = qos->usage->usage_tres_raw,
		.run_secs = qos->usage->grp_used_tres_run_secs,
	};
}

/* Never below 0: a limit of another time may have been trimmed meanwhile. */
static void take_off(uint64_t *run_secs, uint64_t amount)
{
	*run_secs = *run_secs > amount ? *run_secs - amount : 0;
}

/* Whole seconds times a count exactly, others as a double has them. */
static uint64_t units_of(double run_s, uint64_t count)
{
	uint64_t whole_s = (uint64_t) run_s;

	return (double) whole_s == run_s ? whole_s * count
					 : (uint64_t) ((double) count * run_s);
}

static void book_tres(const struct account *account,
		      const struct eqt_post *booking, long double seconds)
{
	const struct eqt_config *config = booking->config;

	for (uint32_t i = 0; i < config->tres_count; i++) {
		uint64_t count = booking->counts[i];

		if (!count || count == NO_CONSUME_VAL64 ||
		    i == TRES_ARRAY_ENERGY)
			continue;
		take_off(&account->run_secs[i],
			 units_of(booking->run_s, count));
		if (i == TRES_ARRAY_BILLING)
			count = booking->billing;
		account->tres[i] += seconds * (long double) count;
	}
}

static void book(const struct account *account, const struct eqt_post *booking,
		 bool decays)
{
	const struct eqt_post_amount *amount = decays ? &booking->decayed
						      : &booking->plain;

	*account->wall += amount->wall_s;
	*account->raw += amount->raw;
	if (booking->config->limits && booking->counts)
		book_tres(account, booking, amount->tres_s);
}

/* Take the stretch off one array of run-seconds; NULL: there is none. */
static void take_off_all(uint64_t *run_secs, const struct eqt_post *booking)
{
	for (uint32_t i = 0; run_secs && i < booking->config->tres_count; i++) {
		uint64_t count = booking->counts[i];

		if (count != NO_CONSUME_VAL64 && i != TRES_ARRAY_ENERGY)
			take_off(&run_secs[i], units_of(booking->run_s, count));
	}
}

/* What a QOS counts for the job's account and for its user. */
static void book_qos_shares(slurmdb_qos_rec_t *qos,
			    const struct eqt_post *booking)
{
	struct eqt_run_secs secs;

	if (!booking->config->limits || !booking->counts || !booking->job ||
	    !booking->job->assoc_ptr)
		return;
	secs = eqt_run_secs_of(qos, booking->job);
	take_off_all(secs.account, booking);
	take_off_all(secs.user, booking);
}

static void book_qos(slurmdb_qos_rec_t *qos, const struct eqt_post *booking)
{
	struct account account;

	if (!qos || !qos->usage)
		return;
	account = qos_account(qos);
	book(&account, booking, !(qos->flags & QOS_FLAG_NO_DECAY));
	book_qos_shares(qos, booking);
	eqt_trace_qos(qos, (double) booking->decayed.raw,
		      booking->decayed.wall_s, booking->config->tres_count);
}

static struct eqt_post_amount exact_amount(long double seconds, double rate)
{
	return (struct eqt_post_amount){
		/* Scaled up over very many half-lives: still a double. */
		.wall_s = (double) fminl(seconds, DBL_MAX),
		.raw = seconds * (long double) rate,
		.tres_s = seconds,
	};
}

/* The order of stock's products, which fixes the last bit. */
static struct eqt_post_amount stock_amount(double seconds, double rate,
					   double factor)
{
	return (struct eqt_post_amount){
		.wall_s = seconds * factor,
		.raw = (long double) (seconds * rate * factor),
		.tres_s = (long double) (seconds * factor),
	};
}

/* Decayed seconds of a stretch. Most jobs of a pass run all of its time.
 * assoc_mgr's assoc lock is held for writing. */
static long double decayed_seconds(const struct eqt_text_slice *span,
				   time_t from, time_t to)
{
	static struct {
		struct eqt_text_slice span;
		time_t from, to;
		long double seconds;
	} last;

	if (from != last.from || to != last.to || span->ref != last.span.ref ||
	    span->half_life_s != last.span.half_life_s) {
		last.span = *span;
		last.from = from;
		last.to = to;
		last.seconds = eqt_decay_seconds(span->half_life_s, from, to,
						 span->ref);
	}
	return last.seconds;
}

void eqt_post_amounts(struct eqt_post *booking, time_t from, time_t to,
		      const struct eqt_text_slice *span, double factor)
{
	uint32_t half_life_s = span->half_life_s;
	double seconds = to > from ? difftime(to, from) : 0;

	if (booking->config->stock.decay) {
		booking->decayed = stock_amount(
			eqt_decay_stock_seconds(half_life_s, seconds),
			booking->rate, factor);
		booking->plain = stock_amount(seconds, booking->rate, factor);
		return;
	}
	booking->decayed = exact_amount(
		factor * decayed_seconds(span, from, to), booking->rate);
	booking->plain =
		exact_amount(factor * (long double) seconds, booking->rate);
}

void eqt_post_all(slurmdb_assoc_rec_t *assoc, slurmdb_qos_rec_t *qos,
		  slurmdb_qos_rec_t *partition, const struct eqt_post *booking)
{
	book_qos(qos, booking);
	book_qos(partition, booking);
	for (; assoc; assoc = assoc->usage->parent_assoc_ptr) {
		struct account account = usage_account(assoc->usage);

		book(&account, booking, true);
		eqt_trace_assoc(assoc, (double) booking->decayed.raw,
				booking->decayed.wall_s,
				booking->config->tres_count);
	}
}

void eqt_post_own(slurmdb_assoc_rec_t *assoc, const struct eqt_post *booking)
{
	slurmdb_assoc_usage_t *leaf = assoc ? eqt_usage_own_leaf(assoc) : NULL;
	struct account account;

	if (!leaf)
		return;
	account = usage_account(leaf);
	book(&account, booking, true);
}
