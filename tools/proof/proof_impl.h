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

#define EQT_PROOF_ROUNDING 1e-6 /* relative: of sums in another order */

/* The sums of an association. */
enum { EQT_PROOF_RAW, EQT_PROOF_BILLING, EQT_PROOF_SUMS };

/* A sum as of the two moments. */
struct eqt_proof_range {
	double least, most;
};

/* An association by the record. */
struct eqt_proof_pair {
	const char *name; /* "account user" */
	struct eqt_proof_range sum[EQT_PROOF_SUMS];
	bool seen; /* sshare has it */
};

/* A job by the record, by accounting and by budgets. Runs of a requeued job are one. */
struct eqt_proof_job {
	const char *name; /* its id */
	struct eqt_proof_pair *pair;
	int64_t first_s, last_s; /* its first start, its last end */
	double counted[EQT_PROOF_SUMS]; /* of the pair's sums */
	double recorded_s, accounted_s;
	double recorded, accounted; /* billing times seconds */
	int64_t start_s; /* of its last run in the record */
	int64_t open_s; /* the end of its last stretch in the record */
	double waited_s; /* suspended before an end, perhaps up to it */
	bool repriced; /* its billing has changed while it ran */
	bool running; /* or held, or in several rows that are not over */
	struct {
		double owed; /* equivalent-seconds since the last entry */
		double due; /* of stretches with an entry */
		double free; /* of those without */
		double settled; /* by the journal of budgets */
		double later; /* by entries after its last one */
		double rounding; /* of rates, in millionths */
		bool seen; /* a line was read */
		bool late; /* the record does not have its begin */
		bool reported;
	} budgets;
};

/* An entry of the budgets' journal that charges a job. */
struct eqt_proof_settlement {
	uint64_t entry;
	uint64_t job;
	int64_t when_s;
	uint64_t least_u, most_u; /* of what each level paid */
	uint64_t overrun_u; /* and could not pay */
	uint64_t paid_u; /* by the last line that names it */
	bool seen; /* a line of the record has it */
};

struct eqt_proof_budgets {
	bool read;
	uint64_t count; /* of budgets */
	uint64_t first, last; /* entries of the journal */
	struct eqt_proof_settlement *settlement; /* owned; by entry */
	size_t settlements;
};

struct eqt_proof {
	const struct eqt_proof_options *options;
	const struct eqt_conf *conf;
	struct eqt_names pairs, jobs;
	struct eqt_charges_read read;
	struct eqt_proof_budgets budgets;
	int64_t early_s, late_s; /* the last pass is not outside of these */
	int64_t now_s; /* when sshare was asked */
	int64_t since_s; /* of runs that are compared with accounting */
	int64_t begin_s; /* the first line of the record; 0: it has none */
	int64_t reset_s;
	uint32_t half_life_s;
	bool limits; /* in AccountingStorageEnforce */
	bool by_id; /* pairs are association ids; nothing after late_s counts */
	double unit; /* of RawUsage, in equivalents */
	size_t compared, associations, differences;
	json_object *list; /* NULL: text */
};

/* Count a difference, and print it or add it to the list. */
void eqt_proof_report(struct eqt_proof *proof, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The job of an id; a new one has nothing charged. */
static inline struct eqt_proof_job *eqt_proof_job(struct eqt_proof *proof,
						  const char *id)
{
	return eqt_names_get(&proof->jobs, id, sizeof(struct eqt_proof_job),
			     NULL);
}

/* The association of an account and a user; a new one has no sums. */
static inline struct eqt_proof_pair *eqt_proof_pair(struct eqt_proof *proof,
						    const char *account,
						    const char *user)
{
	char name[2 * EQT_CHARGE_NAME + 2];

	(void) snprintf(name, sizeof(name), "%s %s", account, user);
	return eqt_names_get(&proof->pairs, name, sizeof(struct eqt_proof_pair),
			     NULL);
}

/* Report the associations whose sums differ from what sshare has. */
void eqt_proof_shares(struct eqt_proof *proof, const struct eqt_sshare *shares);

/* Read the journals of budgets in a folder, before the record is read, and report
 * what is wrong with them; without saved answers slurmctld compares its memory with its
 * journal, too. No journal: there are no budgets. */
void eqt_proof_budgets_read(struct eqt_proof *proof, const char *state);

/* Note a line of the record, of a job. */
void eqt_proof_budgets_line(struct eqt_proof *proof, struct eqt_proof_job *job,
			    const struct eqt_charge_record *record);

/* Report jobs for which budgets were charged something else. */
void eqt_proof_budgets(struct eqt_proof *proof);

#endif
