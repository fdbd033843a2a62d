/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line is "KIND DAY|CLUSTER|ACCOUNT|USER|PARTITION|QOS|...", after the numbers where
 * it is written. sacct separates its cells by bars, so no cell has one. A day holds the
 * jobs that ended on it, with their usage of all days on which they ran: a record of
 * accounting changes until its job has ended.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "usage/day.h"

#define LINE_MAX 4096 /* bytes of the texts */
#define DAYS_MAX 1000 /* of a job */
#define RUN "run "
#define EXAMPLE "example "

/* The texts that are kept; the last two only if they are wanted. */
static const enum eqt_sacct_column texts[] = {
	EQT_SACCT_CLUSTER,   EQT_SACCT_ACCOUNT, EQT_SACCT_USER,
	EQT_SACCT_PARTITION, EQT_SACCT_QOS,	EQT_SACCT_COMMENT,
	EQT_SACCT_WCKEY,
};

enum kind { KIND_PRICED = 'p', KIND_UNCERTAIN = 'u', KIND_UNPRICED = 'n' };

static bool text_is_kept(const struct eqt_year_day *day, size_t i)
{
	const bool optional = texts[i] == EQT_SACCT_COMMENT ||
			      texts[i] == EQT_SACCT_WCKEY;

	return !optional || (day->columns & EQT_SACCT_BIT(texts[i])) != 0;
}

/* The last jobs of a user that ended on the day. Kept for pages of users, which list
 * last jobs. */
struct day_user {
	const char *name; /* owned by the table */
	struct eqt_year_last last;
};

/* ---- Jobs ----------------------------------------------------------------- */

/* Write the end of a job's lines, which is the same for all of its days. False: it is
 * too long. */
static bool job_write_texts(char texts_line[LINE_MAX],
			    const struct eqt_year_day *day,
			    const struct eqt_sacct_job *job)
{
	size_t length = 0, i;
	int more;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (!text_is_kept(day, i))
			continue;
		more = snprintf(texts_line + length, LINE_MAX - length, "|%s",
				job->text[texts[i]]);
		if (more < 0 || (size_t) more >= LINE_MAX - length)
			return false;
		length += (size_t) more;
	}
	return true;
}

/* Add a job to the rows of all days on which it ran. */
static int day_add_job(struct eqt_year_day *day,
		       const struct eqt_sacct_job *job, enum kind kind,
		       const eqt_u128 of[EQT_YEAR_UNITS])
{
	char end[LINE_MAX], line[LINE_MAX + 32];
	struct eqt_year_row *row;
	const char *key[] = { line };
	char date[EQT_YEAR_TEXT];
	int64_t at_s = job->start_s, day_s, next_s;
	int unit;

	if (!job_write_texts(end, day, job) ||
	    job->end_s - job->start_s > (int64_t) DAYS_MAX * 86400)
		return 1;
	for (; at_s < job->end_s; at_s = next_s) {
		next_s = eqt_year_day(at_s, date);
		day_s = eqt_year_day_start(at_s);
		(void) snprintf(line, sizeof(line), "%c %" PRId64 "%s",
				(char) kind, day_s, end);
		row = eqt_year_row_get(&day->sum, key);
		if (!row)
			return -1;
		if (next_s > job->end_s)
			next_s = job->end_s;
		for (unit = 0; unit < EQT_YEAR_UNITS; unit++)
			eqt_year_amount_add(&row->of[unit], of[unit],
					    (uint64_t) (next_s - at_s));
		row->jobs += at_s == job->start_s;
		row->going += at_s != job->start_s;
	}
	return 0;
}

/* Remember a job among the last of its user. Only if the report wants them; a run is
 * priced with the rate of the job. */
static int day_add_last(struct eqt_year_day *day,
			const struct eqt_sacct_job *job,
			const struct eqt_year_rate *rate,
			const struct eqt_conf *conf)
{
	const struct eqt_year_part part = {
		.job = job,
		.rate = rate,
		.active = eqt_year_job_active(job, conf),
	};
	struct day_user *user;
	struct eqt_year_run run;

	if (!(day->columns & EQT_YEAR_DAY_LAST))
		return 0;
	eqt_year_run_make(&run, &part);
	user = eqt_names_get(&day->users, job->text[EQT_SACCT_USER],
			     sizeof(*user), NULL);
	return user ? eqt_year_last_add(&user->last, &run, &day->texts) : -1;
}

