/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine: what explains the figures of another machine: its processor, caches and
 * pages, and what a cache line costs in memory that is larger than the last cache.
 * Lines for a reader.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../tests/property/random.h"
#include "median.h"

#define LINE 64
#define LEAST_MEMORY ((size_t) 256 << 20)
#define VISITS 2000000
#define TURNS 5

/* A cache line that leads to another one. */
struct line {
	uint32_t next;
	char rest[LINE - sizeof(uint32_t)];
};

static struct eqt_random random_state = { 2463534242u };

/* One cycle through all lines: each leads to the next in memory, or to any one. */
static void cycle_make(struct line *lines, uint32_t count, bool at_random)
{
	for (uint32_t i = 0; i < count; i++)
		lines[i].next = i;
	for (uint32_t i = count - 1; at_random && i > 0; i--) {
		uint32_t other = (uint32_t) eqt_random_below(&random_state, i);
		uint32_t next = lines[i].next;

		lines[i].next = lines[other].next;
		lines[other].next = next;
	}
	for (uint32_t i = 0; !at_random && i < count; i++)
		lines[i].next = (i + 1) % count;
}

/* Each address comes from the line before. */
static uint32_t visit_chain(const struct line *lines, uint32_t count,
			    uint32_t at)
{
	(void) count;
	for (int i = 0; i < VISITS; i++)
		at = lines[at].next;
	return at;
}

/* The addresses do not depend on what was loaded, so many loads are on the way. */
static uint32_t visit_known(const struct line *lines, uint32_t count,
			    uint32_t seed)
{
	uint32_t sum = 0;

	for (int i = 0; i < VISITS; i++) {
		seed = seed * 1664525 + 1013904223;
		sum += lines[(uint64_t) seed * count >> 32].next;
	}
	return sum % count;
}

static double line_ns(uint32_t (*visit)(const struct line *lines,
					uint32_t count, uint32_t at),
		      const struct line *lines, uint32_t count)
{
	double took[TURNS];
	uint32_t at = 0;

	for (int turn = 0; turn < TURNS; turn++) {
		const double start = median_clock();

		at = visit(lines, count, at);
		took[turn] = (median_clock() - start) / VISITS;
	}
	/* Its value is not known to the compiler. */
	return at < count ? median_of(took, TURNS) : 0;
}

/* The first line of a file that begins with a word, after the word and ": ". */
static void print_line(const char *path, const char *word)
{
	char text[512];
	FILE *file = fopen(path, "r");
	bool found = false;

	while (file && !found && fgets(text, sizeof(text), file))
		found = strncmp(text, word, strlen(word)) == 0;
	if (file)
		(void) fclose(file);
	if (!found)
		(void) snprintf(text, sizeof(text), "%s unknown", word);
	text[strcspn(text, "\n")] = '\0';
	fputs(*word && strchr(text, ':') ? strchr(text, ':') + 2 : text,
	      stdout);
}

int main(void)
{
	const long l2 = sysconf(_SC_LEVEL2_CACHE_SIZE),
		   l3 = sysconf(_SC_LEVEL3_CACHE_SIZE);
	size_t size = l3 > 0 && (size_t) l3 * 2 > LEAST_MEMORY ? (size_t) l3 * 2
							       : LEAST_MEMORY;
	const uint32_t count = (uint32_t) (size / LINE);
	struct line *lines = malloc(size);
	double in_order, any, known;

	if (!lines) {
		fputs("machine: out of memory\n", stderr);
		return 2;
	}
	cycle_make(lines, count, false);
	in_order = line_ns(visit_chain, lines, count);
	known = line_ns(visit_known, lines, count);
	cycle_make(lines, count, true);
	any = line_ns(visit_chain, lines, count);
	free(lines);
	print_line("/proc/cpuinfo", "model name");
	printf(", %ld processors, L2 %ld KB, L3 %ld KB\n",
	       sysconf(_SC_NPROCESSORS_ONLN), l2 / 1024, l3 / 1024);
	printf("pages of %ld KB, large pages: ", sysconf(_SC_PAGESIZE) / 1024);
	print_line("/sys/kernel/mm/transparent_hugepage/enabled", "");
	printf("\na cache line of %zu MB: %.1f ns in order, %.1f ns at random, "
	       "%.1f ns at random one after the other\n",
	       size >> 20, in_order, known, any);
	return 0;
}
