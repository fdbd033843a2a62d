/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "conf/conf_lines.h"
#include "conf/keys.h"
#include "conf/section.h"

/* The words that keys accept. Each list is in the order of its enum. */
static const char *const message_words[] = {
	[EQT_MESSAGE_OFF] = "off",
	[EQT_MESSAGE_BRIEF] = "brief",
	[EQT_MESSAGE_FULL] = "full",
	[EQT_MESSAGE_AUTO] = "auto",
	NULL,
};
static const char *const known_message_words[] = {
	[EQT_MESSAGE_OFF] = "off",
	[EQT_MESSAGE_BRIEF] = "brief",
	[EQT_MESSAGE_FULL] = "full",
	NULL,
};
static const char *const rounding_words[] = {
	[EQT_ROUND_FLOOR] = "floor",
	[EQT_ROUND_NEAREST] = "nearest",
	[EQT_ROUND_CEIL] = "ceil",
	NULL,
};
static const char *const grant_words[] = {
	[EQT_GRANT_IGNORE] = "ignore",
	[EQT_GRANT_REFUSE] = "refuse",
	[EQT_GRANT_WARN] = "warn",
	[EQT_GRANT_BONUS] = "bonus",
	NULL,
};
static const char *const rank_by_words[] = {
	[EQT_RANK_BY_USAGE] = "usage",
	[EQT_RANK_BY_ALLOCATED] = "allocated",
	NULL,
};
static const char *const order_words[] = {
	[EQT_ORDER_USERS] = "users",
	[EQT_ORDER_JOBS] = "jobs",
	NULL,
};
static const char *const scope_words[] = {
	[EQT_SCOPE_USER] = "user",
	[EQT_SCOPE_ACCOUNT] = "account",
	NULL,
};
static const char *const size_by_words[] = {
	[EQT_SIZE_BY_RESOURCES] = "resources",
	[EQT_SIZE_BY_EQUIVALENTS] = "equivalents",
	NULL,
};
static const char *const when_damaged_words[] = {
	[EQT_DAMAGED_STOP] = "stop",
	[EQT_DAMAGED_HOLD] = "hold",
	NULL,
};
/* The words in the order of the bits EQT_REFUND_... */
static const char *const refund_words[] = { "none", "node_fail", "boot_fail",
					    "preempted", NULL };
/* The words in the order of the bits EQT_WANT_... */
static const char *const require_words[] = { "time", "memory", "cores", NULL };

#define IN(place) EQT_CONF_IN(EQT_CONF_##place)
#define TOP_AT(member) offsetof(struct eqt_conf, member)
#define AT(member) offsetof(struct eqt_section, member)
#define MILLION UINT64_C(1000000)
/* The largest amount of memory, in millionths of a MiB. */
#define MEMORY_MAX ((UINT64_C(1) << 30) * EQT_MICRO)
#define NUMBER_WANTED \
	"a number above 0, up to 1000000, with at most six decimals"
#define NUMBER_OR_0_WANTED \
	"a number from 0 to 1000000, with at most six decimals"

#define DISK_MAX (UINT64_C(1) << 50)
#define DISK_WANTED                                                    \
	"a count of the GRES such as 25G, from 1 to 1024T, or a cost " \
	"such as 0.02 per G"
#define MEMORY_WANTED                                                         \
	"an amount such as 4000M, 62.5G or 2GB, up to 1024T, or a cost such " \
	"as "                                                                 \
	"0.1 per G"
/* The places where a resource may have a price. */
#define PRICED (IN(BUNDLE) | IN(PARTITION) | IN(TERM))
/* Slurm's priorities have 32 bits, and its site factor has 31 bits and a sign. */
#define WEIGHT_MAX UINT64_C(1000000000)
#define WEIGHT_WANTED "points from 0 (off) to 1000000000"

#define LABEL_WANTED "a name of at most 31 characters, such as RGU or EUR"

#define WAY_WANTED "ignore, refuse, warn or bonus"

#define REFUND_WANTED                                                      \
	"none, or any of node_fail, boot_fail and preempted, with commas " \
	"between"

/* The rows of numbers with bounds, of words from a list, and of other texts. */
#define NUMBER(key, kind, places, at, without, min, max, wanted)       \
	{                                                              \
		key, kind, places, at, without, min, max, wanted, NULL \
	}
