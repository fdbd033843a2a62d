/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record: the usage of a period by the record of charges. */
#ifndef EQT_USAGE_RECORD_H
#define EQT_USAGE_RECORD_H

#include "slurm/charges_folder.h"
#include "usage/options.h"

/* The folder of the record that can be read and has what the options ask for; "": none.
 * Lists of saved jobs have one only if it is named. */
void eqt_year_record_folder(char folder[EQT_CHARGES_FOLDER],
			    const struct eqt_year_options *options,
			    const struct eqt_conf *conf);

/*
 * Add what the record has of the period, with the runs that go on up to the last pass.
 * *begin_s becomes the end of its first run: jobs that ended before are not in it. 0, or -1
 * with err filled: it cannot be read, lines are damaged, out of memory.
 */
int eqt_year_record_add(struct eqt_year_sum *sum, int64_t *begin_s,
			const char *folder,
			const struct eqt_year_period *period,
			const struct eqt_conf *conf, struct eqt_error *err);

#endif
