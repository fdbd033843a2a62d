/* SPDX-License-Identifier: GPL-2.0-or-later */
/* qos: the properties of a submission's QOS that the plugin uses. */
#ifndef EQT_QOS_OF_JOB_H
#define EQT_QOS_OF_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EQT_QOS_SIZE 256

/* The properties of a QOS. */
struct eqt_qos {
	/* In lower case, as in rules. Empty if the QOS is not known. */
	char name[EQT_QOS_SIZE];
	double usage_factor; /* Slurm's UsageFactor. */
	bool factor_safe; /* The flag UsageFactorSafe. */
	/* The QOS may ignore MinNodes or MaxNodes of partitions. */
	bool any_number;
	bool has_grant; /* The QOS has a limit GrpTRESMins=billing. */
	uint32_t priority; /* Slurm's Priority of the QOS. */
};

/* The most names that --qos may have. Since 24.11 Slurm accepts any number,
 * separated by commas. */
#define EQT_QOS_LIST_MAX 16

/* Fill *out with a name only. The name is empty if the given name is NULL or
 * too long. */
void eqt_qos_name(struct eqt_qos *out, const char *name);

/* Does --qos name several QOS? list may be NULL. */
bool eqt_qos_list_is(const char *list);

/* The number of names in a list, without empty ones. */
size_t eqt_qos_list_count(const char *list);

#endif