/* 0, 1 or -1 as eqt_year_day_read(), without the place in err. A job without a price is
 * counted as such, with its reason as the example of the day. */
static int day_price_job(struct eqt_year_day *day,
			 const struct eqt_sacct_job *job,
			 struct eqt_year_rates *rates,
			 const struct eqt_conf *conf, struct eqt_error *err)
{
	eqt_u128 of[EQT_YEAR_UNITS] = { 0 };
	enum kind kind = KIND_UNPRICED;
	struct eqt_year_rate rate;
	int rc = eqt_year_rates_price(rates, &rate, job, err);

	if (rc < 0)
		return -1;
	if (rc > 0) {
		kind = rate.uncertain ? KIND_UNCERTAIN : KIND_PRICED;
		eqt_year_job_rates(of, job, &rate, conf);
		if (day_add_last(day, job, &rate, conf) < 0)
			return eqt_error_set(err, "out of memory");
	} else {
		eqt_year_unpriced_note_job(&day->example, job, err->text);
	}
	rc = day_add_job(day, job, kind, of);
	return rc < 0 ? eqt_error_set(err, "out of memory") : rc;
}

int eqt_year_day_read(struct eqt_year_day *day, struct eqt_sacct_reader *sacct,
		      struct eqt_year_rates *rates, const struct eqt_conf *conf,
		      struct eqt_error *err)
{
	struct eqt_sacct_job job;
	struct eqt_error why;
	int rc;

	day->sum.key_count = 1;
	while ((rc = eqt_sacct_reader_next(sacct, &job, err)) > 0) {
		if (!job.ended || job.end_s <= day->from_s ||
		    job.end_s > day->until_s)
			continue;
		rc = day_price_job(day, &job, rates, conf, &why);
		if (rc > 0)
			return rc;
		if (rc < 0)
			return eqt_error_set(err, "%s: line %zu: %.400s",
					     sacct->lines.name, job.line,
					     why.text);
	}
	return rc;
}

/* ---- The sum of a period -------------------------------------------------- */

/* Cut a copy of a row's line into the texts of a job. False: there are too few. */
static bool key_cut(struct eqt_sacct_job *job, const struct eqt_year_day *day,
		    char *line)
{
	char *at = strchr(line, '|');
	size_t i;

	*job = (struct eqt_sacct_job){ .line = 0 };
	for (i = 0; i < EQT_SACCT_COLUMNS; i++)
		job->text[i] = "";
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (!text_is_kept(day, i))
			continue;
		if (!at)
			return false;
		*at++ = '\0';
		job->text[texts[i]] = at;
		at = strchr(at, '|');
	}
	return at == NULL;
}

/* The texts point into a copy of the key, which lives as long as the call. */
static int day_add_row(const struct eqt_year_day *day,
		       const struct eqt_year_row *row, struct eqt_year_sum *sum,
		       const struct eqt_conf *conf, int64_t from_s)
{
	char line[LINE_MAX + 32];
	struct eqt_sacct_job job;
	const struct eqt_year_kept kept = {
		.job = &job,
		.of = row->key[0][0] == KIND_UNPRICED ? NULL : row->of,
		.day_s = strtoll(row->key[0] + 1, NULL, 10),
		.begun = row->jobs,
		.going = row->going,
		.uncertain = row->key[0][0] == KIND_UNCERTAIN,
	};

	(void) snprintf(line, sizeof(line), "%s", row->key[0]);
	/* Rows of a file were cut once before they were taken. */
	return key_cut(&job, day, line)
		       ? eqt_year_sum_add_kept(sum, conf, &kept, from_s)
		       : 0;
}

/* Report the last jobs of all users. */
static int day_call_last(const struct eqt_year_day *day,
			 struct eqt_year_sum *sum)
{
	const struct day_user *user;
	size_t i, k;

