/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the jobs of a simulation need beside their size: room under limits, and the
 * nodes of a reservation. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulate/simulate.h"
#include "slurm/text/hostlist.h"
#include "slurm/scontrol/reservation_times.h"

#define USES_MAX 64

/* ---- Reservations ------------------------------------------------------------- */

/* Nodes are noted in the order in which they are simulated. 0, or -1: out of memory. */
int eqt_simulate_note_node(struct eqt_simulate_input *sim, const char *name,
			   int length)
{
	struct eqt_numbered_name *one;
	char text[EQT_HOST_SIZE];

	(void) snprintf(text, sizeof(text), "%.*s", length, name);
	one = eqt_names_get(&sim->node_names, text, sizeof(*one), NULL);
	if (one)
		one->number = sim->cluster.node_count;
	return one ? 0 : -1;
}

/* The nodes of a reservation while they are set. */
struct reserved_nodes {
	const struct eqt_simulate_input *sim;
	uint64_t *bits;
};

/* Nodes that are not simulated are passed over. A callback of eqt_hostlist_each(). */
static int reserved_take(const char *name, void *with)
{
	const struct reserved_nodes *to = with;
	const struct eqt_numbered_name *one =
		eqt_names_find(&to->sim->node_names, name);

	if (one)
		to->bits[one->number / 64] |= UINT64_C(1) << one->number % 64;
	return 0;
}

/* Take one reservation. Without nodes (of licences) it keeps none. Reservations that
 * have ended before the jobs came keep nobody off. */
static int reservation_take(struct eqt_simulate_input *sim,
			    const struct eqt_scontrol_record *record,
			    struct eqt_error *err)
{
	const struct eqt_scontrol_value list = eqt_scontrol_record_get(record,
								       "Nodes"),
					name = eqt_scontrol_record_get(
						record, "ReservationName");
	struct eqt_simulation_reservation *to =
		&sim->reservations[sim->reservation_count];
	uint64_t *bits = eqt_keep_new(
		&sim->kept, (sim->cluster.node_count / 64 + 1) * sizeof(*bits));
	struct reserved_nodes nodes = { sim, bits };
	char text[256];
	char *copy = strndup(list.text ? list.text : "", list.length);
	struct eqt_numbered_name *one;
	int rc = 0;

	(void) snprintf(text, sizeof(text), "%.*s", (int) name.length,
			name.text);
	one = eqt_names_get(&sim->reservation_names, text, sizeof(*one), NULL);
	if (!bits || !copy || !one)
		rc = eqt_error_set(err, "out of memory");
	else if (strcmp(copy, "(null)") != 0)
		rc = eqt_hostlist_each(copy, reserved_take, &nodes, err);
	free(copy);
	if (rc < 0)
		return -1;
	to->nodes = bits;
	eqt_reservation_times(&to->from, &to->to, record);
	one->number = ++sim->reservation_count;
	return 0;
}

/* scontrol prints those that go on or will come; those of the past are gone, unless the
 * file was saved then. */
int eqt_simulate_read_reservations(struct eqt_simulate_input *sim,
				   const char *path, struct eqt_error *err)
{
	struct eqt_scontrol_records records;
	int rc = 0;

	if (eqt_scontrol_records_read(&records, path,
				      "scontrol -o show reservation",
				      "ReservationName", err) < 0)
		return -1;
	sim->reservations =
		calloc(records.count + 1, sizeof(*sim->reservations));
	if (!sim->reservations)
		rc = eqt_error_set(err, "out of memory");
	for (size_t i = 0; i < records.count && rc == 0; i++)
		rc = reservation_take(sim, &records.records[i], err);
	eqt_scontrol_records_free(&records);
	return rc;
}

/* ---- Jobs --------------------------------------------------------------------- */

/* Most jobs need nothing beside their size, and share no memory for it. */
int eqt_simulate_take_needs(struct eqt_simulate_input *sim,
			    struct eqt_simulation_job *job, const char *tres,
			    const char *reservation)
{
	const struct eqt_numbered_name *in =
		reservation[0] == '\0'
			? NULL
			: eqt_names_find(&sim->reservation_names, reservation);
	struct eqt_simulation_use uses[USES_MAX], *kept = NULL;
	const int count =
		eqt_simulate_limits_of_job(sim, uses, USES_MAX, job, tres);
	struct eqt_simulation_needs *needs;

	if (count < 0)
		return -1;
	if (count == 0 && !in)
		return 0;
	needs = eqt_keep_new(&sim->kept, sizeof(*needs));
	if (count)
		kept = eqt_keep_new(&sim->kept, (size_t) count * sizeof(*kept));
	if (!needs || (count && !kept))
		return -1;
	if (count)
		memcpy(kept, uses, (size_t) count * sizeof(*kept));
	*needs = (struct eqt_simulation_needs){
		.uses = kept,
		.use_count = (uint32_t) count,
		.reservation = in ? (int) in->number : 0,
		.nodes = in ? sim->reservations[in->number - 1].nodes : NULL,
	};
	job->needs = needs;
	return 0;
}

/* A made job has the TRES that Slurm would print for it, since limits are read from
 * such texts. */
int eqt_simulate_take_made(struct eqt_simulate_input *sim,
			   struct eqt_simulation_job *job)
{
	char tres[256];
	size_t used;

	if (!sim->limits)
		return 0;
	used = (size_t) snprintf(tres, sizeof(tres),
				 "cpu=%" PRIu64 ",mem=%" PRIu64
				 "M,node=%" PRIu32,
				 job->all.cpus, job->all.mem_mib, job->nodes);
	if (job->all.gpus)
		used += (size_t) snprintf(tres + used, sizeof(tres) - used,
					  ",gres/gpu=%" PRIu64, job->all.gpus);
	if (job->model != EQT_SIMULATION_NO_MODEL)
		(void) snprintf(tres + used, sizeof(tres) - used,
				",gres/%s=%" PRIu64,
				sim->cluster.models[job->model], job->all.gpus);
	return eqt_simulate_take_needs(sim, job, tres, "");
}
