/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "job/node_class.h"
#include "job/node_offer.h"
#include "slurm/name_list.h"
#include "slurm/candidate_nodes.h"
#include "slurm/node_bits.h"
#include "slurm/node_group.h"
#include "slurm/reservation.h"
#include "slurm/node_sets.h"

/* The number of cached kinds of nodes: a power of two. */
#define KINDS 64

/* If a request has more groups than this, the rest share the last group. That
 * group is then priced as its smallest node with the bundles of all. */
#define GROUPS_MAX 64

/* Free nodes are counted only if the number of lines of slurm.conf, multiplied
 * by the number of groups, does not exceed this limit. */
#define NOW_COMPARED 256

/* The properties of the last node of a line of slurm.conf. The next node of the
 * line usually has the same properties. Features may differ from node to node,
 * GPUs seldom do. */
struct kind {
	struct eqt_node_class has;
	bool known, fits_gpus, fits;
	bool by_features; /* Features decide `fits` and `bundles`. */
	/* The models of the node's GPUs, a bit for the first bundle of each
	   model. */
	uint32_t models;
	uint32_t bundles; /* The bundles of all nodes of this kind. */
	/* The bundles that apply to some nodes of this kind only, by the node's
	   name. */
	uint32_t by_name;
	uint32_t group; /* The group of the last node of this kind. */
};

/* The groups of the candidate nodes, among all nodes or among the nodes of
 * --nodelist. A request has one view of each if only some of its partitions may
 * give it nodes that are not in --nodelist. */
struct view {
	/* The nodes of --nodelist, borrowed from named_nodes, or NULL if the job may get
	   other nodes in the partition that is priced. */
	bitstr_t *only;
	/* The nodes that are in a group or do not fit. Owned; NULL if the view
	   was not needed so far. */
	bitstr_t *seen;
	uint32_t groups;
	struct eqt_node_group group[GROUPS_MAX];
	/* The last partition whose nodes were all seen. */
	const part_record_t *part;
};

struct eqt_survey {
	uint32_t by_features; /* A bit for each bundle that has features. */
	bool by_bundles; /* The price depends on the bundles of the nodes. */
	uint32_t named[EQT_MODELS_MAX]; /* A bit for each bundle of a model. */
	/* Owned; NULL if the request names no nodes there. */
	bitstr_t *named_nodes, *without;
	/* `without` includes the nodes that lack the request's features. */
	bool features_are_out;
	enum eqt_node_names_end names; /* The result of reading both lists. */
	uint64_t named_count; /* The number of nodes in named_nodes. */
	/* The number of nodes in --nodelist, as Slurm counts them. */
	uint64_t listed_count;
	const char *refused; /* The name of an option that is refused. */
	char unknown[EQT_NAME_LIST_UNKNOWN];
	uint32_t work; /* The number of names and nodes that were looked up. */
	/* The nodes of a partition that the view has not seen yet. Owned. */
	bitstr_t *fresh;
	struct view *view; /* The view of the partition that is priced. */
	struct view all, listed;
	struct kind kind[KINDS];
};

static uint32_t bundles_by_features(const struct eqt_bundle_table *prices)
{
	uint32_t bundles = 0;

	for (uint32_t i = 0; i < prices->gpu_count; i++)
		bundles |= (uint32_t) (prices->gpu[i].features != NULL) << i;
	return bundles;
}

/* Find out how many nodes --nodelist names. */
static void named_count(struct eqt_survey *survey,
			const struct eqt_job_spec *spec, uint64_t names)
{
	uint64_t count;

	if (!survey->named_nodes)
		return;
	if (spec->contiguous)
		bit_fill_gaps(survey->named_nodes);
	count = (uint64_t) bit_set_count(survey->named_nodes);
	survey->named_count = count;
	survey->listed_count = spec->repeats && names > count ? names : count;
}

/* May the job get no other nodes than those of --nodelist? A partition's MinNodes, or its
 * whole nodes, may give it others. */
