/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's internal headers include a config.h. No value of that file changes
 * the layout of a struct. These two lines select the checks and aliases in the
 * headers that packaged daemons are built with.
 */
#define NDEBUG 1
#define USE_ALIAS 1
