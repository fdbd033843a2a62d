/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "reading.h"
#include "slurm/spec_field.h"
#include "records/qos.h"
#ifdef EQT_HAVE_INTERNAL
#include "records/partition.h"
#include "slurm/spec_partition.h"
#else
/* A build without Slurm's internal headers knows no partitions. */
struct eqt_partition_index {
	uint32_t slots;
};
#endif

/* Slurm's own limits (_test_job_desc_fields() in slurmctld/job_mgr.c). They are
 * the same in all releases from 22.05 to 26.05. */
#define TEXT_MAX 1024
#define ARRAY_MAX 4096

/* The steps that pricing one description may take, for the first QOS and for
 * each further QOS. A step takes about a tenth of a microsecond. The steps
 * suffice for a hundred partitions with one kind of nodes each, or for thirty
 * with eight kinds each. */
#define STEPS 6000
#define STEPS_AGAIN 2000

#define SAME_KINDS 16 /* The most kinds of partitions that are compared. */

/* Up to this number, partitions are looked up without an index. */
#define NAMES_FEW 8

/* The parts of `row`: the resources that the request names, CPUs and memory for
 * each GPU, the rows counted for the first partition and for another partition,
 * and scratch space for one kind of nodes. */
enum { ROWS_ASKED, ROWS_EACH, ROWS_FIRST, ROWS_OTHER, ROWS_SPARE, ROWS };

bool eqt_reading_too_long(const job_desc_msg_t *desc, struct eqt_error *err)
{
	const struct {
		const char *text, *name;
		size_t most;
	} texts[] = {
		{ desc->account, "account", TEXT_MAX },
		{ desc->array_inx, "array", ARRAY_MAX },
		{ desc->cpus_per_tres, "CPUs per GPU", TEXT_MAX },
		{ desc->features, "constraint", TEXT_MAX },
		{ desc->mem_per_tres, "memory per GPU", TEXT_MAX },
		{ desc->partition, "partition", TEXT_MAX },
		{ desc->qos, "QOS", TEXT_MAX },
		{ desc->tres_per_job, "GPUs of a job", TEXT_MAX },
		{ desc->tres_per_node, "GPUs of a node", TEXT_MAX },
		{ desc->tres_per_socket, "GPUs of a socket", TEXT_MAX },
		{ desc->tres_per_task, "GPUs of a task", TEXT_MAX },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (!texts[i].text ||
		    strnlen(texts[i].text, texts[i].most + 1) <= texts[i].most)
			continue;
		(void) eqt_error_set(err, "%s: longer than %zu bytes",
				     texts[i].name, texts[i].most);
		return true;
	}
	return false;
}

const char *eqt_reading_partition(const struct eqt_reading *reading,
				  size_t number)
{
	return number < reading->partitions
		       ? reading->names + reading->of[number].name_at
		       : NULL;
}

uint32_t eqt_reading_work(const struct eqt_reading *reading)
{
	uint32_t work = reading->given - reading->steps;

#ifdef EQT_HAVE_INTERNAL
	work += eqt_candidate_nodes_work(&reading->candidates);
#endif
	return work;
}

void eqt_reading_give(struct eqt_reading *reading)
{
	const uint32_t steps = reading->times++ ? STEPS_AGAIN : STEPS;

	reading->given += steps - reading->steps;
	reading->steps = steps;
}

void eqt_reading_take(struct eqt_reading *reading, uint32_t steps)
{
	reading->steps -= steps < reading->steps ? steps : reading->steps;
}

static bool names_have(const struct eqt_reading *reading, const char *name)
{
	for (size_t i = 0; i < reading->partitions; i++) {
		if (strcmp(reading->names + reading->of[i].name_at, name) == 0)
			return true;
	}
	return false;
}

#ifdef EQT_HAVE_INTERNAL
/* Look up a partition by its name. Returns true if the name occurred before. */
static bool partition_look(struct eqt_reading *reading,
			   const struct eqt_partition_index *index,
			   const char *name)
{
	const part_record_t **part = &reading->of[reading->partitions].part;
	struct eqt_partition_entry *entry;
	bool named;

	if (!index->slots) {
		*part = eqt_partition_find(name);
		return names_have(reading, name);
	}
	entry = eqt_partition_index_find(index, name);
	*part = entry ? entry->part : NULL;
	if (!entry)
		return names_have(reading, name);
	named = entry->is_named;
	entry->is_named = true;
	return named;
}
#endif

/* Add a name that ends with a NUL. Returns false if the names after it do not
 * matter. */
static bool names_add(struct eqt_reading *reading,
		      const struct eqt_partition_index *index, const char *name)
{
	const size_t number = reading->partitions;
	const struct eqt_rule *rule;

#ifdef EQT_HAVE_INTERNAL
	if (partition_look(reading, index, name))
		return true;
#else
	(void) index;
	if (names_have(reading, name))
		return true;
#endif
	rule = eqt_rules_find(&reading->conf->partitions, name, strlen(name));
#ifdef EQT_HAVE_INTERNAL
	if (!reading->of[number].part && !rule)
		reading->unknown = true;
	if (!reading->of[number].part && number > 0)
		return false;
#endif
	reading->of[number].rule = rule;
	reading->of[number].name_at = (uint16_t) (name - reading->names);
	reading->partitions++;
	return reading->partitions < reading->room;
}

