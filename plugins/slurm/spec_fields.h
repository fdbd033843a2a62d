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
uint64_t eqt_spec_field16(uint16_t value);
uint64_t eqt_spec_field32(uint32_t value);

/*
 * Whether --exclusive=topo keeps others off: under topology/block and topology/ring
 * alone. A job with it is allocated what it asks for, but nobody gets the rest of its nodes
 * (nor, while it runs, the other nodes of their block). A lock of slurmctld's is
 * held, any that a reconfigure takes for writing.
 */
bool eqt_spec_field_topology_excludes(void);

/*
 * Whether a job keeps the rest of its nodes from others without having it: "shared" of
 * its description is that of --exclusive=user, or of =mcs or =topo where these keep
 * others off. Locks as above.
 */
bool eqt_spec_field_keeps_rest(uint16_t shared);

/* Does the job keep others off its nodes, by --exclusive or as
 * eqt_spec_field_keeps_rest() says? */
bool eqt_spec_field_exclusive(uint16_t shared);

/* Whether a job has --core-spec or --thread-spec, which give it whole nodes, and the
 * site allows that. Locks as above. */
bool eqt_spec_field_has_core_spec(uint16_t core_spec);

/* Whether each core runs one task: --ntasks-per-core, or where it says nothing
 * CR_ONE_TASK_PER_CORE. slurmctld's conf lock is held for reading. */
bool eqt_spec_field_task_per_core(uint16_t given);

/* Whether that is CR_ONE_TASK_PER_CORE, which does not hold for the CPUs that GPUs bring:
 * select/cons_tres, common_cpus_per_core(). The same lock. */
bool eqt_spec_field_gpus_share_cores(void);

/* The CPUs of so many sockets, cores and threads, where those that are not given are
 * one. */
uint64_t eqt_spec_field_layout(uint16_t sockets, uint16_t cores,
			       uint16_t threads);

/* The tasks that --distribution=plane gives to a node at once; 0: another distribution. */
uint64_t eqt_spec_field_plane(const job_desc_msg_t *desc);

/* A time limit: minutes, EQT_AMOUNT_UNLIMITED, or 0 where none is given. */
uint64_t eqt_spec_field_minutes(uint32_t value);

/*
 * An amount of memory that says by its highest bit whether it is for each CPU;
 * 0 stands for all of a node, NO_VAL64 for nothing given.
 */
void eqt_spec_field_memory(enum eqt_job_spec_mem *mem, uint64_t *mem_mib,
			   uint64_t value);

/*
 * The memory that slurm.conf gives to a request without one. slurmctld's conf
 * lock is held for reading.
 */
void eqt_spec_fields_add_cluster(struct eqt_job_spec *spec);

/*
 * A QOS's UsageFactor in millionths; 1 if it has none, which Slurm marks with a
 * negative number.
 */
uint64_t eqt_spec_field_factor_u(double usage_factor);

#endif
