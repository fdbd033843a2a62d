/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Quantiles are exact: each wait is kept, in four bytes, and sorted once. sacct is asked
 * for the days alone, since the record of charges has no times of waiting. */
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "base/array.h"
#include "report/waits.h"
#include "slurm/sacct.h"
#include "slurm/text/timestamp.h"
#include "slurm/text/tres_list.h"

/* ---- Reading --------------------------------------------------------------------- */

/* Sizes in which jobs wait alike. The digit orders them, and is not shown. */
static const char *size_name(const char *tres)
{
	const uint64_t gpus = eqt_tres_list_amount(tres, "gres/gpu");
	const uint64_t cpus = eqt_tres_list_amount(tres, "cpu");

	if (gpus > 0)
		return gpus == 1  ? "51 GPU"
		       : gpus < 8 ? "62 to 7 GPUs"
				  : "78 GPUs or more";
	return cpus <= 1    ? "11 CPU"
	       : cpus < 16  ? "22 to 15 CPUs"
	       : cpus < 128 ? "316 to 127 CPUs"
			    : "4128 CPUs or more";
}

static int wait_add(struct eqt_waits *waits, enum eqt_waits_by by,
		    const char *name, uint32_t wait_s)
{
	struct eqt_waits_group *group =
		eqt_names_get(&waits->group[by], name, sizeof(*group), NULL);

	if (!group || EQT_ARRAY_ROOM(group->wait_s, group->count) < 0)
		return -1;
	group->wait_s[group->count++] = wait_s;
	return 0;
}

/* A job counts with its start. What was held while it ran has a later time of
 * eligibility than its start, and no wait that is known. */
static int start_add(struct eqt_waits *waits, const struct eqt_sacct_job *job,
		     int64_t from_s)
{
	char day[EQT_TIMESTAMP_DAY];
	int64_t eligible_s;
	uint32_t wait_s;

	if (job->start_s < from_s ||
	    eqt_timestamp_parse(&eligible_s, job->text[EQT_SACCT_ELIGIBLE]) <=
		    0 ||
	    eligible_s > job->start_s || job->start_s - eligible_s > UINT32_MAX)
		return 0;
	wait_s = (uint32_t) (job->start_s - eligible_s);
	(void) eqt_timestamp_day(job->start_s, day);
	return wait_add(waits, EQT_WAITS_ALL, "", wait_s) < 0 ||
			       wait_add(waits, EQT_WAITS_PARTITION,
					job->text[EQT_SACCT_PARTITION],
					wait_s) < 0 ||
			       wait_add(waits, EQT_WAITS_SIZE,
					size_name(job->text[EQT_SACCT_TRES]),
					wait_s) < 0 ||
			       wait_add(waits, EQT_WAITS_DAY, day, wait_s) <
				       0 ||
			       wait_add(waits, EQT_WAITS_ACCOUNT,
					job->text[EQT_SACCT_ACCOUNT],
					wait_s) < 0
		       ? -1
		       : 0;
}

static int wait_compare(const void *x, const void *y)
{
	const uint32_t a = *(const uint32_t *) x, b = *(const uint32_t *) y;

	return a < b ? -1 : a > b;
}

static int group_compare(const void *x, const void *y)
{
	return strcmp((*(struct eqt_waits_group *const *) x)->name,
		      (*(struct eqt_waits_group *const *) y)->name);
}

/* Groups by their names, the waits of each by length. */
static void waits_sort(struct eqt_waits *waits)
{
	for (int by = 0; by < EQT_WAITS_BY; by++) {
		struct eqt_names *names = &waits->group[by];

		for (size_t i = 0; i < names->count; i++) {
			struct eqt_waits_group *group = names->list[i];

			qsort(group->wait_s, group->count,
			      sizeof(*group->wait_s), wait_compare);
		}
		if (names->count > 1)
			qsort(names->list, names->count, sizeof(*names->list),
			      group_compare);
	}
}

int eqt_waits_read(struct eqt_waits *waits, const char *path, int64_t now_s,
		   uint64_t days, struct eqt_error *err)
{
	const int64_t from_s = now_s - (int64_t) days * 86400;
	struct eqt_sacct_reader sacct;
	struct eqt_sacct_job job;
	char command[EQT_SACCT_COMMAND];
	int rc;

	*waits = (struct eqt_waits){ .days = days };
	if (eqt_sacct_reader_open(&sacct, path,
				  eqt_sacct_command(command, from_s, now_s,
						    ",Eligible"),
				  EQT_SACCT_RUNS, err) < 0)
		return -1;
	if (sacct.head.at[EQT_SACCT_ELIGIBLE] == EQT_COLUMNS_NONE)
		waits->days = 0;
	while ((rc = waits->days ? eqt_sacct_reader_next(&sacct, &job, err)
				 : 0) > 0) {
		if (start_add(waits, &job, from_s) == 0)
			continue;
		rc = eqt_error_set(err, "out of memory");
		break;
	}
	/* The rest of a list that has no such column need not be read. */
	if (eqt_sacct_reader_close(&sacct,
				   rc == 0 && waits->days ? err : NULL) < 0 &&
	    rc == 0 && waits->days)
		rc = -1;
	waits_sort(waits);
	return rc;
}

void eqt_waits_free(struct eqt_waits *waits)
{
	for (int by = 0; by < EQT_WAITS_BY; by++) {
		for (size_t i = 0; i < waits->group[by].count; i++)
			free(((struct eqt_waits_group *) waits->group[by]
				      .list[i])
				     ->wait_s);
		eqt_names_free(&waits->group[by]);
	}
	waits->days = 0;
}

uint32_t eqt_waits_quantile(const struct eqt_waits_group *group, double part)
{
	return group->wait_s[eqt_whole_quantile(part, group->count)];
}
