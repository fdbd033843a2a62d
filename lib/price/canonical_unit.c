/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Canonical units and true overhead. The definitions are in canonical_unit.h. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/amount.h"
#include "price/canonical_unit.h"

#define NO_LIST                                                    \
	"not a list of cores=N, memory=SIZE, gpu=N, gres/NAME=N, " \
	"tmpdisk=SIZE"

/* bytes for the longest text of an amount and a NUL */
#define AMOUNT_SIZE 32

static const struct {
	const char *name;
	enum eqt_unit_part part;
} names[] = {
	{ "cores", EQT_UNIT_PART_CORES },   { "core", EQT_UNIT_PART_CORES },
	{ "cpus", EQT_UNIT_PART_CORES },    { "cpu", EQT_UNIT_PART_CORES },
	{ "memory", EQT_UNIT_PART_MEMORY }, { "mem", EQT_UNIT_PART_MEMORY },
	{ "gpus", EQT_UNIT_PART_GPUS },	    { "gpu", EQT_UNIT_PART_GPUS },
};

const char *eqt_canonical_unit_part_name(enum eqt_unit_part part)
{
	static const char *const plain[EQT_UNIT_PARTS] = { "cores", "memory",
							   "gpus", "disk" };

	return plain[part];
}

static int find_part(enum eqt_unit_part *part, const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i].name) == length &&
		    strncasecmp(names[i].name, name, length) == 0) {
			*part = names[i].part;
			return 0;
		}
	}
	return -1;
}

/* Read an amount of memory in MiB, an amount of TmpDisk in bytes, or a count. As in
 * Slurm, memory and TmpDisk without a suffix are in MiB. */
static int parse_amount(uint64_t *amount, enum eqt_unit_part part,
			const char *disk, const char *text, size_t length)
{
	char copy[AMOUNT_SIZE];
	uint64_t mib;

	if (length >= sizeof(copy))
		return -1;
	memcpy(copy, text, length);
	copy[length] = '\0';
	if (part == EQT_UNIT_PART_MEMORY)
		return eqt_amount_memory(amount, copy);
	if (part == EQT_UNIT_PART_DISK && strcmp(disk, EQT_UNIT_TMP_DISK) == 0)
		return eqt_amount_memory(&mib, copy) < 0
			       ? -1
			       : -__builtin_mul_overflow(mib, UINT64_C(1) << 20,
							 amount);
	return eqt_amount_count(amount, copy, length);
}

/* Return the name of the local disk that an item names, or NULL if the item names
 * something else. The text is static or in buf, which has EQT_UNIT_DISK_SIZE bytes. */
static const char *disk_named(char *buf, const char *name, size_t length)
{
	if (length == strlen(EQT_UNIT_TMP_DISK) &&
	    strncasecmp(name, EQT_UNIT_TMP_DISK, length) == 0)
		return EQT_UNIT_TMP_DISK;
	if (length <= 5 || length >= EQT_UNIT_DISK_SIZE ||
	    strncmp(name, "gres/", 5) != 0)
		return NULL;
	memcpy(buf, name, length);
	buf[length] = '\0';
	return buf;
}

/* Find the resource that an item of a unit names. If that is local disk, its name is
 * copied to *disk. */
static int item_part(enum eqt_unit_part *part, char *disk, const char *name,
		     size_t length, struct eqt_error *err)
{
	char buf[EQT_UNIT_DISK_SIZE];
	const char *named;

	if (find_part(part, name, length) == 0)
		return 0;
	named = disk_named(buf, name, length);
	if (!named)
		return eqt_error_set(err, NO_LIST);
	if (disk[0] != '\0' && strcmp(disk, named) != 0)
		return eqt_error_set(
			err, "local disk is %s in one unit, and %s in another",
			disk, named);
	(void) snprintf(disk, EQT_UNIT_DISK_SIZE, "%s", named);
	*part = EQT_UNIT_PART_DISK;
	return 0;
}

int eqt_canonical_unit_parse(struct eqt_unit_amounts *unit, char *disk,
			     const char *text, struct eqt_error *err)
{
	struct eqt_error why = { NO_LIST };
	struct eqt_unit_amounts made = { { 0 } };
	const char *at = text;
	enum eqt_unit_part part = EQT_UNIT_PARTS;
	size_t name, item;
	uint64_t amount;

	do {
		name = strcspn(at, "=,");
		item = strcspn(at, ",");
		if (name == item || item_part(&part, disk, at, name, &why) < 0)
			return eqt_error_set(err, "unit \"%s\": %s", text,
					     why.text);
		if (parse_amount(&amount, part, disk, at + name + 1,
				 item - name - 1) < 0 ||
		    amount == 0)
			return eqt_error_set(
				err, "unit \"%s\": %s: no amount above 0", text,
				eqt_canonical_unit_part_name(part));
		if (made.of[part])
			return eqt_error_set(
				err, "unit \"%s\": %s twice", text,
				eqt_canonical_unit_part_name(part));
		made.of[part] = amount;
		at += item;
	} while (*at++ == ',');
	*unit = made;
	return 0;
}

uint64_t eqt_canonical_unit_count(const struct eqt_unit_amounts *unit,
				  const struct eqt_unit_amounts *there)
{
	uint64_t count = UINT64_MAX, fit;

	for (int i = 0; i < EQT_UNIT_PARTS; i++) {
		if (!unit->of[i])
			continue;
		fit = there->of[i] / unit->of[i];
		if (fit < count)
			count = fit;
	}
	return count == UINT64_MAX ? 0 : count;
}

struct eqt_unit_amounts eqt_canonical_unit_rest(
	const struct eqt_unit_amounts *total,
	const struct eqt_unit_amounts *allocated)
{
	struct eqt_unit_amounts rest = { { 0 } };

	for (int i = 0; i < EQT_UNIT_PARTS; i++) {
		if (total->of[i] > allocated->of[i])
			rest.of[i] = total->of[i] - allocated->of[i];
	}
	return rest;
}

bool eqt_canonical_unit_covers(const struct eqt_unit_amounts *there,
			       const struct eqt_unit_amounts *wanted)
{
	for (int i = 0; i < EQT_UNIT_PARTS; i++) {
		if (there->of[i] < wanted->of[i])
			return false;
	}
	return true;
}

int eqt_canonical_unit_rate(struct eqt_frac *rate,
			    const struct eqt_unit_amounts *unit,
			    const struct eqt_unit_amounts *total,
			    const struct eqt_unit_amounts *allocated,
			    enum eqt_unit_part part)
{
	struct eqt_unit_amounts rest =
		eqt_canonical_unit_rest(total, allocated);
	uint64_t units = eqt_canonical_unit_count(unit, &rest);

	if (!unit->of[part] || !allocated->of[part])
		return -1;
	/* The units fit into the rest, so the product cannot overflow. */
	return eqt_frac_make(rate,
			     allocated->of[part] + rest.of[part] -
				     units * unit->of[part],
			     allocated->of[part]);
}
