/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runs that were done, in memory and in the state file. The first line of the file
 * has a hash of the aims, the parameters and the jobs, so that runs of another search are
 * not taken for runs of this one.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "cli/print.h"
#include "tune/tune.h"

/* being better than the aim by this much is good enough */
#define MARGIN (-0.1)
#define MET_PART 0.1 /* weight of the margin, compared with a missed aim */
#define TITLE "equitree tune"

/* The key is 'f' for the jobs that are fitted, or 'h' for those held out, followed by the
 * values in the order of the parameters. */
char *eqt_archive_key(const struct eqt_tune *tune, char buf[EQT_TUNE_KEY],
		      const struct eqt_tune_point *point, int span)
{
	buf[0] = span == EQT_TUNE_FIT ? 'f' : 'h';
	buf[1] = '\0';
	for (int i = 0; i < tune->params; i++)
		eqt_print_append(buf, EQT_TUNE_KEY, " %.0f", point->value[i]);
	return buf;
}

/* The reverse of eqt_archive_key(), which must have written the key. */
struct eqt_tune_point eqt_archive_key_point(const char *key)
{
	struct eqt_tune_point point = { { 0 } };
	char *end;

	key++;
	for (int i = 0; *key == ' ' && i < EQT_TUNE_PARAMS_MAX; i++) {
		point.value[i] = strtod(key, &end);
		if (end == key)
			break;
		key = end;
	}
	return point;
}

struct eqt_tune_run *eqt_archive_find(const struct eqt_tune *tune,
				      const char *key)
{
	return eqt_names_find(&tune->archive, key);
}

/* A setting that is simulated twice has the same measures, because the simulation draws
 * nothing at random. */
struct eqt_tune_run *eqt_archive_add(struct eqt_tune *tune, const char *key,
				     const double *measure)
{
	struct eqt_tune_run *run =
		eqt_names_get(&tune->archive, key, sizeof(*run), NULL);

	memcpy(run->measure, measure,
	       (size_t) tune->aims.count * sizeof(*measure));
	return run;
}

/* 17 digits are enough to read the same double again. Returns -1 if the buffer is too
 * small. */
int eqt_archive_text(const struct eqt_tune *tune, char *buf, size_t size,
		     const char *key, const double *measure)
{
	size_t used = (size_t) snprintf(buf, size, "%s |", key);

	for (int i = 0; i < tune->aims.count && used < size; i++)
		used += (size_t) snprintf(buf + used, size - used, " %.17g",
					  measure[i]);
	return used < size ? 0 : -1;
}

/* Returns 0, or -1 if this is not the line of a run. */
int eqt_archive_read(struct eqt_tune *tune, const char *line)
{
	const char *bar = strstr(line, " |");
	double measure[EQT_TUNE_AIMS_MAX] = { 0 };
	char key[EQT_TUNE_KEY], *end;

	if (!bar || (size_t) (bar - line) >= sizeof(key) ||
	    (line[0] != 'f' && line[0] != 'h'))
		return -1;
	(void) snprintf(key, sizeof(key), "%.*s", (int) (bar - line), line);
	bar += 2;
	for (int i = 0; i < tune->aims.count; i++, bar = end) {
		measure[i] = strtod(bar, &end);
		if (end == bar)
			return -1;
	}
	return *bar == '\0' && eqt_archive_add(tune, key, measure) ? 0 : -1;
}

size_t eqt_archive_settings(const struct eqt_tune *tune)
{
	size_t count = 0;

	for (size_t i = 0; i < tune->archive.count; i++) {
		const struct eqt_tune_run *run = tune->archive.list[i];

		count += run->key[0] == 'f';
	}
	return count;
}

/* ---- The state file -------------------------------------------------------------- */

/* A hash of everything that the runs of a search depend on, including the values of
 * parameters that are not searched. */
static uint64_t tune_hash(const struct eqt_tune *tune)
{
	uint64_t hash = EQT_HASH_START;

	for (int i = 0; i < tune->aims.count; i++)
		hash = eqt_hash_bytes(hash, tune->aims.aim[i].text,
				      strlen(tune->aims.aim[i].text) + 1);
	for (int i = 0; i < tune->params; i++) {
		hash = eqt_hash_bytes(hash, tune->param[i].name,
				      strlen(tune->param[i].name) + 1);
		hash = eqt_hash_bytes(hash, &tune->param[i].now,
				      sizeof(tune->param[i].now));
	}
	for (int i = 0; i < tune->fixed_count; i++)
		hash = eqt_hash_bytes(hash, &tune->fixed[i].now,
				      sizeof(tune->fixed[i].now));
	for (uint32_t i = 0; i < tune->sim.shares.count; i++) {
		hash = eqt_hash_bytes(hash, &tune->sim.tree[i].shares,
				      sizeof(tune->sim.tree[i].shares));
		hash = eqt_hash_bytes(hash, &tune->sim.shares.assocs[i].usage,
				      sizeof(tune->sim.shares.assocs[i].usage));
	}
	for (size_t i = 0; i < tune->sim.now.count; i++) {
		const struct eqt_simulation_job *job = &tune->sim.jobs[i];
		const int64_t parts[] = {
			job->at,    job->id,	  job->user,
			job->run_s, job->limit_s, (int64_t) job->all.cpus
		};

		hash = eqt_hash_bytes(hash, parts, sizeof(parts));
	}
	for (int i = 0; i < EQT_TUNE_SPANS; i++) {
		hash = eqt_hash_bytes(hash, &tune->span[i].from,
				      sizeof(int64_t));
		hash = eqt_hash_bytes(hash, &tune->span[i].to, sizeof(int64_t));
	}
	return hash;
}

