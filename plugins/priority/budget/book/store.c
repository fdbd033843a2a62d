/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "budget/book/store.h"
#include "budget/book_plan.h"

/* Lines wait in memory while the disk is full. If there are more bytes than
 * this, the lines are dropped, and a new file is written from the book. */
#define TEXT_MOST (UINT32_C(64) << 20)

int eqt_bodies_add(struct eqt_bodies *text, const struct eqt_entry *entry)
{
	int length;

	if (text->length > TEXT_MOST ||
	    EQT_ARRAY_RESERVE(text->data, text->space,
			      text->length + EQT_ENTRY_TEXT) < 0)
		return -1;
	length = eqt_entry_body(entry, text->data + text->length,
				EQT_ENTRY_TEXT - 1);
	if (length < 0)
		return -1;
	text->length += (size_t) length;
	text->data[text->length++] = '\n';
	return 0;
}

void eqt_bodies_free(struct eqt_bodies *text)
{
	free(text->data);
	*text = (struct eqt_bodies){ .data = NULL };
}

/* ---- Reading ----------------------------------------------------------------- */

/* The state of one walk over the lines of a file. */
struct store_reading {
	const char *text;
	size_t length;
	size_t at; /* The end of the last good line. */
	uint32_t crc;
	uint64_t seq;
	uint64_t lines;
	/* The ends that were synced. */
	struct eqt_append_end end[EQT_APPEND_ENDS];
	size_t ends;
	bool whole; /* The file contains one of the ends that were synced. */
};

static struct eqt_append_end reading_end(const struct store_reading *reading)
{
	return (struct eqt_append_end){ reading->seq, reading->at,
					reading->crc };
}

/* Read the next entry. Returns 1, or 0 at the end, or -1 with err filled. */
static int reading_next(struct store_reading *reading, struct eqt_entry *entry,
			struct eqt_error *err)
{
	const char *line = reading->text + reading->at;
	const char *end = memchr(line, '\n', reading->length - reading->at);
	struct eqt_error why;

	if (reading->at == reading->length)
		return 0;
	if (!end || eqt_entry_parse(entry, &reading->crc, line, &why) < 0)
		return eqt_error_set(err, "line %" PRIu64 ": %.400s",
				     reading->lines + 1,
				     end ? why.text : "the line is cut");
	reading->lines++;
	reading->seq = entry->seq;
	reading->at = (size_t) (end + 1 - reading->text);
	for (size_t i = 0; i < reading->ends; i++)
		reading->whole |= reading->end[i].size == reading->at &&
				  reading->end[i].seq == reading->seq &&
				  reading->end[i].crc == reading->crc;
	return 1;
}

/* Apply all entries to a book, which checks each entry. */
static int reading_fill(struct store_reading *reading, struct eqt_book *book,
			struct eqt_error *err)
{
	struct eqt_error why;
	struct eqt_entry entry;
	int rc;

	while ((rc = reading_next(reading, &entry, err)) > 0) {
		if (eqt_book_apply(book, &entry, &why) < 0)
			return eqt_error_set(err, "line %" PRIu64 ": %.400s",
					     reading->lines, why.text);
	}
	return rc;
}

/* Does the file have all entries that were synced? `why` says what stopped the
 * reading, or is NULL. A kill or a power failure can cut only lines after the
 * synced end, and these were not confirmed to anybody. */
static int reading_check(const struct store_reading *reading,
			 const struct eqt_store_found *found, const char *why,
			 struct eqt_error *err)
{
	const uint64_t last = found->known;

	if (!reading->ends)
		return eqt_error_set(err, "%s.end is missing",
				     EQT_BUDGET_STORE);
	if (why && !reading->whole)
		return eqt_error_set(err, "%s: %.400s", EQT_BUDGET_STORE, why);
	if (!reading->lines)
		return eqt_error_set(err, "%s is empty", EQT_BUDGET_STORE);
	if (reading->seq < last || !reading->whole)
		return eqt_error_set(
			err,
			"%s ends with entry %" PRIu64
			" and is cut or older: entry %" PRIu64 " was written",
			EQT_BUDGET_STORE, reading->seq,
			last > reading->seq ? last : reading->end[0].seq);
	return 0;
}

/* Make a book from a file, up to the first line that cannot be read. If there
 * is such a line, *cut is true and why is filled. Returns NULL with err filled
 * if memory is short. */
static struct eqt_book *store_fill(struct store_reading *reading, bool *cut,
				   struct eqt_error *why, struct eqt_error *err)
{
	struct eqt_book *book = eqt_book_new();

