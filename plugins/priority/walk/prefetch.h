/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prefetch: a walk that requests the memory of an item some steps before it
 * visits the item.
 *
 * A pass visits all associations and jobs, and each of them lies elsewhere in
 * memory. Without prefetching, the pass would spend nearly all of its time
 * waiting for one cache line after the other. An item is prefetched in stages,
 * one for each level of pointers. The stages of several items alternate, so
 * that the memory of many items arrives at the same time.
 */
#ifndef EQT_PREFETCH_H
#define EQT_PREFETCH_H

#include <stddef.h>
#include <stdint.h>

#define EQT_PREFETCH_STAGES 6
/* A power of two that is larger than ahead * EQT_PREFETCH_STAGES. */
#define EQT_PREFETCH_RING 128

/* The stages of an item before its visit, in order, up to the first NULL. A
 * stage may read what the previous stage prefetched, and prefetches more with
 * eqt_prefetch_want() and eqt_prefetch_own(). */
struct eqt_prefetch_plan {
	/* The number of items between two stages of an item, and between its
	   last stage and its visit. The number is small for two reasons: a
	   processor drops prefetches when too many are in progress, and the
	   prefetched lines must stay in the L1 cache until the visit. */
	unsigned int ahead;
	void (*touch[EQT_PREFETCH_STAGES])(void *item);
};

/* The state of a walk over items, initialized with plan, visit and arg. Without
 * visit the walk only prefetches. */
struct eqt_prefetch {
	const struct eqt_prefetch_plan *plan;
	void (*visit)(void *item, void *arg);
	void *arg;
	uint64_t pushed;
	void *ring[EQT_PREFETCH_RING];
};

#define EQT_PREFETCH_LINE 64 /* The bytes of a cache line. */

/* Prefetch for reading. The address may be invalid, because prefetching never
 * faults. */
static inline void eqt_prefetch_want(const void *address)
{
	__builtin_prefetch(address);
}

/* Prefetch for writing. The cache line arrives in exclusive state, so that the
 * write does not have to ask other processors. */
static inline void eqt_prefetch_own(const void *address)
{
#ifdef __x86_64__
	/* Use the instruction itself: for a generic x86-64 the compiler emits a
	   plain prefetch, because the first processors did not have prefetchw.
	   They treat it as a no-op. */
	__asm__ volatile("prefetchw %0" : : "m"(*(const char *) address));
#else
	__builtin_prefetch(address, 1);
#endif
}

/* Prefetch each cache line of a range of memory, which need not be aligned. */
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

/* Add an item. Items that were pushed earlier advance by one stage or are
 * visited. */
void eqt_prefetch_push(struct eqt_prefetch *walk, void *item);

/* Visit all remaining items. */
void eqt_prefetch_finish(struct eqt_prefetch *walk);

#endif
