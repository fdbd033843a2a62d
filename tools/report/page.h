/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page: the pages of a report, and the parts that several pages have in common. */
#ifndef EQT_REPORT_PAGE_H
#define EQT_REPORT_PAGE_H

#include <stdio.h>

#include "report/report.h"

/* Begin a page. "up" has "../" for each folder between the page and the report. "kind" is
 * the word before the name in the heading, such as "Account". */
void eqt_page_begin(FILE *to, const struct eqt_report *report, const char *up,
		    const char *kind, const char *name);

/* End a page: the footer with the units, the script, and all closing tags. */
void eqt_page_end(FILE *to);

/* Write a whole page: about the cluster, a sum of clusters, the accounts of that sum, all
 * accounts, one account, its members, or one user. These functions return nothing,
 * because ferror(to) tells of a failed write. */
void eqt_pages_cluster(FILE *to, const struct eqt_report *report);
void eqt_pages_sum(FILE *to, const struct eqt_report *sum);
void eqt_pages_sum_accounts(FILE *to, const struct eqt_report *sum);
void eqt_pages_accounts(FILE *to, const struct eqt_report *report);
void eqt_pages_account(FILE *to, const struct eqt_report *report,
		       const struct eqt_report_account *account);
void eqt_pages_members(FILE *to, const struct eqt_report *report,
		       const struct eqt_report_account *account);
void eqt_pages_user(FILE *to, const struct eqt_report *report,
		    const struct eqt_report_user *user);

/* ---- Parts ---------------------------------------------------------------- */

/* Write a term of a list (<dl>) with a number and its unit. Nothing is written for
 * NAN. */
void eqt_page_term(FILE *to, const char *name, double value, const char *unit);

/* Begin a table that can be sorted. The columns are given as "NAME|>NUMBER". ">" marks a
 * column of numbers, which are aligned to the right and sorted by value. */
void eqt_page_table_begin(FILE *to, const char *caption, const char *columns);
void eqt_page_table_end(FILE *to);

/* Write a cell with a text. */
void eqt_page_cell(FILE *to, const char *text);

/* Write a cell with a number. The cell shows the text, and the table sorts it by the
 * value. */
void eqt_page_number(FILE *to, double value, const char *text);

/* Write a cell with an amount in the form of eqt_chart_number(), or "-" for NAN. */
void eqt_page_amount(FILE *to, double amount);

/* Write a cell with a whole number. */
void eqt_page_count(FILE *to, uint64_t count);

/* Write a cell with "part" in percent of "all", marked if it is above 100. "-" if "all"
 * is not above 0. */
void eqt_page_percent(FILE *to, double part, double all);

/* Write four cells about an association: Level FS, shares, normalized shares and
 * effective usage. All four are "-" for the root and for EQT_TREE_NONE. */
void eqt_page_level(FILE *to, const struct eqt_report *report, uint32_t assoc);

/* Write a cell with a link to the page of a "user", an "account" or a "cluster". */
void eqt_page_link(FILE *to, const char *up, const char *kind,
		   const char *name);

/* The target of an account, in years of a unit. NAN if there is none, or if account is
 * NULL. */
double eqt_page_target(const struct eqt_report *report, const char *account,
		       int unit);

/* The years used by the end of the allocation year if usage goes on at the same rate. NAN
 * if that year is over. */
double eqt_page_projected(const struct eqt_report *report, double years);

/* Write the numbers, charts and months of a usage, with the targets of the account,
 * unless account is NULL. */
void eqt_page_usage(FILE *to, const struct eqt_report *report,
		    const struct eqt_report_use *use, const char *account);

/* Does the usage have this unit, or does the account have a target in it? */
bool eqt_page_has_unit(const struct eqt_report *report,
		       const struct eqt_report_use *use, const char *account,
		       int unit);

/* Write a local time, such as "2026-11-22 15:54". Returns buf. */
#define EQT_PAGE_TIME 32
char *eqt_page_time(char buf[EQT_PAGE_TIME], int64_t at_s);

/* Write the waiting jobs of a user, with their reasons. */
void eqt_report_queue_waiting(FILE *to, const struct eqt_report *report,
			      const struct eqt_report_user *user);

/* Write how many jobs wait for each reason: the jobs of an account, or all jobs if
 * account is NULL. */
void eqt_report_queue_reasons(FILE *to, const struct eqt_report *report,
			      const char *account);

/* Write tables of how long the cluster's jobs waited and what they used, by partition, by
 * size and by day. */
void eqt_report_queue_waits(FILE *to, const struct eqt_report *report);

/* Write the same tables for an account, with one row each, or a sentence that no job
 * started. */
void eqt_report_queue_waits_account(FILE *to, const struct eqt_report *report,
				    const char *account);

#endif