static bool named_are_all(const struct eqt_survey *survey,
			  const struct eqt_job_spec *spec)
{
	const uint64_t count = survey->named_count;

	if (!survey->named_nodes ||
	    eqt_node_requirement_chooses(spec, survey->listed_count))
		return survey->named_nodes;
	return spec->min_nodes <= count && survey->listed_count <= count &&
	       spec->max_nodes <= count && !eqt_node_offer_may_split(spec) &&
	       !eqt_node_requirement_lists_others(spec);
}

/* Read one of the two lists of nodes. Returns false if the list is refused. */
static bool option_read(struct eqt_survey *survey, bitstr_t **out,
			const char *option, const char *text, uint64_t *names)
{
	int64_t budget = eqt_name_list_budget() - survey->work;

	survey->refused = option;
	survey->names =
		eqt_name_list_read(out, text, &budget, names, survey->unknown);
	survey->work = (uint32_t) (eqt_name_list_budget() - budget);
	return survey->names <= EQT_NODE_NAMES_READ;
}

static void lists_read(struct eqt_survey *survey,
		       const struct eqt_job_spec *spec)
{
	uint64_t excluded, names;

	survey->work = 0;
	survey->named_count = survey->listed_count = 0;
	if (option_read(survey, &survey->without, "--exclude", spec->exclude,
			&excluded) &&
	    option_read(survey, &survey->named_nodes, "--nodelist",
			spec->nodelist, &names))
		named_count(survey, spec, names);
}

/* Exclude all nodes that are not in *nodes. The survey takes *nodes over. */
static void others_exclude(struct eqt_survey *survey, bitstr_t **nodes)
{
	bit_not(*nodes);
	if (survey->without) {
		bit_or(survey->without, *nodes);
		FREE_NULL_BITMAP(*nodes);
	} else {
		survey->without = *nodes;
		*nodes = NULL;
	}
}

/* Exclude the nodes that are not in the request's reservations. */
static void survey_take_reservations(struct eqt_survey *survey,
				     const struct eqt_job_spec *spec)
{
	bitstr_t *nodes =
		eqt_reservation_nodes(spec->reservation, &survey->work);

	if (nodes)
		others_exclude(survey, &nodes);
}

/* A search for the nodes that have the features of a request. */
struct featured {
	const struct eqt_node_requirement *wish;
	/* The nodes with all features, or with any feature, as the request
	   wants. */
	bitstr_t *nodes;
	uint32_t found; /* The number of features that some node has. */
};

static int feature_apply(void *item, void *arg)
{
	const node_feature_t *feature = item;
	struct featured *featured = arg;

	if (!feature->node_bitmap ||
	    bit_size(feature->node_bitmap) != bit_size(featured->nodes))
		return -1;
	if (!eqt_node_requirement_has_feature(featured->wish, feature->name))
		return 0;
	featured->found++;
	if (featured->wish->any_feature)
		bit_or(featured->nodes, feature->node_bitmap);
	else
		bit_and(featured->nodes, feature->node_bitmap);
	return 0;
}

/* Exclude the nodes that lack the features of a request, with the help of
 * slurmctld's list of features and their nodes. If there is no such list, or if
 * it is longer than the table of nodes, kind_of() reads the features of each
 * node instead. */
static void features_read(struct eqt_survey *survey,
			  const struct eqt_node_requirement *wish)
{
	struct featured featured = { .wish = wish };

	if (!wish->features || !&active_feature_list || !active_feature_list ||
	    list_count(active_feature_list) >= eqt_slurm_node_slots())
		return;
	survey->work += (uint32_t) list_count(active_feature_list);
	featured.nodes = bit_alloc(eqt_slurm_node_slots());
	if (!wish->any_feature)
		bit_set_all(featured.nodes);
	survey->features_are_out = list_for_each_ro(active_feature_list,
						    feature_apply,
						    &featured) >= 0;
	/* slurmctld's list leaves out a feature that no node has. */
	if (!wish->any_feature && featured.found < wish->names.count)
		bit_clear_all(featured.nodes);
	if (survey->features_are_out)
		others_exclude(survey, &featured.nodes);
	FREE_NULL_BITMAP(featured.nodes);
}

