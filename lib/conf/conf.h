/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf: equitree.conf, read once into one const struct.
 *
 * One schema table in keys.c lists the keys: kind, destination and default.
 * A reload reads a new struct, and the caller swaps the pointer.
 *
 *	bundle "cores" { cores = 1  memory = 4000M }
 *	bundle "gpu:v100" { term { gpu = 60 } term { memory = 0.1 per G } }
 *	bundle "gpu:p100" { cores = 6  memory = 32000M  weight = 1.0 }
 *	bundle "gpu:p100" { cores = 8  nodes = big[1-4] }	# there
 *	bundle "gpu:p100" { cores = 9  features = big,new }	# have both
 *	partition "express" {
 *		factor = 3		# times the charge
 *		cores = 1  memory = 16G	# of one core-equivalent there
 *		bundles = cores,gpu:p100	# those that hold there
 *		require = time,memory,cores	# of a submission
 *		max = 64		# equivalents of one request
 *	}
 *	qos "bonus" { factor = 0 }
 *	qos "rush" { factor = 2  then = dear from 20 }	# percent of a budget
 *	pool "gpu" { suffix = _gpu }	# accounts; "cpu" is the other pool
 *	pool "cpu" {
 *		unit = SU  units = SUs	# what equivalents are called
 *		rate = 0.02  currency = EUR	# of an hour of one
 *	}
 *	grant "def-*" {		# accounts with a GrpTRESMins=billing
 *		spent = refuse		# ignore, refuse, warn, bonus
 *		scarce = warn		# too little for the time limit
 *		bonus = bonus		# the QOS of spent = bonus
 *	}
 *	reservation "course*" { account = teaching  factor = 1.5 }	# charged
 *	minimum = 0		# least equivalents of a job
 *	round_unit = 0		# N: prices in 1/N; 0: exact
 *	whole_nodes = 0		# from so many nodes on jobs get whole ones; 0: none
 *	week_factor = 0.5 Mon-Fri 19:00-07:00, Sat-Sun	# of usage; none
 *	charge_suspended = yes
 *	charge_completing = yes	# jobs that have ended, until their nodes are free
 *	message = auto		# off, brief, full; auto: brief on a terminal
 *	message_without_spank = off	# what auto is for an unknown client
 *	billing_scale = 1	# billing TRES units of one equivalent
 *	weights_scale = 1	# units of Slurm's own billing of one equivalent
 *	billing_round = ceil	# floor, nearest, ceil
 *	billing_since = 2026-04-01	# of accounting: TIME[xSCALE], ...
 *	carbon_intensity = 30	# gCO2e/kWh, for reports; none
 *	carbon_intensity_file = /srv/intensity.csv	# by the hour; none
 *	priority { rank_by = usage }	# and more: priority_section.h, as
 *	budget { warn = 50,75,90 }	# charges { keep = 400 }, too
 *
 * Memory takes Slurm's suffixes K, M, G, T (powers of 1024; M without one) and
 * up to six decimals. The values of the last keys are their defaults. A bundle
 * without a memory line does not count memory. Its default weight is 1; the
 * bundle "cores" always has weight 1. A partition without a section has factor
 * 1, all bundles, no requirement and no cap. A bundle is defined above the
 * partition that names it. Quotes are optional and close on their line; there
 * are no escapes, variables or includes. docs/equitree.conf.5 is the manual.
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

/* The comment of a submission that asks slurmctld for its equitree.conf, and the most
 * bytes of one that it sends. */
#define EQT_CONF_COMMENT "equitree configuration"
#define EQT_CONF_ANSWER_MAX 65536

#define EQT_NODES_SIZE 256 /* a list of nodes or features, and the NUL */

/* How much a submission prints. AUTO: brief on a terminal, else nothing. */
enum eqt_message {
	EQT_MESSAGE_OFF,
	EQT_MESSAGE_BRIEF,
	EQT_MESSAGE_FULL,
	EQT_MESSAGE_AUTO
};

/* From when on the billing of accounting is equitree's, and at which scale. */
struct eqt_conf_billed {
	char since[24]; /* "2026-04-01" or with "T12:00:00"; "": no more */
	uint64_t scale; /* 0: billing_scale */
};

#define EQT_BILLED_MAX 16

#define EQT_RESERVATIONS_MAX 32

/* Reservations that are charged for what their jobs do not pay. */
struct eqt_conf_reservation {
	char name[EQT_NAME_SIZE]; /* pattern; * matches any characters */
	char account[EQT_NAME_SIZE]; /* "": the only one of the reservation */
	uint64_t
		factor_u; /* of the price of all that is reserved; millionths */
};

