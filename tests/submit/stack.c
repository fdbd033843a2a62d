/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <string.h>

#include "../host/fail.h"
#include "stack.h"

#define SIZE (1 << 18)
#define PAINT 0xa5 /* what bytes hold that no call has changed */

static int (*called)(job_desc_msg_t *desc, uint32_t uid, char **err_msg);
static _Alignas(4096) unsigned char stack[SIZE];
static const unsigned char *top; /* where the last call began */

struct call {
	job_desc_msg_t *desc;
	uint32_t uid;
	char **err_msg;
	int rc;
};

static void *call_run(void *arg)
{
	struct call *call = arg;

	top = __builtin_frame_address(0);
	call->rc = called(call->desc, call->uid, call->err_msg);
	return NULL;
}

void stack_set(int (*submit)(job_desc_msg_t *, uint32_t, char **))
{
	called = submit;
}

int stack_submit(job_desc_msg_t *desc, uint32_t uid, char **err_msg)
{
	struct call call = { desc, uid, err_msg, 0 };
	pthread_attr_t attributes;
	pthread_t thread;

	memset(stack, PAINT, sizeof(stack));
	if (pthread_attr_init(&attributes) != 0 ||
	    pthread_attr_setstack(&attributes, stack, sizeof(stack)) != 0 ||
	    pthread_create(&thread, &attributes, call_run, &call) != 0 ||
	    pthread_join(thread, NULL) != 0)
		fail("there is no thread");
	pthread_attr_destroy(&attributes);
	return call.rc;
}

size_t stack_depth(void)
{
	const unsigned char *low = stack;

	while (low < top && *low == PAINT)
		low++;
	return (size_t) (top - low);
}
