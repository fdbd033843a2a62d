/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a closed section of equitree.conf adds to the configuration, or what is
 * wrong with it as a whole. */
#include <stdbool.h>
#include <string.h>

#include "conf/conf_impl.h"

/* "gpu", "gpu:p100" */
static bool is_gres_name(const char *name)
{
	size_t length = strspn(name, EQT_CONF_NAME_CHARACTERS);
	const char *type = name + length;

	if (length == 0 || strlen(name) >= EQT_NAME_SIZE)
		return false;
	if (*type == '\0')
		return true;
	length = strspn(type + 1, EQT_CONF_NAME_CHARACTERS);
	return *type == ':' && length > 0 && type[1 + length] == '\0';
}

/* Whether a bundle of that name is there for the same nodes. */
static bool is_twice(const struct eqt_conf_section *section, const char *name)
{
	const struct eqt_conf *conf = section->conf;
	const struct eqt_bundle_table *prices = &conf->prices;
	uint32_t i;

	if (strcmp(name, "cores") == 0)
		return prices->cores.cores_u > 0;
	for (i = 0; i < prices->gpu_count; i++) {
		if (strcmp(prices->gpu[i].name, name) == 0 &&
		    strcmp(conf->nodes[i], section->nodes) == 0 &&
		    strcmp(conf->features[i], section->features) == 0)
			return true;
	}
	return false;
}

/* What is wrong with a bundle that has a good name. */
static int bundle_check(const struct eqt_conf_section *section,
			const char *name)
{
	const struct eqt_bundle *bundle = &section->bundle;
	bool cores = strcmp(name, "cores") == 0;

	if (bundle->cores_u == 0)
		return eqt_conf_refuse(section->place,
				       "bundle \"%s\" has no cores", name);
	if (is_twice(section, name))
		return eqt_conf_refuse(section->place,
				       "found duplicate title '%s'", name);
	if (cores && bundle->weight_u != EQT_MICRO)
		return eqt_conf_refuse(
			section->place,
			"the weight of bundle \"cores\" is always 1");
	if (cores && (section->nodes[0] || section->features[0]))
		return eqt_conf_refuse(section->place,
				       "bundle \"cores\" is that of all nodes");
	if (!cores && section->conf->prices.gpu_count == EQT_MODELS_MAX)
		return eqt_conf_refuse(
			section->place,
			"bundle \"%s\" is one too many: at most %d for GPUs",
			name, EQT_MODELS_MAX);
	return 0;
}

/* Where a bundle holds: the texts stay in conf, the bundle points there. */
static void bundle_place(struct eqt_conf_section *section, uint32_t at)
{
	struct eqt_conf *conf = section->conf;

	memcpy(conf->nodes[at], section->nodes, EQT_NODES_SIZE);
	memcpy(conf->features[at], section->features, EQT_NODES_SIZE);
	if (conf->nodes[at][0] != '\0')
		section->bundle.nodes = conf->nodes[at];
	if (conf->features[at][0] != '\0')
		section->bundle.features = conf->features[at];
}

int eqt_conf_bundle_add(struct eqt_conf_section *section, const char *name)
{
	struct eqt_conf *conf = section->conf;
	struct eqt_bundle *to = &conf->prices.cores;

	if (!is_gres_name(name))
		return eqt_conf_refuse(
			section->place,
			"bundle \"%s\": wanted is cores or a "
			"GRES name such as gpu or gpu:p100, of at most "
			"%d characters",
			name, EQT_NAME_SIZE - 1);
	if (bundle_check(section, name) < 0)
		return -1;
	if (strcmp(name, "cores") != 0) {
		uint32_t at = conf->prices.gpu_count++;

		to = &conf->prices.gpu[at];
		bundle_place(section, at);
	}
	*to = section->bundle;
	memcpy(to->name, name, strlen(name) + 1);
	return 0;
}

/* A name of these characters that fits, or the error; kind is the section's. */
static int name_check(const struct eqt_conf_section *section, const char *kind,
		      const char *name)
{
	size_t length = strlen(name);

	if (length == 0 || length >= EQT_NAME_SIZE ||
	    strspn(name, EQT_CONF_NAME_CHARACTERS) != length)
		return eqt_conf_refuse(section->place,
				       "%s \"%s\": wanted is a name of at "
				       "most %d letters, digits, _, . and -",
				       kind, name, EQT_NAME_SIZE - 1);
	return 0;
}

static int rule_add(struct eqt_conf_section *section,
		    struct eqt_rule_list *list, const char *kind,
		    const char *name)
{
	if (name_check(section, kind, name) < 0)
		return -1;
	if (list->count == EQT_RULES_MAX)
		return eqt_conf_refuse(section->place,
				       "%s \"%s\" is one too many: at most %d",
				       kind, name, EQT_RULES_MAX);
	memcpy(section->rule.name, name, strlen(name) + 1);
	list->rule[list->count++] = section->rule;
	return 0;
}

int eqt_conf_partition_add(struct eqt_conf_section *section, const char *name)
{
	if (section->rule.mem_mib_u > 0 && section->rule.cores_u == 0)
		return eqt_conf_refuse(section->place,
				       "partition \"%s\" has memory without "
				       "cores",
				       name);
	return rule_add(section, &section->conf->partitions, "partition", name);
}

int eqt_conf_qos_add(struct eqt_conf_section *section, const char *name)
{
	return rule_add(section, &section->conf->qos, "qos", name);
}

int eqt_conf_pool_add(struct eqt_conf_section *section, const char *name)
{
	struct eqt_pools *pools = &section->conf->pools;
	enum eqt_pool pool = strcmp(name, "gpu") == 0 ? EQT_POOL_GPU
						      : EQT_POOL_CPU;

	if (pool == EQT_POOL_CPU && strcmp(name, "cpu") != 0)
		return eqt_conf_refuse(section->place,
				       "pool \"%s\": wanted is cpu or gpu",
				       name);
	if (section->suffix[0] == '\0')
		return eqt_conf_refuse(section->place,
				       "pool \"%s\" has no suffix", name);
	memcpy(pools->suffix[pool], section->suffix, EQT_NAME_SIZE);
	if (strcmp(pools->suffix[EQT_POOL_CPU], pools->suffix[EQT_POOL_GPU]) ==
	    0)
		return eqt_conf_refuse(section->place,
				       "both pools have the suffix %s",
				       section->suffix);
	return 0;
}

int eqt_conf_grant_add(struct eqt_conf_section *section, const char *name)
{
	struct eqt_grant_list *list = &section->conf->grants;
	struct eqt_grant_rule *grant = &section->grant;
	size_t length = strlen(name);

	if (length == 0 || length >= EQT_NAME_SIZE ||
	    strspn(name, EQT_CONF_NAME_CHARACTERS "*") != length)
		return eqt_conf_refuse(section->place,
				       "grant \"%s\": wanted is an account's "
				       "name, in which * is any part, of at "
				       "most %d characters",
				       name, EQT_NAME_SIZE - 1);
	if (list->count == EQT_GRANTS_MAX)
		return eqt_conf_refuse(
			section->place,
			"grant \"%s\" is one too many: at most %d", name,
			EQT_GRANTS_MAX);
	if ((grant->spent == EQT_GRANT_BONUS ||
	     grant->scarce == EQT_GRANT_BONUS) &&
	    grant->bonus[0] == '\0')
		return eqt_conf_refuse(section->place,
				       "grant \"%s\" names no bonus", name);
	memcpy(grant->name, name, length + 1);
	list->rule[list->count++] = *grant;
	return 0;
}
