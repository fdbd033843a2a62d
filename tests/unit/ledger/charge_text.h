/* SPDX-License-Identifier: GPL-2.0-or-later */
/* charge_text: a line of the record of charges with the names of its own record. */
#ifndef EQT_TESTS_CHARGE_TEXT_H
#define EQT_TESTS_CHARGE_TEXT_H

#include "ledger/charge_record.h"

/* Its length; -1: it does not fit, or is no line. */
static inline int charge_text(char *buf, size_t size,
			      const struct eqt_charge_record *record)
{
	const char *const name[EQT_CHARGE_NAMES] = {
		[EQT_CHARGE_ACCOUNT] = record->account,
		[EQT_CHARGE_USER] = record->user,
		[EQT_CHARGE_PARTITION] = record->partition,
		[EQT_CHARGE_QOS] = record->qos,
		[EQT_CHARGE_CURRENCY] = record->currency,
		[EQT_CHARGE_REASON] = record->reason,
	};
	struct eqt_text text = { .data = buf, .space = size };

	return eqt_charge_record_put(&text, record, name) ? (int) text.length
							  : -1;
}

#endif
