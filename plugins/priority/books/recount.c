/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdatomic.h>

#include "../../common/slurm_compat.h"
#include "recount.h"

static struct {
	atomic_bool told;
	time_t read; /* slurm.conf, when what had passed was taken off */
} recount;

static uint64_t *mark_of(void *item)
{
	const slurmdb_qos_rec_t *qos = item;

	return &qos->usage->grp_used_tres_run_secs[TRES_ARRAY_ENERGY];
}

static int has_mark(void *item, void *arg)
{
	(void) arg;
	return *mark_of(item) != 0;
}

static int set_mark(void *item, void *arg)
{
	(void) arg;
	*mark_of(item) = 1;
	return 0;
}

void eqt_recount_told(void)
{
	atomic_store(&recount.told, true);
}

bool eqt_recount_is_new(void)
{
	bool told = atomic_load(&recount.told);

	if (!assoc_mgr_qos_list || !list_count(assoc_mgr_qos_list))
		return told;
	if (!told && slurm_conf.last_update == recount.read)
		return false;
	return !list_find_first(assoc_mgr_qos_list, has_mark, NULL);
}

void eqt_recount_done(void)
{
	atomic_store(&recount.told, false);
	recount.read = slurm_conf.last_update;
	if (assoc_mgr_qos_list)
		list_for_each(assoc_mgr_qos_list, set_mark, NULL);
}

void eqt_recount_keep_marks(void)
{
	if (assoc_mgr_qos_list && !eqt_recount_is_new())
		list_for_each(assoc_mgr_qos_list, set_mark, NULL);
}
