/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "../tests/host/clock.h"
#include "../tests/host/history.h"
#include "../tests/host/jobs.h"
#include "../tests/host/locks.h"
#include "../tests/property/random.h"
#include "crowd.h"

#define USERS_AN_ACCOUNT 19
#define CHILDREN_OF_AN_ACCOUNT 12

/* The same crowd each time. */
static struct eqt_random random_state = { 2463534242u };

static uint32_t dice(uint32_t faces)
{
	return (uint32_t) eqt_random_below(&random_state, faces);
}

static void event(const char *format, ...)
{
	char line[512];
	va_list args;

	va_start(args, format);
	(void) vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	history_event(line);
}

static const char *const beginning[] = {
	"conf PriorityMaxAge=7-0",
	"conf PriorityWeightAge=1000",
	"conf PriorityWeightFairshare=100000",
	"conf PriorityWeightJobSize=1000",
	"conf PriorityWeightPartition=1000",
	"conf PriorityWeightQOS=10000",
	"conf MaxJobCount=4000000",
	"price bundle \"cores\" {",
	"price   cores = 1",
	"price   memory = 4000M",
	"price }",
	"price bundle \"gpu:p100\" {",
	"price   cores = 6",
	"price   memory = 32000M",
	"price }",
	"tres gres/gpu",
	"tres gres/gpu:p100",
	"cluster cpu=100000 node=2000 mem=400000000 gres/gpu=2000 "
	"gres/gpu:p100=2000",
	"partition main factor=1",
	"partition long factor=2 tier=2",
	"partition gpu factor=3 tier=3",
	"qos normal priority=10",
	"qos high priority=100",
	"qos low priority=1 factor=0.5",
};

/*
 * An account and its users right after it: assoc_mgr looks for each one's parent
 * in a thousand chains, the newest first, and would take minutes for a million of
 * them if it came long before.
 */
static void add_account(uint32_t account, uint32_t users, uint32_t accounts)
{
	if (account == 0)
		event("account a0 shares=1");
	else
		event("account a%u parent=a%u shares=%u", account,
		      (account - 1) / CHILDREN_OF_AN_ACCOUNT, 1 + dice(100));
	/* One in three has used something lately. */
	for (uint32_t i = account; i < users; i += accounts)
		event("user u%u account=a%u shares=%u usage=%u", i, account,
		      1 + dice(10), dice(3) ? 0 : dice(1000000000));
}

uint32_t crowd_accounts(const struct crowd *crowd)
{
	return crowd->assocs / (USERS_AN_ACCOUNT + 1);
}

uint32_t crowd_users(const struct crowd *crowd)
{
	return crowd->assocs - crowd_accounts(crowd) - 1;
}

void crowd_tree(const struct crowd *crowd)
{
	uint32_t accounts = crowd_accounts(crowd);
	uint32_t users = crowd_users(crowd);

	/* Before the first line that is not "conf", with which slurm.conf is read. */
	event("conf PriorityCalcPeriod=%u",
	      crowd->period_min ? crowd->period_min : 5);
	event("conf PriorityDecayHalfLife=%s", crowd->no_decay ? "0" : "14-0");
	if (crowd->no_decay)
		event("conf PriorityUsageResetPeriod=YEARLY");
	if (crowd->conf)
		event("price %s", crowd->conf);
	for (size_t i = 0; i < sizeof(beginning) / sizeof(*beginning); i++)
		event("%s", beginning[i]);
	for (uint32_t i = 0; i < crowd->partitions; i++)
		event("partition p%u factor=%u tier=%u", i, i + 1, i % 3);
	for (uint32_t i = 0; i < accounts; i++)
		add_account(i, users, accounts);
}

/* All of them, as p0,p1,... */
static const char *partition_list(char *list, uint32_t partitions)
{
	int length = 0;

	for (uint32_t i = 0; i < partitions; i++)
		length += sprintf(list + length, i ? ",p%u" : "p%u", i);
	return list;
}

/* Mostly small jobs without a GPU, as clusters have them. */
static void submit(const struct crowd *crowd, uint32_t id)
{
	const uint32_t users = crowd_users(crowd);
	const uint32_t accounts = crowd_accounts(crowd);
	char list[8 * CROWD_PARTITIONS_MAX];
	static const char *const partitions[] = { "main", "main", "long" };
	static const char *const qos[] = { "normal", "normal", "high", "low" };
	uint32_t user = dice(users), cpus = 1 + dice(8);
	char gpus[64] = "";
	const char *partition = partitions[dice(3)];

	if (dice(8) == 0) {
		partition = "gpu";
		(void) snprintf(gpus, sizeof(gpus),
				" gres/gpu=%u gres/gpu:p100=%u", 1u, 1u);
	}
	if (crowd->partitions)
		partition = partition_list(list, crowd->partitions);
	event("submit %u user=u%u account=a%u partition=%s qos=%s time=%u "
	      "cpu=%u mem=%u%s",
	      id, user, user % accounts, partition, qos[dice(4)],
	      10000 + dice(10000), cpus, cpus * 1000 * (1 + dice(8)), gpus);
}

void crowd_submit(const struct crowd *crowd, uint32_t id)
{
	submit(crowd, id);
}

/* ---- Records as after days ------------------------------------------------- */

/* How often all jobs are replaced, in how many steps each time. */
#define LIVES 2
#define STEPS 100
#define TEXTS_A_JOB 6

/* What slurmctld allocates beside what a plugin reads: paths, arguments, answers. */
static struct {
	void **text;
	uint32_t count;
	uint32_t last_id; /* of a job */
} others;

static void others_replace(void)
{
	for (int i = 0; i < TEXTS_A_JOB; i++) {
		void **text = &others.text[dice(others.count)];

		free(*text);
		*text = malloc(8 + dice(250));
	}
}

static int job_ends(void *item, void *arg)
{
	const job_record_t *job = item;

	(void) arg;
	return IS_JOB_PENDING(job) && dice(STEPS) == 0;
}

/*
 * Jobs end at random, and slurmctld frees the records of some at a time. Those of new
 * jobs fill the holes.
 */
void crowd_replace(const struct crowd *crowd)
{
	uint32_t gone;

	lock_slurmctld(LOCKS_JOBS);
	gone = (uint32_t) list_delete_all(job_list, job_ends, NULL);
	unlock_slurmctld(LOCKS_JOBS);
	while (gone--) {
		others_replace();
		submit(crowd, ++others.last_id);
	}
}

static void start_oldest(uint32_t count)
{
	for (uint32_t id = 1; id <= others.last_id && count > 0; id++)
		if (find_job_record(id)) {
			event("start %u", id);
			count--;
		}
}

void crowd_jobs(const struct crowd *crowd)
{
	uint32_t last_id = crowd->running + crowd->pending;

	others.count = last_id * TEXTS_A_JOB;
	others.text = calloc(others.count, sizeof(*others.text));
	if (!others.text)
		abort();
	/* Threads of the plugin need not rest after each job. */
	clock_hurry(true);
	for (uint32_t id = 1; id <= last_id; id++) {
		if (crowd->aged)
			others_replace();
		submit(crowd, id);
		/* Running jobs are the older ones, as in any queue. */
		if (!crowd->aged && id <= crowd->running)
			event("start %u", id);
	}
	others.last_id = last_id;
	if (crowd->aged) {
		for (int step = 0; step < LIVES * STEPS; step++)
			crowd_replace(crowd);
		start_oldest(crowd->running);
	}
	clock_hurry(false);
	clock_settle();
}
