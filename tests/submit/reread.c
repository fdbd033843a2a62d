/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include <time.h>

#include "../host/fail.h"
#include "desc.h"
#include "reread.h"

void reread_check_last(between_submit_t *submit, enum stage_conf last)
{
	const char *price = last == STAGE_CONF_A ? ": cost 2.5 core" :
						   ": cost 5 core";
	char *message = NULL;
	job_desc_msg_t desc;

	desc_plain(&desc);
	(void) submit(&desc, desc.user_id, &message);
	if (!message || !strstr(message, price))
		fail("the last file is not in force: %s", message);
	xfree(message);
	desc_free(&desc);
}

void reread_check(between_submit_t *submit)
{
	const struct timespec pause = { .tv_nsec = 50000000 };
	const time_t second = time(NULL);

	stage_reconfigure_at(STAGE_CONF_A, second);
	reread_check_last(submit, STAGE_CONF_A);
	stage_reconfigure_at(STAGE_CONF_B, second);
	while (time(NULL) == second)
		(void) nanosleep(&pause, NULL);
	reread_check_last(submit, STAGE_CONF_B);
}
