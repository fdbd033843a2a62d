/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_quote: the price of a request before it runs. price_message.h writes it as a
 * text.
 *
 * The submission plugin and the command use the same functions, so that they print the
 * same price. Nothing is allocated except in eqt_amount_array_tasks(), which counts the
 * tasks of an array.
 */
#ifndef EQT_QUOTE_H
#define EQT_QUOTE_H

#include <stdbool.h>
#include <stdint.h>

#include "job/job_totals.h"
#include "job/node_offer.h"
#include "base/error.h"
#include "price/price.h"

/* The option whose change makes a request cheaper. */
enum eqt_quote_advice {
	EQT_QUOTE_ADVICE_NONE,
	EQT_QUOTE_ADVICE_MEM, /* change --mem */
	EQT_QUOTE_ADVICE_MEM_PER_CPU,
	EQT_QUOTE_ADVICE_MEM_PER_GPU,
	EQT_QUOTE_ADVICE_CPUS_PER_TASK,
	EQT_QUOTE_ADVICE_CPUS_PER_GPU,
	EQT_QUOTE_ADVICE_TASKS /* change -n */
};

/* The reason why no known nodes can run a request. Slurm then refuses the request or
 * never starts it. */
enum eqt_quote_lack {
	EQT_QUOTE_LACK_NOTHING,
	/* No node has the names and the GPUs that the request wants. */
	EQT_QUOTE_LACK_NODES,
	/* No node has enough CPUs for a task, or enough memory. */
	EQT_QUOTE_LACK_SIZE,
	EQT_QUOTE_LACK_ROOM, /* All nodes together are too small. */
	/* The largest number of nodes that the request allows is too small. */
	EQT_QUOTE_LACK_NUMBER,
	/* The job needs more nodes than it has tasks, but each node needs a task. */
	EQT_QUOTE_LACK_TASKS,
	/* MaxMemPerNode of the partition is less than the memory for each node. */
	EQT_QUOTE_LACK_MEM,
	/* The partition allows fewer nodes than the request wants. */
	EQT_QUOTE_LACK_MOST,
	/* The partition gives a job more nodes than the request allows. */
	EQT_QUOTE_LACK_LEAST
};

/* A price or a range of prices for a request. A plain value; prices is borrowed and
 * must live longer than the quote. */
struct eqt_quote {
	const struct eqt_bundle_table *prices;
	/* Whether also_low and also_high have a price in the other unit. Some of the
	 * nodes or partitions that may run the job then have GPUs, and others have
	 * none. */
	bool also;
	/* Whether low and high differ because the GPU model is not known. */
	bool by_model;
	/* Whether low and high differ because the number of nodes is not known. */
	bool by_nodes;
	/* Whether low is the price of a job that gets fewer CPUs on nodes used in
	 * part. */
	bool by_parts;
	/* Whether low and high differ because the partition is not known. */
	bool by_partition;
	/* Whether low and high differ because the QOS is not known. */
	bool by_qos;
	/* Whether partitions or QOS have different factors. The message then has the
	 * charge instead of the equivalents. */
	bool by_factor;
	/* The reason why there is no price; the message then has this reason. */
	enum eqt_quote_lack lack;
	bool fits; /* whether nodes of one kind are enough for the job */
	/* Whether the job would get the same nodes and CPUs if it requested less
	 * memory. */
	bool steady;
	/* Whether the request has a single price on the nodes that are idle now. */
	bool starts_now;
	/* Whether the job may get more resources than the price contains. */
	bool least;
	/* Nodes of the price in spread; 0 if more nodes do not change the price. */
	uint64_t spread_nodes;
	/* Number of tasks of an array, each of which has the price. 0 means that the
	 * job is not an array. */
	uint64_t array_tasks;
	bool array_at_most; /* whether array_tasks is an upper bound */
	uint64_t minutes; /* the time limit in minutes; 0 if it is not known */
	enum eqt_quote_advice advice;
	/* The value of the option: MiB, CPUs or tasks. */
	uint64_t advice_amount;
	/* The price with this value, in equivalents. */
	struct eqt_frac advice_price;
	/* A new quote has all members above this line set to 0 or false. The members
	 * below are not initialised. */
	struct eqt_job_totals totals;
	struct eqt_price low; /* the lowest price of the request */
	struct eqt_price high; /* the highest price of the request */
	/* The range in the other unit if also is true. */
	struct eqt_price also_low, also_high;
	/* The price on idle nodes if starts_now is true. */
	struct eqt_price now;
	/* The price on spread_nodes nodes, for a request that gives no number of
	 * nodes. */
	struct eqt_price spread;
};