/* The requirements of most requests: none. */
static const struct eqt_node_requirement any_node;

bool eqt_candidate_nodes_read(struct eqt_candidate_nodes *candidates,
			      const struct eqt_job_spec *spec)
{
	struct eqt_node_requirement *wish;

	if (!candidates->wish && !spec->constraint &&
	    !eqt_node_offer_asks_gpus(spec))
		candidates->wish = &any_node;
	if (candidates->wish)
		return true;
	candidates->wish = wish = malloc(sizeof(*wish));
	if (wish)
		eqt_node_requirement_make(wish, spec);
	candidates->gpus = eqt_node_offer_gpus(spec);
	return wish != NULL;
}

/* Let all nodes, or those of --nodelist, be candidates. */
static void view_choose(struct eqt_survey *survey, bool listed)
{
	struct view *view = listed ? &survey->listed : &survey->all;

	survey->view = view;
	if (view->seen)
		return;
	view->only = listed ? survey->named_nodes : NULL;
	view->seen = bit_alloc(eqt_slurm_node_slots());
	view->groups = 0;
	view->part = NULL;
}

static void view_close(struct view *view)
{
	if (!view->seen)
		return;
	FREE_NULL_BITMAP(view->seen);
	for (uint32_t i = 0; i < view->groups; i++)
		eqt_node_bits_close(&view->group[i].nodes);
}

/* The survey of a request, made at the first call. NULL if memory is short. */
static struct eqt_survey *survey_open(struct eqt_candidate_nodes *candidates,
				      const struct eqt_job_spec *spec)
{
	struct eqt_survey *survey = candidates->survey;

	if (survey || eqt_slurm_node_slots() < 1 ||
	    !eqt_candidate_nodes_read(candidates, spec))
		return survey;
	survey = malloc(sizeof(*survey));
	if (!survey)
		return NULL;
	candidates->survey = survey;
	survey->by_bundles =
		(candidates->several && candidates->prices->gpu_count > 1) ||
		eqt_node_offer_has_bundles(spec, candidates->prices);
	eqt_node_class_names(survey->named, candidates->prices);
	survey->by_features = bundles_by_features(candidates->prices);
	survey->named_nodes = survey->without = NULL;
	survey->features_are_out = false;
	survey->fresh = bit_alloc(eqt_slurm_node_slots());
	survey->all.seen = survey->listed.seen = NULL;
	for (uint32_t i = 0; i < KINDS; i++) {
		survey->kind[i].known = false;
		survey->kind[i].group = 0;
	}
	lists_read(survey, spec);
	view_choose(survey, named_are_all(survey, spec));
	survey_take_reservations(survey, spec);
	features_read(survey, candidates->wish);
	return survey;
}

void eqt_candidate_nodes_close(struct eqt_candidate_nodes *candidates)
{
	struct eqt_survey *survey = candidates->survey;

	if (candidates->wish != &any_node)
		free((void *) (uintptr_t) candidates->wish);
	candidates->wish = NULL;
	if (!survey)
		return;
	FREE_NULL_BITMAP(survey->named_nodes);
	FREE_NULL_BITMAP(survey->without);
	FREE_NULL_BITMAP(survey->fresh);
	view_close(&survey->all);
	view_close(&survey->listed);
	free(survey);
	candidates->survey = NULL;
}

uint32_t eqt_candidate_nodes_work(const struct eqt_candidate_nodes *candidates)
{
	return candidates->survey ? candidates->survey->work : 0;
}

int eqt_candidate_nodes_names(struct eqt_candidate_nodes *candidates,
			      const struct eqt_job_spec *spec,
			      struct eqt_error *err)
{
	const struct eqt_survey *survey;

	if (!spec->nodelist && !spec->exclude)
		return 0;
	survey = survey_open(candidates, spec);
	if (!survey || survey->names <= EQT_NODE_NAMES_READ)
		return 0;
	if (survey->names == EQT_NODE_NAMES_UNKNOWN)
		return eqt_error_set(err, "%s: there is no node %s",
				     survey->refused, survey->unknown);
	return eqt_error_set(err, "--nodelist and --exclude name more nodes "
				  "than there are");
}

