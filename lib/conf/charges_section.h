/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charges_section: the section "charges" of equitree.conf, the record of charges
 * (ledger/charge_record.h). A plain value.
 *
 *	charges {
 *		record = yes		# or no: write none
 *		folder = "/var/lib/equitree"	# default: in StateSaveLocation
 *		keep = 400		# days; 0: for ever
 *		group = accounting	# may read it; default: nobody else
 *	}
 */
#ifndef EQT_CONF_CHARGES_H
#define EQT_CONF_CHARGES_H

#include <stdbool.h>
#include <stdint.h>

#include "price/bundle_table.h"

#define EQT_CONF_PATH 256 /* a path and its NUL */
/* The folder in StateSaveLocation if the file names none. */
#define EQT_CONF_CHARGES_FOLDER "equitree_charges"

struct eqt_conf_charges {
	bool there; /* the file has the section */
	bool record;
	char folder[EQT_CONF_PATH]; /* absolute; "": EQT_CONF_CHARGES_FOLDER */
	uint64_t keep_days; /* 0: for ever */
	char group[EQT_NAME_SIZE]; /* "": none */
};

#endif
