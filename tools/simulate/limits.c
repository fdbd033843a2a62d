/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits that count running jobs, as sacctmgr prints them: GrpTRES and GrpJobs of
 * associations and QOS, MaxJobs of users, MaxTRES and MaxJobs per user and per account
 * of QOS. They count in a policy whose slurm.conf enforces limits.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simulate/simulate.h"
#include "slurm/text/tres_list.h"
#include "slurm/text/hostlist.h"
#include "slurm/scontrol/records.h"

/* ---- Limits --------------------------------------------------------------- */

#define ROW_NONE UINT32_MAX
#define ROW_TRES 64
#define ROWS_MAX 1000000

/* Whose running jobs a limit counts together. */
enum row_scope { SCOPE_ALL, SCOPE_USER, SCOPE_ACCOUNT };

/* A limit of a QOS or an association. */
struct limit_row {
	uint32_t next; /* the next one of the same owner, or ROW_NONE */
	enum row_scope scope;
	char tres[ROW_TRES]; /* "" counts jobs */
	uint64_t most; /* memory in MiB */
};

/* Owned by the input of a simulation. */
struct eqt_simulate_limits {
	struct limit_row *rows;
	uint32_t count;
	uint32_t of_qos[EQT_SIMULATE_QOS_MAX]; /* the first row of each */
	uint32_t *of_assoc; /* by node of the share tree */
};

/* A column of sacctmgr that holds limits. */
struct limit_column {
	const char *name;
	enum row_scope scope;
};

static struct eqt_simulate_limits *limits_new(size_t assocs)
{
	struct eqt_simulate_limits *limits = calloc(1, sizeof(*limits));

	if (!limits)
		return NULL;
	limits->of_assoc = malloc((assocs + 1) * sizeof(*limits->of_assoc));
	if (!limits->of_assoc) {
		free(limits);
		return NULL;
	}
	for (int i = 0; i < EQT_SIMULATE_QOS_MAX; i++)
		limits->of_qos[i] = ROW_NONE;
	for (size_t i = 0; i < assocs; i++)
		limits->of_assoc[i] = ROW_NONE;
	return limits;
}

void eqt_simulate_limits_free(struct eqt_simulate_limits *limits)
{
	if (!limits)
		return;
	free(limits->rows);
	free(limits->of_assoc);
	free(limits);
}

/* ---- Rows of sacctmgr -------------------------------------------------------- */

/* Put a limit in front of its owner's others. 0, or -1: out of memory, too many. */
static int limits_add(struct eqt_simulate_limits *limits, uint32_t *first,
		      const struct limit_row *row)
{
	if (limits->count >= ROWS_MAX ||
	    EQT_ARRAY_ROOM(limits->rows, limits->count) < 0)
		return -1;
	limits->rows[limits->count] = *row;
	limits->rows[limits->count].next = *first;
	*first = limits->count++;
	return 0;
}

/* A cell with TRES, "cpu=100,mem=2T". */
static int limits_take_tres(struct eqt_simulate_limits *limits, uint32_t *first,
			    enum row_scope scope, const char *cell)
{
	const char *at = cell;
	size_t length = strlen(cell);
	struct eqt_treslist_item item;

	while (eqt_tres_list_next(&item, &at, &length) > 0) {
		struct limit_row row = { .scope = scope };

		(void) snprintf(row.tres, sizeof(row.tres), "%.*s",
				(int) item.name_length, item.name);
		row.most = eqt_tres_list_amount(cell, row.tres);
		if (limits_add(limits, first, &row) < 0)
			return -1;
	}
	return 0;
}

