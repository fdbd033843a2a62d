/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * append_file: a file in StateSaveLocation to which one slurmctld appends, and which
 * knows its end (docs/design/0084).
 *
 * One writer. Whoever starts copies the file, and the copy gets the name. A slurmctld
 * that was paused meanwhile appends to a file without a name, which nobody reads, and
 * finds that out when it syncs: the name is of another file. Nothing is locked, so a
 * paused process keeps nobody waiting.
 *
 * A known end. NAME.end says how far the file was synced. So an end that a kill or a
 * power failure has cut can be told from a file that is damaged, or older. The file of
 * the end is not synced itself: after a power failure it may say too little, never too
 * much.
 */
#ifndef EQT_APPEND_FILE_H
#define EQT_APPEND_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "store/state_file.h"

/* An end of the file: the bytes up to it, and the number and the checksum of the last
 * entry before it. A plain value. */
struct eqt_append_end {
	uint64_t seq;
	uint64_t size;
	uint32_t crc;
};

/* Ends of which one must be in the file: while a new file takes the place of the
 * previous one, that of both. */
#define EQT_APPEND_ENDS 2

/* Start with { .folder, .name, EQT_APPEND_FILE }; eqt_append_file_close() closes it. */
struct eqt_append_file {
	const struct eqt_state_folder *folder; /* not owned */
	const char *name;
	int fd; /* open for appending; -1: not open */
	int end_fd;
	int previous_fd; /* what was read at the start; -1: nothing */
	off_t read; /* bytes of it */
	off_t size; /* of what is written whole */
	struct eqt_append_end end; /* synced up to here */
	bool taken; /* the name belongs to another slurmctld */
	bool shared; /* set by the caller: eqt_append_file_open() is used */
};

#define EQT_APPEND_FILE .fd = -1, .end_fd = -1, .previous_fd = -1

/*
 * Read the ends into end[] and their number into *count; none: there is no NAME.end.
 * Returns 0, or -1 with err filled: it cannot be read, or no line of it is whole.
 */
int eqt_append_file_ends(const struct eqt_append_file *file,
			 struct eqt_append_end end[EQT_APPEND_ENDS],
			 size_t *count, struct eqt_error *err);

/* Read the whole file at a start. As eqt_state_file_read(). */
char *eqt_append_file_read(struct eqt_append_file *file, size_t *length,
			   struct eqt_error *err);

/*
 * Begin a new file with this text, whose end has that number and checksum, in the place
 * of the present one. Returns 0; or -1 with err filled: the present file stays in use,
 * unless it belongs to another slurmctld.
 */
int eqt_append_file_begin(struct eqt_append_file *file, const char *text,
			  size_t length, const struct eqt_append_end *end,
			  struct eqt_error *err);

/* After a start has begun its file: what the previous slurmctld has appended between
 * our reading and our beginning. NULL: nothing. To be freed with free(). */
char *eqt_append_file_rest(struct eqt_append_file *file, size_t *length);

/* A line of a shared file that ends with this was cut by a kill: it counts for nothing. */
#define EQT_APPEND_CUT '!'

/*
 * Of a shared file: have the file of that name open, a new one if there is none. Until one
 * slurmctld owns StateSaveLocation (state_file.h), another one may append to it, too: what it
 * has are lines that count once. Returns 0; or -1 with err filled: another one owns it.
 */
int eqt_append_file_open(struct eqt_append_file *file, struct eqt_error *err);

/* Is the name still that of our file? 0, or -1 with err filled. */
int eqt_append_file_check(struct eqt_append_file *file, struct eqt_error *err);

/* Does another slurmctld write it? Then with err filled. */
bool eqt_append_file_is_taken(struct eqt_append_file *file,
			      struct eqt_error *err);

/* Append bytes; a shared file is opened. Returns 0; or -1 with err filled, and the file has
 * none of them. */
int eqt_append_file_put(struct eqt_append_file *file, const char *text,
			size_t length, struct eqt_error *err);

/*
 * Sync all that was put; the last entry has this number and checksum. Returns 0: it is on
 * the disk, and whoever starts after this will read it; or -1 with err filled.
 */
int eqt_append_file_sync(struct eqt_append_file *file, uint64_t seq,
			 uint32_t crc, struct eqt_error *err);

/* Close the file. Nothing is synced; the end is remembered. */
void eqt_append_file_close(struct eqt_append_file *file);

#endif
