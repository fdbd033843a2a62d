/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of what no price counts: GRES without a bundle, and options of
 * slurm.conf that change allocations. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/amount.h"
#include "check/findings.h"

/* Names that were reported. Each is reported once, however many nodes have it. */
#define NAMES_MAX 16

struct reported {
	char names[NAMES_MAX][EQT_NAME_SIZE];
	size_t count;
};

/* Each GRES is reported once, whatever the number of lines that have it. */
static bool reported_before(struct reported *reported, const char *name)
{
	for (size_t i = 0; i < reported->count; i++) {
		if (strcmp(reported->names[i], name) == 0)
			return true;
	}
	/* So many examples are enough. */
	if (reported->count == NAMES_MAX)
		return true;
	(void) snprintf(reported->names[reported->count++], EQT_NAME_SIZE, "%s",
			name);
	return false;
}

/* GPUs and shares of a line. */
struct shared_gpus {
	uint64_t gpus, shares;
	const struct eqt_bundle *bundle; /* of its GPUs; NULL: none */
};

/* How many GPUs and how many shares of them a node has; the bundle is that of its last
 * model. */
static struct shared_gpus unmodelled_shares(const struct eqt_check *check,
					    const char *list, const char *share)
{
	const struct eqt_bundle_table *prices = &check->conf->prices;
	struct shared_gpus out = { .gpus = 0 };
	struct eqt_gres gres;

	while (eqt_gres_next(&gres, &list, NULL) > 0) {
		const int model =
			eqt_bundle_table_find(prices, gres.name, gres.type);

		if (strcmp(gres.name, share) == 0)
			out.shares = gres.count;
		if (strcmp(gres.name, "gpu") != 0 || model < 0)
			continue;
		out.gpus += gres.count;
		out.bundle = &prices->gpu[model];
	}
	return out;
}

/* The bundle that a share of a GPU has: its part of that of the GPU. */
static void unmodelled_share_text(char *text, size_t size,
				  const struct shared_gpus *shared,
				  const char *share)
{
	const struct eqt_bundle *gpu = shared->bundle;
	const double part = shared->shares ? (double) shared->gpus /
						     (double) shared->shares /
						     (double) EQT_MICRO
					   : 0;
	char memory[48] = "";

	text[0] = '\0';
	if (!gpu || part == 0)
		return;
	if (gpu->mem_mib_u > 0)
		(void) snprintf(memory, sizeof(memory), "  memory = %.0fM",
				part * (double) gpu->mem_mib_u);
	(void) snprintf(
		text, size,
		"; its part is bundle \"%s\" { cores = %.6g%s  weight = %.6g }",
		share, part * (double) gpu->cores_u, memory,
		part * (double) gpu->weight_u);
}

/* For a share of a GPU the text has a bundle that can be copied. */
static void unmodelled_tell_gres(struct eqt_check *check,
				 const struct eqt_slurmconf_line *line,
				 const char *list, const char *name)
{
	const struct shared_gpus shared = unmodelled_shares(check, list, name);
	char text[EQT_NAME_SIZE + 128];

	unmodelled_share_text(text, sizeof(text), &shared, name);
	if (eqt_gres_is_share(name))
		eqt_check_find(check, EQT_CHECK_WARNING,
			       eqt_check_where_line(check, line),
			       "no bundle prices %s: a job with a part of a "
			       "GPU keeps the GPU from others for the price of "
			       "its cores and memory%s",
			       name, text);
	else
		eqt_check_find(check, EQT_CHECK_WARNING,
			       eqt_check_where_line(check, line),
			       "no bundle prices %s: jobs have it for nothing",
			       name);
}

/* GPUs have a check of their own, which looks at their models. */
static void unmodelled_find_gres(struct eqt_check *check,
				 const struct eqt_slurmconf_line *line,
				 struct reported *reported)
{
	const char *const all = eqt_slurmconf_line_get(line, "Gres");
	const char *list = all;
	struct eqt_gres gres;

	while (list && eqt_gres_next(&gres, &list, NULL) > 0) {
		if (strcmp(gres.name, "gpu") != 0 &&
		    !eqt_check_has_gres(check, gres.name) &&
		    !eqt_bundle_table_is_disk(&check->conf->prices,
					      gres.name) &&
		    !reported_before(reported, gres.name))
			unmodelled_tell_gres(check, line, all, gres.name);
	}
}

/* Read from NodeName lines: GresTypes alone gives nobody anything. */
static void check_gres_unpriced(struct eqt_check *check)
{
	struct reported reported = { .count = 0 };

	for (size_t i = 0; i < check->slurm.count; i++) {
		const struct eqt_slurmconf_line *line = &check->slurm.lines[i];

		if (eqt_slurmconf_line_is(line, "NodeName"))
			unmodelled_find_gres(check, line, &reported);
	}
}

