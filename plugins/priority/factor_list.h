/* SPDX-License-Identifier: GPL-2.0-or-later */
/* factor_list: what sprio is sent. */
#ifndef EQT_FACTOR_LIST_H
#define EQT_FACTOR_LIST_H

#include <sys/types.h>

#include "../common/slurm_compat.h"
#include "settings.h"

/*
 * The factors of all jobs that match the request and that uid may see, for the
 * caller to destroy; NULL when there are none. Takes slurmctld's job, node and
 * partition locks for reading.
 */
List eqt_factor_list(const struct eqt_settings *settings,
		     priority_factors_request_msg_t *request, uid_t uid);

#endif
