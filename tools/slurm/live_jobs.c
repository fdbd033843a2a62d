/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns are found by name, so one reader serves both formats and files that earlier
 * releases saved. A list of features may hold '|', and a reason may hold any text, so
 * both follow all other columns. A blank separates the two, because features have none.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/amount.h"
#include "cli/alloc.h"
#include "base/text.h"
#include "slurm/text/duration.h"
#include "slurm/live_jobs.h"
#include "slurm/text/timestamp.h"

#define ID_DIGITS 10 /* digits of a job's id of 32 bits */
#define DIGITS "0123456789"

enum live_field {
	LIVE_ID,
	LIVE_USER,
	LIVE_ACCOUNT,
	LIVE_PARTITION,
	LIVE_STATE,
	LIVE_NODES,
	LIVE_PRIORITY,
	LIVE_TRES,
	LIVE_FEW, /* number of fields in the short format */
	LIVE_NAME = LIVE_FEW,
	LIVE_QOS,
	LIVE_CPUS,
	LIVE_LIMIT,
	LIVE_USED,
	LIVE_SUBMIT,
	LIVE_ELIGIBLE,
	LIVE_START,
	LIVE_END,
	LIVE_DEPENDENCY,
	LIVE_LICENSES,
	LIVE_RESERVATION,
	LIVE_REQ_NODES,
	LIVE_NODELIST,
	LIVE_ALL, /* number of fields in the long format, without those below */
	/* only files of earlier releases of equitree lack features */
	LIVE_RESTARTS = LIVE_ALL,
	LIVE_KEEPS, /* up to 25.11 */
	LIVE_EXCLUSIVE, /* since 26.05 */
	/* the reason; in the long format the features come before it */
	LIVE_REST,
	LIVE_FIELDS
};

/* The second JOBID of the format is the name. The last one ends a line and is no
 * field. */
static const char *const live_names[LIVE_REST] = {
	[LIVE_ID] = "JOBID",
	[LIVE_USER] = "USER",
	[LIVE_ACCOUNT] = "ACCOUNT",
	[LIVE_PARTITION] = "PARTITION",
	[LIVE_STATE] = "STATE",
	[LIVE_NODES] = "NODES",
	[LIVE_PRIORITY] = "PRIORITY",
	[LIVE_TRES] = "TRES_ALLOC",
	[LIVE_NAME] = "JOBID",
	[LIVE_QOS] = "QOS",
	[LIVE_CPUS] = "CPUS",
	[LIVE_LIMIT] = "TIME_LIMIT",
	[LIVE_USED] = "TIME",
	[LIVE_SUBMIT] = "SUBMIT_TIME",
	[LIVE_ELIGIBLE] = "ELIGIBLE_TIME",
	[LIVE_START] = "START_TIME",
	[LIVE_END] = "END_TIME",
	[LIVE_DEPENDENCY] = "DEPENDENCY",
	[LIVE_LICENSES] = "LICENSES",
	[LIVE_RESERVATION] = "RESERVATION",
	[LIVE_REQ_NODES] = "REQ_NODES",
	[LIVE_NODELIST] = "NODELIST",
	[LIVE_RESTARTS] = "RESTART_COUNT",
	[LIVE_KEEPS] = "OVER_SUBSCRIBE",
	[LIVE_EXCLUSIVE] = "EXCLUSIVE",
};

/* The columns of a text, from the left. LIVE_REST is the last column before the id. */
struct live_columns {
	int field[LIVE_FIELDS];
	int count;
	unsigned int have; /* a bit for each field that was found */
	bool features; /* the features come before the reason */
};

/* Read the line of column names. Returns 0, or -1 if a name is unknown, repeated or
 * missing. */
static int live_columns_read(struct live_columns *columns, char *line, bool few)
{
	char *last = strrchr(line, '|'), *saved, *name, *rest = line;
	const unsigned int needed = (1U << (few ? LIVE_FEW : LIVE_ALL)) - 1;
	int field = 0;

	*columns = (struct live_columns){ .count = 0 };
	if (!last || strcmp(last, "|JOBID") != 0)
		return -1;
	*last = '\0';
	for (name = strtok_r(line, "|", &saved); name;
	     name = strtok_r(NULL, "|", &saved)) {
		if (field == LIVE_REST)
			return -1;
		for (field = 0; field < LIVE_REST; field++) {
			if (!(columns->have & 1U << field) &&
			    strcmp(name, live_names[field]) == 0)
				break;
		}
		columns->have |= 1U << field;
		columns->field[columns->count++] = field;
		rest = name;
	}
	columns->features = strcmp(rest, "FEATURES REASON") == 0;
	return (columns->have & needed) == needed &&
			       (columns->features ||
				(few && strcmp(rest, "REASON") == 0))
		       ? 0
		       : -1;
}

