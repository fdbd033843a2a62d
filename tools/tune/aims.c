/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aims are read word by word. An error names the word at which the reading stopped. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "slurm/text/duration.h"
#include "tree/tree.h"
#include "tune/aims.h"

#define WORDS_MAX 40
#define WORD_SIZE 64
#define TENTH_QUANTILE 0.95 /* quantile of "largest tenth starts within" */
#define BEST_PART 0.1 /* part of a target; a smaller value counts no better */

/* The words of an aim while they are read. */
struct aim_words {
	char word[WORDS_MAX][WORD_SIZE];
	int count, at;
	struct eqt_error *err;
};

/* ---- Words ------------------------------------------------------------------- */

/* Split a text at blanks, and around "<=", ">=" and "%". Returns 0, or -1 if there are
 * too many words or a word is too long. */
static int words_cut(struct aim_words *words, const char *text)
{
	while (*(text += strspn(text, " \t")) != '\0') {
		size_t length = strcspn(text, " \t<>%");

		if (length == 0)
			length = text[0] != '%' && text[1] == '=' ? 2 : 1;
		if (words->count == WORDS_MAX || length >= WORD_SIZE)
			return eqt_error_set(words->err, "too long");
		(void) snprintf(words->word[words->count++], WORD_SIZE, "%.*s",
				(int) length, text);
		text += length;
	}
	return 0;
}

/* The next word. At the end it is "", which no word equals. */
static const char *words_now(const struct aim_words *words)
{
	return words->at < words->count ? words->word[words->at] : "";
}

/* Skip the next word if it equals `word`. */
static bool words_take(struct aim_words *words, const char *word)
{
	if (strcasecmp(words_now(words), word) != 0)
		return false;
	words->at++;
	return true;
}

/* Fill err with the word that was found. Returns -1. */
static int words_refuse(const struct aim_words *words, const char *expected)
{
	const char *found = words_now(words);

	return found[0] ? eqt_error_set(words->err,
					"expected %s instead of \"%s\"",
					expected, found)
			: eqt_error_set(words->err, "expected %s at the end",
					expected);
}

/* Skip the next word, which must equal `word`. Returns 0, or -1 if it does not. */
static int words_want(struct aim_words *words, const char *word)
{
	char expected[WORD_SIZE + 2];

	if (words_take(words, word))
		return 0;
	(void) snprintf(expected, sizeof(expected), "\"%s\"", word);
	return words_refuse(words, expected);
}

/* Read a decimal number of at least 0. It must be below 1e9, so that no unit of time
 * makes it overflow. Returns 0, or -1 with err filled. */
static int words_number(struct aim_words *words, double *out)
{
	const char *text = words_now(words);
	char *end;

	*out = strtod(text, &end);
	if (!isdigit((unsigned char) text[0]) || *end != '\0' || !(*out < 1e9))
		return words_refuse(words, "a number");
	words->at++;
	return 0;
}

/* Read a time such as "30 minutes", "a month" or "1-12:00:00", in seconds. A time with a
 * colon is read like Slurm's time limits. Months and years have a fixed length, because an
 * aim is not about dates. */
static int words_time(struct aim_words *words, double *out)
{
	uint64_t seconds;
	double count = 1;

	if (strchr(words_now(words), ':') &&
	    eqt_duration_parse(&seconds, words_now(words)) == 0) {
		words->at++;
		*out = (double) seconds;
		return 0;
	}
	if (!words_take(words, "a") && !words_take(words, "an") &&
	    words_number(words, &count) < 0)
		return -1;
	seconds = eqt_duration_unit(words_now(words));
	if (!seconds)
		return words_refuse(words, "minutes, hours, days or months");
	words->at++;
	*out = count * (double) seconds;
	return *out > 0 ? 0
			: eqt_error_set(words->err, "expected a time above 0");
}

/* Read a percentage as a number from 0 to 1. */
static int words_percent(struct aim_words *words, double *out)
{
	if (words_number(words, out) < 0 || words_want(words, "%") < 0)
		return -1;
	*out /= 100;
	return *out > 0 && *out < 1
		       ? 0
		       : eqt_error_set(
				 words->err,
				 "expected more than 0 and less than 100 %%");
}

/* Read a name. As in Slurm, names are case-sensitive. Returns 0, or -1 if there is no
 * name. */
static int words_name(struct aim_words *words, char out[EQT_TUNE_NAME],
		      const char *expected)
{
	if (words->at == words->count || strcmp(words_now(words), "<=") == 0)
		return words_refuse(words, expected);
	(void) snprintf(out, EQT_TUNE_NAME, "%s", words_now(words));
	words->at++;
	return 0;
}