	for (i = 0; sum->each_run && i < day->users.count; i++) {
		user = day->users.list[i];
		for (k = 0; k < user->last.count; k++) {
			if (sum->each_run(sum->with, user->name,
					  &user->last.run[k]) < 0)
				return -1;
		}
	}
	return 0;
}

int eqt_year_day_add(const struct eqt_year_day *day, struct eqt_year_sum *sum,
		     const struct eqt_conf *conf, int64_t from_s,
		     struct eqt_error *err)
{
	size_t i;

	for (i = 0; i < day->sum.count; i++) {
		if (day_add_row(day, day->sum.rows[i], sum, conf, from_s) < 0)
			return eqt_error_set(err, "out of memory");
	}
	eqt_year_unpriced_note(&sum->example, &day->example);
	return day_call_last(day, sum) < 0 ? eqt_error_set(err, "out of memory")
					   : 0;
}

/* ---- Text ----------------------------------------------------------------- */

/* A line for each of the last jobs; numbers in a form that loses nothing. */
static void day_print_user(const struct day_user *user, FILE *to)
{
	const struct eqt_year_run *run;
	size_t i;
	int unit;

	for (i = 0; i < user->last.count; i++) {
		run = &user->last.run[i];
		fprintf(to, RUN "%s %" PRId64 " %" PRId64 " %a", run->id,
			run->start_s, run->end_s, run->active_s);
		for (unit = 0; unit < EQT_YEAR_UNITS; unit++)
			fprintf(to, " %a", run->rate[unit]);
		fprintf(to, "|%s|%s|%s|%s|%s\n", user->name, run->account,
			run->partition, run->qos, run->state);
	}
}

void eqt_year_day_print(const struct eqt_year_day *day, FILE *to)
{
	const struct eqt_year_row *row;
	size_t i;
	int unit;

	if (day->example.why[0] != '\0')
		fprintf(to, EXAMPLE "%" PRIu64 " %" PRId64 " %s\n",
			day->example.job, day->example.start_s,
			day->example.why);
	for (i = 0; i < day->sum.count; i++) {
		row = day->sum.rows[i];
		fprintf(to, "%" PRIu64 " %" PRIu64, row->jobs, row->going);
		for (unit = 0; unit < EQT_YEAR_UNITS; unit++)
			fprintf(to, " %" PRIx64 " %" PRIx64,
				(uint64_t) (row->of[unit] >> 64),
				(uint64_t) row->of[unit]);
		fprintf(to, " %s\n", row->key[0]);
	}
	for (i = 0; i < day->users.count; i++)
		day_print_user(day->users.list[i], to);
}

/* The value of a digit; 16 and more: it is none. */
static unsigned int digit_value(char digit)
{
	if (digit >= '0' && digit <= '9')
		return (unsigned int) (digit - '0');
	return digit >= 'a' && digit <= 'f' ? (unsigned int) (digit - 'a') + 10
					    : 16;
}

/* The next number of a line, and the space after it. A year has millions of rows with
 * sixteen numbers. */
static bool number_parse(uint64_t *out, char **at, unsigned int base)
{
	char *end;

	*out = 0;
	for (end = *at; digit_value(*end) < base; end++)
		*out = *out * base + digit_value(*end);
	if (end == *at || *end != ' ')
		return false;
	*at = end + 1;
	return true;
}

/* Amounts have 128 bits, written as two numbers. */
static bool row_parse(struct eqt_year_row *row, char **at)
{
	uint64_t high, low;
	int unit;

	if (!number_parse(&row->jobs, at, 10) ||
	    !number_parse(&row->going, at, 10))
		return false;
	for (unit = 0; unit < EQT_YEAR_UNITS; unit++) {
		if (!number_parse(&high, at, 16) || !number_parse(&low, at, 16))
			return false;
		row->of[unit] = (eqt_u128) high << 64 | low;
	}
	return true;
}

/* The key of a row: a kind, a day and texts. */
static bool day_key_is_valid(const struct eqt_year_day *day, const char *key)
{
	char line[LINE_MAX + 32];
	struct eqt_sacct_job job;
	char *end;

	if ((key[0] != KIND_PRICED && key[0] != KIND_UNCERTAIN &&
	     key[0] != KIND_UNPRICED) ||
	    key[1] != ' ' || strlen(key) >= sizeof(line))
		return false;
	(void) strtoll(key + 1, &end, 10);
	(void) snprintf(line, sizeof(line), "%s", key);
	return *end == '|' && key_cut(&job, day, line);
}