uint64_t eqt_candidate_nodes_listed(struct eqt_candidate_nodes *candidates,
				    const struct eqt_job_spec *spec)
{
	struct eqt_survey *survey;

	if (!spec->nodelist || spec->nodelist[0] == '\0')
		return 0;
	survey = survey_open(candidates, spec);
	if (!survey)
		return 0;
	view_choose(survey, named_are_all(survey, spec));
	return survey->listed_count;
}

static void kind_set_gpus(struct kind *kind,
			  const struct eqt_candidate_nodes *candidates)
{
	const struct eqt_survey *survey = candidates->survey;

	kind->fits_gpus =
		eqt_node_class_fits_gpus(&kind->has, candidates->wish);
	kind->by_features = kind->fits_gpus && candidates->wish->features &&
			    !survey->features_are_out;
	kind->models = kind->by_name = 0;
	if (!kind->fits_gpus || !survey->by_bundles || !kind->has.gres)
		return;
	kind->models = eqt_node_class_models(&kind->has, candidates->prices);
	kind->by_name =
		eqt_node_class_by_name(candidates->prices, kind->models);
	for (uint32_t i = 0; i < candidates->prices->gpu_count; i++) {
		if ((kind->models >> i & 1) &&
		    (survey->named[i] & survey->by_features))
			kind->by_features = true;
	}
}

static void kind_set_features(struct kind *kind,
			      const struct eqt_candidate_nodes *candidates)
{
	const struct eqt_survey *survey = candidates->survey;

	kind->fits =
		kind->fits_gpus &&
		(survey->features_are_out ||
		 eqt_node_class_fits_features(&kind->has, candidates->wish));
	kind->bundles =
		kind->fits && kind->models
			? eqt_node_class_bundles(&kind->has, candidates->prices,
						 survey->named, kind->models)
			: 0;
}

/* The kind of a node. Usually it equals the kind of the last node of the same
 * line of slurm.conf. */
static struct kind *kind_of(struct eqt_candidate_nodes *candidates,
			    const node_record_t *node)
{
	struct eqt_survey *survey = candidates->survey;
	struct kind *kind =
		&survey->kind[(uintptr_t) node->config_ptr / 64 % KINDS];
	const bool same_gpus =
		kind->known &&
		eqt_node_group_text_is(kind->has.gres, node->gres);

	if (same_gpus && (!kind->by_features ||
			  eqt_node_group_text_is(kind->has.features,
						 eqt_node_sets_features(node))))
		return kind;
	kind->known = true;
	kind->has = eqt_node_sets_class(node);
	if (!same_gpus)
		kind_set_gpus(kind, candidates);
	kind_set_features(kind, candidates);
	return kind;
}

static uint32_t bundles_of_node(const struct eqt_candidate_nodes *candidates,
				const struct kind *kind,
				const node_record_t *node)
{
	struct eqt_node_class has = kind->has;

	if (!kind->by_name || !candidates->sets)
		return kind->bundles;
	has.named = eqt_node_sets_named(candidates->sets, kind->by_name, node);
	return has.named ? eqt_node_class_bundles(&has, candidates->prices,
						  candidates->survey->named,
						  kind->models)
			 : kind->bundles;
}

/* The index of the group of nodes that are like *like. Returns the last group
 * if there are too many. */
static uint32_t group_of(struct eqt_survey *survey,
			 const struct eqt_node_group *like, uint32_t guess)
{
	struct view *view = survey->view;
	uint32_t i;

	if (guess < view->groups &&
	    eqt_node_group_is(&view->group[guess], like))
		return guess;
	for (i = 0; i < view->groups; i++) {
		if (eqt_node_group_is(&view->group[i], like))
			return i;
	}
	if (i == GROUPS_MAX)
		return GROUPS_MAX - 1;
	view->group[i] = *like;
	view->groups++;
	return i;
}

