/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <string.h>

#include "../host/fail.h"
#include "components.h"
#include "desc.h"

#define OTHERS 255 /* threads that slurmctld has besides the first */

static between_submit_t *components_submit;
static pthread_barrier_t others_done;

/* Submit a component; its message must have that sum. NULL: it must have none. */
static void component_check(uint32_t offset, const char *sum)
{
	char *message = NULL;
	job_desc_msg_t desc;

	desc_plain(&desc);
	desc.het_job_offset = offset;
	(void) components_submit(&desc, desc.user_id, &message);
	if (!message || (sum ? !strstr(message, sum)
			     : strstr(message, "together") != NULL))
		fail("component %u, expected %s: %s", offset,
		     sum ? sum : "no sum", message ? message : "no message");
	xfree(message);
	desc_free(&desc);
}

/* No thread ends before all are done, so that all have a sum at a time. */
static void *other_run(void *arg)
{
	component_check(0, NULL);
	component_check(1, "components 0 to 1 together: cost 5 core-equiv");
	component_check(2, "components 0 to 2 together: cost 7.5 core-equiv");
	(void) pthread_barrier_wait(&others_done);
	return arg;
}

int components_check(between_submit_t *submit)
{
	pthread_t others[OTHERS];

	components_submit = submit;
	if (pthread_barrier_init(&others_done, NULL, OTHERS) != 0)
		fail("no barrier");
	component_check(0, NULL);
	for (int i = 0; i < OTHERS; i++)
		if (pthread_create(&others[i], NULL, other_run, NULL) != 0)
			fail("no thread %d", i);
	for (int i = 0; i < OTHERS; i++)
		(void) pthread_join(others[i], NULL);
	pthread_barrier_destroy(&others_done);
	component_check(1, "components 0 to 1 together: cost 5 core-equiv");
	/* The next job, of which a component is missing. */
	component_check(0, NULL);
	component_check(2, NULL);
	return 1 + OTHERS;
}