/* A last line that was cut off is left out. */
static int state_read(struct eqt_tune *tune, FILE *from, uint64_t hash,
		      struct eqt_error *err)
{
	char line[2 * EQT_TUNE_KEY];
	uint64_t found;
	char *end;

	if (!fgets(line, sizeof(line), from))
		return 0;
	if (sscanf(line, TITLE " %" SCNx64, &found) != 1)
		return eqt_error_set(err, "%s: not a file of equitree tune",
				     tune->state_path);
	if (found != hash)
		return eqt_error_set(
			err,
			"%s: from a search with other aims, parameters or jobs",
			tune->state_path);
	while (fgets(line, sizeof(line), from)) {
		end = strchr(line, '\n');
		if (!end)
			break;
		*end = '\0';
		(void) eqt_archive_read(tune, line);
	}
	return 1;
}

/* The file is open for appending. Each run is on the disk when it is done, and an
 * interrupted search continues from there. */
int eqt_archive_open(struct eqt_tune *tune, void **out, struct eqt_error *err)
{
	const uint64_t hash = tune_hash(tune);
	FILE *file;
	int rc;

	*out = NULL;
	if (!tune->state_path)
		return 0;
	file = fopen(tune->state_path, "a+");
	if (!file)
		return eqt_error_set(err, "cannot open %s: %s",
				     tune->state_path, strerror(errno));
	rewind(file);
	rc = state_read(tune, file, hash, err);
	if (rc < 0) {
		(void) fclose(file);
		return -1;
	}
	(void) fseek(file, 0, SEEK_END);
	/* Begin with a line end, in case the last line has none. */
	if (rc == 0)
		fprintf(file, TITLE " %" PRIx64 "\n", hash);
	else
		fprintf(file, "\n");
	*out = file;
	return 0;
}

/* ---- Scores ---------------------------------------------------------------------- */

/* A missed aim counts in full. Being better than an aim counts a tenth, up to a margin.
 * Only this part distinguishes settings that meet all aims. */
double eqt_archive_score(const struct eqt_tune *tune, const double *measure,
			 uint32_t mask)
{
	double sum = 0;

	for (int i = 0; i < tune->aims.count; i++) {
		double miss;

		if (!(mask >> i & 1))
			continue;
		miss = eqt_tune_aim_miss(&tune->aims.aim[i], measure[i]);
		sum += miss > 0	       ? miss
		       : miss < MARGIN ? MET_PART * MARGIN
				       : MET_PART * miss;
	}
	return sum;
}

/* mask has a bit per aim that counts. */
bool eqt_archive_meets(const struct eqt_tune *tune, const double *measure,
		       uint32_t mask)
{
	for (int i = 0; i < tune->aims.count; i++)
		if ((mask >> i & 1) &&
		    !eqt_tune_aim_met(&tune->aims.aim[i], measure[i]))
			return false;
	return true;
}

/* A run that meets the aims comes before one that does not. Between equal runs the key
 * decides, so that the result does not depend on the order of the processes. */
const struct eqt_tune_run *eqt_archive_best(const struct eqt_tune *tune,
					    uint32_t mask)
{
	const struct eqt_tune_run *best = NULL;
	double least = 0;
	bool met = false;

	for (size_t i = 0; i < tune->archive.count; i++) {
		const struct eqt_tune_run *run = tune->archive.list[i];
		const double score =
			eqt_archive_score(tune, run->measure, mask);
		const bool meets = eqt_archive_meets(tune, run->measure, mask);

		if (run->key[0] != 'f' ||
		    (best &&
		     (met > meets ||
		      (met == meets &&
		       (score > least ||
			(score == least && strcmp(run->key, best->key) > 0))))))
			continue;
		best = run;
		least = score;
		met = meets;
	}
	return best;
}

/* Utilisation is the only measure of which more is better. Ties are decided by all aims
 * together, and then by the key. */
const struct eqt_tune_run *eqt_archive_best_alone(const struct eqt_tune *tune,
						  int aim)
{
	const struct eqt_tune_run *best = NULL;
	const bool most = tune->aims.aim[aim].kind == EQT_TUNE_USE;
	const uint32_t all = (UINT32_C(1) << tune->aims.count) - 1;

	for (size_t i = 0; i < tune->archive.count; i++) {
		const struct eqt_tune_run *run = tune->archive.list[i];
		double more, score;

		if (run->key[0] != 'f')
			continue;
		more = best ? run->measure[aim] - best->measure[aim] : 0;
		more = most ? -more : more;
		score = best && more == 0
				? eqt_archive_score(tune, run->measure, all) -
					  eqt_archive_score(tune, best->measure,
							    all)
				: 0;
		if (!best || more < 0 ||
		    (more == 0 &&
		     (score < 0 ||
		      (score == 0 && strcmp(run->key, best->key) < 0))))
			best = run;
	}
	return best;
}
