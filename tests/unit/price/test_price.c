/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_price: the documented prices. The bundles are those that the Alliance
 * (Compute Canada) published for its clusters; the weights are its reference
 * GPU units.
 */
#include "price/price.h"
#include "../unit.h"

#define MAX UINT64_MAX
#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define U(number) ((uint64_t) ((number) * 1000000.0 + 0.5))

#define CORES(cores, mem) \
	{ .name = "cores", .cores_u = U(cores), .mem_mib_u = U(mem), \
	  .weight_u = EQT_MICRO }
#define GPU(title, cores, mem, weight) \
	{ .name = title, .cores_u = U(cores), .mem_mib_u = U(mem), \
	  .weight_u = U(weight) }

static const struct eqt_bundle_table cores_4000 = { .cores = CORES(1, 4000) };
static const struct eqt_bundle_table cores_4g = { .cores = CORES(1, 4096) };
static const struct eqt_bundle_table cores_4800 = { .cores = CORES(1, 4800) };
static const struct eqt_bundle_table cores_only = { .cores = CORES(1, 0) };

static const struct eqt_bundle_table least_cores = {
	.cores = CORES(1, 0), .gpu_count = 1,
	.gpu = (const struct eqt_bundle[]){ GPU("gpu", 0.000001, 0, 1) },
};

/* The one GPU bundle of the document's examples. */
static const struct eqt_bundle_table example = {
	.cores = CORES(1, 4000), .gpu_count = 1,
	.gpu = (const struct eqt_bundle[]){ GPU("gpu", 6, 32768, 1) },
};

enum { V100_16 };
static const struct eqt_bundle_table beluga = {
	.cores = CORES(1, 4700), .gpu_count = 1,
	.gpu = (const struct eqt_bundle[]){ GPU("gpu:v100", 10, 47000, 1) },
};

enum { P100_12, P100_16, V100_32 };
static const struct eqt_bundle_table cedar = {
	.cores = CORES(1, 4000), .gpu_count = 3,
	.gpu = (const struct eqt_bundle[]){ GPU("gpu:p100", 6, 32000, 1), GPU("gpu:p100l", 6, 64000, 1),
		 GPU("gpu:v100l", 8, 48000, 1) },
};

enum { G_P100, G_V100_16, G_V100_32, G_T4_4, G_T4_11 };
static const struct eqt_bundle_table graham = {
	.cores = CORES(1, 4000), .gpu_count = 5,
	.gpu = (const struct eqt_bundle[]){ GPU("gpu:p100", 16, 64000, 1),
		 GPU("gpu:v100", 3.5, 22500, 1),
		 GPU("gpu:v100l", 5, 48000, 1),
		 GPU("gpu:t4a", 4, 49000, 1), GPU("gpu:t4b", 11, 49000, 1) },
};

enum { A100, H100, MIG, FREE_MEM };
static const struct eqt_bundle_table weighted = {
	.cores = CORES(1, 4000), .gpu_count = 4,
	.gpu = (const struct eqt_bundle[]){ GPU("gpu:a100", 12, 124000, 4.0),
		 GPU("gpu:h100", 12, 288000, 12.2),
		 GPU("gpu:a100_2g", 3, 31000, 1.14),
		 GPU("gpu", 4, 0, 1) },
};

static const struct eqt_bundle_table hostile = {
	.cores = CORES(0.000001, 0.000001), .gpu_count = 2,
	.gpu = (const struct eqt_bundle[]){ { .name = "gpu:big", .cores_u = MAX, .mem_mib_u = MAX,
		   .weight_u = MAX },
		 { .name = "gpu:odd", .cores_u = MAX, .mem_mib_u = MAX,
		   .weight_u = MAX } },
};

#define NO_REQUEST { 0 }
#define ASK(c, m) { .cores = (c), .mem_mib = (m) }
#define ASK_GPU(c, m, model, n) \
	{ .cores = (c), .mem_mib = (m), .gpus = { [model] = (n) } }
#define ASK_GPUS(c, m, model, n, model2, n2) \
	{ .cores = (c), .mem_mib = (m), \
	  .gpus = { [model] = (n), [model2] = (n2) } }
#define ASK_ANY(c, m, n) \
	{ .cores = (c), .mem_mib = (m), .gpus_untyped = (n) }

