/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget: an amount that an account, or a user of an account, may spend.
 *
 * Amounts are in millionths of an equivalent-second ("_u"), so that sums are exact
 * integers. Times are in seconds since the epoch. All numbers are uint64_t, so that one
 * table (entry.c) can write and read them all.
 */
#ifndef EQT_BUDGET_H
#define EQT_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes for the name of an account or a user and a NUL. */
#define EQT_BUDGET_NAME 256
#define EQT_BUDGET_DATES 256 /* bytes for the dates of refills and a NUL */
#define EQT_BUDGET_CLUSTERS 128 /* bytes for the names of clusters and a NUL */
#define EQT_BUDGET_CLUSTER 48

/* An equivalent-hour (service unit), and the largest amount of one budget. A sum of a
 * few such amounts does not overflow. */
#define EQT_BUDGET_HOUR_U UINT64_C(3600000000)
#define EQT_BUDGET_MOST_U (UINT64_C(1) << 61)

/* The jobs that draw on a budget. */
enum eqt_budget_pool {
	EQT_BUDGET_ALL,
	EQT_BUDGET_CORES, /* the jobs without GPUs */
	EQT_BUDGET_GPUS,
	EQT_BUDGET_POOLS
};

/* What happens to a submission that does not fit into a budget. */
enum eqt_budget_way {
	EQT_BUDGET_HOLD, /* the job is held if it can fit later */
	EQT_BUDGET_REFUSE,
	EQT_BUDGET_BONUS, /* the job is moved to another QOS */
	EQT_BUDGET_WAYS
};

/* The times at which a budget is refilled. */
enum eqt_budget_every {
	EQT_BUDGET_NEVER,
	EQT_BUDGET_MONTH,
	EQT_BUDGET_QUARTER,
	EQT_BUDGET_DATES_LISTED,
	EQT_BUDGET_LIMIT, /* the budget follows the limit of its account */
	EQT_BUDGET_EVERYS
};

/* What an operator has set for a budget. A plain value. */
struct eqt_budget_terms {
	char account[EQT_BUDGET_NAME];
	/* "" if the budget is for the whole account. */
	char user[EQT_BUDGET_NAME];
	uint64_t pool; /* a value of enum eqt_budget_pool */
	uint64_t way; /* a value of enum eqt_budget_way */
	char bonus[EQT_BUDGET_NAME]; /* the QOS for EQT_BUDGET_BONUS */
	uint64_t amount_u;
	uint64_t start;
	uint64_t end; /* when the budget ends, or 0 if it never ends */
	uint64_t every; /* a value of enum eqt_budget_every */
	uint64_t refill_u; /* the amount of each refill */
	/* Whether the rest of a period is kept at a refill; 1 means yes. */
	uint64_t carry;
	/* The dates for EQT_BUDGET_DATES_LISTED, as ascending seconds since the epoch
	 * with commas between. */
	char dates[EQT_BUDGET_DATES];
	/* The next two members are for a grant on several clusters, each of which has a
	 * part of the grant. */
	/* Names of clusters, such as "a,b". */
	char clusters[EQT_BUDGET_CLUSTERS];
	/* Number of the joint grant, which is the same on all clusters. 0 means that
	 * this is not a joint grant. */
	uint64_t joint;
};

/* The present state of a budget. A plain value. spent + committed is never above the
 * amount. */
struct eqt_budget {
	uint64_t id; /* the id of the budget, where the first id is 1 */
	struct eqt_budget_terms terms;
	/* What was granted, refilled and transferred, less what has lapsed. */
	uint64_t amount_u;
	uint64_t spent_u;
	uint64_t committed_u; /* committed for jobs that run or may start */
	/* Amount of a change whose entry is not yet on disk. */
	uint64_t frozen_u;
	/* The sum of all refunds, which spent_u no longer contains. */
	uint64_t refunded_u;
	uint64_t overrun_u; /* the charges of jobs for which nothing was left */
	uint64_t granted; /* time when the budget was granted */
	uint64_t period; /* the number of refills so far */
	uint64_t next; /* time of the next refill; 0 if there is none */
	/* The highest threshold, in percent, of which people were notified. */
	uint64_t notified;
	/* Whether the budget is closed, so that nothing can be taken from it; 1 means
	 * yes. */
	uint64_t closed;
	/* Whether a closed budget does not stop its owner's jobs; 1 means yes. */
	uint64_t lifted;
};

/* The transfers between this cluster's part of a grant and the part of another cluster.
 * In each direction at most one transfer is in transit. A plain value. */
struct eqt_budget_peer {
	uint64_t budget;
	char cluster[EQT_BUDGET_CLUSTER];
	/* Number of the last transfer to the other cluster; numbers ascend. */
	uint64_t sent;
	/* Amount of this transfer until its arrival is confirmed, then 0. */
	uint64_t transit_u;
	/* The next refill of the budget at the time when the transfer was sent;
	 * 0 if there is none. */
	uint64_t next;
	/* The number and the amount of the last transfer from the other cluster. */
	uint64_t received;
	uint64_t received_u;
};

/* Return the amount that can still be committed or transferred. */
uint64_t eqt_budget_left(const struct eqt_budget *budget);

/* Can jobs draw on a budget at this time? */
bool eqt_budget_in_force(const struct eqt_budget *budget, uint64_t now);

/* Does a budget count for jobs of this pool, cores or GPUs? */
bool eqt_budget_has_pool(const struct eqt_budget *budget,
			 enum eqt_budget_pool pool);

/* Does a budget count for jobs of this pool in a QOS (NULL: none), now or at another time?
 * A job in the bonus QOS of the budget draws nothing. A budget that is closed or over
 * counts, because its owner has nothing left. */
bool eqt_budget_counts(const struct eqt_budget *budget,
		       enum eqt_budget_pool pool, const char *qos);

/* Return the spent and committed part of a budget in percent, rounded down. It is 100
 * if the amount is 0. It is always 0 for a part of a joint grant, because the amount of
 * such a part changes all the time. */
uint64_t eqt_budget_percent(const struct eqt_budget *budget);

/* Return the first refill after a time. It is the beginning of a month or of a quarter
 * in local time, or a date of the list. 0 means that there is none. */
uint64_t eqt_budget_next_refill(const struct eqt_budget_terms *terms,
				uint64_t after);

/* The words of enum eqt_budget_way in the order of its values, ending with NULL. */
extern const char *const eqt_budget_way_words[];

/* Convert values to words such as "cores", "hold" and "quarter" for people and files,
 * and back. A value that is out of range becomes "?". The parsers return -1 for an
 * unknown word. */
const char *eqt_budget_pool_word(uint64_t pool);
const char *eqt_budget_way_word(uint64_t way);
const char *eqt_budget_every_word(uint64_t every);
int eqt_budget_pool_parse(uint64_t *out, const char *word);
int eqt_budget_way_parse(uint64_t *out, const char *word);
int eqt_budget_every_parse(uint64_t *out, const char *word);

#endif