/* A row's limits in these columns; columns that are not printed hold none. */
static int limits_take_row(struct eqt_simulate_limits *limits, uint32_t *first,
			   const struct limit_column *columns,
			   const struct eqt_columns *table, size_t row,
			   struct eqt_error *err)
{
	for (; columns->name; columns++) {
		const size_t at = eqt_columns_find(table, columns->name, NULL);
		const char *cell = eqt_columns_cell(table, row, at);
		struct limit_row limit = { .scope = columns->scope };
		int rc;

		if (cell[0] == '\0')
			continue;
		if (strchr(cell, '='))
			rc = limits_take_tres(limits, first, columns->scope,
					      cell);
		else if (eqt_columns_number(&limit.most, table, row, at,
					    UINT32_MAX, err) < 0)
			return -1;
		else
			rc = limits_add(limits, first, &limit);
		if (rc < 0)
			return eqt_error_set(err, "%s: too many limits",
					     table->text.name);
	}
	return 0;
}

/* The limits of the input, made when they are first needed; NULL: out of memory. */
static struct eqt_simulate_limits *input_limits(struct eqt_simulate_input *sim)
{
	if (!sim->limits)
		sim->limits = limits_new(sim->shares.count);
	return sim->limits;
}

int eqt_simulate_limits_take_qos(struct eqt_simulate_input *sim, int qos,
				 const struct eqt_columns *table, size_t row,
				 struct eqt_error *err)
{
	static const struct limit_column columns[] = {
		{ "GrpTRES", SCOPE_ALL },
		{ "GrpJobs", SCOPE_ALL },
		{ "MaxTRESPU", SCOPE_USER },
		{ "MaxJobsPU", SCOPE_USER },
		{ "MaxTRESPA", SCOPE_ACCOUNT },
		{ "MaxJobsPA", SCOPE_ACCOUNT },
		{ NULL, SCOPE_ALL },
	};
	struct eqt_simulate_limits *limits = input_limits(sim);

	if (!limits)
		return eqt_error_set(err, "out of memory");
	return limits_take_row(limits, &limits->of_qos[qos], columns, table,
			       row, err);
}

int eqt_simulate_limits_take_assoc(struct eqt_simulate_input *sim,
				   uint32_t assoc,
				   const struct eqt_columns *table, size_t row,
				   struct eqt_error *err)
{
	/* sacctmgr prints for each user what the account's MaxJobs says. */
	static const struct limit_column columns[] = {
		{ "MaxJobs", SCOPE_ALL },
		{ "GrpTRES", SCOPE_ALL },
		{ "GrpJobs", SCOPE_ALL },
		{ NULL, SCOPE_ALL },
	};
	const bool account = !sim->tree[assoc].user;
	struct eqt_simulate_limits *limits = input_limits(sim);

	if (!limits)
		return eqt_error_set(err, "out of memory");
	return limits_take_row(limits, &limits->of_assoc[assoc],
			       columns + account, table, row, err);
}

/* ---- Jobs -------------------------------------------------------------------- */

/* The uses of one job while they are found. */
struct job_uses {
	struct eqt_simulate_input *sim;
	const struct eqt_simulation_job *job;
	const char *tres; /* what it got */
	struct eqt_simulation_use *uses;
	uint32_t count, most;
	bool beyond; /* it is larger than a limit */
};

/* One limit counts once for all jobs, or for each user or account. */
static int row_number(uint32_t *out, const struct job_uses *of, uint32_t row)
{
	const struct eqt_simulate_input *sim = of->sim;
	const struct limit_row *limit = &sim->limits->rows[row];
	const struct eqt_sshare_assoc *assoc =
		&sim->shares.assocs[of->job->user];
	char name[512];

	if (limit->scope == SCOPE_ALL)
		(void) snprintf(name, sizeof(name), "%u", row);
	else
		(void) snprintf(name, sizeof(name), "%u %s", row,
				limit->scope == SCOPE_USER ? assoc->user
							   : assoc->account);
	return eqt_limit_number(out, &of->sim->limit_numbers, name,
				limit->most);
}

