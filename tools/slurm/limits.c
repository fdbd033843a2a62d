/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Headings ("User Records", "QOS Records") stand between the lines. A user's name has
 * his id behind it, "ada(30004)"; the limits of a QOS name users by the id alone.
 * Operators see all records; users see their own where PrivateData hides the others,
 * and then limits above them are not known.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slurm/limits.h"
#include "cli/alloc.h"
#include "cli/names.h"

/* ---- Limits of a simulation ---------------------------------------------------------
 * The limits of a simulation, which knows them by numbers, by their names. */

/* Append a limit. */
static void numbers_append(struct eqt_limit_numbers *numbers, uint64_t most)
{
	EQT_ALLOC_ROOM(numbers->most, numbers->count);
	numbers->most[numbers->count++] = most;
}

void eqt_limit_number(uint32_t *out, struct eqt_limit_numbers *numbers,
		      const char *name, uint64_t most)
{
	int new;
	struct eqt_numbered_name *one =
		eqt_names_get(&numbers->names, name, sizeof(*one), &new);

	if (new) {
		one->number = numbers->count;
		numbers_append(numbers, most);
	}
	*out = one->number;
}

void eqt_limit_numbers_free(struct eqt_limit_numbers *numbers)
{
	free(numbers->most);
	eqt_names_free(&numbers->names);
	*numbers = (struct eqt_limit_numbers){ .most = NULL };
}

/* ---- Limits --------------------------------------------------------------- */

#define LIMITS_COMMAND "scontrol -o show assoc_mgr flags=assoc,qos"

/* With -o each association and each QOS is one line. Lines of other kinds are left out. */
static void limits_read_lines(struct eqt_limits *out)
{
	const size_t lines = eqt_listing_count(&out->text) + 1;
	size_t number = 0;
	char *next;

	out->assocs = eqt_alloc(lines, sizeof(*out->assocs));
	out->qos = eqt_alloc(lines, sizeof(*out->qos));
	for (char *line = out->text.text; *line != '\0'; line = next) {
		const struct eqt_scontrol_record record = { line, ++number };

		next = line + strcspn(line, "\n");
		next += *next == '\n';
		if (strncmp(line, "ClusterName=", 12) == 0)
			out->assocs[out->assoc_count++] = record;
		else if (strncmp(line, "QOS=", 4) == 0)
			out->qos[out->qos_count++] = record;
	}
}

int eqt_limits_read(struct eqt_limits *out, const char *path,
		    struct eqt_error *err)
{
	*out = (struct eqt_limits){ .qos_count = 0 };
	if (eqt_listing_read(&out->text, path, LIMITS_COMMAND, err) < 0)
		return -1;
	limits_read_lines(out);
	return 0;
}

void eqt_limits_free(struct eqt_limits *limits)
{
	free(limits->assocs);
	free(limits->qos);
	eqt_listing_free(&limits->text);
	*limits = (struct eqt_limits){ .qos_count = 0 };
}

/* Is a value the name, with or without "(ID)" behind it? */
static bool limits_named(struct eqt_scontrol_value value, const char *name,
			 size_t length)
{
	return value.text && value.length >= length &&
	       strncmp(value.text, name, length) == 0 &&
	       (value.length == length || value.text[length] == '(');
}

/* Values are compared without the id behind them. */
static bool limits_assoc_is(const struct eqt_scontrol_record *record,
			    const char *account, const char *user)
{
	return limits_named(eqt_record_get(record, "Account"), account,
			    strlen(account)) &&
	       limits_named(eqt_record_get(record, "UserName"), user,
			    strlen(user));
}

/* A partition's own association goes before the one of all partitions. */
const struct eqt_scontrol_record *eqt_limits_assoc(
	const struct eqt_limits *limits, const struct eqt_live_job *job)
{
	const struct eqt_scontrol_record *found = NULL;

	for (size_t i = 0; i < limits->assoc_count; i++) {
		const struct eqt_scontrol_record *record = &limits->assocs[i];
		struct eqt_scontrol_value part;

		if (!limits_assoc_is(record, job->account, job->user))
			continue;
		part = eqt_record_get(record, "Partition");
		if (part.length == 0)
			found = found ? found : record;
		else if (eqt_record_value_is(part, job->partition))
			return record;
	}
	return found;
}

/* The account of a user's association, or the parent of an account's. The record of an
 * account has an empty user. NULL: it is the root, or may not be seen. */
const struct eqt_scontrol_record *eqt_limits_above(
	const struct eqt_limits *limits,
	const struct eqt_scontrol_record *assoc)
{
	const bool user = eqt_record_get(assoc, "UserName").length > 0;
	struct eqt_scontrol_value above =
		eqt_record_get(assoc, user ? "Account" : "ParentAccount");
	size_t i, length = 0;

	while (length < above.length && above.text[length] != '(')
		length++;
	for (i = 0; length > 0 && i < limits->assoc_count; i++) {
		const struct eqt_scontrol_record *record = &limits->assocs[i];

		if (limits_named(eqt_record_get(record, "Account"), above.text,
				 length) &&
		    eqt_record_get(record, "UserName").length == 0)
			return record;
	}
	return NULL;
}

