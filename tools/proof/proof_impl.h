/* SPDX-License-Identifier: GPL-2.0-or-later */
/* proof_impl: what the files of the proof share. */
#ifndef EQT_PROOF_IMPL_H
#define EQT_PROOF_IMPL_H

#include <stdio.h>

#include "cli/json.h"
#include "cli/names.h"
#include "conf/conf.h"
#include "proof/proof.h"
#include "slurm/charges.h"
#include "slurm/sshare.h"

/* relative error of a sum that is added in another order */
#define EQT_PROOF_ROUNDING 1e-6

/* The sums of an association. */
enum { EQT_PROOF_RAW, EQT_PROOF_BILLING, EQT_PROOF_SUMS };

/* The value of a sum at each of the two moments. */
struct eqt_proof_range {
	double least, most;
};

/* An association according to the record. */
struct eqt_proof_pair {
	const char *name; /* "account user" */
	struct eqt_proof_range sum[EQT_PROOF_SUMS];
	bool seen; /* sshare has the association */
};

/* A job according to the record, to accounting and to budgets. The runs of a requeued job
 * count as one. */
struct eqt_proof_job {
	const char *name; /* its id */
	struct eqt_proof_pair *pair;
	int64_t first_s, last_s; /* first start and last end of the job */
	/* the job's part of the association's sums */
	double counted[EQT_PROOF_SUMS];
	double recorded_s, accounted_s;
	double recorded, accounted; /* billing multiplied by seconds */
	int64_t start_s; /* start of the job's last run in the record */
	int64_t open_s; /* end of the job's last stretch in the record */
	double waited_s; /* seconds suspended before the end of a run */
	bool repriced; /* the job's billing changed while the job ran */
	/* the job runs or is held, or has several rows that are not over */
	bool running;
	struct {
		double owed; /* equivalent-seconds since the last entry */
		double due; /* equivalent-seconds of stretches with an entry */
		/* equivalent-seconds of stretches without an entry */
		double free;
		/* charged according to the journal of budgets */
		double settled;
		/* charged by entries after the last one that was read */
		double later;
		double rounding; /* error from rounding rates, in millionths */
		bool seen; /* a line of the record about the job was read */
		bool late; /* the record lacks the beginning of the job */
		bool reported;
	} budgets;
};

/* An entry of the budgets' journal that charges a job. */
struct eqt_proof_settlement {
	uint64_t entry;
	uint64_t job;
	int64_t when_s;
	uint64_t least_u, most_u; /* the least and the most that a level paid */
	uint64_t overrun_u; /* what the level could not pay */
	/* charge according to the last line that names the entry */
	uint64_t paid_u;
	bool seen; /* a line of the record names the entry */
};

struct eqt_proof_budgets {
	bool read;
	uint64_t count; /* number of budgets */
	uint64_t first, last; /* first and last entry of the journal */
	struct eqt_proof_settlement *settlement; /* owned; sorted by entry */
	size_t settlements;
};

struct eqt_proof {
	const struct eqt_proof_options *options;
	const struct eqt_conf *conf;
	struct eqt_names pairs, jobs;
	struct eqt_charges_read read;
	struct eqt_proof_budgets budgets;
	int64_t early_s, late_s; /* the last pass was between these times */
	int64_t now_s; /* when sshare was asked */
	/* earliest start of runs that are compared with accounting */
	int64_t since_s;
	/* time of the first line of the record; 0: it has none */
	int64_t begin_s;
	int64_t reset_s;
	uint32_t half_life_s;
	bool limits; /* AccountingStorageEnforce has "limits" */
	/* pairs are found by association id, and nothing after late_s counts */
	bool by_id;
	double unit; /* unit of RawUsage, in equivalents */
	size_t compared, associations, differences;
	json_object *list; /* NULL: print text */
};

/* Count a difference, and print it or add it to the list. */
void eqt_proof_report(struct eqt_proof *proof, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The job with this id. A new job has no charges. */
static inline struct eqt_proof_job *eqt_proof_job(struct eqt_proof *proof,
						  const char *id)
{
	return eqt_names_get(&proof->jobs, id, sizeof(struct eqt_proof_job),
			     NULL);
}

/* The association of an account and a user. A new association has no sums. */
static inline struct eqt_proof_pair *eqt_proof_pair(struct eqt_proof *proof,
						    const char *account,
						    const char *user)
{
	char name[2 * EQT_CHARGE_NAME + 2];

	(void) snprintf(name, sizeof(name), "%s %s", account, user);
	return eqt_names_get(&proof->pairs, name, sizeof(struct eqt_proof_pair),
			     NULL);
}

/* Report the associations whose sums differ from those of sshare. */
void eqt_proof_shares(struct eqt_proof *proof, const struct eqt_sshare *shares);

/* Read the journals of budgets in a folder, before the record is read, and report what is
 * wrong with them. On a live cluster, slurmctld is also asked to compare its memory with
 * its journal. Without a journal there are no budgets. */
void eqt_proof_budgets_read(struct eqt_proof *proof, const char *state);

/* Add a line of the record to its job. */
void eqt_proof_budgets_line(struct eqt_proof *proof, struct eqt_proof_job *job,
			    const struct eqt_charge_record *record);

/* Report jobs for which budgets were charged a different amount. */
void eqt_proof_budgets(struct eqt_proof *proof);

#endif
