/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charge_record: a line of the record of charges. The record is what bills, reports and
 * audits read: each second that was charged to fair share is in exactly one line, at the
 * price that it had.
 *
 * A file has the lines of one day (of the local day on which they were written; a run
 * is in the file of its end, or of a later day). It is text, or gzip'd text:
 *
 *	equitree-charges 1 CLUSTER DAY CRC
 *	c NUMBER KIND JOB ARRAY TASK HET RESTARTS START FROM LENGTH IDLE RATE FACTOR
 *	  UNIT SCALE BILLING ASSOC QOS PART_QOS PRICED MONEY PAID ENTRY
 *	  ACCOUNT USER PARTITION QOS_NAME CURRENCY REASON CRC
 *
 * in one line, with one space between fields. START is that of slurmctld; FROM is seconds after
 * it, below 0 if the clock was set back since; LENGTH is seconds after FROM. RATE and FACTOR are hexadecimal (%a) and keep their bits. In names, a
 * byte up to the space, % and DEL is written as % and two hexadecimal digits; no name
 * is "-". CRC is that of ledger.h.
 *
 * The line of a run is written when its stretch ends: the run is over, or its size, its
 * price or its suspension has changed. A run that goes on has no line for its last
 * stretch; at each pass the file "open" gets lines of KIND o of all such stretches; NUMBER is that of
 * the last line before. (A line of the record that has come since, of the same JOB and START and to
 * a later time than FROM, replaces one.) What a line charges, in units of RATE:
 *
 *	RATE x FACTOR x (LENGTH - IDLE), for the seconds from FROM + IDLE on
 *
 * and RATE / UNIT is in equivalents. A line of KIND z charges nothing: usage was set to 0.
 * Lines with lower numbers count no longer, and of others only the seconds after FROM.
 *
 * An array task, or a component of a heterogeneous job, has a job id of its own. PAID is
 * what budgets charged for all of the run since the last line of it that has an ENTRY, the
 * number in their journal; and once more, if a kill lost that entry. In the file "open" PAID
 * is what budgets have not charged of the run yet, and ENTRY how much they have; REASON is by
 * how many seconds the clock was set since START was noted, and what sizes cost that the run
 * had while budgets could not be read, if there is either.
 */
#ifndef EQT_CHARGE_RECORD_H
#define EQT_CHARGE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

#define EQT_CHARGE_NAME 128 /* a name and its NUL; longer ones are cut */
#define EQT_CHARGE_TEXT 3072 /* enough for any line, newline and NUL included */
#define EQT_CHARGE_MARK 'c' /* the first byte of a line */
#define EQT_CHARGE_MAGIC "equitree-charges"

/* REASON of a stretch that budgets settle when their file is there again. */
#define EQT_CHARGE_UNREAD "budgets could not be read"
/* The job id of a reservation's run is this number plus that of the reservation. No job
 * has so high an id. Its partition is "reservation:NAME". */
#define EQT_CHARGE_RESERVED UINT32_C(0xff000000)

/* Why the line was written. */
enum eqt_charge_kind {
	EQT_CHARGE_END = 'e', /* the run is over */
	EQT_CHARGE_RESIZE = 'r', /* the job goes on at another size */
	EQT_CHARGE_PRICE = 'p', /* price or factor have changed */
	EQT_CHARGE_SUSPEND =
		's', /* a suspension has begun that is not charged */
	EQT_CHARGE_HELD = 'h', /* nodes that the job held after its end */
	EQT_CHARGE_REFUND =
		'f', /* charged before, and given back: FACTOR < 0 */
	EQT_CHARGE_LOST =
		'l', /* slurmctld has forgotten the run, which was charged */
	EQT_CHARGE_OPEN = 'o', /* only in the file "open": the run goes on */
	EQT_CHARGE_RESET = 'z' /* all usage was set to 0 at FROM; no job */
};

/* What decided the price. PRICED is one of these letters and the pool: c, or g for
 * GPU-equivalents ("mg"). */
