/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prefetch: a walk that asks for the memory of an item some steps before its turn.
 *
 * A pass goes through as many associations and jobs as there are, each in memory
 * of its own: nearly all of its time would be waiting for that memory, one piece
 * after the other. An item is touched in stages, as pointer leads to pointer;
 * between its stages others have theirs, and memory comes for many at once.
 */
#ifndef EQT_PREFETCH_H
#define EQT_PREFETCH_H

#include <stddef.h>
#include <stdint.h>

/* Items of a block. All that is prefetched between an item's first touch and its
 * visit must fit into the cache next to the processor. */
#define EQT_PREFETCH_STEP 8
#define EQT_PREFETCH_STAGES 6
#define EQT_PREFETCH_RING 128 /* a power of two, at least STEP * (STAGES + 1) */

/* The stages of an item before its visit, in this order, up to the first NULL. A
 * touch may read what the touch before it prefetched, and prefetches more by
 * eqt_prefetch_want(). */
struct eqt_prefetch_plan {
	void (*touch[EQT_PREFETCH_STAGES])(void *item);
};

/* A walk; a plain value, begun as { .plan, .visit, .arg }. Without a visit it
 * only prefetches. */
struct eqt_prefetch {
	const struct eqt_prefetch_plan *plan;
	void (*visit)(void *item, void *arg);
	void *arg;
	uint64_t pushed;
	void *ring[EQT_PREFETCH_RING];
};

#define EQT_PREFETCH_LINE 64 /* bytes that memory comes in */

/* Prefetch; any address will do, it is not read. */
static inline void eqt_prefetch_want(const void *address)
{
	__builtin_prefetch(address);
}

/* The same for memory that will be written: it comes as this processor's own, so
 * that no other processor has to be asked at the write. */
static inline void eqt_prefetch_own(const void *address)
{
#ifdef __x86_64__
	/* The compiler would emit the other one, since not all processors had
	 * this; those treated it as a no-op. */
	__asm__ volatile("prefetchw %0" : : "m"(*(const char *) address));
#else
	__builtin_prefetch(address, 1);
#endif
}

/* Ask for each line of a stretch, which may begin and end within one. */
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

/* Take one more item; others, pushed before, are touched or visited. */
void eqt_prefetch_push(struct eqt_prefetch *walk, void *item);

/* Visit all that are left. */
void eqt_prefetch_finish(struct eqt_prefetch *walk);

#endif
