/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../compat/stand_in.h"
#include "../assocs.h"
#include "../clock.h"
#include "../cluster.h"
#include "../fail.h"
#include "../history.h"
#include "../jobs.h"
#include "../plugin.h"
#include "storm.h"
#include "../touch.h"

#define CLIENTS_MAX 16
#define IDS_A_CLIENT 100000
#define LINE_LENGTH 256
#define SECOND_US 200 /* the least duration of a second of the storm */

static struct {
	struct storm_stage stage;
	struct storm_client client[CLIENTS_MAX + 1]; /* the last one: that of guests */
	int clients;
	struct storm_books before;
	atomic_int busy; /* clients with events left */
	atomic_bool over;
	/*
	 * libslurmfull reads ClusterName of slurm.conf without a lock when an
	 * association changes. Here that never happens while slurm.conf is
	 * read.
	 */
	pthread_mutex_t reading;
} storm = { .reading = PTHREAD_MUTEX_INITIALIZER };

uint32_t storm_random(uint64_t *seed, uint32_t n)
{
	*seed = *seed * UINT64_C(6364136223846793005) +
		UINT64_C(1442695040888963407);
	return (uint32_t) (*seed >> 33) % n;
}

void storm_event(void (*event)(const struct words *words), const char *format,
		 ...)
{
	char line[LINE_LENGTH];
	struct words words;
	va_list args;

	va_start(args, format);
	(void) vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	words_cut(&words, line);
	event(&words);
}

/* ---- What there is ---------------------------------------------------------- */

static void keep_name(char to[32], const char *name)
{
	if (snprintf(to, 32, "%s", name) >= 32)
		fail("the name %s is too long for a storm", name);
}

static int note_assoc(void *item, void *arg)
{
	const slurmdb_assoc_rec_t *assoc = item;
	struct storm_stage *stage = arg;
	size_t i = stage->owner_count, j = stage->account_count;

	if (i == STORM_OWNERS_MAX || j == STORM_OWNERS_MAX ||
	    assoc->id >= STORM_IDS_MAX)
		fail("too many associations for a storm");
	if (!assoc->user) {
		keep_name(stage->account[j], assoc->acct);
		stage->account_id[stage->account_count++] = assoc->id;
		return 0;
	}
	keep_name(stage->owner[i].user, assoc->user);
	keep_name(stage->owner[i].account, assoc->acct);
	stage->owner[stage->owner_count++].assoc_id = assoc->id;
	return 0;
}

static int note_qos(void *item, void *arg)
{
	struct storm_stage *stage = arg;

	if (stage->qos_count == 16)
		fail("too many QOS for a storm");
	keep_name(stage->qos[stage->qos_count++],
		  ((const slurmdb_qos_rec_t *) item)->name);
	return 0;
}

static int note_partition(void *item, void *arg)
{
	struct storm_stage *stage = arg;

	if (stage->partition_count == 16)
		fail("too many partitions for a storm");
	keep_name(stage->partition[stage->partition_count++],
		  ((const part_record_t *) item)->name);
	return 0;
}

static void look_around(struct storm_stage *stage)
{
	list_for_each_ro(assoc_mgr_assoc_list, note_assoc, stage);
	list_for_each_ro(assoc_mgr_qos_list, note_qos, stage);
	list_for_each_ro(part_list, note_partition, stage);
	if (!stage->owner_count || !stage->qos_count ||
	    !stage->partition_count)
		fail("a storm needs users, QOS and partitions");
	if (list_count(job_list))
		fail("a storm has no jobs but its own");
}

/* ---- Threads ---------------------------------------------------------------- */

static void *run_client(void *arg)
{
	struct storm_client *client = arg;

	for (; client->events > 0; client->events--)
		storm_jobs_event(client, &storm.stage);
	atomic_fetch_sub(&storm.busy, 1);
	return NULL;
}