/* The reason is the rest of the line. */
static int example_parse(struct eqt_year_unpriced *out, char *at)
{
	uint64_t start_s;

	if (!number_parse(&out->job, &at, 10) ||
	    !number_parse(&start_s, &at, 10))
		return -1;
	out->start_s = (int64_t) start_s;
	(void) snprintf(out->why, sizeof(out->why), "%s", at);
	return 0;
}

/* The numbers of a run, and *at behind them. */
static bool run_parse_numbers(struct eqt_year_run *run, char **at)
{
	uint64_t start_s, end_s;
	size_t length = strcspn(*at, " ");
	int unit;

	if (length >= sizeof(run->id) || (*at)[length] == '\0')
		return false;
	memcpy(run->id, *at, length);
	*at += length + 1;
	if (!number_parse(&start_s, at, 10) || !number_parse(&end_s, at, 10))
		return false;
	run->start_s = (int64_t) start_s;
	run->end_s = (int64_t) end_s;
	run->active_s = strtod(*at, at);
	for (unit = 0; unit < EQT_YEAR_UNITS; unit++)
		run->rate[unit] = strtod(*at, at);
	return **at == '|';
}

/* As day_parse_line(), of a run. */
static int day_parse_run(struct eqt_year_day *day, char *at)
{
	struct eqt_year_run run = { .id = "" };
	const char *name = NULL;
	const char **cells[] = { &name, &run.account, &run.partition, &run.qos,
				 &run.state };
	struct day_user *user;
	size_t i;

	if (!run_parse_numbers(&run, &at))
		return 1;
	for (i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		if (!at)
			return 1;
		*at++ = '\0';
		*cells[i] = at;
		at = strchr(at, '|');
	}
	if (at)
		return 1;
	user = eqt_names_get(&day->users, name, sizeof(*user), NULL);
	return user ? eqt_year_last_add(&user->last, &run, &day->texts) : -1;
}

/* A line of text that ends with NUL. 0; 1: it is no line of a day; -1: out of memory. */
static int day_parse_line(struct eqt_year_day *day, char *line)
{
	struct eqt_year_row read = { .jobs = 0 }, *row;
	const char *key[1];
	char *at = line;

	if (strncmp(line, RUN, sizeof(RUN) - 1) == 0)
		return day_parse_run(day, line + sizeof(RUN) - 1);
	if (strncmp(line, EXAMPLE, sizeof(EXAMPLE) - 1) == 0)
		return example_parse(&day->example,
				     line + sizeof(EXAMPLE) - 1) < 0
			       ? 1
			       : 0;
	if (!row_parse(&read, &at) || !day_key_is_valid(day, at))
		return 1;
	key[0] = at;
	row = eqt_year_row_get(&day->sum, key);
	if (!row)
		return -1;
	row->jobs = read.jobs;
	row->going = read.going;
	memcpy(row->of, read.of, sizeof(row->of));
	return 0;
}

/* The text is cut in place. What cannot be parsed is damage: the hash of the file has
 * been compared before. */
int eqt_year_day_parse(struct eqt_year_day *day, char *text,
		       struct eqt_error *err)
{
	char *end;
	int rc;

	day->sum.key_count = 1;
	for (; *text != '\0'; text = end + 1) {
		end = strchr(text, '\n');
		if (!end)
			return eqt_error_set(err, "it is damaged");
		*end = '\0';
		rc = day_parse_line(day, text);
		if (rc != 0)
			return eqt_error_set(err, rc < 0 ? "out of memory"
							 : "it is damaged");
	}
	return 0;
}

/* {0} is empty as well, and may be freed. */
void eqt_year_day_free(struct eqt_year_day *day)
{
	eqt_year_sum_free(&day->sum);
	eqt_names_free(&day->users);
	eqt_names_free(&day->texts);
	*day = (struct eqt_year_day){ .from_s = 0 };
}
