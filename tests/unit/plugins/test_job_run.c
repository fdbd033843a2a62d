/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run owes, and the seconds in which its job was suspended. */
#include <math.h>

#include "usage/journal/journal.h"
#include "usage/runs/job_run.h"
#include "walk/job_links.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

/* ---- Functions that these tests do not reach --------------------------------- */

time_t eqt_clock_moment(const struct eqt_clock *clock, time_t noted)
{
	(void) clock;
	return noted;
}

slurmdb_qos_rec_t *eqt_job_links_qos(const job_record_t *job)
{
	(void) job;
	return NULL;
}

slurmdb_qos_rec_t *eqt_job_links_partition_qos(const job_record_t *job)
{
	(void) job;
	return NULL;
}

double eqt_job_links_usage_factor(const job_record_t *job)
{
	(void) job;
	return 1;
}

void eqt_journal_group(struct eqt_journal *journal, bool begins)
{
	(void) journal;
	(void) begins;
}

void eqt_run_record_add(struct eqt_run_record *record, struct eqt_run *run,
			const struct eqt_run_charge *charge)
{
	(void) record;
	(void) run;
	(void) charge;
}

void eqt_run_record_note(struct eqt_run_record *record, struct eqt_run *run,
			 const job_record_t *job)
{
	(void) record;
	(void) run;
	(void) job;
}

void eqt_run_record_close(struct eqt_run_record *record, struct eqt_run *run,
			  const job_record_t *job, enum eqt_charge_kind kind,
			  const struct eqt_run_settled *settled)
{
	(void) record;
	(void) run;
	(void) job;
	(void) kind;
	(void) settled;
}

/* ---- Costs ------------------------------------------------------------------- */

static const struct {
	const char *name;
	double price, factor;
	uint64_t rate_u;
} rates[] = {
	{ "a whole equivalent", 1, 1, 1000000 },
	{ "a price times its factor", 6, 0.5, 3000000 },
	{ "a rounding error above a whole number", 0.1, 3, 300000 },
	{ "a rounding error below a whole number", 0.29, 100, 29000000 },
	{ "a part of a millionth is rounded up", 1.0000001, 1, 1000001 },
	{ "half a millionth is rounded up", 0.0000005, 1, 1 },
	{ "a millionth", 0.000001, 1, 1 },
	{ "no price", 0, 1, 0 },
	{ "no factor", 1, 0, 0 },
	{ "a price that is no number", NAN, 1, 0 },
	{ "a large price", 5e11, 1, UINT64_C(500000000000000000) },
	{ "a price that is too large", 1e12, 1, 0 },
};

START_TEST(a_rate_is_in_whole_millionths)
{
	ck_assert_msg(eqt_stretch_rate_u(rates[_i].price, rates[_i].factor) ==
			      rates[_i].rate_u,
		      "%s", rates[_i].name);
}
END_TEST

/* A price of 3 that has a factor of 2 and half of that by the time of the week. */
static const struct {
	const char *name;
	bool recalled;
	time_t until, from, to, idle_s;
	uint64_t owed_s; /* of the seconds that are added */
} owed_rows[] = {
	{ "all seconds", false, 0, 100, 110, 0, 10 },
	{ "seconds without the idle ones", false, 0, 100, 110, 4, 6 },
	{ "idle seconds alone", false, 0, 100, 110, 10, 0 },
	{ "more idle seconds than there are", false, 0, 100, 110, 11, 0 },
	{ "no seconds", false, 0, 100, 100, 0, 0 },
	{ "a run that was not recalled", false, 104, 100, 110, 0, 10 },
	{ "a recalled run up to a later time", true, 104, 100, 110, 0, 6 },
	{ "a recalled run up to the same time", true, 100, 100, 110, 0, 10 },
	{ "a recalled run up to an earlier time", true, 96, 100, 110, 0, 10 },
	{ "a recalled run up to the end", true, 110, 100, 110, 0, 0 },
	{ "a recalled run with idle seconds before", true, 104, 100, 110, 4,
	  6 },
	{ "a recalled run with further idle seconds", true, 104, 100, 110, 5,
	  5 },
};

START_TEST(a_run_owes_each_second_once)
{
	const struct eqt_run run = { .recalled = owed_rows[_i].recalled,
				     .until = owed_rows[_i].until,
				     .owed_u = 7 };
	const struct eqt_run_charge part = { .from = owed_rows[_i].from,
					     .to = owed_rows[_i].to,
					     .idle_s = owed_rows[_i].idle_s,
					     .price = 3,
					     .factor = 2,
					     .week = 0.5 };

	ck_assert_msg(eqt_stretch_owed_u(&run, &part) ==
			      7 + owed_rows[_i].owed_s * 3000000,
		      "%s", owed_rows[_i].name);
}
END_TEST

