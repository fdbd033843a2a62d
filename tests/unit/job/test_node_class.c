/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../unit.h"

#include <inttypes.h>
#include <stdio.h>

#include "job/node_class.h"

/* Two models have further bundles for some nodes, by names or by features. */
static const struct eqt_bundle_table prices = {
	.cores = { "cores", EQT_MICRO, 0, EQT_MICRO, NULL, NULL, NULL, 0, 0, NULL },
	.gpu = (const struct eqt_bundle[]){ { "gpu:p100", EQT_MICRO, 0, EQT_MICRO, NULL, NULL, NULL, 0, 0, NULL },
		 { "gpu:p100", EQT_MICRO, 0, EQT_MICRO, "n[1-4]", NULL, NULL, 0, 0, NULL },
		 { "gpu:v100", EQT_MICRO, 0, EQT_MICRO, NULL, "big,new", NULL, 0, 0, NULL },
		 { "gpu", EQT_MICRO, 0, EQT_MICRO, NULL, NULL, NULL, 0, 0, NULL },
		 { "gpu:v100", EQT_MICRO, 0, EQT_MICRO, NULL, NULL, NULL, 0, 0, NULL },
		 { "gpu:p100", EQT_MICRO, 0, EQT_MICRO, "n[1-9]", "new", NULL, 0, 0, NULL } },
	.gpu_count = 6,
};

static struct eqt_node_class kind_of(const char *gres, const char *features)
{
	return (struct eqt_node_class) { .gres = gres,
				   .features = features,
				   .features_length =
					   features ? strlen(features) : 0 };
}

static const struct {
	const char *name, *gres, *features;
	uint32_t named, bundles, by_name;
} bundle_rows[] = {
	{ "no GPUs", NULL, "big", 0, 0, 0 },
	{ "another resource", "craynetwork:2", "", 0, 0, 0 },
	{ "on no node that is named", "gpu:p100:4(S:0-1)", "new", 0, 1, 0x22 },
	{ "on one that is", "gpu:p100:4", "", 0x2, 0x2, 0x22 },
	{ "the first that names it", "gpu:p100:4", "new", 0x22, 0x2, 0x22 },
	{ "named, with the features", "gpu:p100:4", "old,new", 0x20, 0x20,
	  0x22 },
	{ "named, without them", "gpu:p100:4", "old", 0x20, 0x1, 0x22 },
	{ "all features", "gpu:v100:1", "new,old,big", 0, 0x4, 0 },
	{ "one of two", "gpu:v100:1", "new,bigger", 0, 0x10, 0 },
	{ "a type without a bundle of its own", "gpu:k80:2", NULL, 0, 0x8, 0 },
	{ "no type", "gpu:2", NULL, 0, 0x8, 0 },
	{ "several", "gpu:v100:1,x:1,gpu:p100:2(S:0),gpu:k80", "", 0, 0x19,
	  0x22 },
	{ "what cannot be read ends it", "gpu:v100:1,gpu:,gpu:k80", "", 0,
	  0x10, 0 },
	{ "a node without features", "gpu:v100:1", NULL, 0, 0x10, 0 },
};

START_TEST(bundles_are_those_that_hold_there)
{
	struct eqt_node_class kind = kind_of(bundle_rows[_i].gres,
				       bundle_rows[_i].features);
	uint32_t models = eqt_node_class_models(&kind, &prices);
	uint32_t named[EQT_MODELS_MAX];

	eqt_node_class_names(named, &prices);
	kind.named = bundle_rows[_i].named;
	ck_assert_msg(eqt_node_class_bundles(&kind, &prices, named, models) ==
			      bundle_rows[_i].bundles,
		      "%s: 0x%x", bundle_rows[_i].name,
		      eqt_node_class_bundles(&kind, &prices, named, models));
	ck_assert_msg(eqt_node_class_by_name(&prices, models) ==
			      bundle_rows[_i].by_name,
		      "%s by name", bundle_rows[_i].name);
}
END_TEST

