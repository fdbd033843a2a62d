/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_table: a hash table from job ids to a number or a time; a pass keeps the set of the
 * jobs that it has charged, without values.
 *
 * Open addressing with linear probing; the size is a power of two, at most half of the
 * places are used. No locks: the owner of a table serialises calls.
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
	time_t *value;
	size_t places; /* a power of two, or 0 */
	size_t count;
};

/* Empty a table and make room for count. Returns the number that fits,
 * which is lower when memory is short. The memory is kept for the next time. */
size_t eqt_job_table_begin(struct eqt_job_table *table, size_t count);

/* Add an id (0 is ignored) with a value, or replace its value. If memory is short, it is left
 * out. A table with room does not allocate. */
void eqt_job_table_set(struct eqt_job_table *table, uint32_t job_id,
		       time_t value);

/* Is an id there? Id 0 never is. */
bool eqt_job_table_has(const struct eqt_job_table *table, uint32_t job_id);

/* The value of a job, or NULL; valid until the table changes. */
const time_t *eqt_job_table_get(const struct eqt_job_table *table,
				uint32_t job_id);

/* Remove one job; returns true if it was there. */
bool eqt_job_table_forget(struct eqt_job_table *table, uint32_t job_id);

/* Free what *table owns; it is empty then. */
void eqt_job_table_free(struct eqt_job_table *table);

#endif
