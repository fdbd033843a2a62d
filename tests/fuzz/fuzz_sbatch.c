/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as the options that a batch script has for sbatch. "equitree bill"
 * takes those of each component: it finds a price, or a reason why there is
 * none, or reports in one line of text which line of the script is wrong.
 */
#include <limits.h>
#include <string.h>

#include "sbatch/options.h"
#include "quote/price_message.h"
#include "quote/quote.h"
#include "memory_file.h"

#define INPUT_MAX 65536

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct eqt_bundle_table prices = {
	.cores = { "cores", 1000000, UINT64_C(4000) * EQT_MICRO, 1000000, NULL,
		   NULL,
		   NULL, 0, 0, NULL },
	.gpu = (const struct eqt_bundle[]){
		{ "gpu:p100", 6000000, UINT64_C(32000) * EQT_MICRO, 1000000,
		  NULL, NULL, NULL, 0, 0, NULL },
		{ "gpu:v100", 3500000, UINT64_C(22500) * EQT_MICRO, 4000000,
		  NULL, NULL, NULL, 0, 0, NULL },
	},
	.gpu_count = 2,
};

static void check_text(const char *text)
{
	if (*text == '\0')
		abort();
	for (; *text != '\0'; text++) {
		if ((unsigned char) *text < ' ' || *text == 0x7f)
			abort();
	}
}

static void price(const struct eqt_sbatch_component *one)
{
	char text[EQT_PRICE_MESSAGE_SIZE];
	struct eqt_error err = { "" };
	struct eqt_quote bill;

	if (eqt_quote_make(&bill, &prices, &one->spec, &err) < 0) {
		check_text(err.text);
		return;
	}
	check_text(eqt_price_message_brief(&bill, text, sizeof(text)));
}

/* Lines that a script could have: "#!" and "#SBATCH" are added, so that all
 * input is options. */
static size_t make_script(uint8_t *script, const uint8_t *data, size_t size)
{
	static const char title[] = "#!/bin/sh\n", before[] = "#SBATCH ";
	size_t length = strlen(title), i = 0;

	memcpy(script, title, length);
	while (i < size) {
		const uint8_t *end = memchr(data + i, '\n', size - i);
		size_t line = end ? (size_t) (end - data) - i + 1 : size - i;

		if (length + line + strlen(before) > INPUT_MAX)
			break;
		memcpy(script + length, before, strlen(before));
		length += strlen(before);
		memcpy(script + length, data + i, line);
		length += line;
		i += line;
	}
	return length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t script[INPUT_MAX];
	char name[] = "bill";
	char path[32];
	char *argv[] = { name, path, NULL };
	static const struct eqt_option none[] = { { 0 } };
	static const struct eqt_sbatch_command command = { .own = none };
	struct eqt_sbatch_options options;
	struct eqt_error err = { "" };

	size = make_script(script, data, size);
	(void) snprintf(path, sizeof(path), "%s", memory_file(script, size));
	if (eqt_sbatch_options_parse(&options, &command, 2, argv, &err) < 0) {
		check_text(err.text);
		return 0;
	}
	/* The first release and the last, by turns. */
	if (eqt_sbatch_options_apply(&options, size % 2 ? 0 : UINT_MAX, &err) <
	    0) {
		check_text(err.text);
		eqt_sbatch_options_free(&options);
		return 0;
	}
	for (int i = 0; i < options.components; i++)
		price(&options.component[i]);
	eqt_sbatch_options_free(&options);
	return 0;
}