static int touch_assoc(void *item, void *arg)
{
	slurmdb_assoc_rec_t *assoc = item;

	(void) arg;
	touch(assoc, sizeof(*assoc));
	touch(assoc->usage, sizeof(*assoc->usage));
	return 0;
}

static void touch_assocs(void)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };

	assoc_mgr_lock(&locks);
	list_for_each(assoc_mgr_assoc_list, touch_assoc, NULL);
	assoc_mgr_unlock(&locks);
}

/* slurmdbd lets nobody remove a user with known jobs. So the guest's job has
 * ended, but another one may be pending that was submitted meanwhile. */
static void one_guest(struct storm_client *client, unsigned int number)
{
	const struct storm_stage *stage = &storm.stage;
	uint32_t i = storm_random(&client->seed,
				  (uint32_t) stage->account_count);
	struct storm_owner guest = { .assoc_id = stage->account_id[i] };

	(void) snprintf(guest.user, sizeof(guest.user), "guest%u", number % 8);
	keep_name(guest.account, stage->account[i]);
	pthread_mutex_lock(&storm.reading);
	storm_event(assocs_add_user, "user %s account=%s shares=3", guest.user,
		    guest.account);
	assocs_flush();
	touch_assocs();
	pthread_mutex_unlock(&storm.reading);
	for (int j = 0; j < 2; j++)
		storm_jobs_submit(client, &client->job[j], stage, &guest);
	storm_jobs_start(client, &client->job[0]);
	(void) usleep(5 * SECOND_US);
	storm_jobs_end(client, &client->job[0]);
	pthread_mutex_lock(&storm.reading);
	storm_event(assocs_remove, "remove user %s account=%s", guest.user,
		    guest.account);
	touch_assocs();
	pthread_mutex_unlock(&storm.reading);
	for (int j = 0; j < 2; j++) {
		if (client->job[j].state == STORM_PENDING)
			storm_jobs_end(client, &client->job[j]);
		storm_event(jobs_purge, "purge %u", client->job[j].id);
	}
}

static void *run_guests(void *arg)
{
	for (unsigned int i = 0; !atomic_load(&storm.over); i++)
		one_guest(arg, i);
	return NULL;
}

/* The requests of sprio and sshare. */
static void *run_asker(void *arg)
{
	slurmctld_lock_t locks = {
		.job = READ_LOCK,
		.node = READ_LOCK,
		.part = READ_LOCK,
	};
	assoc_mgr_lock_t qos_lock = { .qos = READ_LOCK };
	list_t *answer;

	while (!atomic_load(&storm.over)) {
		if (EQT_FACTORS_LOCKED) {
			lock_slurmctld(locks);
			assoc_mgr_lock(&qos_lock);
		}
		answer = host_plugin_factors(0);
		if (EQT_FACTORS_LOCKED) {
			assoc_mgr_unlock(&qos_lock);
			unlock_slurmctld(locks);
		}
		FREE_NULL_LIST(answer);
		(void) usleep(5 * SECOND_US);
	}
	return arg;
}

/* "scontrol setdebugflags" holds these locks. */
static void set_debug(void)
{
	slurmctld_lock_t locks = {
		.conf = WRITE_LOCK,
		.job = READ_LOCK,
		.node = WRITE_LOCK,
		.part = READ_LOCK,
		.fed = READ_LOCK,
	};

	lock_slurmctld(locks);
	touch(&slurm_conf.debug_flags, sizeof(slurm_conf.debug_flags));
	host_plugin_reconfig(false);
	unlock_slurmctld(locks);
}

static void reconfigure(unsigned int number)
{
	pthread_mutex_lock(&storm.reading);
	storm_event(history_reread, "reconfigure PriorityWeightAge=%u",
		    1000 + number % 3);
	pthread_mutex_unlock(&storm.reading);
	/* slurmctld has other work, too, such as looking up ids of users. */
	(void) usleep(10 * SECOND_US);
	host_plugin_reconfig(true);
}

