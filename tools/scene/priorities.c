/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Priorities of QOS and associations, as sacctmgr prints them. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "scene/scene_impl.h"
#include "cli/alloc.h"
#include "slurm/conf/cluster.h"

#define SHOW_QOS                                                         \
	"sacctmgr -P show qos format=Name,Priority,UsageFactor,GrpTRES," \
	"GrpJobs,MaxTRESPU,MaxJobsPU,MaxTRESPA,MaxJobsPA"
#define SHOW_ASSOCS                                                      \
	"sacctmgr -P show assoc format=Account,User,Partition,Priority," \
	"GrpTRES,GrpJobs,MaxJobs"

/* Read a table and find its columns. Columns may come in any order, with others between
 * them. */
static int priorities_read_table(struct eqt_columns *out, size_t *at,
				 const char *const *names, size_t count,
				 const char *path, const char *command,
				 struct eqt_error *err)
{
	if (eqt_columns_read(out, EQT_COLUMNS_BARS, path, command, err) < 0)
		return -1;
	if (eqt_columns_find_all(at, out, names, count, count, err) == 0)
		return 0;
	eqt_columns_free(out);
	return -1;
}

/* Read a priority. An empty cell is 0, because sacctmgr prints nothing for an association
 * without a priority of its own. */
static int cell_read_priority(uint32_t *out, const struct eqt_columns *table,
			      size_t row, size_t column, struct eqt_error *err)
{
	uint64_t number = 0;

	if (eqt_columns_cell(table, row, column)[0] != '\0' &&
	    eqt_columns_number(&number, table, row, column, UINT32_MAX - 2,
			       err) < 0)
		return -1;
	*out = (uint32_t) number;
	return 0;
}

/* ---- QOS -------------------------------------------------------------------- */

enum { NAME, PRIORITY, FACTOR, QOS_COLUMNS };

/* Read the priority and the UsageFactor of one QOS. UsageFactor may have a fraction. */
static int qos_take_row(struct eqt_scene *scene,
			const struct eqt_columns *table, size_t row,
			const size_t *at, struct eqt_error *err)
{
	const char *factor = eqt_columns_cell(table, row, at[FACTOR]);
	struct eqt_simulation_qos *qos = eqt_scene_share_tree_qos(
		scene, eqt_columns_cell(table, row, at[NAME]));
	char *end;

	if (!qos)
		return eqt_error_set(err, "%s: more than %d QOS",
				     table->text.name, EQT_SCENE_QOS_MAX);
	if (cell_read_priority(&qos->priority, table, row, at[PRIORITY], err) <
	    0)
		return -1;
	if (qos->priority > scene->now.qos_priority_max)
		scene->now.qos_priority_max = qos->priority;
	if (eqt_scene_limits_take_qos(scene, (size_t) (qos - scene->qos), table,
				      row, err) < 0)
		return -1;
	if (factor[0] == '\0')
		return 0;
	qos->usage_factor = strtod(factor, &end);
	/* This also refuses a comma, NaN and infinity. */
	if (!isdigit((unsigned char) factor[0]) || *end != '\0' ||
	    !(qos->usage_factor <= 1e6))
		return eqt_error_set(err,
				     "%s: line %zu: UsageFactor: \"%.64s\": "
				     "expected a number",
				     table->text.name, table->lines[row + 1],
				     factor);
	return 0;
}

/* Read "sacctmgr show qos" from sacctmgr or from a file. Without it all QOS have priority
 * 0, and a warning says so. */
static int qos_read(struct eqt_scene *scene, const char *path,
		    struct eqt_error *err)
{
	static const char *const names[QOS_COLUMNS] = {
		[NAME] = "Name",
		[PRIORITY] = "Priority",
		[FACTOR] = "UsageFactor",
	};
	struct eqt_columns table;
	size_t at[QOS_COLUMNS], row;
	int rc = 0;

	if (priorities_read_table(&table, at, names, QOS_COLUMNS, path,
				  SHOW_QOS, err) < 0)
		return -1;
	for (row = 0; rc == 0 && row < table.rows; row++)
		rc = qos_take_row(scene, &table, row, at, err);
	scene->qos_known = true;
	eqt_columns_free(&table);
	return rc;
}

/* ---- Associations ----------------------------------------------------------- */

enum { ACCOUNT, USER, PARTITION, ASSOC_PRIORITY, ASSOC_COLUMNS };

/* The associations of the share tree by user and account, and its accounts by name. */
struct tree_names {
	struct eqt_sshare_index users;
	struct eqt_names accounts; /* entries are struct eqt_numbered_name */
};

