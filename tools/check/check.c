/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/alloc.h"
#include "check/check.h"
#include "conf/conf_lines.h"

/* ---- Places ----------------------------------------------------------------- */

/* A callback of eqt_conf_visit(): add a place. */
static void places_add(void *with, const char *section, const char *name,
		       const char *key, int line)
{
	struct eqt_places *places = with;
	struct eqt_place *spot;

	EQT_ALLOC_ROOM(places->spots, places->count);
	spot = &places->spots[places->count++];
	*spot = (struct eqt_place){ .line = (unsigned int) line };
	(void) snprintf(spot->section, sizeof(spot->section), "%s", section);
	(void) snprintf(spot->name, sizeof(spot->name), "%s", name);
	(void) snprintf(spot->key, sizeof(spot->key), "%s", key);
}

void eqt_places_read(struct eqt_places *out, const char *path)
{
	*out = (struct eqt_places){ .count = 0 };
	eqt_conf_visit(path, places_add, out);
}

void eqt_places_free(struct eqt_places *places)
{
	free(places->spots);
	*places = (struct eqt_places){ .count = 0 };
}

static bool place_is_in(const struct eqt_place *spot, const char *section,
			const char *name)
{
	return strcmp(spot->section, section ? section : "") == 0 &&
	       strcmp(spot->name, name ? name : "") == 0;
}

unsigned int eqt_places_find(const struct eqt_places *places,
			     const char *section, const char *name,
			     unsigned int nth, const char *key)
{
	unsigned int line = 0;

	for (size_t i = 0; i < places->count; i++) {
		const struct eqt_place *spot = &places->spots[i];
		bool begins = spot->key[0] == '\0';

		if (!place_is_in(spot, section, name))
			continue;
		/* Skip the sections before the nth one, and stop at the section after
		 * it. */
		if (begins && (line || nth-- > 0)) {
			if (line)
				break;
			continue;
		}
		if (begins)
			line = spot->line;
		if ((line || !section) && key && strcmp(spot->key, key) == 0)
			return spot->line;
	}
	return line;
}

/* ---- Findings ------------------------------------------------------------- */

void eqt_check_find(struct eqt_check *check, enum eqt_check_level level,
		    struct eqt_check_where where, const char *format, ...)
{
	char text[EQT_ERROR_SIZE];
	struct eqt_error clean;
	va_list args;

	va_start(args, format);
	(void) vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	/* Names from the files may hold control characters, which eqt_error_set()
	 * removes. */
	(void) eqt_error_set(&clean, "%s", text);
	EQT_ALLOC_ROOM(check->findings, check->count);
	check->findings[check->count++] = (struct eqt_check_finding){
		.level = level,
		.where = where,
		.check = check->running,
		.text = eqt_alloc_text(clean.text),
	};
}

bool eqt_check_has_found(const struct eqt_check *check,
			 struct eqt_check_where where)
{
	for (size_t i = 0; i < check->count; i++) {
		if (check->findings[i].check == check->running &&
		    check->findings[i].where.line == where.line &&
		    strcmp(check->findings[i].where.file, where.file) == 0)
			return true;
	}
	return false;
}

struct eqt_check_where eqt_check_where_line(
	const struct eqt_check *check, const struct eqt_slurmconf_line *line)
{
	if (!line)
		return (struct eqt_check_where){ check->slurm_path, 0 };
	return (struct eqt_check_where){ line->file, line->number };
}

struct eqt_check_where eqt_check_where_key(const struct eqt_check *check,
					   const char *key)
{
	const struct eqt_slurmconf_line *line;

	(void) eqt_slurm_conf_get(&check->slurm, key, &line);
	return eqt_check_where_line(check, line);
}

struct eqt_check_where eqt_check_where_conf(const struct eqt_check *check,
					    const char *section,
					    const char *name, const char *key)
{
	return (struct eqt_check_where){
		check->conf_path,
		eqt_places_find(&check->places, section, name, 0, key)
	};
}

struct eqt_check_where eqt_check_where_bundle(const struct eqt_check *check,
					      uint32_t model, const char *key)
{
	const struct eqt_bundle *gpu = check->conf->prices.gpu;
	unsigned int nth = 0;

	/* Several bundles may have the same name, so count those before this one. */
	for (uint32_t i = 0; i < model; i++)
		nth += strcmp(gpu[i].name, gpu[model].name) == 0;
	return (struct eqt_check_where){
		check->conf_path, eqt_places_find(&check->places, "bundle",
						  gpu[model].name, nth, key)
	};
}

struct eqt_check_where eqt_check_where_assoc(const struct eqt_check *check,
					     size_t row)
{
	return (struct eqt_check_where){
		/* lines[0] is the line of headings */
		check->assocs_path, (unsigned int) check->assocs.lines[row + 1]
	};
}

const char *eqt_check_value(const struct eqt_check *check, const char *key,
			    const char *without)
{
	const char *value = eqt_slurm_conf_get(&check->slurm, key, NULL);

	return value ? value : without;
}

uint64_t eqt_check_number(const struct eqt_check *check, const char *key,
			  uint64_t without)
{
	const char *value = eqt_check_value(check, key, NULL);

	return value ? strtoull(value, NULL, 10) : without;
}

bool eqt_check_has_gres(const struct eqt_check *check, const char *name)
{
	const struct eqt_bundle_table *prices = &check->conf->prices;
	size_t length = strlen(name);

	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		/* strchr() also finds the NUL at the end of a bundle's name without a
		 * type. */
		if (strncmp(prices->gpu[i].name, name, length) == 0 &&
		    strchr(":", prices->gpu[i].name[length]))
			return true;
	}
	return false;
}

void eqt_check_node_gpus(const struct eqt_check *check,
			 const struct eqt_cluster_node *node,
			 void (*each)(const struct eqt_gres *gres, void *with),
			 void *with)
{
	const char *list =
		eqt_cluster_conf_node_get(&check->cluster, node, "Gres");
	struct eqt_gres gres;

	while (list && eqt_gres_next(&gres, &list, NULL) > 0) {
		if (strcmp(gres.name, "gpu") == 0 ||
		    eqt_check_has_gres(check, gres.name))
			each(&gres, with);
	}
}

int eqt_check_find_file(char path[PATH_MAX], const char *folders,
			const char *name)
{
	struct stat status;
	size_t length;
	int has = -1;

	for (; *folders != '\0'; folders += length + (folders[length] == ':')) {
		length = strcspn(folders, ":");
		(void) snprintf(path, PATH_MAX, "%.*s", (int) length, folders);
		if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
			continue;
		(void) snprintf(path, PATH_MAX, "%.*s/%s", (int) length,
				folders, name);
		if (access(path, R_OK) == 0)
			return 1;
		has = 0;
	}
	return has;
}
