/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report: the data of all pages of a report, collected in one pass over the jobs. */
#ifndef EQT_REPORT_REPORT_H
#define EQT_REPORT_REPORT_H

#include "cli/names.h"
#include "report/waits.h"
#include "scene/scene.h"
#include "slurm/live_cluster.h"
#include "slurm/sshare.h"
#include "usage/usage.h"
#include "usage/sum.h"

#define EQT_REPORT_LAST 25 /* number of jobs that the page of a user shows */

/* A job that ran. Texts are borrowed. */
struct eqt_report_run {
	char id[32];
	const char *account, *partition, *qos, *state;
	int64_t start_s, end_s;
	double rate[EQT_YEAR_UNITS];
	double active_s; /* charged seconds */
	bool stretch; /* one of several stretches in the record of charges */
};

/* The last runs of a user. A plain value; {0} is empty. */
struct eqt_report_last {
	struct eqt_report_run run[EQT_REPORT_LAST]; /* the latest comes first */
	size_t count;
};

/* number of waiting jobs that the page of a user shows */
#define EQT_REPORT_WAITING 25

/* The usage of the cluster, an account or a user, in unit-seconds. The report owns it. */
struct eqt_report_use {
	eqt_u128 total[EQT_YEAR_UNITS];
	/* sums for EQT_YEAR_CORE and EQT_YEAR_GPU; NULL: no usage */
	eqt_u128 *day[2];
	uint64_t jobs;
	size_t waiting, running; /* present number of jobs */
};

struct eqt_report_user {
	const char *name;
	struct eqt_report_use use;
	struct eqt_report_last last;
	/* the user's first job in the report's list, or EQT_TREE_NONE */
	uint32_t waiting;
	bool present; /* has an association */
};

struct eqt_report_account {
	const char *name;
	/* index in the shares; EQT_TREE_NONE: the account was removed */
	uint32_t assoc;
	struct eqt_report_use use; /* including the accounts below it */
};

/* The usage of one user in one account. */
struct eqt_report_pair {
	const char *key; /* "account\nuser" */
	const char *account, *user;
	struct eqt_report_use use;
};

/* The jobs that go before a waiting job. */
struct eqt_report_ahead {
	size_t jobs, pending;
};

/* Owns its memory; {0} is empty. */
struct eqt_report {
	struct eqt_year year;
	struct eqt_live_cluster live;
	struct eqt_sshare_index index; /* index of year.shares */
	struct eqt_report_use use; /* usage of the cluster */
	/* pairs are sorted by account and user */
	struct eqt_names users, accounts, pairs, texts;
	/* clusters of a sum; entries are struct eqt_report_account */
	struct eqt_names clusters;
	/* by association; NULL for a user */
	struct eqt_report_account **by_assoc;
	/* first second of each day, and the end of the last day */
	int64_t *day_from;
	size_t days; /* number of days until seen_s */
	uint32_t *next_waiting; /* by job, in the order of priority */
	struct eqt_report_ahead *ahead; /* by job */
	/* when each job will start, 0: no forecast; NULL: nothing was forecast */
	struct eqt_forecast_interval *start;
	/* on how many past forecasts the intervals are based */
	char record[EQT_SCENE_RECORD];
	char cluster[64]; /* name of the cluster; "": not known */
	/* seconds after which browsers load a page again; 0: never */
	uint64_t refresh_s;
	struct eqt_waits waits;
};

struct eqt_report_options {
	struct eqt_year_options year;
	const char *out;
	const char *from; /* folder of saved answers; NULL: ask Slurm */
	uint64_t refresh_s; /* as in struct eqt_report */
	struct eqt_waits_span span; /* days of the tables of waits and use */
	char path[4][EQT_LIVE_PATH]; /* paths of files in that folder */
};

/* Collect the data from Slurm or from the folder. Returns 0, or -1 with err filled. In
 * both cases the caller must free *report. */
int eqt_report_make(struct eqt_report *report,
		    struct eqt_report_options *options, struct eqt_error *err);

/* Add the usage and the jobs of a cluster to a sum of clusters, which begins as {0}.
 * Returns 0, or -1 with err filled if the cluster counts in other units. */
int eqt_report_sum(struct eqt_report *sum, const struct eqt_report *one,
		   struct eqt_error *err);

/* Free what *report owns. */
void eqt_report_free(struct eqt_report *report);

/* The user, account or pair with these names, which is added if needed. */
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
