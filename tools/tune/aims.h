/* SPDX-License-Identifier: GPL-2.0-or-later */
/* aims: what a site wants of its cluster, in words, and how far a value is from it. */
#ifndef EQT_TUNE_AIMS_H
#define EQT_TUNE_AIMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/table.h"

#define EQT_TUNE_AIMS_MAX 12
#define EQT_TUNE_AIM_TEXT 160
#define EQT_TUNE_NAME 64

enum eqt_tune_kind {
	EQT_TUNE_WAIT, /* in seconds; at most the target */
	/* difference from the share, from 0 to 1; at most the target */
	EQT_TUNE_SHARE,
	EQT_TUNE_USE, /* part of the CPU time; at least the target */
};

enum eqt_tune_pool { EQT_TUNE_ANY, EQT_TUNE_CPU, EQT_TUNE_GPU };

/* An aim. A plain value. A name that is "" matches all. */
struct eqt_tune_aim {
	char text[EQT_TUNE_AIM_TEXT];
	enum eqt_tune_kind kind;
	double target;
	double quantile; /* quantile of the waits, above 0; 0: their mean */
	enum eqt_tune_pool pool;
	bool largest_tenth;
	/* bounds of the time limit in seconds; 0: none */
	int64_t longer_s, up_to_s;
	int64_t window_s; /* window of a share; 0: the whole time */
	char account[EQT_TUNE_NAME], user[EQT_TUNE_NAME];
	char partition[EQT_TUNE_NAME];
	uint32_t assoc; /* association of the account, or EQT_TREE_NONE */
	int partition_index; /* -1: any partition */
};

struct eqt_tune_aims {
	struct eqt_tune_aim aim[EQT_TUNE_AIMS_MAX];
	int count;
};

/* Add an aim such as "p95 wait of jobs up to 1 hour <= 30 minutes". Returns 0, or -1 with
 * err filled and the aims unchanged. */
int eqt_tune_aims_add(void *to, const char *text, struct eqt_error *err);

/* Add the aims of a file, one per line; # begins a comment. Returns 0, or -1 with err
 * filled. */
int eqt_tune_aims_read(void *aims, const char *path, struct eqt_error *err);

/* How far a value is from the aim: the logarithm of the missing factor. 0 if the aim is
 * met exactly, and below 0 if the value is better. */
double eqt_tune_aim_miss(const struct eqt_tune_aim *aim, double value);

/* Is the aim met? NaN does not meet it. */
bool eqt_tune_aim_met(const struct eqt_tune_aim *aim, double value);

/* Write a value in the aim's unit, such as "0:45:00" or "3.2 %". Returns buf. */
char *eqt_tune_aim_value(const struct eqt_tune_aim *aim, double value,
			 char buf[EQT_TABLE_CELL]);

#endif
