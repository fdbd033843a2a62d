/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spec_fields: convert the numbers of a request to those of a job specification.
 * Slurm marks "not given" with a number of the field's own width.
 */
#ifndef EQT_SPEC_FIELDS_H
#define EQT_SPEC_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "job/job_spec.h"
#include "slurm/compat.h"

/* The number, or 0 where none is given. */
static inline uint64_t eqt_spec_field16(uint16_t value)
{
	return value == NO_VAL16 || value == INFINITE16 ? 0 : value;
}

static inline uint64_t eqt_spec_field32(uint32_t value)
{
	return value == NO_VAL || value == INFINITE ? 0 : value;
}

/*
 * Does --exclusive=topo keep other jobs off the nodes? It does under topology/block and
 * topology/ring only. Such a job is allocated what it asks for, but no other job gets the
 * rest of its nodes (nor, while it runs, the other nodes of their block). The caller holds a
 * lock of slurmctld that a reconfigure takes for writing.
 */
bool eqt_spec_field_topology_excludes(void);

/*
 * Does a job block the rest of its nodes without having it? It does if "shared" of its
 * description is that of --exclusive=user, or of =mcs or =topo if these keep others off.
 * Locks as above.
 */
bool eqt_spec_field_keeps_rest(uint16_t shared);

/* Does a job keep others off its nodes, by --exclusive or by eqt_spec_field_keeps_rest()? */
bool eqt_spec_field_exclusive(uint16_t shared);

/* Does a job have --core-spec or --thread-spec, which give it whole nodes, and does the site
 * allow that? Locks as above. */
bool eqt_spec_field_has_core_spec(uint16_t core_spec);

/* Does each core run one task, by --ntasks-per-core or, without it, by CR_ONE_TASK_PER_CORE?
 * slurmctld's conf lock is held for reading. */
bool eqt_spec_field_task_per_core(uint16_t given);

/* Is CR_ONE_TASK_PER_CORE set? It does not hold for the CPUs that GPUs bring: select/cons_tres,
 * common_cpus_per_core(). The same lock. */
bool eqt_spec_field_gpus_share_cores(void);

/* The CPUs of so many sockets, cores and threads; a number that is not given counts as one. */
uint64_t eqt_spec_field_layout(uint16_t sockets, uint16_t cores,
			       uint16_t threads);

/* The tasks that --distribution=plane gives to a node at once; 0: another distribution. */
uint64_t eqt_spec_field_plane(const job_desc_msg_t *desc);

/* A time limit: minutes, EQT_AMOUNT_UNLIMITED, or 0 where none is given. */
uint64_t eqt_spec_field_minutes(uint32_t value);

/*
 * Convert an amount of memory. Its highest bit means that it is for each CPU; 0 stands for
 * all memory of a node, NO_VAL64 for no amount.
 */
void eqt_spec_field_memory(enum eqt_job_spec_mem *mem, uint64_t *mem_mib,
			   uint64_t value);

/*
 * Add the memory that slurm.conf gives to a request that names none. slurmctld's conf lock is
 * held for reading.
 */
void eqt_spec_fields_add_cluster(struct eqt_job_spec *spec);

/*
 * A QOS's UsageFactor in millionths; 1 if it has none, which Slurm marks with a
 * negative number.
 */
uint64_t eqt_spec_field_factor_u(double usage_factor);

#endif