START_TEST(a_feature_of_one_letter_may_be_the_last_one)
{
	const struct eqt_bundle_table lettered = {
		.cores = prices.cores,
		.gpu = (const struct eqt_bundle[]){ { "gpu:v100", EQT_MICRO, 0, EQT_MICRO, NULL, "x", NULL, 0, 0, NULL },
			 { "gpu:v100", EQT_MICRO, 0, EQT_MICRO, NULL, NULL, NULL, 0, 0, NULL } },
		.gpu_count = 2,
	};
	uint32_t named[EQT_MODELS_MAX];
	const struct eqt_node_class last = kind_of("gpu:v100:1", "old,x");
	const struct eqt_node_class none = kind_of("gpu:v100:1", "x1,y");

	eqt_node_class_names(named, &lettered);
	ck_assert_uint_eq(eqt_node_class_bundles(
				  &last, &lettered, named,
				  eqt_node_class_models(&last, &lettered)),
			  0x1);
	ck_assert_uint_eq(eqt_node_class_bundles(
				  &none, &lettered, named,
				  eqt_node_class_models(&none, &lettered)),
			  0x2);
}
END_TEST

static const struct {
	const char *name, *constraint, *gpus, *features, *gres;
	bool fits;
} fit_rows[] = {
	{ "nothing is wanted", NULL, NULL, NULL, NULL, true },
	{ "an empty constraint", "", NULL, NULL, NULL, true },
	{ "a feature", "new", NULL, "old,new", NULL, true },
	{ "none has it", "new", NULL, NULL, NULL, false },
	{ "the beginning of one", "ne", NULL, "new", NULL, false },
	{ "more than one", "newer", NULL, "new", NULL, false },
	{ "all", "new&big", NULL, "big,new", NULL, true },
	{ "one of two, twice", "new&big", NULL, "new,new", NULL, false },
	{ "all, by a comma", "new,big", NULL, "new", NULL, false },
	{ "any", "new|big", NULL, "big", NULL, true },
	{ "any of none", "new|big", NULL, "old", NULL, false },
	{ "numbers of nodes", "new*2", NULL, "new", NULL, true },
	{ "brackets", "[new|old]&x", NULL, "old", NULL, true },
	{ "a model", NULL, "gres:gpu:p100:2", "", "gpu:p100:4(S:0)", true },
	{ "another", NULL, "gres:gpu:p100:2", "", "gpu:v100:4", false },
	{ "one of two", NULL, "gpu:p100:1,gpu:v100:1", "", "gpu:v100:4", true },
	{ "any model", NULL, "gres/gpu=2", "", "gpu:v100:4", true },
	{ "without GPUs", NULL, "gres:gpu:2", "", NULL, false },
	{ "shares of GPUs", NULL, "gres:shard:2", "", "gpu:rtx:4,shard:8", true },
	{ "GPUs without shares", NULL, "gres:shard:2", "", "gpu:rtx:4", false },
	{ "another resource", NULL, "gres:nic:2", "", "gpu:rtx:4", true },
	{ "none of a model", NULL, "gres:gpu:p100:0", "", NULL, true },
	{ "GPUs without a type have any", NULL, "gpu:p100", "", "gpu:4", true },
	{ "both", "new", "gres:gpu:1", "new", "x:1,gpu:4", true },
	{ "one of both", "new", "gres:gpu:1", "old", "gpu:4", false },
	{ "one letter that the node has not", "a", NULL, "b", NULL, false },
	{ "one letter, the last of the node", "x", NULL, "old,x", NULL, true },
	{ "a long name between others", "a_long_feature", NULL,
	  "another_long_one,a_long_feature,x", NULL, true },
	{ "a long name behind another in the constraint",
	  "some_other_name|a_long_feature", NULL, "a_long_feature", NULL,
	  true },
};

START_TEST(a_node_fits_that_has_what_is_wanted)
{
	const struct eqt_node_class kind = kind_of(fit_rows[_i].gres,
					     fit_rows[_i].features);
	const struct eqt_job_spec spec = { .constraint = fit_rows[_i].constraint,
				     .tres_per_node = fit_rows[_i].gpus };
	struct eqt_node_requirement wish;

	eqt_node_requirement_make(&wish, &spec);
	ck_assert_msg(eqt_node_class_fits(&kind, &wish) == fit_rows[_i].fits, "%s",
		      fit_rows[_i].name);
}
END_TEST

