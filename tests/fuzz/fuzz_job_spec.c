/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything that a user can write into a request: GRES lists, arrays, memory,
 * times and counts. The input has one field per line, in the order of the
 * table; fields without a line are not given.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "quote/price_message.h"
#include "quote/quote.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct eqt_bundle_table prices = {
	.cores = { "cores", 1000000, UINT64_C(4000) * EQT_MICRO, 1000000, NULL, NULL, NULL, 0, 0, NULL },
	.gpu = (const struct eqt_bundle[]){
		{ "gpu:p100", 6000000, UINT64_C(32000) * EQT_MICRO, 1000000, NULL, NULL, NULL, 0, 0, NULL },
		{ "gpu:v100", 3500000, UINT64_C(22500) * EQT_MICRO, 4000000, NULL,
		  NULL,
		  NULL, 0, 0, NULL },
		{ "gpu", 4000000, 0, 12200000, NULL, NULL, NULL, 0, 0, NULL },
		{ "tpu:v3", 1, 1, UINT64_C(1000000) * EQT_MICRO, NULL,
		  NULL,
		  NULL, 0, 0, NULL },
	},
	.gpu_count = 4,
};

static const size_t texts[] = {
	offsetof(struct eqt_job_spec, tres_per_job),
	offsetof(struct eqt_job_spec, tres_per_node),
	offsetof(struct eqt_job_spec, tres_per_socket),
	offsetof(struct eqt_job_spec, tres_per_task),
	offsetof(struct eqt_job_spec, cpus_per_tres),
	offsetof(struct eqt_job_spec, mem_per_tres),
	offsetof(struct eqt_job_spec, array),
};

static const size_t numbers[] = {
	offsetof(struct eqt_job_spec, tasks),
	offsetof(struct eqt_job_spec, cpus_per_task),
	offsetof(struct eqt_job_spec, min_nodes),
	offsetof(struct eqt_job_spec, max_nodes),
	offsetof(struct eqt_job_spec, tasks_per_node),
	offsetof(struct eqt_job_spec, tasks_per_gpu),
	offsetof(struct eqt_job_spec, sockets_per_node),
	offsetof(struct eqt_job_spec, min_cpus),
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Cut the next line off *text; NULL if there is none. */
static char *next_line(char **text)
{
	char *line = *text, *end;

	if (!line)
		return NULL;
	end = strchr(line, '\n');
	*text = end ? end + 1 : NULL;
	if (end)
		*end = '\0';
	return line;
}

static void fill(struct eqt_job_spec *spec, char *text)
{
	char *line, *at = (char *) spec;
	size_t i;

	for (i = 0; i < COUNT(texts) && (line = next_line(&text)); i++)
		memcpy(at + texts[i], &line, sizeof(line));
	for (i = 0; i < COUNT(numbers) && (line = next_line(&text)); i++)
		(void) eqt_amount_count((uint64_t *) (void *) (at + numbers[i]),
				       line, strlen(line));
	if ((line = next_line(&text)) &&
	    eqt_amount_memory(&spec->mem_mib, line) == 0)
		spec->mem = (enum eqt_job_spec_mem) (spec->mem_mib % 5);
	if ((line = next_line(&text)))
		(void) eqt_amount_minutes(&spec->minutes, line);
	if ((line = next_line(&text))) {
		spec->exclusive = strchr(line, 'x') != NULL;
		spec->overcommit = strchr(line, 'o') != NULL;
		spec->node = (struct eqt_node_offer){ .cpus = 24,
						      .mem_mib = 128000,
						      .gres = line,
						      .count = 3 };
	}
}

/* A text for the user has only lines of printable ASCII. */
static void check_text(const char *text)
{
	for (; *text != '\0'; text++) {
		if ((*text < ' ' && *text != '\n') || *text > '~')
			abort();
	}
}

static void check(const struct eqt_job_spec *spec)
{
	char text[EQT_PRICE_MESSAGE_SIZE];
	struct eqt_quote quote;
	struct eqt_error err = { "" };

	if (eqt_quote_make(&quote, &prices, spec, &err) < 0) {
		if (err.text[0] == '\0')
			abort();
		check_text(err.text);
		return;
	}
	if (eqt_frac_cmp(quote.low.equivalents, quote.high.equivalents) > 0)
		abort();
	if (quote.advice != EQT_QUOTE_ADVICE_NONE &&
	    eqt_frac_cmp(quote.advice_price, quote.low.equivalents) >= 0)
		abort();
	check_text(eqt_price_message_brief(&quote, text, sizeof(text)));
	check_text(eqt_price_message_full(&quote, text, sizeof(text)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct eqt_job_spec spec = { .tasks = 0 };
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	fill(&spec, text);
	check(&spec);
	free(text);
	return 0;
}