	if (!book) {
		(void) eqt_error_set(err, "out of memory");
		return NULL;
	}
	*cut = reading_fill(reading, book, why) < 0;
	return book;
}

/* Judge a missing file. Returns 0 if there never was a file, or if an operator
 * accepts that it is missing. */
static int store_missing(const struct eqt_store *store,
			 struct eqt_store_found *found,
			 const struct store_reading *reading,
			 struct eqt_error *err)
{
	uint64_t last = found->known;

	for (size_t i = 0; i < reading->ends; i++) {
		if (reading->end[i].seq > last)
			last = reading->end[i].seq;
	}
	/* A kill during the first grant leaves a NAME.end without an entry. */
	if (!last)
		return 0;
	(void) eqt_error_set(&found->why,
			     "%s is missing: entry %" PRIu64 " was written",
			     EQT_BUDGET_STORE, last);
	if (!found->accepted) {
		*err = found->why;
		return -1;
	}
	return eqt_state_file_set_aside(store->file.folder,
					EQT_BUDGET_STORE ".end", err);
}

/* Read the file and judge it. Returns -1 with err filled if it must not be
 * used. */
static int store_judge(struct eqt_store *store, struct store_reading *reading,
		       struct eqt_store_found *found, struct eqt_book **judged,
		       struct eqt_error *err)
{
	struct eqt_error why;
	struct eqt_book *book = store_fill(reading, &found->cut, &why, err);

	if (!book)
		return -1;
	if (reading_check(reading, found, found->cut ? why.text : NULL,
			  &found->why) < 0 &&
	    !found->accepted) {
		*err = found->why;
		*judged = book;
		return -1;
	}
	store->seq = reading->seq;
	store->crc = reading->crc;
	*judged = book;
	return 0;
}

int eqt_store_load(struct eqt_store *store, struct eqt_book **book,
		   struct eqt_store_found *found, struct eqt_error *err)
{
	struct store_reading reading = { .at = 0 };
	char *text;
	int rc = -1;

	*book = NULL;
	found->why = (struct eqt_error){ "" };
	found->accepted =
		eqt_state_file_exists(store->file.folder, EQT_BUDGET_ACCEPT);
	if (eqt_append_file_ends(&store->file, reading.end, &reading.ends,
				 err) < 0 &&
	    !found->accepted)
		return -1;
	text = eqt_state_file_read(store->file.folder, EQT_BUDGET_STORE,
				   &reading.length, err);
	if (text) {
		reading.text = text;
		rc = store_judge(store, &reading, found, book, err);
		free(text);
	} else if (errno == ENOENT)
		rc = store_missing(store, found, &reading, err);
	if (rc == 0 && found->accepted)
		rc = eqt_state_file_set_aside(store->file.folder,
					      EQT_BUDGET_ACCEPT, err);
	return rc;
}

/* Begin our file as a copy of the lines that were read. Until our file had the
 * name, the previous owner may have added lines to its own file; these are
 * copied as well. *more says whether there were any. */
static int store_copy(struct eqt_store *store,
		      const struct store_reading *reading,
		      struct eqt_book *book, bool *more, struct eqt_error *err)
{
	struct eqt_append_end end = reading_end(reading);
	struct store_reading rest = {
		.crc = reading->crc,
		.seq = reading->seq,
		.lines = reading->lines,
	};
	struct eqt_error why;
	char *text;
	int rc = 0;

	/* Until the new file has its name, the synced end is that of the
	   previous file. */
	store->file.end = reading->ends ? reading->end[0] : end;
	if (eqt_append_file_begin(&store->file, reading->text, reading->at,
				  &end, err) < 0)
		return -1;
	text = eqt_append_file_rest(&store->file, &rest.length);
	/* The additional lines continue the file only if it was read to its
	   end. */
	if (text && reading->at == reading->length) {
		rest.text = text;
		(void) reading_fill(&rest, book, &why);
		rc = eqt_append_file_put(&store->file, text, rest.at, err);
	}
	free(text);
	*more = rest.at > 0;
	store->seq = rest.seq;
	store->crc = rest.crc;
	return rc < 0 ? -1 : eqt_store_sync(store, err);
}

int eqt_store_take(struct eqt_store *store, struct eqt_book **newer,
		   struct eqt_error *err)
{
	const uint64_t seq = store->seq;
	const uint32_t crc = store->crc;
	struct store_reading reading = { .at = 0 };
	struct eqt_book *book = NULL;
	struct eqt_error why;
	bool cut, more = false;
	char *text;
	int rc = -1;

