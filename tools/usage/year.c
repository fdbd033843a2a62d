/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a report of an allocation year: its jobs, priced, next to what accounts may
 * use. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "slurm/conf/site_conf.h"
#include "usage/usage.h"
#include "slurm/text/timestamp.h"
#include "cli/progress.h"
#include "cli/remote.h"
#include "slurm/charges.h"

/* ---- Record -------------------------------------------------------------------------
 * The usage of a period from the record of charges. Each line is a stretch and its
 * charge. No price is computed, and only the names of pools come from the present
 * configuration. Memory grows with the jobs that run, but not with the jobs that have
 * ended. */

struct record_sum {
	struct eqt_year_sum *sum;
	const struct eqt_year_period *period;
	const struct eqt_conf *conf;
	struct eqt_charges_read read;
	int64_t begin_s; /* INT64_MAX: there is no line */
	uint64_t first; /* number of the first line of the record */
	/* some GPU has a weight, so a charge does not show the number of GPUs */
	bool weights;
};

/* ---- The folder ----------------------------------------------------------- */

/* Only accounting has comments and resources. */
static bool options_need_accounting(const struct eqt_year_options *options)
{
	for (size_t i = 0; i < options->key_count; i++) {
		if (eqt_sum_key_needs(options->keys[i]) != 0 &&
		    options->keys[i] != EQT_YEAR_BY_CLUSTER)
			return true;
	}
	return options->raw || options->reprice;
}

/* Find the folder of the record, or "" if it cannot be read or if the options need
 * accounting. With saved lists of jobs, the record is read only if it is named. */
static void year_record_folder(char folder[EQT_CHARGES_FOLDER],
			       const struct eqt_year_options *options,
			       const struct eqt_conf *conf)
{
	folder[0] = '\0';
	if (options_need_accounting(options))
		return;
	eqt_charges_folder(folder, options->charges,
			   options->job_files > 0 ? NULL : conf);
}

/* ---- Lines ---------------------------------------------------------------- */

/* The rates of a line. As in billing, they do not include Slurm's UsageFactor. */
static void line_rate(const struct record_sum *record_sum,
		      struct eqt_year_rate *out,
		      const struct eqt_charge_record *record)
{
	const double charge = record->rate / (double) record->unit;
	const double money = charge * (double) record->money_u / 1e6;
	const bool gpus = record->pool == 'g';

	*out = (struct eqt_year_rate){ .source = EQT_COST_RECORD };
	out->of[gpus ? EQT_YEAR_RGU : EQT_YEAR_CORE] = charge;
	if (gpus && !record_sum->weights)
		out->of[EQT_YEAR_GPU] = charge;
	out->of[gpus ? EQT_YEAR_GPU_MONEY : EQT_YEAR_CORE_MONEY] = money;
}

/* Convert a line to a job of sacct, which the sum can add. */
static void line_job(struct eqt_sacct_job *out, char id[32],
		     const struct eqt_charge_record *record,
		     const char *cluster)
{
	for (size_t i = 0; i < EQT_SACCT_COLUMNS; i++)
		out->text[i] = "";
	(void) snprintf(id, 32, "%" PRIu32, record->job_id);
	out->text[EQT_SACCT_ID] = id;
	out->text[EQT_SACCT_CLUSTER] = cluster;
	out->text[EQT_SACCT_ACCOUNT] = record->account;
	out->text[EQT_SACCT_USER] = record->user;
	out->text[EQT_SACCT_PARTITION] = record->partition;
	out->text[EQT_SACCT_QOS] = record->qos;
	out->start_s = record->start;
	out->end_s = record->to;
	out->ended = record->kind != EQT_CHARGE_OPEN;
	out->line = 0;
}

/* Add a line, cut to the period. A run is counted with the line that ends it. */
static void charge_add(struct record_sum *with,
		       const struct eqt_charge_record *record)
{
	const struct eqt_year_period *period = with->period;
	struct eqt_year_rate rate;
	struct eqt_sacct_job job;
	char id[32];
	struct eqt_year_part part = {
		.job = &job,
		.rate = &rate,
		.active = 1,
		.from_s = record->from + (int64_t) record->idle_s,
		.until_s = record->to,
		.new = record->kind == EQT_CHARGE_END ||
		       record->kind == EQT_CHARGE_LOST ||
		       record->kind == EQT_CHARGE_OPEN,
		.back = record->factor < 0,
	};

	if (!eqt_whole_cut_span(&part.from_s, &part.until_s, period->from_s,
				period->seen_s))
		return;
	line_rate(with, &rate, record);
	line_job(&job, id, record, with->read.cluster);
	part.more = !part.new;
	for (int unit = 0; unit < EQT_YEAR_UNITS; unit++)
		part.of[unit] =
			eqt_sum_amount_of_rate((long double) rate.of[unit]);
	eqt_sum_add_part(with->sum, with->conf, &part);
}

