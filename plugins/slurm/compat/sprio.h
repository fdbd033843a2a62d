/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sprio: sprio's request to the priority plugin, and the answer. A part of
 * compat.h, which includes this file. */
#ifndef EQT_COMPAT_SPRIO_H
#define EQT_COMPAT_SPRIO_H

/* The factors in a job record. 22.05 uses one type for a job's factors and for
 * the answer to sprio. */
#if EQT_HAVE_FACTORS_T
typedef priority_factors_t eqt_factors_t;
#else
typedef priority_factors_object_t eqt_factors_t;
#endif

/* Free a job's factors, which may be NULL. */
static inline void eqt_factors_free(eqt_factors_t *factors)
{
#if EQT_HAVE_FACTORS_T
	slurm_destroy_priority_factors(factors);
#else
	slurm_destroy_priority_factors_object(factors);
#endif
}

/*
 * A request of sprio.
 *
 * Up to 23.11 the plugin selects the jobs, in later releases sprio does.
 * EQT_FACTORS_PARAMETERS are the parameters of the hook, and
 * EQT_FACTORS_REQUEST is the request that they contain. From 23.02 on the
 * request may be NULL, which selects all jobs.
 *
 * From 23.02 on slurmctld calls the hook with its job, node and part locks and
 * assoc_mgr's QOS lock held for reading (EQT_FACTORS_LOCKED). 22.05 holds no
 * lock.
 */
struct eqt_factors_request {
	list_t *job_ids; /* A list of uint32_t; NULL selects all jobs. */
	list_t *user_ids; /* A list of uint32_t; NULL selects all users. */
	/* Names separated by commas; NULL selects all partitions. */
	const char *partitions;
};

/* Slurm's own plugin of 22.05 does not show in sprio that an operator set the
 * priority of a job in several partitions. 22.05 is the release that uses one
 * type for factors and answer. */
#define EQT_STOCK_SPRIO_HIDES_DIRECT (!EQT_HAVE_FACTORS_T)

/* From 23.02 on slurmctld holds locks when it calls the hook. 23.02 is also the
 * first release that has two types, so the feature test for the types
 * decides. */
#define EQT_FACTORS_LOCKED EQT_HAVE_FACTORS_T

#if !EQT_HAVE_FACTORS_REQUEST
#define EQT_FACTORS_PARAMETERS uid_t uid
#define EQT_FACTORS_REQUEST          \
	(struct eqt_factors_request) \
	{                            \
		0                    \
	}
#else
#define EQT_FACTORS_PARAMETERS \
	priority_factors_request_msg_t *request, uid_t uid
#define EQT_FACTORS_REQUEST                                        \
	(struct eqt_factors_request)                               \
	{                                                          \
		.job_ids = request ? request->job_id_list : NULL,  \
		.user_ids = request ? request->uid_list : NULL,    \
		.partitions = request ? request->partitions : NULL \
	}
#endif

/* Set the job id of an object in the list for sprio. From 26.05 on the object
 * has a step id instead, as job records do. */
static inline void eqt_factors_object_set_job(priority_factors_object_t *object,
					      const job_record_t *job)
{
#if EQT_HAVE_FACTORS_STEP_ID
	object->step_id = job->step_id;
#else
	object->job_id = job->job_id;
#endif
}

static inline uint32_t eqt_factors_object_job_id(
	const priority_factors_object_t *object)
{
#if EQT_HAVE_FACTORS_STEP_ID
	return object->step_id.job_id;
#else
	return object->job_id;
#endif
}

/*
 * Make an object of the list for sprio, for a job in a partition and with a
 * QOS. If qos is NULL, the job's own QOS is used. The object borrows its
 * strings from the records, and eqt_factors_object_free() frees the object.
 */
static inline priority_factors_object_t *eqt_factors_object_new(
	const job_record_t *job, const part_record_t *part,
	const slurmdb_qos_rec_t *qos)
{
	priority_factors_object_t *object = xmalloc(sizeof(*object));

	eqt_factors_object_set_job(object, job);
	object->partition = part->name;
	object->user_id = job->user_id;
#if EQT_HAVE_FACTORS_T
	if (!qos)
		qos = job->qos_ptr;
	object->account = job->account;
	object->qos = qos ? qos->name : NULL;
#else
	(void) qos;
#endif
	return object;
}

/* Copy the job's factors into the object and return the copy. All factors are 0
 * if the job has none. */
static inline eqt_factors_t *eqt_factors_object_copy(
	priority_factors_object_t *object, const job_record_t *job)
{
#if EQT_HAVE_FACTORS_T
	object->prio_factors = xmalloc(sizeof(*object->prio_factors));
	if (job->prio_factors)
		slurm_copy_priority_factors(object->prio_factors,
					    job->prio_factors);
	return object->prio_factors;
#else
	priority_factors_object_t own = *object;

	if (!job->prio_factors)
		return object;
	slurm_copy_priority_factors_object(object, job->prio_factors);
	object->job_id = own.job_id;
	object->partition = own.partition;
	object->user_id = own.user_id;
	return object;
#endif
}

static inline void eqt_factors_object_free(void *item)
{
#if EQT_HAVE_FACTORS_T
	priority_factors_object_t *object = item;

	slurm_destroy_priority_factors(object->prio_factors);
	xfree(object);
#else
	slurm_destroy_priority_factors_object(item);
#endif
}

/* The factors in the object. The job's priority must not have been set by an
 * operator. */
static inline const eqt_factors_t *eqt_factors_object_factors(
	const priority_factors_object_t *object)
{
#if EQT_HAVE_FACTORS_T
	return object->prio_factors;
#else
	return object;
#endif
}

#endif