struct eqt_conf {
	struct eqt_bundle_table prices; /* of a job without rules */
	struct eqt_bundle gpu[EQT_MODELS_MAX]; /* prices.gpu */
	/* The bundles' nodes and features point to these texts. */
	char nodes[EQT_MODELS_MAX][EQT_NODES_SIZE];
	char features[EQT_MODELS_MAX][EQT_NODES_SIZE];
	struct eqt_rule_list partitions, qos;
	struct eqt_week week; /* prices.week; {0}: none */
	struct eqt_pools pools;
	bool pool_there[EQT_POOLS]; /* its section is in the file */
	/* The units of prices and of its bundles. */
	struct eqt_unit pool_unit[EQT_POOLS];
	struct eqt_unit cores_unit;
	struct eqt_unit gpu_unit[EQT_MODELS_MAX];
	/* The terms of bundles and of the partitions' rules. */
	struct eqt_terms cores_terms, gpu_terms[EQT_MODELS_MAX];
	struct eqt_terms partition_terms[EQT_RULES_MAX];
	char local_disk[EQT_NAME_SIZE]; /* prices.disk_gres; "": none */
	struct eqt_grant_list grants;
	struct eqt_conf_reservation reservation[EQT_RESERVATIONS_MAX];
	uint32_t reservations;
	uint64_t whole_nodes; /* jobs on so many get whole ones; 0: none do */
	bool charge_suspended;
	bool charge_completing;
	enum eqt_message message;
	enum eqt_message message_without_spank; /* never AUTO */
	uint64_t billing_scale; /* 1 .. 1000000 */
	uint64_t weights_scale; /* the same */
	enum eqt_rounding billing_round;
	struct eqt_conf_billed billed[EQT_BILLED_MAX]; /* ascending */
	/* Millionths of gCO2e/kWh, 0: none; and a file of hours, "": none. */
	uint64_t carbon_intensity_u;
	char carbon_intensity_file[EQT_CONF_PATH];
	struct eqt_conf_priority priority;
	struct eqt_conf_budget budget;
	struct eqt_conf_charges charges;
};

/*
 * Read the file at path. Returns a struct that the caller frees with
 * eqt_conf_free(), or NULL with err filled: "FILE:LINE: KEY: REASON", or "FILE:
 * REASON" where no line is to blame: the system's reason when the file cannot be
 * read, a file larger than 1 MiB, a NUL in it, no bundle "cores".
 *
 * Errors are: unknown or duplicate keys and sections (two bundles are duplicates
 * when they are for the same nodes), numbers out of range or negative, a bundle
 * without cores, a bundle's name that is neither "cores" nor a GRES name with an
 * optional type, a pool without a suffix or with the suffix of the other pool, a
 * partition that names a bundle that is not defined above it, a bonus without its
 * QOS, more than EQT_MODELS_MAX GPU bundles, EQT_RULES_MAX partitions or QOS,
 * EQT_GRANTS_MAX grants.
 *
 * Any number of threads may call it at once.
 */
const struct eqt_conf *eqt_conf_read(const char *path, struct eqt_error *err);

/* The same in two steps. The text of a file, for free(); NULL with err filled. */
char *eqt_conf_text(const char *path, struct eqt_error *err);

/* What a text says, which is cut in place; name stands for FILE. */
const struct eqt_conf *eqt_conf_parse(const char *name, char *text,
				      struct eqt_error *err);

/* Take comments and empty lines out of a text. */
void eqt_conf_text_strip(char *text);

/*
 * The prices for a job in a partition, with a QOS. NULL means not known: its
 * rules are then left out. *out borrows names from conf.
 */
void eqt_conf_prices(struct eqt_bundle_table *out, const struct eqt_conf *conf,
		     const char *partition, const char *qos);

/* The first rule whose pattern fits a reservation; NULL: it is not charged. */
const struct eqt_conf_reservation *eqt_conf_reservation_find(
	const struct eqt_conf *conf, const char *name);

/* Does a request for so many nodes at least get whole ones? */
static inline bool eqt_conf_gives_whole(const struct eqt_conf *conf,
					uint64_t nodes)
{
	return conf->whole_nodes > 0 && nodes >= conf->whole_nodes;
}

/* Free what eqt_conf_read() returned; NULL is fine. */
void eqt_conf_free(const struct eqt_conf *conf);

/* Read "off", "brief", "full" or "auto" into *out. Returns 0, or -1 with *out untouched
 * for any other word. */
int eqt_message_parse(enum eqt_message *out, const char *word);

#endif
