/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Without --noconvert Slurm prints memory with a unit and two decimals. Other TRES are
 * whole numbers. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/amount.h"
#include "base/fraction.h"
#include "slurm/text/tres_list.h"

/* Slurm's units. Each is 1024 times the one before. */
static const char units[] = "KMGTP";
#define UNIT_M 1 /* index of 'M', which is the default unit of memory */

int eqt_tres_list_next(struct eqt_treslist_item *item, const char **at)
{
	const size_t length = strcspn(*at, ","), name = strcspn(*at, ",=");
	const char *value = *at + name + 1;
	size_t size;

	if (**at == '\0')
		return 0;
	if (name == 0 || name + 1 >= length || name >= sizeof(item->name))
		return -1;
	size = length - name - 1;
	if (size >= sizeof(item->value))
		return -1;
	memcpy(item->name, *at, name);
	item->name[name] = '\0';
	memcpy(item->value, value, size);
	item->value[size] = '\0';
	*at += length + ((*at)[length] == ',');
	return 1;
}

bool eqt_tres_list_named(const struct eqt_treslist_item *item, const char *name)
{
	return strcasecmp(item->name, name) == 0;
}

const char *eqt_tres_list_gres(const struct eqt_treslist_item *item)
{
	return strncasecmp(item->name, "gres/", 5) == 0 && item->name[5]
		       ? item->name + 5
		       : NULL;
}

/* The index of a unit in units[], or -1. */
static int unit_index(char unit)
{
	const char *at = strchr(units, toupper((unsigned char) unit));

	return unit != '\0' && at ? (int) (at - units) : -1;
}

/* Read memory with a fraction, such as "62.50G", in MiB. Compute with integers, because
 * with a double some exact amounts would look rounded. */
static int item_parse_memory(struct eqt_treslist *out,
			     const struct eqt_treslist_item *item)
{
	struct eqt_treslist_item number = *item;
	uint64_t micro, divisor = EQT_MICRO;
	char *last = number.value + strlen(number.value) - 1;
	int unit = unit_index(*last);

	if (unit >= 0)
		*last = '\0';
	if (eqt_frac_micro_parse(&micro, number.value) < 0)
		return -1;
	if (unit < 0)
		unit = UNIT_M;
	for (; unit > UNIT_M; unit--) {
		if (__builtin_mul_overflow(micro, UINT64_C(1024), &micro))
			return -1;
	}
	if (unit < UNIT_M)
		divisor *= 1024;
	out->rounded = micro % divisor != 0;
	out->mem_mib = micro / divisor + out->rounded;
	return 0;
}

static int item_parse_count(uint64_t *out, const struct eqt_treslist_item *item)
{
	return eqt_amount_count(out, item->value, strlen(item->value));
}

/* "gres/gpu" counts all GPUs. "gres/gpu:p100" counts the GPUs of one type, which
 * "gres/gpu" includes. */
static int item_parse_gres(struct eqt_treslist *out,
			   const struct eqt_treslist_item *item,
			   eqt_treslist_gres *each, void *with)
{
	uint64_t count;

	if (item_parse_count(&count, item) < 0)
		return -1;
	if (eqt_tres_list_named(item, "gres/gpu"))
		out->gpus = count;
	else if (each)
		return each(eqt_tres_list_gres(item), count, with);
	return 0;
}

/* Energy may have a fraction, and licences may have any name. For these, check only the
 * first digit. */
static int item_parse(struct eqt_treslist *out,
		      const struct eqt_treslist_item *item,
		      eqt_treslist_gres *each, void *with)
{
	if (!isdigit((unsigned char) item->value[0]))
		return -1;
	if (eqt_tres_list_named(item, "cpu"))
		return item_parse_count(&out->cpus, item);
	if (eqt_tres_list_named(item, "mem"))
		return item_parse_memory(out, item);
	if (eqt_tres_list_named(item, "node"))
		return item_parse_count(&out->nodes, item);
	if (eqt_tres_list_named(item, "billing"))
		return item_parse_count(&out->billing, item);
	if (eqt_tres_list_gres(item))
		return item_parse_gres(out, item, each, with);
	return 0;
}

/* Both squeue's N/A and scontrol's (null) mean an empty list. */
static bool list_is_empty(const char *text)
{
	return strcmp(text, "(null)") == 0 || strcmp(text, "N/A") == 0;
}

int eqt_tres_list_parse(struct eqt_treslist *out, const char *text,
			eqt_treslist_gres *each, void *with)
{
	struct eqt_treslist_item item;
	int rc;

	*out = (struct eqt_treslist){ .any = false };
	if (list_is_empty(text))
		return 0;
	while ((rc = eqt_tres_list_next(&item, &text)) > 0) {
		out->any = true;
		rc = item_parse(out, &item, each, with);
		if (rc != 0)
			return rc;
	}
	return rc;
}

/* In TRESBillingWeights the weight of memory may be per GiB or per TiB. */
int eqt_tres_list_weight(double *out, const struct eqt_treslist_item *item,
			 bool memory)
{
	double value;
	int unit = memory ? UNIT_M : -1;
	char *end;

	if (!strchr("0123456789.", item->value[0]))
		return -1;
	value = strtod(item->value, &end);
	if (*end != '\0') {
		unit = unit_index(*end);
		if (unit < 0 || end[1] != '\0')
			return -1;
	}
	/* A larger unit makes the weight per small unit smaller. */
	for (; unit >= (memory ? UNIT_M + 1 : 0); unit--)
		value /= 1024;
	for (; memory && unit >= 0 && unit < UNIT_M; unit++)
		value *= 1024;
	if (!(value < 1e15))
		return -1;
	*out = value;
	return 0;
}

bool eqt_tres_list_find(struct eqt_treslist_item *item, const char *text,
			const char *name)
{
	while (eqt_tres_list_next(item, &text) > 0) {
		if (eqt_tres_list_named(item, name))
			return true;
	}
	return false;
}

uint64_t eqt_tres_list_amount(const char *text, const char *name)
{
	struct eqt_treslist_item item;
	struct eqt_treslist all;

	if (strcmp(name, "mem") == 0)
		return eqt_tres_list_parse(&all, text, NULL, NULL) < 0
			       ? 0
			       : all.mem_mib;
	return eqt_tres_list_find(&item, text, name)
		       ? strtoull(item.value, NULL, 10)
		       : 0;
}
