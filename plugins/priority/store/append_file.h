/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * append_file: a file in StateSaveLocation to which one slurmctld appends, and
 * whose end is recorded (docs/design/0084).
 *
 * One writer: a slurmctld that starts copies the file, and the copy gets the
 * name. A slurmctld that was paused meanwhile appends to the old file, which
 * has no name any more and which nobody reads. It notices this when it syncs,
 * because the name belongs to another file. No lock is used, so a paused
 * process blocks no other process.
 *
 * A known end: NAME.end says how far the file was synced. This distinguishes a
 * file whose end was cut by a kill or a power failure from a file that is
 * damaged or an older copy. NAME.end itself is not synced. After a power
 * failure it may name an earlier end, but never a later one.
 */
#ifndef EQT_APPEND_FILE_H
#define EQT_APPEND_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "store/state_file.h"

/* An end of the file: its offset in bytes, and the number and the checksum of
 * the last entry before it. */
struct eqt_append_end {
	uint64_t seq;
	uint64_t size;
	uint32_t crc;
};

/* The number of ends in NAME.end. The file must have one of these ends. While a
 * new file replaces the previous one, they are the ends of both files. */
#define EQT_APPEND_ENDS 2

/* An append file. Start with { .folder, .name, EQT_APPEND_FILE };
 * eqt_append_file_close() closes it. */
struct eqt_append_file {
	const struct eqt_state_folder *folder; /* Borrowed. */
	const char *name;
	int fd; /* Open for appending, or -1. */
	int end_fd;
	int previous_fd; /* The file that was read at the start, or -1. */
	/* The number of bytes that were read from the file at the start. */
	off_t read;
	off_t size; /* The size after the last complete write. */
	struct eqt_append_end end; /* The end up to which the file is synced. */
	bool taken; /* The name belongs to another slurmctld now. */
	/* Set by the caller, which then uses eqt_append_file_open(). */
	bool shared;
};

#define EQT_APPEND_FILE .fd = -1, .end_fd = -1, .previous_fd = -1

/*
 * Read the ends in NAME.end into end[], and their number into *count, which is
 * 0 if there is no such file. Returns 0, or -1 with err filled if the file
 * cannot be read or has no intact line.
 */
int eqt_append_file_ends(const struct eqt_append_file *file,
			 struct eqt_append_end end[EQT_APPEND_ENDS],
			 size_t *count, struct eqt_error *err);

/* Read the whole file at a start. The result is that of
 * eqt_state_file_read(). */
char *eqt_append_file_read(struct eqt_append_file *file, size_t *length,
			   struct eqt_error *err);

/*
 * Replace the present file by a new file with this text, whose end is *end.
 * Returns 0, or -1 with err filled. After an error the present file stays in
 * use, unless it belongs to another slurmctld.
 */
int eqt_append_file_begin(struct eqt_append_file *file, const char *text,
			  size_t length, const struct eqt_append_end *end,
			  struct eqt_error *err);

/* After the first eqt_append_file_begin() of a start: the text that the
 * previous slurmctld appended after we read the file. The caller frees the text
 * with free(). Returns NULL if there is none. */
char *eqt_append_file_rest(struct eqt_append_file *file, size_t *length);

/* The last character of a line in a shared file that a kill has cut. Readers
 * skip such a line. */
#define EQT_APPEND_CUT '!'

/*
 * Open the file of that name if it is not open yet, or create it. This is for a
 * shared file: until one slurmctld owns StateSaveLocation (state_file.h), two
 * of them may append to the file, and each line counts once. Returns 0, or -1
 * with err filled if another slurmctld is the owner.
 */
int eqt_append_file_open(struct eqt_append_file *file, struct eqt_error *err);

/* Does the name still belong to our file? Returns 0, or -1 with err filled. */
int eqt_append_file_check(struct eqt_append_file *file, struct eqt_error *err);

/* Does another slurmctld write the file? If so, err is filled. */
bool eqt_append_file_is_taken(struct eqt_append_file *file,
			      struct eqt_error *err);

/* Append bytes. A shared file is opened first. Returns 0, or -1 with err
 * filled; after an error the file has none of the bytes. */
int eqt_append_file_put(struct eqt_append_file *file, const char *text,
			size_t length, struct eqt_error *err);

/*
 * Sync everything that was put. seq and crc are the number and the checksum of
 * the last entry. Returns 0 if all entries are on the disk and a slurmctld that
 * starts later will read them, or -1 with err filled.
 */
int eqt_append_file_sync(struct eqt_append_file *file, uint64_t seq,
			 uint32_t crc, struct eqt_error *err);

/* Close the file without syncing. The struct keeps the recorded end. */
void eqt_append_file_close(struct eqt_append_file *file);

#endif
