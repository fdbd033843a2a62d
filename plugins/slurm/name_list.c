/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "slurm/name_list.h"

#define BUDGET_REST 512

/* The state of reading one list. */
struct reading {
	struct eqt_node_names names; /* the first member, which take() gets */
	bitstr_t *nodes;
	uint64_t count; /* The number of names found so far. */
	int last; /* The index of the last node that was found. */
};

int64_t eqt_name_list_budget(void)
{
	return (int64_t) eqt_slurm_node_count() + BUDGET_REST;
}

/* Prefetch the records and the names of the next nodes. */
static void names_prefetch(int next)
{
	const node_record_t *node;

	if (next + 8 >= eqt_slurm_node_slots())
		return;
	node = node_record_table_ptr[next + 8];
	if (node)
		__builtin_prefetch(&node->name);
	node = node_record_table_ptr[next + 4];
	if (node)
		__builtin_prefetch(node->name);
}

/* Find the node whose name was read. A range usually names nodes in the order
 * of Slurm's table, so the node after the last one is tried first. */
static const node_record_t *node_find(const struct reading *reading)
{
	const int next = reading->last + 1;

	if (next > 0 && next < eqt_slurm_node_slots() &&
	    node_record_table_ptr[next] && node_record_table_ptr[next]->name &&
	    strcmp(node_record_table_ptr[next]->name, reading->names.name) ==
		    0) {
		names_prefetch(next);
		return node_record_table_ptr[next];
	}
	return find_node_record2((char *) (uintptr_t) reading->names.name);
}

static enum eqt_node_names_end name_take(struct eqt_node_names *names)
{
	struct reading *reading = (struct reading *) names;
	const node_record_t *node = node_find(reading);

	if (!node)
		return EQT_NODE_NAMES_UNKNOWN;
	reading->last = (int) node->index;
	if (reading->last >= (int) bit_size(reading->nodes))
		return EQT_NODE_NAMES_NONE;
	bit_set(reading->nodes, reading->last);
	reading->count++;
	return EQT_NODE_NAMES_READ;
}

/* Copy a name for the user's terminal. Bytes that are not printable become
 * '?'. */
static void name_tell(char unknown[EQT_NAME_LIST_UNKNOWN], const char *name)
{
	size_t i;

	for (i = 0; name[i] != '\0' && i < EQT_NAME_LIST_UNKNOWN - 1; i++)
		unknown[i] = name[i] > ' ' && name[i] < 0x7f ? name[i] : '?';
	unknown[i] = '\0';
}

enum eqt_node_names_end eqt_name_list_read(bitstr_t **out, const char *text,
					   int64_t *budget, uint64_t *names,
					   char unknown[EQT_NAME_LIST_UNKNOWN])
{
	struct reading reading = { .last = -1 };
	enum eqt_node_names_end rc;

	*out = NULL;
	*names = 0;
	if (!text || !text[0] || eqt_slurm_node_slots() < 1)
		return EQT_NODE_NAMES_NONE;
	reading.names.budget = budget;
	reading.names.take = name_take;
	reading.nodes = bit_alloc(eqt_slurm_node_slots());
	rc = eqt_node_names_read(&reading.names, text);
	*names = reading.count;
	if (rc == EQT_NODE_NAMES_READ)
		*out = reading.nodes;
	else
		FREE_NULL_BITMAP(reading.nodes);
	if (rc == EQT_NODE_NAMES_UNKNOWN)
		name_tell(unknown, reading.names.name);
	return rc;
}
