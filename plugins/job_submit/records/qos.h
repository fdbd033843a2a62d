/* SPDX-License-Identifier: GPL-2.0-or-later */
/* qos: the data of a submission's QOS that the plugin uses. */
#ifndef EQT_QOS_OF_JOB_H
#define EQT_QOS_OF_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EQT_QOS_SIZE 256

/* A plain value. */
struct eqt_qos {
	char name[EQT_QOS_SIZE]; /* lower case, as in rules; "": not known */
	double usage_factor; /* Slurm's UsageFactor */
	bool factor_safe; /* its flag UsageFactorSafe */
	bool any_number; /* it may ignore MinNodes or MaxNodes of partitions */
	bool has_grant; /* it has its own GrpTRESMins=billing */
	uint32_t priority; /* Slurm's Priority of it */
};

/* The most names in --qos. Since 24.11 Slurm accepts any number, with commas between them. */
#define EQT_QOS_LIST_MAX 16

/* Fill *out with a name alone (NULL or too long: none). */
void eqt_qos_name(struct eqt_qos *out, const char *name);

/* Does --qos name several? list may be NULL. */
bool eqt_qos_list_is(const char *list);

/* How many names a list has, empty ones not counted. */
size_t eqt_qos_list_count(const char *list);

#endif
