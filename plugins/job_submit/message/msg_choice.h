/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * msg_choice: how much of its price a submission prints.
 *
 * The first of these with a word decides: the option --bill, the user's
 * environment, equitree.conf. "auto" prints the brief line if the client plugin
 * reports a terminal, and nothing if it reports that there is none. Without a
 * report it does what message_without_spank says.
 */
#ifndef EQT_MSG_CHOICE_H
#define EQT_MSG_CHOICE_H

#include <slurm/slurm.h>

#include "conf/conf.h"

/* Never EQT_MESSAGE_AUTO. The lists of a description are read up to a limit. */
enum eqt_message eqt_msg_choice_make(const struct eqt_conf *conf,
				     const job_desc_msg_t *desc);

#endif
