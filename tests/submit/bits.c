/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../compat/stand_in.h"
#include "../host/fail.h"
#include "../property/random.h"
#include "slurm/node_bits.h"
#include "bits.h"

#define NODES_MAX 700

/* Nodes of no range, of one, or scattered; the words of others may be set behind the
 * last node, as bit_not() leaves them. */
static bitstr_t *bitmap(struct eqt_random *random, bitoff_t size)
{
	const bitoff_t nodes = (bitoff_t) eqt_random_below(
		random, eqt_random_below(random, 3) ? 5 : (uint64_t) size);
	bitstr_t *out = bit_alloc(size);
	bitoff_t first, last;

	for (bitoff_t i = 0; i < nodes; i++)
		bit_set(out, (bitoff_t) eqt_random_below(random,
							 (uint64_t) size));
	if (eqt_random_below(random, 2)) {
		first = (bitoff_t) eqt_random_below(random, (uint64_t) size);
		last = first + (bitoff_t) eqt_random_below(
				       random, (uint64_t) (size - first));
		bit_nset(out, first, last);
	}
	if (eqt_random_below(random, 4) == 0)
		bit_not(out);
	return out;
}

/* bit_equal() compares what is behind the last node, too. */
static void same(bitstr_t *a, bitstr_t *b, const char *what)
{
	const int32_t count = bit_set_count(a);

	if (bit_set_count(b) != count || bit_overlap(a, b) != count)
		fail("%s differ", what);
}

static void check_set(const struct eqt_node_set *set, bitstr_t *wanted)
{
	bitstr_t *all = bit_alloc(bit_size(wanted));
	bitoff_t size = bit_size(wanted);

	if (eqt_node_bits_count_set(set, wanted) != (uint64_t) bit_set_count(wanted))
		fail("a set lacks nodes");
	bit_set_all(all);
	if (eqt_node_bits_count_set(set, all) != (uint64_t) bit_set_count(wanted))
		fail("a set of %ld has others", (long) size);
	bit_free(all);
}

static void check_next(const bitstr_t *wanted)
{
	bitstr_t *left = bit_copy((bitstr_t *) (uintptr_t) wanted);
	bitoff_t i = -1;

	while ((i = eqt_node_bits_next(wanted, i + 1)) >= 0) {
		if (i != bit_ffs(left))
			fail("the next is %ld", (long) i);
		bit_clear(left, i);
	}
	if (bit_ffs(left) >= 0)
		fail("%ld has no turn", (long) bit_ffs(left));
	bit_free(left);
}

/* Two lines one after the other, the second of which may be where the first is. */
static void check_take(struct eqt_random *random, bitoff_t size)
{
	bitstr_t *fresh = bitmap(random, size), *seen = bitmap(random, size);
	bitstr_t *only = bitmap(random, size), *without = bitmap(random, size);
	const struct eqt_node_bits bits = {
		fresh, seen, eqt_random_below(random, 2) ? only : NULL,
		eqt_random_below(random, 2) ? without : NULL
	};
	bitstr_t *all = bit_alloc(size);
	struct eqt_node_set sum = { .word = NULL };

	for (int i = 0; i < 2; i++) {
		struct eqt_node_set set = { .word = NULL };
		struct eqt_node_words words = { .to = 0 };
		bitstr_t *line = bitmap(random, size), *left = bit_copy(line);
		bitstr_t *rest = bit_copy(fresh), *had = bit_copy(seen);
		const bitoff_t first = eqt_node_bits_first(line, fresh);
		bitoff_t found = -1;

		bit_and(left, fresh);
		if (first != bit_ffs(left))
			fail("the first is %ld", (long) first);
		for (int again = 0; again < 2; again++) {
			found = -1;
			if (eqt_node_bits_count(line, fresh, &words, &found) !=
				    (uint64_t) bit_overlap(line, fresh) ||
			    found != first)
				fail("a number differs");
		}
		bit_and_not(rest, line);
		bit_or(had, left);
		if (bits.only)
			bit_and(left, only);
		if (bits.without)
			bit_and_not(left, without);
		found = first < 0 ? -1
				  : eqt_node_bits_take(&bits, &set, line,
						       first);
		if (found != bit_ffs(left))
			fail("the first that is left is %ld", (long) found);
		same(fresh, rest, "nodes that are not seen");
		same(seen, had, "nodes that are seen");
		check_set(&set, left);
		bit_or(all, left);
		eqt_node_bits_move(&sum, &set);
		check_set(&sum, all);
		found = (bitoff_t) eqt_random_below(random, (uint64_t) size);
		bit_set(all, found);
		eqt_node_bits_add(&sum, found);
		check_set(&sum, all);
		check_next(all);
		bit_free(line);
		bit_free(left);
		bit_free(rest);
		bit_free(had);
	}
	eqt_node_bits_close(&sum);
	bit_free(all);
	bit_free(fresh);
	bit_free(seen);
	bit_free(only);
	bit_free(without);
}

void bits_check(long count, uint64_t seed)
{
	struct eqt_random random = { .s = seed };

	for (long i = 0; i < count; i++)
		check_take(&random,
			   1 + (bitoff_t) eqt_random_below(&random, NODES_MAX));
}
