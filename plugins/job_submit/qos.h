/* SPDX-License-Identifier: GPL-2.0-or-later */
/* qos: what of the QOS of a submission is of use here. */
#ifndef EQT_QOS_OF_JOB_H
#define EQT_QOS_OF_JOB_H

#include <stdbool.h>
#include <stdint.h>

#define EQT_QOS_SIZE 256

/* A plain value. */
struct eqt_qos {
	char name[EQT_QOS_SIZE]; /* in lower case, as rules have it; "": not
				    known */
	double usage_factor; /* Slurm's UsageFactor */
	bool factor_safe; /* its flag UsageFactorSafe */
	bool has_grant; /* a GrpTRESMins=billing of its own */
};

/* Fill *out with a name alone (NULL or too long: none). */
void eqt_qos_name(struct eqt_qos *out, const char *name);

#endif
