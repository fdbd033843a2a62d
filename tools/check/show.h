/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EQT_CHECK_SHOW_H
#define EQT_CHECK_SHOW_H

#include "check/findings.h"

/* Print what equitree.conf says as tables and, if slurm.conf was read, the
 * TRESBillingWeights that agree with it. */
void eqt_check_show(const struct eqt_check *check, bool headings);

#endif