	*newer = NULL;
	if (eqt_append_file_ends(&store->file, reading.end, &reading.ends,
				 &why) < 0)
		reading.ends = 0;
	text = eqt_append_file_read(&store->file, &reading.length, err);
	if (!text)
		return -1;
	reading.text = text;
	book = store_fill(&reading, &cut, &why, err);
	if (book && reading.lines == 0)
		(void) eqt_error_set(err, "%s: %.400s", EQT_BUDGET_STORE,
				     why.text);
	else if (book)
		rc = store_copy(store, &reading, book, &more, err);
	free(text);
	if (rc == 0 && (more || reading.seq != seq || reading.crc != crc))
		*newer = book;
	else
		eqt_book_free(book);
	return rc;
}

struct eqt_book *eqt_store_read(const struct eqt_store *store,
				struct eqt_error *err)
{
	struct store_reading reading = { .at = 0 };
	struct eqt_book *book = NULL;
	struct eqt_error why;
	size_t length;
	bool cut;
	char *text = eqt_state_file_read(store->file.folder, EQT_BUDGET_STORE,
					 &length, err);

	if (!text)
		return NULL;
	reading.text = text;
	reading.length = (size_t) store->file.size;
	if (length < reading.length)
		(void) eqt_error_set(err, "%s is shorter than what was written",
				     EQT_BUDGET_STORE);
	else
		book = store_fill(&reading, &cut, &why, err);
	if (book && cut) {
		(void) eqt_error_set(err, "%s: %.400s", EQT_BUDGET_STORE,
				     why.text);
		eqt_book_free(book);
		book = NULL;
	}
	free(text);
	return book;
}

/* ---- Writing ----------------------------------------------------------------- */

/* Seal each body. Returns the lines for the file, or NULL if memory is
 * short. */
static char *store_seal(const struct eqt_bodies *text, uint64_t *seq,
			bool same_seq, uint32_t *crc, size_t *length)
{
	size_t lines = 0;
	char *out;

	for (size_t i = 0; i < text->length; i++)
		lines += text->data[i] == '\n';
	out = malloc(text->length + lines * 40 + EQT_ENTRY_TEXT);
	*length = 0;
	if (!out)
		return NULL;
	for (size_t at = 0; at < text->length;) {
		const char *body = text->data + at;
		const char *end = memchr(body, '\n', text->length - at);
		size_t size = (size_t) (end - body);

		memcpy(out + *length, body, size);
		*seq += same_seq ? 0 : 1;
		*length += (size_t) eqt_entry_seal(*seq, crc, out + *length,
						   size, EQT_ENTRY_TEXT);
		at += size + 1;
	}
	return out;
}

int eqt_store_put(struct eqt_store *store, const struct eqt_bodies *text,
		  struct eqt_error *err)
{
	uint64_t seq = store->seq;
	uint32_t crc = store->crc;
	size_t length;
	char *lines = store_seal(text, &seq, false, &crc, &length);
	int rc;

	if (!lines)
		return eqt_error_set(err, "out of memory");
	rc = eqt_append_file_put(&store->file, lines, length, err);
	free(lines);
	if (rc < 0)
		return -1;
	store->seq = seq;
	store->crc = crc;
	return 0;
}

int eqt_store_sync(struct eqt_store *store, struct eqt_error *err)
{
	return eqt_append_file_sync(&store->file, store->seq, store->crc, err);
}

/* Give the present file a second name, which it keeps when the new file
 * replaces it. So there is a file at every moment. */
static int store_keep(const struct eqt_store *store)
{
	char path[PATH_MAX], kept[PATH_MAX], ending[32];

	if (!eqt_state_file_exists(store->file.folder, EQT_BUDGET_STORE))
		return 0;
	(void) snprintf(ending, sizeof(ending), ".%" PRIu64, store->seq);
	eqt_state_file_path(path, store->file.folder, EQT_BUDGET_STORE);
	eqt_state_file_tagged(kept, store->file.folder, EQT_BUDGET_STORE,
			      ending);
	if (link(path, kept) < 0 && errno != EEXIST)
		return -1;
	return 0;
}

int eqt_store_begin(struct eqt_store *store, const struct eqt_bodies *text,
		    struct eqt_error *err)
{
	struct eqt_append_end end = { .seq = store->seq };
	size_t length;
	char *lines = store_seal(text, &end.seq, true, &end.crc, &length);
	int rc = -1;

	if (!lines)
		return eqt_error_set(err, "out of memory");
	end.size = length;
	if (eqt_append_file_is_taken(&store->file, err))
		rc = -1;
	else if (store_keep(store) < 0)
		(void) eqt_error_set(err, "cannot keep %s: %s",
				     EQT_BUDGET_STORE, strerror(errno));
	else
		rc = eqt_append_file_begin(&store->file, lines, length, &end,
					   err);
	free(lines);
	if (rc < 0)
		return -1;
	store->crc = end.crc;
	return 0;
}