bool eqt_candidate_nodes_widen(struct eqt_candidate_nodes *candidates,
			       const struct eqt_job_spec *spec)
{
	struct eqt_survey *survey = candidates->survey;

	if (survey && survey->named_nodes &&
	    eqt_node_requirement_chooses(spec, survey->listed_count))
		return false;
	if (survey)
		view_choose(survey, false);
	return true;
}

/* Do --nodelist and --exclude allow the node? */
static bool node_is_listed(const struct eqt_survey *survey, bitoff_t i)
{
	return (!survey->view->only || bit_test(survey->view->only, i)) &&
	       (!survey->without || !bit_test(survey->without, i));
}

/* Find the group of a node whose kind fits, and merge the node's resources into
 * the group. */
static struct eqt_node_group *group_add(struct eqt_survey *survey,
					struct kind *kind, uint32_t bundles,
					const node_record_t *node)
{
	const struct eqt_node_group like = {
		.cpus = node->cpus_efctv,
		.mem_mib = eqt_node_sets_memory(node),
		.system_mib = node->mem_spec_limit,
		.threads = node->tpc,
		.hw_threads = node->threads,
		.sockets = node->tot_sockets,
		.gres = node->gres ? node->gres : "",
		.bundles = bundles,
	};

	kind->group = group_of(survey, &like, kind->group);
	eqt_node_group_merge(&survey->view->group[kind->group], &like);
	return &survey->view->group[kind->group];
}

/* Add a node to its group. Returns the bundles of the node. */
static uint32_t node_add(struct eqt_candidate_nodes *candidates, bitoff_t i)
{
	const node_record_t *node = node_record_table_ptr[i];
	struct eqt_survey *survey = candidates->survey;
	struct eqt_node_group *group;
	struct kind *kind;
	uint32_t bundles;

	survey->work++;
	bit_set(survey->view->seen, i);
	if (!node || !node_is_listed(survey, i))
		return 0;
	kind = kind_of(candidates, node);
	if (!kind->fits)
		return 0;
	bundles = bundles_of_node(candidates, kind, node);
	group = group_add(survey, kind, bundles, node);
	eqt_node_bits_add(&group->nodes, i);
	return bundles;
}

/* Add the nodes of one line of slurm.conf that are not seen yet to their group,
 * all at once, because they differ only in features and names. Returns their
 * bundles. */
static uint32_t line_add(struct eqt_candidate_nodes *candidates,
			 const config_record_t *line)
{
	struct eqt_survey *survey = candidates->survey;
	const struct eqt_node_bits bits = { survey->fresh, survey->view->seen,
					    survey->view->only,
					    survey->without };
	struct eqt_node_set nodes = { .word = NULL };
	const node_record_t *node;
	struct kind *kind;
	bitoff_t first;

	if (!eqt_node_bits_fit(line->node_bitmap, survey->fresh))
		return 0;
	first = eqt_node_bits_first(line->node_bitmap, survey->fresh);
	if (first < 0)
		return 0;
	survey->work++;
	node = node_record_table_ptr[first];
	kind = node ? kind_of(candidates, node) : NULL;
	if (!kind || kind->by_features || (kind->by_name && candidates->sets))
		return 0;
	first = eqt_node_bits_take(&bits, &nodes, line->node_bitmap, first);
	if (kind->fits && first >= 0)
		eqt_node_bits_move(&group_add(survey, kind, kind->bundles,
					      node_record_table_ptr[first])
					    ->nodes,
				   &nodes);
	eqt_node_bits_close(&nodes);
	return kind->fits && first >= 0 ? kind->bundles : 0;
}

/* Add the nodes of all lines of slurm.conf until all wanted bundles are
 * found. */
