/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A price depends on partition, QOS, AllocTRES with its billing, on whose that billing is
 * and, if a GPU model has several bundles or cores have several threads, on the nodes.
 * Each slot holds the last job with its hash. */
#include <stdlib.h>
#include <string.h>

#include "usage/rates.h"

#define SLOTS 8192
#define KEY_MAX 440 /* longer keys are priced each time */

struct slot {
	char key[KEY_MAX]; /* "": empty */
	struct eqt_year_rate rate;
};

struct eqt_year_rates {
	const struct eqt_job_pricer *pricer;
	bool nodes; /* the price depends on them */
	struct slot slot[SLOTS];
};

struct eqt_year_rates *eqt_year_rates_new(const struct eqt_job_pricer *pricer)
{
	const struct eqt_bundle_table *prices = &pricer->conf->prices;
	struct eqt_year_rates *cache = calloc(1, sizeof(*cache));
	uint32_t i;

	if (!cache)
		return NULL;
	cache->pricer = pricer;
	cache->nodes = pricer->nodes && !pricer->threads;
	for (i = 0; pricer->nodes && i < prices->gpu_count; i++)
		cache->nodes = cache->nodes ||
			       eqt_bundle_table_next(prices, i) >= 0;
	return cache;
}

void eqt_year_rates_free(struct eqt_year_rates *cache)
{
	free(cache);
}

/* Append a text and a separator that no cell has. False: too long. */
static bool key_add(char key[KEY_MAX], size_t *length, const char *text)
{
	size_t more = strlen(text);

	if (more > KEY_MAX - 2 - *length)
		return false;
	memcpy(key + *length, text, more);
	*length += more;
	key[(*length)++] = '|';
	return true;
}

static bool key_make(const struct eqt_year_rates *cache, char key[KEY_MAX],
		     size_t *length, const struct eqt_sacct_job *job)
{
	key[0] = (char) ('a' + eqt_cost_span(cache->pricer, job));
	*length = 1;
	if (!key_add(key, length, job->text[EQT_SACCT_TRES]) ||
	    !key_add(key, length, job->text[EQT_SACCT_PARTITION]) ||
	    !key_add(key, length, job->text[EQT_SACCT_QOS]) ||
	    (cache->nodes && !key_add(key, length, job->text[EQT_SACCT_NODES])))
		return false;
	key[*length] = '\0';
	return true;
}

static struct slot *key_slot(struct eqt_year_rates *cache, const char *key,
			     size_t length)
{
	uint64_t hash = length;
	size_t i;

	for (i = 0; i < length; i++)
		hash = (hash ^ (unsigned char) key[i]) *
		       UINT64_C(0x9e3779b97f4a7c15);
	return &cache->slot[(hash >> 32) % SLOTS];
}

int eqt_year_rates_price(struct eqt_year_rates *cache,
			 struct eqt_year_rate *out,
			 const struct eqt_sacct_job *job, struct eqt_error *err)
{
	char key[KEY_MAX];
	struct slot *slot;
	size_t length;
	int rc;

	if (!key_make(cache, key, &length, job))
		return eqt_year_price(out, cache->pricer, job, err);
	slot = key_slot(cache, key, length);
	if (strcmp(slot->key, key) == 0) {
		*out = slot->rate;
		return 1;
	}
	rc = eqt_year_price(out, cache->pricer, job, err);
	/* The reason why a job has no price is not kept. */
	if (rc == 1) {
		memcpy(slot->key, key, length + 1);
		slot->rate = *out;
	}
	return rc;
}
