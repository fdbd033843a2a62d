/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EQT_CHECK_SHOW_H
#define EQT_CHECK_SHOW_H

#include "check/check.h"

/* Print the meaning of equitree.conf as tables and, if slurm.conf was read, the
 * matching TRESBillingWeights. */
void eqt_check_show(const struct eqt_check *check, bool headings);

#endif
