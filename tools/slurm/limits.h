/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limits: the limits of associations and QOS, and the usage that counts against them,
 * from the output of "scontrol -o show assoc_mgr flags=assoc,qos". */
#ifndef EQT_SLURM_LIMITS_H
#define EQT_SLURM_LIMITS_H

#include <stdbool.h>

#include "slurm/live_jobs.h"
#include "slurm/scontrol/record.h"
#include "cli/names.h"

/* Owns its memory; {0} is empty. */
struct eqt_limits {
	struct eqt_listing text;
	size_t assoc_count, qos_count;
	struct eqt_scontrol_record *assocs; /* lines ClusterName=... */
	struct eqt_scontrol_record *qos; /* lines QOS=NAME(ID) ... */
};

/* One limit. Memory is in MiB, and time in minutes. */
struct eqt_limit {
	/* such as "cpu", "gres/gpu"; "": the limit is not about a TRES */
	char tres[64];
	uint64_t limit;
	uint64_t used;
};

/* Read a file, or run scontrol if path is NULL. Returns 0, or -1 with err filled. */
int eqt_limits_read(struct eqt_limits *out, const char *path,
		    struct eqt_error *err);

/* Free what *limits owns. *limits is empty afterwards. */
void eqt_limits_free(struct eqt_limits *limits);

/* The association of a job, or NULL if there is none. */
const struct eqt_scontrol_record *eqt_limits_assoc(
	const struct eqt_limits *limits, const struct eqt_live_job *job);

/* The association of the account above another association, or NULL if there is none. */
const struct eqt_scontrol_record *eqt_limits_above(
	const struct eqt_limits *limits,
	const struct eqt_scontrol_record *assoc);

/* The QOS with this name, or NULL if there is none. */
const struct eqt_scontrol_record *eqt_limits_qos(
	const struct eqt_limits *limits, const char *name);

/* The key of a partition that excludes the job's account, with the value of the key in
 * *list. NULL if no key excludes it. */
const char *eqt_limits_account_key(const char **list,
				   const struct eqt_limits *limits,
				   const struct eqt_scontrol_record *partition,
				   const struct eqt_live_job *job);

/* Does a reservation exclude the job by its Users or Accounts? */
bool eqt_limits_reservation_is_out(
	const struct eqt_limits *limits,
	const struct eqt_scontrol_record *reservation,
	const struct eqt_live_job *job);

/* Do AllowQos or DenyQos of a partition exclude a QOS? An unknown QOS ("") is never
 * excluded. */
bool eqt_limits_qos_is_out(const struct eqt_scontrol_record *partition,
			   const char *qos);

/* The usage of one user or account within a QOS: the words of "WHO={...}" behind "User
 * Limits=" or "Account Limits=". The record has no words if the QOS has counted nothing
 * for WHO. */
struct eqt_scontrol_record eqt_limits_of_user(
	const struct eqt_limits *limits, const struct eqt_scontrol_record *qos,
	const char *user);
struct eqt_scontrol_record eqt_limits_of_account(
	const struct eqt_scontrol_record *qos, const char *account);

/*
 * Read the next limit in a value such as "cpu=60(48),mem=N(192000)" or "60(48)", and move
 * *value behind it. TRES without a limit are skipped. A usage that is not printed counts
 * as 0. Returns false at the end, and for NULL.
 */
bool eqt_limits_next(struct eqt_limit *out, const char **value);

/* Owns its memory; {0} is empty. */
struct eqt_limit_numbers {
	/* for each limit: what all running jobs may use together */
	uint64_t *most;
	uint32_t count;
	struct eqt_names names;
};

/* Find the number of a limit by its name. A new name is added with the value "most". */
void eqt_limit_number(uint32_t *out, struct eqt_limit_numbers *numbers,
		      const char *name, uint64_t most);

/* Free what *numbers owns. *numbers is empty afterwards. */
void eqt_limit_numbers_free(struct eqt_limit_numbers *numbers);

#endif