START_TEST(a_model_counts_in_each_list_of_a_request)
{
	const struct eqt_node_class kind = kind_of("gpu:v100:4", NULL);
	const struct eqt_job_spec lists[] = { { .tres_per_job = "gpu:p100" },
					      { .tres_per_node = "gpu:p100" },
					      { .tres_per_socket = "gpu:p100" },
					      { .tres_per_task = "gpu:p100" } };
	struct eqt_node_requirement wish;

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		eqt_node_requirement_make(&wish, &lists[i]);
		ck_assert_msg(wish.gpu_count == 1, "list %zu", i);
		ck_assert_msg(!eqt_node_class_fits(&kind, &wish), "list %zu", i);
	}
}
END_TEST

START_TEST(a_requirement_forgets_the_one_before)
{
	const struct eqt_node_class kind = kind_of("gpu:v100:4", "new");
	struct eqt_job_spec spec = { .tres_per_job = "gpu:p100,gpu:v100",
				     .constraint = "new|old" };
	struct eqt_node_requirement wish;

	eqt_node_requirement_make(&wish, &spec);
	ck_assert(eqt_node_class_fits(&kind, &wish));
	ck_assert(eqt_node_class_fits(&kind, &wish));
	spec.tres_per_job = "gpu:p100";
	eqt_node_requirement_make(&wish, &spec);
	ck_assert(!eqt_node_class_fits(&kind, &wish));
	spec.tres_per_job = NULL;
	spec.constraint = "new&old";
	eqt_node_requirement_make(&wish, &spec);
	ck_assert(!eqt_node_class_fits(&kind, &wish));
}
END_TEST

START_TEST(a_node_fits_all_features_each_time_it_is_asked)
{
	const struct eqt_node_class kind = kind_of(NULL, "new,big");
	const struct eqt_job_spec spec = { .constraint = "new&big" };
	struct eqt_node_requirement wish;

	eqt_node_requirement_make(&wish, &spec);
	ck_assert(eqt_node_class_fits_features(&kind, &wish) &&
		  eqt_node_class_fits_features(&kind, &wish));
}
END_TEST

#define LAST (UINT32_C(1) << (EQT_MODELS_MAX - 1))

START_TEST(the_last_of_all_bundles_of_a_model_may_hold)
{
	struct eqt_bundle gpu[EQT_MODELS_MAX];
	uint32_t named[EQT_MODELS_MAX];
	const struct eqt_bundle_table full = { .gpu = gpu,
					       .gpu_count = EQT_MODELS_MAX };
	const struct eqt_node_class kind = kind_of("gpu:a:1", NULL);

	for (int i = 0; i < EQT_MODELS_MAX; i++)
		gpu[i] = (struct eqt_bundle){ .name = "gpu:a", .nodes = "n" };
	ck_assert_uint_eq(eqt_node_class_bundle(&kind, &full, 0), 0);
	gpu[EQT_MODELS_MAX - 1].nodes = NULL;
	ck_assert_uint_eq(eqt_node_class_bundle(&kind, &full, 0),
			  EQT_MODELS_MAX - 1);
	eqt_node_class_names(named, &full);
	ck_assert_uint_eq(named[0], UINT32_MAX);
	ck_assert_uint_eq(named[EQT_MODELS_MAX - 1], LAST);
	ck_assert_uint_eq(eqt_node_class_bundles(&kind, &full, named, 0x1),
			  LAST);
	ck_assert_uint_eq(eqt_node_class_by_name(&full, 0x1), LAST - 1);
}
END_TEST

START_TEST(linked_bundles_know_the_later_ones_of_their_name)
{
	struct eqt_bundle gpu[4] = { { .name = "gpu:a" }, { .name = "gpu:b" },
				     { .name = "gpu:a" },
				     { .name = "gpu:a", .named = 0x80 } };

	eqt_bundle_table_link(gpu, 3);
	ck_assert_uint_eq(gpu[0].named, 0x5);
	ck_assert_uint_eq(gpu[1].named, 0x2);
	ck_assert_uint_eq(gpu[2].named, 0x4);
	ck_assert_uint_eq(gpu[3].named, 0x80);
}
END_TEST

START_TEST(bundles_by_name_are_those_of_the_models_asked_for)
{
	const struct eqt_bundle_table named = {
		.gpu = (const struct eqt_bundle[]){
			{ .name = "gpu:a", .nodes = "n1" },
			{ .name = "gpu:b", .nodes = "n2" },
			{ .name = "gpu:c" } },
		.gpu_count = 3,
	};

	ck_assert_uint_eq(eqt_node_class_by_name(&named, 0x0), 0x0);
	ck_assert_uint_eq(eqt_node_class_by_name(&named, 0x1), 0x1);
	ck_assert_uint_eq(eqt_node_class_by_name(&named, 0x2), 0x2);
	ck_assert_uint_eq(eqt_node_class_by_name(&named, 0x7), 0x3);
}
END_TEST

