/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "slurm/node_bits.h"

#define WORD_BITS 64

/* In all releases a bitmap begins with two words, and the second is its number
 * of bits. Newer headers hide this. */
#define HEAD 2

static uint64_t *words_of(const bitstr_t *nodes)
{
	return (uint64_t *) (uintptr_t) (nodes + HEAD);
}

static uint32_t words_count(const bitstr_t *nodes)
{
	return (uint32_t) ((nodes[1] + WORD_BITS - 1) / WORD_BITS);
}

/* A mask of the bits of a word that stand for nodes. Slurm may leave other bits
 * set in the last word. */
static uint64_t word_mask(const bitstr_t *nodes, uint32_t word)
{
	const uint32_t last = (uint32_t) nodes[1] % WORD_BITS;

	if (last == 0 || word + 1 < words_count(nodes))
		return UINT64_MAX;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return UINT64_MAX >> (WORD_BITS - last);
#else
	return UINT64_MAX << (WORD_BITS - last);
#endif
}

static bitoff_t first_bit(uint32_t word, uint64_t bits)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return (bitoff_t) word * WORD_BITS + __builtin_ctzll(bits);
#else
	return (bitoff_t) word * WORD_BITS + __builtin_clzll(bits);
#endif
}

static uint64_t word_bit(bitoff_t node)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return UINT64_C(1) << node % WORD_BITS;
#else
	return UINT64_C(1) << (WORD_BITS - 1 - node % WORD_BITS);
#endif
}

/* The number of set bits. __builtin_popcountll() would call a function, because
 * older processors lack the instruction. */
static inline uint64_t bits_count(uint64_t bits)
{
	bits -= bits >> 1 & 0x5555555555555555;
	bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
	bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return bits * 0x0101010101010101 >> 56;
}

/* The index of the first word from i on that is not zero, or `end` if there is
 * none. */
static inline uint32_t word_next(const uint64_t *word, uint32_t i, uint32_t end)
{
	while (i + 4 <= end &&
	       (word[i] | word[i + 1] | word[i + 2] | word[i + 3]) == 0)
		i += 4;
	while (i < end && word[i] == 0)
		i++;
	return i;
}

bool eqt_node_bits_fit(const bitstr_t *nodes, const bitstr_t *other)
{
	return nodes && other && nodes[1] == other[1] &&
	       nodes[1] == bit_size((bitstr_t *) (uintptr_t) nodes);
}

/* Make room for the words from `from` to `to`. New words are zero. */
static void set_widen(struct eqt_node_set *set, uint32_t from, uint32_t to)
{
	const uint32_t had = set->to - set->from;
	uint32_t before;

	if (had > 0 && from >= set->from && to <= set->to)
		return;
	if (had > 0 && from > set->from)
		from = set->from;
	if (had > 0 && to < set->to)
		to = set->to;
	before = had > 0 ? set->from - from : 0;
	xrecalloc(set->word, to - from, sizeof(*set->word));
	if (before > 0) {
		memmove(set->word + before, set->word,
			had * sizeof(*set->word));
		memset(set->word, 0, before * sizeof(*set->word));
	}
	set->from = from;
	set->to = to;
}

void eqt_node_bits_close(struct eqt_node_set *set)
{
	xfree(set->word);
	*set = (struct eqt_node_set){ .word = NULL };
}

void eqt_node_bits_add(struct eqt_node_set *set, bitoff_t node)
{
	const uint32_t word = (uint32_t) (node / WORD_BITS);

	set_widen(set, word, word + 1);
	set->word[word - set->from] |= word_bit(node);
}

void eqt_node_bits_move(struct eqt_node_set *to, struct eqt_node_set *from)
{
	if (to->to == 0) {
		eqt_node_bits_close(to);
		*to = *from;
		*from = (struct eqt_node_set){ .word = NULL };
		return;
	}
	set_widen(to, from->from, from->to);
	for (uint32_t i = from->from; i < from->to; i++)
		to->word[i - to->from] |= from->word[i - from->from];
	eqt_node_bits_close(from);
}

