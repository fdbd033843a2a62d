/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The translation follows sbatch, including its oddities: the name of a resource is
 * searched for at each byte of a list, and other parts of the list are ignored. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sbatch/lsf_pbs.h"
#include "cli/alloc.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct translation;

/* A function that translates an argument. Returns 0, or -1 with err filled. */
typedef int take_fn(struct translation *into, const char *to,
		    const char *value);

/* The state of a translation. */
struct translation {
	const char *name; /* name of the script */
	unsigned int line;
	struct eqt_script_words words; /* words for sbatch */
	/* owned; the GRES of earlier lines, to which sbatch appends */
	char *gres;
	struct eqt_error *err;
};

struct foreign_option {
	char letter;
	const char *name;
	bool has_value;
	take_fn *take; /* NULL: the option changes no price */
	const char *to; /* sbatch's option */
};

/* Format a text that the caller frees. */
static char *foreign_text(const char *format, va_list args)
{
	char *text = NULL;
	size_t size;
	FILE *stream = eqt_alloc_stream(&text, &size);

	(void) vfprintf(stream, format, args);
	eqt_alloc_stream_close(stream);
	return text;
}

/* Add "--option=value". */
__attribute__((format(printf, 2, 3))) static int foreign_add(
	struct translation *into, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = foreign_text(format, args);
	va_end(args);
	eqt_script_words_add(&into->words, text, into->line);
	return 0;
}

/* Add an item to a list "a,b", which the caller frees. */
__attribute__((format(printf, 2, 3))) static void foreign_join(
	char **list, const char *format, ...)
{
	char *item, *all;
	va_list args;
	size_t size;

	va_start(args, format);
	item = foreign_text(format, args);
	va_end(args);
	size = strlen(item) + (*list ? strlen(*list) : 0) + 2;
	all = eqt_alloc(size, 1);
	(void) snprintf(all, size, "%s%s%s", *list ? *list : "",
			*list ? "," : "", item);
	free(item);
	free(*list);
	*list = all;
}

/* Fill err. sbatch itself would refuse the script at this place. Returns -1. */
static int foreign_error(struct translation *into, const char *word,
			 const char *why)
{
	return eqt_error_set(into->err, "%s:%u: \"%.64s\": %s", into->name,
			     into->line, word, why);
}

/* An option of sbatch takes the same value. */
static int take_plain(struct translation *into, const char *to,
		      const char *value)
{
	return foreign_add(into, "--%s=%s", to, value);
}

/* An option of sbatch takes no value. */
static int take_flag(struct translation *into, const char *to,
		     const char *value)
{
	(void) value;
	return foreign_add(into, "--%s", to);
}

/* A number without a unit is in KiB. */
static int take_kib(struct translation *into, const char *to, const char *value)
{
	const size_t length = strlen(value);
	const bool plain = length > 0 && value[length - 1] >= '0' &&
			   value[length - 1] <= '9';

	return foreign_add(into, "--%s=%s%s", to, value, plain ? "K" : "");
}

/* Sizes of PBS end in a B ("b", "kb") that sbatch does not know. */
static int take_bytes(struct translation *into, const char *to,
		      const char *value)
{
	size_t length = strlen(value);

	if (length > 0 && strcasecmp(value + length - 1, "b") == 0)
		length--;
	return foreign_add(into, "--%s=%.*s", to, (int) length, value);
}

/* Take the upper end of "least,most". */
static int take_most(struct translation *into, const char *to,
		     const char *value)
{
	const char *comma = strchr(value, ',');

	return foreign_add(into, "--%s=%s", to, comma ? comma + 1 : value);
}

/* Translate names that are separated by spaces. */
static int take_names(struct translation *into, const char *to,
		      const char *value)
{
	char *names = eqt_alloc_text(value), *at;
	int rc;

	while ((at = strchr(names, ' ')))
		*at = ',';
	rc = foreign_add(into, "--%s=%s", to, names);
	free(names);
	return rc;
}

/* Translate a list such as "2:ppn=4:gpus=1+node7". It has names of nodes and their
 * properties between the numbers. Like sbatch, take all of them for names. */
