/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of equitree.conf: one table says all that a file may have. */
#include <stdbool.h>

#include "eqt_conf.h"
#include "eqt_conf_impl.h"

const char *const eqt_conf_names[PLACES] = {
	[BUNDLE] = "bundle", [PARTITION] = "partition", [QOS] = "qos",
	[POOL] = "pool",     [PRIORITY] = "priority",
};

#define IN(place) (1U << (place))
#define AT(type, member) offsetof(struct type, member)
#define MILLION UINT64_C(1000000)
#define MEMORY_MAX ((UINT64_C(1) << 30) * EQT_MICRO)
#define NUMBER_WANTED \
	"a number above 0, up to 1000000, with at most six decimals"
#define NUMBER_OR_0_WANTED \
	"a number from 0 to 1000000, with at most six decimals"
/* Slurm's priorities have 32 bits, their site factor 31 and a sign. */
#define WEIGHT_MAX UINT64_C(1000000000)
#define WEIGHT_WANTED "points from 0 (off) to 1000000000"

const struct eqt_conf_row eqt_conf_schema[] = {
	{ "cores", eqt_conf_number, IN(BUNDLE),
	  AT(eqt_conf_bundle, bundle.cores_u), NULL, 1, MILLION *EQT_MICRO,
	  NUMBER_WANTED },
	{ "memory", eqt_conf_memory, IN(BUNDLE),
	  AT(eqt_conf_bundle, bundle.mem_mib_u), NULL, 0, MEMORY_MAX,
	  "an amount such as 4000M or 62.5G, up to 1024T" },
	{ "weight", eqt_conf_number, IN(BUNDLE),
	  AT(eqt_conf_bundle, bundle.weight_u), "1", 1, MILLION *EQT_MICRO,
	  NUMBER_WANTED },
	{ "nodes", eqt_conf_nodes, IN(BUNDLE), AT(eqt_conf_bundle, nodes), NULL,
	  0, 0,
	  "a list of nodes such as gra[1-10],gra20, of at most 255 "
	  "characters" },
	{ "factor", eqt_conf_number, IN(PARTITION) | IN(QOS),
	  AT(eqt_rule, factor_u), "1", 0, MILLION *EQT_MICRO,
	  NUMBER_OR_0_WANTED },
	{ "bundles", eqt_conf_bundles, IN(PARTITION), 0, NULL, 0, 0,
	  "names of bundles that are above, with commas between" },
	{ "require", eqt_conf_wants, IN(PARTITION), AT(eqt_rule, wants), NULL,
	  0, 0, "any of time, memory and cores, with commas between" },
	{ "max", eqt_conf_number, IN(PARTITION), AT(eqt_rule, max_u), NULL, 1,
	  MILLION *EQT_MICRO, NUMBER_WANTED },
	{ "suffix", eqt_conf_suffix, IN(POOL), AT(eqt_conf_suffix, text), NULL,
	  0, 0,
	  "the end of account names, such as _gpu, of at most 63 characters" },
	{ "minimum", eqt_conf_number, IN(TOP), AT(eqt_conf, prices.minimum_u),
	  NULL, 0, MILLION *EQT_MICRO, NUMBER_OR_0_WANTED },
	{ "round_unit", eqt_conf_integer, IN(TOP),
	  AT(eqt_conf, prices.round_unit), NULL, 0, MILLION,
	  "a whole number from 0 (exact) to 1000000" },
	{ "charge_suspended", eqt_conf_yes, IN(TOP),
	  AT(eqt_conf, charge_suspended), "yes", 0, 0, "yes or no" },
	{ "message", eqt_conf_message, IN(TOP), AT(eqt_conf, message), "brief",
	  0, 0, "off, brief or full" },
	{ "billing_scale", eqt_conf_integer, IN(TOP),
	  AT(eqt_conf, billing_scale), "1", 1, MILLION,
	  "a whole number from 1 to 1000000" },
	{ "billing_round", eqt_conf_rounding, IN(TOP),
	  AT(eqt_conf, billing_round), "ceil", 0, 0, "floor, nearest or ceil" },
	{ "rank_by", eqt_conf_rank_by, IN(PRIORITY),
	  AT(eqt_conf_priority, rank_by), "usage", 0, 0, "usage or allocated" },
	{ "allocated_now", eqt_conf_integer, IN(PRIORITY),
	  AT(eqt_conf_priority, allocated_now), NULL, 0, UINT64_C(31536000),
	  "seconds from 0 (off) to 31536000" },
	{ "order", eqt_conf_order, IN(PRIORITY), AT(eqt_conf_priority, order),
	  "users", 0, 0, "users or jobs" },
	{ "rank_every", eqt_conf_integer, IN(PRIORITY),
	  AT(eqt_conf_priority, rank_every_ms), NULL, 0, MILLION,
	  "milliseconds from 0 (each period only) to 1000000" },
	{ "idle_shares", eqt_conf_yes, IN(PRIORITY),
	  AT(eqt_conf_priority, idle_shares), "yes", 0, 0, "yes or no" },
	{ "access_weight", eqt_conf_integer, IN(PRIORITY),
	  AT(eqt_conf_priority, access_weight), NULL, 0, WEIGHT_MAX,
	  WEIGHT_WANTED },
	{ "access_scope", eqt_conf_scope, IN(PRIORITY),
	  AT(eqt_conf_priority, access_scope), "user", 0, 0,
	  "user or account" },
	{ "expansion_weight", eqt_conf_integer, IN(PRIORITY),
	  AT(eqt_conf_priority, expansion_weight), NULL, 0, WEIGHT_MAX,
	  WEIGHT_WANTED },
	{ "expansion_full", eqt_conf_number, IN(PRIORITY),
	  AT(eqt_conf_priority, expansion_full_u), "10",
	  EQT_MICRO + EQT_MICRO / 10, MILLION *EQT_MICRO,
	  "a number from 1.1 to 1000000, with at most six decimals" },
	{ "size_by", eqt_conf_size_by, IN(PRIORITY),
	  AT(eqt_conf_priority, size_by), "resources", 0, 0,
	  "resources or equivalents" },
};

const size_t eqt_conf_rows =
	sizeof(eqt_conf_schema) / sizeof(eqt_conf_schema[0]);

_Static_assert(sizeof(eqt_conf_schema) / sizeof(eqt_conf_schema[0]) <=
		       EQT_CONF_ROWS_MAX,
	       "EQT_CONF_ROWS_MAX is too small");
