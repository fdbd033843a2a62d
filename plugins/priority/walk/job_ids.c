/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "walk/job_ids.h"

static int grow(struct eqt_job_ids *ids)
{
	size_t space = ids->space ? ids->space * 2 : 1024;
	uint32_t *grown = realloc(ids->ids, space * sizeof(*grown));

	if (!grown)
		return -1;
	ids->ids = grown;
	ids->space = space;
	return 0;
}

int eqt_job_ids_add(struct eqt_job_ids *ids, uint32_t job_id)
{
	if (ids->count == ids->space && grow(ids) < 0)
		return -1;
	ids->ids[ids->count++] = job_id;
	return 0;
}

void eqt_job_ids_free(struct eqt_job_ids *ids)
{
	free(ids->ids);
	*ids = (struct eqt_job_ids){ .ids = NULL };
}
