/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "budget/thresholds.h"

/* A whole number from 1 to 100; 0: something else. Moves *text behind it. */
static uint64_t percent_read(const char **text)
{
	uint64_t percent = 0;

	for (; **text >= '0' && **text <= '9'; (*text)++) {
		percent = percent * 10 + (uint64_t) (**text - '0');
		if (percent > 100)
			return 0;
	}
	return percent;
}

int eqt_thresholds_parse(struct eqt_thresholds *out, const char *text)
{
	struct eqt_thresholds list = { .count = 0 };
	uint64_t last = 0;

	if (strcmp(text, "off") == 0) {
		*out = list;
		return 0;
	}
	for (;;) {
		uint64_t percent = percent_read(&text);

		if (percent <= last || list.count == EQT_THRESHOLDS_MOST)
			return -1;
		list.percent[list.count++] = last = percent;
		if (*text == '\0')
			break;
		if (*text++ != ',')
			return -1;
	}
	*out = list;
	return 0;
}

uint64_t eqt_thresholds_reached(const struct eqt_thresholds *thresholds,
				uint64_t percent)
{
	uint64_t reached = 0;

	for (size_t i = 0; i < thresholds->count; i++) {
		if (thresholds->percent[i] <= percent)
			reached = thresholds->percent[i];
	}
	return reached;
}