/* Split a list such as "a,b" into names, in place. */
static void names_cut(struct eqt_reading *reading,
		      const struct eqt_partition_index *index)
{
	char *at = reading->names;
	bool more = true;

	while (more && *(at += strspn(at, ",")) != '\0') {
		char *end = at + strcspn(at, ",");
		const bool last = *end == '\0';

		*end = '\0';
		more = names_add(reading, index, at) && !last;
		at = end + !last;
	}
}

/* Make room for the names of a list. Returns false if memory is short. */
static bool names_open(struct eqt_reading *reading, const char *list)
{
	const size_t length = strnlen(list, EQT_PARTITION_SIZE - 1);

	reading->room = 1;
	for (size_t i = 0; i < length; i++)
		reading->room += list[i] == ',';
	if (reading->room > EQT_PARTITIONS_MAX)
		reading->room = EQT_PARTITIONS_MAX;
	reading->of = malloc(reading->room * sizeof(*reading->of) + length + 1);
	if (!reading->of)
		return false;
	reading->names = (char *) (reading->of + reading->room);
	memcpy(reading->names, list, length);
	reading->names[length] = '\0';
	return true;
}

static void names_read(struct eqt_reading *reading, const char *list)
{
	struct eqt_partition_index index = { .slots = 0 };

	if (!names_open(reading, list))
		return;
#ifdef EQT_HAVE_INTERNAL
	/* A few names are looked up one by one. */
	if (reading->room > NAMES_FEW)
		(void) eqt_partition_index_open(&index);
#endif
	names_cut(reading, &index);
#ifdef EQT_HAVE_INTERNAL
	eqt_partition_index_close(&index);
#endif
}

/* The partitions that a description names, or the default partition. Returns
 * NULL if the default is not known. */
static const char *partitions_of(const job_desc_msg_t *desc)
{
	if (desc->partition && desc->partition[0] != '\0')
		return desc->partition;
#ifdef EQT_HAVE_INTERNAL
	return eqt_partition_default(desc->reservation);
#else
	return NULL;
#endif
}

/* Of several partitions, does one give whole nodes (if `whole` is set) or parts
 * of nodes (if not) to a request that does not ask for whole nodes? */
static bool reading_has(const struct eqt_reading *reading, bool whole)
{
	struct eqt_job_spec spec;

	if (reading->partitions < 2)
		return false;
	eqt_spec_field_from_desc(&spec, reading->desc);
	for (size_t i = 0; !spec.exclusive && i < reading->partitions; i++) {
		if (eqt_reading_is_whole(reading, i) == whole)
			return true;
	}
	return false;
}

#ifdef EQT_HAVE_INTERNAL
/* A kind of partitions: the number of its first partition, and the number of
 * the partition with the longest time limit. */
struct same_kind {
	uint16_t first, longest;
};

static bool kind_has(const struct eqt_reading *reading,
		     const struct same_kind *kind, size_t number)
{
	return reading->of[kind->first].rule == reading->of[number].rule &&
	       eqt_spec_partition_same(reading->of[kind->first].part,
				       reading->of[number].part);
}

/* Find the partitions that are alike. Each partition is compared with each
 * kind, so the number of kinds is limited. A partition of a further kind counts
 * as different from all others. */
static void same_find(struct eqt_reading *reading)
{
	struct same_kind kinds[SAME_KINDS];
	const size_t count = reading->partitions;
	size_t known = 0;

	for (uint16_t i = 0; i < count; i++) {
		size_t k = 0;

		if (!reading->of[i].part)
			k = SAME_KINDS;
		while (k < known && !kind_has(reading, &kinds[k], i))
			k++;
		reading->of[i].same_as = (uint16_t) k;
		if (k == SAME_KINDS)
			continue;
		if (k == known)
			kinds[known++] = (struct same_kind){ i, i };
		if (eqt_spec_partition_minutes(reading->of[i].part) >
		    eqt_spec_partition_minutes(
			    reading->of[kinds[k].longest].part))
			kinds[k].longest = i;
	}
	for (uint16_t i = 0; i < count; i++)
		reading->of[i].same_as =
			reading->of[i].same_as == SAME_KINDS
				? i
				: kinds[reading->of[i].same_as].longest;
}
#endif

#ifdef EQT_HAVE_INTERNAL
/* Does the description name resources beside CPUs and memory? */
static bool desc_has_gres(const job_desc_msg_t *desc)
{
	return desc->tres_per_job || desc->tres_per_node ||
	       desc->tres_per_socket || desc->tres_per_task;
}

/* Find the least and the most of DefCpuPerGPU. The first partition stands for
 * those that are like it, and slurmctld may look at one of these first. */
