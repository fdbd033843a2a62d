/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output of "scontrol show config" is aligned with blanks around '=' and
 * holds free text in some values; a key only counts at the beginning of a
 * line.
 */
#include <stdio.h>
#include <string.h>

#include "base/amount.h"
#include "slurm/conf/cluster.h"
#include "slurm/text/listing.h"

int eqt_cluster_half_life_parse(uint32_t *half_life_s, const char *text,
				struct eqt_error *err)
{
	uint64_t minutes;

	if (eqt_amount_minutes(&minutes, text) < 0)
		minutes = UINT64_MAX - 1;
	/* 0 means no decay here, but no limit in a time limit. */
	if (minutes == EQT_AMOUNT_UNLIMITED)
		minutes = 0;
	if (minutes > UINT32_MAX / 60)
		return eqt_error_set(
			err,
			"\"%s\": expected a half-life such as 7-0 (seven days)",
			text);
	*half_life_s = (uint32_t) minutes * 60;
	return 0;
}

/* Copy the value of a key; "" if it is missing. */
void eqt_cluster_config_get(const char *text, const char *key, char *value,
			    size_t size)
{
	size_t length = strlen(key), blanks;
	const char *end;

	value[0] = '\0';
	for (; *text != '\0'; text += strcspn(text, "\n") + 1) {
		if (strncmp(text, key, length) != 0)
			continue;
		blanks = strspn(text + length, " ");
		if (text[length + blanks] != '=')
			continue;
		text += length + blanks + 1;
		text += strspn(text, " ");
		end = text + strcspn(text, " \r\n");
		(void) snprintf(value, size, "%.*s", (int) (end - text), text);
		return;
	}
}

int eqt_cluster_decay_read(struct eqt_cluster_decay *out, const char *path,
			   struct eqt_error *err)
{
	struct eqt_listing text;
	char half_life[64];
	int rc = 0;

	if (eqt_listing_read(&text, path, "scontrol show config", err) < 0)
		return -1;
	eqt_cluster_config_get(text.text, "PriorityDecayHalfLife", half_life,
			       sizeof(half_life));
	eqt_cluster_config_get(text.text, "PriorityUsageResetPeriod",
			       out->reset, sizeof(out->reset));
	if (half_life[0] == '\0')
		rc = eqt_error_set(err,
				   "%s: no PriorityDecayHalfLife: expected the "
				   "output of \"scontrol show config\"",
				   text.name);
	else
		rc = eqt_cluster_half_life_parse(&out->half_life_s, half_life,
						 err);
	eqt_listing_free(&text);
	return rc;
}

int eqt_cluster_name(char *name, size_t size, struct eqt_error *err)
{
	struct eqt_listing text;
	char value[EQT_ERROR_SIZE];

	if (eqt_listing_read(&text, NULL, "scontrol show config", err) < 0)
		return -1;
	eqt_cluster_config_get(text.text, "ClusterName", value, sizeof(value));
	eqt_listing_free(&text);
	if (value[0] == '\0' || strlen(value) >= size)
		return eqt_error_set(err,
				     "scontrol show config: no ClusterName");
	(void) snprintf(name, size, "%s", value);
	return 0;
}
