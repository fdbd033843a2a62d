/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stock_files: the files of slurmctld and of Slurm's own plugin that we write at
 * each pass, from the snapshot, so that Slurm's own plugin continues from our
 * last pass even after a kill.
 *
 * assoc_usage and qos_usage have the usage. slurmctld itself writes them every
 * five minutes and at its end. Its dump_assoc_mgr_state() is not called, because
 * that packs all associations and syncs four files in one hold of assoc_mgr's
 * locks, for which every start and end of a job waits. A snapshot has the same
 * numbers, which are copied in a short hold.
 *
 * priority_last_decay_ran has the time of the last pass. Its reader finds out
 * whether Slurm's own plugin has run since. The file begins with two times as
 * Slurm packs them. After these, where Slurm does not read, come a mark, the
 * unit of usage, the last entry of budgets, and a checksum. The last entry is
 * known there even if all files with our name were removed. The checksum reveals
 * a file that a failing disk has altered.
 */
#ifndef EQT_STOCK_FILES_H
#define EQT_STOCK_FILES_H

#include <time.h>

#include "base/error.h"
#include "ledger/ledger.h"
#include "store/state_file.h"

/* Write the two files of usage under our own names. Returns 0, or -1 with err filled. No
 * lock is held. */
int eqt_stock_files_write_usage(const struct eqt_state_folder *folder,
				const struct eqt_snapshot *snapshot,
				struct eqt_error *err);

/*
 * Rename these two files to Slurm's names. Call this after priority_last_decay_ran
 * has their time: with usage older than that time, Slurm's plugin would lose
 * charges, and with newer usage it would make some twice. slurmctld may replace
 * the same files at any moment by renaming, so each file is always complete.
 * Returns 0, or -1 with err filled.
 */
int eqt_stock_files_put_usage(const struct eqt_state_folder *folder,
			      struct eqt_error *err);

#define EQT_STOCK_TIME "priority_last_decay_ran"

/* Who wrote the file of the time. */
enum eqt_stock_writer {
	EQT_STOCK_NONE, /* There is no file priority_last_decay_ran. */
	EQT_STOCK_OURS,
	/* Our file with stock_recovery, which has no snapshot. */
	EQT_STOCK_ALONE,
	EQT_STOCK_THEIRS, /* The file of Slurm's own plugin. */
	EQT_STOCK_DAMAGED
};

/* What the file of the time has. */
struct eqt_stock_time {
	/* EQT_STOCK_OURS or EQT_STOCK_ALONE if the file is to be saved. */
	enum eqt_stock_writer writer;
	/* The time of the last pass; 0 if that time is not known. */
	time_t last_ran;
	time_t last_reset;
	/* The unit of the usage in slurmctld's own files. */
	struct eqt_ledger_unit unit;
	uint64_t budget_entry; /* As in a snapshot. */
};

/* Read the file of the time or its .old, as `name` says. Returns 0, or -1 with err filled
 * if the file exists and cannot be read. */
int eqt_stock_files_read_time(const struct eqt_state_folder *folder,
			      const char *name, struct eqt_stock_time *stock,
			      struct eqt_error *err);

/* Write the file of the time. The results are those of eqt_state_file_replace(). */
int eqt_stock_files_save_time(const struct eqt_state_folder *folder,
			      const struct eqt_stock_time *stock,
			      struct eqt_error *err);

#endif
