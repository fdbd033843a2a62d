/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replaces one number in slurmctld's texts of a job's requested TRES, after checking that
 * the texts have exactly the counts of the record. */
#include <string.h>

#include "base/amount.h"
#include "base/text.h"
#include "usage/limits/tres_req_text.h"

/* The largest count that is handled here: Slurm's marks (NO_VAL64 and the like) are above,
 * and this many MiB still fit 64 bits as bytes. */
#define COUNT_MAX (UINT64_C(1) << 40)

/* The place of a number in a text. */
struct number {
	size_t at;
	size_t length;
};

/* Set *name to the name of a TRES in a text, which is its id in one of them; returns the
 * length. buf has EQT_DIGITS bytes. */
static size_t tres_text_name(const char **name, char *buf, uint32_t tres,
			     bool by_id)
{
	if (by_id) {
		*name = buf;
		return eqt_digits(buf, assoc_mgr_tres_array[tres]->id);
	}
	*name = assoc_mgr_tres_name_array[tres];
	return strlen(*name);
}

/* Is the number in the text this count? In the text with names, memory has a unit. */
static bool tres_text_has_count(const char *text, size_t length, uint32_t tres,
				bool by_id, uint64_t count)
{
	uint64_t value;

	if (tres == TRES_ARRAY_MEM && !by_id)
		count <<= 20;
	return eqt_amount_count(&value, text, length) == 0 && value == count;
}

/* Find the billing in a text. False if there is none, or if the text does not have exactly
 * these counts. */
static bool tres_text_find_billing(struct number *billing, const char *text,
				   const uint64_t *counts, bool by_id)
{
	const char *at = text, *name;
	char digits[EQT_DIGITS];

	*billing = (struct number){ .length = 0 };
	for (uint32_t i = 0; at && i < g_tres_count; i++) {
		size_t length;

		if (counts[i] == 0)
			continue;
		if (counts[i] > COUNT_MAX || (at != text && *at++ != ','))
			return false;
		length = tres_text_name(&name, digits, i, by_id);
		if (strncmp(at, name, length) != 0 || at[length] != '=')
			return false;
		at += length + 1;
		length = strcspn(at, ",");
		if (!tres_text_has_count(at, length, i, by_id, counts[i]))
			return false;
		if (i == TRES_ARRAY_BILLING)
			*billing =
				(struct number){ (size_t) (at - text), length };
		at += length;
	}
	return at && *at == '\0' && billing->length > 0;
}

/* Replace a number in a text by digits. slurmctld owns the text, hence xrealloc(). */
static void tres_text_replace(char **text, const struct number *number,
			      const char *digits, size_t length)
{
	const size_t rest = strlen(*text + number->at + number->length) + 1;
	char *at;

	if (length > number->length)
		xrealloc(*text, number->at + length + rest);
	at = *text + number->at;
	memmove(at + length, at + number->length, rest);
	memcpy(at, digits, length);
}

void eqt_tres_req_text_set_billing(job_record_t *job, uint64_t billing)
{
	uint64_t *counts = job->tres_req_cnt;
	struct number simple, named;
	char digits[EQT_DIGITS];
	size_t length;
	/* A count of 0 is not in the texts. */
	bool ready = billing > 0 && billing <= COUNT_MAX &&
		     tres_text_find_billing(&simple, job->tres_req_str, counts,
					    true) &&
		     tres_text_find_billing(&named, job->tres_fmt_req_str,
					    counts, false);

	counts[TRES_ARRAY_BILLING] = billing;
	if (!ready) {
		set_job_tres_req_str(job, true);
		return;
	}
	length = eqt_digits(digits, billing);
	tres_text_replace(&job->tres_req_str, &simple, digits, length);
	tres_text_replace(&job->tres_fmt_req_str, &named, digits, length);
}
