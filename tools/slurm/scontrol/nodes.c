/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A node is available if it can start jobs now. Its memory is the part that jobs can get:
 * RealMemory without MemSpecLimit. Its CPUs are CPUEfctv, which excludes specialized
 * cores, if the release of Slurm prints CPUEfctv.
 */
#include <stdlib.h>
#include <string.h>

#include "base/amount.h"
#include "base/text.h"
#include "cli/alloc.h"
#include "slurm/text/hostlist.h"
#include "price/gres.h"
#include "slurm/scontrol/nodes.h"
#include "slurm/text/tres_list.h"

/* The number of GPUs in a list of TRES. */
static int node_get_gpus(uint64_t *gpus, const char *tres)
{
	struct eqt_treslist list;

	if (eqt_tres_list_parse(&list, tres, NULL, NULL) < 0)
		return -1;
	*gpus = list.gpus;
	return 0;
}

/* Does a Gres= value name GPUs of any model? Such an item is "gpu", with or without a
 * type or a count after it. */
static bool gres_has_gpus(const char *gres)
{
	for (; *gres != '\0';
	     gres += strcspn(gres, ","), gres += *gres == ',') {
		if (strncmp(gres, "gpu", 3) == 0 && strchr(":,", gres[3]))
			return true;
	}
	return false;
}

/* Read GPUs from CfgTRES and AllocTRES. Both have gres/gpu whether Slurm counts GPU types
 * or not. */
static int node_read_gpus_allocated(struct eqt_scontrol_node *node,
				    const struct eqt_scontrol_record *record,
				    struct eqt_error *err)
{
	const char *total = eqt_record_get(record, "CfgTRES");
	const char *used = eqt_record_get(record, "AllocTRES");

	if (!total || !used)
		return eqt_error_set(err,
				     "no %s=", total ? "AllocTRES" : "CfgTRES");
	if (node_get_gpus(&node->total.of[EQT_UNIT_PART_GPUS], total) < 0 ||
	    node_get_gpus(&node->allocated.of[EQT_UNIT_PART_GPUS], used) < 0)
		return eqt_error_set(err, "gres/gpu: expected a number");
	node->gpus_untold = !node->total.of[EQT_UNIT_PART_GPUS] &&
			    gres_has_gpus(node->gres);
	return 0;
}

/* Read a number. It is 0 if this release of Slurm does not print the key. */
static int node_read_number(uint64_t *out,
			    const struct eqt_scontrol_record *record,
			    const char *key, struct eqt_error *err)
{
	return eqt_record_get(record, key)
		       ? eqt_record_number(out, record, key, err)
		       : 0;
}

/* Releases before 22.05 print CPUTot but not CPUEfctv. */
static int node_read_sizes(struct eqt_scontrol_node *node,
			   const struct eqt_scontrol_record *record,
			   struct eqt_error *err)
{
	uint64_t *kept = &node->system_mib;
	uint64_t *memory = &node->total.of[EQT_UNIT_PART_MEMORY];
	bool has_kept = eqt_record_get(record, "MemSpecLimit") != NULL;
	bool effective = eqt_record_get(record, "CPUEfctv") != NULL;

	if (eqt_record_number(&node->allocated.of[EQT_UNIT_PART_CORES], record,
			      "CPUAlloc", err) < 0 ||
	    eqt_record_number(&node->total.of[EQT_UNIT_PART_CORES], record,
			      effective ? "CPUEfctv" : "CPUTot", err) < 0 ||
	    eqt_record_number(memory, record, "RealMemory", err) < 0 ||
	    eqt_record_number(&node->allocated.of[EQT_UNIT_PART_MEMORY], record,
			      "AllocMem", err) < 0 ||
	    (has_kept &&
	     eqt_record_number(kept, record, "MemSpecLimit", err) < 0))
		return -1;
	*memory -= *kept < *memory ? *kept : *memory;
	return 0;
}

/* As slurmctld does, count a core as one CPU if the node has no more CPUs than cores. */
static int node_read_threads(struct eqt_scontrol_node *node,
			     const struct eqt_scontrol_record *record,
			     struct eqt_error *err)
{
	uint64_t each = 0, cpus = 0, cores;

