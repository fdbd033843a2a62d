/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "charged_until.h"

struct entry {
	uint32_t job_id;
	time_t until;
};

/* Sorted by job id; short, since every pass prunes it. */
static struct {
	struct entry *entries;
	size_t count;
	size_t space;
} known;

/* Index of the job, or of where it belongs. */
static size_t find(uint32_t job_id)
{
	size_t low = 0, high = known.count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (known.entries[mid].job_id < job_id)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static int grow(void)
{
	size_t space = known.space ? known.space * 2 : 64;
	struct entry *entries =
		realloc(known.entries, space * sizeof(*entries));

	if (!entries)
		return -1;
	known.entries = entries;
	known.space = space;
	return 0;
}

void eqt_charged_until_add(uint32_t job_id, time_t until)
{
	size_t at = find(job_id);

	if (at < known.count && known.entries[at].job_id == job_id) {
		if (until > known.entries[at].until)
			known.entries[at].until = until;
		return;
	}
	if (known.count == known.space && grow() < 0)
		return;
	for (size_t i = known.count; i > at; i--)
		known.entries[i] = known.entries[i - 1];
	known.entries[at] = (struct entry){ job_id, until };
	known.count++;
}

time_t eqt_charged_until(uint32_t job_id)
{
	size_t at;

	if (!known.count)
		return 0;
	at = find(job_id);
	if (at == known.count || known.entries[at].job_id != job_id)
		return 0;
	return known.entries[at].until;
}

void eqt_charged_until_prune(time_t last_ran)
{
	size_t kept = 0;

	for (size_t i = 0; i < known.count; i++)
		if (known.entries[i].until > last_ran)
			known.entries[kept++] = known.entries[i];
	known.count = kept;
}

void eqt_charged_until_clear(void)
{
	free(known.entries);
	known.entries = NULL;
	known.count = known.space = 0;
}
