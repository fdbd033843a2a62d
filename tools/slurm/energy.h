/* SPDX-License-Identifier: GPL-2.0-or-later */
/* energy: the joules that Slurm recorded for a job, and the carbon intensity of the hours
 * in which it ran. */
#ifndef EQT_SLURM_ENERGY_H
#define EQT_SLURM_ENERGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "conf/conf.h"
#include "slurm/sacct.h"

#define EQT_ENERGY_KWH 3.6e6L /* joules */

/* A site's carbon intensity, in millionths of gCO2e/kWh. Owned; {0}: not known. */
struct eqt_energy {
	char path[EQT_CONF_PATH]; /* of the file; "": none */
	uint64_t factor_u; /* of all hours if there is no file; 0: not known */
	int64_t begin_s; /* of the file's first hour */
	uint64_t *hour_u; /* UINT64_MAX: the file lacks it */
	size_t hours;
};

/* A part of a run at one carbon intensity, from from_s to before until_s. */
struct eqt_energy_piece {
	int64_t from_s, until_s;
	long double watts;
	long double grams; /* of CO2e a second; 0 if it is not known */
	bool known;
};

/* A sum over pieces; {0} is empty. */
struct eqt_energy_sum {
	long double joules, grams;
	long double unknown; /* joules at an unknown carbon intensity ... */
	int64_t first_s; /* ... and the hour of the first; 0: none */
};

/*
 * Read the carbon intensity of the configuration: a factor, or a file with the columns utc
 * and gco2e_per_kwh and a line for each hour, ascending. Free it with eqt_energy_free(). 0,
 * or -1 with err filled: "FILE: line N: REASON"; *out is empty then.
 */
int eqt_energy_open(struct eqt_energy *out, const struct eqt_conf *conf,
		    struct eqt_error *err);

/* Free what *energy owns; it is empty then. */
void eqt_energy_free(struct eqt_energy *energy);

/*
 * Replace *piece by the next piece of the run, from its until_s to to_s at most. The energy
 * is spread evenly over the run. False: no piece is left or, with watts 0, no energy is
 * recorded for the run.
 */
bool eqt_energy_next(struct eqt_energy_piece *piece,
		     const struct eqt_energy *energy,
		     const struct eqt_sacct_job *job, int64_t to_s);

/* Add a piece to a sum. */
void eqt_energy_add(struct eqt_energy_sum *sum,
		    const struct eqt_energy_piece *piece);

/* Add another sum. */
void eqt_energy_add_sum(struct eqt_energy_sum *sum,
			const struct eqt_energy_sum *more);

/* The kWh of a sum. */
double eqt_energy_kwh(const struct eqt_energy_sum *sum);

#define EQT_ENERGY_WORDS 512

/* A sentence about the hours whose carbon intensity is not known, with a line end; "" if
 * all are known. Returns buf. */
char *eqt_energy_words(char buf[EQT_ENERGY_WORDS],
		       const struct eqt_energy *energy,
		       const struct eqt_energy_sum *sum);

#endif
