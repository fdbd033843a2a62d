/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks running jobs as charged up to the last pass when the clock is set back. */
#include "slurm/log.h"
#include "slurm/compat.h"
#include "usage/charge/clock_step.h"

/* One walk over the jobs. */
struct clock_step {
	struct eqt_job_marks *marks;
	struct eqt_guard *guard;
	time_t last_ran;
};

static int clock_step_mark(void *item, void *arg)
{
	const struct clock_step *step = arg;
	const job_record_t *job = item;

	/* A job that is charged beyond the last pass keeps its own mark. */
	if (eqt_guard_ok(step->guard, job) && job->start_time &&
	    eqt_job_marks_charged_until(step->marks, job->job_id) <
		    step->last_ran &&
	    (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)))
		eqt_job_table_set(&step->marks->charged_until, job->job_id,
				  step->last_ran);
	return 0;
}

void eqt_clock_step(struct eqt_job_marks *marks, struct eqt_guard *guard,
		    time_t last_ran, time_t now)
{
	struct clock_step step = { marks, guard, last_ran };

	eqt_log_info("the clock went back by %lld s; running jobs are already "
		     "charged up to the old time",
		     (long long) (last_ran - now));
	if (job_list)
		list_for_each(job_list, clock_step_mark, &step);
}
