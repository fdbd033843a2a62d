/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choices: jobs in several partitions or with several QOS. A part of
 * compat.h, which includes it. */
#ifndef EQT_COMPAT_CHOICES_H
#define EQT_COMPAT_CHOICES_H

/* The QOS that a job may run with, if it named several (from 24.11 on); else NULL. */
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
/* Stop at a partition that must come before the previous one, which *arg holds. */
static inline int eqt_job_partition_is_late(void *part, void *arg)
{
	void **before = arg;
	int order = *before ? priority_sort_part_tier(before, &part) : 0;

	*before = part;
	return order > 0 ? -1 : 0;
}
#endif

/* Sort a job's partitions by tier. Up to 24.05 slurmctld does not do it; no header
 * shows that. They are mostly sorted, and list_sort() allocates for each of them. */
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

/* The member of a job record with the priorities of its choices; before 24.05 it is
 * a plain array in the record. */
#if EQT_HAVE_JOB_PRIO_MULT
#define EQT_JOB_CHOICES(job) ((job)->prio_mult)
#elif EQT_HAVE_JOB_PART_PRIO
#define EQT_JOB_CHOICES(job) ((job)->part_prio)
#endif

/* The names of the choices: those of the partitions, as 24.05 calls them. */
#if EQT_HAVE_PRIORITY_ARRAY_PARTS
#define EQT_JOB_CHOICES_NAMES(job) (EQT_JOB_CHOICES(job)->priority_array_parts)
#else
#define EQT_JOB_CHOICES_NAMES(job) (EQT_JOB_CHOICES(job)->priority_array_names)
#endif

/* The current priorities of a job's choices; NULL: none. */
static inline uint32_t *eqt_job_priorities(const job_record_t *job)
{
#ifdef EQT_JOB_CHOICES
	return EQT_JOB_CHOICES(job) ? EQT_JOB_CHOICES(job)->priority_array
				    : NULL;
#else
	return job->priority_array;
#endif
}

/* Free the priorities of a job, which needs none if it has only one choice. */
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
 * The priorities of a job that slurmctld's schedulers read: one for each of its
 * partitions and, within it, for each of its QOS. There is room for count; an array
 * that is smaller, or older than the partitions, is replaced by one of zeros.
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
