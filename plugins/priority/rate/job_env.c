/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Write the price into a job's environment. Each text is compared with the
 * present one first, because most updates of a job do not change its price.
 */
#include <string.h>

#include "slurm/env_names.h"
#include "base/text.h"
#include "rate/job_env.h"

enum variable {
	PRICE,
	PRICE_MAX,
	UNIT,
	DECIDED_BY,
	RATE,
	RATE_MAX,
	BILLING,
	MONEY_RATE,
	CURRENCY,
	VARIABLES
};

/* All our names begin with this text, so one comparison rules out most other
 * variables. */
#define PREFIX "EQUITREE_"

#define TEXT_SIZE 64 /* Room for a name and a fraction or a unit. */

/* A text such as "EQUITREE_PRICE=2.5". Without a value the text ends after the
 * "=". */
struct variable_text {
	char text[TEXT_SIZE];
	size_t length;
};

static const struct variable_text names[VARIABLES] = {
#define NAME(name)                             \
	{                                      \
		name "=", sizeof(name "=") - 1 \
	}
	[PRICE] = NAME(EQT_ENV_PRICE),
	[PRICE_MAX] = NAME(EQT_ENV_PRICE_MAX),
	[UNIT] = NAME(EQT_ENV_UNIT),
	[DECIDED_BY] = NAME(EQT_ENV_DECIDED_BY),
	[RATE] = NAME(EQT_ENV_RATE),
	[RATE_MAX] = NAME(EQT_ENV_RATE_MAX),
	[BILLING] = NAME(EQT_ENV_BILLING),
	[MONEY_RATE] = NAME(EQT_ENV_MONEY_RATE),
	[CURRENCY] = NAME(EQT_ENV_CURRENCY),
#undef NAME
};

struct texts {
	/* One memcpy() copies the names of all variables. */
	struct variable_text of[VARIABLES];
	struct eqt_text line[VARIABLES];
};

static void env_texts_begin(struct texts *texts)
{
	memcpy(texts->of, names, sizeof(names));
	for (int i = 0; i < VARIABLES; i++)
		texts->line[i] = (struct eqt_text){ .data = texts->of[i].text,
						    .space = TEXT_SIZE,
						    .length = names[i].length };
}

/* The number that was formatted last. In most jobs all variables have the same
 * number. */
struct last_text {
	struct eqt_frac value;
	char text[EQT_FRAC_TEXT];
};

static void env_text_put(struct eqt_text *line, struct last_text *last,
			 struct eqt_frac value)
{
	if (value.num != last->value.num || value.den != last->value.den) {
		last->value = value;
		(void) eqt_frac_text(value, last->text, sizeof(last->text));
	}
	eqt_text_put(line, last->text);
}

/* Fill in the values. If the price is only a lower bound, the maxima stay
 * empty. */
static void env_texts_fill(struct texts *texts, const struct eqt_quote *quote,
			   const struct eqt_conf *conf)
{
	const struct eqt_price *low = &quote->low, *high = &quote->high;
	struct last_text last = { .value = { 0, 0 } };
	struct eqt_text *line = texts->line;
	struct eqt_frac money;

	env_text_put(&line[PRICE], &last, low->equivalents);
	env_text_put(&line[RATE], &last, low->usage);
	if (!quote->least && !quote->also) {
		env_text_put(&line[PRICE_MAX], &last, high->equivalents);
		env_text_put(&line[RATE_MAX], &last, high->usage);
	}
	eqt_text_put(&line[UNIT], eqt_price_unit(low));
	eqt_text_put(&line[DECIDED_BY],
		     low->minimum ? "minimum"
				  : eqt_resource_name(low->dominant));
	if (eqt_unit_money(&money, low->unit, low->usage) == 0) {
		eqt_frac_put(&line[MONEY_RATE], money);
		eqt_text_put(&line[CURRENCY], low->unit->currency);
	}
	eqt_text_whole(&line[BILLING],
		       eqt_frac_round(low->charge, conf->billing_scale,
				      conf->billing_round));
}

/* The variable that a text sets, or VARIABLES if it is not one of ours. */
static int env_variable_of(const char *text)
{
	int i;

	if (!text || strncmp(text, PREFIX, sizeof(PREFIX) - 1) != 0)
		return VARIABLES;
	for (i = 0; i < VARIABLES; i++) {
		if (strncmp(text, names[i].text, names[i].length) == 0)
			break;
	}
	return i;
}

/* Find the slots of our variables in a job's environment. A missing variable
 * gets a slot at the end, or NULL if the environment is full, because env_cnt
 * has 16 bits. Returns the new number of variables. */
static uint32_t env_slots_find(char **slots[VARIABLES], job_details_t *details)
{
	uint32_t at[VARIABLES], count = details->env_cnt, i;
	int variable, known = 0;

	memset(at, 0xff, sizeof(at));
	for (i = 0; i < details->env_cnt && known < VARIABLES; i++) {
		variable = env_variable_of(details->env_sup[i]);
		if (variable == VARIABLES || at[variable] != UINT32_MAX)
			continue;
		at[variable] = i;
		known++;
	}
	if (known < VARIABLES)
		xrecalloc(details->env_sup,
			  (size_t) count + (size_t) (VARIABLES - known) + 1,
			  sizeof(char *));
	for (i = 0; i < VARIABLES; i++) {
		if (at[i] == UINT32_MAX && count < UINT16_MAX - 1)
			at[i] = count++;
		slots[i] = at[i] == UINT32_MAX ? NULL
					       : &details->env_sup[at[i]];
	}
	return count;
}

/* A copy for the record, which owns its texts; slurmctld frees them with
 * xfree(). xstrdup() would be slower, because it counts the bytes and clears
 * the memory first. */
static char *env_text_copy(const struct eqt_text *line)
{
	char *copy = xmalloc_nz(line->length + 1);

	return memcpy(copy, line->data, line->length + 1);
}

static void env_texts_apply(job_details_t *details, const struct texts *texts)
{
	char **slots[VARIABLES];

	details->env_cnt = (uint16_t) env_slots_find(slots, details);
	for (int i = 0; i < VARIABLES; i++) {
		char **slot = slots[i];

		if (!slot || (*slot && strcmp(*slot, texts->of[i].text) == 0))
			continue;
		xfree(*slot);
		*slot = env_text_copy(&texts->line[i]);
	}
}

void eqt_job_env_set(const struct eqt_config *config, job_record_t *job,
		     const struct eqt_quote *quote)
{
	struct texts texts;

	env_texts_begin(&texts);
	if (quote)
		env_texts_fill(&texts, quote, config->conf);
	env_texts_apply(job->details, &texts);
}