enum eqt_charge_priced {
	EQT_CHARGE_BY_CORES = 'c',
	EQT_CHARGE_BY_MEMORY = 'm',
	EQT_CHARGE_BY_GPUS = 'u',
	EQT_CHARGE_BY_DISK = 'd',
	EQT_CHARGE_BY_NODES = 'n',
	EQT_CHARGE_BY_MINIMUM = 'l', /* the least that a job costs */
	EQT_CHARGE_BY_SLURM = 's' /* Slurm's own billing */
};

/* One line; a plain value of about a kilobyte. Times are seconds since the epoch. */
struct eqt_charge_record {
	uint64_t number; /* of the line; each is written once */
	enum eqt_charge_kind kind;
	uint32_t job_id; /* Slurm's own, as in accounting (id_job) */
	uint32_t array_job_id; /* 0: no task of an array */
	uint32_t array_task_id;
	uint32_t het_job_id; /* 0: not a component */
	uint32_t restarts; /* earlier runs of the job, as Slurm counts them */
	uint32_t assoc_id;
	uint32_t qos_id; /* 0: none */
	uint32_t
		part_qos_id; /* the partition's QOS, where it counts; 0: none */
	int64_t start; /* of the run */
	int64_t from, to; /* from <= to */
	uint64_t idle_s; /* not charged, at the begin: suspended */
	double rate; /* per second */
	double factor; /* UsageFactor */
	uint64_t
		unit; /* of rate, in one equivalent; 1 but for Slurm's billing */
	uint64_t scale; /* billing_scale; 0: Slurm's own billing */
	uint64_t billing; /* count of the billing TRES */
	char decided; /* enum eqt_charge_priced */
	char pool; /* 'c', or 'g': the price is in GPU-equivalents */
	uint64_t
		money_u; /* for an hour of one equivalent, in millionths; 0: none */
	uint64_t paid_u; /* charged to budgets, in micro-equivalent-seconds */
	uint64_t entry; /* of the budgets' journal; 0: none */
	char account[EQT_CHARGE_NAME]; /* "": not known */
	char user[EQT_CHARGE_NAME];
	char partition[EQT_CHARGE_NAME];
	char qos[EQT_CHARGE_NAME];
	char currency[EQT_CHARGE_NAME]; /* "": none */
	char reason
		[EQT_CHARGE_NAME]; /* of a refund, or why budgets were not charged */
};

/* The first line of a file. */
struct eqt_charge_head {
	char cluster[EQT_CHARGE_NAME];
	char day[EQT_CHARGE_NAME]; /* 2026-11-24 */
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

/* The files of days: "charges.2026-11-24", with or without ".gz". */
#define EQT_CHARGE_FILE "charges."
#define EQT_CHARGE_FILE_DAY 10 /* length of a day */
#define EQT_CHARGE_FILE_ENDING ".gz"

/* Is it the name of one? */
bool eqt_charge_file_is_of_day(const char *name);

/* Was the run of this line not settled, because the file of budgets could not be read? */
bool eqt_charge_record_is_unread(const struct eqt_charge_record *record);

/* Append the line of a record with its newline. name[] replaces the names of the record
 * (NULL: no name); long names are cut. False, with text unchanged: the line does not
 * fit, or eqt_charge_record_parse() would refuse it. */
bool eqt_charge_record_put(struct eqt_text *text,
			   const struct eqt_charge_record *record,
			   const char *const name[EQT_CHARGE_NAMES]);

/* Read one line (length without the newline). Returns 0, or -1 with err filled and *out
 * untouched. */
int eqt_charge_record_parse(struct eqt_charge_record *out, const char *line,
			    size_t length, struct eqt_error *err);

/* The same for the first line of a file. */
int eqt_charge_head_text(char *buf, size_t size,
			 const struct eqt_charge_head *head);
int eqt_charge_head_parse(struct eqt_charge_head *out, const char *line,
			  size_t length, struct eqt_error *err);

/* What the line charges: equivalent-seconds, with the factor. */
double eqt_charge_record_amount(const struct eqt_charge_record *record);

#endif
