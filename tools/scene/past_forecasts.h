/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past_forecasts: the record of past forecasts and of what became of them. It is a file
 * that equitree report keeps and that all users read, so it names nobody. A line is
 * "JOB MARK ASKED EARLY MEDIAN LATE WAIT", or "0 0 ASKED ..." for a job that has
 * started. Its intervals are those before a correction.
 */
#ifndef EQT_SCENE_PAST_FORECASTS_H
#define EQT_SCENE_PAST_FORECASTS_H

#include "conf/conf.h"
#include "sim/forecast.h"
#include "slurm/live_cluster.h"

/* A plain value. */
struct eqt_past_forecast {
	uint64_t job; /* id of the job while it waits; 0: its wait is known */
	/* a checksum of what the job asks for, too short to tell what that is */
	uint64_t mark;
	struct eqt_forecast_past is;
};

/* Owns its memory; {0} is empty. */
struct eqt_past_forecasts {
	char path[EQT_LIVE_PATH]; /* the file; "": it has no name */
	bool named; /* equitree.conf names its folder */
	struct eqt_past_forecast *list; /* the oldest first */
	size_t count;
};

/* Read the record of a cluster, in the folder that equitree.conf names (conf may be NULL),
 * or from the folder of saved answers unless that is NULL. A file that is not there is
 * empty. Damaged lines are left out, and their number is printed on stderr. */
void eqt_past_forecasts_read(struct eqt_past_forecasts *out, const char *folder,
			     const struct eqt_conf *conf, const char *cluster);

/* Free what *past owns. *past is empty afterwards. */
void eqt_past_forecasts_free(struct eqt_past_forecasts *past);

/* Learn from the forecasts whose latest start is over. Of the other forecasts, those of
 * the longest waits have no result yet, so the rest would make waits look short. */
void eqt_past_forecasts_learn(struct eqt_forecast_correction *out,
			      const struct eqt_past_forecasts *past,
			      int64_t now_s);

/* Make a forecast of a waiting job from its interval before a correction. Returns
 * false if nobody will know whether it held: a job that may not start yet, an array, or a
 * late end that is not known. */
bool eqt_past_forecast_make(struct eqt_past_forecast *out,
			    const struct eqt_live_job *job, int64_t now_s,
			    struct eqt_forecast_interval interval);

/*
 * Settle the forecasts of jobs that do not wait any longer, by the cluster and by sacct.
 * Those of jobs that were cancelled, held, requeued or changed meanwhile are dropped. Then
 * add some of `count` new forecasts, of short, middle and long waits, drop old ones, and
 * write the file. Where equitree.conf names no folder and the caller may not write the default
 * one, nothing is done. Returns 0, or -1 with err filled; the file is then as it was.
 */
int eqt_past_forecasts_record(struct eqt_past_forecasts *past,
			      const struct eqt_live_cluster *live,
			      struct eqt_past_forecast *new_ones, size_t count,
			      struct eqt_error *err);

#endif
