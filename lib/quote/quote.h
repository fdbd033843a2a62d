/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_quote: what a request costs. price_message.h has the words that tell it.
 *
 * The submission plugin and the command call this one place, so that they say
 * the same. Nothing allocates but the count of an array's tasks
 * (eqt_amount_array_tasks()).
 */
#ifndef EQT_QUOTE_H
#define EQT_QUOTE_H

#include <stdbool.h>
#include <stdint.h>

#include "job/job_totals.h"
#include "job/node_offer.h"
#include "base/error.h"
#include "price/price.h"

/* A change that makes a request cheaper. */
enum eqt_quote_advice {
	EQT_QUOTE_ADVICE_NONE,
	EQT_QUOTE_ADVICE_MEM, /* --mem=xM */
	EQT_QUOTE_ADVICE_MEM_PER_CPU,
	EQT_QUOTE_ADVICE_MEM_PER_GPU,
	EQT_QUOTE_ADVICE_CPUS_PER_TASK,
	EQT_QUOTE_ADVICE_CPUS_PER_GPU,
	EQT_QUOTE_ADVICE_TASKS /* -n */
};

/* Why no known nodes can hold a request. Slurm refuses it then. */
enum eqt_quote_lack {
	EQT_QUOTE_LACK_NOTHING,
	EQT_QUOTE_LACK_NODES, /* none is of the names and GPUs that it wants */
	EQT_QUOTE_LACK_SIZE, /* none is large enough for a task, or its memory */
	EQT_QUOTE_LACK_ROOM, /* all nodes together are too few */
	EQT_QUOTE_LACK_NUMBER, /* the most nodes that it may have are too few */
	EQT_QUOTE_LACK_TASKS, /* there are fewer nodes than tasks, of which each
				 needs one */
	EQT_QUOTE_LACK_MEM, /* the partition gives a node of a job less memory */
	EQT_QUOTE_LACK_MOST, /* the partition gives a job fewer than it wants */
	EQT_QUOTE_LACK_LEAST /* the partition gives a job more than it allows */
};

/* A plain value; prices is borrowed and must outlive it. */
struct eqt_quote {
	const struct eqt_bundle_table *prices;
	/* Is there a price in the other unit, too, since some of the nodes or partitions
	   that may take it have GPUs and others have none? */
	bool also;
	bool by_model; /* low and high: the model is not known */
	bool by_nodes; /* low and high: fewer, more nodes */
	bool by_parts; /* and low is what is left where nodes are used in part */
	bool by_partition; /* low and high: the partition that takes it */
	bool by_qos; /* low and high: the QOS in which it runs */
	bool by_factor; /* the factors of partitions or QOS differ: the words
			   have what is charged */
	enum eqt_quote_lack lack; /* the message then says this instead of a
				     price */
	bool fits; /* nodes of one kind alone hold it */
	bool starts_now; /* the nodes that are free have one price */
	bool least; /* the job may get more than that */
	uint64_t spread_nodes; /* 0: it is the same on any number */
	uint64_t array_tasks; /* 0: no array; each costs that much */
	bool array_at_most; /* array_tasks is an upper bound */
	uint64_t minutes; /* time limit; 0: not known */
	enum eqt_quote_advice advice;
	uint64_t advice_amount; /* MiB, CPUs or tasks */
	struct eqt_frac advice_price; /* equivalents it would then be */
	/* A quote begins with all of the above 0 or false, and these not set. */
	struct eqt_job_totals totals;
	struct eqt_price low; /* the price ... */
	struct eqt_price high; /* ... or the dearest it could be */
	struct eqt_price also_low, also_high; /* with also */
	struct eqt_price now; /* with starts_now */
	/* What it would be on spread_nodes nodes, where no number of nodes is asked for */
	struct eqt_price spread;
};

/*
 * Price a request. 0, or -1 with err filled and *out undefined: errors of
 * eqt_job_spec_compute() and eqt_price_range(). An array that cannot be counted counts
 * as one task: Slurm refuses it.
 */
int eqt_quote_make(struct eqt_quote *out, const struct eqt_bundle_table *prices,
		   const struct eqt_job_spec *spec, struct eqt_error *err);

/* The same of a request that is counted already (eqt_parsed_spec_make()), with
 * prices that have bundles of the same names. Errors of eqt_price_range(). */
int eqt_quote_count(struct eqt_quote *out,
		    const struct eqt_bundle_table *prices,
		    const struct eqt_job_spec *spec,
		    const struct eqt_parsed_spec *parsed,
		    struct eqt_error *err);

/* The same without the tasks of an array and the advice, which are told once. Errors of
 * it. */
int eqt_quote_price(struct eqt_quote *out,
		    const struct eqt_bundle_table *prices,
		    const struct eqt_job_spec *spec,
		    const struct eqt_parsed_spec *parsed,
		    struct eqt_error *err);

/* The same without what the request would cost on more nodes than it needs, which only
 * budgets and messages read. */
int eqt_quote_unspread(struct eqt_quote *out,
		       const struct eqt_bundle_table *prices,
		       const struct eqt_job_spec *spec,
		       const struct eqt_parsed_spec *parsed,
		       struct eqt_error *err);

/* Count the tasks of an array for a quote. */
void eqt_quote_count_tasks(struct eqt_quote *quote,
			   const struct eqt_job_spec *spec);

/* Look for a way to pay less than high, and fill in the advice of a quote: one price,
 * whatever nodes the job gets. It takes as long as a price. */
void eqt_quote_advise(struct eqt_quote *quote, const struct eqt_job_spec *spec);

/*
 * Widen a bill by that of the same request in another partition or QOS, which is then
 * no longer needed: low and high become the least and the most that is
 * charged, or also_low and also_high where the units differ. A partition that lacks
 * nodes does not count if another one does not. Advice stays if both have the same.
 */
void eqt_quote_widen(struct eqt_quote *quote, const struct eqt_quote *other);

/* Whether a request has the same quote as in another partition in which it fits on nodes of
 * one kind: by other nodes of the same kinds, of which there are enough. False where that is
 * not known at once. The strings of both are the same pointers. */
bool eqt_quote_classes_alike(const struct eqt_job_spec *spec,
			     const struct eqt_job_spec *other);

/* Do cores decide that MaxMemPerCPU has added? Then memory is the real reason. */
bool eqt_quote_by_limit(const struct eqt_quote *quote);

/* The highest charge that is possible, whatever Slurm chooses. Caps, grants, budgets
 * and limits compare with it. */
struct eqt_price eqt_quote_most(const struct eqt_quote *quote);

/* The same if the request had -N with the least number of nodes that it needs. */
struct eqt_price eqt_quote_most_with_number(const struct eqt_quote *quote);

/* May the nodes that are free now have one price where the quote has several? */
bool eqt_quote_now_helps(const struct eqt_quote *quote,
			 const struct eqt_job_spec *spec);

/* If a quote is a range, find the price on the lightest free nodes, if that is one
 * number. */
void eqt_quote_now_note(struct eqt_quote *quote,
			const struct eqt_job_spec *spec,
			const struct eqt_nodes_now *now);

/*
 * The charge of one task, with the factors of queues and UsageFactor, times the hours
 * of the time limit. 0, or -1 (out untouched): no limit is known, or it does not fit.
 */
int eqt_quote_hours(struct eqt_frac *out, const struct eqt_quote *quote,
		    const struct eqt_price *price);

#endif
