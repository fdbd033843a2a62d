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

/* Return a hash after the last step of splitmix64, after which each bit depends on all
 * bits. */
static inline uint64_t eqt_hash_mix(uint64_t hash)
{
	hash = (hash ^ (hash >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	hash = (hash ^ (hash >> 27)) * UINT64_C(0x94d049bb133111eb);
	return hash ^ (hash >> 31);
}

/* Return a hash of a name for a table whose number of places is a power of two. FNV-1a
 * mixes the high bits badly into the low bits. The shift corrects this. */
static inline uint32_t eqt_hash_name(const char *name)
{
	uint32_t hash = 2166136261U;

	for (; *name; name++)
		hash = (hash ^ (unsigned char) *name) * 16777619U;
	return hash ^ hash >> 15;
}

/* A set that stores only the hashes of its members. The chance that two of a million
 * different members have the same hash is about 1 in 37 million. {0} is empty, and
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
