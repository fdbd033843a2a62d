/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unmarked: Check's assertions without a mark of each that holds.
 *
 * Check writes the place of each assertion to a file, to report where a test died.
 * A property asserts millions of times, and those writes were half of its time.
 * Include this after check.h; a failure is reported as before.
 */
#ifndef EQT_TESTS_UNMARKED_H
#define EQT_TESTS_UNMARKED_H

#include <check.h>

#undef ck_assert
#define ck_assert(expr)                                                     \
	do {                                                                \
		if (!(expr))                                                \
			ck_abort_msg("Assertion '%s' failed", #expr);       \
	} while (0)

/* Check's other assertions are made of this one. */
#undef ck_assert_msg
#define ck_assert_msg(expr, ...)                                            \
	do {                                                                \
		if (!(expr))                                                \
			ck_abort_msg(__VA_ARGS__);                          \
	} while (0)

#endif
