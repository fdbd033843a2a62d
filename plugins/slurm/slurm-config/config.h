/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's internal headers include a config.h. Nothing in it shapes a struct;
 * these two lines say how the headers' checks and aliases behave, the way
 * packaged daemons are built.
 */
#define NDEBUG 1
#define USE_ALIAS 1
