/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charge_record: a line of the record of charges, which bills, reports and audits read.
 * Each second that was charged to fair share is in exactly one line, with the price
 * that it had.
 *
 * A file has the lines of one day, which is the local day on which they were written. A
 * run is in the file of its end or of a later day. A file is text, or text compressed
 * by gzip:
 *
 *	equitree-charges 1 CLUSTER DAY CRC
 *	c NUMBER KIND JOB ARRAY TASK HET RESTARTS START FROM LENGTH IDLE RATE FACTOR
 *	  UNIT SCALE BILLING ASSOC QOS PART_QOS PRICED MONEY PAID ENTRY
 *	  ACCOUNT USER PARTITION QOS_NAME CURRENCY REASON CRC
 *
 * All fields from c to CRC are in one line, with one space between fields. START is the
 * start of the run in slurmctld. FROM is in seconds after START, and below 0 if the
 * clock was set back since then. LENGTH is in seconds after FROM. RATE and FACTOR are
 * hexadecimal (%a), so that no bit is lost. In names, control characters, the space, %
 * and DEL are written as % and two hexadecimal digits, and a missing name is "-". CRC
 * is that of ledger.h.
 *
 * A stretch is a part of a run with one size, one price and no change between running
 * and suspended. Its line is written when it ends. The last stretch of a run that goes
 * on has no line yet. At each pass, the file "open" is written with a line of KIND o
 * for each such stretch. The NUMBER of these lines is that of the last line of the
 * record. A line of the record replaces a line of "open" if it has the same JOB and
 * START, was written later and ends after FROM. A line charges, in units of RATE,
 *
 *	RATE x FACTOR x (LENGTH - IDLE), for the seconds from FROM + IDLE on
 *
 * and RATE / UNIT is in equivalents. A line of KIND z charges nothing: all usage was
 * set to 0 at its FROM. Lines with lower numbers no longer count, and of all other
 * lines only the seconds after this FROM count.
 *
 * A task of an array and a component of a heterogeneous job have job ids of their own.
 * PAID is the amount that budgets were charged for the run since its last line with an
 * ENTRY. ENTRY is the number of this charge in the journal of budgets. If a kill lost
 * that entry, a later line has the amount once more. In the file "open", PAID is the
 * amount for which budgets were not charged yet, and ENTRY is the amount for which they
 * were. REASON is then the number of seconds by which the clock was set since START was
 * noted, and the cost of sizes that the run had while budgets could not be read, if
 * there are any.
 */
#ifndef EQT_CHARGE_RECORD_H
#define EQT_CHARGE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/* Bytes for a name and a NUL; longer names are cut. */
#define EQT_CHARGE_NAME 128
/* Bytes that are enough for any line, its newline and a NUL. */
#define EQT_CHARGE_TEXT 3072
#define EQT_CHARGE_MARK 'c' /* the first byte of a line */
#define EQT_CHARGE_MAGIC "equitree-charges"

/* The REASON of a stretch that budgets will settle when their file can be read
 * again. */
#define EQT_CHARGE_UNREAD "budgets could not be read"
/* The job id of a reservation's run is this number plus the id of the reservation. No
 * job has such a high id. The partition of the run is "reservation:NAME". */
#define EQT_CHARGE_RESERVED UINT32_C(0xff000000)

/* Why a line was written. */
enum eqt_charge_kind {
	EQT_CHARGE_END = 'e', /* the run is over */
	EQT_CHARGE_RESIZE = 'r', /* the job goes on with another size */
	EQT_CHARGE_PRICE = 'p', /* the price or the factor has changed */
	EQT_CHARGE_SUSPEND =
		's', /* a suspension has begun that is not charged */
	/* A charge for nodes that the job held after its end. */
	EQT_CHARGE_HELD = 'h',
	EQT_CHARGE_REFUND =
		'f', /* a refund of an earlier charge, with FACTOR < 0 */
	EQT_CHARGE_LOST =
		'l', /* slurmctld has forgotten the run, which was charged */
	EQT_CHARGE_OPEN = 'o', /* the run goes on; only in the file "open" */
	/* All usage was set to 0 at FROM; belongs to no job. */
	EQT_CHARGE_RESET = 'z'
};

/* What decided the price. PRICED is one of these letters and the pool: c for
 * core-equivalents or g for GPU-equivalents, as in "mg". */
enum eqt_charge_priced {
	EQT_CHARGE_BY_CORES = 'c',
	EQT_CHARGE_BY_MEMORY = 'm',
	EQT_CHARGE_BY_GPUS = 'u',
	EQT_CHARGE_BY_DISK = 'd',
	EQT_CHARGE_BY_NODES = 'n',
	EQT_CHARGE_BY_MINIMUM = 'l', /* the minimum price of a job */
	EQT_CHARGE_BY_SLURM = 's' /* Slurm's own billing */
};

