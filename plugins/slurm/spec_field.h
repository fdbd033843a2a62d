/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spec_field: convert a job description to a job specification, field by field.
 * Slurm marks a number that was not given with a value that depends on the width
 * of the field.
 */
#ifndef EQT_SPEC_FIELD_H
#define EQT_SPEC_FIELD_H

#include <stdbool.h>
#include <stdint.h>
#include <slurm/slurm.h>

#include "job/job_spec.h"
#include "slurm/compat.h"

/* The number, or 0 if none was given. */
static inline uint64_t eqt_spec_field16(uint16_t value)
{
	return value == NO_VAL16 || value == INFINITE16 ? 0 : value;
}

static inline uint64_t eqt_spec_field32(uint32_t value)
{
	return value == NO_VAL || value == INFINITE ? 0 : value;
}

/*
 * Does --exclusive=topo keep other jobs off the nodes?
 *
 * It does under topology/block and topology/ring only. Such a job is allocated
 * what it asks for, but no other job gets the rest of its nodes. While the job
 * runs, no other job gets the other nodes of its block either. The caller holds
 * a lock of slurmctld that a reconfigure takes for writing.
 */
bool eqt_spec_field_topology_excludes(void);

/*
 * Does a job block the rest of its nodes although they are not allocated to it?
 * It does if "shared" of its description is the value of --exclusive=user, or
 * if it is that of =mcs or =topo and the cluster enforces these. The caller
 * holds a lock of slurmctld that a reconfigure takes for writing.
 */
bool eqt_spec_field_keeps_rest(uint16_t shared);

/* Does a job keep others off its nodes, by --exclusive or by eqt_spec_field_keeps_rest()? */
bool eqt_spec_field_exclusive(uint16_t shared);

/* Does a job have --core-spec or --thread-spec, which give it whole nodes, and
 * does the site allow these options? The caller holds a lock of slurmctld that
 * a reconfigure takes for writing. */
bool eqt_spec_field_has_core_spec(uint16_t core_spec);

/*
 * A QOS's UsageFactor in millionths. A negative number marks a factor that is
 * not set, which counts as one.
 */
uint64_t eqt_spec_field_factor_u(double usage_factor);

/*
 * Copy the request of a description, and add the defaults of the cluster. *spec
 * borrows its strings from desc. slurmctld's conf lock is held for reading.
 */
void eqt_spec_field_from_desc(struct eqt_job_spec *spec,
			      const job_desc_msg_t *desc);

#endif