static const struct {
	const char *name;
	const struct eqt_bundle_table *prices;
	struct eqt_demand demand;
	struct eqt_frac want;
	enum eqt_resource dominant;
} price_rows[] = {
	/* core-equivalents */
	{ "2 cores with 2 GB each are 2", &cores_4g, ASK(2, 4096),
	  { 2, 1 }, EQT_CORES },
	{ "2 cores with 5 GB each are 2.5", &cores_4g, ASK(2, 10240),
	  { 5, 2 }, EQT_MEMORY },
	{ "10000M over 4000M are 2.5", &cores_4000, ASK(2, 10000),
	  { 5, 2 }, EQT_MEMORY },
	{ "a bundle may have a millionth of a core", &least_cores, ASK_GPU(1, 0, 0, 1),
	  { 1000000, 1 }, EQT_CORES },
	{ "1 core with 8 GB is 2", &cores_4g, ASK(1, 8192),
	  { 2, 1 }, EQT_MEMORY },
	{ "4800M per core, 1 core", &cores_4800, ASK(1, 4800),
	  { 1, 1 }, EQT_CORES },
	{ "4800M per core, 12000M", &cores_4800, ASK(1, 12000),
	  { 5, 2 }, EQT_MEMORY },
	{ "a third is kept exact", &cores_4000, ASK(1, 16000 / 3),
	  { 5333, 4000 }, EQT_MEMORY },
	{ "cores win a tie with memory", &cores_4000, ASK(3, 12000),
	  { 3, 1 }, EQT_CORES },
	{ "memory without a bundle is free", &cores_only, ASK(1, MAX),
	  { 1, 1 }, EQT_CORES },
	{ "memory alone", &cores_4000, ASK(0, 1), { 1, 4000 }, EQT_MEMORY },
	{ "nothing costs nothing", &cores_4000, NO_REQUEST,
	  { 0, 1 }, EQT_CORES },
	{ "no GPU, though the cluster has some", &cedar, ASK(12, 48000),
	  { 12, 1 }, EQT_CORES },
	/* GPU-equivalents of 1 GPU, 6 cores, 32 GB */
	{ "2 GPUs, 6 cores, 32 GB are 2 by GPUs", &example,
	  ASK_GPU(6, 32768, 0, 2), { 2, 1 }, EQT_GPUS },
	{ "1 GPU, 9 cores, 32 GB are 1.5 by cores", &example,
	  ASK_GPU(9, 32768, 0, 1), { 3, 2 }, EQT_CORES },
	{ "1 GPU, 6 cores, 48 GB are 1.5 by memory", &example,
	  ASK_GPU(6, 49152, 0, 1), { 3, 2 }, EQT_MEMORY },
	{ "one bundle: GPUs win the tie", &example,
	  ASK_GPU(6, 32768, 0, 1), { 1, 1 }, EQT_GPUS },
	{ "cores win a tie with memory, GPUs asked", &example,
	  ASK_GPU(9, 49152, 0, 1), { 3, 2 }, EQT_CORES },
	{ "GPUs alone", &example, ASK_GPU(0, 0, 0, 3), { 3, 1 }, EQT_GPUS },
	{ "untyped GPUs of the only model", &example, ASK_ANY(9, 32768, 1),
	  { 3, 2 }, EQT_CORES },
	/* for each cluster: one bundle, and more of each part */
	{ "Beluga V100", &beluga, ASK_GPU(10, 47000, V100_16, 1),
	  { 1, 1 }, EQT_GPUS },
	{ "Beluga V100 by cores", &beluga, ASK_GPU(40, 47000, V100_16, 1),
	  { 4, 1 }, EQT_CORES },
	{ "Beluga V100 by memory", &beluga, ASK_GPU(10, 117500, V100_16, 1),
	  { 5, 2 }, EQT_MEMORY },
	{ "Cedar P100 12G", &cedar, ASK_GPU(6, 32000, P100_12, 1),
	  { 1, 1 }, EQT_GPUS },
	{ "Cedar P100 12G by memory", &cedar, ASK_GPU(6, 64000, P100_12, 1),
	  { 2, 1 }, EQT_MEMORY },
	{ "Cedar P100 16G", &cedar, ASK_GPU(6, 64000, P100_16, 1),
	  { 1, 1 }, EQT_GPUS },
	{ "Cedar P100 16G by cores", &cedar, ASK_GPU(24, 64000, P100_16, 1),
	  { 4, 1 }, EQT_CORES },
	{ "Cedar V100 32G", &cedar, ASK_GPU(8, 48000, V100_32, 1),
	  { 1, 1 }, EQT_GPUS },
	{ "Cedar V100 32G by cores", &cedar, ASK_GPU(9, 48000, V100_32, 1),
	  { 9, 8 }, EQT_CORES },
	{ "Graham P100 12G", &graham, ASK_GPU(16, 64000, G_P100, 1),
	  { 1, 1 }, EQT_GPUS },
	{ "Graham P100 12G by cores", &graham, ASK_GPU(32, 64000, G_P100, 1),
	  { 2, 1 }, EQT_CORES },
	{ "Graham V100 16G: 3 of 3.5 cores", &graham,
	  ASK_GPU(3, 22500, G_V100_16, 1), { 1, 1 }, EQT_GPUS },
	{ "Graham V100 16G: 4 of 3.5 cores", &graham,
	  ASK_GPU(4, 22500, G_V100_16, 1), { 8, 7 }, EQT_CORES },
	{ "Graham V100 16G: 7 cores and 2 GPUs", &graham,
	  ASK_GPU(7, 45000, G_V100_16, 2), { 2, 1 }, EQT_GPUS },
	{ "Graham V100 16G by memory", &graham,
	  ASK_GPU(3, 180000, G_V100_16, 2), { 8, 1 }, EQT_MEMORY },
	{ "Graham V100 32G", &graham, ASK_GPU(5, 48000, G_V100_32, 1),
	  { 1, 1 }, EQT_GPUS },
	{ "Graham V100 32G by cores", &graham,
	  ASK_GPU(6, 48000, G_V100_32, 1), { 6, 5 }, EQT_CORES },
	{ "Graham T4 of 4 cores", &graham, ASK_GPU(4, 49000, G_T4_4, 1),
	  { 1, 1 }, EQT_GPUS },
	{ "Graham T4 of 4 cores, 11 asked", &graham,
	  ASK_GPU(11, 49000, G_T4_4, 1), { 11, 4 }, EQT_CORES },
	{ "Graham T4 of 11 cores", &graham, ASK_GPU(11, 49000, G_T4_11, 1),
	  { 1, 1 }, EQT_GPUS },
	{ "Graham T4 by memory", &graham, ASK_GPU(11, 98000, G_T4_11, 1),
	  { 2, 1 }, EQT_MEMORY },
	/* several models: cores and memory at the price of the dearest */
	{ "P100 and V100 within their bundles", &cedar,
	  ASK_GPUS(12, 64000, P100_12, 1, V100_32, 1), { 2, 1 }, EQT_GPUS },
	{ "P100 and V100 by cores", &cedar,
	  ASK_GPUS(21, 80000, P100_12, 1, V100_32, 1), { 7, 2 }, EQT_CORES },
	{ "P100 and V100 by memory", &cedar,
	  ASK_GPUS(14, 160000, P100_12, 1, V100_32, 1),
	  { 5, 1 }, EQT_MEMORY },
	{ "2 A100 and 1 H100 by weight", &weighted,
	  ASK_GPUS(19, 0, A100, 2, H100, 1), { 101, 5 }, EQT_GPUS },
	{ "2 A100 and 1 H100 by cores", &weighted,
	  ASK_GPUS(72, 0, A100, 2, H100, 1), { 366, 5 }, EQT_CORES },
	{ "memory over those that count it", &weighted,
	  ASK_GPUS(1, 248000, A100, 1, FREE_MEM, 1), { 8, 1 }, EQT_MEMORY },
	/* 3.5 cores each, then 16 of another model */
	{ "a V100 with the cores of a node", &graham,
	  ASK_GPU(64, 0, G_V100_16, 1), { 128, 7 }, EQT_CORES },
	{ "no cheaper with a T4 of 11 cores", &graham,
	  ASK_GPUS(64, 0, G_V100_16, 1, G_T4_11, 4), { 128, 7 }, EQT_CORES },
	/* weights */
	{ "A100 is 4", &weighted, ASK_GPU(12, 124000, A100, 1),
	  { 4, 1 }, EQT_GPUS },
	{ "A100 by cores", &weighted, ASK_GPU(18, 124000, A100, 1),
	  { 6, 1 }, EQT_CORES },
	{ "H100 is 12.2", &weighted, ASK_GPU(12, 288000, H100, 1),
	  { 61, 5 }, EQT_GPUS },
	{ "4 H100 by memory", &weighted, ASK_GPU(48, 2304000, H100, 4),
	  { 488, 5 }, EQT_MEMORY },
	{ "MIG slice is 1.14", &weighted, ASK_GPU(3, 31000, MIG, 1),
	  { 57, 50 }, EQT_GPUS },
	{ "MIG slice by cores", &weighted, ASK_GPU(4, 31000, MIG, 1),
	  { 38, 25 }, EQT_CORES },
	{ "GPU bundle without memory", &weighted,
	  ASK_GPU(4, MAX, FREE_MEM, 1), { 1, 1 }, EQT_GPUS },
	/* prices at the limits of 64 bits */
	{ "all cores of the world", &cores_4000, ASK(MAX, 0),
	  { MAX, 1 }, EQT_CORES },
	{ "all memory of the world", &cores_4000, ASK(0, MAX),
	  { MAX / 5, 800 }, EQT_MEMORY },
	{ "all GPUs of the world", &example, ASK_GPU(0, 0, 0, MAX),
	  { MAX, 1 }, EQT_GPUS },
	{ "all of the world", &example, ASK_GPU(MAX, MAX, 0, MAX),
	  { MAX, 1 }, EQT_GPUS },
	{ "all GPUs of the world, of two models", &cedar,
	  ASK_GPUS(1, 1, P100_12, MAX / 2, V100_32, MAX / 2 - 1),
	  { MAX - 2, 1 }, EQT_GPUS },
	{ "large parts cancel", &hostile, ASK_GPU(MAX, 0, 0, 1),
	  { MAX, 1 }, EQT_CORES },
};