/* A key of slurm.conf whose value has a word that begins with this one. */
struct unmodelled {
	const char *key, *word, *why;
};

/* Values are lists by comma, semicolon or plus, and words may have a number behind
 * them. */
static bool value_has_word(const char *value, const char *word)
{
	const size_t length = strlen(word);

	for (; *value != '\0';
	     value += strcspn(value, ",;+"), value += *value != '\0') {
		if (strncasecmp(value, word, length) == 0)
			return true;
	}
	return false;
}

/* why: what happens, and to whom. */
static void unmodelled_find(struct eqt_check *check,
			    const struct eqt_slurmconf_line *line,
			    const struct unmodelled *option)
{
	const char *value = eqt_slurmconf_line_get(line, option->key);

	if (value && value_has_word(value, option->word))
		eqt_check_find(check, EQT_CHECK_WARNING,
			       eqt_check_where_line(check, line), "%s=%s: %s",
			       option->key, value, option->why);
}

/* Options whose effect on an allocation no code here follows. Each is allowed: the
 * warning says what the price does not see. */
static void check_option_unmodelled(struct eqt_check *check)
{
	static const struct unmodelled options[] = {
		{ "SelectTypeParameters", "CR_Board",
		  "jobs get whole boards and are charged for them, but the "
		  "price at submission is that of their cores" },
		{ "PreemptMode", "GANG",
		  "jobs take turns on a core, and each is charged for it" },
		{ "OverSubscribe", "FORCE",
		  "jobs share a core, and each is charged for it" },
		{ "OverSubscribe", "YES",
		  "jobs that ask for it share a core, and each is charged for "
		  "it" },
		{ "ExclusiveUser", "YES",
		  "jobs keep other users off their nodes, and no price counts "
		  "that" },
		{ "MCSParameters", "enforced",
		  "jobs keep others off their nodes, and no price counts "
		  "that" },
	};

	for (size_t i = 0; i < check->slurm.count; i++) {
		for (size_t k = 0; k < sizeof(options) / sizeof(options[0]);
		     k++)
			unmodelled_find(check, &check->slurm.lines[i],
					&options[k]);
	}
}

/* The most CPUs that a core of any node has. */
static uint64_t unmodelled_threads(const struct eqt_check *check)
{
	uint64_t most = 1, threads;

	for (size_t i = 0; i < check->slurm.count; i++) {
		const char *value = eqt_slurmconf_line_get(
			&check->slurm.lines[i], "ThreadsPerCore");

		if (value &&
		    eqt_amount_count(&threads, value, strlen(value)) == 0 &&
		    threads > most)
			most = threads;
	}
	return most;
}

/* MaxMemPerCPU below the memory of the cores' bundle: the CPUs that Slurm adds cost more
 * than the memory. */
static void check_memory_adds_cores(struct eqt_check *check)
{
	const struct eqt_bundle *cores = &check->conf->prices.cores;
	const uint64_t threads = unmodelled_threads(check);
	const double each = (double) cores->mem_mib_u / (double) cores->cores_u;
	uint64_t limit;

	/* In terms of their own, or without a price, they are not compared. */
	if (cores->cores_u == 0 ||
	    (cores->terms &&
	     (cores->terms->apart & EQT_APART(EQT_CORES, EQT_MEMORY))))
		return;
	for (size_t i = 0; i < check->slurm.count; i++) {
		const struct eqt_slurmconf_line *line = &check->slurm.lines[i];
		const char *value =
			eqt_slurmconf_line_get(line, "MaxMemPerCPU");

		if (!value ||
		    eqt_amount_count(&limit, value, strlen(value)) < 0 ||
		    limit == 0 || (double) (limit * threads) >= each)
			continue;
		eqt_check_find(check, EQT_CHECK_WARNING,
			       eqt_check_where_line(check, line),
			       "MaxMemPerCPU=%s: Slurm adds CPUs to jobs with "
			       "more memory, so %.6gM cost %.6g times what the "
			       "bundle of cores says; from MaxMemPerCPU=%.0f "
			       "on they cost the same",
			       value, each, each / (double) (limit * threads),
			       each / (double) threads + 0.499999);
	}
}

const struct eqt_check_row eqt_checks_unmodelled[] = {
	{ "gres-unpriced", EQT_NEEDS_SLURM, check_gres_unpriced },
	{ "option-unmodelled", EQT_NEEDS_SLURM, check_option_unmodelled },
	{ "memory-adds-cores", EQT_NEEDS_SLURM, check_memory_adds_cores },
	{ NULL, 0, NULL }
};
