/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A site counts local disk in bytes ("Gres=jobfs:400G"), or in a unit of its own
 * ("Gres=jobfs:400"). Bytes are counted as MiB: fractions stay small then. */
#include "conf/local_disk.h"

#define MIB_SHIFT 20

/* What the i-th bundle or partition says of local disk; false after the last. */
static bool disk_at(struct eqt_conf *conf, uint32_t i, uint64_t **amount,
		    struct eqt_frac **rate)
{
	const uint32_t bundles = conf->prices.gpu_count;

	if (i == 0) {
		*amount = &conf->prices.cores.disk;
		*rate = &conf->cores_terms.rate[EQT_DISK];
	} else if (i <= bundles) {
		*amount = &conf->gpu[i - 1].disk;
		*rate = &conf->gpu_terms[i - 1].rate[EQT_DISK];
	} else if (i - bundles <= conf->partitions.count) {
		i -= bundles + 1;
		*amount = &conf->partitions.rule[i].disk;
		*rate = &conf->partition_terms[i].rate[EQT_DISK];
	} else {
		return false;
	}
	return true;
}

/* The costs of MiB; how much has a price of 1 is rounded up. */
static void disk_shift(struct eqt_conf *conf)
{
	const uint64_t mib = UINT64_C(1) << MIB_SHIFT;
	struct eqt_frac *rate;
	uint64_t *amount;

	for (uint32_t i = 0; disk_at(conf, i, &amount, &rate); i++) {
		*amount = (*amount >> MIB_SHIFT) + (*amount % mib != 0);
		/* Whole: the caller has seen that no bit is lost. */
		if (rate->den > 0)
			rate->den >>= MIB_SHIFT;
	}
}

int eqt_local_disk_close(struct eqt_conf *conf, struct eqt_source *source)
{
	struct eqt_bundle_table *prices = &conf->prices;
	const uint64_t mib = UINT64_C(1) << MIB_SHIFT;
	uint64_t rest = 0, most = 0, *amount;
	struct eqt_frac *rate;

	for (uint32_t i = 0; disk_at(conf, i, &amount, &rate); i++) {
		/* The amount of a cost by amount may be rounded. */
		rest |= (rate->den > 0 ? rate->den : *amount) % mib;
		most = *amount > most ? *amount : most;
	}
	if ((most > 0) != (conf->local_disk[0] != '\0'))
		return eqt_source_refuse(source, "missing key \"%s\"",
					 most > 0 ? "local_disk" : "disk");
	if (most == 0)
		return 0;
	prices->disk_gres = conf->local_disk;
	prices->disk_shift = rest == 0 ? MIB_SHIFT : 0;
	if (most >> prices->disk_shift > EQT_DISK_MAX)
		return eqt_source_refuse(source, "disk: expected whole MiB, or "
						 "counts up to 8T");
	if (prices->disk_shift > 0)
		disk_shift(conf);
	return 0;
}
