/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../jobs.h"
#include "storm.h"

/* Longer than any storm. */
#define LIMIT_MIN 100000

static const slurmctld_lock_t look_locks = {
	.conf = READ_LOCK,
	.job = READ_LOCK,
	.node = READ_LOCK,
	.part = READ_LOCK,
};

void storm_jobs_submit(struct storm_client *client, struct storm_job *job,
		       const struct storm_stage *stage,
		       const struct storm_owner *owner)
{
	uint64_t *seed = &client->seed;
	uint32_t one = storm_random(seed, (uint32_t) stage->partition_count);
	uint32_t other = storm_random(seed, (uint32_t) stage->partition_count);
	const char *qos =
		stage->qos[storm_random(seed, (uint32_t) stage->qos_count)];

	*job = (struct storm_job){
		.id = client->next_id++,
		.state = STORM_PENDING,
		.owner = owner,
	};
	storm_event(jobs_submit,
		    "submit %u user=%s account=%s qos=%s partition=%s%s%s "
		    "time=%d cpu=%u mem=%u",
		    job->id, owner->user, owner->account, qos,
		    stage->partition[one], one == other ? "" : ",",
		    one == other ? "" : stage->partition[other], LIMIT_MIN,
		    1 + storm_random(seed, 16),
		    1000 * storm_random(seed, 16));
}

/* Sometimes the job gets more than it requested. */
void storm_jobs_start(struct storm_client *client, struct storm_job *job)
{
	const job_record_t *record;

	if (storm_random(&client->seed, 3))
		storm_event(jobs_start, "start %u", job->id);
	else
		storm_event(jobs_start, "start %u cpu=%u", job->id,
			    16 + storm_random(&client->seed, 16));
	job->state = STORM_RUNNING;
	lock_slurmctld(look_locks);
	record = find_job_record(job->id);
	job->start = record->start_time;
	job->cpus = record->total_cpus;
	unlock_slurmctld(look_locks);
}

/* A run has ended: add it to the expected usage. A requeued job is submitted
 * again at its end. */
static void book(struct storm_client *client, const struct storm_job *job,
		 bool requeued)
{
	const job_record_t *record;
	double used;

	lock_slurmctld(look_locks);
	record = find_job_record(job->id);
	used = job->cpus * record->qos_ptr->usage_factor *
	       difftime(requeued ? record->details->submit_time
				 : record->end_time,
			job->start);
	client->books.qos[record->qos_ptr->id] += used;
	client->books.assoc[job->owner->assoc_id] += used;
	unlock_slurmctld(look_locks);
}

void storm_jobs_end(struct storm_client *client, struct storm_job *job)
{
	bool ran = job->state == STORM_RUNNING;

	storm_event(jobs_end, "end %u", job->id);
	job->state = STORM_ENDED;
	if (ran)
		book(client, job, false);
}

static void requeue(struct storm_client *client, struct storm_job *job)
{
	storm_event(jobs_requeue, "requeue %u", job->id);
	job->state = STORM_PENDING;
	book(client, job, true);
}

static void hold(struct storm_client *client, struct storm_job *job)
{
	(void) client;
	storm_event(jobs_hold, "hold %u", job->id);
	job->state = STORM_HELD;
}

static void release(struct storm_client *client, struct storm_job *job)
{
	(void) client;
	storm_event(jobs_release, "release %u", job->id);
	job->state = STORM_PENDING;
}

static void set_nice(struct storm_client *client, struct storm_job *job)
{
	storm_event(jobs_nice, "nice %u %u", job->id,
		    storm_random(&client->seed, 1000));
}

static void purge(struct storm_client *client, struct storm_job *job)
{
	(void) client;
	storm_event(jobs_purge, "purge %u", job->id);
	job->id = 0;
}

/* What may happen to a job in each state; an event that is listed twice is
 * twice as frequent. */
static void (*const events[][4])(struct storm_client *client,
				 struct storm_job *job) = {
	[STORM_PENDING] = { storm_jobs_start, storm_jobs_start, hold,
			    set_nice },
	[STORM_HELD] = { release, release, set_nice, storm_jobs_end },
	[STORM_RUNNING] = { storm_jobs_end, storm_jobs_end, storm_jobs_end,
			    requeue },
	[STORM_ENDED] = { purge, purge, purge, purge },
};

void storm_jobs_event(struct storm_client *client,
		      const struct storm_stage *stage)
{
	uint64_t *seed = &client->seed;
	struct storm_job *job = &client->job[storm_random(seed, STORM_SLOTS)];
	uint32_t owner = storm_random(seed, (uint32_t) stage->owner_count);

	if (!job->id)
		storm_jobs_submit(client, job, stage, &stage->owner[owner]);
	else if (job->state == STORM_PENDING && !storm_random(seed, 8))
		storm_jobs_end(client, job);
	else
		events[job->state][storm_random(seed, 4)](client, job);
}
