/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Available means that the node can start jobs now. Memory is what jobs can
 * get: RealMemory without MemSpecLimit. CPUs are CPUEfctv where the release
 * prints it, which excludes specialized cores.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/amount.h"
#include "cli/alloc.h"
#include "price/gres.h"
#include "slurm/scontrol/nodes.h"
#include "slurm/text/tres_list.h"

/* The number of GPUs in a list of TRES. */
static int node_get_gpus(uint64_t *gpus, struct eqt_scontrol_value tres)
{
	struct eqt_treslist list;

	if (eqt_tres_list_parse(&list, tres.text, tres.length, NULL, NULL) < 0)
		return -1;
	*gpus = list.gpus;
	return 0;
}

/* Does a Gres= value name GPUs, of any model? "gpu" at the beginning of an item, with a
 * type or count behind it. */
static bool gres_has_gpus(struct eqt_scontrol_value gres)
{
	for (size_t at = 0; at + 3 <= gres.length; at++) {
		if ((at == 0 || gres.text[at - 1] == ',') &&
		    strncmp(gres.text + at, "gpu", 3) == 0 &&
		    (at + 3 == gres.length || gres.text[at + 3] == ':'))
			return true;
	}
	return false;
}

/*
 * Read GPUs from CfgTRES and AllocTRES, which are there with typed TRES or
 * without.
 */
static int node_read_gpus_allocated(struct eqt_scontrol_node *node,
				    const struct eqt_scontrol_record *record,
				    struct eqt_error *err)
{
	struct eqt_scontrol_value total = eqt_record_get(record, "CfgTRES"),
				  used = eqt_record_get(record, "AllocTRES");

	if (!total.text || !used.text)
		return eqt_error_set(
			err, "no %s=", total.text ? "AllocTRES" : "CfgTRES");
	if (node_get_gpus(&node->total.of[EQT_UNIT_PART_GPUS], total) < 0 ||
	    node_get_gpus(&node->allocated.of[EQT_UNIT_PART_GPUS], used) < 0)
		return eqt_error_set(err, "gres/gpu: expected a number");
	node->gpus_untold = !node->total.of[EQT_UNIT_PART_GPUS] &&
			    gres_has_gpus(node->gres);
	return 0;
}

/* CPUEfctv (from 22.05 on) excludes specialized cores; older releases have
 * CPUTot alone. */
static int node_read_sizes(struct eqt_scontrol_node *node,
			   const struct eqt_scontrol_record *record,
			   struct eqt_error *err)
{
	uint64_t *kept = &node->system_mib;
	uint64_t *memory = &node->total.of[EQT_UNIT_PART_MEMORY];
	bool has_kept = eqt_record_get(record, "MemSpecLimit").text != NULL;
	bool effective = eqt_record_get(record, "CPUEfctv").text != NULL;

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

/* A state is words with '+' or marks of scontrol between them. Names as in sinfo(1).
 * PLANNED, IDLE, MIXED, ALLOCATED and COMPLETING nodes take jobs, or will by
 * themselves; a node in POWERED_DOWN is started for a job. */
static const char *const states_gone[] = {
	"DOWN",	   "DRAIN",	     "DRAINED", "DRAINING", "FAIL",
	"MAINT",   "REBOOT",	     "INVAL",	"FUTURE",   "ERROR",
	"UNKNOWN", "NOT_RESPONDING", NULL
};

/* Has a state one of the words? */
static bool state_has(struct eqt_scontrol_value state, const char *const *words)
{
	size_t at = 0, length, i;

	while (at < state.length) {
		for (length = 0;
		     at + length < state.length &&
		     (isalpha((unsigned char) state.text[at + length]) ||
		      state.text[at + length] == '_');)
			length++;
		for (i = 0; words[i]; i++) {
			if (length == strlen(words[i]) &&
			    strncmp(state.text + at, words[i], length) == 0)
				return true;
		}
		at += length + 1;
	}
	return false;
}

/* Fill a node from its record. Texts stay in the record. */
static int node_read(struct eqt_scontrol_node *node,
		     const struct eqt_scontrol_record *record,
		     struct eqt_error *err)
{
	static const char *const idle[] = { "IDLE", NULL };
	static const char *const held[] = { "COMPLETING", NULL };
	struct eqt_scontrol_value name = eqt_record_get(record, "NodeName");
	struct eqt_scontrol_value state = eqt_record_get(record, "State");
	struct eqt_scontrol_value partitions =
		eqt_record_get(record, "Partitions");

