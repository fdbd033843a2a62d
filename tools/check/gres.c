/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks GPU models: compares the bundles with the nodes, with gres.conf, and with the
 * TRES that Slurm counts. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "check/check.h"

#define TYPES_SHOWN 8

/* The GRES of all nodes that one bundle prices. */
struct tally {
	const struct eqt_bundle *bundle;
	size_t served; /* number of GPUs that the bundle prices */
	const struct eqt_cluster_node *node; /* the node being read */
	/* a node with the bundle's GRES, but without a type */
	const struct eqt_cluster_node *untyped;
	/* types of GPUs that the bundle prices */
	char types[TYPES_SHOWN][EQT_NAME_SIZE];
	size_t type_count;
};

/* The type in a bundle's name, or NULL. Borrowed from the name. */
static const char *bundle_type(const struct eqt_bundle *bundle)
{
	const char *colon = strchr(bundle->name, ':');

	return colon ? colon + 1 : NULL;
}

/* Does the bundle have the name of a GRES? The type does not matter: "gpu:p100" has the
 * name "gpu". */
static bool bundle_has_name(const struct eqt_bundle *bundle,
			    const struct eqt_gres *gres)
{
	size_t length = strcspn(bundle->name, ":");

	return strlen(gres->name) == length &&
	       strncmp(bundle->name, gres->name, length) == 0;
}

/* Keep a few types only, which are enough for an example. */
static void tally_add_type(struct tally *tally, const char *type)
{
	for (size_t i = 0; i < tally->type_count; i++) {
		if (strcmp(tally->types[i], type) == 0)
			return;
	}
	if (tally->type_count < TYPES_SHOWN)
		(void) snprintf(tally->types[tally->type_count++],
				EQT_NAME_SIZE, "%s", type);
}

/* Count a node's GRES, if the bundle of the tally prices it. */
static void tally_add_gres(const struct eqt_gres *gres, void *with)
{
	struct tally *tally = with;
	const char *type = bundle_type(tally->bundle);

	if (!bundle_has_name(tally->bundle, gres))
		return;
	/* A bundle with a type does not price GPUs without a type. */
	if (type && gres->type[0] == '\0')
		tally->untyped = tally->node;
	if (!type)
		tally_add_type(tally, gres->type);
	if (!type || strcmp(type, gres->type) == 0)
		tally->served += gres->count;
}

/* Count all nodes of slurm.conf, whether they are up or not. */
static struct tally tally_of(const struct eqt_check *check, uint32_t model)
{
	struct tally tally = { .bundle = &check->conf->prices.gpu[model] };

	for (size_t i = 0; i < check->cluster.count; i++) {
		tally.node = &check->cluster.nodes[i];
		eqt_check_node_gpus(check, tally.node, tally_add_gres, &tally);
	}
	return tally;
}

/* The place of the line of a node. Several nodes may share a line. */
static struct eqt_check_where check_where_node(
	const struct eqt_check *check, const struct eqt_cluster_node *node)
{
	return eqt_check_where_line(check, &check->slurm.lines[node->line]);
}

/* A bundle that matches no node often has a misspelled type. */
static void check_bundle_unused(struct eqt_check *check)
{
	const struct eqt_bundle_table *prices = &check->conf->prices;

	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		struct tally tally = tally_of(check, i);

		if (tally.served > 0)
			continue;
		eqt_check_find(check, EQT_CHECK_WARNING,
			       eqt_check_where_bundle(check, i, NULL),
			       "bundle \"%s\": no node has this GRES",
			       prices->gpu[i].name);
		if (tally.untyped)
			eqt_check_find(check, EQT_CHECK_NOTE,
				       check_where_node(check, tally.untyped),
				       "node %s has %.*s without a type",
				       tally.untyped->name,
				       (int) strcspn(prices->gpu[i].name, ":"),
				       prices->gpu[i].name);
	}
}

/* Warn of a bundle without a type that prices GPUs of several types. */
static void check_types_alike(struct eqt_check *check)
{
	const struct eqt_bundle_table *prices = &check->conf->prices;
	struct tally tally;
	size_t t, others;

	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		if (bundle_type(&prices->gpu[i]))
			continue;
		tally = tally_of(check, i);
		others = 0;
		for (t = 0; t < tally.type_count; t++) {
			/* A type with a bundle of its own does not count. */
			if (eqt_bundle_table_find(prices, prices->gpu[i].name,
						  tally.types[t]) == (int) i)
				others++;
		}
		if (others > 1)
			eqt_check_find(
				check, EQT_CHECK_WARNING,
				eqt_check_where_bundle(check, i, NULL),
				"bundle \"%s\" has no type and prices %zu "
				"types of GPU alike, such as %s and %s",
				prices->gpu[i].name, others, tally.types[0],
				tally.types[1]);
	}
}

