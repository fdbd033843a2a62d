/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf: equitree.conf, which is read into one const struct.
 *
 * The table in keys.c lists all keys with their kind, destination and default. A reload
 * reads a new struct, and the caller exchanges the pointer.
 *
 *	bundle "cores" { cores = 1  memory = 4000M }
 *	bundle "gpu:v100" { term { gpu = 60 } term { memory = 0.1 per G } }
 *	bundle "gpu:p100" { cores = 6  memory = 32000M  weight = 1.0 }
 *	bundle "gpu:p100" { cores = 8  nodes = big[1-4] }	# on these nodes
 *	bundle "gpu:p100" { cores = 9  features = big,new }	# nodes with both
 *	partition "express" {
 *		factor = 3		# of the charge
 *		cores = 1  memory = 16G	# one core-equivalent in the partition
 *		bundles = cores,gpu:p100	# in force in the partition
 *		require = time,memory,cores	# options of a submission
 *		max = 64		# equivalents of one request
 *	}
 *	qos "bonus" { factor = 0 }
 *	qos "rush" { factor = 2  then = dear from 20 }	# percent of a budget
 *	pool "gpu" { suffix = _gpu }	# of accounts; "cpu" is the other pool
 *	pool "cpu" {
 *		unit = SU  units = SUs	# names of its equivalents
 *		rate = 0.02  currency = EUR	# one equivalent for an hour
 *	}
 *	grant "def-*" {		# accounts with a GrpTRESMins=billing
 *		spent = refuse		# ignore, refuse, warn, bonus
 *		scarce = warn		# less left than the time limit needs
 *		bonus = bonus		# the QOS of spent = bonus
 *	}
 *	reservation "course*" { account = teaching  factor = 1.5 }	# charged
 *	minimum = 0		# the lowest price of a job, in equivalents
 *	round_unit = 0		# N: multiples of 1/N; 0: exact prices
 *	whole_nodes = 0		# jobs on so many nodes get whole ones; 0: none
 *	week_factor = 0.5 Mon-Fri 19:00-07:00, Sat-Sun	# of the usage
 *	charge_suspended = yes
 *	charge_completing = yes	# ended jobs until their nodes are idle
 *	message = auto		# off, brief, full; auto: brief on a terminal
 *	message_without_spank = off	# replaces auto for an unknown client
 *	billing_scale = 1	# units of the billing TRES for one equivalent
 *	weights_scale = 1	# units of Slurm's own billing for one equivalent
 *	billing_round = ceil	# floor, nearest, ceil
 *	billing_since = 2026-04-01	# in accounting: TIME[xSCALE], ...
 *	carbon_intensity = 30	# gCO2e/kWh, for reports
 *	carbon_intensity_file = /srv/intensity.csv	# for each hour
 *	forecasts = /srv/equitree	# folder of the record of forecasts
 *	priority { rank_by = usage }	# see priority_section.h
 *	budget { warn = 50,75,90 }	# see budget_section.h
 *	charges { keep = 400 }	# see charges_section.h
 *
 * Amounts of memory have Slurm's suffixes K, M, G and T, which are powers of 1024, and
 * up to six decimals. Without a suffix they are in MiB. From "minimum" on, the values
 * above are the defaults, except that week_factor and keys of reports have none. A
 * bundle without a memory line does not count memory. The default weight of a bundle is
 * 1, and the bundle "cores" always has weight 1. A partition without a section has
 * factor 1, all bundles, no required options and no cap. A bundle must be defined above
 * the partition that names it. Quotes are optional and must be closed on the same line.
 * There are no escapes, variables or includes. The manual is docs/equitree.conf.5.
 */
#ifndef EQT_CONF_H
#define EQT_CONF_H

#include <stdint.h>

#include "conf/budget_section.h"
#include "conf/charges_section.h"
#include "conf/priority_section.h"
#include "base/error.h"
#include "base/fraction.h"
#include "price/grant.h"
#include "price/price.h"
#include "job/rules.h"

/* The comment of a submission that asks slurmctld for its equitree.conf, and the
 * longest file in bytes that slurmctld sends. */
#define EQT_CONF_COMMENT "equitree configuration"
#define EQT_CONF_ANSWER_MAX 65536

#define EQT_NODES_SIZE 256 /* bytes for a list of nodes or features and a NUL */

/* How much a submission prints. AUTO is brief on a terminal, and otherwise nothing. */
enum eqt_message {
	EQT_MESSAGE_OFF,
	EQT_MESSAGE_BRIEF,
	EQT_MESSAGE_FULL,
	EQT_MESSAGE_AUTO
};

/* A time since which the billing in accounting is equitree's, and its scale. */
struct eqt_conf_billed {
	char since[24]; /* date such as "2026-04-01"; "" ends the list */
	uint64_t scale; /* units of one equivalent; 0: billing_scale */
};

#define EQT_BILLED_MAX 16

#define EQT_RESERVATIONS_MAX 32

