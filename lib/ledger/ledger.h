/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ledger: usage as text, so that it survives a restart of slurmctld.
 *
 * A snapshot has the usage of all associations and QOS at one time. A journal has the
 * charges since then, one in each line, from the ends of jobs. Both have checksums
 * (CRC-32 as in zlib). Numbers are written in hexadecimal (%La), so that no bit is
 * lost. The usage before the restart is that of the snapshot plus the entries of the
 * journal with higher sequence numbers.
 *
 * Snapshot:	equitree-usage 1 LAST_RAN LAST_RESET SEQUENCE TRES_ID...
 *		a ID RAW WALL TRES...		(association)
 *		q ID RAW WALL TRES...		(QOS)
 *		p ID PARENT			(association and its parent)
 *		u SCALE SINCE			(unit, if it is known)
 *		b ENTRY				(last entry of budgets, if any)
 *		c NUMBER			(last line of the record, if any)
 *		end ROWS CRC
 * Journal:	SEQUENCE JOB ASSOC QOS PART_QOS FROM TO RATE FACTOR ID=COUNT... CRC
 *		= LENGTH CRC			(end of a group)
 *
 * A CRC has eight hexadecimal digits. In the snapshot it covers the whole text before
 * it, and in the journal its own line. At the end of a group it covers the LENGTH
 * (hexadecimal) bytes before that line. The lines of a group count only if the group is
 * complete. Callers read and write the files.
 */
#ifndef EQT_LEDGER_H
#define EQT_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

#define EQT_JOURNAL_RECORD_TRES_MAX 64
/* Bytes that are enough for the line of any charge. */
#define EQT_JOURNAL_RECORD_TEXT 4096

/* The kind of owner whose usage a row has. */
enum eqt_snapshot_owner { EQT_SNAPSHOT_ASSOC = 'a', EQT_SNAPSHOT_QOS = 'q' };

struct eqt_snapshot_row {
	enum eqt_snapshot_owner owner;
	uint32_t id; /* id of the association or QOS */
	long double raw; /* usage_raw, in equivalents times seconds */
	double wall; /* grp_used_wall, in seconds */
};

/* The parent of an association. */
struct eqt_snapshot_parent {
	uint32_t id;
	uint32_t parent_id;
};

/* The unit of usage (docs/design/0043). A plain value. */
struct eqt_ledger_unit {
	bool known;
	/* Units of one equivalent; 0 with Slurm's own billing. */
	uint64_t scale;
	/* If scale is 0, jobs from before this time may have the billing of
	 * equitree. */
	int64_t since;
};

/* A snapshot, made by eqt_snapshot_new() or eqt_snapshot_parse(). Callers may read all
 * members. */
struct eqt_snapshot {
	/* Times up to which usage was charged and decayed, and of the last reset, in
	 * seconds since the epoch. */
	int64_t last_ran, last_reset;
	/* Number of the last journal entry that the snapshot includes. */
	uint64_t sequence;
	struct eqt_ledger_unit unit;
	/* The last entry of budgets and the last line of the record that were written.
	 * 0 means that there is none. */
	uint64_t budget_entry;
	uint64_t charge_number;
	/* The snapshot owns the arrays. */
	uint32_t tres_count, row_count, row_space, parent_count;
	uint32_t *tres_ids; /* Slurm's ids of the TRES */
	struct eqt_snapshot_row *rows;
	long double *tres; /* row_count * tres_count numbers, row by row */
	struct eqt_snapshot_parent *parents; /* sorted by id after reading */
	/* The lines of the first parents_written parents, until a parent changes. */
	uint32_t parents_written;
	struct eqt_text parents_text;
};

/* Make an empty snapshot, which copies tres_ids. It has room for `rows` rows and grows
 * if there are more. Return NULL with err filled if there is no memory. */
struct eqt_snapshot *eqt_snapshot_new(const uint32_t *tres_ids,
				      uint32_t tres_count, uint32_t rows,
				      struct eqt_error *err);
/* Empty a snapshot, to fill it again for the same number of TRES. It keeps its memory
 * and the lines of parents. */
void eqt_snapshot_restart(struct eqt_snapshot *snapshot,
			  const uint32_t *tres_ids);
/* Frees a snapshot or NULL. */
void eqt_snapshot_free(struct eqt_snapshot *snapshot);