/*
 * Compute the price of a request. Return 0, or -1 with err filled and *out undefined.
 * Errors are those of eqt_job_spec_compute() and eqt_price_range(). An array that
 * cannot be counted counts as one task, because Slurm refuses it.
 */
int eqt_quote_make(struct eqt_quote *out, const struct eqt_bundle_table *prices,
		   const struct eqt_job_spec *spec, struct eqt_error *err);

/* Compute the price of a request that eqt_parsed_spec_make() has counted. The prices
 * must have bundles of the same names as those with which it was counted. Errors are
 * those of eqt_price_range(). */
int eqt_quote_count(struct eqt_quote *out,
		    const struct eqt_bundle_table *prices,
		    const struct eqt_job_spec *spec,
		    const struct eqt_parsed_spec *parsed,
		    struct eqt_error *err);

/* Do the same as eqt_quote_count() without the tasks of an array and without advice,
 * which a caller with several partitions needs only once. Errors are those of
 * eqt_price_range(). */
int eqt_quote_price(struct eqt_quote *out,
		    const struct eqt_bundle_table *prices,
		    const struct eqt_job_spec *spec,
		    const struct eqt_parsed_spec *parsed,
		    struct eqt_error *err);

/* Do the same as eqt_quote_price() without the price on more nodes than the request
 * needs, which only budgets and messages use. */
int eqt_quote_price_unspread(struct eqt_quote *out,
			     const struct eqt_bundle_table *prices,
			     const struct eqt_job_spec *spec,
			     const struct eqt_parsed_spec *parsed,
			     struct eqt_error *err);

/* Count the tasks of an array for a quote. */
void eqt_quote_count_tasks(struct eqt_quote *quote,
			   const struct eqt_job_spec *spec);

/* Look for a cheaper request, and store it as the advice of a quote. The cheaper
 * request must have a single price below `high`, whatever nodes the job gets. This
 * takes as long as a quote. */
void eqt_quote_advice_find(struct eqt_quote *quote,
			   const struct eqt_job_spec *spec);

/*
 * Extend a quote by the quote for the same request in another partition or QOS, which
 * need not exist after the call. low and high become the lowest and the highest charge
 * of both. If the units differ, the other quote goes to also_low and also_high. A
 * partition without nodes for the request is ignored if another one has nodes. The
 * advice remains only if both quotes have the same advice.
 */
void eqt_quote_widen(struct eqt_quote *quote, const struct eqt_quote *other);

/* Does a request have the same quote in another partition, where it has nodes of the
 * same kinds and enough of them? The request must fit on nodes of one kind. Return
 * false if this is not known without pricing. The strings of the two requests must be
 * the same pointers. */
bool eqt_quote_classes_alike(const struct eqt_job_spec *spec,
			     const struct eqt_job_spec *other);

/* Return the highest charge that is possible, whatever Slurm chooses. Caps, grants,
 * budgets and limits are compared with this price. */
struct eqt_price eqt_quote_most(const struct eqt_quote *quote);

/* Return the highest charge if the request gave -N with the smallest number of nodes
 * that it needs. */
struct eqt_price eqt_quote_most_with_number(const struct eqt_quote *quote);

/* May the nodes that are idle now have one price if the quote is a range? */
bool eqt_quote_now_helps(const struct eqt_quote *quote,
			 const struct eqt_job_spec *spec);

/* If a quote is a range, find the price on the idle nodes with the lowest weight, which
 * Slurm takes first. It is stored only if it is a single price. */
void eqt_quote_now_note(struct eqt_quote *quote,
			const struct eqt_job_spec *spec,
			const struct eqt_nodes_now *now);

/*
 * Compute the usage of one task for the whole time limit, in equivalent-hours, with all
 * factors. Return 0, or -1 with *out unchanged if no limit is known or the result does
 * not fit 64 bits.
 */
int eqt_quote_hours(struct eqt_frac *out, const struct eqt_quote *quote,
		    const struct eqt_price *price);

#endif
