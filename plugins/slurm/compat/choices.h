/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choices: jobs that name several partitions or several QOS. A part of
 * compat.h, which includes this file. */
#ifndef EQT_COMPAT_CHOICES_H
#define EQT_COMPAT_CHOICES_H

/* The list of QOS that the job named, or NULL if it named one. Only 24.11 and
 * later accept several. */
static inline list_t *eqt_job_qos_list(const job_record_t *job)
{
#if EQT_HAVE_JOB_QOS_LIST
	return job->qos_list;
#else
	(void) job;
	return NULL;
#endif
}

#if !EQT_SLURM_FROM(24, 11, 0)
/* A callback that stops the walk at a partition that must come before the
 * previous one. *arg holds the previous partition. */
static inline int eqt_job_partition_is_late(void *part, void *arg)
{
	void **before = arg;
	int order = *before ? priority_sort_part_tier(before, &part) : 0;

	*before = part;
	return order > 0 ? -1 : 0;
}
#endif

/* Sort a job's partitions by tier, because slurmctld up to 24.05 does not. Most
 * lists are sorted already, so check first: list_sort() allocates memory for
 * each element. */
static inline void eqt_job_partitions_sort(const job_record_t *job)
{
#if !EQT_SLURM_FROM(24, 11, 0)
	void *before = NULL;

	if (list_for_each_ro(job->part_ptr_list, eqt_job_partition_is_late,
			     &before) < 0)
		list_sort(job->part_ptr_list, priority_sort_part_tier);
#else
	(void) job;
#endif
}

/* The member of a job record that holds the priorities of its choices. Before
 * 24.05 the record has a plain array instead. */
#if EQT_HAVE_JOB_PRIO_MULT
#define EQT_JOB_CHOICES(job) ((job)->prio_mult)
#elif EQT_HAVE_JOB_PART_PRIO
#define EQT_JOB_CHOICES(job) ((job)->part_prio)
#endif

/* The names of a job's choices. 24.05 calls them the names of partitions. */
#if EQT_HAVE_PRIORITY_ARRAY_PARTS
#define EQT_JOB_CHOICES_NAMES(job) (EQT_JOB_CHOICES(job)->priority_array_parts)
#else
#define EQT_JOB_CHOICES_NAMES(job) (EQT_JOB_CHOICES(job)->priority_array_names)
#endif

/* The current priorities of a job's choices, or NULL if it has none. */
static inline uint32_t *eqt_job_priorities(const job_record_t *job)
{
#ifdef EQT_JOB_CHOICES
	return EQT_JOB_CHOICES(job) ? EQT_JOB_CHOICES(job)->priority_array
				    : NULL;
#else
	return job->priority_array;
#endif
}

/* Free the priorities of a job's choices. A job with only one choice needs
 * none. */
static inline void eqt_job_priorities_free(job_record_t *job)
{
#ifdef EQT_JOB_CHOICES
	if (!EQT_JOB_CHOICES(job))
		return;
	xfree(EQT_JOB_CHOICES(job)->priority_array);
	xfree(EQT_JOB_CHOICES_NAMES(job));
	xfree(EQT_JOB_CHOICES(job));
#else
	xfree(job->priority_array);
#endif
}

/*
 * Return the array in which slurmctld's schedulers read a job's priorities: one
 * for each partition and, within it, one for each QOS. The array has room for
 * count numbers. An array that is too small, or older than the last change of
 * the partitions, is replaced by an array of zeros.
 */
static inline uint32_t *eqt_job_priorities_make(job_record_t *job, size_t count)
{
	uint32_t *now = eqt_job_priorities(job);
	bool fits = now && xsize(now) >= count * sizeof(*now);

#ifdef EQT_JOB_CHOICES
	if (fits && EQT_JOB_CHOICES(job)->last_update >= last_part_update)
		return now;
	eqt_job_priorities_free(job);
	EQT_JOB_CHOICES(job) = xmalloc(sizeof(*EQT_JOB_CHOICES(job)));
	if (job->part_ptr_list)
		EQT_JOB_CHOICES_NAMES(job) =
			part_list_to_xstr(job->part_ptr_list);
	EQT_JOB_CHOICES(job)->priority_array = xcalloc(count, sizeof(*now));
	EQT_JOB_CHOICES(job)->last_update = time(NULL);
#else
	if (fits)
		return now;
	eqt_job_priorities_free(job);
	job->priority_array = xcalloc(count + 1, sizeof(*now));
#endif
	return eqt_job_priorities(job);
}

#endif
