/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Without slurmdbd there are no accounts and no QOS, and nothing of it is needed. */
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/fraction.h"
#include "bill/owner.h"
#include "slurm/conf/config.h"
#include "slurm/text/command.h"

/* A table of sacctmgr, or an empty one: slurmdbd may be down or away. */
static void owner_ask(struct eqt_columns *out, const char *const *words)
{
	struct eqt_listing text;
	struct eqt_error err;

	if (eqt_command_try(&text, "sacctmgr", words) == 0 &&
	    eqt_columns_cut_any(out, &text, &err) < 0)
		*out = (struct eqt_columns){ .rows = 0 };
}

/* By the real user id, as sbatch does. */
void eqt_bill_owner_ask(struct eqt_bill_owner *out)
{
	const struct passwd *entry = getpwuid(getuid());
	char name[EQT_CLUSTER_NAME], where[EQT_CLUSTER_NAME + 16] = "";
	struct eqt_error err;
	/* slurmdbd may have the user on other clusters, too. */
	const char *const of_user[] = {
		"sacctmgr",
		"-P",
		"show",
		"user",
		entry ? entry->pw_name : "",
		"withassoc",
		"format=DefaultAccount,Account,Partition,DefaultQOS",
		where,
		NULL,
	};
	const char *const of_qos[] = {
		"sacctmgr", "-P", "show", "qos", "format=Name,UsageFactor", NULL
	};

	*out = (struct eqt_bill_owner){ .qos.rows = 0 };
	if (eqt_cluster_name(name, sizeof(name), &err) == 0)
		(void) snprintf(where, sizeof(where), "cluster=%s", name);
	if (entry && where[0] != '\0')
		owner_ask(&out->assocs, of_user);
	owner_ask(&out->qos, of_qos);
}

void eqt_bill_owner_free(struct eqt_bill_owner *owner)
{
	eqt_columns_free(&owner->assocs);
	eqt_columns_free(&owner->qos);
	*owner = (struct eqt_bill_owner){ .qos.rows = 0 };
}

/* Of any row: all have that of the user. */
const char *eqt_bill_owner_account(const struct eqt_bill_owner *owner)
{
	const char *name = owner->assocs.rows
				   ? eqt_columns_cell(&owner->assocs, 0, 0)
				   : "";

	return name[0] != '\0' ? name : NULL;
}

/* The association of the partition goes before the one of all partitions; where neither
 * has a QOS it is Slurm's own default. */
const char *eqt_bill_owner_qos(const struct eqt_bill_owner *owner,
			       const char *account, const char *partition)
{
	const char *name = "";

	for (size_t i = 0; account && i < owner->assocs.rows; i++) {
		const char *of = eqt_columns_cell(&owner->assocs, i, 2);

		if (strcasecmp(eqt_columns_cell(&owner->assocs, i, 1),
			       account) != 0 ||
		    (of[0] != '\0' && strcmp(of, partition) != 0))
			continue;
		if (name[0] == '\0' || of[0] != '\0')
			name = eqt_columns_cell(&owner->assocs, i, 3);
	}
	if (name[0] != '\0')
		return name;
	return owner->qos.rows ? "normal" : NULL;
}

/* Slurm compares names of QOS without their case. */
bool eqt_bill_owner_factor(uint64_t *factor_u,
			   const struct eqt_bill_owner *owner, const char *qos)
{
	for (size_t i = 0; i < owner->qos.rows; i++)
		if (strcasecmp(eqt_columns_cell(&owner->qos, i, 0), qos) == 0)
			return eqt_frac_micro_parse(
				       factor_u, eqt_columns_cell(&owner->qos,
								  i, 1)) == 0;
	return false;
}