/* Split a line. All columns up to the reason are cut from the left, and the id from the
 * right. squeue writes the id, so a user cannot forge a line of another job. */
static int live_fields_cut(char *field[LIVE_FIELDS], char *line,
			   const struct live_columns *columns,
			   struct eqt_error *err)
{
	static char none[] = "";
	char *last = strrchr(line, '|'), *bar;
	int bars = 0;

	for (bar = line; (bar = strchr(bar, '|')); bar++)
		bars++;
	if (bars < columns->count)
		return eqt_error_set(err, "%d columns: expected %d", bars + 1,
				     columns->count + 1);
	for (int i = 0; i < LIVE_FIELDS; i++)
		field[i] = none;
	*last = '\0';
	for (int i = 0; i < columns->count; i++) {
		field[columns->field[i]] = line;
		bar = strchr(line, '|');
		if (columns->field[i] == LIVE_REST)
			break;
		*bar = '\0';
		line = bar + 1;
	}
	if (strcmp(field[LIVE_ID], last + 1) != 0)
		return eqt_error_set(
			err,
			"the line of job \"%.32s\" does not end with its id",
			field[LIVE_ID]);
	return 0;
}

/* The text, or "" if Slurm prints one of its words for "none". */
static const char *live_text(const char *text)
{
	return strcmp(text, "(null)") == 0 || strcmp(text, "N/A") == 0 ? ""
								       : text;
}

/* Turn a name into lower case in place. Slurm stores accounts and QOS in lower case. */
static void live_lower(char *name)
{
	if (live_text(name)[0])
		(void) eqt_text_lower(name, strlen(name) + 1, name);
}

/* A callback of eqt_tres_list_parse(): take the model of the job's GPUs from
 * "gpu:p100". */
static int live_take_gres(const char *name, uint64_t count, void *with)
{
	struct eqt_live_job *job = with;

	if (strncmp(name, "gpu:", 4) == 0 && name[4] && count > 0)
		(void) snprintf(job->model, sizeof(job->model), "%s", name + 4);
	return 0;
}

/* For a waiting job tres-alloc is the request. If the request names no CPUs, take them
 * from the column CPUS. */
static int live_read_numbers(struct eqt_live_job *job, char *field[LIVE_FIELDS],
			     struct eqt_error *err)
{
	const char *tres = field[LIVE_TRES];

	if (eqt_amount_count(&job->priority, field[LIVE_PRIORITY],
			     strlen(field[LIVE_PRIORITY])) < 0)
		return eqt_error_set(err,
				     "PRIORITY: \"%.64s\": expected a number",
				     field[LIVE_PRIORITY]);
	if (eqt_amount_count(&job->nodes, field[LIVE_NODES],
			     strlen(field[LIVE_NODES])) < 0)
		return eqt_error_set(err, "NODES: \"%.64s\": expected a number",
				     field[LIVE_NODES]);
	if (eqt_tres_list_parse(&job->tres, tres, live_take_gres, job) != 0)
		return eqt_error_set(
			err, "TRES_ALLOC: \"%.64s\": expected NAME=NUMBER,...",
			tres);
	if (!job->tres.cpus)
		(void) eqt_amount_count(&job->tres.cpus, field[LIVE_CPUS],
					strlen(field[LIVE_CPUS]));
	if (job->nodes == 0)
		job->nodes = 1;
	return 0;
}

/* N/A and UNLIMITED count as 0. */
static void live_read_times(struct eqt_live_job *job, char *field[LIVE_FIELDS])
{
	int64_t *const times[] = { &job->submit_s, &job->eligible_s,
				   &job->start_s, &job->end_s };

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		if (eqt_timestamp_parse(times[i], field[LIVE_SUBMIT + i]) <= 0)
			*times[i] = 0;
	}
	if (strcmp(field[LIVE_LIMIT], "INVALID") == 0)
		job->limit_s = EQT_LIVE_YEAR_S;
	else if (eqt_duration_parse(&job->limit_s, field[LIVE_LIMIT]) < 0)
		job->limit_s = 0;
	job->restarts = strtoull(field[LIVE_RESTARTS], NULL, 10);
	if (eqt_duration_parse(&job->used_s, field[LIVE_USED]) < 0)
		job->used_s = 0;
}

