/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reread: which equitree.conf is in force after reconfigures.
 */
#ifndef EQT_SUBMIT_REREAD_H
#define EQT_SUBMIT_REREAD_H

#include "between.h"
#include "stage.h"

/* The next submission must have the price of this file. Ends the program if not. */
void reread_check_last(between_submit_t *submit, enum stage_conf last);

/* Reconfigure twice within one second, with a submission between: the second file
 * must be in force when the second is over. */
void reread_check(between_submit_t *submit);

#endif
