/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks of single jobs between two charges. */
#include "usage/amounts/job_marks.h"

time_t eqt_job_marks_charged_until(const struct eqt_job_marks *marks,
				   uint32_t job_id)
{
	const time_t *until = eqt_job_table_get(&marks->charged_until, job_id);

	return until ? *until : 0;
}

void eqt_job_marks_free(struct eqt_job_marks *marks)
{
	eqt_job_table_free(&marks->charged_until);
	eqt_job_table_free(&marks->resized);
	eqt_job_table_free(&marks->suspended);
	eqt_job_table_free(&marks->refunded);
	eqt_job_table_free(&marks->freed);
}