static int take_nodes(struct translation *into, const char *to,
		      const char *value)
{
	uint64_t nodes = 0, each = 0;
	const char *at = value;
	char *names = NULL;
	int rc = 0;

	(void) to;
	while (*at != '\0' && rc == 0) {
		const size_t length = strcspn(at, "+:");

		if (strncmp(at, "gpus=", 5) == 0) {
			rc = foreign_add(into, "--gpus-per-node=%.*s",
					 (int) length - 5, at + 5);
		} else if (strncmp(at, "ppn=", 4) == 0) {
			each += strtoul(at + 4, NULL, 10);
		} else if (*at >= '0' && *at <= '9') {
			nodes += strtoul(at, NULL, 10);
		} else {
			foreign_join(&names, "%.*s", (int) length, at);
		}
		at += length + (at[length] != '\0');
	}
	if (rc == 0 && nodes > 0)
		rc = foreign_add(into, "--nodes=%" PRIu64, nodes);
	if (rc == 0 && each > 0)
		rc = foreign_add(into, "--ntasks=%" PRIu64,
				 each * (nodes ? nodes : 1));
	if (rc == 0 && names)
		rc = foreign_add(into, "--nodelist=%s", names);
	free(names);
	return rc;
}

/* Add GPUs per node to those of earlier lines. */
static int foreign_add_gpus(struct translation *into, uint64_t gpus)
{
	if (gpus == 0)
		return 0;
	foreign_join(&into->gres, "gpu:%" PRIu64, gpus);
	return foreign_add(into, "--gres=%s", into->gres);
}

/* The resources of "-l". A resource that is not in this table is skipped byte by byte, so
 * that another name may be found within it. */
static const struct resource {
	const char *name;
	char end; /* the character that ends the value of the resource */
	take_fn *take; /* NULL: the resource is ignored */
	const char *to;
} resources[] = {
	{ "arch=", ',', NULL, NULL },
	{ "cput=", ',', take_plain, "time" },
	{ "file=", ',', NULL, NULL },
	{ "host=", ',', NULL, NULL },
	{ "mem=", ',', take_bytes, "mem" },
	{ "mpiprocs=", ':', take_plain, "ntasks-per-node" },
	{ "naccelerators=", ',', take_plain, NULL },
	{ "ncpus=", ':', take_plain, "mincpus" },
	{ "nice=", ',', NULL, NULL },
	{ "nodes=", ',', take_nodes, NULL },
	{ "opsys=", ',', NULL, NULL },
	{ "other=", ',', NULL, NULL },
	{ "pcput=", ',', take_plain, "time" },
	{ "pmem=", ',', NULL, NULL },
	{ "proc=", ',', take_plain, "constraint" },
	{ "pvmem=", ',', NULL, NULL },
	{ "select=", ':', take_plain, "nodes" },
	{ "software=", ',', NULL, NULL },
	{ "vmem=", ',', NULL, NULL },
	{ "walltime=", ',', take_plain, "time" },
};

/* Three resources that PBS Pro combines. */
struct chunk {
	bool select;
	uint64_t cpus, tasks, gpus;
};

/* The resource whose name begins here, or NULL. */
static const struct resource *resource_at(const char *at)
{
	for (size_t i = 0; i < COUNT(resources); i++) {
		if (strncmp(at, resources[i].name, strlen(resources[i].name)) ==
		    0)
			return &resources[i];
	}
	return NULL;
}

/* Translate one resource. Returns 0, or -1 with err filled. */
static int take_resource(struct translation *into, struct chunk *chunk,
			 const struct resource *resource, const char *value)
{
	const uint64_t number = strtoul(value, NULL, 10);

	if (strcmp(resource->name, "naccelerators=") == 0) {
		chunk->gpus = number;
		return 0;
	}
	if (strcmp(resource->name, "ncpus=") == 0)
		chunk->cpus = number;
	else if (strcmp(resource->name, "mpiprocs=") == 0)
		chunk->tasks = number;
	else if (strcmp(resource->name, "select=") == 0)
		chunk->select = true;
	return resource->take ? resource->take(into, resource->to, value) : 0;
}

/* Translate lists such as "select=2:ncpus=8:mpiprocs=2" or
 * "nodes=2:ppn=4,mem=8gb,walltime=1:00:00". */
static int take_resources(struct translation *into, const char *to,
			  const char *list)
{
	static const char accelerator[] = "accelerator=";
	struct chunk chunk = { .select = false };
	char *text = eqt_alloc_text(list), *at = text, *end;
	const struct resource *resource;
	int rc = 0;

	(void) to;
	while (rc == 0 && *at != '\0') {
		if (strncasecmp(at, accelerator, strlen(accelerator)) == 0) {
			at += strlen(accelerator);
			if (strncasecmp(at, "true", 4) == 0 && chunk.gpus == 0)
				chunk.gpus = 1;
			continue;
		}
		resource = resource_at(at);
		if (!resource) {
			at++;
			continue;
		}
		at += strlen(resource->name);
		end = strchr(at, resource->end);
		if (end)
			*end = '\0';
		rc = take_resource(into, &chunk, resource, at);
		at = end ? end + 1 : at + strlen(at);
	}
	free(text);
	if (rc == 0 && chunk.select && chunk.tasks > 0 &&
	    chunk.cpus > chunk.tasks)
		rc = foreign_add(into, "--cpus-per-task=%" PRIu64,
				 chunk.cpus / chunk.tasks);
	return rc == 0 ? foreign_add_gpus(into, chunk.gpus) : rc;
}