START_TEST(features_end_where_their_length_says)
{
	const struct eqt_job_spec spec = { .constraint = "new" };
	struct eqt_node_class kind = kind_of(NULL, "old,new,big");
	struct eqt_node_requirement wish;

	eqt_node_requirement_make(&wish, &spec);
	ck_assert(eqt_node_class_fits(&kind, &wish));
	kind.features_length = strlen("old,ne");
	ck_assert(!eqt_node_class_fits(&kind, &wish));
	kind.features_length = strlen("old,new");
	ck_assert(eqt_node_class_fits(&kind, &wish));
}
END_TEST

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* Names with one slot: a slot more than a name may be in. */
START_TEST(names_that_somebody_chose_for_one_slot_are_ignored)
{
	const struct eqt_node_class kind = kind_of(NULL, "ano");
	struct eqt_job_spec spec = {
		.constraint = "ano|aqc|cqr|ctf|gmp|gpd|hrp|hud|ijy|imm|ipa|juv"
	};
	struct eqt_node_requirement wish;

	eqt_node_requirement_make(&wish, &spec);
	ck_assert_ptr_eq(wish.features, spec.constraint);
	ck_assert_uint_eq(wish.names.count, EQT_NODE_REQUIREMENT_PROBES);
	ck_assert(eqt_node_class_fits(&kind, &wish));
	spec.constraint =
		"ano|aqc|cqr|ctf|gmp|gpd|hrp|hud|ijy|imm|ipa|juv|jxj";
	eqt_node_requirement_make(&wish, &spec);
	ck_assert_ptr_null(wish.features);
}
END_TEST

START_TEST(a_feature_for_which_there_is_no_slot_is_none_of_the_names)
{
	const struct eqt_job_spec spec = {
		.constraint = "ano|aqc|cqr|ctf|gmp|gpd|hrp|hud|ijy|imm|ipa|juv"
	};
	const struct eqt_node_class kind = kind_of(NULL, "jxj");
	struct eqt_node_requirement wish;

	eqt_node_requirement_make(&wish, &spec);
	ck_assert(!eqt_node_class_fits(&kind, &wish));
}
END_TEST

START_TEST(a_name_of_the_first_slot_is_a_name)
{
	const struct eqt_job_spec spec = { .constraint = "acc" };
	const struct eqt_node_class with = kind_of(NULL, "acc");
	const struct eqt_node_class without = kind_of(NULL, "old");
	struct eqt_node_requirement wish;

	eqt_node_requirement_make(&wish, &spec);
	ck_assert(eqt_node_class_fits(&with, &wish));
	ck_assert(!eqt_node_class_fits(&without, &wish));
}
END_TEST
#endif

/* Each text of a user is compared once per node. */
START_TEST(many_features_of_one_length_are_read)
{
	const struct eqt_job_spec spec = {
		.constraint = "a1&a2&a3&a4&a5&a6&a7&a8&a9&b1&b2&b3&b4&b5&b6"
			      "&b7&b8&b9&c1&c2&c3&c4&c5&c6&c7&c8&c9"
	};
	struct eqt_node_requirement wish;

	eqt_node_requirement_make(&wish, &spec);
	ck_assert_ptr_eq(wish.features, spec.constraint);
	ck_assert_uint_eq(wish.names.count, 27);
}
END_TEST