START_TEST(price_is_the_documented_one)
{
	const struct eqt_demand *demand = &price_rows[_i].demand;
	struct eqt_frac want = price_rows[_i].want;
	const char *name = price_rows[_i].name;
	struct eqt_error err = { "" };
	struct eqt_price got;

	ck_assert_msg(eqt_price(&got, price_rows[_i].prices, demand,
				&err) == 0, "%s: %s", name, err.text);
	ck_assert_msg(got.equivalents.num == want.num &&
		      got.equivalents.den == want.den, "%s: %ju/%ju", name,
		      (uintmax_t) got.equivalents.num,
		      (uintmax_t) got.equivalents.den);
	ck_assert_msg(got.dominant == price_rows[_i].dominant, "%s: by %s",
		      name, eqt_resource_name(got.dominant));
	ck_assert_msg(eqt_frac_cmp(got.by[got.dominant],
				   got.equivalents) == 0, "%s", name);
	ck_assert_str_eq(err.text, "");
}
END_TEST

/* A partition of GPUs of two bundles: three cores are half of either. */
START_TEST(cores_among_gpus_cost_no_whole_gpu_when_steps_are_spent)
{
	static const struct eqt_bundle gpus[] = {
		{ .name = "gpu:a", .cores_u = 6 * EQT_MICRO,
		  .weight_u = EQT_MICRO },
		{ .name = "gpu:b", .cores_u = 6 * EQT_MICRO,
		  .weight_u = EQT_MICRO },
	};
	uint32_t steps = 0;
	const struct eqt_bundle_table prices = {
		.cores = { .name = "cores", .cores_u = EQT_MICRO },
		.gpu = gpus,
		.gpu_count = 2,
		.cores_off = true,
		.steps = &steps,
	};
	const struct eqt_demand demand = { .cores = 3 };
	struct eqt_price low, high;

	ck_assert_int_eq(eqt_price_range(&low, &high, &prices, &demand, NULL),
			 0);
	ck_assert_uint_eq(high.equivalents.num, 1);
	ck_assert_uint_eq(high.equivalents.den, 2);
}
END_TEST