	if (!state.text)
		return eqt_error_set(err, "no State=");
	node->name = name.text;
	node->name_length = (int) name.length;
	node->partitions = partitions.text ? partitions.text : "";
	node->partitions_length = (int) partitions.length;
	node->available = !state_has(state, states_gone);
	node->idle = node->available && state_has(state, idle) &&
		     !state_has(state, held);
	node->features = eqt_record_get(record, "ActiveFeatures");
	node->gres = eqt_record_get(record, "Gres");
	if ((eqt_record_get(record, "ThreadsPerCore").text &&
	     eqt_record_number(&node->threads, record, "ThreadsPerCore", err) <
		     0) ||
	    (eqt_record_get(record, "Sockets").text &&
	     eqt_record_number(&node->sockets, record, "Sockets", err) < 0) ||
	    (eqt_record_get(record, "Weight").text &&
	     eqt_record_number(&node->weight, record, "Weight", err) < 0))
		return -1;
	if (node_read_sizes(node, record, err) < 0)
		return -1;
	return node_read_gpus_allocated(node, record, err);
}

/* Read all records; an error names the line. The line number is that of the answer. */
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
			     "NodeName", err) < 0)
		return -1;
	if (nodes_read_all(out, err) < 0) {
		eqt_scontrol_nodes_free(out);
		return -1;
	}
	return 0;
}

/* The amount of a TRES in a value of a record; 0: not named. Other counts than whole
 * numbers are as none. */
static uint64_t value_amount(struct eqt_scontrol_value value, const char *tres)
{
	struct eqt_treslist_item item;
	uint64_t count;

	return eqt_tres_list_find(&item, value.text, value.length, tres) &&
			       eqt_amount_count(&count, item.value,
						item.value_length) == 0
		       ? count
		       : 0;
}

/* Does the node's Gres= have a GRES of that name? By its name, with or without a type. */
static bool node_has_gres(const struct eqt_scontrol_node *node,
			  const char *name)
{
	char buf[1024];
	const char *list = eqt_scontrol_node_gres(node, buf, sizeof(buf));
	struct eqt_gres gres;

	while (eqt_gres_next(&gres, &list, NULL) > 0) {
		if (strcmp(gres.name, name) == 0)
			return true;
	}
	return false;
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

		if (tmp) {
			if (eqt_record_number(total, record, "TmpDisk", err) <
			    0)
				return -1;
			*total <<= 20;
			nodes->disk_bytes = true;
			continue;
		}
		*total = value_amount(eqt_record_get(record, "CfgTRES"), disk);
		node->allocated.of[EQT_UNIT_PART_DISK] =
			value_amount(eqt_record_get(record, "AllocTRES"), disk);
		nodes->disk_bytes |= *total >> 30 > 0;
		if (*total == 0 && node_has_gres(node, disk + strlen("gres/")))
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
	const char *at = node->partitions, *end = at + node->partitions_length;
	size_t length = strlen(partition), item;

	for (; at < end; at += item + 1) {
		item = strcspn(at, ", \r\n");
		if (item == length && strncmp(at, partition, length) == 0)
			return true;
	}
	return false;
}

const char *eqt_scontrol_node_gres(const struct eqt_scontrol_node *node,
				   char *buf, size_t size)
{
	struct eqt_scontrol_value gres = node->gres;
	size_t used = 0, i;
	int depth = 0;

	if (eqt_record_value_is(gres, "(null)"))
		gres.length = 0;
	for (i = 0; i < gres.length && used + 1 < size; i++) {
		if (gres.text[i] == '(')
			depth++;
		if (!depth)
			buf[used++] = gres.text[i];
		if (gres.text[i] == ')' && depth)
			depth--;
	}
	buf[used] = '\0';
	return buf;
}

bool eqt_scontrol_node_has_model(const struct eqt_scontrol_node *node,
				 const char *model)
{
	const size_t length = strlen(model);
	char gres[512];
	const char *at;

	if (length == 0)
		return true;
	for (at = eqt_scontrol_node_gres(node, gres, sizeof(gres));
	     (at = strstr(at, "gpu:")); at += 4) {
		if (strncmp(at + 4, model, length) == 0 &&
		    (at[4 + length] == ':' || at[4 + length] == ',' ||
		     at[4 + length] == '\0'))
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
		char *name =
			eqt_alloc_part(nodes->nodes[i].name,
				       (size_t) nodes->nodes[i].name_length);

		one = eqt_names_get(out, name, sizeof(*one), NULL);
		one->number = (uint32_t) i;
		free(name);
	}
}
