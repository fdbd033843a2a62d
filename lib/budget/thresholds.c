/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/text.h"
#include "budget/thresholds.h"

int eqt_thresholds_parse(struct eqt_thresholds *out, const char *text)
{
	struct eqt_thresholds list = { .count = 0 };
	uint64_t last = 0, percent;

	if (strcmp(text, "off") == 0) {
		*out = list;
		return 0;
	}
	for (;;) {
		if (eqt_digits_read(&percent, &text, NULL) < 0 ||
		    percent <= last || percent > 100 ||
		    list.count == EQT_THRESHOLDS_MOST)
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
