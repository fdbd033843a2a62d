/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From 23.02 on Slurm has no reason for a job whose account the partition does not allow,
 * and squeue prints None. So the lists of the partition are compared with the account. */
#include <stdio.h>
#include <string.h>

#include "why/account_access.h"

/* Is a name among those of a list with commas? Compared in place, as a whole. */
static bool account_list_has(struct eqt_scontrol_value list, const char *name,
			     size_t name_length)
{
	size_t at, length;

	for (at = 0; at < list.length; at += length + 1) {
		const char *comma =
			memchr(list.text + at, ',', list.length - at);

		length = comma ? (size_t) (comma - list.text) - at
			       : list.length - at;
		if (length == name_length &&
		    strncmp(list.text + at, name, length) == 0)
			return true;
	}
	return false;
}

/* Whether the list has the job's account or one above it. AllowAccounts lets accounts
 * below a named one in, DenyAccounts names single accounts. Where associations may not
 * be read (PrivateData), the account itself is all that is known. */
static bool account_list_has_above(struct eqt_scontrol_value list,
				   const struct eqt_why_wait *wait)
{
	const struct eqt_limits *limits = &wait->cluster->limits;
	const struct eqt_scontrol_record *assoc =
		eqt_limits_assoc(limits, wait->job);

	for (; assoc; assoc = eqt_limits_above(limits, assoc)) {
		const struct eqt_scontrol_value name =
			eqt_scontrol_record_get(assoc, "Account");

		if (name.text && account_list_has(list, name.text, name.length))
			return true;
	}
	return account_list_has(list, wait->job->account,
				strlen(wait->job->account));
}

/* The key of the partition that keeps the account out, and its value; NULL: none. */
static const char *account_key_against(struct eqt_scontrol_value *list,
				       const struct eqt_why_wait *wait)
{
	const char *account = wait->job->account;

	if (!wait->partition)
		return NULL;
	/* DenyAccounts counts only where AllowAccounts does not name accounts. */
	*list = eqt_scontrol_record_get(wait->partition, "AllowAccounts");
	if (list->text && !eqt_scontrol_value_is(*list, "ALL"))
		return account_list_has_above(*list, wait) ? NULL
							   : "AllowAccounts";
	*list = eqt_scontrol_record_get(wait->partition, "DenyAccounts");
	if (list->text && account_list_has(*list, account, strlen(account)))
		return "DenyAccounts";
	return NULL;
}

bool eqt_why_account_is_kept_out(const struct eqt_why_wait *wait)
{
	struct eqt_scontrol_value list;

	return account_key_against(&list, wait) != NULL;
}

/* Long names and lists are cut: a list of accounts may have thousands of bytes. */
void eqt_why_account_words(char *buf, size_t size,
			   const struct eqt_why_wait *wait)
{
	struct eqt_scontrol_value list, name;
	const char *key = account_key_against(&list, wait);

	buf[0] = '\0';
	if (!key)
		return;
	name = eqt_scontrol_record_get(wait->partition, "PartitionName");
	(void) snprintf(buf, size, "partition %.*s has %s=%.*s",
			name.length > 128 ? 128 : (int) name.length, name.text,
			key, list.length > 200 ? 200 : (int) list.length,
			list.text);
}
