/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prefetch: a walk that requests the memory of an item some steps before its visit.
 *
 * A pass visits all associations and jobs, each somewhere else in memory. Without
 * prefetching it would spend nearly all of its time waiting for that memory, one line
 * after the other. An item is touched in stages, one per level of pointers; the stages
 * of several items alternate, so that memory arrives for many at once.
 */
#ifndef EQT_PREFETCH_H
#define EQT_PREFETCH_H

#include <stddef.h>
#include <stdint.h>

#define EQT_PREFETCH_STAGES 6
#define EQT_PREFETCH_RING 128 /* a power of two, above ahead * STAGES */

/* The stages of an item before its visit, in order, up to the first NULL. A touch may
 * read what the previous touch prefetched, and prefetches more with
 * eqt_prefetch_want() and the like. */
struct eqt_prefetch_plan {
	/* The number of items between two stages of an item, and between its last
	 * stage and its visit. It is small, because a processor drops prefetches when it
	 * has too many under way, and their lines must stay in the L1 cache until the
	 * visit. */
	unsigned int ahead;
	void (*touch[EQT_PREFETCH_STAGES])(void *item);
};

/* A walk; a plain value, initialized as { .plan, .visit, .arg }. Without visit it only
 * prefetches. */
struct eqt_prefetch {
	const struct eqt_prefetch_plan *plan;
	void (*visit)(void *item, void *arg);
	void *arg;
	uint64_t pushed;
	void *ring[EQT_PREFETCH_RING];
};

#define EQT_PREFETCH_LINE 64 /* bytes of a cache line */

/* Prefetch for reading. The address may be invalid: prefetching never faults. */
static inline void eqt_prefetch_want(const void *address)
{
	__builtin_prefetch(address);
}

/* Prefetch for writing: the line arrives in exclusive state, so that the write need not
 * ask other processors. */
static inline void eqt_prefetch_own(const void *address)
{
#ifdef __x86_64__
	/* For a generic x86-64 the compiler emits a plain prefetch, because the
	 * first processors did not have this one; they treat it as a no-op. */
	__asm__ volatile("prefetchw %0" : : "m"(*(const char *) address));
#else
	__builtin_prefetch(address, 1);
#endif
}

/* Prefetch each cache line of a stretch, which need not be aligned. */
static inline void eqt_prefetch_lines(const void *address, size_t size,
				      void (*spec)(const void *address))
{
	const char *last = (const char *) address + size - 1;

	for (const char *at = address; at < last; at += EQT_PREFETCH_LINE)
		spec(at);
	spec(last);
}

static inline void eqt_prefetch_want_all(const void *address, size_t size)
{
	eqt_prefetch_lines(address, size, eqt_prefetch_want);
}

static inline void eqt_prefetch_own_all(const void *address, size_t size)
{
	eqt_prefetch_lines(address, size, eqt_prefetch_own);
}

/* Add an item; items that were pushed before are touched or visited. */
void eqt_prefetch_push(struct eqt_prefetch *walk, void *item);

/* Visit all remaining items. */
void eqt_prefetch_finish(struct eqt_prefetch *walk);

#endif
