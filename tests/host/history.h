/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history: a text file of events, one per line, which are carried out in order.
 */
#ifndef EQT_HOST_HISTORY_H
#define EQT_HOST_HISTORY_H

#include <stdio.h>

#include "words.h"

/* Carry out all events of the file. An event that cannot be carried out ends
 * the program. */
void history_run(FILE *file);

/* Carry out one event. This cuts the line to pieces. */
void history_event(char *line);

/* The same for a thread of the plugin: it does not wait until those sleep. */
void history_play(char *line);

/* The first half of "reconfigure KEY=VALUE...", before the plugin is called:
 * write and read slurm.conf, and count run-seconds again. */
void history_reread(const struct words *words);

/* The number of the current line; 0 before the first. */
unsigned int history_line(void);

#endif