static void defaults_find(struct eqt_reading *reading)
{
	const part_record_t *first = reading->of[0].part;
	uint64_t known = 0;

	for (size_t i = 0; i < reading->partitions; i++) {
		const part_record_t *part = reading->of[i].part;

		if (!part)
			continue;
		eqt_job_spec_add_first_cpus(&reading->defaults,
					    eqt_spec_partition_gpu_cpus(part),
					    known++);
		reading->others_first |=
			i > 0 && (reading->of[i].same_as == 0 || !first ||
				  part->priority_tier > first->priority_tier);
	}
}
#endif

void eqt_reading_add_first(const struct eqt_reading *reading,
			   struct eqt_job_spec *spec, size_t number)
{
	const struct eqt_job_spec_defaults *all = &reading->defaults;

	if (number == 0 && !reading->others_first)
		return;
	spec->defaults.other_first = all->other_first;
	spec->defaults.first_cpus_least = all->first_cpus_least;
	spec->defaults.first_cpus_most = all->first_cpus_most;
}

bool eqt_reading_is_covered(const struct eqt_reading *reading, size_t number)
{
#ifdef EQT_HAVE_INTERNAL
	return reading->partitions > 1 && reading->of[number].same_as != number;
#else
	(void) reading;
	(void) number;
	return false;
#endif
}

void eqt_reading_open(struct eqt_reading *out,
		      const struct eqt_shared_conf *shared,
		      const job_desc_msg_t *desc)
{
	const char *list = partitions_of(desc);

	out->desc = desc;
	out->conf = shared->conf;
	out->partitions = 0;
	out->unknown = false;
	out->first = NULL;
	out->row = NULL;
	out->of = NULL;
	out->steps = out->given = out->times = 0;
	out->defaults = (struct eqt_job_spec_defaults){ .mem_mib = 0 };
	out->others_first = false;
#ifdef EQT_HAVE_INTERNAL
	out->candidates =
		(struct eqt_candidate_nodes){ .prices = &shared->conf->prices,
					      .sets = &shared->nodes };
#endif
	if (list)
		names_read(out, list);
#ifdef EQT_HAVE_INTERNAL
	out->candidates.several = out->partitions > 1;
	if (out->partitions > 1)
		same_find(out);
	if (out->partitions > 1 && desc_has_gres(desc))
		defaults_find(out);
#endif
	out->shares = desc->req_nodes && reading_has(out, false);
}

void eqt_reading_close(struct eqt_reading *reading)
{
#ifdef EQT_HAVE_INTERNAL
	eqt_candidate_nodes_close(&reading->candidates);
#endif
	free(reading->of);
	free(reading->row);
}

bool eqt_reading_compares(const struct eqt_reading *reading)
{
	return reading->partitions > 1 || eqt_qos_list_is(reading->desc->qos);
}

bool eqt_reading_is_whole(const struct eqt_reading *reading, size_t number)
{
#ifdef EQT_HAVE_INTERNAL
	return reading->of[number].part &&
	       eqt_spec_partition_whole_nodes(reading->of[number].part,
					      eqt_spec_partition_linear());
#else
	(void) reading;
	(void) number;
	return false;
#endif
}

bool eqt_reading_has_whole(const struct eqt_reading *reading)
{
	return reading_has(reading, true);
}

/* Can any list of resources have a row? The GPUs of nodes have rows only if the
 * job gets whole nodes. */
static bool has_lists(const struct eqt_job_spec *spec)
{
	return spec->tres_per_job || spec->tres_per_node ||
	       spec->tres_per_task || spec->tres_per_socket ||
	       spec->cpus_per_tres || spec->mem_per_tres || spec->exclusive;
}

static struct eqt_gres_row *rows_of(const struct eqt_reading *reading,
				    int which)
{
	return reading->row + (size_t) which * EQT_GRES_MAX;
}

/* Read the lists of resources, unless they were read before. Returns false if
 * memory is short. */
static bool lists_open(struct eqt_reading *reading,
		       const struct eqt_job_spec *spec)
{
	struct eqt_job_spec_lists *lists = &reading->lists;

	if (reading->row)
		return true;
	reading->row = malloc(ROWS * EQT_GRES_MAX * sizeof(*reading->row));
	if (!reading->row)
		return false;
	lists->totals =
		(struct eqt_gres_rows){ .row = rows_of(reading, ROWS_ASKED),
					.room = EQT_GRES_MAX };
	lists->each =
		(struct eqt_gres_rows){ .row = rows_of(reading, ROWS_EACH),
					.room = EQT_GRES_MAX };
	lists->spare = rows_of(reading, ROWS_SPARE);
	eqt_job_spec_lists_read(lists, &reading->conf->prices, spec);
	return true;
}

int eqt_reading_count(struct eqt_parsed_spec *out, struct eqt_reading *reading,
		      const struct eqt_job_spec *spec, bool first)
{
	const struct eqt_bundle_table *prices = &reading->conf->prices;

	if (!has_lists(spec))
		return eqt_parsed_spec_make(out, prices, spec, NULL);
	if (!lists_open(reading, spec))
		return -1;
	return eqt_counted_by_lists(out, prices, spec, &reading->lists,
				    rows_of(reading,
					    first ? ROWS_FIRST : ROWS_OTHER));
}
