/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * storm: everything at once. Threads submit, start, end, requeue, hold and
 * cancel jobs, one adds and removes users, one asks as sprio does, and one
 * reads the configuration again, each under the locks that slurmctld takes for
 * it, while time and passes go on. It ends when each thread has done its share.
 * Then everything that the plugin wrote must be exact to the second, in any
 * order of events. Built with a race detector, it finds data that no lock
 * protects.
 *
 * "storm EVENTS clients=N [seed=S]": that many events for each of N threads.
 * The users, accounts, QOS and partitions are those of the history, which has
 * no half-life, no jobs, and a price of one core-equivalent per core.
 */
#ifndef EQT_HOST_STORM_H
#define EQT_HOST_STORM_H

#include <pthread.h>

#include "../../../plugins/slurm/compat.h"
#include "../words.h"

#define STORM_OWNERS_MAX 256
#define STORM_IDS_MAX 4096
#define STORM_SLOTS 24

/* A user of the history or, if assoc_id is that of the account, a guest. */
struct storm_owner {
	char user[32];
	char account[32];
	uint32_t assoc_id; /* where the usage is found at the end */
};

/* Equivalent-seconds, by the id of an association and of a QOS. */
struct storm_books {
	double assoc[STORM_IDS_MAX];
	double qos[STORM_IDS_MAX];
};

/* A job, as known to the thread that owns it. */
struct storm_job {
	uint32_t id; /* 0: the slot is empty */
	enum { STORM_PENDING, STORM_HELD, STORM_RUNNING, STORM_ENDED } state;
	const struct storm_owner *owner;
	time_t start; /* of its run, and its resources */
	uint32_t cpus;
};

/* A thread that has jobs. No other thread touches them. */
struct storm_client {
	pthread_t thread;
	uint64_t seed;
	long events; /* events left */
	uint32_t next_id; /* from its own range of job numbers */
	struct storm_job job[STORM_SLOTS];
	struct storm_books books; /* the usage that it knows of its jobs */
};

/* What the history has; filled before the threads start. */
struct storm_stage {
	struct storm_owner owner[STORM_OWNERS_MAX];
	size_t owner_count;
	char account[STORM_OWNERS_MAX][32];
	uint32_t account_id[STORM_OWNERS_MAX];
	size_t account_count;
	char qos[16][32];
	size_t qos_count;
	char partition[16][32];
	size_t partition_count;
};

void storm_run(const struct words *words);

/* From 0 to n - 1; the same sequence for the same seed. */
uint32_t storm_random(uint64_t *seed, uint32_t n);

/* One event of a history, with its words in one line. */
void storm_event(void (*event)(const struct words *words), const char *format,
		 ...) __attribute__((format(printf, 2, 3)));

/* ---- Jobs (storm_jobs.c) ---- */

/* A random event for a random job whose state allows it. */
void storm_jobs_event(struct storm_client *client,
		      const struct storm_stage *stage);

/* Put a new job of the owner, a guest, and its run into an empty slot. */
void storm_jobs_submit(struct storm_client *client, struct storm_job *job,
		       const struct storm_stage *stage,
		       const struct storm_owner *owner);
void storm_jobs_start(struct storm_client *client, struct storm_job *job);
void storm_jobs_end(struct storm_client *client, struct storm_job *job);

/* ---- What must hold (storm_checks.c); each ends the program if not ---- */

/*
 * All threads rest and a pass has just ended: check that each priority is the
 * one that the plugin computes now, that sprio has each factor, and that run-
 * seconds are those of the running jobs.
 */
void storm_check_running(void);

/* No job runs: check that usage has grown by the expected amounts, and that no
 * run-seconds or used TRES are left. before is the earlier usage. */
void storm_check_ended(const struct storm_books *before,
		       const struct storm_books *books);

/* The usage of all associations and QOS. */
void storm_usage(struct storm_books *usage);

#endif
