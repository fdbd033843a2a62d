/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PRIORITY from the points of "sprio -l", FAIRSHARE from FairShare of sshare. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slurm/sprio.h"
#include "tree/verify.h"

/* How often a character is there. */
static size_t text_count(const char *text, char wanted)
{
	size_t count = 0;

	for (; *text != '\0'; text++)
		count += *text == wanted;
	return count;
}

/* The row is that of sprio. */
static int job_add(struct eqt_verify *verify, const struct eqt_sprio *pending,
		   size_t row, const char *column, int64_t printed,
		   const char *expected, struct eqt_error *err)
{
	struct eqt_verify_difference difference = { .column = column };

	(void) snprintf(difference.who, sizeof(difference.who), "job %s",
			pending->jobs[row].id);
	(void) snprintf(difference.printed, sizeof(difference.printed),
			"%" PRId64, printed);
	(void) snprintf(difference.expected, sizeof(difference.expected), "%s",
			expected);
	return eqt_verify_add(verify, &pending->table, row, &difference, err);
}

/* PRIORITY is the sum of exact factors, but sprio prints rounded ones. */
static int sum_verify(struct eqt_verify *verify,
		      const struct eqt_sprio *pending, size_t row,
		      struct eqt_error *err)
{
	const struct eqt_sprio_job *job = &pending->jobs[row];
	size_t column = eqt_columns_find(&pending->table, "TRES", NULL);
	double sum = 0, rounding = 1;
	bool any = false;
	char text[64];

	for (int i = 0; i < EQT_SPRIO_FACTORS; i++) {
		sum += (double) job->points[i];
		any = any || job->points[i] != 0;
		rounding += 0.5;
	}
	/* TRES is a list of numbers, and each is rounded. */
	rounding += (double) text_count(
		eqt_columns_cell(&pending->table, row, column), '=');
	/* sprio prints no factors of a priority that an operator has set. */
	if (!any && job->priority > 1) {
		verify->direct++;
		return 0;
	}
	/* A priority of 0 would mean that the job is held. */
	sum = fmax(sum, 1);
	if (fabs((double) job->priority - sum) <= rounding ||
	    (sum > UINT32_MAX && job->priority == UINT32_MAX))
		return 0;
	(void) snprintf(text, sizeof(text), "%.0f", sum);
	return job_add(verify, pending, row, "PRIORITY", job->priority, text,
		       err);
}

/* May the job belong to the association? sprio cuts long names off. */
static bool job_has_assoc(const struct eqt_sprio *pending, size_t row,
			  const struct eqt_sshare_assoc *assoc)
{
	size_t column = eqt_columns_find(&pending->table, "ACCOUNT", NULL);
	const char *account = eqt_columns_cell(&pending->table, row, column);
	const char *user = pending->jobs[row].user;

	return assoc->user && strncmp(assoc->user, user, strlen(user)) == 0 &&
	       strncmp(assoc->account, account, strlen(account)) == 0;
}

/* Up to 23.02 sprio prints no account: then any association of the user fits. */
static int points_verify(struct eqt_verify *verify,
			 const struct eqt_sshare *shares,
			 const struct eqt_sprio *pending, size_t row,
			 struct eqt_error *err)
{
	double weight = (double) pending->weights[EQT_SPRIO_FAIRSHARE];
	const struct eqt_sprio_job *job = &pending->jobs[row];
	double printed = (double) job->points[EQT_SPRIO_FAIRSHARE];
	char text[64] = "no association of that user";

	for (uint32_t i = 0; i < shares->count; i++) {
		double points =
			weight * eqt_verify_cell(shares, i, "FairShare");

		if (!job_has_assoc(pending, row, &shares->assocs[i]))
			continue;
		if (fabs(points - printed) <= weight * EQT_VERIFY_DIGIT + 1)
			return 0;
		(void) snprintf(text, sizeof(text), "%.0f", points);
	}
	return job_add(verify, pending, row, "FAIRSHARE",
		       job->points[EQT_SPRIO_FAIRSHARE], text, err);
}

/* weights NULL: points of the fair share cannot be compared with factors. */
int eqt_verify_priorities(struct eqt_verify *verify,
			  const struct eqt_sshare *shares, const char *path,
			  const char *weights, struct eqt_error *err)
{
	struct eqt_sprio pending;
	size_t direct;
	int rc = 0;

	if (eqt_sprio_read(&pending, path, weights, err) < 0)
		return -1;
	verify->jobs = pending.count;
	verify->points = weights != NULL;
	for (size_t row = 0; row < pending.count && rc == 0; row++) {
		direct = verify->direct;
		rc = sum_verify(verify, &pending, row, err);
		if (rc == 0 && weights && verify->direct == direct)
			rc = points_verify(verify, shares, &pending, row, err);
	}
	eqt_sprio_free(&pending);
	return rc;
}