START_TEST(excessive_lists_are_ignored)
{
	const char *models = "gpu:a,gpu:b,gpu:c,gpu:d,gpu:e,gpu:f,gpu:g,gpu:h";
	char constraint[EQT_NODE_REQUIREMENT_FEATURES + 2], list[128];
	struct eqt_job_spec spec = { .constraint = constraint,
			       .tres_per_job = list };
	struct eqt_node_requirement wish;

	memset(constraint, 'a', sizeof(constraint) - 1);
	constraint[sizeof(constraint) - 1] = '\0';
	(void) snprintf(list, sizeof(list), "%s,gpu:i", models);
	eqt_node_requirement_make(&wish, &spec);
	ck_assert_ptr_null(wish.features);
	ck_assert_uint_eq(wish.gpu_count, 0);
	constraint[EQT_NODE_REQUIREMENT_FEATURES] = '\0';
	spec.tres_per_job = models;
	eqt_node_requirement_make(&wish, &spec);
	ck_assert_ptr_eq(wish.features, constraint);
	ck_assert_uint_eq(wish.gpu_count, EQT_NODE_REQUIREMENT_GPUS);
	spec.tres_per_node = "gpu:i";
	eqt_node_requirement_make(&wish, &spec);
	ck_assert_uint_eq(wish.gpu_count, 0);
	spec.tres_per_node = NULL;
	spec.tres_per_socket = "gpu:i";
	spec.tres_per_task = "gpu:j";
	eqt_node_requirement_make(&wish, &spec);
	ck_assert_uint_eq(wish.gpu_count, 0);
}
END_TEST

static const struct {
	const char *name;
	struct eqt_demand demand;
	uint32_t off, models;
} model_rows[] = {
	{ "no GPUs", { .cores = 4 }, 0, 0 },
	{ "a model that has one bundle", { .gpus[3] = 1 }, 0, 0 },
	{ "one that has several", { .gpus[0] = 1 }, 0, 0x23 },
	{ "two of them", { .gpus[0] = 1, .gpus[2] = 2 }, 0, 0x37 },
	{ "any model", { .gpus_untyped = 1 }, 0, 0x3f },
	{ "any that holds", { .gpus_untyped = 1 }, 0x6, 0x39 },
	{ "any, and one holds", { .gpus_untyped = 1 }, 0x3e, 0 },
	{ "placed", { .gpus[0] = 1, .placed = true }, 0, 0 },
};

START_TEST(nodes_matter_where_a_model_may_be_of_several_bundles)
{
	struct eqt_bundle_table some = prices;

	some.models_off = model_rows[_i].off;
	ck_assert_msg(eqt_price_range_models(&some, &model_rows[_i].demand) ==
			      model_rows[_i].models,
		      "%s: 0x%x", model_rows[_i].name,
		      eqt_price_range_models(&some, &model_rows[_i].demand));
}
END_TEST

static const struct {
	const char *name, *constraint, *prefer;
	uint64_t given, max_nodes; /* -N */
	uint64_t least, most; /* expected */
} count_rows[] = {
	{ "no count", "a&b|c", NULL, 1, 0, 1, 0 },
	{ "nodes of one feature", "a*2", NULL, 1, 0, 2, 2 },
	{ "features of different nodes", "[a*2&b*3]", NULL, 1, 0, 5, 5 },
	{ "one of them without a count", "[a&b*3]", NULL, 1, 0, 3, 3 },
	{ "features that nodes may have together", "a*2&b*3", NULL, 1, 0, 3,
	  5 },
	{ "one feature or the other", "[a*2|b*3]", NULL, 1, 0, 3, 5 },
	{ "a comma is a &", "[a*2,b*3]", NULL, 1, 0, 5, 5 },
	{ "a group", "(a|b)*4", NULL, 1, 0, 4, 4 },
	{ "brackets without an end", "[a*2&b*3", NULL, 1, 0, 3, 5 },
	{ "more nodes than counted", "a*2", NULL, 4, 4, 4, 2 },
	{ "fewer nodes than counted, which Slurm refuses", "a*4", NULL, 1, 2, 1,
	  4 },
	{ "a preference need not be met", NULL, "[a*2&b*3]", 1, 0, 1, 5 },
	{ "a preference may replace features", "a*2", "[a*2&b*3]", 1, 0, 1,
	  5 },
	{ "no number", "a*", NULL, 1, 0, 1, 0 },
	{ "a number above 32 bits", "a*99999999999999999999", NULL, 1, 0,
	  UINT32_MAX, UINT32_MAX },
};

START_TEST(features_that_count_nodes_raise_their_number)
{
	struct eqt_job_spec spec = { .constraint = count_rows[_i].constraint,
				     .prefer = count_rows[_i].prefer,
				     .min_nodes = count_rows[_i].given,
				     .max_nodes = count_rows[_i].max_nodes };

	eqt_node_requirement_raise_nodes(&spec);
	ck_assert_msg(spec.min_nodes == count_rows[_i].least &&
			      spec.counted_nodes == count_rows[_i].most,
		      "%s: %" PRIu64 " to %" PRIu64, count_rows[_i].name,
		      spec.min_nodes, spec.counted_nodes);
}
END_TEST

