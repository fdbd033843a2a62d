/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree report: static pages about the cluster, accounts and users. */
#include <limits.h>
#include <stdlib.h>
#include <time.h>

#include "cli/alloc.h"
#include "cli/cmd.h"
#include "cli/print.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/remote.h"
#include "report/folder.h"
#include "report/html.h"
#include "report/page.h"
#include "slurm/text/timestamp.h"

static int report_check(void *into, struct eqt_error *err)
{
	const struct eqt_report_options *options = into;

	if (!options->out)
		return eqt_error_set(err, "expected --out DIR");
	if (options->year.year && options->year.year < 1971)
		return eqt_error_set(err, "--year: expected a year");
	if (options->year.common.clusters &&
	    (options->from || options->year.conf || options->year.targets))
		return eqt_error_set(err, "several clusters exclude --from, "
					  "--file and --targets");
	return 0;
}

static const struct eqt_option options_table[] = {
	{ "out", 'o', "DIR", "the folder of the pages, made if needed", 0,
	  EQT_TEXT_AT(struct eqt_report_options, out) },
	{ "from", 0, "DIR",
	  "read the saved answers of Slurm in a folder, instead of asking", 0,
	  EQT_TEXT_AT(struct eqt_report_options, from) },
	{ "targets", 0, "FILE",
	  "the targets of accounts: lines \"Account|CoreYears|GPUYears\"", 0,
	  EQT_TEXT_AT(struct eqt_report_options, year.targets) },
	{ "share-years", 0, "N", "a share stands for N core-years", 0,
	  EQT_NUMBER_AT(struct eqt_report_options, year.share_years,
			999999999) },
	{ "titles", 0, "FILE",
	  "titles and owners of accounts: lines \"Account|Title|Owner\"", 0,
	  EQT_TEXT_AT(struct eqt_report_options, year.titles) },
	EQT_YEAR_OPTIONS(struct eqt_report_options, year.),
	{ "energy", 0, NULL,
	  "show the energy that Slurm recorded as well, in kWh, and its CO2e",
	  0, EQT_FLAG_AT(struct eqt_report_options, year.energy) },
	{ "waits", 0, "DAYS",
	  "the last days of which waits and use are shown; default 14, 0: none",
	  0, EQT_NUMBER_AT(struct eqt_report_options, span.days, 3660) },
	{ "start", 0, "TIME", "show waits and use from this time on, instead",
	  0, EQT_TIME_AT(struct eqt_report_options, span.start_s) },
	{ "end", 0, "TIME", "show waits and use until this time; default: now",
	  0, EQT_TIME_AT(struct eqt_report_options, span.end_s) },
	{ "refresh", 0, "SECONDS",
	  "let browsers load a page again after so many seconds", 0,
	  EQT_NUMBER_AT(struct eqt_report_options, refresh_s, 86400) },
	{ 0 }
};

/* ---- Pages ---------------------------------------------------------------- */

/* A page in memory. It is written as a whole, so that a web server never sees half of
 * it. */
struct draft {
	FILE *to;
	char *text;
	size_t length;
};

static void draft_begin(struct draft *draft)
{
	*draft = (struct draft){ .length = 0 };
	draft->to = eqt_alloc_stream(&draft->text, &draft->length);
}

/* Write the draft as the page "KIND/NAME/FILE", or as FILE if there is no kind. Frees the
 * draft in any case. */
static int draft_write(struct draft *draft, struct eqt_folder *folder,
		       const char *kind, const char *name, const char *file,
		       struct eqt_error *err)
{
	char safe[EQT_HTML_FILE], path[EQT_HTML_FILE + 64];
	int rc;

	eqt_alloc_stream_close(draft->to);
	if (kind)
		(void) snprintf(path, sizeof(path), "%s/%s/%s", kind,
				eqt_html_file(safe, name), file);
	else
		(void) snprintf(path, sizeof(path), "%s", file);
	rc = eqt_folder_write(folder, path, draft->text, draft->length, err);
	free(draft->text);
	return rc;
}

/* A function that writes a page about the whole report. */
typedef void (*whole_page)(FILE *to, const struct eqt_report *report);

/* Write index.html and accounts.html. They name no user, so everybody may see them. */
static int write_two(struct eqt_folder *folder, const struct eqt_report *report,
		     whole_page index, whole_page accounts,
		     struct eqt_error *err)
{
	struct draft draft;

	draft_begin(&draft);
	index(draft.to, report);
	if (draft_write(&draft, folder, NULL, NULL, "index.html", err) < 0)
		return -1;
	draft_begin(&draft);
	accounts(draft.to, report);
	return draft_write(&draft, folder, NULL, NULL, "accounts.html", err);
}

/* The sums of an account and its members are two files, so that a web server can protect
 * them differently. */
static int write_account(struct eqt_folder *folder,
			 const struct eqt_report *report,
			 const struct eqt_report_account *account,
			 struct eqt_error *err)
{
	struct draft draft;

	draft_begin(&draft);
	eqt_pages_account(draft.to, report, account);
	if (draft_write(&draft, folder, "account", account->name, "index.html",
			err) < 0)
		return -1;
	draft_begin(&draft);
	eqt_pages_members(draft.to, report, account);
	return draft_write(&draft, folder, "account", account->name,
			   "users.html", err);
}

/* The page of a user has no data of others, so a web server can show it to that user
 * alone. */
static int write_user(struct eqt_folder *folder,
		      const struct eqt_report *report,
		      const struct eqt_report_user *user, struct eqt_error *err)
{
	struct draft draft;

	draft_begin(&draft);
	eqt_pages_user(draft.to, report, user);
	return draft_write(&draft, folder, "user", user->name, "index.html",
			   err);
}

