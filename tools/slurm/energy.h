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

/* The carbon intensity of a site's electricity, in millionths of gCO2e/kWh. Owns its
 * memory; in {0} nothing is known. */
struct eqt_energy {
	char path[EQT_CONF_PATH]; /* path of the file; "": there is no file */
	/* intensity of all hours if there is no file; 0: not known */
	uint64_t factor_u;
	int64_t begin_s; /* start of the first hour in the file */
	uint64_t *hour_u; /* UINT64_MAX: the hour is missing in the file */
	size_t hours;
};

/* A part of a run with one carbon intensity. It begins at from_s and ends before
 * until_s. */
struct eqt_energy_piece {
	int64_t from_s, until_s;
	long double watts;
	/* CO2e per second; 0 if the intensity is not known */
	long double grams;
	bool known;
};

/* A sum over pieces. {0} is an empty sum. */
struct eqt_energy_sum {
	long double joules, grams;
	long double unknown; /* joules at an unknown carbon intensity */
	int64_t first_s; /* the first hour of "unknown"; 0: there is none */
};

/*
 * Read the carbon intensity that the configuration names. That is one factor, or a file
 * with the columns utc and gco2e_per_kwh and a line per hour, in ascending order.
 * eqt_energy_free() frees it. Returns 0, or -1 with err filled ("FILE: line N: REASON")
 * and *out empty.
 */
int eqt_energy_open(struct eqt_energy *out, const struct eqt_conf *conf,
		    struct eqt_error *err);

/* Free what *energy owns. *energy is empty afterwards. */
void eqt_energy_free(struct eqt_energy *energy);

/*
 * Replace *piece by the next piece of the run. It begins at the until_s of the old piece
 * and ends at to_s at the latest. The energy of a run is spread evenly over its time.
 * Returns false if no piece is left, or with "watts" 0 if the run has no recorded energy.
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

/* The energy of a sum in kWh. */
double eqt_energy_kwh(const struct eqt_energy_sum *sum);

#define EQT_ENERGY_WORDS 512

/* A sentence with a line end about the hours whose carbon intensity is not known; "" if
 * all are known. Returns buf. */
char *eqt_energy_words(char buf[EQT_ENERGY_WORDS],
		       const struct eqt_energy *energy,
		       const struct eqt_energy_sum *sum);

#endif
