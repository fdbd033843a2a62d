/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output has headings between its lines ("User Records", "QOS Records"). It names a
 * user with the user's id, "ada(30004)", but the limits of a QOS name a user by the id
 * alone. Operators see all records. Where PrivateData hides the records of others, a user
 * does not see the limits of the accounts above the user's own.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "slurm/limits.h"
#include "cli/alloc.h"
#include "cli/names.h"

/* ---- Limits of a simulation ---------------------------------------------------------
 * A simulation identifies limits by numbers, but this file has their names. */

void eqt_limit_number(uint32_t *out, struct eqt_limit_numbers *numbers,
		      const char *name, uint64_t most)
{
	int new;
	struct eqt_numbered_name *one =
		eqt_names_get(&numbers->names, name, sizeof(*one), &new);

	if (new) {
		EQT_ALLOC_ROOM(numbers->most, numbers->count);
		one->number = numbers->count++;
		numbers->most[one->number] = most;
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

/* With -o each association and each QOS is one line. Skip all other lines. */
static void limits_read_lines(struct eqt_limits *out)
{
	const size_t lines = eqt_listing_count(&out->text) + 1;
	size_t number = 0;
	char *next;

	out->assocs = eqt_alloc(lines, sizeof(*out->assocs));
	out->qos = eqt_alloc(lines, sizeof(*out->qos));
	for (char *line = out->text.text; *line != '\0'; line = next) {
		struct eqt_scontrol_record record = { .text = line,
						      .number = ++number };

		next = line + strcspn(line, "\n");
		next += *next == '\n';
		eqt_record_cut(&record, next);
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

/* Is a value this name, with or without "(ID)" behind it? */
static bool limits_named(const char *value, const char *name, size_t length)
{
	return strncmp(value, name, length) == 0 &&
	       (value[length] == '\0' || value[length] == '(');
}

/* The association for the job's partition comes before the one for all partitions. */
const struct eqt_scontrol_record *eqt_limits_assoc(
	const struct eqt_limits *limits, const struct eqt_live_job *job)
{
	const struct eqt_scontrol_record *found = NULL;

	for (size_t i = 0; i < limits->assoc_count; i++) {
		const struct eqt_scontrol_record *record = &limits->assocs[i];
		const char *part = eqt_record_text(record, "Partition");

		if (!limits_named(eqt_record_text(record, "Account"),
				  job->account, strlen(job->account)) ||
		    !limits_named(eqt_record_text(record, "UserName"),
				  job->user, strlen(job->user)))
			continue;
		if (part[0] == '\0')
			found = found ? found : record;
		else if (strcmp(part, job->partition) == 0)
			return record;
	}
	return found;
}

/* For a user, the association of the user's account. For an account, which has an empty
 * user, the association of its parent. NULL if there is none above the root, or if the
 * caller may not see it. */
const struct eqt_scontrol_record *eqt_limits_above(
	const struct eqt_limits *limits,
	const struct eqt_scontrol_record *assoc)
{
	const bool user = eqt_record_text(assoc, "UserName")[0] != '\0';
	const char *above =
		eqt_record_text(assoc, user ? "Account" : "ParentAccount");
	const size_t length = strcspn(above, "(");

	for (size_t i = 0; length > 0 && i < limits->assoc_count; i++) {
		const struct eqt_scontrol_record *record = &limits->assocs[i];

		if (limits_named(eqt_record_text(record, "Account"), above,
				 length) &&
		    eqt_record_is(record, "UserName", ""))
			return record;
	}
	return NULL;
}

const struct eqt_scontrol_record *eqt_limits_qos(
	const struct eqt_limits *limits, const char *name)
{
	for (size_t i = 0; i < limits->qos_count; i++) {
		if (limits_named(eqt_record_text(&limits->qos[i], "QOS"), name,
				 strlen(name)))
			return &limits->qos[i];
	}
	return NULL;
}

/* The end of the word whose brace closes the block. */
static const char *limits_brace_end(const char *at, const char *end)
{
	while (at < end && !strchr(at, '}'))
		at += strlen(at) + 1;
	return at < end ? at + strlen(at) : end;
}

/* The words between the braces of "WHO={...}" that follow the heading "User Limits=" or
 * "Account Limits=". The caller gives the first word of the heading. The record has no
 * text if there is no such block. */
static struct eqt_scontrol_record limits_braced(
	const struct eqt_scontrol_record *qos, const char *heading,
	const char *who)
{
	const size_t length = strlen(who);
	const char *before = "";
	bool below = false;

	for (char *at = qos->text; at < qos->end; at += strlen(at) + 1) {
		if (below && strncmp(at, who, length) == 0 &&
		    strncmp(at + length, "={", 2) == 0)
			return (struct eqt_scontrol_record){
				.text = at + length + 2,
				.end = limits_brace_end(at, qos->end),
			};
		below = below || (strncmp(at, "Limits=", 7) == 0 &&
				  strcmp(before, heading) == 0);
		before = at;
	}
	return (struct eqt_scontrol_record){ .text = NULL };
}

/* The id that follows the user's name in any association of the user; "" if there is
 * none. */
static void limits_user_id(char id[32], const struct eqt_limits *limits,
			   const char *user)
{
	const size_t length = strlen(user);

	id[0] = '\0';
	for (size_t i = 0; i < limits->assoc_count; i++) {
		const char *name =
			eqt_record_text(&limits->assocs[i], "UserName");

		if (!limits_named(name, user, length) || name[length] == '\0')
			continue;
		(void) snprintf(id, 32, "%.*s",
				(int) strcspn(name + length + 1, ")"),
				name + length + 1);
		return;
	}
}

/* 22.05 prints "30004={"; later releases print "ada(30004)={" or "ada={". */
struct eqt_scontrol_record eqt_limits_of_user(
	const struct eqt_limits *limits, const struct eqt_scontrol_record *qos,
	const char *user)
{
	struct eqt_scontrol_record found;
	char id[32], both[320];

	limits_user_id(id, limits, user);
	found = limits_braced(qos, "User", id);
	if (found.text)
		return found;
	(void) snprintf(both, sizeof(both), "%s(%s)", user, id);
	found = limits_braced(qos, "User", both);
	return found.text ? found : limits_braced(qos, "User", user);
}

struct eqt_scontrol_record eqt_limits_of_account(
	const struct eqt_scontrol_record *qos, const char *account)
{
	return limits_braced(qos, "Account", account);
}

/* ---- Who may use a partition ------------------------------------------------ */

/* Does the list name the job's account or an account above it? AllowAccounts includes the
 * accounts below a named one, and DenyAccounts does not. If PrivateData hides
 * associations, the accounts above the job's own are not known. */
static bool limits_list_has_above(const struct eqt_limits *limits,
				  const char *list,
				  const struct eqt_live_job *job)
{
	const struct eqt_scontrol_record *assoc = eqt_limits_assoc(limits, job);

	for (; assoc; assoc = eqt_limits_above(limits, assoc)) {
		if (eqt_text_list_has_exact(list,
					    eqt_record_text(assoc, "Account")))
			return true;
	}
	return eqt_text_list_has_exact(list, job->account);
}

/* Slurm ignores DenyAccounts if AllowAccounts names accounts. */
const char *eqt_limits_account_key(const char **list,
				   const struct eqt_limits *limits,
				   const struct eqt_scontrol_record *partition,
				   const struct eqt_live_job *job)
{
	*list = eqt_record_text(partition, "AllowAccounts");
	if (**list && strcmp(*list, "ALL") != 0)
		return limits_list_has_above(limits, *list, job)
			       ? NULL
			       : "AllowAccounts";
	*list = eqt_record_text(partition, "DenyAccounts");
	return eqt_text_list_has_exact(*list, job->account) ? "DenyAccounts"
							    : NULL;
}

/* A list without names, or a list of excluded names ("-ada"), admits everybody else. */
bool eqt_limits_reservation_is_out(
	const struct eqt_limits *limits,
	const struct eqt_scontrol_record *reservation,
	const struct eqt_live_job *job)
{
	const char *users = eqt_record_known(reservation, "Users");
	const char *accounts = eqt_record_known(reservation, "Accounts");

	return (users || accounts) &&
	       !eqt_record_known(reservation, "Groups") &&
	       (!users || (*users != '-' &&
			   !eqt_text_list_has_exact(users, job->user))) &&
	       (!accounts || (*accounts != '-' &&
			      !limits_list_has_above(limits, accounts, job)));
}

bool eqt_limits_qos_is_out(const struct eqt_scontrol_record *partition,
			   const char *qos)
{
	const char *list = eqt_record_text(partition, "AllowQos");

	if (qos[0] == '\0')
		return false;
	if (*list && strcmp(list, "ALL") != 0)
		return !eqt_text_list_has_exact(list, qos);
	return eqt_text_list_has_exact(eqt_record_text(partition, "DenyQos"),
				       qos);
}

/* ---- Values ----------------------------------------------------------------- */

/* The value is a list such as "cpu=100(12),gres/gpu=N(4)", or one limit such as "10(2)".
 * N means no limit and is skipped. The number in parentheses is in use. strtoull() turns
 * a number beyond 64 bits into the largest one, which is no limit in practice. */
bool eqt_limits_next(struct eqt_limit *out, const char **value)
{
	while (*value && **value != '\0') {
		const char *text = *value, *stop = text + strcspn(text, ",");
		const char *equals = memchr(text, '=', (size_t) (stop - text));
		const char *paren = memchr(text, '(', (size_t) (stop - text));
		const char *number = equals ? equals + 1 : text;

		*value = stop + (*stop == ',');
		if (number >= stop || !isdigit((unsigned char) *number))
			continue;
		(void) snprintf(out->tres, sizeof(out->tres), "%.*s",
				equals ? (int) (equals - text) : 0, text);
		out->limit = strtoull(number, NULL, 10);
		out->used = paren ? strtoull(paren + 1, NULL, 10) : 0;
		return true;
	}
	return false;
}