/* Does the job want whole nodes? Up to 25.11 OverSubscribe=NO means so, and since 26.05
 * Exclusive=NODE. Both columns print TOPO for --exclusive=topo. */
static bool live_keeps_nodes(char *const field[LIVE_FIELDS])
{
	return strcmp(field[LIVE_EXCLUSIVE], "NODE") == 0 ||
	       strcmp(field[LIVE_EXCLUSIVE], "TOPO") == 0 ||
	       strcmp(field[LIVE_KEEPS], "NO") == 0 ||
	       strcmp(field[LIVE_KEEPS], "TOPO") == 0;
}

/* A pending job with one of these reasons would not start even on a free node. */
static const char *const other_reasons[] = {
	"Dependency",	  "DependencyNeverSatisfied",
	"BeginTime",	  "JobHeldUser",
	"JobHeldAdmin",	  "JobArrayTaskLimit",
	"PartitionDown",  "PartitionInactive",
	"Reservation",	  "InvalidQOS",
	"InvalidAccount", "BadConstraints",
};

bool eqt_live_job_waits_else(const struct eqt_live_job *job)
{
	for (size_t i = 0; job->pending &&
			   i < sizeof(other_reasons) / sizeof(other_reasons[0]);
	     i++) {
		if (strcmp(job->reason, other_reasons[i]) == 0)
			return true;
	}
	return job->pending && job->priority == 0;
}

/* Fill a job from its line. The format requests long names of states, because they do not
 * depend on the locale. */
static int live_read(struct eqt_live_job *job, char *line,
		     const struct live_columns *columns, struct eqt_error *err)
{
	char *field[LIVE_FIELDS], *reason;

	*job = (struct eqt_live_job){ .features = "" };
	if (live_fields_cut(field, line, columns, err) < 0 ||
	    live_read_numbers(job, field, err) < 0)
		return -1;
	live_read_times(job, field);
	reason = field[LIVE_REST];
	if (columns->features) {
		reason = strchr(reason, ' ');
		if (!reason)
			return eqt_error_set(err,
					     "no reason behind the features");
		*reason++ = '\0';
		job->features = live_text(field[LIVE_REST]);
	}
	job->id = field[LIVE_ID];
	job->name = field[LIVE_NAME];
	job->user = field[LIVE_USER];
	/* Since 26.05 squeue prints accounts and QOS as the user typed them. */
	live_lower(field[LIVE_ACCOUNT]);
	live_lower(field[LIVE_QOS]);
	job->account = live_text(field[LIVE_ACCOUNT]);
	job->partition = field[LIVE_PARTITION];
	job->qos = live_text(field[LIVE_QOS]);
	job->state = field[LIVE_STATE];
	job->dependency = live_text(field[LIVE_DEPENDENCY]);
	job->licenses = live_text(field[LIVE_LICENSES]);
	job->reservation = live_text(field[LIVE_RESERVATION]);
	job->req_nodes = live_text(field[LIVE_REQ_NODES]);
	job->nodelist = live_text(field[LIVE_NODELIST]);
	job->tres_text = field[LIVE_TRES];
	job->reason = reason;
	job->whole_nodes = live_keeps_nodes(field);
	job->pending = strcmp(job->state, "PENDING") == 0;
	job->running = strcmp(job->state, "RUNNING") == 0;
	return 0;
}

/* Compare ids as texts. Sorting only has to bring equal ids together. */
static int live_compare(const void *a, const void *b)
{
	const struct eqt_live_job *left = a, *right = b;

	return strcmp(left->id, right->id);
}

/* Sort the jobs. Two lines with the same id are an error, because one of them must come
 * from a text that a user wrote. */
static int live_jobs_sort(struct eqt_live_jobs *jobs, struct eqt_error *err)
{
	if (jobs->count > 1)
		qsort(jobs->jobs, jobs->count, sizeof(*jobs->jobs),
		      live_compare);
	for (size_t i = 1; i < jobs->count; i++) {
		if (strcmp(jobs->jobs[i - 1].id, jobs->jobs[i].id) == 0)
			return eqt_error_set(err, "%s: job %s: two lines",
					     jobs->text.name, jobs->jobs[i].id);
	}
	return 0;
}

