/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_table: a moment or a duration for each of some jobs, by job id; or the
 * ids alone, of which a pass notes one for each job that it charges.
 *
 * An open table of a power of two, at most half full: an id is in the first free
 * place from its own on. The owner of a table serialises the calls.
 */
#ifndef EQT_JOB_TABLE_H
#define EQT_JOB_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* {0} is empty; eqt_job_table_free() frees what it holds. */
struct eqt_job_table {
	uint32_t *id; /* 0: free; no job has this id */
	time_t *value; /* NULL: ids alone */
	size_t places; /* a power of two, or 0 */
	size_t count;
};

/* Empty a table of ids alone and make room for so many; returns for how many
 * there is, fewer when memory is short. Its memory is kept for the next time. */
size_t eqt_job_table_begin(struct eqt_job_table *table, size_t count);

/* Put an id in, but 0; short of memory it is left out. A table that has room
 * does not allocate. */
void eqt_job_table_add(struct eqt_job_table *table, uint32_t job_id);

/* The same with a value, which replaces the one there. Not in a table of ids
 * alone. */
void eqt_job_table_set(struct eqt_job_table *table, uint32_t job_id,
		       time_t value);

bool eqt_job_table_has(const struct eqt_job_table *table, uint32_t job_id);

/* The value of a job, or NULL; valid until the table is changed. */
const time_t *eqt_job_table_get(const struct eqt_job_table *table,
				uint32_t job_id);

/* Forget one job; returns whether it was there. */
bool eqt_job_table_forget(struct eqt_job_table *table, uint32_t job_id);

/* Forget the jobs whose value is not above least. */
void eqt_job_table_prune(struct eqt_job_table *table, time_t least);

/* Call each for every job, in no order. */
void eqt_job_table_each(const struct eqt_job_table *table,
			void (*each)(uint32_t job_id, time_t value, void *arg),
			void *arg);

void eqt_job_table_free(struct eqt_job_table *table);

#endif
