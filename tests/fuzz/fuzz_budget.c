/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a journal of budgets: each line as it is, and with a correct checksum added,
 * which a fuzzer does not find by chance. What is accepted must be written and read again as
 * the same text; and whatever a book applies, its sums hold.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "budget/book.h"
#include "budget/entry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

static void book_try(struct eqt_book *book, const struct eqt_entry *entry)
{
	struct eqt_error err = { "" };

	(void) eqt_book_transfers_done(book, entry, NULL);
	if (eqt_book_apply(book, entry, &err) < 0)
		require(err.text[0]);
	require(eqt_book_audit(book, NULL) == 0);
}

/* *crc is that of the lines before, and becomes that of the line if it is accepted. */
static void line_try(struct eqt_book *book, uint32_t *crc, const char *line)
{
	char text[EQT_ENTRY_TEXT];
	struct eqt_error err = { "" };
	struct eqt_entry entry, again;
	uint32_t read = *crc, written = *crc;
	int length;

	if (eqt_entry_parse(&entry, &read, line, &err) < 0) {
		require(err.text[0] && read == *crc);
		return;
	}
	length = eqt_entry_body(&entry, text, sizeof(text));
	require(length > 0);
	require(eqt_entry_seal(entry.seq, &written, text, (size_t) length,
			       sizeof(text)) > length);
	require(eqt_entry_parse(&again, crc, text, NULL) == 0);
	require(*crc == written && memcmp(&entry, &again, sizeof(entry)) == 0);
	book_try(book, &entry);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct eqt_book *book = eqt_book_new();
	char *text = malloc(size + 1), *line, *saved;
	char sealed[EQT_ENTRY_TEXT + 16];
	uint32_t crc = 0;

	require(book && text);
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	for (line = strtok_r(text, "\n", &saved); line;
	     line = strtok_r(NULL, "\n", &saved)) {
		const size_t length = strlen(line);

		line_try(book, &crc, line);
		if (length >= EQT_ENTRY_TEXT)
			continue;
		snprintf(sealed, sizeof(sealed), "%s %08lx", line,
			 crc32(crc, (const Bytef *) line, (uInt) length));
		line_try(book, &crc, sealed);
	}
	free(text);
	eqt_book_free(book);
	return 0;
}
