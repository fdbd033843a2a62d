/* SPDX-License-Identifier: GPL-2.0-or-later */
/* components: the sum of a heterogeneous job whose components come between others'. */
#ifndef EQT_SUBMIT_COMPONENTS_H
#define EQT_SUBMIT_COMPONENTS_H

#include "between.h"

/* Submit a job's components while as many threads as slurmctld has submit theirs: each
 * job must have the sum of its own. Ends the program if not. Returns the number of
 * threads. */
int components_check(between_submit_t *submit);

#endif