static void tree_names_free(struct tree_names *names)
{
	eqt_sshare_index_free(&names->users);
	eqt_names_free(&names->accounts);
}

static void tree_names_make(struct tree_names *out,
			    const struct eqt_sshare *shares)
{
	*out = (struct tree_names){ .accounts = { .slot = NULL } };
	eqt_sshare_index_make(&out->users, shares);
	for (uint32_t i = 0; i < shares->count; i++) {
		struct eqt_numbered_name *one;
		int new;

		if (shares->assocs[i].user)
			continue;
		one = eqt_names_get(&out->accounts, shares->assocs[i].account,
				    sizeof(*one), &new);
		if (new)
			one->number = i;
	}
}

/* The node of a user in an account. If user is empty, the node of the account.
 * EQT_TREE_NONE if there is none. */
static uint32_t tree_names_find(const struct tree_names *names,
				const char *user, const char *account)
{
	const struct eqt_numbered_name *one;

	if (user[0] != '\0')
		return eqt_sshare_index_find(&names->users, user, account);
	one = eqt_names_find(&names->accounts, account);
	return one ? one->number : EQT_TREE_NONE;
}

/* The largest priority is found among all rows. A user's own priority is in the row
 * without a partition. Rows of users that sshare does not list are skipped. */
static int assoc_take_row(struct eqt_scene *scene,
			  const struct eqt_columns *table,
			  const struct tree_names *names, size_t row,
			  const size_t *at, struct eqt_error *err)
{
	uint32_t priority, assoc;

	if (cell_read_priority(&priority, table, row, at[ASSOC_PRIORITY], err) <
	    0)
		return -1;
	if (priority > scene->now.priority_max)
		scene->now.priority_max = priority;
	if (eqt_columns_cell(table, row, at[PARTITION])[0] != '\0')
		return 0;
	assoc = tree_names_find(names, eqt_columns_cell(table, row, at[USER]),
				eqt_columns_cell(table, row, at[ACCOUNT]));
	if (assoc == EQT_TREE_NONE)
		return 0;
	if (scene->tree[assoc].user)
		scene->priorities[assoc] = priority;
	return eqt_scene_limits_take_assoc(scene, assoc, table, row, err);
}

/* Read the priority of each association that sshare lists as well. */
static int assocs_take(struct eqt_scene *scene, const struct eqt_columns *table,
		       const size_t *at, struct eqt_error *err)
{
	struct tree_names names;
	int rc = 0;

	scene->priorities =
		eqt_alloc(scene->shares.count + 1, sizeof(*scene->priorities));
	scene->now.priorities = scene->priorities;
	tree_names_make(&names, &scene->shares);
	for (size_t row = 0; rc == 0 && row < table->rows; row++)
		rc = assoc_take_row(scene, table, &names, row, at, err);
	tree_names_free(&names);
	return rc;
}

/* Read "sacctmgr show assoc" from sacctmgr or from a file. */
static int assocs_read(struct eqt_scene *scene, const char *path,
		       struct eqt_error *err)
{
	static const char *const names[ASSOC_COLUMNS] = {
		[ACCOUNT] = "Account",
		[USER] = "User",
		[PARTITION] = "Partition",
		[ASSOC_PRIORITY] = "Priority",
	};
	char name[EQT_CLUSTER_NAME], command[sizeof(SHOW_ASSOCS) + 160];
	struct eqt_columns table;
	size_t at[ASSOC_COLUMNS];
	int rc;

	/* slurmdbd has the associations of other clusters as well, so ask for this
	 * cluster by name. */
	if (!path && eqt_cluster_name(name, sizeof(name), err) < 0)
		return -1;
	(void) snprintf(command, sizeof(command), SHOW_ASSOCS " cluster=%s",
			path ? "" : name);
	if (priorities_read_table(&table, at, names, ASSOC_COLUMNS, path,
				  command, err) < 0)
		return -1;
	rc = assocs_take(scene, &table, at, err);
	eqt_columns_free(&table);
	return rc;
}

int eqt_scene_priorities_read(struct eqt_scene *scene,
			      const struct eqt_scene_input *input, bool weighed,
			      struct eqt_error *err)
{
	/* Saved shares and live priorities would be of different moments. */
	bool live = weighed && !input->shares_path;

	if ((input->qos_path || live) &&
	    qos_read(scene, input->qos_path, err) < 0)
		return -1;
	if ((input->assocs_path || live) &&
	    assocs_read(scene, input->assocs_path, err) < 0)
		return -1;
	return 0;
}
