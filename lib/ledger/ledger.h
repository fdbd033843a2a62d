/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ledger: usage as text, so that it survives a restart of slurmctld.
 *
 * A snapshot holds the usage of all associations and QOS at one moment. A journal
 * holds the charges since then, one line each: the ends of jobs. Both carry
 * checksums (CRC-32 as in zlib). Numbers are written in hexadecimal (%La) and read
 * back to the same bits. The snapshot plus the journal's entries with a higher
 * sequence number gives the usage before the restart.
 *
 * Snapshot:	equitree-usage 1 LAST_RAN LAST_RESET SEQUENCE TRES_ID...
 *		a ID RAW WALL TRES...		(association)
 *		q ID RAW WALL TRES...		(QOS)
 *		p ID PARENT			(association and the one above)
 *		u SCALE SINCE			(unit; none: not known)
 *		b ENTRY				(last entry of the budgets; none: 0)
 *		c NUMBER			(last line of the record; none: 0)
 *		end ROWS CRC
 * Journal:	SEQUENCE JOB ASSOC QOS PART_QOS FROM TO RATE FACTOR ID=COUNT... CRC
 *		= LENGTH CRC			(end of a group)
 *
 * CRC is eight hexadecimal digits and covers everything before it: in the snapshot
 * the whole text, in the journal its line; at the end of a group, the LENGTH bytes before
 * that line, which count together or not at all. LENGTH is hexadecimal.
 * This room reads and writes memory only; the caller reads and writes files.
 */
#ifndef EQT_LEDGER_H
#define EQT_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define EQT_JOURNAL_RECORD_TRES_MAX 64
#define EQT_JOURNAL_RECORD_TEXT 4096 /* enough for any charge as a line */

/* Whose usage a row is. */
enum eqt_snapshot_owner { EQT_SNAPSHOT_ASSOC = 'a', EQT_SNAPSHOT_QOS = 'q' };

struct eqt_snapshot_row {
	enum eqt_snapshot_owner owner;
	uint32_t id; /* of the association or QOS */
	long double raw; /* usage_raw: equivalents times seconds */
	double wall; /* grp_used_wall: seconds */
};

/* The parent of an association. */
struct eqt_snapshot_parent {
	uint32_t id;
	uint32_t parent_id;
};

/* The unit of usage (docs/design/0043); a plain value. */
struct eqt_ledger_unit {
	bool known;
	uint64_t scale; /* units per equivalent; 0: Slurm's own billing */
	int64_t since; /* if scale is 0: older jobs may have our billing */
};

/* Public: made by eqt_snapshot_new() or eqt_snapshot_parse(); read fields freely. */
struct eqt_snapshot {
	int64_t last_ran, last_reset; /* charged and decayed up to; epoch s */
	uint64_t sequence; /* of the last journal entry that it includes */
	struct eqt_ledger_unit unit;
	/* The last entry of budgets and the last line of the record that were written;
	 * 0: none. */
	uint64_t budget_entry;
	uint64_t charge_number;
	uint32_t tres_count;
	uint32_t *tres_ids; /* Slurm's TRES ids; owned */
	uint32_t row_count;
	uint32_t row_space;
	struct eqt_snapshot_row *rows; /* owned */
	long double *tres; /* row_count * tres_count, row by row; owned */
	uint32_t parent_count;
	struct eqt_snapshot_parent *parents; /* by id once read; owned */
};

/* Make an empty snapshot with room for rows (it grows); copies tres_ids. Returns
 * NULL with err filled when memory is short. */
struct eqt_snapshot *eqt_snapshot_new(const uint32_t *tres_ids,
				      uint32_t tres_count, uint32_t rows,
				      struct eqt_error *err);
void eqt_snapshot_free(struct eqt_snapshot *snapshot); /* NULL is fine */

/*
 * Add a row; tres has tres_count numbers. Returns 0, or -1 with nothing added when
 * memory is short, the owner is unknown, or a number is not finite and >= 0: one
 * such number would make the whole text unreadable.
 */