/* Call `each` for the entries of one file, up to the first damaged entry. */
static bool store_each_of(const struct eqt_state_folder *folder,
			  const char *name, uint64_t *first,
			  bool (*each)(const struct eqt_entry *, void *),
			  void *arg)
{
	struct store_reading reading = { .at = 0 };
	struct eqt_error err;
	struct eqt_entry entry;
	bool goes_on = true;
	char *text = eqt_state_file_read(folder, name, &reading.length, &err);

	if (!text)
		return false;
	reading.text = text;
	*first = 0;
	while (goes_on && reading_next(&reading, &entry, &err) > 0) {
		if (entry.kind == EQT_ENTRY_BASE)
			*first = entry.seq;
		goes_on = each(&entry, arg);
	}
	free(text);
	return goes_on;
}

void eqt_store_each(const struct eqt_store *store,
		    bool (*each)(const struct eqt_entry *, void *), void *arg)
{
	char name[64] = EQT_BUDGET_STORE;
	uint64_t first = 0, before;

	/* A file begins with the number of the last line of the previous file,
	   and that number is part of the previous file's name. */
	for (;;) {
		before = first;
		if (!store_each_of(store->file.folder, name, &first, each,
				   arg) ||
		    !first || first == before)
			return;
		(void) snprintf(name, sizeof(name), "%s.%" PRIu64,
				EQT_BUDGET_STORE, first);
	}
}

/* ---- The accounts -------------------------------------------------------------- */

int eqt_store_account_add(struct eqt_book *accounts, const char *account,
			  struct eqt_error *err)
{
	const struct eqt_book_path path = {
		.level = { { .account = account, .user = "" } },
		.levels = 1,
	};
	const struct eqt_book_wish wish = { .path = &path, .need_u = 1 };
	struct eqt_entry entry = {
		.kind = EQT_ENTRY_GRANT,
		.seq = eqt_book_seq(accounts) + 1,
		.budget = eqt_book_count(accounts) + 1,
		.state.terms.amount_u = EQT_BUDGET_MOST_U,
	};

	if (eqt_book_plan_commit(accounts, &wish, NULL, NULL) != EQT_BOOK_FREE)
		return 0;
	(void) snprintf(entry.state.terms.account,
			sizeof(entry.state.terms.account), "%s", account);
	return eqt_book_apply(accounts, &entry, err);
}

int eqt_store_accounts_write(const struct eqt_store *store,
			     const struct eqt_book *accounts,
			     struct eqt_error *err)
{
	struct eqt_bodies text = { .data = NULL };
	uint64_t seq = eqt_book_seq(accounts);
	struct eqt_entry entry;
	uint32_t crc = 0;
	size_t at = 0, length;
	char *lines = NULL;
	int rc = 0;

	while (rc == 0 && eqt_book_state(accounts, &at, &entry))
		rc = eqt_bodies_add(&text, &entry);
	if (rc == 0)
		lines = store_seal(&text, &seq, true, &crc, &length);
	if (!lines)
		rc = eqt_error_set(err, "out of memory");
	else
		rc = eqt_state_file_replace(store->file.folder,
					    EQT_BUDGET_ACCOUNTS, lines, length,
					    err);
	free(lines);
	eqt_bodies_free(&text);
	return rc < 0 ? -1 : 0;
}

struct eqt_book *eqt_store_accounts_read(const struct eqt_store *store,
					 struct eqt_error *err)
{
	struct store_reading reading = { .at = 0 };
	struct eqt_error why = { "it is cut" };
	struct eqt_book *book = NULL;
	struct eqt_entry first;
	bool cut;
	char *text = eqt_state_file_read(
		store->file.folder, EQT_BUDGET_ACCOUNTS, &reading.length, err);

	if (!text)
		return NULL;
	reading.text = text;
	/* The first line says how many budgets follow. */
	if (reading_next(&reading, &first, &why) > 0) {
		reading = (struct store_reading){ .text = text,
						  .length = reading.length };
		book = store_fill(&reading, &cut, &why, err);
	}
	if (!book || cut || eqt_book_count(book) != first.budget) {
		(void) eqt_error_set(err, "%s: %.400s", EQT_BUDGET_ACCOUNTS,
				     why.text);
		eqt_book_free(book);
		book = NULL;
	}
	free(text);
	return book;
}

void eqt_store_close(struct eqt_store *store)
{
	eqt_append_file_close(&store->file);
}
