/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_table: a hash table from the ids of jobs, or other ids, to a number or a
 * time. A pass uses it without values, as the set of the jobs that it has
 * charged.
 *
 * The table uses open addressing with linear probing. Its size is a power of
 * two, and at most half of the places are used. The table has no lock: its
 * owner serialises all calls.
 */
#ifndef EQT_JOB_TABLE_H
#define EQT_JOB_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* A hash table of job ids. A struct of zeros is empty, and eqt_job_table_free()
 * frees its members. */
struct eqt_job_table {
	uint32_t *id; /* 0 marks a free place, because nothing has this id. */
	time_t *value;
	size_t places; /* A power of two, or 0. */
	size_t count;
};

/* Empty a table and make room for `count` ids. Returns the number of ids that
 * fit, which is lower if memory is short. The memory is kept for the next
 * call. */
size_t eqt_job_table_begin(struct eqt_job_table *table, size_t count);

/* Add an id with a value, or replace its value. The id 0 is ignored. If memory
 * is short, the id is not added. The function does not allocate memory if the
 * table has room. */
void eqt_job_table_set(struct eqt_job_table *table, uint32_t job_id,
		       time_t value);

/* Is the id in the table? The id 0 never is. */
bool eqt_job_table_has(const struct eqt_job_table *table, uint32_t job_id);

/* The value of a job, or NULL if it is not in the table. The pointer is valid
 * until the table changes. */
const time_t *eqt_job_table_get(const struct eqt_job_table *table,
				uint32_t job_id);

/* Remove one job. Returns true if it was in the table. */
bool eqt_job_table_forget(struct eqt_job_table *table, uint32_t job_id);

/* Free the members of *table, and make it empty. */
void eqt_job_table_free(struct eqt_job_table *table);

#endif
