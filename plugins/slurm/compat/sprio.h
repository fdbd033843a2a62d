/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sprio: its request to the priority plugin, and the answer. A part of compat.h, which
 * includes it. */
#ifndef EQT_COMPAT_SPRIO_H
#define EQT_COMPAT_SPRIO_H

/* The factors in a job record. 22.05 has one type for these and for the answer to
 * sprio. */
#if EQT_HAVE_FACTORS_T
typedef priority_factors_t eqt_factors_t;
#else
typedef priority_factors_object_t eqt_factors_t;
#endif

/* Free a job's factors; NULL is fine. */
static inline void eqt_factors_free(eqt_factors_t *factors)
{
#if EQT_HAVE_FACTORS_T
	slurm_destroy_priority_factors(factors);
#else
	slurm_destroy_priority_factors_object(factors);
#endif
}

/*
 * A request of sprio. Up to 23.11 the plugin selects the jobs, later sprio does it.
 * EQT_FACTORS_PARAMETERS are the hook's parameters, EQT_FACTORS_REQUEST is the request
 * in them. sprio of 23.02 and later may send no request (NULL) and selects itself.
 * From 23.02 on slurmctld calls the hook with its job, node and part locks and
 * assoc_mgr's QOS lock held for reading (EQT_FACTORS_LOCKED); earlier releases hold
 * none.
 */
struct eqt_factors_request {
	list_t *job_ids; /* uint32_t *; NULL: all */
	list_t *user_ids; /* uint32_t *; NULL: all */
	const char *partitions; /* names, by comma; NULL: all */
};

/* Slurm's own plugin of 22.05 does not report to sprio that an operator has set the
 * priority of a job in several partitions. That is the release with one type for
 * factors and answer. */
#define EQT_STOCK_SPRIO_HIDES_DIRECT (!EQT_HAVE_FACTORS_T)

/* From 23.02 on slurmctld holds the locks. No header shows it, but that is also the
 * first release with the second type. */
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

/* Set the job of an object in the list for sprio; from 26.05 on the object has a step
 * id, as job records do. */
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
 * Make an object of the list for sprio, for a job in a partition with a QOS (NULL: the
 * job's own). Its strings belong to the records; eqt_factors_object_free() frees the
 * rest.
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

/* Copy the job's factors into the object and return them; all 0 if the job has
 * none. */
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

/* The factors in an object of a job whose priority no operator has set. */
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