/* Add the uses of an owner's limits, from its first one on. */
static int uses_add(struct job_uses *to, uint32_t row)
{
	for (; row != ROW_NONE; row = to->sim->limits->rows[row].next) {
		const struct limit_row *limit = &to->sim->limits->rows[row];
		const uint64_t amount =
			limit->tres[0] == '\0'
				? 1
				: eqt_tres_list_amount(to->tres, limit->tres);

		/* It ran all the same, so the limit was another one then. */
		to->beyond = to->beyond || amount > limit->most;
		if (amount == 0 || amount > limit->most ||
		    to->count == to->most)
			continue;
		to->uses[to->count].amount = amount;
		if (row_number(&to->uses[to->count].limit, to, row) < 0)
			return -1;
		to->count++;
	}
	return 0;
}

/* What a job with these TRES uses of limits, at most so many. Their number, or -1: out
 * of memory. */
static int simulate_limits_of_job(struct eqt_simulate_input *sim,
				  struct eqt_simulation_use *uses,
				  uint32_t most,
				  const struct eqt_simulation_job *job,
				  const char *tres)
{
	struct job_uses of = {
		.sim = sim, .job = job, .tres = tres, .uses = uses, .most = most
	};
	const struct eqt_simulate_limits *limits = sim->limits;
	const int of_partition = sim->partition_qos[job->partition] - 1;
	uint32_t assoc = job->user;

	if (!limits)
		return 0;
	if (job->qos && uses_add(&of, limits->of_qos[job->qos - sim->qos]) < 0)
		return -1;
	if (of_partition >= 0 &&
	    (!job->qos || of_partition != (int) (job->qos - sim->qos)) &&
	    uses_add(&of, limits->of_qos[of_partition]) < 0)
		return -1;
	for (; assoc != EQT_TREE_NONE; assoc = sim->tree[assoc].parent)
		if (uses_add(&of, limits->of_assoc[assoc]) < 0)
			return -1;
	sim->beyond += of.beyond;
	return (int) of.count;
}

/* ---- Needs --------------------------------------------------------------------------
 * What the jobs of a simulation need beside their size: room under limits, and the
 * nodes of a reservation. */

#define USES_MAX 64

/* ---- Reservations ------------------------------------------------------------- */

/* Nodes are noted in the order in which they are simulated. 0, or -1: out of memory. */
int eqt_simulate_note_node(struct eqt_simulate_input *sim, const char *name,
			   int length)
{
	struct eqt_numbered_name *one;
	char text[EQT_HOST_SIZE];

	(void) snprintf(text, sizeof(text), "%.*s", length, name);
	one = eqt_names_get(&sim->node_names, text, sizeof(*one), NULL);
	if (one)
		one->number = sim->cluster.node_count;
	return one ? 0 : -1;
}

/* The nodes of a reservation while they are set. */
struct reserved_nodes {
	const struct eqt_simulate_input *sim;
	uint64_t *bits;
};

/* Nodes that are not simulated are passed over. A callback of eqt_hostlist_each(). */
static int reserved_take(const char *name, void *with)
{
	const struct reserved_nodes *to = with;
	const struct eqt_numbered_name *one =
		eqt_names_find(&to->sim->node_names, name);

	if (one)
		to->bits[one->number / 64] |= UINT64_C(1) << one->number % 64;
	return 0;
}

/* Take one reservation. Without nodes (of licences) it keeps none. Reservations that
 * have ended before the jobs came keep nobody off. */
static int reservation_take(struct eqt_simulate_input *sim,
			    const struct eqt_scontrol_record *record,
			    struct eqt_error *err)
{
	const struct eqt_scontrol_value list = eqt_scontrol_record_get(record,
								       "Nodes"),
					name = eqt_scontrol_record_get(
						record, "ReservationName");
	struct eqt_simulation_reservation *to =
		&sim->reservations[sim->reservation_count];
	uint64_t *bits = eqt_keep_new(
		&sim->kept, (sim->cluster.node_count / 64 + 1) * sizeof(*bits));
	struct reserved_nodes nodes = { sim, bits };
	char text[256];
	char *copy = strndup(list.text ? list.text : "", list.length);
	struct eqt_numbered_name *one;
	int rc = 0;

