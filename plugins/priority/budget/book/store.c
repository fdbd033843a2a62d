/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "budget/book/store.h"

/* Lines wait in memory while the disk is full. If there are more bytes than this,
 * they are dropped, and a new file is written from the book. */
#define TEXT_MOST (UINT32_C(64) << 20)

/* Make room for more bytes. -1: out of memory. */
static int text_room(struct eqt_bodies *text, size_t more)
{
	size_t wanted = text->space ? text->space : 8192;
	char *grown;

	while (wanted < text->length + more)
		wanted *= 2;
	if (wanted == text->space)
		return 0;
	grown = realloc(text->data, wanted);
	if (!grown)
		return -1;
	text->data = grown;
	text->space = wanted;
	return 0;
}

int eqt_bodies_add(struct eqt_bodies *text, const struct eqt_entry *entry)
{
	int length;

	if (text->length > TEXT_MOST || text_room(text, EQT_ENTRY_TEXT) < 0)
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

bool eqt_store_exists(const struct eqt_state_folder *folder)
{
	return eqt_state_file_exists(folder, EQT_BUDGET_STORE);
}

/* ---- Reading ----------------------------------------------------------------- */

/* One walk over the lines of a file. */
struct store_reading {
	const char *text;
	size_t length;
	size_t at; /* the end of the last good line */
	uint32_t crc;
	uint64_t seq;
	uint64_t lines;
};

/* The next entry: 1, 0 at the end, or -1 with err filled. */
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
	return 1;
}

/* Apply all entries. The book checks each one. */
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

/* Is the rest after the last good line an incomplete line? A kill can cut only the
 * last line; anything else is damage. */
static bool reading_has_piece(const struct store_reading *reading)
{
	return !memchr(reading->text + reading->at, '\n',
		       reading->length - reading->at);
}

/* The book of a file. A cut last line is dropped: its change was not confirmed
 * to anybody, since confirmations follow the sync. */
static struct eqt_book *store_fill(struct store_reading *reading, bool *dropped,
				   struct eqt_error *err)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_error why;

	*dropped = false;
	if (!book) {
		(void) eqt_error_set(err, "out of memory");
		return NULL;
	}
	if (reading_fill(reading, book, &why) < 0) {
		*dropped = reading->lines > 0 && reading_has_piece(reading);
		if (!*dropped) {
			(void) eqt_error_set(err, "%s: %.400s",
					     EQT_BUDGET_STORE, why.text);
			eqt_book_free(book);
			return NULL;
		}
	}
	return book;
}

/* Not O_APPEND: lines are written at their offsets, over the rest of a failed
 * write. */
static int store_open(struct eqt_store *store, struct eqt_error *err)
{
	char path[PATH_MAX];

	store->fd =
		open(eqt_state_file_path(path, store->folder, EQT_BUDGET_STORE),
		     O_WRONLY | O_CLOEXEC);
	if (store->fd < 0)
		return eqt_error_set(err, "cannot open %s: %s", path,
				     strerror(errno));
	return 0;
}

struct eqt_book *eqt_store_load(struct eqt_store *store, bool *dropped,
				struct eqt_error *err)
{
	struct store_reading reading = { .at = 0 };
	struct eqt_book *book;
	char *text = eqt_state_file_read(store->folder, EQT_BUDGET_STORE,
					 &reading.length, err);

	if (!text)
		return NULL;
	reading.text = text;
	book = store_fill(&reading, dropped, err);
	free(text);
	if (!book)
		return NULL;
	if (store_open(store, err) < 0) {
		eqt_book_free(book);
		return NULL;
	}
	store->size = (off_t) reading.at;
	store->seq = reading.seq;
	store->crc = reading.crc;
	store->cut = *dropped;
	return book;
}

struct eqt_book *eqt_store_read(const struct eqt_store *store,
				struct eqt_error *err)
{
	struct store_reading reading = { .at = 0 };
	struct eqt_book *book;
	size_t length;
	bool dropped;
	char *text = eqt_state_file_read(store->folder, EQT_BUDGET_STORE,
					 &length, err);

	if (!text)
		return NULL;
	reading.text = text;
	reading.length = (size_t) store->size;
	if (length < reading.length) {
		(void) eqt_error_set(err, "%s is shorter than what was written",
				     EQT_BUDGET_STORE);
		book = NULL;
	} else
		book = store_fill(&reading, &dropped, err);
	if (book && dropped) {
		(void) eqt_error_set(err, "%s: the last line is cut",
				     EQT_BUDGET_STORE);
		eqt_book_free(book);
		book = NULL;
	}
	free(text);
	return book;
}