/* ---- Kinds of aims ------------------------------------------------------------- */

/* Read "p95", "median", "mean" or "longest". The quantile 0 stands for the mean. */
static int aim_read_statistic(struct eqt_tune_aim *aim, struct aim_words *words)
{
	const char *word = words_now(words);
	unsigned int percent;
	char rest;

	if (sscanf(word, "p%2u%c", &percent, &rest) == 1 && percent > 0)
		aim->quantile = percent / 100.0;
	else if (strcasecmp(word, "median") == 0)
		aim->quantile = 0.5;
	else if (strcasecmp(word, "longest") == 0)
		aim->quantile = 1;
	else if (strcasecmp(word, "mean") == 0)
		aim->quantile = 0;
	else
		return words_refuse(
			words, "p95 wait, median wait, mean wait, longest "
			       "wait, share, utilisation or largest tenth");
	words->at++;
	return words_want(words, "wait");
}

/* Read bounds of the time limit, and whose jobs count. They come in any order, up to
 * "<=". A name that equals one of these words cannot be used. */
static int aim_read_filters(struct eqt_tune_aim *aim, struct aim_words *words)
{
	double seconds;
	int rc = 0;

	while (rc == 0 && !words_take(words, "<=")) {
		if (words_take(words, "up")) {
			rc = words_want(words, "to") < 0
				     ? -1
				     : words_time(words, &seconds);
			aim->up_to_s = rc < 0 ? 0 : (int64_t) seconds;
		} else if (words_take(words, "longer")) {
			rc = words_want(words, "than") < 0
				     ? -1
				     : words_time(words, &seconds);
			aim->longer_s = rc < 0 ? 0 : (int64_t) seconds;
		} else if (words_take(words, "in")) {
			rc = words_name(words, aim->partition, "a partition");
		} else if (words_take(words, "of")) {
			rc = words_name(words, aim->account, "an account");
		} else if (words_take(words, "by")) {
			rc = words_name(words, aim->user, "a user");
		} else {
			rc = words_refuse(
				words, "<=, up to, longer than, in, of or by");
		}
	}
	return rc;
}

/* Read an aim such as "p95 wait of GPU jobs up to 1 hour <= 30 minutes". */
static int aim_read_wait(struct eqt_tune_aim *aim, struct aim_words *words)
{
	aim->kind = EQT_TUNE_WAIT;
	if (aim_read_statistic(aim, words) < 0)
		return -1;
	if (words_take(words, "of")) {
		(void) words_take(words, "the");
		if (words_take(words, "largest")) {
			aim->largest_tenth = true;
			if (words_want(words, "tenth") < 0)
				return -1;
			(void) words_take(words, "of");
		}
		if (words_take(words, "CPU"))
			aim->pool = EQT_TUNE_CPU;
		else if (words_take(words, "GPU"))
			aim->pool = EQT_TUNE_GPU;
		if (!words_take(words, "jobs") && !aim->largest_tenth)
			return words_refuse(words, "jobs");
	}
	return aim_read_filters(aim, words) < 0
		       ? -1
		       : words_time(words, &aim->target);
}

/* Read an aim such as "share of physics within 5 % over a month". */
static int aim_read_share(struct eqt_tune_aim *aim, struct aim_words *words)
{
	double seconds = 0;

	aim->kind = EQT_TUNE_SHARE;
	if (words_want(words, "of") < 0 ||
	    words_name(words, aim->account, "an account") < 0 ||
	    words_want(words, "within") < 0 ||
	    words_percent(words, &aim->target) < 0 ||
	    (words_take(words, "over") && words_time(words, &seconds) < 0))
		return -1;
	aim->window_s = (int64_t) seconds;
	return 0;
}

/* Read an aim such as "largest tenth starts within 2 days". It is met if 95 % of these
 * jobs do. */
static int aim_read_tenth(struct eqt_tune_aim *aim, struct aim_words *words)
{
	aim->kind = EQT_TUNE_WAIT;
	aim->largest_tenth = true;
	aim->quantile = TENTH_QUANTILE;
	if (words_want(words, "tenth") < 0)
		return -1;
	if (words_take(words, "of") && words_want(words, "jobs") < 0)
		return -1;
	return words_want(words, "starts") < 0 ||
			       words_want(words, "within") < 0
		       ? -1
		       : words_time(words, &aim->target);
}

