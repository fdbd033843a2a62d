/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of generic resources. The plugins read them under slurmctld's locks before
 * Slurm has checked the request. So the work is bounded by the length of the text and
 * by the room for rows, and nothing is allocated.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "base/amount.h"
#include "price/gres.h"

/* A part of the caller's text. */
struct span {
	const char *at;
	size_t length;
};

/* Cut off and return the part before the first ':' or '='. Without such a character,
 * everything is cut off, and *found is false. */
static struct span span_cut(struct span *rest, bool *found)
{
	struct span piece = { rest->at, 0 };

	while (piece.length < rest->length && rest->at[piece.length] != ':' &&
	       rest->at[piece.length] != '=')
		piece.length++;
	*found = piece.length < rest->length;
	rest->at += piece.length + *found;
	rest->length -= piece.length + *found;
	return piece;
}

/* Copy a name. Return -1 if it is empty, too long or not printable ASCII. */
static int name_copy(char name[EQT_NAME_SIZE], struct span span)
{
	if (span.length == 0 || span.length >= EQT_NAME_SIZE)
		return -1;
	for (size_t i = 0; i < span.length; i++) {
		if (span.at[i] <= ' ' || span.at[i] > '~')
			return -1;
		name[i] = span.at[i];
	}
	name[span.length] = '\0';
	return 0;
}

/* Read "name", "name:count", "name:type" or "name:type:count". */
static int item_read(struct eqt_gres *gres, struct span item)
{
	struct span piece;
	bool more;

	gres->count = 1;
	gres->type[0] = '\0';
	if (item.length > 5 && (memcmp(item.at, "gres:", 5) == 0 ||
				memcmp(item.at, "gres/", 5) == 0))
		item = (struct span){ item.at + 5, item.length - 5 };
	piece = span_cut(&item, &more);
	if (name_copy(gres->name, piece) < 0)
		return -1;
	if (!more)
		return 0;
	piece = span_cut(&item, &more);
	if (more)
		return name_copy(gres->type, piece) < 0
			       ? -1
			       : eqt_amount_count(&gres->count, item.at,
						  item.length);
	/* The second part is a count, as in "gpu:4", or a type, as in "gpu:p100". A
	 * number that does not fit 64 bits is not read as a type, because Slurm refuses
	 * such a request. */
	if (eqt_amount_count(&gres->count, piece.at, piece.length) == 0)
		return 0;
	if (strspn(piece.at, "0123456789") > 18)
		return -1;
	return name_copy(gres->type, piece);
}

/* Return the address of the first of two characters, or of the end of the text. */
static const char *step_to(const char *text, char one, char other)
{
	while (*text != '\0' && *text != one && *text != other)
		text++;
	return text;
}

/* Return a bit for each socket of "S:0-1,3", up to the parenthesis. */
static uint64_t sockets_read(const char *text)
{
	uint64_t bits = 0;

	if (strncmp(text, "S:", 2) != 0)
		return 0;
	for (text += 2; *text >= '0' && *text <= '9'; text += *text == ',') {
		char *end;
		unsigned long first = strtoul(text, &end, 10), last = first;

		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		for (; first <= last && first < 64; first++)
			bits |= UINT64_C(1) << first;
		text = end;
	}
	return bits;
}

int eqt_gres_next(struct eqt_gres *out, const char **list,
		  struct eqt_error *err)
{
	const char *start = *list, *end;

	while (*start == ',')
		start++;
	end = step_to(start, ',', '(');
	/* In the Gres= of a node, the sockets follow in parentheses and may have commas
	 * between them, as in "gpu:p100:4(S:0,1)". */
	*list = *end == '(' ? step_to(end, ')', ')') : end;
	*list = step_to(*list, ',', ',');
	if (*start == '\0')
		return 0;
	if (item_read(out, (struct span){ start, (size_t) (end - start) }) < 0)
		return eqt_error_set(
			err,
			"a generic resource of the request cannot be read");
	out->sockets = *end == '(' ? sockets_read(end + 1) : 0;
	return 1;
}

