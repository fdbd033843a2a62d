/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page: the pages of a report, and the parts that several pages have. */
#ifndef EQT_REPORT_PAGE_H
#define EQT_REPORT_PAGE_H

#include <stdio.h>

#include "report/report.h"

/* The beginning of each page. up: "../" for each folder above it; kind: the word before the
 * name in the heading, such as "Account". */
void eqt_page_begin(FILE *to, const struct eqt_report *report, const char *up,
		    const char *kind, const char *name);

/* The footer with the units, the script and all closing tags. */
void eqt_page_end(FILE *to);

/* Write a whole page: of the cluster, of a sum of clusters, of their accounts, of all
 * accounts, of an account, of its members, of a user. Nothing is returned: a failed write
 * shows in ferror(to). */
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

/* A term of a list (<dl>) with a number and its unit; nothing for NAN. */
void eqt_page_term(FILE *to, const char *name, double value, const char *unit);

/* A table that sorts. Columns are "NAME|>NUMBER": a mark means numbers, which are at the
 * right and sort by value. */
void eqt_page_table_begin(FILE *to, const char *caption, const char *columns);
void eqt_page_table_end(FILE *to);

/* A cell with a text. */
void eqt_page_cell(FILE *to, const char *text);

/* A cell with a number: the table sorts by the value, and shows the text. */
void eqt_page_number(FILE *to, double value, const char *text);

/* A cell with an amount, as eqt_chart_number() writes it; "-" for NAN. */
void eqt_page_amount(FILE *to, double amount);

/* A cell with a whole number. */
void eqt_page_count(FILE *to, uint64_t count);

/* A cell with part in percent of all, marked above 100; "-" where all is not above 0. */
void eqt_page_percent(FILE *to, double part, double all);

/* Four cells of an association: Level FS, shares, normalized shares and effective
 * usage; four times "-" for the root and for EQT_TREE_NONE. */
void eqt_page_level(FILE *to, const struct eqt_report *report, uint32_t assoc);

/* A cell with a link to the page of a "user", an "account" or a "cluster". */
void eqt_page_link(FILE *to, const char *up, const char *kind,
		   const char *name);

/* The target of an account in years of a unit; NAN: there is none, or account is NULL. */
double eqt_page_target(const struct eqt_report *report, const char *account,
		       int unit);

/* The years at the end of the year if usage goes on at the same rate; NAN: it is over. */
double eqt_page_projected(const struct eqt_report *report, double years);

/* Numbers, charts and months of a usage, with the targets of an account, unless that is
 * NULL. */
void eqt_page_usage(FILE *to, const struct eqt_report *report,
		    const struct eqt_report_use *use, const char *account);

/* Does a usage have a unit, or does the account have a target in it? */
bool eqt_page_has_unit(const struct eqt_report *report,
		       const struct eqt_report_use *use, const char *account,
		       int unit);

/* Write a local time, "2026-11-22 15:54". Returns buf. */
#define EQT_PAGE_TIME 32
char *eqt_page_time(char buf[EQT_PAGE_TIME], int64_t at_s);

/* The waiting jobs of a user, with reasons. */
void eqt_report_queue_waiting(FILE *to, const struct eqt_report *report,
			      const struct eqt_report_user *user);

/* How many jobs wait for which reason: of an account, or NULL: of all. */
void eqt_report_queue_reasons(FILE *to, const struct eqt_report *report,
			      const char *account);

/* Tables of how long the cluster's jobs waited and what they used: by partition, by size,
 * by day. */
void eqt_report_queue_waits(FILE *to, const struct eqt_report *report);

/* The same for an account: one row each, or a sentence that no job started. */
void eqt_report_queue_waits_account(FILE *to, const struct eqt_report *report,
				    const char *account);

#endif
