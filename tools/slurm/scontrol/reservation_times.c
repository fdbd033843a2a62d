/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "slurm/scontrol/reservation_times.h"
#include "slurm/text/timestamp.h"

/* 0 where it is missing. */
static int64_t reservation_time(const struct eqt_scontrol_record *record,
				const char *key)
{
	const struct eqt_scontrol_value value =
		eqt_scontrol_record_get(record, key);
	char text[64];
	int64_t at;

	(void) snprintf(text, sizeof(text), "%.*s", (int) value.length,
			value.text ? value.text : "");
	return eqt_timestamp_parse(&at, text) > 0 ? at : 0;
}

void eqt_reservation_times(int64_t *from, int64_t *to,
			   const struct eqt_scontrol_record *record)
{
	*from = reservation_time(record, "StartTime");
	*to = reservation_time(record, "EndTime");
	if (!*to)
		*to = EQT_RESERVATION_FAR;
}