/* ---- Writing ----------------------------------------------------------------- */

/* Seal each body; returns the lines for the file. NULL: out of memory. */
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

/* A disk may take less than all at once. */
static int store_write_all(int fd, const char *data, size_t length, off_t at)
{
	while (length > 0) {
		ssize_t put = pwrite(fd, data, length, at);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return -1;
		data += put;
		length -= (size_t) put;
		at += put;
	}
	return 0;
}

int eqt_store_append(struct eqt_store *store, const struct eqt_bodies *text,
		     struct eqt_error *err)
{
	uint64_t seq = store->seq;
	uint32_t crc = store->crc;
	size_t length;
	char *lines;
	int error;

	if (store->fd < 0)
		return eqt_error_set(err, "%s is not open", EQT_BUDGET_STORE);
	/* The rest of a failed write must not follow the last line. */
	if (store->cut && ftruncate(store->fd, store->size) < 0)
		return eqt_error_set(err, "cannot write %s: %s",
				     EQT_BUDGET_STORE, strerror(errno));
	store->cut = false;
	lines = store_seal(text, &seq, false, &crc, &length);
	if (!lines)
		return eqt_error_set(err, "out of memory");
	if (store_write_all(store->fd, lines, length, store->size) < 0 ||
	    fdatasync(store->fd) < 0) {
		error = errno;
		store->cut = ftruncate(store->fd, store->size) < 0;
		free(lines);
		return eqt_error_set(err, "cannot write %s: %s",
				     EQT_BUDGET_STORE, strerror(error));
	}
	free(lines);
	store->size += (off_t) length;
	store->seq = seq;
	store->crc = crc;
	return 0;
}

/* Give the present file a second name, which it keeps when the new file replaces
 * it. So there is a file at every moment. */
static int store_keep(const struct eqt_store *store)
{
	char path[PATH_MAX], kept[PATH_MAX], name[64];

	if (!eqt_store_exists(store->folder))
		return 0;
	(void) snprintf(name, sizeof(name), "%s.%" PRIu64, EQT_BUDGET_STORE,
			store->seq);
	eqt_state_file_path(path, store->folder, EQT_BUDGET_STORE);
	eqt_state_file_path(kept, store->folder, name);
	if (link(path, kept) < 0 && errno != EEXIST)
		return -1;
	return 0;
}

/* Write and sync the new file beside the present one; its descriptor or -1. */
static int store_write_new(const char *path, const char *lines, size_t length)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0)
		return -1;
	if (store_write_all(fd, lines, length, 0) < 0 || fsync(fd) < 0) {
		int error = errno;

		(void) close(fd);
		(void) unlink(path);
		errno = error;
		return -1;
	}
	return fd;
}

int eqt_store_begin(struct eqt_store *store, const struct eqt_bodies *text,
		    struct eqt_error *err)
{
	char path[PATH_MAX], fresh[PATH_MAX];
	uint64_t seq = store->seq;
	uint32_t crc = 0;
	size_t length;
	char *lines = store_seal(text, &seq, true, &crc, &length);
	int fd;

	if (!lines)
		return eqt_error_set(err, "out of memory");
	eqt_state_file_path(path, store->folder, EQT_BUDGET_STORE);
	eqt_state_file_path(fresh, store->folder, EQT_BUDGET_STORE ".new");
	fd = store_write_new(fresh, lines, length);
	free(lines);
	if (fd < 0 || store_keep(store) < 0 || rename(fresh, path) < 0) {
		(void) eqt_error_set(err, "cannot write %s: %s", fresh,
				     strerror(errno));
		if (fd >= 0)
			(void) close(fd);
		return -1;
	}
	(void) eqt_state_file_sync_folder(store->folder);
	eqt_store_close(store);
	store->fd = fd;
	store->size = (off_t) length;
	store->crc = crc;
	store->cut = false;
	return 0;
}

/* Call each for the entries of one file, up to the first damaged one. */
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

	/* A file begins with the number of the last line of the previous file, which
	 * is part of that file's name. */
	for (;;) {
		before = first;
		if (!store_each_of(store->folder, name, &first, each, arg) ||
		    !first || first == before)
			return;
		(void) snprintf(name, sizeof(name), "%s.%" PRIu64,
				EQT_BUDGET_STORE, first);
	}
}

void eqt_store_close(struct eqt_store *store)
{
	if (store->fd >= 0)
		(void) close(store->fd);
	store->fd = -1;
}
