/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Convert usage between Slurm's own billing and equivalents. */
#include <math.h>
#include <stdatomic.h>

#include "slurm/log.h"
#include "usage/amounts/usage_unit.h"

/* The amount of one equivalent. scale is billing_scale; 0 stands for Slurm's
 * own billing, in which one equivalent is weights_scale in both numbers. With a
 * scale, raw usage is in equivalent-seconds. Only billing, which Slurm keeps as
 * whole numbers, is multiplied by the scale. */
static struct eqt_usage_scale unit_per_equivalent(uint64_t scale,
						  long double weights_scale)
{
	if (scale == 0)
		return (struct eqt_usage_scale){ weights_scale, weights_scale };
	return (struct eqt_usage_scale){ 1, (long double) scale };
}

struct eqt_ledger_unit eqt_usage_unit_wanted(const struct eqt_config *config)
{
	return (struct eqt_ledger_unit){
		.known = true,
		.scale = config->stock.billing ? 0
					       : config->conf->billing_scale,
	};
}

struct eqt_ledger_unit eqt_usage_unit_get(const struct eqt_usage_unit *unit)
{
	return (struct eqt_ledger_unit){
		.known = true,
		.scale = atomic_load(&unit->scale),
		.since = atomic_load(&unit->since),
	};
}

void eqt_usage_unit_set(struct eqt_usage_unit *unit,
			const struct eqt_ledger_unit *is)
{
	atomic_store(&unit->scale, is->scale);
	atomic_store(&unit->since, is->since);
}

/* Convert all usage in memory. assoc_mgr's assoc and QOS locks are held for
 * writing. The scale is stored after since, so that a thread that reads the new
 * scale also reads the new since. */
static void unit_convert_to(struct eqt_usage_unit *unit, uint64_t scale,
			    long double weights_scale)
{
	struct eqt_usage_scale to = unit_per_equivalent(scale, weights_scale);
	struct eqt_usage_scale from =
		unit_per_equivalent(atomic_load(&unit->scale), weights_scale);

	eqt_usage_convert(unit->usage, &from, &to);
	atomic_store(&unit->since, scale == 0 ? EQT_USAGE_UNIT_NOT_YET : 0);
	atomic_store(&unit->scale, scale);
}

void eqt_usage_unit_convert(struct eqt_usage_unit *unit,
			    const struct eqt_config *config)
{
	const uint64_t scale = eqt_usage_unit_wanted(config).scale;
	const uint64_t weights_scale = config->conf->weights_scale;
	const uint64_t before = atomic_load(&unit->scale);

	if (before == scale)
		return;
	/* The journal line comes before the conversion, so that a restart
	   converts at the same place among the charges. */
	eqt_journal_unit(unit->journal, scale, (double) weights_scale);
	unit_convert_to(unit, scale, (long double) weights_scale);
	eqt_log_info("usage converted: billing_scale was %llu and is %llu (0: "
		     "stock_billing), weights_scale is %llu",
		     (unsigned long long) before, (unsigned long long) scale,
		     (unsigned long long) weights_scale);
}

void eqt_usage_unit_replay(struct eqt_usage_unit *unit,
			   const struct eqt_journal_record *line)
{
	/* The scale is the count of the line's only TRES, and the rate is
	   weights_scale. Lines of another form are not conversions. */
	if (line->tres_count == 1 && line->rate >= 1)
		unit_convert_to(unit, line->tres[0].count, line->rate);
}

void eqt_usage_unit_settle(struct eqt_usage_unit *unit)
{
	/* Only the first pass with Slurm's billing finds NOT_YET. Later passes
	   must not change the time. */
	int64_t not_yet = EQT_USAGE_UNIT_NOT_YET;

	(void) atomic_compare_exchange_strong(&unit->since, &not_yet,
					      (int64_t) time(NULL));
}

void eqt_usage_unit_apply(const struct eqt_usage_unit *unit,
			  struct eqt_post *post)
{
	const long double weights_scale =
		(long double) post->config->conf->weights_scale;
	const uint64_t scale = atomic_load(&unit->scale);
	const uint64_t wanted = eqt_usage_unit_wanted(post->config).scale;
	struct eqt_usage_scale to, from;

	if (scale == wanted)
		return;
	/* The configuration has changed, and no pass has converted the usage
	   yet. So convert the charge to the unit that usage still has. */
	to = unit_per_equivalent(scale, weights_scale);
	from = unit_per_equivalent(wanted, weights_scale);
	post->rate = (double) (post->rate * to.raw / from.raw);
	post->billing = (uint64_t) roundl((long double) post->billing *
					  to.billing / from.billing);
	post->priced = false;
}

bool eqt_usage_unit_is_older(const struct eqt_usage_unit *unit,
			     const struct eqt_config *config, time_t moment)
{
	const int64_t since = atomic_load(&unit->since);

	return config->stock.billing && (atomic_load(&unit->scale) != 0 ||
					 (since > 0 && moment <= since));
}