/* By its name; the id in parentheses stands behind it. */
const struct eqt_scontrol_record *eqt_limits_qos(
	const struct eqt_limits *limits, const char *name, size_t length)
{
	for (size_t i = 0; i < limits->qos_count; i++) {
		if (limits_named(eqt_record_get(&limits->qos[i], "QOS"), name,
				 length))
			return &limits->qos[i];
	}
	return NULL;
}

/* The text between the braces behind " WHO={", from a heading on. Up to the end of the
 * line: the next record begins there. */
static struct eqt_scontrol_value limits_braced(
	const struct eqt_scontrol_record *qos, const char *heading,
	const char *who)
{
	const size_t line = strcspn(qos->text, "\n");
	const char *end = qos->text + line, *at = strstr(qos->text, heading);
	const size_t length = strlen(who);
	struct eqt_scontrol_value out = { NULL, 0 };

	for (; at && at < end; at++) {
		at += strcspn(at, " \n");
		if (at >= end)
			break;
		if (strncmp(at + 1, who, length) == 0 &&
		    strncmp(at + 1 + length, "={", 2) == 0) {
			out.text = at + length + 3;
			out.length = strcspn(out.text, "}\n");
			return out;
		}
	}
	return out;
}

/* The id behind a user's name in any of his associations, "" for none. */
static void limits_user_id(char id[32], const struct eqt_limits *limits,
			   const char *user)
{
	const size_t length = strlen(user);

	id[0] = '\0';
	for (size_t i = 0; i < limits->assoc_count; i++) {
		struct eqt_scontrol_value name =
			eqt_record_get(&limits->assocs[i], "UserName");

		if (!limits_named(name, user, length) ||
		    name.length < length + 2)
			continue;
		(void) snprintf(id, 32, "%.*s",
				(int) strcspn(name.text + length + 1, ")"),
				name.text + length + 1);
		return;
	}
}

/* Later releases print "ada(30004)={" or "ada={". */
struct eqt_scontrol_value eqt_limits_of_user(
	const struct eqt_limits *limits, const struct eqt_scontrol_record *qos,
	const char *user)
{
	struct eqt_scontrol_value found;
	char id[32], both[320];

	limits_user_id(id, limits, user);
	found = limits_braced(qos, "User Limits=", id);
	if (found.text)
		return found;
	(void) snprintf(both, sizeof(both), "%s(%s)", user, id);
	found = limits_braced(qos, "User Limits=", both);
	return found.text ? found : limits_braced(qos, "User Limits=", user);
}

struct eqt_scontrol_value eqt_limits_of_account(
	const struct eqt_scontrol_record *qos, const char *account)
{
	return limits_braced(qos, "Account Limits=", account);
}

/* Keys are separated by single blanks, and a value has none. */
struct eqt_scontrol_value eqt_limits_value(struct eqt_scontrol_value text,
					   const char *key)
{
	const size_t length = strlen(key);
	size_t at = 0, word;

	for (; at < text.length; at += word + 1) {
		word = 0;
		while (at + word < text.length && text.text[at + word] != ' ')
			word++;
		if (word > length &&
		    strncmp(text.text + at, key, length) == 0 &&
		    text.text[at + length] == '=')
			return (struct eqt_scontrol_value){
				text.text + at + length + 1, word - length - 1
			};
	}
	return (struct eqt_scontrol_value){ NULL, 0 };
}

/* Digits as a number; stops at the first other character. A number beyond 64 bits is
 * the largest one: such a limit limits nothing. */
static uint64_t limits_digits(const char *text, const char *end)
{
	uint64_t number = 0;

	for (; text < end && isdigit((unsigned char) *text); text++) {
		if (number > (UINT64_MAX - 9) / 10)
			return UINT64_MAX;
		number = number * 10 + (uint64_t) (*text - '0');
	}
	return number;
}

/* "cpu=100(12),gres/gpu=N(4)" or "10(2)": what has N for no limit is skipped. The
 * number in parentheses is in use. */
bool eqt_limits_next(struct eqt_limit *out, struct eqt_scontrol_value *value)
{
	while (value->text && value->length > 0) {
		const char *text = value->text, *end = text + value->length;
		const char *comma = memchr(text, ',', value->length);
		const char *stop = comma ? comma : end;
		const char *equals = memchr(text, '=', (size_t) (stop - text));
		const char *paren = memchr(text, '(', (size_t) (stop - text));
		const char *number = equals ? equals + 1 : text;

		value->text = comma ? comma + 1 : end;
		value->length = (size_t) (end - value->text);
		if (number >= stop || !isdigit((unsigned char) *number))
			continue;
		(void) snprintf(out->tres, sizeof(out->tres), "%.*s",
				equals ? (int) (equals - text) : 0, text);
		out->limit = limits_digits(number, stop);
		out->used = paren ? limits_digits(paren + 1, stop) : 0;
		return true;
	}
	return false;
}
