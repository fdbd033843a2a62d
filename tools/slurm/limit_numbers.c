/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "slurm/limit_numbers.h"

#define SPACE_MIN 64

/* Append a limit. 0, or -1: out of memory. */
static int numbers_append(struct eqt_limit_numbers *numbers, uint64_t most)
{
	if (numbers->count == numbers->space) {
		const uint32_t space = numbers->space ? 2 * numbers->space
						      : SPACE_MIN;
		void *all =
			realloc(numbers->most, space * sizeof(*numbers->most));

		if (!all)
			return -1;
		numbers->most = all;
		numbers->space = space;
	}
	numbers->most[numbers->count++] = most;
	return 0;
}

int eqt_limit_number(uint32_t *out, struct eqt_limit_numbers *numbers,
		     const char *name, uint64_t most)
{
	int new;
	struct eqt_numbered_name *one =
		eqt_names_get(&numbers->names, name, sizeof(*one), &new);

	if (!one)
		return -1;
	if (new) {
		one->number = numbers->count;
		if (numbers_append(numbers, most) < 0)
			return -1;
	}
	*out = one->number;
	return 0;
}

void eqt_limit_numbers_free(struct eqt_limit_numbers *numbers)
{
	free(numbers->most);
	eqt_names_free(&numbers->names);
	*numbers = (struct eqt_limit_numbers){ .most = NULL };
}
