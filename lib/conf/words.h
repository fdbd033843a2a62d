/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words: the words that keys of equitree.conf take, each list in the order of its enum.
 * Private to keys.c. */
#ifndef EQT_CONF_WORDS_H
#define EQT_CONF_WORDS_H

#include <stddef.h>

#include "conf/conf.h"

static const char *const message_words[] = {
	[EQT_MESSAGE_OFF] = "off",
	[EQT_MESSAGE_BRIEF] = "brief",
	[EQT_MESSAGE_FULL] = "full",
	[EQT_MESSAGE_AUTO] = "auto",
	NULL,
};
static const char *const known_message_words[] = {
	[EQT_MESSAGE_OFF] = "off",
	[EQT_MESSAGE_BRIEF] = "brief",
	[EQT_MESSAGE_FULL] = "full",
	NULL,
};
static const char *const rounding_words[] = {
	[EQT_ROUND_FLOOR] = "floor",
	[EQT_ROUND_NEAREST] = "nearest",
	[EQT_ROUND_CEIL] = "ceil",
	NULL,
};
static const char *const grant_words[] = {
	[EQT_GRANT_IGNORE] = "ignore",
	[EQT_GRANT_REFUSE] = "refuse",
	[EQT_GRANT_WARN] = "warn",
	[EQT_GRANT_BONUS] = "bonus",
	NULL,
};
static const char *const rank_by_words[] = {
	[EQT_RANK_BY_USAGE] = "usage",
	[EQT_RANK_BY_ALLOCATED] = "allocated",
	NULL,
};
static const char *const order_words[] = {
	[EQT_ORDER_USERS] = "users",
	[EQT_ORDER_JOBS] = "jobs",
	NULL,
};
static const char *const scope_words[] = {
	[EQT_SCOPE_USER] = "user",
	[EQT_SCOPE_ACCOUNT] = "account",
	NULL,
};
static const char *const size_by_words[] = {
	[EQT_SIZE_BY_RESOURCES] = "resources",
	[EQT_SIZE_BY_EQUIVALENTS] = "equivalents",
	NULL,
};
static const char *const when_spent_words[] = {
	[EQT_BUDGET_HOLD] = "hold",
	[EQT_BUDGET_REFUSE] = "refuse",
	[EQT_BUDGET_BONUS] = "bonus",
	NULL,
};
/* In the order of the bits EQT_REFUND_... */
static const char *const refund_words[] = { "none", "node_fail", "boot_fail",
					    "preempted", NULL };
/* In the order of the bits EQT_WANT_... */
static const char *const require_words[] = { "time", "memory", "cores", NULL };

#endif
