/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hash: the 64-bit hash function FNV-1a of Fowler, Noll and Vo, and sets of hashes. The
 * function does not resist forged input, so hash only bytes that no user chooses to
 * collide. */
#ifndef EQT_HASH_H
#define EQT_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The hash of no bytes, from which eqt_hash_bytes() continues. */
#define EQT_HASH_START UINT64_C(14695981039346656037)

/* Return the hash of the bytes that were hashed before, followed by these bytes. */
static inline uint64_t eqt_hash_bytes(uint64_t hash, const void *bytes,
				      size_t length)
{
	const unsigned char *at = bytes;

	for (; length > 0; length--)
		hash = (hash ^ *at++) * UINT64_C(1099511628211);
	return hash;
}

/* A set of things, of which it keeps only the hashes. The chance that two different
 * ones of a million have the same hash is about 1 in 37 million. {0} is empty, and
 * eqt_hash_set_free() frees its memory. */
struct eqt_hash_set {
	uint64_t *hash; /* a table; 0 marks a free place */
	size_t count;
	size_t space; /* a power of two, or 0 */
};

/* Add a hash. Return 1 if it is new, 0 if the set has it, or -1 if there is no
 * memory. */
int eqt_hash_set_add(struct eqt_hash_set *set, uint64_t hash);

/* Remove all hashes, and keep the memory for others. */
void eqt_hash_set_clear(struct eqt_hash_set *set);

/* Free the members of *set, and make it empty. */
void eqt_hash_set_free(struct eqt_hash_set *set);

#endif