#define WORDS(key, kind, places, at, without, words, wanted)        \
	{                                                           \
		key, kind, places, at, without, 0, 0, wanted, words \
	}
#define TEXT(key, kind, places, at, without, wanted)               \
	{                                                          \
		key, kind, places, at, without, 0, 0, wanted, NULL \
	}

const struct eqt_conf_key eqt_conf_keys[] = {
	/* The keys for the resources of a bundle, and for their costs. */
	NUMBER("cores", eqt_value_cores, PRICED, AT(part[EQT_CORES]), NULL, 1,
	       MILLION *EQT_MICRO,
	       NUMBER_WANTED ", or a cost such as 0.75 per core"),
	NUMBER("memory", eqt_value_memory, PRICED, AT(part[EQT_MEMORY]), NULL,
	       0, MEMORY_MAX, MEMORY_WANTED),
	NUMBER("disk", eqt_value_disk, PRICED, AT(part[EQT_DISK]), NULL, 1,
	       DISK_MAX, DISK_WANTED),
	NUMBER("node", eqt_value_cost, PRICED, AT(part[EQT_NODES]), NULL, 1,
	       MILLION *EQT_MICRO, NUMBER_WANTED),
	NUMBER("gpu", eqt_value_cost, IN(TERM), AT(part[EQT_GPUS]), NULL, 1,
	       MILLION *EQT_MICRO, NUMBER_WANTED),
	TEXT("local_disk", eqt_value_name, IN(TOP), TOP_AT(local_disk), NULL,
	     "the name of a GRES, such as jobfs, of at most 63 characters"),
	NUMBER("weight", eqt_value_number, IN(BUNDLE), AT(bundle.weight_u), "1",
	       1, MILLION *EQT_MICRO, NUMBER_WANTED),
	TEXT("nodes", eqt_value_nodes, IN(BUNDLE), AT(nodes), NULL,
	     "a list of nodes such as gra[1-10],gra20, of at most 255 "
	     "characters"),
	TEXT("features", eqt_value_features, IN(BUNDLE), AT(features), NULL,
	     "names of features with commas between, of at most 255 "
	     "characters"),
	/* The keys for how a partition or a QOS changes the price, and for the options
	 * that it requires. */
	NUMBER("factor", eqt_value_number, IN(PARTITION) | IN(QOS),
	       AT(rule.factor_u), "1", 0, MILLION *EQT_MICRO,
	       NUMBER_OR_0_WANTED),
	TEXT("big_factor", eqt_value_big, IN(PARTITION) | IN(QOS),
	     AT(rule.big_nodes), NULL,
	     "a factor from 0 to 1000000 and a number of nodes above 1, such "
	     "as 0.6 from 1024"),
	TEXT("then", eqt_value_then, IN(QOS), AT(rule.then), NULL,
	     "the name of a QOS, in lower case, and a percentage from 1 to "
	     "100, such as premium4 from 20"),
	TEXT("bundles", eqt_value_bundles, IN(PARTITION), AT(rule), NULL,
	     "names of bundles that are above, with commas between"),
	WORDS("require", eqt_value_bits, IN(PARTITION), AT(rule.wants), NULL,
	      require_words,
	      "any of time, memory and cores, with commas between"),
	TEXT("require_gres", eqt_value_name, IN(PARTITION),
	     AT(rule.require_gres), NULL,
	     "the name of a GRES, such as jobfs, of at most 63 characters"),
	NUMBER("max", eqt_value_number, IN(PARTITION), AT(rule.max_u), NULL, 1,
	       MILLION *EQT_MICRO, NUMBER_WANTED),
	/* The keys of a pool: its accounts, its unit and its currency. */
	TEXT("suffix", eqt_value_name, IN(POOL), AT(suffix), NULL,
	     "the end of account names, such as _gpu, of at most 63 "
	     "characters"),
	TEXT("unit", eqt_value_label, IN(BUNDLE) | IN(POOL), AT(unit.one), NULL,
	     LABEL_WANTED),
	TEXT("units", eqt_value_label, IN(BUNDLE) | IN(POOL), AT(unit.many),
	     NULL, LABEL_WANTED),
	NUMBER("rate", eqt_value_number, IN(BUNDLE) | IN(POOL), AT(unit.rate_u),
	       NULL, 1, MILLION *EQT_MICRO, NUMBER_WANTED),
	TEXT("currency", eqt_value_label, IN(BUNDLE) | IN(POOL),
	     AT(unit.currency), NULL, LABEL_WANTED),
	/* The keys for jobs of an account whose grant is spent or scarce. */
	WORDS("spent", eqt_value_word, IN(GRANT), AT(grant.spent), "refuse",
	      grant_words, WAY_WANTED),
	WORDS("scarce", eqt_value_word, IN(GRANT), AT(grant.scarce), "warn",
	      grant_words, WAY_WANTED),
	TEXT("bonus", eqt_value_qos, IN(GRANT), AT(grant.bonus), NULL,
	     "the name of a QOS, in lower case, of at most 63 characters"),
	/* The keys for the charge of a reservation. */
	TEXT("account", eqt_value_name, IN(RESERVATION),
	     AT(reservation.account), NULL,
	     "the name of an account, of at most 63 characters"),
	NUMBER("factor", eqt_value_number, IN(RESERVATION),
	       AT(reservation.factor_u), "1", 0, MILLION *EQT_MICRO,
	       NUMBER_OR_0_WANTED),
	/* The keys for all jobs. Slurm's billing is a whole number, so a scale of 1000
	 * turns 2.5 equivalents into 2500. */
	NUMBER("minimum", eqt_value_number, IN(TOP), TOP_AT(prices.minimum_u),
	       NULL, 0, MILLION *EQT_MICRO, NUMBER_OR_0_WANTED),
	NUMBER("round_unit", eqt_value_integer, IN(TOP),
	       TOP_AT(prices.round_unit), NULL, 0, MILLION,
	       "a whole number from 0 (exact) to 1000000"),
	NUMBER("whole_nodes", eqt_value_integer, IN(TOP), TOP_AT(whole_nodes),
	       NULL, 0, MILLION,
	       "a whole number of nodes from 0 (none) to 1000000"),
	TEXT("week_factor", eqt_value_week, IN(TOP), TOP_AT(week), NULL,
	     "factors from 0 to 1000, days and times such as "
	     "0.5 Mon-Fri 19:00-07:00, Sat-Sun, with one factor at any time"),
	TEXT("charge_suspended", eqt_value_yes, IN(TOP),
	     TOP_AT(charge_suspended), "yes", "yes or no"),
	TEXT("charge_completing", eqt_value_yes, IN(TOP),
	     TOP_AT(charge_completing), "yes", "yes or no"),
	WORDS("message", eqt_value_word, IN(TOP), TOP_AT(message), "auto",
	      message_words, "auto, off, brief or full"),
	WORDS("message_without_spank", eqt_value_word, IN(TOP),
	      TOP_AT(message_without_spank), "off", known_message_words,
	      "off, brief or full"),
	NUMBER("billing_scale", eqt_value_integer, IN(TOP),
	       TOP_AT(billing_scale), "1", 1, MILLION,
	       "a whole number from 1 to 1000000"),
	NUMBER("weights_scale", eqt_value_integer, IN(TOP),
	       TOP_AT(weights_scale), "1", 1, MILLION,
	       "a whole number from 1 to 1000000"),
	WORDS("billing_round", eqt_value_word, IN(TOP), TOP_AT(billing_round),
	      "ceil", rounding_words, "floor, nearest or ceil"),
	TEXT("billing_since", eqt_value_billed, IN(TOP), TOP_AT(billed), NULL,
	     "up to 16 ascending times with commas between, such as "
	     "2026-01-15x1000,2026-06-01"),
	/* The keys for reports of energy, which do not change a charge. */
	NUMBER("carbon_intensity", eqt_value_number, IN(TOP),
	       TOP_AT(carbon_intensity_u), NULL, 1, MILLION *EQT_MICRO,
	       NUMBER_WANTED " (gCO2e/kWh)"),
	TEXT("carbon_intensity_file", eqt_value_path, IN(TOP),
	     TOP_AT(carbon_intensity_file), NULL,
	     "a path that begins with /, of at most 255 characters"),
	/* The folder of the record of past forecasts. */
	TEXT("forecasts", eqt_value_path, IN(TOP), TOP_AT(forecasts), NULL,
	     "a path that begins with /, of at most 255 characters"),
	/* The keys for the order of users and jobs. */
	WORDS("rank_by", eqt_value_word, IN(PRIORITY), AT(priority.rank_by),
	      "usage", rank_by_words, "usage or allocated"),
	NUMBER("allocated_now", eqt_value_integer, IN(PRIORITY),
	       AT(priority.allocated_now), NULL, 0, UINT64_C(31536000),
	       "seconds from 0 (off) to 31536000"),
	WORDS("order", eqt_value_word, IN(PRIORITY), AT(priority.order),
	      "users", order_words, "users or jobs"),
	NUMBER("rank_every", eqt_value_integer, IN(PRIORITY),
	       AT(priority.rank_every_ms), NULL, 0, MILLION,
	       "milliseconds from 0 (each period only) to 1000000"),
	NUMBER("rank_cpu", eqt_value_integer, IN(PRIORITY),
	       AT(priority.rank_cpu), "10", 1, 100,
	       "a whole number from 1 to 100 (percent of a core)"),
	NUMBER("tasks_ahead", eqt_value_integer, IN(PRIORITY),
	       AT(priority.tasks_ahead), NULL, 0, 10000,
	       "a whole number from 0 (arrays stay whole) to 10000"),
	TEXT("idle_shares", eqt_value_yes, IN(PRIORITY),
	     AT(priority.idle_shares), "yes", "yes or no"),
	NUMBER("access_weight", eqt_value_integer, IN(PRIORITY),
	       AT(priority.access_weight), NULL, 0, WEIGHT_MAX, WEIGHT_WANTED),
	WORDS("access_scope", eqt_value_word, IN(PRIORITY),
	      AT(priority.access_scope), "user", scope_words,
	      "user or account"),
	NUMBER("expansion_weight", eqt_value_integer, IN(PRIORITY),
	       AT(priority.expansion_weight), NULL, 0, WEIGHT_MAX,
	       WEIGHT_WANTED),
	NUMBER("expansion_full", eqt_value_number, IN(PRIORITY),
	       AT(priority.expansion_full_u), "10", EQT_MICRO + EQT_MICRO / 10,
	       MILLION *EQT_MICRO,
	       "a number from 1.1 to 1000000, with at most six decimals"),
	WORDS("size_by", eqt_value_word, IN(PRIORITY), AT(priority.size_by),
	      "resources", size_by_words, "resources or equivalents"),
	WORDS("refund", eqt_value_bits, IN(PRIORITY), AT(priority.refund),
	      "none", refund_words, REFUND_WANTED),
	/* The keys for all budgets. */
	TEXT("warn", eqt_value_thresholds, IN(BUDGET), AT(budget.warn),
	     "50,75,90",
	     "up to eight ascending percentages with commas between, or off"),
	WORDS("refund", eqt_value_bits, IN(BUDGET), AT(budget.refund),
	      "node_fail,boot_fail,preempted", refund_words, REFUND_WANTED),
	WORDS("when_spent", eqt_value_word, IN(BUDGET), AT(budget.when_spent),
	      "hold", eqt_budget_way_words, "hold, refuse or bonus"),
	TEXT("bonus", eqt_value_qos, IN(BUDGET), AT(budget.bonus), NULL,
	     "the name of a QOS, in lower case, of at most 63 characters"),
	TEXT("from_limits", eqt_value_yes, IN(BUDGET), AT(budget.from_limits),
	     "no", "yes or no"),
	WORDS("when_damaged", eqt_value_word, IN(BUDGET),
	      AT(budget.when_damaged), "stop", when_damaged_words,
	      "stop or hold"),
	/* The keys for the record of charges. */
	TEXT("record", eqt_value_yes, IN(CHARGES), AT(charges.record), "yes",
	     "yes or no"),
	TEXT("folder", eqt_value_path, IN(CHARGES), AT(charges.folder), NULL,
	     "a path that begins with /, of at most 255 characters"),
	NUMBER("keep", eqt_value_integer, IN(CHARGES), AT(charges.keep_days),
	       "400", 0, 36500, "days from 0 (for ever) to 36500"),
	TEXT("group", eqt_value_name, IN(CHARGES), AT(charges.group), NULL,
	     "the name of a group, of at most 63 characters"),
};

