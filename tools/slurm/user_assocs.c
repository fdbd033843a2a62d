/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "slurm/text/command.h"
#include "slurm/user_assocs.h"

/* The columns of EQT_USER_ASSOCS_FORMAT. */
enum { CLUSTER, USER, DEFAULT_ACCOUNT, ACCOUNT, PARTITION, DEFAULT_QOS, QOS };

static int assocs_ask(struct eqt_listing *out,
		      const struct eqt_user_assocs *assocs)
{
	char where[160];
	const char *const words[] = { "sacctmgr",   "-P",
				      "show",	    "user",
				      assocs->user, "withassoc",
				      where,	    EQT_USER_ASSOCS_FORMAT,
				      NULL };

	(void) snprintf(where, sizeof(where), "cluster=%.128s",
			assocs->cluster);
	return eqt_command_try(out, "sacctmgr", words);
}

void eqt_user_assocs_read(struct eqt_user_assocs *out, const char *cluster,
			  const char *user, const char *path)
{
	struct eqt_listing text;
	struct eqt_error err;
	int rc;

	*out = (struct eqt_user_assocs){ .table.rows = 0 };
	(void) snprintf(out->cluster, sizeof(out->cluster), "%s", cluster);
	(void) snprintf(out->user, sizeof(out->user), "%s", user);
	rc = path ? eqt_listing_read(&text, path, NULL, &err)
		  : assocs_ask(&text, out);
	if (rc == 0 &&
	    (eqt_columns_cut(&out->table, EQT_COLUMNS_ANY, &text, &err) < 0 ||
	     out->table.columns != QOS + 1))
		eqt_columns_free(&out->table);
}

void eqt_user_assocs_free(struct eqt_user_assocs *assocs)
{
	eqt_columns_free(&assocs->table);
}

/* Is a row of the user, on the cluster? */
static bool assocs_has(const struct eqt_user_assocs *assocs, size_t row)
{
	return strcmp(eqt_columns_cell(&assocs->table, row, USER),
		      assocs->user) == 0 &&
	       strcasecmp(eqt_columns_cell(&assocs->table, row, CLUSTER),
			  assocs->cluster) == 0;
}

/* Each row of a user has the default account. */
const char *eqt_user_assocs_account(const struct eqt_user_assocs *assocs)
{
	for (size_t i = 0; i < assocs->table.rows; i++) {
		const char *name =
			eqt_columns_cell(&assocs->table, i, DEFAULT_ACCOUNT);

		if (assocs_has(assocs, i) && name[0] != '\0')
			return name;
	}
	return NULL;
}

/* The association for the partition takes precedence over the one for all partitions.
 * If the association has no default QOS and allows a single QOS, that QOS counts;
 * otherwise Slurm's own default does. */
const char *eqt_user_assocs_qos(const struct eqt_user_assocs *assocs,
				const char *account, const char *partition)
{
	const struct eqt_columns *table = &assocs->table;
	size_t found = table->rows;
	const char *only;

	for (size_t i = 0; i < table->rows; i++) {
		const char *of = eqt_columns_cell(table, i, PARTITION);

		if (!assocs_has(assocs, i) ||
		    strcasecmp(eqt_columns_cell(table, i, ACCOUNT), account) !=
			    0 ||
		    (of[0] != '\0' && strcmp(of, partition) != 0))
			continue;
		if (found == table->rows || of[0] != '\0')
			found = i;
	}
	if (found == table->rows)
		return NULL;
	if (eqt_columns_cell(table, found, DEFAULT_QOS)[0] != '\0')
		return eqt_columns_cell(table, found, DEFAULT_QOS);
	only = eqt_columns_cell(table, found, QOS);
	return only[0] == '\0' || strchr(only, ',') ? "normal" : only;
}
