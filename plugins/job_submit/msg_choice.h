/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * msg_choice: how much a submission prints of its price.
 *
 * The first of these that has a word decides: the option --bill, the user's
 * environment, equitree.conf. "auto" prints the brief line where the client plugin
 * has sent that a person reads it, nothing where it has sent that none does, and
 * what message_without_spank says where it has sent nothing.
 */
#ifndef EQT_MSG_CHOICE_H
#define EQT_MSG_CHOICE_H

#include <slurm/slurm.h>

#include "conf/conf.h"

/* Never EQT_MESSAGE_AUTO. The lists of a description are read up to a limit. */
enum eqt_message eqt_msg_choose(const struct eqt_conf *conf,
				const job_desc_msg_t *desc);

#endif
