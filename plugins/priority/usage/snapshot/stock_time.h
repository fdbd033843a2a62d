/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stock_time: priority_last_decay_ran, the file in which Slurm's own plugin stores the time
 * of its last pass. We write it too, so that a site can go back, and read it to find out
 * whether that plugin has run since.
 *
 * It begins with two times as Slurm packs them. After them, where Slurm does not read, come a
 * mark, the unit of usage, the last entry of budgets (known even if all files with our name are
 * gone), and a checksum, so that a file that a failing disk has altered is recognized.
 */
#ifndef EQT_STOCK_TIME_H
#define EQT_STOCK_TIME_H

#include <time.h>

#include "base/error.h"
#include "ledger/ledger.h"
#include "store/state_file.h"

#define EQT_STOCK_TIME "priority_last_decay_ran"

enum eqt_stock_writer {
	EQT_STOCK_NONE, /* there is no such file */
	EQT_STOCK_OURS,
	EQT_STOCK_ALONE, /* ours with stock_recovery: without a snapshot */
	EQT_STOCK_THEIRS, /* Slurm's own plugin */
	EQT_STOCK_DAMAGED
};

struct eqt_stock_time {
	enum eqt_stock_writer writer; /* to save: EQT_STOCK_OURS or _ALONE */
	time_t last_ran; /* 0: not known */
	time_t last_reset;
	struct eqt_ledger_unit unit; /* of the usage in slurmctld's own files */
	uint64_t budget_entry; /* as in a snapshot */
};

/* Read the file, or its .old (name). Returns 0, or -1 with err filled when it exists and
 * cannot be read. */
int eqt_stock_time_read(const struct eqt_state_folder *folder, const char *name,
			struct eqt_stock_time *stock, struct eqt_error *err);

/* Write the file. Results as in eqt_state_file_replace(). */
int eqt_stock_time_save(const struct eqt_state_folder *folder,
			const struct eqt_stock_time *stock,
			struct eqt_error *err);

#endif
