/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot_impl: the forms of a snapshot's lines, for writing (snapshot.c) and
 * reading (snapshot_parse.c); private to these two. */
#ifndef EQT_SNAPSHOT_IMPL_H
#define EQT_SNAPSHOT_IMPL_H

#include "ledger/ledger_impl.h"

#define EQT_SNAPSHOT_MAGIC "equitree-usage"
#define EQT_SNAPSHOT_VERSION "1"

/* The fields of each kind of line. */
extern const struct eqt_form eqt_snapshot_head_form; /* struct eqt_snapshot */
extern const struct eqt_form eqt_snapshot_id_form; /* uint32_t */
extern const struct eqt_form
	eqt_snapshot_row_form; /* struct eqt_snapshot_row */
extern const struct eqt_form eqt_snapshot_tres_form; /* long double */
extern const struct eqt_form eqt_snapshot_parent_form; /* eqt_snapshot_parent */
extern const struct eqt_form eqt_snapshot_unit_form; /* eqt_ledger_unit */
extern const struct eqt_form eqt_snapshot_end_form; /* uint32_t: rows */

/* Reallocate old to a * b * size bytes, at least 1. Returns NULL with old untouched
 * when memory is short or the product overflows. */
void *eqt_snapshot_resize(void *old, size_t a, size_t b, size_t size);

#endif
