/* SPDX-License-Identifier: GPL-2.0-or-later */
/* qos: the data of a submission's QOS that the plugin uses. */
#ifndef EQT_QOS_OF_JOB_H
#define EQT_QOS_OF_JOB_H

#include <stdbool.h>
#include <stdint.h>

#define EQT_QOS_SIZE 256

/* A plain value. */
struct eqt_qos {
	char name[EQT_QOS_SIZE]; /* lower case, as in rules; "": not known */
	double usage_factor; /* Slurm's UsageFactor */
	bool factor_safe; /* its flag UsageFactorSafe */
	bool has_grant; /* it has its own GrpTRESMins=billing */
};

/* Fill *out with a name alone (NULL or too long: none). */
void eqt_qos_name(struct eqt_qos *out, const char *name);

#endif