/* The time of the last reading of slurm.conf has whole seconds. False: the
 * storm is over. */
static bool next_second(void)
{
	int64_t before = clock_elapsed();

	while (clock_elapsed() == before && !atomic_load(&storm.over))
		(void) usleep(SECOND_US);
	return !atomic_load(&storm.over);
}

static void *run_reconfigures(void *arg)
{
	for (unsigned int i = 0; next_second(); i++) {
		if (EQT_RECONFIGURE_RESTARTS || i % 4 == 3)
			set_debug();
		else
			reconfigure(i);
		(void) usleep(20 * SECOND_US);
	}
	return arg;
}

/* ---- The storm -------------------------------------------------------------- */

static void begin(const struct words *words)
{
	uint64_t seed = (uint64_t) words_int(words, "seed", 1);

	storm.clients = (int) words_int(words, "clients", 4);
	if (storm.clients < 1 || storm.clients > CLIENTS_MAX)
		fail("clients are 1 to %d", CLIENTS_MAX);
	look_around(&storm.stage);
	storm_usage(&storm.before);
	storm.busy = storm.clients;
	for (int i = 0; i <= storm.clients; i++) {
		storm.client[i].seed = seed * 7919 + (uint64_t) i;
		storm.client[i].events = words_int_at(words, 1, "the events");
		storm.client[i].next_id = (uint32_t) (i * IDS_A_CLIENT + 1);
	}
}

static void start_thread(pthread_t *thread, void *(*run)(void *), void *arg)
{
	if (pthread_create(thread, NULL, run, arg))
		fail("cannot start a thread");
}

static void blow(void)
{
	struct storm_client *guests = &storm.client[storm.clients];
	pthread_t asker, reconfigures;

	clock_hurry(true);
	start_thread(&guests->thread, run_guests, guests);
	start_thread(&asker, run_asker, NULL);
	start_thread(&reconfigures, run_reconfigures, NULL);
	for (int i = 0; i < storm.clients; i++)
		start_thread(&storm.client[i].thread, run_client,
			     &storm.client[i]);
	while (atomic_load(&storm.busy)) {
		clock_advance(1);
		(void) usleep(SECOND_US);
	}
	atomic_store(&storm.over, true);
	for (int i = 0; i <= storm.clients; i++)
		pthread_join(storm.client[i].thread, NULL);
	pthread_join(asker, NULL);
	pthread_join(reconfigures, NULL);
	clock_hurry(false);
}

/*
 * Run a whole pass now. A request within a second of another one, or of a
 * ranking, waits until that second is over. Then the first request is served at
 * the new time; otherwise the second one is served at once.
 */
static void let_pass(void)
{
	clock_settle();
	host_plugin_reconfig(false);
	clock_advance(1);
	host_plugin_reconfig(false);
	clock_settle();
}

static void end_all(void)
{
	struct storm_client *client;
	struct storm_job *job;

	for (int i = 0; i < storm.clients * STORM_SLOTS; i++) {
		client = &storm.client[i / STORM_SLOTS];
		job = &client->job[i % STORM_SLOTS];
		if (job->id && job->state != STORM_ENDED)
			storm_jobs_end(client, job);
	}
}

static void add_up(struct storm_books *sum)
{
	for (int i = 0; i <= storm.clients; i++)
		for (int id = 0; id < STORM_IDS_MAX; id++) {
			sum->assoc[id] += storm.client[i].books.assoc[id];
			sum->qos[id] += storm.client[i].books.qos[id];
		}
}

void storm_run(const struct words *words)
{
	static struct storm_books books;

	begin(words);
	blow();
	let_pass();
	storm_check_running();
	end_all();
	let_pass();
	add_up(&books);
	storm_check_ended(&storm.before, &books);
	printf("storm: %lld seconds, %.1f equivalent-seconds\n",
	       (long long) clock_elapsed(),
	       (double) assoc_mgr_root_assoc->usage->usage_raw);
}