static uint32_t lines_add(struct eqt_candidate_nodes *candidates,
			  uint32_t wanted)
{
	list_itr_t *iterator;
	const config_record_t *line;
	uint32_t found = 0;

	/* Lines do not help if the features of each node must be read. */
	if (!config_list || (candidates->wish->features &&
			     !candidates->survey->features_are_out))
		return 0;
	iterator = list_iterator_create(config_list);
	while ((line = list_next(iterator))) {
		found |= line_add(candidates, line);
		if (wanted && (found & wanted) == wanted)
			break;
	}
	list_iterator_destroy(iterator);
	return found;
}

/* Add the nodes of a partition that are not seen yet to groups, until all
 * wanted bundles are found. If wanted is 0, add all nodes. Returns the bundles
 * of the added nodes. */
static uint32_t nodes_add(struct eqt_candidate_nodes *candidates,
			  const part_record_t *part, uint32_t wanted)
{
	bitstr_t *const fresh = candidates->survey->fresh;
	uint32_t found;

	bit_copybits(fresh, part->node_bitmap);
	bit_and_not(fresh, candidates->survey->view->seen);
	found = lines_add(candidates, wanted);
	if (wanted && (found & wanted) == wanted)
		return found;
	for (bitoff_t i = -1; (i = eqt_node_bits_next(fresh, i + 1)) >= 0;) {
		eqt_node_sets_prefetch(candidates->survey->by_bundles
					       ? candidates->sets
					       : NULL,
				       i);
		found |= node_add(candidates, i);
		if (wanted && (found & wanted) == wanted)
			break;
	}
	return found;
}

/* Does the partition's bitmap have as many bits as the table has nodes? */
static bool part_has_nodes(const struct eqt_survey *survey,
			   const part_record_t *part)
{
	return eqt_node_bits_fit(part->node_bitmap, survey->view->seen);
}

/* Add all nodes of a partition to groups, and count the partition's nodes in
 * each group. */
static void groups_find(struct eqt_candidate_nodes *candidates,
			const part_record_t *part)
{
	struct view *view = candidates->survey->view;

	(void) nodes_add(candidates, part, 0);
	/* Bitmaps are compared here and again in the loop below. */
	candidates->compared += 2 * view->groups;
	view->part = part;
	for (uint32_t i = 0; i < view->groups; i++)
		view->group[i].count = eqt_node_bits_count_set(
			&view->group[i].nodes, part->node_bitmap);
}

void eqt_candidate_nodes_offer(struct eqt_candidate_nodes *candidates,
			       struct eqt_job_spec *spec,
			       const part_record_t *part)
{
	const struct eqt_survey *survey = survey_open(candidates, spec);

	if (!survey || !part_has_nodes(survey, part))
		return;
	groups_find(candidates, part);
	for (uint32_t i = 0; i < survey->view->groups; i++) {
		const struct eqt_node_group *group = &survey->view->group[i];
		struct eqt_node_offer offer = eqt_node_group_offer(group);

		if (group->count == 0)
			continue;
		offer.count = group->count;
		(void) eqt_node_offer_add(spec, &offer);
	}
}

/* Record the nodes that each group has on one line of slurm.conf. These nodes
 * have one weight. */
static void now_add(struct eqt_nodes_now *now, const struct eqt_survey *survey,
		    uint64_t weight, const bitstr_t *up, const bitstr_t *idle)
{
	const struct view *view = survey->view;
	for (uint32_t i = 0; i < view->groups; i++) {
		const struct eqt_node_group *group = &view->group[i];
		struct eqt_node_now set = {
			.offer = eqt_node_group_offer(group), .weight = weight
		};

		if (group->count == 0)
			continue;
		set.offer.count = eqt_node_bits_count_set(&group->nodes, up);
		set.idle = eqt_node_bits_count_set(&group->nodes, idle);
		(void) eqt_node_offer_now_add(now, &set);
	}
}

/* Can free nodes be counted? The bitmaps of free nodes exist only in slurmctld.
 * The number of groups and lines is limited, because each line is compared with
 * each group. */
static bool now_is_known(const struct eqt_survey *survey)
{
	return &avail_node_bitmap && avail_node_bitmap && idle_node_bitmap &&
	       config_list &&
	       (uint32_t) list_count(config_list) * survey->view->groups <=
		       NOW_COMPARED &&
	       !slurm_conf.suspend_program &&
	       bit_size(avail_node_bitmap) == bit_size(survey->view->seen);
}