int eqt_snapshot_add(struct eqt_snapshot *snapshot,
		     const struct eqt_snapshot_row *row,
		     const long double *tres);

/*
 * Add the parent of an association. If the association is gone when the snapshot is
 * read, its usage goes to that parent. Returns 0, or -1 when memory is short.
 */
int eqt_snapshot_add_parent(struct eqt_snapshot *snapshot, uint32_t id,
			    uint32_t parent_id);

/* The parent that an association had, in a snapshot that was read; 0: it is not there. */
uint32_t eqt_snapshot_parent_of(const struct eqt_snapshot *snapshot,
				uint32_t id);

/* Returns the text, which the caller frees with free(), and its length in *length
 * (without the final NUL). NULL when memory is short. All numbers read back to the
 * same bits, except that -0.0 becomes 0.0. */
char *eqt_snapshot_text(const struct eqt_snapshot *snapshot, size_t *length);

/*
 * Read a text back. Returns NULL with err filled ("line 3: ...") when it is cut
 * short, altered (checksum) or of another version, when a number is not finite and
 * >= 0, or when memory is short. Time and memory grow with the length of the text,
 * whatever counts it claims.
 */
struct eqt_snapshot *eqt_snapshot_parse(const char *text, size_t length,
					struct eqt_error *err);

struct eqt_journal_record_tres {
	uint32_t id;
	uint64_t count;
};

/* The charge of one job for one interval; a plain value. */
struct eqt_journal_record {
	uint64_t sequence;
	uint32_t job_id; /* 0: the job goes on */
	uint32_t assoc_id;
	uint32_t qos_id; /* 0: none */
	uint32_t part_qos_id; /* QOS of the partition when it counts too;
				   0: none */
	int64_t from; /* charged from here ... */
	int64_t to; /* ... to here; epoch s, from <= to */
	double rate; /* equivalents */
	double factor; /* UsageFactor of the QOS; below 0: a refund */
	uint32_t tres_count; /* entries of tres in use */
	struct eqt_journal_record_tres tres[EQT_JOURNAL_RECORD_TRES_MAX];
};

/* The bytes of a charge that are in use: all of it is a kilobyte. */
static inline size_t eqt_journal_record_size(
	const struct eqt_journal_record *charge)
{
	return offsetof(struct eqt_journal_record, tres) +
	       charge->tres_count * sizeof(charge->tres[0]);
}

/*
 * Write the line with its newline and a NUL into buf; returns its length without
 * the NUL. Returns -1 with buf untouched if the line does not fit, or if
 * eqt_journal_record_parse() would refuse it: from > to, rate not finite and >= 0,
 * factor not finite, more than EQT_JOURNAL_RECORD_TRES_MAX entries.
 */
int eqt_journal_record_text(char *buf, size_t size,
			    const struct eqt_journal_record *charge);

/*
 * Read one line (length without the newline). Returns 0, or -1 with err filled and
 * *out untouched: cut short, altered, malformed.
 */
int eqt_journal_record_parse(struct eqt_journal_record *out, const char *line,
			     size_t length, struct eqt_error *err);

/* A line that ends a group of lines begins with this. */
#define EQT_JOURNAL_GROUP_MARK '='
#define EQT_JOURNAL_GROUP_TEXT 32 /* enough for the line and a NUL */

/* Write the line that ends a group of so many bytes with that CRC-32 into buf, with its
 * newline; returns its length. */
int eqt_journal_record_group_text(char buf[EQT_JOURNAL_GROUP_TEXT],
				  size_t length, uint32_t crc);

/*
 * Does the line at text + at (length without the newline) end a group whose bytes are
 * unchanged? If so, *begin is the place where the group begins.
 */
bool eqt_journal_record_group_is_whole(const char *text, size_t at,
				       size_t length, size_t *begin);

#endif