static const struct foreign_option lsf_options[] = {
	{ 'c', "cwd", true, NULL, NULL },
	{ 'e', "error_file", true, NULL, NULL },
	{ 'J', "job_name", true, NULL, NULL },
	{ 'm', "hostname", true, take_names, "nodelist" },
	{ 'M', "memory_limit", true, take_kib, "mem-per-cpu" },
	{ 'n', "", true, take_most, "ntasks" },
	{ 'o', "output_file", true, NULL, NULL },
	{ 'q', "queue_name", true, take_plain, "partition" },
	{ 'W', "time", true, take_plain, "time" },
	{ 'x', "exclusive", false, take_flag, "exclusive" },
};

static const struct foreign_option pbs_options[] = {
	{ 'a', "start_time", true, NULL, NULL },
	{ 'A', "account", true, take_plain, "account" },
	{ 'c', "checkpoint", true, NULL, NULL },
	{ 'C', "working_dir", true, NULL, NULL },
	{ 'd', "", true, NULL, NULL },
	{ 'e', "error", true, NULL, NULL },
	{ 'h', "hold", false, NULL, NULL },
	{ 'I', "interactive", false, NULL, NULL },
	{ 'j', "join", true, NULL, NULL },
	{ 'J', "job_array", true, take_plain, "array" },
	{ 'k', "keep", true, NULL, NULL },
	{ 'l', "resource_list", true, take_resources, NULL },
	{ 'm', "mail_options", true, NULL, NULL },
	{ 'M', "mail_user_list", true, NULL, NULL },
	{ 'N', "job_name", true, NULL, NULL },
	{ 'o', "out", true, NULL, NULL },
	{ 'p', "priority", true, NULL, NULL },
	{ 'q', "destination", true, take_plain, "partition" },
	{ 'r', "rerunable", true, NULL, NULL },
	{ 'S', "script_path", true, NULL, NULL },
	{ 't', "array", true, take_plain, "array" },
	{ 'u', "running_user", true, NULL, NULL },
	{ 'v', "variable_list", true, NULL, NULL },
	{ 'V', "all_env", false, NULL, NULL },
	{ 'W', "attributes", true, NULL, NULL },
	{ 'w', "", true, NULL, NULL },
	{ 'z', "no_std", false, NULL, NULL },
};

/*
 * Find the option "-x" or "--name". *value is set to its value in the same word, or to
 * NULL.
 */
static const struct foreign_option *option_find(
	const struct foreign_option *options, size_t count, const char *word,
	const char **value)
{
	const bool is_long = word[1] == '-';
	const size_t length = strcspn(word, "=");

	for (size_t i = 0; i < count; i++) {
		if (is_long ? length == strlen(options[i].name) + 2 &&
				      length > 2 &&
				      strncmp(word + 2, options[i].name,
					      length - 2) == 0
			    : word[1] == options[i].letter) {
			*value = is_long ? word + length + 1 : word + 2;
			if (is_long ? word[length] == '\0' : word[2] == '\0')
				*value = NULL;
			return &options[i];
		}
	}
	return NULL;
}

/* Translate all words. */
static int foreign_take(struct translation *into,
			const struct eqt_script_words *from,
			const struct foreign_option *options, size_t count)
{
	const struct foreign_option *option;
	const char *word, *value;

	for (size_t i = 0; i < from->count; i++) {
		word = from->word[i].text;
		into->line = from->word[i].line;
		option = word[0] == '-'
				 ? option_find(options, count, word, &value)
				 : NULL;
		if (!option)
			return foreign_error(
				into, word,
				"unknown option, which sbatch refuses");
		if (option->has_value && !value && ++i == from->count)
			return foreign_error(into, word,
					     "its value is missing");
		if (option->has_value && !value)
			value = from->word[i].text;
		if (option->take &&
		    option->take(into, option->to, value ? value : "") < 0)
			return -1;
	}
	return 0;
}

/* If a script has lines of both systems, only those of LSF are translated. */
int eqt_lsf_pbs_translate(struct eqt_script *script, struct eqt_error *err)
{
	struct translation into = { .name = script->name, .err = err };
	const bool lsf = script->lsf.count > 0;
	int rc = lsf ? foreign_take(&into, &script->lsf, lsf_options,
				    COUNT(lsf_options))
		     : foreign_take(&into, &script->pbs, pbs_options,
				    COUNT(pbs_options));

	free(into.gres);
	script->foreign = into.words;
	return rc;
}
