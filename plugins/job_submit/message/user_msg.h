/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user_msg: the message to the submitting user. Each line begins with
 * "equitree: ". The message is complete before it is copied into slurmctld's
 * string.
 */
#ifndef EQT_USER_MSG_H
#define EQT_USER_MSG_H

#include <slurm/slurm.h>

#include "conf/conf.h"
#include "quote/price_message.h"
#include "base/error.h"
#include "base/text.h"

/* Room for the text of a price, an error and a few other lines, with
 * "equitree: " before each line. The longest text of a price has some fifty
 * lines. */
#define EQT_USER_MSG_SIZE (EQT_PRICE_MESSAGE_SIZE + 4 * EQT_ERROR_SIZE)

/* A message that is being composed. It must not be copied, because `line`
 * points into it. */
struct eqt_user_msg {
	struct eqt_text line;
	char text[EQT_USER_MSG_SIZE];
};

/* Begin an empty message. */
void eqt_user_msg_start(struct eqt_user_msg *notice);

/* Add each line of a text, which may be empty. */
void eqt_user_msg_add(struct eqt_user_msg *notice, const char *text);

/* Add the price of a quote as one line, or as the full text. */
void eqt_user_msg_add_price(struct eqt_user_msg *notice,
			    const struct eqt_quote *quote, bool full);

/* Append the message to the messages of other plugins. slurmctld frees
 * *err_msg. */
void eqt_user_msg_send(const struct eqt_user_msg *notice, char **err_msg);

/* Append a text of any length without "equitree: " before it. */
void eqt_user_msg_raw(const char *text, char **err_msg);

/*
 * Choose how much of its price a submission prints. Never returns
 * EQT_MESSAGE_AUTO. The lists in the description are read up to a limit.
 *
 * The option --bill takes precedence over the user's environment, and that over
 * equitree.conf. "auto" prints the brief line if the client plugin reports a
 * terminal, and nothing if it reports that there is no terminal. Without such a
 * report, "auto" does what message_without_spank says.
 */
enum eqt_message eqt_user_msg_choose(const struct eqt_conf *conf,
				     const job_desc_msg_t *desc);

#endif