/* A visitor that adds a line, and finds where the record begins. A run that goes on does
 * not tell that. */
static int charge_take(const struct eqt_charge_record *record, void *arg)
{
	struct record_sum *with = arg;

	if (record->kind != EQT_CHARGE_OPEN) {
		with->begin_s = eqt_whole_earlier(with->begin_s, record->to);
		if (!with->first)
			with->first = record->number;
	}
	charge_add(with, record);
	return 0;
}

/* ---- All ------------------------------------------------------------------ */

/*
 * Add what the record has about the period, including runs that go on, up to the last
 * pass. *begin_s is set to the end of the first run in the record, because jobs that
 * ended earlier are not in it. A run is in the file of the day of its end or of a later
 * day, so files from before the period are not read. Returns 0, or -1 with err filled if
 * the record cannot be read or if lines are damaged.
 */
static int year_record_add(struct eqt_year_sum *sum, int64_t *begin_s,
			   const char *folder,
			   const struct eqt_year_period *period,
			   const struct eqt_conf *conf, struct eqt_error *err)
{
	struct record_sum with = {
		.sum = sum,
		.period = period,
		.conf = conf,
		.begin_s = INT64_MAX,
		.weights = eqt_year_price_has_weights(&conf->prices),
	};
	char day[EQT_YEAR_TEXT];
	int rc = eqt_charges_read_runs(&with.read, folder,
				       eqt_timestamp_text(day, EQT_YEAR_TEXT,
							  "%Y-%m-%d",
							  period->from_s),
				       charge_take, &with, err);

	if (rc == 0 && with.read.damaged > 0)
		rc = eqt_error_set(err, "%.400s", with.read.note[0].text);

	*begin_s = with.begin_s;
	/* The record has earlier days as well. */
	if (with.first > 1 && strcmp(with.read.first_day, day) == 0)
		*begin_s = period->from_s;

	return rc;
}

/* ---- Jobs ---------------------------------------------------------------------------
 * The jobs of an allocation year, from saved lists or from sacct. Lists are read in one
 * pass, and memory holds the sums but not the jobs. sacct lists the runs of a job
 * together. To find duplicates within one such list, only the runs of the current job are
 * kept. For lists in another order, and for several lists, a set of all runs is kept. */

/* The arguments that are the same for all lists. */
struct job_lists {
	struct eqt_year_sum *sum;
	const struct eqt_year_period *period;
	const struct eqt_year_options *options;
	const struct eqt_conf *conf;
	struct eqt_year_rates *rates;
	unsigned int needed; /* columns of sacct that are needed */
	const struct eqt_energy *energy; /* NULL: not wanted */
	/* folder of the record; "": there is none */
	char record[EQT_CHARGES_FOLDER];
	/* begin of the record: jobs that ended earlier are not in it; 0: no record */
	int64_t begin_s;
};

/* Begin the sum with the record of charges. If a list is read twice, the callback learns
 * of each beginning. */
static int lists_begin(struct job_lists *lists, enum eqt_year_runs_check check,
		       struct eqt_error *err)
{
	struct eqt_year_sum *sum = lists->sum;

	/* A further cluster is added to the sum of the earlier ones. */
	if (lists->options->common.clusters && sum->key_count > 0)
		return 0;
	eqt_sum_free(sum);
	if (lists->options->each)
		lists->options->each(lists->options->with, NULL);
	memcpy(sum->keys, lists->options->keys, sizeof(sum->keys));
	sum->key_count = lists->options->key_count;
	sum->runs.check = check;
	sum->each = lists->options->each;
	sum->with = lists->options->with;
	sum->energy = lists->energy;
	return lists->record[0] == '\0'
		       ? 0
		       : year_record_add(sum, &lists->begin_s, lists->record,
					 lists->period, lists->conf, err);
}

/* Call eqt_sum_add() for a file or for the output of a command. */
static int lists_add(const struct job_lists *lists, const char *path,
		     const char *command, const struct eqt_year_slice *slice,
		     struct eqt_error *err)
{
	struct eqt_sacct_reader sacct;
	int rc;

	if (eqt_sacct_reader_open(&sacct, path, command, lists->needed, err) <
	    0)
		return -1;
	rc = eqt_sum_add(lists->sum, &sacct, lists->rates, lists->conf, slice,
			 err);
	return eqt_sacct_reader_close(&sacct, rc, err);
}