uint64_t eqt_node_bits_count_set(const struct eqt_node_set *set,
				 const bitstr_t *nodes)
{
	const uint64_t *word = words_of(nodes);
	uint64_t count = 0;

	for (uint32_t i = set->from; i < set->to; i++)
		count += bits_count(set->word[i - set->from] & word[i]);
	return count;
}

bitoff_t eqt_node_bits_first(const bitstr_t *nodes, const bitstr_t *other)
{
	const uint64_t *a = words_of(nodes), *b = words_of(other);
	const uint32_t end = words_count(nodes);

	for (uint32_t i = 0; (i = word_next(a, i, end)) < end; i++) {
		const uint64_t both = a[i] & b[i] & word_mask(nodes, i);

		if (both)
			return first_bit(i, both);
	}
	return -1;
}

/* A mask of the bits of a word that stand for a node and the nodes behind it. */
static uint64_t bits_from(bitoff_t node)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return UINT64_MAX << node % WORD_BITS;
#else
	return UINT64_MAX >> node % WORD_BITS;
#endif
}

bitoff_t eqt_node_bits_next(const bitstr_t *nodes, bitoff_t from)
{
	const uint64_t *word = words_of(nodes);
	const uint32_t end = words_count(nodes);
	uint32_t i = (uint32_t) (from / WORD_BITS);
	uint64_t bits;

	if (from >= nodes[1])
		return -1;
	bits = word[i] & bits_from(from) & word_mask(nodes, i);
	while (bits == 0 && (i = word_next(word, i + 1, end)) < end)
		bits = word[i] & word_mask(nodes, i);
	return bits == 0 ? -1 : first_bit(i, bits);
}

/* Find the first and the last word that is not zero. */
static void words_find(struct eqt_node_words *words, const bitstr_t *nodes)
{
	const uint64_t *word = words_of(nodes);
	uint32_t end = words_count(nodes);

	words->from = word_next(word, 0, end);
	while (end > words->from && word[end - 1] == 0)
		end--;
	words->to = end;
}

uint64_t eqt_node_bits_count(const bitstr_t *nodes, const bitstr_t *other,
			     struct eqt_node_words *words, bitoff_t *first)
{
	const uint64_t *a = words_of(nodes), *b = words_of(other);
	uint64_t count = 0;

	if (words->to == 0)
		words_find(words, nodes);
	for (uint32_t i = words->from; i < words->to; i++) {
		uint64_t both = a[i] & b[i];

		if (i + 1 == words->to)
			both &= word_mask(nodes, i);
		if (both == 0)
			continue;
		if (count == 0)
			*first = first_bit(i, both);
		/* Nodes of a line are mostly neighbours. */
		count += both == UINT64_MAX ? WORD_BITS : bits_count(both);
	}
	return count;
}

/* The nodes of a word that are in bits->only and not in bits->without. */
static uint64_t word_left(const struct eqt_node_bits *bits, uint32_t i,
			  uint64_t word)
{
	if (bits->only)
		word &= words_of(bits->only)[i];
	if (bits->without)
		word &= ~words_of(bits->without)[i];
	return word;
}

/* The end of a run of words that are not zero. */
static uint32_t run_end(const uint64_t *word, uint32_t i, uint32_t end)
{
	while (i < end && word[i] != 0)
		i++;
	return i;
}

bitoff_t eqt_node_bits_take(const struct eqt_node_bits *bits,
			    struct eqt_node_set *set, const bitstr_t *nodes,
			    bitoff_t first)
{
	uint64_t *fresh = words_of(bits->fresh), *seen = words_of(bits->seen);
	const uint64_t *word = words_of(nodes);
	const uint32_t end = words_count(nodes);
	bitoff_t found = -1;

	for (uint32_t i = (uint32_t) (first / WORD_BITS);
	     (i = word_next(word, i, end)) < end; i++) {
		const uint64_t taken = word[i] & fresh[i];
		const uint64_t left =
			word_left(bits, i, taken & word_mask(nodes, i));

		fresh[i] &= ~taken;
		seen[i] |= taken;
		if (left == 0)
			continue;
		if (found < 0)
			found = first_bit(i, left);
		if (i >= set->to)
			set_widen(set, i, run_end(word, i, end));
		set->word[i - set->from] |= left;
	}
	return found;
}