uint64_t eqt_gres_list_count(const char *list, const char *name,
			     const char *type)
{
	uint64_t count = 0;
	struct eqt_gres gres;

	while (list && name && eqt_gres_next(&gres, &list, NULL) > 0) {
		if (strcmp(gres.name, name) == 0 &&
		    (type[0] == '\0' || gres.type[0] == '\0' ||
		     strcmp(gres.type, type) == 0) &&
		    __builtin_add_overflow(count, gres.count, &count))
			return UINT64_MAX;
	}
	return count;
}

bool eqt_gres_has_untyped_gpus(const char *list)
{
	struct eqt_gres gres;

	while (list && eqt_gres_next(&gres, &list, NULL) > 0) {
		if (gres.count > 0 && gres.type[0] == '\0' &&
		    strcmp(gres.name, "gpu") == 0)
			return true;
	}
	return false;
}

bool eqt_gres_is_share(const char *name)
{
	return strcmp(name, "shard") == 0 || strcmp(name, "mps") == 0;
}

/* Does a GRES need a row? A GPU always does, because a GPU without a price is refused
 * later. Any other GRES without a price is free and has no row. */
static bool is_priced(const struct eqt_bundle_table *prices, const char *name)
{
	size_t length = strlen(name);

	if (strcmp(name, "gpu") == 0 || eqt_bundle_table_is_disk(prices, name))
		return true;
	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		const char *bundle = prices->gpu[i].name;

		if (strncmp(bundle, name, length) == 0 &&
		    (bundle[length] == '\0' || bundle[length] == ':'))
			return true;
	}
	return false;
}

/* Return the row of a name and type, which is added if there is none. Return NULL if
 * there is no room for another row. */
static struct eqt_gres_row *row_find(struct eqt_gres_rows *rows,
				     const struct eqt_bundle_table *prices,
				     const struct eqt_gres *gres)
{
	struct eqt_gres_row *row;

	for (uint32_t i = 0; i < rows->count; i++) {
		row = &rows->row[i];
		/* The type is compared first, because most rows have the same name. */
		if (row->type[0] == gres->type[0] &&
		    strcmp(row->type, gres->type) == 0 &&
		    strcmp(row->name, gres->name) == 0)
			return row;
	}
	if (rows->count == rows->room)
		return NULL;
	row = &rows->row[rows->count++];
	memcpy(row->name, gres->name, sizeof(row->name));
	memcpy(row->type, gres->type, sizeof(row->type));
	row->model = eqt_bundle_table_find(prices, gres->name, gres->type);
	row->disk = eqt_bundle_table_is_disk(prices, gres->name);
	memset(row->count, 0, sizeof(row->count));
	row->cpus = row->mem_mib = 0;
	return row;
}

static uint64_t *row_number(struct eqt_gres_row *row, enum eqt_gres_field field)
{
	if (field == EQT_GRES_CPUS)
		return &row->cpus;
	return field == EQT_GRES_MEM ? &row->mem_mib : &row->count[field];
}

/* Read the CPUs of a task, which --tres-per-task may contain since Slurm 24.11. */
static void take_cpus(struct eqt_gres_rows *rows, const struct eqt_gres *gres)
{
	if (strcmp(gres->name, "cpu") == 0)
		eqt_whole_raise(&rows->cpus_per_task, gres->count);
}

int eqt_gres_rows_read_cpus(struct eqt_gres_rows *rows, const char *list,
			    struct eqt_error *err)
{
	struct eqt_gres gres;
	int rc = 0;

	while (list && (rc = eqt_gres_next(&gres, &list, err)) > 0)
		take_cpus(rows, &gres);
	return rc;
}

bool eqt_gres_has_cpus_only(const char *list, uint64_t *cpus)
{
	struct eqt_gres item;
	int rc;

	while ((rc = eqt_gres_next(&item, &list, NULL)) > 0) {
		if (strcmp(item.name, "cpu") != 0)
			return false;
		eqt_whole_raise(cpus, item.count);
	}
	return rc == 0;
}