void eqt_candidate_nodes_now(struct eqt_candidate_nodes *candidates,
			     struct eqt_nodes_now *now,
			     const struct eqt_job_spec *spec,
			     const part_record_t *part)
{
	const struct eqt_survey *survey = survey_open(candidates, spec);
	const uint64_t minutes = spec->minutes ? spec->minutes
					       : spec->defaults.minutes;
	bitstr_t *up, *some, *idle;
	const config_record_t *line;
	list_itr_t *iterator;

	if (!survey || !part_has_nodes(survey, part))
		return;
	groups_find(candidates, part);
	if (!now_is_known(survey))
		return;
	up = survey->fresh;
	bit_copybits(up, part->node_bitmap);
	bit_and(up, avail_node_bitmap);
	eqt_reservation_remove(up, spec->reservation, minutes);
	some = bit_alloc(bit_size(up));
	idle = bit_alloc(bit_size(up));
	iterator = list_iterator_create(config_list);
	while (!now->more && (line = list_next(iterator))) {
		if (!eqt_node_bits_fit(line->node_bitmap, up) ||
		    !bit_overlap_any(line->node_bitmap, up))
			continue;
		bit_copybits(some, line->node_bitmap);
		bit_and(some, up);
		bit_copybits(idle, some);
		bit_and(idle, idle_node_bitmap);
		now_add(now, survey, line->weight, some, idle);
	}
	list_iterator_destroy(iterator);
	FREE_NULL_BITMAP(some);
	FREE_NULL_BITMAP(idle);
}

/* The bundles that must be searched for on the candidate nodes. Returns 0 if
 * the price does not depend on nodes: for parts of nodes without GPUs, or with
 * a single bundle. */
static uint32_t bundles_wanted(const struct eqt_bundle_table *prices,
			       const struct eqt_job_spec *spec,
			       const struct eqt_demand *demand)
{
	struct eqt_demand more;

	if (!eqt_node_offer_has_bundles(spec, prices))
		return 0;
	if (spec->tasks_per_gpu == 0 && !spec->exclusive)
		return eqt_price_range_models(prices, demand);
	/* On more nodes the job may have more tasks, and therefore more
	   GPUs. Whole nodes may have GPUs of other models. */
	more = *demand;
	more.gpus_untyped++;
	return eqt_price_range_models(prices, &more);
}

/* Find the wanted bundles that are on candidate nodes of the partition. The
 * result may have bundles that are not wanted. */
static uint32_t bundles_find(struct eqt_candidate_nodes *candidates,
			     uint32_t wanted, const part_record_t *part)
{
	const struct view *view = candidates->survey->view;
	uint32_t found = 0;

	if (view->part != part)
		candidates->compared += view->groups;
	for (uint32_t i = 0; i < view->groups; i++) {
		const struct eqt_node_group *group = &view->group[i];

		if ((group->bundles & wanted & ~found) == 0)
			continue;
		if ((view->part == part
			     ? group->count
			     : eqt_node_bits_count_set(&group->nodes,
						       part->node_bitmap)) > 0)
			found |= group->bundles;
	}
	if (view->part != part && (found & wanted) != wanted)
		found |= nodes_add(candidates, part, wanted & ~found);
	return found;
}

void eqt_candidate_nodes_apply(struct eqt_candidate_nodes *candidates,
			       struct eqt_bundle_table *prices,
			       const struct eqt_job_spec *spec,
			       const struct eqt_demand *demand,
			       const part_record_t *part)
{
	const uint32_t wanted = bundles_wanted(prices, spec, demand);
	const struct eqt_survey *survey;

	if (!wanted)
		return;
	survey = survey_open(candidates, spec);
	if (!survey)
		return;
	prices->models_away = part_has_nodes(survey, part)
				      ? ~bundles_find(candidates, wanted, part)
				      : ~UINT32_C(0);
}
