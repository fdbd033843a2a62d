/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report: what equitree tree --verify prints. */
#ifndef EQT_TREE_REPORT_H
#define EQT_TREE_REPORT_H

#include "tree/verify.h"

/* Print all differences in the file of sshare and, unless NULL, that of sprio.
 * Returns EXIT_SUCCESS if there are none, EXIT_FAILURE otherwise. */
int eqt_verify_print(const struct eqt_verify *verify, const char *shares,
		     const char *priorities, bool json);

#endif