START_TEST(features_longer_than_slurm_takes_are_all_nodes_at_the_most)
{
	char text[1032];
	struct eqt_job_spec spec = { .constraint = text, .min_nodes = 1 };

	memset(text, 'a', sizeof(text));
	memcpy(text + 1024, "*4", 3);
	eqt_node_requirement_raise_nodes(&spec);
	ck_assert_uint_eq(spec.min_nodes, 1);
	ck_assert_uint_eq(spec.counted_nodes, UINT32_MAX);
}
END_TEST

START_TEST(a_name_is_found_in_the_features_of_a_request)
{
	const struct eqt_job_spec spec = { .constraint = "big&new" };
	struct eqt_node_requirement wish;

	eqt_node_requirement_make(&wish, &spec);
	ck_assert(eqt_node_requirement_has_feature(&wish, "big"));
	ck_assert(eqt_node_requirement_has_feature(&wish, "new"));
	ck_assert(!eqt_node_requirement_has_feature(&wish, "bi"));
	ck_assert(!eqt_node_requirement_has_feature(&wish, "big&new"));
}
END_TEST

/* Of 8 nodes in --nodelist. */
static const struct {
	const char *name;
	struct eqt_job_spec spec;
	bool others; /* nodes beside those of the list */
	uint64_t least, counted; /* nodes, after the list has raised them */
} list_rows[] = {
	{ "a list alone", { .nodelist = "n[1-8]", .min_nodes = 1 }, false, 8, 0 },
	{ "a list and a feature that counts no nodes",
	  { .nodelist = "n[1-8]", .constraint = "a", .min_nodes = 1 }, false, 8,
	  0 },
	{ "a list and a feature that counts nodes",
	  { .nodelist = "n[1-8]", .constraint = "a*3", .counted_nodes = 3 },
	  true, 8, 11 },
	{ "an empty list and a feature that counts nodes",
	  { .nodelist = "", .constraint = "a*3", .counted_nodes = 3 }, false, 8,
	  11 },
	{ "a preference counts the nodes, not the feature",
	  { .nodelist = "n[1-8]", .constraint = "a", .counted_nodes = 3 },
	  false, 8, 11 },
	{ "a preference counts the nodes without a feature",
	  { .nodelist = "n[1-8]", .counted_nodes = 3 }, false, 8, 11 },
	{ "a star that counts no nodes",
	  { .nodelist = "n[1-8]", .constraint = "a*" }, false, 8, 0 },
	{ "features that count all nodes",
	  { .nodelist = "n[1-8]", .constraint = "a*3",
	    .counted_nodes = UINT64_MAX - 7 }, true, 8, UINT64_MAX },
	{ "features that count almost all nodes",
	  { .nodelist = "n[1-8]", .constraint = "a*3",
	    .counted_nodes = UINT64_MAX - 9 }, true, 8, UINT64_MAX - 1 },
	{ "a list from which a release chooses",
	  { .nodelist = "n[1-8]", .constraint = "a*3", .counted_nodes = 3,
	    .min_nodes = 7, .list_chooses = true }, true, 7, 3 },
	{ "a list of which a release takes all",
	  { .nodelist = "n[1-8]", .constraint = "a*3", .counted_nodes = 3,
	    .min_nodes = 8, .list_chooses = true }, true, 8, 11 },
};

START_TEST(a_list_of_nodes_raises_the_number_of_nodes)
{
	struct eqt_job_spec spec = list_rows[_i].spec;

	ck_assert_msg(eqt_node_requirement_lists_others(&spec) ==
			      list_rows[_i].others,
		      "%s", list_rows[_i].name);
	eqt_node_requirement_add_listed(&spec, 8);
	ck_assert_msg(spec.min_nodes == list_rows[_i].least &&
			      spec.counted_nodes == list_rows[_i].counted,
		      "%s: %" PRIu64 ", %" PRIu64, list_rows[_i].name,
		      spec.min_nodes, spec.counted_nodes);
}
END_TEST

/* Without nodes beyond those that its features count, a job has only nodes with these
 * features. */