const size_t eqt_conf_key_count =
	sizeof(eqt_conf_keys) / sizeof(eqt_conf_keys[0]);
_Static_assert(sizeof(eqt_conf_keys) / sizeof(eqt_conf_keys[0]) <=
		       EQT_CONF_KEYS_MAX,
	       "a file that is read has a mark for each key");

int eqt_message_parse(enum eqt_message *out, const char *word)
{
	const struct eqt_value value = { .text = word, .words = message_words };

	return eqt_value_word(&value, out);
}

/* ---- Values as texts ------------------------------------------------------ */

/* Append millionths as a decimal number. */
static void text_micro(struct eqt_text *to, uint64_t value_u)
{
	struct eqt_frac value = EQT_FRAC_ZERO;
	char number[EQT_FRAC_TEXT];

	(void) eqt_frac_make(&value, value_u, EQT_MICRO);
	eqt_text_put(to, eqt_frac_text(value, number, sizeof(number)));
}

/* Append the words of the bits that are set. */
static void text_bits(struct eqt_text *to, const char *const *words,
		      uint32_t bits)
{
	for (uint32_t i = 0; words[i]; i++) {
		if (!(bits >> i & 1))
			continue;
		eqt_text_put(to, to->length ? "," : "");
		eqt_text_put(to, words[i]);
	}
}