/* ---- Saved lists ---------------------------------------------------------- */

/* Each file is cut to the period, because saved lists have other jobs as well. */
static int lists_add_files(const struct job_lists *lists, struct eqt_error *err)
{
	const struct eqt_year_slice all = { .from_s = lists->period->from_s,
					    .until_s = lists->period->seen_s,
					    .first = true,
					    .ended_by_s = lists->begin_s };
	int rc = 0;

	for (size_t i = 0; i < lists->options->job_files && rc == 0; i++)
		rc = lists_add(lists, lists->options->jobs[i], NULL, &all, err);
	return rc;
}

/* First try to read a single list in the order of sacct. Standard input cannot be read
 * twice, and charges that were printed cannot be taken back. */
static int lists_add_saved(struct job_lists *lists, struct eqt_error *err)
{
	struct eqt_error order;
	int rc;

	if (lists->options->job_files == 1 && !lists->options->focus) {
		if (lists_begin(lists, EQT_YEAR_RUNS_ORDER, err) < 0)
			return -1;
		rc = lists_add_files(lists, err);
		if (rc <= 0)
			return rc;
		order = *err;
		if (strcmp(lists->options->jobs[0], "-") == 0)
			return eqt_error_set(err,
					     "%.400s; save the list to a file",
					     order.text);
	}
	return lists_begin(lists, EQT_YEAR_RUNS_ALL, err) < 0
		       ? -1
		       : lists_add_files(lists, err);
}

/* ---- sacct ---------------------------------------------------------------- */

/* Add the jobs that ran between two times, cut to the slice. sacct's own error does not
 * tell that past usage needs slurmdbd, so err does. */
static int lists_ask(struct job_lists *lists, int64_t from_s, int64_t until_s,
		     const struct eqt_year_slice *slice, struct eqt_error *err)
{
	char command[EQT_SACCT_COMMAND], more[32];
	struct eqt_error why;

	(void) snprintf(
		more, sizeof(more), "%s%s",
		lists->needed & EQT_SACCT_BIT(EQT_SACCT_COMMENT) ? ",Comment"
								 : "",
		lists->needed & EQT_SACCT_BIT(EQT_SACCT_WCKEY) ? ",WCKey" : "");
	return lists_add(lists, NULL,
			 eqt_sacct_command(command, from_s, until_s, more),
			 slice, &why) < 0
		       ? eqt_error_set(err,
				       "%.450s; without slurmdbd there is no "
				       "past usage",
				       why.text)
		       : 0;
}

/* Ask sacct month by month, so that neither sacct nor this process holds a whole year. */
static int lists_ask_sacct(struct job_lists *lists, struct eqt_error *err)
{
	const struct eqt_year_period *period = lists->period;
	struct eqt_year_slice slice = { .from_s = period->from_s,
					.first = true,
					.ended_by_s = lists->begin_s };
	const int64_t end_s =
		lists->begin_s && !lists->energy
			? eqt_whole_earlier(lists->begin_s, period->seen_s)
			: period->seen_s;
	const int64_t all_s = end_s - slice.from_s;
	struct eqt_progress progress;
	char month[EQT_YEAR_TEXT];
	int rc = 0;

	eqt_progress_begin(&progress, "sacct", all_s > 0 ? (size_t) all_s : 0);
	for (; rc == 0 && slice.from_s < end_s;
	     slice.from_s = slice.until_s, slice.first = false) {
		slice.until_s = eqt_whole_earlier(
			eqt_period_month(slice.from_s, month), end_s);
		rc = lists_ask(lists, slice.from_s, slice.until_s, &slice, err);
		eqt_progress_update(&progress,
				    (size_t) (slice.until_s - period->from_s));
	}
	eqt_progress_end(&progress);
	return rc;
}

/* Add the record. From accounting, add the energy, and the jobs that ended before the
 * record begins. */
static int lists_ask_cluster(struct job_lists *lists, struct eqt_error *err)
{
	if (lists_begin(lists, EQT_YEAR_RUNS_NONE, err) < 0)
		return -1;
	return lists->begin_s && !lists->energy &&
			       lists->begin_s <= lists->period->from_s
		       ? 0
		       : lists_ask_sacct(lists, err);
}

/* ---- All jobs ------------------------------------------------------------- */

