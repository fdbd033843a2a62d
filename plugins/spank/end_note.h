/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * end_note: adds a line with the cost of the job to the end of a batch job's
 * output.
 *
 * end_note_send() is called in the process that becomes the batch script, and
 * the other functions are called in slurmstepd. After a failure the line is
 * missing, but the job is not affected.
 */
#ifndef EQT_END_NOTE_H
#define EQT_END_NOTE_H

#include <slurm/spank.h>

/* Create the pair of sockets through which the script's output is sent. Called
 * before the script is forked. The function does nothing in a step that is not
 * the batch script. */
void end_note_begin(spank_t spank);

/* Send the script's standard output to slurmstepd. Called between fork and
 * exec. */
void end_note_send(void);

/* Write the line if the output is a file, and close the file. Called when the
 * script has ended. */
void end_note_write(spank_t spank);

#endif
