/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charges_section: the section "charges" of equitree.conf, which configures the record
 * of charges (ledger/charge_record.h). A plain value.
 *
 *	charges {
 *		record = yes		# or no: write no record
 *		folder = "/var/lib/equitree"	# default: in StateSaveLocation
 *		keep = 400		# days; 0: for ever
 *		group = accounting	# may read the record; default: no group
 *	}
 */
#ifndef EQT_CONF_CHARGES_H
#define EQT_CONF_CHARGES_H

#include <stdbool.h>
#include <stdint.h>

#include "price/bundle_table.h"

#define EQT_CONF_PATH 256 /* bytes for a path and a NUL */
/* The name of the folder in StateSaveLocation, if the file names no other folder. */
#define EQT_CONF_CHARGES_FOLDER "equitree_charges"

struct eqt_conf_charges {
	bool there; /* whether the file has the section */
	bool record;
	/* An absolute path; "" means EQT_CONF_CHARGES_FOLDER. */
	char folder[EQT_CONF_PATH];
	/* How many days to keep the record; 0 means for ever. */
	uint64_t keep_days;
	/* The group that may read the record; "" if there is none. */
	char group[EQT_NAME_SIZE];
};

#endif
