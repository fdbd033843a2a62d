/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output of "scontrol show config" is aligned with blanks around '=' and
 * holds free text in some values; a key only counts at the beginning of a
 * line.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/amount.h"
#include "base/text.h"
#include "slurm/conf/config.h"
#include "slurm/text/listing.h"
#include "sim/policy.h"

/* ---- Scheduler ----------------------------------------------------------------------
 * SchedulerType and SchedulerParameters as a simulation needs them. Words that are not
 * simulated are passed over. */

/* 1: taken; 0: another word; -1: not a number, or too small a one. */
static int scheduler_take_number(uint32_t *out, const char *at,
				 const char *name, unsigned int least)
{
	const size_t length = strlen(name);
	unsigned int value;

	if (strncasecmp(at, name, length) != 0 || at[length] != '=')
		return 0;
	if (sscanf(at + length + 1, "%9u", &value) != 1 || value < least)
		return -1;
	*out = value;
	return 1;
}

/* sched/builtin has no backfill. */
const char *eqt_cluster_scheduler(struct eqt_simulation_policy *policy,
				  const char *type, const char *list)
{
	uint32_t window_min = 1440;
	const struct {
		const char *name;
		uint32_t *out;
		unsigned int least;
	} words[] = {
		{ "bf_interval", &policy->backfill_s, 1 },
		{ "bf_max_job_test", &policy->backfill_depth, 1 },
		{ "bf_job_part_count_reserve", &policy->backfill_reserve, 0 },
		{ "bf_window", &window_min, 1 },
	};
	const char *at, *wrong = NULL;

	policy->backfill_s = 30;
	policy->backfill_depth = 500;
	policy->backfill_reserve = 0;
	for (at = list; at && *at != '\0';
	     at += strcspn(at, ","), at += *at == ',')
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (scheduler_take_number(words[i].out, at,
						  words[i].name,
						  words[i].least) < 0 &&
			    !wrong)
				wrong = at;
	policy->backfill_window_s =
		window_min < UINT32_MAX / 60 ? window_min * 60 : UINT32_MAX;
	if (type && strcasecmp(type, "sched/builtin") == 0)
		policy->backfill_s = 0;
	return wrong;
}

/* Which factors Slurm does not normalise (NO_NORMAL_*): such a factor is the number
 * itself, not its part of the largest. */
void eqt_cluster_priority_words(struct eqt_simulation_policy *policy,
				const char *flags, const char *small)
{
	const bool all = eqt_text_list_has(flags, "NO_NORMAL_ALL");

	policy->relative_to_time =
		eqt_text_list_has(flags, "SMALL_RELATIVE_TO_TIME");
	policy->raw_partition = all ||
				eqt_text_list_has(flags, "NO_NORMAL_PART");
	policy->raw_qos = all || eqt_text_list_has(flags, "NO_NORMAL_QOS");
	policy->raw_assoc = all || eqt_text_list_has(flags, "NO_NORMAL_ASSOC");
	policy->raw_tres = all || eqt_text_list_has(flags, "NO_NORMAL_TRES");
	policy->favor_small = small && (strcasecmp(small, "YES") == 0 ||
					strcasecmp(small, "TRUE") == 0 ||
					strcasecmp(small, "UP") == 0 ||
					strcmp(small, "1") == 0);
}

/* ---- Config --------------------------------------------------------------- */

int eqt_cluster_half_life_parse(uint32_t *half_life_s, const char *text,
				struct eqt_error *err)
{
	uint64_t minutes;

	if (eqt_amount_minutes(&minutes, text) < 0)
		minutes = UINT64_MAX - 1;
	/* 0 means no decay here, but no limit in a time limit. */
	if (minutes == EQT_AMOUNT_UNLIMITED)
		minutes = 0;
	if (minutes > UINT32_MAX / 60)
		return eqt_error_set(
			err,
			"\"%s\": expected a half-life such as 7-0 (seven days)",
			text);
	*half_life_s = (uint32_t) minutes * 60;
	return 0;
}

/* Copy the value of a key; "" if it is missing. */
void eqt_cluster_config_get(const char *text, const char *key, char *value,
			    size_t size)
{
	size_t length = strlen(key), blanks;
	const char *end;

	value[0] = '\0';
	for (; *text != '\0'; text += strcspn(text, "\n") + 1) {
		if (strncmp(text, key, length) != 0)
			continue;
		blanks = strspn(text + length, " ");
		if (text[length + blanks] != '=')
			continue;
		text += length + blanks + 1;
		text += strspn(text, " ");
		end = text + strcspn(text, " \r\n");
		(void) snprintf(value, size, "%.*s", (int) (end - text), text);
		return;
	}
}

int eqt_cluster_decay_read(struct eqt_cluster_decay *out, const char *path,
			   struct eqt_error *err)
{
	struct eqt_listing text;
	char half_life[64];
	int rc = 0;

	if (eqt_listing_read(&text, path, "scontrol show config", err) < 0)
		return -1;
	eqt_cluster_config_get(text.text, "PriorityDecayHalfLife", half_life,
			       sizeof(half_life));
	eqt_cluster_config_get(text.text, "PriorityUsageResetPeriod",
			       out->reset, sizeof(out->reset));
	if (half_life[0] == '\0')
		rc = eqt_error_set(err,
				   "%s: no PriorityDecayHalfLife: expected the "
				   "output of \"scontrol show config\"",
				   text.name);
	else
		rc = eqt_cluster_half_life_parse(&out->half_life_s, half_life,
						 err);
	eqt_listing_free(&text);
	return rc;
}

int eqt_cluster_name(char *name, size_t size, struct eqt_error *err)
{
	struct eqt_listing text;
	char value[EQT_ERROR_SIZE];

	if (eqt_listing_read(&text, NULL, "scontrol show config", err) < 0)
		return -1;
	eqt_cluster_config_get(text.text, "ClusterName", value, sizeof(value));
	eqt_listing_free(&text);
	if (value[0] == '\0' || strlen(value) >= size)
		return eqt_error_set(err,
				     "scontrol show config: no ClusterName");
	(void) snprintf(name, size, "%s", value);
	return 0;
}
