/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A site counts local disk in bytes ("Gres=jobfs:400G"), or in a unit of its own
 * ("Gres=jobfs:400"). Bytes are counted as MiB: fractions stay small then. */
#include "conf/local_disk.h"

#define MIB_SHIFT 20

/* The i-th amount of the file, or NULL after the last. */
static uint64_t *disk_at(struct eqt_conf *conf, uint32_t i)
{
	const uint32_t bundles = conf->prices.gpu_count;

	if (i == 0)
		return &conf->prices.cores.disk;
	if (i <= bundles)
		return &conf->gpu[i - 1].disk;
	i -= bundles + 1;
	return i < conf->partitions.count ? &conf->partitions.rule[i].disk
					  : NULL;
}

int eqt_local_disk_close(struct eqt_conf *conf, struct eqt_source *source)
{
	struct eqt_bundle_table *prices = &conf->prices;
	uint64_t all = 0, most = 0, *disk;
	uint32_t i;

	for (i = 0; (disk = disk_at(conf, i)); i++) {
		all |= *disk;
		most = *disk > most ? *disk : most;
	}
	if ((most > 0) != (conf->local_disk[0] != '\0'))
		return eqt_source_refuse(source, "missing key \"%s\"",
					 most > 0 ? "local_disk" : "disk");
	if (most == 0)
		return 0;
	prices->disk_gres = conf->local_disk;
	prices->disk_shift = all % (UINT64_C(1) << MIB_SHIFT) == 0 ? MIB_SHIFT
								   : 0;
	if (most >> prices->disk_shift > EQT_DISK_MAX)
		return eqt_source_refuse(source, "disk: expected whole MiB, or "
						 "counts up to 8T");
	for (i = 0; (disk = disk_at(conf, i)); i++)
		*disk >>= prices->disk_shift;
	return 0;
}