START_TEST(a_run_owes_at_most_the_largest_number)
{
	struct eqt_run run = { .owed_u = UINT64_MAX - 10 };
	struct eqt_run_charge part = { .to = 10, .price = 0.000001, .factor = 1,
				       .week = 1 };

	ck_assert_uint_eq(eqt_stretch_owed_u(&run, &part), UINT64_MAX);
	run.owed_u--;
	ck_assert_uint_eq(eqt_stretch_owed_u(&run, &part), UINT64_MAX - 1);
	run.owed_u += 2;
	ck_assert_uint_eq(eqt_stretch_owed_u(&run, &part), UINT64_MAX);
	run.owed_u = 0;
	part.price = 999999999999.0;
	part.to = 100;
	ck_assert_uint_eq(eqt_stretch_owed_u(&run, &part), UINT64_MAX);
}
END_TEST

/* ---- Suspended seconds ------------------------------------------------------- */

static const struct {
	const char *name;
	uint32_t state;
	time_t suspend, sum, end; /* of slurmctld's record */
	time_t mark; /* before */
	time_t now, from, to;
	time_t all; /* suspended up to `to` */
	time_t within, after; /* from `from` to `to`, and the mark then */
} suspended_rows[] = {
	{ "a job that was never suspended", JOB_RUNNING, 0, 0, 0, 1, 160, 100,
	  160, 0, 0, 1 },
	{ "a job that is suspended in this span", JOB_SUSPENDED, 120, 0, 0, 1,
	  160, 100, 160, 40, 40, 41 },
	{ "a job that was suspended before this span", JOB_SUSPENDED, 120, 0,
	  0, 41, 200, 160, 200, 80, 40, 81 },
	{ "a job that is suspended for the second time", JOB_SUSPENDED, 150,
	  30, 0, 31, 160, 140, 160, 40, 10, 41 },
	{ "a job that is suspended at the end of the span", JOB_SUSPENDED, 160,
	  30, 0, 31, 160, 140, 160, 30, 0, 31 },
	{ "a job that was resumed in this span", JOB_RUNNING, 210, 90, 0, 81,
	  260, 200, 260, 90, 10, 91 },
	{ "a job that was resumed before this span", JOB_RUNNING, 210, 90, 0,
	  91, 300, 260, 300, 90, 0, 91 },
	{ "a job that was resumed after the end of the span", JOB_RUNNING, 210,
	  90, 0, 81, 212, 200, 205, 90, 5, 86 },
	{ "a job that is suspended again after the end of the span",
	  JOB_SUSPENDED, 210, 30, 0, 21, 212, 180, 205, 30, 10, 31 },
	{ "a suspended job of an unknown past", JOB_SUSPENDED, 120, 30, 0, 0,
	  160, 100, 160, 70, 40, 71 },
	{ "a running job of an unknown past", JOB_RUNNING, 120, 30, 0, 0, 160,
	  100, 160, 30, 20, 31 },
	{ "a job that was cancelled while it was suspended", JOB_CANCELLED,
	  120, 60, 120, 31, 150, 100, 120, 30, 0, 31 },
	{ "a job that ended after it was resumed", JOB_COMPLETE, 120, 30, 130,
	  21, 150, 100, 130, 30, 10, 31 },
};

START_TEST(suspended_seconds_count_once)
{
	const job_record_t job = { .job_state = suspended_rows[_i].state,
				   .suspend_time = suspended_rows[_i].suspend,
				   .tot_sus_time = suspended_rows[_i].sum,
				   .end_time = suspended_rows[_i].end };
	time_t mark = suspended_rows[_i].mark, all, within;

	all = eqt_job_run_suspended(&job, suspended_rows[_i].now,
				    suspended_rows[_i].to);
	within = eqt_job_run_suspended_in(
		&mark, &job, suspended_rows[_i].now, suspended_rows[_i].from,
		suspended_rows[_i].to);
	ck_assert_msg(all == suspended_rows[_i].all &&
			      within == suspended_rows[_i].within &&
			      mark == suspended_rows[_i].after,
		      "%s: %jd, %jd, %jd", suspended_rows[_i].name,
		      (intmax_t) all, (intmax_t) within, (intmax_t) mark);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("job run");
	TCase *tcase = tcase_create("job run");

	tcase_add_loop_test(tcase, a_rate_is_in_whole_millionths, 0,
			    (int) COUNT(rates));
	tcase_add_loop_test(tcase, a_run_owes_each_second_once, 0,
			    (int) COUNT(owed_rows));
	tcase_add_test(tcase, a_run_owes_at_most_the_largest_number);
	tcase_add_loop_test(tcase, suspended_seconds_count_once, 0,
			    (int) COUNT(suspended_rows));
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
