/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../fail.h"
#include "../history.h"
#include "../locks.h"
#include "midway.h"

/* Set while the plugin's threads sleep; then only one of them uses it. */
static struct {
	int64_t left; /* times still to wait; 0: none */
	char event[256];
} midway;

/* All threads but the program's first one are the plugin's. */
static void reached(void)
{
	if (!midway.left || gettid() == getpid() || --midway.left > 0)
		return;
	for (char *event = midway.event, *end; event; event = end) {
		end = strchr(event, ';');
		if (end)
			*end++ = '\0';
		history_play(event);
	}
}

static void reached_slice(const assoc_mgr_lock_t *levels)
{
	if (levels->assoc == WRITE_LOCK && !locks_held())
		reached();
}

static void midway_read(const struct words *words)
{
	size_t used = 0;

	midway.left = words_int_at(words, 1, "how often");
	(void) words_at(words, 2, "the event");
	midway.event[0] = '\0';
	for (int i = 2; i < words->count; i++) {
		size_t length = strlen(words->word[i]);

		if (used + length + 2 > sizeof(midway.event))
			fail("the event is too long");
		memcpy(midway.event + used, words->word[i], length);
		used += length;
		midway.event[used++] = ' ';
		midway.event[used] = '\0';
	}
}

void midway_set(const struct words *words)
{
	midway_read(words);
	locks_call(reached);
	locks_call_assocs(NULL);
}

void midway_set_charges(const struct words *words)
{
	midway_read(words);
	locks_call(NULL);
	locks_call_assocs(reached_slice);
}