/* A node whose GRES are checked. */
struct node_models {
	struct eqt_check *check;
	const struct eqt_cluster_node *node;
};

/* A callback of eqt_check_node_gpus(). Warn of a GPU without a price, because it costs
 * nothing, which a site hardly wants. */
static void gres_check_model(const struct eqt_gres *gres, void *with)
{
	const struct node_models *models = with;
	struct eqt_check *check = models->check;
	const struct eqt_bundle_table *prices = &check->conf->prices;
	struct eqt_check_where where = check_where_node(check, models->node);

	if (eqt_bundle_table_find(prices, gres->name, gres->type) >= 0 ||
	    eqt_check_has_found(check, where))
		return;
	if (gres->type[0] == '\0' && eqt_check_has_gres(check, gres->name))
		eqt_check_find(check, EQT_CHECK_WARNING, where,
			       "node %s has %s without a type, but the bundles "
			       "of %s have types: no bundle prices its GPUs",
			       models->node->name, gres->name, gres->name);
	else
		eqt_check_find(check, EQT_CHECK_WARNING, where,
			       "node %s has %s%s%s, which no bundle prices: "
			       "such GPUs cost nothing",
			       models->node->name, gres->name,
			       gres->type[0] ? ":" : "", gres->type);
}

/* The nodes of one line have the same GRES, so they get one finding. */
static void check_model(struct eqt_check *check)
{
	for (size_t i = 0; i < check->cluster.count; i++) {
		struct node_models models = { check, &check->cluster.nodes[i] };

		eqt_check_node_gpus(check, models.node, gres_check_model,
				    &models);
	}
}

/* Report a Gres that cannot be parsed. All other checks skip it. */
static void check_node_gres(struct eqt_check *check)
{
	const char *list, *value;
	struct eqt_error err;
	struct eqt_gres gres;
	int rc;

	for (size_t i = 0; i < check->slurm.count; i++) {
		const struct eqt_slurmconf_line *line = &check->slurm.lines[i];

		if (!eqt_slurm_conf_line_is(line, "NodeName"))
			continue;
		value = list = eqt_slurm_conf_line_get(line, "Gres");
		while (list && (rc = eqt_gres_next(&gres, &list, &err)) != 0) {
			if (rc > 0)
				continue;
			eqt_check_find(check, EQT_CHECK_ERROR,
				       eqt_check_where_line(check, line),
				       "Gres=%s: %s", value, err.text);
			break;
		}
	}
}

/* A GRES that is searched for on a node. */
struct wanted {
	const char *name, *type;
	bool found, untyped;
};

/* A callback of eqt_check_node_gpus(): is it the wanted GRES, and is it one without a
 * type? */
static void wanted_match(const struct eqt_gres *gres, void *with)
{
	struct wanted *wanted = with;

	if (strcmp(gres->name, wanted->name) != 0)
		return;
	if (!wanted->type || strcmp(gres->type, wanted->type) == 0)
		wanted->found = true;
	if (gres->type[0] == '\0')
		wanted->untyped = true;
}

/* A line of gres.conf, and one of its nodes. */
struct gres_line {
	struct eqt_check *check;
	const struct eqt_slurmconf_line *line;
	const char *name, *type;
	bool reported;
};

/* Slurm takes the type from the NodeName line, so no job can request a type that only
 * gres.conf has. For each line the first wrong node is enough. */
static int check_gres_node(const char *host, void *with)
{
	struct gres_line *line = with;
	struct eqt_check *check = line->check;
	struct eqt_check_where where = eqt_check_where_line(check, line->line);
	const struct eqt_cluster_node *node =
		eqt_cluster_conf_find(&check->cluster, host);
	struct wanted wanted = { line->name, line->type, false, false };

	if (line->reported)
		return 0;
	line->reported = true;
	if (!node) {
		eqt_check_find(check, EQT_CHECK_WARNING, where,
			       "slurm.conf has no node %s", host);
		return 0;
	}
	eqt_check_node_gpus(check, node, wanted_match, &wanted);
	line->reported = !wanted.found;
	if (!wanted.found)
		eqt_check_find(check, EQT_CHECK_WARNING, where,
			       "%s:%s here, but the NodeName line of %s has "
			       "%s: requests use the names of that line",
			       line->name, line->type ? line->type : "", host,
			       wanted.untyped ? "none with a type"
					      : "no such Gres");
	return 0;
}