/* Users who are no longer in the share tree have no page. eqt_folder_commit() removes
 * pages that this run has not written. */
static int write_pages(struct eqt_folder *folder,
		       const struct eqt_report *report, struct eqt_error *err)
{
	struct eqt_report_user **user = (void *) report->users.list;
	const size_t accounts = report->year.shares.count;
	int rc = write_two(folder, report, eqt_pages_cluster,
			   eqt_pages_accounts, err);

	for (size_t i = 0; i < accounts && rc == 0; i++) {
		if (report->by_assoc[i])
			rc = write_account(folder, report, report->by_assoc[i],
					   err);
	}
	for (size_t i = 0; i < report->users.count && rc == 0; i++) {
		if (user[i]->present)
			rc = write_user(folder, report, user[i], err);
	}
	return rc == 0 ? eqt_folder_commit(folder, err) : -1;
}

/* Print a summary as JSON. */
static void pages_json(const char *folder, size_t pages,
		       const struct eqt_report *report)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "folder", folder);
	eqt_json_add(object, "made_s", report->live.now_s);
	eqt_json_add(object, "pages", pages);
	eqt_json_add(object, "jobs", report->use.jobs);
	eqt_json_add(object, "unpriced", report->year.sum.unpriced);
	eqt_json_print(object);
}

/* Write the pages of the chosen cluster. The folder is opened first, because without a
 * place for its pages the run need not ask Slurm. *pages grows by the number of pages.
 * The caller frees *report, even after an error. */
static int report_write(struct eqt_report *report, const char *out,
			struct eqt_report_options *options, size_t *pages,
			struct eqt_error *err)
{
	struct eqt_folder folder;
	int rc;

	*report = (struct eqt_report){ .days = 0 };
	if (eqt_folder_open(&folder, out, err) < 0)
		return -1;
	rc = eqt_report_make(report, options, err);
	if (rc == 0)
		rc = write_pages(&folder, report, err);
	*pages += folder.count;
	eqt_folder_close(&folder);
	return rc;
}

static int report_one(struct eqt_report_options *options, struct eqt_error *err)
{
	struct eqt_report report;
	size_t pages = 0;
	int rc = report_write(&report, options->out, options, &pages, err);

	if (rc == 0 && options->year.common.json)
		pages_json(options->out, pages, &report);
	eqt_report_free(&report);
	return rc;
}

/* Write the pages of the chosen cluster into a folder of its own, and add the cluster to
 * the sum. */
static int clusters_add(struct eqt_report *sum, const char *above,
			struct eqt_report_options *options, size_t *pages,
			struct eqt_error *err)
{
	char name[EQT_HTML_FILE], path[PATH_MAX + EQT_HTML_FILE];
	struct eqt_report report;
	int rc;

	(void) snprintf(path, sizeof(path), "%s/%s", above,
			eqt_html_file(name, eqt_remote_chosen()));
	rc = report_write(&report, path, options, pages, err);
	if (rc == 0)
		rc = eqt_report_sum(sum, &report, err);
	eqt_report_free(&report);
	return rc;
}

/* Write the pages of each cluster into "cluster/NAME", and pages about their sum into the
 * folder above. */
static int report_clusters(struct eqt_report_options *options,
			   struct eqt_error *err)
{
	struct eqt_report sum = { .refresh_s = options->refresh_s };
	struct eqt_folder folder, clusters = { .fd = -1 };
	const char *list = options->year.common.clusters;
	char above[PATH_MAX];
	size_t pages = 0;
	int rc;

	if (eqt_folder_open(&folder, options->out, err) < 0)
		return -1;
	(void) snprintf(above, sizeof(above), "%s/cluster", options->out);
	(void) snprintf(sum.cluster, sizeof(sum.cluster), "%s", list);
	rc = eqt_folder_open(&clusters, above, err);
	if (!options->year.now_s)
		options->year.now_s = (int64_t) time(NULL);
	while (rc == 0 && eqt_remote_next(&list) > 0) {
		struct eqt_report_options one = *options;

		one.year.common.clusters = NULL;
		rc = clusters_add(&sum, above, &one, &pages, err);
	}
	if (rc == 0)
		rc = write_two(&folder, &sum, eqt_pages_sum,
			       eqt_pages_sum_accounts, err);
	if (rc == 0)
		rc = eqt_folder_commit(&folder, err);
	if (rc == 0 && options->year.common.json)
		pages_json(options->out, pages + folder.count, &sum);
	eqt_report_free(&sum);
	eqt_folder_close(&clusters);
	eqt_folder_close(&folder);
	return rc;
}

int cmd_report(int argc, char **argv)
{
	static const struct eqt_options_spec line = {
		.table = options_table,
		.common_at = offsetof(struct eqt_report_options, year.common),
		.clusters = true,
		.doc = "Write web pages of the cluster, of each account and of "
		       "each user, for a web server or for paper.\vEach page "
		       "is one file. A page of a user has jobs of that user "
		       "alone; equitree-report(1) says how to protect the "
		       "folders.",
		.check = report_check,
	};
	struct eqt_report_options options = {
		.span = { .days = 14 },
		.year = { .year_start = "04-01",
			  .key_count = 1,
			  .keys = { EQT_YEAR_BY_ACCOUNT } },
	};
	struct eqt_error err;

	eqt_options_parse(&line, argc, argv, &options);
	return eqt_print_status("report",
				options.year.common.clusters
					? report_clusters(&options, &err)
					: report_one(&options, &err),
				&err);
}
