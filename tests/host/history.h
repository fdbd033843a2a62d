/* SPDX-License-Identifier: GPL-2.0-or-later */
/* history: a text file of events, one a line, carried out in their order. */
#ifndef EQT_HOST_HISTORY_H
#define EQT_HOST_HISTORY_H

#include <stdio.h>

#include "words.h"

/* Read events to the end of the file. What cannot be done ends the program. */
void history_run(FILE *file);

/* Carry out one event; the line is cut to pieces on the way. */
void history_event(char *line);

/* The same without waiting until the plugin's threads sleep: for one of them. */
void history_play(char *line);

/* What "reconfigure KEY=VALUE..." does before the plugin is told: slurm.conf is
 * written and read again, and run-seconds are counted anew. */
void history_reread(const struct words *words);

/* The line that is being read; 0 before the first. */
unsigned int history_line(void);

#endif