START_TEST(price_has_the_cost_of_each_resource_alone)
{
	struct eqt_demand demand = ASK_GPUS(28, 40000, P100_12, 1,
					      V100_32, 1);
	struct eqt_price got;

	ck_assert_int_eq(eqt_price(&got, &cedar, &demand, NULL), 0);
	ck_assert_int_eq(got.gpu_pool, 1);
	ck_assert_str_eq(eqt_price_unit(&got), "GPU-equivalents");
	ck_assert_int_eq(eqt_frac_cmp(got.by[EQT_GPUS],
				      (struct eqt_frac) { 2, 1 }), 0);
	ck_assert_int_eq(eqt_frac_cmp(got.by[EQT_CORES],
				      (struct eqt_frac) { 14, 3 }), 0);
	ck_assert_int_eq(eqt_frac_cmp(got.by[EQT_MEMORY],
				      (struct eqt_frac) { 5, 4 }), 0);
}
END_TEST

START_TEST(request_without_gpus_is_of_the_cores_pool)
{
	struct eqt_demand demand = ASK(2, 10000);
	struct eqt_price got;

	ck_assert_int_eq(eqt_price(&got, &cedar, &demand, NULL), 0);
	ck_assert_int_eq(got.gpu_pool, 0);
	ck_assert_str_eq(eqt_price_unit(&got), "core-equivalents");
	ck_assert_uint_eq(got.by[EQT_GPUS].num, 0);
	ck_assert_uint_eq(got.by[EQT_GPUS].den, 1);
}
END_TEST