/* Add a row. `tres` has tres_count numbers. Return 0, or -1 with nothing added if there
 * is no memory, the owner is unknown, or a number is infinite, NaN or negative. One
 * such number would make the whole text unreadable. */
int eqt_snapshot_add(struct eqt_snapshot *snapshot,
		     const struct eqt_snapshot_row *row,
		     const long double *tres);

/* Add the parent of an association. If the association does not exist any more when the
 * snapshot is read, its usage goes to this parent. Return 0, or -1 if there is no
 * memory. */
int eqt_snapshot_add_parent(struct eqt_snapshot *snapshot, uint32_t id,
			    uint32_t parent_id);

/* Return the parent of an association in a snapshot that was read, or 0 if the snapshot
 * does not have it. */
uint32_t eqt_snapshot_parent_of(const struct eqt_snapshot *snapshot,
				uint32_t id);

/* Return the text of a snapshot, which the caller frees with free(), and store its
 * length without the final NUL. Return NULL if there is no memory. All numbers keep
 * their bits when the text is read, except that -0.0 becomes 0.0. */
char *eqt_snapshot_text(struct eqt_snapshot *snapshot, size_t *length);

/*
 * Read a text. Return NULL with err filled ("line 3: ...") if the text is cut, if its
 * checksum is wrong, if it has another version, if a number is not finite or negative,
 * or if there is no memory. Time and memory are proportional to the length of the text,
 * even if the text claims larger counts.
 */
struct eqt_snapshot *eqt_snapshot_parse(const char *text, size_t length,
					struct eqt_error *err);

struct eqt_journal_record_tres {
	uint32_t id;
	uint64_t count;
};

/* The charge of one job for one interval. A plain value. */
struct eqt_journal_record {
	uint64_t sequence;
	uint32_t job_id; /* id of the job; 0 if the job goes on */
	uint32_t assoc_id;
	uint32_t qos_id; /* id of the job's QOS; 0 if there is none */
	/* QOS of the partition, if it counts; 0 if there is none. */
	uint32_t part_qos_id;
	int64_t from; /* begin of the interval, in seconds since the epoch */
	int64_t to; /* end of the interval, not before its begin */
	double rate; /* equivalents of the job */
	/* UsageFactor of the QOS, which is below 0 for a refund. */
	double factor;
	uint32_t tres_count; /* how many members of tres[] are in use */
	struct eqt_journal_record_tres tres[EQT_JOURNAL_RECORD_TRES_MAX];
};

/* Return the number of bytes of a charge that are in use, because the whole struct has
 * a kilobyte. */
static inline size_t eqt_journal_record_size(
	const struct eqt_journal_record *charge)
{
	return offsetof(struct eqt_journal_record, tres) +
	       charge->tres_count * sizeof(charge->tres[0]);
}

/*
 * Write the line of a charge with its newline and a NUL into buf. Return its length
 * without the NUL. Return -1 with buf unchanged if the line does not fit, or if
 * eqt_journal_record_parse() would not accept it: from > to, a rate that is infinite,
 * NaN or negative, a factor that is infinite or NaN, or more than
 * EQT_JOURNAL_RECORD_TRES_MAX TRES.
 */
int eqt_journal_record_text(char *buf, size_t size,
			    const struct eqt_journal_record *charge);

/*
 * Read one line, of length bytes without its newline. Return 0, or -1 with err filled
 * and *out unchanged if the line is cut, altered or malformed.
 */
int eqt_journal_record_parse(struct eqt_journal_record *out, const char *line,
			     size_t length, struct eqt_error *err);

/* The first byte of the line that ends a group of lines. */
#define EQT_JOURNAL_GROUP_MARK '='
/* bytes that are enough for the line that ends a group and a NUL */
#define EQT_JOURNAL_GROUP_TEXT 32

/* Write the line, with its newline, that ends a group of length bytes with the CRC-32
 * `crc`. Return the length of the line. */
int eqt_journal_record_group_text(char buf[EQT_JOURNAL_GROUP_TEXT],
				  size_t length, uint32_t crc);

/*
 * Does the line at text + at, of length bytes without its newline, end a group whose
 * bytes are unchanged? If so, store the offset of the group in *begin.
 */
bool eqt_journal_record_group_is_whole(const char *text, size_t at,
				       size_t length, size_t *begin);

#endif
