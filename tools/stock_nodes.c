/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eqt_amount.h"
#include "stock_nodes.h"

/* A value within a line. */
struct value {
	const char *text; /* NULL: the key is not there */
	size_t length;
};

/*
 * The value of a key. Some values have spaces, but those whose text is free
 * (a reason, a comment) come after all keys that are asked for here.
 */
static struct value get(const char *line, const char *key)
{
	const char *end = line + strcspn(line, "\r\n"), *at = line;
	size_t length = strlen(key);

	while (at < end) {
		if (strncmp(at, key, length) == 0 && at[length] == '=') {
			at += length + 1;
			return (struct value){ at, strcspn(at, " \r\n") };
		}
		at += strcspn(at, " \r\n");
		while (at < end && *at == ' ')
			at++;
	}
	return (struct value){ NULL, 0 };
}

/* The amount of one item of a list of TRES; 0 when it has no such item. */
static int get_tres(uint64_t *amount, struct value list, const char *name)
{
	size_t length = strlen(name), item;
	const char *at = list.text, *end = at + list.length;

	*amount = 0;
	for (; at < end; at += item + 1) {
		item = strcspn(at, ", \r\n");
		if (item <= length || strncmp(at, name, length) != 0 ||
		    at[length] != '=')
			continue;
		return eqt_count_parse(amount, at + length + 1,
				       item - length - 1);
	}
	return 0;
}

static int number(uint64_t *out, const char *line, const char *key,
		  struct eqt_error *err)
{
	struct value value = get(line, key);

	if (!value.text)
		return eqt_error_set(err,
				     "no %s=: is it what \"scontrol -o "
				     "show node\" prints?",
				     key);
	if (eqt_count_parse(out, value.text, value.length) < 0)
		return eqt_error_set(err, "%s: \"%.*s\" is no number", key,
				     (int) value.length, value.text);
	return 0;
}

static bool has_gpus(struct value gres)
{
	size_t at;

	for (at = 0; at + 3 <= gres.length; at++) {
		if ((at == 0 || gres.text[at - 1] == ',') &&
		    strncmp(gres.text + at, "gpu", 3) == 0 &&
		    (at + 3 == gres.length || gres.text[at + 3] == ':'))
			return true;
	}
	return false;
}

static int read_gpus(struct eqt_node *node, const char *line,
		     struct eqt_error *err)
{
	struct value total = get(line, "CfgTRES"),
		     used = get(line, "AllocTRES");

	if (!total.text || !used.text)
		return eqt_error_set(err,
				     "no %s=: is it what \"scontrol -o "
				     "show node\" prints?",
				     total.text ? "AllocTRES" : "CfgTRES");
	if (get_tres(&node->total.of[EQT_PART_GPUS], total, "gres/gpu") < 0 ||
	    get_tres(&node->allocated.of[EQT_PART_GPUS], used, "gres/gpu") < 0)
		return eqt_error_set(err, "gres/gpu is no number");
	if (!node->total.of[EQT_PART_GPUS] && has_gpus(get(line, "Gres")))
		return eqt_error_set(
			err, "the node has GPUs, but Slurm does not tell "
			     "how many are allocated: that needs gres/gpu in "
			     "AccountingStorageTRES");
	return 0;
}

static int read_sizes(struct eqt_node *node, const char *line,
		      struct eqt_error *err)
{
	uint64_t kept = 0, *memory = &node->total.of[EQT_PART_MEMORY];
	bool has_kept = get(line, "MemSpecLimit").text != NULL;
	bool effective = get(line, "CPUEfctv").text != NULL;

	if (number(&node->allocated.of[EQT_PART_CORES], line, "CPUAlloc", err) <
		    0 ||
	    number(&node->total.of[EQT_PART_CORES], line,
		   effective ? "CPUEfctv" : "CPUTot", err) < 0 ||
	    number(memory, line, "RealMemory", err) < 0 ||
	    number(&node->allocated.of[EQT_PART_MEMORY], line, "AllocMem",
		   err) < 0 ||
	    (has_kept && number(&kept, line, "MemSpecLimit", err) < 0))
		return -1;
	*memory -= kept < *memory ? kept : *memory;
	return 0;
}

/* Words of a state, each up to a '+' or one of scontrol's marks. */
static bool is_available(struct value state)
{
	static const char *const gone[] = {
		"DOWN",		  "DRAIN",  "DRAINED", "DRAINING",
		"FAIL",		  "MAINT",  "REBOOT",  "INVAL",
		"NOT_RESPONDING", "FUTURE", "ERROR",   "UNKNOWN"
	};
	size_t at = 0, length, i;

	while (at < state.length) {
		for (length = 0;
		     at + length < state.length &&
		     (isalpha((unsigned char) state.text[at + length]) ||
		      state.text[at + length] == '_');)
			length++;
		for (i = 0; i < sizeof(gone) / sizeof(gone[0]); i++) {
			if (length == strlen(gone[i]) &&
			    strncmp(state.text + at, gone[i], length) == 0)
				return false;
		}
		at += length + 1;
	}
	return true;
}

static int read_node(struct eqt_node *node, const char *line,
		     struct eqt_error *err)
{
	struct value name = get(line, "NodeName");
	struct value state = get(line, "State");
	struct value partitions = get(line, "Partitions");

	if (strncmp(line, "NodeName=", 9) != 0 || name.length == 0)
		return eqt_error_set(err, "not what \"scontrol -o show node\" "
					  "prints");
	if (!state.text)
		return eqt_error_set(err, "no State=");
	node->name = name.text;
	node->name_length = (int) name.length;
	node->partitions = partitions.text ? partitions.text : "";
	node->partitions_length = (int) partitions.length;
	node->available = is_available(state);
	if (read_sizes(node, line, err) < 0)
		return -1;
	return read_gpus(node, line, err);
}

static size_t count_lines(const char *text)
{
	size_t lines = 0;

	for (; *text != '\0'; text++)
		lines += *text == '\n';
	return lines;
}

static int read_all(struct eqt_nodes *nodes, struct eqt_error *err)
{
	const char *line = nodes->text.text;
	struct eqt_error why;
	size_t number_of;

	nodes->nodes = calloc(count_lines(line), sizeof(*nodes->nodes));
	if (!nodes->nodes)
		return eqt_error_set(err, "out of memory");
	for (number_of = 1; *line != '\0';
	     line += strcspn(line, "\n") + 1, number_of++) {
		if (line[strspn(line, "\r")] == '\n')
			continue;
		if (read_node(&nodes->nodes[nodes->count], line, &why) < 0)
			return eqt_error_set(err, "%s: line %zu: %s",
					     nodes->text.name, number_of,
					     why.text);
		nodes->count++;
	}
	return 0;
}

int eqt_nodes_read(struct eqt_nodes *out, const char *path,
		   struct eqt_error *err)
{
	*out = (struct eqt_nodes){ .count = 0 };
	if (eqt_stock_text_read(&out->text, path, "scontrol -o show node",
				err) < 0)
		return -1;
	if (read_all(out, err) < 0) {
		eqt_nodes_free(out);
		return -1;
	}
	return 0;
}

void eqt_nodes_free(struct eqt_nodes *nodes)
{
	free(nodes->nodes);
	eqt_stock_text_free(&nodes->text);
	*nodes = (struct eqt_nodes){ .count = 0 };
}

bool eqt_node_in(const struct eqt_node *node, const char *partition)
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
