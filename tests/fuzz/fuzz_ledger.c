/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a snapshot, a journal line and a line of the record of charges, as
 * they are and with a correct checksum added: a fuzzer does not find one by chance and would never
 * get past it. What is accepted must be written and read again as the same
 * text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "ledger/charge_record.h"
#include "ledger/ledger.h"
#include "../unit/ledger/charge_text.h"

#define SEAL_TEXT 10 /* eight digits, newline, NUL */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

static void snapshot_try(const char *text, size_t length)
{
	struct eqt_snapshot *snapshot, *again;
	struct eqt_error err = { "" };
	char *first, *second;

	snapshot = eqt_snapshot_parse(text, length, &err);
	require(snapshot ? !err.text[0] : err.text[0]);
	if (!snapshot)
		return;
	first = eqt_snapshot_text(snapshot, &length);
	require(first != NULL);
	again = eqt_snapshot_parse(first, length, NULL);
	require(again != NULL);
	second = eqt_snapshot_text(again, &length);
	require(second && strcmp(first, second) == 0);
	free(second);
	free(first);
	eqt_snapshot_free(again);
	eqt_snapshot_free(snapshot);
}

static void charge_try(const char *line, size_t length)
{
	char first[EQT_JOURNAL_RECORD_TEXT], second[EQT_JOURNAL_RECORD_TEXT];
	struct eqt_error err = { "" };
	struct eqt_journal_record charge;
	int written;

	if (eqt_journal_record_parse(&charge, line, length, &err) < 0) {
		require(err.text[0]);
		return;
	}
	written = eqt_journal_record_text(first, sizeof(first), &charge);
	require(written > 0);
	require(eqt_journal_record_parse(&charge, first, (size_t) written - 1, NULL) ==
		0);
	require(eqt_journal_record_text(second, sizeof(second), &charge) == written);
	require(strcmp(first, second) == 0);
}

static void record_try(const char *line, size_t length)
{
	char text[EQT_CHARGE_TEXT];
	struct eqt_charge_record record;
	struct eqt_charge_head head;
	struct eqt_error err = { "" };

	if (eqt_charge_head_parse(&head, line, length, NULL) == 0) {
		require(eqt_charge_head_text(text, sizeof(text), &head) ==
			(int) length + 1);
		require(memcmp(text, line, length) == 0);
	}
	if (eqt_charge_record_parse(&record, line, length, &err) < 0) {
		require(err.text[0]);
		return;
	}
	require(charge_text(text, sizeof(text), &record) > 0);
	require(eqt_charge_record_parse(&record, text, strlen(text) - 1,
					NULL) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = malloc(size + SEAL_TEXT);

	require(copy != NULL);
	if (size > 0)
		memcpy(copy, data, size);
	snapshot_try((const char *) data, size);
	charge_try((const char *) data, size);
	record_try((const char *) data, size);
	snprintf(copy + size, SEAL_TEXT, "%08lx\n", crc32_z(0, data, size));
	snapshot_try(copy, size + SEAL_TEXT - 1);
	charge_try(copy, size + SEAL_TEXT - 2);
	record_try(copy, size + SEAL_TEXT - 2);
	free(copy);
	return 0;
}
