/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refusal: what sbatch says of a request that it would refuse. */
#ifndef EQT_BILL_REFUSAL_H
#define EQT_BILL_REFUSAL_H

#include "base/error.h"
#include "sbatch/options.h"

#define EQT_REFUSAL_START 32

/*
 * Ask sbatch by --test-only, which submits nothing. partition: the one to ask for, instead
 * of that of the request; NULL: that. 0: sbatch would accept it, or there is no sbatch;
 * start has when Slurm would start it by the jobs of now, as sbatch prints times, or "".
 * -1 with err filled with the words of sbatch.
 */
int eqt_bill_refusal_ask(char start[EQT_REFUSAL_START],
			 const struct eqt_sbatch_words *words,
			 const char *partition, struct eqt_error *err);

#endif
