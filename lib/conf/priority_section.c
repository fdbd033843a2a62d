/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The section "priority": the words that its keys have, and the whole. */
#include <string.h>

#include "conf/conf.h"
#include "conf/conf_impl.h"

/* Which of two words the value is: 0 or 1, or -1. */
static int one_of(const struct eqt_conf_value *value, const char *first,
		  const char *second)
{
	const char *const words[] = { first, second, NULL };

	return eqt_conf_word(words, value->text, strlen(value->text));
}

int eqt_conf_rank_by(const struct eqt_conf_value *value, void *at)
{
	int found = one_of(value, "usage", "allocated");

	if (found < 0)
		return -1;
	*(enum eqt_rank_by *) at = (enum eqt_rank_by) found;
	return 0;
}

int eqt_conf_order(const struct eqt_conf_value *value, void *at)
{
	int found = one_of(value, "users", "jobs");

	if (found < 0)
		return -1;
	*(enum eqt_order *) at = (enum eqt_order) found;
	return 0;
}

int eqt_conf_scope(const struct eqt_conf_value *value, void *at)
{
	int found = one_of(value, "user", "account");

	if (found < 0)
		return -1;
	*(enum eqt_scope *) at = (enum eqt_scope) found;
	return 0;
}

int eqt_conf_size_by(const struct eqt_conf_value *value, void *at)
{
	int found = one_of(value, "resources", "equivalents");

	if (found < 0)
		return -1;
	*(enum eqt_size_by *) at = (enum eqt_size_by) found;
	return 0;
}

int eqt_conf_priority_set(struct eqt_conf_section *section, const char *name)
{
	const struct eqt_conf_priority *priority = &section->priority;

	(void) name; /* the only section without one: there is one of it */
	if (section->conf->priority.there)
		return eqt_conf_refuse(section->place,
				       "the section priority is there twice");
	/* Else a job that starts would count as nothing. */
	if (priority->order == EQT_ORDER_JOBS && !priority->allocated_now &&
	    priority->rank_by != EQT_RANK_BY_ALLOCATED)
		return eqt_conf_refuse(section->place,
				       "order = jobs needs allocated_now, or "
				       "rank_by = allocated");
	if (priority->tasks_ahead && priority->order != EQT_ORDER_JOBS)
		return eqt_conf_refuse(section->place,
				       "tasks_ahead needs order = jobs");
	section->conf->priority = *priority;
	section->conf->priority.there = true;
	return 0;
}