/* slurmd follows gres.conf, but requests and prices follow slurm.conf. A line without
 * NodeName applies to all nodes that read the file. */
static void check_gres_lines(struct eqt_check *check)
{
	const struct eqt_bundle_table *prices = &check->conf->prices;

	for (size_t i = 0; i < check->gres.count; i++) {
		const struct eqt_slurmconf_line *line = &check->gres.lines[i];
		const char *nodes = eqt_slurm_conf_line_get(line, "NodeName");
		struct gres_line one = { check, line,
					 eqt_slurm_conf_line_get(line, "Name"),
					 eqt_slurm_conf_line_get(line, "Type"),
					 false };

		if (!one.name || (strcmp(one.name, "gpu") != 0 &&
				  !eqt_check_has_gres(check, one.name)))
			continue;
		if (one.type &&
		    eqt_bundle_table_find(prices, one.name, one.type) < 0)
			eqt_check_warn_line(check, line, "%s:%s has no bundle",
					    one.name, one.type);
		else if (nodes)
			(void) eqt_hostlist_each(nodes, check_gres_node, &one,
						 NULL);
	}
}

/* slurmctld knows only the names in GresTypes. */
static void check_gres_types(struct eqt_check *check)
{
	const struct eqt_bundle_table *prices = &check->conf->prices;
	const char *types = eqt_check_value(check, "GresTypes", "");
	char name[EQT_NAME_SIZE];

	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		(void) snprintf(name, sizeof(name), "%.*s",
				(int) strcspn(prices->gpu[i].name, ":"),
				prices->gpu[i].name);
		if (eqt_text_list_has(types, name))
			continue;
		eqt_check_fail_key(check, "GresTypes",
				   "GresTypes has no %s: Slurm ignores it",
				   name);
		return;
	}
}

/* Is gpu[model] the only GPU model? If it is, Slurm's count of all GPUs is the count of
 * this model. Bundles with the same name are one model. */
static bool model_is_only(const struct eqt_bundle_table *prices, uint32_t model)
{
	if (strncmp(prices->gpu[model].name, "gpu:", 4) != 0)
		return false;
	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		if (strcmp(prices->gpu[i].name, prices->gpu[model].name) != 0)
			return false;
	}
	return true;
}

static void tres_find_uncounted(struct eqt_check *check, const char *name)
{
	const char *key = "AccountingStorageTRES";

	eqt_check_fail_key(check, key,
			   "%s has no %s: Slurm does not count them, so jobs "
			   "are not charged for them",
			   key, name);
}

/* Jobs are charged for the TRES that slurmctld counts, so the GRES of each bundle must be
 * among them. */
static void check_tres(struct eqt_check *check)
{
	const struct eqt_bundle_table *prices = &check->conf->prices;
	const char *key = "AccountingStorageTRES";
	const char *tracked = eqt_check_value(check, key, "");
	char name[EQT_NAME_SIZE + 8];

	(void) snprintf(name, sizeof(name), "gres/%s", check->conf->local_disk);
	if (prices->disk_gres && !eqt_text_list_has(tracked, name))
		tres_find_uncounted(check, name);
	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		(void) snprintf(name, sizeof(name), "gres/%s",
				prices->gpu[i].name);
		if (eqt_bundle_table_next(prices, i) >= 0 ||
		    eqt_text_list_has(tracked, name))
			continue;
		if (!eqt_text_list_has(tracked, "gres/gpu") ||
		    strncmp(name, "gres/gpu:", 9) != 0)
			tres_find_uncounted(check, name);
		else if (!model_is_only(prices, i))
			eqt_check_fail_key(
				check, key,
				"%s has no %s: Slurm counts such GPUs without "
				"their model, so their bundle is not known "
				"when jobs are charged",
				key, name);
	}
}

const struct eqt_check_row eqt_checks_gres[] = {
	{ "bundle-unused", EQT_NEEDS_SLURM, check_bundle_unused },
	{ "types-alike", EQT_NEEDS_SLURM, check_types_alike },
	{ "model-unpriced", EQT_NEEDS_SLURM, check_model },
	{ "gres-unreadable", EQT_NEEDS_SLURM, check_node_gres },
	{ "gres-conf", EQT_NEEDS_SLURM | EQT_NEEDS_GRES, check_gres_lines },
	{ "gres-types", EQT_NEEDS_SLURM, check_gres_types },
	{ "tres-uncounted", EQT_NEEDS_SLURM, check_tres },
	{ NULL, 0, NULL }
};
