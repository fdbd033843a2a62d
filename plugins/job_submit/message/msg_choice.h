/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * msg_choice: how much of its price a submission prints.
 *
 * The option --bill takes precedence over the user's environment, and that over
 * equitree.conf. "auto" prints the brief line if the client plugin reports a
 * terminal, and nothing if it reports that there is no terminal. Without such a
 * report, "auto" does what message_without_spank says.
 */
#ifndef EQT_MSG_CHOICE_H
#define EQT_MSG_CHOICE_H

#include <slurm/slurm.h>

#include "conf/conf.h"

/* Choose the message of a submission. Never returns EQT_MESSAGE_AUTO. The lists
 * in the description are read up to a limit. */
enum eqt_message eqt_msg_choice_make(const struct eqt_conf *conf,
				     const job_desc_msg_t *desc);

#endif
