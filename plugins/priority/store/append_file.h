/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * append_file: a file in StateSaveLocation to which one slurmctld appends, and which
 * knows its end (docs/design/0084).
 *
 * One writer. A slurmctld that starts copies the file, and the copy gets the name. A
 * slurmctld that was paused meanwhile appends to the old file, which has no name any more
 * and which nobody reads. It notices that when it syncs, because the name belongs to another
 * file. Nothing is locked, so a paused process blocks no other one.
 *
 * A known end. NAME.end says how far the file was synced. This distinguishes a file whose
 * end was cut by a kill or a power failure from one that is damaged or an older copy.
 * NAME.end itself is not synced: after a power failure it may say too little, never too
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

/* The number of ends in NAME.end; the file must have one of them. While a new file replaces
 * the previous one, these are the ends of both. */
#define EQT_APPEND_ENDS 2

/* Start with { .folder, .name, EQT_APPEND_FILE }; eqt_append_file_close() closes it. */
struct eqt_append_file {
	const struct eqt_state_folder *folder; /* not owned */
	const char *name;
	int fd; /* open for appending; -1: not open */
	int end_fd;
	int previous_fd; /* the file that was read at the start; -1: none */
	off_t read; /* bytes of it that were read */
	off_t size; /* up to the last complete write */
	struct eqt_append_end end; /* synced up to here */
	bool taken; /* the name belongs to another slurmctld */
	bool shared; /* set by the caller: eqt_append_file_open() is used */
};

#define EQT_APPEND_FILE .fd = -1, .end_fd = -1, .previous_fd = -1

/*
 * Read NAME.end: the ends into end[], their number into *count (0: there is no such file).
 * Returns 0, or -1 with err filled: it cannot be read, or no line of it is whole.
 */
int eqt_append_file_ends(const struct eqt_append_file *file,
			 struct eqt_append_end end[EQT_APPEND_ENDS],
			 size_t *count, struct eqt_error *err);

/* Read the whole file at a start. As eqt_state_file_read(). */
char *eqt_append_file_read(struct eqt_append_file *file, size_t *length,
			   struct eqt_error *err);

/*
 * Replace the present file by a new one with this text; *end is its end. Returns 0; or -1
 * with err filled: the present file stays in use, unless it belongs to another slurmctld.
 */
int eqt_append_file_begin(struct eqt_append_file *file, const char *text,
			  size_t length, const struct eqt_append_end *end,
			  struct eqt_error *err);

/* After the first eqt_append_file_begin() of a start: the text that the previous slurmctld
 * appended after we had read the file, to be freed with free(). NULL: none. */
char *eqt_append_file_rest(struct eqt_append_file *file, size_t *length);

/* The last character of a line in a shared file that a kill has cut; readers skip the line. */
#define EQT_APPEND_CUT '!'

/*
 * Open the file of that name, if it is not open yet, or make one. This is for a shared file:
 * until one slurmctld owns StateSaveLocation (state_file.h), two may append to it, and their
 * lines count once. Returns 0; or -1 with err filled: another slurmctld is the owner.
 */
int eqt_append_file_open(struct eqt_append_file *file, struct eqt_error *err);

/* Is the name still that of our file? 0, or -1 with err filled. */
int eqt_append_file_check(struct eqt_append_file *file, struct eqt_error *err);

/* Does another slurmctld write the file? If so, err is filled. */
bool eqt_append_file_is_taken(struct eqt_append_file *file,
			      struct eqt_error *err);

/* Append bytes; a shared file is opened. Returns 0; or -1 with err filled, and the file has
 * none of them. */
int eqt_append_file_put(struct eqt_append_file *file, const char *text,
			size_t length, struct eqt_error *err);

/*
 * Sync all that was put; the last entry has this number and checksum. Returns 0: all entries
 * are on the disk, and a slurmctld that starts later will read them; or -1 with err filled.
 */
int eqt_append_file_sync(struct eqt_append_file *file, uint64_t seq,
			 uint32_t crc, struct eqt_error *err);

/* Close the file. Nothing is synced; the end is remembered. */
void eqt_append_file_close(struct eqt_append_file *file);

#endif