START_TEST(weight_of_the_cores_bundle_does_not_matter)
{
	struct eqt_bundle_table prices = cores_4000;
	struct eqt_demand demand = ASK(2, 10000);
	struct eqt_price got;

	prices.cores.weight_u = 0;
	ck_assert_int_eq(eqt_price(&got, &prices, &demand, NULL), 0);
	ck_assert_uint_eq(got.equivalents.num, 5);
	ck_assert_uint_eq(got.equivalents.den, 2);
}
END_TEST

#define TOO_LARGE "the request is too large to price"
#define WHICH_MODEL "the request has GPUs without a model, " \
	"which could be any of 3 models"
#define NO_MODELS "the request has GPUs, but no GPU model has a price"
#define NO_SUCH_MODEL "the request has GPUs of a model that has no price"

static const struct {
	const char *name;
	const struct eqt_bundle_table *prices;
	struct eqt_demand demand;
	const char *want;
} refused_rows[] = {
	{ "untyped of three models", &cedar, ASK_ANY(1, 1, 1), WHICH_MODEL },
	{ "untyped without models", &cores_4000, ASK_ANY(1, 1, 1),
	  NO_MODELS },
	{ "index past the models", &cedar, ASK_GPU(1, 1, 3, 1),
	  NO_SUCH_MODEL },
	{ "last index of all", &cores_4000,
	  ASK_GPU(1, 1, EQT_MODELS_MAX - 1, 1), NO_SUCH_MODEL },
	{ "cores of a millionth", &hostile, ASK(MAX, 0), TOO_LARGE },
	{ "memory of a millionth", &hostile, ASK(0, MAX), TOO_LARGE },
	{ "GPUs that weigh all", &hostile, ASK_GPU(1, 1, 0, MAX), TOO_LARGE },
	{ "sum of products", &hostile, ASK_GPUS(1, 1, 0, MAX, 1, MAX),
	  TOO_LARGE },
	{ "weight times count", &weighted, ASK_GPU(0, 0, H100, MAX),
	  TOO_LARGE },
	{ "cores at a weight", &weighted, ASK_GPU(MAX, 0, H100, 1),
	  TOO_LARGE },
	{ "typed and untyped of one model wrap", &example,
	  { .gpus = { 1 }, .gpus_untyped = MAX }, TOO_LARGE },
};

START_TEST(refused_request_names_the_reason_and_changes_nothing)
{
	const char *name = refused_rows[_i].name;
	const struct eqt_price untouched = { .gpu_pool = 4711 };
	struct eqt_price got = untouched;
	struct eqt_error err = { "" };

	ck_assert_msg(eqt_price(&got, refused_rows[_i].prices,
				&refused_rows[_i].demand, &err) == -1,
		      "%s", name);
	ck_assert_str_eq(err.text, refused_rows[_i].want);
	ck_assert_msg(got.gpu_pool == untouched.gpu_pool, "%s", name);
}
END_TEST

static const struct {
	const char *name;
	const struct eqt_bundle_table *prices;
	struct eqt_demand demand;
	int rc;
	struct eqt_frac low, high;
} range_rows[] = {
	{ "typed: no range", &cedar, ASK_GPU(12, 32000, P100_12, 1),
	  0, { 2, 1 }, { 2, 1 } },
	{ "cores: no range", &cedar, ASK(3, 0), 0, { 3, 1 }, { 3, 1 } },
	{ "untyped of one model: no range", &example, ASK_ANY(9, 32768, 1),
	  0, { 3, 2 }, { 3, 2 } },
	{ "same for all models", &cedar, ASK_ANY(6, 32000, 2),
	  0, { 2, 1 }, { 2, 1 } },
	{ "by cores of the models", &cedar, ASK_ANY(24, 32000, 1),
	  0, { 3, 1 }, { 4, 1 } },
	{ "by memory of the models", &cedar, ASK_ANY(6, 96000, 1),
	  0, { 3, 2 }, { 3, 1 } },
	{ "by weight", &weighted, ASK_ANY(1, 1, 2), 0, { 2, 1 }, { 122, 5 } },
	{ "typed and untyped together", &cedar,
	  { .cores = 28, .gpus = { [V100_32] = 1 }, .gpus_untyped = 1 },
	  0, { 7, 2 }, { 14, 3 } },
	{ "untyped without models", &cores_4000, ASK_ANY(1, 1, 1),
	  -1, { 0, 0 }, { 0, 0 } },
	{ "one model too large", &weighted, ASK_ANY(0, 0, MAX / 2),
	  -1, { 0, 0 }, { 0, 0 } },
	{ "counts that wrap", &cedar,
	  { .gpus = { [V100_32] = 1 }, .gpus_untyped = MAX },
	  -1, { 0, 0 }, { 0, 0 } },
};