static const struct {
	const char *name;
	struct eqt_job_spec spec;
	bool any; /* nodes without the features will do */
} beyond_rows[] = {
	{ "fewer tasks than nodes are counted",
	  { .constraint = "a*3", .counted_nodes = 3, .tasks = 2 }, false },
	{ "as many tasks as nodes are counted",
	  { .constraint = "a*3", .counted_nodes = 3, .tasks = 3 }, false },
	{ "more tasks than nodes are counted",
	  { .constraint = "a*3", .counted_nodes = 3, .tasks = 4 }, true },
	{ "GPUs may be on any number of nodes",
	  { .constraint = "a*3", .counted_nodes = 3, .tasks = 2,
	    .tres_per_job = "gres:gpu:1" }, true },
	{ "-N allows no more nodes than are counted",
	  { .constraint = "a*3", .counted_nodes = 3, .tasks = 9,
	    .max_nodes = 3 }, false },
	{ "-N allows more nodes than are counted",
	  { .constraint = "a*3", .counted_nodes = 3, .tasks = 1,
	    .max_nodes = 4 }, true },
	{ "-N wants no more nodes than brackets count",
	  { .constraint = "[a*3]", .counted_nodes = 3, .tasks = 9,
	    .min_nodes = 3, .max_nodes = 9 }, false },
	{ "-N wants more nodes than brackets count",
	  { .constraint = "[a*3]", .counted_nodes = 3, .tasks = 9,
	    .min_nodes = 4, .max_nodes = 9 }, true },
	{ "a list names nodes beside those that are counted",
	  { .constraint = "a*3", .counted_nodes = 3, .tasks = 2,
	    .nodelist = "n1" }, true },
	{ "no node is counted", { .constraint = "a", .tasks = 9 }, false },
};

START_TEST(nodes_beyond_those_that_features_count_may_be_any)
{
	struct eqt_node_requirement wish;

	eqt_node_requirement_make(&wish, &beyond_rows[_i].spec);
	ck_assert_msg(!wish.features == beyond_rows[_i].any, "%s",
		      beyond_rows[_i].name);
}
END_TEST

#define ROWS(rows) ((int) (sizeof(rows) / sizeof((rows)[0])))

int main(void)
{
	Suite *suite = suite_create("kind");
	TCase *tcase = tcase_create("kind");

	tcase_add_loop_test(tcase, bundles_are_those_that_hold_there,
			    0, ROWS(bundle_rows));
	tcase_add_loop_test(tcase, a_node_fits_that_has_what_is_wanted,
			    0, ROWS(fit_rows));
	tcase_add_test(tcase, features_end_where_their_length_says);
	tcase_add_test(tcase, many_features_of_one_length_are_read);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	tcase_add_test(tcase,
		       names_that_somebody_chose_for_one_slot_are_ignored);
	tcase_add_test(
		tcase,
		a_feature_for_which_there_is_no_slot_is_none_of_the_names);
	tcase_add_test(tcase, a_name_of_the_first_slot_is_a_name);
#endif
	tcase_add_test(tcase, a_model_counts_in_each_list_of_a_request);
	tcase_add_test(tcase, a_requirement_forgets_the_one_before);
	tcase_add_test(tcase, a_node_fits_all_features_each_time_it_is_asked);
	tcase_add_test(tcase, the_last_of_all_bundles_of_a_model_may_hold);
	tcase_add_test(tcase, linked_bundles_know_the_later_ones_of_their_name);
	tcase_add_test(tcase,
		       bundles_by_name_are_those_of_the_models_asked_for);
	tcase_add_test(tcase, a_feature_of_one_letter_may_be_the_last_one);
	tcase_add_test(tcase, excessive_lists_are_ignored);
	tcase_add_loop_test(tcase,
			    nodes_matter_where_a_model_may_be_of_several_bundles,
			    0, ROWS(model_rows));
	tcase_add_loop_test(tcase, features_that_count_nodes_raise_their_number,
			    0, ROWS(count_rows));
	tcase_add_test(tcase,
		       features_longer_than_slurm_takes_are_all_nodes_at_the_most);
	tcase_add_test(tcase, a_name_is_found_in_the_features_of_a_request);
	tcase_add_loop_test(tcase, a_list_of_nodes_raises_the_number_of_nodes, 0,
			    ROWS(list_rows));
	tcase_add_loop_test(tcase,
			    nodes_beyond_those_that_features_count_may_be_any, 0,
			    ROWS(beyond_rows));
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
