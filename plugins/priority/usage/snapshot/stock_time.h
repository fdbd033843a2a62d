/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stock_time: priority_last_decay_ran, the file in which Slurm's own plugin
 * stores the time of its last pass. We write it as well, so that a site can go
 * back, and read it to find out whether that plugin has run since.
 *
 * The file begins with two times as Slurm packs them. After these, where Slurm
 * does not read, come a mark, the unit of usage, the last entry of budgets, and
 * a checksum. The last entry is known there even if all files with our name
 * were removed. The checksum reveals a file that a failing disk has altered.
 */
#ifndef EQT_STOCK_TIME_H
#define EQT_STOCK_TIME_H

#include <time.h>

#include "base/error.h"
#include "ledger/ledger.h"
#include "store/state_file.h"

#define EQT_STOCK_TIME "priority_last_decay_ran"

enum eqt_stock_writer {
	EQT_STOCK_NONE, /* There is no file priority_last_decay_ran. */
	EQT_STOCK_OURS,
	/* Our file with stock_recovery, which has no snapshot. */
	EQT_STOCK_ALONE,
	EQT_STOCK_THEIRS, /* The file of Slurm's own plugin. */
	EQT_STOCK_DAMAGED
};

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

/* Read the file or its .old, as `name` says. Returns 0, or -1 with err filled
 * if the file exists and cannot be read. */
int eqt_stock_time_read(const struct eqt_state_folder *folder, const char *name,
			struct eqt_stock_time *stock, struct eqt_error *err);

/* Write the file. The results are those of eqt_state_file_replace(). */
int eqt_stock_time_save(const struct eqt_state_folder *folder,
			const struct eqt_stock_time *stock,
			struct eqt_error *err);

#endif
