/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * end_note: the line at the end of a batch job's output that says what the job cost.
 *
 * end_note_send() is called in the process that becomes the batch script, the other
 * functions in slurmstepd. A failure costs the line and nothing else.
 */
#ifndef EQT_END_NOTE_H
#define EQT_END_NOTE_H

#include <slurm/spank.h>

/* Make the pair of sockets through which the script's output is sent. Called before the script is
 * forked; does nothing in a step that is not the batch script. */
void end_note_begin(spank_t spank);

/* Give slurmstepd the script's standard output. Called between fork and exec. */
void end_note_send(void);

/* Write the line, if the output is a file, and close it. Called when the script has
 * ended. */
void end_note_write(spank_t spank);

#endif