/* Add the jobs of the period to *sum, which is {0}. Returns 0, or -1 with err filled. */
static int year_jobs_add(struct eqt_year_sum *sum,
			 const struct eqt_year_period *period,
			 const struct eqt_year_options *options,
			 const struct eqt_job_pricer *pricer,
			 const struct eqt_energy *energy, struct eqt_error *err)
{
	struct job_lists lists = { .sum = sum,
				   .period = period,
				   .options = options,
				   .conf = pricer->conf,
				   .rates = eqt_sum_rates_new(pricer),
				   .energy = options->energy ? energy : NULL,
				   .needed = EQT_SACCT_RUNS };
	int rc;

	for (size_t i = 0; i < options->key_count; i++)
		lists.needed |= eqt_sum_key_needs(options->keys[i]);
	year_record_folder(lists.record, options, lists.conf);
	/* Only saved lists may overlap. sacct is asked for periods that do not. */
	rc = options->job_files > 0 ? lists_add_saved(&lists, err)
				    : lists_ask_cluster(&lists, err);
	free(lists.rates);
	return rc;
}

/* ---- Year ----------------------------------------------------------------- */

#define SMALL_YEARS 0.01L /* 88 hours of a year */

/* The sum of the shares directly below the root. With --share-years this sum is the size
 * of the cluster. */
static double shares_sum_top(const struct eqt_sshare *shares)
{
	double sum = 0;

	for (uint32_t i = 1; i < shares->count; i++) {
		if (shares->assocs[i].parent == 0 &&
		    !shares->assocs[i].parent_shares)
			sum += shares->assocs[i].shares;
	}
	return sum;
}

/* Set the size of the cluster in core-years and GPU-years. Options override the sizes of
 * the nodes. */
static int year_size_cluster(struct eqt_year_basis *basis,
			     const struct eqt_year_options *options,
			     const struct eqt_job_pricer *pricer,
			     struct eqt_error *err)
{
	if (options->share_years) {
		basis->capacity[EQT_YEAR_CORE] = (double) options->share_years *
						 shares_sum_top(basis->shares);
		basis->capacity[EQT_YEAR_GPU] = basis->capacity[EQT_YEAR_RGU] =
			NAN;
		return 0;
	}
	if (!pricer->nodes && !options->cores && !options->gpus)
		return eqt_error_set(err,
				     "--assocs: expected the cluster's size: "
				     "--nodes, or --cores and --gpus");
	eqt_year_price_capacity(basis->capacity, pricer);
	if (options->cores)
		basis->capacity[EQT_YEAR_CORE] = (double) options->cores;
	if (options->gpus)
		basis->capacity[EQT_YEAR_GPU] = basis->capacity[EQT_YEAR_RGU] =
			(double) options->gpus;
	return 0;
}

/* Targets for all clusters together cannot be divided among lines for single clusters. */
static int year_check_cluster(const struct eqt_year *usage,
			      struct eqt_error *err)
{
	for (size_t i = 0; i < usage->sum.key_count; i++) {
		if (usage->sum.keys[i] == EQT_YEAR_BY_CLUSTER &&
		    usage->targets.cluster == EQT_COLUMNS_NONE)
			return eqt_error_set(err,
					     "%s: line %zu: --by=cluster needs "
					     "a column Cluster",
					     usage->targets.table.text.name,
					     usage->targets.table.lines[0]);
	}
	return 0;
}

/* Targets override shares. With both, the tree is printed with the targets. */
static int year_make_lines(struct eqt_year *usage,
			   const struct eqt_year_options *options,
			   const struct eqt_job_pricer *pricer,
			   struct eqt_error *err)
{
	const struct eqt_sshare_options how = { .path = options->assocs };
	struct eqt_year_basis basis = { .sum = &usage->sum,
					.pools = &pricer->conf->pools };

	if (options->targets) {
		if (eqt_lines_targets_read(&usage->targets, options->targets,
					   err) < 0)
			return -1;
		basis.targets = &usage->targets;
		if (year_check_cluster(usage, err) < 0)
			return -1;
	}
	if (options->shares) {
		if (eqt_sshare_read(&usage->shares, &how, err) < 0)
			return -1;
		basis.shares = &usage->shares;
		if (!options->targets &&
		    year_size_cluster(&basis, options, pricer, err) < 0)
			return -1;
	}
	usage->allocations = options->targets || options->shares;
	eqt_lines_make(&usage->lines, &basis);
	return 0;
}

/* Are all lines so small that hours are easier to read than years? */
static bool lines_are_small(const struct eqt_year *usage)
{
	const long double year =
		(long double) (usage->period.until_s - usage->period.from_s);
	bool any = false;

	for (size_t i = 0; i < usage->lines.count; i++) {
		const struct eqt_year_line *line = &usage->lines.line[i];

		for (int unit = EQT_YEAR_CORE; unit <= EQT_YEAR_RGU; unit++) {
			if (line->used[unit] >= SMALL_YEARS * year ||
			    line->allocated[unit] >= (double) SMALL_YEARS)
				return false;
			any = any || line->used[unit] > 0;
		}
	}
	return any;
}

