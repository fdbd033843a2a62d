/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report: the data of all pages of a report, collected in one pass over the jobs. */
#ifndef EQT_REPORT_REPORT_H
#define EQT_REPORT_REPORT_H

#include "cli/names.h"
#include "report/waits.h"
#include "slurm/live_cluster.h"
#include "slurm/sshare.h"
#include "usage/usage.h"
#include "usage/sum.h"

#define EQT_REPORT_LAST 25 /* jobs of a user that are shown */

/* A job that ran. Texts are borrowed. */
struct eqt_report_run {
	char id[32];
	const char *account, *partition, *qos, *state;
	int64_t start_s, end_s;
	double rate[EQT_YEAR_UNITS];
	double active_s; /* charged */
	bool stretch; /* one of several stretches, by the record of charges */
};

/* A plain value; {0} is empty. */
struct eqt_report_last {
	struct eqt_report_run run[EQT_REPORT_LAST]; /* the newest first */
	size_t count;
};

#define EQT_REPORT_WAITING 25 /* waiting jobs of a user that are shown */

/* Usage of the cluster, an account or a user, in unit-seconds. Owned by the report. */
struct eqt_report_use {
	eqt_u128 total[EQT_YEAR_UNITS];
	eqt_u128 *day[2]; /* of EQT_YEAR_CORE and EQT_YEAR_GPU; NULL: none */
	uint64_t jobs;
	size_t waiting, running; /* jobs at present */
};

struct eqt_report_user {
	const char *name;
	struct eqt_report_use use;
	struct eqt_report_last last;
	uint32_t waiting; /* the first in the report's list, or EQT_TREE_NONE */
	bool present; /* has an association */
};

struct eqt_report_account {
	const char *name;
	uint32_t assoc; /* in the shares; EQT_TREE_NONE: gone */
	struct eqt_report_use use; /* accounts below included */
};

/* The usage of one user in one account. */
struct eqt_report_pair {
	const char *key; /* "account\nuser" */
	const char *account, *user;
	struct eqt_report_use use;
};

/* The jobs that go before a waiting one. */
struct eqt_report_ahead {
	size_t jobs, pending;
};

/* When a waiting job will start; 0: no forecast. A plain value. */
struct eqt_report_start {
	int64_t early_s, median_s, late_s; /* or EQT_FORECAST_LATER */
};

/* Owns its memory; {0} is empty. */
struct eqt_report {
	struct eqt_year year;
	struct eqt_live_cluster live;
	struct eqt_sshare_index index; /* of year.shares */
	struct eqt_report_use use; /* of the cluster */
	struct eqt_names users, accounts, pairs, texts;
	struct eqt_names clusters; /* of a sum; struct eqt_report_account */
	struct eqt_report_pair **pair; /* by account and user */
	struct eqt_report_account **by_assoc; /* NULL for a user */
	int64_t *day_from; /* of each day, and the end of the last */
	size_t days; /* until seen_s */
	uint32_t *next_waiting; /* by job, in the order of priority */
	struct eqt_report_ahead *ahead; /* by job */
	struct eqt_report_start *start; /* by job; NULL: none was forecast */
	char cluster[64]; /* its name; "": not known */
	struct eqt_waits waits;
};

struct eqt_report_options {
	struct eqt_year_options year;
	const char *out;
	const char *from; /* a folder of saved answers; NULL: ask Slurm */
	struct eqt_waits_span span; /* of waits and use */
	char path[4][EQT_LIVE_PATH]; /* of files in it */
};

/* Collect the data from Slurm or from the folder. Returns 0, or -1 with err filled; free
 * *report in both cases. */
int eqt_report_make(struct eqt_report *report,
		    struct eqt_report_options *options, struct eqt_error *err);

/* Add the usage and the jobs of a cluster to a sum of clusters, which begins as {0}. 0, or
 * -1 with err filled: the cluster counts in other units. */
int eqt_report_sum(struct eqt_report *sum, const struct eqt_report *one,
		   struct eqt_error *err);

/* Free what *report owns. */
void eqt_report_free(struct eqt_report *report);

/* The user, account or pair of these names, which is added if needed. */
struct eqt_report_user *eqt_report_user(struct eqt_report *report,
					const char *name);
struct eqt_report_account *eqt_report_account(struct eqt_report *report,
					      const char *name);
struct eqt_report_pair *eqt_report_pair(struct eqt_report *report,
					const char *account, const char *user);

/* Convert unit-seconds to the unit that pages show: years of the allocation year, kWh or
 * kgCO2e. */
double eqt_report_used(const struct eqt_report *report, int unit,
		       eqt_u128 amount);

#endif