START_TEST(range_spans_the_models_of_untyped_gpus)
{
	const char *name = range_rows[_i].name;
	const struct eqt_price untouched = { .gpu_pool = 4711 };
	struct eqt_price low = untouched, high = untouched;
	struct eqt_error err = { "" };
	int rc = eqt_price_range(&low, &high, range_rows[_i].prices,
				 &range_rows[_i].demand, &err);

	ck_assert_msg(rc == range_rows[_i].rc, "%s: %s", name, err.text);
	if (rc < 0) {
		ck_assert_str_ne(err.text, "");
		ck_assert_int_eq(low.gpu_pool, untouched.gpu_pool);
		ck_assert_int_eq(high.gpu_pool, untouched.gpu_pool);
		return;
	}
	ck_assert_msg(eqt_frac_cmp(low.equivalents,
				   range_rows[_i].low) == 0, "%s", name);
	ck_assert_msg(eqt_frac_cmp(high.equivalents,
				   range_rows[_i].high) == 0, "%s", name);
}
END_TEST

static const struct {
	const struct eqt_bundle_table *prices;
	const char *gres, *type;
	int want;
} find_rows[] = {
	{ &cedar, "gpu", "p100", P100_12 },
	{ &cedar, "gpu", "p100l", P100_16 },
	{ &cedar, "gpu", "v100l", V100_32 },
	{ &cedar, "gpu", "p10", -1 },
	{ &cedar, "gpu", "v100", -1 },
	{ &cedar, "gpu", NULL, -1 },
	{ &cedar, "gpu:p100", NULL, P100_12 },
	{ &cedar, "gp", "u:p100", -1 },
	{ &cedar, "", "p100", -1 },
	{ &cedar, NULL, "p100", -1 },
	{ &weighted, "gpu", "a100", A100 },
	{ &weighted, "gpu", "t4", FREE_MEM },
	{ &weighted, "gpu", NULL, FREE_MEM },
	{ &weighted, "gpu", "", FREE_MEM },
	{ &weighted, "shard", "a100", -1 },
	{ &cores_4000, "gpu", NULL, -1 },
	{ &cores_4000, "cores", NULL, -1 },
};

START_TEST(find_prefers_the_type_and_falls_back_to_the_name)
{
	ck_assert_int_eq(eqt_bundle_table_find(find_rows[_i].prices,
					 find_rows[_i].gres,
					 find_rows[_i].type),
			 find_rows[_i].want);
}
END_TEST

START_TEST(resources_have_names)
{
	ck_assert_str_eq(eqt_resource_name(EQT_CORES), "cores");
	ck_assert_str_eq(eqt_resource_name(EQT_MEMORY), "memory");
	ck_assert_str_eq(eqt_resource_name(EQT_GPUS), "GPUs");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("price");
	TCase *tcase = tcase_create("price");

#define ADD(test, rows) \
	tcase_add_loop_test(tcase, test, 0, (int) COUNT(rows))
	ADD(price_is_the_documented_one, price_rows);
	tcase_add_test(tcase,
		       cores_among_gpus_cost_no_whole_gpu_when_steps_are_spent);
	tcase_add_test(tcase,
		       price_has_the_cost_of_each_resource_alone);
	tcase_add_test(tcase, request_without_gpus_is_of_the_cores_pool);
	tcase_add_test(tcase, weight_of_the_cores_bundle_does_not_matter);
	ADD(refused_request_names_the_reason_and_changes_nothing,
	    refused_rows);
	ADD(range_spans_the_models_of_untyped_gpus, range_rows);
	ADD(find_prefers_the_type_and_falls_back_to_the_name, find_rows);
	tcase_add_test(tcase, resources_have_names);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
