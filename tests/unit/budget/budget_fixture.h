/* SPDX-License-Identifier: GPL-2.0-or-later */
/* budget_fixture: create, apply and write entries, for tests of budgets. */
#ifndef EQT_TESTS_BUDGET_FIXTURE_H
#define EQT_TESTS_BUDGET_FIXTURE_H

#include "budget/book_plan.h"
#include "../unit.h"

static struct eqt_error err;

/* A whole line. */
static inline int entry_line(const struct eqt_entry *entry, uint32_t *crc,
			     char *text, size_t space)
{
	int length = eqt_entry_body(entry, text, space);

	return length < 0 ? -1
			  : eqt_entry_seal(entry->seq, crc, text,
					   (size_t) length, space);
}

/* The next entry of a book. */
static inline struct eqt_entry next_entry(const struct eqt_book *book,
					  enum eqt_entry_kind kind,
					  uint64_t when)
{
	return (struct eqt_entry){ .kind = kind,
				   .seq = eqt_book_seq(book) + 1,
				   .when = when };
}

/* All sums of a book are right. */
static inline void is_balanced(const struct eqt_book *book)
{
	ck_assert_msg(eqt_book_audit(book, &err) == 0, "%s", err.text);
}

#endif
