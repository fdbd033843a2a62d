/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any text as equitree.conf: either it is refused with an error text, or it
 * prices requests in each of its partitions and QOS. */
#include <stdlib.h>
#include <string.h>

#include "quote/quote.h"
#include "conf/conf.h"
#include "memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

/* An operator gets one line of printable characters. */
static void check_text(const char *text)
{
	require(text[0] != '\0');
	for (; *text != '\0'; text++)
		require(*text >= ' ' && *text != 0x7f);
}

static void price_one(const struct eqt_conf *conf, const char *partition,
		      const char *qos)
{
	const struct eqt_job_spec spec = { .tasks = 3,
				     .mem = EQT_MEM_PER_NODE,
				     .mem_mib = 10000,
				     .tres_per_node =
					     partition ? "gpu:p100:2" : NULL };
	struct eqt_error err = { "" };
	struct eqt_bundle_table prices;
	struct eqt_quote quote;

	eqt_conf_prices(&prices, conf, partition, qos);
	if (eqt_quote_make(&quote, &prices, &spec, &err) < 0) {
		require(err.text[0] != '\0');
		return;
	}
	require(eqt_frac_cmp(quote.low.equivalents, quote.high.equivalents) <= 0);
	(void) eqt_frac_round(quote.low.charge, conf->billing_scale,
			      conf->billing_round);
}

static void check(const struct eqt_conf *conf)
{
	require(conf->prices.cores.cores_u > 0);
	require(conf->prices.gpu_count <= EQT_MODELS_MAX);
	require(conf->billing_scale >= 1);
	price_one(conf, NULL, NULL);
	for (uint32_t i = 0; i < conf->partitions.count; i++)
		price_one(conf, conf->partitions.rule[i].name, NULL);
	for (uint32_t i = 0; i < conf->qos.count; i++)
		price_one(conf, NULL, conf->qos.rule[i].name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct eqt_error err = { "" };
	const struct eqt_conf *conf =
		eqt_conf_read(memory_file(data, size), &err);

	if (!conf) {
		check_text(err.text);
		return 0;
	}
	check(conf);
	eqt_conf_free(conf);
	return 0;
}