static void text_thresholds(struct eqt_text *to,
			    const struct eqt_thresholds *list)
{
	for (size_t i = 0; i < list->count; i++) {
		eqt_text_put(to, i ? "," : "");
		eqt_text_whole(to, list->percent[i]);
	}
	if (list->count == 0)
		eqt_text_put(to, "off");
}

/* Append each change of the factor. */
static void text_week(struct eqt_text *to, const struct eqt_week *week)
{
	static const char *const days[] = { "Mon", "Tue", "Wed", "Thu",
					    "Fri", "Sat", "Sun" };

	char time[16];

	for (uint32_t i = 0; i < week->count; i++) {
		const uint32_t minute = week->change[i].at_s / 60;

		eqt_text_put(to, i ? ", " : "");
		text_micro(to, week->change[i].factor_u);
		(void) snprintf(time, sizeof(time), " %s %02u:%02u",
				days[minute / 1440], minute / 60 % 24,
				minute % 60);
		eqt_text_put(to, " from");
		eqt_text_put(to, time);
	}
}

/* Append a value. Nothing is appended for a kind that this function does not know. */
static void text_value(struct eqt_text *to, const struct eqt_conf_key *key,
		       const void *at)
{
	if (key->kind == eqt_value_word)
		eqt_text_put(to, key->words[*(const unsigned int *) at]);
	else if (key->kind == eqt_value_bits)
		text_bits(to, key->words, *(const uint32_t *) at);
	else if (key->kind == eqt_value_yes)
		eqt_text_put(to, *(const bool *) at ? "yes" : "no");
	else if (key->kind == eqt_value_integer)
		eqt_text_whole(to, *(const uint64_t *) at);
	else if (key->kind == eqt_value_number)
		text_micro(to, *(const uint64_t *) at);
	else if (key->kind == eqt_value_thresholds)
		text_thresholds(to, at);
	else if (key->kind == eqt_value_week)
		text_week(to, at);
	else if (key->kind == eqt_value_name || key->kind == eqt_value_qos ||
		 key->kind == eqt_value_path)
		eqt_text_put(to, at);
}

