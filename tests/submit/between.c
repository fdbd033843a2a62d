/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>

#include "../host/fail.h"
#include "../host/locks.h"
#include "between.h"
#include "desc.h"

static between_submit_t *submit;

/* The result of a submission; result_free() frees it. */
struct result {
	int rc;
	char *message, *account, *qos;
};

/* The submission that comes in the middle. */
struct other {
	uint64_t seed;
	struct result result;
};

/*
 * The moment of the thread whose submission is stopped; 0: none, or it is over.
 */
static __thread unsigned int stops_until;
static __thread struct other *comes;

static struct result result_of(uint64_t seed)
{
	struct result result = { 0 };
	job_desc_msg_t desc;

	desc_random(&desc, &seed);
	result.rc = submit(&desc, desc.user_id, &result.message);
	result.account = xstrdup(desc.account);
	result.qos = xstrdup(desc.qos);
	desc_free(&desc);
	return result;
}

static void result_free(struct result *result)
{
	xfree(result->message);
	xfree(result->account);
	xfree(result->qos);
}

static void check_text(const char *what, const char *got, const char *alone)
{
	if (xstrcmp(got, alone) != 0)
		fail("beside another submission %s is \"%s\", alone it is "
		     "\"%s\"",
		     what, got, alone);
}

static void check_same(const struct result *got, const struct result *alone)
{
	check_text("the message", got->message, alone->message);
	check_text("the account", got->account, alone->account);
	check_text("the QOS", got->qos, alone->qos);
	if (got->rc != alone->rc)
		fail("beside another submission the result is %d, alone %d",
		     got->rc, alone->rc);
}

static void *run_other(void *arg)
{
	struct other *other = arg;

	other->result = result_of(other->seed);
	return NULL;
}

static void stop(const assoc_mgr_lock_t *locks)
{
	pthread_t thread;

	(void) locks;
	if (!stops_until || --stops_until > 0)
		return;
	pthread_create(&thread, NULL, run_other, comes);
	pthread_join(thread, NULL);
}

/* Stop the first submission at that moment; false if it has no such moment. */
static bool pair_at(unsigned int moment, const uint64_t seeds[2],
		    const struct result alone[2])
{
	struct other other = { .seed = seeds[1] };
	struct result first;
	bool stopped;

	stops_until = moment;
	comes = &other;
	first = result_of(seeds[0]);
	stopped = stops_until == 0;
	stops_until = 0;
	check_same(&first, &alone[0]);
	if (stopped)
		check_same(&other.result, &alone[1]);
	result_free(&first);
	result_free(&other.result);
	return stopped;
}

static unsigned int one_pair(uint64_t *seed)
{
	uint64_t seeds[2] = { random_next(seed) | 1, random_next(seed) | 1 };
	struct result alone[2] = { result_of(seeds[0]), result_of(seeds[1]) };
	unsigned int moment = 1;

	while (pair_at(moment, seeds, alone))
		moment++;
	result_free(&alone[0]);
	result_free(&alone[1]);
	return moment - 1;
}

unsigned long between_run(between_submit_t *call, long pairs, uint64_t seed)
{
	unsigned long stops = 0;

	submit = call;
	locks_call_assocs(stop);
	for (long i = 0; i < pairs; i++)
		stops += one_pair(&seed);
	locks_call_assocs(NULL);
	return stops;
}
