/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <string.h>

#include "eqt_frac.h"
#include "qos.h"

/* The largest factor that equitree.conf knows, too. */
#define FACTOR_MAX 1e6

void eqt_qos_name(struct eqt_qos *out, const char *name)
{
	size_t length = name ? strlen(name) : 0, i;

	*out = (struct eqt_qos){ .usage_factor = 1.0 };
	if (length >= EQT_QOS_SIZE)
		return;
	for (i = 0; i < length; i++)
		out->name[i] = (char) tolower((unsigned char) name[i]);
}

uint64_t eqt_qos_factor_u(double usage_factor)
{
	if (!(usage_factor >= 0))
		return EQT_MICRO;
	if (usage_factor > FACTOR_MAX)
		usage_factor = FACTOR_MAX;
	return (uint64_t) (usage_factor * (double) EQT_MICRO + 0.5);
}