/* The whole text must be read. If words are left, the aim is refused, so that a typing
 * error does not make another aim. */
static int aim_read(struct eqt_tune_aim *aim, struct aim_words *words)
{
	int rc;

	(void) words_take(words, "the");
	if (words_take(words, "utilisation") ||
	    words_take(words, "utilization")) {
		aim->kind = EQT_TUNE_USE;
		rc = words_want(words, ">=") < 0
			     ? -1
			     : words_percent(words, &aim->target);
	} else if (words_take(words, "share")) {
		rc = aim_read_share(aim, words);
	} else if (words_take(words, "largest")) {
		rc = aim_read_tenth(aim, words);
	} else {
		rc = aim_read_wait(aim, words);
	}
	if (rc == 0 && words->at < words->count)
		rc = words_refuse(words, "no more words");
	return rc;
}

int eqt_tune_aims_add(void *to, const char *text, struct eqt_error *err)
{
	struct eqt_tune_aims *aims = to;
	struct eqt_error why = { "" };
	struct aim_words words = { .err = &why };
	struct eqt_tune_aim aim = {
		.assoc = EQT_TREE_NONE,
		.partition_index = -1,
	};

	if (aims->count == EQT_TUNE_AIMS_MAX)
		return eqt_error_set(err, "more than %d aims",
				     EQT_TUNE_AIMS_MAX);
	if (strlen(text) >= sizeof(aim.text))
		return eqt_error_set(err, "aim \"%.40s...\": too long", text);
	(void) snprintf(aim.text, sizeof(aim.text), "%s", text);
	if (words_cut(&words, text) < 0 || aim_read(&aim, &words) < 0)
		return eqt_error_set(err, "aim \"%s\": %s", text, why.text);
	aims->aim[aims->count++] = aim;
	return 0;
}

/* Each line is one aim, and "#" begins a comment. Errors have the form "FILE:LINE:
 * why". */
int eqt_tune_aims_read(void *aims, const char *path, struct eqt_error *err)
{
	FILE *from = fopen(path, "r");
	struct eqt_error why;
	char line[512];
	unsigned int number = 0;
	int rc = 0;

	if (!from)
		return eqt_error_set(err, "cannot open %s: %s", path,
				     strerror(errno));
	while (rc == 0 && fgets(line, sizeof(line), from)) {
		char *text = line + strspn(line, " \t");
		size_t length;

		number++;
		text[strcspn(text, "#\r\n")] = '\0';
		for (length = strlen(text);
		     length && isspace((unsigned char) text[length - 1]);)
			text[--length] = '\0';
		if (length)
			rc = eqt_tune_aims_add(aims, text, &why);
	}
	if (rc < 0)
		eqt_error_set(err, "%s:%u: %s", path, number, why.text);
	else if (ferror(from))
		rc = eqt_error_set(err, "cannot read %s: %s", path,
				   strerror(errno));
	(void) fclose(from);
	return rc;
}

/* ---- Values -------------------------------------------------------------------- */

/* With the logarithm, a wait of twice the target is as bad as half of it is good, whether
 * aims are in minutes or in days. A result above 0 means that the aim is missed. */
double eqt_tune_aim_miss(const struct eqt_tune_aim *aim, double value)
{
	double target = aim->target;

	if (isnan(value))
		return 0;
	/* Compare what is idle with what may be idle. */
	if (aim->kind == EQT_TUNE_USE) {
		value = 1 - value;
		target = 1 - target;
	}
	return log(fmax(value, target * BEST_PART) / target);
}

bool eqt_tune_aim_met(const struct eqt_tune_aim *aim, double value)
{
	return aim->kind == EQT_TUNE_USE ? value >= aim->target
					 : value <= aim->target;
}

/* Round before printing the sign, so that "-0.0 %" and "-0:00:00" do not occur. */
char *eqt_tune_aim_value(const struct eqt_tune_aim *aim, double value,
			 char buf[EQT_TABLE_CELL])
{
	const bool wait = aim->kind == EQT_TUNE_WAIT;
	const double shown = wait ? rint(value) : rint(1000 * value) / 10;
	const bool less = shown < 0;

	if (isnan(value))
		(void) snprintf(buf, EQT_TABLE_CELL, "-");
	else if (!wait)
		(void) snprintf(buf, EQT_TABLE_CELL, "%s%.1f %%",
				less ? "-" : "", fabs(shown));
	else {
		buf[0] = '-';
		(void) eqt_duration_text(buf + less, (uint64_t) fabs(shown));
	}
	return buf;
}