	if (node_read_number(&node->hw_threads, record, "ThreadsPerCore", err) <
		    0 ||
	    node_read_number(&node->sockets, record, "Sockets", err) < 0 ||
	    node_read_number(&each, record, "CoresPerSocket", err) < 0 ||
	    node_read_number(&cpus, record, "CPUTot", err) < 0)
		return -1;
	node->threads = !__builtin_mul_overflow(node->sockets, each, &cores) &&
					cpus > 0 && cpus <= cores
				? 1
				: node->hw_threads;
	return 0;
}

/* States in which a node takes no jobs, as sinfo(1) names them. Nodes in other states,
 * such as PLANNED and COMPLETING, take jobs now or soon, and Slurm starts a POWERED_DOWN
 * node for a job. */
static const char *const states_gone[] = {
	"DOWN",	   "DRAIN",	     "DRAINED", "DRAINING", "FAIL",
	"MAINT",   "REBOOT",	     "INVAL",	"FUTURE",   "ERROR",
	"UNKNOWN", "NOT_RESPONDING", NULL
};

/* Does a state contain one of the words? '+' or scontrol's marks separate words. */
static bool state_has(const char *state, const char *const *words)
{
	size_t length;

	for (; *state != '\0'; state += length + (state[length] != '\0')) {
		length = strspn(state, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
		for (size_t i = 0; words[i]; i++) {
			if (length == strlen(words[i]) &&
			    strncmp(state, words[i], length) == 0)
				return true;
		}
	}
	return false;
}

/* Fill a node from its record. The node borrows the texts of the record. */
static int node_read(struct eqt_scontrol_node *node,
		     const struct eqt_scontrol_record *record,
		     struct eqt_error *err)
{
	static const char *const idle[] = { "IDLE", NULL };
	static const char *const held[] = { "COMPLETING", NULL };
	const char *state = eqt_record_get(record, "State");
	const char *gres = eqt_record_known(record, "Gres");

	if (!state)
		return eqt_error_set(err, "no State=");
	node->name = eqt_record_text(record, "NodeName");
	node->partitions = eqt_record_text(record, "Partitions");
	node->available = !state_has(state, states_gone);
	node->idle = node->available && state_has(state, idle) &&
		     !state_has(state, held);
	node->features = eqt_record_text(record, "ActiveFeatures");
	node->gres = gres ? gres : "";
	if (node_read_threads(node, record, err) < 0 ||
	    node_read_number(&node->weight, record, "Weight", err) < 0 ||
	    node_read_sizes(node, record, err) < 0)
		return -1;
	return node_read_gpus_allocated(node, record, err);
}

/* Read all records. An error names the line. */
static int nodes_read_all(struct eqt_scontrol_nodes *nodes,
			  struct eqt_error *err)
{
	const struct eqt_scontrol_records *records = &nodes->records;
	struct eqt_error why;

	nodes->nodes = eqt_alloc(records->count + 1, sizeof(*nodes->nodes));
	for (size_t i = 0; i < records->count; i++) {
		nodes->nodes[i].number = records->records[i].number;
		if (node_read(&nodes->nodes[i], &records->records[i], &why) < 0)
			return eqt_error_set(err, "%s: line %zu: %s",
					     records->text.name,
					     records->records[i].number,
					     why.text);
		nodes->count++;
	}
	return 0;
}

int eqt_scontrol_nodes_read(struct eqt_scontrol_nodes *out, const char *path,
			    struct eqt_error *err)
{
	*out = (struct eqt_scontrol_nodes){ .count = 0 };
	if (eqt_records_read(&out->records, path, "scontrol -o show node",
			     "NodeName", err) < 0 ||
	    nodes_read_all(out, err) < 0) {
		eqt_scontrol_nodes_free(out);
		return -1;
	}
	return 0;
}

/* The amount of a TRES in a list. 0 if the list lacks it or if it is not a whole
 * number. */
static uint64_t value_amount(const char *value, const char *tres)
{
	struct eqt_treslist_item item;
	uint64_t count;

	return eqt_tres_list_find(&item, value, tres) &&
			       eqt_amount_count(&count, item.value,
						strlen(item.value)) == 0
		       ? count
		       : 0;
}

int eqt_scontrol_nodes_count_disk(struct eqt_scontrol_nodes *nodes,
				  const char *disk, struct eqt_error *err)
{
	const bool tmp = strcmp(disk, EQT_UNIT_TMP_DISK) == 0;

	nodes->disk = disk[0] ? disk : NULL;
	for (size_t i = 0; nodes->disk && i < nodes->count; i++) {
		struct eqt_scontrol_node *node = &nodes->nodes[i];
		const struct eqt_scontrol_record *record =
			&nodes->records.records[i];
		uint64_t *total = &node->total.of[EQT_UNIT_PART_DISK];

		/* TmpDisk is in MiB, and no job is given a part of it. */
		if (tmp) {
			if (eqt_record_number(total, record, "TmpDisk", err) <
			    0)
				return -1;
			*total <<= 20;
			nodes->disk_bytes = true;
			continue;
		}
		*total = value_amount(eqt_record_text(record, "CfgTRES"), disk);
		node->allocated.of[EQT_UNIT_PART_DISK] = value_amount(
			eqt_record_text(record, "AllocTRES"), disk);
		/* A GRES counts bytes if a node has 2^30 of them or more. */
		nodes->disk_bytes |= *total >> 30 > 0;
		if (*total == 0 &&
		    eqt_gres_list_count(node->gres, disk + strlen("gres/"),
					"") > 0)
			return eqt_error_set(
				err,
				"%s: line %zu: Slurm does not count %s of the "
				"node: add it to AccountingStorageTRES",
				nodes->records.text.name, node->number, disk);
	}
	return 0;
}

int eqt_scontrol_nodes_check_gpus(const struct eqt_scontrol_nodes *nodes,
				  struct eqt_error *err)
{
	for (size_t i = 0; i < nodes->count; i++) {
		if (nodes->nodes[i].gpus_untold)
			return eqt_error_set(
				err,
				"%s: line %zu: the node has GPUs, but Slurm "
				"does not count allocated ones: add gres/gpu "
				"to AccountingStorageTRES",
				nodes->records.text.name,
				nodes->nodes[i].number);
	}
	return 0;
}

void eqt_scontrol_nodes_free(struct eqt_scontrol_nodes *nodes)
{
	free(nodes->nodes);
	eqt_records_free(&nodes->records);
	*nodes = (struct eqt_scontrol_nodes){ .count = 0 };
}

bool eqt_scontrol_node_in(const struct eqt_scontrol_node *node,
			  const char *partition)
{
	return eqt_text_list_has_exact(node->partitions, partition);
}

bool eqt_scontrol_node_has_model(const struct eqt_scontrol_node *node,
				 const char *model)
{
	const char *list = node->gres;
	struct eqt_gres gres;

	if (model[0] == '\0')
		return true;
	while (eqt_gres_next(&gres, &list, NULL) > 0) {
		if (strcmp(gres.name, "gpu") == 0 &&
		    strcmp(gres.type, model) == 0)
			return true;
	}
	return false;
}

void eqt_scontrol_nodes_index(struct eqt_names *out,
			      const struct eqt_scontrol_nodes *nodes)
{
	struct eqt_numbered_name *one;

	*out = (struct eqt_names){ .count = 0 };
	for (size_t i = 0; i < nodes->count; i++) {
		one = eqt_names_get(out, nodes->nodes[i].name, sizeof(*one),
				    NULL);
		one->number = (uint32_t) i;
	}
}

/* ---- Marks --------------------------------------------------------------------------
 * A reservation may name thousands of nodes, and there may be many of them. So each name
 * is looked up in a table, which is made once. */

void eqt_scontrol_nodes_marks_make(struct eqt_scontrol_marks *out,
				   const struct eqt_scontrol_nodes *nodes)
{
	eqt_scontrol_nodes_index(&out->index, nodes);
	out->mark = eqt_alloc(nodes->count + 1, sizeof(*out->mark));
	out->count = nodes->count;
}

void eqt_scontrol_nodes_marks_free(struct eqt_scontrol_marks *marks)
{
	eqt_names_free(&marks->index);
	free(marks->mark);
}

/* A callback of eqt_hostlist_each(): mark the node with this name, if there is one. */
static int marks_add_one(const char *name, void *with)
{
	const struct eqt_scontrol_marks *marks = with;
	const struct eqt_numbered_name *node =
		eqt_names_find(&marks->index, name);

	if (node)
		marks->mark[node->number] = true;
	return 0;
}

void eqt_scontrol_nodes_mark(struct eqt_scontrol_marks *marks, const char *list)
{
	(void) eqt_hostlist_each(list, marks_add_one, marks, NULL);
}
