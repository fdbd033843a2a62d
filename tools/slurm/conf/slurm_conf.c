/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * As in Slurm, the last line of a duplicate key is in force, and keys are
 * found in any case. Lines about nodes, partitions and the like have keys of
 * their own, which are not global.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "slurm/conf/slurm_conf.h"

/* Keys that begin a line of its own kind, whose other keys are not global. */
static const char *const entities[] = {
	"NodeName", "PartitionName", "FrontendName", "DownNodes",
	"NodeSet",  "SwitchName",    "Name",
};

static void line_free(struct eqt_slurmconf_line *line)
{
	for (size_t i = 0; i < line->count; i++) {
		free(line->pairs[i].key);
		free(line->pairs[i].value);
	}
	free(line->pairs);
	line->pairs = NULL;
	line->count = 0;
}

void eqt_slurmconf_free(struct eqt_slurmconf *conf)
{
	for (size_t i = 0; i < conf->count; i++)
		line_free(&conf->lines[i]);
	for (size_t i = 0; i < conf->file_count; i++)
		free(conf->files[i]);
	free(conf->lines);
	free(conf->files);
	*conf = (struct eqt_slurmconf){ .count = 0 };
}

static bool line_is_entity(const struct eqt_slurmconf_line *line)
{
	for (size_t i = 0; i < sizeof(entities) / sizeof(entities[0]); i++) {
		if (eqt_slurmconf_line_is(line, entities[i]))
			return true;
	}
	return false;
}

const char *eqt_slurmconf_get(const struct eqt_slurmconf *conf, const char *key,
			      const struct eqt_slurmconf_line **line)
{
	const char *value;

	if (line)
		*line = NULL;
	/* From the end: the last line is in force. */
	for (size_t i = conf->count; i-- > 0;) {
		if (line_is_entity(&conf->lines[i]))
			continue;
		value = eqt_slurmconf_line_get(&conf->lines[i], key);
		if (value && line)
			*line = &conf->lines[i];
		if (value)
			return value;
	}
	return NULL;
}

const char *eqt_slurmconf_line_get(const struct eqt_slurmconf_line *line,
				   const char *key)
{
	for (size_t i = line->count; i-- > 0;) {
		if (strcasecmp(line->pairs[i].key, key) == 0)
			return line->pairs[i].value;
	}
	return NULL;
}

bool eqt_slurmconf_line_is(const struct eqt_slurmconf_line *line,
			   const char *first)
{
	return strcasecmp(line->pairs[0].key, first) == 0;
}

const char *eqt_slurmconf_entity_get(const struct eqt_slurmconf *conf, size_t i,
				     const char *key)
{
	const char *value = eqt_slurmconf_line_get(&conf->lines[i], key);

	/* Each DEFAULT line knows the one before it. */
	while (!value && conf->lines[i].defaults != i) {
		i = conf->lines[i].defaults;
		value = eqt_slurmconf_line_get(&conf->lines[i], key);
	}
	return value;
}

bool eqt_slurmconf_list_has(const char *list, const char *word)
{
	size_t length = strlen(word), item;

	while (list && *list != '\0') {
		item = strcspn(list, ",");
		if (item == length && strncasecmp(list, word, length) == 0)
			return true;
		list += item + (list[item] == ',');
	}
	return false;
}