/* Is this a line of a job? Such lines begin with the job's id. */
static bool live_is_line(const char *line)
{
	const size_t digits = strspn(line, "0123456789");

	return digits > 0 && digits <= ID_DIGITS && line[digits] == '|';
}

/* Read all lines in place. The first line has the names of the columns. An error names
 * the line. */
static int live_read_lines(struct eqt_live_jobs *jobs, bool few,
			   struct eqt_error *err)
{
	char *line = jobs->text.text, *next;
	struct live_columns columns = { .count = 0 };
	struct eqt_error why;
	size_t number, length;
	int rc;

	for (number = 1; *line != '\0'; line = next, number++) {
		length = strcspn(line, "\n");
		next = line + length + 1;
		if (length > 0 && line[length - 1] == '\r')
			length--;
		line[length] = '\0';
		if (number == 1 && live_columns_read(&columns, line, few) < 0)
			return eqt_error_set(
				err, "%s: line 1: expected the columns %s",
				jobs->text.name,
				few ? "JOBID|USER|ACCOUNT|PARTITION|STATE|NODES"
				      "|PRIORITY|TRES_ALLOC|REASON|JOBID"
				    : "of equitree-why(1)");
		if (number == 1 || length == 0)
			continue;
		rc = live_is_line(line)
			     ? live_read(&jobs->jobs[jobs->count], line,
					 &columns, &why)
			     : eqt_error_set(&why, "expected a job's id");
		if (rc < 0)
			return eqt_error_set(err, "%s: line %zu: %.400s",
					     jobs->text.name, number, why.text);
		jobs->count++;
	}
	return live_jobs_sort(jobs, err);
}