/* The keys of a section have offsets in struct eqt_section, from which the values were
 * copied to struct eqt_conf. */
bool eqt_conf_key_next(struct eqt_conf_line *out, const struct eqt_conf *conf,
		       const char *section, size_t *at)
{
	static const struct {
		const char *name;
		enum eqt_conf_place place;
		size_t read, kept;
	} sections[] = {
		{ "priority", EQT_CONF_PRIORITY, AT(priority),
		  TOP_AT(priority) },
		{ "budget", EQT_CONF_BUDGET, AT(budget), TOP_AT(budget) },
		{ "charges", EQT_CONF_CHARGES, AT(charges), TOP_AT(charges) },
		{ "", EQT_CONF_TOP, 0, 0 },
	};
	struct eqt_text text = { .data = out->value,
				 .space = sizeof(out->value) };
	size_t i = 0;

	while (strcmp(sections[i].name, section) != 0)
		i++;
	for (; *at < eqt_conf_key_count && text.length == 0; ++*at) {
		const struct eqt_conf_key *key = &eqt_conf_keys[*at];

		out->key = key->key;
		if (key->places & EQT_CONF_IN(sections[i].place))
			text_value(&text, key,
				   (const char *) conf + sections[i].kept +
					   key->at - sections[i].read);
	}
	return text.length > 0;
}
