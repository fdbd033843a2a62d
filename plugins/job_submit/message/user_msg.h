/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user_msg: the message that the submitter sees, each line with the name of
 * equitree. It is complete before it is copied into slurmctld's own string.
 */
#ifndef EQT_USER_MSG_H
#define EQT_USER_MSG_H

#include "quote/price_message.h"
#include "base/error.h"
#include "base/text.h"

/* The text of a price and two errors, with a name before each of their lines. */
#define EQT_USER_MSG_SIZE (2 * (EQT_PRICE_MESSAGE_SIZE + 2 * EQT_ERROR_SIZE))

/* Not to be copied: line points into it. */
struct eqt_user_msg {
	struct eqt_text line;
	char text[EQT_USER_MSG_SIZE];
};

/* Begin an empty message. */
void eqt_user_msg_start(struct eqt_user_msg *notice);

/* Add the lines of a text; "" has none. */
void eqt_user_msg_add(struct eqt_user_msg *notice, const char *text);

/* Append the message to those of other plugins; slurmctld frees *err_msg. */
void eqt_user_msg_send(const struct eqt_user_msg *notice, char **err_msg);

/* Append a text of any length without our name. */
void eqt_user_msg_raw(const char *text, char **err_msg);

#endif