/* Is a name one of a GRES? --tres-per-task may contain CPUs and licenses, too. */
static bool is_gres(const char *name)
{
	return strcmp(name, "cpu") != 0 && !strchr(name, '/');
}

/* Read a list into rows, with or without the shares of GPUs in it. */
static int rows_read(struct eqt_gres_rows *rows,
		     const struct eqt_bundle_table *prices,
		     enum eqt_gres_field field, const char *list, bool shares,
		     struct eqt_error *err)
{
	struct eqt_gres_row *row;
	struct eqt_gres gres;
	int rc = 0;

	rows->disk_shift = prices->disk_shift;
	while (list && (rc = eqt_gres_next(&gres, &list, err)) > 0) {
		if (field == EQT_GRES_TASK)
			take_cpus(rows, &gres);
		if (gres.count == 0 ||
		    (!shares && eqt_gres_is_share(gres.name)))
			continue;
		if (!is_priced(prices, gres.name)) {
			rows->unpriced |= shares && is_gres(gres.name);
			continue;
		}
		row = row_find(rows, prices, &gres);
		if (!row)
			return eqt_error_set(err,
					     "the request names more than %u "
					     "types of generic resources",
					     rows->room);
		eqt_whole_raise(row_number(row, field), gres.count);
	}
	return rc;
}

int eqt_gres_rows_read(struct eqt_gres_rows *rows,
		       const struct eqt_bundle_table *prices,
		       enum eqt_gres_field field, const char *list,
		       struct eqt_error *err)
{
	return rows_read(rows, prices, field, list, true, err);
}

int eqt_gres_rows_read_node(struct eqt_gres_rows *rows,
			    const struct eqt_bundle_table *prices,
			    const char *list, struct eqt_error *err)
{
	return rows_read(rows, prices, EQT_GRES_NODE, list, false, err);
}

static bool row_has_count(const struct eqt_gres_row *row)
{
	uint64_t any = 0;

	for (int i = 0; i < EQT_GRES_COUNTS; i++)
		any |= row->count[i];
	return any > 0;
}

/* Copy the CPUs and memory for each GPU from the row without a type to a row with a
 * type that has no such values. Returns whether it is a row of the same GPUs, or -1. */
static int row_spread(struct eqt_gres_row *row,
		      const struct eqt_gres_row *general, struct eqt_error *err)
{
	if (row->type[0] == '\0' || strcmp(row->name, general->name) != 0)
		return 0;
	if (row_has_count(general))
		return eqt_error_set(
			err,
			"the request counts %s with a type and without one",
			row->name);
	if (row->cpus == 0)
		row->cpus = general->cpus;
	if (row->mem_mib == 0)
		row->mem_mib = general->mem_mib;
	return 1;
}

/* Copy the values of one row without a type to the rows of the same name. Returns the
 * number of rows that have these values now, or -1. */
static int general_spread(struct eqt_gres_rows *rows,
			  const struct eqt_gres_row *general,
			  struct eqt_error *err)
{
	int found = 0;

	for (uint32_t i = 0; i < rows->count; i++) {
		const int rc = row_spread(&rows->row[i], general, err);

		if (rc < 0)
			return -1;
		found += rc;
	}
	return found;
}

int eqt_gres_rows_spread(struct eqt_gres_rows *rows, struct eqt_error *err)
{
	uint32_t i = 0;

	while (i < rows->count) {
		int found = 0;

		if (rows->row[i].type[0] == '\0')
			found = general_spread(rows, &rows->row[i], err);
		if (found < 0)
			return -1;
		if (found == 0) {
			i++;
			continue;
		}
		rows->count--;
		memmove(&rows->row[i], &rows->row[i + 1],
			(rows->count - i) * sizeof(rows->row[i]));
	}
	return 0;
}