/* Reservations that are charged for the resources for which their jobs do not pay. */
struct eqt_conf_reservation {
	char name[EQT_NAME_SIZE]; /* a pattern with * as wildcard */
	/* The account that pays. "" means the only account of the reservation. */
	char account[EQT_NAME_SIZE];
	uint64_t factor_u; /* factor of the price, in millionths */
};

struct eqt_conf {
	struct eqt_bundle_table prices; /* the prices of a job without rules */
	struct eqt_bundle gpu[EQT_MODELS_MAX]; /* where prices.gpu points */
	/* The texts to which the members nodes and features of the bundles point. */
	char nodes[EQT_MODELS_MAX][EQT_NODES_SIZE];
	char features[EQT_MODELS_MAX][EQT_NODES_SIZE];
	struct eqt_rule_list partitions, qos;
	struct eqt_week week; /* where prices.week points */
	struct eqt_pools pools;
	bool pool_there[EQT_POOLS]; /* whether the file has the section */
	/* The units to which the prices and the bundles point. */
	struct eqt_unit pool_unit[EQT_POOLS];
	struct eqt_unit cores_unit;
	struct eqt_unit gpu_unit[EQT_MODELS_MAX];
	/* The terms to which the bundles and the rules of partitions point. */
	struct eqt_terms cores_terms, gpu_terms[EQT_MODELS_MAX];
	struct eqt_terms partition_terms[EQT_RULES_MAX];
	char local_disk
		[EQT_NAME_SIZE]; /* name of the GRES; "" if there is none */
	struct eqt_grant_list grants;
	struct eqt_conf_reservation reservation[EQT_RESERVATIONS_MAX];
	uint32_t reservations;
	uint64_t whole_nodes; /* least -N that gets whole nodes; 0: never */
	bool charge_suspended;
	bool charge_completing;
	enum eqt_message message;
	enum eqt_message message_without_spank; /* never EQT_MESSAGE_AUTO */
	uint64_t billing_scale; /* billing units of one equivalent */
	uint64_t weights_scale; /* Slurm's billing units of one equivalent */
	enum eqt_rounding billing_round;
	struct eqt_conf_billed billed[EQT_BILLED_MAX]; /* oldest first */
	/* Millionths of gCO2e/kWh, or a file with hourly values; 0 and "": none. */
	uint64_t carbon_intensity_u;
	char carbon_intensity_file[EQT_CONF_PATH];
	char forecasts[EQT_CONF_PATH]; /* folder of their record; "": default */
	struct eqt_conf_priority priority;
	struct eqt_conf_budget budget;
	struct eqt_conf_charges charges;
};

/*
 * Read the file at path. Return a struct that the caller frees with eqt_conf_free(), or
 * NULL with err filled. An error text is "FILE:LINE: KEY: REASON". It is "FILE: REASON"
 * if the error belongs to no line: the file cannot be read, is larger than 1 MiB,
 * contains a NUL or has no bundle "cores".
 *
 * Errors are unknown keys and sections, duplicate keys and sections (two bundles are
 * duplicates if they are for the same nodes), numbers out of range, a bundle without
 * cores, a bundle whose name is neither "cores" nor a GRES name with an optional type,
 * a pool without a suffix or with the suffix of the other pool, a partition that names
 * a bundle which is not defined above it, a bonus without its QOS, more than
 * EQT_MODELS_MAX GPU bundles, more than EQT_RULES_MAX partitions or QOS, and more than
 * EQT_GRANTS_MAX grants.
 *
 * Any number of threads may call this function at the same time.
 */
const struct eqt_conf *eqt_conf_read(const char *path, struct eqt_error *err);

/* Return the text of the file at path, which the caller frees with free(), or NULL with
 * err filled. eqt_conf_read() calls this function and eqt_conf_parse(). */
char *eqt_conf_text(const char *path, struct eqt_error *err);

/* Parse the text of a file, which is modified. `name` is the FILE in error texts.
 * Return a struct for eqt_conf_free(), or NULL with err filled. */
const struct eqt_conf *eqt_conf_parse(const char *name, char *text,
				      struct eqt_error *err);

/* Remove comments and empty lines from a text. */
void eqt_conf_text_strip(char *text);

/* Make the bundle table for a job in a partition with a QOS. NULL means that the
 * partition or the QOS is not known and has no rules. *out borrows names from conf. */
void eqt_conf_prices(struct eqt_bundle_table *out, const struct eqt_conf *conf,
		     const char *partition, const char *qos);

/* Return the first rule that matches a reservation, or NULL if it is not charged. */
const struct eqt_conf_reservation *eqt_conf_reservation_find(
	const struct eqt_conf *conf, const char *name);

/* Do jobs that request at least this many nodes get whole nodes? */
static inline bool eqt_conf_gives_whole(const struct eqt_conf *conf,
					uint64_t nodes)
{
	return conf->whole_nodes > 0 && nodes >= conf->whole_nodes;
}

/* Free the struct that eqt_conf_read() returned. NULL is allowed. */
void eqt_conf_free(const struct eqt_conf *conf);

/* Read "off", "brief", "full" or "auto". Return 0, or -1 with *out unchanged. */
int eqt_message_parse(enum eqt_message *out, const char *word);

#endif