/* One line. A plain value of about a kilobyte. Times are in seconds since the epoch. */
struct eqt_charge_record {
	uint64_t number; /* number of the line, which is unique */
	enum eqt_charge_kind kind;
	/* Slurm's id of the job, which is id_job in accounting. */
	uint32_t job_id;
	uint32_t array_job_id; /* 0 if this is not a task of an array */
	uint32_t array_task_id;
	/* 0 if this is not a component of a heterogeneous job. */
	uint32_t het_job_id;
	/* Number of earlier runs of the job, as Slurm counts them. */
	uint32_t restarts;
	uint32_t assoc_id;
	uint32_t qos_id; /* id of the job's QOS; 0 if there is none */
	/* QOS of the partition, if it counts; 0 if there is none. */
	uint32_t part_qos_id;
	int64_t start; /* time when the run started */
	int64_t from, to; /* the stretch that is charged, with from <= to */
	/* Suspended seconds at the begin of the stretch, which are not charged. */
	uint64_t idle_s;
	double rate; /* the price per second, RATE */
	double factor; /* the UsageFactor, FACTOR */
	/* Rate of one equivalent, which is 1 except with Slurm's billing. */
	uint64_t unit;
	uint64_t scale; /* billing_scale; 0 with Slurm's own billing */
	uint64_t billing; /* count of the billing TRES */
	char decided; /* a value of enum eqt_charge_priced */
	char pool; /* 'c' for core-equivalents, 'g' for GPU-equivalents */
	/* Price of one equivalent for an hour in millionths of the currency; 0 if there
	 * is none. */
	uint64_t money_u;
	/* Amount charged to budgets, in millionths of an equivalent-second. */
	uint64_t paid_u;
	/* Number in the journal of budgets; 0 if there is none. */
	uint64_t entry;
	/* Name of the account; "" if it is not known. */
	char account[EQT_CHARGE_NAME];
	char user[EQT_CHARGE_NAME];
	char partition[EQT_CHARGE_NAME];
	char qos[EQT_CHARGE_NAME];
	/* Currency of money_u; "" if there is none. */
	char currency[EQT_CHARGE_NAME];
	/* Reason of a refund, or why budgets were not charged. */
	char reason[EQT_CHARGE_NAME];
};

/* The first line of a file. */
struct eqt_charge_head {
	char cluster[EQT_CHARGE_NAME];
	char day[EQT_CHARGE_NAME]; /* the day, such as "2026-11-24" */
};

/* The names of a line, in the order of its text. */
enum eqt_charge_name {
	EQT_CHARGE_ACCOUNT,
	EQT_CHARGE_USER,
	EQT_CHARGE_PARTITION,
	EQT_CHARGE_QOS,
	EQT_CHARGE_CURRENCY,
	EQT_CHARGE_REASON,
	EQT_CHARGE_NAMES
};

/* The files of days are "charges.2026-11-24" and so on, with or without ".gz". */
#define EQT_CHARGE_FILE "charges."
#define EQT_CHARGE_FILE_DAY 10 /* length of a day such as 2026-11-24 */
#define EQT_CHARGE_FILE_ENDING ".gz"

/* Is this the name of the file of a day? */
bool eqt_charge_file_is_of_day(const char *name);

/* Was a run not settled because the file of budgets could not be read? */
bool eqt_charge_record_is_unread(const struct eqt_charge_record *record);

/* Append the line of a record with its newline. name[] replaces the names in the
 * record, and NULL is no name. Long names are cut. Return false with the text unchanged
 * if the line does not fit or eqt_charge_record_parse() would not accept it. */
bool eqt_charge_record_put(struct eqt_text *text,
			   const struct eqt_charge_record *record,
			   const char *const name[EQT_CHARGE_NAMES]);

/* Read one line, of length bytes without its newline. Return 0, or -1 with err filled
 * and *out unchanged. */
int eqt_charge_record_parse(struct eqt_charge_record *out, const char *line,
			    size_t length, struct eqt_error *err);

/* Write and read the first line of a file. eqt_charge_head_text() returns the length of
 * the line, or -1 if it does not fit. eqt_charge_head_parse() returns 0, or -1 with err
 * filled and *out unchanged. */
int eqt_charge_head_text(char *buf, size_t size,
			 const struct eqt_charge_head *head);
int eqt_charge_head_parse(struct eqt_charge_head *out, const char *line,
			  size_t length, struct eqt_error *err);

/* Return the charge of a line in equivalent-seconds, including the factor. */
double eqt_charge_record_amount(const struct eqt_charge_record *record);

#endif
