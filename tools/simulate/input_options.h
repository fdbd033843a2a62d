/* SPDX-License-Identifier: GPL-2.0-or-later */
/* input_options: the options that name the input of a simulation: jobs, shares, the
 * cluster. */
#ifndef EQT_SIMULATE_INPUT_OPTIONS_H
#define EQT_SIMULATE_INPUT_OPTIONS_H

#include "cli/options.h"
#include "simulate/simulate.h"

#define EQT_SIMULATE_JOBS_MAX 100000000

/* Rows of a table of options. The struct of that table must begin with a struct
 * eqt_simulate_options. */
/* clang-format off */
#define EQT_SIMULATE_INPUT_OPTIONS \
	{ "jobs", 0, "FILE", "the jobs that \"sacct -aXP\" printed (-: stdin)", \
	  2, EQT_TEXT_AT(struct eqt_simulate_options, in.jobs_path) }, \
	{ "swf", 0, "FILE", \
	  "jobs in the Standard Workload Format instead (-: stdin)", 2, \
	  EQT_TEXT_AT(struct eqt_simulate_options, in.swf_path) }, \
	{ "generate", 0, "JOBS", "generate this number of jobs instead", 2, \
	  EQT_NUMBER_AT(struct eqt_simulate_options, in.made.jobs, EQT_SIMULATE_JOBS_MAX) }, \
	{ "days", 0, "DAYS", "days within which they are submitted; default 30", \
	  2, EQT_TAKEN_BY(eqt_simulate_take_days) }, \
	{ "load", 0, "LOAD", \
	  "CPU time that they request, relative to the cluster's; " \
	  "default 1.1", \
	  2, EQT_TAKEN_BY(eqt_simulate_take_load) }, \
	{ "seed", 0, "NUMBER", \
	  "seed: the same one generates the same jobs; default 1", 2, \
	  EQT_NUMBER_AT(struct eqt_simulate_options, in.made.seed, UINT64_MAX) }, \
	{ "skip-unknown", 0, NULL, \
	  "leave out jobs of users who are not in the share tree, and of " \
	  "partitions that the cluster does not have", 2, \
	  EQT_FLAG_AT(struct eqt_simulate_options, in.skip_unknown) }, \
	{ "skip-damaged", 0, NULL, "leave out lines that cannot be read", 2, \
	  EQT_FLAG_AT(struct eqt_simulate_options, in.skip_damaged) }, \
	{ "shares", 0, "FILE", "the share tree that \"sshare -alP\" printed", 3, \
	  EQT_TEXT_AT(struct eqt_simulate_options, in.shares_path) }, \
	{ "qos", 0, "FILE", \
	  "priorities and usage factors of QOS: what \"sacctmgr -P show qos\" " \
	  "printed", \
	  3, EQT_TEXT_AT(struct eqt_simulate_options, in.qos_path) }, \
	{ "assocs", 0, "FILE", \
	  "priorities of associations: what \"sacctmgr -P show assoc\" printed", \
	  3, EQT_TEXT_AT(struct eqt_simulate_options, in.assocs_path) }, \
	{ "reservations", 0, "FILE", \
	  "reservations: what \"scontrol -o show reservation\" printed", 4, \
	  EQT_TEXT_AT(struct eqt_simulate_options, in.reservations_path) }, \
	{ "fresh", 0, NULL, "start without usage", 3, \
	  EQT_FLAG_AT(struct eqt_simulate_options, fresh) }, \
	{ "nodes", 0, "FILE", \
	  "the cluster that \"scontrol -o show node\" printed", 4, \
	  EQT_TEXT_AT(struct eqt_simulate_options, in.nodes_path) }, \
	{ "partitions", 0, "FILE", \
	  "the partitions that \"scontrol -o show partition\" " \
	  "printed: tiers and factors", \
	  4, EQT_TEXT_AT(struct eqt_simulate_options, in.partitions_path) }, \
	{ "cluster", 0, \
	  "nodes=N,cpus=N[,memory=SIZE][,gpus=[MODEL:]N][,partition=NAME]", \
	  "equal nodes instead; may be repeated", 4, \
	  EQT_TAKEN_BY(eqt_simulate_take_group) }
/* clang-format on */

/* The functions of the rows. Each returns 0, or -1 with err filled. */
int eqt_simulate_take_days(void *into, const char *arg, struct eqt_error *err);
int eqt_simulate_take_load(void *into, const char *arg, struct eqt_error *err);
int eqt_simulate_take_group(void *into, const char *arg, struct eqt_error *err);

/* Refuse options for the input that contradict each other. Returns 0, or -1 with err
 * filled. */
int eqt_simulate_check_input(const struct eqt_simulate_options *options,
			     struct eqt_error *err);

#endif
