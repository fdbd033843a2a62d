/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hash: the 64-bit hash function FNV-1a of Fowler, Noll and Vo. It does not resist
 * forged input, so hash only bytes that no user chooses to collide. */
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

#endif