int eqt_year_same_units(const struct eqt_year_unit_names *a,
			const struct eqt_year_unit_names *b,
			struct eqt_error *err)
{
	for (int unit = EQT_YEAR_CORE; unit <= EQT_YEAR_RGU; unit++) {
		if (strcmp(a->years[unit], b->years[unit]) != 0 ||
		    strcmp(a->currency, b->currency) != 0)
			return eqt_error_set(err,
					     "cluster %s counts in other units "
					     "or currencies: ask about it "
					     "alone",
					     eqt_remote_chosen());
	}
	return 0;
}

/* Keep the names of a cluster's units. Returns 0, or -1 with err filled if they differ
 * from those of the previous cluster. */
static int year_take_names(struct eqt_year *usage, bool first,
			   struct eqt_error *err)
{
	const struct eqt_bundle_table *prices = &usage->conf->prices;
	const struct eqt_year_unit_names before = usage->names;
	const bool weights = eqt_year_price_has_weights(prices);

	eqt_year_price_unit_names(&usage->names, prices, weights);
	usage->weights = usage->weights || weights;
	return first ? 0 : eqt_year_same_units(&before, &usage->names, err);
}

/* Add the jobs of the cluster that is asked, priced by its own configuration. The pricer
 * borrows prices and nodes from *usage. */
static int year_add_cluster(struct eqt_year *usage,
			    struct eqt_job_pricer *pricer,
			    const struct eqt_year_options *options,
			    struct eqt_error *err)
{
	const bool first = !usage->conf;
	int rc = 0;

	eqt_conf_free(usage->conf);
	eqt_scontrol_nodes_free(&usage->nodes);
	eqt_energy_free(&usage->energy);
	*pricer = (struct eqt_job_pricer){ .threads = options->threads };
	usage->conf = eqt_site_conf_open(options->conf);
	if (!usage->conf)
		return eqt_error_set(
			err, "there are no prices without equitree.conf");
	pricer->conf = usage->conf;
	if (options->energy &&
	    eqt_energy_open(&usage->energy, usage->conf, err) < 0)
		return -1;
	/* Saved jobs and live nodes may belong to different clusters. */
	if (options->nodes || options->job_files == 0) {
		rc = eqt_scontrol_nodes_read(&usage->nodes, options->nodes,
					     err);
		pricer->nodes = &usage->nodes;
		if (rc == 0 && !pricer->threads)
			pricer->threads = eqt_year_price_threads(&usage->nodes);
	}
	if (rc == 0 && !options->reprice)
		rc = eqt_pricer_billed(pricer, options->job_files == 0, err);
	if (rc == 0)
		rc = year_take_names(usage, first, err);
	return rc == 0 ? year_jobs_add(&usage->sum, &usage->period, options,
				       pricer, &usage->energy, err)
		       : -1;
}

int eqt_year_make(struct eqt_year *usage,
		  const struct eqt_year_options *options, struct eqt_error *err)
{
	const char *clusters = options->common.clusters;
	struct eqt_job_pricer pricer;
	int more = clusters ? eqt_remote_next(&clusters) : 1;

	*usage = (struct eqt_year){ .raw = options->raw };
	if (eqt_period_make(&usage->period, options->year_start,
			    (int) options->year, options->year_end_s,
			    options->now_s, err) < 0)
		return -1;
	for (; more > 0; more = clusters ? eqt_remote_next(&clusters) : 0) {
		if (year_add_cluster(usage, &pricer, options, err) < 0)
			return -1;
	}
	if (options->titles &&
	    eqt_lines_titles_read(&usage->titles, options->titles, err) < 0)
		return -1;
	if (year_make_lines(usage, options, &pricer, err) < 0)
		return -1;
	usage->hours = options->unit
			       ? strcmp(options->unit, "hours") == 0
			       : !eqt_output_csv() && lines_are_small(usage);
	return 0;
}

void eqt_year_free(struct eqt_year *usage)
{
	free(usage->lines.line);
	eqt_lines_targets_free(&usage->targets);
	eqt_lines_titles_free(&usage->titles);
	eqt_sshare_free(&usage->shares);
	eqt_sum_free(&usage->sum);
	eqt_energy_free(&usage->energy);
	eqt_scontrol_nodes_free(&usage->nodes);
	eqt_conf_free(usage->conf);
	*usage = (struct eqt_year){ .allocations = false };
}