/* Remove environment variables of the user that would change squeue's output. */
static void live_clean_environment(void)
{
	static const char *const names[] = {
		"SQUEUE_ACCOUNT",    "SQUEUE_ARRAY",  "SQUEUE_ARRAY_UNIQUE",
		"SQUEUE_FEDERATION", "SQUEUE_FORMAT", "SQUEUE_FORMAT2",
		"SQUEUE_LICENSES",   "SQUEUE_NAMES",  "SQUEUE_PARTITION",
		"SQUEUE_PRIORITY",   "SQUEUE_QOS",    "SQUEUE_SIB",
		"SQUEUE_SIBLING",    "SQUEUE_SORT",   "SQUEUE_STATES",
		"SQUEUE_USERS",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		(void) unsetenv(names[i]);
}

/* squeue is asked for the jobs of all users and partitions. PrivateData limits what a
 * user sees. */
static int live_jobs_read(struct eqt_live_jobs *out, const char *path,
			  const char *command, bool few, struct eqt_error *err)
{
	*out = (struct eqt_live_jobs){ .count = 0 };
	if (!path)
		live_clean_environment();
	if (eqt_listing_read(&out->text, path, command, err) < 0)
		return -1;
	out->jobs = eqt_alloc(eqt_listing_count(&out->text) + 1,
			      sizeof(*out->jobs));
	if (live_read_lines(out, few, err) < 0) {
		eqt_live_jobs_free(out);
		return -1;
	}
	return 0;
}

int eqt_live_jobs_read(struct eqt_live_jobs *out, const char *path,
		       struct eqt_error *err)
{
	return live_jobs_read(out, path, EQT_LIVE_JOBS_COMMAND, false, err);
}

int eqt_live_jobs_read_few(struct eqt_live_jobs *out, const char *path,
			   struct eqt_error *err)
{
	return live_jobs_read(out, path, EQT_LIVE_JOBS_FEW_COMMAND, true, err);
}

void eqt_live_jobs_free(struct eqt_live_jobs *jobs)
{
	free(jobs->jobs);
	eqt_listing_free(&jobs->text);
	*jobs = (struct eqt_live_jobs){ .count = 0 };
}

/* ---- Names ---------------------------------------------------------------- */

/* Indexes of array tasks, such as "3-9:2". */
struct live_indexes {
	uint64_t first, last, step;
};

/* Read the next indexes of the list behind a bracket, and move *list behind them. Returns
 * false if there are none. */
static bool live_indexes_next(struct live_indexes *out, const char **list)
{
	char *end;

	if (!isdigit((unsigned char) **list))
		return false;
	out->first = out->last = strtoull(*list, &end, 10);
	out->step = 1;
	if (*end == '-')
		out->last = strtoull(end + 1, &end, 10);
	if (*end == ':')
		out->step = strtoull(end + 1, &end, 10);
	*list = end + (*end == ',');
	return true;
}

bool eqt_live_job_names_budget(const struct eqt_live_job *job)
{
	return strncmp(job->reason, EQT_LIVE_BUDGET,
		       sizeof(EQT_LIVE_BUDGET) - 1) == 0;
}

/* "Budget 1 of physics has 2 left, job needs 3", but not "Budget 1 cannot be written now"
 * and not "job needs a time limit". */
uint64_t eqt_live_job_budget(const struct eqt_live_job *job)
{
	if (!eqt_live_job_names_budget(job) ||
	    !strstr(job->reason, " left, ") ||
	    strstr(job->reason, "job needs a "))
		return 0;
	return strtoull(job->reason + sizeof(EQT_LIVE_BUDGET) - 1, NULL, 10);
}

/* The command sets SLURM_BITSTR_LEN=0, so that squeue does not cut the list of indexes. */
uint64_t eqt_live_job_tasks(const struct eqt_live_job *job)
{
	const char *list = strchr(job->name, '[');
	struct live_indexes one;
	uint64_t tasks = 0;

	if (!list)
		return 1;
	list++;
	while (live_indexes_next(&one, &list))
		if (one.last >= one.first && one.step > 0)
			tasks += (one.last - one.first) / one.step + 1;
	return tasks ? tasks : 1;
}

/* Is a task in the list of indexes behind a bracket? A list that squeue cut may have the
 * task, so the answer is true. */
static bool live_indexes_have(const char *list, const char *task)
{
	const uint64_t index = strtoull(task, NULL, 10);
	struct live_indexes one;

	if (strstr(list, "..."))
		return true;
	while (live_indexes_next(&one, &list))
		if (index >= one.first && index <= one.last && one.step > 0 &&
		    (index - one.first) % one.step == 0)
			return true;
	return false;
}

/* Does this record of an array ("12_[4-9]" or "12_4") match a name better than "best"
 * does? For the name "12" or "12_[1-9]" the best match is the record of the waiting
 * tasks, and then the first task. For "12_7" it is the record of the waiting tasks if 7
 * is one of them. */
static bool live_stands_for(const struct eqt_live_job *job, const char *name,
			    const struct eqt_live_job *best)
{
	const size_t array = strcspn(name, "_");
	const char *task = name[array] == '_' ? name + array + 1 : "";

	if (strncmp(job->name, name, array) != 0 || job->name[array] != '_')
		return false;
	if (job->name[array + 1] != '[')
		return !best && *task == '\0';
	return !isdigit((unsigned char) *task) ||
	       live_indexes_have(job->name + array + 2, task);
}

const struct eqt_live_job *eqt_live_jobs_find(const struct eqt_live_jobs *jobs,
					      const char *name)
{
	const struct eqt_live_job *best = NULL;

	for (size_t i = 0; i < jobs->count; i++) {
		const struct eqt_live_job *job = &jobs->jobs[i];

		if (strcmp(job->name, name) == 0 || strcmp(job->id, name) == 0)
			return job;
		if (live_stands_for(job, name, best))
			best = job;
	}
	return best;
}

bool eqt_live_jobs_name_is(const char *name)
{
	const size_t id = strspn(name, DIGITS);
	const char *rest = name + id;

	if (id == 0 || *rest == '\0')
		return id > 0;
	if (strncmp(rest, "_[", 2) == 0)
		rest += strspn(rest, DIGITS "_[-:,.%]");
	else if (*rest == '_' || *rest == '+')
		rest += 1 + strspn(rest + 1, DIGITS);
	return *rest == '\0';
}

/* The dependency "singleton" names no job. "afterany:12_*" names all tasks of an
 * array. */
bool eqt_live_dependency_next(struct eqt_live_dependency *out,
			      const char **list)
{
	const char *at = *list + strspn(*list, ",?");
	const size_t length = strcspn(at, ",?"), colon = strcspn(at, ":");
	size_t digits;

	*list = at + length;
	*out = (struct eqt_live_dependency){ .text = at, .length = length };
	if (length == 0)
		return false;
	if (colon >= length)
		return true;
	digits = strspn(at + colon + 1, DIGITS "_");
	if (digits > 0 && at[colon + digits] == '_')
		digits--;
	(void) snprintf(out->id, sizeof(out->id), "%.*s", (int) digits,
			at + colon + 1);
	return true;
}
