/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache: a folder that keeps the usage of finished days, so that slurmdbd is asked for
 * the latest jobs alone. A file holds for the prices that it was made with.
 */
#ifndef EQT_USAGE_CACHE_H
#define EQT_USAGE_CACHE_H

#include <limits.h>

#include "usage/day.h"

struct eqt_year_cache {
	const char *folder; /* borrowed */
	unsigned int columns; /* of struct eqt_year_day */
	uint64_t prices; /* a hash of all that a price depends on */
	bool asked; /* slurmctld was asked whether slurmdbd has all records */
	bool complete; /* and it has */
};

/*
 * Open the folder, and make it if needed. conf_path is where the pricer's configuration
 * was read. 0, or -1 with err filled: no folder, the cluster has no name.
 */
int eqt_year_cache_open(struct eqt_year_cache *out, const char *folder,
			const char *conf_path, unsigned int columns,
			const struct eqt_job_pricer *pricer,
			struct eqt_error *err);

/*
 * Fill a day whose from_s and until_s are set. 1; 0: it is not kept, or not with
 * these prices, or after a warning on stderr the file cannot be trusted; -1 with err
 * filled: out of memory.
 */
int eqt_year_cache_get(const struct eqt_year_cache *cache,
		       struct eqt_year_day *day, struct eqt_error *err);

/* Will eqt_year_cache_put() keep what sacct prints from now on? False after a warning
 * on stderr, if slurmctld has records that slurmdbd lacks. */
bool eqt_year_cache_is_open(struct eqt_year_cache *cache);

/* Keep a day. If that fails, print a warning, and keep no other. */
void eqt_year_cache_put(struct eqt_year_cache *cache,
			const struct eqt_year_day *day);

#endif