	(void) snprintf(text, sizeof(text), "%.*s", (int) name.length,
			name.text);
	one = eqt_names_get(&sim->reservation_names, text, sizeof(*one), NULL);
	if (!bits || !copy || !one)
		rc = eqt_error_set(err, "out of memory");
	else if (strcmp(copy, "(null)") != 0)
		rc = eqt_hostlist_each(copy, reserved_take, &nodes, err);
	free(copy);
	if (rc < 0)
		return -1;
	to->nodes = bits;
	eqt_reservation_times(&to->from, &to->to, record);
	one->number = ++sim->reservation_count;
	return 0;
}

/* scontrol prints those that go on or will come; those of the past are gone, unless the
 * file was saved then. */
int eqt_simulate_read_reservations(struct eqt_simulate_input *sim,
				   const char *path, struct eqt_error *err)
{
	struct eqt_scontrol_records records;
	int rc = 0;

	if (eqt_scontrol_records_read(&records, path,
				      "scontrol -o show reservation",
				      "ReservationName", err) < 0)
		return -1;
	sim->reservations =
		calloc(records.count + 1, sizeof(*sim->reservations));
	if (!sim->reservations)
		rc = eqt_error_set(err, "out of memory");
	for (size_t i = 0; i < records.count && rc == 0; i++)
		rc = reservation_take(sim, &records.records[i], err);
	eqt_scontrol_records_free(&records);
	return rc;
}

/* ---- Jobs --------------------------------------------------------------------- */

/* Most jobs need nothing beside their size, and share no memory for it. */
int eqt_simulate_take_needs(struct eqt_simulate_input *sim,
			    struct eqt_simulation_job *job, const char *tres,
			    const char *reservation)
{
	const struct eqt_numbered_name *in =
		reservation[0] == '\0'
			? NULL
			: eqt_names_find(&sim->reservation_names, reservation);
	struct eqt_simulation_use uses[USES_MAX], *kept = NULL;
	const int count =
		simulate_limits_of_job(sim, uses, USES_MAX, job, tres);
	struct eqt_simulation_needs *needs;

	if (count < 0)
		return -1;
	if (count == 0 && !in)
		return 0;
	needs = eqt_keep_new(&sim->kept, sizeof(*needs));
	if (count)
		kept = eqt_keep_new(&sim->kept, (size_t) count * sizeof(*kept));
	if (!needs || (count && !kept))
		return -1;
	if (count)
		memcpy(kept, uses, (size_t) count * sizeof(*kept));
	*needs = (struct eqt_simulation_needs){
		.uses = kept,
		.use_count = (uint32_t) count,
		.reservation = in ? (int) in->number : 0,
		.nodes = in ? sim->reservations[in->number - 1].nodes : NULL,
	};
	job->needs = needs;
	return 0;
}

/* A made job has the TRES that Slurm would print for it, since limits are read from
 * such texts. */
int eqt_simulate_take_made(struct eqt_simulate_input *sim,
			   struct eqt_simulation_job *job)
{
	char tres[256];
	size_t used;

	if (!sim->limits)
		return 0;
	used = (size_t) snprintf(tres, sizeof(tres),
				 "cpu=%" PRIu64 ",mem=%" PRIu64
				 "M,node=%" PRIu32,
				 job->all.cpus, job->all.mem_mib, job->nodes);
	if (job->all.gpus)
		used += (size_t) snprintf(tres + used, sizeof(tres) - used,
					  ",gres/gpu=%" PRIu64, job->all.gpus);
	if (job->model != EQT_SIMULATION_NO_MODEL)
		(void) snprintf(tres + used, sizeof(tres) - used,
				",gres/%s=%" PRIu64,
				sim->cluster.models[job->model], job->all.gpus);
	return eqt_simulate_take_needs(sim, job, tres, "");
}
