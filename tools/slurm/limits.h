/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limits: the limits of associations and QOS, and the usage that counts toward them, from
 * the output of "scontrol -o show assoc_mgr flags=assoc,qos". */
#ifndef EQT_SLURM_LIMITS_H
#define EQT_SLURM_LIMITS_H

#include <stdbool.h>

#include "slurm/live_jobs.h"
#include "slurm/scontrol/records.h"
#include "cli/names.h"

/* Owned; {0} is empty. */
struct eqt_limits {
	struct eqt_listing text;
	size_t assoc_count, qos_count;
	struct eqt_scontrol_record *assocs; /* lines ClusterName=... */
	struct eqt_scontrol_record *qos; /* lines QOS=NAME(ID) ... */
};

/* One limit. Memory is in MiB, time in minutes. */
struct eqt_limit {
	char tres[64]; /* "cpu", "gres/gpu"; "" where the limit counts none */
	uint64_t limit;
	uint64_t used;
};

/* Read a file (NULL: run scontrol). 0, or -1 with err filled. */
int eqt_limits_read(struct eqt_limits *out, const char *path,
		    struct eqt_error *err);

/* Free what *limits owns; it is empty then. */
void eqt_limits_free(struct eqt_limits *limits);

/* The association of a job, or NULL. */
const struct eqt_scontrol_record *eqt_limits_assoc(
	const struct eqt_limits *limits, const struct eqt_live_job *job);

/* The account above an association, or NULL. */
const struct eqt_scontrol_record *eqt_limits_above(
	const struct eqt_limits *limits,
	const struct eqt_scontrol_record *assoc);

/* A QOS by its name, or NULL. */
const struct eqt_scontrol_record *eqt_limits_qos(
	const struct eqt_limits *limits, const char *name);

/* The key of a partition that excludes the job's account, with its value in *list; NULL: no
 * key does. */
const char *eqt_limits_account_key(const char **list,
				   const struct eqt_limits *limits,
				   const struct eqt_scontrol_record *partition,
				   const struct eqt_live_job *job);

/* Do Users and Accounts of a reservation name others than the job's? */
bool eqt_limits_reservation_is_out(
	const struct eqt_limits *limits,
	const struct eqt_scontrol_record *reservation,
	const struct eqt_live_job *job);

/* Do AllowQos or DenyQos of a partition keep a QOS out? Not one that is not known (""). */
bool eqt_limits_qos_is_out(const struct eqt_scontrol_record *partition,
			   const char *qos);

/* The usage of one user or account within a QOS: the words of "WHO={...}" behind "User
 * Limits=" or "Account Limits=". No words: the QOS has counted nothing. */
struct eqt_scontrol_record eqt_limits_of_user(
	const struct eqt_limits *limits, const struct eqt_scontrol_record *qos,
	const char *user);
struct eqt_scontrol_record eqt_limits_of_account(
	const struct eqt_scontrol_record *qos, const char *account);

/*
 * Read the next limit that is set in a value such as "cpu=60(48),mem=N(192000)" or
 * "60(48)", and move *value behind it; TRES without a limit are skipped. A usage that is
 * not printed is 0. False at the end, and for NULL.
 */
bool eqt_limits_next(struct eqt_limit *out, const char **value);

/* Owned; {0} is empty. */
struct eqt_limit_numbers {
	uint64_t *most; /* of each limit: that running jobs may use together */
	uint32_t count;
	struct eqt_names names;
};

/* Find the number of a limit by its name; a new name is added with this most. */
void eqt_limit_number(uint32_t *out, struct eqt_limit_numbers *numbers,
		      const char *name, uint64_t most);

/* Free what *numbers owns; it is empty then. */
void eqt_limit_numbers_free(struct eqt_limit_numbers *numbers);

#endif
