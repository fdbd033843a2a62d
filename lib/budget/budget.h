/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget: an amount that an account, or a user of an account, may spend.
 *
 * Amounts are millionths of an equivalent-second ("_u"), so that sums are exact
 * integers. Times are seconds since the epoch. All numbers are uint64_t: one
 * table (entry.c) then writes and reads them all.
 */
#ifndef EQT_BUDGET_H
#define EQT_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#define EQT_BUDGET_NAME 256 /* of an account or a user, and the NUL */
#define EQT_BUDGET_DATES 256 /* dates of refills, and the NUL */
#define EQT_BUDGET_CLUSTERS 128 /* names of clusters, and the NUL */
#define EQT_BUDGET_CLUSTER 48

/* An equivalent-hour (service unit), and the largest amount of one budget:
 * sums of a few cannot overflow. */
#define EQT_BUDGET_HOUR_U UINT64_C(3600000000)
#define EQT_BUDGET_MOST_U (UINT64_C(1) << 61)

/* The jobs that draw on a budget. */
enum eqt_budget_pool {
	EQT_BUDGET_ALL,
	EQT_BUDGET_CORES, /* jobs without GPUs */
	EQT_BUDGET_GPUS,
	EQT_BUDGET_POOLS
};

/* What happens to a submission that does not fit. */
enum eqt_budget_way {
	EQT_BUDGET_HOLD, /* it waits if it can fit later */
	EQT_BUDGET_REFUSE,
	EQT_BUDGET_BONUS, /* it goes to another QOS */
	EQT_BUDGET_WAYS
};

/* When a budget is refilled. */
enum eqt_budget_every {
	EQT_BUDGET_NEVER,
	EQT_BUDGET_MONTH,
	EQT_BUDGET_QUARTER,
	EQT_BUDGET_DATES_LISTED,
	EQT_BUDGET_LIMIT, /* it follows the limit of its account */
	EQT_BUDGET_EVERYS
};

/* The terms that an operator gives. A plain value. */
struct eqt_budget_terms {
	char account[EQT_BUDGET_NAME];
	char user[EQT_BUDGET_NAME]; /* "": all of the account */
	uint64_t pool; /* enum eqt_budget_pool */
	uint64_t way; /* enum eqt_budget_way */
	char bonus[EQT_BUDGET_NAME]; /* the QOS of EQT_BUDGET_BONUS */
	uint64_t amount_u;
	uint64_t start;
	uint64_t end; /* 0: never */
	uint64_t every; /* enum eqt_budget_every */
	uint64_t refill_u; /* amount of each refill */
	uint64_t carry; /* 1: what is left at a refill stays */
	char dates[EQT_BUDGET_DATES]; /* of EQT_BUDGET_DATES_LISTED: epoch
					 seconds, ascending, with commas */
	/* Of a grant on several clusters, each of which has a part of it: */
	char clusters[EQT_BUDGET_CLUSTERS]; /* "a,b" */
	uint64_t joint; /* number of the joint grant, the same on all clusters;
			  0: no joint grant */
};

/* The present state of a budget. A plain value; spent + committed <= amount. */
struct eqt_budget {
	uint64_t id; /* from 1 on */
	struct eqt_budget_terms terms;
	uint64_t
		amount_u; /* granted, refilled and transferred, less what lapsed */
	uint64_t spent_u;
	uint64_t committed_u; /* by jobs that run or may start */
	uint64_t frozen_u; /* frozen until its entry is on disk */
	uint64_t refunded_u; /* given back so far; no longer in spent_u */
	uint64_t overrun_u; /* charges of jobs that found nothing left */
	uint64_t granted; /* when */
	uint64_t period; /* counts refills */
	uint64_t next; /* the next refill; 0: none */
	uint64_t notified; /* the highest threshold notified, in percent */
	uint64_t closed; /* 1: nothing can be taken from it */
	uint64_t lifted; /* 1: closed, and its owner needs no budget for it */
};

/* The transfers between a part of a grant and the part on another cluster. At most one
 * transfer is in transit in each direction. A plain value. */
struct eqt_budget_peer {
	uint64_t budget;
	char cluster[EQT_BUDGET_CLUSTER];
	uint64_t sent; /* number of the last transfer to it; they ascend */
	uint64_t
		transit_u; /* its amount until it is known to have arrived; 0 */
	uint64_t next; /* the refill before which it was sent; 0: none */
	uint64_t received; /* number of the last one from it, and its amount */
	uint64_t received_u;
};

/* What can still be committed or transferred. */
uint64_t eqt_budget_left(const struct eqt_budget *budget);

/* Can jobs draw on it at that time? */
bool eqt_budget_in_force(const struct eqt_budget *budget, uint64_t now);

/* Does it count for jobs of that pool (cores or GPUs)? */
bool eqt_budget_has_pool(const struct eqt_budget *budget,
			 enum eqt_budget_pool pool);

/* Spent and committed in percent of the amount, rounded down. 100 if the amount is 0.
 * Always 0 for a part of a joint grant, whose amount changes all the time. */
uint64_t eqt_budget_percent(const struct eqt_budget *budget);

/* The same if that much more were committed. */
uint64_t eqt_budget_percent_with(const struct eqt_budget *budget,
				 uint64_t more_u);

/* The first refill after a time: the begin of a month or of a quarter in local time, or a
 * date of the list; 0: none. */
uint64_t eqt_budget_next_refill(const struct eqt_budget_terms *terms,
				uint64_t after);

/* The words of enum eqt_budget_way in its order; NULL ends them. */
extern const char *const eqt_budget_way_words[];

/* Words for people and files: "cores", "hold", "quarter"; "?" for a value that is out of
 * range. The parsers return -1 for an unknown word. */
const char *eqt_budget_pool_word(uint64_t pool);
const char *eqt_budget_way_word(uint64_t way);
const char *eqt_budget_every_word(uint64_t every);
int eqt_budget_pool_parse(uint64_t *out, const char *word);
int eqt_budget_way_parse(uint64_t *out, const char *word);
int eqt_budget_every_parse(uint64_t *out, const char *word);

#endif
